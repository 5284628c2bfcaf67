//! Builds what the model is asked: modules of the system prompt, then the transcript, stable first (F4).
//!
//! Modules are template files in `assets/prompts/`, one per language and module; nothing that changes from
//! question to question stands before the transcript, so that the providers' prompt caches hit.

mod fit;
mod modules;
pub mod stubs;

use crate::abilities;
use crate::areas::todo;
use crate::compaction::{self, Plan};
use crate::formats::Hole;
use crate::limits;
use crate::situation::Situation;
use modules::Rendered;
use shidi_protocol::{
    Brief, Completion, Message, ModelRequest, ModelRole, Part, PromptPart, SegmentKind, Speaker,
    ToolDeclaration, VariablePreview,
};

pub use modules::{OwnModules, PromptError};
pub use shidi_protocol::tokens;

/// A module with which a model is asked beside every run.
///
/// # Errors
/// As [`assemble`].
pub fn standing_alone(own: &OwnModules, language: &str, module: &'static str) -> Result<String, PromptError> {
    modules::of_no_run(own, language, module)
}

/// Builds the request for the next step of the coding loop.
///
/// # Errors
/// [`PromptError`] when a template can't be rendered.
pub fn assemble(situation: &Situation) -> Result<ModelRequest, PromptError> {
    let settings = &situation.settings;
    let format = settings.format.implementation();
    let frame = Frame::of(situation)?;
    let budget = settings
        .window_tokens
        .saturating_sub(output_tokens(situation))
        .saturating_sub(frame.tokens());
    let seen = compaction::view(&situation.segments);
    let fitted = fit::fit(&seen, budget);
    let mut messages = vec![Message::text(Speaker::System, frame.system.clone())];
    messages.extend(format.messages(&fitted.kept));
    append_live(&mut messages, &frame.live);
    let mut parts = frame.parts;
    parts.extend(fitted.parts);
    Ok(ModelRequest {
        run: situation.run.clone(),
        role: role(situation),
        messages,
        tools: frame.tools,
        max_output_tokens: output_tokens(situation),
        completion: None,
        brief: brief(situation),
        parts,
    })
}

/// Who is asked for the next step: words are the general model's, where there is one, and programs the coder's.
#[must_use]
pub fn role(situation: &Situation) -> ModelRole {
    if situation.settings.has_general_model && !situation.state.is_coders {
        ModelRole::General
    } else {
        ModelRole::Coder
    }
}

/// Tokens of the next prompt if nothing had to be left out.
///
/// # Errors
/// As [`assemble`].
pub fn size(situation: &Situation) -> Result<u32, PromptError> {
    let seen = compaction::view(&situation.segments);
    let transcript: u32 = seen.iter().map(|segment| compaction::weight(segment)).sum();
    Ok(Frame::of(situation)?.tokens().saturating_add(transcript))
}

/// Whether the next prompt has no place for all of the transcript.
///
/// # Errors
/// As [`assemble`].
pub fn leaves_out_segments(situation: &Situation) -> Result<bool, PromptError> {
    let frame = Frame::of(situation)?.parts.len();
    let parts = assemble(situation)?.parts;
    Ok(parts[frame..].iter().any(|part| part.left_out > 0))
}

/// Builds the request for a summary of what a compaction is to cover.
///
/// # Errors
/// As [`assemble`].
pub fn assemble_summary(situation: &Situation, plan: &Plan) -> Result<ModelRequest, PromptError> {
    let window = situation.settings.window_tokens;
    let percent = limits::SUMMARY_INPUT_PERCENT
        >> situation
            .state
            .summary_overflows
            .min(limits::SUMMARY_OVERFLOWS_MAX);
    let covered = compaction::transcript(&plan.covered, window / 100 * percent);
    let messages = vec![
        Message::text(Speaker::System, modules::plain(situation, "compact")?),
        Message::text(Speaker::User, format!("<work>\n{covered}\n</work>")),
    ];
    Ok(ModelRequest {
        run: situation.run.clone(),
        role: ModelRole::Fast,
        messages,
        tools: Vec::new(),
        max_output_tokens: limits::SUMMARY_TOKENS_MAX,
        completion: None,
        brief: Brief::default(),
        parts: Vec::new(),
    })
}

/// What the fast model can be asked beside the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enquiry {
    /// What the user's words mean.
    Perceive,
    /// Whether an answer does what was asked.
    Check,
    /// Which passages of a long result answer a question.
    LookUp,
    /// What a task that is over leaves.
    Learn,
}

/// Builds a question to the fast model about `text`.
///
/// # Errors
/// As [`assemble`].
pub fn assemble_enquiry(
    situation: &Situation,
    enquiry: Enquiry,
    text: String,
) -> Result<ModelRequest, PromptError> {
    let module = match enquiry {
        Enquiry::Perceive => "perceive",
        Enquiry::Check => "check",
        Enquiry::LookUp => "look_up",
        Enquiry::Learn => "learn",
    };
    Ok(ModelRequest {
        run: situation.run.clone(),
        role: ModelRole::Fast,
        messages: vec![
            Message::text(Speaker::System, modules::plain(situation, module)?),
            Message::text(Speaker::User, text),
        ],
        tools: Vec::new(),
        max_output_tokens: limits::ENQUIRY_TOKENS_MAX,
        completion: None,
        brief: Brief::default(),
        parts: Vec::new(),
    })
}

/// Everything of a prompt but the transcript.
struct Frame {
    system: String,
    live: String,
    tools: Vec<ToolDeclaration>,
    parts: Vec<PromptPart>,
}

impl Frame {
    fn of(situation: &Situation) -> Result<Self, PromptError> {
        let settings = &situation.settings;
        let tools = settings
            .format
            .implementation()
            .tools(&abilities::declared(situation));
        let mut live = live_text(situation);
        let mut parts = Vec::new();
        let mut texts = Vec::new();
        let mut left = settings.window_tokens / 100 * limits::FRAME_PERCENT_MAX;
        let modules = modules::system(situation)?;
        let needed: u32 = modules
            .iter()
            .filter(|module| !module.droppable)
            .map(Rendered::tokens)
            .sum();
        left = left.saturating_sub(needed);
        for module in &modules {
            let tokens = module.tokens();
            let mut part = PromptPart {
                own: module.own,
                ..PromptPart::named(module.name)
            };
            if module.droppable && tokens > left {
                part.left_out = tokens;
            } else {
                left -= if module.droppable { tokens } else { 0 };
                part.tokens = tokens;
                texts.push(module.text.as_str());
            }
            parts.push(part);
        }
        for (name, tokens) in [("tools", tools_tokens(&tools)), ("live", tokens::estimate(&live))] {
            parts.push(PromptPart {
                tokens,
                ..PromptPart::named(name)
            });
        }
        let experience = fitting(situation.taught.len(), left, |most| {
            modules::experience(situation, most)
        })?;
        left -= experience.as_ref().map_or(0, |(_, part)| part.tokens);
        let memory = fitting(situation.recalled.len(), left, |most| {
            modules::memory(situation, most)
        })?;
        for (text, part) in [experience, memory].into_iter().flatten() {
            live = format!("{text}{live}");
            parts.push(part);
        }
        Ok(Self {
            system: texts.join("\n\n"),
            live,
            tools,
            parts,
        })
    }

    fn tokens(&self) -> u32 {
        self.parts.iter().map(|part| part.tokens).sum()
    }
}

/// As much of a module as `left` tokens hold, the best of `all` it tells of first, with its part for the trace.
fn fitting(
    all: usize,
    left: u32,
    module: impl Fn(usize) -> Result<Option<Rendered>, PromptError>,
) -> Result<Option<(String, PromptPart)>, PromptError> {
    let Some(whole) = module(all)? else {
        return Ok(None);
    };
    let mut part = PromptPart {
        own: whole.own,
        left_out: whole.tokens(),
        ..PromptPart::named(whole.name)
    };
    for most in (1..=all).rev() {
        let Some(module) = module(most)? else {
            continue;
        };
        let tokens = module.tokens();
        if tokens <= left {
            part.left_out = part.left_out.saturating_sub(tokens);
            part.tokens = tokens;
            return Ok(Some((format!("{}\n\n", module.text), part)));
        }
    }
    Ok(Some((String::new(), part)))
}

fn tools_tokens(tools: &[ToolDeclaration]) -> u32 {
    let weight = |tool: &ToolDeclaration| {
        tokens::estimate(&tool.name)
            + tokens::estimate(&tool.description)
            + tokens::estimate(&tool.schema.to_string())
    };
    tools.iter().map(weight).sum()
}

/// Tokens that an answer may have.
pub fn output_tokens(situation: &Situation) -> u32 {
    limits::OUTPUT_TOKENS_MAX.min(situation.settings.window_tokens / 100 * limits::OUTPUT_PERCENT_MAX)
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
    let mut head = abilities::rendered(&situation.settings.toolkits);
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

/// What changes with every step: the time, live variables. Stands last, after everything a cache may hold.
fn live_text(situation: &Situation) -> String {
    let now = situation.now.timestamp();
    let mut text = format!("[Context]: <now utc=\"{now:.0}\"/>");
    if !situation.state.todo.is_empty() {
        text.push_str(&format!(
            "\n<todo>\n{}\n</todo>",
            todo::rendered(&situation.state.todo)
        ));
    }
    let lives = |name: &String| situation.variables.iter().any(|variable| variable.name == *name);
    let gone = situation
        .gone
        .iter()
        .filter(|name| !lives(name))
        .take(limits::VARIABLES_SHOWN);
    let gone = gone.map(String::as_str).collect::<Vec<_>>().join(", ");
    if !gone.is_empty() {
        text.push_str(&format!(
            "\n<gone>defined before a restart, define again: {gone}</gone>"
        ));
    }
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

/// The toolkit that a session without memory has not.
const MEMORY: &str = "memory";

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
        last_failed: output.is_some_and(|segment| segment.failed),
        without_memory: !situation
            .settings
            .toolkits
            .iter()
            .any(|toolkit| toolkit.name == MEMORY),
    }
}

#[cfg(test)]
mod tests;
