//! The socket at which browsers' companions are heard: beside the runtime's own, and as private. Nothing but what a
//! companion may say is understood here; questions and approvals are the other socket's.

use crate::limits::{HELLO_WAIT, LAST_WORDS_WAIT};
use crate::{Pages, conversation};
use shidi_locales::Language;
use shidi_mcp_client::companion::{self, FromBrowser, MESSAGE_BYTES_MAX, ToBrowser};
use shidi_protocol::UserError;
use shidi_space::errors::internal;
use shidi_space::home::Home;
use shidi_space::limits::{CONNECT_PAUSE, REPLIES_QUEUED};
use shidi_space::local_socket::{is_own_user, listener, read_line_within, write_line};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use tokio::io::BufReader;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Carries messages between the browser that started this process and the runtime of a data folder, until either ends.
///
/// # Errors
/// No data folder, or a browser that does not keep to its frames.
pub fn carry_for_browser(data_dir: Option<PathBuf>, language: Language) -> Result<(), UserError> {
    let home = Home::open(data_dir, language)?;
    let find = || home.socket_of_holder().map(|socket| Home::companions(&socket));
    let carried = companion::carry(std::io::stdin(), std::io::stdout(), find);
    carried.map_err(|cause| internal(language, &cause.to_string()))
}

/// Accepts browsers until closed.
pub struct Listening {
    path: PathBuf,
    accepting: JoinHandle<()>,
    ends: CancellationToken,
    conversations: TaskTracker,
}

impl Listening {
    /// Opens the socket at `path`.
    ///
    /// # Errors
    /// When the socket can't be made.
    pub fn start(path: &Path, pages: &Arc<Pages>) -> std::io::Result<Self> {
        let listener = listener(path)?;
        let ends = CancellationToken::new();
        let conversations = TaskTracker::new();
        let accepting = accept(
            listener,
            Arc::downgrade(pages),
            ends.clone(),
            conversations.clone(),
        );
        Ok(Self {
            path: path.to_owned(),
            accepting: tokio::spawn(accepting),
            ends,
            conversations,
        })
    }

    /// Ends all conversations, each after what was said last: a token that a browser does not hear of is lost.
    pub async fn close(self) {
        self.accepting.abort();
        self.ends.cancel();
        self.conversations.close();
        if tokio::time::timeout(LAST_WORDS_WAIT, self.conversations.wait())
            .await
            .is_err()
        {
            tracing::info!("a browser did not hear the last words");
        }
        if let Err(cause) = std::fs::remove_file(&self.path) {
            tracing::debug!(%cause, "the companions' socket was gone already");
        }
    }
}

async fn accept(
    listener: UnixListener,
    pages: Weak<Pages>,
    ends: CancellationToken,
    conversations: TaskTracker,
) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) if is_own_user(&stream) => {
                conversations.spawn(converse(stream, pages.clone(), ends.child_token()));
            }
            Ok(_) => tracing::warn!("a process of another user was turned away"),
            Err(cause) => {
                tracing::warn!(%cause, "a browser could not be accepted");
                tokio::time::sleep(CONNECT_PAUSE).await;
            }
        }
    }
}

async fn converse(stream: UnixStream, pages: Weak<Pages>, ended: CancellationToken) {
    let (read, mut write) = stream.into_split();
    let (out, mut said) = mpsc::channel::<ToBrowser>(REPLIES_QUEUED);
    let speaking = tokio::spawn(async move {
        // Ends when nobody has anything to say any more; what was said before is still written.
        while let Some(told) = said.recv().await {
            if write_line(&mut write, &told).await.is_err() {
                return;
            }
        }
    });
    listen(BufReader::new(read), &pages, out, ended).await;
    if let Err(cause) = speaking.await {
        tracing::debug!(%cause, "a browser was not told everything");
    }
}

async fn listen(
    mut read: BufReader<tokio::net::unix::OwnedReadHalf>,
    pages: &Weak<Pages>,
    out: mpsc::Sender<ToBrowser>,
    ended: CancellationToken,
) {
    let first = tokio::select! {
        line = read_line_within(&mut read, MESSAGE_BYTES_MAX) => line,
        () = tokio::time::sleep(HELLO_WAIT) => return,
        () = ended.cancelled() => return,
    };
    let Ok(Some(line)) = first else { return };
    let Some(FromBrowser::Hello {
        version,
        browser,
        token,
    }) = FromBrowser::read(&line)
    else {
        return;
    };
    let greeted = pages
        .upgrade()
        .and_then(|pages| conversation::greet(&pages, (version, browser, token), out, ended.clone()));
    let Some(id) = greeted else { return };
    loop {
        let line = tokio::select! {
            line = read_line_within(&mut read, MESSAGE_BYTES_MAX) => line,
            () = ended.cancelled() => break,
        };
        let (Ok(Some(line)), Some(pages)) = (line, pages.upgrade()) else {
            break;
        };
        if let Some(heard) = FromBrowser::read(&line) {
            conversation::hear(&pages, id, heard);
        }
    }
    if let Some(pages) = pages.upgrade() {
        conversation::part(&pages, id);
    }
}
