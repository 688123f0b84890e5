//! Random positions.

#![allow(dead_code, reason = "not every test uses all of this")]

use proptest::prelude::*;
use retrograde_rules::{Colour, Game, Move, Piece, PieceType, Position, Square};

pub(crate) fn any_colour() -> impl Strategy<Value = Colour> {
    prop_oneof![Just(Colour::White), Just(Colour::Black)]
}

/// Two kings and up to eight other pieces, as they fall on 64 squares.
pub(crate) fn any_pieces() -> impl Strategy<Value = Vec<(Piece, Square)>> {
    let square = || (0..64u8).prop_map(Square);
    let other =
        (any_colour(), 1..PieceType::COUNT, square()).prop_map(|(colour, piece_type, square)| {
            // Pieces of other games become pawns, of which there are then more.
            let piece_type = match PieceType::ALL[piece_type] {
                PieceType::Paladin | PieceType::Chancellor => PieceType::Pawn,
                piece_type => piece_type,
            };
            (Piece::new(colour, piece_type), square)
        });
    (square(), square(), prop::collection::vec(other, 0..=8)).prop_map(
        |(white, black, mut pieces)| {
            pieces.push((Piece::new(Colour::White, PieceType::King), white));
            pieces.push((Piece::new(Colour::Black, PieceType::King), black));
            pieces
        },
    )
}

/// A king a side, or only anything a side, and up to six other pieces, kings
/// among them, as they fall on 64 squares.
pub(crate) fn any_crowd(needs_kings: bool) -> impl Strategy<Value = Vec<(Piece, Square)>> {
    any_crowd_of(Game::default(), needs_kings)
}

/// The same with the piece types and the squares of a game.
pub(crate) fn any_crowd_of(
    game: Game,
    needs_kings: bool,
) -> impl Strategy<Value = Vec<(Piece, Square)>> {
    let square = move || (0..game.geometry().squares() as u8).prop_map(Square);
    // Kings are as many as pawns, and twice as many as each other piece type.
    let piece_type = move || {
        let mut piece_types = game.piece_types().to_vec();
        piece_types.extend([PieceType::King, PieceType::Pawn]);
        prop::sample::select(piece_types)
    };
    let leader = move || {
        if needs_kings {
            Just(PieceType::King).boxed()
        } else {
            piece_type().boxed()
        }
    };
    let other = (any_colour(), piece_type(), square())
        .prop_map(|(colour, piece_type, square)| (Piece::new(colour, piece_type), square));
    let leaders = (leader(), square(), leader(), square()).prop_map(|(white, a, black, b)| {
        [
            (Piece::new(Colour::White, white), a),
            (Piece::new(Colour::Black, black), b),
        ]
    });
    (prop::collection::vec(other, 0..=6), leaders).prop_map(|(mut pieces, leaders)| {
        pieces.extend(leaders);
        pieces
    })
}

/// Where a random position begins.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pieces: Vec<(Piece, Square)>,
    turn: Colour,
    /// A double step that an enemy pawn may answer en passant: it is played
    /// first, if it is legal.
    step: Option<(Square, Square)>,
    choices: Vec<prop::sample::Index>,
}

/// Pieces as they fall, with pawns at home now and then, so that there are
/// double steps; often with one that gives an e.p. right at once.
pub(crate) fn any_start() -> impl Strategy<Value = Start> {
    any_start_of(any_pieces())
}

/// The same with other pieces.
pub(crate) fn any_start_of(
    pieces: impl Strategy<Value = Vec<(Piece, Square)>>,
) -> impl Strategy<Value = Start> {
    any_start_on(Game::default(), pieces)
}

/// The same on the board of a game.
pub(crate) fn any_start_on(
    game: Game,
    pieces: impl Strategy<Value = Vec<(Piece, Square)>>,
) -> impl Strategy<Value = Start> {
    let (board, home) = (game.geometry(), game.pawn_home());
    let step = prop::option::weighted(0.4, (0..board.files, any::<bool>(), any::<bool>()));
    let choices = prop::collection::vec(any::<prop::sample::Index>(), 0..12);
    (pieces, any_colour(), any::<bool>(), step, choices).prop_map(
        move |(mut pieces, turn, fresh, step, choices)| {
            let on = |colour, file, rank| match colour {
                Colour::White => board.square(file, rank),
                Colour::Black => board.square(file, board.ranks - 1 - rank),
            };
            for (piece, square) in &mut pieces {
                if fresh && piece.piece_type == PieceType::Pawn {
                    *square = on(piece.colour, board.file(*square), home);
                }
            }
            let mut played = None;
            let mut left = choices;
            if let Some((file, to_the_left, stop)) = step {
                let (from, to) = (on(turn, file, home), on(turn, file, home + 2));
                let right = file == 0 || file < board.files - 1 && !to_the_left;
                let beside = if right { to.0 + 1 } else { to.0 - 1 };
                // The others are few, lest they stand in the way.
                pieces.drain(..pieces.len().saturating_sub(6));
                pieces.push((Piece::new(turn, PieceType::Pawn), from));
                pieces.push((Piece::new(turn.other(), PieceType::Pawn), Square(beside)));
                played = Some((from, to));
                if stop {
                    left.clear();
                }
            }
            Start {
                pieces,
                turn,
                step: played,
                choices: left,
            }
        },
    )
}

impl Start {
    /// The positions of the game from the start on, changed by `set_up`, as
    /// far as the choices and the game go; `None` if it is no position.
    pub(crate) fn play(
        &self,
        game: Game,
        set_up: impl FnOnce(Position) -> Option<Position>,
    ) -> Option<Vec<Position>> {
        let start = Position::from_pieces(game, self.pieces.iter().copied(), self.turn)?;
        let mut line = vec![set_up(start)?];
        let moves = line[0].legal_moves();
        let step = |mv: &&Move| self.step == Some((mv.from, mv.to));
        if let Some(&mv) = moves.iter().find(step) {
            line.push(line[0].play(mv));
        }
        for choice in &self.choices {
            let position = line[line.len() - 1];
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            line.push(position.play(*choice.get(&moves)));
        }
        Some(line)
    }
}

/// A position of the game that random play has led to.
pub(crate) fn any_position(game: Game) -> impl Strategy<Value = Position> {
    any_start().prop_filter_map("no position of the game", move |start| {
        start.play(game, Some)?.pop()
    })
}
