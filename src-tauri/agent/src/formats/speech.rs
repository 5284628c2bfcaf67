//! The notation inside an answer's prose: `[Thought]: …`, `[Express]: …`, one part after the other.
//!
//! It is the notation in which the transcript itself is shown, so models take to it by themselves. Parts without
//! a tag are the thought when a program follows, and the answer when none does.

use super::{Action, Deed, Malformed};

/// Tags that a model may write, with the longest first so that none is the beginning of another.
pub(super) const TAGS: [&str; 6] = [
    "[Evaluation]:",
    "[NextGoal]:",
    "[Express]:",
    "[Thought]:",
    "[GiveUp]:",
    "[Python]:",
];

/// The parts of an answer's prose.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub untagged: String,
    pub evaluation: String,
    pub next_goal: String,
    pub express: String,
    pub thought: String,
    pub give_up: String,
}

/// Splits prose at its tags. A tag counts only at the start of a line.
pub(super) fn parts(text: &str) -> Parts {
    let (thinking, text) = without_thinking(text);
    let mut parts = Parts::default();
    let mut current = "";
    for line in text.split_inclusive('\n') {
        let body = line.trim_start();
        let tag = TAGS.iter().find(|tag| body.starts_with(**tag)).copied();
        let content = tag.map_or(line, |tag| body[tag.len()..].trim_start_matches([' ', '\t']));
        current = tag.unwrap_or(current);
        let target = match current {
            "[Evaluation]:" => &mut parts.evaluation,
            "[NextGoal]:" => &mut parts.next_goal,
            "[Express]:" => &mut parts.express,
            "[Thought]:" => &mut parts.thought,
            "[GiveUp]:" => &mut parts.give_up,
            _ => &mut parts.untagged,
        };
        target.push_str(content);
    }
    if parts.thought.trim().is_empty() {
        parts.thought = thinking;
    }
    parts
}

/// The action that prose and an optional program make together.
pub(super) fn action(prose: &str, reasoning: &str, program: Option<String>) -> Result<Action, Malformed> {
    let parts = parts(prose);
    let evaluation = some(&parts.evaluation);
    let next_goal = some(&parts.next_goal);
    if let Some(program) = program {
        let thought = [&parts.thought, &parts.untagged, &parts.express].map(|part| part.trim());
        let thought = thought
            .iter()
            .filter(|part| !part.is_empty())
            .copied()
            .collect::<Vec<_>>()
            .join("\n");
        let thought = if thought.is_empty() {
            reasoning.trim().to_owned()
        } else {
            thought
        };
        return Ok(Action {
            evaluation,
            next_goal,
            thought,
            deed: Deed::Program(program),
        });
    }
    let thought = if parts.thought.trim().is_empty() {
        reasoning
    } else {
        &parts.thought
    };
    let thought = thought.trim().to_owned();
    if let Some(reasons) = some(&parts.give_up) {
        return Ok(Action {
            evaluation,
            next_goal,
            thought,
            deed: Deed::GiveUp(reasons),
        });
    }
    let said = some(&parts.express).or_else(|| some(&parts.untagged));
    let Some(answer) = said else {
        return Err(Malformed {
            correction: "Your answer was empty. Write either a program or an answer for the user.".to_owned(),
        });
    };
    Ok(Action {
        evaluation,
        next_goal,
        thought,
        deed: Deed::Answer(answer),
    })
}

/// Separates a leading `<think>…</think>`, which some local models write into their text.
fn without_thinking(text: &str) -> (String, &str) {
    let Some(rest) = text.trim_start().strip_prefix("<think>") else {
        return (String::new(), text);
    };
    match rest.split_once("</think>") {
        Some((thinking, rest)) => (thinking.trim().to_owned(), rest),
        None => (rest.trim().to_owned(), ""),
    }
}

fn some(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
