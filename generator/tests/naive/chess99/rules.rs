//! What the pieces can do (C1-C7), one board at a time.

use std::ops::ControlFlow;

use super::super::state::{Side, piece, piece_type, side};
use super::board::{Board, LINES, ahead, beside, name, rank_of};

/// The rules with their options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rules {
    /// A king's capture that leaves one's own attacked is a draw (C2).
    pub(crate) draw_in_check: bool,
    /// Pawns may wait on their last rank (C5).
    pub(crate) deferred: bool,
    /// Any piece takes en passant (C6).
    pub(crate) ep_by_any: bool,
    /// There is castling (C7).
    pub(crate) castling: bool,
}

/// The game without options.
pub(crate) const PLAIN: Rules = Rules {
    draw_in_check: true,
    deferred: true,
    ep_by_any: true,
    castling: true,
};

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Play {
    pub(crate) from: u8,
    /// Where the piece goes; in castling, the partner's square.
    pub(crate) to: u8,
    /// The piece type that a pawn becomes.
    pub(crate) becomes: Option<u8>,
    /// The square of a piece that is taken.
    pub(crate) takes: Option<u8>,
    pub(crate) what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Plain,
    /// A double step; the square passed over.
    Double(u8),
    EnPassant,
    /// A waiting pawn turns and moves.
    Deferred,
    Castling,
}

/// What is asked after each move: to go on or not.
pub(crate) type Flow = ControlFlow<()>;

impl Rules {
    /// Whether a piece on a square is a pawn that waits there.
    fn waits(&self, piece: u8, square: u8) -> bool {
        self.deferred && piece_type(piece) == b'P' && rank_of(side(piece), square) == 8
    }

    /// Whether pieces may stand like this: pawns not on their own first rank, and
    /// on their last only to wait.
    pub(crate) fn may_stand(&self, piece: u8, square: u8) -> bool {
        piece_type(piece) != b'P'
            || match rank_of(side(piece), square) {
                0 => false,
                8 => self.deferred,
                _ => true,
            }
    }

    /// Whether a piece of a side could capture on a square.
    pub(crate) fn attacks(&self, board: &Board, by: Side, square: u8) -> bool {
        let lines = &*LINES;
        for (direction, ray) in lines.rays[usize::from(square)].iter().enumerate() {
            let straight = direction < 4;
            let Some(steps) = ray.iter().position(|&at| board.piece(at) != 0) else {
                continue;
            };
            let at = ray[steps];
            let piece = board.piece(at);
            if side(piece) != by {
                continue;
            }
            let near = steps == 0;
            let hit = match piece_type(piece) {
                b'Q' => true,
                b'R' => straight,
                b'B' | b'A' => !straight,
                b'K' => near,
                b'P' if self.waits(piece, at) => !straight,
                b'P' => near && !straight && rank_of(by, at) < rank_of(by, square),
                _ => false,
            };
            if hit {
                return true;
            }
        }
        lines.leaps[usize::from(square)].iter().any(|&at| {
            let piece = board.piece(at);
            piece != 0
                && side(piece) == by
                && (matches!(piece_type(piece), b'N' | b'A') || self.waits(piece, at))
        })
    }

    /// The squares that the piece on `from` may go to, enemies included, and as
    /// what; nothing for a pawn that does not wait.
    fn goes(&self, board: &Board, from: u8, found: &mut dyn FnMut(u8, Option<u8>) -> Flow) -> Flow {
        let lines = &*LINES;
        let piece = board.piece(from);
        let own = side(piece);
        let waits = self.waits(piece, from);
        let (rays, far, leaps) = match piece_type(piece) {
            b'K' => (0..8, false, false),
            b'Q' => (0..8, true, false),
            b'R' => (0..4, true, false),
            b'B' => (4..8, true, false),
            b'A' => (4..8, true, true),
            b'N' => (0..0, false, true),
            _ if waits => (4..8, true, true),
            _ => return Flow::Continue(()),
        };
        for ray in &lines.rays[usize::from(from)][rays] {
            for &to in ray {
                if board.has(to, own) {
                    break;
                }
                found(to, waits.then_some(b'B'))?;
                if !far || board.piece(to) != 0 {
                    break;
                }
            }
        }
        if leaps {
            for &to in &lines.leaps[usize::from(from)] {
                if !board.has(to, own) {
                    found(to, waits.then_some(b'N'))?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Every move of the side whose pieces stand on `own`.
    pub(crate) fn each_play(
        &self,
        board: &Board,
        own: &[u8],
        found: &mut dyn FnMut(Play) -> Flow,
    ) -> Flow {
        for &from in own {
            let piece = board.piece(from);
            if piece_type(piece) == b'P' && !self.waits(piece, from) {
                self.pawn(board, from, found)?;
            } else {
                let what = match piece_type(piece) {
                    b'P' => What::Deferred,
                    _ => What::Plain,
                };
                self.goes(board, from, &mut |to, becomes| {
                    found(Play {
                        from,
                        to,
                        becomes,
                        takes: (board.piece(to) != 0).then_some(to),
                        what,
                    })
                })?;
            }
            if piece_type(piece) == b'K' && self.castling {
                castle(board, from, found)?;
            }
        }
        match board.ep {
            Some(ep) => self.en_passant(board, own, ep, found),
            None => Flow::Continue(()),
        }
    }

    fn pawn(&self, board: &Board, from: u8, found: &mut dyn FnMut(Play) -> Flow) -> Flow {
        let own = board.turn;
        let mut arrive = |to: u8, takes: Option<u8>, what: What| {
            let last = rank_of(own, to) == 8;
            let all = [None, Some(b'B'), Some(b'N')];
            let may = match (last, self.deferred) {
                (false, _) => &all[..1],
                (true, true) => &all[..],
                (true, false) => &all[1..],
            };
            for &becomes in may {
                found(Play {
                    from,
                    to,
                    becomes,
                    takes,
                    what,
                })?;
            }
            Flow::Continue(())
        };
        let Some(one) = ahead(own, from) else {
            return Flow::Continue(());
        };
        for to in [beside(one, -1, 0), beside(one, 1, 0)]
            .into_iter()
            .flatten()
        {
            if board.has(to, own.other()) {
                arrive(to, Some(to), What::Plain)?;
            }
        }
        if board.piece(one) != 0 {
            return Flow::Continue(());
        }
        arrive(one, None, What::Plain)?;
        match ahead(own, one) {
            Some(two) if board.piece(two) == 0 => arrive(two, None, What::Double(one)),
            _ => Flow::Continue(()),
        }
    }

    /// The captures on the square passed over, worked out with the pawn pushed
    /// back.
    fn en_passant(
        &self,
        board: &Board,
        own: &[u8],
        ep: u8,
        found: &mut dyn FnMut(Play) -> Flow,
    ) -> Flow {
        let arrival = ahead(board.turn.other(), ep);
        let mut pushed_back = *board;
        if let Some(at) = arrival {
            pushed_back.put(at, 0);
        }
        let mut take = |from: u8, becomes: Option<u8>| {
            found(Play {
                from,
                to: ep,
                becomes,
                takes: arrival,
                what: What::EnPassant,
            })
        };
        for &from in own {
            let piece = board.piece(from);
            if piece_type(piece) == b'P' && !self.waits(piece, from) {
                let one = ahead(board.turn, from);
                let takes = |files| one.and_then(|one| beside(one, files, 0)) == Some(ep);
                if takes(-1) || takes(1) {
                    take(from, None)?;
                }
            } else if self.ep_by_any {
                self.goes(&pushed_back, from, &mut |to, becomes| {
                    if to == ep {
                        take(from, becomes)
                    } else {
                        Flow::Continue(())
                    }
                })?;
            }
        }
        Flow::Continue(())
    }

    /// Whether a piece of the side to move, on `own`, takes en passant on `ep`.
    pub(crate) fn somebody_takes(&self, board: &Board, own: &[u8], ep: u8) -> bool {
        let taken = self.en_passant(board, own, ep, &mut |_| Flow::Break(()));
        taken.is_break()
    }

    /// The board after a move.
    pub(crate) fn played(&self, board: &Board, play: Play) -> Board {
        let mover = board.turn;
        let mut next = *board;
        next.turn = mover.other();
        next.ep = None;
        if play.what == What::Castling {
            let towards = if play.to > play.from { 1 } else { -1 };
            let partner = board.piece(play.to);
            next.put(play.to, 0);
            next.put(play.from, partner);
            let king = play.from.checked_add_signed(towards).unwrap();
            next.put(king, board.piece(play.from));
            return next;
        }
        if let Some(at) = play.takes {
            next.put(at, 0);
        }
        next.put(play.from, 0);
        let moving = board.piece(play.from);
        next.put(
            play.to,
            play.becomes
                .map_or(moving, |piece_type| piece(piece_type, mover)),
        );
        if let What::Double(passed) = play.what {
            let own = next.squares(next.turn);
            next.ep = Some(passed).filter(|&ep| self.somebody_takes(&next, &own, ep));
        }
        next
    }

    /// Whether a move takes the king, and if so, whether that wins.
    pub(crate) fn takes_king(&self, board: &Board, play: Play) -> Option<bool> {
        let taken = play.takes?;
        (piece_type(board.piece(taken)) == b'K').then(|| {
            let mover = board.turn;
            let after = self.played(board, play);
            let king = piece(b'K', mover);
            let king = after.at.iter().position(|&piece| piece == king).unwrap();
            !self.draw_in_check || !self.attacks(&after, mover.other(), king as u8)
        })
    }

    /// How many lines of play there are.
    pub(crate) fn perft(&self, board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        let own = board.squares(board.turn);
        let _ = self.each_play(board, &own, &mut |play| {
            nodes += match self.takes_king(board, play) {
                Some(_) => u64::from(depth == 1),
                None => self.perft(&self.played(board, play), depth - 1),
            };
            Flow::Continue(())
        });
        nodes
    }
}

/// The king castles with the first piece on either side, if that is its own.
fn castle(board: &Board, king: u8, found: &mut dyn FnMut(Play) -> Flow) -> Flow {
    let own = board.turn;
    if rank_of(own, king) != 0 {
        return Flow::Continue(());
    }
    for files in [-1, 1] {
        let mut line = (1..9).map_while(|n| beside(king, n * files, 0));
        let first = line.find(|&at| board.piece(at) != 0);
        if let Some(partner) = first.filter(|&at| board.has(at, own)) {
            found(Play {
                from: king,
                to: partner,
                becomes: None,
                takes: None,
                what: What::Castling,
            })?;
        }
    }
    Flow::Continue(())
}

impl Play {
    /// The move as programs write it.
    pub(crate) fn name(&self) -> String {
        let (from, to) = (name(self.from), name(self.to));
        let letter = self
            .becomes
            .map(|piece_type| piece_type.to_ascii_lowercase());
        let letter = letter
            .map(|c| char::from(c).to_string())
            .unwrap_or_default();
        match self.what {
            What::Castling => format!("{from}&{to}"),
            What::Deferred => format!("{from}={letter}{to}"),
            What::EnPassant if self.becomes.is_some() => format!("{from}={letter}{to}*"),
            What::EnPassant => format!("{from}{to}*"),
            What::Plain | What::Double(_) => format!("{from}{to}{letter}"),
        }
    }
}
