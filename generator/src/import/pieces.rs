//! Turns the pieces of a section, and letters that mean them, into those of a definition.

use retrograde_rules::is_usual;

use super::sections::{Lettered, Setting};
use super::{Read, Translation};

/// The names of pieces with their moves in Betza's notation, in the order of material names.
const PIECES: &[(&str, &str)] = &[
    ("king", "K"),
    ("amazon", "QN"),
    ("queen", "Q"),
    ("aiwok", "RNF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("bers", "RF"),
    ("rook", "R"),
    ("dragonHorse", "BW"),
    ("centaur", "KN"),
    ("bishop", "B"),
    ("commoner", "K"),
    ("silver", "FfW"),
    ("knight", "N"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("gold", "WfF"),
    ("lance", "fR"),
    ("shogiKnight", "fN"),
    ("shogiPawn", "fW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("fersAlfil", "FA"),
    ("fers", "F"),
    ("wazir", "W"),
    ("alfil", "A"),
    ("soldier", "fsW"),
    ("breakthrough", "fmWfF"),
    ("clobber", "cW"),
    ("cannon", "mRcpR"),
    ("janggiCannon", "pR"),
    ("janggiElephant", "nZ"),
    ("banner", "RcpRnN"),
];

/// The letters of orthodox chess in the order of material names.
const USUAL: &str = "KQRBNP";

/// The place of a key of a piece in the order of material names.
fn order_of(key: &str) -> Option<usize> {
    let custom = || key.strip_prefix("customPiece")?.parse::<u8>().ok();
    let known = PIECES.iter().position(|&(name, _)| name == key);
    known.or_else(|| custom().map(|number| PIECES.len() + usize::from(number)))
}

/// Whether a key is that of a piece.
pub(super) fn is_piece(key: &str) -> bool {
    key == "pawn" || order_of(key).is_some()
}

/// A piece of the game.
pub(super) struct Kind<'a> {
    pub(super) key: &'a str,
    pub(super) letter: char,
    /// The place in the order of material names.
    pub(super) order: usize,
    pub(super) moves: String,
    /// Whether pawns become such a piece unless more is said.
    pub(super) promotes: bool,
    pub(super) line: usize,
}

impl<'a> Translation<'a> {
    /// The kinds of piece in the order of material names, the pawn last. Keys of the definition say
    /// what they are.
    pub(super) fn pieces(&mut self, array: &str) -> Read<Vec<Kind<'a>>> {
        let placement = array.split(' ').next().unwrap_or_default();
        let mut kinds = self.named()?;
        self.drop_unused(&mut kinds, placement)?;
        self.rename(&mut kinds)?;
        let royal = kinds.iter().find(|kind| kind.key == "king");
        let royal = royal.map(|kind| kind.letter);
        // Without a king, the piece of its letter takes its place.
        let first = royal.unwrap_or('K');
        let all_usual = kinds.iter().all(|kind| USUAL.contains(kind.letter));
        let place = |kind: &Kind| match all_usual {
            true => USUAL.find(kind.letter).unwrap_or_default(),
            false => kind.order,
        };
        let pawn = self.pawn;
        kinds.sort_by_key(|kind| (kind.key == pawn, kind.letter != first, place(kind)));
        let order: String = kinds.iter().map(|kind| kind.letter).collect();
        let line = kinds.iter().map(|kind| kind.line).max().unwrap_or(0);
        if order != USUAL {
            self.set_text("pieces", "order", &order, line);
        }
        for kind in &kinds {
            if kind.key != self.pawn && !is_usual(kind.letter, &kind.moves) {
                self.set_text("pieces", &kind.letter.to_string(), &kind.moves, kind.line);
            }
        }
        match royal {
            Some('K') => {}
            Some(letter) => self.set_text("royal", "piece", &letter.to_string(), line),
            None => {
                self.set_text("royal", "rule", "none", 0);
                self.set("royal", "kings", "[0, \"any\"]".to_owned(), 0);
            }
        }
        Ok(kinds)
    }

    /// The pieces as they are named, each with a letter of its own. One takes the place of another
    /// that has its letter in a section below.
    fn named(&mut self) -> Read<Vec<Kind<'a>>> {
        let names: Vec<&str> = self
            .settings
            .keys()
            .copied()
            .filter(|key| is_piece(key))
            .collect();
        let mut kinds: Vec<(Kind, usize)> = Vec::new();
        for name in names {
            let Some(setting) = self.take(name).filter(|setting| setting.value != "-") else {
                continue;
            };
            let order = order_of(name);
            let usual = match order {
                Some(order) => PIECES.get(order).map(|&(_, moves)| moves),
                None => Some(""),
            };
            let (letter, moves) = match setting.value.split_once(':') {
                Some((letter, moves)) => (letter.trim(), Some(moves.trim())),
                None => (setting.value, usual),
            };
            let mut letters = letter.chars();
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                return self.wrong(name, setting, "write one letter for a piece");
            };
            let Some(moves) = moves else {
                return self.wrong(name, setting, "write a letter and moves, such as a:BN");
            };
            let letter = letter.to_ascii_uppercase();
            if order.is_none() && letter != 'P' {
                return self.wrong(name, setting, "the letter of the pawn is p");
            }
            if letter == 'P' && order.is_some() && self.is_for_pawns(letter) {
                self.pawn = name;
            }
            let kind = Kind {
                key: name,
                letter,
                order: order.unwrap_or_default(),
                moves: moves.to_owned(),
                promotes: ["queen", "rook", "bishop", "knight"].contains(&name),
                line: setting.line,
            };
            kinds.push((kind, setting.depth));
        }
        let is_above = |kind: &(Kind, usize), other: &(Kind, usize)| {
            kind.0.letter == other.0.letter && kind.1 < other.1
        };
        let replaced = |kind| kinds.iter().any(|other| is_above(other, kind));
        let replaced: Vec<bool> = kinds.iter().map(replaced).collect();
        let kept = kinds
            .into_iter()
            .zip(replaced)
            .filter(|(_, replaced)| !replaced);
        let kinds: Vec<Kind> = kept.map(|((kind, _), _)| kind).collect();
        for kind in &kinds {
            let alike = kinds.iter().filter(|other| other.letter == kind.letter);
            if alike.clone().count() > 1 {
                let line = alike.map(|kind| kind.line).max().unwrap_or(0);
                let message = format!(
                    "two pieces have the letter {}; write - for the one that is not there",
                    kind.letter.to_ascii_lowercase()
                );
                return self.fault(line, message);
            }
        }
        Ok(kinds)
    }

    /// Drops pieces that are not in the array and that no pawn becomes: they are never on the board.
    fn drop_unused(&mut self, kinds: &mut Vec<Kind<'a>>, placement: &str) -> Read<()> {
        self.pieces = kinds
            .iter()
            .map(|kind| (kind.key, kind.letter, kind.letter))
            .collect();
        let has_pawns = placement.contains(['P', 'p']);
        let mut promotes: Option<String> = None;
        for key in [
            "promotionPieceTypes",
            "promotionPieceTypesWhite",
            "promotionPieceTypesBlack",
        ] {
            let letters = match self.settings.get(key) {
                Some(&setting) if has_pawns && !["-", "*"].contains(&setting.value) => {
                    self.resolved(key, setting)?
                }
                Some(setting) if setting.value == "*" => kinds.iter().map(|k| k.letter).collect(),
                Some(_) => String::new(),
                None => continue,
            };
            promotes.get_or_insert_default().push_str(&letters);
        }
        kinds.retain(|kind| {
            let stands = |letter: char| letter.eq_ignore_ascii_case(&kind.letter);
            let promoted = match &promotes {
                Some(letters) => letters.contains(kind.letter),
                None => kind.promotes && has_pawns,
            };
            kind.key == "king" || promoted || placement.contains(stands)
        });
        self.pieces
            .retain(|(key, ..)| kinds.iter().any(|kind| kind.key == *key));
        Ok(())
    }

    /// Gives other letters to pieces whose letters are never those of pieces here.
    fn rename(&mut self, kinds: &mut [Kind<'a>]) -> Read<()> {
        let mut free: Vec<char> = ('A'..='Z').rev().collect();
        free.retain(|letter| !"POV".contains(*letter) && kinds.iter().all(|k| k.letter != *letter));
        for (kind, place) in kinds.iter_mut().zip(&mut self.pieces) {
            if "OV".contains(kind.letter) || kind.letter == 'P' && kind.key != self.pawn {
                let Some(letter) = free.pop() else {
                    return self.fault(kind.line, "there are no letters left");
                };
                (kind.letter, place.2) = (letter, letter);
            }
        }
        Ok(())
    }

    /// The letters here of the pieces that a setting means by theirs, which are those of its
    /// section; without those that are no longer there.
    pub(super) fn resolved(&self, key: &str, setting: Setting) -> Read<String> {
        let mut resolved = String::new();
        for letter in setting.value.chars().filter(|c| !c.is_whitespace()) {
            let letter = letter.to_ascii_uppercase();
            let known = |known: &&Lettered| known.depth >= setting.depth && known.letter == letter;
            let piece = self
                .lettered
                .iter()
                .filter(known)
                .min_by_key(|known| known.depth);
            let Some(piece) = piece else {
                let wanted = format!("no piece has the letter {letter}");
                return self.wrong(key, setting, &wanted);
            };
            let here = self.pieces.iter().find(|(key, ..)| *key == piece.key);
            resolved.extend(here.map(|&(.., letter)| letter));
        }
        Ok(resolved)
    }

    /// A FEN with the letters that the pieces have here.
    pub(super) fn with_letters(&self, fen: &str) -> String {
        let (placement, rest) = fen.split_once(' ').unwrap_or((fen, ""));
        let renamed = |letter: char| {
            let upper = letter.to_ascii_uppercase();
            match self.pieces.iter().find(|&&(_, there, _)| there == upper) {
                Some(&(.., here)) if letter.is_ascii_lowercase() => here.to_ascii_lowercase(),
                Some(&(.., here)) => here,
                None => letter,
            }
        };
        let placement: String = placement.chars().map(renamed).collect();
        format!("{placement} {rest}")
    }

    /// Letters of pieces, in the order of the game.
    pub(super) fn letters(&mut self, key: &str, order: &[char]) -> Read<Option<(String, usize)>> {
        let Some(setting) = self.take(key) else {
            return Ok(None);
        };
        let given = match setting.value {
            "-" => String::new(),
            "*" => order.iter().collect(),
            _ => self.resolved(key, setting)?,
        };
        let letters = order.iter().filter(|&&letter| given.contains(letter));
        Ok(Some((letters.collect(), setting.line)))
    }
}
