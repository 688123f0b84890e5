//! What the other program is told about this one and its games.

use retrograde_rules::{Game, PieceType};

use crate::NAME;
use crate::settings::variants;

/// The places of the pieces in the protocol's table of letters, white's first half: pawn,
/// knight, bishop, rook, queen, then those of other games, and the king at the end.
const PLACES: usize = 22;

/// The games of this program that XBoard knows, by its names.
const KNOWN: [&str; 2] = ["normal", "twokings"];

/// The lines that introduce this program.
pub(super) fn lines() -> String {
    let variants = variants().join(",");
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

/// The place of a piece type among the letters.
fn place(piece_type: PieceType) -> usize {
    match piece_type {
        PieceType::Pawn => 0,
        PieceType::Knight => 1,
        PieceType::Bishop => 2,
        PieceType::Rook => 3,
        PieceType::Queen => 4,
        // That of the archbishop, which moves alike.
        PieceType::Paladin => 7,
        PieceType::Chancellor => 8,
        PieceType::King => PLACES - 1,
    }
}

/// The command that tells a game's board, piece letters and array; `None` if XBoard knows
/// the game.
pub(super) fn setup(game: Game) -> Option<String> {
    if game
        .other_names()
        .iter()
        .any(|name| KNOWN.contains(&name.as_str()))
    {
        return None;
    }
    let mut letters = ['.'; PLACES];
    for &piece_type in game.piece_types() {
        letters[place(piece_type)] = game.letter(piece_type);
    }
    let white: String = letters.iter().collect();
    let black = white.to_ascii_lowercase();
    let geometry = game.geometry();
    let (files, ranks) = (geometry.files, geometry.ranks);
    let array = game.array().fen();
    let array: Vec<&str> = array.split(' ').take(4).collect();
    Some(format!(
        "setup ({white}{black}) {files}x{ranks}+0_fairy {} 0 1",
        array.join(" ")
    ))
}

#[cfg(test)]
mod tests {
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
        let text = setup(Game::parse("kings").unwrap()).unwrap();
        assert!(text.contains(") 8x8+0_fairy ") && text.ends_with(" w ADEHadeh - 0 1"));
        // Counters are no part of what the other program knows.
        let text = setup(Game::parse("high-chess").unwrap()).unwrap();
        assert!(text.ends_with(" w KQkq - 0 1"), "{text}");
    }
}
