//! Definitions from a `variants.ini`.

use std::fs;

use retrograde::import::import;
use retrograde_rules::Game;

use crate::common::{fails, run};

const SECTIONS: &str = "\
; Sections of several kinds.
[six:losalamos]

# Written out, without a base.
[small]
king = k
queen = q          # the usual one
rook = r
knight = n
pawn = p
maxFile = f
maxRank = 6
promotionRegionWhite = *6
promotionRegionBlack = *1
promotionPieceTypes = qrn
doubleStep = false
castling = false
startFen = rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1
pieceToCharTable = PNBRQ................Kpnbrq................k

[minichess:chess]
maxFile = 5
maxRank = 5
promotionRegionWhite = *5
promotionRegionBlack = *1
doubleStep = false
castling = false
startFen = rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1

[wide:chess]
maxFile = 10
archbishop = a
chancellor = c
promotionPieceTypes = acqrbn
castlingQueensideFile = c
castlingKingsideFile = i
startFen = rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1

[wide-stalemate:wide]
stalemateValue = loss

[leaping:chess]
knight = -
customPiece1 = m:K
king = k:N
promotionPieceTypes = qrbm
startFen = rmbqkbmr/pppppppp/8/8/8/8/PPPPPPPP/RMBQKBMR w KQkq - 0 1

[5pawns:minichess]
startFen = rnbqk/1pppp/p4/PPPPP/RNBQK w - - 0 1
";

fn id(text: &str) -> String {
    let none = |name: &str, _: &str| Err(format!("no {name}"));
    let game = Game::define("imported", text, "", &[], &none);
    game.unwrap_or_else(|error| panic!("{error}\n{text}")).id()
}

/// The digest of a game in `games/examples/`.
fn digest(example: &str) -> String {
    let path = format!(
        "{}/../games/examples/{example}.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    digest_of(&id(&fs::read_to_string(path).unwrap())).to_owned()
}

fn digest_of(id: &str) -> &str {
    id.split_once('@').map_or("", |(_, digest)| digest)
}

#[test]
fn sections_are_the_games_that_they_describe() {
    let imported = import(SECTIONS, None).unwrap();
    let imported: Vec<_> = imported.into_iter().map(Result::unwrap).collect();
    let find = |name: &str| {
        let found = imported.iter().find(|imported| imported.name == name);
        id(&found.unwrap_or_else(|| panic!("no {name}")).text)
    };
    for (section, example) in [
        ("six", "losalamos"),
        ("small", "losalamos"),
        ("minichess", "gardner"),
        ("leaping", "knightmate"),
        ("game-5pawns", "gardner"),
    ] {
        assert_eq!(digest_of(&find(section)), digest(example), "{section}");
    }
    assert_eq!(find("wide"), "capablanca");
    assert!(find("wide-stalemate").starts_with("wide-stalemate@"));
    let one = import(SECTIONS, Some("5pawns")).unwrap();
    let [Ok(one)] = &one[..] else {
        panic!("{one:?}");
    };
    assert!(one.text.contains("aliases = [\"5pawns\"]"), "{}", one.text);
}

/// Rules that are orthodox chess in other words are orthodox chess.
#[test]
fn a_section_may_be_a_game_that_is_built_in() {
    let imported = import("[mine:chess]\nnFoldRule = 5\n", None).unwrap();
    assert_eq!(id(&imported[0].as_ref().unwrap().text), "orthodox");
}

#[test]
fn what_has_no_like_names_its_line() {
    for (text, line, part) in [
        ("", 1, "there is no section"),
        ("maxRank = 8\n", 1, "neither [name]"),
        ("[a:chess]\nwhat is this\n", 2, "neither [name]"),
        ("[a:chess\n", 1, "ends with ]"),
        ("\n[a:checkers]\n", 2, "no section [checkers] above"),
        ("[a:chess]\n\nduckGating = true\n", 3, "duckGating"),
        (
            "[a:chess]\nnoSuchKey = true\n",
            2,
            "not known at all: noSuchKey",
        ),
        (
            "[a:chess]\n\nduckGating = true\nnoSuchKey = 1\n",
            4,
            "duckGating = true, noSuchKey = 1 have no like here; not known at all: noSuchKey",
        ),
        ("[a:chess]\ncannon = n\n", 2, "Betza"),
        (
            "[a:chess]\ncustomPiece1 = p:fW\npawnTypes = h\n",
            3,
            "pawnTypes",
        ),
        (
            "[a:chess]\nflagPieceCount = 2\nflagRegion = e4\n",
            1,
            "so many squares",
        ),
        (
            "[a:chess]\nflagPieceWhite = k\nflagRegion = e4\n",
            2,
            "flagPieceWhite",
        ),
        (
            "[a:chess]\nflagPiece = k\nflagRegionWhite = e4\n",
            3,
            "need each other",
        ),
        (
            "[a:giveaway]\nextinctionPieceCount = 2\n",
            2,
            "extinctionPieceCount",
        ),
        (
            "[a:chess]\npawn = -\ncustomPiece1 = p:mfFcfW\npawnTypes = p\nblastOnCapture = true\n",
            1,
            "pawns.moves and capture.explodes do not go together",
        ),
        (
            "[a:giveaway]\nextinctionPseudoRoyal = true\n",
            2,
            "extinctionPseudoRoyal",
        ),
        ("[a:chess]\nmaxRank = many\n", 2, "maxRank"),
        ("[a:chess]\nmaxRank = 6\n", 2, "startFen is missing"),
        (
            "[a]\nking = k\nrook = n\nknight = n\nstartFen = k6n/8/8/8/8/8/8/K6N w\n",
            4,
            "two pieces have the letter n",
        ),
        ("[a:chess]\ncustomPiece1 = n:gQ\n", 2, "Betza"),
        ("[a:chess]\nstalemateValue = maybe\n", 2, "draw, loss, win"),
        ("[a:chess]\npromotionPieceTypes = qx\n", 2, "the letter X"),
        (
            "[a:chess]\nstartFen = 8/8/8/8 w - - 0 1\nstalemateValue = loss\n",
            2,
            "board.array",
        ),
        (
            "[a:chess]\ndoubleStepRegionWhite = *2 e3\n",
            2,
            "whole ranks",
        ),
        ("[a:chess]\ncastlingKingsideFile = 300\n", 2, "write a file"),
        ("[a:chess]\npawn = s\n", 2, "letter of the pawn"),
    ] {
        let error = match import(text, None) {
            Ok(mut sections) => sections.remove(0).expect_err(text),
            Err(error) => error,
        };
        assert!(error.message.contains(part), "{text}{error}");
        assert_eq!(error.line, line, "{text}{error}");
    }
}

/// The games that sections may build on are those of this program, where it has them.
#[test]
fn games_that_are_known_there() {
    for (text, expected) in [
        ("[x:fischerandom]\nchess960 = false\n", "orthodox"),
        ("[x:gothic]\n", "capablanca"),
        ("[x:makruk]\ncountingRule = none\n", "makruk"),
        ("[x:atomic]\n", "atomic"),
        ("[x:racingkings]\n", "racing-kings"),
        ("[x:shatranj]\n", "shatranj:no-progress=140"),
        ("[x:suicide]\n", "antichess:stalemate=fewer-men"),
        ("[x:3check]\nnMoveRule = 0\n", "three-check"),
    ] {
        let imported = import(text, None).unwrap().remove(0).unwrap();
        assert_eq!(id(&imported.text), expected, "{text}{}", imported.text);
    }
    let imported = import("[x:5check]\nnMoveRule = 0\n", None)
        .unwrap()
        .remove(0)
        .unwrap();
    assert!(imported.text.contains("checks = 5"), "{}", imported.text);
    let text = "[x:torpedo]\nnMoveRule = 0\n";
    let imported = import(text, None).unwrap().remove(0).unwrap();
    assert_eq!(digest_of(&id(&imported.text)), digest("torpedo"));
}

/// A number of pieces with which a game is over is one of all pieces or of a type.
#[test]
fn numbers_of_pieces_that_decide() {
    let antiatomic = "[x:giveaway]\nblastOnCapture = true\nextinctionOpponentPieceCount = 1\n";
    for (text, parts) in [
        ("[x:losers]\n", &["bare = \"win\""][..]),
        (
            "[x:giveaway]\nextinctionPieceCount = 1\n",
            &["bare = \"win\"", "rule = \"none\""],
        ),
        (
            "[x:threekings]\n",
            &["kings = [3, \"any\"]", "extinct-count = 2"],
        ),
        (
            "[x:nocheckatomic]\n",
            &["kings = [1, \"any\"]", "extinct = \"loss\""],
        ),
        (
            antiatomic,
            &["kings = [0, \"any\"]", "all-lost-alone = true"],
        ),
    ] {
        let imported = import(text, None).unwrap().remove(0).unwrap();
        for part in parts {
            assert!(imported.text.contains(part), "{part}\n{}", imported.text);
        }
    }
    // Without explosions nobody loses the last piece by an own capture.
    let imported = import("[x:giveaway]\nextinctionOpponentPieceCount = 1\n", None);
    let imported = imported.unwrap().remove(0).unwrap();
    assert!(!imported.text.contains("alone"), "{}", imported.text);
}

/// A letter means the piece that has it in the section where it is written.
#[test]
fn letters_of_pieces() {
    // The archbishop has another letter than below, and pawns still become one.
    let text = "[x:janus]\narchbishop = a\nstartFen = \
                rnbaqkabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBAQKABNR w KQkq - 0 1\n";
    let imported = import(text, None).unwrap().remove(0).unwrap();
    assert!(
        imported.text.contains("promotes-to = \"QARBN\""),
        "{}",
        imported.text
    );
    // The knight is no longer there, and nothing said that pawns become the new piece.
    let text = "[x:chess]\ncustomPiece1 = n:NK\n";
    let imported = import(text, None).unwrap().remove(0).unwrap();
    assert!(
        imported.text.contains("promotes-to = \"QRB\""),
        "{}",
        imported.text
    );
    // What is no pawn has another letter than P, and fields of the array may be missing.
    let text = "[x]\ncustomPiece1 = p:fmWfF\ncustomPiece2 = v:N\nmaxFile = 3\nmaxRank = 3\n\
                stalemateValue = loss\nflagPiece = p\nflagRegionWhite = *3\n\
                flagRegionBlack = *1\nstartFen = ppp/v1V/PPP w 0 1\n";
    let imported = import(text, None).unwrap().remove(0).unwrap();
    for part in [
        "array = \"aaa/b1B/AAA w - - 0 1\"",
        "# A is P in Fairy-Stockfish.",
        "# B is V in Fairy-Stockfish.",
        "piece = \"A\"",
    ] {
        assert!(imported.text.contains(part), "{part}\n{}", imported.text);
    }
    // Pieces that are never on the board are not in the game.
    let imported = import("[x:chess]\ncannon = c\n", None).unwrap().remove(0);
    assert_eq!(id(&imported.unwrap().text), "orthodox");
}

/// Pieces that have to arrive: several, on squares apart, safely, or for a move. Only a king's
/// arrival may be replied to.
#[test]
fn squares_to_reach() {
    let reach = |text: &str| {
        let imported = import(text, None).unwrap().remove(0).unwrap();
        let (_, reach) = imported.text.split_once("[end.reach]\n").unwrap();
        reach.split("\n\n").next().unwrap().trim_end().to_owned()
    };
    let bajr = "[bajr]\nmaxRank = 6\nmaxFile = f\ncustomPiece1 = p:mfrWmrfF\nflagPiece = p\n\
                startFen = 4pp/5p/6/6/P5/PP4 w\nflagRegionWhite = e6 f6 f5\n\
                flagRegionBlack = a1 a2 b1\nflagPieceCount = 3\n";
    assert_eq!(
        reach(bajr),
        "piece = \"A\"\nsquares = [\"e6\", \"f6\", \"f5\"]\nblack = [\"a1\", \"a2\", \"b1\"]\n\
         count = 3"
    );
    let any = "piece = \"*\"\nsquares = [\"rank8\"]";
    let to_the_last = "flagRegionWhite = *8\nflagRegionBlack = *1\n";
    assert_eq!(
        reach(&format!("[a:chess]\n{to_the_last}flagPieceSafe = true\n")),
        format!("{any}\nsafe = true")
    );
    assert_eq!(
        reach(&format!("[a:chess]\n{to_the_last}flagMove = true\n")),
        format!("{any}\nstays = true")
    );
    let king = "[a:chess]\nflagPiece = k\nflagMove = true\nflagRegion = *8\n";
    assert!(
        reach(king).ends_with("both = true\nreply = true"),
        "{}",
        reach(king)
    );
}

/// Without pieces to promote to, pawns stay pawns on the last rank, if they go there.
#[test]
fn pawns_that_stay_pawns() {
    let text = "\
[hexapawn:chess]
king = -
queen = -
rook = -
bishop = -
knight = -
maxFile = 3
maxRank = 3
promotionPieceTypes = -
mandatoryPawnPromotion = false
doubleStep = false
castling = false
nMoveRule = 0
stalemateValue = loss
flagPiece = p
flagRegionWhite = *3
flagRegionBlack = *1
startFen = ppp/3/PPP w - - 0 1
";
    let imported = import(text, None).unwrap().remove(0).unwrap();
    assert_eq!(digest_of(&id(&imported.text)), digest("hexapawn"));
    let nothing = "[a:chess]\npromotionPieceTypes = -\n";
    for text in [
        nothing,
        "[a]\nking = k\nrook = r\npawn = p\nstartFen = 4k3/pr6/8/8/8/8/PR6/4K3 w - - 0 1\n",
    ] {
        let imported = import(text, None).unwrap().remove(0).unwrap();
        let (_, pawns) = imported.text.split_once("[pawns]\n").unwrap();
        assert_eq!(pawns.lines().next(), Some("promotes-to = \"\""), "{pawns}");
        assert!(!pawns.contains("promotion ="), "{pawns}");
    }
}

/// Pawns with moves of their own, which section and base say in several ways.
#[test]
fn pawns_that_move_in_another_way() {
    let pawns = |text: &str| {
        let imported = import(text, None).unwrap().remove(0).unwrap();
        let (_, pawns) = imported.text.split_once("[pawns]\n").unwrap();
        pawns.split("\n\n").next().unwrap().trim_end().to_owned()
    };
    let usual = "promotes-to = \"QRBN\"";
    assert_eq!(
        pawns("[a:pawnsideways]\nnMoveRule = 0\n"),
        format!("moves = \"fsmWfcF\"\n{usual}")
    );
    // It does not go back to the first rank.
    assert_eq!(
        pawns("[a:pawnback]\nnMoveRule = 0\n"),
        format!("moves = \"fbmWfcF\"\n{usual}")
    );
    let text = "[a:chess]\npawnTypes = p\ncustomPiece1 = p:mWfceFifmnD\nnMoveRule = 0\n";
    assert_eq!(
        pawns(text),
        format!("moves = \"mWfcF\"\n{usual}\nfirst-rank = 1")
    );
    // No step only captures.
    let text = "[a:chess]\npawnTypes = p\ncustomPiece3 = p:fKifmnD\nnMoveRule = 0\n";
    assert_eq!(
        pawns(text),
        format!("moves = \"fK\"\n{usual}\nen-passant = \"off\"")
    );
    assert_eq!(
        pawns("[a:berolina]\nnMoveRule = 0\n"),
        format!("moves = \"mfFcfW\"\n{usual}")
    );
    let text = "[a:berolina]\ncustomPiece1 = p:mfFcfeW\n";
    assert_eq!(
        pawns(text),
        format!("moves = \"mfFcfW\"\n{usual}\ndouble-step = \"off\"")
    );
    for (text, line, part) in [
        (
            "[a:chess]\npawnTypes = p\ncustomPiece1 = p:fR\n",
            3,
            "one step at a time",
        ),
        (
            "[a:chess]\npawnTypes = p\ncustomPiece1 = p:fWifmD\n",
            3,
            "ifmnD",
        ),
        (
            "[a:chess]\npawnTypes = p\ncustomPiece1 = p:fmFifmnD\n",
            3,
            "ifmnD",
        ),
        ("[a:pawnback]\n", 1, "nMoveRuleTypes"),
        (
            "[a:pawnback]\nnMoveRule = 0\nmobilityRegionWhiteCustomPiece1 = *3 *4\n",
            3,
            "mobilityRegionWhiteCustomPiece1",
        ),
    ] {
        let error = import(text, None).unwrap().remove(0).expect_err(text);
        assert!(error.message.contains(part), "{text}{error}");
        assert_eq!(error.line, line, "{text}{error}");
    }
}

/// Sections that build on others without end are refused, and not followed for ever.
#[test]
fn sections_upon_sections() {
    let chain = |count: usize| {
        let mut text = "[s0:chess]\nstalemateValue = loss\n".to_owned();
        for place in 1..count {
            text.push_str(&format!("[s{place}:s{}]\n", place - 1));
        }
        text
    };
    let few = import(&chain(50), Some("s49")).unwrap().remove(0).unwrap();
    assert!(few.text.contains("stalemate = \"loss\""), "{}", few.text);
    for count in [200, 100_000] {
        let last = format!("s{}", count - 1);
        let error = import(&chain(count), Some(&last)).unwrap().remove(0);
        let error = error.unwrap_err();
        assert!(
            error.message.contains("sections build on one another"),
            "{error}"
        );
        assert_eq!(error.line, count + 1);
        // Names are listed, but not all of them.
        let unknown = import(&chain(count), Some("x")).unwrap_err();
        assert!(unknown.message.len() < 300, "{unknown}");
    }
}

#[test]
fn on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let ini = folder.path().join("variants.ini");
    fs::write(
        &ini,
        format!("{SECTIONS}\n[duck:chess]\nduckGating = true\n"),
    )
    .unwrap();
    let ini = ini.to_str().unwrap();
    let six = run(&["games", "--import", ini, "six"]).stdout;
    let path = folder.path().join("six.toml");
    fs::write(&path, six).unwrap();
    let printed = run(&["games", path.to_str().unwrap()]);
    assert!(printed.stdout.contains("6x6"), "{}", printed.stderr);
    fails(
        &["games", "--import", ini, "seven"],
        2,
        "the sections are: six, small",
    );
    fails(
        &["games", "--import", ini, "duck"],
        2,
        "line 53: [duck] duckGating",
    );
    // The others are printed all the same.
    let all = run(&["games", "--import", ini]);
    assert_eq!(all.code, 2);
    assert!(all.stderr.contains("duckGating"), "{}", all.stderr);
    assert!(all.stdout.contains("# leaping.toml\n"), "{}", all.stdout);
    fails(&["games", "--import", "no/such.ini"], 5, "cannot be read");
    fails(
        &["games", "orthodox", "--import", ini],
        2,
        "cannot be used with",
    );
}

/// Files that are no definitions are refused by name, and so are circles of them.
#[test]
fn hostile_definitions() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    for (name, bytes, part) in [
        ("bytes.toml", &b"name = \"\xff\""[..], "UTF-8"),
        ("nul.toml", b"name = \"x\"\0", "no TOML"),
        ("long.toml", &[b'#'; 70_000], "is longer than"),
        ("half.toml", &[0xc3, 0xa9].repeat(40_000), "is longer than"),
        ("empty.toml", b"", "needs a name"),
        (
            "self.toml",
            b"name = \"x\"\nextends = \"./self.toml\"",
            "circle",
        ),
    ] {
        let path = write(name, bytes);
        fails(&["games", &path], 2, part);
        fails(&["games", &path], 2, name);
    }
    let long = format!("name = \"x\"\nextends = \"{}\"", "x".repeat(5_000));
    let ran = run(&["games", &write("names.toml", long.as_bytes())]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("there is no game xxx"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.len() < 600, "{}", ran.stderr);
    fails(
        &["games", folder.path().join("x.toml").to_str().unwrap()],
        2,
        "cannot be read",
    );
}

/// However many sections a file has, those that are turned into definitions are no games of this
/// process. A section without castling has no rights, even if the array says so.
#[test]
fn many_sections() {
    let mut text = String::new();
    for plies in 1..=100 {
        for stalemate in ["draw", "loss", "win"] {
            text.push_str(&format!(
                "[s{plies}{stalemate}:chess]\ncastling = false\nnMoveRule = {plies}\n\
                 stalemateValue = {stalemate}\n"
            ));
        }
    }
    let imported = import(&text, None).unwrap();
    assert_eq!(imported.len(), 300);
    for definition in imported {
        definition.unwrap();
    }
    id("name = \"one-more\"\nend.stalemate = \"loss\"\nend.no-progress = 99\n");
}
