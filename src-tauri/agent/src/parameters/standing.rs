//! How each parameter of a call stands: known, not yet, made up, or changed by nobody's words.

use super::corrections::{self, Said};
use super::filled::{self, Filled};
use super::sources::{self, Source};
use super::words::{self, is_blank, plain};
use crate::run_context::RunContext;
use serde_json::Value;
use shidi_protocol::{Call, MethodSpec, Moment, ParameterSpec};
use std::cmp::Reverse;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    Known,
    /// The call leaves it out.
    Missing,
    /// Nobody said it.
    MadeUp,
    /// It was filled with this, and nobody has asked for another value.
    Changed(Value),
    /// The call leaves out what it was filled with; what is declared may be passed in its place.
    LeftOut {
        before: Value,
        for_another: Option<Value>,
    },
}

/// The parameters of a call in the order of its method.
pub fn of<'a>(
    context: &RunContext,
    call: &Call,
    method: &'a MethodSpec,
) -> Vec<(&'a ParameterSpec, Standing)> {
    let all = sources::of(context);
    let sources: Vec<&Source> = all.iter().collect();
    let mut passed = Vec::new();
    words::leaves(&Value::Object(call.args.clone()), &mut passed);
    let mut judge = Judge {
        call,
        sources: &sources,
        programs: sources::programs(context),
        filled: filled::of(context, call, method),
        turn: filled::turn(context),
        goes_on: corrections::goes_on(&sources, &passed),
        used: BTreeMap::new(),
    };
    let words = plain(context.question());
    let mut order: Vec<(usize, &ParameterSpec)> = method.parameters.iter().enumerate().collect();
    order.sort_by_cached_key(|(_, parameter)| Reverse(judge.claim(parameter, &words)));
    // What a plugin's tool does not ask for is the model's to choose: the words of a message.
    let is_plugins = sources::is_of_plugin(context, call);
    let mut judged = Vec::new();
    for (place, parameter) in order {
        let standing = match is_plugins && !parameter.asked {
            true => Standing::Known,
            false => judge.standing(parameter),
        };
        judged.push((place, (parameter, standing)));
    }
    judged.sort_by_key(|(place, _)| *place);
    judged.into_iter().map(|(_, standing)| standing).collect()
}

/// What is known while the parameters of one call are looked at.
struct Judge<'a> {
    call: &'a Call,
    sources: &'a [&'a Source],
    /// What the model has written.
    programs: String,
    filled: BTreeMap<String, Filled<'a>>,
    /// When the user last said something.
    turn: Option<Moment>,
    /// Whether the user's last words go on with what was filled.
    goes_on: bool,
    /// How often each number was passed.
    used: BTreeMap<String, usize>,
}

impl Judge<'_> {
    /// How good a parameter's claim on a number is, where several pass one that was said once.
    fn claim(&self, parameter: &ParameterSpec, words: &str) -> usize {
        let value = self.call.args.get(&parameter.name);
        let filled = self.filled.get(&parameter.name);
        let is_kept = filled
            .zip(value)
            .map(|(filled, value)| corrections::is_kept(filled, value));
        match is_kept {
            Some(true) => usize::MAX,
            Some(false) | None => words::nearness(&about(parameter), words),
        }
    }

    fn standing(&mut self, parameter: &ParameterSpec) -> Standing {
        let passed = self.call.args.get(&parameter.name);
        let filled = self.filled.get(&parameter.name).filter(|_| self.goes_on).cloned();
        let about = about(parameter);
        let said = Said {
            sources: self.sources,
            about: &about,
            turn: self.turn,
        };
        let Some(value) = passed.filter(|value| !is_blank(value)).cloned() else {
            // Another order may go back to what is declared, also where that is nothing.
            let is_free = passed.is_some() && passed == parameter.default.as_ref() && !parameter.asked;
            let filled = filled.filter(|filled| !(is_free && filled.was_made));
            return left_out(parameter, filled.as_ref(), said);
        };
        let Some(filled) = filled else {
            return self.kept_or_by_words(parameter, &value, &about);
        };
        if corrections::is_kept(&filled, &value) {
            return self.kept_or_by_words(parameter, &value, &about);
        }
        let is_default = parameter.default.as_ref() == Some(&value);
        if is_default && (filled.was_made || said.drops(&filled)) {
            return Standing::Known;
        }
        if !is_default && !is_written(&value, &self.programs) {
            return Standing::Known;
        }
        // What is declared stands in nobody's words by itself.
        let is_sourced = words::is_found(&value, &about, self.sources);
        let by_words = self.by_words(parameter, &value, &about);
        if !is_sourced && !is_default {
            return by_words;
        }
        if is_sourced && by_words == Standing::Known && said.changes(&filled, &value) {
            return Standing::Known;
        }
        Standing::Changed(filled.value.clone())
    }

    /// The standing of a value that replaces none. One that a call was made with needs no words again.
    fn kept_or_by_words(&mut self, parameter: &ParameterSpec, value: &Value, about: &str) -> Standing {
        let filled = self.filled.get(&parameter.name).cloned();
        let made = filled
            .filter(|filled| filled.was_made && (filled.value == value || filled.beside.contains(&value)));
        let Some(filled) = made else {
            return self.by_words(parameter, value, about);
        };
        let said = Said {
            sources: self.sources,
            about,
            turn: self.turn,
        };
        // A value that its program computed takes no mention of a number away.
        if said.was_said(&filled) {
            self.use_up(value);
        }
        Standing::Known
    }

    /// The standing of a value by what was said, whatever an earlier call passed.
    fn by_words(&mut self, parameter: &ParameterSpec, value: &Value, about: &str) -> Standing {
        if parameter.default.as_ref() == Some(value) || !is_written(value, &self.programs) {
            return Standing::Known;
        }
        // One mention is one value: a table for two is not one for two children as well.
        if let Some((number, times)) = self.use_up(value)
            && times > 1
            && times > words::mentions(number, self.sources)
        {
            return Standing::MadeUp;
        }
        if words::is_found(value, about, self.sources) {
            Standing::Known
        } else {
            Standing::MadeUp
        }
    }

    /// The number that a value is, and how often it was passed by now.
    fn use_up(&mut self, value: &Value) -> Option<(f64, usize)> {
        let number: f64 = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
        let times = self.used.entry(number.to_string()).or_default();
        *times += 1;
        Some((number, *times))
    }
}

/// The standing of what a call leaves out.
fn left_out(parameter: &ParameterSpec, filled: Option<&Filled<'_>>, said: Said<'_>) -> Standing {
    let lost =
        filled.filter(|filled| parameter.default.as_ref() != Some(filled.value) && !said.drops(filled));
    match lost {
        Some(filled) => {
            let declared = parameter.default.clone().filter(|_| filled.was_made);
            Standing::LeftOut {
                before: filled.value.clone(),
                for_another: declared.filter(|value| !parameter.asked || !is_blank(value)),
            }
        }
        None if parameter.asked => Standing::Missing,
        None => Standing::Known,
    }
}

fn about(parameter: &ParameterSpec) -> String {
    format!("{} {}", parameter.name, parameter.doc)
}

/// Whether the model wrote any part of a value down itself.
fn is_written(value: &Value, programs: &str) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| is_written(item, programs)),
        Value::Object(fields) => fields.values().any(|field| is_written(field, programs)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            words::is_written(value, programs)
        }
    }
}
