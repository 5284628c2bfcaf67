//! Perception: makes segments of the user's words and everything that comes along with them. Its rules are
//! local (language, context, attachments), so a plain question reaches cognition without any model call. Where
//! a pointing word is in doubt, one question to the fast model settles all of it (`fast_model.rs`).

use super::{Next, Step};
use crate::effect::{Effect, Record};
use crate::event::UserInput;
use crate::foreign::Arriving;
use crate::passages::FoundPassage;
use crate::run_context::RunContext;
use crate::subject::{self, Question};
use crate::{compaction, limits, memory_injection, passages, results};
use shidi_locales::Language;
use shidi_protocol::{Body, ContextPiece, RunEventKind, SegmentKind, Verdict, tokens};

/// Takes the user's question.
pub fn arrive(context: &mut RunContext, mut input: UserInput) -> Step {
    let question = within(input.text.trim());
    context.state.language = language(&question, input.language.as_deref()).to_owned();
    context.state.interface.clone_from(&input.language);
    let mut effects = vec![Effect::Show(context.started())];
    if context.segments.is_empty() {
        context.note(Record::Title(title(&question)));
    }
    effects.extend(leave_behind(context, &question, &input));
    effects.extend(recall(context));
    let found = std::mem::take(&mut input.passages);
    input.surroundings.extend(fitting(context, &question, found));
    effects.extend(bring(context, &input));
    context.attachments = input.attachments;
    effects.push(context.add(SegmentKind::User, question, None));
    Step::new(effects, Next::Understand)
}

/// Takes something the user adds while the run is at work.
pub fn hear(context: &mut RunContext, input: UserInput) -> Vec<Effect> {
    let asked = Question {
        text: &input.text,
        brought: &names_along(&input),
        variables: &names_of_variables(context),
    };
    let is_back = |through| subject::leads_back(&context.segments, through, &asked);
    if context.state.left_behind.is_some_and(is_back) {
        context.state.left_behind = None;
    }
    let brought = bring(context, &input);
    context.attachments.extend(input.attachments);
    let said = context.add(SegmentKind::User, within(input.text.trim()), None);
    context.state.unheard = true;
    // The addition is durable before it is shown: a user takes shown words for said.
    let mut effects = vec![context.commit()];
    effects.extend(brought);
    effects.push(said);
    effects
}

/// A text of the user, cut to the bound of a question with a note of the cut. The runtime refuses longer
/// questions; texts on other ways are cut here.
fn within(text: &str) -> String {
    match text.char_indices().nth(limits::QUESTION_CHARACTERS_MAX) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}\n(cut here: too long)", &text[..end]),
    }
}

/// Leaves the conversation behind whose subject the question has left. Its outline says how to read it again, and the
/// user is told how to bring it back.
fn leave_behind(context: &mut RunContext, question: &str, input: &UserInput) -> Vec<Effect> {
    let settings = &context.settings;
    let mut toolkits = settings.toolkits.iter();
    let can_be_read = toolkits.any(|toolkit| toolkit.name == results::TOOLKIT);
    let is_given = settings.offline || settings.program.is_some();
    if !settings.outlines_history || !can_be_read || is_given {
        return Vec::new();
    }
    let asked = Question {
        text: question,
        brought: &names_along(input),
        variables: &names_of_variables(context),
    };
    let before = context.left_before;
    let left = subject::left_behind(&context.segments, before, &asked);
    let worth = left.and_then(|through| Some((through, compaction::saves(&context.segments, through)?)));
    let Some((through, tokens)) = worth else {
        return Vec::new();
    };
    context.state.left_behind = Some(through);
    context.state.left_behind_tokens = tokens;
    for kept in compaction::kept(&context.segments, through, before) {
        context.note(Record::Result {
            handle: kept.handle,
            text: kept.text,
            tainted: kept.tainted,
        });
    }
    if before == Some(through) {
        return Vec::new(); // it was told then
    }
    let text = context.say().history_left_behind(tokens);
    vec![Effect::Show(RunEventKind::Notification {
        source: String::new(),
        text,
    })]
}

/// Names of the conversation's variables, also of those that live no longer.
fn names_of_variables(context: &RunContext) -> Vec<String> {
    let variables = context.variables.iter().map(|variable| variable.name.clone());
    variables.chain(context.gone.iter().cloned()).collect()
}

/// Names and addresses of what came along with the user's words.
fn names_along(input: &UserInput) -> Vec<String> {
    let attached = input.attachments.iter().map(|attachment| attachment.name.clone());
    let along = input
        .surroundings
        .iter()
        .flat_map(|piece| std::iter::once(piece.title.clone()).chain(piece.url.clone()));
    attached.chain(along).collect()
}

/// Notes and shows the records that memory brought in. They stand in the prompt, not in the transcript.
fn recall(context: &mut RunContext) -> Vec<Effect> {
    if context.recalled.is_empty() {
        return Vec::new();
    }
    let memories = context.recalled.clone();
    let marks = memory_injection::marks(&memories);
    let noted = context.add_body(Body::Recalled { marks }, None);
    vec![noted, Effect::Show(RunEventKind::Recalled { memories })]
}

/// The passages of knowledge bases that fit, where programs may ask these; none that the model sees already.
fn fitting(context: &RunContext, question: &str, mut found: Vec<FoundPassage>) -> Vec<ContextPiece> {
    let mut toolkits = context.settings.toolkits.iter();
    let knowledge = toolkits.find(|toolkit| toolkit.name == passages::TOOLKIT);
    let asks = knowledge.and_then(|knowledge| knowledge.methods.iter().find(|method| method.name == "query"));
    let Some(asks) = asks else {
        return Vec::new();
    };
    // A rule that forbids a base, or wants to be asked about it, holds here as well: nobody is asked.
    found.retain(|passage| {
        let call = passages::call(passage, question);
        let decision = context
            .settings
            .grants
            .decide(&call, asks.class, context.state.tainted);
        decision.verdict == Verdict::Allow
    });
    let seen = compaction::view_without(&context.segments, context.state.left_behind);
    let is_seen = |piece: &ContextPiece| {
        seen.iter()
            .any(|segment| matches!(&segment.body, Body::Context(known) if known == piece))
    };
    passages::chosen(found, context.settings.window_tokens, is_seen)
}

/// Makes segments of the context that came along, and passes the notices on to the user.
fn bring(context: &mut RunContext, input: &UserInput) -> Vec<Effect> {
    let mut effects = Vec::new();
    if !input.surroundings.is_empty() {
        effects.push(Effect::Show(RunEventKind::Context {
            items: input.surroundings.iter().map(ContextPiece::item).collect(),
        }));
    }
    for piece in &input.surroundings {
        context.takes_in(Arriving::Along(piece));
    }
    for piece in &input.surroundings {
        effects.push(context.add_body(Body::Context(piece.clone()), None));
    }
    let notified = input.notices.iter().map(|notice| {
        Effect::Show(RunEventKind::Notification {
            source: notice.source.clone(),
            text: notice.text.clone(),
        })
    });
    effects.extend(notified);
    effects
}

/// The script of Chinese, as ISO 15924 calls it.
const CHINESE: &str = "Hani";
const LATIN: &str = "Latn";

/// The code of the language that a text is in, as far as its script tells. The language of the surroundings counts
/// first, if it is written in that script. Next come the source language, and the first of the others in that script. A
/// text without letters follows the surroundings.
pub fn language(text: &str, surroundings: Option<&str>) -> &'static str {
    let surroundings = surroundings.and_then(Language::known).unwrap_or(Language::SOURCE);
    let Some(script) = script(text) else {
        return surroundings.code();
    };
    let others = Language::ALL.iter().copied();
    let found = [surroundings, Language::SOURCE]
        .into_iter()
        .chain(others)
        .find(|language| language.about().format_script() == script);
    found.unwrap_or(Language::SOURCE).code()
}

/// The script that a text is in, by the share of Chinese characters among letters.
fn script(text: &str) -> Option<&'static str> {
    let chinese = text
        .chars()
        .filter(|character| tokens::is_cjk(*character))
        .count();
    let words = text
        .split(|character: char| !character.is_ascii_alphabetic())
        .filter(|word| word.len() > 1);
    match (chinese, words.count()) {
        (0, 0) => None,
        // A Chinese character carries about as much as half a Latin word.
        (chinese, words) if chinese >= words * 2 || chinese >= 4 => Some(CHINESE),
        _ => Some(LATIN),
    }
}

/// What a conversation is called that begins with that question: its first line, cut.
pub fn title(question: &str) -> String {
    let line = question
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let mut title: String = line.chars().take(limits::TITLE_CHARACTERS).collect();
    if line.chars().count() > limits::TITLE_CHARACTERS {
        title.push('…');
    }
    title
}
