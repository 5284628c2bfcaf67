//! The way to the editor: messages in their order, and answers to what it is asked.

use crate::limits::MESSAGES_QUEUED;
use parking_lot::Mutex;
use serde_json::{Value, json};
use shidi_service::{line_of, write};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::AsyncWrite;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Callers that wait for an answer, by the number of their request.
type Waiting = Mutex<BTreeMap<u64, oneshot::Sender<Option<Value>>>>;

/// The editor, as those who speak to it have it.
#[derive(Clone)]
pub struct Editor {
    messages: mpsc::Sender<Vec<u8>>,
    waiting: Arc<Waiting>,
    last: Arc<AtomicU64>,
    /// Cancelled when the editor can't be reached any more.
    gone: CancellationToken,
}

impl Editor {
    /// This function must be called within a runtime. The task ends when nobody speaks any more.
    pub fn new(
        writer: impl AsyncWrite + Unpin + Send + 'static,
        gone: CancellationToken,
    ) -> (Self, JoinHandle<()>) {
        let (messages, queued) = mpsc::channel(MESSAGES_QUEUED);
        let writing = tokio::spawn(write(queued, writer, gone.clone()));
        let editor = Self {
            messages,
            waiting: Arc::default(),
            last: Arc::default(),
            gone,
        };
        (editor, writing)
    }

    /// Tells news of a session.
    pub async fn update(&self, session: &str, update: Value) {
        let params = json!({"sessionId": session, "update": update});
        self.send(&json!({"jsonrpc": "2.0", "method": "session/update", "params": params}))
            .await;
    }

    /// Asks the editor. `None`: it is gone, or could not say.
    pub async fn ask(&self, method: &str, params: Value) -> Option<Value> {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let (sender, receiver) = oneshot::channel();
        self.waiting.lock().insert(id, sender);
        let _forgotten = Forgotten { editor: self, id };
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        tokio::select! {
            answer = receiver => answer.ok().flatten(),
            () = self.gone.cancelled() => None,
        }
    }

    /// Hands an answer to whoever waits for it; nobody waits for one that comes twice.
    pub fn answered(&self, id: u64, result: Option<Value>) {
        let waiting = self.waiting.lock().remove(&id);
        if let Some(waiting) = waiting {
            waiting.send(result).unwrap_or_default();
        }
    }

    /// Sends a message, once there is room for it. Where there is room, an editor that sends no more gets it, too.
    pub async fn send(&self, message: &Value) {
        let Err(TrySendError::Full(line)) = self.messages.try_send(line_of(message)) else {
            return;
        };
        tokio::select! {
            // Whoever is gone reads nothing.
            sent = self.messages.send(line) => sent.unwrap_or_default(),
            () = self.gone.cancelled() => {}
        }
    }
}

/// Nobody waits for an answer any more once this is dropped.
struct Forgotten<'a> {
    editor: &'a Editor,
    id: u64,
}

impl Drop for Forgotten<'_> {
    fn drop(&mut self) {
        self.editor.waiting.lock().remove(&self.id);
    }
}
