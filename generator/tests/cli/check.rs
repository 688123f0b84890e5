//! What `check` finds where it is told to look.

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
