//! Reads and writes the lists of threshold curves in the header of a table file.

use retrograde_index::{Chapters, Division, Index, MOST_CURVES};
use retrograde_rules::Piece;

use super::header::reader::HeaderReader;
use crate::error::TableFault;

/// Reads what [`to_bytes`] writes; `curves` is the number of curves in the header.
pub(super) fn parse(
    reader: &mut HeaderReader,
    index: &Index,
    curves: usize,
) -> Result<Chapters, TableFault> {
    let fail = |what| Err(TableFault::Header(what));
    let mut by = Vec::new();
    for _ in 0..reader.u32()? {
        let [letter, zeros @ ..] = reader.bytes::<4>()?;
        let parts = reader.u32()?;
        let piece = Piece::from_letter(letter as char).filter(|_| zeros == [0; 3]);
        let Some(piece) = piece else {
            return fail("its curves depend on pieces that it does not have");
        };
        by.push(Division { piece, parts });
    }
    let Some(count) = Chapters::count(&by, index) else {
        return fail("its curves depend on pieces that it does not have");
    };
    let mut lists = Vec::new();
    for _ in 0..count {
        let count = reader.u32()? as usize;
        if count > MOST_CURVES {
            return fail("it has more curves than values");
        }
        let mut list = Vec::new();
        for _ in 0..count {
            let place = reader.u32()?;
            if place as usize >= curves {
                return fail("it has a value without a curve");
            }
            list.push(place);
        }
        lists.push(list);
    }
    Ok(Chapters { by, lists })
}

#[cfg(any(feature = "write", test))]
pub(super) fn to_bytes(chapters: &Chapters, out: &mut Vec<u8>) {
    out.extend((chapters.by.len() as u32).to_le_bytes());
    for division in &chapters.by {
        out.extend([division.piece.letter() as u8, 0, 0, 0]);
        out.extend(division.parts.to_le_bytes());
    }
    for list in &chapters.lists {
        out.extend((list.len() as u32).to_le_bytes());
        out.extend(list.iter().flat_map(|place| place.to_le_bytes()));
    }
}
