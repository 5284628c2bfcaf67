//! Cards that ask (F7.4): a choice, a yes or no, a form, a change to accept piece by piece. A hand-over and operations
//! are such cards, too. So are a program's cards of JSON, and the questions of servers. A program's cards of JSON and
//! the questions of servers are such cards, too. A call waits with its card; the person's answer is the result of the
//! call.
//!
//! Pure: a program's arguments come in and one plain form comes out. A window's or terminal's answer comes in;
//! the program's value comes out, or the answer's fault in the person's language.

mod answering;
mod hunks;
mod reading;
mod values;

pub use answering::{Answer, answer};
use serde_json::Value;
use shidi_protocol::{Call, JsonMap};

/// Methods of calls by which servers ask: a form, and a question to a model.
pub const ELICIT: &str = "elicit";
pub const SAMPLE: &str = "sample";

/// A call that asks, as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    pub text: String,
    /// The fields or options of the card; `None` where one text answers, a list of names where several texts do.
    pub fields: Option<Value>,
}

/// The card of a call of `user`; `None` when that method asks nothing.
#[must_use]
pub fn of(call: &Call) -> Option<Result<Form, String>> {
    if call.toolkit != "user" {
        return None;
    }
    let args = &call.args;
    match call.method.as_str() {
        "ask" => Some(Ok(Form {
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
        // No program makes these: a server asks them while a call is at work.
        ELICIT | SAMPLE if call.id.is_aside() => Some(asked(args, reading::server(args))),
        _ => None,
    }
}

fn asked(args: &JsonMap, fields: Result<Value, String>) -> Result<Form, String> {
    let text = args.get("text").map(plain).unwrap_or_default();
    fields.map(|fields| Form {
        text,
        fields: Some(fields),
    })
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests;
