//! Exports Retrograde's tablebases as a C library, for C and every language that can call C.
//!
//! `include/retrograde.h` is made from this by cbindgen.
//!
//! Every function that can fail returns a [`RetrogradeStatus`]; what went wrong is
//! said in words by [`retrograde_last_error`]. No panic crosses into C. A tablebase
//! may be used by any number of threads at once.

mod answer;
mod board;
mod error;
mod handle;
mod play;
mod root;

pub use answer::{
    RETROGRADE_MOST_THRESHOLDS, RETROGRADE_MOST_VITALITY, RETROGRADE_UNKNOWN, RetrogradeAnswer,
    retrograde_free_string, retrograde_probe_fen, retrograde_probe_json,
};
pub use board::{retrograde_probe_dtm, retrograde_probe_dtz, retrograde_probe_wdl};
pub use error::{
    RetrogradeStatus, retrograde_last_error, retrograde_last_error_kind, retrograde_status_name,
};
pub use handle::{
    RetrogradeTablebase, retrograde_close, retrograde_largest, retrograde_open,
    retrograde_set_memory_limit, retrograde_tables, retrograde_version,
};
pub use play::{retrograde_legal_moves, retrograde_play};
pub use root::{
    RETROGRADE_MOST_MOVES, RETROGRADE_RANK_WIN, RetrogradeRoot, RetrogradeRootMove,
    retrograde_probe_root,
};
