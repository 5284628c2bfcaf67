//! Questions to the fast model from perception and self-evaluation (F3.1, F3.5). Each asks one merged question,
//! when local rules are in doubt and the user has set up such a model. The task goes on whatever the fast model
//! answers, and also without an answer.

use super::{Next, Step};
use crate::compaction;
use crate::effect::Effect;
use crate::limits;
use crate::passages;
use crate::prompt;
use crate::rendering;
use crate::run_context::RunContext;
use crate::state::{Phase, Setting};
use serde::Deserialize;
use shidi_locales::Language;
use shidi_protocol::{ModelReply, Segment, SegmentKind};

/// Words that point at something without naming it.
const POINTING: [&str; 14] = [
    "this", "that", "these", "those", "it", "them", "same", "again", "above", "former", "latter", "one",
    "there", "its",
];
const POINTING_CHINESE: [&str; 9] = ["这", "那", "它", "刚才", "上面", "前面", "同样", "该", "后者"];

/// The meaning of a user's words, as the fast model understands them.
#[derive(Debug, Deserialize)]
struct Understood {
    question: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    language: String,
}

/// The fast model's judgement of an answer.
#[derive(Debug, Deserialize)]
struct Judged {
    met: bool,
    #[serde(default)]
    lack: String,
}

/// Asks the fast model for the meaning of the user's newest words. Does nothing where the local rules are sure,
/// or no fast model is set up.
pub fn understand(context: &mut RunContext) -> Step {
    let is_possible = context.settings.has_fast_model && !context.settings.offline;
    let is_in_doubt = points(context.question()) && candidates(context) > 1;
    if !is_possible || !is_in_doubt {
        return Next::Think.into();
    }
    let text = before_the_user(context);
    let Ok(request) = prompt::assemble_side_question(context, prompt::SideQuestion::Perceive, text) else {
        return Next::Think.into();
    };
    context.state.phase = Phase::Perceiving;
    vec![context.commit(), Effect::AskModel(Box::new(request))].into()
}

/// Takes the fast model's reading of the words and passes the question on.
pub fn understood(context: &mut RunContext, reply: &ModelReply) -> Step {
    context.state.usage.add(&reply.usage);
    let mut effects = Vec::new();
    if let Some(understood) = read::<Understood>(&reply.text) {
        if let Some(language) = Language::known(&understood.language) {
            language.code().clone_into(&mut context.state.language);
        }
        let question = clipped(&understood.question, limits::UNDERSTOOD_CHARACTERS_MAX);
        let about = clipped(&understood.about, limits::TITLE_CHARACTERS);
        if !question.is_empty() && question != context.question() {
            let text = if about.is_empty() {
                question
            } else {
                format!("{question} (about: {about})")
            };
            let kind = SegmentKind::Understood;
            effects.push(context.add(kind, text, None));
        }
    }
    Step::new(effects, Next::Think)
}

/// Asks whether `answer` meets the task, unless checks are off, the answer is a plain one, or
/// [`limits::CHECKS_MAX`] is reached.
pub fn check(context: &mut RunContext, answer: String) -> Step {
    let settings = &context.settings;
    let is_wanted = settings.checks_answers && settings.has_fast_model && !settings.offline;
    // A plain answer is judged by its reader; work of several rounds may have lost sight of its goal.
    let is_work = context.state.setting == Setting::Executor;
    if !is_wanted || !is_work || context.state.checks >= limits::CHECKS_MAX {
        return Next::complete(answer).into();
    }
    let text = last_steps(context, &answer);
    let Ok(request) = prompt::assemble_side_question(context, prompt::SideQuestion::Check, text) else {
        return Next::complete(answer).into();
    };
    context.state.checks += 1;
    context.state.phase = Phase::Checking;
    context.state.standing_answer = Some(answer);
    vec![context.commit(), Effect::AskModel(Box::new(request))].into()
}

/// Takes the fast model's judgement: the answer stands, or the task goes back to the model with the fault named.
pub fn checked(context: &mut RunContext, reply: &ModelReply) -> Step {
    context.state.usage.add(&reply.usage);
    let judged = read::<Judged>(&reply.text);
    let lack = judged.filter(|judged| !judged.met).map(|judged| judged.lack);
    let lack = lack.map(|lack| clipped(&lack, limits::UNDERSTOOD_CHARACTERS_MAX));
    match lack.filter(|lack| !lack.is_empty()) {
        Some(lack) if context.state.retriggers < limits::RETRIGGERS_MAX => {
            context.state.retriggers += 1;
            let reminder = format!("The answer was checked before it is final: {lack}");
            let reminded = context.add(SegmentKind::Reminder, reminder, None);
            Step::new(vec![reminded], Next::Think)
        }
        Some(_) | None => stands(context).into(),
    }
}

/// The answer that was being checked is final.
pub fn stands(context: &mut RunContext) -> Next {
    let answer = context.state.standing_answer.take().unwrap_or_default();
    Next::Conclude { answer }
}

/// Whether a question points at something without naming it. A long one names enough.
fn points(question: &str) -> bool {
    if question.chars().count() > limits::POINTING_CHARACTERS_MAX {
        return false;
    }
    let lowered = question.to_lowercase();
    let mut words = lowered.split(|character: char| !character.is_ascii_alphabetic());
    words.any(|word| POINTING.contains(&word)) || POINTING_CHINESE.iter().any(|word| lowered.contains(word))
}

/// The number of things that a pointing word may mean: attachments, other context, and the answer before. What a
/// knowledge base brought is none: the user never saw it.
fn candidates(context: &RunContext) -> usize {
    let is_earlier =
        |segment: &&Segment| segment.run != context.run && segment.kind() == SegmentKind::Express;
    let came_along = context
        .own_segments()
        .filter(|segment| segment.kind() == SegmentKind::Context && !passages::is_one(segment));
    came_along.count() + usize::from(context.segments.iter().any(|segment| is_earlier(&segment)))
}

fn before_the_user(context: &RunContext) -> String {
    let spoken = |segment: &&Segment| match segment.kind() {
        SegmentKind::Context => segment.run == context.run && !passages::is_one(segment),
        SegmentKind::User | SegmentKind::Express => true,
        _ => false,
    };
    let newest = context
        .segments
        .iter()
        .rev()
        .filter(spoken)
        .take(limits::SIDE_QUESTION_PIECES);
    let mut pieces: Vec<String> = newest.map(piece).collect();
    pieces.reverse();
    pieces.join("\n")
}

fn last_steps(context: &RunContext, answer: &str) -> String {
    let steps = context.own_segments().rev().filter(|segment| {
        matches!(
            segment.kind(),
            SegmentKind::Python | SegmentKind::Output | SegmentKind::Thought
        )
    });
    let mut pieces: Vec<String> = steps.take(limits::SIDE_QUESTION_PIECES).map(piece).collect();
    pieces.reverse();
    let task = clipped(context.question(), limits::SIDE_QUESTION_CHARACTERS * 4);
    let answer = clipped(answer, limits::SIDE_QUESTION_CHARACTERS * 4);
    format!("[User]: {task}\n{}\n[Answer]: {answer}", pieces.join("\n"))
}

fn piece(segment: &Segment) -> String {
    rendering::quoted(segment, |text| {
        compaction::ends(text, limits::SIDE_QUESTION_CHARACTERS)
    })
}

/// The first JSON object of a reply.
fn read<'a, Wanted: Deserialize<'a>>(text: &'a str) -> Option<Wanted> {
    let begin = text.find('{')?;
    let end = text.rfind('}')?;
    serde_json::from_str(text.get(begin..=end)?).ok()
}

fn clipped(text: &str, characters: usize) -> String {
    text.trim().chars().take(characters).collect()
}
