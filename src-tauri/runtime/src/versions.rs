//! Versions inside one session: what was asked again, or asked otherwise, stands beside the first time.
//!
//! The runs of a session are a tree: each follows another one. One line of the tree is shown and read by a model, from
//! the first run to the session's head. The words, cards and values of other versions stay out of it. Background jobs
//! belong to the session: their news reaches whichever version is asked next.

use crate::errors::error;
use crate::ids;
use crate::space::Space;
use crate::storage;
use crate::workers::Workers;
use shidi_protocol::{Ask, ErrorCode, RunId, RunSummary, SegmentId, SessionDetail, SessionId, UserError};
use shidi_store::{RunState, StoreError, Variable, Write};
use std::collections::{BTreeMap, HashSet};

/// One line of a session's runs.
#[derive(Debug, Clone, Default)]
pub struct Line {
    runs: HashSet<RunId>,
    last: Option<RunId>,
}

/// The runs before a run.
pub struct Before {
    pub segments: Vec<shidi_protocol::Segment>,
    pub variables: Vec<Variable>,
    /// The last segment of the whole session.
    pub last_segment: SegmentId,
    /// What the last of these runs had left behind.
    pub left_behind: Option<SegmentId>,
}

impl Line {
    /// The line that ends with `last`; an empty one before the first run.
    pub fn to(space: &Space, last: Option<&RunId>) -> Result<Self, StoreError> {
        let runs = last.map(|run| space.store.line(run)).transpose()?;
        let runs = runs.unwrap_or_default();
        Ok(Self {
            last: runs.first().cloned(),
            runs: runs.into_iter().collect(),
        })
    }

    /// A run whose line is not known.
    pub fn alone(run: &RunId) -> Self {
        Self {
            runs: HashSet::from([run.clone()]),
            last: Some(run.clone()),
        }
    }

    /// The line that the session shows.
    pub fn shown(space: &Space, session: &SessionId) -> Result<Self, StoreError> {
        Self::to(space, space.store.head(session)?.as_ref())
    }

    /// The line that a run belongs to, with the questions that were asked while it rested. The line is the shown line
    /// if the run is in that. Else it is the line with the newest run after this one. A run that has no record yet
    /// follows `parent`.
    pub fn of_run(
        space: &Space,
        session: &SessionId,
        run: &RunId,
        parent: Option<&RunId>,
    ) -> Result<Self, StoreError> {
        let shown = Self::shown(space, session)?;
        if shown.has(run) {
            return Ok(shown);
        }
        let runs = space.store.runs(session)?;
        if runs.iter().any(|row| row.run == *run) {
            return Self::to(space, Some(&newest_after(&runs, run.clone())));
        }
        Self::to(space, parent)
    }

    pub fn has(&self, run: &RunId) -> bool {
        self.runs.contains(run)
    }

    /// The run at its end. What is left there belongs to it, and is found by what follows.
    pub fn last(&self) -> Option<&RunId> {
        self.last.as_ref()
    }

    /// The variables that programs find at the end of the line.
    pub fn variables(&self, space: &Space, session: &SessionId) -> Result<Vec<Variable>, StoreError> {
        space.store.variables(session, self.last())
    }
}

/// What the run that follows `parent` goes on from; `run` itself, where it is taken up again.
pub fn before(
    space: &Space,
    session: &SessionId,
    parent: Option<&RunId>,
    run: &RunId,
) -> Result<Before, StoreError> {
    let line = Line::of_run(space, session, run, parent)?;
    let mut segments = space.store.segments(session)?;
    let last_segment = segments.last().map(|segment| segment.id).unwrap_or_default();
    segments.retain(|segment| segment.run == *run || line.has(&segment.run));
    let left_behind = line.last().map(|last| storage::left_behind(&space.store, last));
    Ok(Before {
        left_behind: left_behind.transpose()?.flatten(),
        segments,
        variables: line.variables(space, session)?,
        last_segment,
    })
}

/// The question with the session of the run whose version it becomes.
///
/// # Errors
/// No such run, or storage trouble.
pub fn addressed(space: &Space, ask: Ask) -> Result<Ask, UserError> {
    let Some(named) = &ask.instead else { return Ok(ask) };
    let run = ids::whole_run_id(space, named)?;
    let row = ids::row_of_run(space, &run)?;
    let asked = storage::read_state(&row).map(|(_, ask)| ask);
    if asked.is_ok_and(|asked| asked.under.is_some()) {
        return Err(of_a_sub_agent(space));
    }
    Ok(Ask {
        session: Some(row.session),
        instead: Some(run),
        ..ask
    })
}

/// The run that a question follows. The parent is the last one that is shown, or the parent of the run that is asked
/// anew.
///
/// # Errors
/// Storage trouble.
pub fn parent_of(
    (space, workers): (&Space, &Workers),
    ask: &Ask,
    session: &SessionId,
) -> Result<Option<RunId>, StoreError> {
    let Some(earlier) = &ask.instead else {
        return space.store.head(session);
    };
    match space.store.run(earlier)? {
        Some(row) if row.session == *session => {
            workers.leave(session);
            Ok(row.parent)
        }
        Some(_) | None => space.store.head(session),
    }
}

/// Pictures of the screen that went along with questions of other versions than the one that ends with `last`.
///
/// # Errors
/// Storage trouble.
pub fn screens_elsewhere(
    space: &Space,
    session: &SessionId,
    last: Option<&RunId>,
) -> Result<HashSet<String>, StoreError> {
    let line = Line::to(space, last)?;
    let runs = space.store.runs(session)?;
    let elsewhere = runs.iter().filter(|row| !line.has(&row.run));
    let asks = elsewhere.filter_map(|row| storage::read_state(row).ok());
    Ok(asks.flat_map(|(_, ask)| ask.screens).collect())
}

/// Shows the version of a run that has begun to go on. The run's words and values belong there.
///
/// # Errors
/// Storage trouble.
pub fn goes_on(
    (space, workers): (&Space, &Workers),
    session: &SessionId,
    run: &RunId,
) -> Result<(), StoreError> {
    if Line::shown(space, session)?.has(run) {
        return Ok(());
    }
    let runs = space.store.runs(session)?;
    let head = newest_after(&runs, run.clone());
    let title = first_question(space, &runs, &head)?;
    workers.leave(session);
    space.store.commit(vec![
        Write::SetHead {
            session: session.clone(),
            run: head,
        },
        Write::EntitleSession {
            session: session.clone(),
            title,
        },
    ])
}

/// The question with which the line begins that ends with `last`, as a title.
///
/// # Errors
/// Storage trouble.
pub fn first_question(space: &Space, runs: &[RunState], last: &RunId) -> Result<String, StoreError> {
    let first = space.store.line(last)?.pop();
    let row = first.and_then(|first| runs.iter().find(|row| row.run == first));
    Ok(row
        .map(|row| shidi_agent::title(&row.question))
        .unwrap_or_default())
}

/// The sentence for a change of versions under a task that is at work.
pub fn busy(space: &Space) -> UserError {
    let language = space.language();
    error(
        ErrorCode::Input,
        language.runtime().session_at_work(),
        language.runtime().wait_or_stop(),
    )
}

fn of_a_sub_agent(space: &Space) -> UserError {
    let language = space.language();
    error(
        ErrorCode::Input,
        language.runtime().given_by_task(),
        language.runtime().ask_first_question_again(),
    )
}

/// The newest run that came of `run`, however many versions lie between, or itself; `runs` are oldest first.
pub fn newest_after(runs: &[RunState], run: RunId) -> RunId {
    let mut lines = HashSet::from([run.clone()]);
    let mut newest = run;
    loop {
        let is_next = |row: &&RunState| {
            row.parent.as_ref().is_some_and(|parent| lines.contains(parent)) && !lines.contains(&row.run)
        };
        // Rows of a stranger's file may name each other: each is met once.
        let next: Vec<RunId> = runs.iter().filter(is_next).map(|row| row.run.clone()).collect();
        if next.is_empty() {
            break;
        }
        lines.extend(next);
    }
    if let Some(row) = runs.iter().rev().find(|row| lines.contains(&row.run)) {
        newest = row.run.clone();
    }
    newest
}

/// A session as it is shown, each run with its versions.
pub fn shown(mut detail: SessionDetail, line: &Line) -> SessionDetail {
    let mut versions: BTreeMap<Option<RunId>, Vec<RunId>> = BTreeMap::new();
    for run in &detail.runs {
        versions
            .entry(run.parent.clone())
            .or_default()
            .push(run.id.clone());
    }
    let with_versions = |mut run: RunSummary| {
        let same = versions.get(&run.parent).filter(|same| same.len() > 1);
        run.versions = same.cloned().unwrap_or_default();
        run
    };
    // A rescued database may hold what was said in a run without the run itself.
    let known: HashSet<RunId> = detail.runs.iter().map(|run| run.id.clone()).collect();
    let is_shown = |run: &RunId| line.has(run) || !known.contains(run);
    detail.runs.retain(|run| line.has(&run.id));
    detail.runs = detail.runs.into_iter().map(with_versions).collect();
    detail.segments.retain(|segment| is_shown(&segment.run));
    detail.calls.retain(|call| is_shown(&call.run));
    detail
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(run: &str, parent: Option<&str>) -> RunState {
        RunState {
            run: RunId::from(run),
            session: SessionId::from("s"),
            parent: parent.map(RunId::from),
            status: None,
            state: serde_json::Value::Null,
            question: String::new(),
            usage: shidi_protocol::Usage::default(),
            offline: false,
            waiting: Vec::new(),
            started: shidi_protocol::Moment(1),
            ended: None,
            reason: None,
            error: None,
            seq: 0,
            build: String::new(),
        }
    }

    #[test]
    fn another_version_is_shown_with_the_newest_that_followed_it() {
        let runs = [
            row("a", None),
            row("b", Some("a")),
            row("again", Some("a")),
            row("c", Some("b")),
            row("d", Some("b")),
            row("e", Some("c")),
        ];
        let end = |run: &str| newest_after(&runs, RunId::from(run)).to_string();
        assert_eq!(
            [end("b"), end("again"), end("a"), end("c")],
            ["e", "again", "e", "e"]
        );
    }

    #[test]
    fn rows_that_name_each_other_end() {
        let runs = [row("a", Some("b")), row("b", Some("a"))];
        assert_eq!(newest_after(&runs, RunId::from("a")).as_str(), "b");
    }
}
