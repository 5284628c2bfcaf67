//! The worker process: its program, its start, and its end.

use crate::{ExecutorError, Loss};
use parking_lot::{Mutex, MutexGuard};
use shidi_executor_proto::{FromWorker, Link, LinkError, PROTOCOL_VERSION, Ready, ToWorker};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time for a worker to be ready: two milliseconds are usual; a machine that swaps may need longer.
const READY_WITHIN: Duration = Duration::from_secs(10);
/// Time after which a worker that closed its link is killed.
const EXIT_WITHIN: Duration = Duration::from_millis(500);
const EXIT_POLL: Duration = Duration::from_millis(1);
/// Exit codes of a worker: memory was refused, it worked too long, or its walls could not be raised.
const EXIT_OUT_OF_MEMORY: i32 = 65;
const EXIT_OUT_OF_TIME: i32 = 66;
const EXIT_UNCONFINED: i32 = 71;

/// Options for a session's workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpawnOptions {
    /// The most memory that a program of the session may be given, in bytes; the system enforces it.
    pub memory_limit_bytes: u64,
    /// The worker program; `None` takes the worker of this very build.
    pub worker: Option<PathBuf>,
}

impl Default for SpawnOptions {
    fn default() -> Self {
        Self {
            memory_limit_bytes: crate::Limits::default().memory_bytes,
            worker: None,
        }
    }
}

/// The path of the worker program. It is built apart from the others, so that a build looks there, too.
///
/// # Errors
/// When the worker is at none of its places.
pub fn worker_path() -> Result<PathBuf, ExecutorError> {
    let built = Path::new(env!("SHIDI_WORKER_PATH"));
    shidi_installation::program("shidi-executor-worker", Some(built)).map_err(|missing| {
        ExecutorError::WorkerMissing {
            path: missing.installed,
        }
    })
}

/// A forbidden action that a confined worker tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WallTrial {
    /// The name of the action: `read a file`, `connect by TCP`, ….
    pub name: String,
    pub held: Held,
}

/// Whether the walls held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// The system refused the action.
    Refused,
    /// The system ended the worker for the action.
    Killed,
    /// The action succeeded.
    No,
}

/// Lets confined workers try every forbidden action, each once.
///
/// # Errors
/// When the worker program is missing or cannot be started.
pub fn try_walls() -> Result<Vec<WallTrial>, ExecutorError> {
    let path = worker_path()?;
    let not_started = |source| ExecutorError::WorkerNotStarted {
        path: path.clone(),
        source,
    };
    let listed = Command::new(&path)
        .arg("--tries")
        .env_clear()
        .output()
        .map_err(not_started)?;
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    names
        .lines()
        .map(|name| {
            let mut worker = Command::new(&path);
            worker
                .args(["--try", name])
                .env_clear()
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let status = worker.status().map_err(not_started)?;
            let held = match status.code() {
                Some(0) => Held::Refused,
                Some(_) => Held::No,
                None => Held::Killed,
            };
            Ok(WallTrial {
                name: name.to_owned(),
                held,
            })
        })
        .collect()
}

/// Ends a session's running program from any thread.
#[derive(Debug, Clone)]
pub struct Stopper(Arc<Shared>);

/// The effect of [`Stopper::stop`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// A program was running or waiting for answers; its worker is killed.
    Killed,
    /// No program was running; nothing was done.
    Idle,
}

impl Stopper {
    /// Kills the worker if a program is running. The session's thread then gets an outcome with
    /// [`Loss::Stopped`], from the call it is in or from the next [`Session::resume`](crate::Session::resume).
    pub fn stop(&self) -> Stopped {
        let mut state = self.0.lock();
        if !state.running {
            return Stopped::Idle;
        }
        state.stopped = true;
        if let Some(child) = &mut state.child {
            kill(child);
        }
        Stopped::Killed
    }
}

/// The process, shared by the session and its stoppers. The process is reaped under the lock only, so that a
/// stopper never kills another process with the same number.
#[derive(Debug, Default)]
struct Shared(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    child: Option<Child>,
    running: bool,
    stopped: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}

/// A session's worker: at most one process at a time.
#[derive(Debug)]
pub struct Worker {
    options: SpawnOptions,
    shared: Arc<Shared>,
    link: Option<Link>,
    ready: Ready,
}

impl Worker {
    /// Starts a worker and waits until its walls are up.
    pub fn spawn(options: SpawnOptions) -> Result<Self, ExecutorError> {
        let ready = Ready {
            version: 0,
            build_id: String::new(),
            confinement: Default::default(),
        };
        let mut worker = Self {
            options,
            shared: Arc::new(Shared::default()),
            link: None,
            ready,
        };
        worker.start()?;
        Ok(worker)
    }

    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    pub fn process_id(&self) -> Option<u32> {
        self.shared.lock().child.as_ref().map(Child::id)
    }

    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.shared))
    }

    /// Whether the process lives. A process that was lost unnoticed is cleared away.
    pub fn is_alive(&mut self) -> bool {
        let mut state = self.shared.lock();
        let alive = self.link.is_some()
            && state
                .child
                .as_mut()
                .is_some_and(|child| matches!(child.try_wait(), Ok(None)));
        if !alive {
            self.link = None;
            state.child = None;
        }
        alive
    }

    /// Starts a new process after the old one is gone.
    pub fn start(&mut self) -> Result<(), ExecutorError> {
        let path = match &self.options.worker {
            Some(path) if path.is_file() => path.clone(),
            Some(path) => return Err(ExecutorError::WorkerMissing { path: path.clone() }),
            None => worker_path()?,
        };
        let mut child = command(&path, self.options.memory_limit_bytes)
            .spawn()
            .map_err(|source| ExecutorError::WorkerNotStarted { path, source })?;
        let link = link(&mut child);
        self.shared.lock().child = Some(child);
        let greeting = link.and_then(|mut link| {
            let greeting = link.receive::<FromWorker>(Some(Instant::now() + READY_WITHIN))?;
            Ok((link, greeting))
        });
        match greeting {
            Ok((_, FromWorker::Ready(ready))) if ready.version != PROTOCOL_VERSION => {
                self.end();
                Err(ExecutorError::WorkerOfAnotherVersion {
                    found: ready.version,
                    needed: PROTOCOL_VERSION,
                })
            }
            Ok((link, FromWorker::Ready(ready))) => {
                self.link = Some(link);
                self.ready = ready;
                Ok(())
            }
            Ok((
                _,
                FromWorker::Calls(_) | FromWorker::Printed(_) | FromWorker::Ended(_) | FromWorker::Checked(_),
            )) => {
                self.end();
                Err(ExecutorError::WorkerNotReady {
                    why: "it spoke out of turn".to_owned(),
                })
            }
            Err(error) => Err(ExecutorError::WorkerNotReady {
                why: not_ready(&error, self.end()),
            }),
        }
    }

    pub fn send(&mut self, message: &ToWorker, deadline: Instant) -> Result<(), LinkError> {
        self.link
            .as_mut()
            .ok_or(LinkError::Closed)?
            .send(message, Some(deadline))
    }

    pub fn receive(&mut self, deadline: Instant) -> Result<FromWorker, LinkError> {
        self.link
            .as_mut()
            .ok_or(LinkError::Closed)?
            .receive(Some(deadline))
    }

    /// Tells stoppers whether there is a program to stop.
    pub fn set_running(&self, running: bool) {
        let mut state = self.shared.lock();
        state.running = running;
        if running {
            state.stopped = false;
        }
    }

    /// Clears away a worker that failed with `error`; returns how it was lost.
    pub fn lose(&mut self, error: &LinkError) -> (Loss, String) {
        let stopped = {
            let mut state = self.shared.lock();
            state.running = false;
            std::mem::take(&mut state.stopped)
        };
        let late = matches!(error, LinkError::TimedOut);
        if late {
            self.kill();
        }
        let status = self.end();
        let loss = if stopped {
            Loss::Stopped
        } else if late || status.and_then(|status| status.code()) == Some(EXIT_OUT_OF_TIME) {
            Loss::Deadline
        } else if status.and_then(|status| status.code()) == Some(EXIT_OUT_OF_MEMORY) {
            Loss::Memory
        } else {
            Loss::Died
        };
        let why = match (error, status) {
            (LinkError::Closed, Some(status)) => status.to_string(),
            (error, _) => error.to_string(),
        };
        (loss, why)
    }

    fn kill(&self) {
        if let Some(child) = &mut self.shared.lock().child {
            kill(child);
        }
    }

    /// Waits for the process to be gone, killing it when it takes too long.
    fn end(&mut self) -> Option<ExitStatus> {
        self.link = None;
        let give_up = Instant::now() + EXIT_WITHIN;
        loop {
            let mut state = self.shared.lock();
            let child = state.child.as_mut()?;
            let status = match child.try_wait() {
                Ok(None) if Instant::now() < give_up => None,
                Ok(None) => {
                    kill(child);
                    child.wait().ok()
                }
                Ok(status) => status,
                Err(error) => {
                    tracing::warn!(%error, "a worker could not be waited for");
                    state.child = None;
                    return None;
                }
            };
            if status.is_some() {
                state.child = None;
                return status;
            }
            drop(state);
            std::thread::sleep(EXIT_POLL);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
        self.end();
    }
}

fn command(path: &Path, memory_limit_bytes: u64) -> Command {
    let mut command = Command::new(path);
    command
        .arg(memory_limit_bytes.to_string())
        .arg(std::process::id().to_string())
        .env_clear()
        .current_dir(if cfg!(windows) { "C:\\" } else { "/" })
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    // Ctrl-C at a terminal goes to the supervisor, which then stops its worker.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

fn link(child: &mut Child) -> Result<Link, LinkError> {
    match (child.stdout.take(), child.stdin.take()) {
        #[cfg(unix)]
        (Some(reader), Some(writer)) => Link::new(reader.into(), writer.into()),
        #[cfg(not(unix))]
        (Some(reader), Some(writer)) => Link::new(reader, writer),
        (None, _) | (_, None) => Err(LinkError::Closed),
    }
}

fn kill(child: &mut Child) {
    if let Err(error) = child.kill() {
        tracing::warn!(%error, "a worker could not be killed");
    }
}

fn not_ready(error: &LinkError, status: Option<ExitStatus>) -> String {
    match (error, status) {
        (LinkError::Closed, Some(status)) if status.code() == Some(EXIT_UNCONFINED) => {
            "this system does not let it confine itself (seccomp, landlock, limits)".to_owned()
        }
        (LinkError::Closed, Some(status)) => format!("it ended at once ({status})"),
        (error, _) => error.to_string(),
    }
}
