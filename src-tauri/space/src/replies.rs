//! The answer to a request: one reply, or a stream of them.

use shidi_protocol::{ErrorCode, Reply, Request, TypedReply, UserError};
use std::sync::{Arc, OnceLock};
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

    /// The same replies, once somebody who watches hears of every change. A later answer is then not older than the
    /// reported changes.
    ///
    /// # Errors
    /// What the runtime says, or that it broke off.
    pub async fn watching(mut self) -> Result<Self, UserError> {
        match self.next().await {
            Some(Reply::Failed { error }) => Err(error),
            Some(_) => Ok(self),
            None => Err(broken_off()),
        }
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
        loop {
            match self.next().await {
                Some(Reply::Failed { error }) => return Err(error.into()),
                Some(reply) if reply.is_on_the_way() => along(reply)?,
                Some(reply) => {
                    return T::of(reply).map_err(|other| {
                        tracing::warn!(?other, "a request has another reply than its type names");
                        unanswered("The runtime gave the reply of another request").into()
                    });
                }
                None => return Err(broken_off().into()),
            }
        }
    }
}

fn broken_off() -> UserError {
    unanswered("The runtime ended the conversation before its answer was complete")
}

fn unanswered(what: &str) -> UserError {
    UserError::new(ErrorCode::Internal, what)
}

type Serve = Box<dyn Fn(Request) -> Option<Replies> + Send + Sync>;

/// Who answers what a feature asks for in its user's place: known once everything is there.
#[derive(Default)]
pub struct Answerer {
    serve: OnceLock<Serve>,
}

impl Answerer {
    /// Requests are answered by this from now on, for as long as it is there.
    pub fn is<A: Send + Sync + 'static>(&self, answers: &Arc<A>, serve: fn(&Arc<A>, Request) -> Replies) {
        let answers = Arc::downgrade(answers);
        let serving = move |request| answers.upgrade().map(|answers| serve(&answers, request));
        if self.serve.set(Box::new(serving)).is_err() {
            tracing::debug!("who answers was known before");
        }
    }

    /// The replies to a request; `None` when the process ends.
    pub fn serve(&self, request: Request) -> Option<Replies> {
        self.serve.get().and_then(|serve| serve(request))
    }
}
