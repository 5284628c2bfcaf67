//! Parameters of an ability: a value counts only where code finds who said it (F9.2).
//!
//! A model that lacks a value makes one up. So each value that it wrote itself has to stand in something that was said,
//! shown, remembered or answered before. One that does not is asked for, one question at a time. A value that a program
//! computed from a text is not looked at, since the program does not hold it.
//!
//! What an earlier call of the same ability was filled with holds, unless somebody has said otherwise since.

mod corrections;
mod days;
mod filled;
mod numerals;
mod orders;
mod sources;
mod standing;
mod words;

pub use orders::{Waiting, waiting};
pub use words::share_a_word;

use crate::limits;
use crate::literal::literal;
use crate::run_context::{RunContext, Settings};
use serde_json::Value;
use shidi_protocol::{Call, CallRecord, ExecId, MethodSpec, ParameterSpec, ToolkitSpec};
use standing::Standing;

/// What every sentence about an open parameter says.
const NOT_STARTED: &str = "was not started: ";

/// What stands before the values that are known.
const KNOWN: &str = " Known so far, keep it: ";

/// The toolkit whose calls ask the user.
const USER: &str = "user";

/// Characters of a value in the sentence about it.
const SHOWN_CHARACTERS: usize = 60;

/// The fault of a call that may not be made yet, as the model reads it. `None` where every value has its source.
#[must_use]
pub fn problem(context: &RunContext, call: &Call, method: &MethodSpec) -> Option<String> {
    let is_asked = |parameter: &ParameterSpec| parameter.asked;
    if !method.parameters.iter().any(is_asked) {
        return None;
    }
    // A program of the user's own says what it wants, and a replay what was wanted then.
    if context.settings.program.is_some() || context.settings.is_replay {
        return left_out(call, method);
    }
    let judged = standing::of(context, call, method);
    let open = judged.iter().find(|(_, standing)| *standing != Standing::Known)?;
    let known: Vec<String> = judged
        .iter()
        .filter(|(_, standing)| *standing == Standing::Known)
        .filter_map(|(parameter, _)| {
            let value = call.args.get(&parameter.name)?;
            Some(format!("{}={}", parameter.name, shown(value)))
        })
        .collect();
    Some(told(call, open, &known))
}

/// What a call leaves out that has no default, where nobody is asked for it.
fn left_out(call: &Call, method: &MethodSpec) -> Option<String> {
    let mut needed = method
        .parameters
        .iter()
        .filter(|parameter| parameter.default.is_none());
    let missing = needed.find(|parameter| !call.args.contains_key(&parameter.name))?;
    Some(format!(
        "{} missing required argument `{}`",
        call.tool(),
        missing.name
    ))
}

/// The toolkits whose earlier calls in the session count: those with parameters that are asked for, and the user's answers.
#[must_use]
pub fn asked_toolkits(settings: &Settings) -> Vec<String> {
    let toolkits = settings.toolkits.iter();
    let is_asked = |method: &MethodSpec| method.parameters.iter().any(|parameter| parameter.asked);
    let asked = toolkits.filter(|toolkit| toolkit.methods.iter().any(is_asked));
    let mut names: Vec<String> = asked.map(|toolkit| toolkit.name.clone()).collect();
    if !names.is_empty() {
        names.push(USER.to_owned());
    }
    names
}

/// Whether a program's end named a parameter to ask for, and the answer is that question.
#[must_use]
pub fn are_asked_for(output: &str, answer: &str) -> bool {
    output.contains(NOT_STARTED) && answer.contains(['?', '？'])
}

/// Whether an output tells of a call that was not started.
#[must_use]
pub fn is_open(output: &str) -> bool {
    output.contains(NOT_STARTED)
}

/// What a program's last call that has something to ask for was not started for.
#[must_use]
pub fn open(context: &RunContext, exec: ExecId) -> Option<String> {
    let toolkits = &context.settings.toolkits;
    let own = context.calls.values().rev();
    let mut own = own.filter(|record| record.call.exec == exec);
    let (last, method) = own.find_map(|record| Some((record, ability(toolkits, &record.call)?)))?;
    filled::open(last, method).map(described)
}

/// The method of a call that has parameters to be asked for.
fn ability<'a>(toolkits: &'a [ToolkitSpec], call: &Call) -> Option<&'a MethodSpec> {
    method(toolkits, call).filter(|method| method.parameters.iter().any(|parameter| parameter.asked))
}

fn method<'a>(toolkits: &'a [ToolkitSpec], call: &Call) -> Option<&'a MethodSpec> {
    let mut toolkits = toolkits.iter();
    let toolkit = toolkits.find(|toolkit| toolkit.name == call.toolkit)?;
    toolkit.method(&call.method)
}

/// A parameter by its name and what it is.
fn described(parameter: &ParameterSpec) -> String {
    match parameter.doc.trim() {
        "" => parameter.name.clone(),
        doc => format!("{} ({doc})", parameter.name),
    }
}

/// Whether two calls that were not started passed a value that nobody had said for the same parameter.
fn made_up_alike(one: &CallRecord, other: &CallRecord, method: &MethodSpec) -> bool {
    let made_up = |record: &CallRecord| {
        let open = filled::open(record, method)?;
        record.call.args.get(&open.name)?;
        Some(open.name.clone())
    };
    let is_same = one.call.toolkit == other.call.toolkit && one.call.method == other.call.method;
    is_same && made_up(one).is_some() && made_up(one) == made_up(other)
}

/// What to ask the user where a model makes the same call again, or makes another value up. The
/// program's output may not stand in the transcript yet, since it tells what is asked about.
#[must_use]
pub fn question(context: &RunContext) -> Option<String> {
    let mut refused = context.calls.values().rev().filter_map(|record| {
        let error = record.outcome.as_ref()?.error.as_ref()?;
        error
            .message
            .contains(NOT_STARTED)
            .then_some((record, &error.message))
    });
    let (last, told) = refused.next()?;
    let toolkits = context.toolkits();
    let method = method(&toolkits, &last.call)?;
    let is_alike =
        |(other, said): &(&CallRecord, &String)| *said == told || made_up_alike(last, other, method);
    let times = 1 + refused.filter(is_alike).count();
    if times < limits::OPEN_PARAMETER_TIMES || Some(last.call.exec) != context.exec() {
        return None;
    }
    let judged = standing::of(context, &last.call, method);
    let (open, _) = judged.iter().find(|(_, standing)| *standing != Standing::Known)?;
    let words = match open.doc.trim() {
        "" => open.name.as_str(),
        doc => doc.trim_end_matches(|end: char| !end.is_alphanumeric() && end != ')'),
    };
    Some(context.say().still_to_know(words))
}

fn told(call: &Call, (parameter, standing): &(&ParameterSpec, Standing), known: &[String]) -> String {
    let name = &parameter.name;
    let about = match parameter.doc.trim() {
        "" => String::new(),
        doc => format!(" ({doc})"),
    };
    let tool = call.tool();
    let value = call.args.get(name).map(shown).unwrap_or_default();
    let user = format!(
        "the user for {name}: one short question in the user's language, with nothing made up. Call {tool} again \
         when the answer is there."
    );
    let what = match standing {
        Standing::MadeUp => format!(
            "nobody has said {name}={value}{about}. If the user has said it in other words, pass those words; \
             otherwise ask {user}"
        ),
        Standing::Changed(before) => {
            let before = shown(before);
            format!(
                "{name} was {before}{about}, and nobody has asked for {value} since. Pass {name}={before}. If the user \
                 has changed it in other words, pass those words; if that is not clear, ask {user}"
            )
        }
        Standing::LeftOut { before, for_another } => {
            let before = shown(before);
            let other = match for_another {
                Some(default) => format!("For another order pass {name}={}.", shown(default)),
                None => format!("If it does not hold any more, ask {user}"),
            };
            format!("{name} was {before}{about}, and is left out. Pass {name}={before}. {other}")
        }
        Standing::Missing | Standing::Known => format!("{name}{about} is not known yet. Ask {user}"),
    };
    let kept = match known {
        [] => String::new(),
        known => format!("{KNOWN}{}.", known.join(", ")),
    };
    format!("{tool} {NOT_STARTED}{what}{kept}")
}

fn shown(value: &Value) -> String {
    let written = literal(value);
    if written.chars().count() <= SHOWN_CHARACTERS {
        return written;
    }
    let head: String = written.chars().take(SHOWN_CHARACTERS).collect();
    format!("{head}…")
}
