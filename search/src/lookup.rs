//! Answers questions about a position from rules and tables, without a search.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use retrograde_probe::{Dtm, ProbeError, Tablebase};
use retrograde_rules::{Bare, CaptureInCheck, Colour, Game, Goal, Material, Position, Setup};

use crate::questions::{Aim, Ask, Outcome};

/// The knowledge of a position without searching it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The winner, the fifty-move rule aside.
    pub(crate) winner: Option<Colour>,
    /// The least plies to the win; `None` for draws, and if no table tells.
    pub(crate) depth: Option<u16>,
    /// The winner at the position's half-move clock (O7); `None` if the tables do not tell.
    pub(crate) winner_now: Option<Option<Colour>>,
}

impl Known {
    /// The answer to a question, if this tells.
    pub(crate) fn answer(self, ask: Ask, plies: u16) -> Option<Outcome> {
        if ask.aim == Aim::End && self.winner == Some(ask.side) {
            return self.depth.map(|depth| match depth <= plies {
                true => Outcome::Yes(depth),
                false => Outcome::No(depth - 1),
            });
        }
        let winner = match ask.aim.has_clock() {
            true => self.winner_now?,
            false => self.winner,
        };
        Some(ask.of_end(winner))
    }
}

impl Known {
    const DRAW: Known = Known {
        winner: None,
        depth: None,
        winner_now: Some(None),
    };
}

/// The rules of a game, and the available tables.
pub(crate) struct Oracle<'a> {
    tables: &'a Tablebase,
    game: Game,
    /// The materials that have a table, in both colourings.
    materials: HashSet<Material>,
    /// The number of pieces of the largest of them, at least that of bare kings.
    most: usize,
    /// The limit of the fifty-move rule: see [`Game::zeroing_limit`].
    limit: Option<u32>,
    /// Positions that count as drawn: see [`Search::drawn`](crate::Search::drawn).
    pub(crate) drawn: HashSet<Setup>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(tables: &'a Tablebase) -> Oracle<'a> {
        let game = tables.game();
        let materials: HashSet<Material> = tables
            .tables()
            .flat_map(|(material, _)| [material, material.swapped()])
            .collect();
        Oracle {
            tables,
            game,
            most: materials.iter().map(Material::len).fold(2, usize::max),
            materials,
            limit: game.zeroing_limit(),
            drawn: HashSet::new(),
        }
    }

    pub(crate) fn tables(&self) -> &'a Tablebase {
        self.tables
    }

    /// The number of plies without a capture or pawn move after which a draw can be
    /// claimed (O7).
    pub(crate) fn limit(&self) -> Option<u32> {
        self.limit
    }

    /// Whether a draw can be claimed by the fifty-move rule (O7).
    pub(crate) fn is_late(&self, position: &Position) -> bool {
        self.limit
            .is_some_and(|limit| position.halfmoves() >= limit)
    }

    /// Whether wins are measured in plies, and games can be drawn. In games with vitality neither
    /// is so: the counters decide.
    pub(crate) fn has_depths(&self) -> bool {
        self.game.vitality().is_none()
    }

    /// The winner of a position without legal moves, in which the game has ended.
    pub(crate) fn winner_at_end(&self, position: &Position) -> Option<Colour> {
        let end = position.end_with(&[]);
        end.and_then(|end| end.winner(position.turn()))
    }

    /// Whether the winner, if there is one, is always the side that made the last move. Not
    /// in games in which a move may lose at once: by exhaustion (H6), by capturing the
    /// king in check (C2), by promoting the last pawn (E6), by taking the last piece where
    /// that loses, by a stalemate that wins, by stripping a side where that loses (D10), or by not
    /// answering (R2, S2, D13, D14).
    pub(crate) fn winner_moves_last(&self) -> bool {
        let may_fail_to_answer = self.game.has_reply()
            || self.game.arrivals_linger()
            || matches!(self.game.bare(), Bare::LossUnlessAnswered | Bare::Win);
        if self.game.stuck_may_win() || may_fail_to_answer {
            return false;
        }
        match self.game.goal() {
            Goal::Mate | Goal::Reach(_) => {
                self.game.vitality().is_none() && !self.game.lacks_royals()
            }
            Goal::KingCapture(in_check) => in_check != CaptureInCheck::Loss,
            Goal::Extinction => false,
        }
    }

    /// Whether a side may have won in a position. It need not have; but if this is false,
    /// none has.
    pub(crate) fn may_be_won(&self, position: &Position) -> bool {
        let is_exhausted = position
            .vitality()
            .is_some_and(|left| left.white == 0 || left.black == 0);
        is_exhausted
            || position.finished().is_some()
            || self.game.stalemate_may_lose()
            || self.game.stuck_may_win()
            || match self.game.goal() {
                Goal::Mate | Goal::Reach(_) => position.is_check(),
                Goal::KingCapture(_) | Goal::Extinction => false,
            }
    }

    /// Whether so many plies may lead to positions with as few pieces as tables have.
    pub(crate) fn reaches_tables(&self, position: &Position, plies: u16) -> bool {
        let pieces = position.board().occupied().len();
        pieces.saturating_sub(plies.into()) <= self.most
    }

    /// Whether there may be a table for a position, or the rules give its value.
    pub(crate) fn may_be_known(&self, position: &Position) -> bool {
        position.board().occupied().len() <= self.most || position.dead() == Some(true)
    }

    /// The answer of tables and rules about a position, without its moves.
    ///
    /// # Errors
    /// A table that cannot be read, or is damaged.
    pub(crate) fn known(&self, position: &Position) -> Result<Option<Known>, ProbeError> {
        if !self.drawn.is_empty() && self.drawn.contains(&position.timeless()) {
            return Ok(Some(Known::DRAW));
        }
        // The value of a position with an e.p. right follows from its moves, which the
        // search handles itself. No table has castling rights (O1).
        if position.ep().is_some() || !position.castling().is_empty() {
            return Ok(None);
        }
        if position.dead() == Some(true) {
            return Ok(Some(Known::DRAW));
        }
        if position.board().occupied().len() > self.most {
            return Ok(None);
        }
        let material = position.material();
        if !self.materials.contains(&material) && !self.game.needs_no_table(&material) {
            return Ok(None);
        }
        let value = match self.tables.value(position) {
            Ok(value) => value,
            Err(error) if error.is_unknown() => return Ok(None),
            Err(error) => return Err(error),
        };
        let depth = value.dtm.map(|Dtm(plies)| plies);
        let winner = value.winner(position.turn());
        // A way to win may pass through a drawn position with the same pieces.
        let is_near =
            |drawn: &Setup| drawn.board.occupied().len() == position.board().occupied().len();
        if winner.is_some() && self.drawn.iter().any(is_near) {
            return Ok(None);
        }
        let now = value.at_clock(position.halfmoves(), self.limit);
        let winner_now = now.map(|now| winner.filter(|_| !now.wdl.is_cursed()));
        Ok(Some(Known {
            winner,
            depth: depth.and_then(|plies| u16::try_from(plies).ok()),
            winner_now,
        }))
    }

    /// Whether tables and rules answer a question about a position.
    ///
    /// # Errors
    /// As [`Oracle::known`].
    pub(crate) fn is_known(
        &self,
        position: &Position,
        ask: Ask,
        plies: u16,
    ) -> Result<bool, ProbeError> {
        let known = self.known(position)?;
        Ok(known.is_some_and(|known| known.answer(ask, plies).is_some()))
    }

    /// The key of a position in the transposition table. It includes the clock only on
    /// request, and never the move number.
    pub(crate) fn key(&self, position: &Position, clock: bool, salt: u64) -> [u64; 2] {
        let mut mix = Mix::new(salt);
        let board = position.board();
        mix.add(board.by(Colour::White).0);
        for &piece_type in self.game.piece_types() {
            mix.add(board.piece_type(piece_type).0);
        }
        let mut rest = position.turn().index() as u128;
        for square in [position.ep(), position.ep_pawn()] {
            rest = rest << 8 | square.map_or(255, |square| u128::from(square.0));
        }
        rest = rest << 2
            | position
                .extinct()
                .map_or(0, |side| 1 + side.index() as u128);
        if let Some(left) = position.counters() {
            rest = rest << 16 | u128::from(left.white) << 8 | u128::from(left.black);
        }
        if clock {
            rest = rest << 32 | u128::from(position.halfmoves());
        }
        mix.add(rest);
        if !position.castling().is_empty() {
            position.castling().hash(&mut mix);
        }
        mix.state
    }

    /// A number that depends on where the pieces of a side are, and on nothing else.
    pub(crate) fn arrangement(&self, position: &Position, side: Colour) -> u64 {
        let mut mix = Mix::new(0);
        let board = position.board();
        for &piece_type in self.game.piece_types() {
            mix.add(board.piece_type(piece_type).0 & board.by(side).0);
        }
        mix.state[0]
    }

    /// The position with the other side to move, as if the side to move could pass;
    /// `None` if that is not a position of the game.
    pub(crate) fn passed(&self, position: &Position) -> Option<Position> {
        let mut setup = position.setup();
        setup.turn = setup.turn.other();
        setup.ep = None;
        Position::new(self.game, &setup).ok()
    }

    /// The position with the half-move clock at 0.
    pub(crate) fn at_clock_0(&self, position: &Position) -> Option<Position> {
        let mut setup = position.setup();
        setup.halfmoves = 0;
        Position::new(self.game, &setup).ok()
    }
}

/// Two running products, each of which depends on everything added.
struct Mix {
    state: [u64; 2],
}

/// Odd numbers without a pattern: digits of pi.
const FACTORS: [u64; 4] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7345,
    0xa409_3822_299f_31d1,
    0x082e_fa98_ec4e_6c89,
];

impl Mix {
    fn new(salt: u64) -> Mix {
        Mix {
            state: [salt ^ FACTORS[0], salt ^ FACTORS[2]],
        }
    }

    #[inline]
    fn add(&mut self, value: u128) {
        let (low, high) = (value as u64, (value >> 64) as u64);
        for (lane, state) in self.state.iter_mut().enumerate() {
            let a = u128::from(*state ^ low);
            let b = u128::from(FACTORS[2 * lane + 1] ^ high ^ state.rotate_left(29));
            let product = a * b;
            // The old state is kept: a factor of 0 must not erase it.
            *state = (product as u64 ^ (product >> 64) as u64).wrapping_add(state.rotate_left(17));
        }
    }
}

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.state[0]
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(byte.into()));
    }
}

#[cfg(test)]
mod tests {
    use retrograde_probe::GameFinder;

    use super::*;

    /// Positions that are equal but for their right to capture en passant (D9).
    #[test]
    fn keys_tell_which_pawn_can_be_captured_en_passant() {
        let text = "name = \"x\"\npawns.moves = \"mfFcfW\"\nend.no-progress = 0";
        let game = GameFinder::default().find(text).expect("it is a game");
        let tables = Tablebase::empty(game);
        let oracle = Oracle::new(&tables);
        let key = |right: &str| {
            let fen = format!("7k/8/8/8/4PpP1/8/8/K7 b - {right} 0 1");
            let position = Position::from_fen(game, &fen).expect("it is a position");
            oracle.key(&position, false, 0)
        };
        let keys = ["-", "f3e4", "f3g4"].map(key);
        assert!(keys[0] != keys[1] && keys[0] != keys[2] && keys[1] != keys[2]);
    }
}
