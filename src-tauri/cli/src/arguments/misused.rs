//! Faults of the arguments, in languages that clap does not speak: clap knows English alone. The kinds that people
//! meet; of others, and in English, clap's own report stands.

use crate::help;
use crate::words::Words;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use shidi_locales::Language;

/// The sentence, its usage line and the hint; `None` in English, and for a kind that has no words here.
#[must_use]
pub fn reworded(error: &clap::Error, words: Words) -> Option<String> {
    if words.language() == Language::SOURCE {
        return None;
    }
    let sentence = sentence(error, words)?;
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => {
            let usage = help::reworded(&usage.to_string(), words.language().cli());
            let usage = usage.trim_start();
            format!(
                "\n\n{}",
                words.usage_line(usage.strip_prefix("Usage: ").unwrap_or(usage))
            )
        }
        Some(_) | None => String::new(),
    };
    let hint = hint(error, words).unwrap_or_else(|| words.see_help().to_owned());
    Some(format!("{sentence}{usage}\n{}{hint}\n", words.hint()))
}

fn sentence(error: &clap::Error, words: Words) -> Option<String> {
    let argument = || joined(error, ContextKind::InvalidArg, words);
    let value = || joined(error, ContextKind::InvalidValue, words);
    let sentence = match error.kind() {
        ErrorKind::UnknownArgument => words.no_such_argument(argument()?),
        ErrorKind::InvalidSubcommand => {
            words.no_such_command(joined(error, ContextKind::InvalidSubcommand, words)?)
        }
        ErrorKind::MissingSubcommand => {
            let there = joined(error, ContextKind::ValidSubcommand, words);
            there.map_or_else(
                || words.which_command().to_owned(),
                |names| words.which_command_of(names),
            )
        }
        ErrorKind::MissingRequiredArgument => words.argument_missing(argument()?),
        ErrorKind::InvalidValue => {
            let there = joined(error, ContextKind::ValidValue, words);
            let there = there
                .map(|values| words.values_there_are(values))
                .unwrap_or_default();
            match value().filter(|value| !value.is_empty()) {
                Some(value) => words.argument_cannot_be(argument()?, value, there),
                None => words.argument_needs_value(argument()?, there),
            }
        }
        ErrorKind::ValueValidation => words.argument_cannot_be(argument()?, value()?, why(error, words)),
        ErrorKind::TooManyValues => words.surplus_value(argument()?, value()?),
        ErrorKind::ArgumentConflict => match (argument()?, joined(error, ContextKind::PriorArg, words)) {
            (argument, Some(prior)) if prior != argument => words.arguments_conflict(argument, prior),
            (argument, _) => words.argument_twice(argument),
        },
        _ => return None,
    };
    Some(sentence)
}

/// Why a value does not fit, as far as its name does not say it.
fn why(error: &clap::Error, words: Words) -> String {
    let Some(why) = std::error::Error::source(error) else {
        return String::new();
    };
    if why.is::<std::num::ParseIntError>() || why.is::<std::num::ParseFloatError>() {
        return words.why_number().to_owned();
    }
    if why.is::<shidi_protocol::NoScope>() {
        return words.why_scope().to_owned();
    }
    let why = why.to_string();
    match why.contains(" is none of ") {
        true => String::new(),
        false => words.why(why),
    }
}

fn hint(error: &clap::Error, words: Words) -> Option<String> {
    let suggested = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedValue,
    ];
    if let Some(suggested) = suggested.into_iter().find_map(|kind| joined(error, kind, words)) {
        return Some(words.meant(suggested));
    }
    let is_content =
        error.kind() == ErrorKind::UnknownArgument && error.get(ContextKind::Suggested).is_some();
    let argument = joined(error, ContextKind::InvalidArg, words).filter(|_| is_content)?;
    Some(words.meant_as_words(argument))
}

/// What is known of that kind, several parted by commas; `None` when nothing is.
fn joined(error: &clap::Error, kind: ContextKind, words: Words) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) if !texts.is_empty() => Some(texts.join(words.listed_with())),
        _ => None,
    }
}
