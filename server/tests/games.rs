//! Tests games that are not built in, but defined in files of a folder.

use std::fs;

use axum::Router;
use retrograde_probe::GameFinder;
use retrograde_server::{App, Library, Limits, router};

use crate::common::{get, shipped};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/examples");

fn finder(folder: &str) -> GameFinder {
    GameFinder {
        folders: vec![folder.into()],
        ..GameFinder::default()
    }
}

fn application() -> Router {
    let library = Library::open(vec![shipped()]).unwrap();
    let library = library.with_games(finder(EXAMPLES)).unwrap();
    router(App::new(library, Limits::default()))
}

#[tokio::test]
async fn games_of_a_folder_are_served() {
    let application = application();
    let games = get(&application, "/api/games").await.json();
    let find = |name: &str| {
        let games = games.as_array().unwrap().iter();
        let mut found = games.filter(|game| game["name"] == name);
        found.next().unwrap_or_else(|| panic!("no {name}")).clone()
    };
    let knightmate = find("knightmate");
    assert_eq!(knightmate["title"], "Knightmate");
    assert_eq!(knightmate["is_built_in"], false);
    assert_eq!(knightmate["pieces"], "KQRBMP");
    assert_eq!(knightmate["piece_names"][0], "royal knight");
    assert_eq!(knightmate["piece_names"][4], "mann");
    assert_eq!(knightmate["figures"], ".QRB.P");
    assert_eq!(knightmate["promotions"], "QRBM");
    assert!(
        knightmate["about"]
            .as_str()
            .unwrap()
            .starts_with("The royal piece")
    );
    let capablanca = find("capablanca");
    assert_eq!(capablanca["figures"], "KQACRBNP");
    assert_eq!(capablanca["is_built_in"], true);
    assert_eq!(find("chess99")["is_built_in"], true);
    // By its name, by its id, and with options.
    let id = find("gardner")["id"].as_str().unwrap().to_owned();
    for game in ["gardner", &id] {
        let answer = get(&application, &format!("/api/{game}?fen=4k/5/5/5/KQ3_w_-_-")).await;
        assert_eq!(answer.json()["game"], id.as_str(), "{}", answer.text());
    }
    let small = get(&application, "/api/games/centaur:board=8x8")
        .await
        .json();
    assert_eq!(small["board"], "8x8");
    let about = small["options"][1]["about"].as_str().unwrap();
    assert!(about.starts_with("The result for a side"), "{about}");
    get(&application, "/api/games/centaur:board=9x9")
        .await
        .expect_problem(404, "unknown-game");
}

/// A game is asked for by the name of its file, with any options, whatever its own name is.
#[tokio::test]
async fn files_give_names() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"shogun\"\n[options.stalemate]\ndefault = \"win\"\n\
                [options.stalemate.values.loss]\nend.stalemate = \"loss\"\n\
                [options.stalemate.values.win]\nend.stalemate = \"win\"\n";
    fs::write(folder.path().join("opts.toml"), text).unwrap();
    let library = Library::open(vec![shipped()]).unwrap();
    let library = library.with_games(finder(folder.path().to_str().unwrap()));
    let application = router(App::new(library.unwrap(), Limits::default()));
    for id in ["opts", "opts:stalemate=loss"] {
        let game = get(&application, &format!("/api/games/{id}")).await.json();
        assert_eq!(
            (&game["file"], &game["name"]),
            (&"opts".into(), &"shogun".into())
        );
    }
    let orthodox = get(&application, "/api/games/orthodox").await.json();
    assert_eq!(orthodox["file"], serde_json::Value::Null);
}

/// A request cannot name a file, nor a definition that came later.
#[tokio::test]
async fn requests_name_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let library = Library::open(vec![shipped()]).unwrap();
    let library = library.with_games(finder(path)).unwrap();
    let application = router(App::new(library, Limits::default()));
    let text = fs::read_to_string(format!("{EXAMPLES}/losalamos.toml")).unwrap();
    let text = text.replace("losalamos", "later");
    fs::write(folder.path().join("later.toml"), text).unwrap();
    for name in [
        "later",
        "later.toml",
        "..%2Flater",
        &format!("{path}/later.toml").replace('/', "%2F"),
        "name%20=%20%22x%22%0Aend.stalemate%20=%20%22loss%22",
    ] {
        get(&application, &format!("/api/games/{name}"))
            .await
            .expect_problem(404, "unknown-game");
    }
}

#[test]
fn a_wrong_definition_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.toml");
    fs::write(file, "name = \"bad\"\nend.stalemat = \"loss\"\n").unwrap();
    let library = Library::open(vec![shipped()]).unwrap();
    let error = library.with_games(finder(folder.path().to_str().unwrap()));
    let error = error.err().unwrap().to_string();
    assert!(
        error.contains("bad.toml:2:") && error.contains("end.stalemate"),
        "{error}"
    );
}

/// Counters may be unequal, and start at 0 where both sides pay.
#[tokio::test]
async fn counters_that_differ() {
    let folder = tempfile::tempdir().unwrap();
    for (name, pays) in [("low", "low"), ("both", "both")] {
        let text = format!(
            "name = \"{name}\"\nboard.size = \"4x4\"\npieces.order = \"KR\"\nend.no-progress = 0\n\
             turn.pass = \"when-stuck\"\ncounters.vitality = {{ full = [3, 2], pays = \"{pays}\" }}\n"
        );
        fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    }
    let library = Library::open(vec![shipped()]).unwrap();
    let library = library.with_games(finder(folder.path().to_str().unwrap()));
    let application = router(App::new(library.unwrap(), Limits::default()));
    for (name, least) in [("low", 1), ("both", 0)] {
        let game = get(&application, &format!("/api/games/{name}"))
            .await
            .json();
        assert_eq!(game["vitality"], serde_json::json!([3, 2]));
        assert_eq!(game["least_vitality"], least);
    }
    let orthodox = get(&application, "/api/games/orthodox").await.json();
    assert_eq!(orthodox["least_vitality"], serde_json::Value::Null);
    get(&application, "/api/games/nonsense")
        .await
        .expect_problem(404, "unknown-game");
    let unknown = get(&application, "/api/games/lo").await.text().to_owned();
    assert!(unknown.contains("king-of-the-hill, "), "{unknown}");
    assert!(unknown.contains(", both, low"), "{unknown}");
}
