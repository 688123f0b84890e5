//! Reads and writes moves in the long form that engines and GUIs use, such as `e2e4`.
//!
//! It is `e2e4`, `a7a8q`, and `0000` for a pass; in Chess 99 also `f1=nd2` for a waiting pawn that
//! moves as a knight, `e1&h1` for castling, and a star after every capture en passant: `f8b4*`.

use std::fmt;
use std::ops::Deref;
use std::str;

use thiserror::Error;

use crate::betza::Modality;
use crate::game::Game;
use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::shortened::shortened;
use crate::square::Square;

/// The text of a pass.
const PASS: &str = "0000";

/// The most letters of a name: `a10=qj10` would have as many.
const LONGEST: usize = 8;

/// The name of a move in UCI's long form: a text that takes no memory of its own. Names are in
/// the order of their texts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveName([u8; LONGEST]);

impl MoveName {
    /// The name as a text.
    pub fn as_str(&self) -> &str {
        let end = self.0.iter().position(|&letter| letter == 0);
        let letters = &self.0[..end.unwrap_or(LONGEST)];
        str::from_utf8(letters).unwrap_or_default()
    }
}

impl Deref for MoveName {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq<str> for MoveName {
    fn eq(&self, text: &str) -> bool {
        self.as_str() == text
    }
}

impl PartialEq<&str> for MoveName {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == *text
    }
}

/// The errors of reading the text of a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The text is not a move in this notation.
    #[error("\"{}\" is not a move; write it like {example}", shortened(.text))]
    Syntax {
        /// The text as given.
        text: String,
        /// Moves in the right form.
        example: &'static str,
    },
    /// The text is a move, but not a legal one.
    #[error("{} is not legal here; {}", shortened(.text), legal_moves(.legal))]
    Illegal {
        /// The text as given.
        text: String,
        /// The legal moves in the same notation; empty if there are none.
        legal: String,
    },
    /// The text is a null move, in a game without passes.
    #[error("{} is a null move: nothing moves, which {game} does not allow", shortened(.text))]
    NullMove {
        /// The text as given.
        text: String,
        /// The game's name.
        game: &'static str,
    },
    /// The text may mean several legal moves.
    #[error("{} may be any of {candidates}; write one of these", shortened(.text))]
    Ambiguous {
        /// The text as given.
        text: String,
        /// The moves that it fits, unambiguously written.
        candidates: String,
    },
}

fn legal_moves(legal: &str) -> String {
    match legal {
        "" => "there are no legal moves".to_owned(),
        _ => format!("the legal moves are: {legal}"),
    }
}

impl Position {
    /// A move of this position, or of one that comes later in the same game, in
    /// UCI's long form.
    pub fn uci(&self, mv: Move) -> String {
        self.move_name(mv).as_str().to_owned()
    }

    /// A move in UCI's long form, as a text that takes no memory of its own.
    #[inline]
    pub fn move_name(&self, mv: Move) -> MoveName {
        mv.name(self.game)
    }

    /// Reads a legal move in UCI's long form.
    ///
    /// # Errors
    /// The text is not a move, or not a legal one.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let game = self.game;
        let moves = self.legal_moves();
        if let Some(&mv) = moves.iter().find(|mv| mv.name(game) == text) {
            return Ok(mv);
        }
        if !game.looks_like_uci(text) {
            return Err(MoveError::Syntax {
                text: text.to_owned(),
                example: match game.record().marks_moves {
                    true => {
                        "e2e4, a8a9b, a9=ng6 (a waiting pawn moves as a knight), \
                         b8f4* (en passant) or e1&h1 (castling)"
                    }
                    false if game.has_pass() => "e2e4 or a7a8q, or 0000 for a pass",
                    false => "e2e4 or a7a8q",
                },
            });
        }
        let mut legal: Vec<String> = moves.iter().map(|&mv| self.uci(mv)).collect();
        legal.sort();
        Err(MoveError::Illegal {
            text: text.to_owned(),
            legal: legal.join(" "),
        })
    }
}

impl Move {
    /// The move in UCI's long form for a game.
    pub(crate) fn name(self, game: Game) -> MoveName {
        let (mut name, mut len) = ([0; LONGEST], 0);
        let mut push = |letter: u8| {
            if let Some(place) = name.get_mut(len) {
                *place = letter;
                len += 1;
            }
        };
        if self.is_pass() {
            PASS.bytes().for_each(push);
            return MoveName(name);
        }
        let geometry = game.geometry();
        let promotion = self
            .promotion
            .map(|p| game.letter(p).to_ascii_lowercase() as u8);
        geometry.spell(self.from, &mut push);
        if self.is_deferred_promotion() {
            push(b'=');
            promotion.into_iter().for_each(&mut push);
        } else if self.kind == MoveKind::Castling {
            push(b'&');
        }
        geometry.spell(self.arrival(game), &mut push);
        if !self.is_deferred_promotion() {
            promotion.into_iter().for_each(&mut push);
        }
        if self.kind == MoveKind::EnPassant && game.record().marks_moves {
            push(b'*');
        }
        MoveName(name)
    }
}

impl Move {
    /// The square that UCI's long form names second. Where a king goes to by castling, it might
    /// also step: then castling is written as a king that takes its own rook.
    fn arrival(self, game: Game) -> Square {
        let record = game.record();
        let geometry = record.geometry;
        let step = [self.from, self.to].map(|square| geometry.file(square) as i8);
        let step = (step[1] - step[0], 0);
        let castling = record.castling.as_ref();
        match castling.filter(|_| self.kind == MoveKind::CastlingByRight) {
            Some(castling)
                if record.movers[0]
                    .leaps(Modality::Quiet)
                    .any(|leap| leap == step) =>
            {
                let rook = match step.0 < 0 {
                    true => castling.rooks.first(),
                    false => castling.rooks.last(),
                };
                rook.map_or(self.to, |&(_, file)| {
                    geometry.square(file, geometry.rank(self.from))
                })
            }
            _ => self.to,
        }
    }
}

impl Game {
    /// Whether the text is two squares and at most one lower-case letter of a piece, a pass,
    /// or one of the marked forms.
    fn looks_like_uci(self, text: &str) -> bool {
        if self.has_pass() && text == PASS {
            return true;
        }
        match self.record().marks_moves {
            false => self.looks_like_plain_uci(text),
            true => {
                let text = text.strip_suffix('*').unwrap_or(text);
                // Without the mark, the rest has the common form.
                let plain = match (text.get(2..3), text.get(3..4), text.get(4..)) {
                    (Some("&"), ..) => text.get(3..).map(|to| format!("{}{to}", &text[..2])),
                    (Some("="), Some(piece_type), Some(to)) => {
                        Some(format!("{}{to}{piece_type}", &text[..2]))
                    }
                    _ => Some(text.to_owned()),
                };
                plain.is_some_and(|plain| self.looks_like_plain_uci(&plain))
            }
        }
    }

    fn looks_like_plain_uci(self, text: &str) -> bool {
        let geometry = self.geometry();
        let Some((_, to)) = geometry.split_name(text) else {
            return false;
        };
        let Some((_, promotion)) = geometry.split_name(to) else {
            return false;
        };
        let mut letters = promotion.chars();
        letters.next().is_none_or(|letter| {
            let capital = letter.to_ascii_uppercase();
            letter != capital && self.piece_type_of(capital).is_some()
        }) && letters.next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A king that may step to where castling leads has two moves there, with names of their own.
    #[test]
    fn castling_to_the_next_square() {
        let text = "name = \"near\"\nboard.size = \"8x8\"\nboard.array = \
                    \"r2k3r/8/8/8/8/8/8/R2K3R w KQkq - 0 1\"\nend.no-progress = 99\n";
        let none = |name: &str, _: &str| Err(format!("no {name}"));
        let game = Game::define("near", text, "", &[], &none).unwrap();
        let fen = "r2k3r/8/8/8/8/8/8/R2K3R w KQkq - 0 1";
        let position = Position::from_fen(game, fen).unwrap();
        let moves = position.legal_moves();
        let named: BTreeSet<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
        assert_eq!(named.len(), moves.len());
        for (uci, san) in [("d1a1", "O-O-O"), ("d1c1", "Kc1"), ("d1g1", "O-O")] {
            let mv = position.parse_uci(uci).unwrap();
            assert_eq!(position.parse_san(san), Ok(mv), "{uci}");
            assert_eq!(position.uci(mv), uci);
        }
    }

    #[test]
    fn there_may_be_no_legal_moves() {
        let mated = "7k/6Q1/6K1/8/8/8/8/8 b - -";
        let position = Position::from_fen(Game::default(), mated).unwrap();
        for error in [position.parse_uci("h8g8"), position.parse_san("Kg8")] {
            let words = error.unwrap_err().to_string();
            assert!(
                words.ends_with(" is not legal here; there are no legal moves"),
                "{words}"
            );
        }
    }
}
