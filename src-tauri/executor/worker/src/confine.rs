//! The walls: whatever the interpreter may be talked into, the process can reach nothing.
//!
//! Applied once, before the first program, and never lifted. What a system does not offer is named in
//! [`Confinement::missing`], never passed over in silence.

#[cfg(target_os = "linux")]
mod linux;

use shidi_executor_proto::Confinement;

/// Memory for the worker itself and for work between the interpreter's own checks, above the program's limit.
/// With less than 64 MB the kernel refuses memory before the interpreter can say so in Python's words.
#[cfg(unix)]
const OWN_MEMORY_BYTES: u64 = 96 << 20;

/// Raises all walls that this system has. `start` is done at the last moment at which a thread can be started, which
/// then stands behind the same walls.
///
/// # Errors
/// When a wall that this system has cannot be raised: the worker must then not run anything.
#[cfg(target_os = "linux")]
pub fn confine<R>(
    memory_limit_bytes: u64,
    start: impl FnOnce() -> std::io::Result<R>,
) -> Result<(R, Confinement), String> {
    linux::confine(memory_limit_bytes.saturating_add(OWN_MEMORY_BYTES), start)
}

/// Raises all walls that this system has: limits only. The interpreter alone keeps programs from files and network.
///
/// # Errors
/// When a limit cannot be set: the worker must then not run anything.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn confine<R>(
    memory_limit_bytes: u64,
    start: impl FnOnce() -> std::io::Result<R>,
) -> Result<(R, Confinement), String> {
    let started = start().map_err(|error| error.to_string())?;
    let bytes = memory_limit_bytes.saturating_add(OWN_MEMORY_BYTES);
    for (name, limit, value) in [
        ("RLIMIT_DATA", libc::RLIMIT_DATA, bytes),
        ("RLIMIT_CORE", libc::RLIMIT_CORE, 0),
        ("RLIMIT_NPROC", libc::RLIMIT_NPROC, 0),
    ] {
        let limits = libc::rlimit {
            rlim_cur: value,
            rlim_max: value,
        };
        // SAFETY: `limits` lives through the call, which only reads it.
        if unsafe { libc::setrlimit(limit, &raw const limits) } != 0 {
            return Err(format!("{name}: {}", std::io::Error::last_os_error()));
        }
    }
    let confinement = Confinement {
        walls: vec!["rlimits".to_owned()],
        missing: vec!["system sandbox: none is implemented for this system".to_owned()],
    };
    Ok((started, confinement))
}

/// Raises nothing: the interpreter alone keeps programs from files and network.
///
/// # Errors
/// When the thread cannot be started.
#[cfg(not(unix))]
pub fn confine<R>(
    _memory_limit_bytes: u64,
    start: impl FnOnce() -> std::io::Result<R>,
) -> Result<(R, Confinement), String> {
    let started = start().map_err(|error| error.to_string())?;
    let confinement = Confinement {
        walls: Vec::new(),
        missing: vec!["system sandbox: none is implemented for this system".to_owned()],
    };
    Ok((started, confinement))
}
