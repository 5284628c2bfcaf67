//! The one way in: a connection to the runtime of a data folder, in this process or over its socket.
//!
//! Whoever opens a folder first holds its lock and becomes its runtime; a second program becomes a client and
//! sees the same replies. Callers can't tell the difference.

use crate::engine::Engine;
use crate::home::{Home, Lock};
use crate::limits::{CONNECT_PAUSE, CONNECT_TIMEOUT};
use crate::local_socket;
use crate::replies::Replies;
use crate::socket::{self, Listening};
use crate::words::{Words, error};
use shidi_capture::Looking;
use shidi_protocol::{DesktopSignal, ErrorCode, Request, UserError};
use shidi_senses::Camera;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// What a program brings along when it opens the data folder.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// `None` takes the platform's data folder.
    pub data_dir: Option<PathBuf>,
    /// `zh` or `en`; `None` follows the environment.
    pub language: Option<String>,
    /// Where signals for the desktop program go; `None` when this process has no windows.
    pub desktop: Option<mpsc::UnboundedSender<DesktopSignal>>,
    /// Takes the pictures of the screen; `None` takes the senses' own, which needs no library.
    pub camera: Option<Arc<dyn Camera>>,
}

/// A connection to a runtime.
pub struct Connection {
    side: Side,
}

enum Side {
    Runtime {
        engine: Arc<Engine>,
        listening: Option<Listening>,
        companions: Option<shidi_browser::Listening>,
        lock: Lock,
    },
    Client {
        socket: PathBuf,
        words: Words,
    },
}

impl Connection {
    /// Opens the data folder: takes its lock and becomes its runtime, or connects to whoever holds it.
    ///
    /// # Errors
    /// Storage, lock or socket trouble, as a sentence with its remedy.
    pub async fn open(options: OpenOptions) -> Result<Connection, UserError> {
        let words = Words::of(options.language.as_deref());
        let home = Home::open(options.data_dir.clone(), words)?;
        let started = Instant::now();
        loop {
            let lock = home.lock().map_err(|cause| {
                error(
                    ErrorCode::Storage,
                    format!(
                        "{} {}: {cause}",
                        words.pick("写不了数据文件夹", "Can't write to the data folder"),
                        home.folder().display()
                    ),
                    words.pick(
                        "检查权限和磁盘空间，或用 --data-dir 换一个",
                        "Check permissions and disk space, or choose another with --data-dir",
                    ),
                )
            })?;
            if let Some(lock) = lock {
                return Self::become_runtime(&home, lock, options, words);
            }
            if let Some(socket) = home.socket_of_holder()
                && local_socket::answers(&socket).await
            {
                return Ok(Connection {
                    side: Side::Client { socket, words },
                });
            }
            if started.elapsed() > CONNECT_TIMEOUT {
                return Err(error(
                    ErrorCode::Storage,
                    format!(
                        "{}: {}",
                        words.pick(
                            "另一个师弟占着数据文件夹，却不应答",
                            "Another Shidi holds the data folder but does not answer"
                        ),
                        home.folder().display()
                    ),
                    words.pick(
                        "等它结束，或结束那个进程再试",
                        "Wait for it to end, or end that process and try again",
                    ),
                ));
            }
            tokio::time::sleep(CONNECT_PAUSE).await;
        }
    }

    fn become_runtime(
        home: &Home,
        mut lock: Lock,
        options: OpenOptions,
        words: Words,
    ) -> Result<Connection, UserError> {
        let engine = Engine::open(home, options.desktop, Looking::with(options.camera), words)?;
        let listening = match Listening::start(&home.socket(), &engine) {
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
            let begun = shidi_browser::Listening::start(&Home::companions(listening.path()), &engine.pages);
            begun
                .inspect_err(|cause| tracing::warn!(%cause, "browsers can't connect to this process"))
                .ok()
        });
        Ok(Connection {
            side: Side::Runtime {
                engine,
                listening,
                companions,
                lock,
            },
        })
    }

    /// Connects to the process that is the folder's runtime, waiting for one that has just been started; never becomes
    /// it itself.
    ///
    /// # Errors
    /// Nobody opened the folder in time.
    pub async fn join(options: OpenOptions, patience: Duration) -> Result<Connection, UserError> {
        let words = Words::of(options.language.as_deref());
        let home = Home::open(options.data_dir, words)?;
        let started = Instant::now();
        while started.elapsed() < patience {
            if let Some(socket) = home.socket_of_holder()
                && local_socket::answers(&socket).await
            {
                let side = Side::Client { socket, words };
                return Ok(Connection { side });
            }
            tokio::time::sleep(CONNECT_PAUSE).await;
        }
        Err(error(
            ErrorCode::System,
            words.pick("师弟没有按时启动", "Shidi did not start in time"),
            words.pick(
                "再试一次；看看它说了什么：shidi-desktop",
                "Try again; see what it says: shidi-desktop",
            ),
        ))
    }

    /// Sends one request; the replies arrive as they are made.
    pub fn send(&self, request: Request) -> Replies {
        match &self.side {
            Side::Runtime { engine, .. } => engine.serve(request),
            Side::Client { socket, words } => socket::send(socket.clone(), request, *words),
        }
    }

    /// Whether this process holds the folder's lock.
    #[must_use]
    pub fn is_runtime(&self) -> bool {
        match self.side {
            Side::Runtime { .. } => true,
            Side::Client { .. } => false,
        }
    }

    /// Waits until the clients served by this process are done, then flushes and releases the folder.
    pub async fn close(self) {
        if let Side::Runtime {
            engine,
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
            engine.close().await;
            drop(lock);
        }
    }
}
