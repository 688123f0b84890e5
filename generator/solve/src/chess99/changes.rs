//! The moves of Chess 99 that leave a material, by piece type.

use retrograde_rules::{Colour, EnPassant, Game, Material, Piece, PieceType};

use super::super::layout::Layout;
use super::super::movement::{self, MoveTable};
use super::super::squares::first_rank;
use super::super::successor::{Passage, Successor};
use super::super::word::{BoardShape, Word};

/// A way in which a piece can capture or promote; a pawn has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceChange {
    /// The piece type that it attacks as.
    pub(super) acts: PieceType,
    /// What it is afterwards.
    pub(super) becomes: PieceType,
    /// Where it must stand.
    pub(super) from: Part,
    /// Where it must arrive.
    pub(super) to: Part,
}

/// A part of the board, from the point of view of a side.
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

/// The ways in which a piece can capture a piece that is not the king.
pub(super) fn captures(game: Game, piece_type: PieceType) -> Vec<PieceChange> {
    let way = |acts, becomes, from, to| PieceChange {
        acts,
        becomes,
        from,
        to,
    };
    if piece_type != PieceType::Pawn {
        return vec![way(piece_type, piece_type, Part::All, Part::All)];
    }
    let waits = game.pawns().wait;
    let stays = if waits { Part::All } else { Part::AllButLast };
    let mut list = vec![way(
        PieceType::Pawn,
        PieceType::Pawn,
        Part::AllButLast,
        stays,
    )];
    for &piece_type in game.promotions() {
        list.push(way(
            PieceType::Pawn,
            piece_type,
            Part::AllButLast,
            Part::Last,
        ));
        if waits {
            list.push(way(piece_type, piece_type, Part::Last, Part::All));
        }
    }
    list
}

/// The ways in which a piece can capture en passant.
pub(super) fn en_passants(game: Game, piece_type: PieceType) -> Vec<PieceChange> {
    let any = game.ep_by() == EnPassant::All;
    let mut list = captures(game, piece_type);
    // The passed square is on nobody's last rank.
    list.retain(|way| way.to != Part::Last && (any || way.acts == PieceType::Pawn));
    list
}

/// The pieces that a piece attacks as, and from where.
pub(super) fn attacks(game: Game, piece: Piece) -> Vec<(Piece, Part)> {
    match (piece.piece_type, MoveTable::of(game).waiting) {
        (PieceType::Pawn, Some(waiting)) => vec![
            (piece, Part::AllButLast),
            (Piece::new(piece.colour, waiting), Part::Last),
        ],
        _ => vec![(piece, Part::All)],
    }
}

/// The pieces after a move: one may change its type, one may be captured.
pub(super) fn pieces_after(
    pieces: &[Piece],
    mover: usize,
    becomes: PieceType,
    victim: Option<usize>,
) -> Vec<Option<Piece>> {
    let mut after: Vec<Option<Piece>> = pieces.iter().copied().map(Some).collect();
    after[mover] = Some(Piece::new(pieces[mover].colour, becomes));
    if let Some(victim) = victim {
        after[victim] = None;
    }
    after
}

/// The normal form of the material with these pieces, and whether its colours are swapped.
pub(super) fn normal_after(game: Game, pieces: &[Option<Piece>]) -> (Material, bool) {
    Material::of(pieces.iter().flatten().copied()).normal(game)
}

/// The materials that captures and promotions lead to, each once.
pub(crate) fn successors(game: Game, material: &Material) -> Vec<Material> {
    let pieces: Vec<Piece> = material.pieces().collect();
    let mut list = Vec::new();
    for (mover, piece) in pieces.iter().enumerate() {
        let victims = || {
            let pieces = pieces.iter().enumerate();
            pieces.filter(|(_, v)| v.colour != piece.colour && v.piece_type != PieceType::King)
        };
        for way in captures(game, piece.piece_type) {
            for (victim, _) in victims() {
                list.push(pieces_after(&pieces, mover, way.becomes, Some(victim)));
            }
        }
        if piece.piece_type == PieceType::Pawn {
            for &piece_type in game.promotions() {
                let promoted = pieces_after(&pieces, mover, piece_type, None);
                // A pawn that promotes after a double step can be taken, too;
                // that leads where captures of the pawn lead.
                list.push(promoted);
            }
        }
    }
    let mut list: Vec<Material> = list
        .iter()
        .map(|pieces| normal_after(game, pieces).0)
        .collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// The squares that a leader can move to.
pub(super) fn leader_targets<W: Word>(layout: &Layout, leaders: [usize; 2], slot: usize) -> W {
    let board = layout.board::<W>();
    let piece = layout.pieces[layout.leaders[slot]];
    let occupied = W::of(leaders[0]) | W::of(leaders[1]);
    movement::attacks::<W>(board, piece, leaders[slot], occupied) & !occupied
}

/// The passage for a change of the pieces.
pub(super) fn passage<'a>(
    game: Game,
    pieces: &[Piece],
    (mover, becomes): (usize, PieceType),
    victim: Option<usize>,
    find: &impl Fn(&Material) -> &'a Successor,
) -> Passage<'a> {
    let after = pieces_after(pieces, mover, becomes, victim);
    let (material, swapped) = normal_after(game, &after);
    Passage::new(&after, find(&material), swapped)
}
