//! A model file of the user's own as a model. Its server is started before a question, and once more where it died.
//!
//! Who starts the server is behind [`FileServer`]. A hold keeps the server for as long as an answer takes. An answer
//! whose server died in its middle is asked for again, once. Its first piece retracts the words shown before.

use crate::chat::{Broken, Chat, Endpoint, Http, Timeouts};
use crate::completions::Completions;
use crate::failure::worded_failure;
use crate::known::ProfiledModel;
use crate::openai::{Dialect, OpenAi};
use crate::presets::FILE;
use crate::profiles::Profile;
use crate::sampling::SamplingRules;
use crate::{Deltas, Model};
use async_trait::async_trait;
use secrecy::SecretString;
use shidi_locales::Models as Sentences;
use shidi_protocol::{FailureKind, ModelDelta, ModelFailure, ModelReply, ModelRequest, Wait, Worded};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio_util::sync::CancellationToken;

/// The file as far as it is known before it is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The name under which the model is shown.
    pub name: String,
    /// Tokens of the context that it is loaded with.
    pub window: u32,
}

/// Where the loaded model is reached.
pub struct Served {
    pub base_url: String,
    /// The socket that the address stands for; without one the address itself is connected to.
    pub socket: Option<PathBuf>,
    pub key: SecretString,
    /// Dropped when the answer is there.
    pub hold: Box<dyn Hold>,
}

/// A server that is not ended while this value lives.
#[async_trait]
pub trait Hold: Send + Sync {
    /// Why the server has ended, where it has; waits a moment for a server that is just ending.
    async fn death(&self) -> Option<Worded>;

    /// Notes the speed of an answer.
    fn timed(&self, tokens: u32, ms: u32);

    /// Notes that an answer is there: earlier deaths no longer count.
    fn answered(&self);
}

/// Serves the one model file that the user chose.
#[async_trait]
pub trait FileServer: Send + Sync {
    /// Tells what the file holds; starts nothing.
    ///
    /// # Errors
    /// What is missing, with its remedy.
    async fn outline(&self) -> Result<Outline, ModelFailure>;

    /// Returns the place of the loaded model; starts its server where none runs.
    ///
    /// # Errors
    /// Why it can't be started, with its remedy.
    async fn serve(&self) -> Result<Served, ModelFailure>;
}

/// The failure of a model file that can't be used.
#[must_use]
pub fn unserved(detail: Worded) -> ModelFailure {
    worded_failure(FailureKind::Unserved, FILE.name, detail)
}

/// The chosen model file.
pub(crate) struct ServedFile {
    pub server: Arc<dyn FileServer>,
    pub outline: Outline,
    pub profile: Profile,
    pub patience: Timeouts,
    pub sampling: SamplingRules,
    pub http: Arc<Http>,
}

impl ServedFile {
    /// The model at the place where it is served. Only an end of the server breaks a connection to it. So the server
    /// is not asked again at the same place.
    fn at(&self, served: &Served) -> Result<ProfiledModel, ModelFailure> {
        let endpoint = Endpoint {
            provider: FILE.name.to_owned(),
            base_url: served.base_url.clone(),
            model: self.outline.name.clone(),
            key: Some(served.key.clone()),
            socket: served.socket.clone(),
        };
        let patience = Timeouts {
            attempts: 1,
            connect_attempts: 1,
            ..self.patience
        };
        let chat = Chat::new(
            endpoint.clone(),
            Box::new(OpenAi::of(FILE.name).with_progress()),
            patience,
            None,
            &self.http,
        )?;
        let dialect = Dialect::of(FILE.name);
        let completions = self.profile.fim.map(|way| {
            let wire = Box::new(Completions { way, dialect });
            Chat::new(endpoint, wire, patience, None, &self.http)
        });
        Ok(ProfiledModel {
            chat: chat.sampled(self.sampling.clone()),
            completions: completions
                .transpose()?
                .map(|chat| chat.sampled(self.sampling.clone())),
            is_refused: AtomicBool::new(false),
            profile: self.profile,
        })
    }

    /// Waits for the loaded model, and says so.
    async fn served(&self, deltas: Deltas<'_>, cancel: &CancellationToken) -> Result<Served, ModelFailure> {
        deltas(ModelDelta::Awaits(Some(Wait::Loading)));
        let served = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(cancelled()),
            served = self.server.serve() => served,
        };
        deltas(ModelDelta::Awaits(None));
        served
    }
}

#[async_trait]
impl Model for ServedFile {
    fn name(&self) -> &str {
        &self.outline.name
    }

    fn provider(&self) -> &str {
        FILE.name
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
        let mut broken = Broken::default();
        let mut is_again = false;
        loop {
            let mut watched = |delta: ModelDelta| broken.pass(delta, deltas);
            let served = match self.served(&mut watched, cancel).await {
                Ok(served) => served,
                Err(failure) => return Err(broken.told_by(failure)),
            };
            let model = self.at(&served)?;
            let mut timing = |delta: ModelDelta| {
                if let ModelDelta::Timed { tokens, ms } = &delta {
                    served.hold.timed(*tokens, *ms);
                }
                watched(delta);
            };
            let mut failure = match model.ask(request, &mut timing, cancel).await {
                Ok(mut reply) => {
                    served.hold.answered();
                    broken.add_to(&mut reply.usage);
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            if let Some(partial) = failure.partial.take() {
                broken.keep(*partial);
            }
            let Some(reason) = death(&failure, served.hold.as_ref()).await else {
                return Err(broken.told_by(failure));
            };
            if is_again {
                let told = Worded::of(|language| language.models().died_twice(reason.text(language)));
                return Err(broken.told_by(unserved(told)));
            }
            tracing::warn!("the server of a model file died: {reason}");
            is_again = true;
        }
    }
}

/// Why the server has ended, where that is what broke the answer.
async fn death(failure: &ModelFailure, hold: &dyn Hold) -> Option<Worded> {
    match failure.kind {
        FailureKind::Unreachable | FailureKind::Cut | FailureKind::ServerError | FailureKind::Malformed => {
            hold.death().await
        }
        FailureKind::Key
        | FailureKind::NoKey
        | FailureKind::KeysLocked
        | FailureKind::Budget
        | FailureKind::Quota
        | FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::Timeout
        | FailureKind::ContextLength
        | FailureKind::NoSuchModel
        | FailureKind::Refused
        | FailureKind::Unserved
        | FailureKind::Cancelled => None,
    }
}

fn cancelled() -> ModelFailure {
    worded_failure(
        FailureKind::Cancelled,
        FILE.name,
        Worded::of(|language| Sentences::cancelled(language.models())),
    )
}
