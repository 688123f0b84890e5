//! Moves as other programs write them.

use retrograde_rules::{Move, MoveError, Position};

/// What other programs write for a pass, beside `0000` and the king's square twice.
const PASSES: [&str; 4] = ["@@@@", "--", "Z0", "pass"];

/// Reads a legal move in UCI's long form; the letter of a promotion may be a capital, and a
/// pass may be written as any program does.
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
        if stays || PASSES.contains(&text) {
            return Ok(pass);
        }
    }
    if text.ends_with(|c: char| c.is_ascii_uppercase()) {
        let lower = text.to_ascii_lowercase();
        return position.parse_uci(&lower).map_err(|_| error);
    }
    Err(error)
}
