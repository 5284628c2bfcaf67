//! `experience_run`: which runs taught an experience, and which used it with what outcome. A row goes with its run; what
//! was counted stays counted.

use crate::column::Named;
use crate::table::{rows, write};
use crate::{Store, StoreError};
use rusqlite::{Connection, params};
use shidi_protocol::{
    Experience, ExperienceId, ExperienceOutcome, ExperienceRole, ExperienceRun, Moment, RunId, SessionId,
};

/// Runs that are shown of one experience.
const RUNS_MOST: u32 = 20;

impl Store {
    /// Runs that are over and whose outcome was not counted yet, oldest first.
    pub fn runs_unscored(&self, limit: u32) -> Result<Vec<RunId>, StoreError> {
        self.read(|connection| unscored(connection, limit))
    }

    /// Experiences that a run uses, in no order and without their runs.
    pub fn experiences_of(&self, run: &RunId) -> Result<Vec<Experience>, StoreError> {
        self.read(|connection| used_by(connection, run))
    }
}

/// Notes that a run taught or uses an experience; nothing when one of the two is gone.
pub(crate) fn link(
    connection: &Connection,
    experience: &ExperienceId,
    run: &RunId,
    role: ExperienceRole,
    at: Moment,
) -> rusqlite::Result<()> {
    write(
        connection,
        "INSERT OR IGNORE INTO experience_run (experience, run, role, time)
         SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM experience WHERE id = ?1)
           AND EXISTS (SELECT 1 FROM run_state WHERE run = ?2)",
        params![experience.as_str(), run.as_str(), Named(role), at.0],
    )?;
    if role == ExperienceRole::Used {
        write(
            connection,
            "UPDATE experience SET last_used = max(coalesce(last_used, 0), ?2) WHERE id = ?1",
            params![experience.as_str(), at.0],
        )?;
    }
    Ok(())
}

/// Scores what a run used by how the run came out; a run counts once.
pub(crate) fn score(
    connection: &Connection,
    run: &RunId,
    outcome: ExperienceOutcome,
) -> rusqlite::Result<()> {
    let (won, lost) = match outcome {
        ExperienceOutcome::Success => (1, 0),
        ExperienceOutcome::Failure => (0, 1),
        ExperienceOutcome::Neither => (0, 0),
    };
    write(
        connection,
        "UPDATE experience SET wins = wins + ?2, losses = losses + ?3 WHERE id IN (
           SELECT experience FROM experience_run WHERE run = ?1 AND role = 'used' AND outcome IS NULL)",
        params![run.as_str(), won, lost],
    )?;
    write(
        connection,
        "UPDATE experience_run SET outcome = ?2 WHERE run = ?1 AND role = 'used' AND outcome IS NULL",
        params![run.as_str(), Named(outcome)],
    )
    .map(|_| ())
}

/// Experiences that a run uses, in no order.
pub(crate) fn used_by(connection: &Connection, run: &RunId) -> rusqlite::Result<Vec<Experience>> {
    let sql = format!(
        "SELECT {} FROM experience WHERE id IN (
           SELECT experience FROM experience_run WHERE run = ?1 AND role = 'used')",
        super::COLUMNS
    );
    rows(connection, &sql, [run.as_str()], super::read)
}

/// Runs that are over and used something that was not scored by their outcome, oldest first.
pub(crate) fn unscored(connection: &Connection, limit: u32) -> rusqlite::Result<Vec<RunId>> {
    rows(
        connection,
        "SELECT DISTINCT run FROM experience_run JOIN run_state USING (run)
         WHERE role = 'used' AND outcome IS NULL AND status IS NOT NULL AND status <> 'suspended'
         ORDER BY started LIMIT ?1",
        [limit],
        |row| Ok(RunId::from(row.get::<_, String>(0)?)),
    )
}

/// Runs that taught or used an experience, newest first.
pub(crate) fn of(connection: &Connection, experience: &ExperienceId) -> rusqlite::Result<Vec<ExperienceRun>> {
    rows(
        connection,
        "SELECT run, session, question, role, outcome, time FROM experience_run JOIN run_state USING (run)
         WHERE experience = ?1 ORDER BY time DESC, role LIMIT ?2",
        params![experience.as_str(), RUNS_MOST],
        |row| {
            Ok(ExperienceRun {
                run: RunId::from(row.get::<_, String>(0)?),
                session: SessionId::from(row.get::<_, String>(1)?),
                question: row.get(2)?,
                role: row.get::<_, Named<_>>(3)?.0,
                outcome: row.get::<_, Option<Named<_>>>(4)?.map(|named| named.0),
                time: Moment(row.get(5)?),
            })
        },
    )
}

/// The experience with the runs that taught or used it.
pub(crate) fn with_runs(connection: &Connection, mut experience: Experience) -> rusqlite::Result<Experience> {
    experience.runs = of(connection, &experience.id)?;
    Ok(experience)
}
