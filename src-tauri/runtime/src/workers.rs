//! One warm worker per session, each owned by one thread for as long as the session is active.
//!
//! The thread is the worker's parent: the kernel ends a worker whose spawning thread ends, so it must outlive every
//! program. Jobs of a session run one after the other; stopping a program ends its worker, and the next job gets a
//! fresh one.

use crate::engine::held;
use crate::limits::WORKER_IDLE;
use shidi_executor::{ExecutorError, Session, SpawnOptions, Stopper};
use shidi_protocol::{SessionId, VariablePreview};
use shidi_store::Variable;
use std::collections::HashMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};

/// Jobs of one session that may wait: one run is at work at a time, so a second one is already unusual.
const JOBS_QUEUED: usize = 16;

/// Work for a session's worker. It gets the worker's slot: empty at first, and after a worker was lost.
pub type Job = Box<dyn FnOnce(&mut Slot) + Send>;

/// The place of a session's worker.
#[derive(Default)]
pub struct Slot {
    warm: Option<Session>,
    stopper: Arc<Mutex<Option<Stopper>>>,
}

/// Ends whatever a session's worker is doing.
#[derive(Clone, Default)]
pub struct Interrupt {
    stopper: Arc<Mutex<Option<Stopper>>>,
}

#[derive(Default)]
pub struct Workers {
    threads: Mutex<HashMap<SessionId, Thread>>,
}

struct Thread {
    jobs: SyncSender<Job>,
    interrupt: Interrupt,
}

impl Slot {
    /// The warm worker, or a fresh one.
    ///
    /// # Errors
    /// When no worker can be started.
    pub fn worker(&mut self, memory_bytes: u64) -> Result<&mut Session, ExecutorError> {
        let session = match self.warm.take() {
            Some(session) => session,
            None => Session::spawn(SpawnOptions {
                memory_limit_bytes: memory_bytes,
                ..SpawnOptions::default()
            })?,
        };
        *held(&self.stopper) = Some(session.stopper());
        Ok(self.warm.insert(session))
    }

    /// The warm worker, if there is one.
    pub fn warm(&mut self) -> Option<&mut Session> {
        self.warm.as_mut()
    }

    /// Lets the worker go: it was stopped, or lost.
    pub fn discard(&mut self) {
        *held(&self.stopper) = None;
        self.warm = None;
    }
}

impl Interrupt {
    /// Kills the worker if there is one. Returns at once.
    pub fn stop(&self) {
        if let Some(stopper) = held(&self.stopper).as_ref() {
            stopper.stop();
        }
    }
}

impl Workers {
    /// Queues a job for a session's worker.
    ///
    /// # Errors
    /// When no thread can be started, or too many jobs wait.
    pub fn submit(&self, session: &SessionId, job: Job) -> std::io::Result<Interrupt> {
        let mut threads = held(&self.threads);
        if let Some(thread) = threads.get(session) {
            let refused = match thread.jobs.try_send(job) {
                Ok(()) => return Ok(thread.interrupt.clone()),
                Err(mpsc::TrySendError::Full(_)) => {
                    return Err(std::io::Error::other("too many programs wait in this session"));
                }
                Err(mpsc::TrySendError::Disconnected(job)) => job,
            };
            threads.remove(session);
            return start(&mut threads, session, refused);
        }
        start(&mut threads, session, job)
    }

    /// Whether a session's worker lives, and with it what has no stored form.
    pub fn has_worker(&self, session: &SessionId) -> bool {
        let threads = held(&self.threads);
        let thread = threads.get(session);
        thread.is_some_and(|thread| held(&thread.interrupt.stopper).is_some())
    }

    /// Ends all workers and their threads.
    pub fn end_all(&self) {
        for (_, thread) in held(&self.threads).drain() {
            thread.interrupt.stop();
        }
    }
}

/// Names that a program may use: all that were kept, and of those without a JSON form only what is still alive in
/// this very worker.
pub fn known_names(session: &mut Session, kept: &[Variable]) -> Vec<String> {
    let alive = session.keeps_variables();
    let known = kept.iter().filter(|variable| alive || variable.value.is_some());
    known.map(|variable| variable.name.clone()).collect()
}

/// Kept variables as a model sees them: those that its next program finds, and the names of those that went with the
/// worker which held them.
pub fn previews(kept: Vec<Variable>, has_worker: bool) -> (Vec<VariablePreview>, Vec<String>) {
    let is_there = |variable: &Variable| has_worker || variable.value.is_some();
    let (there, gone): (Vec<_>, Vec<_>) = kept.into_iter().partition(is_there);
    let preview = |variable: Variable| VariablePreview {
        name: variable.name,
        kind: variable.kind,
        preview: variable.text,
    };
    (
        there.into_iter().map(preview).collect(),
        gone.into_iter().map(|variable| variable.name).collect(),
    )
}

fn start(
    threads: &mut HashMap<SessionId, Thread>,
    session: &SessionId,
    job: Job,
) -> std::io::Result<Interrupt> {
    let (jobs, queue) = mpsc::sync_channel(JOBS_QUEUED);
    let slot = Slot::default();
    let interrupt = Interrupt {
        stopper: Arc::clone(&slot.stopper),
    };
    std::thread::Builder::new()
        .name("programs".to_owned())
        .spawn(move || work(slot, job, &queue))?;
    threads.insert(
        session.clone(),
        Thread {
            jobs,
            interrupt: interrupt.clone(),
        },
    );
    Ok(interrupt)
}

fn work(mut slot: Slot, first: Job, queue: &Receiver<Job>) {
    first(&mut slot);
    loop {
        match queue.recv_timeout(WORKER_IDLE) {
            Ok(job) => job(&mut slot),
            // The thread costs next to nothing and waits on; the process is what is saved.
            Err(RecvTimeoutError::Timeout) => slot.discard(),
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn kept(name: &str, value: Option<Value>) -> Variable {
        Variable {
            name: name.into(),
            kind: "kind".into(),
            value,
            text: "text".into(),
            tainted: false,
            run: None,
        }
    }

    #[test]
    fn what_has_no_stored_form_lives_as_long_as_the_worker_and_is_gone_with_it() {
        let all = || {
            vec![
                kept("helper", None),
                kept("rx", None),
                kept("total", Some(json!(4950))),
            ]
        };
        let named = |previews: Vec<VariablePreview>| -> Vec<String> {
            previews.into_iter().map(|preview| preview.name).collect()
        };
        let (there, gone) = previews(all(), false);
        assert_eq!(
            (named(there), gone),
            (vec!["total".into()], vec!["helper".into(), "rx".into()])
        );
        let (there, gone) = previews(all(), true);
        assert_eq!((named(there).len(), gone.len()), (3, 0));
    }

    #[test]
    fn a_session_in_which_nothing_has_run_in_this_process_has_no_worker() {
        let workers = Workers::default();
        let session = SessionId::from("s");
        assert!(!workers.has_worker(&session));
        let (done, is_done) = mpsc::channel();
        let job: Job = Box::new(move |_| done.send(()).expect("somebody waits"));
        let started = workers.submit(&session, job);
        assert!(started.is_ok());
        is_done.recv().expect("the job is done");
        assert!(!workers.has_worker(&session), "a job that took no worker");
    }
}
