//! Tests definitions of games: what their texts say, and which of them are refused.

use proptest::prelude::*;
use retrograde_rules::{Colour, Game, GameError, Material, OptionValues, Position};

/// A game from a text that extends nothing but games that are built in.
fn define(text: &str, options: &str, sets: &[&str]) -> Result<Game, GameError> {
    let none = |name: &str, _: &str| Err(format!("there is no {name}"));
    Game::define("test.toml", text, options, sets, &none)
}

fn refused(text: &str) -> String {
    define(text, "", &[]).unwrap_err().to_string()
}

#[test]
fn the_games_that_are_built_in_are_their_texts() {
    for &game in Game::all() {
        let again = define(game.definition(), "", &[]).unwrap();
        assert_eq!(again, game);
        // A normal form is a definition of the same rules, whatever they are called.
        let text = format!("name = \"other\"\n{}", game.normal());
        let other = define(&text, "", &[]).unwrap();
        assert_eq!(other.normal(), game.normal());
        assert!(other.is_built_in());
    }
    assert_eq!(define("name = \"mine\"", "", &[]).unwrap(), Game::default());
    let set = named("chess99").with_sets(&["end.king-capture-in-check=win"]);
    assert_eq!(set.unwrap(), named("chess99:king-capture-in-check=win"));
}

fn named(id: &str) -> Game {
    Game::parse(id).unwrap()
}

/// A digest of the rules of a game and of each value of each option (FNV-1a): no key of a built-in
/// game changes unnoticed.
#[test]
fn the_rules_of_built_in_games_stay() {
    let digests = Game::all().iter().map(|&game| {
        let mut all = vec![game.normal()];
        for option in game.offers() {
            let with = |value: &String| format!("{}:{}={value}", game.id(), option.name);
            let games = option
                .values
                .list()
                .into_iter()
                .map(|value| Game::parse(&with(&value)));
            // A value may need that of another option, too (K7).
            all.extend(games.filter_map(Result::ok).map(Game::normal));
        }
        let bytes = all.iter().flat_map(|normal: &&str| normal.bytes());
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, step);
        format!("{} {hash:016x}", game.id())
    });
    let digests: Vec<String> = digests.collect();
    assert_eq!(
        digests,
        [
            "orthodox cbf29ce484222325",
            "high-chess 472ff64676f644e5",
            "chess99 ef22f26b6bd53f3d",
            "kings 5c13a61976136003",
            "wild9 b652383916e8ed27",
            "extinction-mating e027a4f36a840d47",
            "extinction 29b7a9378cb68b1f",
            "king-of-the-hill e587d77b884d9c2e",
            "antichess 05b6f2a007d3470f",
            "atomic c350093fe0f9fa9e",
            "racing-kings 79e6da2cac5babfe",
            "shatranj de79f0d4b54a3815",
            "makruk 2f99f6e6c2f250eb",
            "capablanca b54e017e21728a62",
            "three-check 247b7a188d44924c",
            "horde 542013df77d0b248",
        ]
    );
}

/// A copy of each game with another letter for a piece plays alike.
#[test]
fn letters_are_names() {
    for &game in Game::all() {
        let text = game
            .definition()
            .replace(&format!("name = \"{}\"", game.name()), "name = \"renamed\"");
        let letters = game.letters().replace('N', "X");
        let sets = [
            format!("pieces.order={letters}"),
            "pieces.X=N".to_owned(),
            format!(
                "pawns.promotes-to={}",
                game.all_promotions()
                    .iter()
                    .map(|&t| game.letter(t))
                    .collect::<String>()
                    .replace('N', "X")
            ),
            format!(
                "board.array={}",
                game.array().fen().replace('N', "X").replace('n', "x")
            ),
        ];
        let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
        let copy = define(&text, "", &sets).unwrap();
        assert_eq!(
            copy.id(),
            format!("renamed@{}", &copy.id()["renamed@".len()..])
        );
        assert_ne!(copy, game);
        assert_eq!(copy.array().perft(3), game.array().perft(3), "{game}");
        assert_eq!(copy.letters(), letters);
        let one = ["", "K"][game.kings(Colour::White).1.min(1)];
        let material = Material::parse(game, &format!("{one}NvK")).unwrap();
        let same = Material::parse(copy, &format!("{one}XvK")).unwrap();
        assert_eq!(same.name(copy), format!("{one}XvK"));
        assert_eq!(copy.symmetry(&same), game.symmetry(&material));
        assert_eq!(copy.interchange(&same), game.interchange(&material));
    }
}

/// One side may have a king where the other has none, and the keys of pawns may name what is usual.
#[test]
fn sides_differ() {
    let apart = "name = \"x\"\nroyal.rule = [\"king\", \"none\"]\n";
    let game = define(apart, "", &[]).unwrap();
    assert_eq!(Colour::BOTH.map(|side| game.kings(side)), [(1, 1), (0, 0)]);
    assert_eq!(game.array().board().occupied().len(), 2);
    let both = "name = \"x\"\nroyal.rule = [\"king\", \"king\"]\n\
                pawns = { first-rank = [2, 2], en-passant-from = [2] }";
    assert_eq!(define(both, "", &[]).unwrap(), Game::default());
}

/// Rules follow from keys, and ids from rules.
#[test]
fn ids_follow_rules() {
    let base = "name = \"mine\"\n[end]\nstalemate = \"loss\"\n";
    let game = define(base, "", &[]).unwrap();
    let (_, digest) = game
        .id()
        .split_once('@')
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    for same in [
        "title = \"Mine\"\nname = \"mine\"\nend.stalemate = \"loss\"",
        "name = \"mine\"\nextends = \"orthodox\"\nend = { stalemate = \"loss\", no-progress = 100 }",
        "name = \"mine\"\npieces.order = \"KQRBNP\"\ncastling = \"off\"\nend.stalemate = \"loss\"",
    ] {
        assert_eq!(define(same, "", &[]).unwrap(), game, "{same}");
    }
    let other = define(base, "", &["pawns.double-step=off"]).unwrap();
    assert!(!other.id().ends_with(&digest));
    // A table carries the normal form, of games that are built in with keys set, too.
    for game in [
        game,
        named("orthodox")
            .with_sets(&["end.stalemate=loss"])
            .unwrap(),
    ] {
        assert_eq!(Game::of_normal(game.name(), game.normal()), Ok(game));
    }
    // An array for another size is left out, unless there is a new one.
    let small = named("orthodox").with_sets(&["board.size=6x6"]).unwrap();
    assert!(!small.has_array());
    let array = "board.array=rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - -";
    let with_array = named("orthodox").with_sets(&[array, "board.size=6x6", "pieces.order=KQRNP"]);
    assert!(with_array.unwrap().has_array());
    // Stalemate is no draw, so two bare kings have a table.
    let material = Material::parse(game, "KvK").unwrap();
    assert!(!game.needs_no_table(&material));
    let stalemate = Position::from_fen(game, "k7/2Q5/1K6/8/8/8/8/8 b - -").unwrap();
    assert_eq!(
        stalemate.end().unwrap().winner(stalemate.turn()),
        Some(stalemate.turn().other())
    );
}

#[test]
fn options_and_conditions_are_applied() {
    let text = "
        name = \"mine\"
        [options.size]
        default = \"large\"
        values.large = {}
        values.small.board.size = \"6x6\"
        [options.steps]
        default = \"on\"
        values.on = {}
        values.off.pawns.double-step = \"off\"
        [[when]]
        options = { size = \"small\", steps = \"on\" }
        refuse = \"too small for double steps\"
    ";
    assert_eq!(define(text, "", &[]).unwrap(), Game::default());
    let small = define(text, "size=small,steps=off", &[]).unwrap();
    assert_eq!((small.geometry().files, small.geometry().ranks), (6, 6));
    let error = define(text, "size=small", &[]).unwrap_err().to_string();
    assert!(error.contains("too small for double steps"), "{error}");
    assert!(define(text, "size=tiny", &[]).is_err());
    let letters = "name = \"mine\"\nextends = \"chess99\"\npawns.promotes-to = \"+Q-B\"";
    let game = define(letters, "", &[]).unwrap();
    let promotions: String = game
        .all_promotions()
        .iter()
        .map(|&t| game.letter(t))
        .collect();
    assert_eq!(promotions, "QN");
}

#[test]
fn errors_name_place_and_remedy() {
    for (text, words) in [
        (
            "name = \"x\"\n[pawns]\ndouble-stop = \"off\"",
            "test.toml:3:1: there is no key pawns.double-stop; the nearest is pawns.double-step",
        ),
        (
            "name = \"x\"\n[board]\nsize = \"20x20\"",
            "test.toml:3:1: board.size: the size is written like",
        ),
        (
            "name = \"x\"\npieces.order = \"KOP\"",
            "\"O\" cannot be the letter",
        ),
        (
            "name = \"x\"\npieces.order = \"KXP\"",
            "the piece X needs its moves",
        ),
        (
            "name = \"x\"\npieces.B = \"Y\"",
            "pieces.B: \"Y\" is not a letter of Betza's notation",
        ),
        ("name = \"x\"\nextends = \"nothing\"", "there is no nothing"),
        (
            "name = \"orthodox\"\nend.stalemate = \"loss\"",
            "orthodox is built in",
        ),
        ("name = \"Bad Name\"", "a name begins with a small letter"),
        ("title = \"none\"", "needs a name"),
        ("name = ", "this is no TOML"),
        (
            "name = \"x\"\nroyal.rule = [\"only-of-type\", \"king\"]",
            "royal.rule: if the rules of the two sides differ, one is \"king\" and the other \"none\"",
        ),
        (
            "name = \"x\"\npawns.en-passant-from = [3]",
            "pawns.en-passant-from: no pawn steps twice from rank 3",
        ),
        (
            "name = \"x\"\ncounters.checks = 3",
            "counters.checks and end.no-progress do not go together: checks are counted",
        ),
        (
            "name = \"x\"\ncounters.vitality = { full = 5 }",
            "counters.vitality and turn.pass do not go together: with vitality a side",
        ),
        (
            "name = \"x\"\ncounters.vitality = { full = 5 }\nend.stalemate = \"loss\"",
            "counters.vitality and end.stalemate do not go together: with vitality a side",
        ),
        (
            "name = \"x\"\ncounters.vitality = { full = 5 }\nend.king-capture = \"win\"",
            "counters.vitality and end.king-capture do not go together: who is High",
        ),
        (
            "name = \"x\"\nend.reach = { squares = [\"d4\"], both = true, black = [\"d5\"] }",
            "end.reach.black and end.reach.both do not go together: both say",
        ),
        (
            "name = \"x\"\nend.reach = { piece = \"N\", squares = [\"d4\"], count = 2 }",
            "end.reach.count: there are not so many squares",
        ),
        (
            "name = \"x\"\ncapture = { explodes = true, spares = \"KP\" }",
            "capture.spares and royal.rule do not go together: royal pieces explode",
        ),
        (
            "name = \"x\"\nboard = { size = \"4x4\", holes = [\"rank2\", \"rank3\"] }\nend.no-progress = 0",
            "board.holes: they leave no square for pawns",
        ),
        (
            "name = \"x\"\nboard.holes = [\"e1\"]",
            "board.holes and end.no-progress do not go together: where pawns step twice from",
        ),
        (
            "name = \"x\"\nroyal = { rule = \"only-of-type\", types = \"KP\", at-most = 2 }",
            "royal.at-most and royal.types do not go together: of pawns the last one alone is royal",
        ),
        (
            "name = \"x\"\nroyal = { rule = \"only-of-type\", types = \"\" }",
            "royal.types: name the types of which the last piece is royal",
        ),
        (
            "name = \"x\"\ncapture = { explodes = true, survives = \"KP\" }",
            "capture.survives and royal.rule do not go together: royal pieces do not capture",
        ),
        (
            "name = \"x\"\ncapture.mutually-immune = \"Q\"",
            "capture.mutually-immune and royal.rule do not go together: pieces that do not",
        ),
        (
            "name = \"x\"\nroyal.rule = \"none\"\nend.all-lost = \"loss\"\ncapture.mutually-immune = \"QP\"",
            "capture.mutually-immune: pawns capture each other so far; name other pieces",
        ),
        (
            "name = \"x\"\npieces.order = \"KQP\"\ncapture.spares = \"R\"",
            "capture.spares: the game has no piece R",
        ),
        (
            "name = \"x\"\ncastling.with = \"KR\"",
            "castling.with: a king does not castle with a king",
        ),
        (
            "name = \"x\"\ncapture.explodes = true\nend.reach = { squares = [\"d4\"], safe = true }",
            "end.reach.safe and capture.explodes do not go together: which pieces",
        ),
        (
            "name = \"x\"\nextends = \"racing-kings\"\nend.reach.stays = true",
            "end.reach.reply and end.reach.stays do not go together: a reply",
        ),
        (
            "name = \"x\"\nboard.holes = [\"i1\"]",
            "board.holes: \"i1\" is no square",
        ),
        (
            "name = \"x\"\nboard = { size = \"2x3\", holes = [\"filea\"] }",
            "board.holes: the board has 3 squares left; leave at least four",
        ),
        (
            "name = \"x\"\nboard.holes = [\"d4\"]\nend.reach.squares = [\"d4\"]",
            "end.reach.squares: a side has holes alone to reach",
        ),
        (
            "name = \"x\"\nboard.holes = [\"d1\"]",
            "board.holes and end.no-progress do not go together: where pawns step twice",
        ),
        (
            "name = \"x\"\nextends = \"kings\"\nboard.holes = [\"d4\"]",
            "board.holes and royal.rule do not go together: which of several kings",
        ),
        (
            "name = \"x\"\nboard.holes = [\"d4\"]\ncastling.rule = \"first-rank\"",
            "board.holes and castling.rule do not go together: holes do not go",
        ),
        (
            "name = \"x\"\nboard.holes = [\"d4\"]\nturn.pass = \"always\"\nend.no-progress = 0\ncounters.vitality = {}",
            "board.holes and counters.vitality do not go together: holes do not go",
        ),
        (
            "name = \"x\"\nboard = { holes = [\"d4\"], array = \"4k3/8/8/8/8/8/8/4K3 w - -\" }",
            "board.array: at byte 10: d4 is a hole of the board, which is written as *",
        ),
        (
            "name = \"x\"\nboard = { holes = [\"d4\"], array = \"4k3/8/8/*7/3*4/8/8/4K3 w - -\" }",
            "board.array: at byte 8: * stands for a hole of the board, and a5 is a square",
        ),
        (
            "name = \"x\"\nboard.size = \"8x4\"",
            "board.size and end.no-progress do not go together: where pawns step twice",
        ),
        (
            "name = \"x\"\nend.stalemate = \"loss\"\nboard.array = \"8/8/8/8/8/8/8/8 w - -\"",
            "board.array: ",
        ),
        (
            // Orthodox chess in all but the array.
            "name = \"x\"\nboard.array = \"8/8/8/8 w - -\"",
            "board.array: ",
        ),
        ("name = \"x\"\npieces.Z = \"xyz\"", "pieces.Z: "),
        (
            "name = \"x\"\nend.reach = { piece = \"A\", squares = [\"d4\"] }",
            "end.reach.piece: the game has no piece A; its pieces are KQRBNP",
        ),
        (
            "name = \"x\"\nend.reach = { piece = \"\", squares = [\"d4\"] }",
            "end.reach.piece: name the pieces",
        ),
        (
            "name = \"x\"\npieces = { order = \"KQRBNACDEFGHP\", A = \"N\", C = \"N\", D = \"N\", \
             E = \"N\", F = \"N\", G = \"N\", H = \"N\" }",
            "pieces.order: a game has at most 12 kinds",
        ),
        (
            "name = \"x\"\npieces.Q = \"DDHH\"",
            "pieces.Q: a piece that rides in steps of two squares and in steps of three",
        ),
        ("name = \"x\"\nboard.size = \"12x11\"", "board.size: "),
        (
            "name = \"x\"\nextends = \"kings\"\nroyal.spare = \"N\"",
            "royal.spare: a king that is not royal moves at least like the royal one, K",
        ),
        ("format = 2", "format = 1 only"),
        (
            "name = \"x\"\npawns.double-step = [2, 3]",
            "pawns.double-step and end.no-progress do not go together",
        ),
        (
            "name = \"x\"\npawns.moves = \"mfRcF\"",
            "pawns.moves: a pawn goes one step at a time",
        ),
        (
            "name = \"x\"\npieces.P = \"mfFcfW\"",
            "P is the pawn of [pawns]; its moves are pawns.moves",
        ),
        (
            "name = \"x\"\npawns.moves = \"mfFcfW\"",
            "pawns.moves and end.no-progress do not go together",
        ),
        (
            "name = \"x\"\npawns.moves = \"fsmWcfF\"\npawns.double-step = \"off\"",
            "pawns.moves and end.no-progress do not go together",
        ),
        (
            "name = \"x\"\npawns = { moves = \"mfFcfW\", en-passant = \"all\" }\nend.no-progress = 0",
            "pawns.moves and pawns.en-passant do not go together",
        ),
        (
            "name = \"x\"\npawns.moves = \"K\"\nend.no-progress = 0",
            "pawns.moves and pawns.en-passant do not go together",
        ),
        (
            "name = \"x\"\npawns.moves = \"cfFmbW\"\nend.no-progress = 0",
            "pawns.moves and pawns.double-step do not go together",
        ),
        (
            "name = \"x\"\nboard.size = \"4x4\"\npawns.moves = \"mfWcfW\"\nend.no-progress = 0",
            "pawns.moves and pawns.double-step do not go together",
        ),
        (
            "name = \"x\"\npawns.moves = \"fsmWcfF\"\nend.no-progress = 0\nturn.must-capture = true",
            "pawns.moves and turn.must-capture do not go together",
        ),
        (
            "name = \"x\"\nend = { no-progress = 0, reach = { piece = \"P\", squares = [\"rank8\"] } }",
            "end.reach and pawns.promotion do not go together",
        ),
    ] {
        let error = refused(text);
        assert!(error.contains(words), "{text}: {error}");
    }
    // Bombs are refused before they are read.
    assert!(refused(&"a".repeat(70_000)).contains("longer than"));
    assert!(refused(&format!("name = {}", "[".repeat(30_000))).contains("TOML"));
}

proptest! {
    // Few, since a process has room for a limited number of games.
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// No text makes reading it panic or hang.
    #[test]
    fn any_text_is_read_or_refused(
        place in any::<prop::sample::Index>(),
        junk in "[a-zA-Z0-9 =\"\\[\\]{}.+-]{0,8}",
        game in prop::sample::select(Game::all()),
    ) {
        let text = game.definition();
        let at = place.index(text.len());
        if text.is_char_boundary(at) {
            let changed = format!("{}{junk}{}", &text[..at], &text[at..]);
            if let Err(error) = define(&changed, "", &[]) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}

/// A definition neither changes nor spoils another one of its name and rules.
#[test]
fn arrays_of_other_definitions_do_not_matter() {
    let text = |array: &str| format!("name = \"arrays\"\nend.stalemate = \"loss\"\n{array}");
    let with = |fen: &str| text(&format!("board.array = \"{fen}\""));
    let refused = refused(&with("8/8/8/8/8/8/8/8 w - -"));
    assert!(refused.contains("board.array"), "{refused}");
    let fens = ["k7/8/8/8/8/8/8/7K w - - 0 1", "7k/8/8/8/8/8/8/K7 w - - 0 1"];
    let games = fens.map(|fen| define(&with(fen), "", &[]).unwrap());
    assert_eq!(games.map(|game| game.array().fen()), fens);
    assert!(!define(&text(""), "", &[]).unwrap().has_array());
    assert_eq!(games[0], games[1]);
}

/// Castling and arrays are in no table: a definition that differs from a game that is built in by
/// them alone has its tables, and keeps them.
#[test]
fn castling_of_built_in_games_can_be_changed() {
    let castles = |game: Game| {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        Position::from_fen(game, fen).is_ok_and(|p| p.parse_uci("e1g1").is_ok())
    };
    let orthodox = named("orthodox");
    for set in ["castling=off", "castling.rule=off"] {
        let without = orthodox.with_sets(&[set]).unwrap();
        assert_eq!((without, without.id().as_str()), (orthodox, "orthodox"));
        assert!(!castles(without), "{set}");
        // Its array has no rights that nobody could use.
        assert!(without.array().fen().ends_with(" w - - 0 1"), "{set}");
    }
    let text = "name = \"x\"\nextends = \"orthodox\"\ncastling = \"off\"\n";
    assert!(!castles(define(text, "", &[]).unwrap()));
    for game in [orthodox, named("orthodox")] {
        assert!(castles(game));
    }
    let array = "board.array=4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    let other = orthodox.with_sets(&[array]).unwrap();
    assert_eq!((other, other.id().as_str()), (orthodox, "orthodox"));
    assert!(!castles(other) && castles(named("orthodox")));
    assert_ne!(other.array().fen(), orthodox.array().fen());
}

/// The meaning of options is for people, and changes no game.
#[test]
fn options_say_what_they_mean() {
    let text =
        "name = \"x\"\nend.stalemate = \"loss\"\n[options.a]\ndefault = \"b\"\nvalues.b = {}\n";
    let silent = define(text, "", &[]).unwrap();
    assert_eq!(silent.offers()[0].about, None);
    let told = format!("{text}about = \"What a is.\"\n").replace("\"x\"", "\"y\"");
    let telling = define(&told, "", &[]).unwrap();
    assert_eq!(telling.offers()[0].about.as_deref(), Some("What a is."));
    assert_eq!(telling.id()[1..], silent.id()[1..]);
    for &game in Game::all() {
        for offer in game.offers() {
            assert!(offer.about.is_some(), "{game}: {}", offer.name);
        }
    }
}

/// The tables of options in the manual have a row for each, with all its values, the default first.
#[test]
fn options_stand_in_the_manual() {
    let manual = include_str!("../../docs/RULES.md");
    for &game in Game::all().iter().filter(|game| !game.offers().is_empty()) {
        let name = format!("`{}`", game.name());
        let mut sections = manual.split("\n## ");
        let is_about = |section: &&str| section.lines().next().unwrap().contains(&name);
        let tables = sections
            .find(is_about)
            .unwrap()
            .split("\n| option |")
            .skip(1);
        let rows = tables.flat_map(|table| table.split("\n\n").next().unwrap().lines().skip(2));
        // Some rows are about one of the games of a section.
        let others = Game::all()
            .iter()
            .map(|other| format!("| `{}` |", other.name()));
        let others: Vec<String> = others.filter(|cell| !cell.contains(&name)).collect();
        let rows = rows.filter(|row| !others.iter().any(|cell| row.contains(cell)));
        let quoted = |row: &str| -> Vec<String> {
            let texts = row
                .split('`')
                .skip(1)
                .step_by(2)
                .filter(|&text| text != game.name());
            texts.map(str::to_owned).collect()
        };
        let mut listed: Vec<Vec<String>> = rows.map(quoted).collect();
        listed.iter_mut().for_each(|row| row[2..].sort());
        listed.sort();
        let offered = game.offers().iter().map(|offer| {
            let values = match offer.values {
                OptionValues::Number(least, most) => vec![least.to_string(), most.to_string()],
                OptionValues::OneOf(ref words) => {
                    let others = words.iter().filter(|&word| *word != offer.default);
                    others.cloned().collect()
                }
            };
            [vec![offer.name.clone(), offer.default.clone()], values].concat()
        });
        let mut offered: Vec<Vec<String>> = offered.collect();
        offered.iter_mut().for_each(|row| row[2..].sort());
        offered.sort();
        assert_eq!(listed, offered, "{game}");
    }
}

/// Whatever a text is, it is refused soon and in few words.
#[test]
fn hostile_texts() {
    let long = "x".repeat(5_000);
    for (text, words) in [
        (format!("x = {}", "[".repeat(20_000)), "no TOML"),
        (format!("x = {}", "{x=".repeat(15_000)), "no TOML"),
        (format!("{}x = 1", "x.".repeat(20_000)), "no TOML"),
        (
            format!("name = \"x\"\n{}", "# long\n".repeat(10_000)),
            "is longer than",
        ),
        (format!("name = \"{long}\""), "a name begins with"),
        (format!("name = \"x\"\n{long} = 1"), "there is no key xxx"),
        (
            format!("name = \"x\"\n[pieces]\norder = \"{long}\""),
            "pieces.order",
        ),
        (format!("name = \"x\"\npieces.Q = \"{long}\""), "Betza"),
        (
            format!("name = \"x\"\n[board]\narray = \"{long}\""),
            "board.array",
        ),
        (
            format!(
                "name = \"x\"\npawns.double-step = [{}]",
                "99,".repeat(20_000)
            ),
            "pawns.double-step",
        ),
        (
            "name = \"x\"\nboard.size = \"255x255\"".to_owned(),
            "board.size",
        ),
        (
            "name = \"x\"\nend.no-progress = 99999999999999999999".to_owned(),
            "too large",
        ),
        ("name = \"x\0\"".to_owned(), "no TOML"),
        ("name = \"x\\u0000\"".to_owned(), "a name begins with"),
    ] {
        let start = std::time::Instant::now();
        let error = refused(&text);
        assert!(
            error.contains(words),
            "{words}: {}",
            &error[..error.len().min(400)]
        );
        assert!(error.len() < 1_000, "{words}: {} bytes", error.len());
        assert!(start.elapsed().as_secs() < 5, "{words}");
    }
    let circle = |name: &str, _: &str| Ok((name.to_owned(), "extends = \"./b.toml\"".to_owned()));
    let text = "name = \"x\"\nextends = \"./a.toml\"";
    let error = Game::define("test.toml", text, "", &[], &circle).unwrap_err();
    assert!(error.to_string().contains("is there a circle"), "{error}");
}

/// Keys are set in the order in which they are given, and a table without keys has a name that
/// exists.
#[test]
fn odd_keys_are_set_or_refused() {
    let text = "name = \"x\"\n[pieces]\nC = \"RN\"\nA = \"BN\"\n";
    let added = ["pieces.order=+C", "pieces.order=+A", "board.size=8x8"];
    let game = define(text, "", &added).unwrap();
    assert_eq!(game.letters(), "KQRBNCAP");
    let apart = "name = \"x\"\npawns.promotes-to = [\"QR\", \"N\"]\n";
    let changed = define(apart, "", &["pawns.promotes-to=+B-R"]).unwrap();
    let told = "pawns.promotes-to = [\"QB\", \"BN\"]";
    assert!(changed.normal().contains(told), "{}", changed.normal());
    let last = ["end.stalemate=loss", "end.stalemate=draw"];
    assert_eq!(named("orthodox").with_sets(&last), Ok(named("orthodox")));
    for set in ["=", "=5", " = {}"] {
        let error = named("orthodox").with_sets(&[set]).unwrap_err().to_string();
        assert!(error.contains("write KEY=VALUE"), "{error}");
    }
    for (set, words) in [
        ("{}={}", "there is no key {}"),
        ("ends={}", "the nearest is"),
        ("board.size={}", "board.size is no table"),
        ("end={reach={}, x={}}", "there is no key end.x"),
    ] {
        let error = named("orthodox").with_sets(&[set]).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    for (table, words) in [
        ("[ends]", "there is no key ends"),
        ("[name]", "name is no table"),
    ] {
        let error = define(&format!("end.stalemate = \"loss\"\n{table}\n"), "", &[]);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert!(
        define(
            "name = \"x\"\n[end]\n[pieces]\n[pieces.names]\n[castling]\n",
            "",
            &[]
        )
        .is_ok()
    );
}

/// Definitions that are only checked, or refused for their arrays, are none of the games that a
/// process has room for.
#[test]
fn checked_definitions_do_not_count() {
    let text = |number: usize| {
        let stalemate = ["loss", "win"][number % 2];
        let plies = number / 2 + 1;
        format!(
            "name = \"checked\"\nend = {{ stalemate = \"{stalemate}\", no-progress = {plies} }}\n"
        )
    };
    let none = |name: &str, _: &str| Err(format!("there is no {name}"));
    for number in 0..=Game::MOST {
        Game::check("", &text(number), &none).unwrap();
        let refused = format!("board.array = \"8/8/8/8/8/8/8/8 w - -\"\n{}", text(number));
        assert!(Game::check("", &refused, &none).is_err());
        assert!(define(&refused, "", &[]).is_err());
    }
    let game = define(&text(7), "", &[]).unwrap();
    assert!(game.id().starts_with("checked@"));
    assert_eq!(Game::parse(&game.id()), Ok(game));
}

/// Keys of a definition settle the options that it extends: a number becomes the default, and what
/// else it says is no option any more.
#[test]
fn options_are_settled_by_definitions() {
    let offered = |text: &str| -> Vec<String> {
        let offers = define(text, "", &[]).unwrap().offers();
        let words = offers.iter().map(|o| format!("{}={}", o.name, o.default));
        words.collect()
    };
    let text = "name = \"x\"\nextends = \"high-chess\"\nboard.size = \"7x6\"\n\
                [counters.vitality]\nties = \"white\"\n";
    let left = offered(&format!("{text}full = 12"));
    assert!(left.contains(&"vitality=12".to_owned()), "{left:?}");
    assert!(!left.iter().any(|o| o.starts_with("ties")), "{left:?}");
    let left = offered(&format!("{text}full = [12, 10]"));
    assert!(!left.iter().any(|o| o.starts_with("vitality")), "{left:?}");
    // Conditions on the board go with the option; the rest of them stays.
    let text = "name = \"x\"\nextends = \"kings\"\nboard.size = \"6x6\"\n";
    let left = offered(text);
    assert!(!left.iter().any(|o| o.starts_with("board")), "{left:?}");
    assert!(define(text, "spare-king=queen", &[]).is_ok());
    // A board that an option has is the value of that option, in conditions too.
    let ten = "name = \"x\"\nextends = \"kings\"\nboard.size = \"10x10\"\n";
    assert!(define(ten, "chancellor=on,no-progress=100", &[]).is_ok());
    // The other keys of a default stay.
    let base = "name = \"base\"\n[options.o]\ndefault = \"a\"\n[options.o.values]\n\
                a = { end.stalemate = \"loss\", turn.pass = \"always\" }\nb = {}\n\
                [end]\nno-progress = 0\n";
    let resolve = |_: &str, _: &str| Ok(("base.toml".to_owned(), base.to_owned()));
    let ext = "name = \"x\"\nextends = \"./base.toml\"\nend.stalemate = \"draw\"\n";
    let game = Game::define("x.toml", ext, "", &[], &resolve).unwrap();
    assert!(game.normal().contains("turn.pass = \"always\""));
    // A table that is switched off takes its options along; an empty one changes nothing.
    let high = |keys: &str| {
        let text = format!("name = \"x\"\nextends = \"high-chess\"\n{keys}\n");
        define(&text, "", &[]).unwrap()
    };
    assert_eq!(high("counters.vitality = \"off\"").full_vitality(), None);
    let full = high("board.size = \"6x6\"\n[counters.vitality]\nfull = 12");
    let text = format!(
        "{}\n[counters.vitality]\n",
        "name = \"y\"\nextends = \"./x.toml\""
    );
    let twelve = "name = \"x\"\nextends = \"high-chess\"\nboard.size = \"6x6\"\n\
                  counters.vitality.full = 12\n";
    let resolve = |_: &str, _: &str| Ok(("x.toml".to_owned(), twelve.to_owned()));
    let again = Game::define("y.toml", &text, "", &[], &resolve).unwrap();
    assert_eq!(again.normal(), full.normal());
    let set = define(
        "name = \"x\"\nturn.pass = \"always\"\nend.no-progress = 0\n",
        "",
        &["counters.vitality={}"],
    );
    assert!(set.unwrap().full_vitality().is_some());
    // The usual size is no other one.
    let amazon = "name = \"x\"\nboard.array = \"rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w - -\"\n\
                  pieces = { order = \"KARBNP\", A = \"QN\" }\n";
    let resolve = |_: &str, _: &str| Ok(("x.toml".to_owned(), amazon.to_owned()));
    let ext = "name = \"y\"\nextends = \"./x.toml\"\nboard.size = \"8x8\"\n";
    let array = |text: &str| {
        Game::define("y", text, "", &[], &resolve)
            .unwrap()
            .array()
            .fen()
    };
    assert_eq!(array(ext), array(amazon));
    // An option that a definition has itself is its own.
    let own = "name = \"x\"\nend.stalemate = \"loss\"\n[options.s]\ndefault = \"a\"\n\
               [options.s.values]\na = {}\nb.end.stalemate = \"win\"\n";
    assert_eq!(offered(own), ["s=a"]);
    // Values are read with the definition, not when they are chosen.
    let error = refused(&own.replace("\"win\"", "\"lost\""));
    assert!(
        error.contains("end.stalemate") && error.contains("test.toml:7"),
        "{error}"
    );
}

/// Vitality that says nothing has the points and the centre of any board; kings that are not
/// royal may be absent.
#[test]
fn defaults_follow_board_and_royalty() {
    let text = "name = \"x\"\nboard.size = \"7x6\"\nturn.pass = \"when-stuck\"\n\
                end.no-progress = 0\n[counters.vitality]\n";
    let empty = define(text, "", &[]).unwrap().normal();
    for line in ["centre = [\"d3\", \"d4\"]", "full = 50"] {
        assert!(empty.contains(line), "{empty}");
    }
    let text = "name = \"x\"\nextends = \"high-chess\"\nboard.size = \"7x6\"\n";
    assert!(
        define(text, "", &[])
            .unwrap()
            .normal()
            .contains("[\"d3\", \"d4\"]")
    );
    let own = "name = \"x\"\nextends = \"high-chess\"\n\
               counters.vitality.centre = [\"c2\"]\nboard.size = \"5x4\"\n";
    assert!(define(own, "", &[]).unwrap().normal().contains("[\"c2\"]"));
    let none = "name = \"x\"\nroyal.rule = \"none\"\nend.all-lost = \"loss\"\nend.no-progress = 0\n\
                pawns.promotes-to = \"QRBN\"\n";
    let game = define(none, "", &[]).unwrap();
    assert_eq!(game.kings(Colour::Black), (0, usize::MAX));
    let any = define(&format!("{none}royal.kings = \"any\"\n"), "", &[]);
    assert_eq!(any.unwrap(), game);
    assert!(refused(&format!("{none}royal.kings = [1, 1]\n")).contains("write [0, \"any\"]"));
}
