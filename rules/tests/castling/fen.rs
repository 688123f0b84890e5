//! The castling field of a FEN, and castling rights that cannot be.

use retrograde_rules::{
    CastlingFault, CastlingRights, Colour, Epd, Fault, FenErrorKind, Piece, PieceType, Position,
    Setup, Square,
};

use crate::castling::{game, position};

const ALL: &str = "r3k2r/8/8/8/8/8/8/R3K2R";
const KINGS: &str = "r2kk2r/8/8/8/8/8/8/R2KK2R";
const WILD_9: &str = "r3kk2/8/8/8/8/8/8/R3KK2";

#[test]
fn fields_round_trip() {
    for (id, board, fields) in [
        (
            "orthodox",
            ALL,
            &[
                ("KQkq", "KQkq"),
                ("qkQK", "KQkq"),
                ("Kq", "Kq"),
                ("-", "-"),
                // By the files of the rooks, as programs for chess960 write it.
                ("HAha", "KQkq"),
                ("H", "K"),
                ("Kah", "Kkq"),
            ][..],
        ),
        ("high-chess", ALL, &[("Qk", "Qk"), ("Ah", "Qk")]),
        ("extinction", ALL, &[("KQkq", "KQkq")]),
        (
            "kings",
            KINGS,
            &[
                ("ADEHadeh", "ADEHadeh"),
                ("hedaHEDA", "ADEHadeh"),
                ("ADdh", "ADdh"),
                // A rook's letter without a king's is dropped, and a king's
                // without a rook's.
                ("AH", "-"),
                ("DE", "-"),
                ("Aeh", "eh"),
                ("ADah", "AD"),
            ],
        ),
        (
            "wild9",
            WILD_9,
            // What other programs know beside that is dropped.
            &[
                ("Qq", "Qq"),
                ("q", "q"),
                ("KQkq", "Qq"),
                ("Kq", "q"),
                ("Kk", "-"),
                ("Aa", "Qq"),
            ],
        ),
    ] {
        let game = game(id);
        for (given, written) in fields {
            let at = position(game, &format!("{board} w {given} -"));
            assert_eq!(at.castling().text(game), *written, "{id} {given}");
            assert_eq!(at.castling().is_empty(), *written == "-");
            let fen = at.fen();
            assert_eq!(fen.split(' ').nth(2), Some(*written));
            assert_eq!(Position::from_fen(game, &fen), Ok(at));
            let epd = Epd::parse(game, &format!("{board} w {given} - bm Kd2;")).unwrap();
            assert_eq!(epd.setup.castling, at.castling());
            assert!(epd.text(game).contains(&format!(" w {written} - ")));
        }
    }
}

/// The move of another king ends a right of wild 9, of which other programs may not know (X3).
#[test]
fn rights_that_a_king_has_ended_are_dropped() {
    let at = position(game("wild9"), "4kk2/8/8/8/8/8/5K2/R3K3 w Q -");
    assert!(at.castling().is_empty());
}

#[track_caller]
fn refused(id: &str, board: &str, field: &str, offset: usize, words: &str) -> FenErrorKind {
    let text = format!("{board} w {field} -");
    let error = Setup::from_fen(game(id), &text).expect_err(&text);
    let message = error.to_string();
    assert_eq!(error.offset, board.len() + 3 + offset, "{text}: {message}");
    assert!(message.contains(words), "{text}: {message}");
    error.kind
}

#[test]
fn rights_without_their_pieces() {
    for (id, board, field, offset, words) in [
        (
            "orthodox",
            "4k3/8/8/8/8/8/8/4K2R",
            "KQ",
            1,
            "Q is impossible: no white rook stands on a1",
        ),
        (
            "orthodox",
            "4k3/8/8/8/8/8/8/4KR2",
            "K",
            0,
            "no white rook stands on h1",
        ),
        (
            "orthodox",
            "4k3/8/8/8/8/8/8/3K3R",
            "K",
            0,
            "no white king stands on e1",
        ),
        (
            "orthodox",
            "4k3/8/8/8/8/8/8/4K2r",
            "K",
            0,
            "no white rook stands on h1",
        ),
        (
            "orthodox",
            "4k3/8/8/8/8/8/8/4K2R",
            "Kq",
            1,
            "no black rook stands on a8",
        ),
        (
            "high-chess",
            "4k3/8/8/8/8/8/8/3K3R",
            "K",
            0,
            "no white king stands on e1",
        ),
        (
            "extinction",
            "4k3/8/8/8/8/8/8/3KQ2R",
            "K",
            0,
            "no white king stands on e1",
        ),
        (
            "kings",
            "4k3/8/8/8/8/8/8/R2K4",
            "ADE",
            2,
            "no white king stands on e1",
        ),
        (
            "orthodox",
            "4k3/8/8/8/8/8/8/3K3R",
            "H",
            0,
            "H is impossible: no white king stands on e1",
        ),
        // Though it would be dropped.
        (
            "kings",
            "4k3/8/8/8/8/8/8/3K4",
            "A",
            0,
            "no white rook stands on a1",
        ),
        (
            "wild9",
            "4kk2/8/8/8/8/8/8/R4K2",
            "Q",
            0,
            "no white king stands on e1",
        ),
        (
            "wild9",
            "4kk2/8/8/8/8/8/8/4KK2",
            "Q",
            0,
            "no white rook stands on a1",
        ),
    ] {
        let kind = refused(id, board, field, offset, words);
        assert!(matches!(kind, FenErrorKind::CastlingRight { .. }));
        refused(id, board, field, offset, "leave the letter out, or write -");
    }
}

#[test]
fn letters_that_are_no_rights() {
    for (id, board, field, offset, letters) in [
        ("orthodox", ALL, "HAhb", 3, "KQkq"),
        ("orthodox", ALL, "KH", 1, "KQkq"),
        ("orthodox", ALL, "E", 0, "KQkq"),
        ("wild9", WILD_9, "H", 0, "Qq"),
        ("orthodox", ALL, "KQx", 2, "KQkq"),
        ("orthodox", ALL, "KK", 1, "KQkq"),
        ("orthodox", ALL, "--", 0, "KQkq"),
        ("orthodox", ALL, "K-", 1, "KQkq"),
        ("orthodox", ALL, "é", 0, "KQkq"),
        ("kings", KINGS, "KQkq", 0, "ADEHadeh"),
        ("kings", KINGS, "ADB", 2, "ADEHadeh"),
        ("wild9", WILD_9, "KQK", 2, "Qq"),
        ("wild9", WILD_9, "qQq", 2, "Qq"),
        ("wild9", WILD_9, "HQ", 0, "Qq"),
    ] {
        let kind = refused(
            id,
            board,
            field,
            offset,
            &format!("letters {letters}, each once"),
        );
        assert!(matches!(kind, FenErrorKind::Castling { .. }));
    }
    let kind = refused(
        "chess99",
        "9/9/9/9/4k4/9/9/9/R3K4",
        "Q",
        0,
        "has no castling rights",
    );
    assert_eq!(kind, FenErrorKind::NeedlessRights("Q".to_owned()));
}

/// A diagram that was put together, not read.
#[test]
fn diagrams_are_checked_too() {
    let orthodox = game("orthodox");
    let mut setup = position(orthodox, &format!("{ALL} w KQkq -")).setup();
    let a8 = Square(56);
    setup.board.set(a8, None);
    let error = Position::new(orthodox, &setup).unwrap_err();
    let rook = Piece::new(Colour::Black, PieceType::Rook);
    let fault = Fault::Castling(CastlingFault::Missing(rook, a8));
    assert_eq!(error.faults(), [fault]);
    assert!(error.to_string().contains("no black rook stands on a8"));
    setup.castling = CastlingRights::NONE;
    assert!(Position::new(orthodox, &setup).is_ok());
    // Of another game.
    let mut nine = position(game("chess99"), "9/9/9/9/4k4/9/9/9/4K4 w - -").setup();
    nine.castling = position(orthodox, &format!("{ALL} w K -")).castling();
    let error = Position::new(game("chess99"), &nine).unwrap_err();
    assert_eq!(error.faults(), [Fault::Castling(CastlingFault::Foreign)]);
}
