//! Lays out the grid that a material is solved on, as blocks, rows, lanes and words.
//!
//! A *block* is a placement of the two leading pieces, reduced by the board's
//! symmetry. The last piece is the bits of a word (the *inner* piece), the one
//! before it selects the word in a row (the *lane* piece); any further pieces are *outer*
//! and select the row in a block. A material of three pieces has one word per block.
//!
//! Each piece has a coordinate of its own, but identical outer pieces of a material that
//! is solved can share one ([`equals`]). The rows of a material whose outermost piece is a
//! pawn can be divided into [`slices`], each of which is a grid with fewer rows.

mod equals;
mod rows;
mod slices;

use retrograde_index::{Group, Index, IndexError};
use retrograde_rules::{
    Bare, Colour, DoubleStep, EnPassant, Game, Goal, Material, Pass, Piece, PieceType, Square,
    Symmetry, Transform,
};

use super::royals::Royals;
use super::steps::{MoveTable, PawnSquares};
use super::word::Word;
pub(crate) use rows::RowAt;
use slices::Slice;

/// A piece that is not a leader, and what its square adds to a place in the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinate {
    /// The place of the piece among the pieces in material order.
    pub(crate) piece: usize,
    /// The lowest square of the piece in the grid.
    pub(crate) low: usize,
    /// The number of squares from there on.
    pub(crate) squares: usize,
    /// The distance in positions from one square to the next; for pieces that share a
    /// coordinate, from one set of squares to the next.
    pub(crate) stride: usize,
}

impl Coordinate {
    /// The contribution of a square of the piece to a place in a block, if it has a coordinate of
    /// its own. Squares that the grid leaves out hold no position that is ever asked for.
    pub(crate) fn place_of(&self, square: usize) -> usize {
        square.saturating_sub(self.low).min(self.squares - 1) * self.stride
    }
}

/// The role of a piece in a row of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The piece stands on the same square in the whole row: a leader or an outer piece.
    Fixed(usize),
    /// The lane is its square.
    Lane,
    /// The bit is its square.
    Inner,
}

/// The grid of one material.
#[derive(Clone)]
pub(crate) struct Layout {
    pub(crate) game: Game,
    /// The moves of the pieces of the game.
    pub(crate) moves: &'static MoveTable,
    pub(crate) pieces: Vec<Piece>,
    /// The two leading pieces (places in `pieces`): the first of each side. If it
    /// has equals, the grid has a place for each choice of leader.
    /// `NO_LEADER` if the grid is one block without leaders.
    pub(crate) leaders: [usize; 2],
    pub(crate) royals: Royals,
    /// Whether there are spare kings that move differently from royal ones.
    pub(crate) has_spare_moves: bool,
    /// The other pieces: outer ones, then the lane piece, then the inner piece.
    pub(crate) coordinates: Vec<Coordinate>,
    /// The number of outer pieces.
    outer: usize,
    /// The outermost pieces, as many as the group has, if they share a coordinate.
    equals: Option<Group>,
    /// The rows that exist, if not all do.
    slice: Option<Slice>,
    /// The index of positions in files; it shares its blocks with the grid.
    pub(crate) index: Index,
    /// Rows per block.
    pub(crate) rows: usize,
    /// Words per row: 1, or as many as there are squares.
    pub(crate) lanes: usize,
    /// Bits per word.
    pub(crate) squares: usize,
    /// Whether a pawn's double step can be answered en passant. The squares
    /// of the rank behind that on which the pusher's pawns start, where no pawn
    /// can stand, then mean "has just arrived three ranks further on".
    pub(crate) en_passant: bool,
    /// Whether [rights to take en passant are kept beside the grid](are_beside), not in it.
    pub(crate) beside: bool,
    /// Whether moves combine words of several planes or rows, so that planes
    /// cannot be kept packed.
    pub(crate) plain_rows: bool,
    /// Whether a king can castle (C7).
    pub(crate) castling: bool,
    pub(crate) passes: Passes,
    /// Whether a side that can capture has to.
    pub(crate) must_capture: bool,
    /// Whether captures explode (M1).
    pub(crate) explodes: bool,
    /// Whether no move may give check (R1).
    pub(crate) forbids_checks: bool,
    /// The result where a side has a single piece, if that decides; `None` if neither has.
    pub(crate) bare: Option<Stripped>,
    /// Whether Black may still reach its goal right after White (R2).
    pub(crate) has_reply: bool,
    /// Whether either side may be found on its goal although the game goes on (D13, D14).
    pub(crate) lingers: bool,
    /// Who has won if White is to move and has no move, not in check and in check; then if Black
    /// is.
    won_by_stuck: [[Option<Colour>; 2]; 2],
}

/// The rule by which a side may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passes {
    Never,
    /// Whenever the position after the pass is one: the side is not in check, if check forbids
    /// moves.
    Freely,
    /// The side may pass where it would be stalemated without the pass.
    WhenStuck,
}

/// The result of a material in which a side has a single piece, where that decides (S2, D10).
#[derive(Clone, Copy)]
pub(crate) struct Stripped {
    /// Who has won; nobody if both sides have a single piece.
    pub(crate) winner: Option<Colour>,
    /// The side that may still answer with its next move.
    pub(crate) answers: Option<Colour>,
}

impl Stripped {
    fn new(bare: Bare, men: [usize; 2]) -> Option<Stripped> {
        let (side, others) = match men {
            _ if bare == Bare::Off => return None,
            [1, 1] => {
                return Some(Stripped {
                    winner: None,
                    answers: None,
                });
            }
            [1, others] => (Colour::White, others),
            [others, 1] => (Colour::Black, others),
            _ => return None,
        };
        let may_answer = bare == Bare::LossUnlessAnswered && others == 2;
        Some(Stripped {
            winner: Some(match bare {
                Bare::Win => side,
                Bare::Off | Bare::Loss | Bare::LossUnlessAnswered => side.other(),
            }),
            answers: may_answer.then_some(side),
        })
    }
}

impl Layout {
    /// The grid that a material is solved on. If a pawn that could be taken en passant
    /// would lead, there are no leaders: its squares must all be in one block.
    pub(crate) fn to_solve(game: Game, material: &Material) -> Result<Layout, IndexError> {
        let layout = Layout::new(game, material)?;
        let pawn = |&leader: &usize| layout.pieces[leader].piece_type == PieceType::Pawn;
        let passes = layout.en_passant || layout.beside;
        if passes && layout.leaders.iter().any(pawn) {
            Layout::with_leaders(game, material, [NO_LEADER; 2], None, 0)
        } else if passes {
            Ok(layout)
        } else {
            Ok(layout.share_coordinates(false))
        }
    }

    /// The grid of a material, divided into blocks.
    pub(crate) fn new(game: Game, material: &Material) -> Result<Layout, IndexError> {
        Layout::of_successor(game, material, None)
    }

    /// The grid of a material that is entered only by promotion to `promoted`: what is
    /// entered is the last piece of that kind, and it stands where pawns promote. Where the
    /// board's symmetry keeps the ranks, the grid has the positions of these ranks only.
    pub(crate) fn of_successor(
        game: Game,
        material: &Material,
        promoted: Option<Piece>,
    ) -> Result<Layout, IndexError> {
        let second = material.side_len(Colour::White);
        Layout::with_leaders(game, material, [0, second], promoted, 0)
    }

    /// The grid with these leaders. All pieces but two are outer, and at least `outer` are.
    fn with_leaders(
        game: Game,
        material: &Material,
        leaders: [usize; 2],
        promoted: Option<Piece>,
        outer: usize,
    ) -> Result<Layout, IndexError> {
        let pieces: Vec<Piece> = material.pieces().collect();
        let pawns = |colour| material.count(Piece::new(colour, PieceType::Pawn)) > 0;
        let beside = are_beside(game);
        let plain = beside || MoveTable::of(game).own_pawns.is_some();
        let en_passant = !beside
            && game.pawns().double_step != DoubleStep::None
            && game.ep_by() != EnPassant::Off
            && pawns(Colour::White)
            && pawns(Colour::Black);
        let index = Index::new(game, material)?;

        let mut others: Vec<usize> = (0..pieces.len()).filter(|m| !leaders.contains(m)).collect();
        // Pawns are outer pieces, whose empty ranks can be left out; then follow the
        // other piece types from the least to the most mobile, because moves are
        // cheapest for the inner piece.
        let keeps_ranks = matches!(index.shape().symmetry, Symmetry::None | Symmetry::Files);
        let promoted = promoted
            .filter(|_| keeps_ranks)
            .and_then(|piece| pieces.iter().rposition(|&p| p == piece));
        others.sort_by_key(|&m| (Some(m) != promoted, std::cmp::Reverse(pieces[m].piece_type)));
        let board = game.geometry();
        let (files, ranks) = (usize::from(board.files), usize::from(board.ranks));
        let outer = outer.max(others.len().saturating_sub(2)).min(others.len());
        let within = others.len() - outer;
        let mut coordinates = Vec::new();
        let mut stride = 1;
        for (place, &piece) in others.iter().rev().enumerate() {
            if place == within {
                // A row has a word at least.
                stride = stride.max(board.squares());
            }
            let (low, squares) = match (place, pieces[piece]) {
                (place, _) if place < within => (0, board.squares()),
                (_, Piece { colour, .. }) if Some(piece) == promoted => {
                    let zone = usize::from(game.pawns().promotion_ranks);
                    let lowest = match colour {
                        Colour::White => ranks - zone,
                        Colour::Black => 0,
                    };
                    (lowest * files, zone * files)
                }
                (
                    _,
                    Piece {
                        piece_type: PieceType::King,
                        ..
                    },
                ) => (0, board.squares()),
                (
                    _,
                    Piece {
                        piece_type: PieceType::Pawn,
                        colour,
                    },
                ) if beside => {
                    let range = index.shape().squares(Piece::new(colour, PieceType::Pawn));
                    (range.start.into(), range.len())
                }
                (
                    _,
                    Piece {
                        piece_type: PieceType::Pawn,
                        colour,
                    },
                ) => {
                    // From the rank that pawns start on, or the one behind
                    // it, up to the last.
                    let first = usize::from(game.pawn_home()) - usize::from(en_passant);
                    let last = usize::from(game.pawns().ranks[0].1);
                    let lowest = match colour {
                        Colour::White => first,
                        Colour::Black => ranks - 1 - last,
                    };
                    (lowest * files, (last + 1 - first) * files)
                }
                _ => (0, board.squares()),
            };
            coordinates.push(Coordinate {
                piece,
                low,
                squares,
                stride,
            });
            stride *= squares;
        }
        coordinates.reverse();
        let lanes = if within > 1 { board.squares() } else { 1 };
        let rows = coordinates[..outer].iter().map(|c| c.squares).product();
        let royals = Royals::new(game, &pieces);
        let men = Colour::BOTH.map(|side| material.side_len(side));
        let won_by_stuck = Colour::BOTH.map(|side| {
            [false, true].map(|check| game.end_without_moves(side, check, men).winner(side))
        });
        Ok(Layout {
            game,
            moves: MoveTable::of(game),
            has_spare_moves: (0..pieces.len()).any(|piece| royals.spare(piece).is_some()),
            royals,
            pieces,
            leaders,
            coordinates,
            outer,
            equals: None,
            slice: None,
            index,
            rows,
            lanes,
            squares: board.squares(),
            en_passant,
            beside,
            plain_rows: en_passant || plain && Colour::BOTH.into_iter().any(pawns),
            castling: game.castles_along_first_rank(),
            passes: match game.pass() {
                Pass::Off => Passes::Never,
                Pass::UnlessInCheck | Pass::Always => Passes::Freely,
                Pass::WhenStuck => Passes::WhenStuck,
            },
            must_capture: game.must_capture(),
            explodes: game.explodes(),
            forbids_checks: game.forbids_checks(),
            has_reply: game.has_reply(),
            lingers: game.arrivals_linger(),
            bare: Stripped::new(game.bare(), men),
            won_by_stuck,
        })
    }

    /// The board.
    #[inline(always)]
    pub(crate) fn board<W: Word>(&self) -> W::Board {
        W::board(self.game.geometry(), self.game.pawn_home(), self.moves)
    }

    /// The squares that a piece may stand on.
    pub(crate) fn squares_of<W: Word>(&self, piece: Piece) -> W {
        let squares = self.index.shape().squares(piece).map(usize::from);
        let squares = squares.filter(|&square| self.may_stand(piece, square));
        squares.fold(W::ZERO, |set, square| set | W::of(square))
    }

    /// Whether a piece may stand on a square of those of its coordinate or block: only pawns that
    /// promote on single squares may not stand on all of them.
    pub(crate) fn may_stand(&self, piece: Piece, square: usize) -> bool {
        let is_for = |squares: &PawnSquares| {
            squares.stand[piece.colour.index()].contains(Square(square as u8))
        };
        let squares = self.moves.pawn_squares.as_ref();
        piece.piece_type != PieceType::Pawn || squares.is_none_or(is_for)
    }

    /// Whether there are leaders.
    #[inline(always)]
    pub(crate) fn is_led(&self) -> bool {
        self.leaders != [NO_LEADER; 2]
    }

    /// Number of blocks.
    pub(crate) fn blocks(&self) -> usize {
        if self.is_led() {
            self.index.pairs().len()
        } else {
            1
        }
    }

    /// Words per block.
    pub(crate) fn block_words(&self) -> usize {
        self.rows * self.lanes
    }

    /// Words per plane.
    pub(crate) fn words(&self) -> usize {
        self.blocks() * self.block_words()
    }

    /// Positions per block.
    pub(crate) fn block_positions(&self) -> usize {
        self.block_words() * self.squares
    }

    /// Whether the row in a block is just the square of the only piece
    /// outside them.
    pub(crate) fn row_is_square(&self) -> bool {
        matches!(self.outer(), [one] if one.squares == self.squares)
    }

    /// The pieces outside the row.
    pub(crate) fn outer(&self) -> &[Coordinate] {
        &self.coordinates[..self.outer]
    }

    /// The piece whose square is the lane, if the material has four pieces or more.
    pub(crate) fn lane_piece(&self) -> Option<Piece> {
        match &self.coordinates[self.outer..] {
            [lane, _] => Some(self.pieces[lane.piece]),
            _ => None,
        }
    }

    /// The piece whose square is the bit, if the material has three pieces or more.
    pub(crate) fn inner_piece(&self) -> Option<Piece> {
        let within = &self.coordinates[self.outer..];
        within.last().map(|c| self.pieces[c.piece])
    }

    /// The squares of the leaders, White's first.
    pub(crate) fn block_squares(&self, block: usize) -> [usize; 2] {
        let (a, b) = self.index.pairs()[block];
        [a.index(), b.index()]
    }

    /// The block that holds a placement of the leaders, and the symmetry that
    /// takes the placement to it; `None` where the leaders cannot stand so.
    pub(crate) fn block_of(&self, leaders: [usize; 2]) -> Option<(usize, Transform)> {
        let [a, b] = leaders.map(|s| Square(s as u8));
        self.index.pair_of(a, b)
    }

    /// The role in a row of a piece, given by its place among the pieces.
    #[inline(always)]
    pub(crate) fn role<W: Word>(&self, at: &RowAt<W>, piece: usize) -> Role {
        match self.leaders.iter().position(|&l| l == piece) {
            Some(slot) => Role::Fixed(at.leaders[slot]),
            None => {
                let place = self.coordinates.iter().position(|c| c.piece == piece);
                at.role(self, place.unwrap_or_default())
            }
        }
    }

    /// The pieces of a side that are royal in some placement.
    pub(crate) fn royal_candidates(&self, side: Colour) -> &[usize] {
        let side = side.index();
        match &self.royals {
            Royals::Leaders => &self.leaders[side..=side],
            Royals::Always(pieces) => &pieces[side],
            Royals::First(order) => &order.kings[side],
        }
    }

    /// Whether a side's pawn may not make a double step after which it could be
    /// taken en passant, because it is royal (E3).
    pub(crate) fn forbids_steps(&self, pusher: Colour) -> bool {
        let mut royals = self.royal_candidates(pusher).iter();
        royals.any(|&piece| self.pieces[piece].piece_type == PieceType::Pawn)
    }

    /// Whether the game may have ended in ways that are found at ply 0: see [`Over`].
    ///
    /// [`Over`]: super::goal::Over
    pub(crate) fn may_end(&self) -> bool {
        self.has_reply || self.lingers || self.bare.is_some()
    }

    /// Who has won if a side is to move, in check or not, and has no move.
    #[inline(always)]
    pub(crate) fn won_by_stuck(&self, side: Colour, in_check: bool) -> Option<Colour> {
        self.won_by_stuck[side.index()][usize::from(in_check)]
    }

    /// Whether a side has won in some positions in which it is to move and has no move.
    pub(crate) fn wins_by_being_stuck(&self, side: Colour) -> bool {
        self.won_by_stuck[side.index()].contains(&Some(side))
    }

    /// The distance in positions from one row to the next.
    pub(crate) fn row_positions(&self) -> usize {
        self.lanes * self.squares
    }
}

/// The place of the leaders if there are none.
const NO_LEADER: usize = usize::MAX;

/// The most outer pieces: seven pieces less the lane and the inner piece.
pub(crate) const MOST_OUTER: usize = Material::MOST_PIECES - 2;

/// Whether the positions with an e.p. right of a game are kept [beside the grid][beside] and not
/// inside it: where pawns step twice from elsewhere than one rank, from before a hole or to the last
/// rank, move in another way than orthodox ones, every piece may take them, or kings are captured,
/// too.
///
/// [beside]: super::ep_beside_grid
pub(crate) fn are_beside(game: Game) -> bool {
    let pawns = game.pawns();
    let (home, _) = pawns.ranks[0];
    let fits = match pawns.double_step {
        DoubleStep::None => true,
        DoubleStep::FromHome => home > 0 && home + 3 < game.geometry().ranks,
        DoubleStep::FromAnywhere | DoubleStep::FromRanks => false,
    };
    let captured = match game.goal() {
        Goal::KingCapture(_) => true,
        Goal::Mate | Goal::Reach(_) | Goal::Extinction => false,
    };
    let takes = game.ep_by() != EnPassant::Off;
    let moves = !game.has_usual_pawns() && pawns.double_step != DoubleStep::None && takes;
    let brink = pawns.double_step != DoubleStep::None && game.steps_from_brink();
    captured || pawns.wait || !fits || brink || moves || game.ep_by() == EnPassant::All
}
