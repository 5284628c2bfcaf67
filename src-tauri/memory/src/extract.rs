//! The records of a finished task for memory, by local rules: the user's statements, and a summary of the task.
//!
//! Decides and writes nothing itself. The user's statements are the user's own, also in a task that has read foreign
//! content. The summary of such a task is marked. A text with a secret is kept without it, a statement of one not at
//! all.

mod learning_step;
pub mod model;
mod repetition;

pub use crate::limits::LEARNING_ATTEMPTS_MAX;
pub use learning_step::learn_by_rules;

use crate::limits::{SUMMARY_ANSWER_CHARACTERS, SUMMARY_KEYS_MAX, SUMMARY_QUESTION_CHARACTERS};
use crate::reconcile::{Manner, known, settle};
use crate::statement_rules::{Statement, changes, only_states, statements};
use shidi_agent::memory_injection::{SUMMARY_ARROW, whole_sentences};
use shidi_protocol::{
    Ask, MemoryData, MemoryId, MemoryKind, MemoryOrigin, MemoryRecord, MemoryScope, RunId, RunStatus,
    Segment, SegmentKind, SessionId,
};
use shidi_senses::redacted;
use shidi_space::Space;
use shidi_space::config::settings::Learn;
use shidi_space::storage;
use shidi_store::{MemoryWrite, RunState, StoreError, Write, canonical, is_stopword, question_terms};
use std::path::Path;

/// Terms of the shortest question that is worth a summary: a greeting has fewer.
const TELLING_TERMS_MIN: usize = 2;

/// Letters of a key.
const KEY_CHARACTERS: std::ops::RangeInclusive<usize> = 2..=16;

/// How much is learned from tasks, as the user chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Learns {
    Nothing,
    ByRules,
    ByModel,
}

/// Whether anything may be learned from a run, and how: the one place that decides it.
#[must_use]
pub fn may_learn(space: &Space, ask: &Ask, offline: bool) -> Learns {
    // Programs that run again say nothing new. Words for a sub-agent and piped words are not the user's own.
    let is_of_another = ask.under.is_some() || ask.asks_what_was_piped();
    if ask.replay.is_some() || ask.program.is_some() || is_of_another || space.is_incognito() {
        return Learns::Nothing;
    }
    if !space.remembers(ask.assistant.as_deref()) {
        return Learns::Nothing;
    }
    // What a question can't set is refused before it is asked.
    let configured = space.config().clone();
    let config = configured.overridden(&ask.overrides).unwrap_or(configured);
    match config.memory.learn {
        Learn::Off => Learns::Nothing,
        Learn::Model if !offline && !config.role.fast.is_empty() => Learns::ByModel,
        Learn::Rules | Learn::Model => Learns::ByRules,
    }
}

/// A run that is over, as far as something is learned from it.
#[derive(Debug, Clone)]
pub struct Finished {
    pub session: SessionId,
    pub run: RunId,
    pub status: RunStatus,
    /// Of this run alone.
    pub segments: Vec<Segment>,
    /// Whether no language model was there to answer.
    pub offline: bool,
    /// Whether it has read something that the user did not write.
    pub tainted: bool,
    /// Who may recall what it leaves.
    pub scope: MemoryScope,
    /// The page that it was about, in its canonical form.
    pub site: Option<String>,
    /// Names of what was attached.
    pub attached: Vec<String>,
}

impl Finished {
    /// Reads a run from its record, with how much may be learned from it. `None` when the run is gone or not over.
    ///
    /// # Errors
    /// The store can't be read.
    pub fn read(space: &Space, run: &RunId) -> Result<Option<(Self, Learns)>, StoreError> {
        let Some(row) = space.store.run(run)? else {
            return Ok(None);
        };
        let Some(status) = row.status.filter(|status| status.is_over()) else {
            return Ok(None);
        };
        let Ok((state, ask)) = storage::read_state(&row) else {
            return Ok(None);
        };
        let learns = may_learn(space, &ask, row.offline);
        let mut segments = space.store.segments(&row.session)?;
        segments.retain(|segment| segment.run == *run);
        let assistant = space.store.attribution(&row.session)?;
        let name = |path: &String| Some(Path::new(path).file_name()?.to_string_lossy().into_owned());
        let finished = Self {
            scope: space.scope_of(assistant.as_deref()),
            session: row.session,
            offline: row.offline,
            run: run.clone(),
            status,
            tainted: state.tainted || segments.iter().any(|segment| segment.tainted),
            segments,
            site: page_of(&ask),
            attached: ask.files.iter().filter_map(name).collect(),
        };
        Ok(Some((finished, learns)))
    }

    /// A record of what the user stated.
    fn told(&self, name: &str, statement: Statement, segment: &Segment) -> MemoryRecord {
        MemoryRecord {
            subject: statement.subject,
            origin: MemoryOrigin::Told,
            tainted: segment.tainted,
            ..self.record(name, statement.kind, statement.text, &[segment])
        }
    }

    fn of_kind(&self, kind: &SegmentKind) -> impl DoubleEndedIterator<Item = &Segment> {
        self.segments
            .iter()
            .filter(move |segment| segment.kind() == *kind)
    }

    /// The user's own segments, in order.
    pub fn said(&self) -> impl DoubleEndedIterator<Item = &Segment> {
        self.of_kind(&SegmentKind::User)
    }

    pub fn answer(&self) -> Option<&Segment> {
        self.of_kind(&SegmentKind::Express).next_back()
    }

    pub fn ran_programs(&self) -> bool {
        self.of_kind(&SegmentKind::Python)
            .any(|program| program.exec.is_some())
    }

    /// Whether a model may find more in it than rules do.
    pub fn is_worth_a_model(&self) -> bool {
        self.status == RunStatus::Completed && self.is_telling()
    }

    /// Whether it says more than a greeting or a statement that is kept already.
    pub fn is_telling(&self) -> bool {
        let told = |segment: &Segment| {
            let terms = question_terms(segment.text());
            let telling = terms.iter().filter(|term| !is_stopword(term)).count();
            telling >= TELLING_TERMS_MIN && !only_states(segment.text())
        };
        // Without a model, an answer that no program made is the sentence that says so.
        self.answer().is_some()
            && (!self.offline || self.ran_programs())
            && (self.ran_programs() || self.said().any(told))
            && !self.said().all(|said| only_states(said.text()))
    }

    /// A record of this run; its id is the same whenever it is made.
    pub fn record(&self, name: &str, kind: MemoryKind, text: String, of: &[&Segment]) -> MemoryRecord {
        let time = of.last().map(|segment| segment.time).unwrap_or_default();
        let mut record = MemoryRecord::new(MemoryId::from(format!("{}-{name}", self.run)), kind, text, time);
        record.scope = self.scope.clone();
        record.origin = MemoryOrigin::Learned;
        record.source.session = Some(self.session.clone());
        record.source.run = Some(self.run.clone());
        record.source.segments = of.iter().map(|segment| segment.id).collect();
        record.source.site.clone_from(&self.site);
        record.tainted = self.tainted;
        record
    }
}

/// Writes that local rules make of a run.
///
/// # Errors
/// The store can't be read.
fn by_rules(space: &Space, finished: &Finished) -> Result<Vec<Write>, StoreError> {
    // Whoever stopped it may have stopped it for what they wrote.
    if finished.status == RunStatus::Cancelled {
        return Ok(Vec::new());
    }
    let mut writes = Vec::new();
    for record in told(finished) {
        if record.kind == MemoryKind::Knowledge && kept_by_program(space, finished, &record)? {
            continue;
        }
        writes.extend(settle(&space.store, record, &Manner::Said)?);
    }
    for record in changed(finished) {
        let settled = settle(&space.store, record, &Manner::Said)?;
        let replaces = |write: &Write| matches!(write, Write::Memory(MemoryWrite::Supersede { .. }));
        if !settled.is_empty() && settled.iter().all(replaces) {
            writes.extend(settled);
        }
    }
    if !repetition::only_repeats(space, finished)? {
        let new = summary(finished).map(Box::new);
        let others = other_versions(space, finished)?;
        writes.extend(new.and_then(|new| match others {
            Versions::Earlier(old) => Some(Write::Memory(MemoryWrite::Supersede { old, new })),
            Versions::Later => None,
            Versions::None => Some(Write::Memory(MemoryWrite::Put(new))),
        }));
    }
    Ok(writes)
}

/// The other versions of a run, for its summary. Of a question that was asked several times, the last version is
/// found.
enum Versions {
    /// The summary of an earlier one, in whose place it comes.
    Earlier(MemoryId),
    /// A later one has a summary already.
    Later,
    None,
}

fn other_versions(space: &Space, finished: &Finished) -> Result<Versions, StoreError> {
    let runs = space.store.runs(&finished.session)?;
    let Some(at) = runs.iter().position(|row| row.run == finished.run) else {
        return Ok(Versions::None);
    };
    let is_version = |row: &RunState| row.parent == runs[at].parent;
    let id = |row: &RunState| MemoryId::from(format!("{}-{SUMMARY}", row.run));
    let lives = |id: &MemoryId| -> Result<bool, StoreError> {
        let record = space.store.memory(id)?;
        Ok(record.is_some_and(|record| record.valid_to.is_none()))
    };
    for later in runs[at + 1..].iter().filter(|row| is_version(row)) {
        if lives(&id(later))? {
            return Ok(Versions::Later);
        }
    }
    for earlier in runs[..at].iter().rev().filter(|row| is_version(row)) {
        if lives(&id(earlier))? {
            return Ok(Versions::Earlier(id(earlier)));
        }
    }
    Ok(Versions::None)
}

/// Whether a program of the run kept the same in other words.
fn kept_by_program(space: &Space, finished: &Finished, record: &MemoryRecord) -> Result<bool, StoreError> {
    let began = finished
        .segments
        .first()
        .map(|segment| segment.time)
        .unwrap_or_default();
    let known = known(&space.store, record)?;
    Ok(known.iter().any(|one| {
        let is_of_run = one.source.session.as_ref() == Some(&finished.session) && one.time >= began;
        is_of_run && model::says(&one.text, &record.text)
    }))
}

/// The user's statements; of two about one subject the later.
fn told(finished: &Finished) -> Vec<MemoryRecord> {
    let mut found: Vec<(Statement, &Segment)> = Vec::new();
    for segment in finished.said() {
        for statement in statements(segment.text()) {
            let is_later = |earlier: &Statement| {
                earlier.text == statement.text
                    || (earlier.subject.is_some() && earlier.subject == statement.subject)
            };
            found.retain(|(earlier, _)| !is_later(earlier));
            found.push((statement, segment));
        }
    }
    let record = |(number, (statement, segment)): (usize, (Statement, &Segment))| {
        finished.told(&format!("told-{number}"), statement, segment)
    };
    (1..).zip(found).map(record).collect()
}

/// What the user said to have changed; of the same thing they state nothing.
fn changed(finished: &Finished) -> Vec<MemoryRecord> {
    let of = |segment: &'_ Segment| {
        let found = changes(segment.text()).into_iter();
        let told =
            |(number, change)| finished.told(&format!("changed-{}-{number}", segment.id), change, segment);
        (1..).zip(found).map(told).collect::<Vec<_>>()
    };
    finished.said().flat_map(of).collect()
}

/// The page that a question came with.
fn page_of(ask: &Ask) -> Option<String> {
    let address = ask.context.as_ref()?.get("url")?.as_str()?;
    Some(canonical(address)).filter(|site| !site.is_empty())
}

/// The question of a run and its outcome. `None` when the run has no answer, or is not worth a summary.
fn summary(finished: &Finished) -> Option<MemoryRecord> {
    let question = finished.said().next()?;
    let answer = finished
        .answer()
        .filter(|_| finished.status == RunStatus::Completed && finished.is_telling())?;
    let asked = whole_sentences(&redacted(question.text()), SUMMARY_QUESTION_CHARACTERS);
    let said = whole_sentences(&redacted(answer.text()), SUMMARY_ANSWER_CHARACTERS);
    let keys = keys(&asked, &finished.attached);
    let mut record = finished.record(
        SUMMARY,
        MemoryKind::Summary,
        format!("{asked}{SUMMARY_ARROW}{said}"),
        &[question, answer],
    );
    record.entities = finished.attached.iter().take(SUMMARY_KEYS_MAX).cloned().collect();
    record.tags.clone_from(&keys);
    record.data = Some(MemoryData::Summary {
        question_type: question_type(finished, &asked).to_owned(),
        keys,
    });
    Some(record)
}

/// The name of a run's summary within its id.
pub const SUMMARY: &str = "summary";

/// What kind of task it was: `program` when code ran, `question` when it is one, else `task`.
fn question_type(finished: &Finished, asked: &str) -> &'static str {
    if finished.ran_programs() {
        "program"
    } else if is_question(asked) {
        "question"
    } else {
        "task"
    }
}

/// Whether a text is written as a question.
fn is_question(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？', '吗', '呢'])
}

/// Characters between which a Chinese sentence has its words, as far as rules can tell.
const BETWEEN_WORDS: &str = "的了吗呢吧是在和与把被给我你您他她它们这那请帮怎么什为何如多少几个有没不要能可以会就都也还让对从到用上下里中一些及或而但很太再又只呀啊哪谁";

/// The words by which a question is found again: names of what was attached, then its words in their order.
fn keys(asked: &str, attached: &[String]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut is_wide = false;
    for letter in asked.chars().chain([' ']) {
        let wide = (letter as u32) >= 0x2E80;
        let is_part = (letter.is_alphanumeric()
            || (!wide && matches!(letter, '-' | '_' | '.') && !word.is_empty()))
            && !BETWEEN_WORDS.contains(letter);
        if !is_part || wide != is_wide {
            put_key(&mut keys, &word);
            word.clear();
        }
        if is_part {
            is_wide = wide;
            word.push(letter);
        }
    }
    let names = attached.iter().cloned();
    let mut all: Vec<String> = names.chain(keys).collect();
    all.truncate(SUMMARY_KEYS_MAX);
    all
}

fn put_key(keys: &mut Vec<String>, word: &str) {
    let word = word.trim_end_matches(['.', '-', '_']).to_lowercase();
    let is_key = KEY_CHARACTERS.contains(&word.chars().count()) && !is_stopword(&word);
    if is_key && !keys.contains(&word) {
        keys.push(word);
    }
}

/// The first line's worth of a text.
pub fn beginning(text: &str, characters: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests;
