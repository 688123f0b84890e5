//! What holds for any position, recounted another way.

use proptest::prelude::*;
use retrograde_rules::{
    Board, CaptureInCheck, Colour, End, Epd, Game, Goal, Move, MoveKind, Piece, PieceType,
    Position, Setup, Square, Transform,
};

fn any_game() -> impl Strategy<Value = Game> {
    let on = || prop::bool::weighted(0.7);
    (on(), on(), on(), on()).prop_map(|(draw, any, deferred, castling)| {
        let on = |on| if on { "on" } else { "off" };
        let (by, in_check) = (
            ["pawn", "any"][usize::from(any)],
            ["win", "draw"][usize::from(draw)],
        );
        let id = format!(
            "chess99:castling={},deferred-promotion={},ep-by={by},king-capture-in-check={in_check}",
            on(castling),
            on(deferred),
        );
        Game::parse(&id).unwrap()
    })
}

/// Two kings and up to seven other pieces as they fall, many of them pawns.
fn any_pieces() -> impl Strategy<Value = Vec<(Piece, Square)>> {
    let square = || (0..81u8).prop_map(Square);
    let colour = prop_oneof![Just(Colour::White), Just(Colour::Black)];
    let piece_type = prop_oneof![2 => Just(PieceType::Pawn), 3 => prop::sample::select(&crate::chess99::game().piece_types()[1..])];
    let other = (colour, piece_type, square())
        .prop_map(|(c, piece_type, square)| (Piece::new(c, piece_type), square));
    let king = |rank: u8| {
        prop_oneof![
            square(),
            (0..9u8).prop_map(move |file| Square(rank * 9 + file))
        ]
    };
    (king(0), king(8), prop::collection::vec(other, 0..=7)).prop_map(
        |(white, black, mut pieces)| {
            pieces.push((Piece::new(Colour::White, PieceType::King), white));
            pieces.push((Piece::new(Colour::Black, PieceType::King), black));
            pieces
        },
    )
}

/// A game and the positions of random play, double steps preferred; a king may
/// have been captured in the last.
fn any_line() -> impl Strategy<Value = (Game, Vec<Position>)> {
    let turn = prop_oneof![Just(Colour::White), Just(Colour::Black)];
    let choices = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..10);
    (any_game(), any_pieces(), turn, choices).prop_filter_map(
        "no position of the game",
        |(game, pieces, turn, choices)| {
            let mut line = vec![Position::from_pieces(game, pieces, turn)?];
            for (choice, doubles) in choices {
                let position = line[line.len() - 1];
                let mut moves = position.legal_moves().to_vec();
                if doubles && moves.iter().any(|mv| mv.kind == MoveKind::DoubleStep) {
                    moves.retain(|mv| mv.kind == MoveKind::DoubleStep);
                }
                if moves.is_empty() {
                    break;
                }
                line.push(position.play(*choice.get(&moves)));
            }
            Some((game, line))
        },
    )
}

/// The last position of a line, the end of a game perhaps.
fn any_position() -> impl Strategy<Value = (Game, Position)> {
    any_line().prop_map(|(game, line)| (game, line[line.len() - 1]))
}

/// The last position of a line with both kings.
fn any_open_position() -> impl Strategy<Value = (Game, Position)> {
    any_line().prop_map(|(game, mut line)| {
        line.retain(goes_on);
        (game, line[line.len() - 1])
    })
}

fn goes_on(position: &Position) -> bool {
    position.board().piece_type(PieceType::King).len() == 2
}

fn king(position: &Position, colour: Colour) -> Square {
    let king = position.board().of(Piece::new(colour, PieceType::King));
    king.first().unwrap()
}

/// The position seen through a symmetry of the board.
fn image(game: Game, position: &Position, transform: Transform) -> Setup {
    let apply = |square| game.geometry().apply(transform, square);
    let setup = position.setup();
    let mut board = Board::empty();
    for (piece, square) in setup.board.pieces() {
        board.set(apply(square), Some(piece));
    }
    Setup {
        board,
        ep: setup.ep.map(apply),
        ..setup
    }
}

fn image_of_move(game: Game, mv: Move, transform: Transform) -> Move {
    let apply = |square| game.geometry().apply(transform, square);
    Move {
        from: apply(mv.from),
        to: apply(mv.to),
        captured: mv.captured.map(apply),
        ..mv
    }
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort();
    moves
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn attacked_means_could_be_taken((game, position) in any_open_position()) {
        for colour in Colour::BOTH {
            let attacked = position.in_check(colour);
            // The other side could take the king if it were its turn.
            let turned = Setup { turn: colour.other(), ep: None, ..position.setup() };
            let turned = Position::new(game, &turned).unwrap();
            let victim = Some(king(&position, colour));
            let moves = turned.legal_moves();
            prop_assert_eq!(moves.iter().any(|mv| mv.captured == victim), attacked);
        }
        prop_assert_eq!(
            position.is_check(),
            position.in_check(position.turn())
        );
        // C3: with both kings in check a king capture is on the board.
        if Colour::BOTH.into_iter().all(|c| position.in_check(c)) {
            let victim = king(&position, position.turn().other());
            let moves = position.legal_moves();
            prop_assert!(moves.iter().any(|mv| mv.captured == Some(victim)));
        }
    }

    /// C2 and C4, and that every move leads to a position.
    #[test]
    fn moves_lead_to_positions((game, position) in any_position()) {
        let moves = position.legal_moves();
        prop_assert_eq!(moves.is_empty(), position.end().is_some());
        let mut texts: Vec<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
        texts.sort();
        texts.dedup();
        prop_assert_eq!(texts.len(), moves.len());
        for &mv in &moves {
            let name = position.uci(mv);
            let mover = position.turn();
            let after = position.play(mv);
            prop_assert_eq!(after.turn(), mover.other());
            let pieces = position.board().occupied().len() - usize::from(mv.is_capture());
            prop_assert_eq!(after.board().occupied().len(), pieces, "{}", &name);
            // What stands where is said in two ways that agree.
            prop_assert_eq!(after.board().pieces().count(), pieces);
            let ended = after.end();
            if mv.captured == Some(king(&position, mover.other())) {
                let draws = game.goal() == Goal::KingCapture(CaptureInCheck::Draw)
                    && after.in_check(mover);
                let end = if draws { End::KingCaptureDraw } else { End::KingCapture };
                prop_assert_eq!(ended, Some(end), "{}", name);
                prop_assert_eq!(end.winner(after.turn()), (!draws).then_some(mover));
                prop_assert!(after.legal_moves().is_empty());
                prop_assert!(Position::new(game, &after.setup()).is_err());
            } else {
                prop_assert_eq!(Position::new(game, &after.setup()).unwrap(), after);
                let blocked = after.legal_moves().is_empty();
                prop_assert_eq!(ended, blocked.then_some(End::Blocked));
            }
        }
    }

    /// C6: the right is there exactly if it can be used, and taking removes
    /// the piece that stepped twice.
    #[test]
    fn a_right_can_be_used((_, position) in any_position()) {
        for &mv in &position.legal_moves() {
            if mv.kind == MoveKind::DoubleStep {
                let after = position.play(mv);
                let moves = after.legal_moves();
                let taking = moves.iter().filter(|taking| taking.kind == MoveKind::EnPassant);
                let takers: Vec<&Move> = taking.collect();
                prop_assert_eq!(after.ep().is_some(), !takers.is_empty());
                for taking in takers {
                    prop_assert_eq!(taking.captured, Some(mv.to));
                    prop_assert_eq!(Some(taking.to), after.ep());
                    let taken = after.play(*taking);
                    prop_assert!(taken.board().piece_at(mv.to).is_none());
                    prop_assert!(taken.ep().is_none());
                }
            } else {
                prop_assert!(position.play(mv).ep().is_none());
            }
        }
    }

    #[test]
    fn left_and_right_may_be_swapped((game, position) in any_open_position()) {
        let flip = Transform::FLIP_FILES;
        let other = Position::new(game, &image(game, &position, flip)).unwrap();
        prop_assert_eq!(other.end(), position.end());
        let there = |mv: &Move| image_of_move(game, *mv, flip);
        let moves = position.legal_moves();
        prop_assert_eq!(
            sorted(moves.iter().map(there)),
            sorted(other.legal_moves().iter().copied())
        );
        for mv in &moves {
            let (here, there) = (position.play(*mv), other.play(there(mv)));
            prop_assert_eq!(here.end(), there.end());
            prop_assert_eq!(image(game, &here, flip), there.setup());
        }
    }

    #[test]
    fn colours_may_be_swapped((game, position) in any_open_position()) {
        let geometry = game.geometry();
        let swapped = |position: &Position| Setup {
            fullmoves: 1,
            ..position.setup().mirrored(geometry)
        };
        let other = Position::new(game, &swapped(&position)).unwrap();
        prop_assert_eq!(other.end(), position.end());
        let there = |mv: &Move| image_of_move(game, *mv, Transform::FLIP_RANKS);
        let moves = position.legal_moves();
        prop_assert_eq!(
            sorted(moves.iter().map(there)),
            sorted(other.legal_moves().iter().copied())
        );
        for mv in &moves {
            let (here, there) = (position.play(*mv), other.play(there(mv)));
            prop_assert_eq!(here.end(), there.end());
            let there = Setup { fullmoves: 1, ..there.setup() };
            prop_assert_eq!(swapped(&here), there);
        }
    }

    #[test]
    fn texts_round_trip((game, position) in any_position()) {
        for &mv in &position.legal_moves() {
            prop_assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
            let san = position.san(mv);
            prop_assert_eq!(position.parse_san(&san), Ok(mv), "{}", san);
        }
        let fen = position.fen();
        if goes_on(&position) {
            prop_assert_eq!(Position::from_fen(game, &fen).unwrap(), position);
        } else {
            prop_assert!(Position::from_fen(game, &fen).is_err());
        }
        let epd = Epd { setup: position.setup(), operations: Vec::new() };
        prop_assert_eq!(Epd::parse(game, &epd.text(game)).unwrap(), epd);
        prop_assert_eq!(Game::parse(&game.id()), Ok(game));
    }

    #[test]
    fn no_text_makes_reading_panic(
        (game, position) in any_position(),
        text in "\\PC{0,40}",
        options in "(castling|ep-by|king-capture-in-check|x)?=?(on|off|any|pawn|win|draw|é)?",
        at in any::<prop::sample::Index>(),
        junk in "[ /0-9a-zA-Zé&=*x\"-]{0,3}",
    ) {
        let _ = Position::from_fen(game, &text);
        let _ = position.parse_uci(&text);
        let _ = position.parse_san(&text);
        if let Ok(read) = Game::parse(&format!("chess99:{options}")) {
            prop_assert_eq!(Game::parse(&read.id()), Ok(read));
        }
        // Texts that are nearly right.
        let nearly = |text: String| {
            let mut chars: Vec<char> = text.chars().collect();
            let at = at.index(chars.len() + 1);
            let end = (at + 1).min(chars.len());
            chars.splice(at..end, junk.chars());
            chars.into_iter().collect::<String>()
        };
        if let Ok(read) = Position::from_fen(game, &nearly(position.fen())) {
            prop_assert_eq!(Position::from_fen(game, &read.fen()), Ok(read));
        }
        for &mv in &position.legal_moves() {
            let _ = position.parse_uci(&nearly(position.uci(mv)));
            let san = nearly(position.san(mv));
            let _ = position.parse_san(&san);
        }
    }
}
