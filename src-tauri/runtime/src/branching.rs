//! Branches a session: a copy of its beginning under ids of its own, to go on from there another way.
//!
//! The copy is written whole or not at all, and nothing of the original changes. A run that is not over is in the
//! copy as stopped: resumed twice, it would do its work twice.

use crate::clock;
use crate::ids;
use crate::run::at_rest::stopped;
use crate::space::Space;
use crate::versions::{self, Line};
use shidi_protocol::{RunId, RunStatus, SegmentId, SessionId, UserError};
use shidi_store::{Batch, BlobWrite, RunState, Session, StoreError, Variable, VariableRow, Write};
use std::collections::HashMap;

/// Makes a session with everything of `session` that came before the run `before`, or all of it.
///
/// # Errors
/// No such session, no such run in it, or storage trouble.
pub fn branch(space: &Space, session: &SessionId, before: Option<&RunId>) -> Result<SessionId, UserError> {
    let origin = ids::whole_session_id(space, session)?;
    space.stored(space.store.flush())?;
    let row = space.stored(space.store.session(&origin))?;
    let row = row.ok_or_else(|| ids::no_session(space, session))?;
    let mut runs = space.stored(space.store.runs(&origin))?;
    let mut last = space.stored(space.store.head(&origin))?;
    if let Some(before) = before {
        let before = ids::whole_run_id(space, before)?;
        let row = runs.iter().find(|run| run.run == before);
        last = row
            .ok_or_else(|| ids::run_elsewhere(space, &before))?
            .parent
            .clone();
    }
    let line = space.stored(Line::to(space, last.as_ref()))?;
    runs.retain(|run| line.has(&run.run));
    let branch = SessionId::mint();
    let batch = space.stored(copy(space, &row, &branch, runs, last.as_ref()))?;
    space.stored(space.store.commit(batch))?;
    Ok(branch)
}

/// The rows of the copy, each after those that it names.
fn copy(
    space: &Space,
    origin: &Session,
    branch: &SessionId,
    runs: Vec<RunState>,
    last: Option<&RunId>,
) -> Result<Batch, StoreError> {
    let now = clock::now();
    let ids: HashMap<RunId, RunId> = runs.iter().map(|run| (run.run.clone(), RunId::mint())).collect();
    let mut batch = Batch::default();
    let title = match last {
        None => String::new(),
        Some(_) if origin.is_named => origin.title.clone(),
        Some(last) => versions::first_question(space, &runs, last)?,
    };
    batch.push(Write::PutSession(Session {
        id: branch.clone(),
        created: now,
        updated: now,
        title,
        is_named: origin.is_named && last.is_some(),
        ..origin.clone()
    }));
    for run in runs {
        let original = run.run.clone();
        let Some(id) = ids.get(&original) else { continue };
        let over = run.status.is_some_and(RunStatus::is_over);
        let mut row = if over { run } else { stopped(run, now) };
        row.run = id.clone();
        row.session = branch.clone();
        row.parent = row.parent.and_then(|parent| ids.get(&parent).cloned());
        batch.push(Write::PutRun(Box::new(row)));
        batch.push(Write::Blob(BlobWrite::CopyAttachments {
            of: original.clone(),
            session: branch.clone(),
            run: id.clone(),
        }));
        for mut call in space.store.calls(&original)? {
            call.run = id.clone();
            batch.push(Write::UpsertCall(Box::new(call)));
        }
    }
    // A clock that was set back makes the last one the first to be written.
    if let Some(run) = last.and_then(|last| ids.get(last)) {
        batch.push(Write::SetHead {
            session: branch.clone(),
            run: run.clone(),
        });
    }
    copy_transcript(space, &origin.id, branch, &ids, &mut batch)?;
    copy_values(space, &origin.id, branch, &ids, &mut batch)?;
    Ok(batch)
}

fn copy_transcript(
    space: &Space,
    origin: &SessionId,
    branch: &SessionId,
    ids: &HashMap<RunId, RunId>,
    batch: &mut Batch,
) -> Result<(), StoreError> {
    let mut last = SegmentId::default();
    for mut segment in space.store.segments(origin)? {
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

/// Variables and long results, as the runs of the copy left them.
fn copy_values(
    space: &Space,
    origin: &SessionId,
    branch: &SessionId,
    ids: &HashMap<RunId, RunId>,
    batch: &mut Batch,
) -> Result<(), StoreError> {
    for mut row in space.store.variable_rows(origin)? {
        let (VariableRow::Left(Variable { run, .. }) | VariableRow::Deleted { run, .. }) = &mut row;
        if let Some(run) = run {
            let Some(id) = ids.get(run) else { continue };
            *run = id.clone();
        }
        batch.push(Write::variable(branch.clone(), row));
    }
    for mut result in space.store.results(origin)? {
        let Some(id) = ids.get(&result.run) else { continue };
        result.run = id.clone();
        result.session = branch.clone();
        batch.push(Write::PutResult(result));
    }
    Ok(())
}
