//! Stopping: the work under way ends first. Its yield so far is kept and marked as broken off, then the run ends. The
//! yield of a process that was killed is kept alike, from its record. Its run goes on when somebody wants it to.
//!
//! The mark is a segment of its own behind the kept ones. The transcript is only added to, so the prompt of the next
//! question begins as the ones before. A model reads in the mark that the answer above is none.

use super::{Ending, Next, Step};
use crate::bounds;
use crate::effect::Effect;
use crate::event::ProgramEnd;
use crate::formats::{self, SpeechStream};
use crate::run_context::{RunContext, Stopping};
use crate::state::Phase;
use shidi_protocol::{
    Body, ModelDelta, ModelFailure, ModelReply, PartialReply, RunEventKind, Segment, SegmentKind,
    VariablePreview,
};

/// What is said of a program that was written whole and comes to nothing.
const NOT_RUN: &str = "This program was not run.";

/// Ends what is under way; the run follows when that has handed in what it had. Who asks twice does not wait.
pub fn begin(context: &mut RunContext, stopping: Stopping) -> Step {
    let waits = context.is_under_way && context.stopping.is_none();
    if !waits {
        return end(context, stopping);
    }
    context.stopping = Some(stopping);
    vec![Effect::Stop].into()
}

/// Counts what a failed request took.
pub fn spend(context: &mut RunContext, failure: &ModelFailure) {
    if let Some(partial) = &failure.partial {
        context.state.usage.add(&partial.usage);
    }
}

/// Ends the run after what was under way.
pub fn end(context: &mut RunContext, stopping: Stopping) -> Step {
    let ending = match stopping {
        Stopping::Cancelled => {
            let is_marked = context.segments.last().is_some_and(is_mark);
            if !is_marked && !context.state.only_compacts {
                mark(context, "The user stopped the task here. It was not finished.");
            }
            return Next::End(Ending::Cancelled).into();
        }
        Stopping::TimedOut => {
            let reason = context.say().time_over();
            Ending::GaveUp {
                reasons: bounds::reasons(context, reason),
            }
        }
    };
    Next::Break(ending).into()
}

/// Keeps what a model had said when it failed for good. Where an earlier answer stands in its place, it is taken back.
pub fn keep(context: &mut RunContext, failure: &ModelFailure) -> Vec<Effect> {
    match &failure.partial {
        Some(partial) => kept(context, partial),
        None => Vec::new(),
    }
}

/// Keeps what a model had said when the process ended, as its record tells. The run stands where it stood.
pub fn broke_off(context: &mut RunContext, partial: &PartialReply) -> Vec<Effect> {
    context.state.usage.add(&partial.usage);
    let text = "The answer broke off here and is not whole: the computer or the assistant went down in the middle, and its \
                last second may be missing. A program in it was not run. If the task goes on, write the whole answer anew.";
    // Nobody watches yet.
    drop(kept_as(context, partial, text));
    vec![context.commit()]
}

/// Keeps an answer that was whole when the stop came. Nothing broke off, so only a program in it is marked.
pub fn crossed(context: &mut RunContext, stopping: Stopping, reply: &ModelReply) -> Step {
    if gives_way(context) {
        return Step::new(vec![Effect::Show(RunEventKind::Retracted)], Next::Stopped);
    }
    let answer = PartialReply {
        text: reply.text.clone(),
        reasoning: reply.reasoning.clone(),
        tool_calls: reply.tool_calls.clone(),
        ..PartialReply::default()
    };
    let pieces = pieces(stream(context), &answer);
    let has_words = !pieces.is_empty();
    let has_program = pieces.iter().any(|(kind, _)| *kind == SegmentKind::Python);
    let effects = added(context, pieces);
    if has_program {
        let text = match stopping {
            Stopping::Cancelled => "The user stopped the task here. This program was not run.",
            Stopping::TimedOut => NOT_RUN,
        };
        mark(context, text);
    }
    let next = match stopping {
        Stopping::Cancelled if has_words => Next::End(Ending::Cancelled),
        Stopping::Cancelled | Stopping::TimedOut => Next::Stopped,
    };
    Step::new(effects, next)
}

/// Whether an earlier answer stands in the place of what had come.
fn gives_way(context: &RunContext) -> bool {
    context.state.has_current_answer() && context.stopping != Some(Stopping::Cancelled)
}

fn kept(context: &mut RunContext, partial: &PartialReply) -> Vec<Effect> {
    if gives_way(context) {
        return vec![Effect::Show(RunEventKind::Retracted)];
    }
    let text = match context.stopping {
        Some(Stopping::Cancelled) => {
            "The answer broke off here and is not whole: the user stopped it. A program in it was not run."
        }
        Some(Stopping::TimedOut) | None => {
            "The answer broke off here and is not whole. A program in it was not run."
        }
    };
    kept_as(context, partial, text)
}

/// Keeps what was shown of an answer, and behind it that it broke off.
fn kept_as(context: &mut RunContext, partial: &PartialReply, text: &str) -> Vec<Effect> {
    let pieces = pieces(stream(context), partial);
    let has_answer = !pieces.is_empty();
    let effects = added(context, pieces);
    if has_answer {
        mark(context, text);
    }
    effects
}

/// As the model was asked, so its answer is read.
fn stream(context: &RunContext) -> Box<dyn SpeechStream> {
    match context.state.phase {
        Phase::Thinking => context.settings.format.implementation().stream(),
        Phase::Writing => formats::program_stream(),
        Phase::Perceiving | Phase::Checking | Phase::Condensing | Phase::Running { .. } | Phase::Ended => {
            formats::silent_stream()
        }
    }
}

fn added(context: &mut RunContext, pieces: Vec<(SegmentKind, String)>) -> Vec<Effect> {
    let pieces = pieces.into_iter();
    pieces.map(|(kind, text)| context.add(kind, text, None)).collect()
}

/// Keeps a program that will not be run, unless an answer stands in its place.
pub fn shelve(context: &mut RunContext, program: String) -> Vec<Effect> {
    if context.state.has_current_answer() {
        return Vec::new();
    }
    let shown = context.add(SegmentKind::Python, program, None);
    mark(context, NOT_RUN);
    vec![shown]
}

fn is_mark(segment: &Segment) -> bool {
    matches!(segment.body, Body::Stopped { .. })
}

/// For the model alone: people see how the run ended.
fn mark(context: &mut RunContext, text: &str) {
    drop(context.add(SegmentKind::Stopped, text, None));
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

/// The end of a program that was stopped after it had printed `stdout`. `error` says so to model and user.
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
