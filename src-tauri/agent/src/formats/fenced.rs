//! *Fenced*: a thought in prose, then one block that opens with ```` ```python ````. Works with every chat model.
//!
//! Only a block labelled exactly `python` runs, and only the first: what a model writes after it was written
//! without knowing the program's output. Code for the user to read carries another label.

use super::speech::{self, TAGS};
use super::{Action, ActionFormat, Malformed, SpeechStream};
use crate::cards;
use shidi_protocol::{
    Finish, Message, ModelDelta, ModelReply, Segment, SegmentKind, Speaker, ToolDeclaration, ToolkitSpec,
};

const FENCE: &str = "```python";
const FENCE_END: &str = "```";

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
        let (prose, program) = match block(&reply.text) {
            Block::Absent => (reply.text.as_str(), None),
            Block::Whole { prose, program } => (prose, Some(program)),
            Block::Open { .. } if reply.finish == Finish::Length => {
                let correction = "Your program was cut at the output limit. Write a shorter one, or do the work in rounds.";
                return Err(Malformed {
                    correction: correction.to_owned(),
                });
            }
            Block::Open { prose, program } => (prose, Some(program)),
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
        SegmentKind::Python => format!("{FENCE}\n{}\n{FENCE_END}", segment.text.trim_end()),
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

enum Block<'a> {
    Absent,
    Whole {
        prose: &'a str,
        program: &'a str,
    },
    /// The closing fence is missing.
    Open {
        prose: &'a str,
        program: &'a str,
    },
}

fn block(text: &str) -> Block<'_> {
    let mut start = 0;
    let mut opened = None;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        match opened {
            None if is_fence(line) => opened = Some((start, end)),
            Some((prose, program)) if line.trim() == FENCE_END => {
                return Block::Whole {
                    prose: &text[..prose],
                    program: &text[program..start],
                };
            }
            None | Some(_) => {}
        }
        start = end;
    }
    match opened {
        Some((prose, program)) => Block::Open {
            prose: &text[..prose],
            program: &text[program..],
        },
        None => Block::Absent,
    }
}

fn is_fence(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case(FENCE)
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
}

impl Default for FencedStream {
    fn default() -> Self {
        Self {
            kind: SegmentKind::Express,
            within: Within::Prose,
            line: String::new(),
            decided: false,
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
        pieces
    }
}

impl FencedStream {
    fn may_be_special(&self) -> bool {
        let start = self.line.trim_start();
        match self.within {
            Within::After => true,
            Within::Program => FENCE_END.starts_with(start) || start.starts_with(FENCE_END),
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
        let kind = match self.within {
            Within::After => return,
            Within::Program => SegmentKind::Python,
            Within::Prose => self.kind.clone(),
        };
        if line.is_empty() {
            return;
        }
        match pieces.last_mut() {
            Some((last, text)) if *last == kind => text.push_str(&line),
            _ => pieces.push((kind, line)),
        }
    }

    /// Reads the start of a line; returns what of it is to be shown.
    fn decide(&mut self, line: String) -> String {
        let start = line.trim();
        match self.within {
            Within::Prose if is_fence(&line) => {
                self.within = Within::Program;
                return String::new();
            }
            Within::Program if start == FENCE_END => {
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
