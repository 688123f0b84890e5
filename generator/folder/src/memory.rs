//! How much memory there is.

/// Bytes of memory that can be had without swapping; no limit where the
/// system does not tell.
pub fn free_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    // A control group may allow less than the machine has. What it counts as
    // used includes files that are kept in memory while nobody needs it, so
    // only what processes hold is subtracted.
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| {
        limits.total_memory.saturating_sub(limits.rss)
    });
    match system.available_memory().min(group) {
        0 => u64::MAX,
        bytes => bytes,
    }
}
