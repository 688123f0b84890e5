//! What the other program is told about this one and its games.

use retrograde_rules::{DoubleStep, Game, PieceType};

use crate::NAME;

/// The places of the pieces in the protocol's table of letters, white's first half: pawn,
/// knight, bishop, rook, queen, then those of other games, and the king at the end.
const PLACES: usize = 22;

/// The games of this program that XBoard knows, by its names.
const KNOWN: [&str; 2] = ["normal", "twokings"];

/// The lines that introduce this program.
pub(super) fn lines(variants: &[&str]) -> String {
    let variants = variants.join(",");
    format!(
        "feature done=0\n\
         feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1\n\
         feature sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 ics=0 name=0 pause=0 nps=0\n\
         feature memory=1 smp=1 debug=1 egt=\"retrograde\"\n\
         feature option=\"TablebasePath -string \"\n\
         feature myname=\"{NAME}\"\n\
         feature variants=\"{variants}\"\n\
         feature done=1"
    )
}

/// The pieces that XBoard knows, after the pawn, by how they move; the place in the list is one
/// less than that among the letters.
const MOVES: [&str; 10] = ["N", "B", "R", "Q", "F", "A", "BN", "RN", "W", "K"];

/// The piece types of a game with their places among the letters, each at the place of the piece
/// that moves alike if there is one, otherwise at one that nothing has, whose moves have to be
/// told.
fn places(game: Game) -> Vec<(PieceType, usize, bool)> {
    let place = |piece_type: PieceType| match piece_type {
        PieceType::Pawn => Some(0),
        PieceType::King => Some(PLACES - 1),
        _ => {
            let moves = game.mover(piece_type).to_string();
            MOVES
                .iter()
                .position(|known| *known == moves)
                .map(|n| n + 1)
        }
    };
    let mut taken = Vec::new();
    let types = game.piece_types().iter();
    let mut places: Vec<(PieceType, Option<usize>)> = types
        .map(|&piece_type| {
            let place = place(piece_type).filter(|place| !taken.contains(place));
            taken.extend(place);
            (piece_type, place)
        })
        .collect();
    let mut free = (MOVES.len() + 1..PLACES - 1).filter(|place| !taken.contains(place));
    let told = |(piece_type, place): (PieceType, Option<usize>)| match place {
        Some(place) => Some((piece_type, place, false)),
        None => Some((piece_type, free.next()?, true)),
    };
    places.drain(..).filter_map(told).collect()
}

/// The commands that tell a game's board, piece letters and array, and how pieces move that
/// XBoard does not know; `None` if XBoard knows the game.
pub(super) fn setup(game: Game) -> Option<String> {
    if game
        .other_names()
        .iter()
        .any(|name| KNOWN.contains(&name.as_str()))
    {
        return None;
    }
    let mut letters = ['.'; PLACES];
    let mut moves = String::new();
    for (piece_type, place, is_new) in places(game) {
        letters[place] = game.letter(piece_type);
        let betza = game.mover(piece_type).to_string();
        let betza = match piece_type {
            PieceType::Pawn if game.pawns().double_step == DoubleStep::None => "fmWfceF",
            PieceType::King if betza != "K" => &betza,
            _ if is_new => &betza,
            _ => continue,
        };
        moves.push_str(&format!("\npiece {}& {betza}", game.letter(piece_type)));
    }
    let white: String = letters.iter().collect();
    let black = white.to_ascii_lowercase();
    let geometry = game.geometry();
    let (files, ranks) = (geometry.files, geometry.ranks);
    let array = game.array().fen();
    let array: Vec<&str> = array.split(' ').take(4).collect();
    Some(format!(
        "setup ({white}{black}) {files}x{ranks}+0_fairy {} 0 1{moves}",
        array.join(" ")
    ))
}

#[cfg(test)]
mod tests {
    use retrograde_probe::GameFinder;

    use super::*;

    #[test]
    fn games_are_set_up() {
        for known in ["orthodox", "wild9"] {
            assert_eq!(setup(Game::parse(known).unwrap()), None);
        }
        let game = Game::parse("chess99").unwrap();
        assert_eq!(
            setup(game).unwrap(),
            "setup (PNBRQ..A.............Kpnbrq..a.............k) 9x9+0_fairy \
             rnbakqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w - - 0 1"
        );
        // The royal knight keeps the king's place, the man has that of his own kind, and the
        // man's letter stands nowhere else.
        let text = include_str!("../../../games/examples/knightmate.toml");
        let game = GameFinder::default().find(text).unwrap();
        assert_eq!(
            setup(game).unwrap(),
            "setup (P.BRQ.....M..........Kp.brq.....m..........k) 8x8+0_fairy \
             rmbqkbmr/pppppppp/8/8/8/8/PPPPPPPP/RMBQKBMR w KQkq - 0 1\npiece K& N"
        );
        let text = include_str!("../../../games/examples/amazon.toml");
        let text = setup(GameFinder::default().find(text).unwrap()).unwrap();
        assert!(text.ends_with("KQkq - 0 1\npiece A& QN"), "{text}");
        let text = include_str!("../../../games/examples/gardner.toml");
        let text = setup(GameFinder::default().find(text).unwrap()).unwrap();
        assert!(text.ends_with(" w - - 0 1\npiece P& fmWfceF"), "{text}");
        let text = setup(Game::parse("kings").unwrap()).unwrap();
        assert!(text.contains(") 8x8+0_fairy ") && text.ends_with(" w ADEHadeh - 0 1"));
        // Counters are no part of what the other program knows.
        let text = setup(Game::parse("high-chess").unwrap()).unwrap();
        assert!(text.ends_with(" w KQkq - 0 1"), "{text}");
    }
}
