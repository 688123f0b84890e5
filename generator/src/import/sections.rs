//! Reads the sections of a `variants.ini`, and follows what they build on.

use std::collections::BTreeMap;

use retrograde_rules::shortened;

use super::{Read, fault};

/// A value, the line that it stands in, and how many sections build on the one with that line; 0
/// is the line of what comes from a game that is known here.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) value: &'a str,
    pub(super) line: usize,
    pub(super) depth: usize,
}

/// Settings by their keys.
pub(super) type Settings<'a> = BTreeMap<&'a str, Setting<'a>>;

/// A section as it is written.
pub(super) struct Section<'a> {
    pub(super) name: &'a str,
    pub(super) base: Option<&'a str>,
    pub(super) line: usize,
    pub(super) settings: Vec<(&'a str, Setting<'a>)>,
}

/// Reads the sections of a text. Lines that begin with `#` or `;` are comments, and so is what
/// follows a `#` after a space.
pub(super) fn sections(text: &str) -> Read<Vec<Section<'_>>> {
    let mut sections: Vec<Section> = Vec::new();
    for (line, written) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let written = written.split(" #").next().unwrap_or_default().trim();
        if written.is_empty() || written.starts_with(['#', ';']) {
            continue;
        }
        if let Some(title) = written.strip_prefix('[') {
            let Some(title) = title.strip_suffix(']') else {
                return fault(line, "the name of a section ends with ]");
            };
            let (name, base) = match title.split_once(':') {
                Some((name, base)) => (name.trim(), Some(base.trim())),
                None => (title.trim(), None),
            };
            sections.push(Section {
                name,
                base,
                line,
                settings: Vec::new(),
            });
        } else if let (Some((key, value)), Some(section)) =
            (written.split_once('='), sections.last_mut())
        {
            let value = value.trim();
            let depth = 0;
            let setting = Setting { value, line, depth };
            section.settings.push((key.trim(), setting));
        } else {
            let shown = shortened(written);
            return fault(
                line,
                format!("\"{shown}\" is neither [name], [name:base] nor key = value below one"),
            );
        }
    }
    Ok(sections)
}

/// A letter that a section gives a piece.
pub(super) struct Lettered<'a> {
    pub(super) key: &'a str,
    pub(super) letter: char,
    pub(super) depth: usize,
}

/// The most sections that one may build on, each on the next.
const MOST_BASES: usize = 100;

/// The settings of the last of some sections, with those of all that it builds on: those that
/// count, and the letters of pieces, whose keys are those that `is_piece` says, as each section
/// gives them.
pub(super) fn collect<'a>(
    sections: &[Section<'a>],
    bases: &[Section<'a>],
    is_piece: impl Fn(&str) -> bool,
) -> Read<(Settings<'a>, Vec<Lettered<'a>>)> {
    let (mut settings, mut lettered) = (BTreeMap::new(), Vec::new());
    let (mut above, mut is_known_here) = (sections, false);
    for depth in 0..=MOST_BASES {
        let Some((section, earlier)) = above.split_last() else {
            return Ok((settings, lettered));
        };
        for &(key, mut setting) in section.settings.iter().rev() {
            setting.depth = depth;
            if is_known_here {
                setting.line = 0;
            }
            if let Some(letter) = setting.value.chars().next().filter(|_| is_piece(key)) {
                let letter = letter.to_ascii_uppercase();
                lettered.push(Lettered { key, letter, depth });
            }
            // The last of several is the one that counts, and a section goes before its base.
            settings.entry(key).or_insert(setting);
        }
        let Some(base) = section.base else {
            // Pawns of a game that builds on no other become nothing unless it says what.
            if !is_known_here {
                let nothing = Setting {
                    value: "-",
                    line: 0,
                    depth,
                };
                settings.entry("promotionPieceTypes").or_insert(nothing);
            }
            return Ok((settings, lettered));
        };
        let place = |sections: &[Section]| sections.iter().rposition(|s| s.name == base);
        above = if let Some(place) = place(earlier) {
            &earlier[..=place]
        } else if let (Some(place), false) = (place(bases), is_known_here) {
            is_known_here = true;
            &bases[..=place]
        } else {
            let known: Vec<&str> = bases.iter().map(|base| base.name).collect();
            return fault(
                section.line,
                format!(
                    "there is no section [{}] above, and no such game is known here; those known \
                     are: {}",
                    shortened(base),
                    known.join(", ")
                ),
            );
        };
    }
    let last = sections.last().map_or(0, |section| section.line);
    fault(
        last,
        format!("at most {MOST_BASES} sections build on one another; write the settings out"),
    )
}
