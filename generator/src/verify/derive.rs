//! The value of a position from the values of its successors: plain rules,
//! one position at a time.

use retrograde_probe::score;
use retrograde_rules::{Game, Move, MoveList, Position};

/// The better of two scores for the side to move: wins before draws before
/// losses, short wins and long losses first.
fn better(a: i16, b: i16) -> i16 {
    match (a, b) {
        (1.., 1..) => a.min(b),
        (..=-1, ..=-1) => a.min(b),
        _ => a.max(b),
    }
}

/// The score of a position for the side that has moved there, one ply
/// earlier, from the score for the side to move.
fn one_ply_back(child: i16) -> i16 {
    match child {
        score::DRAW => score::DRAW,
        // Won in n plies: lost in n + 1.
        1.. => -child - 2,
        // Lost in n plies: won in n + 1.
        _ => -child,
    }
}

/// What [`derive`] asks for the score of a successor.
type Lookup<'a, E> = dyn FnMut(Option<Move>, &Position) -> Result<i16, E> + 'a;

/// The score of a position from those of its successors. `lookup` gives the
/// score, for the side then to move, of a successor without an e.p. right; it
/// is told the move too if that was made in `position` itself. A successor
/// with the right open is derived in turn (O2).
///
/// # Errors
/// Those of `lookup`.
pub(super) fn derive<E>(
    game: Game,
    position: &Position,
    moves: &mut MoveList,
    lookup: &mut Lookup<'_, E>,
) -> Result<i16, E> {
    moves.clear();
    game.legal_moves_into(position, moves);
    if moves.is_empty() {
        return Ok(if game.is_check(position) {
            score::loss(0)
        } else {
            score::DRAW
        });
    }
    let mut best = None;
    for &mv in moves.iter() {
        let after = game.play(position, mv);
        let child = if after.ep().is_some() {
            derive(game, &after, &mut MoveList::new(), &mut |_, after| {
                lookup(None, after)
            })?
        } else {
            lookup(Some(mv), &after)?
        };
        let value = one_ply_back(child);
        best = Some(best.map_or(value, |best| better(best, value)));
    }
    Ok(best.unwrap_or(score::DRAW))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_step_back_one_ply() {
        assert_eq!(one_ply_back(score::loss(0)), score::win(1));
        assert_eq!(one_ply_back(score::loss(4)), score::win(5));
        assert_eq!(one_ply_back(score::win(5)), score::loss(6));
        assert_eq!(one_ply_back(score::DRAW), score::DRAW);
    }

    #[test]
    fn the_better_score_is_the_shorter_win_or_the_longer_loss() {
        assert_eq!(better(score::win(3), score::win(5)), score::win(3));
        assert_eq!(better(score::loss(2), score::loss(8)), score::loss(8));
        assert_eq!(better(score::loss(8), score::DRAW), score::DRAW);
        assert_eq!(better(score::win(99), score::DRAW), score::win(99));
        assert_eq!(better(score::loss(8), score::win(99)), score::win(99));
    }
}
