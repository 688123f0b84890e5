//! Reads whole numbers from the arguments of programs, and says what is allowed instead.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A reader of whole numbers in a range, which says what to write instead of anything else.
pub fn whole<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync,
{
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => {
            let (least, most) = (range.start(), range.end());
            Err(format!("write a whole number from {least} to {most}"))
        }
    }
}

/// Reads a whole number of at least 1, with no limit that anyone would reach.
///
/// # Errors
/// The text is something else: what to write.
pub fn positive(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err("write a whole number, at least 1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read() {
        let few = whole(2_usize..=7);
        assert_eq!((few("2"), few("7")), (Ok(2), Ok(7)));
        for text in ["1", "8", "-3", "x", "", "2.5", "99999999999999999999"] {
            let wrong = "write a whole number from 2 to 7".to_owned();
            assert_eq!(few(text), Err(wrong), "{text}");
        }
        assert_eq!(positive("1"), Ok(1));
        assert_eq!(positive(&u64::MAX.to_string()), Ok(u64::MAX));
        for text in ["0", "-1", "x", "18446744073709551616"] {
            assert!(positive(text).is_err(), "{text}");
        }
    }
}
