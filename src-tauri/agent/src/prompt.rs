//! Builds what the model is asked: modules of the system prompt, then the transcript, stable first (F4).
//!
//! Modules are template files in `assets/prompts/`, one per language and module; nothing that changes from
//! question to question stands before the transcript, so that the providers' prompt caches hit.

mod modules;
mod stubs;
pub mod tokens;

use crate::formats::Hole;
use crate::limits;
use crate::situation::Situation;
use shidi_protocol::{
    Brief, Completion, Message, ModelRequest, ModelRole, Part, Segment, SegmentKind, Speaker, VariablePreview,
};

pub use modules::{OwnModules, PromptError};

/// Builds the request for the next step of the coding loop.
///
/// # Errors
/// [`PromptError`] when a template can't be rendered.
pub fn assemble(situation: &Situation) -> Result<ModelRequest, PromptError> {
    let format = situation.settings.format.implementation();
    let modules = modules::system(situation)?;
    let texts: Vec<&str> = modules.iter().map(|module| module.text.as_str()).collect();
    let system = texts.join("\n\n");
    let budget = situation
        .settings
        .window_tokens
        .saturating_sub(limits::OUTPUT_TOKENS_MAX);
    let live = live_text(situation);
    let reserved = tokens::estimate(&system) + tokens::estimate(&live);
    let kept = fitting(&situation.segments, budget.saturating_sub(reserved));
    let mut messages = vec![Message::text(Speaker::System, system)];
    messages.extend(format.messages(&kept));
    append_live(&mut messages, &live);
    Ok(ModelRequest {
        run: situation.run.clone(),
        role: ModelRole::Coder,
        messages,
        tools: format.tools(&situation.settings.toolkits),
        max_output_tokens: limits::OUTPUT_TOKENS_MAX,
        completion: None,
        brief: brief(situation),
    })
}

/// Builds the request for the middle of a program whose thought stands in the transcript.
///
/// # Errors
/// As [`assemble`].
pub fn assemble_draft(situation: &Situation) -> Result<ModelRequest, PromptError> {
    let mut request = assemble(situation)?;
    let hole = Hole::new(&situation.variables, &situation.attachments);
    let asked = modules::draft(situation, &hole)?;
    append_live(&mut request.messages, &asked);
    request.tools.clear();
    request.completion = Some(Completion {
        prefix: format!("{}{}", draft_head(situation), hole.head),
        suffix: format!("\n{}\n", hole.tail),
    });
    Ok(request)
}

/// What a model that only completes text has to know, as Python: the toolkits, the task, the thought, the last output.
fn draft_head(situation: &Situation) -> String {
    let last = |kind: SegmentKind| {
        let found = situation
            .own_segments()
            .rev()
            .find(|segment| segment.kind == kind);
        found.map(|segment| segment.text.as_str()).unwrap_or_default()
    };
    let output: String = last(SegmentKind::Output)
        .chars()
        .take(limits::DRAFT_OUTPUT_CHARACTERS)
        .collect();
    let mut head = stubs::render(&situation.settings.toolkits);
    head.push_str("\n\n");
    for (name, text) in [
        ("Task", situation.question()),
        ("Output so far", output.as_str()),
        ("Plan", last(SegmentKind::Thought)),
    ] {
        if text.is_empty() {
            continue;
        }
        let lines: Vec<String> = text.lines().map(|line| format!("# {line}")).collect();
        head.push_str(&format!("# {name}:\n{}\n", lines.join("\n")));
    }
    head
}

/// The newest segments that fit, and always the newest question.
fn fitting(segments: &[Segment], budget_tokens: u32) -> Vec<&Segment> {
    let mut left = budget_tokens;
    let question = segments
        .iter()
        .rposition(|segment| segment.kind == SegmentKind::User);
    let mut kept: Vec<&Segment> = Vec::new();
    for (position, segment) in segments.iter().enumerate().rev() {
        let cost = tokens::estimate(&segment.text) + tokens::PER_SEGMENT;
        if cost <= left {
            left -= cost;
            kept.push(segment);
        } else if Some(position) >= question {
            kept.push(segment); // the task itself is never dropped, even if it overflows
        } else {
            break;
        }
    }
    kept.reverse();
    kept
}

/// What changes with every step: the time, live variables. Stands last, after everything a cache may hold.
fn live_text(situation: &Situation) -> String {
    let now = situation.now.timestamp();
    let mut text = format!("[Context]: <now utc=\"{now:.0}\"/>");
    if situation.variables.is_empty() {
        return text;
    }
    text.push_str("\n<variables>");
    for VariablePreview { name, kind, preview } in
        situation.variables.iter().rev().take(limits::VARIABLES_SHOWN)
    {
        let preview: String = preview
            .chars()
            .take(limits::VARIABLE_PREVIEW_CHARACTERS)
            .collect();
        text.push_str(&format!("\n{name}: {kind} = {preview}"));
    }
    text.push_str("\n</variables>");
    text
}

fn append_live(messages: &mut Vec<Message>, live: &str) {
    match messages.last_mut() {
        Some(last) if last.speaker == Speaker::User => {
            if let Some(Part::Text(text)) = last.parts.last_mut() {
                text.push_str("\n\n");
                text.push_str(live);
            }
        }
        _ => messages.push(Message::text(Speaker::User, live)),
    }
}

fn brief(situation: &Situation) -> Brief {
    let output = situation
        .own_segments()
        .rev()
        .find(|segment| segment.kind == SegmentKind::Output);
    Brief {
        question: situation.question().to_owned(),
        language: situation.state.language.clone(),
        attachments: situation.attachments.clone(),
        variables: situation.variables.clone(),
        last_output: output.map(|segment| segment.text.clone()),
        last_failed: output.is_some_and(|segment| segment.text.contains("Error")),
    }
}

#[cfg(test)]
mod tests;
