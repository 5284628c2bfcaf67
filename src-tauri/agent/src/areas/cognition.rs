//! Cognition: one round of the coding loop. Asks the model, reads its answer and returns the decision that the
//! answer holds.

use super::{Ending, Next, Step};
use crate::bounds;
use crate::effect::Effect;
use crate::failures;
use crate::formats::{self, Action, Hole, Malformed, ParsedReply};
use crate::limits;
use crate::prompt;
use crate::prompt_templates::PromptError;
use crate::run_context::RunContext;
use crate::state::Phase;
use shidi_protocol::{Finish, ModelReply, ModelRequest, ModelRole, RunEventKind, SegmentKind};

/// Asks the model for its next action; the caller has made room in the prompt.
pub fn think(context: &mut RunContext) -> Step {
    context.state.phase = Phase::Thinking;
    prompt::compose(context);
    ask(context, prompt::assemble(context))
}

/// Asks the model for the middle of the program that it has thought out.
pub fn draft(context: &mut RunContext) -> Step {
    context.state.phase = Phase::Writing;
    context.state.is_coders = true;
    prompt::compose(context);
    ask(context, prompt::assemble_draft(context))
}

fn ask(context: &mut RunContext, request: Result<ModelRequest, PromptError>) -> Step {
    // This request holds the user's additions; the standing answer was written without them.
    let added = std::mem::take(&mut context.state.unheard);
    context.state.outdated |= added && context.state.standing_answer.is_some();
    match request {
        Ok(request) => vec![context.commit(), Effect::AskModel(Box::new(request))].into(),
        Err(error) => Next::Break(Ending::failed(failures::of_prompt(context, &error))).into(),
    }
}

/// Takes the model's answer.
pub fn consider(context: &mut RunContext, reply: &ModelReply) -> Step {
    context.state.usage.add(&reply.usage);
    let format = context.settings.format.implementation();
    match format.read(reply, &context.settings.toolkits) {
        Ok(ParsedReply {
            action: Action::Program(_),
            ..
        }) if prompt::role(context) == ModelRole::General => hand_over(context),
        Ok(action) => act(context, action, reply.finish),
        Err(malformed) => correct(context, &malformed, reply),
    }
}

/// The general model wants a program. The coder is asked in its place, for this step and the rest of the task.
fn hand_over(context: &mut RunContext) -> Step {
    context.state.is_coders = true;
    if bounds::reached(context).is_some() {
        return Next::Bound.into();
    }
    Step::new(vec![Effect::Show(RunEventKind::Retracted)], Next::Think)
}

/// Takes the middle of a program and runs the whole program.
pub fn fill(context: &mut RunContext, reply: &ModelReply) -> Step {
    context.state.usage.add(&reply.usage);
    let hole = Hole::new(&context.variables, &context.attachments);
    match hole.filled(reply) {
        Ok(program) => Next::Run { program }.into(),
        Err(malformed) => correct(context, &malformed, reply),
    }
}

fn act(context: &mut RunContext, action: ParsedReply, finish: Finish) -> Step {
    let ParsedReply {
        evaluation,
        next_goal,
        thought,
        action,
    } = action;
    context.state.corrections = 0;
    context.state.overflows = 0;
    let mut effects = Vec::new();
    for (kind, text) in [
        (SegmentKind::Evaluation, evaluation),
        (SegmentKind::NextGoal, next_goal),
    ] {
        if let Some(text) = text {
            effects.push(context.add(kind, text, None));
        }
    }
    if !thought.is_empty() {
        effects.push(context.add(SegmentKind::Thought, thought, None));
    }
    // A bound stops further work only: an answer that has come is given at any cost.
    let is_bound = bounds::reached(context).is_some();
    let next = match action {
        Action::Program(program) if is_bound => Next::Shelve { program },
        Action::Draft if is_bound => Next::Bound,
        Action::Program(program) => Next::Run { program },
        Action::Draft => Next::Draft,
        Action::Answer(text) => Next::Express { text, finish },
        Action::GiveUp(reasons) => Next::Surrender { reasons },
    };
    Step::new(effects, next)
}

/// Sends a malformed answer back with a precise correction, at most [`limits::CORRECTIONS_MAX`] times in a row.
fn correct(context: &mut RunContext, malformed: &Malformed, reply: &ModelReply) -> Step {
    if context.state.corrections >= limits::CORRECTIONS_MAX {
        return Next::Break(Ending::failed(failures::of_format(context))).into();
    }
    if bounds::reached(context).is_some() {
        return Next::Bound.into();
    }
    context.state.corrections += 1;
    let mut correction = malformed.correction.clone();
    let began: String = formats::own_words(&reply.text)
        .trim()
        .chars()
        .take(limits::QUOTED_CHARACTERS)
        .collect();
    if !began.is_empty() {
        correction.push_str(&format!(" Your answer began: {began:?}"));
    }
    let reminded = context.add(SegmentKind::Reminder, correction, None);
    Step::new(vec![reminded], Next::Think)
}
