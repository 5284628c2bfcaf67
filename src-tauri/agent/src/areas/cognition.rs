//! Cognition: one round of the coding loop. Asks the model, reads its answer, starts what it decided.

use super::{bounds, condensing, evaluation, expression, news, stopping};
use crate::effect::Effect;
use crate::formats::{self, Action, Deed, Hole, Malformed};
use crate::limits;
use crate::prompt::{self, PromptError};
use crate::situation::Situation;
use crate::state::Phase;
use shidi_protocol::{
    ErrorCode, FailureKind, Finish, ModelFailure, ModelReply, ModelRequest, ModelRole, RunEventKind,
    SegmentKind, UserError,
};

/// Asks the model what to do next, after making room for it where that is needed.
pub fn think(situation: &mut Situation) -> Vec<Effect> {
    situation.state.phase = Phase::Thinking;
    let mut effects = news::tell(situation);
    effects.extend(match condensing::before_asking(situation) {
        Ok(None) => ask_now(situation),
        Ok(Some(effects)) => effects,
        Err(error) => no_prompt(situation, &error),
    });
    effects
}

/// Asks the model what to do next.
pub fn ask_now(situation: &mut Situation) -> Vec<Effect> {
    situation.state.phase = Phase::Thinking;
    ask(situation, prompt::assemble(situation))
}

/// Takes the failure of a model that was asked what to do.
pub fn failed(situation: &mut Situation, failure: &ModelFailure) -> Vec<Effect> {
    if failure.kind == FailureKind::ContextLength
        && let Some(effects) = condensing::too_long(situation)
    {
        return effects;
    }
    let mut effects = stopping::keep(situation, failure);
    effects.extend(expression::model_failed(situation, failure));
    effects
}

/// Asks the model for the middle of the program that it has thought out.
pub fn draft(situation: &mut Situation) -> Vec<Effect> {
    situation.state.phase = Phase::Writing;
    situation.state.is_coders = true;
    ask(situation, prompt::assemble_draft(situation))
}

fn ask(situation: &mut Situation, request: Result<ModelRequest, PromptError>) -> Vec<Effect> {
    // What the user added stands in this request, and is none that the answer before it knew of.
    let added = std::mem::take(&mut situation.state.unheard);
    situation.state.outdated |= added && situation.state.standing_answer.is_some();
    match request {
        Ok(request) => vec![situation.commit(), Effect::AskModel(Box::new(request))],
        Err(error) => no_prompt(situation, &error),
    }
}

/// Ends a run whose prompt can't be built.
pub fn no_prompt(situation: &mut Situation, error: &PromptError) -> Vec<Effect> {
    let (message, hint) = match situation.state.interface() {
        "zh" => ("提示词拼不出来", "改好这个提示词模块，或把文件移走，就会用内置的"),
        _ => (
            "Could not build the prompt",
            "Mend that prompt module, or move its file away to use the built-in one",
        ),
    };
    let error = UserError::new(ErrorCode::Input, format!("{message}: {error}")).hint(hint);
    expression::fail(situation, error)
}

/// Takes the model's answer.
pub fn consider(situation: &mut Situation, reply: &ModelReply) -> Vec<Effect> {
    situation.state.usage.add(&reply.usage);
    let format = situation.settings.format.implementation();
    match format.read(reply, &situation.settings.toolkits) {
        Ok(Action {
            deed: Deed::Program(_),
            ..
        }) if prompt::role(situation) == ModelRole::General => hand_over(situation),
        Ok(action) => act(situation, action, reply.finish),
        Err(malformed) => correct(situation, &malformed, reply),
    }
}

/// The general model wants a program: the coder is asked in its place, for this step and the rest of the task.
fn hand_over(situation: &mut Situation) -> Vec<Effect> {
    situation.state.is_coders = true;
    if bounds::reached(situation).is_some() {
        return bounds::give_up(situation);
    }
    let mut effects = vec![Effect::Show(RunEventKind::Retracted)];
    effects.extend(think(situation));
    effects
}

/// Takes the middle of a program and runs the whole.
pub fn fill(situation: &mut Situation, reply: &ModelReply) -> Vec<Effect> {
    situation.state.usage.add(&reply.usage);
    let hole = Hole::new(&situation.variables, &situation.attachments);
    match hole.filled(reply) {
        Ok(program) => start(situation, program),
        Err(malformed) => correct(situation, &malformed, reply),
    }
}

fn act(situation: &mut Situation, action: Action, finish: Finish) -> Vec<Effect> {
    let Action {
        evaluation,
        next_goal,
        thought,
        deed,
    } = action;
    situation.state.corrections = 0;
    situation.state.overflows = 0;
    let mut effects = Vec::new();
    for (kind, text) in [
        (SegmentKind::Evaluation, evaluation),
        (SegmentKind::NextGoal, next_goal),
    ] {
        if let Some(text) = text {
            effects.push(situation.add(kind, text, None));
        }
    }
    if !thought.is_empty() {
        effects.push(situation.add(SegmentKind::Thought, thought, None));
    }
    // An answer that is there is given, whatever it cost; only more work is not begun.
    match deed {
        Deed::Program(program) if bounds::reached(situation).is_some() => {
            if !evaluation::stands(situation) {
                effects.push(stopping::keep_program(situation, program));
            }
            effects.extend(bounds::give_up(situation));
        }
        Deed::Draft if bounds::reached(situation).is_some() => effects.extend(bounds::give_up(situation)),
        Deed::Program(program) => effects.extend(start(situation, program)),
        Deed::Draft => effects.extend(draft(situation)),
        Deed::Answer(text) => effects.extend(expression::answer(situation, text, finish)),
        Deed::GiveUp(reasons) => effects.extend(evaluation::given_up(situation, reasons)),
    }
    effects
}

fn start(situation: &mut Situation, program: String) -> Vec<Effect> {
    let exec = situation.state.last_exec.next();
    situation.state.last_exec = exec;
    situation.state.phase = Phase::Running { exec };
    situation.state.answers = 0;
    situation.requested = 0;
    situation.forget_program();
    situation.borrow_for(&program);
    let shown = situation.add(SegmentKind::Python, program.clone(), Some(exec));
    vec![
        situation.commit(),
        shown,
        Effect::Show(RunEventKind::Code {
            exec,
            program: program.clone(),
        }),
        Effect::RunProgram {
            exec,
            program,
            replay: false,
            first_call: situation.state.last_call.next(),
        },
    ]
}

/// Sends a malformed answer back with a precise correction, at most [`limits::CORRECTIONS_MAX`] times in a row.
fn correct(situation: &mut Situation, malformed: &Malformed, reply: &ModelReply) -> Vec<Effect> {
    if situation.state.corrections >= limits::CORRECTIONS_MAX {
        let message = match situation.state.interface() {
            "zh" => "模型连续几次没有给出可用的回答",
            _ => "The model gave no usable answer several times in a row",
        };
        let hint = match situation.state.interface() {
            "zh" => "再试一次，或换一个模型",
            _ => "Try again, or choose another model",
        };
        return expression::fail(situation, UserError::new(ErrorCode::Task, message).hint(hint));
    }
    if bounds::reached(situation).is_some() {
        return bounds::give_up(situation);
    }
    situation.state.corrections += 1;
    let mut correction = malformed.correction.clone();
    let began: String = formats::own_words(&reply.text)
        .trim()
        .chars()
        .take(limits::QUOTED_CHARACTERS)
        .collect();
    if !began.is_empty() {
        correction.push_str(&format!(" Your answer began: {began:?}"));
    }
    let mut effects = vec![situation.add(SegmentKind::Reminder, correction, None)];
    effects.extend(think(situation));
    effects
}
