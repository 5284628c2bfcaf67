//! Builds the model's requests: modules of the system prompt, then the transcript, stable parts first (F4).
//!
//! Modules are template files in `assets/prompts/`, one per language and module. Text that changes from
//! question to question stands behind the transcript, so that the providers' prompt caches hit.

mod abilities;
mod composition;
mod fit;
mod modules;
mod small;

pub use composition::{compose, measured as measured_prompt, standing as part_standing};
pub use modules::is_of_example;
pub use small::is_undone;

use crate::compaction::{self, Plan};
use crate::formats::Hole;
use crate::limits;
use crate::prompt_templates::{OwnModules, PromptError};
use crate::rendering;
use crate::run_context::RunContext;
use crate::todo;
use crate::tool_index;
use modules::Rendered;
use shidi_protocol::{
    Brief, Completion, Message, ModelRequest, ModelRole, Part, PromptPart, Segment, SegmentKind, Speaker,
    ToolDeclaration, VariablePreview, ends_line, tokens,
};

/// The part of the trace that tells of an earlier subject's history.
const LEFT_BEHIND: &str = "EarlierSubject";

/// A module for questions that are asked beside every run.
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
pub fn assemble(context: &RunContext) -> Result<ModelRequest, PromptError> {
    let settings = &context.settings;
    let format = settings.format.implementation();
    let frame = Frame::of(context)?;
    let budget = settings
        .window_tokens
        .saturating_sub(output_tokens(context))
        .saturating_sub(frame.tokens());
    let seen = compaction::view_without(&context.segments, context.state.left_behind);
    let mut fitted = fit::fit(&seen, &context.run, budget);
    if small::is_meant(context) {
        fitted.kept.retain(|segment| !segment.is(&SegmentKind::Round));
    }
    let mut messages = vec![Message::text(Speaker::System, frame.system.clone())];
    let steps = frame.examples.iter().chain(fitted.kept.iter().copied());
    messages.extend(format.messages(&steps.collect::<Vec<_>>()));
    append_live(&mut messages, &frame.live);
    let mut parts = frame.parts;
    parts.extend(fitted.parts);
    parts.extend(composition::parts(context));
    parts.extend(left_behind(context));
    Ok(ModelRequest {
        run: context.run.clone(),
        role: role(context),
        messages,
        tools: frame.tools,
        max_output_tokens: output_tokens(context),
        completion: None,
        brief: brief(context),
        parts,
    })
}

/// The role of the model for the next step. The general model, if one is set up, writes words; the coder writes
/// programs.
#[must_use]
pub fn role(context: &RunContext) -> ModelRole {
    if context.settings.has_general_model && !context.state.is_coders {
        ModelRole::General
    } else {
        ModelRole::Coder
    }
}

/// Tokens of the next prompt if nothing had to be left out.
///
/// # Errors
/// As [`assemble`].
pub fn size(context: &RunContext) -> Result<u32, PromptError> {
    let seen = compaction::view_without(&context.segments, context.state.left_behind);
    let transcript: u32 = seen.iter().map(|segment| compaction::weight(segment)).sum();
    Ok(Frame::of(context)?.tokens().saturating_add(transcript))
}

/// Whether the next prompt leaves out a part of the transcript.
///
/// # Errors
/// As [`assemble`].
pub fn leaves_out_segments(context: &RunContext) -> Result<bool, PromptError> {
    let frame = Frame::of(context)?.parts.len();
    let parts = assemble(context)?.parts;
    let mut parts = parts[frame..].iter();
    Ok(parts.any(|part| part.left_out > 0 && part.name != LEFT_BEHIND))
}

/// What an outline left out of the prompt, for the trace.
fn left_behind(context: &RunContext) -> Option<PromptPart> {
    let is_left = context.state.left_behind.is_some();
    is_left.then(|| PromptPart {
        left_out: context.state.left_behind_tokens,
        ..PromptPart::named(LEFT_BEHIND)
    })
}

/// Builds the request for a summary of the segments that a compaction covers.
///
/// # Errors
/// As [`assemble`].
pub fn assemble_summary(context: &RunContext, plan: &Plan) -> Result<ModelRequest, PromptError> {
    let window = context.settings.window_tokens;
    let percent =
        limits::SUMMARY_INPUT_PERCENT >> context.state.summary_overflows.min(limits::SUMMARY_OVERFLOWS_MAX);
    let covered = compaction::transcript(&plan.covered, window / 100 * percent);
    let messages = vec![
        Message::text(Speaker::System, modules::plain(context, "compact")?),
        Message::text(Speaker::User, format!("<work>\n{covered}\n</work>")),
    ];
    Ok(ModelRequest {
        run: context.run.clone(),
        role: ModelRole::Fast,
        messages,
        tools: Vec::new(),
        max_output_tokens: limits::SUMMARY_TOKENS_MAX,
        completion: None,
        brief: Brief::default(),
        parts: Vec::new(),
    })
}

/// The questions that a model is asked beside the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideQuestion {
    /// The meaning of the user's words.
    Perceive,
    /// Whether an answer meets the task.
    Check,
    /// The passages of a long result that answer a question.
    LookUp,
    /// The things worth keeping of a task that is over.
    Learn,
    /// A question that a program asks.
    Think,
    /// Data in a text.
    Extract,
    /// Whether a result answers a request.
    Validate,
}

/// Builds a question beside the task about `text`; a program's own question goes to the general model.
///
/// # Errors
/// As [`assemble`].
pub fn assemble_side_question(
    context: &RunContext,
    question: SideQuestion,
    text: String,
) -> Result<ModelRequest, PromptError> {
    let module = match question {
        SideQuestion::Perceive => "perceive",
        SideQuestion::Check => "check",
        SideQuestion::LookUp => "look_up",
        SideQuestion::Learn => "learn",
        SideQuestion::Think => "think",
        SideQuestion::Extract => "extract",
        SideQuestion::Validate => "validate",
    };
    Ok(ModelRequest {
        run: context.run.clone(),
        role: match question {
            SideQuestion::Think => ModelRole::General,
            SideQuestion::Perceive
            | SideQuestion::Check
            | SideQuestion::LookUp
            | SideQuestion::Learn
            | SideQuestion::Extract
            | SideQuestion::Validate => ModelRole::Fast,
        },
        messages: vec![
            Message::text(Speaker::System, modules::plain(context, module)?),
            Message::text(Speaker::User, text),
        ],
        tools: Vec::new(),
        max_output_tokens: limits::SIDE_QUESTION_TOKENS_MAX,
        completion: None,
        brief: Brief::default(),
        parts: Vec::new(),
    })
}

/// Everything in a prompt except the transcript.
struct Frame {
    system: String,
    /// Worked examples, which stand before the transcript as if they were one.
    examples: Vec<Segment>,
    live: String,
    tools: Vec<ToolDeclaration>,
    parts: Vec<PromptPart>,
}

impl Frame {
    fn of(context: &RunContext) -> Result<Self, PromptError> {
        let settings = &context.settings;
        let tools = settings
            .format
            .implementation()
            .tools(&tool_index::declared(context));
        let mut live = live_text(context);
        if let Some(step) = small::next_step(context) {
            live = format!("{live}\n\n{}", modules::next_step(context, &step)?);
        }
        let mut parts = Vec::new();
        let mut texts = Vec::new();
        let mut left = settings.window_tokens / 100 * limits::FRAME_PERCENT_MAX;
        let modules = modules::system(context)?;
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
                left_out: module.left_out,
                ..PromptPart::named(module.name)
            };
            if module.droppable && tokens > left {
                part.left_out += tokens;
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
        for (text, part) in along(context, left)? {
            live = format!("{text}{live}");
            parts.push(part);
        }
        let (examples, of_examples) = modules::examples(context)?;
        parts.extend(of_examples);
        Ok(Self {
            system: texts.join("\n\n"),
            examples,
            live,
            tools,
            parts,
        })
    }

    fn tokens(&self) -> u32 {
        self.parts.iter().map(|part| part.tokens).sum()
    }
}

/// The modules that go along with a question, in the order of their claim to the `left` tokens.
/// They are reviewed lessons, unless these are left out, common mistakes and records of memory.
fn along(context: &RunContext, mut left: u32) -> Result<Vec<(String, PromptPart)>, PromptError> {
    let lessons = context.lessons.len();
    let mut along: Vec<(String, PromptPart)> = Vec::new();
    let fitting_lessons = fitting(lessons, left, |most| modules::experience(context, most))?;
    along.extend(fitting_lessons.map(|found| composition::without(context, found)));
    left -= along.iter().map(|(_, part)| part.tokens).sum::<u32>();
    let mistakes = fitting(lessons.min(limits::MISTAKES_MAX), left, |most| {
        modules::mistakes(context, most)
    })?;
    left -= mistakes.as_ref().map_or(0, |(_, part)| part.tokens);
    along.extend(mistakes);
    along.extend(fitting(context.recalled.len(), left, |most| {
        modules::memory(context, most)
    })?);
    Ok(along)
}

/// The best entries of a module that `left` tokens hold, of `all` that the module has. The module's part for the
/// trace comes along.
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
pub fn output_tokens(context: &RunContext) -> u32 {
    limits::OUTPUT_TOKENS_MAX.min(context.settings.window_tokens / 100 * limits::OUTPUT_PERCENT_MAX)
}

/// Builds the request for the middle of a program whose thought stands in the transcript.
///
/// # Errors
/// As [`assemble`].
pub fn assemble_draft(context: &RunContext) -> Result<ModelRequest, PromptError> {
    let mut request = assemble(context)?;
    let hole = Hole::new(&context.variables, &context.attachments);
    let asked = modules::draft(context, &hole)?;
    append_live(&mut request.messages, &asked);
    request.tools.clear();
    request.completion = Some(Completion {
        prefix: format!("{}{}", draft_head(context), hole.head),
        suffix: format!("\n{}\n", hole.tail),
    });
    Ok(request)
}

/// The context for a model that only completes text, as Python: the toolkits, the task, the thought, the last output.
fn draft_head(context: &RunContext) -> String {
    let last = |kind: SegmentKind| {
        let found = context
            .own_segments()
            .rev()
            .find(|segment| segment.kind() == kind);
        found.map(Segment::text).unwrap_or_default()
    };
    let output: String = last(SegmentKind::Output)
        .chars()
        .take(limits::DRAFT_OUTPUT_CHARACTERS)
        .collect();
    let mut head = composition::toolkits(context);
    head.push_str("\n\n");
    for (name, text) in [
        ("Task", context.question()),
        ("Output so far", output.as_str()),
        ("Plan", last(SegmentKind::Thought)),
    ] {
        if text.is_empty() {
            continue;
        }
        let lines = text.trim_end().split(ends_line);
        let lines: Vec<String> = lines.map(|line| format!("# {line}")).collect();
        head.push_str(&format!("# {name}:\n{}\n", lines.join("\n")));
    }
    head
}

/// The text that changes with every step: the time, live variables. This text stands last, behind everything a cache
/// may hold.
fn live_text(context: &RunContext) -> String {
    let now = context.now.timestamp();
    let mut text = format!("[Context]: <now utc=\"{now:.0}\"/>");
    if !context.state.todo.is_empty() {
        text.push_str(&format!(
            "\n<todo>\n{}\n</todo>",
            rendering::harmless(&todo::rendered(&context.state.todo))
        ));
    }
    let lives = |name: &String| context.variables.iter().any(|variable| variable.name == *name);
    let gone = context
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
    if context.variables.is_empty() {
        return text;
    }
    text.push_str("\n<variables>");
    let shown = context.variables.iter().rev();
    let shown = shown.filter(|variable| small::has_variable(context, variable));
    for VariablePreview { name, kind, preview } in shown.take(limits::VARIABLES_SHOWN) {
        let preview: String = preview
            .chars()
            .take(limits::VARIABLE_PREVIEW_CHARACTERS)
            .collect();
        let line = format!("{name}: {kind} = {preview}");
        text.push('\n');
        text.push_str(&rendering::harmless(&line));
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

/// The toolkit that a session without memory lacks.
const MEMORY: &str = "memory";

fn brief(context: &RunContext) -> Brief {
    let output = context
        .own_segments()
        .rev()
        .find(|segment| segment.kind() == SegmentKind::Output);
    Brief {
        question: context.question().to_owned(),
        language: context.state.language.clone(),
        attachments: context.attachments.clone(),
        variables: context.variables.clone(),
        last_output: output.map(|output| output.text().to_owned()),
        last_failed: output.is_some_and(Segment::failed),
        without_memory: !context
            .settings
            .toolkits
            .iter()
            .any(|toolkit| toolkit.name == MEMORY),
    }
}

#[cfg(test)]
mod tests;
