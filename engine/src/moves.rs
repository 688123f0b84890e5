//! Reads and writes moves in the coordinate notation of other chess programs.

use retrograde_rules::{Game, Move, MoveError, Position, Square};

/// A move as programs write it that know no marks: where from, where to, and what a pawn
/// becomes. Where the game has marks ([`Position::uci`]), two moves may look alike.
pub(crate) fn plain(position: &Position, mv: Move) -> String {
    let game = position.game();
    named(game, mv, |square| game.geometry().name(square))
}

/// A move in that form with other names of squares.
pub(crate) fn named(game: Game, mv: Move, name: impl Fn(Square) -> String) -> String {
    let promotion = mv.promotion.map(|to| game.letter(to).to_ascii_lowercase());
    let promotion = promotion.map_or(String::new(), String::from);
    format!("{}{}{promotion}", name(mv.from), name(mv.to))
}

/// Reads a legal move in UCI's long form; a pass may be the king's square twice, and marks may
/// be left out if only one move looks like that. Algebraic notation is read as well, and so is
/// what [`Position::parse_san`] reads beside it, such as castling as a king that takes its rook.
///
/// # Errors
/// The text is not a legal move.
pub(crate) fn read(position: &Position, text: &str) -> Result<Move, MoveError> {
    let error = match position.parse_uci(text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    let moves = position.legal_moves();
    let geometry = position.game().geometry();
    let pass = moves.iter().copied().find(|mv| mv.is_pass());
    if let Some(pass) = pass {
        let king = geometry.name(pass.from);
        let stays = text.strip_prefix(king.as_str()) == Some(king.as_str());
        if stays {
            return Ok(pass);
        }
    }
    let small = match text.ends_with(|c: char| c.is_ascii_uppercase()) {
        true => &text.to_ascii_lowercase(),
        false => text,
    };
    let mut alike = moves.iter().filter(|&&mv| plain(position, mv) == small);
    match (alike.next(), alike.next()) {
        (Some(&mv), None) if !mv.is_pass() => Ok(mv),
        // Two moves look like that.
        (Some(_), Some(_)) => Err(error),
        _ => position.parse_san(text).map_err(|san| match error {
            MoveError::Syntax { .. } => san,
            error => error,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_may_be_left_out_where_nothing_else_is_meant() {
        let game = Game::parse("chess99").unwrap();
        let read = |fen: &str, text: &str| {
            let position = Position::from_fen(game, fen).unwrap();
            read(&position, text).map(|mv| position.uci(mv)).ok()
        };
        let array = game.array().fen();
        assert_eq!(read(&array, "e1f1").as_deref(), Some("e1&f1"));
        let waiting = "P8/9/4k4/9/9/9/9/9/4K4 w - -";
        assert_eq!(read(waiting, "a9b7n").as_deref(), Some("a9=nb7"));
        assert_eq!(read(waiting, "a9b7N").as_deref(), Some("a9=nb7"));
        assert_eq!(read(waiting, "a9b7"), None);
        assert_eq!(read(&array, "e1e1"), None);
        // A bishop takes a pawn en passant, or goes to the empty square.
        let passed = "4k4/9/9/9/9/4P4/9/6b2/K8 b - e3";
        assert_eq!(read(passed, "g2e3"), None);
    }
}
