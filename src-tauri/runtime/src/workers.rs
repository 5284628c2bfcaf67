//! One warm worker per session, each owned by one thread for as long as the session is active.
//!
//! The thread is the worker's parent. The kernel ends a worker whose spawning thread ends, so the thread must outlive
//! every program. Jobs of a session run one after the other. Stopping a program ends its worker, and the next job gets
//! a fresh one.

use crate::limits::{VARIABLES_NAMED_MAX, WORKER_IDLE};
use parking_lot::Mutex;
use shidi_executor::{ExecutorError, Outcome, Session, SpawnOptions, Stopper};
use shidi_protocol::{RunId, SessionId, ToolkitSpec, VariablePreview};
use shidi_store::Variable;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};

/// Jobs of one session that may wait. One run is at work at a time, so a second job is already unusual.
const JOBS_QUEUED: usize = 16;

/// Work for a session's worker. The work gets the worker's slot: empty at first, and after a worker was lost.
pub type Job = Box<dyn FnOnce(&mut Slot) + Send>;

/// Stands for a job among those of its thread.
type JobNumber = u64;

/// The place of a session's worker.
#[derive(Default)]
pub struct Slot {
    warm: Option<Session>,
    at_work: Arc<Mutex<AtWork>>,
}

/// The state of a session's thread, as other threads see it.
#[derive(Default)]
struct AtWork {
    job: Option<JobNumber>,
    stopper: Option<Stopper>,
    /// Whether the worker goes as soon as what is queued has run.
    leaves: bool,
}

/// Ends the worker while one job has it. A job that waits behind another is not its to end. Such a job asks by itself,
/// when it begins, whether anybody still wants it.
pub struct Interrupt {
    job: JobNumber,
    at_work: Arc<Mutex<AtWork>>,
}

#[derive(Default)]
pub struct Workers {
    threads: Mutex<HashMap<SessionId, Thread>>,
}

struct Thread {
    jobs: SyncSender<(JobNumber, Job)>,
    next_job: JobNumber,
    at_work: Arc<Mutex<AtWork>>,
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
        self.at_work.lock().stopper = Some(session.stopper());
        Ok(self.warm.insert(session))
    }

    /// The warm worker, if there is one.
    pub fn warm(&mut self) -> Option<&mut Session> {
        self.warm.as_mut()
    }

    /// Lets the worker go: it was stopped, or lost.
    pub fn discard(&mut self) {
        self.at_work.lock().stopper = None;
        self.warm = None;
    }
}

impl Interrupt {
    /// Kills the worker if this job has it. Returns at once.
    pub fn stop(&self) {
        let at_work = self.at_work.lock();
        if at_work.job == Some(self.job) {
            at_work.stop();
        }
    }
}

impl AtWork {
    fn stop(&self) {
        if let Some(stopper) = &self.stopper {
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
        let mut threads = self.threads.lock();
        let Some(thread) = threads.get_mut(session) else {
            return start(&mut threads, session, job);
        };
        let number = thread.next_job;
        match thread.jobs.try_send((number, job)) {
            Ok(()) => {
                thread.next_job += 1;
                Ok(Interrupt {
                    job: number,
                    at_work: Arc::clone(&thread.at_work),
                })
            }
            Err(mpsc::TrySendError::Full(_)) => {
                Err(std::io::Error::other("too many programs wait in this session"))
            }
            Err(mpsc::TrySendError::Disconnected((_, job))) => {
                threads.remove(session);
                start(&mut threads, session, job)
            }
        }
    }

    /// Whether a session's worker lives, and with it what has no stored form.
    pub fn has_worker(&self, session: &SessionId) -> bool {
        let threads = self.threads.lock();
        let thread = threads.get(session);
        thread.is_some_and(|thread| {
            let at_work = thread.at_work.lock();
            at_work.stopper.is_some() && !at_work.leaves
        })
    }

    /// Lets a session's worker go when what is queued has run: what comes next begins with a fresh one.
    pub fn leave(&self, session: &SessionId) {
        let Some(at_work) = self
            .threads
            .lock()
            .get(session)
            .map(|thread| Arc::clone(&thread.at_work))
        else {
            return;
        };
        at_work.lock().leaves = true;
        let goes = |slot: &mut Slot| {
            slot.discard();
            slot.at_work.lock().leaves = false;
        };
        if self.submit(session, Box::new(goes)).is_err() {
            // Its queue is full: the thread ends behind it, and the next job gets another one.
            self.threads.lock().remove(session);
        }
    }

    /// Ends all workers and their threads.
    pub fn end_all(&self) {
        for (_, thread) in self.threads.lock().drain() {
            thread.at_work.lock().stop();
        }
    }
}

/// Why a program ended that was still wanted.
pub fn stopped_from_outside() -> ExecutorError {
    ExecutorError::WorkerLost {
        why: "it was stopped from outside".to_owned(),
    }
}

/// Names that a program may use: all kept variables with a JSON form. A variable without one counts only while it is
/// alive in this very worker.
pub fn known_names(session: &mut Session, kept: &[Variable]) -> Vec<String> {
    let alive = session.keeps_variables();
    let known = kept.iter().filter(|variable| alive || variable.value.is_some());
    known.map(|variable| variable.name.clone()).collect()
}

/// What a program left anew, as `run` left it. What is as it was belongs to whoever left it.
pub fn changed(before: &[Variable], outcome: &Outcome, tainted: bool, run: Option<&RunId>) -> Vec<Variable> {
    let is_new = |left: &&shidi_executor::Variable| {
        let old = before.iter().find(|old| old.name == left.name);
        !old.is_some_and(|old| old.value == left.value && old.text == left.text)
    };
    let kept = |left: &shidi_executor::Variable| Variable {
        name: left.name.clone(),
        kind: left.kind.clone(),
        value: left.value.clone(),
        text: left.text.clone(),
        tainted,
        run: run.cloned(),
    };
    outcome.variables.iter().filter(is_new).map(kept).collect()
}

/// Which of the `known` names a program has deleted. They are missing from the full list of a worker that is well. A
/// name that a toolkit has by now is left out of what a worker names. The worker may count the program's value among
/// those it names, so that one fewer is a full list, too.
pub fn deleted(known: &[String], outcome: &Outcome, toolkits: &[ToolkitSpec]) -> Vec<String> {
    let left = &outcome.variables;
    let is_cut = left.len() + 1 >= VARIABLES_NAMED_MAX;
    if outcome.lost.is_some() || is_cut || (left.is_empty() && outcome.error.is_some()) {
        return Vec::new();
    }
    let is_left = |name: &String| left.iter().any(|variable| variable.name == *name);
    let is_hidden = |name: &String| toolkits.iter().any(|toolkit| toolkit.name == *name);
    let deleted = known.iter().filter(|name| !is_left(name) && !is_hidden(name));
    deleted.cloned().collect()
}

/// Kept variables as a model sees them. The first are the variables that its next program finds. Then come the names
/// of the variables that went with the worker that held them.
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
    let at_work = Arc::clone(&slot.at_work);
    let first = JobNumber::default();
    std::thread::Builder::new()
        .name("programs".to_owned())
        .spawn(move || work(slot, (first, job), &queue))?;
    threads.insert(
        session.clone(),
        Thread {
            jobs,
            next_job: first + 1,
            at_work: Arc::clone(&at_work),
        },
    );
    Ok(Interrupt { job: first, at_work })
}

fn work(mut slot: Slot, first: (JobNumber, Job), queue: &Receiver<(JobNumber, Job)>) {
    perform(&mut slot, first);
    loop {
        match queue.recv_timeout(WORKER_IDLE) {
            Ok(job) => perform(&mut slot, job),
            // The thread costs next to nothing and waits on; the process is what is saved.
            Err(RecvTimeoutError::Timeout) => slot.discard(),
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn perform(slot: &mut Slot, (number, job): (JobNumber, Job)) {
    slot.at_work.lock().job = Some(number);
    job(slot);
    slot.at_work.lock().job = None;
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

    fn outcome(names: &[&str]) -> Outcome {
        let left = names.iter().map(|name| shidi_executor::Variable {
            name: (*name).to_owned(),
            kind: "int".to_owned(),
            value: Some(json!(1)),
            text: "1".to_owned(),
        });
        Outcome {
            value: Value::Null,
            stdout: String::new(),
            error: None,
            variables: left.collect(),
            wall_ms: 1,
            cpu_ms: 1,
            memory_bytes: 1,
            lost: None,
        }
    }

    #[test]
    fn what_a_well_worker_no_longer_names_was_deleted() {
        let known = ["x".to_owned(), "y".to_owned()];
        assert_eq!(deleted(&known, &outcome(&["y", "z"]), &[]), ["x"]);
        assert_eq!(deleted(&known, &outcome(&[]), &[]), known);
        let hides = ToolkitSpec {
            name: "x".into(),
            doc: String::new(),
            methods: Vec::new(),
            source: shidi_protocol::ToolkitSource::BuiltIn,
            left_out: 0,
        };
        assert!(deleted(&known, &outcome(&["y"]), &[hides]).is_empty());
        let lost = Outcome {
            lost: Some(shidi_executor::Loss::Memory),
            ..outcome(&[])
        };
        assert!(deleted(&known, &lost, &[]).is_empty(), "its worker is gone");
        let many: Vec<String> = (0..VARIABLES_NAMED_MAX).map(|one| format!("n{one}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(
            deleted(&known, &outcome(&many), &[]).is_empty(),
            "it names no more"
        );
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
