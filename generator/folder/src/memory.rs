//! How much memory is free, and sizes in words.

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

/// A number of bytes: `380 MiB`, `1.4 GiB`.
pub fn bytes(count: u64) -> String {
    let mut size = count as f64;
    let mut unit = "B";
    for next in ["KiB", "MiB", "GiB", "TiB", "PiB"] {
        if size < 1024.0 {
            break;
        }
        size /= 1024.0;
        unit = next;
    }
    if unit == "B" || size >= 99.95 {
        format!("{size:.0} {unit}")
    } else {
        format!("{size:.1} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_for_people() {
        for (number, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (398_458_880, "380 MiB"),
            (3 << 29, "1.5 GiB"),
            (5 << 49, "2.5 PiB"),
        ] {
            assert_eq!(bytes(number), text);
        }
    }
}
