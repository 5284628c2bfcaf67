//! Ctrl-C, and the signals by which a system or a closed terminal ends programs. The first signal is a wish that is
//! carried out; the second one ends the program on the spot. No server of others is left running by either.

use crate::failure::Exit;
use parking_lot::{Mutex, MutexGuard};
use std::future::Future;
use tokio::sync::mpsc;

/// The command that carries out the wish itself. The command is told once.
static LISTENER: Mutex<Option<mpsc::Sender<()>>> = parking_lot::const_mutex(None);

fn listener() -> MutexGuard<'static, Option<mpsc::Sender<()>>> {
    LISTENER.lock()
}

/// Tells when the user wants a run to stop.
pub struct Interrupts {
    pressed: mpsc::Receiver<()>,
}

impl Interrupts {
    /// Takes the next signal over, whose end the program would be otherwise.
    #[must_use]
    pub fn listen() -> Self {
        let (sender, pressed) = mpsc::channel(1);
        *listener() = Some(sender);
        Self { pressed }
    }

    /// Waits for the first one.
    pub async fn pressed(&mut self) {
        if self.pressed.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

/// Takes over from the system's own handling at once; what is returned passes each signal on, or ends the program.
///
/// This function must be called within a runtime.
pub fn handle() -> impl Future<Output = ()> + Send {
    let signals = Signals::listen();
    async move {
        let Some(mut signals) = signals else {
            return;
        };
        loop {
            signals.next().await;
            let told = listener().take();
            if told.is_none_or(|listener| listener.try_send(()).is_err()) {
                end_now();
            }
        }
    }
}

fn end_now() -> ! {
    shidi_runtime::kill_servers();
    std::process::exit(Exit::Cancelled.code().into());
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// `None` where a closed terminal is to be outlived.
    hangup: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> Option<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let hangup = SignalKind::hangup();
        Some(Self {
            interrupt: signal(SignalKind::interrupt()).ok()?,
            terminate: signal(SignalKind::terminate()).ok()?,
            hangup: if outlives_terminal() {
                None
            } else {
                signal(hangup).ok()
            },
        })
    }

    async fn next(&mut self) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = hangup => {}
        }
    }
}

/// Whether whoever started the program, such as `nohup`, had the end of the terminal ignored.
#[cfg(unix)]
fn outlives_terminal() -> bool {
    use std::sync::OnceLock;
    // Asked once: what is listened to is no longer ignored.
    static IGNORED: OnceLock<bool> = OnceLock::new();
    *IGNORED.get_or_init(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_some_and(|mask| mask & 1 == 1)
    })
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> Option<Self> {
        Some(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
