//! The toolkit `shell` at work: commands that are waited for, and jobs that go on by themselves (F8.6).
//!
//! A job's folder tells how the job stands. This crate knows only who waits for a job, and which ends nobody was told
//! of yet. A job belongs to its session. Whoever stops a task ends the jobs that it began; the end of the program
//! leaves them running.

mod job_net;
mod limits;
mod net;
pub mod people;
mod sentences;

pub use job_net::work_as_child;
pub use net::{Hosts, with_host};
pub use sentences::{checks, no_walls};

use crate::limits::{
    COMMANDS_AT_ONCE, JOB_COMMAND_SHOWN_CHARACTERS, JOB_ENDS_WAIT, JOB_WAIT_SECONDS_DEFAULT,
    JOB_WAIT_SECONDS_MAX, JOBS_AT_ONCE, JOBS_KEPT_MAX, JOBS_OF_SESSION_AT_ONCE,
};
use net::{Net, add_refused};
use parking_lot::Mutex;
use sentences::{hidden, not_run};
use serde_json::{Value, json};
use shidi_locales::Language;
use shidi_protocol::{Call, CallOutcome, Reply, RunId, SessionId};
use shidi_space::Space;
use shidi_space::clock;
use shidi_toolkits::Environment;
use shidi_toolkits::shell::{self, AllowedHost, Ended, Facts, Job, Standing, Supervision};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Once, OnceLock, Weak};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

/// What of the shell lives as long as the process.
#[derive(Debug)]
pub struct Jobs {
    /// Places for commands that are waited for.
    places: Semaphore,
    /// Where jobs lie; `None` where nothing may be left.
    folder: Option<PathBuf>,
    /// What supervises them.
    program: PathBuf,
    known: Mutex<JobTable>,
    /// Whether the jobs of earlier processes were looked at.
    earlier: Once,
    /// Jobs begin one at a time: each sees the one before it.
    beginning: Mutex<()>,
    /// A connection is told of by one call.
    telling: Mutex<()>,
    /// Whose watchers hear of beginnings and ends; empty before it is there.
    teller: OnceLock<Weak<Space>>,
}

#[derive(Debug, Default)]
struct JobTable {
    /// The jobs that run, with a word when they don't any more.
    watched: HashMap<String, watch::Receiver<bool>>,
    /// The jobs that have ended while nobody was told, and how. Nothing is read under this lock.
    news: Vec<(Job, Standing)>,
}

impl JobTable {
    fn add(&mut self, job: Job, standing: Standing) {
        if self.news.iter().all(|(other, _)| other.facts.id != job.facts.id) {
            self.news.push((job, standing));
        }
    }
}

/// Whose program calls.
#[derive(Clone)]
pub struct Caller {
    /// `None` for a program outside of any conversation.
    pub session: Option<SessionId>,
    pub run: RunId,
    /// Who decides on the hosts of its command.
    pub hosts: Arc<dyn Hosts>,
    /// Ends what is waited for, and no job.
    pub cancel: CancellationToken,
    /// How long the call had waited before a restart.
    pub waited: Duration,
}

/// Whether a call is for this toolkit.
pub fn is_for_the_shell(call: &Call) -> bool {
    call.toolkit == shell::NAME
}

/// Whether a call waits for a job: that time is not its program's own.
pub fn is_wait(call: &Call) -> bool {
    is_for_the_shell(call) && call.method == "wait"
}

/// Performs a call of this toolkit. Whoever drops it in the middle ends a command that is waited for, and no job.
pub async fn perform(
    (space, jobs): (&Arc<Space>, &Arc<Jobs>),
    caller: Caller,
    call: Call,
    environment: Environment,
) -> CallOutcome {
    match call.method.as_str() {
        "run" => run((space, jobs), caller, call, environment).await,
        "wait" => wait(jobs, &caller, &call).await,
        "kill" => kill(jobs, &caller, &call).await,
        shell::CONNECT => net::connect(&call),
        "background" => {
            let hosts = match job_net::allowed(caller.hosts.as_ref(), &call).await {
                Ok(hosts) => hosts,
                Err(refused) => return refused,
            };
            let (jobs, space) = (Arc::clone(jobs), Arc::clone(space));
            beside(move || jobs.begin(&space, &caller, (&call, hosts), &environment)).await
        }
        _ => {
            let jobs = Arc::clone(jobs);
            beside(move || {
                jobs.found(&caller, &call)
                    .map_or_else(|| missing(&call), |job| jobs.told_of(&caller, &job))
            })
            .await
        }
    }
}

async fn run(
    (space, jobs): (&Arc<Space>, &Arc<Jobs>),
    caller: Caller,
    call: Call,
    environment: Environment,
) -> CallOutcome {
    let Ok(_place) = jobs.places.acquire().await else {
        return CallOutcome::failure("RuntimeError", "The program ends");
    };
    let space = Arc::clone(space);
    beside(move || {
        let is_wanted = || !caller.cancel.is_cancelled();
        let order = shell::order(&call, &environment, &hidden(&space.home));
        let net = Net::new(
            Arc::clone(&caller.hosts),
            &call,
            space.config().reach.proxy.setting().to_owned(),
        );
        let performed = order.and_then(|order| shell::perform(&order, Some(&net), &is_wanted));
        let performed = performed.map(|outcome| net.told(outcome));
        performed.unwrap_or_else(|cause| not_run(space.language(), &cause))
    })
    .await
}

/// Work that reads and writes, on a thread that may wait for it.
async fn beside(work: impl FnOnce() -> CallOutcome + Send + 'static) -> CallOutcome {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|cause| CallOutcome::failure("RuntimeError", cause.to_string()))
}

/// Asks a job to end.
async fn stopped(job: &Job) -> std::io::Result<()> {
    let job = job.clone();
    let asked = tokio::task::spawn_blocking(move || job.stop()).await;
    asked.unwrap_or_else(|cause| Err(std::io::Error::other(cause)))
}

async fn wait(jobs: &Arc<Jobs>, caller: &Caller, call: &Call) -> CallOutcome {
    let Some(job) = jobs.looked_up(caller, call).await else {
        return missing(call);
    };
    let most = call.args.get("timeout").and_then(Value::as_f64);
    let most = most
        .filter(|seconds| seconds.is_finite())
        .unwrap_or(JOB_WAIT_SECONDS_DEFAULT);
    let most = Duration::from_secs_f64(most.clamp(0.0, JOB_WAIT_SECONDS_MAX));
    jobs.until_end(&job, most.saturating_sub(caller.waited)).await;
    let (jobs, caller) = (Arc::clone(jobs), caller.clone());
    beside(move || jobs.told_of(&caller, &job)).await
}

async fn kill(jobs: &Arc<Jobs>, caller: &Caller, call: &Call) -> CallOutcome {
    let Some(job) = jobs.looked_up(caller, call).await else {
        return missing(call);
    };
    if let Err(cause) = stopped(&job).await {
        return CallOutcome::failure("OSError", cause.to_string());
    }
    jobs.until_end(&job, JOB_ENDS_WAIT).await;
    let (jobs, caller) = (Arc::clone(jobs), caller.clone());
    beside(move || jobs.told_of(&caller, &job)).await
}

impl Jobs {
    /// Jobs below `folder`, supervised by `program`.
    pub fn new(folder: Option<PathBuf>, program: PathBuf) -> Self {
        Self {
            places: Semaphore::new(COMMANDS_AT_ONCE),
            folder,
            program,
            known: Mutex::default(),
            earlier: Once::new(),
            beginning: Mutex::default(),
            telling: Mutex::default(),
            teller: OnceLock::new(),
        }
    }

    /// From now on those who watch `space` hear of beginnings and ends.
    pub fn tell_through(&self, space: &Arc<Space>) {
        self.teller.get_or_init(|| Arc::downgrade(space));
    }

    fn tell(&self, job: &Job) {
        if let Some(space) = self.teller.get().and_then(Weak::upgrade) {
            let job = people::view(job);
            space.tell(&Reply::JobChanged { job });
        }
    }

    fn begin(
        self: &Arc<Self>,
        space: &Space,
        caller: &Caller,
        (call, hosts): (&Call, Vec<AllowedHost>),
        environment: &Environment,
    ) -> CallOutcome {
        let language = space.language();
        let (Some(folder), Some(session)) = (&self.folder, &caller.session) else {
            return CallOutcome::failure("RuntimeError", sentences::nowhere(language)).own();
        };
        let order = match shell::order(call, environment, &hidden(&space.home)) {
            Ok(order) => order,
            Err(cause) => return not_run(language, &cause),
        };
        let facts = Facts {
            id: id_of(&caller.run, call),
            session: session.clone(),
            run: caller.run.clone(),
            command: order.command().to_owned(),
            began: clock::now(),
            hosts,
        };
        let _one_at_a_time = self.beginning.lock();
        let all = shell::jobs(folder);
        // The same call once more, after a restart in its middle: it has begun what it was to begin.
        if let Some(job) = all.iter().find(|job| job.facts.id == facts.id) {
            return handle(job);
        }
        let at_work: Vec<&Job> = all
            .iter()
            .filter(|job| job.standing() == Standing::Running)
            .collect();
        let own = at_work.iter().filter(|job| job.facts.session == *session).count();
        if own >= JOBS_OF_SESSION_AT_ONCE || at_work.len() >= JOBS_AT_ONCE {
            return CallOutcome::failure("RuntimeError", sentences::too_many(language)).own();
        }
        drop_oldest(&all);
        let config = space.config();
        let supervision = Supervision {
            program: &self.program,
            proxy: config.reach.proxy.setting(),
        };
        match Job::begin(folder, facts, &order, supervision) {
            Ok(job) => {
                self.watch(&mut self.known.lock(), &job);
                self.tell(&job);
                handle(&job)
            }
            Err(cause) => not_run(language, &cause),
        }
    }

    /// The job that a call names, if it is one of its session.
    fn found(&self, caller: &Caller, call: &Call) -> Option<Job> {
        let id = named(call);
        let is_name = !id.is_empty() && id.chars().all(|part| part.is_ascii_alphanumeric() || part == '-');
        self.folder
            .as_ref()
            .filter(|_| is_name)
            .and_then(|folder| Job::at(&folder.join(id)))
            .filter(|job| Some(&job.facts.session) == caller.session.as_ref())
    }

    /// The same, looked for on a thread that may wait.
    async fn looked_up(self: &Arc<Self>, caller: &Caller, call: &Call) -> Option<Job> {
        let (jobs, caller, call) = (Arc::clone(self), caller.clone(), call.clone());
        let found = tokio::task::spawn_blocking(move || jobs.found(&caller, &call)).await;
        found.unwrap_or_default()
    }

    /// How a job stands, for a program. Once it has heard of the end, that is no news.
    fn told_of(&self, caller: &Caller, job: &Job) -> CallOutcome {
        let standing = job.standing();
        let (state, ended, at) = match standing {
            Standing::Running => ("running", None, clock::now()),
            Standing::Ended(end) => ("ended", Some(end.ended), end.at),
            Standing::Lost => ("lost", None, clock::now()),
        };
        if standing != Standing::Running {
            self.told(&job.facts.id);
        }
        let code = match ended {
            Some(Ended::Exited { code }) => Some(code),
            Some(Ended::TimedOut | Ended::OutOfMemory | Ended::TooManyProcesses | Ended::Stopped) | None => {
                None
            }
        };
        let mut data = json!({
            "id": job.facts.id,
            "command": job.facts.command,
            "state": state,
            "exit_code": code,
            "ended": ended.map(Ended::name),
            "output": job.output(),
            "seconds": at.since(job.facts.began) / 1_000,
        });
        let refused = {
            let _one_at_a_time = self.telling.lock();
            job_net::told(job, caller.hosts.as_ref())
        };
        if let Value::Object(data) = &mut data {
            add_refused(data, "output", &refused);
        }
        let summary = ended.map_or_else(|| state.to_owned(), Ended::shown);
        CallOutcome::success(data, summary)
    }

    /// Waits until a job has ended, or that long.
    async fn until_end(self: &Arc<Self>, job: &Job, most: Duration) {
        let mut ends = {
            let mut known = self.known.lock();
            self.watch(&mut known, job)
        };
        let ended = ends.wait_for(|has_ended| *has_ended);
        // Both are told by how the job stands.
        drop(tokio::time::timeout(most, ended).await);
    }

    /// A word for the end of a job. A thread waits for each, as locks are waited for.
    fn watch(self: &Arc<Self>, known: &mut JobTable, job: &Job) -> watch::Receiver<bool> {
        if let Some(ends) = known.watched.get(&job.facts.id) {
            return ends.clone();
        }
        let (sender, ends) = watch::channel(false);
        known.watched.insert(job.facts.id.clone(), ends.clone());
        let (jobs, job) = (Arc::clone(self), job.clone());
        std::thread::spawn(move || {
            job.wait();
            let (standing, is_told) = (job.standing(), job.is_told());
            let mut known = jobs.known.lock();
            known.watched.remove(&job.facts.id);
            if !is_told {
                known.add(job.clone(), standing);
            }
            drop(known);
            jobs.tell(&job);
            sender.send_replace(true);
        });
        ends
    }

    /// The jobs of a session that have ended while nobody was told, each with a sentence.
    pub fn news(self: &Arc<Self>, session: &SessionId, language: Language) -> Vec<(String, String)> {
        self.find_earlier();
        let known = self.known.lock();
        let of_session = known.news.iter().filter(|(job, _)| job.facts.session == *session);
        of_session
            .map(|(job, standing)| (job.facts.id.clone(), sentence(job, *standing, language)))
            .collect()
    }

    /// Jobs of earlier processes end in this one, too.
    pub async fn take_up_earlier(self: &Arc<Self>) {
        let jobs = Arc::clone(self);
        if let Err(cause) = tokio::task::spawn_blocking(move || jobs.find_earlier()).await {
            tracing::warn!(%cause, "jobs of earlier processes were not looked for");
        }
    }

    /// Finds what earlier processes began, once; whoever comes meanwhile waits for it.
    pub fn find_earlier(self: &Arc<Self>) {
        self.earlier.call_once_force(|_| self.look());
    }

    /// Finds what earlier processes began.
    fn look(self: &Arc<Self>) {
        let Some(folder) = &self.folder else { return };
        for job in shell::jobs(folder).into_iter().filter(|job| !job.is_told()) {
            match job.standing() {
                Standing::Running => drop(self.watch(&mut self.known.lock(), &job)),
                standing @ (Standing::Ended(_) | Standing::Lost) => self.known.lock().add(job, standing),
            }
        }
    }

    /// Somebody knows that the job has ended.
    pub fn told(&self, id: &str) {
        self.known.lock().news.retain(|(job, _)| job.facts.id != id);
        if let Some(job) = self.folder.as_ref().and_then(|folder| Job::at(&folder.join(id))) {
            job.tell();
        }
    }

    /// Ends the jobs that a task has begun.
    pub fn stop_of(&self, run: &RunId) {
        for job in self.those(|job| job.facts.run == *run && job.standing() == Standing::Running) {
            if let Err(cause) = job.stop() {
                tracing::warn!(%cause, job = job.facts.id, "a job could not be ended");
            }
        }
    }

    /// Ends and erases the jobs of a session.
    pub fn erase_of(&self, session: &SessionId) {
        for job in self.those(|job| job.facts.session == *session) {
            self.known
                .lock()
                .news
                .retain(|(other, _)| other.facts.id != job.facts.id);
            if let Err(cause) = job.erase() {
                tracing::warn!(%cause, job = job.facts.id, "a job's folder could not be erased");
            }
        }
    }

    fn those(&self, wanted: impl Fn(&Job) -> bool) -> Vec<Job> {
        let all = self
            .folder
            .as_ref()
            .map(|folder| shell::jobs(folder))
            .unwrap_or_default();
        all.into_iter().filter(wanted).collect()
    }
}

fn named(call: &Call) -> &str {
    call.args.get("id").and_then(Value::as_str).unwrap_or_default()
}

fn missing(call: &Call) -> CallOutcome {
    CallOutcome::failure(
        "KeyError",
        format!("This session has no background job \"{}\"", named(call)),
    )
    .own()
}

/// What a program is given to find its job by.
fn handle(job: &Job) -> CallOutcome {
    let Facts { id, command, .. } = &job.facts;
    CallOutcome::success(json!({"id": id, "command": command}), format!("{id} begun")).own()
}

/// The same for the same call, also after a restart.
fn id_of(run: &RunId, call: &Call) -> String {
    let text = format!("{run} {} {}", call.id, call.exec);
    format!("job-{:08x}", shidi_space::home::fnv1a(text.as_bytes()) >> 32)
}

/// Makes place for another one: the oldest ones that have ended go.
fn drop_oldest(all: &[Job]) {
    let over = (all.len() + 1).saturating_sub(JOBS_KEPT_MAX);
    let ended = all.iter().filter(|job| job.standing() != Standing::Running);
    for job in ended.take(over) {
        if let Err(cause) = job.erase() {
            tracing::warn!(%cause, job = job.facts.id, "an old job's folder could not be erased");
        }
    }
}

fn sentence(job: &Job, standing: Standing, language: Language) -> String {
    let line = job.facts.command.lines().next().unwrap_or_default();
    let mut command: String = line.chars().take(JOB_COMMAND_SHOWN_CHARACTERS).collect();
    if command.len() < job.facts.command.len() {
        command.push('…');
    }
    let how = match standing {
        Standing::Ended(end) => sentences::ended(language, end.ended),
        Standing::Lost | Standing::Running => language.jobs().lost().to_owned(),
    };
    language.jobs().background_job(command, how, &job.facts.id)
}
