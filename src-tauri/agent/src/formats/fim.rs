//! *FIM*, fill in the middle (F4.5): the model first says what a program is for. Then the program's beginning
//! and end are given, and the model writes only the middle.
//!
//! The beginning binds the context's variables and opens a `try:`; the end reports an error. Models with a
//! completion endpoint get both parts as they are; other models are asked in words. The answer is put into the
//! hole, and the program is checked and kept as a whole.

use super::block::{self, Quotes};
use super::speech::{NO_STATEMENT, Tag};
use super::{
    Action, ActionFormat, Format, Malformed, ParsedReply, SpeechStream, malformed, speech, thinking,
};
use crate::limits;
use serde_json::Value;
use shidi_protocol::{
    Attachment, Message, ModelDelta, ModelReply, Segment, SegmentKind, ToolDeclaration, ToolkitSpec,
    VariablePreview,
};

/// The end of every program: reports the error and raises it again.
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

    /// Reads the first answer: words for the user, or a thought with the wish for a program. A model that
    /// writes the whole program at once saves the second question.
    fn action(&self, reply: &ModelReply, toolkits: &[ToolkitSpec]) -> Result<ParsedReply, Malformed> {
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
        Ok(ParsedReply {
            action: Action::Draft,
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
    /// The hole of a program that may use `variables` and `attachments`.
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

    /// The whole program, with the model's text as its middle.
    ///
    /// # Errors
    /// When nothing was written, or the text was cut.
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

    /// The model's text without the parts that it repeated: fences, the beginning, the end.
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

/// The content of the first block, when the answer is one block of code. A fence within a program's text counts
/// as text.
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

/// Indents a block below `try:`. An indented block stays unchanged. A block whose first line alone lacks the
/// indent gets that line indented. The request had begun the line for the model.
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
        // Lines within a text of several lines are no code: their own indentation belongs to the text.
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

/// Whether a line opens a text that continues on the next line.
fn opens_text(line: &str) -> bool {
    let mut quotes = Quotes::default();
    quotes.read(line);
    quotes.are_open()
}

/// Turns a line number of the whole program into that of the middle; both count from 1. `None` for lines that
/// the model did not write, and for programs of other formats.
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

/// Passes a program on unchanged while it streams.
pub(super) struct MiddleStream;

impl SpeechStream for MiddleStream {
    fn push(&mut self, delta: &ModelDelta) -> Vec<(SegmentKind, String)> {
        match delta {
            ModelDelta::Text(text) => vec![(SegmentKind::Python, text.clone())],
            ModelDelta::Reasoning(text) => vec![(SegmentKind::Thought, text.clone())],
            ModelDelta::Asked { .. }
            | ModelDelta::ToolArguments { .. }
            | ModelDelta::Retracted
            | ModelDelta::Awaits(_)
            | ModelDelta::Timed { .. } => Vec::new(),
        }
    }

    fn finish(&mut self) -> Vec<(SegmentKind, String)> {
        Vec::new()
    }
}
