//! Packing anew where not all is well.

use std::fs;
use std::path::Path;

use crate::common::{copies, run};

const ALL: [&str; 3] = ["KQvK.dtm", "KQvK.dtz", "KQvK.wdl"];

fn damage(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(file, bytes).unwrap();
}

/// That a file is packed as it should be is no reason to keep it if it is damaged.
#[test]
fn damaged_files_are_not_kept() {
    let (sound, damaged) = (copies(&ALL), copies(&ALL));
    let file = damaged.path().join("orthodox/KQvK.dtm");
    damage(&file);
    let (sound, folder) = (sound.path(), damaged.path().to_str().unwrap());
    let command = ["repack", "orthodox", "KQvK", "--pack", "fast"];
    for folders in [
        &["--tables", folder][..],
        &["--tables", sound.to_str().unwrap(), "--out", folder],
    ] {
        let ran = run(&[&command[..], folders].concat());
        assert_eq!(ran.code, 4, "{}", ran.stderr);
        let text = format!("error: {}: block ", file.display());
        assert!(ran.stderr.contains(&text), "{}", ran.stderr);
        let advice = "make it again with: retrograde generate orthodox KQvK --tables";
        assert!(ran.stderr.contains(advice), "{}", ran.stderr);
        assert!(!ran.stderr.contains("KQvK.dtm kept"), "{}", ran.stderr);
    }
    assert_eq!(
        run(&["generate", "orthodox", "KQvK", "--tables", folder]).code,
        0
    );
    assert_eq!(run(&[&command[..], &["--tables", folder]].concat()).code, 0);
    assert_eq!(run(&["check", folder]).code, 0);
}
