//! One data space: a store, its files, and how long what is written there lasts.
//!
//! There is one that is recorded, and one beside it for each incognito session (F6.6). A feature that works in a space
//! takes this and knows nothing of other spaces. Of the process a feature sees [`Shared`], by its own name.

use crate::assistant_bounds::KnownAssistants;
use crate::blobs::Blobs;
use crate::errors::error;
use crate::home::Home;
use crate::memory_folder::MemoryFolder;
use crate::shared::Shared;
use crate::storage;
pub use shidi_installation::child_program;
use shidi_protocol::{ErrorCode, LookOutcome, LookRecord, SessionId, UserError};
use shidi_store::{Rule, Store, StoreError, Write};
use shidi_toolkits::Library;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::task::TaskTracker;

/// Looks among which one that is being sent is found again.
const LOOKS_LOOKED_THROUGH: u32 = 64;

pub struct Space {
    shared: Arc<Shared>,
    pub store: Store,
    pub home: Home,
    pub blobs: Blobs,
    /// `None` where what is read of documents can't be kept.
    pub library: Option<Library>,
    /// Work of a moment that nobody waits for but the end.
    pub background: TaskTracker,
    /// What the files of assistants say; in a try-out the draft has its word in their place.
    pub assistants: Arc<KnownAssistants>,
    incognito: Option<Incognito>,
}

/// What a session is for that leaves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A conversation that nobody is to read again.
    Conversation,
    /// Questions to an assistant that is not kept yet.
    TryOut,
}

/// What a space has whose session leaves nothing.
pub struct Incognito {
    /// The session that it was opened for.
    pub session: SessionId,
    pub purpose: Purpose,
    /// The user's own store: rules are read from it, in a try-out knowledge bases too.
    pub user: Store,
    /// Where its files are, in memory.
    pub files: Option<MemoryFolder>,
}

impl Space {
    pub fn new(shared: Arc<Shared>, store: Store, home: Home, incognito: Option<Incognito>) -> Self {
        let is_conversation = |own: &Incognito| own.purpose == Purpose::Conversation;
        let assistants = match incognito.as_ref().is_none_or(is_conversation) {
            true => Arc::clone(&shared.assistants),
            false => Arc::default(),
        };
        Self {
            assistants,
            shared,
            store,
            library: library(&home),
            home,
            blobs: Blobs::default(),
            background: TaskTracker::new(),
            incognito,
        }
    }

    /// Work on files, which may take seconds, where it holds nobody up.
    ///
    /// # Errors
    /// What `work` says, or that it broke off.
    pub async fn aside<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, UserError> + Send + 'static,
    ) -> Result<T, UserError> {
        let own = Arc::clone(self);
        match tokio::task::spawn_blocking(move || work(&own)).await {
            Ok(reply) => reply,
            Err(cause) => Err(error(
                ErrorCode::Internal,
                cause.to_string(),
                self.language().space().try_again(),
            )),
        }
    }

    /// What the store answered, its trouble as a sentence.
    ///
    /// # Errors
    /// That trouble.
    pub fn stored<T>(&self, answered: Result<T, StoreError>) -> Result<T, UserError> {
        answered.map_err(|cause| storage::explain(&cause, self.language()))
    }

    /// What all spaces of the process have in common.
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Whether this process goes on with this space when its question is answered.
    pub fn stays(&self) -> bool {
        self.shared.stays() && !self.is_incognito()
    }

    /// Whether its sessions leave nothing.
    pub fn is_incognito(&self) -> bool {
        self.incognito.is_some()
    }

    /// Whether its session tries the draft of an assistant.
    pub fn is_try_out(&self) -> bool {
        let purpose = self.incognito.as_ref().map(|own| own.purpose);
        purpose == Some(Purpose::TryOut)
    }

    /// Whether knowledge bases, workflows and tools of plugins are there: in all but a conversation that leaves nothing.
    pub fn is_equipped(&self) -> bool {
        !self.is_incognito() || self.is_try_out()
    }

    /// The store that knowledge bases are read from. A try-out reads the user's, and writes nothing there.
    pub fn knowledge(&self) -> &Store {
        match &self.incognito {
            Some(own) if own.purpose == Purpose::TryOut => &own.user,
            Some(_) | None => &self.store,
        }
    }

    /// Whether this is the incognito session that it was opened for: it begins with its first question.
    pub fn begins(&self, session: &SessionId) -> bool {
        self.incognito.as_ref().is_some_and(|own| own.session == *session)
    }

    /// Removes the files of an incognito session, whoever still holds the space.
    pub fn remove_files(&self) {
        if let Some(files) = self.incognito.as_ref().and_then(|own| own.files.as_ref()) {
            files.remove();
        }
    }

    /// The user's decisions that are remembered; in an incognito space also those that hold there alone.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn rules(&self) -> Result<Vec<Rule>, StoreError> {
        let mut rules = self.store.rules()?;
        if let Some(own) = &self.incognito {
            rules.extend(own.user.rules()?);
        }
        Ok(rules)
    }

    /// What a model is told of an incognito session, as a fact of its surroundings.
    pub fn told_of_incognito(&self) -> Option<(String, String)> {
        let told = "incognito: nothing of it is kept, and what is remembered of the user is not known here";
        self.is_incognito()
            .then(|| ("session".to_owned(), told.to_owned()))
    }

    /// The user's ledger may hold a look from before an incognito session. The sending of this look is added there,
    /// without a title and without the receiver.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn complete_ledger(&self, sent: &LookRecord) -> Result<(), StoreError> {
        let Some(Incognito { user, .. }) = &self.incognito else {
            return Ok(());
        };
        let known = user.looks(LOOKS_LOOKED_THROUGH)?;
        match known.into_iter().find(|look| look.id == sent.id) {
            Some(look) => user.buffer(Write::PutLook(Box::new(LookRecord {
                outcome: LookOutcome::Sent,
                ..look
            }))),
            None => Ok(()),
        }
    }
}

/// A space is used as the process it is in.
impl Deref for Space {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

/// What is read of documents, where it may be kept.
fn library(home: &Home) -> Option<Library> {
    Some(Library::new(home.documents()?, reader_program()))
}

/// The program that reads strangers' files; where it is missing, the place that an installation has it at.
pub fn reader_program() -> PathBuf {
    shidi_installation::program("shidi-reader", None).unwrap_or_else(|missing| missing.installed)
}
