//! What perception and self-evaluation ask the fast model (F3.1, F3.5): one merged question each, and only when local
//! rules are in doubt and the user has set up such a model. Whatever comes back, or nothing, the task goes on.

use super::{cognition, evaluation};
use crate::compaction;
use crate::effect::Effect;
use crate::limits;
use crate::prompt;
use crate::situation::Situation;
use crate::state::{Phase, Setting};
use serde::Deserialize;
use shidi_protocol::{ModelReply, Segment, SegmentKind};

/// Words that point at something without naming it.
const POINTING: [&str; 14] = [
    "this", "that", "these", "those", "it", "them", "same", "again", "above", "former", "latter", "one",
    "there", "its",
];
const POINTING_CHINESE: [&str; 9] = ["这", "那", "它", "刚才", "上面", "前面", "同样", "该", "后者"];

/// What the words of a user mean, as the fast model understands them.
#[derive(Debug, Deserialize)]
struct Understood {
    question: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    language: String,
}

/// What the fast model thinks of an answer.
#[derive(Debug, Deserialize)]
struct Judged {
    met: bool,
    #[serde(default)]
    lack: String,
}

/// Asks what the newest words of the user mean; `None` when the local acts are sure, or nobody can be asked.
pub fn understand(situation: &mut Situation) -> Option<Vec<Effect>> {
    let is_possible = situation.settings.has_fast_model && !situation.settings.offline;
    let is_in_doubt = points(situation.question()) && candidates(situation) > 1;
    if !is_possible || !is_in_doubt {
        return None;
    }
    let text = before_the_user(situation);
    let request = prompt::assemble_enquiry(situation, prompt::Enquiry::Perceive, text).ok()?;
    situation.state.phase = Phase::Perceiving;
    Some(vec![situation.commit(), Effect::AskModel(Box::new(request))])
}

/// Takes what the fast model understood, and hands the question on.
pub fn understood(situation: &mut Situation, reply: &ModelReply) -> Vec<Effect> {
    situation.state.usage.add(&reply.usage);
    let mut effects = Vec::new();
    if let Some(understood) = read::<Understood>(&reply.text) {
        if matches!(understood.language.as_str(), "zh" | "en") {
            situation.state.language = understood.language;
        }
        let question = clipped(&understood.question, limits::UNDERSTOOD_CHARACTERS_MAX);
        let about = clipped(&understood.about, limits::TITLE_CHARACTERS);
        if !question.is_empty() && question != situation.question() {
            let text = if about.is_empty() {
                question
            } else {
                format!("{question} (about: {about})")
            };
            let kind = SegmentKind::Custom("Understood".to_owned());
            effects.push(situation.add(kind, text, None));
        }
    }
    effects.extend(cognition::think(situation));
    effects
}

/// Asks whether `answer` meets the task; `None` when nobody is to be asked, or it was asked before.
pub fn check(situation: &mut Situation, answer: &str) -> Option<Vec<Effect>> {
    let settings = &situation.settings;
    let is_wanted = settings.checks_answers && settings.has_fast_model && !settings.offline;
    // A plain answer is judged by its reader; work of several rounds may have lost its goal.
    let is_work = situation.state.setting == Setting::Executor;
    if !is_wanted || !is_work || situation.state.checks >= limits::CHECKS_MAX {
        return None;
    }
    let text = last_steps(situation, answer);
    let request = prompt::assemble_enquiry(situation, prompt::Enquiry::Check, text).ok()?;
    situation.state.checks += 1;
    situation.state.phase = Phase::Checking;
    situation.state.standing_answer = Some(answer.to_owned());
    Some(vec![situation.commit(), Effect::AskModel(Box::new(request))])
}

/// Takes the fast model's judgement: the answer stands, or the task goes back to its source with what is missing.
pub fn checked(situation: &mut Situation, reply: &ModelReply) -> Vec<Effect> {
    situation.state.usage.add(&reply.usage);
    let judged = read::<Judged>(&reply.text);
    let lack = judged.filter(|judged| !judged.met).map(|judged| judged.lack);
    let lack = lack.map(|lack| clipped(&lack, limits::UNDERSTOOD_CHARACTERS_MAX));
    match lack.filter(|lack| !lack.is_empty()) {
        Some(lack) if situation.state.retriggers < limits::RETRIGGERS_MAX => {
            situation.state.retriggers += 1;
            let reminder = format!("The answer was checked before it is final: {lack}");
            let mut effects = vec![situation.add(SegmentKind::Reminder, reminder, None)];
            effects.extend(cognition::think(situation));
            effects
        }
        Some(_) | None => stands(situation),
    }
}

/// The answer that was being checked is final.
pub fn stands(situation: &mut Situation) -> Vec<Effect> {
    let answer = situation.state.standing_answer.take().unwrap_or_default();
    evaluation::conclude(situation, answer)
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

/// Things that a pointing word may mean: what came along, and the answer before.
fn candidates(situation: &Situation) -> usize {
    let is_earlier =
        |segment: &&Segment| segment.run != situation.run && segment.kind == SegmentKind::Express;
    let came_along = situation
        .own_segments()
        .filter(|segment| segment.kind == SegmentKind::Context);
    came_along.count() + usize::from(situation.segments.iter().any(|segment| is_earlier(&segment)))
}

fn before_the_user(situation: &Situation) -> String {
    let spoken = |segment: &&Segment| match segment.kind {
        SegmentKind::Context => segment.run == situation.run,
        SegmentKind::User | SegmentKind::Express => true,
        _ => false,
    };
    let newest = situation
        .segments
        .iter()
        .rev()
        .filter(spoken)
        .take(limits::ENQUIRY_PIECES);
    let mut pieces: Vec<String> = newest.map(piece).collect();
    pieces.reverse();
    pieces.join("\n")
}

fn last_steps(situation: &Situation, answer: &str) -> String {
    let steps = situation.own_segments().rev().filter(|segment| {
        matches!(
            segment.kind,
            SegmentKind::Python | SegmentKind::Output | SegmentKind::Thought
        )
    });
    let mut pieces: Vec<String> = steps.take(limits::ENQUIRY_PIECES).map(piece).collect();
    pieces.reverse();
    let task = clipped(situation.question(), limits::ENQUIRY_CHARACTERS * 4);
    let answer = clipped(answer, limits::ENQUIRY_CHARACTERS * 4);
    format!("[User]: {task}\n{}\n[Answer]: {answer}", pieces.join("\n"))
}

fn piece(segment: &Segment) -> String {
    format!(
        "[{}]: {}",
        segment.kind.name(),
        compaction::ends(&segment.text, limits::ENQUIRY_CHARACTERS)
    )
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
