//! The one way in: a connection to the runtime of a data folder, in this process or over its socket.
//!
//! The program that opens a folder first holds its lock and becomes its runtime. A second program becomes a client and
//! sees the same replies. Callers can't tell the difference.

use crate::dispatch;
use crate::errors::error;
use crate::home::{Home, Lock};
use crate::incognito::Spaces;
use crate::limits::{AFTER_RUN_WAIT, CONNECT_PAUSE, CONNECT_TIMEOUT};
use crate::local_socket;
use crate::opening;
use crate::replies::Replies;
use crate::socket::{self, Listening};
use shidi_bad_cases::Trials;
use shidi_capture::CaptureState;
use shidi_locales::Language;
use shidi_protocol::{DesktopSignal, ErrorCode, Reply, Request, TypedRequest, UserError};
use shidi_senses::Camera;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// The surroundings of a program that opens the data folder.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// `None` takes the platform's data folder.
    pub data_dir: Option<PathBuf>,
    /// The code of a language; `None` follows the environment.
    pub language: Option<String>,
    /// The channel of signals for the desktop program; `None` when this process has no windows.
    pub desktop: Option<mpsc::UnboundedSender<DesktopSignal>>,
    /// Takes the pictures of the screen; `None` takes the senses' own, which needs no library.
    pub camera: Option<Arc<dyn Camera>>,
    /// Tries changes on tasks; without it they are not tried.
    pub trials: Option<Arc<dyn Trials>>,
}

/// A connection to a runtime.
pub struct Connection {
    side: Side,
}

enum Side {
    Runtime {
        spaces: Arc<Spaces>,
        listening: Option<Listening>,
        companions: Option<shidi_browser::Listening>,
        lock: Lock,
    },
    Client {
        socket: PathBuf,
        language: Language,
    },
}

impl Connection {
    /// Opens the data folder: takes its lock and becomes its runtime, or connects to whoever holds it.
    ///
    /// # Errors
    /// Storage, lock or socket trouble, as a sentence with its remedy.
    pub async fn open(options: OpenOptions) -> Result<Connection, UserError> {
        let language = Language::of(options.language.as_deref());
        let home = Home::open(options.data_dir.clone(), language)?;
        let started = Instant::now();
        loop {
            let lock = home.lock().map_err(|cause| {
                error(
                    ErrorCode::Storage,
                    language
                        .runtime()
                        .data_folder_unwritable(cause, home.folder().display()),
                    language.runtime().check_disk(),
                )
            })?;
            if let Some(lock) = lock {
                return Self::become_runtime(&home, lock, options, language);
            }
            if let Some(socket) = home.socket_of_holder()
                && local_socket::answers(&socket).await
            {
                return Ok(Connection {
                    side: Side::Client { socket, language },
                });
            }
            if started.elapsed() > CONNECT_TIMEOUT {
                return Err(error(
                    ErrorCode::Storage,
                    language.runtime().data_folder_held(home.folder().display()),
                    language.runtime().wait_or_end_process(),
                ));
            }
            tokio::time::sleep(CONNECT_PAUSE).await;
        }
    }

    fn become_runtime(
        home: &Home,
        mut lock: Lock,
        options: OpenOptions,
        language: Language,
    ) -> Result<Connection, UserError> {
        let looking = CaptureState::with(options.camera);
        let spaces = opening::open(home, options.desktop, looking, options.trials, language)?;
        let listening = match Listening::start(&home.socket(), &spaces) {
            Ok(listening) => match lock.announce(listening.path()) {
                Ok(()) => Some(listening),
                Err(cause) => {
                    tracing::warn!(%cause, "other programs can't find this one: the lock file can't be written");
                    None
                }
            },
            Err(cause) => {
                tracing::warn!(%cause, "other programs can't connect to this one");
                if let Err(cause) = lock.withdraw() {
                    tracing::warn!(%cause, "the lock file can't be written");
                }
                None
            }
        };
        let companions = listening.as_ref().and_then(|listening| {
            let pages = &spaces.recorded.features.pages;
            let begun = shidi_browser::Listening::start(&Home::companions(listening.path()), pages);
            begun
                .inspect_err(|cause| tracing::warn!(%cause, "browsers can't connect to this process"))
                .ok()
        });
        Ok(Connection {
            side: Side::Runtime {
                spaces,
                listening,
                companions,
                lock,
            },
        })
    }

    /// Connects to the process that is the folder's runtime, and waits for one that has just been started. Never
    /// becomes the runtime itself.
    ///
    /// # Errors
    /// Nobody opened the folder in time.
    pub async fn join(options: OpenOptions, patience: Duration) -> Result<Connection, UserError> {
        let language = Language::of(options.language.as_deref());
        let home = Home::open(options.data_dir, language)?;
        let started = Instant::now();
        while started.elapsed() < patience {
            if let Some(socket) = home.socket_of_holder()
                && local_socket::answers(&socket).await
            {
                let side = Side::Client { socket, language };
                return Ok(Connection { side });
            }
            tokio::time::sleep(CONNECT_PAUSE).await;
        }
        Err(error(
            ErrorCode::System,
            language.runtime().start_timed_out(),
            language.runtime().start_in_terminal(),
        ))
    }

    /// Sends one request; the replies arrive as they are made.
    pub fn send(&self, request: Request) -> Replies {
        match &self.side {
            Side::Runtime { spaces, .. } => dispatch::serve(spaces, request),
            Side::Client { socket, language } => socket::send(socket.clone(), request, *language),
        }
    }

    /// Asks a request, and waits for the reply that its type names.
    ///
    /// # Errors
    /// The runtime's error, or that it broke off.
    pub async fn ask<R: TypedRequest>(&self, request: R) -> Result<R::Reply, UserError> {
        self.send(request.into()).end().await
    }

    /// The same, with the replies on the way given to `along`.
    ///
    /// # Errors
    /// The runtime's error, that it broke off, or the error of `along`.
    pub async fn ask_along<R: TypedRequest, E: From<UserError>>(
        &self,
        request: R,
        along: impl FnMut(Reply) -> Result<(), E>,
    ) -> Result<R::Reply, E> {
        self.send(request.into()).end_along(along).await
    }

    /// Whether this process holds the folder's lock.
    #[must_use]
    pub fn is_runtime(&self) -> bool {
        match self.side {
            Side::Runtime { .. } => true,
            Side::Client { .. } => false,
        }
    }

    /// Whether another process works for this one, which was there before.
    #[must_use]
    pub fn is_joined(&self) -> bool {
        matches!(self.side, Side::Client { .. })
    }

    /// Tells, while this is closed too, whether another program works through this process.
    pub fn others(&self) -> impl Fn() -> bool + use<> {
        let visitors = match &self.side {
            Side::Runtime { listening, .. } => listening.as_ref().map(Listening::visitors),
            Side::Client { .. } => None,
        };
        move || visitors.as_ref().is_some_and(|visitors| visitors.are_served())
    }

    /// Waits until the clients served by this process are done, then flushes and releases the folder.
    pub async fn close(self) {
        if let Side::Runtime {
            spaces,
            listening,
            companions,
            lock,
        } = self.side
        {
            if let Some(listening) = listening {
                listening.close().await;
            }
            if let Some(companions) = companions {
                companions.close().await;
            }
            let database = spaces.recorded.store.path().to_owned();
            spaces.close().await;
            let_go(&database).await;
            drop(lock);
        }
    }
}

/// Waits until the last task of a runtime that has ended lets go of its database. A task that has just answered may
/// hold it for a moment. The next program, or the next request of this one, would then find the database in use.
async fn let_go(database: &Path) {
    let ended = async {
        while !shidi_store::is_free(database) {
            tokio::time::sleep(CONNECT_PAUSE).await;
        }
    };
    if tokio::time::timeout(AFTER_RUN_WAIT, ended).await.is_err() {
        tracing::warn!("something still holds the database at the end");
    }
}
