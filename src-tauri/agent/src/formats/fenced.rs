//! *Fenced*: a thought in prose, then one block that opens with ```` ```python ````. Works with every chat model.
//!
//! Only the first block labelled exactly `python` runs: any further program was written without knowing the
//! first one's output. Code for the user to read carries another label.

use super::block::{self, FENCE, Program, is_fence};
use super::heads;
use super::speech::{self, NO_STATEMENT, Tag, whole};
use super::steps;
use super::thinking::{CLOSE, OPEN, Watch};
use super::{ActionFormat, Malformed, ParsedReply, SpeechStream, malformed};
use crate::rendering;
use shidi_protocol::{
    Body, Message, ModelDelta, ModelReply, Segment, SegmentKind, Speaker, ToolDeclaration, ToolkitSpec,
};

const WAY: &str = "To run a program, write it into one block that opens with ```python, and stop after it.";

pub(super) struct Fenced;

impl ActionFormat for Fenced {
    fn name(&self) -> &'static str {
        "fenced"
    }

    fn tools(&self, _toolkits: &[ToolkitSpec]) -> Vec<ToolDeclaration> {
        Vec::new()
    }

    fn messages(&self, segments: &[&Segment]) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::new();
        for (at, segment) in segments.iter().enumerate() {
            say(&mut messages, segment);
            if segment.kind() == SegmentKind::Python && steps::output_of(segments, at).is_none() {
                say_without_output(&mut messages, segment);
            }
        }
        messages
    }

    fn action(&self, reply: &ModelReply, _toolkits: &[ToolkitSpec]) -> Result<ParsedReply, Malformed> {
        let Some(block) = block::block(&reply.text) else {
            return speech::answer(&reply.text, reply, WAY);
        };
        if !block.closed {
            whole(reply, "Your program")?;
        }
        let program = block.program.trim_end();
        if program.trim().is_empty() {
            return Err(malformed(
                "The python block was empty. Write the program into it, or answer in prose without a block.",
            ));
        }
        if !block::holds_statement(program) {
            return Err(malformed(format!(
                "{NO_STATEMENT} Write the statements that do it into the block, or answer in prose without a block."
            )));
        }
        speech::program(block.prose, &reply.reasoning, program.to_owned())
    }

    fn stream(&self) -> Box<dyn SpeechStream> {
        Box::new(FencedStream::default())
    }
}

/// Shows a program and its output in plain text, for formats without a form of their own.
pub(super) fn exchange(messages: &mut Vec<Message>, program: &Segment, output: Option<&Segment>) {
    say(messages, program);
    match output {
        Some(output) => say(messages, output),
        None => say_without_output(messages, program),
    }
}

fn say_without_output(messages: &mut Vec<Message>, program: &Segment) {
    let text = format!(
        "[{}]: {}",
        SegmentKind::Output.name(),
        steps::without_output(program)
    );
    speak(messages, Speaker::User, text);
}

/// Adds a segment in its own words, joined to the same speaker's last message where possible.
pub(super) fn say(messages: &mut Vec<Message>, segment: &Segment) {
    speak(messages, speaker(&segment.kind()), told(segment));
}

/// A segment in its own words, behind the head of its kind.
pub(super) fn told(segment: &Segment) -> String {
    match &segment.body {
        Body::Python { text } => format!("{FENCE}\n{}\n```", text.trim_end()),
        _ => format!(
            "[{}]: {}",
            segment.kind().name(),
            rendering::text(segment).trim_end()
        ),
    }
}

/// Adds text to the same speaker's last message, or begins a message.
pub(super) fn speak(messages: &mut Vec<Message>, speaker: Speaker, text: String) {
    match messages.last_mut() {
        Some(last) if last.speaker == speaker && last.tool_calls.is_empty() => append(last, &text),
        _ => messages.push(Message::text(speaker, text)),
    }
}

/// Who says a segment, from the model's point of view.
pub(super) fn speaker(kind: &SegmentKind) -> Speaker {
    match kind {
        SegmentKind::Thought
        | SegmentKind::Python
        | SegmentKind::Express
        | SegmentKind::Evaluation
        | SegmentKind::NextGoal => Speaker::Assistant,
        SegmentKind::User
        | SegmentKind::Context
        | SegmentKind::Knowledge
        | SegmentKind::Experience
        | SegmentKind::Output
        | SegmentKind::Round
        | SegmentKind::Message
        | SegmentKind::Notification
        | SegmentKind::Reminder
        | SegmentKind::Summary
        | SegmentKind::Cut
        | SegmentKind::Card
        | SegmentKind::Recalled
        | SegmentKind::Understood
        | SegmentKind::Stopped
        | SegmentKind::Custom(_) => Speaker::User,
    }
}

fn append(message: &mut Message, text: &str) {
    if let Some(shidi_protocol::Part::Text(last)) = message.parts.last_mut() {
        last.push_str("\n\n");
        last.push_str(text);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Prose,
    Program,
    /// After the program: not shown, not run.
    After,
}

/// Splits an answer while it streams. A line's beginning is held back while it may become a tag or a fence. A
/// line's end is held back while it may end a thought. Text shown before the end of a thought turned up stays
/// shown.
struct FencedStream {
    kind: SegmentKind,
    within: Within,
    line: String,
    /// Whether the start of the current line has been decided.
    decided: bool,
    /// The part of the current line that was read.
    taken: String,
    program: Program,
    watch: Watch,
}

impl Default for FencedStream {
    fn default() -> Self {
        Self {
            kind: SegmentKind::Express,
            within: Within::Prose,
            line: String::new(),
            decided: false,
            taken: String::new(),
            program: Program::default(),
            watch: Watch::default(),
        }
    }
}

impl SpeechStream for FencedStream {
    fn push(&mut self, delta: &ModelDelta) -> Vec<(SegmentKind, String)> {
        let text = match delta {
            ModelDelta::Reasoning(text) => return vec![(SegmentKind::Thought, text.clone())],
            ModelDelta::Text(text) => text,
            ModelDelta::Asked { .. }
            | ModelDelta::ToolArguments { .. }
            | ModelDelta::Retracted
            | ModelDelta::Awaits(_)
            | ModelDelta::Timed { .. } => {
                return Vec::new();
            }
        };
        let mut pieces = Vec::new();
        for piece in text.split_inclusive('\n') {
            self.line.push_str(piece);
            let whole = piece.ends_with('\n');
            self.end_thought_before(whole);
            if self.decided || whole || !self.may_be_special() {
                self.take(whole, &mut pieces);
            }
        }
        pieces
    }

    fn finish(&mut self) -> Vec<(SegmentKind, String)> {
        let mut pieces = Vec::new();
        self.end_thought_before(true);
        self.take(true, &mut pieces);
        if self.within == Within::Program {
            show(&mut pieces, SegmentKind::Python, self.program.finish());
        }
        pieces
    }
}

impl FencedStream {
    fn may_be_special(&self) -> bool {
        let start = self.line.trim_start();
        // Spaces after a tag belong to the tag: they are held back until another character follows.
        let may_be = |tag: &str| tag.starts_with(start) || start.trim_end() == tag;
        match self.within {
            Within::After => true,
            Within::Program => block::may_be_end(start) || may_be(CLOSE),
            Within::Prose => {
                let may_be_fence = [FENCE, OPEN, CLOSE].into_iter().any(may_be) || is_fence(start);
                may_be_fence || Tag::may_begin(start) || heads::may_begin(start)
            }
        }
    }

    /// Cuts the end of a thought that nobody opened off the start of a line.
    fn end_thought_before(&mut self, whole: bool) {
        if self.decided || !self.watch.ends_before(&self.line) {
            return;
        }
        let rest = self.line.trim_start()[CLOSE.len()..].trim_start();
        if whole || !rest.is_empty() {
            self.line = rest.to_owned();
            self.begin_answer();
        }
    }

    fn begin_answer(&mut self) {
        self.watch.end();
        self.within = Within::Prose;
        self.kind = SegmentKind::Express;
    }

    fn take(&mut self, whole: bool, pieces: &mut Vec<(SegmentKind, String)>) {
        let mut line = std::mem::take(&mut self.line);
        self.taken.push_str(&line);
        let ends_thought = whole && self.watch.ends_after(&self.taken);
        if !self.decided {
            line = self.decide(line);
        }
        self.decided = !whole;
        match self.within {
            Within::After => {}
            Within::Program => show(pieces, SegmentKind::Python, self.program.take(&line)),
            Within::Prose => {
                let rest = line.split_off(self.watch.certain(&line));
                show(pieces, self.kind.clone(), line);
                if !whole {
                    self.taken.truncate(self.taken.len() - rest.len());
                    self.line = rest;
                } else if !ends_thought {
                    show(pieces, self.kind.clone(), rest);
                }
            }
        }
        if whole {
            self.watch.read(&std::mem::take(&mut self.taken));
        }
        if ends_thought {
            self.begin_answer();
        }
    }

    /// Reads the start of a line; returns the part that is shown.
    fn decide(&mut self, line: String) -> String {
        let start = line.trim();
        match self.within {
            Within::Prose if is_fence(&line) => {
                self.within = Within::Program;
                self.program = Program::opened_by(&line);
                return String::new();
            }
            Within::Program if self.program.is_closed_by(&line) => {
                self.within = Within::After;
                return String::new();
            }
            Within::Prose if heads::begins(&line) && !self.watch.is_in_code() => {
                self.within = Within::After;
                return String::new();
            }
            Within::Prose | Within::Program | Within::After => {}
        }
        if self.within != Within::Prose {
            return line;
        }
        if start.starts_with(OPEN) {
            self.kind = SegmentKind::Thought;
            return line.replacen(OPEN, "", 1);
        }
        if start.starts_with(CLOSE) {
            self.kind = SegmentKind::Express;
            return line.replacen(CLOSE, "", 1).trim_start().to_owned();
        }
        let Some((tag, text)) = Tag::of(&line) else {
            return line;
        };
        self.kind = match tag {
            Tag::Evaluation => SegmentKind::Evaluation,
            Tag::NextGoal => SegmentKind::NextGoal,
            Tag::Thought | Tag::Python => SegmentKind::Thought,
            Tag::Express | Tag::GiveUp => SegmentKind::Express,
        };
        text.to_owned()
    }
}

/// Adds text to the piece shown last, or begins a piece.
fn show(pieces: &mut Vec<(SegmentKind, String)>, kind: SegmentKind, more: String) {
    if more.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some((last, text)) if *last == kind => text.push_str(&more),
        _ => pieces.push((kind, more)),
    }
}
