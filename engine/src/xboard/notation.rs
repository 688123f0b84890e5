//! Reads and writes moves as XBoard's protocol has them.

use retrograde_rules::{Game, Move, MoveError, Position};

use crate::moves;

/// A pass.
const PASS: &str = "@@@@";

/// Boards with more ranks number them from 0, so that one digit does for each.
const ONE_DIGIT: u8 = 9;

fn counts_from_0(game: Game) -> bool {
    game.geometry().ranks > ONE_DIGIT
}

/// A move of this position, as the other program is to make it: without marks, which it does
/// not know, unless another move looks the same.
pub(super) fn send(position: &Position, mv: Move) -> String {
    let plain = moves::plain(position, mv);
    match mv.is_pass() || counts_from_0(position.game()) {
        false if moves::read(position, &plain) == Ok(mv) => plain,
        _ => write(position, mv),
    }
}

/// A move of this position, or of one that comes later in the same game.
pub(super) fn write(position: &Position, mv: Move) -> String {
    if mv.is_pass() {
        return PASS.to_owned();
    }
    let game = position.game();
    if !counts_from_0(game) {
        return position.uci(mv);
    }
    let geometry = game.geometry();
    moves::named(game, mv, |square| {
        let file = char::from(b'a' + geometry.file(square));
        format!("{file}{}", geometry.rank(square))
    })
}

/// Reads a legal move; also in algebraic notation, as people type it.
///
/// # Errors
/// The text is not a legal move.
pub(super) fn read(position: &Position, text: &str) -> Result<Move, MoveError> {
    if counts_from_0(position.game())
        && let Some(long) = from_1(text)
    {
        // In algebraic notation the same text would be another move.
        return moves::read(position, &long);
    }
    moves::read(position, text)
}

/// Whether a text begins with two squares of some board, so that a move is meant.
pub(super) fn looks_like_squares(text: &str) -> bool {
    let square = |text: &'_ str| -> Option<usize> {
        let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let is_one = text.starts_with(|c: char| c.is_ascii_lowercase()) && digits > 0;
        is_one.then_some(1 + digits)
    };
    square(text).is_some_and(|end| square(&text[end..]).is_some())
}

/// A move with its ranks numbered from 1; `None` if it is no move from square to square.
fn from_1(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_file = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_lowercase);
    if !is_file(0) || !is_file(2) {
        return None;
    }
    let rank = |place: usize| {
        let digit = bytes.get(place).filter(|digit| digit.is_ascii_digit())?;
        Some(digit - b'0' + 1)
    };
    let (from, to) = (rank(1)?, rank(3)?);
    let (a, b) = (text.get(..1)?, text.get(2..3)?);
    Some(format!("{a}{from}{b}{to}{}", text.get(4..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_ranks_count_from_0() {
        let game = Game::parse("kings:board=10x10").unwrap();
        let fen = "10/P9/10/10/4k5/10/10/10/10/K9 w - -";
        let position = Position::from_fen(game, fen).unwrap();
        for (ours, theirs) in [("a9a10q", "a8a9q"), ("a1b2", "a0b1")] {
            let mv = position.parse_uci(ours).unwrap();
            assert_eq!(write(&position, mv), theirs);
            assert_eq!(read(&position, theirs), Ok(mv));
        }
        for bad in ["", "a8", "a8a9é", "é8a9", "a8a9qq", "a9a8"] {
            assert!(read(&position, bad).is_err(), "{bad}");
        }
        // The pawn of e4, as ranks count here; in algebraic notation it would be that of e3.
        let fen = "10/10/10/9k/10/10/3nP5/4P5/10/9K w - -";
        let position = Position::from_fen(game, fen).unwrap();
        assert!(read(&position, "e3d4").is_err());
        assert_eq!(read(&position, "e2d3"), position.parse_uci("e3d4"));
        assert_eq!(read(&position, "exd4"), position.parse_uci("e3d4"));
    }

    #[test]
    fn passes() {
        let game = Game::parse("high-chess").unwrap();
        let position = Position::from_fen(game, "8/8/8/3k4/8/8/8/K6R w - -").unwrap();
        let pass = position.parse_uci("0000").unwrap();
        assert_eq!(write(&position, pass), "@@@@");
        for text in ["@@@@", "0000", "a1a1", "pass", "--"] {
            assert_eq!(read(&position, text), Ok(pass), "{text}");
        }
        assert_eq!(read(&position, "Rh5+"), position.parse_uci("h1h5"));
    }
}
