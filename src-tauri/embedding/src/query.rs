//! The vector of a question, before it is asked, and how far the chosen model has come.

use crate::Embeddings;
use crate::limits::{VECTOR_QUESTION_WAIT, VECTOR_TEXT_CHARACTERS, VECTORS_OF_TEXTS_WAIT};
use shidi_agent::model_error;
use shidi_locales::Language;
use shidi_models::{Aim, Embedder, Ledger, ModelChoice, Models};
use shidi_protocol::{FailureKind, MemoryMeaning, ModelFailure, ModelRole};
use shidi_space::model_choice;
use shidi_space::usage::Spending;
use shidi_store::{QueryVector, StoreError};
use std::future::Future;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use tokio_util::sync::CancellationToken;

/// What the model is asked to see whether it answers.
const PROBE: &str = "hello";

/// Everything that asking the model takes.
#[derive(Clone)]
pub(crate) struct Asking {
    pub(crate) embeddings: Arc<Embeddings>,
    models: Arc<Models>,
    choice: ModelChoice,
    spending: Arc<Spending>,
}

impl Asking {
    /// `None` where no model is chosen, and for a conversation that leaves nothing: it has nothing to search.
    pub(crate) fn of(embeddings: &Arc<Embeddings>) -> Option<Self> {
        let space = embeddings.space();
        if !space.is_equipped() {
            return None;
        }
        let config = space.config();
        let name = config.role.embedding.as_str();
        let choice = (!name.is_empty()).then(|| model_choice::configured(&config).beside(name))?;
        drop(config);
        Some(Self {
            embeddings: Arc::clone(embeddings),
            models: space.models(),
            choice,
            spending: Arc::clone(&space.spending),
        })
    }

    pub(crate) async fn open(&self) -> Result<Embedder, Trouble> {
        Ok(self.models.open_embedder(&self.choice).await?)
    }

    async fn vectors(
        &self,
        embedder: &Embedder,
        texts: &[String],
        aim: Aim,
    ) -> Result<Vec<Vec<f32>>, Trouble> {
        if let Err(reached) = self.spending.may_ask() {
            let failure = reached.failure(embedder.provider());
            return Err(Trouble::Model(ModelFailure {
                provider_title: None,
                ..failure
            }));
        }
        let embedded = embedder.embed(texts, aim, &CancellationToken::new()).await?;
        self.spending.note(
            embedder.provider(),
            embedder.name(),
            ModelRole::Embedding,
            &embedded.usage,
        );
        Ok(embedded.vectors)
    }

    /// The vectors of texts that are searched. Where the model refuses some of them, one after the other: a text that it
    /// refuses by itself points nowhere.
    pub(crate) async fn documents(
        &self,
        embedder: &Embedder,
        texts: &[String],
    ) -> Result<Vec<Vec<f32>>, Trouble> {
        let refusal = match self.vectors(embedder, texts, Aim::Document).await {
            Err(refusal) if refusal.is_of_text() => refusal,
            asked => return asked,
        };
        let mut vectors = Vec::with_capacity(texts.len());
        for text in texts {
            match self
                .vectors(embedder, std::slice::from_ref(text), Aim::Document)
                .await
            {
                Ok(vector) => vectors.extend(vector),
                Err(cause) if cause.is_of_text() => {
                    tracing::info!(?cause, "a text has no vector");
                    vectors.push(Vec::new());
                }
                Err(cause) => return Err(cause),
            }
        }
        // A model that refuses everything is wrong, not the texts.
        match vectors.iter().all(Vec::is_empty) {
            true => Err(refusal),
            false => Ok(vectors),
        }
    }

    /// The question as the model sees it.
    async fn question(self, text: String) -> Result<Option<QueryVector>, Trouble> {
        let embedder = self.open().await?;
        let model = embedder.id();
        if let Some(known) = self.embeddings.known(&model, &text) {
            return Ok(Some(known));
        }
        let vectors = self.vectors(&embedder, &[beginning(&text)], Aim::Query).await?;
        let near = vectors
            .into_iter()
            .next()
            .map(|numbers| QueryVector { model, numbers });
        self.embeddings.state.lock().last = near.clone().map(|near| (text, near));
        Ok(near)
    }
}

/// Why there are no vectors.
#[derive(Debug, Clone)]
pub(crate) enum Trouble {
    Model(ModelFailure),
    /// The model took longer than a question waits.
    Late,
    /// The store, or a task that broke off.
    Own(String),
}

impl Trouble {
    /// Whether it may lie in one of the texts.
    fn is_of_text(&self) -> bool {
        let Self::Model(failure) = self else { return false };
        matches!(
            failure.kind,
            FailureKind::ContextLength | FailureKind::Refused | FailureKind::Malformed
        )
    }

    fn sentence(&self, language: Language) -> String {
        match self {
            Self::Model(failure) => model_error(language.code(), failure).message,
            Self::Late => language.embedding().no_answer_in_time().to_owned(),
            Self::Own(cause) => cause.clone(),
        }
    }
}

impl From<ModelFailure> for Trouble {
    fn from(failure: ModelFailure) -> Self {
        Self::Model(failure)
    }
}

impl Embeddings {
    /// The question as the chosen model sees it. `None` without a model, and when the model fails or takes too long. A
    /// vector that then comes late is known when the same question is asked again.
    pub async fn near(self: &Arc<Self>, text: &str) -> Option<QueryVector> {
        let work = self.space.tasks.spawn(self.begun(text)?);
        match tokio::time::timeout(VECTOR_QUESTION_WAIT, work).await {
            Ok(asked) => asked.ok().flatten(),
            Err(_) => {
                self.note(Some(Trouble::Late));
                None
            }
        }
    }

    /// The same for threads that wait.
    pub fn near_now(self: &Arc<Self>, text: &str) -> Option<QueryVector> {
        let work = self.begun(text)?;
        let (sender, receiver) = sync_channel(1);
        self.space.tasks.spawn(async move {
            // The one who waited may have gone on.
            sender.try_send(work.await).ok();
        });
        match receiver.recv_timeout(VECTOR_QUESTION_WAIT) {
            Ok(near) => near,
            Err(_) => {
                self.note(Some(Trouble::Late));
                None
            }
        }
    }

    /// The vectors of texts that are searched here and now, with the name of the model that made them. `None` without a
    /// model, and when the model fails or takes too long.
    pub async fn of_texts(self: &Arc<Self>, texts: Vec<String>) -> Option<(String, Vec<Vec<f32>>)> {
        let asking = Asking::of(self).filter(|_| !self.is_paused())?;
        let texts: Vec<String> = texts.iter().map(|text| beginning(text)).collect();
        let asked = self.space.tasks.spawn(async move {
            let embedder = asking.open().await?;
            let vectors = asking.documents(&embedder, &texts).await?;
            Ok::<_, Trouble>((embedder.id(), vectors))
        });
        let trouble = match tokio::time::timeout(VECTORS_OF_TEXTS_WAIT, asked).await {
            Ok(Ok(Ok(made))) => return Some(made),
            Ok(Ok(Err(cause))) => cause,
            Ok(Err(cause)) => Trouble::Own(cause.to_string()),
            Err(_) => Trouble::Late,
        };
        tracing::info!(?trouble, "texts are searched by their words alone");
        self.note(Some(trouble));
        None
    }

    fn begun(
        self: &Arc<Self>,
        text: &str,
    ) -> Option<impl Future<Output = Option<QueryVector>> + Send + use<>> {
        if !text.chars().any(char::is_alphabetic) || self.is_paused() {
            return None;
        }
        let asking = Asking::of(self)?;
        let (noted, text) = (Arc::clone(self), text.trim().to_owned());
        Some(async move {
            match asking.question(text).await {
                Ok(near) => {
                    noted.note(None);
                    near
                }
                Err(cause) => {
                    tracing::info!(?cause, "a question is searched by its words alone");
                    noted.note(Some(cause));
                    None
                }
            }
        })
    }

    /// How far the chosen model has come; `None` where none is chosen.
    ///
    /// # Errors
    /// It can't be read.
    pub async fn progress(self: &Arc<Self>) -> Result<Option<MemoryMeaning>, StoreError> {
        let Some(asking) = Asking::of(self) else {
            return Ok(None);
        };
        let name = self.space.config().role.embedding.clone();
        if !self.state.lock().was_asked {
            // A command that has just begun knows nothing of the model: whether it answers is worth a word.
            self.near(PROBE).await;
        }
        let trouble = self.state.lock().trouble.clone();
        let said = |trouble: Trouble| trouble.sentence(self.space.language());
        let opened = asking.open().await;
        let (model, trouble) = match opened {
            Ok(embedder) => (embedder.id(), trouble.map(said)),
            Err(cause) => (name, Some(said(cause))),
        };
        let (placed, of) = self.space.store.placed(&model)?;
        Ok(Some(MemoryMeaning {
            model,
            placed,
            of,
            trouble,
        }))
    }
}

/// The beginning of a text is what models take.
pub(crate) fn beginning(text: &str) -> String {
    text.chars().take(VECTOR_TEXT_CHARACTERS).collect()
}
