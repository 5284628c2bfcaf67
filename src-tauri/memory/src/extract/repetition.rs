//! Tells whether a task only said again what memory had: then it leaves no summary.

use super::{Finished, is_question};
use crate::recall::recorded;
use shidi_protocol::{HOST_TOOLKIT, MemoryKind};
use shidi_space::Space;
use shidi_store::{StoreError, question_terms};
use std::collections::HashSet;

/// Share of an answer's words from which on it is what was recalled, in other words.
const REPEATED_SHARE: f64 = 0.6;

/// Whether a run tells nothing beyond memory. A summary of such a run would be found in place of the records that
/// it repeats.
///
/// # Errors
/// Its calls can't be read.
pub fn only_repeats(space: &Space, finished: &Finished) -> Result<bool, StoreError> {
    if finished.ran_programs() {
        let calls = space.store.calls(&finished.run)?;
        let tools = calls.iter().map(|record| record.call.toolkit.as_str());
        let mut worked = tools
            .filter(|toolkit| !matches!(*toolkit, "user" | HOST_TOOLKIT))
            .peekable();
        return Ok(worked.peek().is_some() && worked.all(|toolkit| toolkit == "memory"));
    }
    let Some(answer) = finished.answer() else {
        return Ok(false);
    };
    // A task that is done once more is done anew, whatever its earlier outcome. A question is only answered from
    // memory.
    let asks = finished.said().any(|said| is_question(said.text()));
    let mut brought = recorded(space, &finished.run, &finished.segments);
    brought.retain(|hit| asks || hit.kind != MemoryKind::Summary);
    if brought.is_empty() {
        return Ok(false);
    }
    let known = brought.iter().map(|hit| hit.text.as_str());
    let known = known.chain(finished.said().map(|said| said.text()));
    let known: HashSet<String> = known.flat_map(question_terms).collect();
    let told = question_terms(answer.text());
    let repeated = told.iter().filter(|term| known.contains(*term)).count();
    Ok(repeated as f64 >= told.len() as f64 * REPEATED_SHARE)
}
