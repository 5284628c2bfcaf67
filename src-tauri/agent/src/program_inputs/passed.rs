//! Constants that programs pass straight to tools, such as `await files.read("a.csv")`. The record of the calls says which they
//! are, and how the argument is called. Files that are opened as in Python count, too (`opened.rs`). Pure.

mod opened;

use super::plain;
use super::tokens::{Kind, Token, tokens};
use serde_json::Value;
use shidi_protocol::{CallRecord, CallState, JsonMap};
use std::ops::Range;

/// Inputs that constants become: a person looks through them all.
const INPUTS_MAX: usize = 12;

/// Characters of a text that is an input: a longer one is what the program is about.
const TEXT_CHARACTERS_MAX: usize = 200;

/// The toolkit by which a program speaks: its words are no inputs.
const SPEECH: &str = "user";

/// A constant in a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// The number of the program, from 0, and the bytes there.
    pub program: usize,
    pub range: Range<usize>,
    /// The input that it is. Constants of one argument and one value share it.
    pub name: String,
    pub value: Value,
}

/// A constant as a call has it.
struct Argument {
    name: String,
    value: Value,
    range: Range<usize>,
}

/// An input that was found.
struct Input {
    argument: String,
    value: Value,
    name: String,
}

/// All that were passed to calls which were made, in their order.
pub fn constants(programs: &[String], calls: &[CallRecord]) -> Vec<Constant> {
    let read: Vec<Vec<Token<'_>>> = programs.iter().map(|program| tokens(program)).collect();
    let mut found = Vec::new();
    let mut inputs: Vec<Input> = Vec::new();
    for (program, tokens) in read.iter().enumerate() {
        for Argument { name, value, range } in arguments(&programs[program], tokens, calls) {
            let mut known = inputs.iter();
            let known = known.find(|input| input.argument == name && input.value == value);
            let input = match known.map(|input| input.name.clone()) {
                Some(input) => input,
                None if inputs.len() == INPUTS_MAX => continue,
                None => free(&name, &read, &inputs),
            };
            if inputs.iter().all(|known| known.name != input) {
                inputs.push(Input {
                    argument: name,
                    value: value.clone(),
                    name: input.clone(),
                });
            }
            found.push(Constant {
                program,
                range,
                name: input,
                value,
            });
        }
    }
    found
}

/// Programs with other words in the places of constants; `None` leaves one as it is.
pub fn replaced(
    programs: &[String],
    constants: &[Constant],
    words: impl Fn(&Constant) -> Option<String>,
) -> Vec<String> {
    let mut replaced = programs.to_vec();
    // From the end: what comes before stays where it is.
    for constant in constants.iter().rev() {
        if let (Some(words), Some(program)) = (words(constant), replaced.get_mut(constant.program)) {
            program.replace_range(constant.range.clone(), &words);
        }
    }
    replaced
}

/// The constants among the arguments of a program's calls.
fn arguments(program: &str, tokens: &[Token<'_>], calls: &[CallRecord]) -> Vec<Argument> {
    let mut found = Vec::new();
    for (at, head) in tokens.windows(4).enumerate() {
        let [toolkit, dot, method, open] = head else {
            continue;
        };
        let is_call = toolkit.kind == Kind::Name
            && dot.text == "."
            && method.kind == Kind::Name
            && open.text == "("
            && toolkit.text != SPEECH;
        let is_part = at > 0 && tokens[at - 1].text == ".";
        if !is_call || is_part {
            continue;
        }
        let made = calls.iter().filter(|record| {
            let call = &record.call;
            record.state == CallState::Done && call.toolkit == toolkit.text && call.method == method.text
        });
        let made: Vec<&JsonMap> = made.map(|record| &record.call.args).collect();
        let given = divided(&tokens[at + 4..]).into_iter();
        found.extend(given.filter_map(|argument| constant_of(program, argument, &made)));
    }
    found.extend(opened::arguments(program, tokens, calls));
    // A call may stand among the arguments of another one.
    found.sort_by_key(|argument| argument.range.start);
    found.dedup_by_key(|argument| argument.range.start);
    found
}

/// The arguments behind the bracket of a call; none where it is not closed.
fn divided<'a, 'p>(rest: &'a [Token<'p>]) -> Vec<&'a [Token<'p>]> {
    let (mut depth, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (at, token) in rest.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => {
                parts.push(&rest[start..at]);
                return parts;
            }
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 0 => {
                parts.push(&rest[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    Vec::new()
}

/// The plain value that is all of an argument, with the argument's name where it stands there.
fn literal_of<'p>(program: &str, argument: &[Token<'p>]) -> Option<(Option<&'p str>, Range<usize>, Value)> {
    let (keyword, literal) = match argument {
        [name, equals, literal @ ..] if name.kind == Kind::Name && equals.text == "=" => {
            (Some(name.text), literal)
        }
        literal => (None, literal),
    };
    let range = match literal {
        [only] if only.kind != Kind::Sign => only.at..only.end(),
        [minus, number] if minus.text == "-" && number.kind == Kind::Number && minus.end() == number.at => {
            minus.at..number.end()
        }
        _ => return None,
    };
    let value = plain(&program[range.clone()]).filter(is_input)?;
    Some((keyword, range, value))
}

/// The constant that is all of an argument, if a call was made with it.
fn constant_of(program: &str, argument: &[Token<'_>], made: &[&JsonMap]) -> Option<Argument> {
    let (keyword, range, value) = literal_of(program, argument)?;
    let mut names: Vec<&str> = made
        .iter()
        .flat_map(|args| args.iter())
        .filter(|(name, given)| **given == value && keyword.is_none_or(|keyword| keyword == *name))
        .map(|(name, _)| name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    match names[..] {
        [name] => Some(Argument {
            name: name.to_owned(),
            value,
            range,
        }),
        // Not made with it, or nobody can say which one it is.
        [..] => None,
    }
}

fn is_input(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            !text.trim().is_empty() && !text.contains('\n') && text.chars().count() <= TEXT_CHARACTERS_MAX
        }
        Value::Bool(_) | Value::Number(_) => true,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// A name that means nothing else in the programs: that of the argument, with a number if need be.
fn free(argument: &str, programs: &[Vec<Token<'_>>], inputs: &[Input]) -> String {
    let is_taken = |name: &str| {
        inputs.iter().any(|input| input.name == name) || programs.iter().any(|tokens| uses(tokens, name))
    };
    let mut name = argument.to_owned();
    let mut number = 1_u32;
    while is_taken(&name) {
        number += 1;
        name = format!("{argument}_{number}");
    }
    name
}

/// Whether a name stands for something in a program. As a part of something else, or as an argument's name, it does not.
fn uses(tokens: &[Token<'_>], name: &str) -> bool {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_part = at > 0 && text(at - 1) == ".";
        let is_argument = depth > 0 && text(at + 1) == "=" && text(at + 2) != "=";
        if token.kind == Kind::Name && token.text == name && !is_part && !is_argument {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
