//! Games as texts: what definitions say, and what is refused.

use proptest::prelude::*;
use retrograde_rules::{Game, GameError, Material, Position};

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
                game.promotions()
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
        let material = Material::parse(game, "KNvK").unwrap();
        let same = Material::parse(copy, "KXvK").unwrap();
        assert_eq!(same.name(copy), "KXvK");
        assert_eq!(copy.symmetry(&same), game.symmetry(&material));
        assert_eq!(copy.interchange(&same), game.interchange(&material));
    }
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
    let promotions: String = game.promotions().iter().map(|&t| game.letter(t)).collect();
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
            "name = \"x\"\nend.bare = \"loss\"",
            "end.bare is not supported here yet",
        ),
        (
            "name = \"x\"\ncounters.vitality = { full = 5 }",
            "turn.pass and counters.vitality do not go together",
        ),
        (
            "name = \"x\"\nend.stalemate = \"loss\"\nboard.array = \"8/8/8/8/8/8/8/8 w - -\"",
            "board.array: ",
        ),
        (
            "name = \"x\"\nboard.size = \"4x4\"",
            "pawns.double-step and board.size do not go together: no tables can be made where",
        ),
        (
            "name = \"x\"\npawns.first-rank = 1\npawns.double-step = \"off\"",
            "pawns.first-rank is not supported here yet: pawns start on one of the ranks 2 to 4",
        ),
        ("name = \"x\"\npieces.Z = \"xyz\"", "pieces.Z: "),
        (
            "name = \"x\"\npieces.Q = \"NN\"",
            "pieces.Q: riders other than R, B and Q come later",
        ),
        (
            "name = \"x\"\npieces.Q = \"W3\"",
            "pieces.Q: riders other than R, B and Q come later",
        ),
        (
            "name = \"x\"\nextends = \"kings\"\nroyal.spare = \"N\"",
            "royal.spare: a king that is not royal moves at least like the royal one, K",
        ),
        ("format = 2", "format = 1 only"),
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
