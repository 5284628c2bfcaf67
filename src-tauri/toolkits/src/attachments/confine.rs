//! The sandbox of a reader: no files, no network, no programs, bounded memory and time.
//!
//! The file comes as standard input and the text leaves by standard output, so the reader needs nothing else.
//! Systems without such a sandbox (macOS, Windows) keep the limits and the supervisor's deadline.

/// Confines this thread for the rest of its life.
///
/// # Errors
/// The wall that can't be put up, with the system's reason.
#[cfg(target_os = "linux")]
pub fn confine() -> Result<(), String> {
    linux::limits()?;
    linux::landlock()?;
    linux::seccomp()
}

/// Nothing to confine with here; limits and deadlines remain.
///
/// # Errors
/// None.
#[cfg(not(target_os = "linux"))]
pub fn confine() -> Result<(), String> {
    Ok(())
}

#[cfg(target_os = "linux")]
mod linux {
    use crate::limits::{READER_CPU_SECONDS, READER_MEMORY_BYTES};
    use landlock::{ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, Scope};
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule,
    };
    use std::collections::BTreeMap;
    use std::io::Error;

    /// System calls of a process that reads one file and computes; every other one is refused.
    const ALLOWED: &[i64] = &[
        libc::SYS_read,
        libc::SYS_pread64,
        libc::SYS_readv,
        libc::SYS_preadv,
        libc::SYS_lseek,
        libc::SYS_fstat,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_close,
        libc::SYS_futex,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_brk,
        libc::SYS_madvise,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_rt_sigreturn,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_sigaltstack,
        libc::SYS_clock_gettime,
        libc::SYS_getrandom,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_restart_syscall,
        libc::SYS_gettid,
        libc::SYS_getpid,
    ];

    pub(super) fn limits() -> Result<(), String> {
        for (name, limit, value) in [
            ("RLIMIT_DATA", libc::RLIMIT_DATA, READER_MEMORY_BYTES),
            ("RLIMIT_CPU", libc::RLIMIT_CPU, READER_CPU_SECONDS),
            ("RLIMIT_CORE", libc::RLIMIT_CORE, 0),
            ("RLIMIT_FSIZE", libc::RLIMIT_FSIZE, 0),
        ] {
            let limits = libc::rlimit {
                rlim_cur: value,
                rlim_max: value,
            };
            // SAFETY: `limits` lives through the call, which only reads the struct.
            if unsafe { libc::setrlimit(limit, &raw const limits) } != 0 {
                return Err(format!("{name}: {}", Error::last_os_error()));
            }
        }
        // SAFETY: both calls take plain numbers.
        let set = unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == 0
                && libc::prctl(libc::PR_SET_DUMPABLE, 0) == 0
        };
        if set {
            Ok(())
        } else {
            Err(format!("prctl: {}", Error::last_os_error()))
        }
    }

    /// Handles every right that landlock knows and grants none; on a kernel without landlock the filter of
    /// system calls remains.
    pub(super) fn landlock() -> Result<(), String> {
        let abi = ABI::V6;
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(abi))
            .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(abi)))
            .and_then(|ruleset| ruleset.scope(Scope::from_all(abi)))
            .and_then(Ruleset::create)
            .and_then(landlock::RulesetCreated::restrict_self)
            .map(drop)
            .map_err(|error| format!("landlock: {error}"))
    }

    pub(super) fn seccomp() -> Result<(), String> {
        let failed = |error: seccompiler::BackendError| format!("seccomp: {error}");
        let arch = std::env::consts::ARCH.try_into().map_err(failed)?;
        let refused = SeccompAction::Errno(libc::EACCES.unsigned_abs());
        let rules = allowed().map_err(failed)?;
        let filter = SeccompFilter::new(rules, refused, SeccompAction::Allow, arch).map_err(failed)?;
        let program: BpfProgram = filter.try_into().map_err(failed)?;
        seccompiler::apply_filter(&program).map_err(|error| format!("seccomp: {error}"))
    }

    fn allowed() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
            ALLOWED.iter().map(|&call| (call, Vec::new())).collect();
        let executable = u64::from(libc::PROT_EXEC.unsigned_abs());
        for call in [libc::SYS_mmap, libc::SYS_mprotect] {
            let condition =
                SeccompCondition::new(2, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(executable), 0)?;
            rules.insert(call, vec![SeccompRule::new(vec![condition])?]);
        }
        let own = u64::from(std::process::id());
        let to_itself = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, own)?;
        rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![to_itself])?]);
        Ok(rules)
    }
}
