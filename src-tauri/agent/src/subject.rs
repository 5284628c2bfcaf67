//! Whether a question leaves the subject of its conversation (S4). Pure, by words alone; no model is asked.
//!
//! A conversation is kept when in doubt. A question is new when it names what it is about, and nothing in it leads back.
//! A word that points back or is shared leads back, and so does one of the same field of life. So does a named file or
//! variable. The reply to a question of ours goes on, too, and so does whatever is very short.
//!
//! Of the question before, one thing is known: what it had left behind. A question that goes on does without the same.
//! One that comes back to an earlier subject has its history again, and so have those after it. A variable of its
//! programs leads back by name, however short.

mod words;

use crate::limits;
use shidi_protocol::{Body, Segment, SegmentId, SegmentKind};
use words::Vocabulary;

/// What a question names and brings.
#[derive(Debug, Clone, Copy, Default)]
pub struct Question<'a> {
    pub text: &'a str,
    /// Names and addresses of what came along with it.
    pub brought: &'a [String],
    /// Names of the conversation's variables.
    pub variables: &'a [String],
}

/// The last segment of what a question has nothing to do with. `None` where it may mean all of the conversation. The
/// question before it did without what stands up to `before`.
#[must_use]
pub fn left_behind(
    segments: &[Segment],
    before: Option<SegmentId>,
    asked: &Question<'_>,
) -> Option<SegmentId> {
    let last = segments.last()?;
    if is_new(segments, asked) {
        return Some(last.id);
    }
    // It goes on with the newest subject, or comes back to an earlier one.
    before.filter(|through| !leads_back(segments, *through, asked))
}

/// Whether a question that is not new means something of what was left behind.
#[must_use]
pub fn leads_back(segments: &[Segment], through: SegmentId, asked: &Question<'_>) -> bool {
    let end = segments.partition_point(|segment| segment.id <= through);
    let (earlier, newest) = segments.split_at(end);
    comes_back(&History::of(earlier), &History::of(newest), asked)
}

/// What several segments tell together.
#[derive(Default)]
struct History<'a> {
    told: Vocabulary,
    programs: Vec<&'a str>,
    /// Names of what came along.
    brought: Vec<&'a str>,
    /// Chinese characters, and Latin words, of what was said.
    script: (usize, usize),
}

impl<'a> History<'a> {
    fn of(segments: &'a [Segment]) -> Self {
        let mut history = Self::default();
        segments.iter().for_each(|segment| history.take(segment));
        history
    }

    fn take(&mut self, segment: &'a Segment) {
        match &segment.body {
            Body::User { text } | Body::Express { text } | Body::Understood { text } => self.say(text),
            Body::Context(piece) => {
                self.told.add(&piece.title);
                self.told.add_words(beginning(&piece.text));
                self.brought.push(&piece.title);
                self.brought.extend(piece.url.as_deref());
            }
            Body::Python { text } => {
                self.told.add_words(beginning(text));
                self.programs.push(text);
            }
            Body::Output { text, .. } => self.told.add_words(beginning(text)),
            Body::Card(card) => self.told.add_words(beginning(&card.text)),
            Body::Knowledge { .. }
            | Body::Experience { .. }
            | Body::Thought { .. }
            | Body::Evaluation { .. }
            | Body::NextGoal { .. }
            | Body::Round { .. }
            | Body::Message { .. }
            | Body::Notification { .. }
            | Body::Reminder { .. }
            | Body::Summary(_)
            | Body::Cut { .. }
            | Body::Recalled { .. }
            | Body::Stopped { .. }
            | Body::Custom { .. } => {}
        }
    }

    fn say(&mut self, text: &str) {
        let text = beginning(text);
        self.told.add(text);
        self.script.0 += words::chinese_count(text);
        self.script.1 += words::latin(text).len();
    }

    fn is_chinese(&self) -> bool {
        self.script.0 * 2 > self.script.1
    }

    /// Whether a question names, brings or says a word of what is here.
    fn is_touched(&self, asked: &Question<'_>, told: &Vocabulary) -> bool {
        let is_named = |name: &&str| words::names(asked.text, name);
        let is_brought = |name: &&str| asked.brought.iter().any(|other| other == name);
        told.shares_a_word(&self.told)
            || self.brought.iter().any(is_named)
            || self.brought.iter().any(is_brought)
    }

    /// Whether a question names a variable that a program here works with: `df` says what no short word does.
    fn has_a_variable_of(&self, asked: &Question<'_>) -> bool {
        let said = words::exact(asked.text);
        let is_named = |name: &&str| said.contains(name) && !words::is_common(name);
        let variables = asked.variables.iter().map(String::as_str);
        let named: Vec<&str> = variables.filter(is_named).collect();
        let has_one = |program: &&str| {
            let names = words::exact(program);
            named.iter().any(|name| names.contains(name))
        };
        !named.is_empty() && self.programs.iter().any(has_one)
    }
}

/// The part of a text whose words count.
fn beginning(text: &str) -> &str {
    match text.char_indices().nth(limits::SUBJECT_CHARACTERS) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

fn told(text: &str) -> Vocabulary {
    let mut told = Vocabulary::default();
    told.add(text);
    told
}

/// The last words to the user of the run that wrote last.
fn last_answer(segments: &[Segment]) -> &str {
    let run = segments.last().map(|segment| &segment.run);
    let mut own = segments.iter().rev().filter(|segment| Some(&segment.run) == run);
    own.find(|segment| segment.is(&SegmentKind::Express))
        .map_or("", Segment::text)
}

/// Whether a question has nothing to do with a conversation.
fn is_new(segments: &[Segment], asked: &Question<'_>) -> bool {
    let history = History::of(segments);
    let text = asked.text.trim();
    let is_chinese = words::chinese_count(text) >= limits::SUBJECT_CHINESE_MIN;
    let is_short = match is_chinese {
        true => words::chinese_count(text) < limits::SUBJECT_CHINESE_CHARACTERS_MIN,
        false => words::latin(text).len() < limits::SUBJECT_WORDS_MIN,
    };
    // What was not answered goes on; so does the reply to a question of ours.
    let answer = last_answer(segments).trim();
    let is_reply = answer.is_empty() || answer.ends_with(['?', '\u{ff1f}']);
    // Words of two languages are never the same, whatever they mean.
    if is_reply || is_short || is_chinese != history.is_chinese() {
        return false;
    }
    if words::points(text) || words::opens_as_a_reply(text) {
        return false;
    }
    let told = told(text);
    let mut variables = asked.variables.iter();
    if history.is_touched(asked, &told) || variables.any(|name| words::names(text, name)) {
        return false;
    }
    let is_known = told.fields != 0 && history.told.fields != 0;
    let has_subject = words::brings_its_own(text) || words::strength(text) >= limits::SUBJECT_FIELD_WORDS_MIN;
    is_known && has_subject && told.fields & history.told.fields == 0
}

/// Whether a question that is not new means something from before the newest subject.
fn comes_back(earlier: &History<'_>, newest: &History<'_>, asked: &Question<'_>) -> bool {
    let told = told(asked.text);
    let fields_of_earlier = told.fields & earlier.told.fields;
    let fields_of_newest = told.fields & newest.told.fields;
    words::points_far(asked.text)
        || earlier.is_touched(asked, &told)
        || earlier.has_a_variable_of(asked)
        || (fields_of_earlier != 0 && fields_of_newest == 0)
}

#[cfg(test)]
mod tests;
