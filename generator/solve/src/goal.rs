//! Finds the positions of a row that are finished because a piece has reached its goal (T2).
//!
//! They are lost for the side to move, whatever moves there would be.

use retrograde_rules::{Colour, Destination, Goal, Material, SquareSet};

use super::convert::where_on;
use super::layout::{Layout, Role, RowAt};
use super::movement::Between;
use super::sight::Sight;
use super::word::Word;

/// The squares that pieces are to reach; `None` in games without them.
#[inline(always)]
fn destination(layout: &Layout) -> Option<Destination> {
    match layout.game.goal() {
        Goal::Reach(destination) => Some(destination),
        Goal::Mate | Goal::KingCapture(_) | Goal::Extinction => None,
    }
}

/// The pieces of a side that win somewhere by standing there, each with where that is.
#[inline(always)]
fn aiming<'a, W: Word>(
    layout: &'a Layout,
    at: &'a RowAt<W>,
    side: Colour,
    destination: &'a Destination,
) -> impl Iterator<Item = (Role, W)> + 'a {
    let pieces = layout.pieces.iter().enumerate();
    let own = pieces.filter(move |(_, piece)| piece.colour == side);
    own.filter_map(move |(place, &piece)| {
        let squares = destination.squares_of(piece);
        let set =
            |squares: SquareSet| squares.fold(W::ZERO, |set, square| set | W::of(square.index()));
        (!squares.is_empty()).then(|| (layout.role(at, place), set(squares)))
    })
}

/// The positions of a row in which at least so many pieces of a side have arrived. May include
/// positions that do not exist.
#[inline(always)]
fn arrived<W: Word>(
    layout: &Layout,
    at: &RowAt<W>,
    side: Colour,
    destination: &Destination,
    least: usize,
) -> W::Row {
    let mut row = W::EMPTY_ROW;
    let words = &mut row.as_mut()[..layout.lanes];
    if least == 1 {
        // Each piece by itself, as in most games.
        for (role, squares) in aiming(layout, at, side, destination) {
            for (lane, word) in words.iter_mut().enumerate() {
                *word |= where_on(role, lane, squares);
            }
        }
    } else if least <= Material::MOST_PIECES {
        for (lane, word) in words.iter_mut().enumerate() {
            // Those in which at least 0, 1, 2 pieces have, and so on.
            let mut those = [W::ZERO; Material::MOST_PIECES + 1];
            those[0] = W::ALL;
            for (role, squares) in aiming(layout, at, side, destination) {
                let there = where_on(role, lane, squares);
                for n in (1..=least).rev() {
                    those[n] |= those[n - 1] & there;
                }
            }
            *word = those[least];
        }
    }
    row
}

/// The positions of a row in which enough pieces of a side have arrived and will still be there
/// after the next move (D13). May include positions that do not exist.
#[inline(never)]
fn arrived_safely<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    side: Colour,
    destination: &Destination,
) -> W::Row {
    let mut row = arrived(layout, at, side, destination, destination.count);
    if row.as_ref().iter().all(|word| word.is_empty()) {
        return row;
    }
    let more = arrived(layout, at, side, destination, destination.count + 1);
    let sight = Sight::new(layout, between, at);
    for (role, squares) in aiming(layout, at, side, destination) {
        let mut hits = W::EMPTY_ROW;
        let pieces = layout.pieces.iter().enumerate();
        for (place, &piece) in pieces.filter(|(_, piece)| piece.colour != side) {
            let from = layout.role(at, place);
            sight.add_attacks(layout, piece, (from, role), hits.as_mut());
        }
        let hits = hits.as_ref().iter().zip(more.as_ref());
        let words = row.as_mut()[..layout.lanes].iter_mut();
        for (lane, (word, (hits, more))) in words.zip(hits).enumerate() {
            *word &= !(*hits & where_on(role, lane, squares)) | *more;
        }
    }
    row
}

/// The positions of a row in which `mover`, the side to move, has won by having arrived, and those
/// in which the other side has, where arrivals linger (D13, D14); in those of both it is a draw.
#[inline(never)]
fn lingering<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    mover: Colour,
    destination: &Destination,
) -> [W::Row; 2] {
    let mine = match destination.stays {
        true => arrived(layout, at, mover, destination, destination.count),
        false => arrived_safely(layout, between, at, mover, destination),
    };
    let mut theirs = match destination.safe {
        true => arrived_safely(layout, between, at, mover.other(), destination),
        false => W::EMPTY_ROW,
    };
    if destination.stays {
        for (theirs, mine) in theirs.as_mut().iter_mut().zip(mine.as_ref()) {
            *theirs &= !*mine;
        }
    }
    [mine, theirs]
}

/// The positions of a row in which the game is over because the side that has just moved, the other
/// than `mover`, has reached its goal, and a reply is not considered; `None` in games without such.
#[inline(always)]
pub(crate) fn over_by_arrival<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    mover: Colour,
) -> Option<W::Row> {
    let destination = destination(layout)?;
    if !layout.lingers {
        let side = mover.other();
        return Some(arrived(layout, at, side, &destination, destination.count));
    }
    let [mine, mut theirs] = lingering(layout, between, at, mover, &destination);
    for (theirs, mine) in theirs.as_mut().iter_mut().zip(mine.as_ref()) {
        *theirs &= !*mine;
    }
    Some(theirs)
}

/// Takes the positions out of some words of a row in which a side has reached its goal.
#[inline(always)]
pub(crate) fn keep_away<W: Word>(layout: &Layout, at: &RowAt<W>, side: Colour, words: &mut [W]) {
    if let Some(destination) = destination(layout) {
        let finished = arrived(layout, at, side, &destination, destination.count);
        for (word, finished) in words.iter_mut().zip(finished.as_ref()) {
            *word &= !*finished;
        }
    }
}

/// Takes the positions out of some words of a row in which the game is over because the side
/// that has just moved, the other than `mover`, has reached its goal; and where Black may reply,
/// those in which White has, whoever is to move; and where arrivals linger, those in which either
/// side has won by them; and those that a side with a single piece decides.
#[inline(always)]
pub(crate) fn keep_unfinished<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    mover: Colour,
    words: &mut [W],
) {
    if let (true, Some(destination)) = (layout.lingers, destination(layout)) {
        for finished in lingering(layout, between, at, mover, &destination) {
            for (word, finished) in words.iter_mut().zip(finished.as_ref()) {
                *word &= !*finished;
            }
        }
    } else {
        keep_away(layout, at, mover.other(), words);
    }
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
/// reached its goal, where Black may reply (R2), or either side has, where arrivals linger (D13,
/// D14), or a side has a single piece, where that decides (S2, D10).
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
    pub(crate) fn new(
        layout: &Layout,
        between: &Between<W>,
        at: &RowAt<W>,
        mover: Colour,
    ) -> Option<Over<W>> {
        match layout.may_end() {
            true => Over::find(layout, between, at, mover),
            false => None,
        }
    }

    #[inline(never)]
    fn find(
        layout: &Layout,
        between: &Between<W>,
        at: &RowAt<W>,
        mover: Colour,
    ) -> Option<Over<W>> {
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
        let destination = destination(layout)?;
        if layout.lingers {
            let [mine, theirs] = lingering(layout, between, at, mover, &destination);
            for lane in 0..layout.lanes {
                let (mine, theirs) = (mine.as_ref()[lane], theirs.as_ref()[lane]);
                over.won.as_mut()[lane] = mine & !theirs;
                over.drawn.as_mut()[lane] = mine & theirs;
            }
            return Some(over);
        }
        let [white, black] =
            Colour::BOTH.map(|side| arrived(layout, at, side, &destination, destination.count));
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
