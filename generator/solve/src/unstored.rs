//! Computes the values of the side to move that a table does not store from the other side's.
//!
//! This is one ply of search for a whole material at once. A search of each position takes some ten
//! times as long.

use std::ops::Range;

use rayon::prelude::*;
use retrograde_index::{Index, Metric, Wdl, score as stored};
use retrograde_rules::{
    Colour, DoubleStep, EnPassant, Game, Geometry, Material, PieceType, Square,
};

use super::error::SolveError;
use super::exits::{NO_POSITION, best_exits};
use super::layout::{Layout, Passes};
use super::moves::Movers;
use super::reach::{self, first_reached};
use super::score::{self, Score, Verdict, verdict};
use super::successor::{FindSuccessor, ReadDtm, find_all};

/// A side to move of a table of DTM or DTZ, and what its values follow from.
pub struct Unstored<'a> {
    /// The game.
    pub game: Game,
    /// The index of the table.
    pub index: &'a Index,
    /// The metric of the table.
    pub metric: Metric,
    /// The side to move.
    pub turn: Colour,
    /// Reads who wins, as tables of WDL store it, in the order of the index.
    pub results: &'a ReadDtm<'a>,
    /// Reads the values that the table has for the other side to move.
    pub distances: &'a ReadDtm<'a>,
}

/// The number of indices of a task.
const CHUNK: usize = 1 << 14;

/// Pairs of a result and a distance.
const PAIRS: usize = 5 << 16;

/// The sets of positions after a move, by what it is worth, the best first of each kind.
struct Sets {
    kinds: Vec<u8>,
    worths: Vec<u16>,
    /// The set of every pair of a result and a distance.
    of: Vec<u16>,
}

/// The kind of the positions with a result; a move only counts for one kind.
fn kind(result: Wdl) -> u8 {
    (result.to_value() + 3) as u8
}

impl Unstored<'_> {
    /// The value of each index; [`DONT_CARE`](stored::DONT_CARE) where it takes a search of the
    /// position: after a double step that may be answered en passant, or if no move is found.
    /// `find` gives the successors: their depths for DTM, their WDL for DTZ. Runs in the current
    /// rayon pool.
    ///
    /// Returns `None` if nothing is to be had in this way: of other metrics, without kings that
    /// lead the grid, where pawns make double steps from everywhere, where a side passes that is
    /// stalemated, where captures are compulsory, where Black may reply to White's arrival, where a bare king
    /// loses, where checks are counted, or with too many different distances.
    ///
    /// # Errors
    /// See [`SolveError`].
    pub fn values(&self, find: &FindSuccessor<'_>) -> Result<Option<Vec<i16>>, SolveError> {
        let (game, index, turn) = (self.game, self.index, self.turn);
        let layout = Layout::to_solve(game, index.material())?;
        let is_known = layout.is_led()
            && !layout.beside
            && layout.passes != Passes::WhenStuck
            && !layout.must_capture
            && !layout.may_end()
            && game.checks() == 0;
        let is_distance = matches!(self.metric, Metric::Dtm | Metric::Dtz);
        if !is_known || !is_distance || index.has_equal_leaders() {
            return Ok(None);
        }
        let Some(sets) = self.sets() else {
            return Ok(None);
        };
        let smaller = find_all(game, index.material(), find)?;
        let exits = best_exits(game, index, turn, Some(&smaller))?;
        drop(smaller);
        let (mut values, mut kinds) = self.open(&exits);
        let movers = match self.metric {
            Metric::Dtz => Movers::Pieces,
            _ => Movers::All,
        };
        if self.metric == Metric::Dtz {
            // To keep the win by a pawn move is to be at the next zeroing move.
            let wins = [Wdl::Win, Wdl::CursedWin];
            let by_pawns = reach::Sets {
                kinds_of_sets: &wins.map(kind),
                of: &|range, out| {
                    self.results_of(turn.other(), range, |place, result| {
                        let set = wins.iter().position(|win| *win == result.reversed());
                        out[place] = set.map_or(reach::Sets::NO_SET, |set| set as u16);
                    });
                },
            };
            let reached = first_reached(&layout, index, turn, Movers::Pawns, &kinds, &by_pawns);
            let all = values.par_iter_mut().zip(&mut kinds).zip(reached);
            all.filter(|(_, set)| *set != reach::Sets::NO_SET)
                .for_each(|((value, kind), _)| (*value, *kind) = (1, 0));
        }
        let all = reach::Sets {
            kinds_of_sets: &sets.kinds,
            of: &|range, out| self.pairs(range, |place, pair| out[place] = sets.of[pair]),
        };
        let reached = first_reached(&layout, index, turn, movers, &kinds, &all);
        let open = values.par_iter_mut().zip(exits).zip(reached).zip(kinds);
        open.filter(|(_, kind)| *kind > 0)
            .for_each(|(((value, exit), set), _)| {
                let quiet = sets.worths.get(usize::from(set)).copied();
                *value = match self.metric {
                    Metric::Dtz => quiet.map_or(stored::DONT_CARE, |plies| plies as i16),
                    _ => depth(exit.max(quiet.unwrap_or(score::NONE))),
                };
            });
        Ok(Some(values))
    }

    /// The values that exits and results tell, and the kinds of the positions whose quiet moves
    /// count.
    fn open(&self, exits: &[Score]) -> (Vec<i16>, Vec<u8>) {
        let (mut values, mut kinds) = (vec![stored::DRAW; exits.len()], vec![0; exits.len()]);
        let is_dtz = self.metric == Metric::Dtz;
        let steps = DoubleSteps::new(self.game, self.index.material(), self.turn);
        let chunks = values
            .par_chunks_mut(CHUNK)
            .zip(kinds.par_chunks_mut(CHUNK));
        chunks.enumerate().for_each(|(part, (values, kinds))| {
            let first = part * CHUNK;
            let mut squares = [Square(0); Material::MOST_PIECES];
            let squares = &mut squares[..self.index.pieces()];
            let range = first as u64..(first + values.len()) as u64;
            self.results_of(self.turn, range, |place, result| {
                let (exit, index) = (exits[first + place], (first + place) as u64);
                if exit == NO_POSITION || result == Wdl::Draw {
                    return;
                }
                let wins = result.is_win();
                if is_dtz && wins && exit == score::of_wdl(result.reversed().to_value()) {
                    values[place] = 1;
                    return;
                }
                values[place] = stored::DONT_CARE;
                // For DTZ a double step matters as a zeroing move that keeps the win.
                let may_be_taken = (wins || !is_dtz)
                    && steps.as_ref().is_some_and(|steps| {
                        self.index.decode(index, squares) && steps.may_be_taken(squares)
                    });
                if !may_be_taken {
                    kinds[place] = self.kind(result);
                }
            });
        });
        (values, kinds)
    }

    /// The kind of the positions with a result. For DTM nobody counts moves.
    fn kind(&self, result: Wdl) -> u8 {
        match (self.metric, result) {
            (Metric::Dtm, Wdl::CursedWin) => kind(Wdl::Win),
            (Metric::Dtm, Wdl::BlessedLoss) => kind(Wdl::Loss),
            _ => kind(result),
        }
    }

    /// Calls `visit` with the place of each index of a range and who wins.
    fn results_of(&self, turn: Colour, range: Range<u64>, mut visit: impl FnMut(usize, Wdl)) {
        let mut results = vec![0; (range.end - range.start) as usize];
        (self.results)(turn, range, &mut results);
        let results = results.into_iter().map(Wdl::from_value).enumerate();
        results.for_each(|(place, result)| visit(place, result));
    }

    /// Calls `visit` with the place of each index of a range, the other side to move, and the
    /// number of its pair.
    fn pairs(&self, range: Range<u64>, mut visit: impl FnMut(usize, usize)) {
        let mut distances = vec![0; (range.end - range.start) as usize];
        (self.distances)(self.turn.other(), range.clone(), &mut distances);
        let pair = |result: Wdl, place: usize| {
            usize::from(kind(result) - 1) << 16 | usize::from(distances[place] as u16)
        };
        match self.metric {
            Metric::Dtz => self.results_of(self.turn.other(), range, |place, result| {
                visit(place, pair(result, place));
            }),
            _ => (0..distances.len()).for_each(|place| visit(place, pair(Wdl::Draw, place))),
        }
    }

    /// The value of a move to a position of a pair: the kind of position that it counts for,
    /// its place in the order of these, and the plies, or the score for DTM. `None` for draws.
    fn worth(&self, pair: usize) -> Option<(u8, i32, u16)> {
        let distance = pair as u16 as i16;
        if self.metric == Metric::Dtm {
            let score = score::of_child(distance);
            let kind = match verdict(score) {
                Verdict::Win(_) => kind(Wdl::Win),
                Verdict::Loss(_) => kind(Wdl::Loss),
                Verdict::Draw | Verdict::None => return None,
            };
            return Some((kind, -i32::from(score), score));
        }
        // Whatever a file says must not overflow.
        let plies = distance.saturating_add(1);
        let limit = self
            .game
            .zeroing_limit()
            .and_then(|l| i16::try_from(l).ok());
        let result = Wdl::from_value((pair >> 16) as i16 - 2).reversed();
        let result = match limit.is_some_and(|limit| plies > limit) {
            true => result.cursed(),
            false => result,
        };
        let place = i32::from(plies) * if result.is_win() { 1 } else { -1 };
        (result != Wdl::Draw).then_some((kind(result), place, plies as u16))
    }

    /// The sets of the pairs that occur; `None` if they are too many.
    fn sets(&self) -> Option<Sets> {
        let len = self.index.len();
        let chunks = (0..len.div_ceil(CHUNK as u64) as usize).into_par_iter();
        let none = || vec![false; PAIRS];
        let occurs = chunks
            .with_min_len(64)
            .fold(none, |mut occurs, part| {
                let first = (part * CHUNK) as u64;
                let range = first..len.min(first + CHUNK as u64);
                self.pairs(range, |_, pair| occurs[pair] = true);
                occurs
            })
            .reduce(none, |mut all, other| {
                all.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
                all
            });
        let pairs = (0..PAIRS).filter(|&pair| occurs[pair]);
        let mut all: Vec<_> = pairs
            .filter_map(|pair| Some((self.worth(pair)?, pair)))
            .collect();
        all.sort_unstable();
        let mut sets = Sets {
            kinds: Vec::new(),
            worths: Vec::new(),
            of: vec![reach::Sets::NO_SET; PAIRS],
        };
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            let (kind, _, worth) = same[0].0;
            let set = u16::try_from(sets.kinds.len()).ok()?;
            same.iter().for_each(|&(_, pair)| sets.of[pair] = set);
            sets.kinds.push(kind);
            sets.worths.push(worth);
        }
        (sets.kinds.len() <= reach::MOST_SETS).then_some(sets)
    }
}

/// The depth of a position whose best move has a score; [`DONT_CARE`](stored::DONT_CARE) if it
/// has none.
fn depth(best: Score) -> i16 {
    match verdict(best) {
        Verdict::Win(plies) => stored::win((plies as u32).min(stored::MOST_PLIES)),
        Verdict::Loss(plies) => stored::loss(plies as u32),
        Verdict::Draw => stored::DRAW,
        Verdict::None => stored::DONT_CARE,
    }
}

/// The double steps of a side after which the pawn may be captured en passant: they do not lead
/// to a position of the table. Only for games in which pawns make them from their home rank, and
/// pawns alone capture en passant.
struct DoubleSteps {
    geometry: Geometry,
    /// The rank from which they are made, and how far they go.
    home: u8,
    by: i8,
    /// The places of the side's pawns among the pieces, and of the other side's.
    pawns: [Vec<usize>; 2],
}

impl DoubleSteps {
    /// `None` if no pawn can be captured en passant, for want of pawns on either side.
    fn new(game: Game, material: &Material, turn: Colour) -> Option<DoubleSteps> {
        let geometry = game.geometry();
        let (home, by) = match turn {
            Colour::White => (game.pawn_home(), 2),
            Colour::Black => (geometry.ranks.checked_sub(1 + game.pawn_home())?, -2),
        };
        let pawns = [turn, turn.other()].map(|colour| {
            let pieces = material.pieces().enumerate();
            let pawns =
                pieces.filter(|(_, p)| p.colour == colour && p.piece_type == PieceType::Pawn);
            pawns.map(|(place, _)| place).collect::<Vec<_>>()
        });
        let any = game.pawns().double_step != DoubleStep::None
            && game.ep_by() != EnPassant::Off
            && pawns.iter().all(|pawns| !pawns.is_empty());
        any.then_some(DoubleSteps {
            geometry,
            home,
            by,
            pawns,
        })
    }

    /// Whether a pawn may stand beside one of the other side after a double step, given the
    /// squares of all pieces. There may be no such step all the same.
    fn may_be_taken(&self, squares: &[Square]) -> bool {
        let [mine, theirs] = &self.pawns;
        let mine = mine.iter().map(|&place| squares[place]);
        mine.filter(|&pawn| self.geometry.rank(pawn) == self.home)
            .any(|pawn| {
                [-1, 1].into_iter().any(|files| {
                    let beside = self.geometry.offset(pawn, files, self.by);
                    beside.is_some_and(|square| theirs.iter().any(|&at| squares[at] == square))
                })
            })
    }
}
