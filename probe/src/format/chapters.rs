//! Which thresholds the values of a table of High Chess stand for, where they
//! are more than values can name: a list for each placement of some men.

use retrograde_rules::Man;

use super::header::MOST_THRESHOLDS;
use super::header::reader::Reader;
use crate::index::Index;

/// A list of thresholds for each placement of one kind of man: the value `n`
/// stands for the `n`-th of the list. The lists have places among the
/// thresholds of the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapters {
    /// The kind of man whose placement says which list: a group of the index.
    pub man: Man,
    /// A list for each digit of that group.
    pub lists: Vec<Vec<u32>>,
}

impl Chapters {
    /// The place among the thresholds of the header that a value of a number
    /// stands for; `None` if the list is shorter.
    pub(super) fn place(&self, index: &Index, number: u64, value: u16) -> Option<usize> {
        let digit = index.digit(self.man)?.of(number);
        let place = self.lists.get(digit as usize)?.get(usize::from(value))?;
        Some(*place as usize)
    }

    /// Reads what [`Chapters::to_bytes`] writes; `thresholds` is how many the
    /// header has, `order` are the groups of the index.
    pub(super) fn parse(
        reader: &mut Reader,
        order: &[Man],
        thresholds: usize,
    ) -> Option<Result<Chapters, &'static str>> {
        let [letter, zero] = reader.bytes()?;
        let man = Man::from_letter(letter as char).filter(|man| order.contains(man));
        let Some(man) = man.filter(|_| zero == 0 && reader.u16() == Some(0)) else {
            return Some(Err("its thresholds are by men that it has not"));
        };
        let mut lists = Vec::new();
        for _ in 0..reader.u32()? {
            let count = reader.u32()? as usize;
            if count > MOST_THRESHOLDS {
                return Some(Err("it has more thresholds than values"));
            }
            let mut list = Vec::new();
            for _ in 0..count {
                let place = reader.u32()?;
                if place as usize >= thresholds {
                    return Some(Err("it has a value without thresholds"));
                }
                list.push(place);
            }
            lists.push(list);
        }
        Some(Ok(Chapters { man, lists }))
    }

    #[cfg(any(feature = "write", test))]
    pub(super) fn to_bytes(&self, out: &mut Vec<u8>) {
        out.extend([self.man.letter() as u8, 0, 0, 0]);
        out.extend((self.lists.len() as u32).to_le_bytes());
        for list in &self.lists {
            out.extend((list.len() as u32).to_le_bytes());
            out.extend(list.iter().flat_map(|place| place.to_le_bytes()));
        }
    }
}
