//! The command line as other programs see it: output, messages, exit codes.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

#[path = "cli/answers.rs"]
mod answers;
#[path = "cli/batch.rs"]
mod batch;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/claims.rs"]
mod claims;
#[path = "cli/common.rs"]
mod common;
#[path = "cli/dialogue.rs"]
mod dialogue;
#[cfg(unix)]
#[path = "cli/disk.rs"]
mod disk;
#[path = "cli/examples.rs"]
mod examples;
#[path = "cli/export.rs"]
mod export;
#[path = "cli/files.rs"]
mod files;
#[cfg(unix)]
#[path = "cli/guide.rs"]
mod guide;
#[path = "cli/import.rs"]
mod import;
#[cfg(unix)]
#[path = "cli/leftovers.rs"]
mod leftovers;
#[path = "cli/making.rs"]
mod making;
#[path = "cli/objects.rs"]
mod objects;
#[path = "cli/plans.rs"]
mod plans;
#[cfg(unix)]
#[path = "cli/repack.rs"]
mod repack;
#[path = "cli/replay.rs"]
mod replay;
#[path = "cli/royals.rs"]
mod royals;
#[path = "cli/search.rs"]
mod search;
#[path = "cli/tables.rs"]
mod tables;
#[path = "cli/uci.rs"]
mod uci;
#[path = "cli/uci_tables.rs"]
mod uci_tables;
#[path = "cli/usage.rs"]
mod usage;
#[cfg(unix)]
#[path = "cli/verify.rs"]
mod verify;
#[path = "cli/xboard.rs"]
mod xboard;
