//! Tests the answers of the HTTP interface, and how clients may keep them.

use std::collections::HashSet;

use axum::body::Body;
use axum::http::Request;
use retrograde_probe::object::{Include, UNKNOWN};
use retrograde_probe::{Tablebase, Wdl, WinBy};
use retrograde_rules::{Colour, End, Game, Position};
use retrograde_server::{Library, Limits};
use serde_json::{Value, json};

use crate::common::{application, application_with, ask, get, shipped};

const KQVK: &str = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";

#[tokio::test]
async fn a_probe_is_what_the_command_line_prints() {
    let application = application();
    let fens = [
        ("orthodox", KQVK),
        ("high-chess", "8/8/8/3k4/8/8/8/K6R w - - 6+50 0 1"),
        ("chess99", "9/9/9/4k4/9/9/9/3A5/K8 w - - 0 1"),
        ("kings", "8/8/8/3k4/8/8/1K6/K7 w - - 0 1"),
        ("wild9", "8/8/8/3k4/8/8/1K6/K7 w - - 0 1"),
        ("extinction-mating", "8/8/8/3k4/8/8/8/K6R w - - 0 1"),
        ("extinction", "8/8/8/3k4/8/8/8/K6R w - - 0 1"),
        ("king-of-the-hill", "8/8/7k/8/8/8/8/KP6 w - - 0 1"),
        ("antichess", "8/8/8/3k4/8/8/8/K7 w - - 0 1"),
        ("atomic", "8/8/8/3k4/8/8/8/K6R w - - 0 1"),
        ("racing-kings", "8/8/8/3k4/8/8/8/K6R w - - 0 1"),
        ("shatranj", "8/8/8/3k4/8/8/7P/K7 w - - 0 1"),
        ("makruk", "8/8/8/3k4/8/8/8/K6R w - - 0 1"),
        ("capablanca", "10/10/10/3k6/10/10/10/K8R w - - 0 1"),
        ("three-check", "8/8/8/3k4/8/8/8/K6R w - - 2+1 0 1"),
        ("horde", "8/8/8/3k4/8/8/8/Q6P w - - 0 1"),
    ];
    assert_eq!(fens.len(), Game::all().len());
    for (id, fen) in fens {
        let game = Game::parse(id).unwrap();
        let tables = Tablebase::open(game, [shipped()]).unwrap();
        let Ok(position) = Position::from_fen(game, fen) else {
            assert_eq!(id, "king-of-the-hill");
            continue;
        };
        for (query, moves, line) in [("", true, false), ("&moves=false&line=true", false, true)] {
            let got = get(
                &application,
                &format!("/api/{id}?fen={fen}{query}").replace('+', "%2B"),
            )
            .await;
            assert_eq!(got.status, 200, "{}", got.text());
            let include = Include { moves, line };
            let object = tables
                .answer_object(&position, include, |error| error.into())
                .unwrap();
            assert_eq!(got.text(), serde_json::to_string(&object).unwrap());
        }
    }
}

#[tokio::test]
async fn moves_say_where_they_lead() {
    let application = application();
    let got = get(
        &application,
        &format!("/api/orthodox?fen={KQVK}&after=true"),
    )
    .await;
    let answer = got.json();
    assert_eq!(answer["category"], "win");
    let moves = answer["moves"].as_array().unwrap();
    let start = Position::from_fen(Game::default(), KQVK).unwrap();
    for mv in moves {
        let uci = mv["uci"].as_str().unwrap();
        let after = start.play(start.parse_uci(uci).unwrap());
        assert_eq!(mv["fen"], after.fen());
    }
    assert_eq!(moves[0]["depth_plies"], 16);
}

#[tokio::test]
async fn underscores_and_missing_tables() {
    let application = application();
    let got = get(&application, "/api/orthodox?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-").await;
    assert_eq!(got.json()["fen"], KQVK);
    let got = get(
        &application,
        "/api/orthodox?fen=8/8/8/3k4/8/8/8/KQQQ4 b - -",
    )
    .await;
    assert_eq!(got.status, 200);
    let answer = got.json();
    assert_eq!(answer["category"], "unknown");
    assert_eq!(answer["error"]["kind"], "missing-table");
    let message = "this server has no table KQQQvK of orthodox";
    assert_eq!(answer["error"]["message"], message);
    assert!(!answer["moves"].as_array().unwrap().is_empty());
}

/// In an address a plus sign is a space: points that may be taken for clocks are refused.
#[tokio::test]
async fn plus_signs_that_are_not_escaped() {
    let application = application();
    let ask = async |rest: &str| {
        let address = format!("/api/high-chess{rest}");
        get(&application, &address).await
    };
    let rook = "fen=8/8/8/3k4/8/8/8/K6R_w_-_-";
    for route in ["", "/line", "/play"] {
        for end in ["_6+50", "+6+50", "%206+50_0_1", "+6+50+0+1", "_6_50"] {
            let got = ask(&format!("{route}?{rook}{end}")).await;
            let detail = got.expect_problem(400, "bad-fen");
            assert!(detail.contains("write them as 6%2B50;"), "{detail}");
        }
        // These are clocks, and none.
        for end in ["_0_1", "+0+1", "_6%2B50", "+6%2B50+6+50", "_60_50", ""] {
            let got = ask(&format!("{route}?{rook}{end}")).await;
            assert_eq!(got.status, 200, "{route} {end}: {}", got.text());
        }
    }
    let got = ask(&format!("?{rook}+6%2B50+3+50")).await;
    assert_eq!(got.json()["fen"], "8/8/8/3k4/8/8/8/K6R w - - 6+50 3 50");
    let got = get(
        &application,
        "/api/orthodox?fen=8/8/8/3k4/8/8/8/KQ6+w+-+-+6+50",
    )
    .await;
    assert_eq!(got.status, 200, "{}", got.text());
}

#[tokio::test]
async fn problems() {
    let application = application();
    let detail = get(&application, "/api/checkers?fen=8")
        .await
        .expect_problem(404, "unknown-game");
    assert!(detail.contains("king-of-the-hill"), "{detail}");
    get(&application, "/api/kings:board=11x11?fen=8")
        .await
        .expect_problem(404, "unknown-game");
    let got = get(&application, "/api/orthodox?fen=8/8/8/3k4/8/8/8/KX6 w - -").await;
    got.expect_problem(400, "bad-fen");
    assert_eq!(got.json()["offset"], 17);
    let got = get(&application, "/api/orthodox?fen=8/8/8/3k4/8/8/8/8 w - -").await;
    got.expect_problem(400, "illegal-position");
    get(&application, "/api/orthodox")
        .await
        .expect_problem(400, "bad-request");
    get(&application, "/api/orthodox?fen=x&moves=maybe")
        .await
        .expect_problem(400, "bad-request");
    get(&application, "/nowhere")
        .await
        .expect_problem(404, "not-found");
    let post = Request::post("/api/orthodox").body(Body::empty()).unwrap();
    ask(&application, post)
        .await
        .expect_problem(405, "bad-request");
    get(&application, "/api/orthodox/stats/KXvK")
        .await
        .expect_problem(400, "bad-material");
    get(&application, "/api/orthodox/stats/KQQvKR")
        .await
        .expect_problem(404, "missing-table");
    let uri = "/api/orthodox/random?material=KQvK&category=cursed-win&side=white";
    get(&application, uri)
        .await
        .expect_problem(404, "not-found");
}

#[tokio::test]
async fn tags_spare_the_body() {
    let application = application();
    let uri = format!("/api/orthodox?fen={KQVK}").replace(' ', "_");
    let first = get(&application, &uri).await;
    assert_eq!(first.header("cache-control"), "public, max-age=3600");
    let tag = first.header("etag");
    assert!(tag.starts_with("W/\""), "{tag}");
    let again = |known: &str| {
        let request = Request::get(&uri).header("if-none-match", known);
        request.body(Body::empty()).unwrap()
    };
    let got = ask(&application, again(&format!("\"x\", {tag}"))).await;
    assert_eq!((got.status.as_u16(), got.body.len()), (304, 0));
    assert_eq!(got.header("etag"), tag);
    assert_eq!(ask(&application, again("\"x\"")).await.status, 200);
}

#[tokio::test]
async fn other_sites_may_ask_and_bodies_are_compressed() {
    let application = application();
    let request = Request::get(format!("/api/orthodox?fen={KQVK}").replace(' ', "_"))
        .header("origin", "https://example.org")
        .header("accept-encoding", "gzip")
        .body(Body::empty());
    let got = ask(&application, request.unwrap()).await;
    assert_eq!(got.header("access-control-allow-origin"), "*");
    assert_eq!(got.header("content-encoding"), "gzip");
    assert_eq!(got.body[..2], [0x1F, 0x8B]);
    let request = Request::options("/api/orthodox/batch")
        .header("origin", "https://example.org")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type")
        .body(Body::empty());
    let got = ask(&application, request.unwrap()).await;
    assert_eq!(got.status, 200);
    assert!(got.header("access-control-allow-methods").contains("POST"));
}

#[tokio::test]
async fn lines_and_games_as_json_and_pgn() {
    let application = application();
    let line = get(&application, &format!("/api/orthodox/line?fen={KQVK}"))
        .await
        .json();
    let plies = line["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 17);
    assert_eq!(line["line_end"], "checkmate");
    let ucis: Vec<_> = plies
        .iter()
        .map(|ply| ply["uci"].as_str().unwrap())
        .collect();
    assert_eq!(json!(ucis), line["line"]);
    let uri = format!("/api/orthodox/line?fen={KQVK}&format=pgn");
    let got = get(&application, &uri).await;
    assert_eq!(got.header("content-type"), "application/x-chess-pgn");
    assert!(
        got.text()
            .contains("[FEN \"8/8/8/3k4/8/8/8/KQ6 w - - 0 1\"]")
    );
    assert!(got.text().ends_with("# 1-0\n"), "{}", got.text());
    assert!(got.text().contains("[White \"Tablebase\"]"));

    let uri = format!("/api/orthodox/play?fen={KQVK}&moves={}", ucis.join(","));
    let game = get(&application, &uri).await.json();
    assert_eq!(game["plies"], line["plies"]);
    assert_eq!(game["end"], "checkmate");
    assert_eq!(game["winner"], "white");
    // Who has played these moves is not known.
    let got = get(&application, &format!("{uri}&format=pgn")).await;
    assert!(got.text().contains("[White \"?\"]"), "{}", got.text());
    let game = get(&application, "/api/orthodox/play?moves=e4,e7e5")
        .await
        .json();
    assert_eq!(game["plies"][0]["uci"], "e2e4");
    assert_eq!(
        (&game["end"], &game["winner"]),
        (&json!(null), &json!(null))
    );
    // What the FEN does not show: the last pawn is gone, a king is captured.
    for (game, fen, moves, end, winner) in [
        (
            "extinction",
            "8/P7/8/1K6/8/8/8/7k w - - 0 1",
            "a7a8q",
            "extinction",
            json!("black"),
        ),
        (
            "chess99",
            "9/9/9/4k4/3P5/9/9/9/K8 w - - 0 1",
            "d5e6",
            "king-capture",
            json!("white"),
        ),
    ] {
        let uri = format!("/api/{game}/play?fen={fen}&moves={moves}").replace(' ', "_");
        let game = get(&application, &uri).await.json();
        assert_eq!(
            (&game["end"], &game["winner"]),
            (&json!(end), &winner),
            "{uri}"
        );
    }
    let got = get(&application, "/api/orthodox/play?moves=e4,e4").await;
    let detail = got.expect_problem(400, "bad-request");
    assert!(detail.starts_with("move 2: "), "{detail}");
    let uri = "/api/orthodox/line?fen=8/8/8/3k4/8/8/8/KQQQ4 b - -&format=pgn";
    get(&application, uri)
        .await
        .expect_problem(404, "missing-table");
}

/// Values know the moves that were played before.
#[tokio::test]
async fn the_game_so_far_counts() {
    let application = application();
    let fen = "8/8/8/3k4/8/8/8/KQ6 w - -";
    let shuffle = "a1b2,d5d6,b2a1,d6d5,a1b2,d5d6,b2a1";
    let uri = format!("/api/orthodox?fen={fen}&played={shuffle},d6e5&after=true");
    let won = get(&application, &uri).await.json();
    assert_eq!(
        (&won["category"], &won["fen"]),
        (&json!("win"), &json!("8/8/8/4k3/8/8/8/KQ6 w - - 8 5"))
    );
    let moves = won["moves"].as_array().unwrap();
    let allowing = moves.iter().find(|mv| mv["uci"] == "a1b2").unwrap();
    assert_eq!(
        (&allowing["category"], &allowing["depth_plies"]),
        (&json!("draw"), &json!(null))
    );
    assert_eq!(moves[0]["category"], "win");
    // The lost side repeats; then it is a draw.
    for (played, first) in [
        (shuffle.to_owned(), Some("d6d5")),
        (format!("{shuffle},d6d5"), None),
    ] {
        let uri = format!("/api/orthodox?fen={fen}&played={played}&line=true");
        let answer = get(&application, &uri).await.json();
        assert_eq!(
            (&answer["category"], &answer["line"]),
            (&json!("draw"), &json!([]))
        );
        assert!(first.is_none_or(|first| answer["moves"][0]["uci"] == first));
    }
    let uri = format!("/api/orthodox?fen={fen}&played=a1b2,a1b2");
    let detail = get(&application, &uri)
        .await
        .expect_problem(400, "bad-request");
    assert!(detail.starts_with("move 2: "), "{detail}");
}

/// Without the moves, a PGN file with a result would look like a game.
#[tokio::test]
async fn no_pgn_where_the_way_is_not_known() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("orthodox");
    std::fs::create_dir(&tables).unwrap();
    for name in ["KQvK.wdl", "KPvK.wdl", "KPvK.dtm"] {
        std::fs::copy(shipped().join("orthodox").join(name), tables.join(name)).unwrap();
    }
    let application = application_with(&[folder.path().into()], Limits::default());
    for (fen, lacks) in [
        (KQVK, "no dtm table of KQvK"),
        ("4k3/8/4K3/8/4P3/8/8/8 w - -", "no table KRvK"),
    ] {
        let uri = format!("/api/orthodox/line?fen={fen}");
        let got = get(&application, &uri).await;
        assert_eq!(got.status, 200, "{}", got.text());
        let answer = got.json();
        assert_eq!(answer["category"], "win");
        assert!(answer["line"].is_null());
        assert_eq!(answer["plies"], json!([]));
        let got = get(&application, &format!("{uri}&format=pgn")).await;
        let detail = got.expect_problem(404, "missing-table");
        assert!(detail.contains(lacks), "{detail}");
    }
}

#[tokio::test]
async fn games_and_options() {
    let application = application();
    let games = get(&application, "/api/games").await.json();
    let ids: Vec<_> = games.as_array().unwrap().iter().map(|g| &g["id"]).collect();
    assert_eq!(json!(ids), json!(Game::names()));
    let first = &games[0]["tables"][0];
    assert_eq!(
        *first,
        json!({"material": "KBvK", "metrics": ["wdl", "dtm", "dtz"]})
    );
    let id = "kings:board=10x8,chancellor=on,spare-king=duke";
    let game = get(&application, &format!("/api/games/{id}")).await.json();
    assert_eq!((&game["id"], &game["name"]), (&json!(id), &json!("kings")));
    assert_eq!((&game["files"], &game["ranks"]), (&json!(10), &json!(8)));
    assert_eq!(game["kings"], json!([1, null]));
    assert_eq!(games[0]["kings"], json!([1, 1]));
    let options = game["options"].as_array().unwrap();
    let chosen = |name: &str| {
        let option = options.iter().find(|option| option["name"] == name);
        option.unwrap()["value"].as_str().unwrap().to_owned()
    };
    assert_eq!(chosen("spare-king"), "duke");
    assert_eq!(chosen("black-corner"), "a8");
}

#[tokio::test]
async fn statistics() {
    let application = application();
    let got = get(&application, "/api/orthodox/stats/KQK").await;
    assert_eq!(got.status, 308);
    assert_eq!(got.header("location"), "/api/orthodox/stats/KQvK");
    // A material has the letters of its game.
    let got = get(&application, "/api/makruk/stats/KvKM").await;
    assert_eq!(got.header("location"), "/api/makruk/stats/KMvK");
    let got = get(&application, "/api/makruk/stats/KMvK").await;
    assert_eq!(got.json()["material"], "KMvK");
    let [first, second] = [(); 2].map(|()| get(&application, "/api/orthodox/stats/KQvK"));
    let (first, second) = tokio::join!(first, second);
    assert_eq!(first.body, second.body);
    let counts = first.json();
    assert_eq!(
        counts["positions"],
        json!({"white": 144_508, "black": 223_944})
    );
    assert_eq!(
        counts["longest_win_plies"],
        json!({"white": 19, "black": null})
    );
}

/// On the edge the winner has just the points that it needs.
#[tokio::test]
async fn random_positions_on_the_edge() {
    let application = application();
    for category in ["win", "loss"] {
        for seed in 0..20 {
            let wish = format!("material=KRvK&edge=true&category={category}&seed={seed}");
            let address = format!("/api/high-chess/random?{wish}");
            let found = get(&application, &address).await.json();
            assert_eq!(found["category"], category, "{found}");
            let vitality = &found["vitality"];
            let winner = found["winner"].as_str().unwrap();
            let needs = format!("{winner}_needs");
            assert_eq!(vitality[winner], vitality[needs.as_str()], "{found}");
            assert_ne!(vitality[winner], 1, "{found}");
        }
    }
    let got = get(&application, "/api/orthodox/random?material=KRvK&edge=true").await;
    got.expect_problem(404, "unsupported");
}

#[tokio::test]
async fn random_positions() {
    let application = application();
    for (category, side) in [("draw", "black"), ("loss", "black"), ("win", "white")] {
        let uri =
            format!("/api/orthodox/random?material=KPvK&category={category}&side={side}&seed=7");
        let found = get(&application, &uri).await.json();
        assert_eq!(
            (&found["category"], &found["material"]),
            (&json!(category), &json!("KPvK"))
        );
        let turn = format!(" {} ", &side[..1]);
        assert!(found["fen"].as_str().unwrap().contains(&turn));
        assert_eq!(get(&application, &uri).await.json(), found);
    }
    // Distances that few positions have are found, too, with the colours swapped as well.
    for (material, side, category, distance) in [
        ("KPvK", "white", "win", "depth_plies=55"),
        ("KvKP", "black", "win", "depth_plies=55"),
        ("KvKP", "white", "loss", "depth_plies=54"),
        ("KRvK", "black", "loss", "dtz_plies=32"),
        ("KBNvK", "white", "win", "dtz_plies=65"),
        // Two positions, four, and six.
        ("KPvKP", "black", "win", "dtz_plies=21"),
        ("KPvKP", "white", "loss", "dtz_plies=0"),
        ("KNvKP", "black", "loss", "dtz_plies=3"),
    ] {
        let wish = format!("material={material}&side={side}&category={category}&{distance}");
        let uri = format!("/api/orthodox/random?{wish}");
        let found = get(&application, &uri).await.json();
        let (field, plies) = distance.split_once('=').unwrap();
        assert_eq!(found[field].to_string(), plies, "{wish}: {found}");
        assert_eq!(found["category"], category, "{wish}: {found}");
        let turn = format!(" {} ", &side[..1]);
        assert!(
            found["fen"].as_str().unwrap().contains(&turn),
            "{wish}: {found}"
        );
        let pieces = if material == "KvKP" {
            "p"
        } else {
            &material[1..2]
        };
        assert!(
            found["fen"].as_str().unwrap().contains(pieces),
            "{wish}: {found}"
        );
    }
    for (wish, status, kind) in [
        (
            "orthodox/random?material=KPvK&depth_plies=57",
            404,
            "not-found",
        ),
        (
            "orthodox/random?material=KQvKR&depth_plies=3",
            404,
            "missing-table",
        ),
        (
            "orthodox/random?material=KPvK&depth_plies=3&dtz_plies=3",
            400,
            "bad-request",
        ),
        ("kings/random?material=KRvK&dtz_plies=3", 404, "unsupported"),
    ] {
        let got = get(&application, &format!("/api/{wish}")).await;
        got.expect_problem(status, kind);
    }
    // Each side keeps its pieces.
    let found = get(&application, "/api/high-chess/random?material=KvKR")
        .await
        .json();
    assert_eq!(found["material"], "KvKR");
}

#[tokio::test]
async fn endings_with_what_their_tables_say() {
    let application = application();
    for game in ["orthodox", "high-chess", "antichess", "king-of-the-hill"] {
        let endings = get(&application, &format!("/api/{game}/endings"))
            .await
            .json();
        let endings = endings.as_array().unwrap();
        let men = |ending: &Value| ending["material"].as_str().unwrap().len();
        assert!(endings.is_sorted_by_key(men), "{game}");
        let names: HashSet<_> = endings.iter().map(|ending| &ending["material"]).collect();
        assert_eq!(names.len(), endings.len(), "{game}");
        let uri = format!("/api/games/{game}");
        let present = get(&application, &uri).await.json()["tables"].clone();
        let (known, absent): (Vec<_>, Vec<_>) = endings
            .iter()
            .partition(|ending| !ending["metrics"].as_array().unwrap().is_empty());
        assert_eq!(known.len(), present.as_array().unwrap().len(), "{game}");
        assert!(
            absent.iter().all(|ending| ending["counts"].is_null()),
            "{game}"
        );
        for ending in known.iter().take(8) {
            let material = ending["material"].as_str().unwrap();
            let uri = format!("/api/{game}/stats/{material}");
            let stats = get(&application, &uri).await.json();
            let counts = &ending["counts"];
            for field in ["positions", "win", "draw", "loss", "longest_win_plies"] {
                assert_eq!(counts[field], stats[field], "{game} {material} {field}");
            }
            let zugzwangs = &stats["mutual_zugzwang"]["positions"];
            assert_eq!(&counts["mutual_zugzwang"], zugzwangs, "{game} {material}");
        }
    }
    let endings = get(&application, "/api/orthodox/endings").await.json();
    let endings = endings.as_array().unwrap();
    assert_eq!(endings.len(), 35);
    let find = |name: &str| {
        endings
            .iter()
            .find(|ending| ending["material"] == name)
            .unwrap()
    };
    assert_eq!(find("KPvK")["counts"]["mutual_zugzwang"], 160);
    assert_eq!(find("KQvKR")["metrics"], json!(["wdl", "dtz"]));
}

/// Programs that show links read the head of the page alone.
#[tokio::test]
async fn the_head_says_what_a_link_is_about() {
    let application = application();
    let head = async |query: &str| {
        let got = get(&application, &format!("/{query}")).await;
        assert_eq!(got.header("content-type"), "text/html; charset=utf-8");
        let text = got.text().to_owned();
        text.split("</head>").next().unwrap().to_owned()
    };
    let plain = head("").await;
    assert!(plain.contains("<title>Retrograde</title>"), "{plain}");
    for query in ["?game=none", "?fen=8/8", "?%ff=%ff&game"] {
        assert_eq!(head(query).await, plain, "{query}");
    }
    for (query, title) in [
        ("?game=high-chess&fen=8/8", "High Chess"),
        ("?game=kings&page=endings", "Endings of Kings"),
        ("?game=orthodox&ending=KvKP", "KPvK · Orthodox chess"),
        ("?game=orthodox&ending=%3Cb%3E", "Orthodox chess"),
    ] {
        let head = head(query).await;
        for part in [
            format!("<title>{title} · Retrograde</title>"),
            format!("og:title\" content=\"{title}\""),
        ] {
            assert!(head.contains(&part), "{query}: {head}");
        }
        assert!(!head.contains("Endgame tablebases"), "{query}: {head}");
    }
    assert!(
        head("?game=kings")
            .await
            .contains("content=\"Chess with several kings a side.")
    );
}

#[tokio::test]
async fn reports_on_claims() {
    let application = application();
    let claims = async |game: &str| {
        let game = get(&application, &format!("/api/games/{game}")).await;
        game.json()["claims"].clone()
    };
    assert_eq!(claims("antichess").await, Value::Null);
    assert_eq!(claims("kings:board=10x10").await, "claims/kings.html");
    for page in ["kings", "index"] {
        let got = get(&application, &format!("/claims/{page}.html")).await;
        assert_eq!(got.header("content-type"), "text/html; charset=utf-8");
        let policy = got.header("content-security-policy");
        assert!(policy.contains("script-src 'unsafe-inline'"), "{policy}");
    }
    for page in [
        "claims/",
        "claims/none.html",
        "claims/../index.html",
        "kings.html",
    ] {
        let got = get(&application, &format!("/{page}")).await;
        assert_eq!(got.status, 404, "{page}");
    }
}

#[tokio::test]
async fn health_metrics_and_the_page() {
    let tables = Library::open(vec![shipped()]).unwrap().len();
    assert!(tables > 100);
    let application = application();
    assert_eq!(get(&application, "/health").await.json()["tables"], tables);
    get(&application, &format!("/api/orthodox?fen={KQVK}")).await;
    let got = get(&application, "/metrics").await;
    let line = r#"retrograde_requests_total{route="/api/{game}",method="GET",status="200"} 1"#;
    assert!(got.text().contains(line), "{}", got.text());
    assert!(
        got.text()
            .contains(&format!("retrograde_tables {tables}\n"))
    );
    assert!(got.text().ends_with("# EOF\n"));
    let got = get(&application, "/").await;
    assert_eq!(got.header("content-type"), "text/html; charset=utf-8");
    assert!(
        got.header("content-security-policy")
            .contains("default-src 'none'")
    );
    // The licences of what is in the page, which it links to.
    for (file, holder) in [
        ("/licenses.md", "Copyright (c) Meta Platforms"),
        ("/licenses-dnd-kit.txt", "Claud\u{e9}ric Demers"),
    ] {
        let got = get(&application, file).await;
        assert_eq!(got.status, 200);
        assert!(got.text().contains(holder));
    }
}

#[tokio::test]
async fn the_description_names_every_route() {
    let application = application();
    let document = get(&application, "/api/openapi.json").await.json();
    let paths: Vec<_> = document["paths"].as_object().unwrap().keys().collect();
    assert_eq!(paths.len(), 19, "{paths:?}");
    for path in paths {
        let uri = path
            .replace("{game}", "orthodox")
            .replace("{material}", "KQvK");
        let post = Request::post(&uri).body(Body::empty()).unwrap();
        let got = match path.ends_with("batch") || path.ends_with("pgn") {
            true => ask(&application, post).await,
            false => get(&application, &uri).await,
        };
        // There is such a route: at most a parameter is missing.
        assert!(
            [200, 400].contains(&got.status.as_u16()),
            "{path}: {}",
            got.status
        );
    }
}

/// The manual says of each route, in a row of a table or a paragraph, all that can be asked there.
#[tokio::test]
async fn the_manual_names_every_route_and_parameter() {
    let manual = include_str!("../../docs/SERVER.md");
    let parts = manual
        .split("\n\n")
        .flat_map(|part| match part.starts_with('|') {
            true => part.lines().collect(),
            false => vec![part],
        });
    let parts: Vec<&str> = parts.collect();
    // In code, as a whole word.
    let names = |part: &str, word: &str| {
        part.match_indices(word).any(|(at, _)| {
            part[..at].ends_with(['`', ' ', '?', '&', '{'])
                && part[at + word.len()..].starts_with(['`', '?', '=', '}'])
        })
    };
    let document = get(&application(), "/api/openapi.json").await.json();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let told: Vec<_> = parts.iter().filter(|part| names(part, path)).collect();
        assert!(!told.is_empty(), "{path}");
        for operation in operations.as_object().unwrap().values() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().unwrap();
                let is_told = told.iter().any(|part| names(part, name));
                assert!(is_told, "{path}: {name}");
            }
        }
    }
}

/// Programs are made from the description: names are unique, and texts stand by themselves.
#[tokio::test]
async fn the_description_is_fit_for_programs() {
    let document = get(&application(), "/api/openapi.json").await.json();
    let operations = document["paths"].as_object().unwrap().values();
    let operations = operations.flat_map(|path| path.as_object().unwrap().values());
    let names: Vec<_> = operations
        .map(|operation| operation["operationId"].as_str().unwrap())
        .collect();
    let unique: HashSet<_> = names.iter().collect();
    assert_eq!(unique.len(), names.len(), "{names:?}");
    let words = |name: &str| document["components"]["schemas"][name]["enum"].clone();
    let categories = Wdl::ALL.map(Wdl::name).into_iter().chain([UNKNOWN]);
    assert_eq!(words("Category"), json!(categories.collect::<Vec<_>>()));
    assert_eq!(words("Side"), json!(Colour::BOTH.map(Colour::name)));
    let by = [WinBy::Mate, WinBy::Exhaustion];
    assert_eq!(words("WinBy"), json!(by.map(WinBy::name)));
    let winner = Colour::White;
    let ends = [
        End::Checkmate,
        End::Stalemate { winner: None },
        End::Exhaustion,
        End::Blocked,
        End::Extinction { winner },
        End::Bare { winner: None },
        End::Explosion,
        End::Hill,
        End::KingCapture,
        End::KingCaptureDraw,
        End::KingCaptureLoss,
    ];
    assert_eq!(words("End"), json!(ends.map(End::name)));
    let text = document.to_string();
    for code in ["crate::", "[`", "::"] {
        assert!(!text.contains(code), "{code}");
    }
}

/// Answers that lack a table are not kept, because it may be there soon.
#[tokio::test]
async fn answers_that_lack_something_are_not_kept() {
    let application = application();
    for (query, control) in [
        ("8/8/8/3k4/8/8/8/KQ6 w - -", "public, max-age=3600"),
        ("8/8/8/3k4/8/8/8/KQRBN3 w - -", "no-cache"),
        // A capture leads to tables, all else does not.
        ("8/8/8/3k4/8/8/3r4/KQRBN3 b - -", "no-cache"),
    ] {
        for path in ["/api/orthodox", "/api/orthodox/line", "/standard"] {
            let uri = format!("{path}?fen={}", query.replace(' ', "_"));
            let got = get(&application, &uri).await;
            assert_eq!(got.header("cache-control"), control, "{uri}");
        }
    }
}

/// People get a page, programs that ask for JSON the description.
#[tokio::test]
async fn the_list_of_routes_suits_who_asks() {
    let application = application();
    let slash = get(&application, "/api/").await;
    assert_eq!(slash.body, get(&application, "/api").await.body);
    let asks = async |accept: &str| {
        let request = Request::get("/api").header("accept", accept);
        ask(&application, request.body(Body::empty()).unwrap()).await
    };
    let got = asks("text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8").await;
    assert_eq!(got.header("content-type"), "text/html; charset=utf-8");
    assert!(
        got.header("vary").contains("accept"),
        "{}",
        got.header("vary")
    );
    let described = get(&application, "/api/openapi.json").await;
    for accept in ["*/*", "application/json"] {
        assert_eq!(asks(accept).await.json(), described.json());
    }
}

#[tokio::test]
async fn no_folder_is_no_table() {
    let limits = Limits::default();
    let application = application_with(&["/nonexistent".into()], limits);
    let answer = get(&application, &format!("/api/orthodox?fen={KQVK}"))
        .await
        .json();
    assert_eq!(answer["category"], "unknown");
    assert!(!answer.to_string().contains("nonexistent"));
}

/// Parameters that nothing is known of are refused everywhere.
#[tokio::test]
async fn unknown_parameters_are_refused() {
    let application = application();
    let fen = "fen=8/8/8/3k4/8/8/8/KQ6_w_-_-";
    for (uri, known) in [
        (&*format!("/api/orthodox?{fen}&"), "`moves`"),
        (&format!("/api/orthodox/line?{fen}&"), "`format`"),
        (&format!("/api/orthodox/play?{fen}&"), "`moves`"),
        ("/api/orthodox/random?material=KQvK&", "`category`"),
        ("/api/orthodox/stats/KQvK?", ""),
        ("/api/orthodox/endings?", ""),
        ("/api/games?", "nor any other"),
        ("/api/games/orthodox?", ""),
    ] {
        for unknown in ["mvoes=false", "Moves=false", "fe%6e%20=8", "x", "moves[]=1"] {
            let got = get(&application, &format!("{uri}{unknown}")).await;
            let detail = got.expect_problem(400, "bad-request");
            assert!(
                detail.contains("there is no parameter"),
                "{uri}{unknown}: {detail}"
            );
            assert!(detail.contains(known), "{uri}{unknown}: {detail}");
        }
        let got = get(&application, uri.trim_end_matches(['&', '?'])).await;
        assert_eq!(got.status, 200, "{uri}");
    }
    for uri in ["/standard", "/standard/mainline"] {
        let got = get(&application, &format!("{uri}?{fen}&variant=atomic")).await;
        assert_eq!(got.status, 400);
        assert!(
            got.text().contains("there is no parameter `variant`"),
            "{}",
            got.text()
        );
    }
    let batch = Request::post("/api/orthodox/batch?move=true").body(Body::from("8"));
    let got = ask(&application, batch.unwrap()).await;
    got.expect_problem(400, "bad-request");
}
