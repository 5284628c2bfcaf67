//! Questions at the terminal while a run waits: on stderr, so that stdout stays the answer.

use super::show::wish_line;
use crate::console::{Console, Look};
use crate::interrupt::Interrupts;
use crate::limits::{FIELDS_MAX, PROMPT_TRIES_MAX};
use serde_json::Value;
use shidi_protocol::{Class, JsonMap};
use tokio::sync::oneshot;

/// What the user decided.
pub enum Decision {
    Once,
    Always,
    Refused(Option<String>),
    Answered(String),
    /// The terminal gave no more input: the run stays as it is.
    Later,
    Interrupted,
}

/// One line of the terminal.
#[derive(Default)]
enum Line {
    Text(String),
    #[default]
    Ended,
    Interrupted,
}

/// Asks whether a call may be made.
pub async fn approval(
    console: &Console,
    interrupts: &mut Interrupts,
    tool: &str,
    args: &JsonMap,
    class: Class,
    family: &str,
) -> Decision {
    let words = console.words;
    console.note(Look::Strong, &wish_line(words, tool, args, class));
    for _ in 0..PROMPT_TRIES_MAX {
        console.prompt(&words.approval_keys(family));
        let text = match read_line(interrupts).await {
            Line::Text(text) => text,
            Line::Ended => return Decision::Later,
            Line::Interrupted => return Decision::Interrupted,
        };
        match text.trim().to_lowercase().as_str() {
            "y" | "yes" | "是" => return Decision::Once,
            "a" | "always" | "总是" => return Decision::Always,
            "n" | "no" | "不" | "否" => return refusal(console, interrupts).await,
            _ => console.note(Look::Plain, words.unclear()),
        }
    }
    Decision::Later
}

/// Asks the user what the program asks: one answer, or one for each field.
pub async fn question(
    console: &Console,
    interrupts: &mut Interrupts,
    text: &str,
    fields: &[String],
) -> Decision {
    console.note(Look::Strong, &format!("{}: {text}", console.words.asks()));
    if fields.is_empty() {
        console.prompt(console.words.answer_prompt());
        return match read_line(interrupts).await {
            Line::Text(text) => Decision::Answered(text),
            Line::Ended => Decision::Later,
            Line::Interrupted => Decision::Interrupted,
        };
    }
    let mut answers = JsonMap::new();
    for field in fields {
        console.prompt(&format!("{field}: "));
        match read_line(interrupts).await {
            Line::Text(text) => answers.insert(field.clone(), text.into()),
            Line::Ended => return Decision::Later,
            Line::Interrupted => return Decision::Interrupted,
        };
    }
    Decision::Answered(Value::Object(answers).to_string())
}

/// Names of the fields that a question asks for: texts, or objects with a `name`.
#[must_use]
pub fn field_names(fields: Option<&Value>) -> Vec<String> {
    let fields = fields
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let names = fields
        .iter()
        .filter_map(|field| field.as_str().or_else(|| field.get("name")?.as_str()));
    names.take(FIELDS_MAX).map(str::to_owned).collect()
}

/// How an answer to these fields is written on the command line.
#[must_use]
pub fn answer_shape(fields: &[String]) -> String {
    if fields.is_empty() {
        return "TEXT".to_owned();
    }
    let fields: Vec<String> = fields
        .iter()
        .map(|name| format!("{}: \"…\"", Value::from(name.as_str())))
        .collect();
    format!("'{{{}}}'", fields.join(", "))
}

async fn refusal(console: &Console, interrupts: &mut Interrupts) -> Decision {
    console.prompt(console.words.reason_prompt());
    match read_line(interrupts).await {
        Line::Text(reason) => Decision::Refused(Some(reason).filter(|reason| !reason.is_empty())),
        Line::Ended => Decision::Refused(None),
        Line::Interrupted => Decision::Interrupted,
    }
}

/// Waits for a line without keeping the program's other work waiting.
async fn read_line(interrupts: &mut Interrupts) -> Line {
    let (sender, line) = oneshot::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let ended = !matches!(std::io::stdin().read_line(&mut text), Ok(bytes) if bytes > 0);
        let line = if ended {
            Line::Ended
        } else {
            Line::Text(text.trim().to_owned())
        };
        sender.send(line).unwrap_or_default(); // whoever asked was interrupted meanwhile
    });
    tokio::select! {
        line = line => line.unwrap_or(Line::Ended),
        () = interrupts.pressed() => Line::Interrupted,
    }
}

#[cfg(test)]
mod tests;
