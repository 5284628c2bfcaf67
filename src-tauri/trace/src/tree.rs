//! Makes the steps of a trace from what a run does: pure, moments come in.
//!
//! A run is a tree with the agent at its root. Below are the areas in the order in which they were at work. The areas
//! hold the calls of models and programs, and a program holds the calls that it made. A step is told of when it begins
//! and when it ends, so that a trace can be watched. The mind's decisions are read from its context and never changed.

mod calls;
mod chats;
mod ending;
mod single;

pub use chats::ChatFacts;
pub use single::SingleChat;

use crate::limits::{STEP_TEXT_CHARACTERS, STEPS_MAX};
use crate::names::{self, AREA};
use crate::{Draft, bounded};
use serde_json::{Value, json};
use shidi_agent::{Effect, RunContext, Setting};
use shidi_protocol::{
    Body, CallId, ContextItem, ExecId, Experience, JsonMap, MemoryHit, ModelRequest, Moment, RunEventKind,
    RunId, SessionId, Span,
};
use shidi_store::PartialAnswer;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The root has the first id.
const ROOT: u32 = 1;

/// The trace of one run while it is at work.
#[derive(Debug)]
pub struct Tree {
    run: RunId,
    last: u32,
    left_out: u32,
    open: BTreeMap<u32, Step>,
    /// The area at work.
    area: Option<u32>,
    programs: HashMap<ExecId, u32>,
    calls: HashMap<CallId, u32>,
    /// When the run began to wait for a person.
    resting: Option<Moment>,
    rests: Vec<(Moment, Moment)>,
    retriggers: u32,
    has_spoken: bool,
    began: Moment,
    /// Steps from before the run is in the record: they wait for it.
    early: Option<Vec<Draft>>,
}

/// A step that begins.
struct New<'a> {
    parent: Option<u32>,
    operation: &'a str,
    name: &'a str,
    started: Moment,
}

/// A step that is under way.
#[derive(Debug, Clone)]
struct Step {
    span: Span,
    content: JsonMap,
    request: Option<Arc<ModelRequest>>,
}

impl Tree {
    /// The trace of a run that begins now.
    #[must_use]
    pub fn new(run: RunId) -> Self {
        Self {
            run,
            last: 0,
            left_out: 0,
            open: BTreeMap::new(),
            area: None,
            programs: HashMap::new(),
            calls: HashMap::new(),
            resting: None,
            rests: Vec::new(),
            retriggers: 0,
            has_spoken: false,
            began: Moment::default(),
            early: Some(Vec::new()),
        }
    }

    /// The root, and perception below it: the run began at `began`, when its question came. One whose steps were lost
    /// begins when it is taken up.
    pub fn begin(&mut self, began: Moment, context: &RunContext) {
        self.began = began;
        self.retriggers = context.state.retriggers;
        let mut drafts = Vec::new();
        self.begin_root(
            began,
            (&context.settings.assistant, &context.session),
            &mut drafts,
        );
        self.begin_area("perception", began, json!({}), &mut drafts);
        self.note_lessons(began, &context.lessons, &mut drafts);
        self.early = Some(drafts);
    }

    fn begin_root(
        &mut self,
        began: Moment,
        (assistant, session): (&str, &SessionId),
        drafts: &mut Vec<Draft>,
    ) {
        let attributes = json!({
            names::OPERATION_NAME: names::INVOKE_AGENT,
            names::AGENT_NAME: assistant,
            names::CONVERSATION_ID: session,
        });
        let root = New {
            parent: None,
            operation: names::INVOKE_AGENT,
            name: assistant,
            started: began,
        };
        self.begin_step(root, attributes, drafts);
    }

    /// The trace of a run that is taken up from its record. A model that was being asked then is asked anew. The step
    /// of that question ended with the process, with the words of its answer so far.
    #[must_use]
    pub fn restored(
        run: RunId,
        spans: Vec<Span>,
        retriggers: u32,
        broke_off: Option<&PartialAnswer>,
    ) -> (Self, Vec<Draft>) {
        let mut tree = Self::new(run);
        let is_chat = |span: &Span| matches!(span.operation.as_str(), names::CHAT | names::TEXT_COMPLETION);
        let answering = spans
            .iter()
            .rfind(|span| span.open && is_chat(span))
            .map(|span| span.id);
        let mut drafts = Vec::new();
        tree.last = spans.iter().map(|span| span.id).max().unwrap_or(0);
        tree.retriggers = retriggers;
        tree.early = None;
        for span in spans {
            if span.id == ROOT {
                tree.began = span.started;
                tree.has_spoken = span.attributes.contains_key(names::FIRST_WORD_MS);
                tree.rests = read_rests(&span);
                tree.resting = Some(resting_since(&span));
            }
            if !span.open {
                continue;
            }
            let number = |name: &str| u32::try_from(span.attributes.get(name)?.as_u64()?).ok();
            match span.operation.as_str() {
                names::RUN_PROGRAM => {
                    tree.programs
                        .extend(number(names::EXEC).map(|exec| (ExecId(exec), span.id)));
                }
                names::EXECUTE_TOOL => {
                    tree.calls
                        .extend(number(names::TOOL_CALL_ID).map(|call| (CallId(call), span.id)));
                }
                names::AREA => tree.area = Some(span.id),
                _ => {}
            }
            // What is long was written when the step began; it is read back by whoever takes the run up.
            let (content, attributes) = split(span.attributes.clone());
            let (id, is_chat) = (span.id, is_chat(&span));
            let span = Span { attributes, ..span };
            let request = None;
            tree.open.insert(
                id,
                Step {
                    span,
                    content,
                    request,
                },
            );
            if is_chat {
                let answer = broke_off.filter(|_| answering == Some(id));
                tree.chat_broke_off(id, answer, &mut drafts);
            }
        }
        (tree, drafts)
    }

    /// Takes note of an effect of the mind.
    pub fn observe(&mut self, now: Moment, context: &RunContext, effect: &Effect) -> Vec<Draft> {
        let mut drafts = Vec::new();
        if self.last == 0 {
            return drafts;
        }
        if !matches!(effect, Effect::Suspend | Effect::Stop) {
            self.wake(now);
        }
        match effect {
            Effect::Show(kind) => self.shown(now, context, kind, &mut drafts),
            Effect::AskModel(_) => self.enter_round(now, context, &mut drafts),
            Effect::RunProgram {
                exec,
                program,
                replay,
                ..
            } => {
                self.begin_program(now, *exec, program, *replay, &mut drafts);
            }
            Effect::Suspend => self.rest(now, &mut drafts),
            Effect::Commit(_)
            | Effect::Buffer(_)
            | Effect::PerformCall { .. }
            | Effect::AnswerCall { .. }
            | Effect::AsideDecided
            | Effect::Stop
            | Effect::End { .. } => {}
        }
        let Some(early) = &mut self.early else {
            return drafts;
        };
        early.append(&mut drafts);
        // What the mind wants recorded comes before these. A run with a program of the user's own asks no model.
        match effect {
            Effect::AskModel(_) | Effect::RunProgram { .. } | Effect::Show(RunEventKind::RunEnded { .. }) => {
                self.early.take().unwrap_or_default()
            }
            _ => drafts,
        }
    }

    /// The first word of an answer is shown.
    pub fn spoke(&mut self, now: Moment) -> Vec<Draft> {
        let mut drafts = Vec::new();
        if !std::mem::replace(&mut self.has_spoken, true) {
            let ms = now.since(self.began).saturating_sub(self.rested());
            self.amend(ROOT, json!({ names::FIRST_WORD_MS: ms }), now, &mut drafts);
        }
        drafts
    }

    fn shown(&mut self, now: Moment, context: &RunContext, kind: &RunEventKind, drafts: &mut Vec<Draft>) {
        match kind {
            RunEventKind::Context { items } => self.note_context(now, items, drafts),
            RunEventKind::Recalled { memories } => self.note_recalled(now, memories, drafts),
            RunEventKind::Segment {
                body: Body::NextGoal { text },
                ..
            } => {
                let goal = bounded::text(text, STEP_TEXT_CHARACTERS);
                if let Some(area) = self.area {
                    self.amend(area, json!({ names::GOAL: goal }), now, drafts);
                }
            }
            RunEventKind::Segment {
                body: Body::Express { .. },
                ..
            } => drafts.extend(self.spoke(now)),
            RunEventKind::Call { .. }
            | RunEventKind::ApprovalNeeded { .. }
            | RunEventKind::Question { .. }
            | RunEventKind::Decided { .. }
            | RunEventKind::CallDone { .. } => self.shown_call(now, context, kind, drafts),
            RunEventKind::Output {
                exec,
                stdout,
                ok,
                error,
                cpu_ms,
                memory_bytes,
                ..
            } => {
                let how = calls::Ended {
                    stdout,
                    ok: *ok,
                    error: error.as_deref(),
                    cpu_ms: *cpu_ms,
                    memory_bytes: *memory_bytes,
                };
                self.end_program(now, *exec, &how, drafts);
            }
            RunEventKind::Compacted {
                before_tokens: before,
                after_tokens: after,
            } => {
                let attributes = json!({ names::TOKENS_BEFORE: before, names::TOKENS_AFTER: after });
                self.act("compaction", now, now, attributes, drafts);
            }
            RunEventKind::Card { kind, data, .. } => {
                let title = data["title"].as_str().unwrap_or_default();
                let attributes = json!({ names::CARD: kind, names::SUMMARY: title });
                self.act("card", now, now, attributes, drafts);
            }
            RunEventKind::Answer { text } => self.answered(now, text, drafts),
            RunEventKind::RunEnded {
                status,
                reason,
                usage,
                ..
            } => self.ended(now, *status, reason.as_deref(), usage, drafts),
            RunEventKind::RunStarted { .. }
            | RunEventKind::Segment { .. }
            | RunEventKind::Delta { .. }
            | RunEventKind::Retracted
            | RunEventKind::Standing { .. }
            | RunEventKind::Awaiting { .. }
            | RunEventKind::Code { .. }
            | RunEventKind::Variables { .. }
            | RunEventKind::Todo { .. }
            | RunEventKind::Notification { .. } => {}
        }
    }

    /// Reviewed experiences that the prompt holds.
    fn note_lessons(&mut self, now: Moment, lessons: &[Experience], drafts: &mut Vec<Draft>) {
        if lessons.is_empty() {
            return;
        }
        let told = |one: &Experience| {
            let lesson = bounded::text(&one.lesson, STEP_TEXT_CHARACTERS);
            json!({ "id": one.id, "kind": one.kind, "lesson": lesson, "wins": one.wins, "losses": one.losses })
        };
        let told: Vec<Value> = lessons.iter().map(told).collect();
        let attributes = json!({ names::SUMMARY: told.len(), names::EXPERIENCES: told });
        self.act("experience", now, now, attributes, drafts);
    }

    /// What came along with the question was gathered since the run began.
    fn note_context(&mut self, now: Moment, items: &[ContextItem], drafts: &mut Vec<Draft>) {
        let from = self
            .area
            .and_then(|area| self.open.get(&area))
            .map_or(now, |step| step.span.started);
        let tokens: u32 = items.iter().map(|item| item.tokens).sum();
        let items: Vec<Value> = items
            .iter()
            .map(|item| json!({ "source": item.source, "title": item.title, "tokens": item.tokens }))
            .collect();
        let attributes =
            json!({ names::SUMMARY: items.len(), names::USAGE_INPUT_TOKENS: tokens, names::CONTEXT: items });
        self.act("context", from, now, attributes, drafts);
    }

    /// What memory brought in was searched for since the run began.
    fn note_recalled(&mut self, now: Moment, memories: &[MemoryHit], drafts: &mut Vec<Draft>) {
        let memories: Vec<Value> = memories.iter().map(recalled).collect();
        let attributes = json!({ names::SUMMARY: memories.len(), names::RECALLED: memories });
        self.act("recall", now, now, attributes, drafts);
    }

    /// The area of the round that a model is asked for: the one at work, or the next.
    fn enter_round(&mut self, now: Moment, context: &RunContext, drafts: &mut Vec<Draft>) {
        if context.state.retriggers > self.retriggers {
            self.retriggers = context.state.retriggers;
            self.judged_lacking(now, context, drafts);
        }
        let name = match context.state.setting {
            Setting::Planner => "cognition",
            Setting::Executor => "motor",
        };
        let round = context.state.round;
        let is_there = self
            .area
            .and_then(|area| self.open.get(&area))
            .is_some_and(|step| {
                step.span.name == name && step.span.attributes.get(names::ROUND) == Some(&json!(round))
            });
        if is_there {
            return;
        }
        self.leave_area(now, drafts);
        let attributes = json!({ names::ROUND: round, names::ROUNDS_MAX: context.settings.rounds_max });
        self.begin_area(name, now, attributes, drafts);
    }

    fn begin_area(&mut self, name: &str, now: Moment, attributes: Value, drafts: &mut Vec<Draft>) {
        let mut with_name = json!({ names::AREA_NAME: name });
        merge(&mut with_name, attributes);
        self.area = self.begin_step(
            New {
                parent: Some(ROOT),
                operation: AREA,
                name,
                started: now,
            },
            with_name,
            drafts,
        );
    }

    fn leave_area(&mut self, now: Moment, drafts: &mut Vec<Draft>) {
        if let Some(area) = self.area.take() {
            self.end_step(area, now, json!({}), drafts);
        }
    }

    /// A local act that is over.
    fn act(&mut self, name: &str, from: Moment, now: Moment, attributes: Value, drafts: &mut Vec<Draft>) {
        let parent = self.area.or(Some(ROOT));
        if let Some(id) = self.begin_step(
            New {
                parent,
                operation: names::ACT,
                name,
                started: from,
            },
            attributes,
            &mut Vec::new(),
        ) {
            self.end_step(id, now, json!({}), drafts);
        }
    }

    /// `None` when the trace is full; what is left out is counted.
    fn begin_step(&mut self, new: New<'_>, attributes: Value, drafts: &mut Vec<Draft>) -> Option<u32> {
        if self.last >= STEPS_MAX {
            self.left_out += 1;
            return None;
        }
        self.last += 1;
        let span = Span {
            id: self.last,
            parent: new.parent,
            operation: new.operation.to_owned(),
            name: new.name.to_owned(),
            started: new.started,
            ms: 0,
            open: true,
            attributes: map(attributes),
        };
        let step = Step {
            span,
            content: JsonMap::new(),
            request: None,
        };
        drafts.push(self.draft(&step));
        self.open.insert(self.last, step);
        Some(self.last)
    }

    /// Adds to what is known of a step that is under way.
    fn amend(&mut self, id: u32, attributes: Value, now: Moment, drafts: &mut Vec<Draft>) {
        let Some(step) = self.open.get_mut(&id) else {
            return;
        };
        step.span.attributes.extend(map(attributes));
        step.span.ms = now.since(step.span.started);
        let step = step.clone();
        drafts.push(self.draft(&step));
    }

    fn end_step(&mut self, id: u32, now: Moment, attributes: Value, drafts: &mut Vec<Draft>) {
        let Some(mut step) = self.open.remove(&id) else {
            return;
        };
        step.span.attributes.extend(map(attributes));
        step.span.ms = now.since(step.span.started);
        step.span.open = false;
        drafts.push(self.draft(&step));
    }

    fn draft(&self, step: &Step) -> Draft {
        Draft {
            run: self.run.clone(),
            span: step.span.clone(),
            content: step.content.clone(),
            request: step.request.clone(),
        }
    }
}

/// Attributes that are read one step at a time stand apart from those that are listed.
pub(crate) const LONG: &[&str] = &[
    names::INPUT_MESSAGES,
    names::OUTPUT_MESSAGES,
    names::TOOL_DEFINITIONS,
    names::TOOL_CALL_ARGUMENTS,
    names::TOOL_CALL_RESULT,
    names::REASONING,
    names::PROGRAM,
    names::STDOUT,
    names::ERROR_MESSAGE,
    names::SAID,
    names::CONTEXT,
    names::EXPERIENCES,
    names::RECALLED,
    names::ORIGIN,
];

/// A record as a step tells of it.
fn recalled(hit: &MemoryHit) -> Value {
    json!({
        "id": hit.id, "kind": hit.kind, "text": bounded::text(&hit.text, STEP_TEXT_CHARACTERS), "time": hit.time,
        "session": hit.session, "site": hit.source.site, "score": hit.score, "coverage": hit.coverage, "parts": hit.parts,
    })
}

/// What is long, and what is listed.
fn split(attributes: JsonMap) -> (JsonMap, JsonMap) {
    attributes
        .into_iter()
        .partition(|(name, _)| LONG.contains(&name.as_str()))
}

fn read_rests(root: &Span) -> Vec<(Moment, Moment)> {
    let rests = root.attributes.get(names::RESTS).cloned().unwrap_or_default();
    serde_json::from_value(rests).unwrap_or_default()
}

/// Since when a run that is taken up has rested: as it wrote itself, else since its last sign.
fn resting_since(root: &Span) -> Moment {
    let written = root
        .attributes
        .get(names::RESTING_SINCE)
        .cloned()
        .unwrap_or_default();
    let last = Moment(root.started.0.saturating_add_unsigned(root.ms));
    serde_json::from_value(written).unwrap_or(last)
}

fn map(attributes: Value) -> JsonMap {
    match attributes {
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        _ => JsonMap::new(),
    }
}

fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}

#[cfg(test)]
mod tests;
