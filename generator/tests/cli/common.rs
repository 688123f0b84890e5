//! Running the program.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;

use assert_cmd::Command;

/// A position of KQvK.
pub(crate) const FEN: &str = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";

/// The program, in an empty folder and without settings of its own.
pub(crate) fn retrograde() -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("retrograde");
    command.env_remove("RETROGRADE_TABLES");
    command.env_remove("RETROGRADE_GAMES");
    command.env("XDG_STATE_HOME", state());
    command.current_dir(scratch("empty"));
    command
}

/// The program in such a folder, for talking to it while it runs.
pub(crate) fn running() -> std::process::Command {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("retrograde"));
    command
        .env_remove("RETROGRADE_TABLES")
        .env_remove("RETROGRADE_GAMES")
        .env("XDG_STATE_HOME", state())
        .current_dir(scratch("empty"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Presses Ctrl-C.
#[cfg(unix)]
#[track_caller]
pub(crate) fn interrupt(child: &std::process::Child) {
    let signalled = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(signalled.unwrap().success());
}

/// The folder where the program keeps what it remembers for the user.
pub(crate) fn state() -> PathBuf {
    scratch("state")
}

/// A folder of this name, for tests only.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("cli")
        .join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A folder with the tables of three pieces.
pub(crate) fn tables() -> &'static Path {
    static TABLES: OnceLock<PathBuf> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = scratch("tables");
        let made = run(&[
            "generate",
            "orthodox",
            "--men",
            "3",
            "--force",
            "--out",
            folder.to_str().unwrap(),
        ]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        folder
    })
}

/// A folder with the tables that ship and no others: beside them may lie what somebody
/// has made.
pub(crate) fn shipped() -> &'static Path {
    static SHIPPED: OnceLock<PathBuf> = OnceLock::new();
    SHIPPED.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
        let folder = scratch("shipped");
        std::fs::remove_dir_all(&folder).unwrap();
        let list = include_str!("../../../tables/SHA256SUMS");
        for name in list
            .lines()
            .filter_map(|line| line.split_whitespace().nth(1))
        {
            let file = folder.join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::copy(source.join(name), file).unwrap();
        }
        folder
    })
}

/// A copy of some files of [`tables`] in a temporary folder.
pub(crate) fn copies(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("orthodox")).unwrap();
    for name in names {
        let name = Path::new("orthodox").join(name);
        std::fs::copy(tables().join(&name), folder.path().join(&name)).unwrap();
    }
    folder
}

/// The end of a run: exit code and output.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.stdout))
    }

    pub(crate) fn lines(&self) -> Vec<&str> {
        self.stdout.lines().collect()
    }
}

/// Runs the program to its end.
pub(crate) fn run(args: &[&str]) -> Ran {
    run_with(args, "")
}

/// Runs the program on some input.
pub(crate) fn run_with(args: &[&str], stdin: impl Into<Vec<u8>>) -> Ran {
    let output = retrograde().args(args).write_stdin(stdin).output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the program with the tables of three pieces.
pub(crate) fn run_there(args: &[&str]) -> Ran {
    let mut all = args.to_vec();
    all.extend(["--tables", tables().to_str().unwrap()]);
    run(&all)
}

/// Runs the program, which must fail like this, with nothing on stdout.
#[track_caller]
pub(crate) fn fails(args: &[&str], code: i32, message: &str) {
    let ran = run(args);
    assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
    assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{args:?}");
}

/// Runs the program with nothing on stdin, and with at most so many KiB of addresses.
#[cfg(unix)]
pub(crate) fn limited(kib: u32, args: &[&str]) -> std::process::Output {
    std::process::Command::new("sh")
        .args([
            "-c",
            "ulimit -c 0; ulimit -v $0; exec \"$@\"",
            &kib.to_string(),
        ])
        .arg(assert_cmd::cargo::cargo_bin!("retrograde"))
        .args(args)
        .env_remove("RETROGRADE_TABLES")
        .env_remove("RETROGRADE_GAMES")
        .env("XDG_STATE_HOME", state())
        .current_dir(scratch("empty"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}
