//! Reads and writes numbers as people do: sizes, counts, percentages and times.

use std::time::Duration;

use indicatif::HumanCount;
pub(crate) use retrograde::numbers::{positive, whole};
use retrograde::plan::FEWEST_PIECES;
pub(crate) use retrograde_folder::bytes;
use retrograde_rules::Material;

/// Units and their sizes in bytes. `4G` is `4GiB`, as in most programs that take
/// a memory size.
const UNITS: [(&str, f64); 14] = [
    ("", 1.0),
    ("b", 1.0),
    ("k", 1024.0),
    ("kib", 1024.0),
    ("kb", 1e3),
    ("m", 1_048_576.0),
    ("mib", 1_048_576.0),
    ("mb", 1e6),
    ("g", 1_073_741_824.0),
    ("gib", 1_073_741_824.0),
    ("gb", 1e9),
    ("t", 1_099_511_627_776.0),
    ("tib", 1_099_511_627_776.0),
    ("tb", 1e12),
];

/// Reads a size such as `4G`, `512M`, `3.5GiB` or `800MB`.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || "write a size like 4G, 512M or 3.5GiB".to_owned();
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim_start().to_ascii_lowercase();
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let (_, value) = UNITS
        .into_iter()
        .find(|(name, _)| *name == unit)
        .ok_or_else(wrong)?;
    let bytes = number * value;
    if !(1.0..1e18).contains(&bytes) {
        return Err(wrong());
    }
    Ok(bytes as u64)
}

/// Reads a number of pieces. Whether there are tables of so many is said by a plan.
pub(crate) fn men(text: &str) -> Result<usize, String> {
    let (least, most) = (FEWEST_PIECES, Material::MOST_PIECES);
    let wrong = |_| format!("write a whole number from {least} to {most}");
    text.parse().map_err(wrong)
}

/// A count with separators: `1,806,336`.
pub(crate) fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A count of things: `1 table`, `1,200 tables`.
pub(crate) fn plural(number: u64, one: &str, many: &str) -> String {
    let name = if number == 1 { one } else { many };
    format!("{} {name}", count(number))
}

/// A place in a sequence: `1st`, `12th`, `22nd`.
pub(crate) fn ordinal(number: u32) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// An approximate time: `0.4 s`, `95 s`, `12 min`, `3.2 h`.
pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..9.95 => format!("{seconds:.1} s"),
        ..119.5 => format!("{seconds:.0} s"),
        ..7170.0 => format!("{:.0} min", seconds / 60.0),
        ..172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

/// A part of a whole in percent: `24 %`, `0.3 %`, `< 0.1 %`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    match part {
        0 => "-".to_owned(),
        _ if part == whole => "100 %".to_owned(),
        _ if percent < 0.05 => "< 0.1 %".to_owned(),
        _ if percent > 99.95 => "> 99.9 %".to_owned(),
        _ => format!("{percent:.1} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        for (text, bytes) in [
            ("1", 1),
            ("512M", 512 << 20),
            ("512m", 512 << 20),
            ("4G", 4 << 30),
            ("4 GiB", 4 << 30),
            ("3.5GiB", 7 << 29),
            ("2KB", 2000),
            ("1.5t", 3 << 39),
            ("100000B", 100_000),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "G",
            "4X",
            "-4G",
            "4GG",
            "four",
            "0",
            "0.1",
            "1e9",
            "nan",
            "inf",
            "4,5G",
            "1.2.3",
            "9999999999T",
            " 4G",
            "4G ",
            "½G",
        ] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_of_men_are_read() {
        assert_eq!((men("4"), men("99")), (Ok(4), Ok(99)));
        assert!(men("x").is_err() && men("-3").is_err());
    }

    #[test]
    fn ordinals_end_as_they_are_spoken() {
        let texts = [2, 3, 4, 11, 12, 13, 21, 22, 23, 111, 121].map(ordinal);
        let expected = "2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 111th 121st";
        assert_eq!(texts.join(" "), expected);
    }

    #[test]
    fn numbers_are_written_for_people() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_806_336, "1,806,336"),
        ] {
            assert_eq!(count(number), text);
        }
        for (seconds, text) in [
            (0.04, "0.0 s"),
            (9.96, "10 s"),
            (119.0, "119 s"),
            (120.0, "2 min"),
            (7200.0, "2.0 h"),
        ] {
            assert_eq!(time(Duration::from_secs_f64(seconds)), text);
        }
        assert_eq!(plural(1, "material", "materials"), "1 material");
        assert_eq!(plural(0, "material", "materials"), "0 materials");
        assert_eq!(percent(0, 0), "-");
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(3, 3), "100 %");
        assert_eq!(percent(1, 1_000_000), "< 0.1 %");
    }
}
