//! Random positions, and check found the slow way.

#![allow(dead_code, reason = "not every test uses all of this")]

use proptest::prelude::*;
use retrograde_rules::{Colour, Game, Kind, Man, Position, Square};

/// Choices among legal moves, whatever their number will be.
pub(crate) type Choices = Vec<prop::sample::Index>;

pub(crate) fn any_colour() -> impl Strategy<Value = Colour> {
    prop_oneof![Just(Colour::White), Just(Colour::Black)]
}

pub(crate) fn any_choices() -> impl Strategy<Value = Choices> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..12)
}

/// Two kings and up to eight other men, as they fall on 64 squares.
pub(crate) fn any_men() -> impl Strategy<Value = Vec<(Man, Square)>> {
    let square = || (0..64u8).prop_map(Square);
    let other = (any_colour(), 1..Kind::COUNT, square()).prop_map(|(colour, kind, square)| {
        // Chess 99's paladin becomes a pawn, of which there are then more.
        let kind = match Kind::ALL[kind] {
            Kind::Paladin => Kind::Pawn,
            kind => kind,
        };
        (Man::new(colour, kind), square)
    });
    (square(), square(), prop::collection::vec(other, 0..=8)).prop_map(|(white, black, mut men)| {
        men.push((Man::new(Colour::White, Kind::King), white));
        men.push((Man::new(Colour::Black, Kind::King), black));
        men
    })
}

/// The same men, pawns on their second ranks.
pub(crate) fn with_pawns_at_home(mut men: Vec<(Man, Square)>) -> Vec<(Man, Square)> {
    for (man, square) in &mut men {
        if man.kind == Kind::Pawn {
            let rank = if man.colour == Colour::White { 1 } else { 6 };
            *square = Square(rank * 8 + square.0 % 8);
        }
    }
    men
}

/// Where a game leads by these choices, as far as it goes.
pub(crate) fn play_on(game: Game, mut position: Position, choices: &Choices) -> Position {
    for choice in choices {
        let moves = game.legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        position = game.play(&position, *choice.get(&moves));
    }
    position
}

/// A position of the game, and where random play from it leads to, so that
/// e.p. rights occur. Pawns begin on their second ranks half of the time.
pub(crate) fn any_position(game: Game) -> impl Strategy<Value = Position> {
    (any_men(), any_colour(), any::<bool>(), any_choices())
        .prop_map(move |(men, turn, fresh, choices)| {
            let men = if fresh { with_pawns_at_home(men) } else { men };
            let position = Position::from_men(game, men, turn)?;
            Some(play_on(game, position, &choices))
        })
        .prop_filter_map("no position of the game", |position| position)
}

/// Whether the mover could take the king of the side that is not to move, by
/// walking over the board step by step: an independent way to say "in check".
pub(crate) fn king_can_be_taken(game: Game, position: &Position) -> bool {
    let geometry = game.geometry();
    let board = position.board();
    let victim = Man::new(position.turn().other(), Kind::King);
    let walk = |from: Square, files: i8, ranks: i8, far: bool| {
        let mut at = from;
        while let Some(next) = geometry.offset(at, files, ranks) {
            if let Some(man) = board.man_at(next) {
                return man == victim;
            }
            if !far {
                return false;
            }
            at = next;
        }
        false
    };
    board.men().any(|(man, from)| {
        let ahead = if man.colour == Colour::White { 1 } else { -1 };
        let pairs = (-2..=2i8).flat_map(|x| (-2..=2i8).map(move |y| (x, y)));
        man.colour == position.turn()
            && pairs.into_iter().any(|(x, y)| {
                let (longer, shorter) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
                let reaches = match (man.kind, longer, shorter) {
                    (Kind::King | Kind::Queen, 1, _)
                    | (Kind::Rook, 1, 0)
                    | (Kind::Bishop, 1, 1)
                    | (Kind::Knight, 2, 1) => true,
                    (Kind::Pawn, 1, 1) => y == ahead,
                    _ => false,
                };
                let far = matches!(man.kind, Kind::Queen | Kind::Rook | Kind::Bishop);
                reaches && walk(from, x, y, far)
            })
    })
}
