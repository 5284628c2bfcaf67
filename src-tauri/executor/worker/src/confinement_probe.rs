//! Tries the walls from inside. `worker --try NAME` raises them, tries one forbidden action, and exits with a
//! code that tells whether the action was refused. A worker that the try kills counts as held too.
//!
//! For tests and for the user's own check of the installation; no program reaches this code.

use crate::confine;
use std::process::ExitCode;

/// Exit codes of a try.
const REFUSED: u8 = 0;
const DONE: u8 = 1;
const UNKNOWN: u8 = 64;
const UNCONFINED: u8 = 71;

const MEMORY_BYTES: u64 = 64 << 20;

/// A forbidden action: its name, and a function that tells whether the action succeeded.
type Try = (&'static str, fn() -> bool);

const TRIES: &[Try] = &[
    ("read a file", || std::fs::read("/etc/hostname").is_ok()),
    ("write a file", || {
        std::fs::write(std::env::temp_dir().join("shidi-walls"), "x").is_ok()
    }),
    ("list a folder", || std::fs::read_dir("/").is_ok()),
    ("connect by TCP", || {
        std::net::TcpStream::connect("127.0.0.1:9").is_ok()
    }),
    ("listen by TCP", || {
        std::net::TcpListener::bind("127.0.0.1:0").is_ok()
    }),
    ("send by UDP", || std::net::UdpSocket::bind("127.0.0.1:0").is_ok()),
    ("start a program", || {
        std::process::Command::new("/bin/true").status().is_ok()
    }),
    ("start a thread", || {
        std::thread::Builder::new().spawn(|| {}).is_ok()
    }),
    #[cfg(unix)]
    ("open a local socket", || {
        std::os::unix::net::UnixStream::pair().is_ok()
    }),
    #[cfg(target_os = "linux")]
    ("signal another process", linux::signal_parent),
    #[cfg(target_os = "linux")]
    ("make memory executable", linux::executable_memory),
    #[cfg(target_os = "linux")]
    ("trace a process", linux::trace),
    #[cfg(target_os = "linux")]
    ("raise its own limits", linux::raise_limits),
    #[cfg(target_os = "linux")]
    ("have more memory than allowed", linux::more_memory),
];

/// Prints the names of all tries, one a line.
pub fn list() -> ExitCode {
    for (name, _) in TRIES {
        println!("{name}");
    }
    ExitCode::SUCCESS
}

/// Raises the walls and tries the action of that name.
pub fn try_one(name: &str) -> ExitCode {
    let Some((_, forbidden)) = TRIES.iter().find(|(known, _)| *known == name) else {
        return ExitCode::from(UNKNOWN);
    };
    if confine::confine(MEMORY_BYTES, || Ok(())).is_err() {
        return ExitCode::from(UNCONFINED);
    }
    ExitCode::from(if forbidden() { DONE } else { REFUSED })
}

#[cfg(target_os = "linux")]
mod linux {
    /// Tries to signal the parent; signal 0 only asks for the right.
    pub fn signal_parent() -> bool {
        // SAFETY: plain numbers; signal 0 does nothing to its receiver.
        unsafe { libc::kill(libc::getppid(), 0) == 0 }
    }

    pub fn executable_memory() -> bool {
        const BYTES: usize = 4096;
        let wanted = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        let private = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: an anonymous mapping of new memory; it is never used.
        unsafe { libc::mmap(std::ptr::null_mut(), BYTES, wanted, private, -1, 0) != libc::MAP_FAILED }
    }

    pub fn trace() -> bool {
        // SAFETY: asks to be traced by the parent; takes no pointers.
        unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) == 0 }
    }

    pub fn raise_limits() -> bool {
        let limits = libc::rlimit {
            rlim_cur: 64,
            rlim_max: 64,
        };
        // SAFETY: `limits` lives through the call, which only reads it.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limits) == 0 }
    }

    pub fn more_memory() -> bool {
        const BYTES: usize = 1 << 30;
        let private = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let wanted = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: an anonymous mapping of new memory; it is never used.
        unsafe { libc::mmap(std::ptr::null_mut(), BYTES, wanted, private, -1, 0) != libc::MAP_FAILED }
    }
}
