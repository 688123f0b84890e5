//! Positions: diagrams that belong to a game, with the board, side to move, rights and counters.

use std::fmt;

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::fen::Setup;
use crate::game::Game;
use crate::material::Material;
use crate::piece::Colour;
use crate::square::Square;
use crate::vitality::Counters;

/// A right to capture en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EpRight {
    /// The square that a pawn has passed over, on which it can be captured.
    pub(crate) passed: Square,
    /// The square on which it has arrived.
    pub(crate) pawn: Square,
}

/// A position of a game. It knows its game: its moves, endings and FEN follow the rules that
/// it was checked against, and positions of different games are never equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) game: Game,
    pub(crate) board: Board,
    pub(crate) turn: Colour,
    pub(crate) castling: CastlingRights,
    pub(crate) ep: Option<EpRight>,
    /// Vitality, or the checks that each side still has to give; `None` in games without counters.
    pub(crate) counters: Option<Counters>,
    /// The side that has just lost its last piece of a type, and with it the game (E6).
    pub(crate) extinct: Option<Colour>,
    pub(crate) halfmoves: u32,
    pub(crate) fullmoves: u32,
}

impl Position {
    /// The position at another half-move clock.
    #[inline]
    #[must_use]
    pub fn with_halfmoves(self, halfmoves: u32) -> Position {
        Position { halfmoves, ..self }
    }

    /// The position with other counters; `None` if the game has none, or if one is out of range
    /// (H3, V1).
    pub fn with_counters(self, counters: Counters) -> Option<Position> {
        let sound = self.game.counters()?.contain(counters);
        sound.then_some(Position {
            counters: Some(counters),
            ..self
        })
    }

    /// The position with another vitality; `None` if the game has none, or if a counter is out
    /// of range (H3).
    pub fn with_vitality(self, vitality: Counters) -> Option<Position> {
        self.game.vitality()?;
        self.with_counters(vitality)
    }

    /// The game.
    #[inline]
    pub fn game(&self) -> Game {
        self.game
    }

    /// The pieces.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Colour {
        self.turn
    }

    /// The castling rights of both sides (X1-X3). Tables have no positions with castling rights.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The e.p. square, if it counts (O2).
    #[inline]
    pub fn ep(&self) -> Option<Square> {
        self.ep.map(|right| right.passed)
    }

    /// The square of the pawn that can be captured en passant, where the e.p. square does not tell
    /// it: in games in which double steps go aslant (D9). `None` in all others.
    #[inline]
    pub fn ep_pawn(&self) -> Option<Square> {
        let right = self.ep.filter(|_| self.game.steps_aslant());
        right.map(|right| right.pawn)
    }

    /// The vitality (H3); `None` in games without it. A side that has just lost by exhaustion
    /// has 0.
    #[inline]
    pub fn vitality(&self) -> Option<Counters> {
        self.counters.filter(|_| self.game.checks() == 0)
    }

    /// The counters of the game, whatever they count: vitality (H3), or the checks that each side
    /// still has to give (V1); `None` in games without any.
    #[inline]
    pub fn counters(&self) -> Option<Counters> {
        self.counters
    }

    /// The side that has just lost the game with its last piece of a type (E6); `None` while
    /// the game goes on, and in other games. A diagram does not show this: read back from its
    /// FEN, such a position is one in which that piece type is out of play (E1).
    #[inline]
    pub fn extinct(&self) -> Option<Colour> {
        self.extinct
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// The number of the move, counted from 1, raised after Black's move.
    pub fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.board.material(self.game.piece_types())
    }

    /// The position as a diagram.
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            ep: self.ep(),
            ep_pawn: self.ep_pawn(),
            counters: self.counters,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }

    /// The position as a diagram without its clocks: the same each time that it occurs.
    pub fn timeless(&self) -> Setup {
        Setup {
            halfmoves: 0,
            fullmoves: 1,
            ..self.setup()
        }
    }

    /// The position as a FEN of six fields, or seven if there are counters. A game lost by
    /// exhaustion, or by the last check, has a counter of 0, which [`Setup::from_fen`] refuses.
    pub fn fen(&self) -> String {
        self.setup().fen(self.game)
    }
}

/// The FEN: see [`Position::fen`].
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.fen())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Position");
        fields.field("game", &self.game.id());
        fields.field("fen", &self.fen());
        if let Some(side) = self.extinct {
            fields.field("extinct", &side);
        }
        fields.finish()
    }
}
