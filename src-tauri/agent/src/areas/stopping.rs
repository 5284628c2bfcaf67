//! Stopping: what is under way ends first, what it had brought so far is kept and marked as broken off, then the run ends.
//!
//! The mark is a segment of its own behind what was kept: the transcript is only added to, so the prompt of the next
//! question begins as the ones before it, and a model reads that the answer above is none.

use super::{evaluation, expression, motor};
use crate::effect::Effect;
use crate::event::{Event, ProgramEnd};
use crate::formats::{self, SpeechStream};
use crate::situation::Situation;
use crate::state::Phase;
use shidi_protocol::{
    ModelDelta, ModelFailure, PartialReply, RunEventKind, Segment, SegmentKind, VariablePreview,
};

/// The kind of the segments that say that something broke off.
pub const SEGMENT: &str = "Stopped";

/// Why a run is stopped from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopping {
    /// The user wants it.
    Cancelled,
    /// Its time is over.
    TimedOut,
}

/// Ends what is under way; the run follows when that has handed in what it had. Who asks twice does not wait.
pub fn begin(situation: &mut Situation, stopping: Stopping) -> Vec<Effect> {
    let waits = situation.is_under_way && situation.stopping.is_none();
    if !waits {
        return end(situation, stopping);
    }
    situation.stopping = Some(stopping);
    vec![Effect::Stop]
}

/// Takes what had come of the thing that was under way. `None`: the event is another one.
pub fn take(situation: &mut Situation, stopping: Stopping, event: &Event) -> Option<Vec<Effect>> {
    let mut effects = match event {
        Event::ModelFailed { failure } => {
            spend(situation, failure);
            keep(situation, failure)
        }
        // The stop crossed the end of the answer: nobody takes it up any more.
        Event::ModelAnswered { reply } => {
            situation.state.usage.add(&reply.usage);
            let partial = PartialReply {
                text: reply.text.clone(),
                reasoning: reply.reasoning.clone(),
                tool_calls: reply.tool_calls.clone(),
                ..PartialReply::default()
            };
            kept(situation, &partial)
        }
        Event::ProgramEnded(program) => motor::keep_output(situation, program),
        Event::ProgramRefused { .. } | Event::ProgramsImpossible { .. } => Vec::new(),
        // A stopped program begins nothing more, and nobody is asked anything for it.
        Event::CallRequested { .. }
        | Event::CallRests { .. }
        | Event::CallGoesOn { .. }
        | Event::ProgramWaits
        | Event::Decided { .. }
        | Event::CompactAsked { .. } => return Some(Vec::new()),
        Event::Asked(_)
        | Event::Resumed
        | Event::Said(_)
        | Event::Equipped { .. }
        | Event::CallReturned { .. }
        | Event::Spent { .. }
        | Event::JobEnded { .. }
        | Event::Cancelled
        | Event::TimedOut
        | Event::StorageFailed { .. } => return None,
    };
    effects.extend(end(situation, stopping));
    Some(effects)
}

/// Counts what a failed request took.
pub fn spend(situation: &mut Situation, failure: &ModelFailure) {
    if let Some(partial) = &failure.partial {
        situation.state.usage.add(&partial.usage);
    }
}

fn end(situation: &mut Situation, stopping: Stopping) -> Vec<Effect> {
    match stopping {
        Stopping::Cancelled => {
            let is_marked = situation.segments.last().is_some_and(is_mark);
            if !is_marked && !situation.state.only_compacts {
                mark(situation, "The user stopped the task here. It was not finished.");
            }
            expression::cancelled(situation)
        }
        Stopping::TimedOut => {
            let reason = expression::by_language(
                situation,
                "超过了这次任务的时限",
                "The task's time limit has passed",
            );
            let reasons = motor::reasons(situation, reason);
            expression::give_up(situation, reasons)
        }
    }
}

/// Keeps what a model had said when it failed for good. Where an earlier answer stands in its place, it is taken back.
pub fn keep(situation: &mut Situation, failure: &ModelFailure) -> Vec<Effect> {
    match &failure.partial {
        Some(partial) => kept(situation, partial),
        None => Vec::new(),
    }
}

fn kept(situation: &mut Situation, partial: &PartialReply) -> Vec<Effect> {
    let is_stopped = situation.stopping == Some(Stopping::Cancelled);
    if evaluation::stands(situation) && !is_stopped {
        return vec![Effect::Show(RunEventKind::Retracted)];
    }
    let stream = match situation.state.phase {
        Phase::Thinking => situation.settings.format.implementation().stream(),
        Phase::Writing => formats::program_stream(),
        Phase::Perceiving | Phase::Checking | Phase::Condensing | Phase::Running { .. } | Phase::Ended => {
            formats::silent_stream()
        }
    };
    let pieces = pieces(stream, partial);
    let has_answer = !pieces.is_empty();
    let effects: Vec<Effect> = pieces
        .into_iter()
        .map(|(kind, text)| situation.add(kind, text, None))
        .collect();
    if has_answer {
        let text = if is_stopped {
            "The answer broke off here and is not whole: the user stopped it. A program in it was not run."
        } else {
            "The answer broke off here and is not whole. A program in it was not run."
        };
        mark(situation, text);
    }
    effects
}

/// A program that was written and will not be run.
pub fn keep_program(situation: &mut Situation, program: String) -> Effect {
    let shown = situation.add(SegmentKind::Python, program, None);
    mark(situation, "This program was not run.");
    shown
}

fn is_mark(segment: &Segment) -> bool {
    matches!(&segment.kind, SegmentKind::Custom(name) if name == SEGMENT)
}

/// For the model alone: people see how the run ended.
fn mark(situation: &mut Situation, text: &str) {
    drop(situation.add(SegmentKind::Custom(SEGMENT.to_owned()), text, None));
}

/// What was shown of an answer, piece by piece.
fn pieces(mut stream: Box<dyn SpeechStream>, partial: &PartialReply) -> Vec<(SegmentKind, String)> {
    let mut shown = Vec::new();
    let thought = ModelDelta::Reasoning(partial.reasoning.clone());
    let words = ModelDelta::Text(partial.text.clone());
    let calls = partial.tool_calls.iter().enumerate();
    let calls = calls.map(|(index, call)| ModelDelta::ToolArguments {
        index,
        name: call.name.clone(),
        text: call.arguments.clone(),
    });
    for delta in [thought, words].into_iter().chain(calls) {
        shown.extend(stream.push(&delta));
    }
    shown.extend(stream.finish());
    let has_program = shown.iter().any(|(kind, _)| *kind == SegmentKind::Python);
    let mut pieces: Vec<(SegmentKind, String)> = Vec::new();
    for (kind, text) in shown {
        // What stands before a program is the thought behind it.
        let kind = match kind {
            SegmentKind::Express if has_program => SegmentKind::Thought,
            kind => kind,
        };
        match pieces.last_mut() {
            Some((last, before)) if *last == kind => before.push_str(&text),
            _ => pieces.push((kind, text)),
        }
    }
    pieces.retain(|(_, text)| !text.trim().is_empty());
    for (_, text) in &mut pieces {
        *text = text.trim_matches('\n').trim_end().to_owned();
    }
    pieces
}

/// What is left of a program that was stopped after it had printed `stdout`; `error` says so to model and user.
#[must_use]
pub fn stopped_program(stdout: String, error: &str, variables: Vec<VariablePreview>) -> ProgramEnd {
    ProgramEnd {
        stdout,
        value: None,
        error: Some(error.to_owned()),
        variables,
        wall_ms: 0,
        cpu_ms: 0,
        memory_bytes: 0,
        diverged: false,
    }
}
