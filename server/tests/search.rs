//! Tests the search for a proof over HTTP: what it answers, and how it is limited.

use std::time::{Duration, Instant};

use axum::Router;
use retrograde_server::Limits;
use serde_json::{Value, json};

use crate::common::{application, application_with, get, shipped};

/// A mate in three moves, with more men than there are tables for.
const PROBLEM: &str = "/api/orthodox/search?fen=8/6R1/7p/5K1k/8/6p1/5bPP/4N3_w_-_-_0_1";

/// The position at the beginning, which no search decides.
const ARRAY: &str =
    "/api/orthodox/search?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1";

fn application_within(searches: usize, search_time: Duration) -> Router {
    let limits = Limits {
        searches,
        search_time,
        ..Limits::default()
    };
    application_with(&[shipped()], limits)
}

#[tokio::test]
async fn a_proof_above_the_tables() {
    let got = get(&application(), PROBLEM).await;
    assert_eq!(got.status, 200, "{}", got.text());
    assert_eq!(got.header("cache-control"), "no-cache");
    let found = got.json();
    assert_eq!(found["category"], "win");
    assert_eq!(found["winner"], "white");
    assert_eq!(found["search"]["decides"], true);
    assert_eq!(found["search"]["stop"], Value::Null);
    assert_eq!(found.get("error"), None);
    let plies = found["plies"].as_array().unwrap();
    assert_eq!(plies[0]["san"], "Rxg3");
    let end = plies.last().unwrap()["fen"].as_str().unwrap();
    let end = get(&application(), &format!("/api/orthodox?fen={end}")).await;
    assert_eq!(end.json()["end"], "checkmate");
}

#[tokio::test]
async fn what_tables_know_is_not_searched() {
    let fen = "/api/orthodox/search?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1";
    let found = get(&application(), fen).await.json();
    assert_eq!(found["depth_plies"], 17);
    assert_eq!(
        (&found["search"], &found["plies"]),
        (&Value::Null, &json!([]))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_ends_when_the_time_is_up() {
    let application = application_within(1, Duration::from_secs(1));
    let begun = Instant::now();
    let (found, other) = tokio::join!(get(&application, ARRAY), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        get(&application, PROBLEM).await
    });
    assert!(begun.elapsed() < Duration::from_secs(15));
    let found = found.json();
    assert_eq!(found["category"], "unknown");
    assert_eq!(found["search"]["stop"], "time");
    let message = found["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("not decided within "), "{message}");
    assert!(message.contains("(time is up)"), "{message}");
    // The only place was taken, and is free again.
    other.expect_problem(503, "busy");
    assert_eq!(get(&application, PROBLEM).await.json()["category"], "win");
}

#[tokio::test]
async fn an_operator_may_forbid_searches() {
    let application = application_within(1, Duration::ZERO);
    let got = get(&application, PROBLEM).await;
    got.expect_problem(501, "unsupported");
    let got = get(&application, "/api/orthodox/search?fen=8/8&seconds=1").await;
    got.expect_problem(400, "bad-fen");
}
