//! *FIM*, fill in the middle: the model first says what a program is for; then beginning and end of the program are
//! given, and it writes only what stands between (F4.5).
//!
//! The beginning binds what the context offers and opens a `try:`, the end reports an error. Models with a completion
//! endpoint get both parts as they are; others are asked in words. What comes back is put into its place, and the
//! program is checked and kept as a whole.

use super::block::{self, Quotes};
use super::speech::{NO_STATEMENT, Tag};
use super::{Action, ActionFormat, Deed, Format, Malformed, SpeechStream, malformed, speech, thinking};
use crate::limits;
use serde_json::Value;
use shidi_protocol::{
    Attachment, Message, ModelDelta, ModelReply, Segment, SegmentKind, ToolDeclaration, ToolkitSpec,
    VariablePreview,
};

/// The end of every program: says what went wrong, and lets it go wrong.
const TAIL: &str =
    "except Exception as error:\n    print(\"Failed:\", type(error).__name__, error)\n    raise";

/// The line that the middle follows.
const OPENING: &str = "try:";

const INDENT: &str = "    ";

pub(super) struct Fim;

impl ActionFormat for Fim {
    fn name(&self) -> &'static str {
        "fim"
    }

    fn tools(&self, _toolkits: &[ToolkitSpec]) -> Vec<ToolDeclaration> {
        Vec::new()
    }

    fn messages(&self, segments: &[&Segment]) -> Vec<Message> {
        Format::Fenced.implementation().messages(segments)
    }

    /// Reads the first answer: words for the user, or the thought and the wish for a program. A model that writes the
    /// whole program at once saves the second question.
    fn action(&self, reply: &ModelReply, toolkits: &[ToolkitSpec]) -> Result<Action, Malformed> {
        let (prose, code) = match split(&reply.text) {
            Some((prose, code)) => (prose, code.trim_start_matches(['\r', '\n'])),
            None => return Format::Fenced.implementation().action(reply, toolkits),
        };
        if !code.trim().is_empty() {
            let fenced = code.trim_start().starts_with("```");
            let text = if fenced {
                format!("{prose}\n{code}")
            } else {
                format!("{prose}\n```python\n{code}")
            };
            let whole = ModelReply {
                text,
                ..reply.clone()
            };
            return Format::Fenced.implementation().action(&whole, toolkits);
        }
        let action = speech::program(prose, &reply.reasoning, String::new())?;
        if action.thought.is_empty() {
            return Err(malformed(
                "Say in one line before `[Python]:` exactly what the program must do.",
            ));
        }
        Ok(Action {
            deed: Deed::Draft,
            ..action
        })
    }

    fn stream(&self) -> Box<dyn SpeechStream> {
        Format::Fenced.implementation().stream()
    }
}

/// Splits an answer at the tag that wants a program.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if let Some((Tag::Python, code)) = Tag::of(line) {
            return Some((&text[..start], &text[end - code.len()..]));
        }
        start = end;
    }
    None
}

/// A program without its middle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    pub head: String,
    pub tail: &'static str,
}

impl Hole {
    /// The hole for a program that may use `variables` and `attachments`.
    #[must_use]
    pub fn new(variables: &[VariablePreview], attachments: &[Attachment]) -> Self {
        let mut head = String::new();
        let newest = variables.iter().rev().take(limits::VARIABLES_SHOWN);
        let named: Vec<String> = newest
            .map(|variable| format!("{} ({})", variable.name, variable.kind))
            .collect();
        if !named.is_empty() {
            head.push_str(&format!("# Live variables: {}\n", named.join(", ")));
        }
        if !attachments.is_empty() {
            let paths = attachments.iter().map(|attachment| attachment.path.as_str());
            head.push_str(&format!("attachments = {}\n", Value::from_iter(paths)));
        }
        head.push_str(OPENING);
        head.push('\n');
        Self { head, tail: TAIL }
    }

    /// The whole program with what a model wrote for its middle.
    ///
    /// # Errors
    /// When nothing was written, or it was cut.
    pub fn filled(&self, reply: &ModelReply) -> Result<String, Malformed> {
        speech::whole(reply, "Your program")?;
        let middle = self.bare(&thinking::apart(reply).text);
        if middle.trim().is_empty() {
            return Err(malformed(
                "The middle of the program was empty. Write its statements.",
            ));
        }
        if !block::holds_statement(&middle) {
            return Err(malformed(format!(
                "{NO_STATEMENT} Write the statements that do it."
            )));
        }
        Ok(format!("{}{}\n{}", self.head, indented(&middle), self.tail))
    }

    /// What a model wrote without what it repeated: fences, the beginning, the end.
    fn bare(&self, text: &str) -> String {
        let text = unfenced(text);
        let mut text = text.as_str();
        let head = self.head.trim_end();
        if let Some(after) = text.trim_start().strip_prefix(head) {
            text = after;
        } else if let Some(after) = text.trim_start().strip_prefix(OPENING)
            && text.contains("\nexcept")
        {
            text = after;
        }
        let end = text.find("\nexcept Exception as error:").unwrap_or(text.len());
        text[..end].trim_end().trim_start_matches('\n').to_owned()
    }
}

/// What stands in the first block of code, when the answer is one; a fence within a program's text is none.
fn unfenced(text: &str) -> String {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (word, end) = (line.trim(), start + line.len());
        let is_first = text[..start].trim().is_empty();
        if word.starts_with("```") && (is_first || word.ends_with("python")) {
            return block::inner(line, &text[end..]).0;
        }
        start = end;
    }
    block::inner("", text).0
}

/// Puts a block below `try:`. A block that is indented already stays as it is; one whose first line alone is not (it
/// was begun for the model) gets that line indented.
fn indented(middle: &str) -> String {
    let mut lines = middle.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    if first.starts_with(INDENT) {
        return middle.to_owned();
    }
    let opens = first.trim_end().ends_with([':', '(', '[', '{', ',', '\\']) || opens_text(first);
    if !opens && lines.next().is_some_and(|second| second.starts_with(INDENT)) {
        return format!("{INDENT}{}", middle.trim_start());
    }
    let mut quotes = Quotes::default();
    let mut block = Vec::new();
    for line in middle.lines() {
        // A text of several lines is no code: its own indentation is part of it.
        let plain = quotes.are_open() || line.trim().is_empty();
        block.push(if plain {
            line.to_owned()
        } else {
            format!("{INDENT}{line}")
        });
        quotes.read(line);
    }
    block.join("\n")
}

/// Whether a line begins a text that goes on below it.
fn opens_text(line: &str) -> bool {
    let mut quotes = Quotes::default();
    quotes.read(line);
    quotes.are_open()
}

/// The line of the middle that a line of the whole program is; `None` for lines that the model did not write and for
/// programs of other formats. Both count from 1.
#[must_use]
pub fn line_of_middle(program: &str, line: u32) -> Option<u32> {
    if !program.ends_with(TAIL) {
        return None;
    }
    let opening = program.lines().position(|text| text == OPENING)?;
    let before = u32::try_from(opening + 1).ok()?;
    let end = u32::try_from(program.lines().count() - TAIL.lines().count()).ok()?;
    (line > before && line <= end).then(|| line - before)
}

/// A program arrives as it is.
pub(super) struct MiddleStream;

impl SpeechStream for MiddleStream {
    fn push(&mut self, delta: &ModelDelta) -> Vec<(SegmentKind, String)> {
        match delta {
            ModelDelta::Text(text) => vec![(SegmentKind::Python, text.clone())],
            ModelDelta::Reasoning(text) => vec![(SegmentKind::Thought, text.clone())],
            ModelDelta::ToolArguments { .. } | ModelDelta::Retracted | ModelDelta::Awaits(_) => Vec::new(),
        }
    }

    fn finish(&mut self) -> Vec<(SegmentKind, String)> {
        Vec::new()
    }
}
