//! Tables of the moves of a game's pieces, as steps that are made once or repeated.

use std::sync::{Mutex, PoisonError};

use retrograde_rules::{Colour, DoubleStep, Game, Modality, Mover, Piece, PieceType, SquareSet};

/// A step: files, ranks.
pub(crate) type Step = (i32, i32);

/// A step that may be repeated, and how often it is made at most.
pub(crate) type Ride = (Step, u8);

/// The moves that steps are asked for. They are the same for pieces that capture as they move and
/// move back as they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Quiet moves.
    Quiet,
    /// Quiet moves that are taken back.
    Retracted,
    /// Captures.
    Capture,
    /// Captures, from the square of what is captured to that of the captor.
    Captured,
}

impl Way {
    const ALL: [Way; 4] = [Way::Quiet, Way::Retracted, Way::Capture, Way::Captured];
}

/// The steps of a piece.
#[derive(Debug)]
pub(crate) struct Steps {
    /// Single steps and leaps.
    pub(crate) leaps: Vec<Step>,
    /// The directions in which the piece slides any number of squares.
    pub(crate) slides: Vec<Step>,
    /// Other rides, in longer steps or a limited number of times; the longest steps first.
    pub(crate) rides: Vec<Ride>,
}

impl Steps {
    fn new(mover: Mover, way: Way) -> Steps {
        let (modality, back) = match way {
            Way::Quiet => (Modality::Quiet, false),
            Way::Retracted => (Modality::Quiet, true),
            Way::Capture => (Modality::Capture, false),
            Way::Captured => (Modality::Capture, true),
        };
        let mover = if back { mover.reversed() } else { mover };
        let wide = |(files, ranks): (i8, i8)| (files.into(), ranks.into());
        let rays = || mover.rays(modality);
        let rides = rays().filter(|ray| !ray.is_slide());
        let mut rides: Vec<Ride> = rides.map(|ray| (wide(ray.step), ray.most)).collect();
        rides.sort_by_key(|ride| std::cmp::Reverse(length(ride)));
        Steps {
            leaps: mover.leaps(modality).map(wide).collect(),
            slides: rays()
                .filter(|ray| ray.is_slide())
                .map(|ray| wide(ray.step))
                .collect(),
            rides,
        }
    }

    /// Whether the piece may get to a square on a line, or ride to one that is on none, without
    /// passing all squares between.
    fn has_jumps(&self) -> bool {
        let is_jump = |(files, ranks): &Step| {
            let on_line = *files == 0 || *ranks == 0 || files.abs() == ranks.abs();
            on_line && files.abs().max(ranks.abs()) > 1
        };
        self.leaps.iter().any(is_jump) || self.rides.iter().any(|ride| length(ride) > 1)
    }
}

/// Ranks as bits.
fn set_of(ranks: &mut dyn Iterator<Item = u8>) -> u16 {
    ranks.fold(0, |set, rank| set | 1 << rank)
}

/// The length of the steps of a ride.
fn length(&((files, ranks), _): &Ride) -> i32 {
    files.abs().max(ranks.abs())
}

/// The moves of pawns that move in another way than orthodox ones, beside their steps.
#[derive(Debug)]
pub(crate) struct OwnPawns {
    /// The steps that are made twice in a double step, White's and Black's.
    pub(crate) doubled: [Vec<Step>; 2],
    /// The first ranks of White's and of Black's pawns, counted from 0 on their own side, behind
    /// which they do not go.
    pub(crate) first_ranks: [usize; 2],
}

impl OwnPawns {
    fn of(game: Game) -> Option<OwnPawns> {
        if game.has_usual_pawns() {
            return None;
        }
        let doubled = game.pawn_mover().doubled();
        let [(white, _), (_, black)] = game.pawns().ranks;
        let last = game.geometry().ranks - 1;
        Some(OwnPawns {
            doubled: [1, -1].map(|sign| {
                let steps = doubled.iter();
                steps
                    .map(|&(files, ranks)| (sign * i32::from(files), sign * i32::from(ranks)))
                    .collect()
            }),
            first_ranks: [white, last - black].map(usize::from),
        })
    }
}

/// The squares on which White's and Black's pawns stand and promote, where these are not whole
/// ranks.
#[derive(Debug)]
pub(crate) struct PawnSquares {
    pub(crate) stand: [SquareSet; 2],
    pub(crate) promote: [SquareSet; 2],
}

/// The steps of the pieces of a game.
#[derive(Debug)]
pub(crate) struct MoveTable {
    /// By way, side and piece type.
    steps: [[[Steps; PieceType::COUNT]; 2]; Way::ALL.len()],
    /// The moves of pawns, if they move in another way than orthodox ones.
    pub(crate) own_pawns: Option<OwnPawns>,
    /// The last rank on which pawns may stand, counted from 0 on their own side.
    pub(crate) last_pawn_rank: usize,
    /// The number of last ranks on which they promote, or that hold all squares where they do.
    pub(crate) promotion_ranks: usize,
    /// The squares of pawns, if they promote on some squares of these ranks alone.
    pub(crate) pawn_squares: Option<PawnSquares>,
    /// Whether pawns make double steps.
    pub(crate) double_steps: bool,
    /// The ranks from which White's and Black's make them, as bits counted from the own side; `None`
    /// for the rank on which they start.
    pub(crate) double_step_ranks: Option<[u16; 2]>,
    /// The ranks from which double steps of White and of Black may be answered en passant, as bits.
    pub(crate) ep_step_ranks: [u16; 2],
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
        let own_pawns = OwnPawns::of(game);
        if own_pawns.is_some() {
            movers[PieceType::Pawn.index()] = game.pawn_mover();
        }
        let king = movers[PieceType::King.index()];
        let is_free = |piece_type: &PieceType| !game.piece_types().contains(piece_type);
        let types = || PieceType::ALL.into_iter().filter(|t| *t != PieceType::Pawn);
        let mut spare = None;
        if let Some(order) = game.king_order()
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
        let steps = Way::ALL
            .map(|way| Colour::BOTH.map(|side| movers.map(|m| Steps::new(m.of_side(side), way))));
        MoveTable {
            jumps: steps.iter().flatten().flatten().any(Steps::has_jumps),
            steps,
            own_pawns,
            last_pawn_rank: game.pawns().ranks[0].1.into(),
            promotion_ranks: game.pawns().promotion_ranks.into(),
            pawn_squares: game.pawns().on_squares.then(|| PawnSquares {
                stand: Colour::BOTH.map(|side| game.pawn_squares(side)),
                promote: Colour::BOTH.map(|side| game.promotion_squares(side)),
            }),
            double_steps: game.pawns().double_step != DoubleStep::None,
            double_step_ranks: match game.pawns().double_step {
                DoubleStep::None | DoubleStep::FromHome => None,
                DoubleStep::FromAnywhere | DoubleStep::FromRanks => {
                    Some(Colour::BOTH.map(|side| set_of(&mut game.double_step_ranks(side))))
                }
            },
            ep_step_ranks: Colour::BOTH.map(|side| set_of(&mut game.ep_step_ranks(side))),
            spare,
            waiting: match game.pawns().wait {
                true => game.all_promotions().to_vec(),
                false => Vec::new(),
            },
        }
    }

    /// The steps of a piece.
    #[inline(always)]
    pub(crate) fn of_piece(&self, piece: Piece, way: Way) -> &Steps {
        &self.steps[way as usize][piece.colour.index()][piece.piece_type.index()]
    }
}
