//! The words that were said and read before a call: possible sources of a value.

use super::words::{self, plain};
use super::{NOT_STARTED, USER};
use crate::limits;
use crate::run_context::RunContext;
use serde_json::Value;
use shidi_protocol::{Body, Call, CallRecord, Moment, Segment, SegmentKind, ToolkitSource};

/// Toolkits whose answers repeat what a program gave them, describe tools, or are what another model says.
const ECHOES: [&str; 5] = ["workflows", "todo", "toolkits", "system", "agents"];

/// Words with which somebody agrees to what was proposed.
const YES: [&str; 22] = [
    "yes",
    "yeah",
    "yep",
    "ok",
    "okay",
    "sure",
    "right",
    "correct",
    "exactly",
    "fine",
    "good",
    "please do",
    "go ahead",
    "好",
    "是",
    "对",
    "可以",
    "行",
    "嗯",
    "确认",
    "没问题",
    "就这样",
];
/// Words with which somebody takes it back in the same breath.
const BUT: [&str; 8] = ["but", "no ", "not ", "instead", "不", "但", "改", "换"];
/// What may stand behind a Chinese yes.
const BEHIND_YES: [char; 13] = [
    ' ', ',', '.', '!', ';', '~', '，', '。', '！', '；', '的', '吧', '啊',
];
/// What makes a question of it.
const ASKING: [&str; 18] = [
    "?", "吗", "呢", "什么", "几", "哪", "谁", "多少", "怎么", "what", "when", "which", "who", "where",
    "how", "question", "why", "idea",
];
/// Characters of an answer that agrees and says nothing else.
const AGREEMENT_CHARACTERS_MAX: usize = 40;

/// A text that somebody else than the model wrote.
pub struct Source {
    /// In small letters, with single spaces.
    pub text: String,
    pub said: Moment,
    /// When it became known here. An answer comes later than its question; an assistant's instructions were there before.
    pub came: Moment,
    /// Whether a number in it counts: one in an assistant's instructions was not said by anybody.
    pub counts: bool,
    /// Whether the user said it.
    pub is_users: bool,
    /// What the model wrote before it: the programs up to an output, or what a call was given. It is no proof of itself.
    pub program: Option<String>,
}

/// Everything that may be the source of a value, the newest first, within bounds.
pub fn of(context: &RunContext) -> Vec<Source> {
    let mut sources = Vec::new();
    for (place, segment) in context.segments.iter().enumerate().rev() {
        sources.extend(of_segment(context, place, segment));
    }
    let answered = |record: &CallRecord| answered(context, record);
    sources.extend(context.calls.values().rev().filter_map(answered));
    sources.extend(context.earlier_calls.iter().rev().filter_map(answered));
    sources.extend(context.recalled.iter().map(|hit| source(&hit.text, hit.time)));
    let persona = context.settings.persona.as_ref();
    let instructions = persona.map(|persona| persona.prompt(context.state.interface()));
    sources.extend(instructions.into_iter().map(|text| Source {
        counts: false,
        came: Moment(i64::MIN),
        ..source(&text, context.now)
    }));
    let mut left = limits::PARAMETER_SOURCE_BYTES_MAX;
    sources.retain(|source| {
        let fits = source.text.len() <= left;
        left = left.saturating_sub(source.text.len());
        fits
    });
    sources
}

/// The programs of a conversation, the newest first, within bounds.
pub fn programs(context: &RunContext) -> String {
    written(context.segments.iter().rev(), limits::PARAMETER_SOURCE_BYTES_MAX)
}

fn of_segment(context: &RunContext, place: usize, segment: &Segment) -> Option<Source> {
    let said = segment.time;
    match &segment.body {
        Body::User { text } => Some(Source {
            is_users: true,
            ..source(text, said)
        }),
        Body::Context(piece) => Some(source(&format!("{}\n{}", piece.title, piece.text), said)),
        Body::Express { text } => is_agreed(context, place).then(|| source(text, said)),
        Body::Output { text, .. } => Some(Source {
            program: Some(programs_before(context, place)),
            ..source(&printed(text), said)
        }),
        Body::Knowledge { text } | Body::Message { text } | Body::Notification { text } => {
            Some(source(text, said))
        }
        Body::Experience { .. }
        | Body::Thought { .. }
        | Body::Python { .. }
        | Body::Evaluation { .. }
        | Body::NextGoal { .. }
        | Body::Round { .. }
        | Body::Reminder { .. }
        | Body::Cut { .. }
        | Body::Card(_)
        | Body::Recalled { .. }
        // What another model made of it.
        | Body::Understood { .. }
        | Body::Summary(_)
        | Body::Stopped { .. }
        | Body::Custom { .. } => None,
    }
}

/// What somebody said at a moment.
pub fn source(text: &str, said: Moment) -> Source {
    Source {
        text: plain(text),
        said,
        came: said,
        counts: true,
        is_users: false,
        program: None,
    }
}

/// Whether the user has agreed to what was said: the next words of theirs do nothing else.
fn is_agreed(context: &RunContext, place: usize) -> bool {
    let mut later = context.segments.iter().skip(place + 1);
    let reply = later.find(|segment| segment.kind() == SegmentKind::User);
    reply.is_some_and(|reply| agrees(reply.text()))
}

fn agrees(reply: &str) -> bool {
    let reply = plain(reply);
    let is_short = reply.chars().count() <= AGREEMENT_CHARACTERS_MAX;
    let begins = |word: &str| {
        reply
            .strip_prefix(word)
            .is_some_and(|rest| match word.is_ascii() {
                true => !rest.starts_with(|letter: char| letter.is_ascii_alphabetic()),
                false => rest.is_empty() || rest.starts_with(BEHIND_YES),
            })
    };
    let takes_back = format!("{reply} ");
    is_short
        && YES.iter().any(|word| begins(word))
        && !BUT.iter().any(|word| takes_back.contains(word))
        && !ASKING.iter().any(|mark| reply.contains(mark))
}

/// What a program printed, without what it was told of its failure.
fn printed(output: &str) -> String {
    let is_told = |line: &&str| {
        let is_place = line
            .strip_prefix("line ")
            .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()));
        !is_place && !line.contains(NOT_STARTED)
    };
    output.lines().filter(is_told).collect::<Vec<_>>().join("\n")
}

/// The programs up to a segment, the newest first, within bounds.
fn programs_before(context: &RunContext, place: usize) -> String {
    written(
        context.segments.iter().take(place).rev(),
        limits::PARAMETER_PROGRAM_BYTES_MAX,
    )
}

fn written<'a>(segments: impl Iterator<Item = &'a Segment>, most: usize) -> String {
    let mut all = String::new();
    for segment in segments.filter(|segment| segment.kind() == SegmentKind::Python) {
        if all.len() + segment.text().len() > most {
            break;
        }
        all.push_str(segment.text());
        all.push('\n');
    }
    all
}

/// What a call brought in: a tool's result, what a person answered, or a question that was agreed to.
fn answered(context: &RunContext, record: &CallRecord) -> Option<Source> {
    let outcome = record.outcome.as_ref().filter(|outcome| outcome.ok())?;
    if ECHOES.contains(&record.call.toolkit.as_str()) {
        return None;
    }
    let mut texts = Vec::new();
    words::leaves(&outcome.data, &mut texts);
    let is_users = record.call.toolkit == USER;
    if is_users && outcome.data == Value::Bool(true) {
        words::leaves(&Value::Object(record.call.args.clone()), &mut texts);
    }
    Some(Source {
        is_users,
        came: record.ended.unwrap_or(record.started),
        program: is_of_plugin(context, &record.call).then(|| given(record)),
        ..source(&texts.join("\n"), record.started)
    })
}

/// Whether a tool of a plugin is called: what it repeats of its arguments is no proof of them.
pub fn is_of_plugin(context: &RunContext, call: &Call) -> bool {
    let mut toolkits = context.settings.toolkits.iter();
    toolkits.any(|toolkit| toolkit.name == call.toolkit && toolkit.source == ToolkitSource::Plugin)
}

/// The texts and numbers that a call passed.
fn given(record: &CallRecord) -> String {
    let mut texts = Vec::new();
    words::leaves(&Value::Object(record.call.args.clone()), &mut texts);
    texts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::agrees;

    #[test]
    fn agreement_says_nothing_else() {
        for reply in [
            "yes",
            "Yes, please.",
            "ok",
            "好的",
            "对，就这样",
            "sure, go ahead",
        ] {
            assert!(agrees(reply), "{reply}");
        }
        for reply in [
            "no",
            "yes, but for three",
            "是什么时候",
            "对了，关门",
            "行李放哪里",
            "好像是三位",
            "okay, which day is that",
            "good question",
            "好，不过改成三位",
            "yesterday",
            "when?",
            "不行",
            "",
        ] {
            assert!(!agrees(reply), "{reply}");
        }
    }
}
