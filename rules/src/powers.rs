//! Finds the squares that the pieces of a side attack, by how they move, for all games.
//!
//! It does so whatever the pieces are called: this is the common basis of all games.

use crate::betza::{Modality, Mover, Parts, Ray};
use crate::board::Board;
use crate::geometry::Geometry;
use crate::piece::{Colour, Piece, PieceType};
use crate::reach::Reach;
use crate::square::{Square, SquareSet};

/// The pieces of one side, sorted by how they move. A piece may be in several sets: a
/// queen slides both ways, a paladin slides diagonally and leaps. A game derives them
/// from the board, so the powers of a piece may depend on where it stands and on the
/// other pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Powers<'a> {
    /// The side whose pieces these are; it gives pawns their direction.
    pub(crate) colour: Colour,
    /// Pieces that step like a king.
    pub(crate) king: SquareSet,
    /// Pieces that leap like a knight.
    pub(crate) knight: SquareSet,
    /// Pieces that slide diagonally.
    pub(crate) diagonal: SquareSet,
    /// Pieces that slide along files and ranks.
    pub(crate) straight: SquareSet,
    /// Pieces that capture like a pawn.
    pub(crate) pawn: SquareSet,
    /// Pieces that have other moves, too, and those of them that move in another way because
    /// of where they stand.
    pub(crate) other: SquareSet,
    pub(crate) special: SquareSet,
    /// The other moves, and the board, which tells the types of these pieces.
    pub(crate) moves: &'a OtherMoves,
    pub(crate) board: &'a Board,
}

/// Moves that are not those of king, knight, bishop, rook and pawn, by side and piece type.
#[derive(Clone, Debug)]
pub(crate) struct OtherMoves {
    by_type: [[Moves; PieceType::COUNT]; 2],
    /// The moves of pieces that move in another way because of where they stand, by side.
    special: [Moves; 2],
}

/// The moves to empty squares, and the captures.
#[derive(Clone, Debug, Default)]
struct Moves {
    quiet: Reached,
    takes: Reached,
    /// Whether these are the same.
    is_same: bool,
}

/// The leaps to each square, and the riders' steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reached {
    leaps: Vec<SquareSet>,
    rays: Vec<Ray>,
}

impl Moves {
    fn new(geometry: Geometry, mover: Mover) -> Moves {
        let [quiet, takes] = Modality::BOTH.map(|modality| {
            let reached = |from| {
                let steps = mover.leaps(modality);
                steps
                    .filter_map(|(files, ranks)| geometry.offset(from, files, ranks))
                    .collect()
            };
            match mover.is_empty() {
                true => Reached::default(),
                false => Reached {
                    leaps: geometry.all().map(reached).collect(),
                    rays: mover.rays(modality).collect(),
                },
            }
        });
        Moves {
            is_same: quiet == takes,
            quiet,
            takes,
        }
    }

    /// The squares that a piece moves to, including those of pieces that it reaches.
    fn targets(&self, geometry: Geometry, from: Square, occupied: SquareSet) -> SquareSet {
        let takes = self.takes.from(geometry, from, occupied);
        if self.is_same {
            return takes;
        }
        let quiet = self.quiet.from(geometry, from, occupied);
        (quiet - occupied) | (takes & occupied)
    }
}

impl Reached {
    /// The squares that a piece reaches.
    fn from(&self, geometry: Geometry, from: Square, occupied: SquareSet) -> SquareSet {
        let mut reached = self.leaps.get(from.index()).copied().unwrap_or_default();
        for ray in &self.rays {
            let mut at = from;
            for _ in 0..ray.most {
                let Some(next) = geometry.offset(at, ray.step.0, ray.step.1) else {
                    break;
                };
                reached.insert(next);
                if occupied.contains(next) {
                    break;
                }
                at = next;
            }
        }
        reached
    }
}

impl OtherMoves {
    /// The parts of movers that are left when the common moves are taken out.
    pub(crate) fn new(geometry: Geometry, rest: &[Mover], special: Mover) -> OtherMoves {
        let moves = |mover: Mover, colour| Moves::new(geometry, mover.of_side(colour));
        OtherMoves {
            by_type: Colour::BOTH.map(|colour| {
                std::array::from_fn(|n| moves(rest.get(n).copied().unwrap_or_default(), colour))
            }),
            special: Colour::BOTH.map(|colour| moves(special, colour)),
        }
    }

    /// The squares that a piece moves to by its other moves, and those on which it could capture
    /// by them.
    pub(crate) fn of(
        &self,
        piece: Piece,
        geometry: Geometry,
        from: Square,
        occupied: SquareSet,
    ) -> [SquareSet; 2] {
        let moves = &self.by_type[piece.colour.index()][piece.piece_type.index()];
        [
            moves.targets(geometry, from, occupied),
            moves.takes.from(geometry, from, occupied),
        ]
    }
}

impl<'a> Powers<'a> {
    /// Lets pieces move in another way, because of where they stand.
    #[inline]
    pub(crate) fn change(&mut self, pieces: SquareSet, parts: &Parts) {
        let put = |set: &mut SquareSet, has: bool| {
            *set -= pieces;
            if has {
                *set |= pieces;
            }
        };
        put(&mut self.king, parts.king);
        put(&mut self.knight, parts.knight);
        put(&mut self.diagonal, parts.diagonal);
        put(&mut self.straight, parts.straight);
        put(&mut self.pawn, false);
        put(&mut self.other, !parts.rest.is_empty());
        self.special |= pieces - self.board.piece_type(PieceType::Pawn);
    }

    /// The other moves of the piece on a square.
    fn other_moves(&self, from: Square) -> Option<&'a Moves> {
        let side = self.colour.index();
        match self.special.contains(from) {
            true => Some(&self.moves.special[side]),
            false => {
                let piece_type = self.board.piece_type_at(from)?;
                Some(&self.moves.by_type[side][piece_type.index()])
            }
        }
    }

    /// The squares that the piece on a square reaches by its other moves.
    #[cold]
    fn other_targets(&self, reach: &Reach, from: Square, occupied: SquareSet) -> SquareSet {
        let moves = self.other_moves(from);
        moves.map_or(SquareSet::EMPTY, |moves| {
            moves.targets(reach.geometry(), from, occupied)
        })
    }

    /// The squares on which the piece on a square could capture by its other moves.
    #[cold]
    fn other_attacks(&self, reach: &Reach, from: Square, occupied: SquareSet) -> SquareSet {
        let moves = self.other_moves(from);
        moves.map_or(SquareSet::EMPTY, |moves| {
            moves.takes.from(reach.geometry(), from, occupied)
        })
    }

    /// These pieces without some of them.
    pub(crate) fn without(&self, gone: SquareSet) -> Powers<'a> {
        Powers {
            colour: self.colour,
            other: self.other - gone,
            special: self.special,
            moves: self.moves,
            board: self.board,
            king: self.king - gone,
            knight: self.knight - gone,
            diagonal: self.diagonal - gone,
            straight: self.straight - gone,
            pawn: self.pawn - gone,
        }
    }

    /// The squares that a piece other than a pawn reaches, including own pieces.
    #[inline]
    pub(crate) fn targets(&self, reach: &Reach, from: Square, occupied: SquareSet) -> SquareSet {
        let mut steps = SquareSet::EMPTY;
        let mut lines = SquareSet::EMPTY;
        if self.king.contains(from) {
            steps |= reach.king(from);
        }
        if self.knight.contains(from) {
            steps |= reach.knight(from);
        }
        if self.diagonal.contains(from) {
            lines |= reach.diagonals(from);
        }
        if self.straight.contains(from) {
            lines |= reach.straights(from);
        }
        if self.other.contains(from) {
            steps |= self.other_targets(reach, from, occupied);
        }
        steps | reach.slide(from, lines, occupied)
    }

    /// All squares on which these pieces could capture.
    #[inline]
    pub(crate) fn attacked(&self, reach: &Reach, occupied: SquareSet) -> SquareSet {
        let mut attacked = SquareSet::EMPTY;
        for from in self.king {
            attacked |= reach.king(from);
        }
        for from in self.knight {
            attacked |= reach.knight(from);
        }
        for from in self.pawn {
            attacked |= reach.pawn_takes(self.colour, from);
        }
        for from in self.diagonal {
            attacked |= reach.slide(from, reach.diagonals(from), occupied);
        }
        for from in self.straight {
            attacked |= reach.slide(from, reach.straights(from), occupied);
        }
        for from in self.other {
            attacked |= self.other_attacks(reach, from, occupied);
        }
        attacked
    }

    /// The sliders that would attack `target` on an empty board.
    #[inline]
    pub(crate) fn aimed(&self, reach: &Reach, target: Square) -> SquareSet {
        (reach.diagonals(target) & self.diagonal) | (reach.straights(target) & self.straight)
    }

    /// The pieces that attack `target`.
    // Dominates the cost of setting up a position, and is too large for the compiler to
    // inline by itself when several games call it.
    #[inline(always)]
    pub(crate) fn attackers(
        &self,
        reach: &Reach,
        target: Square,
        occupied: SquareSet,
    ) -> SquareSet {
        let mut attackers = (reach.king(target) & self.king)
            | (reach.knight(target) & self.knight)
            | (reach.pawn_takers(self.colour, target) & self.pawn);
        for slider in self.aimed(reach, target) {
            if (reach.between(target, slider) & occupied).is_empty() {
                attackers.insert(slider);
            }
        }
        for from in self.other {
            if self.other_attacks(reach, from, occupied).contains(target) {
                attackers.insert(from);
            }
        }
        attackers
    }
}

/// The restrictions on the side to move because its piece on `royal` may not be attacked
/// after the move. They hold for moves of other pieces that capture where they arrive;
/// en passant is tested separately. Against pieces with moves beyond the common ones there is
/// no guard: such a piece may attack along a line without passing the squares between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    royal: Square,
    /// The squares that other pieces may go to: all, those on the line of the one attacker, or
    /// none.
    allowed: SquareSet,
    /// Pieces that must stay between `royal` and one of `pinners`, or capture it.
    pinned: SquareSet,
    /// Sliders that attack `royal` if a pinned piece goes.
    pinners: SquareSet,
}

impl Guard {
    /// The guard of a royal piece of the side whose pieces stand on `own`, against
    /// the pieces of `enemy`; `attacked` tells whether it is attacked.
    #[inline]
    pub(crate) fn new(
        reach: &Reach,
        royal: Square,
        attacked: bool,
        own: SquareSet,
        enemy: &Powers,
        occupied: SquareSet,
    ) -> Guard {
        let mut allowed = !SquareSet::EMPTY;
        if attacked {
            let attackers = enemy.attackers(reach, royal, occupied);
            allowed = match (attackers.first(), attackers.len()) {
                (Some(only), 1) => reach.between(royal, only) | attackers,
                _ => SquareSet::EMPTY,
            };
        }
        let (mut pinned, mut pinners) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for slider in enemy.aimed(reach, royal) {
            let shield = reach.between(royal, slider) & occupied;
            if shield.len() == 1 {
                pinned |= shield & own;
                pinners.insert(slider);
            }
        }
        Guard {
            royal,
            allowed,
            pinned,
            pinners,
        }
    }

    /// The squares that the piece on `from` may go to as far as the royal piece is concerned.
    #[inline]
    pub(crate) fn allowed(&self, reach: &Reach, from: Square) -> SquareSet {
        if !self.pinned.contains(from) {
            return self.allowed;
        }
        // A leap along the line over the royal piece or the pinner leaves both to face each other.
        let mut paths = self
            .pinners
            .map(|pinner| reach.between(self.royal, pinner) | SquareSet::of(pinner));
        let path = paths.find(|path| path.contains(from));
        self.allowed & path.unwrap_or_default()
    }
}
