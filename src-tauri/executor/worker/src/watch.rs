//! Ends a program that works too long or takes too much memory. A thread looks now and then; an exception is
//! raised at every instruction until the program is over.
//!
//! The thread starts before the walls are raised and stands behind them like the rest of the process. It
//! touches nothing of the interpreter: it sends a function that the interpreter calls at its next instruction.

use crate::{border, cpu, memory};
use rustpython_vm::VirtualMachine;
use rustpython_vm::signal::{UserSignal, UserSignalReceiver, UserSignalSender, user_signal_channel};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread::Thread;
use std::time::Duration;

/// How often the thread looks while a program works: short beside any limit, and too rare to cost much.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// Nanoseconds of processor time beyond the limit after which the worker ends itself. One long step of the
/// interpreter, such as the sum of an endless range, is not interrupted.
const GRACE_NANOS: u64 = 1_000_000_000;
/// Exit code that tells the supervisor of the time limit.
const EXIT_OUT_OF_TIME: i32 = 66;

static THREAD: OnceLock<Thread> = OnceLock::new();
static SENDER: OnceLock<UserSignalSender> = OnceLock::new();
/// Processor time at which the program must end, in nanoseconds; 0 while no program works.
static END_AT_NANOS: AtomicU64 = AtomicU64::new(0);
static MEMORY_BYTES: AtomicU64 = AtomicU64::new(u64::MAX);
/// The program's limit in milliseconds, for the message.
static CPU_MS: AtomicU64 = AtomicU64::new(0);
/// Nanoseconds of processor time that were left when the program began to wait.
static LEFT_NANOS: AtomicU64 = AtomicU64::new(0);
static IS_ENDING: AtomicBool = AtomicBool::new(false);
/// Whether memory was the reason; memory freed while the program ends does not change the reason.
static IS_OVER_MEMORY: AtomicBool = AtomicBool::new(false);

/// Starts the thread, and returns the receiver on which the interpreter listens.
///
/// # Errors
/// When the system gives no thread, or the thread was started before.
pub fn start() -> std::io::Result<UserSignalReceiver> {
    let (sender, receiver) = user_signal_channel();
    SENDER
        .set(sender)
        .map_err(|_| std::io::Error::other("the watching thread was started before"))?;
    let (ready, started) = std::sync::mpsc::channel();
    let thread = std::thread::Builder::new()
        .name("watch".to_owned())
        .stack_size(256 << 10)
        .spawn(move || {
            if ready.send(()).is_ok() {
                look();
            }
        })?;
    // A thread that has run once needs no further system call that the walls refuse.
    if started.recv().is_ok() && THREAD.set(thread.thread().clone()).is_ok() {
        return Ok(receiver);
    }
    Err(std::io::Error::other("the watching thread ended"))
}

/// Begins to watch a program.
pub fn begin(cpu_ms: u64, memory_bytes: u64) {
    IS_ENDING.store(false, SeqCst);
    CPU_MS.store(cpu_ms, SeqCst);
    MEMORY_BYTES.store(memory_bytes, SeqCst);
    LEFT_NANOS.store(cpu_ms.saturating_mul(1_000_000), SeqCst);
    go_on();
}

/// Stops the program's clock while the program waits.
pub fn rest() {
    let end_at = END_AT_NANOS.swap(0, SeqCst);
    LEFT_NANOS.store(end_at.saturating_sub(nanos()), SeqCst);
}

/// Starts the program's clock again.
pub fn go_on() {
    let end_at = nanos().saturating_add(LEFT_NANOS.load(SeqCst)).max(1);
    END_AT_NANOS.store(end_at, SeqCst);
    if let Some(thread) = THREAD.get() {
        thread.unpark();
    }
}

/// Ends the watch: no exception is raised any more.
pub fn finish() {
    END_AT_NANOS.store(0, SeqCst);
    IS_ENDING.store(false, SeqCst);
}

/// Has the exception raised at every instruction of the program from now on.
pub fn stop_now() {
    if END_AT_NANOS.load(SeqCst) != 0 && !IS_ENDING.swap(true, SeqCst) {
        IS_OVER_MEMORY.store(memory::is_exceeded(), SeqCst);
        send();
    }
}

fn nanos() -> u64 {
    u64::try_from(cpu::used().as_nanos()).unwrap_or(u64::MAX)
}

fn look() {
    loop {
        let end_at = END_AT_NANOS.load(SeqCst);
        if end_at == 0 {
            std::thread::park();
            continue;
        }
        let now = nanos();
        // The program may have ended meanwhile, and another may have begun.
        let is_same = END_AT_NANOS.load(SeqCst) == end_at;
        if is_same && now > end_at {
            stop_now();
        }
        if is_same && now > end_at.saturating_add(GRACE_NANOS) {
            std::process::exit(EXIT_OUT_OF_TIME);
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

fn send() {
    if let Some(sender) = SENDER.get() {
        // Refused only by an interpreter that is gone.
        drop(sender.send(raise()));
    }
}

/// Called by the interpreter between two instructions.
fn raise() -> UserSignal {
    Box::new(|vm: &VirtualMachine| {
        if !IS_ENDING.load(SeqCst) {
            return Ok(());
        }
        if IS_OVER_MEMORY.load(SeqCst) {
            let message = format!(
                "the program needed more than the {} bytes of memory it may",
                MEMORY_BYTES.load(SeqCst)
            );
            border::end("MemoryError", message);
        } else {
            let message = format!(
                "the program worked longer than the {} ms it may",
                CPU_MS.load(SeqCst)
            );
            border::end("TimeoutError", message);
        }
        send();
        Err(vm.new_exception_empty(vm.ctx.exceptions.keyboard_interrupt.to_owned()))
    })
}
