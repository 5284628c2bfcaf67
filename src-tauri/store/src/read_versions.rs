//! Readings about the versions of a session: which runs one line of it holds, and what programs find there.

use crate::table::{run_state, session, variable};
use crate::{Store, StoreError, Variable, VariableRow};
use shidi_protocol::{RunId, SessionId};

impl Store {
    /// The run at the end of what a session shows.
    pub fn head(&self, session: &SessionId) -> Result<Option<RunId>, StoreError> {
        self.read(|connection| session::head(connection, session))
    }

    /// A run with those that it follows, the first of its session last; empty when there is no such run.
    pub fn line(&self, run: &RunId) -> Result<Vec<RunId>, StoreError> {
        self.read(|connection| run_state::line(connection, run))
    }

    /// The variables that programs find after the run `last`, by name; without one, before the first run.
    pub fn variables(&self, session: &SessionId, last: Option<&RunId>) -> Result<Vec<Variable>, StoreError> {
        self.read(|connection| variable::after(connection, session, last))
    }

    /// The variables that all runs of a session left and deleted, by name: for a copy of all its versions.
    pub fn variable_rows(&self, session: &SessionId) -> Result<Vec<VariableRow>, StoreError> {
        self.read(|connection| variable::of_session(connection, session))
    }
}
