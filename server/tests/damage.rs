//! Tables that change while they are served.

use std::fs;

use retrograde_server::Limits;

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
