//! Plays positions by the rules of their game: legal moves, check and endings.

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::features::End;
use crate::geometry::Geometry;
use crate::moves::{Move, MoveList};
use crate::piece::{Colour, PieceType};
use crate::position::Position;
use crate::pseudo::advance;
use crate::rules::{Rules, with_rules};
use crate::square::{Square, SquareSet};

impl Position {
    /// The legal moves; none if the game has ended.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        with_rules!(self.game, rules => rules.legal_moves(self, &mut list));
        list
    }

    /// Writes the legal moves into a list, whose memory is reused.
    pub fn legal_moves_into(&self, list: &mut MoveList) {
        list.clear();
        with_rules!(self.game, rules => rules.legal_moves(self, list));
    }

    /// The legal captures and promotions, in their order among the legal moves.
    pub fn captures_and_promotions(&self) -> MoveList {
        let mut list = MoveList::new();
        list.quiet = false;
        with_rules!(self.game, rules => rules.legal_moves(self, &mut list));
        // The rules leave out most others, not all.
        list.retain(|mv| mv.captured.is_some() || mv.promotion.is_some());
        list.quiet = true;
        list
    }

    /// Whether the side to move may have a capture, en passant apart, or a
    /// promotion. If not, it has none; if so, none of them need be legal.
    pub fn may_capture_or_promote(&self) -> bool {
        let (board, turn) = (&self.board, self.turn);
        with_rules!(self.game, rules => {
            let reach = rules.reach();
            let (powers, occupied) = (rules.powers(board, turn), board.occupied());
            let is_attacked = |square| !powers.attackers(reach, square, occupied).is_empty();
            // A step, or a double step, from the last rank.
            let last = rules.record().last_rank(turn);
            let near = |from| {
                let steps = reach.pawn_steps(turn, from);
                let mut twice = reach.double_steps(turn, from);
                last.contains(from)
                    || !(steps & last).is_empty()
                    || twice.any(|(_, to)| last.contains(to))
            };
            let mut pawns = board.by(turn) & board.piece_type(PieceType::Pawn);
            board.by(turn.other()).any(is_attacked) || pawns.any(near)
        })
    }

    /// The position after one of the [`Position::legal_moves`]. It has an e.p. square only
    /// if that counts (O2). A move of another position on a board of the same size gives a
    /// meaningless position, but does not panic.
    #[must_use]
    pub fn play(&self, mv: Move) -> Position {
        // Changed in place: a position is large enough for copies to matter.
        let mut next = *self;
        advance(&mut next, mv);
        if !next.castling.is_empty() {
            next.castling = next.castling_left(mv);
        }
        with_rules!(self.game, rules => rules.settle(self, mv, &mut next));
        next
    }

    /// The castling rights that remain of those of the previous position, with the pieces
    /// as they are now, after a move.
    #[cold]
    pub(crate) fn castling_left(&self, mv: Move) -> CastlingRights {
        let castling = self.game.record().castling.as_ref();
        castling.map_or(CastlingRights::NONE, |castling| {
            let rights = castling.after(self.castling, self.turn, mv);
            castling.kept(self.game.geometry(), &self.board, rights)
        })
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.in_check(self.turn)
    }

    /// Whether a side is in check, whoever is to move: one of its royal pieces is
    /// attacked. In most games only the side to move can be; where kings are captured, both
    /// can (C1). False for a side whose king has been captured.
    pub fn in_check(&self, colour: Colour) -> bool {
        with_rules!(self.game, rules => rules.in_check(&self.board, colour))
    }

    /// The pieces of a side that decide the game. In most games they may not be attacked
    /// after its move; in orthodox chess this is the king. Where kings are captured it is the king
    /// (C2).
    pub fn royals(&self, colour: Colour) -> SquareSet {
        with_rules!(self.game, rules => rules.royals(&self.board, colour))
    }

    /// The royal pieces of a side that are attacked, whoever is to move; none unless it is in check.
    pub fn attacked_royals(&self, colour: Colour) -> SquareSet {
        match self.in_check(colour) {
            true => with_rules!(self.game, rules => rules.attacked_royals(&self.board, colour)),
            false => SquareSet::EMPTY,
        }
    }

    /// The end of the game; `None` while it goes on.
    pub fn end(&self) -> Option<End> {
        // Most positions have moves, and one is enough.
        if with_rules!(self.game, rules => rules.goes_on(self)) {
            return None;
        }
        self.end_with(&self.legal_moves())
    }

    /// The end of the game, given the legal moves: [`Position::end`] without generating them
    /// again.
    pub fn end_with(&self, moves: &[Move]) -> Option<End> {
        with_rules!(self.game, rules => rules.end(self, moves))
    }

    /// The end of the game regardless of moves: a king has been captured (C2), the last
    /// piece of a type is gone (E6), a piece has arrived where it was to (T2). `None` otherwise,
    /// and in games that only end when there is no move.
    pub fn finished(&self) -> Option<End> {
        with_rules!(self.game, rules => rules.finished(self))
    }

    /// Whether the pieces alone show that neither side can win. In orthodox chess this is
    /// the list of O5: two bare kings; one bishop or knight more; only bishops, all on
    /// squares of one colour. Other positions may be just as dead. `None` in games without
    /// draws for lack of material.
    pub fn dead(&self) -> Option<bool> {
        self.game.has_dead_positions().then(|| is_dead(&self.board))
    }

    /// The number of lines of play of `depth` plies. A finished game has only the empty
    /// line.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|&mv| self.play(mv).perft(depth - 1)).sum()
    }

    /// [`Position::perft`] for each legal move, sorted by UCI text; empty if the game has
    /// ended or `depth` is 0.
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        let Some(rest) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let mut counts: Vec<(Move, u64)> = Vec::new();
        for &mv in &self.legal_moves() {
            let name = self.move_name(mv);
            let place = counts.partition_point(|&(other, _)| self.move_name(other) < name);
            counts.insert(place, (mv, self.play(mv).perft(rest)));
        }
        counts
    }
}

/// Whether the pieces alone show that neither side can be mated (O5).
fn is_dead(board: &Board) -> bool {
    let bishops = board.piece_type(PieceType::Bishop);
    let rest = board.occupied() - board.piece_type(PieceType::King) - bishops;
    let is_light =
        |square: Square| (Geometry::EIGHT.file(square) + Geometry::EIGHT.rank(square)) % 2 == 1;
    let light = bishops
        .into_iter()
        .filter(|&square| is_light(square))
        .count();
    match rest.len() {
        0 => light == 0 || light == bishops.len(),
        1 => bishops.is_empty() && rest == board.piece_type(PieceType::Knight),
        _ => false,
    }
}
