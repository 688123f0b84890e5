//! The moves of Chess 99 that leave a class, as kinds.

use retrograde_rules::{Colour, EpBy, Game, Kind, Man, Material};

use super::super::squares::first_rank;
use super::super::word::{BoardShape, Word};

/// A way in which a man captures or promotes: a pawn has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// As what it attacks.
    pub(super) acts: Kind,
    /// What it is afterwards.
    pub(super) becomes: Kind,
    /// Where it must stand.
    pub(super) from: Part,
    /// Where it must arrive.
    pub(super) to: Part,
}

/// A part of the board, seen from a pawn's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    All,
    Last,
    AllButLast,
}

impl Part {
    /// Whether a square is in the part for `side`.
    #[inline(always)]
    pub(super) fn has(self, board: impl BoardShape, side: Colour, square: usize) -> bool {
        let is_last = board.rank(square) == first_rank(board, side.other());
        match self {
            Part::All => true,
            Part::Last => is_last,
            Part::AllButLast => !is_last,
        }
    }

    /// The squares of the part for `side`.
    #[inline(always)]
    pub(super) fn squares<W: Word>(self, board: W::Board, side: Colour) -> W {
        let last = W::rank(board, first_rank(board, side.other()));
        match self {
            Part::All => W::full(board),
            Part::Last => last,
            Part::AllButLast => W::full(board) & !last,
        }
    }
}

/// The ways in which a man can capture a man that is not the king.
pub(super) fn captures(game: Game, kind: Kind) -> Vec<Way> {
    let way = |acts, becomes, from, to| Way {
        acts,
        becomes,
        from,
        to,
    };
    if kind != Kind::Pawn {
        return vec![way(kind, kind, Part::All, Part::All)];
    }
    let waits = game.pawns().wait;
    let stays = if waits { Part::All } else { Part::AllButLast };
    let mut list = vec![way(Kind::Pawn, Kind::Pawn, Part::AllButLast, stays)];
    for &kind in game.promotions() {
        list.push(way(Kind::Pawn, kind, Part::AllButLast, Part::Last));
        if waits {
            list.push(way(kind, kind, Part::Last, Part::All));
        }
    }
    list
}

/// The ways in which a man can capture en passant.
pub(super) fn en_passants(game: Game, kind: Kind) -> Vec<Way> {
    let any = game.ep_by() == EpBy::Any;
    let mut list = captures(game, kind);
    // The passed square is on nobody's last rank.
    list.retain(|way| way.to != Part::Last && (any || way.acts == Kind::Pawn));
    list
}

/// As what a man attacks, and from where.
pub(super) fn attacks(game: Game, man: Man) -> Vec<(Man, Part)> {
    match man.kind {
        Kind::Pawn if game.pawns().wait => vec![
            (man, Part::AllButLast),
            (Man::new(man.colour, Kind::Paladin), Part::Last),
        ],
        _ => vec![(man, Part::All)],
    }
}

/// What each man becomes: one turns into another kind, one is gone.
pub(super) fn men_after(
    men: &[Man],
    mover: usize,
    becomes: Kind,
    victim: Option<usize>,
) -> Vec<Option<Man>> {
    let mut after: Vec<Option<Man>> = men.iter().copied().map(Some).collect();
    after[mover] = Some(Man::new(men[mover].colour, becomes));
    if let Some(victim) = victim {
        after[victim] = None;
    }
    after
}

/// The class that has these men, and whether its colours are swapped.
pub(super) fn class_of(game: Game, men: &[Option<Man>]) -> (Material, bool) {
    Material::of(men.iter().flatten().copied()).normal(game)
}

/// The classes that captures and promotions lead to, each once.
pub(crate) fn exits(game: Game, material: &Material) -> Vec<Material> {
    let men: Vec<Man> = material.men().collect();
    let mut list = Vec::new();
    for (mover, man) in men.iter().enumerate() {
        let victims = || {
            let men = men.iter().enumerate();
            men.filter(|(_, v)| v.colour != man.colour && v.kind != Kind::King)
        };
        for way in captures(game, man.kind) {
            for (victim, _) in victims() {
                list.push(men_after(&men, mover, way.becomes, Some(victim)));
            }
        }
        if man.kind == Kind::Pawn {
            for &kind in game.promotions() {
                let promoted = men_after(&men, mover, kind, None);
                // A pawn that promotes after a double step can be taken, too;
                // that leads where captures of the pawn lead.
                list.push(promoted);
            }
        }
    }
    let mut list: Vec<Material> = list.iter().map(|men| class_of(game, men).0).collect();
    list.sort_unstable();
    list.dedup();
    list
}
