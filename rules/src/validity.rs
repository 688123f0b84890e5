//! Checks diagrams: makes a position of each that a game allows, and names faults of the others.

use thiserror::Error;

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::fault::{CastlingFault, EpFault, Fault, Forgive, PositionError};
use crate::fen::{FenError, Setup};
use crate::game::Game;
use crate::piece::{Colour, Piece};
use crate::position::Position;
use crate::rules::{Rules, with_rules};
use crate::square::{Square, SquareSet};
use crate::symmetry::Interchange;
use crate::vitality::Counters;

/// The errors of reading a position from a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The text is not a FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The diagram is not a position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl Position {
    /// Checks a diagram. An e.p. square that is possible but does not count is dropped (O2).
    ///
    /// # Errors
    /// Every reason why the diagram is not a position of the game.
    pub fn new(game: Game, setup: &Setup) -> Result<Position, PositionError> {
        Position::forgiving(game, setup, Forgive::NOTHING)
    }

    /// Checks a diagram like [`Position::new`], but tolerates some faults.
    ///
    /// # Errors
    /// The faults that were not forgiven.
    pub fn forgiving(
        game: Game,
        setup: &Setup,
        forgive: Forgive,
    ) -> Result<Position, PositionError> {
        let mut faults = Vec::new();
        let mut report = |fault: Fault| {
            if !forgive.forgives(fault) {
                faults.push(fault);
            }
        };
        // The rules look up squares in tables, so only existing pieces on existing squares
        // may be passed to them.
        if find_foreign(game, &setup.board, &mut report) {
            return Err(PositionError::new(game.geometry(), faults));
        }
        with_rules!(game, rules => rules.faults(&setup.board, setup.turn, &mut report));
        report_castling(game, setup, &mut report);
        let mut ep = None;
        if let Some(square) = setup.ep {
            let (board, turn, pawn) = (&setup.board, setup.turn, setup.ep_pawn);
            let exists = |square: Square| {
                square.index() < game.geometry().squares()
                    && game.geometry().full().contains(square)
            };
            let right = match exists(square) {
                true => with_rules!(game, rules => rules.ep_right(board, turn, square, pawn)),
                false => Err(EpFault::Rank),
            };
            match right {
                Ok(right) => ep = Some(right),
                Err(fault) => report(Fault::EnPassant { square, fault }),
            }
        }
        let counters = find_counters(game, setup.counters, &mut report);
        if !faults.is_empty() {
            return Err(PositionError::new(game.geometry(), faults));
        }
        let mut position = Position {
            game,
            board: setup.board,
            turn: setup.turn,
            castling: setup.castling,
            ep,
            counters,
            extinct: None,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves.max(1),
        };
        if position.ep.is_some() && !with_rules!(game, rules => rules.ep_counts(&position)) {
            position.ep = None;
        }
        Ok(position)
    }

    /// Reads and checks a FEN; the four fields before the clocks suffice.
    ///
    /// # Errors
    /// The fault of the text, or all those of the diagram.
    pub fn from_fen(game: Game, text: &str) -> Result<Position, ReadError> {
        Ok(Position::new(game, &Setup::from_fen(game, text)?)?)
    }

    /// A position from pieces on squares, without an e.p. right, with clocks as at the start
    /// and full counters. `None` if two pieces share a square, a piece or a square does not
    /// belong to the game, or the placement is not a position of the game.
    #[inline]
    pub fn from_pieces(
        game: Game,
        pieces: impl IntoIterator<Item = (Piece, Square)>,
        turn: Colour,
    ) -> Option<Position> {
        let squares = game.geometry().squares();
        let mut board = Board::empty();
        for (piece, square) in pieces {
            if square.index() >= squares || board.occupied().contains(square) {
                return None;
            }
            board.put(square, piece);
        }
        Position::from_board(game, &board, turn)
    }

    /// A position from a board of the size that the game has, otherwise as
    /// [`Position::from_pieces`] makes it. `None` if a piece does not belong to the game, or the
    /// placement is not a position of the game.
    #[inline]
    pub fn from_board(game: Game, board: &Board, turn: Colour) -> Option<Position> {
        let mut sound = has_own_types(game, board);
        if sound {
            with_rules!(game, rules => rules.faults(board, turn, &mut |_| sound = false));
        }
        sound.then(|| Position {
            game,
            board: *board,
            turn,
            castling: CastlingRights::NONE,
            ep: None,
            counters: game.full_counters(),
            extinct: None,
            halfmoves: 0,
            fullmoves: 1,
        })
    }

    /// The position for the other side: the colours swapped and the pieces where
    /// `how` takes them, otherwise as [`Position::from_pieces`] makes it. `None` if that is
    /// not a position of the game.
    pub fn with_colours_swapped(&self, how: Interchange) -> Option<Position> {
        let geometry = self.game.geometry();
        let pieces = self.board.pieces().map(|(piece, square)| {
            let piece = Piece::new(piece.colour.other(), piece.piece_type);
            (piece, how.image(geometry, square))
        });
        let swapped = Position::from_pieces(self.game, pieces, self.turn.other())?;
        let counters = self.counters.map(Counters::swapped);
        Some(match self.game.checks() {
            0 => swapped,
            _ => Position {
                counters,
                ..swapped
            },
        })
    }
}

/// Reports impossible castling rights (X).
fn report_castling(game: Game, setup: &Setup, report: &mut dyn FnMut(Fault)) {
    let rights = setup.castling;
    if rights.is_empty() {
        return;
    }
    match &game.record().castling {
        None => report(Fault::Castling(CastlingFault::Foreign)),
        Some(castling) => {
            for colour in Colour::BOTH {
                let fault = castling.fault(game.geometry(), &setup.board, rights, colour);
                fault
                    .into_iter()
                    .for_each(|fault| report(Fault::Castling(fault)));
            }
        }
    }
}

/// The counters of a diagram; reports impossible ones (H3, V1).
fn find_counters(
    game: Game,
    given: Option<Counters>,
    report: &mut dyn FnMut(Fault),
) -> Option<Counters> {
    match (game.counters(), given) {
        (Some(counters), Some(given)) => {
            for colour in Colour::BOTH {
                let (found, range) = (given.of(colour), counters.of(colour));
                if range.contains(&found) {
                    continue;
                }
                let (least, most) = range.into_inner();
                report(match game.checks() {
                    0 => Fault::Vitality {
                        colour,
                        found,
                        least,
                        most,
                    },
                    _ => Fault::ChecksLeft {
                        colour,
                        found,
                        most,
                    },
                });
            }
        }
        (None, Some(_)) => report(Fault::ForeignVitality),
        (_, None) => {}
    }
    given.or(game.full_counters())
}

/// Whether all pieces are of the types of a game, and stand on its board.
#[inline]
fn has_own_types(game: Game, board: &Board) -> bool {
    let types = game.piece_types().iter();
    let known = types.fold(SquareSet::EMPTY, |all, &t| all | board.piece_type(t));
    let occupied = board.occupied();
    known == occupied && (occupied - game.geometry().full()).is_empty()
}

/// Reports pieces and squares that the game does not have; returns whether there are any.
fn find_foreign(game: Game, board: &Board, report: &mut dyn FnMut(Fault)) -> bool {
    let mut found = false;
    let off = board.occupied() - game.geometry().full();
    if !off.is_empty() {
        report(Fault::OffBoard);
        found = true;
    }
    if has_own_types(game, board) {
        return found;
    }
    for (piece, square) in board.pieces() {
        if !off.contains(square) && !game.piece_types().contains(&piece.piece_type) {
            report(Fault::ForeignPiece { piece, square });
            found = true;
        }
    }
    found
}
