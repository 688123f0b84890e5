//! Folders and files that are not what they should be, and a disk that is full.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{copies, running};

const ALL: [&str; 3] = ["KQvK.dtm", "KQvK.dtz", "KQvK.wdl"];

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs the program, which must not wait for anything.
fn soon(args: &[&str], folder: &Path) -> Output {
    let mut child = running()
        .args(args)
        .arg("--tables")
        .arg(folder)
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{args:?} waits");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn pipes_are_not_waited_for() {
    for name in ["progress", ".progress.lock"] {
        let folder = copies(&ALL);
        let notes = tempfile::tempdir().unwrap();
        fifo(&notes.path().join(name));
        let journal = notes.path().join("progress");
        let args = ["verify", "orthodox", "--journal", journal.to_str().unwrap()];
        let ran = soon(&args, folder.path());
        assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
        let text = stderr(&ran);
        assert!(text.contains(name) && text.contains("remove it"), "{text}");
        assert!(
            text.contains("the next will start from the beginning"),
            "{text}"
        );
    }
    let folder = copies(&ALL);
    fifo(&folder.path().join("orthodox/.KQvK.lock"));
    let ran = soon(&["generate", "orthodox", "KQvK", "--force"], folder.path());
    assert_eq!(ran.status.code(), Some(5), "{}", stderr(&ran));
    assert!(stderr(&ran).contains(".KQvK.lock"), "{}", stderr(&ran));
    // A file that is a table.
    let depth = folder.path().join("orthodox/KQvK.dtm");
    fs::remove_file(&depth).unwrap();
    fifo(&depth);
    for args in [&["check"][..], &["stats", "orthodox", "KQvK"], &["tables"]] {
        let code = if args == ["tables"] { 0 } else { 5 };
        let ran = soon(args, folder.path());
        assert_eq!(ran.status.code(), Some(code));
        let told = code == 0 || stderr(&ran).contains("move");
        assert!(told, "{args:?}: {}", stderr(&ran));
        assert!(!stderr(&ran).contains("readable"), "{}", stderr(&ran));
    }
}

#[test]
fn links_are_not_followed() {
    for (name, args, code) in [
        (
            ".KQvK.lock",
            &["generate", "orthodox", "KQvK", "--force"][..],
            5,
        ),
        (".progress.lock", &["verify", "orthodox"], 0),
        ("progress", &["verify", "orthodox"], 0),
    ] {
        let folder = copies(&ALL);
        let elsewhere = folder.path().join("elsewhere");
        let notes = folder.path().with_added_extension("notes");
        let journal = notes.join("progress");
        let mut args = args.to_vec();
        let mut place = folder.path().join("orthodox");
        if args[0] == "verify" {
            fs::create_dir(&notes).unwrap();
            args.extend(["--journal", journal.to_str().unwrap()]);
            place = notes.clone();
        }
        symlink(&elsewhere, place.join(name)).unwrap();
        let ran = soon(&args, folder.path());
        let _ = fs::remove_dir_all(&notes);
        assert_eq!(ran.status.code(), Some(code), "{}", stderr(&ran));
        assert!(stderr(&ran).contains("remove it"), "{}", stderr(&ran));
        assert!(!elsewhere.exists(), "{name}");
    }
}

/// Links that lead nowhere are told of, whether they were to lead to a table, to the folder
/// of a game or to a table folder; following the advice helps.
#[test]
fn links_that_lead_nowhere() {
    let folder = copies(&["KQvK.dtm"]);
    let game = folder.path().join("orthodox");
    symlink("nowhere", game.join("KQvK.wdl")).unwrap();
    symlink("KQvK.dtz", game.join("KQvK.dtz")).unwrap();
    symlink("nowhere", folder.path().join("high-chess")).unwrap();
    for name in [".hidden", "notes.txt", "orthodox/readme"] {
        symlink("nowhere", folder.path().join(name)).unwrap();
    }
    let ran = soon(&["check"], folder.path());
    let stdout = String::from_utf8(ran.stdout.clone()).unwrap();
    assert_eq!(ran.status.code(), Some(5), "{stdout}");
    for name in ["orthodox/KQvK.wdl", "orthodox/KQvK.dtz", "high-chess"] {
        let words = format!("{name}: a link that leads nowhere\n");
        assert!(stdout.contains(&words), "{name}: {stdout}");
    }
    assert!(stdout.contains("KQvK.dtm: sound"), "{stdout}");
    assert_eq!(stdout.lines().count(), 4, "{stdout}");
    let text = stderr(&ran);
    assert!(text.contains("3 of 4 files cannot be read"), "{text}");
    let advice = "remove links that lead nowhere, or bring back what they lead to: ";
    assert!(text.contains(advice), "{text}");
    assert!(
        text.contains("retrograde generate orthodox KQvK --tables"),
        "{text}"
    );
    let fen = "8/8/8/3k4/8/8/8/KQ6 w - -";
    let probed = soon(&["probe", "orthodox", fen], folder.path());
    assert_eq!(probed.status.code(), Some(5), "{}", stderr(&probed));
    let advice = "remove the file if it is a link that leads nowhere";
    assert!(stderr(&probed).contains(advice), "{}", stderr(&probed));
    for link in ["orthodox/KQvK.wdl", "orthodox/KQvK.dtz", "high-chess"] {
        fs::remove_file(folder.path().join(link)).unwrap();
    }
    let made = soon(&["generate", "orthodox", "KQvK"], folder.path());
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    assert_eq!(soon(&["check"], folder.path()).status.code(), Some(0));
    let link = folder.path().join("link");
    symlink("nowhere", &link).unwrap();
    let ran = soon(&["check"], &link);
    assert_eq!(ran.status.code(), Some(5), "{}", stderr(&ran));
}

/// An unreadable file, and an unreadable folder; root reads everything.
#[test]
fn what_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;

    for name in ["orthodox/KQvK.dtm", "orthodox", ""] {
        let folder = copies(&["KQvK.dtm"]);
        let path = folder.path().join(name);
        let allow = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        allow(0o000);
        if fs::File::open(&path).is_ok() {
            return;
        }
        let ran = soon(&["check"], folder.path());
        allow(0o700);
        assert_eq!(ran.status.code(), Some(5), "{}", stderr(&ran));
        let stdout = String::from_utf8(ran.stdout.clone()).unwrap();
        assert!(
            stdout.contains("cannot be read: Permission denied"),
            "{stdout}"
        );
        let advice = "make these readable, or name others: ";
        assert!(stderr(&ran).contains(advice), "{}", stderr(&ran));
    }
}

/// A folder whose files may be listed, but not looked at. Root, who may, runs the program as
/// somebody else.
#[test]
fn what_may_only_be_listed() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    let somebody = 65_534;
    for name in ["orthodox", "."] {
        let folder = copies(&["KQvK.dtm"]);
        let path = folder.path().join(name);
        let allow = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        allow(folder.path(), 0o755);
        allow(&path, 0o644);
        let mut command = running();
        command.args(["tables", "--tables"]).arg(folder.path());
        if folder.path().metadata().unwrap().uid() == 0 {
            command.uid(somebody).gid(somebody);
        }
        let ran = command.output();
        allow(&path, 0o755);
        // The program itself may be where only root has access.
        let Ok(ran) = ran else { return };
        assert_eq!(ran.status.code(), Some(5), "{name}: {}", stderr(&ran));
        let text = stderr(&ran);
        assert!(text.contains("Permission denied"), "{text}");
        assert!(text.contains("name another folder"), "{text}");
        assert!(ran.stdout.is_empty());
    }
}

/// In `/sys` nobody can create files, not even root.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_to() {
    let folder = tempfile::tempdir().unwrap();
    symlink("/sys", folder.path().join("orthodox")).unwrap();
    let ran = soon(&["generate", "orthodox", "KQvK"], folder.path());
    assert_eq!(ran.status.code(), Some(5), "{}", stderr(&ran));
    let text = stderr(&ran);
    assert!(text.contains("could not write to the folder"), "{text}");
    assert!(!text.contains(".lock"), "{text}");
    assert!(text.contains("--out"), "{text}");
}

/// The program under a limit of `ulimit`.
fn limited(limit: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
    command
        .args(["-c", &script])
        .arg(assert_cmd::cargo::cargo_bin!("retrograde"));
    command
}

#[test]
fn files_that_may_not_grow() {
    let folder = tempfile::tempdir().unwrap();
    let ran = limited("-f 1")
        .args(["generate", "orthodox", "KQvK", "--out"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(
        ran.status.code(),
        Some(6),
        "{:?} {}",
        ran.status,
        stderr(&ran)
    );
    assert!(stderr(&ran).contains("make room"), "{}", stderr(&ran));
    let left = fs::read_dir(folder.path().join("orthodox")).unwrap();
    assert_eq!(left.count(), 0);
}

/// A table is truncated while a process has it open.
#[test]
fn tables_that_are_cut_off_under_a_reader() {
    use std::io::{BufRead, BufReader, Write};

    let folder = copies(&ALL);
    let mut child = running()
        .args(["probe", "orthodox", "-", "--json", "--tables"])
        .arg(folder.path())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut ask = |fen: &str| {
        writeln!(stdin, "{fen}").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        serde_json::from_str::<serde_json::Value>(&line).unwrap()
    };
    let white = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
    assert_eq!(ask(white)["depth_plies"], 17);
    for name in ALL {
        let path = folder.path().join("orthodox").join(name);
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_len(500).unwrap();
    }
    let black = ask("8/8/8/3k4/8/8/8/KQ6 b - - 0 1");
    assert_eq!(black["error"]["kind"], "corrupt-table", "{black}");
    let message = black["error"]["message"].as_str().unwrap();
    assert!(message.contains("cut off: 500 of "), "{message}");
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(4));
}

/// A limit of the address space counts as memory that is not there: what does not fit is
/// refused, with nothing made.
#[cfg(target_os = "linux")]
#[test]
fn an_address_space_that_is_too_small() {
    // Slices of KRvKP would fit into memory, but not what is kept of them.
    for (kilobytes, material, memory) in [
        (500_000, "KQRvKR", None),
        (500_000, "KQRvKR", Some("64G")),
        (70_000, "KRvKP", None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let ran = limited(&format!("-v {kilobytes}"))
            .args(["generate", "orthodox", material, "--threads", "2", "--out"])
            .arg(folder.path())
            .args(memory.map_or(Vec::new(), |size| vec!["--memory", size]))
            .output()
            .unwrap();
        let text = stderr(&ran);
        assert_eq!(
            ran.status.code(),
            Some(6),
            "{material}: {:?} {text}",
            ran.status
        );
        assert!(text.contains("is free; retrograde plan says"), "{text}");
        assert!(!folder.path().join("orthodox").exists(), "{text}");
    }
}

/// Where memory runs out in the middle of the work, that is said, and it goes on from there.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_runs_out() {
    for command in [
        &["repack", "orthodox", "--pack", "small"][..],
        &["repack", "orthodox", "--pack", "fast"],
        &["verify", "orthodox"],
        &["export", "orthodox", "KQvK"],
        &["stats", "orthodox", "KQvK", "--recount"],
    ] {
        let folder = copies(&ALL);
        let packs_fast = command.ends_with(&["fast"]);
        if packs_fast {
            let ran = soon(&["repack", "orthodox", "--pack", "small"], folder.path());
            assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
        }
        let mut codes = Vec::new();
        let mut kilobytes = 12_000;
        while codes.last() != Some(&0) {
            let ran = limited(&format!("-v {kilobytes}"))
                .args(command)
                .args(["--threads", "1", "--tables"])
                .arg(folder.path())
                .output()
                .unwrap();
            let text = stderr(&ran);
            let code = ran.status.code();
            // Before it begins the system ends it, or Rust's runtime does; and where a thread
            // begins, the C library may, which no program can prevent.
            let is_by_others = code == Some(127)
                || text.contains("an alternative stack")
                || text.contains("Fatal glibc error");
            if !is_by_others && !ran.stderr.is_empty() && code != Some(0) {
                assert_eq!(code, Some(6), "{command:?}, {kilobytes}: {text}");
                let told = text.contains("--threads");
                assert!(told, "{command:?}, {kilobytes}: {text}");
            }
            codes.push(code.unwrap_or(127));
            // What Zstandard asks for is refused within narrow bounds.
            kilobytes += if packs_fast { 200 } else { 2_000 };
            assert!(kilobytes < 1 << 20, "{command:?}: {text}");
        }
        assert!(codes.contains(&6), "{command:?}: {codes:?}");
        let ran = soon(&["check"], folder.path());
        assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    }
}

/// Where too few files may be open, nothing is wrong with the files.
#[test]
fn files_that_may_not_be_opened() {
    for command in [
        &["repack", "orthodox", "--pack", "small"][..],
        &["verify", "orthodox"],
        &["generate", "orthodox", "KQvK", "--force"],
    ] {
        let mut codes = Vec::new();
        for files in 4..16 {
            let folder = copies(&ALL);
            let ran = limited(&format!("-n {files}"))
                .args(command)
                .arg("--tables")
                .arg(folder.path())
                .output()
                .unwrap();
            let text = stderr(&ran);
            let code = ran.status.code().unwrap();
            // The loader, too, opens files.
            if code == 5 {
                let advice = "; allow more files to be open, as with ulimit -n";
                assert!(text.contains(advice), "{command:?}, {files}: {text}");
            }
            codes.push(code);
        }
        assert!(codes.contains(&5), "{command:?}: {codes:?}");
        assert_eq!(codes.last(), Some(&0), "{command:?}: {codes:?}");
    }
}

/// Each argument has an answer, as each line of stdin has.
#[test]
fn arguments_that_are_no_text_have_an_answer() {
    let folder = copies(&["KQvK.wdl", "KQvK.dtm", "KQvK.dtz"]);
    let ran = running()
        .args(["probe", "orthodox", "--json", "--tables"])
        .arg(folder.path())
        .arg("8/8/8/3k4/8/8/8/KQ6 w - -")
        .arg(OsStr::from_bytes(b"8/8/8/3k4/8/8/8/KQ6 w - \xff"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2), "{}", stderr(&ran));
    let stdout = String::from_utf8(ran.stdout).unwrap();
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{stdout}");
    assert!(lines[0].contains("\"category\":\"win\""), "{stdout}");
    assert!(lines[1].contains("\"kind\":\"bad-fen\""), "{stdout}");
}
