//! The system's account of a process that owns a window.

/// Name of the program's file, if the system lets us read it.
pub fn executable(pid: u32) -> Option<String> {
    let path = std::fs::read_link(format!("/proc/{pid}/exe")).ok()?;
    Some(path.file_name()?.to_string_lossy().into_owned())
}
