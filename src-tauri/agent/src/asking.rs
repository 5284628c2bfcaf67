//! Cards that ask (F7.4): a choice, a yes or no, a form, a change to accept piece by piece, a hand-over, operations, and those
//! that a program makes of JSON. A call waits with its card, and what the person does with it is the result of the call.
//!
//! Pure: arguments come in as the program wrote them, one plain form comes out; an answer comes in as a window or a terminal
//! sends it, the value for the program comes out, or what is wrong with it in the person's language.

mod answering;
mod hunks;
mod reading;

pub use answering::{Answer, answer};
use serde_json::Value;
use shidi_protocol::{Call, JsonMap};

/// A call that asks, as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub text: String,
    /// What is to be filled in or chosen; `None` where one text answers it, a list of names where several do.
    pub fields: Option<Value>,
}

/// What a call of `user` asks; `None` when that method asks nothing.
#[must_use]
pub fn of(call: &Call) -> Option<Result<Asked, String>> {
    if call.toolkit != "user" {
        return None;
    }
    let args = &call.args;
    match call.method.as_str() {
        "ask" => Some(Ok(Asked {
            text: args.get("text").map(plain).unwrap_or_default(),
            fields: args.get("fields").filter(|fields| !fields.is_null()).cloned(),
        })),
        "choose" => Some(asked(args, reading::choice(args))),
        "confirm" => Some(asked(args, Ok(reading::confirmation(args)))),
        "form" => Some(asked(args, reading::form(args))),
        "diff" => Some(asked(args, reading::change(args))),
        "hand_over" => Some(asked(args, reading::hand_over(args))),
        "operate" => Some(asked(args, reading::operations(args))),
        "card" => Some(reading::custom(args)),
        _ => None,
    }
}

fn asked(args: &JsonMap, fields: Result<Value, String>) -> Result<Asked, String> {
    let text = args.get("text").map(plain).unwrap_or_default();
    fields.map(|fields| Asked {
        text,
        fields: Some(fields),
    })
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests;
