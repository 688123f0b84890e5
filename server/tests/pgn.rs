//! Tests reading games from PGN.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use retrograde_server::Limits;
use serde_json::{Value, json};

use crate::common::{Got, application, application_with, ask, shipped};

async fn post(application: &Router, game: &str, text: &str) -> Got {
    let request = Request::post(format!("/api/{game}/pgn"));
    let request = request.body(Body::from(text.to_owned())).unwrap();
    ask(application, request).await
}

#[tokio::test]
async fn games_with_tags_comments_and_variations() {
    let text = r#"[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 {good} e5 (1... c5 2. Nf3) 2. Bc4 $1 Nc6 3. Qh5 Nf6?? 4. Qxf7# 1-0

[FEN "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"]

1. Qb4 Kc6 2. Qa5 Kb7 3. Ka9 *
"#;
    let got = post(&application(), "orthodox", text).await;
    assert_eq!(got.status, 200);
    assert_eq!(got.header("cache-control"), "no-cache");
    let games = got.json();
    let [first, second] = games.as_array().unwrap().as_slice() else {
        panic!("{games}");
    };
    assert_eq!(first["tags"]["White"], "A");
    let plies = first["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 7);
    assert_eq!(plies[6]["san"], "Qxf7#");
    assert_eq!(plies[0]["uci"], "e2e4");
    assert!(
        plies[0]["fen"]
            .as_str()
            .unwrap()
            .starts_with("rnbqkbnr/pppppppp/8/8/4P3/")
    );
    assert_eq!(
        (&first["end"], &first["winner"], &first["error"]),
        (&json!("checkmate"), &json!("white"), &Value::Null)
    );
    // As far as the moves are legal.
    assert_eq!(second["fen"], "8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    assert_eq!(second["plies"].as_array().unwrap().len(), 4);
    assert_eq!(second["end"], Value::Null);
    let error = second["error"].as_str().unwrap();
    assert!(error.starts_with("line 9, column 26: "), "{error}");
}

#[tokio::test]
async fn what_is_no_game() {
    let application = application();
    assert_eq!(post(&application, "orthodox", "").await.json(), json!([]));
    for (game, text, error) in [
        ("orthodox", "1. e4 {never ends", "no closing brace"),
        ("orthodox", "[FEN \"8/8\"]\n\n1. e4", "the tag FEN"),
        (
            "kings",
            "[Variant \"Atomic\"]\n\n1. e4",
            "a record of Atomic",
        ),
    ] {
        let games = post(&application, game, text).await.json();
        let [only] = games.as_array().unwrap().as_slice() else {
            panic!("{text}: {games}");
        };
        assert_eq!(
            (&only["fen"], &only["plies"]),
            (&Value::Null, &json!([])),
            "{text}"
        );
        let told = only["error"].as_str().unwrap();
        assert!(told.contains(error), "{text}: {told}");
    }
    post(&application, "checkers", "1. e4")
        .await
        .expect_problem(404, "unknown-game");
}

#[tokio::test]
async fn only_so_much_is_read() {
    let application = application();
    let game = format!("{} *\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(300));
    let games = post(&application, "orthodox", &game.repeat(3)).await.json();
    let lengths = games.as_array().unwrap().iter();
    let lengths: Vec<_> = lengths
        .map(|game| game["plies"].as_array().unwrap().len())
        .collect();
    assert_eq!(lengths, [1200, 0]);
    let error = games[1]["error"].as_str().unwrap();
    assert!(error.contains("at most 2000 moves"), "{error}");
    let many = post(&application, "orthodox", &"e4 * ".repeat(5000)).await;
    assert!(many.json().as_array().unwrap().len() < 1100);
    let limits = Limits {
        body: 100,
        ..Limits::default()
    };
    let small = application_with(&[shipped()], limits);
    post(&small, "orthodox", &game)
        .await
        .expect_problem(413, "limit");
}
