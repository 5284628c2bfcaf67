//! `experience`: what runs taught, with what was decided of it and how it fared; one row each.
//!
//! Two keys tell what is the same: the goal's words and the shape of the program. The making of the keys is not the
//! store's business.

pub(crate) mod link;
pub(crate) mod list;
pub(crate) mod run;

use super::{correction, erasure, put_row, write};
use crate::column::{Json, Named};
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Params, Row, named_params, params};
use shidi_protocol::{
    Experience, ExperienceGround, ExperienceId, ExperienceKind, ExperienceOutcome, ExperienceRole,
    ExperienceState, Moment, RunId, SessionId,
};

pub(crate) const CREATE: &str = "
CREATE TABLE experience (
  row         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  kind        TEXT NOT NULL,
  state       TEXT NOT NULL,
  ground      TEXT NOT NULL,
  scope       TEXT NOT NULL,
  goal        TEXT NOT NULL,
  lesson      TEXT NOT NULL,
  code        TEXT NOT NULL,
  context     TEXT NOT NULL,
  calls       TEXT NOT NULL,
  failed_code TEXT NOT NULL,
  error       TEXT NOT NULL,
  result      TEXT NOT NULL,
  outcome     TEXT NOT NULL,
  language    TEXT NOT NULL,
  tainted     INTEGER NOT NULL,
  edited      INTEGER NOT NULL,
  seen        INTEGER NOT NULL,
  wins        INTEGER NOT NULL,
  losses      INTEGER NOT NULL,
  created     INTEGER NOT NULL,
  decided     INTEGER NOT NULL,
  last_used   INTEGER,
  votes       TEXT NOT NULL,
  goal_key    TEXT NOT NULL,
  code_key    TEXT NOT NULL
) STRICT;
CREATE INDEX experience_by_state ON experience (state, decided);
CREATE INDEX experience_by_goal ON experience (goal_key, kind);
CREATE INDEX experience_by_code ON experience (code_key, kind);
CREATE TABLE experience_run (
  experience TEXT NOT NULL REFERENCES experience (id) ON DELETE CASCADE,
  run        TEXT NOT NULL REFERENCES run_state (run) ON DELETE CASCADE,
  role       TEXT NOT NULL,
  outcome    TEXT,
  time       INTEGER NOT NULL,
  PRIMARY KEY (experience, run, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX experience_by_run ON experience_run (run, role);
";

/// The columns in the order in which [`read`] takes them.
pub(crate) const COLUMNS: &str = "id, kind, state, ground, scope, goal, lesson, code, context, calls, failed_code, error, result, outcome, \
     language, tainted, edited, seen, wins, losses, created, decided, last_used, votes";

/// The keys by which two runs taught the same experience, and by which one leads to another. An empty key equals no
/// other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExperienceKeys {
    pub goal: String,
    pub code: String,
    /// What it has to do with, as `tool:files.read`.
    pub links: Vec<String>,
}

/// What is written of experiences.
#[derive(Debug, Clone, PartialEq)]
pub enum ExperienceWrite {
    /// An experience that a run taught or the user wrote, over its earlier form.
    Put {
        experience: Box<Experience>,
        keys: ExperienceKeys,
    },
    /// Another run taught the same.
    See {
        experience: ExperienceId,
        tainted: bool,
    },
    /// Somebody, or the outcomes, decided what becomes of it.
    Decide {
        experience: ExperienceId,
        state: ExperienceState,
        ground: ExperienceGround,
        at: Moment,
    },
    /// A run taught it or uses it; nothing when one of the two is gone.
    Link {
        experience: ExperienceId,
        run: RunId,
        role: ExperienceRole,
        at: Moment,
    },
    /// A run corrected a failure of a tool. The class is the error's; no text is kept.
    Correct {
        run: RunId,
        tool: String,
        class: String,
        at: Moment,
    },
    /// Scores what a run used by how the run came out.
    Score {
        run: RunId,
        outcome: ExperienceOutcome,
    },
    /// Ends experiences that nobody used or reviewed since then.
    Expire {
        since: Moment,
        now: Moment,
    },
    /// Drops the oldest of what is not approved beyond so many.
    Drop {
        most: u32,
    },
    Delete(ExperienceId),
}

impl ExperienceWrite {
    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Put { experience, keys } => put(connection, experience, keys),
            Self::See { experience, tainted } => seen(connection, experience, *tainted),
            Self::Decide {
                experience,
                state,
                ground,
                at,
            } => decide(connection, experience, *state, *ground, *at),
            Self::Link {
                experience,
                run,
                role,
                at,
            } => run::link(connection, experience, run, *role, *at),
            Self::Correct { run, tool, class, at } => correction::note(connection, run, tool, class, *at),
            Self::Score { run, outcome } => run::score(connection, run, *outcome),
            Self::Expire { since, now } => list::expire(connection, *since, *now),
            Self::Drop { most } => list::drop_beyond(connection, *most),
            Self::Delete(experience) => delete(connection, experience),
        }
    }

    /// Whether text must be gone from the disk once this is written.
    pub(crate) fn erases(&self) -> bool {
        match self {
            Self::Delete(_) => true,
            Self::Put { .. }
            | Self::See { .. }
            | Self::Decide { .. }
            | Self::Link { .. }
            | Self::Correct { .. }
            | Self::Score { .. }
            | Self::Expire { .. }
            | Self::Drop { .. } => false,
        }
    }
}

impl Store {
    /// An experience with the runs that taught and used it.
    pub fn experience(&self, id: &ExperienceId) -> Result<Option<Experience>, StoreError> {
        self.read(|connection| {
            let Some(found) = one(connection, id)? else {
                return Ok(None);
            };
            run::with_runs(connection, found).map(Some)
        })
    }

    /// The experience that an earlier run taught and that is the same.
    pub fn experience_twin(
        &self,
        kind: ExperienceKind,
        keys: &ExperienceKeys,
    ) -> Result<Option<Experience>, StoreError> {
        self.read(|connection| twin(connection, kind, keys))
    }
}

/// Writes an experience over an earlier form of it. What was counted is counted on: a run may end meanwhile.
pub(crate) fn put(
    connection: &Connection,
    experience: &Experience,
    keys: &ExperienceKeys,
) -> rusqlite::Result<()> {
    if experience.kind != ExperienceKind::Mistake {
        // What was a common mistake until now is none by the user's will.
        correction::forget(connection, "id = ?1", [experience.id.as_str()])?;
    }
    put_row(
        connection,
        "experience",
        &["id"],
        named_params! {
            "id": experience.id.as_str(),
            "kind": experience.kind.name(),
            "state": experience.state.name(),
            "ground": Named(experience.ground),
            "scope": experience.scope.to_string(),
            "goal": experience.goal,
            "lesson": experience.lesson,
            "code": experience.code,
            "context": Json(&experience.context),
            "calls": Json(&experience.calls),
            "failed_code": experience.failed_code,
            "error": experience.error,
            "result": experience.result,
            "outcome": Named(experience.outcome),
            "language": experience.language,
            "tainted": experience.tainted,
            "edited": experience.edited,
            "seen": experience.seen,
            "wins": experience.wins,
            "losses": experience.losses,
            "created": experience.created.0,
            "decided": experience.decided.0,
            "last_used": experience.last_used.map(|moment| moment.0),
            "votes": Json(&experience.votes),
            "goal_key": keys.goal,
            "code_key": keys.code,
        },
        &["seen", "wins", "losses", "last_used"],
    )?;
    link::put(connection, &experience.id, &keys.links)
}

/// A state that somebody or something decided, with the ground for it.
pub(crate) fn decide(
    connection: &Connection,
    id: &ExperienceId,
    state: ExperienceState,
    ground: ExperienceGround,
    at: Moment,
) -> rusqlite::Result<()> {
    // What is approved anew starts anew: the outcomes that ended it would end it again with the next run.
    write(
        connection,
        "UPDATE experience SET state = ?2, ground = ?3, decided = ?4,
           wins = iif(?2 = 'approved', 0, wins), losses = iif(?2 = 'approved', 0, losses) WHERE id = ?1",
        params![id.as_str(), state.name(), Named(ground), at.0],
    )
    .map(|_| ())
}

/// Counts that another run taught the same. What a tainted run adds makes it tainted as long as nobody reviewed it.
pub(crate) fn seen(connection: &Connection, id: &ExperienceId, tainted: bool) -> rusqlite::Result<()> {
    write(
        connection,
        "UPDATE experience SET seen = seen + 1, tainted = tainted OR (?2 AND state = 'candidate') WHERE id = ?1",
        params![id.as_str(), tainted],
    )
    .map(|_| ())
}

/// Erases an experience.
pub(crate) fn delete(connection: &Connection, id: &ExperienceId) -> rusqlite::Result<()> {
    drop_those(connection, "id = ?1", [id.as_str()])?;
    erasure::ask(connection)
}

/// Deletes the experiences of a condition in SQL. With a common mistake goes what was counted of it, or it would come back
/// at once.
pub(crate) fn drop_those(
    connection: &Connection,
    which: &str,
    parameters: impl Params + Copy,
) -> rusqlite::Result<()> {
    correction::forget(connection, which, parameters)?;
    write(
        connection,
        &format!("DELETE FROM experience WHERE {which}"),
        parameters,
    )
    .map(|_| ())
}

/// Erases experiences that only that session taught and the user did not take for their own. Comes before the session's
/// own rows go.
pub(crate) fn of_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<()> {
    drop_those(
        connection,
        "NOT (state = 'approved' AND ground = 'user') AND id IN (
           SELECT experience FROM experience_run JOIN run_state USING (run) WHERE role = 'taught'
           GROUP BY experience HAVING sum(session = ?1) > 0 AND sum(session <> ?1) = 0)",
        [session.as_str()],
    )
}

pub(crate) fn one(connection: &Connection, id: &ExperienceId) -> rusqlite::Result<Option<Experience>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM experience WHERE id = ?1"))?
        .query_row([id.as_str()], read)
        .optional()
}

/// The earlier experience that is the same: by its program, else by its goal, and of the same kind.
pub(crate) fn twin(
    connection: &Connection,
    kind: ExperienceKind,
    keys: &ExperienceKeys,
) -> rusqlite::Result<Option<Experience>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM experience
         WHERE kind = ?1 AND ((goal_key = ?2 AND ?2 <> '') OR (code_key = ?3 AND ?3 <> ''))
         ORDER BY code_key = ?3 DESC, row LIMIT 1"
    );
    connection
        .prepare_cached(&sql)?
        .query_row(params![kind.name(), keys.goal, keys.code], read)
        .optional()
}

/// Reads a row of [`COLUMNS`]; its runs are not among them.
pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Experience> {
    let (wins, losses) = (row.get(18)?, row.get(19)?);
    Ok(Experience {
        id: ExperienceId::from(row.get::<_, String>(0)?),
        kind: row.get::<_, Named<_>>(1)?.0,
        state: row.get::<_, Named<_>>(2)?.0,
        ground: row.get::<_, Named<_>>(3)?.0,
        scope: row.get::<_, Named<_>>(4)?.0,
        goal: row.get(5)?,
        lesson: row.get(6)?,
        code: row.get(7)?,
        context: row.get::<_, Json<_>>(8)?.0,
        calls: row.get::<_, Json<_>>(9)?.0,
        failed_code: row.get(10)?,
        error: row.get(11)?,
        result: row.get(12)?,
        outcome: row.get::<_, Named<_>>(13)?.0,
        language: row.get(14)?,
        tainted: row.get(15)?,
        edited: row.get(16)?,
        seen: row.get(17)?,
        wins,
        losses,
        bound: Experience::lower_bound(wins, losses),
        created: Moment(row.get(20)?),
        decided: Moment(row.get(21)?),
        last_used: row.get::<_, Option<i64>>(22)?.map(Moment),
        votes: row.get::<_, Json<_>>(23)?.0,
        runs: Vec::new(),
    })
}
