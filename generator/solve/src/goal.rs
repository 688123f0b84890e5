//! Finds the positions of a row that are finished because a piece has reached its goal (T2).
//!
//! They are lost for the side to move, whatever moves there would be.

use retrograde_rules::{Colour, Goal};

use super::layout::{Layout, Role, RowAt};
use super::word::Word;

/// The positions of a row in which a side has reached its goal; `None` in games without one.
/// May include positions that do not exist.
#[inline(always)]
pub(crate) fn reached<W: Word>(layout: &Layout, at: &RowAt<W>, side: Colour) -> Option<W::Row> {
    let Goal::Reach(destination) = layout.game.goal() else {
        return None;
    };
    let mut row = W::EMPTY_ROW;
    let words = &mut row.as_mut()[..layout.lanes];
    for (place, &piece) in layout.pieces.iter().enumerate() {
        if piece.colour != side {
            continue;
        }
        let squares = destination.squares_of(piece);
        if squares.is_empty() {
            continue;
        }
        match layout.role(at, place) {
            Role::Fixed(here) => {
                if squares
                    .map(|square| square.index())
                    .any(|square| square == here)
                {
                    words.fill(W::ALL);
                }
            }
            Role::Lane => squares.for_each(|lane| words[lane.index()] = W::ALL),
            Role::Inner => {
                let set = squares.fold(W::ZERO, |set, square| set | W::of(square.index()));
                words.iter_mut().for_each(|word| *word |= set);
            }
        }
    }
    Some(row)
}

/// Takes the positions out of some words of a row in which a side has reached its goal.
#[inline(always)]
pub(crate) fn keep_away<W: Word>(layout: &Layout, at: &RowAt<W>, side: Colour, words: &mut [W]) {
    if let Some(finished) = reached(layout, at, side) {
        for (word, finished) in words.iter_mut().zip(finished.as_ref()) {
            *word &= !*finished;
        }
    }
}

/// Takes the positions out of some words of a row in which the game is over because the side
/// that has just moved, the other than `mover`, has reached its goal; and where Black may reply,
/// those in which White has, whoever is to move; and those that a side with a single piece decides.
#[inline(always)]
pub(crate) fn keep_unfinished<W: Word>(
    layout: &Layout,
    at: &RowAt<W>,
    mover: Colour,
    words: &mut [W],
) {
    keep_away(layout, at, mover.other(), words);
    if layout.has_reply {
        keep_away(layout, at, mover, words);
    }
    if let Some(stripped) = layout.bare
        && stripped.answers != Some(mover)
    {
        words.fill(W::ZERO);
    }
}

/// The positions of a row in which the game is over, or will be after the next move: White has
/// reached its goal, where Black may reply (R2), or a side has a single piece, where that decides
/// (S2, D10).
pub(crate) struct Over<W: Word> {
    /// The side to move has lost, unless it has a move that answers: then it draws.
    pub(crate) pending: W::Row,
    /// The side to move has won: the other has not answered, or has stripped it where that loses.
    pub(crate) won: W::Row,
    /// A draw: the other side has answered, or both have a single piece.
    pub(crate) drawn: W::Row,
    /// Whether moves may answer. If not, `won` may be the position after any move.
    pub(crate) moves_answer: bool,
}

impl<W: Word> Over<W> {
    /// `None` in materials and games in which this does not happen.
    #[inline(always)]
    pub(crate) fn new(layout: &Layout, at: &RowAt<W>, mover: Colour) -> Option<Over<W>> {
        match layout.may_end() {
            true => Over::find(layout, at, mover),
            false => None,
        }
    }

    #[inline(never)]
    fn find(layout: &Layout, at: &RowAt<W>, mover: Colour) -> Option<Over<W>> {
        let mut over = Over::<W> {
            pending: W::EMPTY_ROW,
            won: W::EMPTY_ROW,
            drawn: W::EMPTY_ROW,
            moves_answer: layout.has_reply,
        };
        if let Some(stripped) = layout.bare {
            let all = match stripped.winner {
                _ if stripped.answers == Some(mover) => return None,
                None => &mut over.drawn,
                Some(winner) if winner == mover => &mut over.won,
                Some(_) => &mut over.pending,
            };
            all.as_mut()[..layout.lanes].fill(W::ALL);
            return Some(over);
        }
        let (white, black) = (
            reached(layout, at, Colour::White)?,
            reached(layout, at, Colour::Black)?,
        );
        match mover {
            Colour::Black => over.pending = white,
            Colour::White => {
                for lane in 0..layout.lanes {
                    let (white, black) = (white.as_ref()[lane], black.as_ref()[lane]);
                    over.won.as_mut()[lane] = white & !black;
                    over.drawn.as_mut()[lane] = white & black;
                }
            }
        }
        Some(over)
    }
}
