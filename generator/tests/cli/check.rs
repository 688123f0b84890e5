//! Tests of `check`: what it finds where it is told to look.

use crate::common::{copies, fails, run};

#[test]
fn a_folder_without_tables() {
    let empty = copies(&[]);
    let empty = empty.path().to_str().unwrap();
    let told = format!("no tables to check in {empty}; name files, or folders of tables\n");
    fails(&["check", empty], 3, &told);
    // What is there beside it is checked.
    let folder = copies(&["KQvK.wdl"]);
    let file = folder.path().join("orthodox/KQvK.wdl");
    let ran = run(&["check", empty, file.to_str().unwrap()]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    assert!(ran.stdout.contains("KQvK.wdl: sound: "), "{}", ran.stdout);
}

/// Commands find tables by their names alone.
#[test]
fn a_name_that_no_command_reads() {
    let folder = copies(&["KQvK.dtm"]);
    let game = folder.path().join("orthodox");
    for name in ["KXvK", "KvKQ", "KQK", "old", "KRvK"] {
        std::fs::copy(game.join("KQvK.dtm"), game.join(name).with_extension("dtm")).unwrap();
    }
    let ran = run(&["check", folder.path().to_str().unwrap()]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    for name in ["KXvK", "KvKQ", "KQK", "old", "KRvK"] {
        let told = format!("{name}.dtm: bad: the table is for KQvK, not for {name}\n");
        assert!(ran.stdout.contains(&told), "{told}{}", ran.stdout);
    }
    assert!(ran.stdout.contains("KQvK.dtm: sound: "), "{}", ran.stdout);
    let away = "move away what is not the table that its name says: ";
    assert!(ran.stderr.contains(away), "{}", ran.stderr);
    // Elsewhere a copy may be called anything.
    let copy = folder.path().join("old.dtm");
    std::fs::copy(game.join("KQvK.dtm"), &copy).unwrap();
    assert_eq!(run(&["check", copy.to_str().unwrap()]).code, 0);
}
