//! Calls that the mind performs itself: what a program says and shows to the user, its list of steps, a wish to shorten
//! the conversation, questions about toolkits. They need nobody's permission and nobody else.

use super::calls::{close, plain, record};
use super::todo;
use crate::abilities;
use crate::cards::{self, Card};
use crate::effect::Effect;
use crate::situation::Situation;
use serde_json::Value;
use shidi_protocol::{Call, CallOutcome, CallState, Class, RunEventKind, SegmentKind};

/// Performs one; `None` for any other call.
pub fn perform(situation: &mut Situation, call: &Call, class: Class) -> Option<Vec<Effect>> {
    let own = || call.clone();
    match (call.toolkit.as_str(), call.method.as_str()) {
        ("user", "say") => return Some(say(situation, own(), class)),
        ("system", "compress") => return Some(compress(situation, own(), class)),
        ("todo", "write") => return Some(list_steps(situation, own(), class)),
        ("user", "progress") => return Some(progress(situation, own(), class)),
        ("user", method) => {
            if let Some(card) = cards::of(method, &call.args) {
                return Some(show_card(situation, own(), class, card));
            }
        }
        _ => {}
    }
    let outcome = abilities::perform(call, &situation.settings.toolkits)?;
    let record = record(situation, own(), class, CallState::Intended);
    Some(close(situation, record, outcome, CallState::Done))
}

/// A program speaks to the user: that is expression, and needs nobody else.
fn say(situation: &mut Situation, call: Call, class: Class) -> Vec<Effect> {
    let text = call.args.get("text").map(plain).unwrap_or_default();
    let shown = situation.add(SegmentKind::Express, text, Some(call.exec));
    let record = record(situation, call, class, CallState::Intended);
    let mut effects = vec![shown];
    effects.extend(close(
        situation,
        record,
        CallOutcome::success(Value::Null, "said"),
        CallState::Done,
    ));
    effects
}

/// A program shows data to the user directly.
fn show_card(situation: &mut Situation, call: Call, class: Class, card: Result<Card, String>) -> Vec<Effect> {
    let mut effects = Vec::new();
    let outcome = match card {
        Ok(card) => {
            effects.push(situation.add_card(&format!("c{}", call.id), &card, call.exec));
            CallOutcome::success(Value::Null, card.kind)
        }
        Err(problem) => CallOutcome::failure("ValueError", problem),
    };
    let record = record(situation, call, class, CallState::Intended);
    effects.extend(close(situation, record, outcome, CallState::Done));
    effects
}

/// A program tells how far it is. Only the last of it counts: it is in the record of the call, and no segment of its own.
fn progress(situation: &mut Situation, call: Call, class: Class) -> Vec<Effect> {
    let card = cards::progress(&call.args);
    let shown = Effect::Show(RunEventKind::Card {
        id: cards::progress_id(&call.args),
        kind: "progress".to_owned(),
        data: card,
    });
    let record = record(situation, call, class, CallState::Intended);
    let outcome = CallOutcome::success(Value::Null, "shown");
    let mut effects = vec![shown];
    effects.extend(close(situation, record, outcome, CallState::Done));
    effects
}

/// A program sets the list of steps.
fn list_steps(situation: &mut Situation, call: Call, class: Class) -> Vec<Effect> {
    let outcome = todo::write(situation, call.args.get("items"));
    let changed = outcome.ok().then(|| Effect::Show(todo::shown(situation)));
    let record = record(situation, call, class, CallState::Intended);
    let mut effects = close(situation, record, outcome, CallState::Done);
    effects.extend(changed);
    effects
}

/// A program wants the conversation shortened before the model is asked again.
fn compress(situation: &mut Situation, call: Call, class: Class) -> Vec<Effect> {
    situation.state.compaction_asked = true;
    let record = record(situation, call, class, CallState::Intended);
    let outcome = CallOutcome::success(Value::Null, "shortened before the next step").own();
    close(situation, record, outcome, CallState::Done)
}
