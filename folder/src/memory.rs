//! Measures free memory and address space, and writes byte counts as text.

/// The bytes of memory available without swapping, within the limit of the address space
/// (`ulimit -v`); [`u64::MAX`] if the system does not tell.
pub fn free_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    // Where the system does not tell how much there is, sysinfo refuses to look for limits.
    let group = match system.total_memory() {
        0 => None,
        _ => system.cgroup_limits(),
    };
    let group = group.map(|limits| (limits.total_memory, limits.rss));
    within_group(system.available_memory(), group).min(address_space_left())
}

/// The memory that the system calls available, 0 if it does not tell, within a control
/// group, which may allow less than the machine has. Of the `limit` of the group only
/// the memory that its processes take is subtracted: cached files give way when
/// needed.
fn within_group(available: u64, group: Option<(u64, u64)>) -> u64 {
    let available = match available {
        0 => u64::MAX,
        bytes => bytes,
    };
    let left = group.map(|(limit, taken)| limit.saturating_sub(taken));
    available.min(left.unwrap_or(u64::MAX))
}

/// The number of bytes of addresses that the process may still take, for memory and for files that
/// it maps (`ulimit -v`); [`u64::MAX`] without a limit.
#[cfg(unix)]
pub fn address_space_left() -> u64 {
    match rlimit::Resource::AS.get_soft() {
        Ok(limit) if limit != rlimit::INFINITY => limit.saturating_sub(address_space_used()),
        _ => u64::MAX,
    }
}

/// The number of bytes of addresses without such a limit: [`u64::MAX`].
#[cfg(not(unix))]
pub fn address_space_left() -> u64 {
    u64::MAX
}

/// The number of bytes of addresses that the process has taken; 0 if the system does not tell.
#[cfg(unix)]
fn address_space_used() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kilobytes = size.and_then(|size| size.trim().trim_end_matches(" kB").parse().ok());
    kilobytes.unwrap_or(0_u64).saturating_mul(1024)
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
    fn an_exhausted_group_leaves_nothing() {
        assert_eq!(within_group(800, Some((500, 500))), 0);
        assert_eq!(within_group(800, Some((500, 501))), 0);
        assert_eq!(within_group(800, Some((500, 100))), 400);
        assert_eq!(within_group(300, Some((500, 100))), 300);
        assert_eq!(within_group(0, Some((500, 100))), 400);
        assert_eq!(within_group(800, None), 800);
        assert_eq!(within_group(0, None), u64::MAX);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn addresses_are_counted() {
        let used = address_space_used();
        assert!((1 << 20..1 << 40).contains(&used), "{used}");
    }

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
