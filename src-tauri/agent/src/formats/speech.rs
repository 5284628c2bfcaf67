//! The notation inside an answer's prose: `[Thought]: …`, `[Express]: …`, one part after the other.
//!
//! The transcript itself is shown in this notation, so models adopt it by themselves. Parts without a tag are
//! the thought when a program follows, and the answer when none does. Heads of others, and calls in another
//! notation, make no answer: they are corrected.

use super::block::{self, is_fence};
use super::heads;
use super::{Action, Malformed, ParsedReply, malformed};
use shidi_protocol::{Finish, ModelReply};

/// Tags that a model may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Evaluation,
    NextGoal,
    Express,
    Thought,
    GiveUp,
    Python,
}

/// Colons that end a tag; models that think in Chinese write the second one.
pub(super) const COLONS: [char; 2] = [':', '：'];

/// The correction for a program that consists of comments and texts alone.
pub(super) const NO_STATEMENT: &str =
    "Your program held no statement, only comments or a text: nothing would happen.";

/// Beginnings of calls in notations that models were trained on.
const CALLS: [&str; 4] = ["<tool_call>", "<tool_calls>", "<function_call>", "[TOOL_CALLS]"];

impl Tag {
    const ALL: [Self; 6] = [
        Self::Evaluation,
        Self::NextGoal,
        Self::Express,
        Self::Thought,
        Self::GiveUp,
        Self::Python,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Evaluation => "Evaluation",
            Self::NextGoal => "NextGoal",
            Self::Express => "Express",
            Self::Thought => "Thought",
            Self::GiveUp => "GiveUp",
            Self::Python => "Python",
        }
    }

    /// The tag at the start of a line, with the text after the tag.
    pub(super) fn of(line: &str) -> Option<(Self, &str)> {
        let (name, rest) = line.trim_start().strip_prefix('[')?.split_once(']')?;
        let tag = Self::ALL.into_iter().find(|tag| tag.name() == name)?;
        let rest = rest.strip_prefix(COLONS)?;
        Some((tag, rest.trim_start_matches([' ', '\t'])))
    }

    /// Whether a line that begins with `start` may become one with a tag. A tag whose text has not begun
    /// counts, too.
    pub(super) fn may_begin(start: &str) -> bool {
        let Some(inner) = start.strip_prefix('[') else {
            return start.is_empty();
        };
        let mut tags = Self::ALL.into_iter();
        match inner.split_once(']') {
            None => tags.any(|tag| tag.name().starts_with(inner)),
            Some((name, rest)) => {
                let text = rest.strip_prefix(COLONS).unwrap_or(rest);
                tags.any(|tag| tag.name() == name) && text.trim().is_empty()
            }
        }
    }
}

/// The parts of an answer's prose.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parts {
    untagged: String,
    evaluation: String,
    next_goal: String,
    express: String,
    thought: String,
    give_up: String,
    /// The text after `[Python]:` that is no program of the format.
    python: Option<String>,
}

/// Splits prose at its tags. A tag counts only at the start of a line.
fn parts(text: &str) -> Parts {
    let mut parts = Parts::default();
    let mut current = None;
    for line in text.split_inclusive('\n') {
        let (tag, content) = match Tag::of(line) {
            Some((tag, content)) => (Some(tag), content),
            None => (current, line),
        };
        current = tag;
        let target = match tag {
            Some(Tag::Evaluation) => &mut parts.evaluation,
            Some(Tag::NextGoal) => &mut parts.next_goal,
            Some(Tag::Express) => &mut parts.express,
            Some(Tag::Thought) => &mut parts.thought,
            Some(Tag::GiveUp) => &mut parts.give_up,
            Some(Tag::Python) => parts.python.get_or_insert_default(),
            None => &mut parts.untagged,
        };
        target.push_str(content);
    }
    parts
}

/// The action that prose and a program make together.
///
/// # Errors When the prose goes on with the conversation, so that the program was written without knowing the
/// next segment.
pub(super) fn program(prose: &str, reasoning: &str, program: String) -> Result<ParsedReply, Malformed> {
    if let Some((_, wrong)) = heads::first(prose) {
        return Err(malformed(format!(
            "{wrong} Nothing of your answer ran. Write the program without it, and stop after the program."
        )));
    }
    let parts = parts(prose);
    let python = parts.python.as_deref().unwrap_or_default();
    let said = [&parts.thought, &parts.untagged, &parts.express, python].map(str::trim);
    let said: Vec<&str> = said.into_iter().filter(|part| !part.is_empty()).collect();
    let thought = if said.is_empty() {
        heads::own(reasoning).trim().to_owned()
    } else {
        said.join("\n")
    };
    Ok(ParsedReply {
        evaluation: some(&parts.evaluation),
        next_goal: some(&parts.next_goal),
        thought,
        action: Action::Program(program),
    })
}

/// The action of prose without a program. `way` is how to act in this format, for corrections.
///
/// # Errors
/// When it is empty, or not the model's own words to the user.
pub(super) fn answer(prose: &str, reply: &ModelReply, way: &str) -> Result<ParsedReply, Malformed> {
    if let Some((_, wrong)) = heads::first(prose) {
        return Err(no_answer(&wrong, way));
    }
    let parts = parts(prose);
    let thought = some(&parts.thought).unwrap_or_else(|| heads::own(&reply.reasoning).trim().to_owned());
    let said = some(&parts.express);
    let action = match (some(&parts.give_up), said) {
        (Some(reasons), _) => Action::GiveUp(reasons),
        (None, None) if parts.python.is_some() => {
            return Err(malformed(format!(
                "What stands after `[Python]:` does not run. {way}"
            )));
        }
        (None, said) => Action::Answer(
            said.or_else(|| some(&parts.untagged))
                .ok_or_else(|| empty(reply.finish))?,
        ),
    };
    if let Action::Answer(text) = &action
        && let Some(wrong) = wrong(text)
    {
        return Err(no_answer(&wrong, way));
    }
    Ok(ParsedReply {
        evaluation: some(&parts.evaluation),
        next_goal: some(&parts.next_goal),
        thought,
        action,
    })
}

/// Refuses an answer that ended before the program or call in it was complete.
///
/// # Errors
/// When the answer was cut.
pub(super) fn whole(reply: &ModelReply, what: &str) -> Result<(), Malformed> {
    match reply.finish {
        Finish::Stop | Finish::ToolCalls => Ok(()),
        Finish::Length => Err(malformed(format!(
            "{what} came to the output limit and was cut. Write less at once, or do the work in rounds."
        ))),
        Finish::Filtered => Err(malformed(format!(
            "{what} was cut by the provider's filter. Write it in another way, or give up with the reason."
        ))),
        Finish::Repeated => Err(malformed(format!(
            "{what} repeated the same words without end and was cut. Write them once."
        ))),
    }
}

fn empty(finish: Finish) -> Malformed {
    malformed(match finish {
        Finish::Stop | Finish::ToolCalls => {
            "Your answer was empty. Write either a program or an answer for the user."
        }
        Finish::Length => {
            "Your thinking used up the output limit before an answer began. Think less, then write a short program \
             or answer."
        }
        Finish::Filtered => {
            "The provider's filter withheld your answer before it began. Say it in other words, or give up with the \
             reason."
        }
        Finish::Repeated => {
            "Your thinking repeated the same words without end before an answer began. Write a short program or answer."
        }
    })
}

fn no_answer(wrong: &str, way: &str) -> Malformed {
    malformed(format!(
        "{wrong} {way} To answer, write to the user in plain words."
    ))
}

/// Why words are no answer to the user, if they are none.
fn wrong(text: &str) -> Option<String> {
    if is_empty_program(text) {
        return Some(NO_STATEMENT.to_owned());
    }
    let mut within_code = false;
    for line in text.lines().map(str::trim_start) {
        within_code ^= line.starts_with("```");
        let call = CALLS.into_iter().find(|call| line.starts_with(call));
        if let Some(call) = call.filter(|_| !within_code) {
            return Some(format!("Calls that are written as `{call}` are not read here."));
        }
    }
    None
}

/// Whether a text is one program that does nothing, with no prose beside it.
fn is_empty_program(text: &str) -> bool {
    let text = text.trim();
    let Some((fence, rest)) = text.split_once('\n').filter(|(fence, _)| is_fence(fence)) else {
        return false;
    };
    let (program, _) = block::inner(fence, rest);
    program.len() + "```".len() >= rest.trim_end().len() && !block::holds_statement(&program)
}

fn some(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
