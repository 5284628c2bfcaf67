//! Keeps open descriptors from child processes: commands, servers and other children inherit the standard
//! streams alone.

/// The first descriptor that is not a standard stream.
const FIRST: u32 = 3;

/// Marks every descriptor but the standard streams as closed on `exec`. May be called between `fork` and `exec`.
#[cfg(target_os = "linux")]
pub(crate) fn close_for_children() {
    // SAFETY: the call has plain numbers as arguments; no code here relies on a descriptor being inherited.
    let marked = unsafe { libc::syscall(libc::SYS_close_range, FIRST, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if marked == 0 {
        return;
    }
    // Kernels before Linux 5.11 lack the call; few programs have opened more descriptors than this so early.
    for descriptor in FIRST..1_024 {
        // SAFETY: as above; the kernel refuses a number that is no descriptor.
        unsafe { libc::fcntl(descriptor.cast_signed(), libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

/// Takes the mark from one descriptor again. May be called between `fork` and `exec`.
#[cfg(target_os = "linux")]
pub(crate) fn leave_open(descriptor: i32) -> std::io::Result<()> {
    // SAFETY: the call has plain numbers as arguments.
    match unsafe { libc::fcntl(descriptor, libc::F_SETFD, 0) } {
        -1 => Err(std::io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// On other systems the standard library closes its descriptors on `exec` by itself.
#[cfg(not(target_os = "linux"))]
pub(crate) fn close_for_children() {}
