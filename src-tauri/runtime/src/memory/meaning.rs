//! Finding by meaning, where the user chose a model that makes vectors (F6.4): texts get theirs in the background,
//! (`placing.rs`); a question gets one before it is asked. Without the model, or while it is slow, words alone find.

use crate::engine::{Engine, held};
use crate::limits::{VECTOR_QUESTION_WAIT, VECTOR_QUESTIONS_PAUSED_FOR, VECTOR_TEXT_CHARACTERS};
use crate::run::model_choice;
use crate::spending::Spending;
use crate::words::Words;
use shidi_agent::model_error;
use shidi_models::{Aim, Embedder, Ledger, ModelChoice, Models};
use shidi_protocol::{FailureKind, MemoryMeaning, ModelFailure, ModelRole};
use shidi_store::{Near, StoreError};
use std::future::Future;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What the model is asked to see whether it answers.
const PROBE: &str = "hello";

/// What is known of the chosen model while the process lives.
#[derive(Default)]
pub struct Meaning {
    state: Mutex<State>,
    /// The user chose another model.
    pub(super) changed: Notify,
    /// Whether this process gives texts their vectors: one that runs something does.
    pub(super) begun: AtomicBool,
    pub(super) work: TaskTracker,
    pub(super) ended: CancellationToken,
}

#[derive(Default)]
struct State {
    /// Until then no question waits for a model that failed.
    paused_until: Option<Instant>,
    /// Whether it was asked anything, and why the last request failed.
    was_asked: bool,
    trouble: Option<Trouble>,
    /// The last question and its vector: windows ask the same several times.
    last: Option<(String, Near)>,
}

impl Meaning {
    /// The settings of models changed: looks for texts without vectors at once, and forgets about earlier trouble.
    pub fn follow(&self) {
        *held(&self.state) = State::default();
        self.changed.notify_one();
    }

    pub(super) fn note(&self, trouble: Option<Trouble>) {
        let mut state = held(&self.state);
        state.was_asked = true;
        state.paused_until = trouble
            .is_some()
            .then(|| Instant::now() + VECTOR_QUESTIONS_PAUSED_FOR);
        state.trouble = trouble;
    }

    fn is_paused(&self) -> bool {
        held(&self.state)
            .paused_until
            .is_some_and(|until| Instant::now() < until)
    }

    fn known(&self, model: &str, question: &str) -> Option<Near> {
        let state = held(&self.state);
        let (text, near) = state.last.as_ref()?;
        (text == question && near.model == model).then(|| near.clone())
    }
}

/// Everything that asking the model takes, apart from the engine, which may end meanwhile.
#[derive(Clone)]
pub(super) struct Asking {
    pub(super) meaning: Arc<Meaning>,
    models: Arc<Models>,
    choice: ModelChoice,
    spending: Arc<Spending>,
}

impl Asking {
    /// `None` where no model is chosen, and for a session that leaves nothing: it has no memory to search.
    pub(super) fn of(engine: &Engine) -> Option<Self> {
        if engine.is_incognito() {
            return None;
        }
        let config = engine.config();
        let name = config.text("role.embedding");
        let choice = (!name.is_empty()).then(|| model_choice(&config).beside(name))?;
        drop(config);
        Some(Self {
            meaning: Arc::clone(&engine.meaning),
            models: engine.models(),
            choice,
            spending: Arc::clone(&engine.spending),
        })
    }

    pub(super) async fn open(&self) -> Result<Embedder, Trouble> {
        Ok(self.models.open_embedder(&self.choice).await?)
    }

    async fn vectors(
        &self,
        embedder: &Embedder,
        texts: &[String],
        aim: Aim,
    ) -> Result<Vec<Vec<f32>>, Trouble> {
        if let Err((english, chinese)) = self.spending.may_ask() {
            return Err(Trouble::Model(ModelFailure {
                kind: FailureKind::Budget,
                detail: english,
                detail_zh: Some(chinese),
                provider: embedder.provider().to_owned(),
                provider_title: None,
                partial: None,
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
    pub(super) async fn documents(
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
    async fn question(self, text: String) -> Result<Option<Near>, Trouble> {
        let embedder = self.open().await?;
        let model = embedder.id();
        if let Some(known) = self.meaning.known(&model, &text) {
            return Ok(Some(known));
        }
        let vectors = self.vectors(&embedder, &[beginning(&text)], Aim::Query).await?;
        let near = vectors.into_iter().next().map(|numbers| Near { model, numbers });
        held(&self.meaning.state).last = near.clone().map(|near| (text, near));
        Ok(near)
    }
}

/// Why there are no vectors.
#[derive(Debug, Clone)]
pub(super) enum Trouble {
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

    fn sentence(&self, words: Words) -> String {
        match self {
            Self::Model(failure) => model_error(words.code(), failure).message,
            Self::Late => words.pick("没有及时回音", "no answer in time").to_owned(),
            Self::Own(cause) => cause.clone(),
        }
    }
}

impl From<ModelFailure> for Trouble {
    fn from(failure: ModelFailure) -> Self {
        Self::Model(failure)
    }
}

/// The question as the chosen model sees it; `None` without a model, and when that fails or takes too long: what then
/// comes late is known when the same is asked again.
pub async fn near(engine: &Engine, text: &str) -> Option<Near> {
    let (work, meaning) = begun(engine, text)?;
    let work = engine.tasks.spawn(work);
    match tokio::time::timeout(VECTOR_QUESTION_WAIT, work).await {
        Ok(asked) => asked.ok().flatten(),
        Err(_) => {
            meaning.note(Some(Trouble::Late));
            None
        }
    }
}

/// The same for threads that wait.
pub fn near_now(engine: &Engine, text: &str) -> Option<Near> {
    let (work, meaning) = begun(engine, text)?;
    let (sender, receiver) = sync_channel(1);
    engine.tasks.spawn(async move {
        // The one who waited may have gone on.
        sender.try_send(work.await).ok();
    });
    match receiver.recv_timeout(VECTOR_QUESTION_WAIT) {
        Ok(near) => near,
        Err(_) => {
            meaning.note(Some(Trouble::Late));
            None
        }
    }
}

type Begun<F> = Option<(F, Arc<Meaning>)>;

fn begun(engine: &Engine, text: &str) -> Begun<impl Future<Output = Option<Near>> + Send + use<>> {
    if !text.chars().any(char::is_alphabetic) || engine.meaning.is_paused() {
        return None;
    }
    let asking = Asking::of(engine)?;
    let (meaning, text) = (Arc::clone(&asking.meaning), text.trim().to_owned());
    let noted = Arc::clone(&meaning);
    let work = async move {
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
    };
    Some((work, meaning))
}

/// How far the chosen model has come; `None` where none is chosen.
///
/// # Errors
/// It can't be read.
pub async fn state(engine: &Engine) -> Result<Option<MemoryMeaning>, StoreError> {
    let Some(asking) = Asking::of(engine) else {
        return Ok(None);
    };
    let name = engine.config().text("role.embedding").to_owned();
    if !held(&engine.meaning.state).was_asked {
        // A command that has just begun knows nothing of the model: whether it answers is worth a word.
        near(engine, PROBE).await;
    }
    let trouble = held(&engine.meaning.state).trouble.clone();
    let said = |trouble: Trouble| trouble.sentence(engine.words());
    let opened = asking.open().await;
    let (model, trouble) = match opened {
        Ok(embedder) => (embedder.id(), trouble.map(said)),
        Err(cause) => (name, Some(said(cause))),
    };
    let (placed, of) = engine.store.placed(&model)?;
    Ok(Some(MemoryMeaning {
        model,
        placed,
        of,
        trouble,
    }))
}

/// The beginning of a text is what models take.
pub(super) fn beginning(text: &str) -> String {
    text.chars().take(VECTOR_TEXT_CHARACTERS).collect()
}
