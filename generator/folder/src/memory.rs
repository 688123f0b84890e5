//! How much memory is free.

/// The bytes of memory available without swapping; [`u64::MAX`] if the system does
/// not tell.
pub fn free_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    // A control group may allow less than the machine has. Its usage includes
    // cached files, which give way when needed, so only the memory of processes
    // is subtracted.
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| {
        limits.total_memory.saturating_sub(limits.rss)
    });
    match system.available_memory().min(group) {
        0 => u64::MAX,
        bytes => bytes,
    }
}
