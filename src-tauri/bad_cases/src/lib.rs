//! Bad cases (F12.4): an answer that was not good becomes a task with its whole situation. The task is tried again from
//! then on.
//!
//! Each is a suite of one task in `bad-cases/` of the data folder, so that whatever reads suites reads it. Nothing is
//! kept that its user has not seen, and secrets are taken out before that. A model may propose a change, which is
//! measured. The change is made when its user says so, and can be taken back.

mod beside;
mod changes;
mod limits;
mod measuring;
mod occasion;
mod proposal;
mod requests;
mod shelf;
mod text;
mod trials;
mod verdict;

pub use changes::skill_text;
pub use trials::{Measuring, Trials, Tried};

use shidi_protocol::{BadCaseRequest, Request, UserError};
use shidi_space::Space;
use shidi_space::replies::{Answered, Answerer, Replies};
use std::path::PathBuf;
use std::sync::Arc;

/// The name of the folder that holds them, in the data folder.
pub const FOLDER: &str = "bad-cases";

/// The bad cases of a data folder.
pub struct BadCases {
    space: Arc<Space>,
    /// One change after the other.
    changing: tokio::sync::Mutex<()>,
    /// Tries tasks; `None` in a process that has nothing for it.
    trials: Option<Arc<dyn Trials>>,
    /// Answers requests as those of a person.
    answers: Answerer,
}

impl BadCases {
    #[must_use]
    pub fn new(space: Arc<Space>, trials: Option<Arc<dyn Trials>>) -> Arc<Self> {
        Arc::new(Self {
            space,
            changing: tokio::sync::Mutex::default(),
            trials,
            answers: Answerer::default(),
        })
    }

    /// What is accepted is asked for from this.
    pub fn answered_by<A: Send + Sync + 'static>(
        &self,
        answers: &Arc<A>,
        serve: fn(&Arc<A>, Request) -> Replies,
    ) {
        self.answers.is(answers, serve);
    }

    /// Answers what a person asks of bad cases.
    ///
    /// # Errors
    /// No such run or case, a run at work, a text that is no suite. Also a name that is taken, and trouble with the
    /// disk.
    pub async fn answer(self: &Arc<Self>, request: BadCaseRequest) -> Result<Answered, UserError> {
        requests::answer(self, request).await
    }

    fn folder(&self) -> PathBuf {
        self.space.home.folder().join(FOLDER)
    }
}
