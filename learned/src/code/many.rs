//! Reading the symbols of many indices that share a code.

use super::Code;
use crate::line::Line;

/// An index whose symbol is being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    /// The hash of the index in its line.
    pub(crate) key: u64,
    /// The number of its line.
    pub(crate) line: u32,
    /// The place of its symbol.
    pub(crate) place: u16,
    /// The bits of its code that have been read.
    pub(crate) code: u16,
}

impl Code<'_> {
    /// Writes the symbols of some indices, which are those of [`Code::read`], to their places.
    /// Whether a bit is set cannot be predicted, so each bit is read of all indices that are
    /// left, and nothing branches on it: a symbol is written as long as it may be the one.
    pub(crate) fn read_many<'l>(
        &self,
        waiting: &mut [Waiting],
        line: impl Fn(u32) -> &'l Line,
        symbols: &mut [u16],
    ) {
        let mut write = |one: &Waiting, symbol| {
            if let Some(place) = symbols.get_mut(usize::from(one.place)) {
                *place = symbol;
            }
        };
        let parts = self.split();
        let mut left = waiting;
        for level in 0..parts.levels {
            let symbol = self.symbol(parts, level);
            left.iter().for_each(|one| write(one, symbol));
            for bit in 0..self.filter(parts, level) {
                let number = Line::filter_number(level, bit);
                left = keep(left, |one| line(one.line).filter(one.key, number));
            }
            let number = Line::correction_number(level);
            left = keep(left, |one| line(one.line).value(one.key, number));
        }
        let (mut first, mut place) = (0, parts.levels);
        for length in 1..=parts.longest {
            let (number, count) = (Line::rest_number(length - 1), self.count(parts, length));
            left = keep(left, |one| {
                let bit = line(one.line).value(one.key, number);
                one.code = one.code << 1 | u16::from(bit);
                let more = u32::from(one.code).wrapping_sub(first);
                if count > 0 {
                    write(one, self.symbol(parts, place + more.min(count - 1)));
                }
                more >= count
            });
            place += count;
            first = (first + count) << 1;
        }
        // Only of a code with one symbol but for levels, since lengths are complete.
        let symbol = self.symbol(parts, place);
        left.iter().for_each(|one| write(one, symbol));
    }
}

/// Those that are to be kept, in their order.
#[inline(always)]
fn keep(waiting: &mut [Waiting], mut is_kept: impl FnMut(&mut Waiting) -> bool) -> &mut [Waiting] {
    let mut kept = 0;
    for at in 0..waiting.len() {
        let mut one = waiting[at];
        let keep = is_kept(&mut one);
        waiting[kept] = one;
        kept += usize::from(keep);
    }
    &mut waiting[..kept]
}
