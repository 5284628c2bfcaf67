//! A run's events as an editor's updates. Pure: events in, updates and what waits out.
//!
//! Streamed words can't be taken back in an editor. Where it turns out not to count, a line says so.

use crate::cards;
use crate::limits::OUTPUT_CHARACTERS_MAX;
use crate::tool_calls::{content, fenced, id_of, kind, locations, shortened, title};
use serde_json::{Value, json};
use shidi_locales::{Acp, Language};
use shidi_protocol::{
    Body, CallId, ExecId, JsonMap, RunEvent, RunEventKind, RunId, SegmentKind, TodoItem, TodoState, UserError,
};
use std::collections::BTreeSet;

/// Toolkits whose calls show themselves otherwise: as words, cards and plans.
const SHOWN_OTHERWISE: [&str; 3] = ["user", "todo", "system"];

/// Whether the events happen now, or are those of a session that is shown again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Live,
    Again,
}

/// What came of a run so far.
pub struct Updates {
    say: Acp,
    told: Delivery,
    folder: Option<String>,
    /// The run that the prompt began; others are those of sub-agents.
    pub run: Option<RunId>,
    pub waiting: Vec<Waiting>,
    pub error: Option<UserError>,
    pub reason: Option<String>,
    /// The answer's words that came since the last segment.
    streamed: String,
    /// The thought's words that came since the last segment.
    thought: String,
    /// What was said last.
    said: String,
    known: BTreeSet<String>,
}

/// Something that only the user can decide.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    pub run: RunId,
    pub call: CallId,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq)]
pub enum What {
    Approval {
        tool: String,
        args: JsonMap,
        /// The kind of calls that could be allowed for good; empty where none can.
        family: String,
        /// Whether a command at work waits for it, and gives up soon.
        is_urgent: bool,
    },
    Question {
        text: String,
        /// Whether a server at work waits for it, and gives up soon.
        is_urgent: bool,
    },
}

impl Updates {
    #[must_use]
    pub fn new(language: Language, told: Delivery, folder: Option<String>) -> Self {
        Self {
            say: language.acp(),
            told,
            folder,
            run: None,
            waiting: Vec::new(),
            error: None,
            reason: None,
            streamed: String::new(),
            thought: String::new(),
            said: String::new(),
            known: BTreeSet::new(),
        }
    }

    /// Takes an event, and returns what the editor is told of it.
    pub fn take(&mut self, event: &RunEvent) -> Vec<Value> {
        if self.told == Delivery::Again && self.run.as_ref() != Some(&event.run) {
            self.begin(event.run.clone());
        }
        self.run.get_or_insert_with(|| event.run.clone());
        self.note_what_waits(event);
        let is_own = self.run.as_ref().is_none_or(|run| *run == event.run);
        match &event.kind {
            RunEventKind::Delta { kind, text } if is_own => self.stream(kind, text),
            RunEventKind::Segment { body, exec } if is_own => self.segment(&event.run, body, *exec),
            RunEventKind::Retracted | RunEventKind::Standing { stands: false } if is_own => self.take_back(),
            RunEventKind::Answer { text } if is_own => self.answer(text),
            RunEventKind::Todo { items } if is_own => vec![plan(items)],
            RunEventKind::Card { kind, data, .. } if is_own => self.express(&cards::markdown(kind, data)),
            RunEventKind::RunEnded { error, reason, .. } if is_own => {
                self.error.clone_from(error);
                self.reason.clone_from(reason);
                Vec::new()
            }
            RunEventKind::Code { exec, program } => self.code(&event.run, *exec, program),
            RunEventKind::Output {
                exec,
                stdout,
                ok,
                error,
                ..
            } => self.output(&event.run, *exec, stdout, (*ok, error.as_deref())),
            RunEventKind::Call {
                call,
                toolkit,
                method,
                args,
                ..
            } => self
                .call(
                    &event.run,
                    *call,
                    &format!("{toolkit}.{method}"),
                    args,
                    "in_progress",
                )
                .into_iter()
                .collect(),
            RunEventKind::CallDone {
                call, ok, summary, ..
            } => self.done(&event.run, *call, *ok, summary),
            RunEventKind::ApprovalNeeded { call, tool, args, .. } => self
                .call(&event.run, *call, tool, args, "pending")
                .into_iter()
                .collect(),
            RunEventKind::Decided { call, approved, .. } => self.decided(&event.run, *call, *approved),
            RunEventKind::RunStarted { .. }
            | RunEventKind::Question { .. }
            | RunEventKind::Delta { .. }
            | RunEventKind::Segment { .. }
            | RunEventKind::Retracted
            | RunEventKind::Standing { .. }
            | RunEventKind::Answer { .. }
            | RunEventKind::Todo { .. }
            | RunEventKind::Card { .. }
            | RunEventKind::RunEnded { .. }
            | RunEventKind::Context { .. }
            | RunEventKind::Recalled { .. }
            | RunEventKind::Awaiting { .. }
            | RunEventKind::Variables { .. }
            | RunEventKind::Notification { .. }
            | RunEventKind::Compacted { .. } => Vec::new(),
        }
    }

    fn begin(&mut self, run: RunId) {
        self.run = Some(run);
        self.said.clear();
        self.streamed.clear();
        self.thought.clear();
    }

    fn stream(&mut self, kind: &SegmentKind, text: &str) -> Vec<Value> {
        match kind {
            SegmentKind::Express => {
                let text = match self.streamed.is_empty() {
                    true => text.trim_start(),
                    false => text,
                };
                let before = self.gap();
                self.streamed.push_str(text);
                chunk("agent_message_chunk", &before, text)
            }
            SegmentKind::Thought => {
                self.thought.push_str(text);
                chunk("agent_thought_chunk", "", text)
            }
            _ => Vec::new(),
        }
    }

    fn segment(&mut self, run: &RunId, body: &Body, exec: Option<ExecId>) -> Vec<Value> {
        match body {
            Body::Express { text } => self.express_of(text, exec.is_none()),
            Body::Thought { text } => {
                // The words that were streamed as an answer are this thought.
                let was_streamed = !std::mem::take(&mut self.streamed).is_empty();
                let thought = std::mem::take(&mut self.thought);
                match was_streamed || !thought.is_empty() {
                    true => {
                        // What follows begins a paragraph of its own.
                        self.said = if was_streamed { text.clone() } else { String::new() };
                        Vec::new()
                    }
                    false => chunk("agent_thought_chunk", "", text),
                }
            }
            Body::User { text } if self.told == Delivery::Again => chunk("user_message_chunk", "", text),
            // A session that is shown again holds its programs as segments alone.
            Body::Python { text } => match exec {
                Some(exec) => self.code(run, exec, text),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Words that are finished, of which the beginning may have been streamed.
    fn express_of(&mut self, text: &str, is_own: bool) -> Vec<Value> {
        let streamed = std::mem::take(&mut self.streamed);
        let text = text.trim();
        if is_own && !streamed.is_empty() {
            text.clone_into(&mut self.said);
            return match text.strip_prefix(streamed.trim_end()) {
                Some("") => Vec::new(),
                Some(rest) => chunk("agent_message_chunk", "", rest),
                None => chunk("agent_message_chunk", "\n\n", text),
            };
        }
        self.express(text)
    }

    fn express(&mut self, text: &str) -> Vec<Value> {
        if text.is_empty() {
            return Vec::new();
        }
        let before = self.gap();
        text.clone_into(&mut self.said);
        chunk("agent_message_chunk", &before, text)
    }

    /// What stands between what was said before and what is said now.
    fn gap(&self) -> String {
        match self.said.is_empty() || !self.streamed.is_empty() {
            true => String::new(),
            false => "\n\n".to_owned(),
        }
    }

    fn answer(&mut self, text: &str) -> Vec<Value> {
        if self.said.trim() == text.trim() {
            return Vec::new();
        }
        self.express_of(text, true)
    }

    fn take_back(&mut self) -> Vec<Value> {
        let was_seen = !self.streamed.is_empty() || !self.said.is_empty();
        self.streamed.clear();
        self.thought.clear();
        if !was_seen || self.told == Delivery::Again {
            return Vec::new();
        }
        self.said = self.say.withdrawn().to_owned();
        chunk("agent_message_chunk", "\n\n", self.say.withdrawn())
    }

    fn code(&mut self, run: &RunId, exec: ExecId, program: &str) -> Vec<Value> {
        let id = program_id(run, exec);
        if !self.known.insert(id.clone()) {
            return Vec::new();
        }
        vec![json!({
            "sessionUpdate": "tool_call",
            "toolCallId": id,
            "title": self.say.program(),
            "kind": "execute",
            "status": "in_progress",
            "content": [content(&fenced(program))],
        })]
    }

    fn output(
        &self,
        run: &RunId,
        exec: ExecId,
        stdout: &str,
        (ok, error): (bool, Option<&str>),
    ) -> Vec<Value> {
        let id = program_id(run, exec);
        if !self.known.contains(&id) {
            return Vec::new();
        }
        let status = if ok { "completed" } else { "failed" };
        let mut update = json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": status});
        let printed = match error {
            Some(error) => format!("{stdout}\n{error}"),
            None => stdout.to_owned(),
        };
        if !printed.trim().is_empty() {
            update["rawOutput"] = json!(shortened(printed.trim(), OUTPUT_CHARACTERS_MAX));
        }
        vec![update]
    }

    /// A call as it begins, or once more where it is known.
    fn call(&mut self, run: &RunId, call: CallId, tool: &str, args: &JsonMap, status: &str) -> Option<Value> {
        let (toolkit, method) = tool.split_once('.').unwrap_or((tool, ""));
        let id = id_of(run, call);
        let is_new = !self.known.contains(&id);
        if SHOWN_OTHERWISE.contains(&toolkit) && status != "pending" {
            return None;
        }
        if !is_new {
            return Some(json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": status}));
        }
        self.known.insert(id.clone());
        Some(json!({
            "sessionUpdate": "tool_call",
            "toolCallId": id,
            "title": title(tool, args),
            "kind": kind(toolkit, method),
            "status": status,
            "locations": locations(toolkit, args, self.folder.as_deref()),
            "rawInput": args,
        }))
    }

    fn done(&mut self, run: &RunId, call: CallId, ok: bool, summary: &str) -> Vec<Value> {
        let id = id_of(run, call);
        if !self.known.contains(&id) {
            return Vec::new();
        }
        let status = if ok { "completed" } else { "failed" };
        let mut update = json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": status});
        if !summary.is_empty() {
            update["content"] = json!([content(summary)]);
        }
        vec![update]
    }

    fn decided(&self, run: &RunId, call: CallId, approved: bool) -> Vec<Value> {
        let id = id_of(run, call);
        if !self.known.contains(&id) {
            return Vec::new();
        }
        let status = if approved { "in_progress" } else { "failed" };
        vec![json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": status})]
    }

    fn note_what_waits(&mut self, event: &RunEvent) {
        let (call, what) = match &event.kind {
            RunEventKind::ApprovalNeeded {
                call,
                tool,
                args,
                class,
                family,
                ..
            } => {
                let what = What::Approval {
                    tool: tool.clone(),
                    args: args.clone(),
                    family: family.clone(),
                    is_urgent: *class == shidi_protocol::Class::Connect && call.is_aside(),
                };
                (*call, Some(what))
            }
            RunEventKind::Question { call, text, .. } => {
                let what = What::Question {
                    text: text.clone(),
                    is_urgent: call.is_aside(),
                };
                (*call, Some(what))
            }
            RunEventKind::Decided { call, .. } | RunEventKind::CallDone { call, .. } => (*call, None),
            _ => return,
        };
        self.waiting
            .retain(|waiting| waiting.run != event.run || waiting.call != call);
        self.waiting.extend(what.map(|what| Waiting {
            run: event.run.clone(),
            call,
            what,
        }));
    }
}

/// A change of a file by a call that is done, by which its record is found.
#[must_use]
pub fn change_of(event: &RunEvent, known: &Updates) -> Option<String> {
    let RunEventKind::CallDone { call, ok: true, .. } = &event.kind else {
        return None;
    };
    let id = id_of(&event.run, *call);
    known.known.contains(&id).then_some(id)
}

fn program_id(run: &RunId, exec: ExecId) -> String {
    format!("{run}/program/{exec}")
}

fn plan(items: &[TodoItem]) -> Value {
    let entries = items.iter().map(|item| {
        let status = match item.state {
            TodoState::Pending => "pending",
            TodoState::InProgress => "in_progress",
            TodoState::Completed => "completed",
        };
        json!({"content": item.text, "priority": "medium", "status": status})
    });
    json!({"sessionUpdate": "plan", "entries": entries.collect::<Vec<_>>()})
}

/// Words of a kind; none where there are none.
fn chunk(kind: &str, before: &str, text: &str) -> Vec<Value> {
    if text.is_empty() {
        return Vec::new();
    }
    vec![json!({"sessionUpdate": kind, "content": {"type": "text", "text": format!("{before}{text}")}})]
}

#[cfg(test)]
mod tests;
