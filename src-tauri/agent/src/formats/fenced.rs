//! *Fenced*: a thought in prose, then one block that opens with ```` ```python ````. Works with every chat model.
//!
//! Only a block labelled exactly `python` runs, and only the first: what a model writes after it was written
//! without knowing the program's output. Code for the user to read carries another label.

use super::block::{self, Block, FENCE, Program, is_fence};
use super::speech::{self, TAGS};
use super::{Action, ActionFormat, Malformed, SpeechStream};
use crate::cards;
use shidi_protocol::{
    Finish, Message, ModelDelta, ModelReply, Segment, SegmentKind, Speaker, ToolDeclaration, ToolkitSpec,
};

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
        for segment in segments {
            say(&mut messages, segment);
        }
        messages
    }

    fn read(&self, reply: &ModelReply, _toolkits: &[ToolkitSpec]) -> Result<Action, Malformed> {
        let (prose, program) = match block::block(&reply.text) {
            None => (reply.text.as_str(), None),
            Some(Block { closed: false, .. }) if reply.finish == Finish::Length => {
                let correction = "Your program was cut at the output limit. Write a shorter one, or do the work in rounds.";
                return Err(Malformed {
                    correction: correction.to_owned(),
                });
            }
            Some(Block { prose, program, .. }) => (prose, Some(program)),
        };
        let program = program.map(|program| program.trim_end().to_owned());
        if program
            .as_deref()
            .is_some_and(|program| program.trim().is_empty())
        {
            let correction =
                "The python block was empty. Write the program into it, or answer in prose without a block.";
            return Err(Malformed {
                correction: correction.to_owned(),
            });
        }
        speech::action(prose, &reply.reasoning, program)
    }

    fn stream(&self) -> Box<dyn SpeechStream> {
        Box::new(FencedStream::default())
    }
}

/// A program with its output in plain text, for formats that can't show it in their own way.
pub(super) fn exchange(messages: &mut Vec<Message>, program: &Segment, output: Option<&Segment>) {
    say(messages, program);
    if let Some(output) = output {
        say(messages, output);
    }
}

/// Adds a segment in its own words, to what the same side has just said where that may be.
pub(super) fn say(messages: &mut Vec<Message>, segment: &Segment) {
    let text = match segment.kind {
        SegmentKind::Python => format!("{FENCE}\n{}\n```", segment.text.trim_end()),
        _ => format!("[{}]: {}", segment.kind.name(), cards::told(segment).trim_end()),
    };
    speak(messages, speaker(&segment.kind), text);
}

/// Adds text to what the same side has just said, or begins a message.
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

/// Holds back only the beginning of a line that may still turn out to be a tag or a fence.
struct FencedStream {
    kind: SegmentKind,
    within: Within,
    line: String,
    /// Whether the start of the current line has been decided.
    decided: bool,
    program: Program,
}

impl Default for FencedStream {
    fn default() -> Self {
        Self {
            kind: SegmentKind::Express,
            within: Within::Prose,
            line: String::new(),
            decided: false,
            program: Program::default(),
        }
    }
}

impl SpeechStream for FencedStream {
    fn push(&mut self, delta: &ModelDelta) -> Vec<(SegmentKind, String)> {
        let text = match delta {
            ModelDelta::Reasoning(text) => return vec![(SegmentKind::Thought, text.clone())],
            ModelDelta::Text(text) => text,
            ModelDelta::ToolArguments { .. } | ModelDelta::Retracted => return Vec::new(),
        };
        let mut pieces = Vec::new();
        for piece in text.split_inclusive('\n') {
            self.line.push_str(piece);
            let whole = piece.ends_with('\n');
            if self.decided || whole || !self.may_be_special() {
                self.take(whole, &mut pieces);
            }
        }
        pieces
    }

    fn finish(&mut self) -> Vec<(SegmentKind, String)> {
        let mut pieces = Vec::new();
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
        match self.within {
            Within::After => true,
            Within::Program => block::may_be_end(start),
            Within::Prose => {
                let mut specials = [FENCE, "<think>", "</think>"].iter().chain(TAGS.iter());
                // Spaces after a tag belong to it: they are held back until something follows.
                let undecided = |special: &&str| special.starts_with(start) || start.trim_end() == *special;
                specials.any(undecided) || is_fence(start)
            }
        }
    }

    fn take(&mut self, whole: bool, pieces: &mut Vec<(SegmentKind, String)>) {
        let mut line = std::mem::take(&mut self.line);
        if !self.decided {
            line = self.decide(line);
        }
        self.decided = !whole;
        let (kind, text) = match self.within {
            Within::After => return,
            Within::Program => (SegmentKind::Python, self.program.take(&line)),
            Within::Prose => (self.kind.clone(), line),
        };
        show(pieces, kind, text);
    }

    /// Reads the start of a line; returns what of it is to be shown.
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
            Within::Prose | Within::Program | Within::After => {}
        }
        if self.within != Within::Prose {
            return line;
        }
        if start.starts_with("<think>") {
            self.kind = SegmentKind::Thought;
            return line.replacen("<think>", "", 1);
        }
        if start.starts_with("</think>") {
            self.kind = SegmentKind::Express;
            return line.replacen("</think>", "", 1).trim_start().to_owned();
        }
        let Some(tag) = TAGS.iter().find(|tag| start.starts_with(**tag)) else {
            return line;
        };
        self.kind = match *tag {
            "[Evaluation]:" => SegmentKind::Evaluation,
            "[NextGoal]:" => SegmentKind::NextGoal,
            "[Thought]:" | "[Python]:" => SegmentKind::Thought,
            _ => SegmentKind::Express,
        };
        line.trim_start()[tag.len()..]
            .trim_start_matches([' ', '\t'])
            .to_owned()
    }
}

/// Adds text to what was shown last, or begins a piece.
fn show(pieces: &mut Vec<(SegmentKind, String)>, kind: SegmentKind, more: String) {
    if more.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some((last, text)) if *last == kind => text.push_str(&more),
        _ => pieces.push((kind, more)),
    }
}
