//! Lists and counts of experiences.

use super::{COLUMNS, drop_those, read, run};
use crate::column::{Json, Named, unsigned};
use crate::table::{FITTING_MOST, only, rows, write};
use crate::{Store, StoreError};
use rusqlite::{Connection, params};
use shidi_protocol::{Experience, ExperienceCount, ExperienceId, ExperienceState, Moment};

/// Which experiences to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExperienceFilter {
    /// Of these states; all when empty.
    pub states: Vec<ExperienceState>,
    /// Text that goal, lesson, code or error must contain, whatever its case; empty takes all.
    pub text: String,
}

impl Store {
    /// Experiences that fit, with their runs, from the `offset`th on. Candidates come first, by votes and by how often
    /// they were taught. The others come newest first.
    pub fn experiences(
        &self,
        filter: &ExperienceFilter,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<Experience>, StoreError> {
        self.read(|connection| {
            let found = fitting(connection, filter, offset, limit)?;
            found
                .into_iter()
                .map(|experience| run::with_runs(connection, experience))
                .collect()
        })
    }

    /// Approved experiences, newest first, without their runs.
    pub fn experiences_approved(&self, limit: u32) -> Result<Vec<Experience>, StoreError> {
        let approved = ExperienceFilter {
            states: vec![ExperienceState::Approved],
            text: String::new(),
        };
        self.read(|connection| fitting(connection, &approved, 0, limit))
    }

    /// How many there are in each state; states without any are left out.
    pub fn experience_counts(&self) -> Result<Vec<ExperienceCount>, StoreError> {
        self.read(counts)
    }

    /// The experience whose id begins or ends with `text`; [`StoreError::Ambiguous`] when several do.
    pub fn find_experience(&self, text: &str) -> Result<Option<ExperienceId>, StoreError> {
        only(text, self.read(|connection| ids(connection, text, FITTING_MOST))?)
    }
}

/// Candidates first, by votes and by how often they were taught; the others newest first.
pub(crate) fn fitting(
    connection: &Connection,
    filter: &ExperienceFilter,
    offset: u32,
    limit: u32,
) -> rusqlite::Result<Vec<Experience>> {
    let states: Vec<&str> = filter.states.iter().map(|state| state.name()).collect();
    let sql = format!(
        "SELECT {COLUMNS} FROM experience WHERE (?1 = '[]' OR state IN (SELECT value FROM json_each(?1)))
           AND (?2 = '' OR instr(lower(goal || char(10) || lesson || char(10) || code || char(10) || error), lower(?2)))
         ORDER BY state = 'candidate' DESC,
           CASE state WHEN 'candidate'
             THEN coalesce((SELECT avg(value ->> 'score') FROM json_each(votes)), 5.0) END DESC,
           CASE state WHEN 'candidate' THEN seen END DESC, decided DESC, row DESC LIMIT ?4 OFFSET ?3"
    );
    rows(
        connection,
        &sql,
        params![Json(states), filter.text.trim(), offset, limit],
        read,
    )
}

/// States with how many experiences there are in each; those without any are left out.
pub(crate) fn counts(connection: &Connection) -> rusqlite::Result<Vec<ExperienceCount>> {
    rows(
        connection,
        "SELECT state, count(*) FROM experience GROUP BY state ORDER BY state",
        [],
        |row| {
            Ok(ExperienceCount {
                state: row.get::<_, Named<_>>(0)?.0,
                experiences: unsigned(row.get(1)?),
            })
        },
    )
}

/// Ids that begin or end with `text`, at most `limit`.
pub(crate) fn ids(connection: &Connection, text: &str, limit: u32) -> rusqlite::Result<Vec<ExperienceId>> {
    rows(
        connection,
        "SELECT id FROM experience WHERE substr(id, 1, length(?1)) = ?1 OR substr(id, -length(?1)) = ?1 LIMIT ?2",
        params![text, limit],
        |row| Ok(ExperienceId::from(row.get::<_, String>(0)?)),
    )
}

/// Ends what was approved and not used since then, and what waited for a review since then.
pub(crate) fn expire(connection: &Connection, since: Moment, now: Moment) -> rusqlite::Result<()> {
    write(
        connection,
        "UPDATE experience SET state = 'expired', ground = 'unused', decided = ?2
         WHERE (state = 'approved' OR state = 'candidate') AND max(decided, coalesce(last_used, 0)) < ?1",
        params![since.0, now.0],
    )
    .map(|_| ())
}

/// Drops what nobody approved beyond so many of it: what was rejected or ended first, the oldest first.
pub(crate) fn drop_beyond(connection: &Connection, most: u32) -> rusqlite::Result<()> {
    drop_those(
        connection,
        "row IN (
           SELECT row FROM experience WHERE state <> 'approved'
           ORDER BY state = 'candidate' DESC, decided DESC, row DESC LIMIT -1 OFFSET ?1)",
        [most],
    )
}
