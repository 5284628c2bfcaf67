//! Calls that the mind performs itself, without permission or any other part of the program. A program speaks
//! to the user, shows cards and progress, sets its steps, asks for a compaction or about toolkits.

use super::record::{close, plain, record};
use crate::cards::{self, Card};
use crate::effect::Effect;
use crate::run_context::RunContext;
use crate::todo;
use crate::tool_index;
use serde_json::Value;
use shidi_protocol::{Call, CallOutcome, CallState, Class, RunEventKind, SegmentKind};

/// Performs a built-in call; `None` for any other call.
pub fn perform(context: &mut RunContext, call: &Call, class: Class) -> Option<Vec<Effect>> {
    let own = || call.clone();
    match (call.toolkit.as_str(), call.method.as_str()) {
        ("user", "say") => return Some(say(context, own(), class)),
        ("system", "compress") => return Some(compress(context, own(), class)),
        ("todo", "write") => return Some(list_steps(context, own(), class)),
        ("user", "progress") => return Some(progress(context, own(), class)),
        ("user", method) => {
            if let Some(card) = cards::of(method, &call.args) {
                return Some(show_card(context, own(), class, card));
            }
        }
        _ => {}
    }
    let outcome = tool_index::perform(call, &context.settings.toolkits)?;
    let record = record(context, own(), class, CallState::Intended);
    Some(close(context, record, outcome, CallState::Done))
}

/// Says a program's words to the user.
fn say(context: &mut RunContext, call: Call, class: Class) -> Vec<Effect> {
    let text = call.args.get("text").map(plain).unwrap_or_default();
    let shown = context.add(SegmentKind::Express, text, Some(call.exec));
    let record = record(context, call, class, CallState::Intended);
    let mut effects = vec![shown];
    effects.extend(close(
        context,
        record,
        CallOutcome::success(Value::Null, "said"),
        CallState::Done,
    ));
    effects
}

/// A program shows data to the user directly.
fn show_card(context: &mut RunContext, call: Call, class: Class, card: Result<Card, String>) -> Vec<Effect> {
    let mut effects = Vec::new();
    let outcome = match card {
        Ok(card) => {
            effects.push(context.add_card(&format!("c{}", call.id), &card, call.exec));
            CallOutcome::success(Value::Null, card.kind)
        }
        Err(problem) => CallOutcome::failure("ValueError", problem),
    };
    let record = record(context, call, class, CallState::Intended);
    effects.extend(close(context, record, outcome, CallState::Done));
    effects
}

/// Shows how far a program is. Progress has no segment of its own: the call's record holds the newest.
fn progress(context: &mut RunContext, call: Call, class: Class) -> Vec<Effect> {
    let card = cards::progress(&call.args);
    let shown = Effect::Show(RunEventKind::Card {
        id: cards::progress_id(&call.args),
        kind: "progress".to_owned(),
        data: card,
    });
    let record = record(context, call, class, CallState::Intended);
    let outcome = CallOutcome::success(Value::Null, "shown");
    let mut effects = vec![shown];
    effects.extend(close(context, record, outcome, CallState::Done));
    effects
}

/// A program sets the list of steps.
fn list_steps(context: &mut RunContext, call: Call, class: Class) -> Vec<Effect> {
    let outcome = todo::write(context, call.args.get("items"));
    let changed = outcome.ok().then(|| Effect::Show(todo::shown(context)));
    let record = record(context, call, class, CallState::Intended);
    let mut effects = close(context, record, outcome, CallState::Done);
    effects.extend(changed);
    effects
}

/// A program wants the conversation shortened before the model is asked again.
fn compress(context: &mut RunContext, call: Call, class: Class) -> Vec<Effect> {
    context.state.compaction_asked = true;
    let record = record(context, call, class, CallState::Intended);
    let outcome = CallOutcome::success(Value::Null, "shortened before the next step").own();
    close(context, record, outcome, CallState::Done)
}
