//! Playing: legal moves, check, endings, by the rules of the chosen game.

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::end::End;
use crate::game::{Game, with_rules};
use crate::games::Rules;
use crate::moves::{Move, MoveList};
use crate::piece::Colour;
use crate::position::Position;
use crate::pseudo::moved;
use crate::square::SquareSet;

impl Game {
    /// The legal moves; none if the game has ended.
    #[inline]
    pub fn legal_moves(self, position: &Position) -> MoveList {
        let mut list = MoveList::new();
        with_rules!(self, rules => rules.legal_moves(position, &mut list));
        list
    }

    /// Writes the legal moves into a list that is used again and again.
    #[inline]
    pub fn legal_moves_into(self, position: &Position, list: &mut MoveList) {
        list.clear();
        with_rules!(self, rules => rules.legal_moves(position, list));
    }

    /// The position after a move from [`Game::legal_moves`] of this position.
    /// It has an e.p. square only if that counts (O2).
    #[inline]
    pub fn play(self, position: &Position, mv: Move) -> Position {
        let mut next = moved(position, mv);
        if !next.castling.is_empty() {
            next.castling = self.castling_after(&next);
        }
        with_rules!(self, rules => rules.settle(position, mv, &mut next));
        next
    }

    /// What is left of the castling rights that a position had before the move
    /// that led to these pieces.
    #[cold]
    fn castling_after(self, next: &Position) -> CastlingRights {
        let castling = self.rules().castling();
        castling.map_or(CastlingRights::NONE, |castling| {
            castling.kept(self.geometry(), &next.board, next.castling)
        })
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(self, position: &Position) -> bool {
        self.in_check(&position.board, position.turn)
    }

    /// Whether a side is in check, whoever is to move: one of its royal pieces is
    /// attacked. In most games only the side to move can be; in Chess 99 both
    /// can (C1). False for a side whose king has been captured.
    #[inline]
    pub fn in_check(self, board: &Board, colour: Colour) -> bool {
        with_rules!(self, rules => rules.in_check(board, colour))
    }

    /// The pieces of a side that decide the game. In most games they may not be
    /// attacked after its move: in orthodox chess its king. In Chess 99 it is
    /// the king that is to be captured (C2).
    #[inline]
    pub fn royals(self, board: &Board, colour: Colour) -> SquareSet {
        with_rules!(self, rules => rules.royals(board, colour))
    }

    /// How the game has ended; `None` while it goes on.
    pub fn end(self, position: &Position) -> Option<End> {
        self.end_with(position, &self.legal_moves(position))
    }

    /// How the game has ended, for who has the legal moves at hand: the same
    /// as [`Game::end`], without making them again.
    #[inline]
    pub fn end_with(self, position: &Position, moves: &[Move]) -> Option<End> {
        with_rules!(self, rules => rules.end(position, moves))
    }

    /// How the game has ended whatever moves there would be: the king has been
    /// captured (C2), the last piece of a piece type is gone (E6). `None` where that has
    /// not happened, and in games that end by having no move alone.
    #[inline]
    pub fn finished(self, position: &Position) -> Option<End> {
        with_rules!(self, rules => rules.finished(position))
    }

    /// Whether the pieces on the board show by themselves that nobody can win
    /// any more. In orthodox chess that is O5's list: two bare kings; one
    /// bishop or knight more; bishops alone, all on squares of one colour.
    /// Other positions may be just as dead. `None` in games without draws by
    /// lack of pieces.
    pub fn dead(self, board: &Board) -> Option<bool> {
        self.rules().dead(board)
    }

    /// How many lines of `depth` plies there are. A finished game has none
    /// but the empty one.
    pub fn perft(self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.legal_moves(position);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|&mv| self.perft(&self.play(position, mv), depth - 1))
            .sum()
    }

    /// [`Game::perft`] for each legal move apart, in UCI order; empty if the
    /// game has ended or `depth` is 0.
    pub fn divide(self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        let Some(rest) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let mut counts: Vec<(Move, u64)> = self
            .legal_moves(position)
            .iter()
            .map(|&mv| (mv, self.perft(&self.play(position, mv), rest)))
            .collect();
        counts.sort_by_cached_key(|(mv, _)| mv.uci(self));
        counts
    }
}
