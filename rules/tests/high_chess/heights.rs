//! Who is High, and when that is judged (H1, H3).

use retrograde_rules::{Colour, Piece, PieceType, Position, Toll};

use crate::high_chess::{check_tolls, game, rules, square};

#[test]
fn h1_distances_are_steps_to_the_four_central_squares() {
    let ranks = [
        "33333333", "32222223", "32111123", "32100123", "32100123", "32111123", "32222223",
        "33333333",
    ];
    for (rank, row) in ranks.iter().enumerate() {
        for (file, steps) in row.bytes().enumerate() {
            let square = game().geometry().square(file as u8, rank as u8);
            assert_eq!(rules().distance(square), steps - b'0', "{file} {rank}");
        }
    }
}

#[test]
fn h1_the_nearer_king_is_high_and_black_when_equal() {
    for (white, black, high) in [
        ("e4", "c5", Colour::White),
        ("c5", "e4", Colour::Black),
        ("e4", "d6", Colour::White),
        ("a1", "h5", Colour::Black),
        ("b2", "h5", Colour::White),
        ("g3", "f6", Colour::Black),
    ] {
        let squares = [square(white), square(black)];
        assert_eq!(rules().high_by_kings(squares[0], squares[1]), high);
        let pieces = Colour::BOTH.map(|colour| Piece::new(colour, PieceType::King));
        let placed = pieces.into_iter().zip(squares);
        let position = Position::from_pieces(game(), placed, Colour::White).unwrap();
        assert_eq!(rules().high(&position), high);
        for colour in Colour::BOTH {
            assert_eq!(rules().is_high(&position, colour), colour == high);
        }
    }
}

#[test]
fn h3_heights_are_judged_after_the_move() {
    use Toll::{Free, Paid};
    // Both kings one step from the centre: Black is High until White moves in.
    check_tolls(
        game(),
        "8/8/5k2/8/8/2K5/8/8 w - - 9+9",
        &[
            ("c3d4", Free, 9, 9),
            ("c3c4", Paid, 8, 9),
            ("c3b2", Paid, 8, 9),
            ("0000", Paid, 8, 9),
        ],
    );
    // Black gives its height away, or keeps it at equal distance.
    check_tolls(
        game(),
        "8/8/5k2/8/8/2K5/8/8 b - - 9+9",
        &[
            ("f6g7", Paid, 9, 8),
            ("f6f5", Free, 9, 9),
            ("f6e5", Free, 9, 9),
            ("0000", Free, 9, 9),
        ],
    );
    // Black comes up to equal distance.
    check_tolls(
        game(),
        "8/5k2/8/8/8/2K5/8/8 b - - 9+9",
        &[("f7f6", Free, 9, 9), ("f7f8", Paid, 9, 8)],
    );
}
