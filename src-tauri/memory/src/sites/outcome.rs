//! What came of an earlier question about a page (F2.4): its answer's beginning, its files, what was remembered.
//!
//! It is read from the record when somebody looks, so that what was forgotten since is gone here too.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use shidi_agent::memory_injection::whole_sentences;
use shidi_protocol::{
    Body, MemoryKind, MemoryRecord, MemoryScope, PageVisit, RunId, RunSummary, Segment, SessionId, VisitFact,
    visible, withdrawn,
};
use shidi_senses::redacted;
use shidi_space::{Space, storage};
use shidi_store::StoreError;
use std::collections::BTreeSet;
use std::path::Path;
use std::slice;

/// Visits that are told with what came of them: more are a list to search.
const VISITS_TOLD: usize = 20;

/// Characters of an answer that are told. Then those that are looked through: long answers begin with code or tables.
const ANSWER_CHARACTERS: usize = 160;
const ANSWER_CHARACTERS_READ: usize = 4_000;

/// Files of one visit, and those that are looked for on the disk.
const FILES_MAX: usize = 6;
const FILES_LOOKED_FOR: u32 = 40;

/// Records beside one visit, the characters of each, and those that are looked through.
const FACTS_MAX: usize = 4;
const FACT_CHARACTERS: usize = 160;
const FACTS_LOOKED_THROUGH: u32 = 40;

/// Facts alone: words said stand beside them, and a summary says again what was asked and answered.
const FACT_KINDS: [MemoryKind; 4] = [
    MemoryKind::Entity,
    MemoryKind::Preference,
    MemoryKind::Profile,
    MemoryKind::Knowledge,
];

/// Adds to visits, newest first, what came of each.
///
/// # Errors
/// The store can't be read; what is complete until then stays.
pub fn complete(space: &Space, visits: &mut [PageVisit]) -> Result<(), StoreError> {
    let sessions: BTreeSet<SessionId> = visits.iter().map(|visit| visit.session.clone()).collect();
    for visit in visits.iter_mut().take(VISITS_TOLD) {
        let run = add_run(space, visit)?;
        let (session, page) = (&visit.session, &visit.url);
        let records = space
            .store
            .memories_of_visit(session, page, &FACT_KINDS, FACTS_LOOKED_THROUGH)?;
        // Another question of the session counts only where its page was this one.
        let is_of_visit = |record: &&MemoryRecord| {
            let is_asked_here = record.source.site.is_some() || run.is_some() && record.source.run == run;
            is_asked_here && is_seen_in(record, session)
        };
        visit.facts = facts(records.iter().filter(is_of_visit));
    }
    if let Some(newest) = visits.first_mut() {
        let records = space
            .store
            .memories_of_page(&newest.url, &FACT_KINDS, FACTS_LOOKED_THROUGH)?;
        let is_elsewhere = |record: &&MemoryRecord| {
            let session = record.source.session.as_ref();
            is_of_user(record) && session.is_none_or(|session| !sessions.contains(session))
        };
        newest.facts.extend(facts(records.iter().filter(is_elsewhere)));
        newest.facts.truncate(FACTS_MAX);
    }
    Ok(())
}

/// Adds the answer and the files of the run that a question began, and tells which one that is.
fn add_run(space: &Space, visit: &mut PageVisit) -> Result<Option<RunId>, StoreError> {
    let segments = space.store.segments_beside(&visit.session, visit.segment)?;
    let Some(question) = segments.first() else {
        return Ok(None);
    };
    let Some(run) = space.store.run(&question.run)? else {
        return Ok(None);
    };
    visit.answer = answer(&segments, &run.summary());
    let made = space.store.files_made(&run.run, FILES_LOOKED_FOR)?;
    let read = space.store.files_read(&run.run, FILES_LOOKED_FOR)?;
    let came_along = storage::read_state(&run)
        .map(|(_, ask)| ask.files)
        .unwrap_or_default();
    let all = made.into_iter().chain(came_along).chain(read);
    visit.files = files(all, space.home.folder());
    Ok(Some(run.run))
}

/// The beginning of the last answer that counts and says something.
fn answer(segments: &[Segment], run: &RunSummary) -> String {
    let withdrawn = withdrawn(segments, slice::from_ref(run));
    let is_answer =
        |segment: &&Segment| matches!(segment.body, Body::Express { .. }) && !withdrawn.contains(&segment.id);
    let answers = segments.iter().rev().filter(is_answer);
    answers
        .map(|segment| beginning(segment.text()))
        .find(|words| words.contains(char::is_alphanumeric))
        .unwrap_or_default()
}

/// The first sentences of an answer, without secrets: somebody may look over the user's shoulder.
fn beginning(markdown: &str) -> String {
    let end = markdown.char_indices().nth(ANSWER_CHARACTERS_READ);
    let read = end.map_or(markdown, |(end, _)| &markdown[..end]);
    whole_sentences(&visible(&redacted(&words(read))), ANSWER_CHARACTERS)
}

/// The words of paragraphs and lists; headings, tables, code and pictures are left out.
fn words(markdown: &str) -> String {
    let mut words = String::new();
    let mut left_out = 0_usize;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(
                Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::Table(_) | Tag::Image { .. } | Tag::HtmlBlock,
            ) => left_out += 1,
            Event::End(
                TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::Table | TagEnd::Image | TagEnd::HtmlBlock,
            ) => left_out = left_out.saturating_sub(1),
            Event::Text(text) | Event::Code(text) if left_out == 0 => words.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Paragraph | TagEnd::Item) => {
                words.push(' ');
            }
            _ => {}
        }
    }
    words
}

/// The files that are still there, each once. Those of the data folder are Shidi's own copies.
fn files(paths: impl IntoIterator<Item = String>, own: &Path) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for path in paths {
        let place = Path::new(&path);
        let can_open = place.is_absolute() && !path.contains(char::is_control) && !place.starts_with(own);
        if can_open && !files.contains(&path) && place.is_file() {
            files.push(path);
        }
        if files.len() == FILES_MAX {
            break;
        }
    }
    files
}

/// Whether a record may stand beside a session of the usual assistant.
fn is_seen_in(record: &MemoryRecord, session: &SessionId) -> bool {
    match &record.scope {
        MemoryScope::Session(of) => of == session,
        MemoryScope::User | MemoryScope::Site(_) => true,
        MemoryScope::Assistant(_) | MemoryScope::Base(_) => false,
    }
}

/// Whether every session of the user may see a record.
fn is_of_user(record: &MemoryRecord) -> bool {
    match &record.scope {
        MemoryScope::User | MemoryScope::Site(_) => true,
        MemoryScope::Session(_) | MemoryScope::Assistant(_) | MemoryScope::Base(_) => false,
    }
}

fn facts<'a>(records: impl Iterator<Item = &'a MemoryRecord>) -> Vec<VisitFact> {
    let fact = |record: &MemoryRecord| VisitFact {
        id: record.id.clone(),
        text: whole_sentences(&visible(&record.text), FACT_CHARACTERS),
    };
    records.take(FACTS_MAX).map(fact).collect()
}

#[cfg(test)]
mod tests;
