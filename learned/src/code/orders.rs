//! The orders that the symbols of a code can be in, if they are few and none is missing between
//! them: a number says more in less room than an entry for each.

/// All orders of up to so many symbols have numbers.
const MOST: usize = 6;
/// How many there are of so many symbols.
const MANY: [usize; MOST + 1] = [1, 1, 2, 6, 24, 120, 720];
/// How many there are of fewer symbols.
const BEFORE: [usize; MOST + 1] = [0, 0, 1, 3, 9, 33, 153];

/// The orders of one symbol, those of two and so on: the symbols, four bits each, the first one
/// in the lowest.
static ALL: [u32; BEFORE[MOST] + MANY[MOST]] = {
    let mut all = [0; BEFORE[MOST] + MANY[MOST]];
    let mut symbols = 1;
    while symbols <= MOST {
        let mut number = 0;
        while number < MANY[symbols] {
            all[BEFORE[symbols] + number] = order(symbols, number);
            number += 1;
        }
        symbols += 1;
    }
    all
};

/// An order by its number: which of the symbols that are left comes first, and so on.
const fn order(symbols: usize, mut number: usize) -> u32 {
    let (mut order, mut taken, mut place) = (0, 0, 0);
    while place < symbols {
        let after = MANY[symbols - 1 - place];
        let (mut skip, mut symbol) = (number / after, 0);
        number %= after;
        while taken >> symbol & 1 != 0 || skip > 0 {
            if taken >> symbol & 1 == 0 {
                skip -= 1;
            }
            symbol += 1;
        }
        taken |= 1 << symbol;
        order |= symbol << (4 * place as u32);
        place += 1;
    }
    order
}

/// The orders of so many symbols.
#[derive(Clone, Copy)]
pub(super) struct Orders {
    /// The place of the first one among all.
    before: u16,
    /// The bits of the number of one.
    pub(super) bits: u8,
}

impl Orders {
    /// Those of so many symbols; if these are too many, there is only one.
    pub(super) const fn of(symbols: usize) -> Orders {
        let symbols = if symbols > MOST { 0 } else { symbols };
        Orders {
            before: BEFORE[symbols] as u16,
            bits: (MANY[symbols] as u32).next_power_of_two().trailing_zeros() as u8,
        }
    }

    /// The symbols of an order, given its number in the lowest bits: four bits each, the first
    /// one in the lowest.
    #[inline(always)]
    pub(super) fn get(self, number: u64) -> u32 {
        let number = number as usize & ((1 << self.bits) - 1);
        let order = ALL.get(usize::from(self.before) + number);
        order.copied().unwrap_or(0)
    }

    /// The number of an order of symbols, if it has one.
    pub(super) fn find(symbols: &[u32]) -> Option<u32> {
        let many = *MANY.get(symbols.len())?;
        let before = BEFORE[symbols.len()];
        if symbols
            .iter()
            .any(|&symbol| symbol as usize >= symbols.len())
        {
            return None;
        }
        let packed = symbols
            .iter()
            .rev()
            .fold(0, |all, &symbol| all << 4 | symbol);
        let those = ALL.get(before..before + many)?;
        let number = those.iter().position(|&order| order == packed)?;
        Some(number as u32)
    }
}
