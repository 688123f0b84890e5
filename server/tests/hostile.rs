//! Tests requests that mean harm, or nothing.

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use retrograde_rules::Game;
use std::num::NonZeroU32;

use crate::common::{application, application_with, ask, block_on, get, shipped};
use retrograde_server::{Client, Limits};

/// Asks; the answer must be one that the client can be blamed for, or an answer.
fn expect_sane(application: &Router, request: Request<Body>) {
    let said = format!("{request:?}");
    let got = block_on(ask(application, request));
    assert!(
        got.status.as_u16() < 500,
        "{said}: {} {}",
        got.status,
        got.text()
    );
}

#[tokio::test]
async fn nothing_but_tables_and_the_page_is_readable() {
    let application = application();
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/etc/passwd",
        "/assets/../../../Cargo.toml",
        "/assets/..%5c..%5cCargo.toml",
        "/index.html%00.js",
        "/tables/orthodox/KQvK.wdl",
    ] {
        let got = get(&application, path).await;
        assert_eq!(got.status, 404, "{path}: {}", got.text());
    }
    for material in ["..%2F..%2FCargo.toml", "KQvK.wdl", "%2e%2e", "KQvK%00"] {
        let got = get(&application, &format!("/api/orthodox/stats/{material}")).await;
        assert!([400, 404].contains(&got.status.as_u16()), "{material}");
    }
}

#[tokio::test]
async fn bad_utf8_and_long_fens() {
    let application = application();
    let long = "8".repeat(60_000);
    for uri in [
        "/api/orthodox?fen=%ff%fe",
        "/api/%ff?fen=8",
        "/api/orthodox/stats/%ff",
        "/standard?fen=%ff",
        "/%ff",
        "/assets/%ff",
        "/api/games/%ff",
        "/%",
        "/%zz",
        "/api/%zz/line?fen=8",
        &format!("/api/orthodox?fen={long}"),
        &format!("/standard?fen={long}"),
        &format!("/api/{}?fen=8", &long),
        "/api/orthodox/random?material=KQQQQQQQQQQvK",
        "/api/orthodox/random?material=KvK&seed=99999999999999999999999",
        "/api/high-chess?fen=8/8/8/3k4/8/8/8/KQ6 w - - 255+0 99999999999 1",
        "/api/orthodox?fen=8/8/8/3k4/8/8/8/KQ6 w - - 4294967295 4294967295",
        "/standard?fen=8/8/8/3k4/8/8/8/KQ6 w - - 4294967295 4294967295",
        "/standard/mainline?fen=8/8/8/3k4/8/8/8/KQ6 w - - 4294967295 4294967295",
        "/api/orthodox/line?fen=8/8/8/3k4/8/8/8/KQ6 w - - 4294967295 4294967295",
        "/api/orthodox/play?fen=8/8/8/3k4/8/8/8/KQ6 w - - 4294967295 4294967295&moves=b1b2",
    ] {
        let got = get(&application, uri).await;
        assert!(got.status.as_u16() < 500, "{uri}: {}", got.text());
        assert!(got.body.len() < 100_000);
        if got.status != 200 && !uri.starts_with("/standard") {
            assert_eq!(
                got.header("content-type"),
                "application/problem+json",
                "{uri}"
            );
        }
    }
}

#[tokio::test]
async fn a_client_that_asks_too_often_waits() {
    let limits = Limits {
        rate: NonZeroU32::new(2),
        ..Limits::default()
    };
    let application = application_with(&[shipped()], limits);
    let from = |address: &str| {
        let mut request = Request::get("/api/games").body(Body::empty()).unwrap();
        request
            .extensions_mut()
            .insert(Client(address.parse().unwrap()));
        request
    };
    for _ in 0..2 {
        assert_eq!(ask(&application, from("10.0.0.1")).await.status, 200);
    }
    let got = ask(&application, from("10.0.0.1")).await;
    got.expect_problem(429, "limit");
    assert_eq!(got.header("retry-after"), "1");
    assert_eq!(ask(&application, from("10.0.0.2")).await.status, 200);
    // Whether it works may always be asked.
    assert_eq!(get(&application, "/health").await.status, 200);
}

#[tokio::test]
async fn behind_a_proxy_the_last_address_counts() {
    let limits = Limits {
        rate: NonZeroU32::new(1),
        behind_proxy: true,
        ..Limits::default()
    };
    let application = application_with(&[shipped()], limits);
    let from = |addresses: &str| {
        let request = Request::get("/api/games").header("x-forwarded-for", addresses);
        let mut request = request.body(Body::empty()).unwrap();
        request
            .extensions_mut()
            .insert(Client("127.0.0.1".parse().unwrap()));
        request
    };
    assert_eq!(
        ask(&application, from("1.1.1.1, 10.0.0.1")).await.status,
        200
    );
    // What a client writes itself does not help.
    assert_eq!(
        ask(&application, from("2.2.2.2, 10.0.0.1")).await.status,
        429
    );
    assert_eq!(ask(&application, from("10.0.0.2")).await.status, 200);
}

/// Runs a property with few cases: each asks the whole application.
fn check<S: Strategy>(cases: u32, strategy: S, property: impl Fn(S::Value)) {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    };
    let result = TestRunner::new(config).run(&strategy, |value| {
        property(value);
        Ok(())
    });
    result.unwrap();
}

/// Text as it stands in a URI.
fn encoded(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("%{byte:02x}")).collect()
}

#[test]
fn any_parameters() {
    let application = application();
    let routes = prop::sample::select(vec![
        "/standard",
        "/standard/mainline",
        "/api/GAME",
        "/api/GAME/line",
        "/api/GAME/play",
        "/api/GAME/random",
        "/api/games/GAME",
        "/api/GAME/stats/KQvK",
        "/ANY",
    ]);
    let names = prop::sample::select(vec![
        "fen", "moves", "material", "format", "seed", "category",
    ]);
    let pieces = prop::collection::vec(any::<u8>(), 0..80);
    let fen =
        "[1-9KQRBNPAkqrbnpa/]{0,40} [wb-] [-KQkq]{1,3} [a-j-][0-9]{0,2} [0-9+]{0,6} [0-9]{0,12}";
    let values = prop_oneof![pieces, fen.prop_map(String::into_bytes)];
    let parameters = prop::collection::vec((names, values), 0..4);
    let games = prop::sample::select(Game::names());
    check(
        400,
        (routes, games, parameters),
        |(route, game, parameters)| {
            let parameters = parameters
                .iter()
                .map(|(name, value)| format!("{name}={}", encoded(value)));
            let parameters: Vec<_> = parameters.collect();
            let uri = format!("{}?{}", route.replace("GAME", game), parameters.join("&"));
            expect_sane(&application, Request::get(uri).body(Body::empty()).unwrap());
        },
    );
}

#[test]
fn any_placement() {
    // Random pieces on the board: most are not positions, some are, of too many men.
    let application = application();
    let row = "[KQRBNPkqrbnp1]{8}";
    let placement = prop::collection::vec(row, 8).prop_map(|rows| rows.join("/"));
    let games = prop::sample::select(Game::names());
    check(100, (games, placement), |(game, placement)| {
        let uri = format!("/api/{game}?fen={placement}_w_-_-&line=true");
        expect_sane(&application, Request::get(uri).body(Body::empty()).unwrap());
    });
}

#[test]
fn any_batch() {
    let application = application();
    let body = prop::collection::vec(any::<u8>(), 0..2000);
    let lines = prop::collection::vec("[\\{\"fen:8/kKQ w\\-}]{0,60}", 0..20);
    let lines = lines.prop_map(|lines| lines.join("\n").into_bytes());
    check(200, prop_oneof![body, lines], |body| {
        let asked = body.split(|&byte| byte == b'\n').count()
            - usize::from(body.last().is_none_or(|&b| b == b'\n'));
        let request = Request::post("/api/orthodox/batch?moves=true").body(Body::from(body));
        let got = block_on(ask(&application, request.unwrap()));
        assert_eq!(got.status, 200);
        assert_eq!(got.lines().len(), asked);
    });
}

#[test]
fn any_method_and_header() {
    let application = application();
    let methods = prop::sample::select(vec![
        "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW",
    ]);
    let names = prop::sample::select(vec![
        "if-none-match",
        "accept",
        "accept-encoding",
        "origin",
        "range",
        "content-length",
        "x-forwarded-for",
    ]);
    let values = "[ -~]{0,60}";
    let paths = prop::sample::select(vec![
        "/",
        "/api/orthodox",
        "/api/orthodox/batch",
        "/standard?fen=8/8/8/3k4/8/8/8/KQ6",
        "/health",
        "/x",
    ]);
    check(
        200,
        (methods, paths, names, values),
        |(method, path, name, value)| {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let request = Request::builder()
                .method(method)
                .uri(path)
                .header(name, value);
            let Ok(request) = request.body(Body::empty()) else {
                return;
            };
            expect_sane(&application, request);
        },
    );
}
