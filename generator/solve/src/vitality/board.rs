//! Lays out the grid of a material with vitality: kings, then pawns, then officers.
//!
//! The layout of a material puts pawns outside officers, so a block is a list of pawn
//! placements, each with room for all squares of the officers. Pawn moves are irreversible
//! and restore vitality, so they are conversions here, and placements are solved level by
//! level, the furthest advanced first. The mirror image of a placement is on the same
//! level.

use std::collections::BTreeMap;

use retrograde_rules::{Colour, Piece, PieceType, Square, Transform, VitalityRules};

use super::super::layout::{Coordinate, Layout};
use super::super::movement::{Between, targets};
use super::super::squares::{ahead, double_step, members, open_square};
use super::super::word::{BoardShape, Word};
use super::super::word64::Eight;
use super::kernel::{SQUARES, STRIP};

/// A move of a king from a block.
pub(super) struct KingMove {
    /// The block that it leads to.
    pub(super) block: usize,
    /// The symmetry that takes the board there.
    pub(super) transform: Transform,
    /// Whether the mover is High after it (H1), so that it is free.
    pub(super) free: bool,
}

/// The grid of a material, as it stays while the material is solved.
pub(super) struct LevelGrid<'a> {
    pub(super) layout: &'a Layout,
    pub(super) between: Between<u64>,
    /// The moves of the kings, by side and block.
    pub(super) kings: [Vec<Vec<KingMove>>; 2],
    /// The side that is High at equal distances (H1).
    pub(super) ties: Colour,
    /// The distances of the kings from the centre (H1), by block.
    pub(super) distances: Vec<[u8; 2]>,
    /// The side that is High (H1), by block.
    pub(super) high: Vec<Colour>,
    /// The number of placements of the officers: 1 if there are none.
    pub(super) officers: usize,
    /// The images under every symmetry of the placements of the officers that are outside a strip.
    outer_images: [Vec<usize>; Transform::ALL.len()],
}

/// A pawn's move within the material.
pub(super) struct Push {
    /// The placement of the pawns after it, or, if the double step can be answered en
    /// passant, the one where its value is looked up.
    pub(super) placement: usize,
    /// Squares that must be empty of kings and officers.
    pub(super) clear: u64,
}

impl<'a> LevelGrid<'a> {
    pub(super) fn new(layout: &'a Layout, rules: &VitalityRules) -> LevelGrid<'a> {
        let distances: Vec<[u8; 2]> = (0..layout.blocks())
            .map(|block| {
                let squares = layout.block_squares(block);
                squares.map(|square| rules.distance(Square(square as u8)))
            })
            .collect();
        let higher = |distances: &[u8; 2]| {
            let (tied, other) = (rules.ties(), rules.ties().other());
            match distances[other.index()] < distances[tied.index()] {
                true => other,
                false => tied,
            }
        };
        let high: Vec<Colour> = distances.iter().map(higher).collect();
        let kings = Colour::BOTH.map(|side| {
            let moves = |block| king_moves(layout, &high, side, block);
            (0..layout.blocks()).map(moves).collect()
        });
        let officers = layout.block_positions() / LevelGrid::pawn_placements(layout);
        let mut board = LevelGrid {
            layout,
            between: Between::new(layout.board::<u64>()),
            kings,
            ties: rules.ties(),
            distances,
            high,
            officers,
            outer_images: Default::default(),
        };
        board.outer_images = Transform::ALL.map(|transform| {
            let image = |outer| board.outer_image(outer, transform);
            (0..officers.div_ceil(STRIP)).map(image).collect()
        });
        board
    }

    /// The board.
    fn board(&self) -> Eight {
        self.layout.board::<u64>()
    }

    /// The number of placements of the pawns in a block, impossible ones included.
    pub(super) fn pawn_placements(layout: &Layout) -> usize {
        // Two bare kings have a word per block, too, of which one bit is a position; it must
        // not be transformed as if it stood for squares of officers.
        match layout.coordinates.len() {
            0 => layout.block_positions(),
            _ => pawns(layout).map(|c| c.squares).product(),
        }
    }

    /// Whether a turn that leaves the kings where they are is free for the mover.
    pub(super) fn stays_free(&self, block: usize, side: Colour) -> bool {
        self.high[block] == side
    }

    /// The coordinates of the pawns.
    pub(super) fn pawns(&self) -> impl Iterator<Item = (Piece, &Coordinate)> {
        pawns(self.layout).map(|c| (self.layout.pieces[c.piece], c))
    }

    /// The coordinates of the officers.
    pub(super) fn officers(&self) -> &[Coordinate] {
        &self.layout.coordinates[pawns(self.layout).count()..]
    }

    /// Coordinates of officers outside a strip.
    pub(super) fn outer(&self) -> &[Coordinate] {
        let officers = self.officers();
        &officers[..officers.len().saturating_sub(2)]
    }

    /// The squares of the officers outside strip number `outer` of a placement.
    pub(super) fn outer_squares(&self, outer: usize) -> impl Iterator<Item = usize> {
        let position = outer * STRIP;
        let squares = move |c: &Coordinate| position / c.stride % c.squares + c.low;
        self.outer().iter().map(squares)
    }

    fn outer_image(&self, outer: usize, transform: Transform) -> usize {
        let squares = self.outer_squares(outer).zip(self.outer());
        let position: usize = squares
            .map(|(square, c)| self.board().image(transform, square) * c.stride)
            .sum();
        position / STRIP
    }

    /// The strip that a strip becomes under a symmetry.
    #[inline]
    pub(super) fn image_of_outer(&self, outer: usize, transform: Transform) -> usize {
        self.outer_images[transform.index()][outer]
    }

    /// The bytes that are processed at a time.
    pub(super) fn strip(&self) -> usize {
        self.officers.min(STRIP)
    }

    /// The squares of the pawns in a placement.
    fn pawn_squares(&self, placement: usize) -> impl Iterator<Item = usize> {
        let position = placement * self.officers;
        let square = move |(_, c): (Piece, &Coordinate)| position / c.stride % c.squares + c.low;
        self.pawns().map(square)
    }

    /// The squares of the pawns, `None` if they cannot stand there.
    pub(super) fn occupied_by_pawns(&self, placement: usize) -> Option<u64> {
        let mut occupied = 0;
        for square in self.pawn_squares(placement) {
            let rank = square / 8;
            if rank == 0 || rank == 7 || occupied.has(square) {
                return None;
            }
            occupied |= u64::of(square);
        }
        Some(occupied)
    }

    /// The placement of the pawns under a symmetry.
    pub(super) fn pawn_image(&self, placement: usize, transform: Transform) -> usize {
        let squares = self.pawn_squares(placement).zip(self.pawns());
        let position: usize = squares
            .map(|(square, (_, c))| (self.board().image(transform, square) - c.low) * c.stride)
            .sum();
        position / self.officers
    }

    /// The placements of the pawns, level by level in the order in which they
    /// are solved.
    pub(super) fn levels(&self) -> Vec<Level> {
        let all = self.layout.block_positions() / self.officers;
        let mut placements: Vec<(usize, usize)> = (0..all)
            .filter(|&placement| self.occupied_by_pawns(placement).is_some())
            .map(|placement| {
                let ranks = |(square, (piece, _)): (usize, (Piece, _))| match piece.colour {
                    Colour::White => 7 - square / 8,
                    Colour::Black => square / 8,
                };
                let squares = self.pawn_squares(placement).zip(self.pawns());
                (squares.map(ranks).sum(), placement)
            })
            .collect();
        placements.sort_unstable();
        placements
            .chunk_by(|a, b| a.0 == b.0)
            .map(|level| {
                let placements: Vec<usize> = level.iter().map(|l| l.1).collect();
                let mirror = placements.iter().map(|&placement| {
                    let image = self.pawn_image(placement, Transform::FLIP_FILES);
                    placements.binary_search(&image).unwrap_or_default()
                });
                Level {
                    mirror: mirror.collect(),
                    placements,
                }
            })
            .collect()
    }

    /// The number of placements of the largest of [`LevelGrid::levels`]. They are counted, not
    /// listed: there may be hundreds of millions.
    pub(super) fn most_in_level(layout: &Layout) -> usize {
        if layout.coordinates.is_empty() {
            return LevelGrid::pawn_placements(layout);
        }
        let count = |side: Colour| {
            let pieces = pawns(layout).map(|c| layout.pieces[c.piece]);
            pieces.filter(|piece| piece.colour == side).count()
        };
        let pawns = Colour::BOTH.map(count);
        // By the pawns of White and of Black that stand on the squares so far, and by level:
        // first how many sets of squares there are, then in how many orders.
        let mut sets = BTreeMap::from([(([0, 0], 0), 1)]);
        for rank in (1..7).flat_map(|rank| [rank; SQUARES / 8]) {
            for ((there, level), count) in sets.clone() {
                for (side, steps) in [(0, 7 - rank), (1, rank)] {
                    let mut there: [usize; 2] = there;
                    there[side] += 1;
                    if there[side] <= pawns[side] {
                        *sets.entry((there, level + steps)).or_insert(0) += count;
                    }
                }
            }
        }
        let orders: usize = pawns.into_iter().flat_map(|pawns| 1..=pawns).product();
        let all = sets.into_iter().filter(|((there, _), _)| *there == pawns);
        all.map(|(_, count)| count * orders).max().unwrap_or(0)
    }

    /// The pawn moves of a side within the material from a placement.
    pub(super) fn pushes(&self, placement: usize, side: Colour) -> Vec<Push> {
        let mut list = Vec::new();
        let occupied = self.occupied_by_pawns(placement).unwrap_or_default();
        let squares: Vec<usize> = self.pawn_squares(placement).collect();
        for (pawn, (piece, coordinate)) in self.pawns().enumerate() {
            let square = squares[pawn];
            let to = |square: usize| {
                let others = squares.iter().enumerate().zip(self.pawns());
                let position: usize = others
                    .map(|((place, &stands), (_, c))| {
                        (if place == pawn { square } else { stands } - c.low) * c.stride
                    })
                    .sum();
                position / self.officers
            };
            if piece.colour != side {
                continue;
            }
            let Some(one) = ahead(self.board(), square, side, 1).filter(|&s| !occupied.has(s))
            else {
                continue;
            };
            if ahead(self.board(), one, side, 1).is_none() {
                continue; // a promotion
            }
            list.push(Push {
                placement: to(one),
                clear: u64::of(one),
            });
            let Some(two) = double_step(self.board(), square, side).filter(|&s| !occupied.has(s))
            else {
                continue;
            };
            let arrived = if self.takers(placement, side.other(), two).is_empty() {
                two
            } else {
                debug_assert_eq!(coordinate.low, 0, "pawns of both sides have all squares");
                open_square(self.board(), two, side)
            };
            list.push(Push {
                placement: to(arrived),
                clear: u64::of(one) | u64::of(two),
            });
        }
        list
    }

    /// The pawns of `side` that stand beside a square.
    fn takers(&self, placement: usize, side: Colour, arrival: usize) -> u64 {
        let beside = u64::of(arrival).shift((1, 0)) | u64::of(arrival).shift((-1, 0));
        let squares = self.pawn_squares(placement).zip(self.pawns());
        squares
            .filter(|(_, (piece, _))| piece.colour == side)
            .fold(0, |set, (square, _)| set | u64::of(square))
            & beside
    }

    /// The placements that represent this one after a double step of a pawn of `pusher`
    /// that can be answered en passant.
    pub(super) fn open_placements(&self, placement: usize, pusher: Colour) -> Vec<usize> {
        let squares: Vec<usize> = self.pawn_squares(placement).collect();
        let mut list = Vec::new();
        for (&square, (piece, c)) in squares.iter().zip(self.pawns()) {
            let Some(origin) = ahead(self.board(), square, pusher.other(), 2) else {
                continue;
            };
            if piece.colour != pusher || double_step(self.board(), origin, pusher) != Some(square) {
                continue;
            }
            if !self.takers(placement, pusher.other(), square).is_empty() {
                let open = open_square(self.board(), square, pusher);
                let position = placement * self.officers + (open * c.stride) - square * c.stride;
                list.push(position / self.officers);
            }
        }
        list
    }
}

/// Placements of pawns from which no pawn move leads to one another.
pub(super) struct Level {
    /// The placements of the level, in ascending order.
    pub(super) placements: Vec<usize>,
    /// The place in the level of each one's mirror image.
    pub(super) mirror: Vec<usize>,
}

impl Level {
    /// The place in the level of the image of a placement.
    #[inline]
    pub(super) fn image(&self, place: usize, transform: Transform) -> usize {
        // Without pawns there is one placement; with pawns one symmetry.
        if transform.flips_files() {
            self.mirror[place]
        } else {
            place
        }
    }
}

fn pawns(layout: &Layout) -> impl Iterator<Item = &Coordinate> {
    let is_pawn = |c: &&Coordinate| layout.pieces[c.piece].piece_type == PieceType::Pawn;
    layout.coordinates.iter().filter(is_pawn)
}

fn king_moves(layout: &Layout, high: &[Colour], side: Colour, block: usize) -> Vec<KingMove> {
    let me = side.index();
    let leaders = layout.block_squares(block);
    let king = layout.pieces[layout.leaders[me]];
    let occupied = u64::of(leaders[0]) | u64::of(leaders[1]);
    members(targets(layout.board::<u64>(), king, leaders[me], occupied) & !occupied)
        .filter_map(|square| {
            let mut moved = leaders;
            moved[me] = square;
            let (block, transform) = layout.block_of(moved)?;
            Some(KingMove {
                block,
                transform,
                free: high[block] == side,
            })
        })
        .collect()
}

/// Squares of officers in a strip, as masks of a lane: 0xFF on squares of the
/// set.
pub(super) fn lane_mask(squares: u64) -> [u8; SQUARES] {
    std::array::from_fn(|square| if squares.has(square) { 0xFF } else { 0 })
}

#[cfg(test)]
mod tests {
    use retrograde_rules::{Game, Material};

    use super::*;

    #[test]
    fn levels_are_counted_as_they_are_listed() {
        let game = Game::parse("high-chess").unwrap();
        for name in [
            "KvK", "KRvK", "KPvK", "KPvKP", "KPPvK", "KPPvKP", "KRPvKP", "KPPPvKP",
        ] {
            let material = Material::parse(game, name).unwrap();
            let layout = Layout::new(game, &material).unwrap();
            let rules = game.vitality().unwrap();
            let levels = LevelGrid::new(&layout, rules).levels().into_iter();
            let most = levels.map(|level| level.placements.len()).max();
            assert_eq!(Some(LevelGrid::most_in_level(&layout)), most, "{name}");
        }
    }
}
