//! Captures of the king (C2). They end the game: it is won if the captor's own king is
//! not attacked afterwards, otherwise drawn.

use retrograde_rules::{CaptureInCheck, Colour, PieceType};

use super::super::layout::{Layout, Role, RowAt};
use super::super::movement::Between;
use super::super::sight::Sight;
use super::super::word::Word;
use super::changes::attacks;

/// The positions of a row in which the side to move can capture the king.
pub(super) struct KingCaptures<W: Word> {
    /// Some capture wins.
    pub(super) won: W::Row,
    /// There is a capture.
    pub(super) any: W::Row,
}

/// All captures of the king in a row with `side` to move; `in_check` is their value
/// while its own king is attacked. May include positions that do not exist.
#[inline(always)]
pub(super) fn king_captures<W: Word>(
    in_check: CaptureInCheck,
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    side: Colour,
) -> KingCaptures<W> {
    let mut captures = KingCaptures::<W> {
        won: W::EMPTY_ROW,
        any: W::EMPTY_ROW,
    };
    let lanes = layout.lanes;
    let target = at.leaders[side.other().index()];
    let home = at.leaders[side.index()];
    let sight = Sight::new(layout, between, at);
    for (place, &piece) in layout.pieces.iter().enumerate() {
        if piece.colour != side {
            continue;
        }
        let role = layout.role(at, place);
        let mut row = W::EMPTY_ROW;
        let attacking = &mut row.as_mut()[..lanes];
        for (acts, part) in attacks(layout.game, piece) {
            let from = (role, part.squares::<W>(at.board, side));
            sight.add(
                acts,
                from,
                (Role::Fixed(target), W::full(at.board)),
                attacking,
            );
        }
        if attacking.iter().all(|word| word.is_empty()) {
            continue;
        }
        let mut row = W::EMPTY_ROW;
        let guarded = &mut row.as_mut()[..lanes];
        if in_check == CaptureInCheck::Draw {
            // The captor has left its square and stands on that of the king.
            let king = if piece.piece_type == PieceType::King {
                target
            } else {
                home
            };
            let sight = sight.without(role);
            let guards = layout.pieces.iter().enumerate();
            let guards =
                guards.filter(|(_, g)| g.colour != side && g.piece_type != PieceType::King);
            for (place, &guard) in guards {
                let role = layout.role(at, place);
                for (acts, part) in attacks(layout.game, guard) {
                    let from = (role, part.squares::<W>(at.board, side.other()));
                    sight.add(acts, from, (Role::Fixed(king), W::full(at.board)), guarded);
                }
            }
        }
        let (won, any) = (captures.won.as_mut(), captures.any.as_mut());
        for lane in 0..lanes {
            any[lane] |= attacking[lane];
            won[lane] |= attacking[lane] & !guarded[lane];
        }
    }
    captures
}
