//! Runs the bodies of the fuzz targets on arbitrary input.
//!
//! They must neither panic nor loop for ever, and whatever is understood must be written and read
//! back unchanged.

use retrograde_pgn::{Noted, Records, Walk};
use retrograde_probe::{Table, Tablebase};
use retrograde_rules::{Colour, Game, GameError, Position};
use xxhash_rust::xxh3::xxh3_64;

/// Games with options other than the defaults, which are fed too.
const WITH_OPTIONS: [&str; 2] = [
    "high-chess:vitality=5",
    "kings:black-corner=h8,spare-king=duke",
];

fn games() -> impl Iterator<Item = Game> {
    let others = WITH_OPTIONS
        .into_iter()
        .filter_map(|id| Game::parse(id).ok());
    Game::all().iter().copied().chain(others)
}

/// Reads the bytes of a table, as they are and with checksums that fit.
pub fn table(bytes: &[u8]) {
    read_table(bytes);
    if let Some(bytes) = mended(bytes) {
        read_table(&bytes);
    }
}

/// Mends the checksums of blocks and header, as far as there are any, so that what is behind them
/// is reached.
fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    let word = |bytes: &[u8], at: usize| -> Option<usize> {
        let word = bytes.get(at..)?.first_chunk::<8>()?;
        usize::try_from(u64::from_le_bytes(*word)).ok()
    };
    let length = bytes.len().checked_sub(8)?;
    let table = word(&bytes, 12)? & 0xFFFF_FFFF;
    let blocks = word(&bytes, 52)? & 0xFFFF_FFFF;
    let end = blocks.checked_mul(16)?.checked_add(table)?;
    bytes.get(end..end.checked_add(8)?)?;
    for entry in (table..end).step_by(16) {
        let from = word(&bytes, entry)?;
        let to = match entry + 16 {
            next if next == end => length,
            next => word(&bytes, next)?,
        };
        if let Some(block) = bytes.get(from..to) {
            let sum = xxh3_64(block);
            bytes[entry + 8..entry + 16].copy_from_slice(&sum.to_le_bytes());
        }
    }
    let sum = xxh3_64(&bytes[..end]);
    bytes[end..end + 8].copy_from_slice(&sum.to_le_bytes());
    Some(bytes)
}

/// Reads the bytes of a table: all of it, and some positions by way of a
/// tablebase.
fn read_table(bytes: &[u8]) {
    let Ok(table) = Table::from_bytes(bytes) else {
        return;
    };
    let sound = table.check().faults.is_empty();
    let positions = table.header().positions;
    for turn in Colour::BOTH {
        for index in [0, 1, positions / 2, positions - 1, positions] {
            let value = table.get(turn, index);
            let section = table.header().section(turn);
            let has_side = section.is_some_and(|s| !s.asks_result);
            assert!(!sound || value.is_ok() == (has_side && index < positions));
        }
        let _ = table.read(turn, positions / 3, &mut [0; 100]);
    }
    let game = table.header().game;
    let squares = [
        "8/8/8/3k4/8/8/8/K7",
        "k7/8/8/8/8/8/1Q6/3K4",
        "8/3k4/8/3R4/8/8/8/K7",
    ];
    let Ok(tables) = Tablebase::from_tables(game, [table]) else {
        return;
    };
    for position in squares
        .iter()
        .flat_map(|squares| ["w", "b"].map(|turn| format!("{squares} {turn} - -")))
        .filter_map(|fen| Position::from_fen(game, &fen).ok())
    {
        let _ = tables.probe(&position);
        let _ = tables.moves(&position);
    }
}

/// Reads a text as a position of each game.
pub fn fen(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    for game in games() {
        let Ok(position) = Position::from_fen(game, text) else {
            continue;
        };
        let written = position.fen();
        let again = Position::from_fen(game, &written).map(|again| again.fen());
        assert_eq!(again.ok(), Some(written), "{text}");
        for &mv in &position.legal_moves() {
            assert_eq!(position.parse_uci(&position.uci(mv)).ok(), Some(mv));
            let san = position.san(mv);
            assert_eq!(position.parse_san(&san).ok(), Some(mv), "{san}");
        }
    }
}

/// Reads the first line of a text as a position and the others as its moves.
pub fn moves(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    for game in games() {
        let Ok(position) = Position::from_fen(game, first) else {
            continue;
        };
        for text in rest.lines() {
            let uci = position.parse_uci(text);
            let san = position.parse_san(text);
            for mv in [uci.ok(), san.ok()].into_iter().flatten() {
                let after = position.play(mv);
                assert_ne!(after.turn(), position.turn());
            }
        }
    }
}

/// Reads a text as PGN of each game, plays the records as far as possible, and reads
/// back what is written of them.
pub fn pgn(bytes: &[u8]) {
    for game in games() {
        for record in Records::new(game, bytes).flatten() {
            let Ok(start) = record.start(game) else {
                continue;
            };
            let mut walk = Walk::new(start);
            let mut noted = Vec::new();
            for mv in &record.moves {
                let Ok(step) = walk.play(&mv.text) else { break };
                noted.push(Noted {
                    san: step.before.san(step.mv),
                    nags: mv.nags.clone(),
                    comments: mv.comments.clone(),
                });
            }
            let written = retrograde_pgn::write(&record, &start, &noted);
            let again: Vec<_> = Records::new(game, written.as_bytes()).collect();
            let [Ok(again)] = &again[..] else {
                panic!("{written}");
            };
            assert_eq!(again.start(game), Ok(start), "{written}");
            assert_eq!(again.moves.len(), noted.len(), "{written}");
            let mut same = Walk::new(start);
            for mv in &again.moves {
                assert!(same.play(&mv.text).is_ok(), "{written}");
            }
            assert_eq!(same.position(), walk.position(), "{written}");
        }
    }
}

/// The longest message that says what is wrong with a definition, in bytes.
const LONGEST_MESSAGE: usize = 4096;

/// Reads a text as the definition of a game, which may extend itself, and plays a move of the
/// game.
pub fn definition(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let resolve = |name: &str, _: &str| Ok((name.to_owned(), text.to_owned()));
    let game = match Game::define("fuzzed.toml", text, "", &[], &resolve) {
        Ok(game) => game,
        Err(GameError::TooMany) => return,
        Err(error) => {
            let message = error.to_string();
            assert!(
                !message.is_empty() && message.len() <= LONGEST_MESSAGE,
                "{message}"
            );
            return;
        }
    };
    // What tables carry is the same game, under the same id.
    let again = Game::of_normal(game.name(), game.normal());
    assert_eq!(again.map(Game::normal).ok(), Some(game.normal()), "{text}");
    assert!(!game.in_full().is_empty());
    let array = game.array();
    assert_eq!(
        Position::from_fen(game, &array.fen()).ok(),
        Some(array),
        "{text}"
    );
    for &mv in &array.legal_moves() {
        assert_eq!(array.parse_uci(&array.uci(mv)).ok(), Some(mv), "{text}");
        let san = array.san(mv);
        assert_eq!(array.parse_san(&san).ok(), Some(mv), "{san}: {text}");
        assert_ne!(array.play(mv).turn(), array.turn());
    }
}
