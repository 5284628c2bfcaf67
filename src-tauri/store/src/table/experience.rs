//! `experience`: what runs taught, with what was decided of it and how it fared; one row each.
//!
//! Two keys tell what is the same: the goal's words and the shape of the program. What they are made of is not the
//! store's business.

pub(crate) mod list;
pub(crate) mod run;

use super::{erasure, write, write_one};
use crate::column::{Json, Named};
use rusqlite::{Connection, OptionalExtension, Row, params};
use shidi_protocol::{
    Experience, ExperienceGround, ExperienceId, ExperienceKind, ExperienceState, Moment, SessionId,
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

/// What tells that two runs taught the same; an empty one is like no other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExperienceKeys {
    pub goal: String,
    pub code: String,
}

/// Writes an experience over an earlier form of it. What was counted is counted on: a run may end meanwhile.
pub(crate) fn put(
    connection: &Connection,
    experience: &Experience,
    keys: &ExperienceKeys,
) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT INTO experience ({COLUMNS}, goal_key, code_key) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
           ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26)
         ON CONFLICT (id) DO UPDATE SET kind = ?2, state = ?3, ground = ?4, scope = ?5, goal = ?6, lesson = ?7, code = ?8,
           context = ?9, calls = ?10, failed_code = ?11, error = ?12, result = ?13, outcome = ?14, language = ?15,
           tainted = ?16, edited = ?17, created = ?21, decided = ?22, votes = ?24, goal_key = ?25, code_key = ?26"
    );
    write_one(
        connection,
        &sql,
        params![
            experience.id.as_str(),
            experience.kind.name(),
            experience.state.name(),
            Named(experience.ground),
            experience.scope.to_string(),
            experience.goal,
            experience.lesson,
            experience.code,
            Json(&experience.context),
            Json(&experience.calls),
            experience.failed_code,
            experience.error,
            experience.result,
            Named(experience.outcome),
            experience.language,
            experience.tainted,
            experience.edited,
            experience.seen,
            experience.wins,
            experience.losses,
            experience.created.0,
            experience.decided.0,
            experience.last_used.map(|moment| moment.0),
            Json(&experience.votes),
            keys.goal,
            keys.code,
        ],
    )
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
    write(connection, "DELETE FROM experience WHERE id = ?1", [id.as_str()])?;
    erasure::ask(connection)
}

/// Erases what only that session taught and the user did not take for their own; comes before the session's own rows go.
pub(crate) fn of_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<()> {
    write(
        connection,
        "DELETE FROM experience WHERE NOT (state = 'approved' AND ground = 'user') AND id IN (
           SELECT experience FROM experience_run JOIN run_state USING (run) WHERE role = 'taught'
           GROUP BY experience HAVING sum(session = ?1) > 0 AND sum(session <> ?1) = 0)",
        [session.as_str()],
    )
    .map(|_| ())
}

pub(crate) fn one(connection: &Connection, id: &ExperienceId) -> rusqlite::Result<Option<Experience>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM experience WHERE id = ?1"))?
        .query_row([id.as_str()], read)
        .optional()
}

/// What was taught before and is the same: by its program, else by its goal. The kind has to be the same as well.
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
