//! What a request is answered with: one reply, or a stream of them.

use shidi_protocol::{ErrorCode, Reply, TypedReply, UserError};
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

    /// Waits for the reply that ends the request.
    ///
    /// # Errors
    /// What the runtime says, or that it broke off.
    pub async fn end<T: TypedReply>(&mut self) -> Result<T, UserError> {
        self.end_along(|_| Ok(())).await
    }

    /// Waits for the reply that ends the request, and gives the replies on the way to `along`.
    ///
    /// # Errors
    /// What the runtime says, that it broke off, or what `along` says.
    pub async fn end_along<T: TypedReply, E: From<UserError>>(
        &mut self,
        mut along: impl FnMut(Reply) -> Result<(), E>,
    ) -> Result<T, E> {
        let unanswered = |what: &str| UserError::new(ErrorCode::Internal, what).into();
        loop {
            match self.next().await {
                Some(Reply::Failed { error }) => return Err(error.into()),
                Some(reply) if reply.is_on_the_way() => along(reply)?,
                Some(reply) => {
                    return T::of(reply).map_err(|other| {
                        tracing::warn!(?other, "a request has another reply than its type names");
                        unanswered("The runtime gave the reply of another request")
                    });
                }
                None => {
                    return Err(unanswered(
                        "The runtime ended the conversation before its answer was complete",
                    ));
                }
            }
        }
    }
}
