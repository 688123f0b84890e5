//! Reads eight neighbouring values of a solved grid at a time, with no branch for each value.
//!
//! The bits of a byte of a word become masks that say something of each of the values.

use super::depth::Depth;

/// Values of eight neighbouring squares; those beyond the board mean nothing.
pub(crate) type Values = [i16; 8];

/// The masks of every byte: all bits of a value for each bit that is set, none for the others.
static MASKS: [Values; 256] = {
    let mut masks = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            masks[byte][bit] = -((byte >> bit & 1) as i16);
            bit += 1;
        }
        byte += 1;
    }
    masks
};

/// Selects values by the bits of a byte: `yes` where a bit is set, else `no`.
#[inline(always)]
pub(crate) fn select(byte: u8, yes: Values, no: Values) -> Values {
    let masks = &MASKS[usize::from(byte)];
    std::array::from_fn(|bit| yes[bit] & masks[bit] | no[bit] & !masks[bit])
}

/// Makes those of up to eight numbers 0 whose bits are not set.
#[inline(always)]
pub(crate) fn keep(byte: u8, numbers: &mut [u16]) {
    for (number, mask) in numbers.iter_mut().zip(MASKS[usize::from(byte)]) {
        *number &= mask as u16;
    }
}

/// Eight cells as plies, and `none` for those without any.
#[inline(always)]
pub(crate) fn plies<D: Depth>(cells: &[D], first: usize, none: i16) -> Values {
    let of = |cell: D| match cell == D::NONE {
        true => none,
        false => cell.plies() as i16,
    };
    // Those of the next word do no harm.
    match cells.get(first..).and_then(<[D]>::first_chunk::<8>) {
        Some(cells) => cells.map(of),
        None => std::array::from_fn(|bit| cells.get(first + bit).map_or(none, |&cell| of(cell))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_select_values() {
        let (yes, no) = ([1, 2, 3, 4, 5, 6, 7, 8], [-1; 8]);
        assert_eq!(select(0b1000_0101, yes, no), [1, -1, 3, -1, -1, -1, -1, 8]);
        for byte in 0..=255 {
            let found = select(byte, yes, no);
            for bit in 0..8 {
                let expected = if byte >> bit & 1 == 1 { yes } else { no };
                assert_eq!(found[bit], expected[bit]);
            }
        }
    }

    #[test]
    fn numbers_are_kept_by_bits() {
        let mut numbers = [1, 2, 3, 4, 5];
        keep(0b0001_0110, &mut numbers);
        assert_eq!(numbers, [0, 2, 3, 0, 5]);
    }

    #[test]
    fn cells_are_plies_up_to_the_last() {
        let cells: Vec<u8> = (0..11).chain([u8::NONE]).collect();
        assert_eq!(plies(&cells, 2, -7), [2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(plies(&cells, 8, -7), [8, 9, 10, -7, -7, -7, -7, -7]);
    }
}
