//! The kinds of moves that leave a material, and where they lead.

use retrograde_rules::{Colour, Game, Goal, LastOfType, Material, Piece, PieceType};

use super::super::chess99;
use super::super::royals::Royals;
use super::super::score::{self, Score};

/// How a conversion changes the placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The mover takes the piece at this place (among the pieces of the material).
    Capture(usize),
    /// The mover, a pawn, steps to the last rank.
    Step,
    /// The mover, a pawn, captures that pawn en passant.
    EnPassant(usize),
}

/// A kind of conversion: which piece moves, as what, and what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conversion {
    pub(super) mover: usize,
    pub(super) change: Change,
    /// What the mover is afterwards.
    pub(super) becomes: PieceType,
    /// The king that captures like this is not royal: see [`Royals::spare`].
    ///
    /// [`Royals::spare`]: super::super::royals::Royals::spare
    pub(super) spare: Option<PieceType>,
    /// Its value if it ends the game or is not a move.
    pub(super) ends: Option<Score>,
}

/// A successor of a material, and whether its colours are swapped relative to those of the
/// material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Leaving {
    /// The successor, in normal form.
    pub(crate) material: Material,
    pub(crate) swapped: bool,
}

/// What each piece becomes by a conversion, `None` for the captured piece.
pub(super) fn pieces_after(pieces: &[Piece], way: Conversion) -> Vec<Option<Piece>> {
    let mut after: Vec<Option<Piece>> = pieces.iter().copied().map(Some).collect();
    if let Change::Capture(victim) | Change::EnPassant(victim) = way.change {
        after[victim] = None;
    }
    after[way.mover] = Some(Piece::new(pieces[way.mover].colour, way.becomes));
    after
}

/// Every conversion of a side.
pub(super) fn ways(game: Game, pieces: &[Piece], side: Colour) -> Vec<Conversion> {
    let count = |piece: Piece| pieces.iter().filter(|m| **m == piece).count();
    let royals = Royals::new(game, pieces);
    let mut list = Vec::new();
    for (mover, piece) in pieces.iter().enumerate().filter(|(_, m)| m.colour == side) {
        let mut add = |change, becomes, spare, ends| {
            list.push(Conversion {
                mover,
                change,
                becomes,
                spare,
                ends,
            });
        };
        // Losing the last piece of a type may end the game (E6) or be forbidden (E2).
        let gone = |piece: Piece| match count(piece) {
            1 => game.last_of_type(piece.piece_type),
            _ => LastOfType::Free,
        };
        // What the last pawn becomes does not matter.
        let one = &game.promotions()[..game.promotions().len().min(1)];
        let (promotions, end) = match gone(*piece) {
            LastOfType::Free => (game.promotions(), None),
            LastOfType::Stays => (&[][..], None),
            LastOfType::Decides => (one, Some(score::LOST)),
        };
        for (victim, &taken) in pieces.iter().enumerate() {
            let (possible, wins) = match gone(taken) {
                LastOfType::Free => (true, None),
                // Royal pieces are never left attacked.
                LastOfType::Stays => (false, None),
                LastOfType::Decides => (true, Some(score::WINS_AT_ONCE)),
            };
            if taken.colour == side {
                continue;
            }
            let capture = Change::Capture(victim);
            if possible {
                add(capture, piece.piece_type, None, wins);
                if let Some(piece_type) = royals.spare(mover) {
                    add(capture, piece.piece_type, Some(piece_type), wins);
                }
            }
            if piece.piece_type != PieceType::Pawn {
                continue;
            }
            if taken.piece_type == PieceType::Pawn {
                let passing = Change::EnPassant(victim);
                match possible {
                    true => add(passing, PieceType::Pawn, None, wins),
                    // It is not a move, but it forbids the double step (E3).
                    false => add(passing, PieceType::Pawn, None, Some(score::DRAW)),
                }
            } else if possible && wins.is_some() {
                (one.iter()).for_each(|&piece_type| add(capture, piece_type, None, wins));
            } else if possible {
                for &piece_type in promotions {
                    add(capture, piece_type, None, end);
                }
            }
        }
        if piece.piece_type == PieceType::Pawn {
            for &piece_type in promotions {
                add(Change::Step, piece_type, None, end);
            }
        }
    }
    list
}

/// The material that a conversion leads to.
pub(super) fn exit(game: Game, after: &[Option<Piece>]) -> Leaving {
    let (material, swapped) = Material::of(after.iter().flatten().copied()).normal(game);
    Leaving { material, swapped }
}

/// The successors that the conversions of a material lead to, each once.
pub fn successors(game: Game, material: &Material) -> Vec<Material> {
    match game.goal() {
        Goal::KingCapture(_) => return chess99::successors(game, material),
        Goal::Mate | Goal::Reach(_) | Goal::Extinction => {}
    }
    let mut list: Vec<Material> = leavings(game, material)
        .iter()
        .map(|l| l.material)
        .collect();
    list.dedup();
    list
}

/// The sides that are to move in a successor after some conversion of a material.
pub(crate) fn turns_after(game: Game, material: &Material, successor: &Material) -> [bool; 2] {
    match game.goal() {
        Goal::KingCapture(_) => return [true; 2],
        Goal::Mate | Goal::Reach(_) | Goal::Extinction => {}
    }
    let mut turns = [false; 2];
    for side in Colour::BOTH {
        for leaving in leavings_of(game, material, side, true) {
            if leaving.material == *successor {
                let turn = if leaving.swapped { side } else { side.other() };
                turns[turn.index()] = true;
            }
        }
    }
    turns
}

/// The same with the colours that they are reached in, each once, by material.
pub(crate) fn leavings(game: Game, material: &Material) -> Vec<Leaving> {
    let of = |side| leavings_of(game, material, side, true);
    let mut list: Vec<Leaving> = Colour::BOTH.into_iter().flat_map(of).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// Likewise those that one side's conversions lead to, promotions only if they are wanted.
pub(crate) fn leavings_of(
    game: Game,
    material: &Material,
    side: Colour,
    promotions: bool,
) -> Vec<Leaving> {
    let pieces: Vec<Piece> = material.pieces().collect();
    let mut list: Vec<Leaving> = ways(game, &pieces, side)
        .into_iter()
        .filter(|way| way.ends.is_none())
        .filter(|way| promotions || way.becomes == pieces[way.mover].piece_type)
        .map(|way| exit(game, &pieces_after(&pieces, way)))
        .collect();
    list.sort_unstable();
    list.dedup();
    list
}
