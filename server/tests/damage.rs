//! Tests tables that change or are damaged while they are served.

use std::fs;

use retrograde_probe::Table;
use retrograde_probe::index::Index;
use retrograde_rules::{Game, Material};
use retrograde_server::Limits;
use xxhash_rust::xxh3::xxh3_64;

use crate::common::{application_with, get, shipped};

const KQVK: &str = "/api/orthodox?moves=false&fen=8/8/8/3k4/8/8/8/KQ6 w - -";
const KRVK: &str = "/api/orthodox?moves=false&fen=8/8/8/3k4/8/8/8/KR6 w - -";

/// A folder with the tables of two materials.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("orthodox")).unwrap();
    for name in ["KQvK", "KRvK"] {
        for metric in ["wdl", "dtm", "dtz"] {
            let file = format!("orthodox/{name}.{metric}");
            fs::copy(shipped().join(&file), folder.path().join(&file)).unwrap();
        }
    }
    folder
}

#[tokio::test]
async fn damage_is_a_problem_of_one_table() {
    let folder = folder();
    let application = application_with(&[folder.path().to_owned()], Limits::default());
    // The table is open, and its blocks have been read.
    assert_eq!(get(&application, KRVK).await.json()["category"], "win");
    let path = folder.path().join("orthodox/KQvK.dtm");
    let mut bytes = fs::read(&path).unwrap();
    bytes.iter_mut().for_each(|byte| *byte ^= 0xFF);
    fs::write(&path, bytes).unwrap();
    let got = get(&application, KQVK).await;
    let detail = got.expect_problem(500, "corrupt-table");
    assert!(detail.contains("KQvK.dtm"), "{detail}");
    assert!(
        !got.text().contains(folder.path().to_str().unwrap()),
        "{}",
        got.text()
    );
    assert_eq!(get(&application, KRVK).await.json()["category"], "win");
    let got = get(&application, "/api/orthodox/stats/KQvK").await;
    got.expect_problem(500, "corrupt-table");
    let got = get(&application, "/standard?fen=8/8/8/3k4/8/8/8/KQ6").await;
    assert_eq!(got.status, 500);
    assert!(got.header("content-type").starts_with("text/plain"));
    assert_eq!(
        get(&application, "/standard?fen=8/8/8/3k4/8/8/8/KR6")
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn a_table_cut_off_while_it_is_open_is_a_problem() {
    let folder = folder();
    let application = application_with(&[folder.path().to_owned()], Limits::default());
    let other = "/api/orthodox?moves=false&fen=8/8/8/3k4/8/8/8/KR6 b - -";
    let (before, after) = ("win", "loss");
    assert_eq!(get(&application, KRVK).await.json()["category"], before);
    for metric in ["wdl", "dtm", "dtz"] {
        let path = folder.path().join(format!("orthodox/KRvK.{metric}"));
        fs::OpenOptions::new()
            .write(true)
            .open(path)
            .unwrap()
            .set_len(100)
            .unwrap();
    }
    // What threads have unpacked they may still know; nothing else is answered.
    for (uri, category) in [(KRVK, before), (other, after)] {
        let got = get(&application, uri).await;
        match got.status.as_u16() {
            200 => assert_eq!(got.json()["category"], category, "{}", got.text()),
            status => assert_eq!(status, 500, "{}", got.text()),
        }
    }
    assert_eq!(get(&application, KQVK).await.json()["category"], "win");
}

/// A sound table of seven men in 168 bytes, all of whose values are the same.
fn constant(name: &str) -> Vec<u8> {
    let game = Game::default();
    let material = Material::parse(game, name).unwrap();
    let index = Index::new(game, &material).unwrap();
    let order: String = index.order().map(|piece| piece.letter()).collect();
    let mut file = b"\x89RTB\r\n\x1a\n\x02\0\0\0".to_vec();
    let section = |turn: u8| {
        let mut section = vec![turn, 0, 0, 0];
        section.extend([0, 0, 1].map(u32::to_le_bytes).concat());
        section.resize(24, 0);
        section
    };
    let mut rest = index.len().to_le_bytes().to_vec();
    rest.extend(game.revision().to_le_bytes());
    rest.extend([1, 0, 0, 2, material.len() as u8, 8, 8, 2, 0, 1, 6, 1, 6, 0]);
    rest.extend((index.pairs().len() as u32).to_le_bytes());
    rest.extend([0; 4]);
    for text in ["orthodox", "KQRBNP", name, &order] {
        rest.push(text.len() as u8);
        rest.extend(text.bytes());
    }
    rest.resize((rest.len() + 24).next_multiple_of(8) - 24, 0);
    rest.extend([7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    rest.extend([section(0), section(1)].concat());
    let table_at = (24 + rest.len()) as u32;
    file.extend(table_at.to_le_bytes());
    file.extend(u64::from(table_at + 16).to_le_bytes());
    file.extend(rest);
    for _ in 0..2 {
        file.extend(xxh3_64(&file).to_le_bytes());
    }
    file
}

/// The memory of a request is bounded, whatever tables say.
#[tokio::test]
async fn what_takes_too_much_memory_is_not_counted() {
    let folder = folder();
    let path = folder.path().join("orthodox/KQRBNvKQ.wdl");
    fs::write(&path, constant("KQRBNvKQ")).unwrap();
    assert!(fs::metadata(&path).unwrap().len() < 200);
    assert!(Table::open(&path).unwrap().check().is_sound());
    let application = application_with(&[folder.path().to_owned()], Limits::default());
    let got = get(&application, "/api/orthodox/stats/KQRBNvKQ").await;
    let detail = got.expect_problem(503, "unsupported");
    assert!(detail.contains("retrograde stats"), "{detail}");
    // What is small is counted, if its files keep nothing.
    let path = folder.path().join("orthodox/KRBvK.wdl");
    fs::write(&path, constant("KRBvK")).unwrap();
    let application = application_with(&[folder.path().to_owned()], Limits::default());
    let got = get(&application, "/api/orthodox/stats/KRBvK").await;
    assert_eq!(got.json()["win"]["white"], 0, "{}", got.text());
}
