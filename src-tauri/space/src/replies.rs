//! What a request is answered with: one reply, or a stream of them.

use shidi_protocol::Reply;
use tokio::sync::mpsc;

pub enum Answered {
    One(Box<Reply>),
    Stream(mpsc::Receiver<Reply>),
}

/// The replies to one request, in order; ends after the last one.
pub struct Replies {
    receiver: mpsc::Receiver<Reply>,
}

impl Replies {
    pub fn new(receiver: mpsc::Receiver<Reply>) -> Self {
        Self { receiver }
    }

    /// Waits for the next reply; `None` after the last one.
    pub async fn next(&mut self) -> Option<Reply> {
        self.receiver.recv().await
    }
}
