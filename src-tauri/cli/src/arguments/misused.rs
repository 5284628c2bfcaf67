//! What was wrong with the arguments, in Chinese: clap says it in English alone. The kinds that people meet; of others the
//! English report stands.

use crate::words::Words;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The sentence, its usage line and the hint; `None` for a kind that has no words here.
#[must_use]
pub fn in_chinese(error: &clap::Error, words: Words) -> Option<String> {
    let sentence = sentence(error)?;
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => {
            let usage = usage.to_string();
            let usage = usage.trim_start();
            format!("\n\n用法：{}", usage.strip_prefix("Usage: ").unwrap_or(usage))
        }
        Some(_) | None => String::new(),
    };
    let hint = hint(error).unwrap_or_else(|| words.see_help().to_owned());
    Some(format!("{sentence}{usage}\n{}{hint}\n", words.hint()))
}

fn sentence(error: &clap::Error) -> Option<String> {
    let argument = || joined(error, ContextKind::InvalidArg);
    let value = || joined(error, ContextKind::InvalidValue);
    let sentence = match error.kind() {
        ErrorKind::UnknownArgument => format!("没有 {} 这个参数", argument()?),
        ErrorKind::InvalidSubcommand => {
            format!("没有 {} 这个命令", joined(error, ContextKind::InvalidSubcommand)?)
        }
        ErrorKind::MissingSubcommand => {
            let there = joined(error, ContextKind::ValidSubcommand);
            let there = there.map(|names| format!("：{names}")).unwrap_or_default();
            format!("还要写是哪个命令{there}")
        }
        ErrorKind::MissingRequiredArgument => format!("还缺 {}", argument()?),
        ErrorKind::InvalidValue => {
            let there = joined(error, ContextKind::ValidValue);
            let there = there
                .map(|values| format!("，可以是：{values}"))
                .unwrap_or_default();
            match value().filter(|value| !value.is_empty()) {
                Some(value) => format!("{} 不能是“{value}”{there}", argument()?),
                None => format!("{} 后面要写一个值{there}", argument()?),
            }
        }
        ErrorKind::ValueValidation => format!("{} 不能是“{}”{}", argument()?, value()?, why(error)),
        ErrorKind::TooManyValues => format!("{} 不用再写“{}”", argument()?, value()?),
        ErrorKind::ArgumentConflict => match (argument()?, joined(error, ContextKind::PriorArg)) {
            (argument, Some(prior)) if prior != argument => format!("{argument} 不能和 {prior} 一起用"),
            (argument, _) => format!("{argument} 只能写一次"),
        },
        _ => return None,
    };
    Some(sentence)
}

/// Why a value does not fit, as far as its name does not say it.
fn why(error: &clap::Error) -> String {
    let Some(why) = std::error::Error::source(error) else {
        return String::new();
    };
    if why.is::<std::num::ParseIntError>() || why.is::<std::num::ParseFloatError>() {
        return "：要写一个数".to_owned();
    }
    let why = why.to_string();
    match why.contains(" is none of ") {
        true => String::new(),
        false => format!("：{why}"),
    }
}

fn hint(error: &clap::Error) -> Option<String> {
    let suggested = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedValue,
    ];
    if let Some(suggested) = suggested.into_iter().find_map(|kind| joined(error, kind)) {
        return Some(format!("是不是想写：{suggested}"));
    }
    let is_content =
        error.kind() == ErrorKind::UnknownArgument && error.get(ContextKind::Suggested).is_some();
    let argument = joined(error, ContextKind::InvalidArg).filter(|_| is_content)?;
    Some(format!("如果 {argument} 是要说的话，在它前面写 --"))
}

/// What is known of that kind, several parted by `、`; `None` when nothing is.
fn joined(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) if !texts.is_empty() => Some(texts.join("、")),
        _ => None,
    }
}
