//! Which area takes an event, and which area follows another's step: areas are joined here and nowhere else.

use crate::areas::calls::{self, approvals, aside, suspension};
use crate::areas::{
    Ending, Next, Step, cognition, compaction, evaluation, expression, fast_model, job_events, motor,
    perception, stopping,
};
use crate::bounds;
use crate::effect::Effect;
use crate::event::Event;
use crate::failures;
use crate::run_context::{RunContext, Stopping};
use crate::state::Phase;
use crate::todo;
use shidi_protocol::{FailureKind, ModelFailure, ModelReply, RunStatus};

/// Handles an event and all steps that follow, up to the point where the run waits for another event.
pub fn run(context: &mut RunContext, event: Event) -> Vec<Effect> {
    let mut step = match context.stopping {
        Some(stopping) => interrupted(context, stopping, event),
        None => taken(context, event),
    };
    let mut effects = Vec::new();
    loop {
        effects.extend(step.effects);
        if step.next == Next::Wait {
            return effects;
        }
        step = following(context, step.next);
    }
}

/// The area that an event belongs to.
fn taken(context: &mut RunContext, event: Event) -> Step {
    match event {
        Event::Asked(input) => {
            context.state.started = context.now;
            context.state.stretch = context.now;
            perception::arrive(context, input)
        }
        Event::Resumed => resumed(context),
        Event::Said(input) => perception::hear(context, input).into(),
        Event::ModelAnswered { reply } => answered(context, &reply),
        Event::ModelFailed { failure } => failed(context, &failure),
        Event::BrokeOff { partial } => stopping::broke_off(context, &partial).into(),
        Event::ToolkitsChanged { toolkits } => {
            context.settings.toolkits = toolkits;
            Next::Wait.into()
        }
        Event::ProgramRefused { findings } => motor::program_refused(context, &findings),
        Event::ProgramEnded(end) => {
            let withdrawn = calls::program_ended(context);
            motor::program_ended(context, end).after(withdrawn)
        }
        Event::ProgramsImpossible { error } => {
            let withdrawn = calls::program_ended(context);
            Step::from(Next::Break(Ending::failed(error))).after(withdrawn)
        }
        Event::CallRequested { call, class, barred } => calls::requested(context, call, class, barred),
        Event::CallReturned { call, outcome } => calls::returned(context, call, outcome).into(),
        Event::HostAsked { by, call } => aside::host_asked(context, by, call).into(),
        Event::ServerAsked { by, call } => aside::server_asked(context, by, call).into(),
        Event::ServerAskEnded { by, number } => aside::server_ask_ended(context, by, number).into(),
        Event::CallRests { call } => suspension::rests(context, call).into(),
        Event::CallGoesOn { call } => suspension::goes_on(context, call).into(),
        Event::CompactAsked { language } => compaction::asked(context, language),
        Event::Spent { usage } => {
            context.state.usage.add(&usage);
            Next::Wait.into()
        }
        Event::JobEnded { job, text } => job_events::hear(context, job, text).into(),
        Event::ProgramWaits => suspension::suspend(context).into(),
        Event::Decided { call, decision } => approvals::decided(context, call, decision).into(),
        Event::Cancelled => stopping::begin(context, Stopping::Cancelled),
        Event::TimedOut => stopping::begin(context, Stopping::TimedOut),
        Event::StorageFailed { message } => expression::storage_failed(context, &message).into(),
    }
}

/// Handles an event of a run that is being stopped: the run ends once the work under way has ended.
fn interrupted(context: &mut RunContext, stopping: Stopping, event: Event) -> Step {
    match event {
        Event::ModelFailed { failure } => {
            stopping::spend(context, &failure);
            Step::new(stopping::keep(context, &failure), Next::Stopped)
        }
        // The stop was sent while the answer was ending: nobody acts on the answer any more.
        Event::ModelAnswered { reply } => {
            context.state.usage.add(&reply.usage);
            stopping::crossed(context, stopping, &reply)
        }
        Event::ProgramEnded(end) => {
            let withdrawn = calls::program_ended(context);
            Step::new(motor::keep_output(context, &end), Next::Stopped).after(withdrawn)
        }
        Event::ProgramRefused { .. } | Event::ProgramsImpossible { .. } => Next::Stopped.into(),
        // A stopped program begins nothing more, and nobody is asked on its behalf.
        Event::CallRequested { .. }
        | Event::HostAsked { .. }
        | Event::ServerAsked { .. }
        | Event::CallRests { .. }
        | Event::CallGoesOn { .. }
        | Event::ProgramWaits
        | Event::Decided { .. }
        | Event::CompactAsked { .. } => Next::Wait.into(),
        event @ (Event::Asked(_)
        | Event::Resumed
        | Event::Said(_)
        | Event::BrokeOff { .. }
        | Event::ToolkitsChanged { .. }
        | Event::CallReturned { .. }
        | Event::ServerAskEnded { .. }
        | Event::Spent { .. }
        | Event::JobEnded { .. }
        | Event::Cancelled
        | Event::TimedOut
        | Event::StorageFailed { .. }) => taken(context, event),
    }
}

/// The area that takes up another area's next step.
fn following(context: &mut RunContext, next: Next) -> Step {
    match next {
        Next::Wait => Next::Wait.into(),
        Next::Understand => match context.settings.program.clone() {
            Some(given) => motor::start(context, given).into(),
            None => fast_model::understand(context),
        },
        Next::Think => {
            context.state.phase = Phase::Thinking;
            let told = job_events::tell(context);
            compaction::make_room(context).after(told)
        }
        Next::Ask => cognition::think(context),
        Next::Draft => cognition::draft(context),
        Next::Run { program } => motor::start(context, program).into(),
        Next::Shelve { program } => Step::new(stopping::shelve(context, program), Next::Bound),
        Next::Round => motor::next_round(context),
        Next::Express { text, finish } => expression::answer(context, text, finish),
        Next::Judge { answer } => evaluation::judge(context, answer),
        Next::Check { answer } => fast_model::check(context, answer),
        Next::Conclude { answer } => evaluation::conclude(context, answer),
        Next::Surrender { reasons } => evaluation::surrender(context, reasons),
        Next::Bound => {
            let bound = bounds::reached(context).unwrap_or_default();
            let reasons = bounds::reasons(context, &bound);
            evaluation::break_off(context, Ending::GaveUp { reasons })
        }
        Next::Break(ending) => evaluation::break_off(context, ending),
        Next::End(ending) => expression::end(context, ending).into(),
        Next::Stopped => {
            let stopping = context.stopping.unwrap_or(Stopping::Cancelled);
            stopping::end(context, stopping)
        }
    }
}

/// Handles a model's answer by the phase in which the model was asked.
fn answered(context: &mut RunContext, reply: &ModelReply) -> Step {
    match context.state.phase {
        Phase::Thinking => cognition::consider(context, reply),
        Phase::Writing => cognition::fill(context, reply),
        Phase::Condensing => compaction::summarised(context, reply),
        Phase::Perceiving => fast_model::understood(context, reply),
        Phase::Checking => fast_model::checked(context, reply),
        Phase::Running { .. } | Phase::Ended => Next::Wait.into(),
    }
}

/// Handles a model's failure by the phase in which the model was asked.
fn failed(context: &mut RunContext, failure: &ModelFailure) -> Step {
    stopping::spend(context, failure);
    match context.state.phase {
        Phase::Thinking | Phase::Writing => {
            if failure.kind == FailureKind::ContextLength && compaction::takes_less(context) {
                return Next::Think.into();
            }
            let kept = stopping::keep(context, failure);
            let next = match failure.kind {
                FailureKind::Cancelled => Next::End(Ending::Cancelled),
                _ => Next::Break(Ending::failed(failures::model_error(
                    context.state.interface(),
                    failure,
                ))),
            };
            Step::new(kept, next)
        }
        Phase::Condensing => compaction::not_summarised(context, failure),
        Phase::Perceiving | Phase::Checking if failure.kind == FailureKind::Cancelled => {
            Next::End(Ending::Cancelled).into()
        }
        // The task goes on without the fast model's reading of the words.
        Phase::Perceiving => Next::Think.into(),
        Phase::Checking => fast_model::stands(context).into(),
        Phase::Running { .. } | Phase::Ended => Next::Wait.into(),
    }
}

/// Goes on from the record: asks the model again, or replays the program up to its open call.
fn resumed(context: &mut RunContext) -> Step {
    let ended = context.state.status.take();
    context.state.reason = None;
    context.state.error = None;
    context.state.stretch = context.now;
    let mut shown = vec![Effect::Show(context.started())];
    shown.extend(aside::close_all(context));
    if !context.state.todo.is_empty() {
        shown.push(Effect::Show(todo::shown(context)));
    }
    let step = match context.state.phase {
        _ if context.state.only_compacts => compaction::again(context),
        Phase::Perceiving if context.settings.program.is_some() => Next::Understand.into(),
        Phase::Perceiving | Phase::Thinking | Phase::Condensing => Next::Think.into(),
        Phase::Writing => Next::Draft.into(),
        Phase::Checking => fast_model::stands(context).into(),
        Phase::Running { exec } => motor::replay(context, exec).into(),
        Phase::Ended => vec![Effect::End {
            status: ended.unwrap_or(RunStatus::Completed),
            reason: None,
            error: None,
        }]
        .into(),
    };
    step.after(shown)
}
