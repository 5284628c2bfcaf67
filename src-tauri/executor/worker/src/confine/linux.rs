//! Linux: closed descriptors, landlock, rlimits, death with the supervisor, no dumps, seccomp, in that order.
//!
//! The order matters: landlock itself needs a descriptor, and seccomp forbids the calls that raise other walls.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetStatus, Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};
use shidi_executor_proto::Confinement;
use std::collections::BTreeMap;
use std::io::Error;

/// The first descriptor that was inherited by accident. Standard input and output are the link; standard error
/// goes nowhere.
const FIRST_FOREIGN_DESCRIPTOR: libc::c_uint = 3;

/// System calls of a process that computes and talks over two pipes.
const ALLOWED: &[i64] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_ppoll,
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
    libc::SYS_clock_nanosleep,
    libc::SYS_getrandom,
    libc::SYS_sched_yield,
    libc::SYS_restart_syscall,
    libc::SYS_close,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_sched_getaffinity,
];

/// Calls that exist only on some machines.
#[cfg(target_arch = "x86_64")]
const ALLOWED_HERE: &[i64] = &[libc::SYS_poll];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_HERE: &[i64] = &[];

/// Calls that are answered with "permission denied" instead of death: libraries try them and do without.
#[cfg(target_arch = "x86_64")]
const REFUSED: &[i64] = &[
    libc::SYS_openat,
    libc::SYS_open,
    libc::SYS_socket,
    libc::SYS_getcwd,
    libc::SYS_readlink,
    libc::SYS_stat,
    libc::SYS_statx,
    libc::SYS_newfstatat,
    libc::SYS_access,
    libc::SYS_ioctl,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED: &[i64] = &[
    libc::SYS_openat,
    libc::SYS_socket,
    libc::SYS_getcwd,
    libc::SYS_readlinkat,
    libc::SYS_statx,
    libc::SYS_newfstatat,
    libc::SYS_faccessat,
    libc::SYS_ioctl,
];

pub fn confine<R>(
    memory_bytes: u64,
    start: impl FnOnce() -> std::io::Result<R>,
) -> Result<(R, Confinement), String> {
    let mut confinement = Confinement::default();
    close_foreign_descriptors();
    landlock(&mut confinement)?;
    // Started after landlock, which a new thread inherits, and before the limits, which allow no further thread.
    let started = start().map_err(|error| format!("the watching thread: {error}"))?;
    limits(memory_bytes)?;
    confinement.walls.push("rlimits".to_owned());
    die_with_parent()?;
    confinement.walls.push("parent death signal".to_owned());
    confinement.walls.push("not dumpable".to_owned());
    seccomp()?;
    confinement.walls.push("seccomp".to_owned());
    Ok((started, confinement))
}

/// Closes inherited descriptors, with best effort: kernels before 5.9 lack the call. There seccomp still
/// forbids opening files.
fn close_foreign_descriptors() {
    // SAFETY: the range starts above the descriptors this process uses; nothing here holds another.
    unsafe {
        libc::syscall(
            libc::SYS_close_range,
            FIRST_FOREIGN_DESCRIPTOR,
            libc::c_uint::MAX,
            0,
        )
    };
}

/// Handles every right that landlock knows and grants none.
fn landlock(confinement: &mut Confinement) -> Result<(), String> {
    let abi = ABI::V6;
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(abi)))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(abi)))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self)
        .map_err(|error| format!("landlock: {error}"))?;
    match status.ruleset {
        RulesetStatus::FullyEnforced => confinement.walls.push("landlock".to_owned()),
        RulesetStatus::PartiallyEnforced => {
            confinement.walls.push("landlock".to_owned());
            confinement
                .missing
                .push("part of landlock: the kernel is older than 6.12".to_owned());
        }
        RulesetStatus::NotEnforced => {
            confinement
                .missing
                .push("landlock: the kernel does not offer it".to_owned());
        }
    }
    Ok(())
}

fn limits(memory_bytes: u64) -> Result<(), String> {
    for (name, limit, value) in [
        ("RLIMIT_DATA", libc::RLIMIT_DATA, memory_bytes),
        // One descriptor and not zero, since `poll` on the link would be refused. Descriptor 0 is taken, so
        // none can be opened.
        ("RLIMIT_NOFILE", libc::RLIMIT_NOFILE, 1),
        ("RLIMIT_CORE", libc::RLIMIT_CORE, 0),
        ("RLIMIT_NPROC", libc::RLIMIT_NPROC, 0),
    ] {
        let limits = libc::rlimit {
            rlim_cur: value,
            rlim_max: value,
        };
        // SAFETY: `limits` lives through the call, which only reads it.
        if unsafe { libc::setrlimit(limit, &raw const limits) } != 0 {
            return Err(format!("{name}: {}", Error::last_os_error()));
        }
    }
    Ok(())
}

fn die_with_parent() -> Result<(), String> {
    // SAFETY: both calls take plain numbers.
    let set = unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == 0 && libc::prctl(libc::PR_SET_DUMPABLE, 0) == 0
    };
    if set {
        Ok(())
    } else {
        Err(format!("prctl: {}", Error::last_os_error()))
    }
}

fn seccomp() -> Result<(), String> {
    let failed = |error: seccompiler::BackendError| format!("seccomp: {error}");
    let arch = std::env::consts::ARCH.try_into().map_err(failed)?;
    let refused = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    let denied = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let refusing = SeccompFilter::new(refused, SeccompAction::Allow, denied, arch).map_err(failed)?;
    let killing = SeccompFilter::new(
        allowed().map_err(failed)?,
        SeccompAction::KillProcess,
        SeccompAction::Allow,
        arch,
    )
    .map_err(failed)?;
    // The killing filter comes last: it would kill at the call that loads the other one.
    for filter in [refusing, killing] {
        let program: BpfProgram = filter.try_into().map_err(failed)?;
        seccompiler::apply_filter_all_threads(&program).map_err(|error| format!("seccomp: {error}"))?;
    }
    Ok(())
}

fn allowed() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED
        .iter()
        .chain(ALLOWED_HERE)
        .chain(REFUSED)
        .map(|&call| (call, Vec::new()))
        .collect();
    let prot_exec = u64::from(libc::PROT_EXEC.unsigned_abs());
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        let not_executable =
            SeccompCondition::new(2, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(prot_exec), 0)?;
        rules.insert(call, vec![SeccompRule::new(vec![not_executable])?]);
    }
    let own = u64::from(std::process::id());
    let to_itself = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, own)?;
    rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![to_itself])?]);
    Ok(rules)
}
