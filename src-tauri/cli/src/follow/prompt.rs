//! Questions at the terminal while a run waits: on stderr, so that stdout stays the answer. A text that was typed or
//! pasted before a question stood there answers nothing.

use super::asked::QuestionForm;
use super::cards::clean;
use super::show::wish_line;
use crate::console::{Console, Look};
use crate::interrupt::Interrupts;
use crate::limits::{APPROVAL_PART_CHARS, PROMPT_TRIES_MAX};
use crate::typeahead;
use shidi_protocol::{Class, JsonMap, exact};
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
    match show_whole(console, interrupts, &wish_line(words, tool, args, class)).await {
        Seen::Whole => {}
        Seen::Refused => return refusal(console, interrupts).await,
        Seen::NotYet(decision) => return decision,
    }
    for _ in 0..PROMPT_TRIES_MAX {
        let keys = words.approval_keys(&exact(&clean(family)));
        let text = match typed_line(console, interrupts, &keys).await {
            Line::Text(text) => text,
            Line::Ended => return Decision::Later,
            Line::Interrupted => return Decision::Interrupted,
        };
        match text.trim().to_lowercase().as_str() {
            "y" | "yes" | "是" => return Decision::Once,
            "a" | "always" | "总是" if !family.is_empty() => return Decision::Always,
            "n" | "no" | "不" | "否" => return refusal(console, interrupts).await,
            _ => console.note(Look::Plain, words.unclear()),
        }
    }
    Decision::Later
}

/// Asks the user what the program asks: one answer, or one for each field, and then for an action.
pub async fn question(
    console: &Console,
    interrupts: &mut Interrupts,
    text: &str,
    asked: &QuestionForm,
) -> Decision {
    show_question(console, text, asked);
    let first = match asked.begins_with_action() {
        true => match typed_line(console, interrupts, console.words.answer_prompt()).await {
            Line::Text(text) => Some(text),
            Line::Ended => return Decision::Later,
            Line::Interrupted => return Decision::Interrupted,
        },
        false => None,
    };
    if first.as_ref().is_some_and(|action| asked.is_bare(action)) {
        return Decision::Answered(asked.answer(JsonMap::new(), first));
    }
    let mut answers = JsonMap::new();
    for field in &asked.fields {
        match typed_line(console, interrupts, &format!("{}: ", field.shown)).await {
            Line::Text(text) if text.is_empty() => answers.insert(field.name.clone(), field.default.clone()),
            Line::Text(text) => answers.insert(field.name.clone(), text.into()),
            Line::Ended => return Decision::Later,
            Line::Interrupted => return Decision::Interrupted,
        };
    }
    if first.is_some() || !asked.fields.is_empty() && !asked.has_actions {
        return Decision::Answered(asked.answer(answers, first));
    }
    match typed_line(console, interrupts, console.words.answer_prompt()).await {
        Line::Text(text) if asked.fields.is_empty() => Decision::Answered(text),
        Line::Text(text) => Decision::Answered(asked.answer(answers, Some(text))),
        Line::Ended => Decision::Later,
        Line::Interrupted => Decision::Interrupted,
    }
}

/// Shows a question. What a server asks stands under our own words, which say whose it is.
fn show_question(console: &Console, text: &str, asked: &QuestionForm) {
    let mut lines = asked.lines.iter();
    if asked.begins_with_action() {
        lines
            .next()
            .into_iter()
            .for_each(|title| console.note(Look::Strong, title));
        text.lines()
            .for_each(|line| console.note(Look::Plain, &format!("  {}", clean(line))));
    } else {
        console.note(Look::Strong, &console.words.asks(text));
    }
    lines.for_each(|line| console.note(Look::Plain, line));
}

/// How much was seen of a call before it is decided about.
enum Seen {
    Whole,
    Refused,
    NotYet(Decision),
}

/// Shows a call to its end, part by part where it is long: what was never shown can't be approved.
async fn show_whole(console: &Console, interrupts: &mut Interrupts, call: &str) -> Seen {
    let parts = parts_of(call, APPROVAL_PART_CHARS);
    let mut asks = true;
    for (part, number) in parts.iter().zip(1..) {
        console.note(Look::Strong, part);
        let mut tries = 0;
        while asks && number < parts.len() {
            let keys = console.words.part_keys(number, parts.len());
            let text = match typed_line(console, interrupts, &keys).await {
                Line::Text(text) => text.to_lowercase(),
                Line::Ended => return Seen::NotYet(Decision::Later),
                Line::Interrupted => return Seen::NotYet(Decision::Interrupted),
            };
            match text.as_str() {
                "" => break,
                "all" | "全部" => asks = false,
                "n" | "no" | "不" | "否" => return Seen::Refused,
                _ => console.note(Look::Plain, console.words.unclear()),
            }
            tries += 1;
            if tries == PROMPT_TRIES_MAX {
                return Seen::NotYet(Decision::Later);
            }
        }
    }
    Seen::Whole
}

/// The text in parts of so many characters.
fn parts_of(text: &str, characters: usize) -> Vec<&str> {
    let starts = text.char_indices().step_by(characters).map(|(start, _)| start);
    let ends = starts.clone().skip(1).chain([text.len()]);
    starts.zip(ends).map(|(start, end)| &text[start..end]).collect()
}

async fn refusal(console: &Console, interrupts: &mut Interrupts) -> Decision {
    match typed_line(console, interrupts, console.words.reason_prompt()).await {
        Line::Text(reason) => Decision::Refused(Some(reason).filter(|reason| !reason.is_empty())),
        Line::Ended => Decision::Refused(None),
        Line::Interrupted => Decision::Interrupted,
    }
}

/// Asks for a line that is typed from now on.
async fn typed_line(console: &Console, interrupts: &mut Interrupts, prompt: &str) -> Line {
    let dropped = tokio::task::spawn_blocking(typeahead::drop_typed);
    let is_quiet = tokio::select! {
        dropped = dropped => dropped.unwrap_or(false),
        () = interrupts.pressed() => return Line::Interrupted,
    };
    if !is_quiet {
        return Line::Ended;
    }
    console.prompt(prompt);
    read_line(interrupts).await
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
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_call_are_the_call() {
        for text in ["", "a", "师弟师弟师", &"xy".repeat(APPROVAL_PART_CHARS)] {
            for characters in [1, 2, 4, APPROVAL_PART_CHARS] {
                let parts = parts_of(text, characters);
                assert_eq!(parts.concat(), text);
                assert!(parts.iter().all(|part| part.chars().count() <= characters));
            }
        }
    }
}
