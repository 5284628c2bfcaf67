//! Reading experiences: which there are, which fit a filter, and what a run used.

use crate::table::experience::list::{self, ExperienceFilter};
use crate::table::experience::{self, ExperienceKeys, run};
use crate::{Store, StoreError, read};
use shidi_protocol::{Experience, ExperienceCount, ExperienceId, ExperienceKind, ExperienceState, RunId};

impl Store {
    /// An experience with the runs that taught and used it.
    pub fn experience(&self, id: &ExperienceId) -> Result<Option<Experience>, StoreError> {
        self.read(|connection| {
            let Some(found) = experience::one(connection, id)? else {
                return Ok(None);
            };
            with_runs(connection, found).map(Some)
        })
    }

    /// Experiences that fit, with their runs: candidates first, by votes and by how often they were taught; then newest
    /// first; from the `offset`th on.
    pub fn experiences(
        &self,
        filter: &ExperienceFilter,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<Experience>, StoreError> {
        self.read(|connection| {
            let found = list::fitting(connection, filter, offset, limit)?;
            found
                .into_iter()
                .map(|experience| with_runs(connection, experience))
                .collect()
        })
    }

    /// Approved experiences, newest first, without their runs.
    pub fn experiences_approved(&self, limit: u32) -> Result<Vec<Experience>, StoreError> {
        let approved = ExperienceFilter {
            states: vec![ExperienceState::Approved],
            text: String::new(),
        };
        self.read(|connection| list::fitting(connection, &approved, 0, limit))
    }

    /// How many there are in each state; states without any are left out.
    pub fn experience_counts(&self) -> Result<Vec<ExperienceCount>, StoreError> {
        self.read(list::counts)
    }

    /// The experience whose id begins or ends with `text`; [`StoreError::Ambiguous`] when several do.
    pub fn find_experience(&self, text: &str) -> Result<Option<ExperienceId>, StoreError> {
        read::only(
            text,
            self.read(|connection| list::ids(connection, text, read::FITTING_MOST))?,
        )
    }

    /// The experience that an earlier run taught and that is the same.
    pub fn experience_twin(
        &self,
        kind: ExperienceKind,
        keys: &ExperienceKeys,
    ) -> Result<Option<Experience>, StoreError> {
        self.read(|connection| experience::twin(connection, kind, keys))
    }

    /// Runs that are over and whose outcome was not counted yet, oldest first.
    pub fn runs_unscored(&self, limit: u32) -> Result<Vec<RunId>, StoreError> {
        self.read(|connection| run::unscored(connection, limit))
    }

    /// Experiences that a run uses, in no order and without their runs.
    pub fn experiences_of(&self, run: &RunId) -> Result<Vec<Experience>, StoreError> {
        self.read(|connection| run::used_by(connection, run))
    }
}

fn with_runs(connection: &rusqlite::Connection, mut experience: Experience) -> rusqlite::Result<Experience> {
    experience.runs = run::of(connection, &experience.id)?;
    Ok(experience)
}
