//! The filter of system calls for commands, against ways out that no namespace closes.
//!
//! Unix sockets reach programs that listen in a granted folder (key agents, desktops, containers), so none can
//! be created. Only pairs whose ends are tied to each other are allowed. The kernel's keyring belongs to the
//! user and not to a namespace. A mount could cover a protected folder, and a user namespace within ours would
//! allow all of this again. A set-user-id file outlives the sandbox. A named pipe in a granted folder gives no
//! right and builds use them, so it is allowed.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};
use std::collections::BTreeMap;

/// Socket families that lead only into the sandbox's own network namespace, which has a loopback alone.
const FAMILIES: [i32; 3] = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// Kinds of pairs whose ends reach only each other; an end of another kind takes an address with each message.
const TIED_PAIRS: [i32; 2] = [libc::SOCK_STREAM, libc::SOCK_SEQPACKET];

/// The bits of a socket's kind that name it; the others are flags.
const KINDS: u64 = 0xf;

/// System calls that no command of a user needs here.
const REFUSED: &[i64] = &[
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_fsmount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_setns,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_open_by_handle_at,
];

/// A call without a name in the library on some systems. Since Linux 5 its number is the same on every processor.
const OPEN_TREE_ATTR: i64 = 467;
const FCHMODAT2: i64 = 452;

/// System calls whose arguments lie in memory that a filter can't read. They are answered as missing, so that
/// callers fall back on older calls with visible arguments.
const UNREADABLE: [i64; 2] = [libc::SYS_clone3, libc::SYS_openat2];

/// System calls that set a mode, with the index of the mode argument. The kernel itself drops set-id bits for
/// new folders.
const MODES: &[(i64, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (FCHMODAT2, 2),
    (libc::SYS_mknodat, 2),
];

/// System calls that set a mode when they create a file: indices of the flags and the mode.
const OPENINGS: &[(i64, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
    (libc::SYS_openat, 2),
];

/// The bits of a mode by which a program runs as its file's owner or group.
const SET_ID: [u64; 2] = [0o4000, 0o2000];

/// The flags that create a file when opening; without them the mode may be any number. The second flag's other
/// bit means a folder.
const MAKING: [u64; 2] = [0o100, 0o20_000_000];

/// Numbers from here on belong to x32, a second set of calls of x86-64 kernels. No program of today uses x32.
const X32_FROM: u32 = 0x4000_0000;

/// The filter in the kernel's format.
pub(super) fn program() -> Result<Vec<u8>, String> {
    with(&FAMILIES)
}

/// The filter of a server that is confined: it may also make a socket of its own to answer at. The server sees no
/// folder in which a program listens.
pub(super) fn of_server() -> Result<Vec<u8>, String> {
    let [here, there, kernel] = FAMILIES;
    with(&[here, there, kernel, libc::AF_UNIX])
}

fn with(families: &[i32]) -> Result<Vec<u8>, String> {
    let failed = |error: seccompiler::BackendError| format!("seccomp: {error}");
    let arch = std::env::consts::ARCH.try_into().map_err(failed)?;
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let rules = rules(families).map_err(failed)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, arch).map_err(failed)?;
    let program: BpfProgram = filter.try_into().map_err(failed)?;
    let mut bytes = Vec::new();
    for instruction in answered_first().iter().chain(&program) {
        bytes.extend(instruction.code.to_ne_bytes());
        bytes.extend([instruction.jt, instruction.jf]);
        bytes.extend(instruction.k.to_ne_bytes());
    }
    Ok(bytes)
}

/// Refuses the second set of numbers, by which all of [`REFUSED`] could be called again, and answers [`UNREADABLE`].
fn answered_first() -> [sock_filter; 7] {
    let step = |code: u32, jt: u8, jf: u8, k: u32| sock_filter {
        // The codes come from the kernel's header and all fit.
        code: code as u16,
        jt,
        jf,
        k,
    };
    let compare = |how: u32, jt: u8, jf: u8, k: u32| step(libc::BPF_JMP | how | libc::BPF_K, jt, jf, k);
    let number = |call: i64| u32::try_from(call).unwrap_or(X32_FROM);
    let answer = |errno: i32| {
        let value = libc::SECCOMP_RET_ERRNO | errno.unsigned_abs();
        step(libc::BPF_RET | libc::BPF_K, 0, 0, value)
    };
    let [first, second] = UNREADABLE.map(number);
    [
        // The number is the first field of the kernel's data.
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        compare(libc::BPF_JGE, 0, 1, X32_FROM),
        answer(libc::EPERM),
        compare(libc::BPF_JEQ, 1, 0, first),
        compare(libc::BPF_JEQ, 0, 1, second),
        answer(libc::ENOSYS),
        // The rest of the filter loads the number itself.
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
    ]
}

fn rules(families: &[i32]) -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    let others = families.iter().map(|family| {
        let family = u64::from(family.unsigned_abs());
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family)
    });
    let none_of_these = SeccompRule::new(others.collect::<Result<Vec<_>, _>>()?)?;
    rules.insert(libc::SYS_socket, vec![none_of_these]);
    rules.insert(libc::SYS_socketpair, untied_pairs()?);
    // On one kind of processor the flags of `clone` come last; we build for none of that kind.
    for call in [libc::SYS_clone, libc::SYS_unshare] {
        let users = u64::from(libc::CLONE_NEWUSER.unsigned_abs());
        rules.insert(call, vec![SeccompRule::new(vec![has_bits(0, users)?])?]);
    }
    for &(call, mode) in MODES {
        rules.insert(call, set_ids(mode, None)?);
    }
    for &(call, flags) in OPENINGS {
        rules.insert(call, set_ids(flags + 1, Some(flags))?);
    }
    Ok(rules)
}

/// An argument in which all of `bits` are set.
fn has_bits(argument: u8, bits: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(
        argument,
        SeccompCmpArgLen::Dword,
        SeccompCmpOp::MaskedEq(bits),
        bits,
    )
}

/// Rules for a mode with a set-id bit; for opening calls, only where they create a file.
fn set_ids(mode: u8, flags: Option<u8>) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let mut rules = Vec::new();
    for bit in SET_ID {
        let Some(flags) = flags else {
            rules.push(SeccompRule::new(vec![has_bits(mode, bit)?])?);
            continue;
        };
        for making in MAKING {
            let conditions = vec![has_bits(mode, bit)?, has_bits(flags, making)?];
            rules.push(SeccompRule::new(conditions)?);
        }
    }
    Ok(rules)
}

/// Rules for pairs of another family, or of a kind that is not tied.
fn untied_pairs() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let word = SeccompCmpArgLen::Dword;
    let local = u64::from(libc::AF_UNIX.unsigned_abs());
    let other_family = SeccompCondition::new(0, word.clone(), SeccompCmpOp::Ne, local)?;
    let mut rules = vec![SeccompRule::new(vec![other_family])?];
    let is_tied = |kind: &u64| {
        TIED_PAIRS
            .iter()
            .any(|tied| u64::from(tied.unsigned_abs()) == *kind)
    };
    for kind in (0..=KINDS).filter(|kind| !is_tied(kind)) {
        let is_kind = SeccompCondition::new(1, word.clone(), SeccompCmpOp::MaskedEq(KINDS), kind)?;
        rules.push(SeccompRule::new(vec![is_kind])?);
    }
    Ok(rules)
}
