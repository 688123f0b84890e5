//! Tests the answers in the shape of lichess's tablebase.

use serde_json::{Value, json};

use crate::common::{application, get};

/// The fields of a position there.
const POSITION: [&str; 11] = [
    "checkmate",
    "stalemate",
    "variant_win",
    "variant_loss",
    "insufficient_material",
    "dtz",
    "precise_dtz",
    "dtm",
    "dtw",
    "dtc",
    "category",
];

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[tokio::test]
async fn fields_and_signs() {
    let application = application();
    let got = get(&application, "/standard?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1").await;
    assert_eq!(got.header("content-type"), "application/json");
    let answer = got.json();
    let mut expected = POSITION.to_vec();
    expected.push("moves");
    assert_eq!(keys(&answer), expected);
    assert_eq!(
        (&answer["category"], &answer["dtm"], &answer["dtz"]),
        (&json!("win"), &json!(17), &json!(17))
    );
    let moves = answer["moves"].as_array().unwrap();
    let expected = [
        ["uci", "san", "zeroing", "conversion"].as_slice(),
        &POSITION,
    ]
    .concat();
    for mv in moves {
        assert_eq!(keys(mv), expected);
    }
    // For the side that answers.
    assert_eq!(moves[0]["category"], "loss");
    assert_eq!(
        (&moves[0]["dtm"], &moves[0]["dtz"]),
        (&json!(-16), &json!(-16))
    );
    let plies: Vec<_> = moves
        .iter()
        .filter(|m| m["category"] == "loss")
        .map(|m| m["dtm"].as_i64().unwrap())
        .collect();
    assert!(plies.is_sorted_by(|a, b| a >= b), "{plies:?}");
    assert_eq!(moves.last().unwrap()["category"], "draw");
}

#[tokio::test]
async fn ends_and_draws() {
    let application = application();
    let mated = get(&application, "/standard?fen=k7/1Q6/1K6/8/8/8/8/8_b")
        .await
        .json();
    assert_eq!(
        (&mated["checkmate"], &mated["category"]),
        (&json!(true), &json!("loss"))
    );
    assert_eq!((&mated["dtz"], &mated["dtm"]), (&json!(-1), &Value::Null));
    assert_eq!(mated["moves"], json!([]));
    let mate = get(&application, "/standard?fen=k7/7Q/1K6/8/8/8/8/8_w")
        .await
        .json();
    assert_eq!(
        (&mate["moves"][0]["san"], &mate["moves"][0]["checkmate"]),
        (&json!("Qa7#"), &json!(true))
    );
    let stuck = get(&application, "/standard?fen=k7/2Q5/1K6/8/8/8/8/8_b")
        .await
        .json();
    assert_eq!(
        (&stuck["stalemate"], &stuck["category"], &stuck["dtz"]),
        (&json!(true), &json!("draw"), &json!(0))
    );
    let bare = get(&application, "/standard?fen=k7/8/1K6/8/8/8/8/8")
        .await
        .json();
    assert_eq!(
        (
            &bare["insufficient_material"],
            &bare["category"],
            &bare["dtm"]
        ),
        (&json!(true), &json!("draw"), &json!(0))
    );
}

#[tokio::test]
async fn the_clock() {
    let application = application();
    let at = async |clock: u32| {
        let uri = format!("/standard?fen=8/8/8/3k4/8/8/8/KQ6 w - - {clock} 90");
        let answer = get(&application, &uri).await.json();
        [
            answer["category"].clone(),
            answer["moves"][0]["category"].clone(),
            answer["dtz"].clone(),
        ]
    };
    assert_eq!(at(83).await, [json!("win"), json!("loss"), json!(17)]);
    assert_eq!(
        at(84).await,
        [json!("cursed-win"), json!("blessed-loss"), json!(17)]
    );
    // A mate on the hundredth ply counts, a later one does not.
    for (clock, category) in [(99, "win"), (100, "cursed-win"), (101, "cursed-win")] {
        let uri = format!("/standard?fen=k7/7Q/1K6/8/8/8/8/8 w - - {clock} 90");
        assert_eq!(
            get(&application, &uri).await.json()["category"],
            category,
            "{clock}"
        );
    }
}

#[tokio::test]
async fn what_no_table_has() {
    let application = application();
    let uri = "/standard?fen=4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let castling = get(&application, uri).await.json();
    // Moves that end the rights have values, and with the best of them the position.
    assert_eq!(
        (&castling["category"], &castling["dtz"]),
        (&json!("win"), &Value::Null)
    );
    let moves = castling["moves"].as_array().unwrap();
    assert!(moves.iter().any(|mv| mv["category"] == "unknown"));
    // A mate that the rules know is the best move, and so the category is known.
    let mate = get(&application, "/standard?fen=k7/7Q/1K6/8/8/8/8/6NN w - -")
        .await
        .json();
    assert_eq!(
        (&mate["category"], &mate["dtz"]),
        (&json!("win"), &Value::Null)
    );
    let moves = mate["moves"].as_array().unwrap();
    assert!(moves.iter().any(|mv| mv["category"] == "unknown"));
    // Rights and e.p. squares that cannot be are dropped.
    let forgiven = get(
        &application,
        "/standard?fen=8/8/8/3k4/8/8/8/KQ6 w KQkq e3 0 1",
    )
    .await
    .json();
    assert_eq!(forgiven["category"], "win");
    for fen in [
        "",
        "8/8",
        "8/8/8/3k4/8/8/8/8 w",
        "8/8/8/3k4/8/8/8/KQQQQQQQQQ w",
    ] {
        let got = get(&application, &format!("/standard?fen={fen}")).await;
        assert_eq!(got.status, 400, "{fen}");
        assert!(got.header("content-type").starts_with("text/plain"));
    }
    let uri = "/standard/mainline?fen=4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_eq!(get(&application, uri).await.status, 404);
    assert_eq!(
        get(
            &application,
            "/standard/mainline?fen=8/8/8/3k4/8/8/8/KQQQ4 b"
        )
        .await
        .status,
        404
    );
}

#[tokio::test]
async fn mainlines() {
    let application = application();
    let line = get(&application, "/standard/mainline?fen=8/8/8/8/8/3k4/3P4/K7").await;
    assert_eq!(
        line.json(),
        json!({"mainline": [], "winner": null, "dtz": 0, "precise_dtz": 0})
    );
    let line = get(&application, "/standard/mainline?fen=8/8/8/3k4/8/8/8/KQ6")
        .await
        .json();
    assert_eq!(keys(&line), ["mainline", "winner", "dtz", "precise_dtz"]);
    let steps = line["mainline"].as_array().unwrap();
    assert_eq!(keys(&steps[0]), ["uci", "san", "dtz", "precise_dtz"]);
    assert_eq!(
        (steps.len(), &line["winner"], &line["dtz"]),
        (17, &json!("w"), &json!(17))
    );
    assert_eq!(
        (&steps[0]["dtz"], &steps[16]["dtz"]),
        (&json!(-16), &json!(-1))
    );
    // The rule ends the game first.
    let line = get(
        &application,
        "/standard/mainline?fen=8/8/8/3k4/8/8/8/KQ6 w - - 90 99",
    )
    .await
    .json();
    assert_eq!(
        (line["mainline"].as_array().unwrap().len(), &line["winner"]),
        (10, &Value::Null)
    );
}

#[tokio::test]
async fn cbor() {
    use axum::body::Body;
    use axum::http::Request;
    let request =
        Request::get("/standard?fen=8/8/8/3k4/8/8/8/KQ6").header("accept", "application/cbor");
    let got = crate::common::ask(&application(), request.body(Body::empty()).unwrap()).await;
    assert_eq!(got.header("content-type"), "application/cbor");
    let answer: ciborium::Value = ciborium::from_reader(&got.body[..]).unwrap();
    let fields = answer.into_map().unwrap();
    assert_eq!(fields.len(), POSITION.len() + 1);
}

/// Atomic chess and antichess have ends of their own.
#[tokio::test]
async fn other_games() {
    let application = application();
    let ask = async |path: &str, fen: &str| {
        let got = get(
            &application,
            &format!("/{path}?fen={}", fen.replace(' ', "_")),
        )
        .await;
        assert_eq!(got.status, 200, "{path} {fen}: {}", got.text());
        got.json()
    };
    let ended = |told: &Value| {
        let fields = ["checkmate", "stalemate", "variant_win", "variant_loss"];
        fields.map(|field| told[field].as_bool().unwrap())
    };
    let atomic = ask("atomic", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1").await;
    let mut fields = POSITION.to_vec();
    fields.push("moves");
    assert_eq!(keys(&atomic), fields);
    assert_eq!(
        (&atomic["category"], &atomic["dtz"], &atomic["dtm"]),
        (&json!("win"), &json!(9), &json!(9))
    );
    // The rook takes the king's neighbour.
    let blow = ask("atomic", "3rk3/8/8/8/8/8/8/K2R4 w - - 0 1").await;
    assert_eq!(blow["moves"][0]["uci"], "d1d8");
    assert_eq!(
        ended(&blow["moves"][0]),
        [false, false, false, true],
        "{blow}"
    );
    assert_eq!(
        (&blow["category"], &blow["moves"][0]["category"]),
        (&json!("win"), &json!("loss"))
    );
    // A side that cannot move has won.
    let stuck = ask("antichess", "8/8/8/8/8/p7/P7/8 w - - 0 1").await;
    assert_eq!(ended(&stuck), [false, true, true, false]);
    assert_eq!(
        (&stuck["category"], &stuck["moves"]),
        (&json!("win"), &json!([]))
    );
    // White must take the king, and loses: Black has no man left.
    let taken = ask("antichess", "8/8/8/8/8/8/1k6/K7 w - - 0 1").await;
    assert_eq!(
        (
            &taken["category"],
            &taken["dtz"],
            taken["moves"].as_array().unwrap().len()
        ),
        (&json!("loss"), &json!(-1), 1)
    );
    assert_eq!(ended(&taken["moves"][0]), [false, false, true, false]);
    assert_eq!(taken["moves"][0]["category"], "win");
    let line = ask("atomic/mainline", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1").await;
    assert_eq!(line["mainline"].as_array().unwrap().len(), 9);
    assert_eq!((&line["winner"], &line["dtz"]), (&json!("w"), &json!(9)));
    let line = ask("antichess/mainline", "8/8/8/8/8/8/1k6/K7 w - - 0 1").await;
    assert_eq!((&line["winner"], &line["dtz"]), (&json!("b"), &json!(-1)));
    let got = get(&application, "/racing-kings?fen=8/8/8/8/8/2k5/8/K6R_w_-_-").await;
    assert_eq!(got.status, 404);
}

/// Where no table has a position, its moves may settle it, here as in `/api`, which also gives
/// distances that are certain.
#[tokio::test]
async fn known_moves_settle_a_position() {
    let application = application();
    for (fen, dtm) in [
        ("2k5/8/4P3/r6R/8/5K2/8/8_b_-_-_0_1", Value::Null),
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1_w_-_-_0_1", json!(1)),
    ] {
        let told = get(&application, &format!("/standard?fen={fen}"))
            .await
            .json();
        assert_eq!(told["category"], "win", "{fen}");
        let told = get(&application, &format!("/api/orthodox?fen={fen}"))
            .await
            .json();
        assert_eq!(
            (&told["category"], &told["dtz_plies"]),
            (&json!("win"), &json!(1))
        );
        assert_eq!((&told["depth_plies"], told.get("error")), (&dtm, None));
        let moves = told["moves"].as_array().unwrap();
        assert_eq!(moves[0]["category"], "win");
        assert_eq!(moves.last().unwrap()["category"], "unknown");
    }
    // Programs for chess960 name castling rights by files.
    let uri = "/standard?fen=4k3/8/8/8/8/8/8/R3K2R_w_HA_-_0_1";
    let moves = get(&application, uri).await.json()["moves"].clone();
    let moves = moves.as_array().unwrap().clone();
    assert!(moves.iter().any(|mv| mv["san"] == "O-O-O"), "{moves:?}");
}
