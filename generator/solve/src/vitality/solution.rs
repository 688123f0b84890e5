//! Solves a material with vitality, and reads its curves, results and mates by index.

use std::collections::HashMap;
use std::ops::Range;

use retrograde_index::{Chapters, MOST_CURVES};
use retrograde_index::{Index, IndexError};
use retrograde_index::{ThresholdCurve, needs};
use retrograde_rules::{
    Colour, CounterRange, DoubleStep, EnPassant, Game, Geometry, Goal, Material, Modality, Mover,
    Pass, PieceType, Ray, Royalty, VitalityRules,
};

use super::super::conversion_kinds::successors;
use super::super::convert::Conversions;
use super::super::error::SolveError;
use super::super::grid::GridMap;
use super::super::layout::Layout;
use super::super::parallel::each;
use super::super::read::UNUSED;
use super::super::successor::Successor;
use super::board::LevelGrid;
use super::chapters::{self, NO_POSITION};
use super::curve::{self, Curves, KnownCurves};
use super::problem::{Problem, Question};
use super::start::{self, Scores};
use super::sweep::ILLEGAL;
use super::{passes, plain};

/// The largest full counter that the bytes of passes have room for.
const MOST_IN_PASSES: u8 = 50;

/// The answers for every position of a material without e.p. rights.
pub struct CurveAnswers {
    layout: Layout,
    /// The number of each position's curve in `curves`, or [`NO_POSITION`], by side to move, over
    /// the grid.
    curve_of: [Vec<u32>; 2],
    /// The curves that occur.
    curves: Vec<ThresholdCurve>,
    /// The chapters by which values refer to curves, if there are more curves than values.
    chapters: Option<Chapters>,
    /// The least vitalities that force mate, by mating side, then side to move.
    mates: [[Vec<u8>; 2]; 2],
    /// The least points that a side can have.
    least: u8,
}

impl Problem {
    /// The material as a successor.
    fn smaller(self, game: Game, known: &KnownCurves<'_>) -> Result<Successor, SolveError> {
        let smaller = match self.question {
            Question::Curves => {
                let scores = Colour::BOTH.map(|turn| -> Vec<u8> {
                    let curves = known.curves.iter();
                    curves.map(|f| self.of_curve(turn, *f)).collect()
                });
                Successor::with_scores(game, known.index, |turn, index| {
                    let place = known.curve_of[turn.index()][index];
                    let score = scores[turn.index()].get(place as usize);
                    score.copied().unwrap_or(0).into()
                })
            }
            Question::Mates(side) => Successor::with_scores(game, known.index, |turn, index| {
                let needs = needs::split(known.mates[turn.index()][index]);
                self.of_need(turn, needs[side.index()]).into()
            }),
        };
        Ok(smaller?)
    }
}

/// Solves a material of a game with vitality, of which `rules` are the rules; `known` gives
/// the answers for every material of [`successors`].
///
/// # Errors
/// See [`SolveError`].
pub fn solve<'k>(
    game: Game,
    rules: &'static VitalityRules,
    material: &Material,
    known: impl Fn(&Material) -> Option<KnownCurves<'k>>,
) -> Result<CurveAnswers, SolveError> {
    let layout = Layout::new(game, material)?;
    if !goes_by_passes(game, rules) {
        return position_by_position(game, rules, layout, known);
    }
    let mut distinct = Curves::default();
    let mut curve_of = [const { Vec::new() }; 2];
    let mut mating = [const { [const { Vec::new() }; 2] }; 2];
    {
        let board = LevelGrid::new(&layout, rules);
        for question in [
            Question::Curves,
            Question::Mates(Colour::White),
            Question::Mates(Colour::Black),
        ] {
            let problem = Problem { rules, question };
            let mut smaller = HashMap::new();
            for exit in successors(game, material) {
                let known = known(&exit).ok_or_else(|| SolveError::Missing(exit.name(game)))?;
                smaller.insert(exit, problem.smaller(game, &known)?);
            }
            let mut scores = Colour::BOTH.map(|side| {
                let conversions = Conversions::new(&layout, side, |m| &smaller[m]);
                start::starts(&board, &conversions, side)
            });
            drop(smaller);
            match question {
                Question::Curves => {
                    curve_of = curves(problem, &board, &mut scores, &mut distinct);
                }
                Question::Mates(side) => {
                    mating[side.index()] = mates(problem, &board, &mut scores);
                }
            }
        }
    }
    let chapters = if distinct.list.len() > MOST_CURVES {
        Some(chapters::chapters(&layout, &curve_of, distinct.list.len())?)
    } else {
        None
    };
    Ok(CurveAnswers {
        layout,
        curve_of,
        curves: distinct.to_curves(rules.counters()),
        chapters,
        mates: mating,
        least: rules.counters().least,
    })
}

/// Whether passes over a grid know the rules of a game. They count on what H1-H8 say of the
/// counters, but for what a side can choose, and on the board, the pawns and the royal king of
/// orthodox chess, and other pieces leap or slide.
fn goes_by_passes(game: Game, rules: &VitalityRules) -> bool {
    let CounterRange { least, full } = rules.counters();
    let pawns = game.pawns();
    let has_usual_pawns = !pawns.wait
        && pawns.ranks == [(1, 6), (1, 6)]
        && matches!(pawns.double_step, DoubleStep::None | DoubleStep::FromHome)
        && game.ep_by() == EnPassant::Pawns;
    least == 1
        && full.white == full.black
        && full.white <= MOST_IN_PASSES
        && rules.standing_counts()
        && game.geometry() == Geometry::EIGHT
        && has_usual_pawns
        && Colour::BOTH.map(|side| game.royalty(side)) == [Royalty::King; 2]
        && game.mover(PieceType::King) == Mover::KING
        && (game.piece_types().iter()).all(|&t| {
            let mover = game.mover(t);
            mover.is_plain() && mover.rays(Modality::Quiet).all(Ray::is_slide)
        })
        && game.goal() == Goal::Mate
        && game.pass() != Pass::WhenStuck
}

/// The answers of a game that passes over a grid do not know.
fn position_by_position<'k>(
    game: Game,
    rules: &'static VitalityRules,
    layout: Layout,
    known: impl Fn(&Material) -> Option<KnownCurves<'k>>,
) -> Result<CurveAnswers, SolveError> {
    let answers = plain::solve(game, rules, &layout.index, known)?;
    let places = layout.words() * layout.squares;
    let mut curve_of = [(); 2].map(|()| vec![NO_POSITION; places]);
    let never = Colour::BOTH.map(|side| rules.counters().never(side));
    let mut mates = never.map(|never| [(); 2].map(|()| vec![never; places]));
    let map = GridMap::with_index(&layout, &layout.index);
    for turn in Colour::BOTH.map(Colour::index) {
        let mut index = 0;
        map.gather(0..layout.index.len(), |place| {
            if let Some(curve) = answers.curve_of[turn][index] {
                curve_of[turn][place] = curve;
            }
            for side in Colour::BOTH.map(Colour::index) {
                mates[side][turn][place] = answers.mates[side][turn][index];
            }
            index += 1;
        });
    }
    let chapters = match answers.curves.len() > MOST_CURVES {
        true => Some(chapters::chapters(
            &layout,
            &curve_of,
            answers.curves.len(),
        )?),
        false => None,
    };
    Ok(CurveAnswers {
        layout,
        curve_of,
        curves: answers.curves,
        chapters,
        mates,
        least: rules.counters().least,
    })
}

/// The curves of all positions, level by level.
fn curves(
    problem: Problem,
    board: &LevelGrid<'_>,
    scores: &mut [Scores; 2],
    distinct: &mut Curves,
) -> [Vec<u32>; 2] {
    let block_positions = board.layout.block_positions();
    let officers = board.officers;
    let mut curve_of = [(); 2].map(|()| vec![NO_POSITION; scores[0].len()]);
    for level in board.levels() {
        let starts = Colour::BOTH.map(|side| start::level_starts(board, &level, scores, side));
        let rises = passes::curves(problem, board, &level, &starts);
        let size = level.placements.len() * officers;
        for (turn, rises) in Colour::BOTH.into_iter().zip(&rises) {
            let (curve_of, scores) = (&mut curve_of[turn.index()], &mut scores[turn.index()]);
            let starts = &starts[turn.index()];
            // First the curve, then its value for a move that leads there.
            let mut put = |block: usize, of_level: &[u32]| {
                for (place, &placement) in level.placements.iter().enumerate() {
                    let at = block * block_positions + placement * officers;
                    let from = place * officers;
                    let starts = &starts[block * size + from..][..officers];
                    let of_level = &of_level[from..][..officers];
                    for (i, (&start, &curve)) in starts.iter().zip(of_level).enumerate() {
                        if start != ILLEGAL {
                            curve_of[at + i] = curve;
                        }
                    }
                }
            };
            curve::gather(rises, size, distinct, &mut put);
            let curves = distinct.to_curves(problem.rules.counters()).into_iter();
            let value: Vec<u8> = curves.map(|f| problem.of_curve(turn, f)).collect();
            let blocks = scores.chunks_mut(block_positions);
            each(
                blocks.zip(curve_of.chunks(block_positions)),
                |(scores, curve_of)| {
                    for &placement in &level.placements {
                        let part = placement * officers..(placement + 1) * officers;
                        let curve_of = &curve_of[part.clone()];
                        for (score, &curve) in scores[part].iter_mut().zip(curve_of) {
                            *score = value.get(curve as usize).copied().unwrap_or(0);
                        }
                    }
                },
            );
        }
        for (turn, starts) in Colour::BOTH.into_iter().zip(&starts) {
            start::open_rights(problem, board, &level, starts, scores, turn);
        }
    }
    curve_of
}

/// The needs of all positions, level by level.
fn mates(problem: Problem, board: &LevelGrid<'_>, scores: &mut [Scores; 2]) -> [Vec<u8>; 2] {
    let block_positions = board.layout.block_positions();
    let officers = board.officers;
    let most = problem.full() + 1;
    let mut needs = [(); 2].map(|()| vec![most; scores[0].len()]);
    for level in board.levels() {
        let starts = Colour::BOTH.map(|side| start::level_starts(board, &level, scores, side));
        let planes = passes::mates(problem, board, &level, &starts);
        let size = level.placements.len() * officers;
        for turn in Colour::BOTH {
            let (plane, starts) = (&planes[turn.index()], &starts[turn.index()]);
            let blocks = scores[turn.index()].chunks_mut(block_positions);
            let blocks = blocks.zip(needs[turn.index()].chunks_mut(block_positions));
            let level_blocks = plane.chunks(size).zip(starts.chunks(size));
            each(
                blocks.zip(level_blocks),
                |((scores, needs), (plane, starts))| {
                    let parts = plane.chunks(officers).zip(starts.chunks(officers));
                    for (&placement, (plane, starts)) in level.placements.iter().zip(parts) {
                        let at = placement * officers;
                        for (i, (&need, &start)) in plane.iter().zip(starts).enumerate() {
                            let legal = start != ILLEGAL;
                            let need = need.min(most);
                            needs[at + i] = if legal { need } else { most };
                            scores[at + i] = if legal {
                                problem.of_need(turn, need)
                            } else {
                                0
                            };
                        }
                    }
                },
            );
        }
        for (turn, starts) in Colour::BOTH.into_iter().zip(&starts) {
            start::open_rights(problem, board, &level, starts, scores, turn);
        }
    }
    needs
}

/// The peak memory of solving a material in bytes, including its successors.
///
/// # Errors
/// If the material has no index.
pub fn estimate_bytes(
    game: Game,
    rules: &'static VitalityRules,
    material: &Material,
) -> Result<u64, IndexError> {
    let layout = Layout::new(game, material)?;
    if !goes_by_passes(game, rules) {
        let smaller: u64 = successors(game, material)
            .iter()
            .map(|exit| Ok(6 * Index::new(game, exit)?.len()))
            .sum::<Result<u64, IndexError>>()?;
        let places = 12 * (layout.words() * layout.squares) as u64;
        let solving = plain::estimate_bytes(&layout.index, rules.counters());
        return Ok(2 * smaller + places + solving + (16 << 20));
    }
    let positions = (layout.words() * layout.squares) as u64;
    let officers = layout.block_positions() / LevelGrid::pawn_placements(&layout);
    let of_level = (layout.blocks() * officers * LevelGrid::most_in_level(&layout)) as u64;
    // Both sides: scores, and which curve; in the level at hand
    // starts, two planes, and a bit for every sum but the first.
    let bits = 2 * u64::from(rules.full().white) - 1;
    let in_level = 2 * (positions * 5 + of_level * 3 + of_level * bits / 8);
    let (mut stored, mut seen) = (0, 0);
    for exit in successors(game, material) {
        let exit = Layout::new(game, &exit)?;
        // Curves and needs, four and two bytes, for both sides; and once
        // more, for the question at hand, one over the grid.
        stored += 12 * exit.index.len();
        seen += 4 * (exit.words() * exit.squares) as u64;
    }
    // Before the last question: scores, and the answers to the others.
    let at_start = 12 * positions + seen;
    // Three tenths more for buffers and for what the allocator keeps: measured
    // peaks were 1.15 of the rest for KRPvKR and 1.25 for KRvKRP.
    let rest = stored + in_level.max(at_start);
    Ok(rest + rest / 10 * 3 + (16 << 20))
}

impl CurveAnswers {
    /// The material's index in its default order of groups.
    pub fn index(&self) -> &Index {
        &self.layout.index
    }

    /// The curves that occur.
    pub fn curves(&self) -> &[ThresholdCurve] {
        &self.curves
    }

    /// The chapters by which the values of files refer to curves, if there are more curves than
    /// values.
    pub fn chapters(&self) -> Option<&Chapters> {
        self.chapters.as_ref()
    }

    /// A reader of answers by the indices of `index`, an index of the same
    /// material in any order of groups.
    pub fn reader<'a>(&'a self, index: &Index) -> CurveReader<'a> {
        CurveReader {
            answers: self,
            names: (self.chapters.as_ref())
                .map(|chapters| chapters::Names::new(chapters, index, self.curves.len())),
            map: GridMap::with_index(&self.layout, index),
            white_wins: self.curves.iter().map(at_full_counters).collect(),
        }
    }
}

/// Whether White wins, both sides having full counters.
fn at_full_counters(curve: &ThresholdCurve) -> bool {
    curve.white_wins(curve.counters().full)
}

/// Reads answers in the order of an index.
pub struct CurveReader<'a> {
    answers: &'a CurveAnswers,
    names: Option<chapters::Names>,
    map: GridMap,
    /// Whether White wins when both sides have full counters, by curve.
    white_wins: Vec<bool>,
}

impl CurveReader<'_> {
    /// Writes for a range of indices which of [`CurveAnswers::curves`] is theirs;
    /// [`UNUSED`] where an index stands for no position.
    pub fn curves(&self, turn: Colour, range: Range<u64>, out: &mut [i16]) {
        let curve_of = &self.answers.curve_of[turn.index()];
        let mut out = range.clone().zip(out);
        self.map.gather(range, |position| {
            if let Some((index, out)) = out.next() {
                *out = match (curve_of[position], &self.names) {
                    (NO_POSITION, _) => UNUSED,
                    (curve, None) => curve as u16 as i16,
                    (curve, Some(names)) => names.value(index, curve),
                };
            }
        });
    }

    /// Writes for a range of indices who wins, both sides having full counters, as values
    /// of [`Metric::Wdl`](retrograde_index::Metric::Wdl); [`UNUSED`] where an index stands
    /// for no position.
    pub fn results(&self, turn: Colour, range: Range<u64>, out: &mut [i16]) {
        let curve_of = &self.answers.curve_of[turn.index()];
        let mut out = out.iter_mut();
        self.map.gather(range, |position| {
            if let Some(out) = out.next() {
                *out = match curve_of[position] {
                    NO_POSITION => UNUSED,
                    curve if self.white_wins[curve as usize] == (turn == Colour::White) => 1,
                    _ => -1,
                };
            }
        });
    }

    /// Writes for a range of indices what the sides need to mate, as tables
    /// store it ([`needs`]); [`UNUSED`] where an index stands for no position.
    pub fn mates(&self, turn: Colour, range: Range<u64>, out: &mut [i16]) {
        let curve_of = &self.answers.curve_of[turn.index()];
        let [white, black] = self.answers.mates.each_ref().map(|m| &m[turn.index()]);
        let mut out = out.iter_mut();
        self.map.gather(range, |position| {
            if let Some(out) = out.next() {
                // A side that has mated needs nothing, but it has the least points.
                let need = |needs: &[u8]| needs[position].max(self.answers.least);
                *out = match curve_of[position] {
                    NO_POSITION => UNUSED,
                    _ => needs::join([need(white), need(black)]),
                };
            }
        });
    }
}
