//! *Relay*: plain text that begins with its receiver, `to_user: …` or `to_sys: {json}` (F9.3). For models that
//! only write text, and neither call tools nor write programs well.
//!
//! An answer holds exactly one of the two. Another side's role (`user:`, `sys:`) means that the model continues
//! the dialogue by itself. Such an answer is corrected, and none of it runs.

use super::called::{self, Called};
use super::steps::{Step, steps, told};
use super::{ActionFormat, Malformed, ParsedReply, SpeechStream, fenced, heads, malformed, speech};
use crate::rendering::{self, SYS, TO_SYS, TO_USER};
use serde_json::{Value, json};
use shidi_protocol::{
    Message, ModelDelta, ModelReply, Segment, SegmentKind, Speaker, ToolDeclaration, ToolkitSpec,
};

/// Roles of others in the dialogue.
const FOREIGN: [&str; 5] = ["user", SYS, "system", "assistant", "to_assistant"];

const WAY: &str = "To call a tool, write `to_sys:` and the JSON after it.";

pub(super) struct Relay;

impl ActionFormat for Relay {
    fn name(&self) -> &'static str {
        "relay"
    }

    fn tools(&self, _toolkits: &[ToolkitSpec]) -> Vec<ToolDeclaration> {
        Vec::new()
    }

    fn messages(&self, segments: &[&Segment]) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::new();
        for step in steps(segments) {
            match step {
                Step::Segment(segment) if segment.kind() == SegmentKind::Express => {
                    let said = format!("{TO_USER}: {}", rendering::text(segment).trim_end());
                    fenced::speak(&mut messages, Speaker::Assistant, said);
                }
                Step::Segment(segment) => fenced::say(&mut messages, segment),
                Step::Program { program, output } => match called::calls_of(program.text()) {
                    Some(calls) => exchange(&mut messages, program, &calls, output),
                    None => fenced::exchange(&mut messages, program, output),
                },
            }
        }
        messages
    }

    fn action(&self, reply: &ModelReply, toolkits: &[ToolkitSpec]) -> Result<ParsedReply, Malformed> {
        let parts = Parts::of(&reply.text);
        if let Some(role) = parts.foreign {
            return Err(malformed(format!(
                "You wrote the role `{role}:`, which is not yours. Write exactly one of `to_user: …` or \
                 `to_sys: {{json}}` and stop; what the other side says comes to you."
            )));
        }
        match parts.own.as_slice() {
            [] if reply.text.trim_start().starts_with(['{', '[']) && reply.text.contains("\"tool\"") => Err(
                malformed("To call a tool, begin your answer with `to_sys:` and write the JSON after it."),
            ),
            [] => speech::answer(&reply.text, reply, WAY),
            [(TO_USER, text)] => speech::answer(text, reply, WAY),
            [(_, text)] => {
                speech::whole(reply, "Your `to_sys:`")?;
                let calls = read_calls(text, toolkits)?;
                let program = called::program(&calls);
                speech::program(&parts.before, &reply.reasoning, program)
            }
            _ => Err(malformed(
                "You wrote more than one of `to_user:` and `to_sys:`. Write exactly one in an answer; several calls \
                 go into one list after a single `to_sys:`.",
            )),
        }
    }

    fn stream(&self) -> Box<dyn SpeechStream> {
        Box::new(RelayStream {
            line: String::new(),
            decided: false,
            hidden: false,
        })
    }
}

fn exchange(messages: &mut Vec<Message>, program: &Segment, calls: &[Called], output: Option<&Segment>) {
    let written: Vec<Value> = calls
        .iter()
        .map(|call| json!({"tool": call.tool, "args": call.args}))
        .collect();
    let text = match written.as_slice() {
        [one] => one.to_string(),
        several => json!(several).to_string(),
    };
    fenced::speak(messages, Speaker::Assistant, format!("{TO_SYS}: {text}"));
    let output = told(program, output);
    fenced::speak(messages, Speaker::User, format!("{SYS}: {output}"));
}

/// An answer, split at its roles. The content of a fenced block is text, whatever it looks like.
#[derive(Default)]
struct Parts {
    /// Text before the first role.
    before: String,
    own: Vec<(&'static str, String)>,
    foreign: Option<&'static str>,
}

impl Parts {
    fn of(text: &str) -> Self {
        let mut parts = Self::default();
        let mut fenced = false;
        for line in text.split_inclusive('\n') {
            let toggles = line.trim_start().starts_with("```");
            let role = if fenced || toggles { None } else { role(line) };
            fenced ^= toggles;
            match role {
                Some((name, rest)) if name == TO_USER || name == TO_SYS => {
                    parts.own.push((name, rest.to_owned()));
                }
                Some((name, _)) => parts.foreign = parts.foreign.or(Some(name)),
                None => match parts.own.last_mut() {
                    Some((_, text)) => text.push_str(line),
                    None => parts.before.push_str(line),
                },
            }
        }
        parts
    }
}

/// The role at the beginning of a line, with the text after its colon.
fn role(line: &str) -> Option<(&'static str, &str)> {
    let (word, rest) = line.split_once([':', '：'])?;
    let word = word.trim().trim_matches(['*', '`', '[', ']']);
    let known = [TO_USER, TO_SYS].into_iter().chain(FOREIGN);
    let name = known.into_iter().find(|name| word.eq_ignore_ascii_case(name))?;
    Some((name, rest))
}

fn read_calls(text: &str, toolkits: &[ToolkitSpec]) -> Result<Vec<Called>, Malformed> {
    let body = unfenced(text);
    let written: Value = serde_json::from_str(body).map_err(|error| {
        malformed(format!(
            "What follows `to_sys:` must be JSON and nothing else, such as \
             {{\"tool\": \"files.read\", \"args\": {{\"path\": \"a.md\"}}}} ({error})."
        ))
    })?;
    let written = match written {
        Value::Array(items) => items,
        other => vec![other],
    };
    if written.is_empty() || written.len() > called::CALLS_MAX {
        return Err(malformed(format!(
            "Write 1 to {} calls after `to_sys:`.",
            called::CALLS_MAX
        )));
    }
    let (mut calls, mut problems) = (Vec::new(), Vec::new());
    for call in &written {
        match read_call(call, toolkits) {
            Ok(call) => calls.push(call),
            Err(Malformed { correction }) => problems.push(correction),
        }
    }
    if problems.is_empty() {
        Ok(calls)
    } else {
        Err(malformed(problems.join(" ")))
    }
}

fn read_call(call: &Value, toolkits: &[ToolkitSpec]) -> Result<Called, Malformed> {
    let Some(tool) = call.get("tool").and_then(Value::as_str) else {
        return Err(malformed(
            "Each call needs the key \"tool\" with the name `toolkit.method`, and \"args\" with its arguments.",
        ));
    };
    let other = call
        .as_object()
        .and_then(|fields| fields.keys().find(|key| *key != "tool" && *key != "args"));
    if let Some(other) = other {
        return Err(malformed(format!(
            "A call has the keys \"tool\" and \"args\" only; \"{other}\" belongs into \"args\" or nowhere."
        )));
    }
    let none = json!({});
    Called::checked(tool, call.get("args").unwrap_or(&none), toolkits)
}

/// JSON without the fence that some models put around it.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(inner) = text.strip_prefix("```") else {
        return text;
    };
    let inner = inner.strip_prefix("json").unwrap_or(inner);
    inner.trim_end().strip_suffix("```").unwrap_or(inner).trim()
}

/// Shows the part for the user while it streams; the part for the machinery is shown when it runs.
struct RelayStream {
    line: String,
    /// Whether the start of the current line has been decided.
    decided: bool,
    hidden: bool,
}

impl SpeechStream for RelayStream {
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
        let mut shown = String::new();
        for piece in text.split_inclusive('\n') {
            self.line.push_str(piece);
            let whole = piece.ends_with('\n');
            let may_be_head = heads::may_begin(self.line.trim_start());
            if self.decided || whole || !(may_be_head || may_be_role(&self.line)) {
                self.take(whole, &mut shown);
            }
        }
        said(shown)
    }

    fn finish(&mut self) -> Vec<(SegmentKind, String)> {
        let mut shown = String::new();
        self.take(true, &mut shown);
        said(shown)
    }
}

impl RelayStream {
    fn take(&mut self, whole: bool, shown: &mut String) {
        let line = std::mem::take(&mut self.line);
        let mut text = line.as_str();
        if !self.decided
            && let Some((name, rest)) = role(&line)
        {
            self.hidden = name != TO_USER;
            text = rest.trim_start_matches([' ', '\t']);
        } else if !self.decided && heads::begins(&line) {
            self.hidden = true;
        }
        self.decided = !whole;
        if !self.hidden {
            shown.push_str(text);
        }
    }
}

fn said(text: String) -> Vec<(SegmentKind, String)> {
    if text.is_empty() {
        Vec::new()
    } else {
        vec![(SegmentKind::Express, text)]
    }
}

/// Whether a line's beginning may still become a role, or is a role whose text has not begun.
fn may_be_role(line: &str) -> bool {
    let start = line
        .trim_start()
        .trim_start_matches(['*', '`', '['])
        .to_ascii_lowercase();
    let known = [TO_USER, TO_SYS].into_iter().chain(FOREIGN);
    let mut known = known.into_iter();
    known.any(|name| {
        name.starts_with(&start)
            || start.strip_prefix(name).is_some_and(|rest| {
                rest.trim_matches(['*', '`', ']', ':', '：', ' ', '\t'])
                    .is_empty()
            })
    })
}
