//! The filter of system calls for commands: ways out that no namespace closes.
//!
//! Sockets of the file system lead to whoever listens in a granted folder (agents of keys, desktops, containers). None can be
//! made; of pairs those that are tied to each other for good are left, as the others may send anywhere. The
//! kernel's keyring belongs to the user and not to a namespace, and whoever mounts could lay a place over another. All else
//! is left to the namespaces.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};
use std::collections::BTreeMap;

/// Families of sockets that lead nowhere but into the namespace of the network, which has a loopback alone.
const FAMILIES: [i32; 3] = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// Kinds of pairs whose ends reach nobody but each other; an end of any other kind takes an address with each message.
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
    libc::SYS_fsmount,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_setns,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_open_by_handle_at,
];

/// Numbers from here on are those of x32, a second set that x86-64 kernels may know; no program of today uses it.
const X32_FROM: u32 = 0x4000_0000;

/// The filter as the kernel takes it.
pub(super) fn program() -> Result<Vec<u8>, String> {
    let failed = |error: seccompiler::BackendError| format!("seccomp: {error}");
    let arch = std::env::consts::ARCH.try_into().map_err(failed)?;
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let rules = rules().map_err(failed)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, arch).map_err(failed)?;
    let program: BpfProgram = filter.try_into().map_err(failed)?;
    let mut bytes = Vec::new();
    for instruction in second_numbers().iter().chain(&program) {
        bytes.extend(instruction.code.to_ne_bytes());
        bytes.extend([instruction.jt, instruction.jf]);
        bytes.extend(instruction.k.to_ne_bytes());
    }
    Ok(bytes)
}

/// Refuses the second set of numbers, under which everything in [`REFUSED`] could be asked for once more.
fn second_numbers() -> [sock_filter; 3] {
    let step = |code: u32, jf: u8, k: u32| sock_filter {
        // The codes are those of the kernel's header; all fit.
        code: code as u16,
        jt: 0,
        jf,
        k,
    };
    [
        // The number is the first field of what the kernel shows.
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 1, X32_FROM),
        step(
            libc::BPF_RET | libc::BPF_K,
            0,
            libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs(),
        ),
    ]
}

fn rules() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    let others = FAMILIES.iter().map(|family| {
        let family = u64::from(family.unsigned_abs());
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family)
    });
    let none_of_these = SeccompRule::new(others.collect::<Result<Vec<_>, _>>()?)?;
    rules.insert(libc::SYS_socket, vec![none_of_these]);
    rules.insert(libc::SYS_socketpair, untied_pairs()?);
    Ok(rules)
}

/// Pairs of another family, or of a kind that is not tied.
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
