//! A model file on this computer (F1.6): its header is read, and a server for it found and planned for. The server
//! starts confined when a model is first asked, is kept warm, and ends when nobody asks.
//!
//! The server is the user's own `llama-server`, or the build that they downloaded here, as they may download a model.
//! The server never outlives this program, and each program has its own. Two share no port, no key and no process.

mod downloads;
mod header;
mod holding;
mod limits;
mod machine;
mod plan;
mod program;
mod server;
mod trouble;
mod view;
mod words;

use crate::downloads::{Downloads, newest};
use crate::header::{Header, HeaderError};
use crate::holding::{Held, end_when_idle};
use crate::limits::{ASKED_AGAIN_AFTER, RESTARTED_AFTER, RESTARTED_AFTER_MAX};
use crate::plan::{CONTEXT_LEAST, Plan, Wishes};
use crate::program::{Flags, Place, Places, Unsaid};
use crate::server::{Server, Unready};
use crate::trouble::Trouble;
use async_trait::async_trait;
use parking_lot::Mutex;
use shidi_models::{FileServer, Outline, Served, unserved};
use shidi_protocol::{LocalModelPhase, ModelFailure, Reply};
use shidi_space::Space;
use shidi_toolkits::shell::{Serving, of_program};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, SystemTime};

/// The user's model file, and its server while there is one.
pub struct LocalModel {
    space: Arc<Space>,
    this: Weak<Self>,
    /// Held while a server is started: whoever asks meanwhile waits for the same one.
    slot: tokio::sync::Mutex<Option<Arc<Running>>>,
    told: Mutex<ServerStatus>,
    downloads: Downloads,
    /// When those who watch were last told how far a download is.
    told_progress: Mutex<Option<Instant>>,
}

/// What is known of it, for whoever wants to see it.
#[derive(Debug, Clone, Default)]
struct ServerStatus {
    phase: LocalModelPhase,
    plan: Option<Plan>,
    load_ms: Option<u32>,
    /// Thousandths of a token each second.
    speed: Option<u64>,
    trouble: Option<Trouble>,
    /// Deaths since the last answer.
    deaths: u32,
    header: Option<CacheEntry<Header>>,
    program: Option<CacheEntry<ProgramInfo>>,
    /// A program that said nothing of itself, and when that was.
    silent: Option<(CacheEntry<Unsaid>, Instant)>,
}

/// What was read of a file, as long as the file stays the same.
#[derive(Debug, Clone)]
struct CacheEntry<T> {
    stamp: Stamp,
    value: T,
}

/// A file as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    path: PathBuf,
    bytes: u64,
    changed: Option<SystemTime>,
}

/// What a program says of itself.
#[derive(Debug, Clone)]
struct ProgramInfo {
    flags: Flags,
    version: Option<String>,
}

/// What a server is started for; a running one serves for the same.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wanted {
    file: Stamp,
    program: Stamp,
    context: u32,
    threads: u32,
}

struct Running {
    server: Server,
    wanted: Wanted,
    holds: AtomicUsize,
    used: Mutex<Instant>,
}

impl LocalModel {
    /// Serves the file that the settings of `space` name, to the models of its process.
    #[must_use]
    pub fn new(space: Arc<Space>) -> Arc<Self> {
        let own = Arc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            slot: tokio::sync::Mutex::default(),
            told: Mutex::default(),
            downloads: Downloads::default(),
            told_progress: Mutex::default(),
            space,
        });
        own.space.models().serve_files_by(&own);
        own
    }

    /// The chosen file's path.
    fn file(&self) -> Result<PathBuf, Trouble> {
        let file = self.space.config().local_model.file.clone();
        let file = Some(file)
            .filter(|file| !file.is_empty())
            .ok_or(Trouble::NoFile)?;
        canonical(Path::new(&file))
    }

    /// The header of a file, read once as long as it stays the same.
    async fn header(&self, path: PathBuf) -> Result<CacheEntry<Header>, Trouble> {
        let stamp = Stamp::of(&path).map_err(|cause| Trouble::File(HeaderError::Unreadable(cause)))?;
        let kept = self.told.lock().header.clone();
        if let Some(kept) = kept.filter(|kept| kept.stamp == stamp) {
            return Ok(kept);
        }
        let value = aside(move || header::read(&path)).await?.map_err(Trouble::File)?;
        let read = CacheEntry { stamp, value };
        self.told.lock().header = Some(read.clone());
        Ok(read)
    }

    /// Where the program is that would be started.
    fn program_path(&self) -> Result<PathBuf, Trouble> {
        let (named, granted) = {
            let config = self.space.config();
            (config.local_model.program.clone(), config.task.folders.0.clone())
        };
        let places = Places {
            named: &named,
            path: std::env::var_os("PATH").unwrap_or_default(),
            home: home(),
            downloaded: newest(&self.space.home.engines()),
            granted,
        };
        let missing = || Trouble::NoProgram(Some(PathBuf::from(&named)).filter(|_| !named.is_empty()));
        program::find(&places).ok_or_else(missing)
    }

    /// The program, and what it knows.
    async fn program(&self) -> Result<CacheEntry<ProgramInfo>, Trouble> {
        let path = self.program_path()?;
        let stamp = Stamp::of(&path).map_err(|_| Trouble::NoProgram(Some(path.clone())))?;
        let kept = self.told.lock().program.clone();
        if let Some(kept) = kept.filter(|kept| kept.stamp == stamp) {
            return Ok(kept);
        }
        let silent = self.told.lock().silent.clone();
        if let Some((kept, _)) =
            silent.filter(|(kept, at)| kept.stamp == stamp && at.elapsed() < ASKED_AGAIN_AFTER)
        {
            return Err(Trouble::Unsaid(kept.value));
        }
        let folder = server::folder().map_err(|cause| Trouble::Own(cause.to_string()))?;
        let help = self.serving(&path, folder.path(), vec!["--help".into()]);
        let said = aside(move || {
            let said = program::said(&help);
            drop(folder);
            said
        });
        let help = said.await?.map_err(|value| {
            let stamp = stamp.clone();
            self.told.lock().silent = Some((
                CacheEntry {
                    stamp,
                    value: value.clone(),
                },
                Instant::now(),
            ));
            Trouble::Unsaid(value)
        })?;
        let flags = Flags::of(&help);
        let read = CacheEntry {
            stamp,
            value: ProgramInfo { flags, version: None },
        };
        self.told.lock().program = Some(read.clone());
        Ok(read)
    }

    fn serving(&self, program: &Path, folder: &Path, arguments: Vec<std::ffi::OsString>) -> Serving {
        Serving {
            program: program.to_owned(),
            arguments,
            environment: Vec::new(),
            reads: of_program(program, home().as_deref()),
            folder: folder.to_owned(),
            at_port: false,
        }
    }

    fn wishes(&self) -> Wishes {
        let config = self.space.config();
        Wishes {
            context: config.local_model.context,
            threads: config.local_model.threads,
        }
    }

    /// A server of the chosen file, held: the one that runs, or a new one.
    async fn held(&self) -> Result<Held, Trouble> {
        let header = self.header(self.file()?).await?;
        let program = self.program().await?;
        if !program.value.flags.suffice() {
            return Err(Trouble::OldProgram);
        }
        let wishes = self.wishes();
        let wanted = Wanted {
            file: header.stamp,
            program: program.stamp,
            context: wishes.context,
            threads: wishes.threads,
        };
        let mut slot = self.slot.lock().await;
        let running = slot
            .clone()
            .filter(|running| running.wanted == wanted && running.server.ended().is_none());
        let running = match running {
            Some(running) => running,
            None => {
                if let Some(gone) = slot.take().and_then(|running| running.server.ended()) {
                    tracing::info!(?gone, "the server of a model file has ended");
                }
                let started = self.start(wanted, &header.value, &program.value.flags).await?;
                *slot = Some(Arc::clone(&started));
                started
            }
        };
        Ok(Held::of(&self.this, running))
    }

    /// Starts a server and waits until its model is loaded.
    async fn start(&self, wanted: Wanted, header: &Header, flags: &Flags) -> Result<Arc<Running>, Trouble> {
        let plan = plan::plan(header, machine::measure(), self.wishes()).map_err(Trouble::TooLarge)?;
        let pause = pause(self.told.lock().deaths);
        self.tell(|told| {
            told.phase = LocalModelPhase::Loading;
            told.plan = Some(plan);
            (told.load_ms, told.trouble) = (None, None);
        });
        let _loading = Loading(self);
        tokio::time::sleep(pause).await;
        let started = Instant::now();
        let server = self.begun(&wanted, &plan, flags).await?;
        server.ready().await.map_err(Trouble::Unready)?;
        let running = Arc::new(Running {
            server,
            wanted,
            holds: AtomicUsize::new(0),
            used: Mutex::new(Instant::now()),
        });
        self.tell(|told| {
            told.phase = LocalModelPhase::Ready;
            told.load_ms = u32::try_from(started.elapsed().as_millis()).ok();
        });
        self.space
            .tasks
            .spawn(end_when_idle(Weak::clone(&self.this), Arc::downgrade(&running)));
        Ok(running)
    }

    async fn begun(&self, wanted: &Wanted, plan: &Plan, flags: &Flags) -> Result<Server, Trouble> {
        let no_place = |cause: std::io::Error| Trouble::Unready(Unready::NoPlace(cause.to_string()));
        let folder = server::folder().map_err(no_place)?;
        let at = folder.path().canonicalize().map_err(no_place)?;
        let place = match flags.at_socket {
            true => Place::Socket(at.join("model.sock")),
            false => Place::Port(server::free_port().map_err(no_place)?),
        };
        let file = &wanted.file.path;
        let name = name_of(file);
        let arguments = program::arguments(flags, plan, (file, &name), &place);
        let mut serving = self.serving(&wanted.program.path, &at, arguments);
        serving.reads.push(file.clone());
        serving.at_port = matches!(place, Place::Port(_));
        Server::start(serving, place, folder)
            .await
            .map_err(Trouble::Unready)
    }

    /// Changes what is known, and tells those who watch.
    fn tell(&self, change: impl FnOnce(&mut ServerStatus)) {
        {
            let mut told = self.told.lock();
            change(&mut told);
        }
        self.space.tell(&Reply::LocalModelChanged {
            phase: self.told.lock().phase,
        });
    }

    fn failed(&self, trouble: &Trouble) -> ModelFailure {
        self.tell(|told| {
            told.phase = LocalModelPhase::Failed;
            told.trouble = Some(trouble.clone());
        });
        unserved(trouble.worded())
    }
}

#[async_trait]
impl FileServer for LocalModel {
    async fn outline(&self) -> Result<Outline, ModelFailure> {
        let read = async {
            let path = self.file()?;
            let header = self.header(path).await?;
            Ok((name_of(&header.stamp.path), header.value))
        };
        let (name, header) = read
            .await
            .map_err(|trouble: Trouble| unserved(trouble.worded()))?;
        let loaded = self.told.lock().clone();
        let window = match (loaded.phase, loaded.plan) {
            (LocalModelPhase::Ready, Some(plan)) => plan.context,
            // Whether it fits is told when it is started.
            _ => plan::plan(&header, machine::measure(), self.wishes())
                .map_or(CONTEXT_LEAST, |plan| plan.context),
        };
        Ok(Outline { name, window })
    }

    async fn serve(&self) -> Result<Served, ModelFailure> {
        let held = self.held().await.map_err(|trouble| self.failed(&trouble))?;
        let server = &held.running.server;
        let (base_url, socket) = match &server.place {
            Place::Socket(socket) => ("http://localhost/v1".to_owned(), Some(socket.clone())),
            Place::Port(port) => (format!("http://127.0.0.1:{port}/v1"), None),
        };
        Ok(Served {
            base_url,
            socket,
            key: server.key.clone(),
            hold: Box::new(held),
        })
    }
}

/// A start that is given up leaves nothing that loads.
struct Loading<'a>(&'a LocalModel);

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        if self.0.told.lock().phase == LocalModelPhase::Loading {
            self.0.tell(|told| told.phase = LocalModelPhase::Asleep);
        }
    }
}

/// The pause before a server is started again after so many deaths.
fn pause(deaths: u32) -> Duration {
    match deaths {
        0 => Duration::ZERO,
        deaths => (RESTARTED_AFTER * (1 << (deaths - 1).min(12))).min(RESTARTED_AFTER_MAX),
    }
}

impl Stamp {
    fn of(path: &Path) -> Result<Self, String> {
        let facts = path.metadata().map_err(|cause| cause.to_string())?;
        Ok(Self {
            path: path.to_owned(),
            bytes: facts.len(),
            changed: facts.modified().ok(),
        })
    }
}

/// All links followed: models lie in caches full of links.
fn canonical(path: &Path) -> Result<PathBuf, Trouble> {
    path.canonicalize()
        .map_err(|cause| Trouble::File(HeaderError::Unreadable(cause.to_string())))
}

fn name_of(file: &Path) -> String {
    file.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn home() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned())
}

async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Trouble> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|cause| Trouble::Own(cause.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_after_deaths_grows_and_is_bounded() {
        let pauses = [0, 1, 2, 3, 40].map(pause);
        assert_eq!(pauses[..2], [Duration::ZERO, RESTARTED_AFTER]);
        assert!(pauses.is_sorted() && pauses[4] == RESTARTED_AFTER_MAX);
    }
}
