//! Packing anew where not all is well.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::common::{copies, run, running};

const ALL: [&str; 3] = ["KQvK.dtm", "KQvK.dtz", "KQvK.wdl"];

fn damage(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(file, bytes).unwrap();
}

/// A damaged file is not kept, even if it is packed as it should be.
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

/// A process that waits for another one says so, and can be stopped; what that process has done is
/// not done again.
#[test]
fn waiting_for_another_process() {
    let folder = copies(&ALL);
    let path = folder.path().to_str().unwrap();
    let command = ["repack", "orthodox", "KQvK", "--pack", "small", "--tables"];
    let lock = folder.path().join("orthodox/.KQvK.lock");
    for interrupt in [true, false] {
        let held = fs::File::create(&lock).unwrap();
        held.lock().unwrap();
        let mut child = running().args(command).arg(path).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert_eq!(
            line,
            "KQvK is being made by another process; waiting for it\n"
        );
        if interrupt {
            crate::common::interrupt(&child);
        } else {
            // What the other process does.
            let other = copies(&ALL);
            let there = other.path().to_str().unwrap();
            assert_eq!(run(&[&command[..], &[there]].concat()).code, 0);
            for name in ALL {
                let name = Path::new("orthodox").join(name);
                fs::copy(other.path().join(&name), folder.path().join(&name)).unwrap();
            }
            drop(held);
        }
        let mut rest = String::new();
        stderr.read_to_string(&mut rest).unwrap();
        let code = if interrupt { 75 } else { 0 };
        assert_eq!(child.wait().unwrap().code(), Some(code), "{rest}");
        assert_eq!(rest.contains(" kept, "), !interrupt, "{rest}");
        assert!(!rest.contains("packed, "), "{rest}");
    }
    assert!(!lock.exists());
}
