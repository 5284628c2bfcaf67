//! Memory and cores of this computer, as far as the system tells.

use crate::plan::Machine;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Measures it now.
pub fn measure() -> Machine {
    Machine {
        memory_free: memory_free(),
        cores: cores(),
    }
}

/// The memory that is free, or as much as a container may take of it.
fn memory_free() -> Option<u64> {
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    let free = available(&told)?;
    Some(in_group().map_or(free, |rest| rest.min(free)))
}

/// Bytes of `MemAvailable`.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1_024)
}

/// What is left of the limit of this control group, where it has one.
fn in_group() -> Option<u64> {
    let number = |name: &str| {
        let text = fs::read_to_string(Path::new("/sys/fs/cgroup").join(name)).ok()?;
        text.trim().parse::<u64>().ok()
    };
    number("memory.max")?.checked_sub(number("memory.current")?)
}

/// Cores, each counted once: the threads of one core compute no faster than the core.
fn cores() -> u32 {
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let all = u32::try_from(all).unwrap_or(1);
    let Ok(listed) = fs::read_dir("/sys/devices/system/cpu") else {
        return all;
    };
    let siblings = listed
        .flatten()
        .filter_map(|entry| fs::read_to_string(entry.path().join("topology/thread_siblings_list")).ok());
    let cores: BTreeSet<String> = siblings.collect();
    match u32::try_from(cores.len()) {
        Ok(0) | Err(_) => all,
        Ok(cores) => cores.min(all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_read_as_the_kernel_writes_it() {
        let told = "MemTotal:       24684356 kB\nMemFree:         1 kB\nMemAvailable:   23605032 kB\n";
        assert_eq!(available(told), Some(23_605_032 * 1_024));
        assert_eq!(available("MemTotal: 1 kB\n"), None);
        assert_eq!(available("MemAvailable: many kB\n"), None);
    }

    #[test]
    fn this_computer_has_a_core() {
        assert!(measure().cores >= 1);
    }
}
