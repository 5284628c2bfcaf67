//! The worker: interprets one program at a time in a process that can reach nothing.
//!
//! The supervisor starts the worker with two arguments, the memory limit in bytes and its own process id. The
//! link is standard input and output. The worker raises its walls before it reads anything, and never touches a
//! file, the network or the environment. It keeps only its session's variables, and ends when the supervisor
//! does.

mod border;
mod check;
mod confine;
mod confinement_probe;
mod cpu;
mod failure;
mod interpreter;
mod library;
mod markup;
mod meant;
mod memory;
mod output;
mod remedies;
mod repairs;
mod report;
mod rewrite;
mod value;
mod watch;

use interpreter::Interpreter;
use shidi_executor_proto::{FromWorker, Link, LinkError, PROTOCOL_VERSION, Ready, ToWorker};
use std::process::ExitCode;

/// Exit codes for wrong arguments, for walls that cannot be raised, and for a supervisor that is gone.
const EXIT_USAGE: u8 = 64;
const EXIT_UNCONFINED: u8 = 71;
const EXIT_LINK: u8 = 70;

fn main() -> ExitCode {
    // The default hook would look for symbols in files, which the walls forbid.
    std::panic::set_hook(Box::new(|_| {}));
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next(), arguments.next()) {
        (Some("--tries"), None, None) => return confinement_probe::list(),
        (Some("--try"), Some(name), None) => return confinement_probe::try_one(&name),
        _ => {}
    }
    let Some(memory_limit_bytes) = arguments_of_a_supervisor() else {
        eprintln!("The worker is started by Shidi, not by hand");
        return ExitCode::from(EXIT_USAGE);
    };
    let Ok(link) = link() else {
        return ExitCode::from(EXIT_LINK);
    };
    border::open(link);
    let (stop, confinement) = match confine::confine(memory_limit_bytes, watch::start) {
        Ok(confined) => confined,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(EXIT_UNCONFINED);
        }
    };
    let mut interpreter = match Interpreter::new(stop) {
        Ok(interpreter) => interpreter,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let build_id = env!("SHIDI_WORKER_BUILD_ID").to_owned();
    let ready = FromWorker::Ready(Ready {
        version: PROTOCOL_VERSION,
        build_id,
        confinement,
    });
    match border::send(&ready).and_then(|()| serve(&mut interpreter)) {
        Ok(()) | Err(LinkError::Closed) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(EXIT_LINK),
    }
}

/// Answers messages one after the other, until the interpreter is lost.
fn serve(interpreter: &mut Interpreter) -> Result<(), LinkError> {
    loop {
        match border::receive()? {
            ToWorker::Run(run) => {
                let ended = interpreter.run(&run);
                let lost = ended.interpreter_lost;
                border::send(&FromWorker::Ended(Box::new(ended)))?;
                if lost {
                    return Ok(());
                }
            }
            ToWorker::Check(request) => {
                let findings = check::check(&request, interpreter);
                border::send(&FromWorker::Checked(findings))?;
            }
            // A message for a program that has ended meanwhile.
            ToWorker::Answers(_) | ToWorker::Abort { .. } => {}
        }
    }
}

/// The memory limit, if the arguments come from a living supervisor.
fn arguments_of_a_supervisor() -> Option<u64> {
    let mut arguments = std::env::args().skip(1);
    let memory_limit_bytes = arguments.next()?.parse().ok()?;
    let supervisor: u32 = arguments.next()?.parse().ok()?;
    if arguments.next().is_some() || !is_parent(supervisor) {
        return None;
    }
    Some(memory_limit_bytes)
}

#[cfg(unix)]
fn is_parent(supervisor: u32) -> bool {
    std::os::unix::process::parent_id() == supervisor
}

#[cfg(not(unix))]
fn is_parent(_supervisor: u32) -> bool {
    true
}

#[cfg(unix)]
fn link() -> Result<Link, LinkError> {
    use std::os::fd::{FromRawFd, OwnedFd};
    // SAFETY: descriptors 0 and 1 are the pipes the supervisor gave; nothing else in this process uses them, since
    // nothing here prints to standard output or reads standard input.
    let (reader, writer) = unsafe { (OwnedFd::from_raw_fd(0), OwnedFd::from_raw_fd(1)) };
    Link::new(reader, writer)
}

#[cfg(not(unix))]
fn link() -> Result<Link, LinkError> {
    Link::new(std::io::stdin(), std::io::stdout())
}
