//! All processes that a command has started: their number, and the memory that they take together.
//!
//! The kernel's own limits count each process for itself, and don't hold for root. This file counts all together.

/// The present size of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) processes: usize,
    pub(super) memory_bytes: u64,
}

/// Measures all descendants of `root`. Orphans within the sandbox descend from its first process.
#[cfg(target_os = "linux")]
pub(super) fn size(root: u32) -> Size {
    use std::collections::HashMap;
    let mut children: HashMap<u32, Vec<(u32, u64)>> = HashMap::new();
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Size::default();
    };
    for entry in entries.flatten() {
        let Some(id) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse::<u32>().ok())
        else {
            continue;
        };
        let Ok(told) = std::fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        // The process name stands in brackets, and may hold any character.
        let Some((_, rest)) = told.rsplit_once(") ") else {
            continue;
        };
        let mut fields = rest.split(' ');
        let parent = fields
            .nth(1)
            .and_then(|field| field.parse().ok())
            .unwrap_or_default();
        let pages: u64 = fields
            .nth(19)
            .and_then(|field| field.parse().ok())
            .unwrap_or_default();
        children.entry(parent).or_default().push((id, pages));
    }
    let mut size = Size::default();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        for (child, pages) in children.remove(&id).unwrap_or_default() {
            size.processes += 1;
            size.memory_bytes += pages * PAGE_BYTES;
            open.push(child);
        }
    }
    size
}

/// Processes and threads of the whole system: one read tells it, while counting a command's takes milliseconds.
#[cfg(target_os = "linux")]
pub(super) fn crowd() -> usize {
    let told = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let all = told.split(' ').nth(3).and_then(|field| field.split_once('/'));
    all.and_then(|(_, all)| all.parse().ok()).unwrap_or_default()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn crowd() -> usize {
    0
}

/// The page size in bytes that is assumed. Where pages are larger, a command may take more than its limit says.
#[cfg(target_os = "linux")]
const PAGE_BYTES: u64 = 4_096;

#[cfg(not(target_os = "linux"))]
pub(super) fn size(_root: u32) -> Size {
    Size::default()
}
