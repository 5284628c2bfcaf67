//! Takes up the runs that a killed process left in the middle, before anything of the record is read. The words of
//! broken answers become part of their sessions. Sub-agents whose task is over end with it.
//!
//! The mind decides what is kept of an answer, as it does when somebody stops one. Each is one transaction: it happens
//! whole, or again at the next start. No run goes on by itself.

use super::{Running, at_rest};
use crate::features::Features;
use crate::space::Space;
use crate::storage::{self, RunFacts, RunProgress};
use shidi_agent::formats::Format;
use shidi_agent::{Effect, Event, Mind, Past, Settings};
use shidi_protocol::{Ask, UserError};
use shidi_store::{Batch, PartialAnswer, RunState, StoreError, Write};
use shidi_trace::Tree;

/// Keeps what answers had said when the last process ended, and ends what worked for nobody any more.
pub fn take_up(features: &Features, running: &Running) {
    if let Err(cause) = keep_all(features) {
        tracing::warn!(%cause, "what an answer had said when the last process ended is not shown yet");
    }
    if let Err(cause) = end_orphans(features, running) {
        tracing::warn!(cause.message, "a sub-agent of a task that is over stays open");
    }
}

fn keep_all(features: &Features) -> Result<(), StoreError> {
    let answers = features.store.partial_answers()?;
    for answer in &answers {
        keep(features, answer)?;
    }
    if !answers.is_empty() {
        // Whoever goes on with such a run reads its trace first.
        features.traces.flush();
        features.store.flush()?;
    }
    Ok(())
}

fn keep(features: &Features, answer: &PartialAnswer) -> Result<(), StoreError> {
    let Some(row) = features.store.run(&answer.run)? else {
        return Ok(());
    };
    let (state, ask) = match storage::read_state(&row) {
        Ok(read) => read,
        Err(cause) => {
            // Another version may read it.
            tracing::warn!(%cause, "a run whose answer broke off can't be read");
            return Ok(());
        }
    };
    let segments = features.store.segments(&row.session)?;
    let past = Past {
        last_segment: segments.last().map(|segment| segment.id).unwrap_or_default(),
        ..Past::default()
    };
    let settings = Settings {
        format: Format::from_name(&answer.format).unwrap_or_default(),
        ..Settings::default()
    };
    let mind = Mind::new(row.session.clone(), row.run.clone(), settings, past);
    let mut mind = mind.restore(state, features.store.calls(&row.run)?, Vec::new());
    let partial = Box::new(answer.reply.clone());
    let effects = mind.handle(answer.time, Event::BrokeOff { partial });
    let retriggers = mind.state().retriggers;
    let rows = rows(features, (row, ask), answer, &effects);
    features.store.commit(rows)?;
    trace(features, answer, retriggers)
}

/// What the mind keeps of it, what it took, and its own row's end.
fn rows(space: &Space, (row, ask): (RunState, Ask), answer: &PartialAnswer, effects: &[Effect]) -> Batch {
    let facts = RunFacts {
        run: row.run,
        session: row.session,
        parent: row.parent,
        ask,
        question: row.question,
        offline: row.offline,
        build: row.build,
        learns: false,
    };
    let progress = RunProgress {
        waiting: row.waiting,
        seq: row.seq,
    };
    let mut batch = Batch::default();
    for effect in effects {
        if let Effect::Commit(records) = effect {
            let kept = storage::batch_at(answer.time, records, &facts, &progress);
            batch.0.extend(kept.0);
        }
    }
    batch.push(Write::DropPartialAnswer(answer.run.clone()));
    let reply = &answer.reply;
    batch.push(
        space
            .spending
            .noted(&reply.provider, &reply.asked, answer.role, &reply.usage),
    );
    batch
}

/// The step of the answer ends with what had come, as that of one that was stopped.
fn trace(features: &Features, answer: &PartialAnswer, retriggers: u32) -> Result<(), StoreError> {
    if features.traces.is_wanted() {
        let spans = features.store.spans(&answer.run)?;
        let (_, drafts) = Tree::restored(answer.run.clone(), spans, retriggers, Some(answer));
        features.traces.take(drafts);
    }
    Ok(())
}

/// Ends sub-agents that rest and whose task is over: nobody goes on with them.
///
/// # Errors
/// Storage trouble.
pub fn end_orphans(features: &Features, running: &Running) -> Result<(), UserError> {
    let open = features.stored(features.store.open_runs())?;
    let is_orphan =
        |row: &&RunState| running.get(&row.run).is_none() && at_rest::works_for_nobody(features, row);
    let mut orphans = open.iter().filter(is_orphan);
    orphans.try_for_each(|row| at_rest::cancel_at_rest(features, &row.run).map(drop))
}
