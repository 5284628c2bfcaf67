//! Takes a model's thoughts out of its text before the text is read as an action.
//!
//! A thought is `<think>…</think>` at the very start, or text up to a closing tag that nobody opened. Templates
//! of some local servers write the opening tag themselves. The closing tag counts only where it begins or ends
//! a line, outside blocks of code and a program's texts. The tag does not count where an earlier line opens a
//! thought: an answer about such tags is left alone.

use super::block::{Program, is_fence};
use shidi_protocol::ModelReply;
use std::borrow::Cow;

pub(super) const OPEN: &str = "<think>";
pub(super) const CLOSE: &str = "</think>";

/// The answer with its thoughts in their own place.
pub(super) fn apart(reply: &ModelReply) -> Cow<'_, ModelReply> {
    let Some((thought, rest)) = split(&reply.text) else {
        return Cow::Borrowed(reply);
    };
    let thoughts = [reply.reasoning.trim(), thought.trim()];
    let thoughts = thoughts.into_iter().filter(|thought| !thought.is_empty());
    Cow::Owned(ModelReply {
        text: rest.to_owned(),
        reasoning: thoughts.collect::<Vec<_>>().join("\n"),
        ..reply.clone()
    })
}

/// The thought before an answer, and the answer.
fn split(text: &str) -> Option<(&str, &str)> {
    if let Some(rest) = text.trim_start().strip_prefix(OPEN) {
        return Some(rest.split_once(CLOSE).unwrap_or((rest, "")));
    }
    let mut watch = Watch::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let tag = if watch.ends_before(line) {
            line.find(CLOSE)
        } else if watch.ends_after(line) {
            line.rfind(CLOSE)
        } else {
            None
        };
        if let Some(tag) = tag {
            let (thought, rest) = text.split_at(start + tag);
            return Some((thought, &rest[CLOSE.len()..]));
        }
        watch.read(line);
        start += line.len();
    }
    None
}

/// Looks line by line for the end of a thought that was never opened.
#[derive(Debug, Default)]
pub(super) struct Watch {
    within: Within,
}

#[derive(Debug, Default)]
enum Within {
    #[default]
    Prose,
    Program(Box<Program>),
    /// A block of code that does not run.
    Code,
    /// The thought is over, or the answer is about thoughts.
    Over,
}

impl Watch {
    /// Whether a line that begins with `line` ends the thought right there.
    pub(super) fn ends_before(&self, line: &str) -> bool {
        let may_end = match &self.within {
            Within::Prose => true,
            Within::Program(program) => !program.is_within_text(),
            Within::Code | Within::Over => false,
        };
        may_end && line.trim_start().starts_with(CLOSE)
    }

    /// Whether the end of a whole line ends the thought.
    pub(super) fn ends_after(&self, line: &str) -> bool {
        self.is_in_prose() && line.trim_end().ends_with(CLOSE)
    }

    /// Characters of a piece that certainly belong to the line, not to a tag at its end.
    pub(super) fn certain(&self, piece: &str) -> usize {
        if !self.is_in_prose() {
            return piece.len();
        }
        if let Some(before) = piece.trim_end().strip_suffix(CLOSE) {
            return before.len();
        }
        let begun = (1..CLOSE.len())
            .rev()
            .find(|length| piece.ends_with(&CLOSE[..*length]));
        piece.len() - begun.unwrap_or(0)
    }

    /// Reads a whole line that does not end the thought.
    pub(super) fn read(&mut self, line: &str) {
        let marks_code = line.trim_start().starts_with("```");
        match &mut self.within {
            Within::Prose if is_fence(line) => {
                self.within = Within::Program(Box::new(Program::opened_by(line)));
            }
            Within::Prose if marks_code => self.within = Within::Code,
            Within::Prose if line.trim_start().starts_with(OPEN) => self.within = Within::Over,
            Within::Program(program) if program.is_closed_by(line) => self.within = Within::Prose,
            Within::Program(program) => drop(program.take(line)),
            Within::Code if marks_code => self.within = Within::Prose,
            Within::Prose | Within::Code | Within::Over => {}
        }
    }

    /// Notes that the answer begins here.
    pub(super) fn end(&mut self) {
        self.within = Within::Over;
    }

    /// Whether a block of code that does not run is open.
    pub(super) fn is_in_code(&self) -> bool {
        matches!(self.within, Within::Code)
    }

    fn is_in_prose(&self) -> bool {
        matches!(self.within, Within::Prose)
    }
}
