//! Tests properties that hold for any position of any game, and for any text.

use proptest::prelude::*;
use retrograde_rules::{
    Board, CaptureInCheck, Colour, Counters, End, Epd, Game, Goal, Interchange, Material, Move,
    MoveKind, Piece, PieceType, Position, Royalty, Setup, Square, Toll, Transform,
};

use crate::common::{any_game, any_line, any_position, can_be_set_up, games, moves};

/// Whether a side may be without kings.
fn may_lack_kings(game: Game) -> bool {
    Colour::BOTH.into_iter().any(|side| game.kings(side).0 == 0)
}

/// The diagram with every square moved and maybe the colours swapped.
fn image(setup: &Setup, to: &dyn Fn(Square) -> Square, swap: bool) -> Setup {
    let colour = |colour: Colour| if swap { colour.other() } else { colour };
    let mut board = Board::empty();
    for (piece, square) in setup.board.pieces() {
        board.set(
            to(square),
            Some(Piece::new(colour(piece.colour), piece.piece_type)),
        );
    }
    Setup {
        board,
        turn: colour(setup.turn),
        ep: setup.ep.map(to),
        ep_pawn: setup.ep_pawn.map(to),
        counters: match swap {
            true => setup.counters.map(Counters::swapped),
            false => setup.counters,
        },
        fullmoves: 1,
        ..*setup
    }
}

fn image_of_move(mv: Move, to: &dyn Fn(Square) -> Square) -> Move {
    Move {
        from: to(mv.from),
        to: to(mv.to),
        captured: mv.captured.map(to),
        ..mv
    }
}

fn image_of_end(end: Option<End>, swap: bool) -> Option<End> {
    match end? {
        End::Extinction { winner } if swap => Some(End::Extinction {
            winner: winner.other(),
        }),
        End::Stalemate { winner } if swap => Some(End::Stalemate {
            winner: winner.map(Colour::other),
        }),
        End::Bare { winner } if swap => Some(End::Bare {
            winner: winner.map(Colour::other),
        }),
        end => Some(end),
    }
}

/// That two positions that are images of each other have the same moves, which lead to images.
fn check_image(position: &Position, to: &dyn Fn(Square) -> Square, swap: bool) {
    let game = position.game();
    let setup = image(&position.setup(), to, swap);
    let other = Position::new(game, &setup).unwrap();
    assert_eq!(other.setup(), setup, "{position}");
    assert_eq!(
        other.end(),
        image_of_end(position.end(), swap),
        "{position}"
    );
    assert_eq!(other.is_check(), position.is_check(), "{position}");
    let mut here = position.legal_moves().to_vec();
    let mut there = other.legal_moves().to_vec();
    for &mv in &here {
        let image_of_mv = image_of_move(mv, to);
        let (next, next_there) = (position.play(mv), other.play(image_of_mv));
        assert_eq!(
            next_there.end(),
            image_of_end(next.end(), swap),
            "{position}"
        );
        let there = Setup {
            fullmoves: 1,
            ..next_there.setup()
        };
        assert_eq!(image(&next.setup(), to, swap), there, "{position}");
        if let Some(rules) = game.vitality() {
            assert_eq!(rules.toll(&other, image_of_mv), rules.toll(position, mv));
        }
    }
    here.iter_mut().for_each(|mv| *mv = image_of_move(*mv, to));
    here.sort();
    there.sort();
    assert_eq!(here, there, "{position}");
}

/// The king of a side where kings are captured.
fn king(position: &Position, colour: Colour) -> Option<Square> {
    position
        .board()
        .of(Piece::new(colour, PieceType::King))
        .first()
}

/// The end of a game after a move that captures the king (C2).
fn end_of_capture(in_check: CaptureInCheck, is_attacked: bool) -> End {
    match in_check {
        CaptureInCheck::Draw if is_attacked => End::KingCaptureDraw,
        CaptureInCheck::Loss if is_attacked => End::KingCaptureLoss,
        _ => End::KingCapture,
    }
}

fn named(id: &str) -> Game {
    Game::parse(id).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn moves_lead_to_positions(position in any_position()) {
        let (game, mover) = (position.game(), position.turn());
        let legal = position.legal_moves();
        prop_assert_eq!(position.end_with(&legal), position.end());
        prop_assert_eq!(legal.is_empty(), position.end().is_some());
        let mut names = moves(&position);
        names.dedup();
        prop_assert_eq!(names.len(), legal.len(), "a move is listed twice");
        for &mv in &legal {
            let after = position.play(mv);
            let name = position.uci(mv);
            prop_assert_eq!(after.turn(), mover.other());
            let left = after.board().occupied().len();
            let taken = position.board().occupied().len() - left;
            let survives = game.survives_captures(mv.promotion.unwrap_or(mv.piece));
            let most = match game.explodes() && mv.is_capture() {
                true => taken.max(2 - usize::from(survives)),
                false => usize::from(mv.is_capture()),
            };
            prop_assert_eq!(taken, most, "{}", &name);
            // Where each piece stands is said in two ways that agree.
            prop_assert_eq!(after.board().pieces().count(), left);
            let (end, replies) = (after.end(), after.legal_moves());
            prop_assert_eq!(end, after.end_with(&replies), "{}", &name);
            prop_assert_eq!(replies.is_empty(), end.is_some(), "{}", &name);
            // Reading the diagram anew finds the same e.p. square to count.
            let again = Position::new(game, &after.setup());
            match can_be_set_up(&after) {
                true => prop_assert_eq!(again.unwrap(), after),
                // The diagram does not tell which types are out of play (E1).
                false if game.has_extinction() || may_lack_kings(game) => {}
                false => prop_assert!(again.is_err(), "{}", &name),
            }
            if let Goal::KingCapture(in_check) = game.goal() {
                let takes = mv.captured.is_some() && mv.captured == king(&position, mover.other());
                let expected = match takes {
                    true => Some(end_of_capture(in_check, after.in_check(mover))),
                    false => replies.is_empty().then_some(End::Blocked),
                };
                prop_assert_eq!(end, expected, "{}", &name);
            }
        }
    }

    /// O2, C6: a right is there exactly if it can be used, where standing so as to take is not
    /// enough; taking removes the piece that stepped twice.
    #[test]
    fn a_right_can_be_used(line in any_line(any_game())) {
        for (before, after) in line.iter().zip(&line[1..]) {
            let step = before.legal_moves().iter().copied().find(|&mv| before.play(mv) == *after);
            let replies = after.legal_moves();
            let mut takers = replies.iter().filter(|mv| mv.kind == MoveKind::EnPassant).peekable();
            let standing = after.game().vitality().is_some_and(|rules| rules.standing_counts())
                || matches!(after.game().royalty(after.turn()), Royalty::OnlyOfType)
                || after.game().goal() == Goal::KingCapture(CaptureInCheck::Illegal);
            if after.ep().is_some() {
                prop_assert_eq!(step.map(|mv| mv.kind), Some(MoveKind::DoubleStep));
                prop_assert!(standing || takers.peek().is_some(), "{}", after);
            } else {
                prop_assert!(takers.peek().is_none(), "{}", after);
            }
            for taking in takers {
                prop_assert_eq!(taking.captured, step.map(|mv| mv.to));
                prop_assert_eq!(Some(taking.to), after.ep());
                let taken = after.play(*taking);
                prop_assert!(taken.board().piece_at(taking.captured.unwrap()).is_none());
                prop_assert!(taken.ep().is_none());
            }
        }
    }

    #[test]
    fn captures_and_promotions_are_those_of_the_legal_moves(position in any_position()) {
        let mut moves = position.legal_moves().to_vec();
        moves.retain(|mv| mv.captured.is_some() || mv.promotion.is_some());
        let mut settling = position.captures_and_promotions();
        prop_assert_eq!(&settling[..], &moves[..], "{}", &position);
        // The list can be used again for all moves.
        position.legal_moves_into(&mut settling);
        prop_assert_eq!(&settling[..], &position.legal_moves()[..], "{}", &position);
        let is_plain = |mv: &Move| mv.captured.is_none_or(|square| square == mv.to);
        prop_assert!(position.may_capture_or_promote() || !moves.iter().any(is_plain));
    }

    #[test]
    fn texts_round_trip(position in any_position()) {
        let game = position.game();
        for &mv in &position.legal_moves() {
            prop_assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
            let san = position.san(mv);
            prop_assert_eq!(position.parse_san(&san), Ok(mv), "{}", san);
        }
        let fen = position.fen();
        if can_be_set_up(&position) {
            prop_assert_eq!(Position::from_fen(game, &fen), Ok(position));
            let epd = Epd { setup: position.setup(), operations: Vec::new() };
            prop_assert_eq!(Epd::parse(game, &epd.text(game)), Ok(epd));
            let again = Position::from_pieces(game, position.board().pieces(), position.turn());
            let board = again.as_ref().map(Position::board);
            prop_assert_eq!(board, Some(position.board()));
        } else if !may_lack_kings(game) {
            prop_assert!(Position::from_fen(game, &fen).is_err());
        }
        let in_order: Vec<Piece> = position.board().pieces().map(|(piece, _)| piece).collect();
        let material: Vec<Piece> = position.material().pieces().collect();
        prop_assert_eq!(in_order, material);
        prop_assert_eq!(Game::parse(&game.id()), Ok(game));
    }

    #[test]
    fn the_board_may_be_turned_and_the_colours_swapped(position in any_position()) {
        if !can_be_set_up(&position) {
            return Ok(());
        }
        let (game, material) = (position.game(), position.material());
        let board = game.geometry();
        let fresh = Position::new(game, &Setup { fullmoves: 1, ..position.setup() }).unwrap();
        for transform in game.symmetry(&material).transforms() {
            check_image(&fresh, &|square| board.apply(transform, square), false);
        }
        let how = game.interchange(&material);
        prop_assert_eq!(game.interchange(&material.swapped()), how);
        if how != Interchange::Never {
            check_image(&fresh, &|square| how.image(board, square), true);
        }
        let mirrored = fresh.setup().mirrored(board);
        prop_assert_eq!(mirrored.mirrored(board), fresh.setup());
        let flip = |square| board.apply(Transform::FLIP_RANKS, square);
        let counters = mirrored.counters;
        prop_assert_eq!(Setup { counters, ..image(&fresh.setup(), &flip, true) }, mirrored);
    }

    /// C2: attacked is who could be taken if it were the other side's turn. C3: with both kings
    /// in check a capture is there.
    #[test]
    fn attacked_means_could_be_taken(
        line in any_line(prop::sample::select(
            games().iter().copied().filter(|game| matches!(game.goal(), Goal::KingCapture(_)))
                .filter(|game| game.goal() != Goal::KingCapture(CaptureInCheck::Illegal))
                .collect::<Vec<_>>(),
        )),
    ) {
        for position in line.iter().filter(|position| can_be_set_up(position)) {
            let takes = |setup: &Setup, victim| {
                let at = Position::new(position.game(), setup).unwrap();
                at.legal_moves().iter().any(|mv| mv.captured == victim)
            };
            for colour in Colour::BOTH {
                let turned = Setup { turn: colour.other(), ep: None, ..position.setup() };
                let attacked = position.in_check(colour);
                prop_assert_eq!(takes(&turned, king(position, colour)), attacked);
            }
            prop_assert_eq!(position.is_check(), position.in_check(position.turn()));
            if Colour::BOTH.into_iter().all(|colour| position.in_check(colour)) {
                let victim = king(position, position.turn().other());
                prop_assert!(takes(&position.setup(), victim));
            }
        }
    }

    #[test]
    fn no_text_makes_reading_panic(
        position in any_position(),
        text in "\\PC{0,40}",
        name in "[KQRBNPv]{0,9}",
        id in "(castling|ep-by|vital-restores|vitality|x)?=?(on|off|any|mover|both|[0-9]{0,3}|é)?(,vitality=[0-9]{1,2})?",
        at in any::<prop::sample::Index>(),
        junk in "[ /0-9a-zA-ZéK&=*x+;\"\\\\-]{0,3}",
    ) {
        let game = position.game();
        let _ = (Setup::from_fen(game, &text), Epd::parse(game, &text), Game::parse(&text));
        let _ = (position.parse_uci(&text), position.parse_san(&text));
        for name in [&name, &text] {
            if let Ok(material) = Material::parse(game, name) {
                let (normal, _) = material.normal(game);
                prop_assert_eq!(normal.normal(game), (normal, false));
            }
        }
        if let Ok(read) = Game::parse(&format!("{}:{id}", game.name())) {
            prop_assert_eq!(Game::parse(&read.id()), Ok(read));
        }
        // Texts that are nearly right.
        let nearly = |text: &str| {
            let mut chars: Vec<char> = text.chars().collect();
            let at = at.index(chars.len() + 1);
            let end = (at + junk.len().div_ceil(2)).min(chars.len());
            chars.splice(at..end, junk.chars());
            chars.into_iter().collect::<String>()
        };
        let broken = nearly(&position.fen());
        match Setup::from_fen(game, &broken) {
            Err(error) => prop_assert!(broken.is_char_boundary(error.offset)),
            Ok(setup) => if let Ok(read) = Position::new(game, &setup) {
                prop_assert_eq!(Position::from_fen(game, &read.fen()), Ok(read));
            },
        }
        if let Err(error) = Epd::parse(game, &broken) {
            prop_assert!(broken.is_char_boundary(error.offset));
        }
        for &mv in &position.legal_moves() {
            let _ = position.parse_uci(&nearly(&position.uci(mv)));
            let _ = position.parse_san(&nearly(&position.san(mv)));
        }
    }

    #[test]
    fn moves_are_read_from_almost_moves(
        position in any_position(),
        text in "[a-h][1-9][a-i][1-8][a-z]?|[KQRBN]?[a-i]?[1-9]?x?[a-h][1-8](=?[A-Z])?[+#]?",
    ) {
        if let Ok(mv) = position.parse_uci(&text) {
            prop_assert_eq!(position.uci(mv), text);
        } else if let Ok(mv) = position.parse_san(&text) {
            let to = position.game().geometry().name(mv.to);
            prop_assert!(text.contains(&to) || mv.kind == MoveKind::Castling);
            prop_assert!(position.legal_moves().contains(&mv));
        }
    }

    /// H1: swapping the colours keeps moves and counters, but at equal distances not who is High:
    /// then, and only then, the other side pays.
    #[test]
    fn colours_are_not_treated_alike_in_high_chess(
        line in any_line(prop::sample::select(high_chess())),
    ) {
        for position in line.iter().filter(|position| can_be_set_up(position)) {
            let (game, rules) = (position.game(), position.game().vitality().unwrap());
            let board = game.geometry();
            let other = Position::new(game, &position.setup().mirrored(board)).unwrap();
            prop_assert_eq!(other.legal_moves().len(), position.legal_moves().len());
            let flip = |square| board.apply(Transform::FLIP_RANKS, square);
            for &mv in &position.legal_moves() {
                let after = position.play(mv);
                let [white, black] =
                    Colour::BOTH.map(|side| rules.distance(king(&after, side).unwrap()));
                let here = rules.toll(position, mv);
                let there = rules.toll(&other, image_of_move(mv, &flip));
                let differ = here != Toll::Vital && white == black;
                prop_assert_eq!(here != there, differ, "{} {}", position, position.uci(mv));
            }
        }
    }

    /// H6: mate comes before exhaustion, and there is no other end. H8: at most seven turns in a
    /// row are free, as each must lower a distance, and vital moves run out; so every game ends.
    #[test]
    fn every_game_of_high_chess_ends(
        line in any_line(prop::sample::select(high_chess())),
        seed in any::<u64>(),
    ) {
        let mut position = line[line.len() - 1];
        let (game, rules) = (position.game(), position.game().vitality().unwrap());
        let (mut state, mut free, mut plies) = (seed | 1, 0, 0);
        // Ten pieces make at most 8 captures and 8 * 6 pawn moves, and a double step makes at
        // most one more turn vital; between vital moves both counters run down, with seven free
        // turns before each paid one.
        let full = usize::from(rules.full().white);
        let most = (8 + 2 * 8 * 6 + 1) * (2 * full * 8 + 8);
        loop {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mv = moves[(state >> 33) as usize % moves.len()];
            free = if rules.toll(&position, mv) == Toll::Free { free + 1 } else { 0 };
            prop_assert!(free <= 7);
            position = position.play(mv);
            plies += 1;
            prop_assert!(plies <= most);
        }
        let (end, mover) = (position.end().unwrap(), position.turn().other());
        let rested = Setup { counters: None, ..position.setup() };
        let mate = Position::new(game, &rested).unwrap().end() == Some(End::Checkmate);
        prop_assert_eq!(end, if mate { End::Checkmate } else { End::Exhaustion });
        prop_assert!(mate || position.vitality().unwrap().of(mover) == 0);
        prop_assert_eq!(end.winner(mover.other()), Some(if mate { mover } else { mover.other() }));
    }

    /// With one king a side and no way to more, kings is orthodox chess; promotions to king are
    /// more moves, and may be the only ones.
    #[test]
    fn one_king_a_side_is_orthodox_chess(
        line in any_line(Just(Game::default())),
        game in prop::sample::select(
            games().iter().copied().filter(|game| ["kings", "wild9"].contains(&game.name()))
                .filter(|game| game.geometry() == Game::default().geometry())
                .collect::<Vec<_>>(),
        ),
    ) {
        let orthodox = line[line.len() - 1];
        let position = Position::new(game, &orthodox.setup()).unwrap();
        prop_assert_eq!(position.setup(), orthodox.setup());
        let pawns = position.material().has_pawns() && game.all_promotions().contains(&PieceType::King);
        prop_assert_eq!(game.leaders_may_touch(&position.material()), pawns);
        let mut moves = position.legal_moves().to_vec();
        moves.retain(|mv| mv.promotion != Some(PieceType::King));
        let mut expected = orthodox.legal_moves().to_vec();
        moves.sort();
        expected.sort();
        prop_assert_eq!(moves, expected);
        if !pawns {
            prop_assert_eq!(position.end(), orthodox.end());
        }
    }

    /// Wild 9 differs from its twin among the options in the name only.
    #[test]
    fn wild_9_is_kings_with_options(line in any_line(Just(named("kings")))) {
        let setup = line[line.len() - 1].setup();
        let ids = ["wild9", "kings:promote-to-king=off,tie-break=rank1"];
        let [wild, twin] = ids.map(|id| Position::new(named(id), &setup).ok());
        prop_assert_eq!(wild.map(|at| at.setup()), twin.map(|at| at.setup()));
        if let Some((wild, twin)) = wild.zip(twin) {
            prop_assert_eq!(&*wild.legal_moves(), &*twin.legal_moves());
        }
    }
}

/// High Chess with all sorts of full counters, and both ways to restore them.
fn high_chess() -> Vec<Game> {
    let fulls = [1, 2, 3, 4, 7, 20, 49, 50].into_iter();
    let ids = fulls.flat_map(|full| {
        ["mover", "both"].map(|who| format!("high-chess:vital-restores={who},vitality={full}"))
    });
    ids.map(|id| named(&id)).collect()
}
