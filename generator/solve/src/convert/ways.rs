//! What kinds of moves leave a class, and where they lead.

use retrograde_rules::{Colour, Game, Goal, Kind, LastOfKind, Man, Material};

use super::super::chess99;
use super::super::royal::Royals;
use super::super::score::{self, Score};

/// How a conversion changes the placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The mover takes the man at this place (among the men of the class).
    Capture(usize),
    /// The mover, a pawn, steps to the last rank.
    Step,
    /// The mover, a pawn, takes that pawn en passant.
    EnPassant(usize),
}

/// A kind of conversion: who moves, as what, what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) mover: usize,
    pub(super) change: Change,
    /// What the mover is after it.
    pub(super) becomes: Kind,
    /// The king that takes like this is not royal: see [`Royals::spare`].
    ///
    /// [`Royals::spare`]: super::super::royal::Royals::spare
    pub(super) spare: Option<Kind>,
    /// What it is worth if it ends the game, or is no move.
    pub(super) ends: Option<Score>,
}

/// A smaller class that a class needs, and whether its colours are swapped
/// against those of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exit {
    /// The smaller class, in normal form.
    pub(crate) material: Material,
    pub(super) swapped: bool,
}

/// What each man becomes by a conversion, `None` for the man taken.
pub(super) fn men_after(men: &[Man], way: Way) -> Vec<Option<Man>> {
    let mut after: Vec<Option<Man>> = men.iter().copied().map(Some).collect();
    if let Change::Capture(victim) | Change::EnPassant(victim) = way.change {
        after[victim] = None;
    }
    after[way.mover] = Some(Man::new(men[way.mover].colour, way.becomes));
    after
}

/// Every conversion of a side.
pub(super) fn ways(game: Game, men: &[Man], side: Colour) -> Vec<Way> {
    let count = |man: Man| men.iter().filter(|m| **m == man).count();
    let royals = Royals::new(game, men);
    let mut list = Vec::new();
    for (mover, man) in men.iter().enumerate().filter(|(_, m)| m.colour == side) {
        let mut add = |change, becomes, spare, ends| {
            list.push(Way {
                mover,
                change,
                becomes,
                spare,
                ends,
            });
        };
        // The end of a kind may end the game (E6), or not be allowed (E2).
        let gone = |man: Man| match count(man) {
            1 => game.last_of_kind(man.kind),
            _ => LastOfKind::Free,
        };
        let (promotions, end) = match gone(*man) {
            LastOfKind::Free => (game.promotions(), None),
            LastOfKind::Stays => (&[][..], None),
            LastOfKind::Decides => (&game.promotions()[..1], Some(score::LOST)),
        };
        for (victim, &taken) in men.iter().enumerate() {
            let (possible, wins) = match gone(taken) {
                LastOfKind::Free => (true, None),
                // Royal men are never left to be taken.
                LastOfKind::Stays => (false, None),
                LastOfKind::Decides => (true, Some(score::WINS_AT_ONCE)),
            };
            if taken.colour == side {
                continue;
            }
            let capture = Change::Capture(victim);
            if possible {
                add(capture, man.kind, None, wins);
                if let Some(kind) = royals.spare(mover) {
                    add(capture, man.kind, Some(kind), wins);
                }
            }
            if man.kind != Kind::Pawn {
                continue;
            }
            if taken.kind == Kind::Pawn {
                let passing = Change::EnPassant(victim);
                match possible {
                    true => add(passing, Kind::Pawn, None, wins),
                    // It is no move, but it forbids the double step (E3).
                    false => add(passing, Kind::Pawn, None, Some(score::DRAW)),
                }
            } else if possible && wins.is_some() {
                add(capture, game.promotions()[0], None, wins);
            } else if possible {
                for &kind in promotions {
                    add(capture, kind, None, end);
                }
            }
        }
        if man.kind == Kind::Pawn {
            for &kind in promotions {
                add(Change::Step, kind, None, end);
            }
        }
    }
    list
}

/// The class that a change leads to.
pub(super) fn exit(game: Game, after: &[Option<Man>]) -> Exit {
    let (material, swapped) = Material::of(after.iter().flatten().copied()).normal(game);
    Exit { material, swapped }
}

/// The smaller classes that the conversions of a class lead to, each once.
pub fn exits(game: Game, material: &Material) -> Vec<Material> {
    match game.goal() {
        Goal::KingCapture(_) => return chess99::exits(game, material),
        Goal::Mate | Goal::Hill(_) | Goal::Extinction => {}
    }
    let men: Vec<Man> = material.men().collect();
    let mut list: Vec<Material> = Colour::BOTH
        .into_iter()
        .flat_map(|side| ways(game, &men, side))
        .filter(|way| way.ends.is_none())
        .map(|way| exit(game, &men_after(&men, way)).material)
        .collect();
    list.sort_unstable();
    list.dedup();
    list
}
