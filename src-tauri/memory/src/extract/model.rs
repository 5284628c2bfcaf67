//! The fast model's finds in a finished run, beside the finds of rules.
//!
//! A found statement is settled like every other one. A text with a secret is dropped. A summary that the user changed
//! or erased meanwhile stays as they left it.

use super::{Finished, beginning, summary};
use crate::limits::MEMORY_TEXT_CHARS_MAX;
use crate::reconcile::{Manner, STATING, known, settle};
use crate::statement_rules::is_secret;
use shidi_agent::learning_prompt::{Learned, StatementKind};
use shidi_protocol::{MemoryData, MemoryKind, MemoryRecord, Segment};
use shidi_senses::redacted;
use shidi_space::Space;
use shidi_store::{MemoryWrite, StoreError, Write, question_terms};

/// Terms of a statement of the model that one known record may hold before it says nothing new, in percent.
const KNOWN_PERCENT: usize = 80;

/// Known facts that the fast model is shown beside a run.
const SHOWN_TO_MODEL: usize = 10;

/// Known records that a run may correct. First come the records that it left by rules, then records that fit its words.
///
/// # Errors
/// The store can't be read.
pub fn known_to(space: &Space, finished: &Finished) -> Result<Vec<MemoryRecord>, StoreError> {
    let mut found = space.store.memories_of_run(&finished.session, &finished.run)?;
    found.retain(|record| STATING.contains(&record.kind) && record.valid_to.is_none());
    let words: Vec<&str> = finished.said().map(|said| said.text()).collect();
    let probe = finished.record(
        "probe",
        MemoryKind::Knowledge,
        beginning(&words.join(" "), MEMORY_TEXT_CHARS_MAX),
        &[],
    );
    for record in known(&space.store, &probe)? {
        if !found.iter().any(|one| one.id == record.id) {
            found.push(record);
        }
    }
    found.truncate(SHOWN_TO_MODEL);
    Ok(found)
}

/// What the fast model found in a run, beside what `known` holds.
///
/// # Errors
/// The store can't be read.
pub fn by_model(
    space: &Space,
    finished: &Finished,
    known: &[MemoryRecord],
    learned: Learned,
) -> Result<Vec<Write>, StoreError> {
    let last: Vec<&Segment> = finished
        .said()
        .next()
        .into_iter()
        .chain(finished.answer())
        .collect();
    let mut writes: Vec<Write> = Vec::new();
    for (number, statement) in (1..).zip(&learned.statements) {
        let text = statement.text.trim().to_owned();
        let corrected = statement
            .corrects
            .checked_sub(1)
            .and_then(|place| known.get(place));
        if is_secret(&text) || (corrected.is_none() && known.iter().any(|record| says(&record.text, &text))) {
            continue;
        }
        let kind = match statement.kind {
            StatementKind::Preference => MemoryKind::Preference,
            StatementKind::Profile => MemoryKind::Profile,
            StatementKind::Knowledge => MemoryKind::Knowledge,
        };
        let record = finished.record(&format!("learned-{number}"), kind, text, &last);
        let manner = corrected.map_or(Manner::Said, |record| Manner::Corrects(record.id.clone()));
        writes.extend(settle(&space.store, record, &manner)?);
    }
    for (number, entity) in (1..).zip(&learned.entities) {
        let (title, data) = (redacted(entity.title.trim()), redacted(entity.data.trim()));
        let name = format!("entity-{number}");
        let mut record = finished.record(&name, MemoryKind::Entity, format!("{title}: {data}"), &last);
        record.entities = vec![title.clone()];
        record.title = title;
        record.data = Some(MemoryData::Entity { data: data.into() });
        writes.push(Write::Memory(MemoryWrite::Put(Box::new(record))));
    }
    writes.extend(better_summary(space, finished, &learned)?);
    Ok(writes)
}

/// The model's summary in place of the rules', unless the user changed or erased that one meanwhile.
fn better_summary(
    space: &Space,
    finished: &Finished,
    learned: &Learned,
) -> Result<Option<Write>, StoreError> {
    let Some(rules) = summary(finished) else {
        return Ok(None);
    };
    let kept = space.store.memory(&rules.id)?;
    let Some(mut record) = kept.filter(|kept| kept.text == rules.text && kept.valid_to.is_none()) else {
        return Ok(None);
    };
    record.text = redacted(&learned.summary);
    let keys: Vec<String> = learned.keys.iter().map(|key| redacted(key.trim())).collect();
    record.tags.clone_from(&keys);
    record.data = Some(MemoryData::Summary {
        question_type: learned.question_type.name().to_owned(),
        keys,
    });
    Ok(Some(Write::Memory(MemoryWrite::Put(Box::new(record)))))
}

/// Whether a known text holds nearly all words of another.
pub(super) fn says(known: &str, text: &str) -> bool {
    let (known, terms) = (question_terms(known), question_terms(text));
    let held = terms.iter().filter(|term| known.contains(term)).count();
    !terms.is_empty() && held * 100 >= terms.len() * KNOWN_PERCENT
}
