//! A model with its profile, and with its completion endpoint where it has one.
//!
//! A request to fill a hole goes to the completion endpoint. Where a server turns out to have none, this
//! request and all later ones are asked in words.

use crate::chat::Chat;
use crate::profiles::Profile;
use crate::{Deltas, Model};
use async_trait::async_trait;
use shidi_protocol::{FailureKind, ModelDelta, ModelFailure, ModelReply, ModelRequest};
use std::sync::atomic::{AtomicBool, Ordering};
use tokio_util::sync::CancellationToken;

pub(crate) struct ProfiledModel {
    pub chat: Chat,
    /// The same model at the completion endpoint.
    pub completions: Option<Chat>,
    /// Whether the completion endpoint has refused.
    pub is_refused: AtomicBool,
    pub profile: Profile,
}

impl ProfiledModel {
    /// Fills a hole at the completion endpoint. `None` where the server has no such endpoint and nothing was shown.
    async fn complete(
        &self,
        request: &ModelRequest,
        deltas: Deltas<'_>,
        cancel: &CancellationToken,
    ) -> Option<Result<ModelReply, ModelFailure>> {
        let completions = self.completions.as_ref()?;
        if request.completion.is_none() || self.is_refused.load(Ordering::Relaxed) {
            return None;
        }
        let mut shown = false;
        let mut watched = |delta: ModelDelta| {
            shown |= delta.is_said();
            deltas(delta);
        };
        let answer = completions.ask(request, &mut watched, cancel).await;
        match answer {
            Err(failure) if !shown && has_no_such_endpoint(failure.kind) => {
                tracing::info!(provider = %failure.provider, "no completion endpoint: {}", failure.detail);
                self.is_refused.store(true, Ordering::Relaxed);
                None
            }
            answer => Some(answer),
        }
    }
}

/// Whether the failure means that the server has no completion endpoint.
fn has_no_such_endpoint(kind: FailureKind) -> bool {
    match kind {
        FailureKind::NoSuchModel | FailureKind::Malformed | FailureKind::Refused => true,
        FailureKind::Unreachable
        | FailureKind::Key
        | FailureKind::NoKey
        | FailureKind::KeysLocked
        | FailureKind::Budget
        | FailureKind::Quota
        | FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::ServerError
        | FailureKind::Timeout
        | FailureKind::Cut
        | FailureKind::ContextLength
        | FailureKind::Unserved
        | FailureKind::Cancelled => false,
    }
}

#[async_trait]
impl Model for ProfiledModel {
    fn name(&self) -> &str {
        self.chat.name()
    }

    fn provider(&self) -> &str {
        self.chat.provider()
    }

    fn profile(&self) -> Profile {
        self.profile
    }

    fn is_offline(&self) -> bool {
        false
    }

    async fn ask(
        &self,
        request: &ModelRequest,
        deltas: Deltas<'_>,
        cancel: &CancellationToken,
    ) -> Result<ModelReply, ModelFailure> {
        match self.complete(request, deltas, cancel).await {
            Some(answer) => answer,
            None => self.chat.ask(request, deltas, cancel).await,
        }
    }
}
