//! The socket over which a second program reaches the runtime: JSON lines, one request per connection.
//!
//! The socket lies in a folder that only its user can open, with mode 0600. The socket serves only processes of the
//! same user. A connection that brings no request, or takes no replies, is let go, and keeps nobody from ending. Nor
//! does one that only watches schedules: it is told of the end, and goes on by itself. On systems without Unix sockets
//! a second program is told so; nothing else depends on it.

use crate::dispatch;
use crate::errors::error;
use crate::incognito::Spaces;
use crate::limits::{REPLIES_QUEUED, REPLY_WAIT, REQUEST_WAIT};
use crate::local_socket::{is_own_user, listener, read_line, write_line, write_line_within};
use crate::replies::Replies;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, Reply, Request, read_request};
use shidi_scheduler::only_watches;
use shidi_space::visitors::Visitors;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// The runtime's end: accepts connections until closed.
pub struct Listening {
    path: PathBuf,
    accepting: JoinHandle<()>,
    visitors: Arc<Visitors>,
}

impl Listening {
    /// Opens the socket at `path`; a stale one of a process that is gone is replaced.
    ///
    /// # Errors
    /// When the socket can't be made.
    pub fn start(path: &Path, spaces: &Arc<Spaces>) -> std::io::Result<Self> {
        let listener = listener(path)?;
        let visitors = Arc::<Visitors>::default();
        let accepting = tokio::spawn(accept(listener, Arc::clone(spaces), Arc::clone(&visitors)));
        Ok(Self {
            path: path.to_owned(),
            accepting,
            visitors,
        })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    #[must_use]
    pub fn visitors(&self) -> Arc<Visitors> {
        Arc::clone(&self.visitors)
    }

    /// Waits until nobody is served any more, then closes the socket. Who has come by then may still say what for.
    pub async fn close(self) {
        self.visitors.none_served().await;
        self.accepting.abort();
        self.visitors.all_left().await;
        if let Err(cause) = std::fs::remove_file(&self.path) {
            tracing::debug!(%cause, "the socket was gone already");
        }
    }
}

async fn accept(listener: UnixListener, spaces: Arc<Spaces>, visitors: Arc<Visitors>) {
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(cause) => {
                // Out of descriptors, most likely: others close some sooner than this loop would spin.
                tracing::warn!(%cause, "a connection could not be accepted");
                tokio::time::sleep(crate::limits::CONNECT_PAUSE).await;
                continue;
            }
        };
        if !is_own_user(&stream) {
            tracing::warn!("a process of another user was turned away");
            continue;
        }
        let (spaces, visitors) = (Arc::clone(&spaces), Arc::clone(&visitors));
        let mut visitor = visitors.came();
        tokio::spawn(async move {
            let (read, write) = stream.into_split();
            let mut read = BufReader::new(read);
            let line = tokio::time::timeout(REQUEST_WAIT, read_line(&mut read)).await;
            let request = match line {
                Ok(Ok(Some(line))) => Ok(read_request(&line)),
                Ok(Ok(None)) => Err(std::io::ErrorKind::UnexpectedEof.into()),
                Ok(Err(cause)) => Err(cause),
                Err(_) => Err(std::io::ErrorKind::TimedOut.into()),
            };
            let is_waited_for = !matches!(&request, Ok(Ok(request)) if only_watches(request));
            visitor.asked(is_waited_for);
            let scheduler = &spaces.recorded.features.scheduler;
            let answered = match request {
                Ok(_) if !is_waited_for && !shidi_scheduler::stays(scheduler) => Ok(()),
                Ok(request) => tokio::select! {
                    answered = answer(request, read, write, &spaces) => answered,
                    () = visitors.sent_away() => Ok(()),
                },
                Err(cause) => Err(cause),
            };
            if let Err(cause) = answered {
                tracing::debug!(%cause, "a client went away");
            }
            drop(spaces);
            drop(visitor);
        });
    }
}

async fn answer<Fault: std::fmt::Display>(
    request: Result<Request, Fault>,
    mut read: BufReader<OwnedReadHalf>,
    mut write: OwnedWriteHalf,
    spaces: &Arc<Spaces>,
) -> std::io::Result<()> {
    let mut replies = match request {
        Ok(request) => dispatch::serve(spaces, request),
        Err(cause) => {
            let reply = Reply::Failed {
                error: error(
                    ErrorCode::Input,
                    format!("The request can't be read: {cause}"),
                    "Use the same version of both programs",
                ),
            };
            return write_line_within(&mut write, &reply, REPLY_WAIT).await;
        }
    };
    loop {
        tokio::select! {
            reply = replies.next() => match reply {
                Some(reply) => write_line_within(&mut write, &reply, REPLY_WAIT).await?,
                None => return write.shutdown().await,
            },
            // A client says nothing more: it is gone, and nobody wants the replies. One that does is none of ours.
            _ = read.fill_buf() => return Ok(()),
        }
    }
}

/// Sends a request to the runtime behind `socket`.
pub fn send(socket: PathBuf, request: Request, language: Language) -> Replies {
    let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
    tokio::spawn(async move {
        if let Err(cause) = converse(&socket, &request, &sender).await {
            let failed = Reply::Failed {
                error: error(
                    ErrorCode::System,
                    language.runtime().connection_broke(cause),
                    language.runtime().acknowledged_is_safe(),
                ),
            };
            if sender.send(failed).await.is_err() {
                tracing::debug!("nobody waits for the replies");
            }
        }
    });
    Replies::new(receiver)
}

async fn converse(socket: &Path, request: &Request, replies: &mpsc::Sender<Reply>) -> std::io::Result<()> {
    let (read, mut write) = UnixStream::connect(socket).await?.into_split();
    write_line(&mut write, request).await?;
    let mut read = BufReader::new(read);
    let mut ended = false;
    loop {
        let line = tokio::select! {
            line = read_line(&mut read) => line?,
            // The connection tells the runtime that nobody listens any more.
            () = replies.closed() => return Ok(()),
        };
        let Some(line) = line else { break };
        let reply: Reply = serde_json::from_str(&line).map_err(std::io::Error::other)?;
        ended = !reply.is_on_the_way();
        if replies.send(reply).await.is_err() {
            return Ok(());
        }
    }
    if ended {
        Ok(())
    } else {
        Err(std::io::ErrorKind::UnexpectedEof.into())
    }
}
