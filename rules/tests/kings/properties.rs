//! What holds for any position, with any options.

use proptest::prelude::*;
use retrograde_rules::{
    Colour, Epd, Game, Interchange, Move, Piece, PieceType, Position, Setup, Transform,
};

use crate::common::{any_crowd_of, any_start, any_start_on};
use crate::kings::game;

/// Any options on the 8x8 board, and wild 9.
fn any_game() -> impl Strategy<Value = Game> {
    let options = (
        prop::sample::select(vec!["a8", "h8"]),
        prop::sample::select(vec!["on", "off"]),
        prop::sample::select(vec!["king", "queen", "duke"]),
        prop::sample::select(vec!["home", "rank1"]),
    );
    let kings = options.prop_map(|(corner, promote, spare, tie)| {
        game(&format!(
            "kings:black-corner={corner},promote-to-king={promote},spare-king={spare},\
             tie-break={tie}"
        ))
    });
    prop_oneof![
        4 => kings,
        1 => Just(game("wild9")),
        1 => Just(game("kings")),
    ]
}

/// Any options on any board (K7).
fn any_game_anywhere() -> impl Strategy<Value = Game> {
    let boards = prop::sample::select(vec!["10x8", "10x10"]);
    let large = (any_game(), boards, any::<bool>());
    let large = large.prop_filter_map("wild 9", |(game, board, chancellor)| {
        let on = if chancellor { "on" } else { "off" };
        let colon = if game.id().contains(':') { ',' } else { ':' };
        Game::parse(&format!("{game}{colon}board={board},chancellor={on}")).ok()
    });
    prop_oneof![any_game(), large]
}

/// A game and a position of it that random play has led to.
fn any_position() -> impl Strategy<Value = (Game, Position)> {
    any_game_anywhere()
        .prop_flat_map(|game| (Just(game), any_start_on(game, any_crowd_of(game, true))))
        .prop_filter_map("no position of the game", |(game, start)| {
            Some((game, start.play(game, Some)?.pop()?))
        })
}

/// The squares seen through a symmetry of the board.
fn image(game: Game, setup: &Setup, transform: Transform, swap: bool) -> Setup {
    let apply = |square| game.geometry().apply(transform, square);
    let colour = |colour: Colour| if swap { colour.other() } else { colour };
    let mut other = Setup {
        ep: setup.ep.map(apply),
        turn: colour(setup.turn),
        board: retrograde_rules::Board::empty(),
        ..*setup
    };
    for (piece, square) in setup.board.pieces() {
        other.board.set(
            apply(square),
            Some(Piece::new(colour(piece.colour), piece.piece_type)),
        );
    }
    other
}

/// That two positions that are images of each other have the same moves.
fn agree(game: Game, position: &Position, transform: Transform, swap: bool) {
    let setup = image(game, &position.setup(), transform, swap);
    let other = Position::new(game, &setup).unwrap();
    assert_eq!(other.setup(), setup, "{}", position.fen());
    assert_eq!(other.end(), position.end());
    assert_eq!(other.is_check(), position.is_check());
    let apply = |square| game.geometry().apply(transform, square);
    let mut moves: Vec<Move> = position
        .legal_moves()
        .iter()
        .map(|&mv| Move {
            from: apply(mv.from),
            to: apply(mv.to),
            captured: mv.captured.map(apply),
            ..mv
        })
        .collect();
    let mut others = other.legal_moves().to_vec();
    moves.sort();
    others.sort();
    assert_eq!(moves, others, "{}", position.fen());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn texts_round_trip((game, position) in any_position()) {
        let fen = position.fen();
        prop_assert_eq!(Position::from_fen(game, &fen).unwrap(), position);
        let epd = Epd { setup: position.setup(), operations: Vec::new() };
        prop_assert_eq!(Epd::parse(game, &epd.text(game)).unwrap(), epd);
        for &mv in &position.legal_moves() {
            prop_assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
            let san = position.san(mv);
            prop_assert_eq!(position.parse_san(&san), Ok(mv), "{}", san);
        }
        prop_assert_eq!(Game::parse(&game.id()), Ok(game));
    }

    #[test]
    fn moves_lead_to_positions((game, position) in any_position()) {
        for &mv in &position.legal_moves() {
            let next = position.play(mv);
            // Reading the diagram anew finds the mover's royal king safe, and
            // the same e.p. square to count.
            prop_assert_eq!(Position::new(game, &next.setup()).unwrap(), next);
            let takes = |m: &Move| m.captured.is_some_and(|taken| taken != m.to);
            let counts = next.legal_moves().iter().any(takes);
            prop_assert_eq!(counts, next.ep().is_some());
        }
    }

    #[test]
    fn colours_may_be_swapped_as_is_said((game, position) in any_position()) {
        let flip = |a: Transform, square| game.geometry().apply(a, square);
        let half_turn = Transform::ALL.into_iter().find(|&t| {
            !t.flips_diagonal() && game.geometry().all().all(|square| {
                flip(t, square) == flip(Transform::FLIP_RANKS, flip(Transform::FLIP_FILES, square))
            })
        });
        let material = position.material();
        let transform = match game.interchange(&material) {
            Interchange::MirrorRanks => Transform::FLIP_RANKS,
            Interchange::MirrorFiles => Transform::FLIP_FILES,
            Interchange::HalfTurn => half_turn.unwrap(),
            Interchange::Plain => Transform::IDENTITY,
            Interchange::Never => return Ok(()),
        };
        prop_assert_eq!(game.interchange(&material.swapped()), game.interchange(&material));
        agree(game, &position, transform, true);
    }

    #[test]
    fn the_board_may_be_turned_as_is_said((game, position) in any_position()) {
        let material = position.material();
        let symmetry = game.symmetry(&material);
        for transform in symmetry.transforms() {
            agree(game, &position, transform, false);
        }
    }

    /// With one king a side and no way to more it is orthodox chess.
    #[test]
    fn one_king_a_side_is_orthodox_chess(
        game in any_game(),
        start in any_start(),
    ) {
        let Some(mut line) = start.play(Game::default(), Some) else { return Ok(()) };
        let orthodox = line.pop().unwrap();
        let setup = orthodox.setup();
        let position = Position::new(game, &setup).unwrap();
        prop_assert_eq!(position.setup(), setup);
        let mut moves = position.legal_moves().to_vec();
        let spare = game.leaders_may_touch(&position.material());
        let pawns = position.material().has_pawns() && game.promotions().contains(&PieceType::King);
        prop_assert_eq!(spare, pawns);
        // Promotions to king are more moves, and may be the only ones.
        moves.retain(|mv| mv.promotion != Some(PieceType::King));
        let mut expected = orthodox.legal_moves().to_vec();
        moves.sort();
        expected.sort();
        prop_assert_eq!(moves, expected);
        if !spare {
            prop_assert_eq!(position.end(), orthodox.end());
        }
    }

    /// Wild 9 differs from its twin among the options in the name only.
    #[test]
    fn wild_9_is_kings_with_options((_, position) in any_position()) {
        let [wild, twin] = ["wild9", "kings:promote-to-king=off,tie-break=rank1"].map(game);
        let setup = position.setup();
        let read = |game| Position::new(game, &setup).ok();
        let [wild, twin] = [wild, twin].map(read);
        prop_assert_eq!(wild.map(|at| at.setup()), twin.map(|at| at.setup()));
        if let Some((wild, twin)) = wild.zip(twin) {
            prop_assert_eq!(&*wild.legal_moves(), &*twin.legal_moves());
        }
    }

    #[test]
    fn no_text_makes_reading_panic(
        (game, position) in any_position(),
        text in "\\PC{0,40}",
        name in "[KQRBNPv]{0,9}",
        at in any::<prop::sample::Index>(),
        junk in "[ /0-9a-zK+é\"-]{0,3}",
    ) {
        let _ = position.parse_uci(&text);
        let _ = position.parse_san(&text);
        if let Ok(material) = retrograde_rules::Material::parse(game, &name) {
            let (normal, _) = material.normal(game);
            prop_assert_eq!(normal.normal(game), (normal, false));
        }
        let fen = position.fen();
        let at = at.index(fen.len());
        let end = (at + junk.len() / 2).min(fen.len());
        let broken = format!("{}{junk}{}", &fen[..at], &fen[end..]);
        if let Ok(read) = Position::from_fen(game, &broken) {
            prop_assert_eq!(Position::from_fen(game, &read.fen()), Ok(read));
        }
    }
}
