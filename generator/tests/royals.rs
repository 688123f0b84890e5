//! Tests that tables of Kings, wild 9 and both extinction games are made and proved.
//!
//! They say what they should.
use std::path::Path;
use std::sync::OnceLock;

use retrograde::stats::stats;
use retrograde::verify::{self, verify};
use retrograde_probe::{Dtm, Metric, Tablebase, Wdl};
use retrograde_rules::{Colour, End, Game, Material, Piece, Position, Square};

fn game(id: &str) -> Game {
    Game::parse(id).unwrap()
}

/// Makes named materials, and all that they need; proves every position.
fn make(folder: &Path, id: &str, names: &[&str]) -> Tablebase {
    let game = game(id);
    let made = crate::common::make(game, folder, names, None);
    let options = verify::VerifyOptions {
        tables: vec![folder.to_owned()],
        ..verify::VerifyOptions::default()
    };
    let report = verify(game, &made, &options, &()).unwrap();
    for proved in report.materials {
        assert_eq!(
            proved.wrong, 0,
            "{id} {}: {:?}",
            proved.material, proved.examples
        );
        assert!(proved.positions > 0);
    }
    Tablebase::open(game, [folder]).unwrap()
}

/// Makes tables in a folder that is kept until the end.
fn made(id: &'static str, names: &[&str]) -> (tempfile::TempDir, Tablebase) {
    let folder = tempfile::tempdir().unwrap();
    let tables = make(folder.path(), id, names);
    (folder, tables)
}

fn position(tables: &Tablebase, fen: &str) -> Position {
    Position::from_fen(tables.game(), fen).unwrap()
}

/// Wdl and plies of a position.
fn value(tables: &Tablebase, fen: &str) -> (Wdl, Option<u32>) {
    let value = tables.value(&position(tables, fen)).unwrap();
    (value.wdl, value.dtm.map(u32::from))
}

/// The values of a table for all its indices.
fn values(tables: &Tablebase, name: &str, metric: Metric) -> [Vec<i16>; 2] {
    let material = Material::parse(tables.game(), name).unwrap();
    let table = tables.table(&material, metric).unwrap().unwrap();
    Colour::BOTH.map(|turn| {
        let mut values = vec![0; table.header().positions as usize];
        table.read(turn, 0, &mut values).unwrap();
        values
    })
}

#[test]
fn options_of_kings() {
    for (id, names) in [
        ("kings:spare-king=queen", &["KKvK", "KPvK"][..]),
        ("kings:spare-king=duke", &["KKvK"]),
        ("kings:black-corner=h8,tie-break=rank1", &["KKvK", "KPvK"]),
        ("kings:promote-to-king=off", &["KPvK"]),
        ("wild9", &["KKvK"]),
    ] {
        made(id, names);
    }
}

#[test]
fn one_king_a_side_is_orthodox_chess() {
    static ORTHODOX: OnceLock<(tempfile::TempDir, Tablebase)> = OnceLock::new();
    let names = ["KQvK", "KRvK", "KBvK", "KNvK"];
    let (_, orthodox) = ORTHODOX.get_or_init(|| made("orthodox", &["KPvK"]));
    let (_kings, kings) = made("kings", &names);
    let (_wild9, wild9) = made("wild9", &["KPvK"]);
    let pawn = [(&wild9, "KPvK")];
    let others = names.iter().map(|&name| (&kings, name));
    for (tables, name) in others.chain(pawn) {
        for metric in [Metric::Dtm, Metric::Wdl] {
            // Indices of no position may hold anything, but the same solver
            // fills them.
            assert!(
                values(tables, name, metric).map(|v| v.len())
                    == values(orthodox, name, metric).map(|v| v.len()),
                "{name}"
            );
        }
        assert_eq!(
            values(tables, name, Metric::Dtm),
            values(orthodox, name, Metric::Dtm),
            "{name}"
        );
    }
}

/// Every placement is counted once, however many of its pieces could be leaders.
#[test]
fn counts_of_materials_with_equal_leaders() {
    for (id, name) in [
        ("kings", "KKvK"),
        ("wild9", "KKvK"),
        ("extinction-mating", "KKvK"),
        ("extinction", "RRvN"),
    ] {
        let (_folder, tables) = made(id, &[name]);
        let game = tables.game();
        let material = Material::parse(game, name).unwrap();
        let counted = stats(&tables, &material).unwrap();
        let pieces: Vec<Piece> = material.pieces().collect();
        assert_eq!(pieces[0], pieces[1], "{name}");
        for turn in Colour::BOTH {
            let mut legal = 0;
            for a in 0..64 {
                for b in a + 1..64 {
                    for c in 0..64 {
                        let squares = [a, b, c].map(Square);
                        let pieces = pieces.iter().copied().zip(squares);
                        legal += u64::from(Position::from_pieces(game, pieces, turn).is_some());
                    }
                }
            }
            let side = &counted.sides[turn.index()];
            assert_eq!(side.positions, legal, "{id} {name}");
            assert_eq!(side.win + side.draw + side.loss, legal);
        }
    }
}

/// The last pawn must promote on the last rank, so its type dies out: the mover loses
/// by its own move, in an odd number of plies (E6).
#[test]
fn a_last_pawn_that_has_to_promote_loses_by_itself() {
    let (_folder, tables) = made("extinction", &["PvK", "PvR"]);
    let fen = "8/P7/8/8/8/8/8/6k1 w - -";
    assert_eq!(value(&tables, fen), (Wdl::Loss, Some(1)));
    let line = tables.line(&position(&tables, fen)).unwrap();
    assert_eq!(line.moves.len(), 1);
    let black = Some(End::Extinction {
        winner: Colour::Black,
    });
    assert_eq!(line.end, black);
    let moves = tables.moves(&position(&tables, fen)).unwrap();
    assert_eq!(moves.len(), 5);
    assert!(moves.iter().all(|m| m.wdl() == Some(Wdl::Loss)));
    assert!(
        moves
            .iter()
            .all(|m| m.value.unwrap().dtm == Some(Dtm(0)) && m.end == black)
    );
    // Promoting and taking the last rook at once wins (E6).
    let fen = "1r6/P7/8/8/8/8/8/8 w - -";
    assert_eq!(value(&tables, fen), (Wdl::Win, Some(1)));
    // Two plies before: Black need only wait.
    assert_eq!(
        value(&tables, "8/P7/8/8/8/8/8/6k1 b - -"),
        (Wdl::Win, Some(2))
    );
    // No move at all: blocked, a draw.
    let blocked = "8/8/8/8/8/r7/P7/8 w - -";
    assert_eq!(value(&tables, blocked), (Wdl::Draw, None));
    let answer = tables.probe(&position(&tables, blocked)).unwrap();
    assert_eq!(answer.facts.end, Some(End::Blocked));
}

#[test]
fn two_kings_of_extinction_chess_need_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::open(game("extinction"), [folder.path()]).unwrap();
    let touching = "8/8/8/3kK3/8/8/8/8 w - -";
    assert_eq!(value(&tables, touching), (Wdl::Win, Some(1)));
    let line = tables.line(&position(&tables, touching)).unwrap();
    assert_eq!(line.moves.len(), 1);
    let apart = "8/8/8/3k1K2/8/8/8/8 w - -";
    assert_eq!(value(&tables, apart), (Wdl::Draw, None));
    for mv in tables.moves(&position(&tables, apart)).unwrap() {
        assert_ne!(mv.value, None, "{}", mv.uci);
    }
}

/// Pawns as leaders, with captures en passant by both sides and of last pawns.
#[test]
fn pawns_lead_where_a_side_has_nothing_else() {
    made("extinction", &["PvP", "KPvP", "PPvP"]);
    made("extinction-mating", &["PvP", "KPvP", "PPvP"]);
}

#[test]
fn royal_pieces_are_told() {
    let (_folder, tables) = made("kings", &["KKvK"]);
    let answer = tables.probe(&position(&tables, "8/8/8/8/3K3k/8/1K6/8 w - -"));
    let [white, black] = answer.unwrap().facts.royals.unwrap();
    let names = |squares: retrograde_rules::SquareSet| -> Vec<String> {
        let board = tables.game().geometry();
        squares.into_iter().map(|s| board.name(s)).collect()
    };
    assert_eq!(
        (names(white), names(black)),
        (vec!["b2".into()], vec!["h4".into()])
    );
    let orthodox = Tablebase::open(Game::default(), ["nowhere"]).unwrap();
    let kings = orthodox.probe(&position(&orthodox, "8/8/8/8/3K3k/8/8/8 w - -"));
    assert_eq!(kings.unwrap().facts.royals, None);
}

/// The puzzle of five pieces that fixes the reading of K4: in check, Black's pawn has
/// to become a king, and the tables know the outcome.
#[test]
#[ignore = "minutes and 12 GB"]
fn promotion_to_a_king_is_the_only_move() {
    let folder = tempfile::tempdir().unwrap();
    let game = game("kings");
    crate::common::make(game, folder.path(), &["KRRvKP"], None);
    let tables = Tablebase::open(game, [folder.path()]).unwrap();
    let at = position(&tables, "3k3R/6R1/8/8/5K2/8/p7/8 b - -");
    let moves = tables.moves(&at).unwrap();
    let texts: Vec<String> = moves.iter().map(|m| at.uci(m.mv)).collect();
    assert_eq!(texts, ["a2a1k"]);
    let mated = tables.value(&at).unwrap();
    assert_eq!((mated.wdl, mated.dtm), (Wdl::Loss, Some(Dtm(4))));
}
