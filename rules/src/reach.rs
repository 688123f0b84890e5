//! Attack tables of an empty board, and tables of the squares between and behind others.
//!
//! They are built once for each board geometry.

use std::sync::{Mutex, PoisonError};

use crate::betza::{Modality, Mover};
use crate::geometry::Geometry;
use crate::piece::Colour;
use crate::square::{Square, SquareSet};

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const KNIGHT: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// The moves of pawns, and the squares that they may go to, White's and Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PawnMoves {
    pub(crate) mover: Mover,
    pub(crate) squares: [SquareSet; 2],
}

/// The first and the last square of a double step.
pub(crate) type DoubleStep = (Square, Square);

/// The tables of one geometry and one kind of pawn.
#[derive(Debug)]
pub(crate) struct Reach {
    geometry: Geometry,
    pawn: PawnMoves,
    king: Vec<SquareSet>,
    knight: Vec<SquareSet>,
    pawn_steps: [Vec<SquareSet>; 2],
    pawn_takes: [Vec<SquareSet>; 2],
    pawn_takers: [Vec<SquareSet>; 2],
    double_steps: [Vec<[Option<DoubleStep>; 2]>; 2],
    diagonals: Vec<SquareSet>,
    straights: Vec<SquareSet>,
    between: Vec<SquareSet>,
    behind: Vec<SquareSet>,
}

impl Reach {
    /// The tables of a geometry and the pawns of orthodox chess.
    #[cfg(test)]
    fn of(geometry: Geometry) -> &'static Reach {
        let pawn = PawnMoves {
            mover: Mover::PAWN,
            squares: [geometry.full(); 2],
        };
        Reach::with(geometry, pawn)
    }

    /// The tables of a geometry and of pawns, which are made once.
    pub(crate) fn with(geometry: Geometry, pawn: PawnMoves) -> &'static Reach {
        static MADE: Mutex<Vec<&'static Reach>> = Mutex::new(Vec::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |reach: &&&Reach| (reach.geometry, reach.pawn) == (geometry, pawn);
        if let Some(reach) = made.iter().find(is_it) {
            return reach;
        }
        let reach: &'static Reach = Box::leak(Box::new(Reach::new(geometry, pawn)));
        made.push(reach);
        reach
    }

    fn new(geometry: Geometry, pawn: PawnMoves) -> Reach {
        let n = geometry.squares();
        let steps = |list: &[(i8, i8)]| -> Vec<SquareSet> {
            geometry
                .all()
                .map(|from| {
                    list.iter()
                        .filter_map(|&(files, ranks)| geometry.offset(from, files, ranks))
                        .collect()
                })
                .collect()
        };
        let pawns = |modality: Modality, back: bool| {
            Colour::BOTH.map(|colour| {
                let mover = pawn.mover.of_side(colour);
                let mover = if back { mover.reversed() } else { mover };
                let list: Vec<(i8, i8)> = mover.leaps(modality).collect();
                let reached = steps(&list).into_iter().enumerate();
                let allowed = pawn.squares[colour.index()];
                let reached = reached.map(|(from, to)| match back {
                    true if !allowed.contains(Square(from as u8)) => SquareSet::EMPTY,
                    true => to,
                    false => to & allowed,
                });
                reached.collect()
            })
        };
        let double_steps = Colour::BOTH.map(|colour| {
            let forward = if colour == Colour::White { 1 } else { -1 };
            let list = pawn.mover.doubled();
            let of = |from: Square| {
                let mut twice = list.iter().map(|&(files, ranks)| {
                    let (files, ranks) = (forward * files, forward * ranks);
                    let passed = geometry.offset(from, files, ranks)?;
                    Some((passed, geometry.offset(passed, files, ranks)?))
                });
                [(); 2].map(|()| twice.next().flatten())
            };
            geometry.all().map(of).collect()
        });
        let mut reach = Reach {
            geometry,
            pawn,
            king: steps(&[STRAIGHT, DIAGONAL].concat()),
            knight: steps(&KNIGHT),
            pawn_steps: pawns(Modality::Quiet, false),
            pawn_takes: pawns(Modality::Capture, false),
            pawn_takers: pawns(Modality::Capture, true),
            double_steps,
            diagonals: vec![SquareSet::EMPTY; n],
            straights: vec![SquareSet::EMPTY; n],
            between: vec![SquareSet::EMPTY; n * n],
            behind: vec![SquareSet::EMPTY; n * n],
        };
        for from in geometry.all() {
            for (index, direction) in STRAIGHT.into_iter().chain(DIAGONAL).enumerate() {
                let ray = reach.add_ray(from, direction);
                let lines = if index < STRAIGHT.len() {
                    &mut reach.straights
                } else {
                    &mut reach.diagonals
                };
                lines[from.index()] |= ray;
            }
        }
        reach
    }

    /// Fills in the tables for the squares of one ray, and returns the ray.
    fn add_ray(&mut self, from: Square, (files, ranks): (i8, i8)) -> SquareSet {
        let geometry = self.geometry;
        let walk = |files: i8, ranks: i8| {
            std::iter::successors(geometry.offset(from, files, ranks), move |&square| {
                geometry.offset(square, files, ranks)
            })
        };
        let ray: SquareSet = walk(files, ranks).collect();
        let mut passed = SquareSet::EMPTY;
        for to in walk(files, ranks) {
            let pair = self.pair(from, to);
            self.between[pair] = passed;
            passed.insert(to);
            self.behind[pair] = ray - passed;
        }
        ray
    }

    #[inline]
    fn pair(&self, a: Square, b: Square) -> usize {
        a.index() * self.geometry.squares() + b.index()
    }

    /// The geometry that the tables are for.
    #[inline]
    pub(crate) fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// A king's steps.
    #[inline]
    pub(crate) fn king(&self, from: Square) -> SquareSet {
        self.king[from.index()]
    }

    /// A knight's leaps.
    #[inline]
    pub(crate) fn knight(&self, from: Square) -> SquareSet {
        self.knight[from.index()]
    }

    /// The squares that a pawn steps to, double steps apart.
    #[inline]
    pub(crate) fn pawn_steps(&self, colour: Colour, from: Square) -> SquareSet {
        self.pawn_steps[colour.index()][from.index()]
    }

    /// The double steps of a pawn, if it may make any from there.
    #[inline]
    pub(crate) fn double_steps(
        &self,
        colour: Colour,
        from: Square,
    ) -> impl Iterator<Item = DoubleStep> {
        self.double_steps[colour.index()][from.index()]
            .into_iter()
            .flatten()
    }

    /// The squares that a pawn attacks.
    #[inline]
    pub(crate) fn pawn_takes(&self, colour: Colour, from: Square) -> SquareSet {
        self.pawn_takes[colour.index()][from.index()]
    }

    /// The squares from which a pawn attacks a square.
    #[inline]
    pub(crate) fn pawn_takers(&self, colour: Colour, target: Square) -> SquareSet {
        self.pawn_takers[colour.index()][target.index()]
    }

    /// The diagonals through a square, on an empty board, without the square.
    #[inline]
    pub(crate) fn diagonals(&self, from: Square) -> SquareSet {
        self.diagonals[from.index()]
    }

    /// The file and the rank through a square, on an empty board, without the
    /// square.
    #[inline]
    pub(crate) fn straights(&self, from: Square) -> SquareSet {
        self.straights[from.index()]
    }

    /// The squares strictly between two on one line; otherwise none.
    #[inline]
    pub(crate) fn between(&self, a: Square, b: Square) -> SquareSet {
        self.between[self.pair(a, b)]
    }

    /// The squares that a piece on `blocker` hides from a slider on `from`;
    /// none if they share no line.
    #[inline]
    pub(crate) fn behind(&self, from: Square, blocker: Square) -> SquareSet {
        self.behind[self.pair(from, blocker)]
    }

    /// The part of its `lines` that a slider on `from` reaches: up to and including the
    /// first piece in each direction. Going through the blockers rather than the
    /// directions is fast when pieces are few.
    #[inline]
    pub(crate) fn slide(&self, from: Square, lines: SquareSet, occupied: SquareSet) -> SquareSet {
        let mut seen = lines;
        let mut blockers = lines & occupied;
        while let Some(blocker) = blockers.first() {
            let hidden = self.behind(from, blocker);
            seen -= hidden;
            blockers -= hidden;
            blockers.remove(blocker);
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(geometry: Geometry, names: &str) -> SquareSet {
        names
            .split_whitespace()
            .map(|name| geometry.parse(name).unwrap())
            .collect()
    }

    #[test]
    fn slides_stop_at_the_first_piece() {
        let at = |name| Geometry::EIGHT.parse(name).unwrap();
        let pieces = squares(Geometry::EIGHT, "d6 d7 f4 a4 b2 d1 g7 h8");
        let (d4, eight) = (at("d4"), Reach::of(Geometry::EIGHT));
        assert_eq!(
            eight.slide(d4, eight.straights(d4), pieces),
            squares(Geometry::EIGHT, "d5 d6 e4 f4 c4 b4 a4 d3 d2 d1")
        );
        assert_eq!(
            eight.slide(d4, eight.diagonals(d4), pieces),
            squares(Geometry::EIGHT, "e5 f6 g7 c5 b6 a7 c3 b2 e3 f2 g1")
        );
    }

    #[test]
    fn lines_between_and_behind() {
        let at = |name| Geometry::NINE.parse(name).unwrap();
        let set = |names| squares(Geometry::NINE, names);
        let nine = Reach::of(Geometry::NINE);
        assert_eq!(nine.between(at("b2"), at("f6")), set("c3 d4 e5"));
        assert_eq!(nine.between(at("f6"), at("b2")), set("c3 d4 e5"));
        assert_eq!(nine.behind(at("b2"), at("f6")), set("g7 h8 i9"));
        assert_eq!(nine.between(at("a1"), at("b3")), SquareSet::EMPTY);
    }

    #[test]
    fn steps_stay_on_the_board() {
        for (files, ranks) in [(8, 8), (9, 9), (10, 8), (10, 10), (16, 8), (2, 3)] {
            let board = Geometry::new(files, ranks);
            let reach = Reach::of(board);
            let sum = |f: &dyn Fn(Square) -> SquareSet| -> usize {
                board.all().map(|square| f(square).len()).sum()
            };
            let (n, m) = (board.files as usize, board.ranks as usize);
            let kings = 2 * (n * (m - 1) + m * (n - 1) + 2 * (n - 1) * (m - 1));
            assert_eq!(sum(&|s| reach.king(s)), kings);
            let knights = 4 * ((n - 1) * (m - 2) + (n - 2) * (m - 1));
            assert_eq!(sum(&|s| reach.knight(s)), knights);
            assert_eq!(sum(&|s| reach.straights(s)), n * m * (n + m - 2));
            for colour in Colour::BOTH {
                assert_eq!(sum(&|s| reach.pawn_steps(colour, s)), n * (m - 1));
                let takes = 2 * (n - 1) * (m - 1);
                assert_eq!(sum(&|s| reach.pawn_takes(colour, s)), takes);
                assert_eq!(sum(&|s| reach.pawn_takers(colour, s)), takes);
            }
        }
    }
}
