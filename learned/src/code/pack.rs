//! From the parts of a code to its bits.

use super::bits::Bits;
use super::{CodeShape, Form, LONGEST, Orders, bits_of};
use super::{ENTRIES, ENTRY_BITS, LENGTHS, LENGTHS_BITS, LEVELS_BITS, LONGEST_BITS, OTHERS};
use crate::error::LearnedError;
use crate::line::LEVELS;

/// Replaces `bytes` by those of a code in the widest form and returns how many bits it takes.
pub(super) fn pack(shape: &CodeShape, bytes: &mut Vec<u8>) -> Result<u32, LearnedError> {
    let misfit = LearnedError::Model("the lengths of a leaf's codes do not fit");
    let (mut counts, mut sum) = ([0_u32; LONGEST as usize + 1], 0_u64);
    for &(_, length) in &shape.rest {
        let Some(count) = counts.get_mut(usize::from(length)) else {
            return Err(misfit);
        };
        *count += 1;
        sum += 1 << (LONGEST - length);
    }
    if sum != 1 << LONGEST {
        return Err(misfit);
    }
    if shape.levels.len() > LEVELS || shape.levels.iter().any(|&(_, filter)| filter > 15) {
        return Err(LearnedError::Model("a leaf has too many levels"));
    }
    let longest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    let mut symbols: Vec<u32> = Vec::with_capacity(shape.levels.len() + shape.rest.len());
    symbols.extend(shape.levels.iter().map(|&(symbol, _)| u32::from(symbol)));
    // By length; those of a length stay in their order.
    for length in 0..=longest as u8 {
        let those = shape.rest.iter().filter(|&&(_, known)| known == length);
        symbols.extend(those.map(|&(symbol, _)| u32::from(symbol)));
    }
    let least = symbols.iter().copied().min().unwrap_or(0);
    symbols.iter_mut().for_each(|symbol| *symbol -= least);
    let counts = &counts[1..=longest];
    let usual = usual(counts);
    let order = Orders::find(&symbols).filter(|_| usual.is_some());
    let entry = match order {
        Some(_) => 0,
        None => {
            let numbers = symbols
                .iter()
                .chain(counts.iter().filter(|_| usual.is_none()));
            let bits = bits_of(numbers.copied().max().unwrap_or(0)).max(1);
            let fits = ENTRIES.iter().position(|&entry| entry >= bits);
            fits.unwrap_or(ENTRIES.len() - 1)
        }
    };
    bytes.clear();
    let mut bits = Bits::behind(bytes);
    bits.add(shape.levels.len() as u32, LEVELS_BITS);
    bits.add(usual.unwrap_or(OTHERS), LENGTHS_BITS);
    bits.add(entry as u32, ENTRY_BITS);
    bits.add(least, Form::WIDEST.least_bits.into());
    for &(_, filter) in &shape.levels {
        bits.add(filter.into(), Form::WIDEST.filter_bits.into());
    }
    let entry = ENTRIES[entry];
    if usual.is_none() {
        bits.add(longest as u32, LONGEST_BITS);
        counts.iter().for_each(|&count| bits.add(count, entry));
    }
    match order {
        Some(number) => bits.add(number, Orders::of(symbols.len()).bits.into()),
        None => symbols.iter().for_each(|&symbol| bits.add(symbol, entry)),
    }
    let len = bits.len() as u32;
    bits.finish();
    Ok(len)
}

/// The number of the usual lengths of which there are so many each, from 1 on.
fn usual(counts: &[u32]) -> Option<u32> {
    if counts.len() > 8 || counts.iter().any(|&count| count > 15) {
        return None;
    }
    let digits = counts.iter().rev();
    let counts = digits.fold(0, |all, &count| all << 4 | count);
    let found = LENGTHS.iter().position(|&lengths| lengths == counts);
    found.map(|number| number as u32)
}
