//! Tables of the moves of a game's pieces, as steps that are made once or repeated.

use std::sync::{Mutex, PoisonError};

use retrograde_rules::{DoubleStep, Game, PieceType, Royalty};

/// A step: files, ranks.
pub(crate) type Step = (i32, i32);

/// A step that may be repeated, and how often it is made at most.
pub(crate) type Ride = (Step, u8);

/// The steps of the pieces of a game.
#[derive(Debug)]
pub(crate) struct MoveTable {
    leaps: [Vec<Step>; PieceType::COUNT],
    slides: [Vec<Step>; PieceType::COUNT],
    rides: [Vec<Ride>; PieceType::COUNT],
    /// Whether pawns make double steps.
    pub(crate) double_steps: bool,
    /// The ranks from which they make them, as bits counted from the own side; `None` for the
    /// rank on which they start.
    pub(crate) double_step_ranks: Option<u16>,
    /// A type whose moves are those of kings that are not royal, if these move in another way
    /// than royal ones (K6).
    pub(crate) spare: Option<PieceType>,
    /// The types that a pawn that waits on its last rank attacks as (C5).
    pub(crate) waiting: Vec<PieceType>,
    /// Whether some piece may get to a square on a line, or ride to one that is on none, without
    /// passing all squares between.
    pub(crate) jumps: bool,
}

impl MoveTable {
    /// The table of a game, which is made once.
    pub(crate) fn of(game: Game) -> &'static MoveTable {
        static MADE: Mutex<Vec<(Game, &'static MoveTable)>> = Mutex::new(Vec::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = made.iter().find(|(known, _)| *known == game) {
            return table;
        }
        let table = Box::leak(Box::new(MoveTable::new(game)));
        made.push((game, table));
        table
    }

    fn new(game: Game) -> MoveTable {
        let mut movers = PieceType::ALL.map(|piece_type| game.mover(piece_type));
        let king = movers[PieceType::King.index()];
        let is_free = |piece_type: &PieceType| !game.piece_types().contains(piece_type);
        let types = || PieceType::ALL.into_iter().filter(|t| *t != PieceType::Pawn);
        let mut spare = None;
        if let Royalty::FirstKing(order) = game.royalty()
            && order.spare != king
        {
            // A type that moves like that, or else one that the game does not have.
            let is_like = |piece_type: &PieceType| {
                movers[piece_type.index()].with(king) == order.spare.with(king)
            };
            spare = types().find(is_like).or_else(|| types().find(is_free));
            if let Some(piece_type) = spare.filter(is_free) {
                movers[piece_type.index()] = order.spare;
            }
        }
        let wide = |(files, ranks): (i8, i8)| (files.into(), ranks.into());
        let is_jump = |(files, ranks): &Step| {
            let on_line = *files == 0 || *ranks == 0 || files.abs() == ranks.abs();
            on_line && files.abs().max(ranks.abs()) > 1
        };
        let leaps: [Vec<Step>; PieceType::COUNT] = movers.map(|m| m.leaps().map(wide).collect());
        let length = |&((files, ranks), _): &Ride| files.abs().max(ranks.abs());
        let rides = movers.map(|m| {
            let rays = m.rays().filter(|ray| !ray.is_slide());
            let mut rides: Vec<Ride> = rays.map(|ray| (wide(ray.step), ray.most)).collect();
            rides.sort_by_key(|ride| std::cmp::Reverse(length(ride)));
            rides
        });
        MoveTable {
            jumps: leaps.iter().flatten().any(is_jump)
                || rides.iter().flatten().any(|ride| length(ride) > 1),
            leaps,
            slides: movers.map(|m| {
                let slides = m.rays().filter(|ray| ray.is_slide());
                slides.map(|ray| wide(ray.step)).collect()
            }),
            rides,
            double_steps: game.pawns().double_step != DoubleStep::None,
            double_step_ranks: match game.pawns().double_step {
                DoubleStep::None | DoubleStep::FromHome => None,
                DoubleStep::FromAnywhere | DoubleStep::FromRanks => Some(
                    game.double_step_ranks()
                        .fold(0, |set, rank| set | 1 << rank),
                ),
            },
            spare,
            waiting: match game.pawns().wait {
                true => game.promotions().to_vec(),
                false => Vec::new(),
            },
        }
    }

    /// The directions in which a piece type slides any number of squares.
    #[inline(always)]
    pub(crate) fn slides(&self, piece_type: PieceType) -> &[Step] {
        &self.slides[piece_type.index()]
    }

    /// The other rides of a piece type, in longer steps or a limited number of times; the
    /// longest steps first.
    #[inline(always)]
    pub(crate) fn rides(&self, piece_type: PieceType) -> &[Ride] {
        &self.rides[piece_type.index()]
    }

    /// The single steps and leaps of a piece type.
    #[inline(always)]
    pub(crate) fn leaps(&self, piece_type: PieceType) -> &[Step] {
        &self.leaps[piece_type.index()]
    }
}
