//! Branches a session: a copy of its beginning under ids of its own, to go on from there another way.
//!
//! The copy is written whole or not at all, and nothing of the original changes. A run that is not over is in the
//! copy as stopped: resumed twice, it would do its work twice.

use crate::clock;
use crate::engine::Engine;
use crate::sessions::{self, stopped};
use crate::storage;
use crate::words::error;
use shidi_protocol::{ErrorCode, Reply, RunId, RunStatus, SegmentId, SessionId, UserError};
use shidi_store::{Batch, RunState, Session, StoreError, Write};
use std::collections::HashMap;

/// Makes a session with everything of `session` that came before the run `before`, or all of it.
///
/// # Errors
/// No such session, no such run in it, or storage trouble.
pub fn branch(engine: &Engine, session: &SessionId, before: Option<&RunId>) -> Result<Reply, UserError> {
    let origin = sessions::whole_session_id(engine, session)?;
    let stored = |cause: StoreError| storage::explain(&cause, engine.words());
    engine.store.flush().map_err(stored)?;
    let row = engine.store.session(&origin).map_err(stored)?;
    let row = row.ok_or_else(|| sessions::no_session(engine, session))?;
    let mut runs = engine.store.runs(&origin).map_err(stored)?;
    if let Some(before) = before {
        let before = sessions::whole_run_id(engine, before)?;
        let at = runs.iter().position(|run| run.run == before);
        runs.truncate(at.ok_or_else(|| run_elsewhere(engine, &before))?);
    }
    let branch = SessionId::mint();
    let batch = copy(engine, &row, &branch, runs).map_err(stored)?;
    engine.store.commit(batch).map_err(stored)?;
    sessions::show(engine, &branch)
}

/// The rows of the copy, each after those that it names.
fn copy(
    engine: &Engine,
    origin: &Session,
    branch: &SessionId,
    runs: Vec<RunState>,
) -> Result<Batch, StoreError> {
    let now = clock::now();
    let ids: HashMap<RunId, RunId> = runs.iter().map(|run| (run.run.clone(), RunId::mint())).collect();
    let mut batch = Batch::default();
    batch.push(Write::PutSession(Session {
        id: branch.clone(),
        created: now,
        updated: now,
        title: if runs.is_empty() {
            String::new()
        } else {
            origin.title.clone()
        },
        ..origin.clone()
    }));
    for run in runs {
        let original = run.run.clone();
        let Some(id) = ids.get(&original) else { continue };
        let over = run.status.is_some_and(|status| status != RunStatus::Suspended);
        let mut row = if over { run } else { stopped(run, now) };
        row.run = id.clone();
        row.session = branch.clone();
        batch.push(Write::PutRun(Box::new(row)));
        for mut call in engine.store.calls(&original)? {
            call.run = id.clone();
            batch.push(Write::UpsertCall(Box::new(call)));
        }
    }
    copy_transcript(engine, &origin.id, branch, &ids, &mut batch)?;
    copy_values(engine, &origin.id, branch, &ids, &mut batch)?;
    Ok(batch)
}

fn copy_transcript(
    engine: &Engine,
    origin: &SessionId,
    branch: &SessionId,
    ids: &HashMap<RunId, RunId>,
    batch: &mut Batch,
) -> Result<(), StoreError> {
    let mut last = SegmentId::default();
    for mut segment in engine.store.segments(origin)? {
        let Some(id) = ids.get(&segment.run) else { continue };
        last = last.next();
        segment.id = last;
        segment.run = id.clone();
        batch.push(Write::AppendSegment {
            session: branch.clone(),
            segment: Box::new(segment),
        });
    }
    Ok(())
}

/// Variables and long results. A variable that a run after the branching point wrote last is left out: what it was
/// before is not known.
fn copy_values(
    engine: &Engine,
    origin: &SessionId,
    branch: &SessionId,
    ids: &HashMap<RunId, RunId>,
    batch: &mut Batch,
) -> Result<(), StoreError> {
    for mut variable in engine.store.variables(origin)? {
        if let Some(run) = &variable.run {
            let Some(id) = ids.get(run) else { continue };
            variable.run = Some(id.clone());
        }
        batch.push(Write::PutVariable {
            session: branch.clone(),
            variable,
        });
    }
    for mut result in engine.store.results(origin)? {
        let Some(id) = ids.get(&result.run) else { continue };
        result.run = id.clone();
        result.session = branch.clone();
        batch.push(Write::PutResult(result));
    }
    Ok(())
}

fn run_elsewhere(engine: &Engine, run: &RunId) -> UserError {
    error(
        ErrorCode::NotFound,
        format!(
            "{} {run}",
            engine
                .words()
                .pick("这个会话里没有这次任务", "There is no such run in this session")
        ),
        engine.words().pick(
            "看看有哪些：shidi session show ID --json",
            "See which there are: shidi session show ID --json",
        ),
    )
}
