//! The walls: the process can reach nothing, even if a program takes over the interpreter.
//!
//! Raised once, before the first program, and never lifted. [`Confinement::missing`] names every wall that a
//! system does not offer.

#[cfg(target_os = "linux")]
mod linux;

use shidi_executor_proto::Confinement;

/// Bytes of memory above the program's limit, for the worker itself and for the time between the interpreter's
/// own checks. With less than 64 MB the kernel refuses memory before the interpreter can raise a Python error.
#[cfg(unix)]
const OWN_MEMORY_BYTES: u64 = 96 << 20;

/// Raises all walls that this system has. `start` runs at the last moment at which a thread can be started, so
/// its thread stands behind the same walls.
///
/// # Errors
/// When an existing wall cannot be raised: the worker must then run nothing.
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
/// When a limit cannot be set: the worker must then run nothing.
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

/// Raises no wall: the interpreter alone keeps programs from files and network.
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
