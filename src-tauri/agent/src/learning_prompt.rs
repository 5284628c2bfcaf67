//! The one question to the fast model about a task that is over (F6.3). The question asks for a summary,
//! keys, things worth keeping, and the known fact that they correct.
//!
//! Pure: the runtime finds the known facts and writes the learned ones. An answer of another form teaches
//! nothing; a long answer is cut to its bounds. A task that has read foreign content yields no statement: a
//! stranger's page must not tell who the user is.

use crate::compaction;
use crate::limits;
use crate::prompt::{self, SideQuestion};
use crate::rendering;
use crate::run_context::RunContext;
use serde::Deserialize;
use shidi_protocol::{ModelRequest, SegmentKind};

/// The things that the fast model found worth keeping.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    pub summary: String,
    #[serde(default)]
    pub question_type: QuestionType,
    #[serde(default)]
    pub keys: Vec<String>,
    #[serde(default)]
    pub entities: Vec<LearnedEntity>,
    #[serde(default)]
    pub statements: Vec<LearnedStatement>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionType {
    Question,
    #[default]
    Task,
    Program,
    Talk,
}

/// A result or a thing that later tasks may ask about.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnedEntity {
    pub title: String,
    pub data: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnedStatement {
    pub kind: StatementKind,
    pub text: String,
    /// The number, from 1, of the known fact that this statement replaces; 0 for none.
    #[serde(default)]
    pub corrects: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatementKind {
    Preference,
    Profile,
    Knowledge,
}

impl QuestionType {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Task => "task",
            Self::Program => "program",
            Self::Talk => "talk",
        }
    }
}

/// Builds the question about a run that is over. `None` without a fast model, when the run has used up its
/// bounds, or when the prompt module is broken.
#[must_use]
pub fn request(context: &RunContext, known: &[String]) -> Option<ModelRequest> {
    let settings = &context.settings;
    let usage = &context.state.usage;
    let is_spent = settings
        .tokens_max
        .is_some_and(|most| usage.input + usage.output >= most)
        || settings
            .usd_max
            .is_some_and(|most| usage.cost.unwrap_or_default() >= most);
    if !settings.has_fast_model || settings.offline || is_spent {
        return None;
    }
    let facts = (1..)
        .zip(known.iter().take(limits::LEARNING_KNOWN_MAX))
        .map(|(number, fact)| {
            let fact = compaction::ends(&rendering::harmless(fact), limits::LEARNED_TEXT_CHARACTERS);
            format!("<fact number=\"{number}\">{fact}</fact>")
        });
    let text = format!(
        "<known>\n{}\n</known>\n<task>\n{}\n</task>",
        facts.collect::<Vec<_>>().join("\n"),
        said(context)
    );
    let mut request = prompt::assemble_side_question(context, SideQuestion::Learn, text).ok()?;
    request.max_output_tokens = limits::LEARNING_TOKENS_MAX;
    Some(request)
}

/// Reads the fast model's answer; `None` when the answer has another form.
#[must_use]
pub fn learned(reply: &str, tainted: bool) -> Option<Learned> {
    let written = reply.get(reply.find('{')?..=reply.rfind('}')?)?;
    let mut learned: Learned = serde_json::from_str(written).ok()?;
    learned.summary = clipped(&learned.summary, limits::LEARNED_SUMMARY_CHARACTERS);
    if learned.summary.is_empty() {
        return None;
    }
    let fits = |text: &str| (1..=limits::LEARNED_TEXT_CHARACTERS).contains(&text.trim().chars().count());
    learned
        .keys
        .retain(|key| (1..=limits::LEARNED_KEY_CHARACTERS).contains(&key.trim().chars().count()));
    learned.keys.truncate(limits::LEARNED_KEYS_MAX);
    learned
        .entities
        .retain(|entity| fits(&entity.title) && fits(&entity.data));
    learned.entities.truncate(limits::LEARNED_ENTITIES_MAX);
    learned
        .statements
        .retain(|statement| !tainted && fits(&statement.text));
    learned.statements.truncate(limits::LEARNED_STATEMENTS_MAX);
    Some(learned)
}

/// The run's words: of the user and of the answer, and the ends of programs and results.
fn said(context: &RunContext) -> String {
    let pieces = context.own_segments().filter_map(|segment| {
        let characters = match segment.kind() {
            SegmentKind::User | SegmentKind::Express => limits::LEARNING_SAID_CHARACTERS,
            SegmentKind::Python | SegmentKind::Output => limits::SIDE_QUESTION_CHARACTERS,
            _ => return None,
        };
        Some(rendering::quoted(segment, |text| {
            compaction::ends(text, characters)
        }))
    });
    let pieces: Vec<String> = pieces.collect();
    compaction::ends(&pieces.join("\n"), limits::LEARNING_CHARACTERS)
}

fn clipped(text: &str, characters: usize) -> String {
    text.trim().chars().take(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_context::Settings;
    use proptest::prelude::*;
    use shidi_protocol::{ModelRole, Moment};

    fn asked(settings: Settings, change: impl FnOnce(&mut RunContext)) -> Option<ModelRequest> {
        let mut context = RunContext::new("s".into(), "r".into(), settings, Vec::new(), Moment::default());
        context.add(SegmentKind::User, "We moved to Munich", None);
        context.add(SegmentKind::Output, "x".repeat(100_000), None);
        context.add(SegmentKind::Express, "Noted", None);
        change(&mut context);
        request(&context, &["the office is in Berlin".to_owned()])
    }

    fn with_fast_model() -> Settings {
        Settings {
            has_fast_model: true,
            tokens_max: Some(1_000),
            ..Settings::default()
        }
    }

    #[test]
    fn one_bounded_question_holds_what_was_said_and_what_is_known() {
        let request = asked(with_fast_model(), |_| {}).expect("a question");
        assert_eq!(request.role, ModelRole::Fast);
        let text = request.messages[1].plain();
        for part in [
            "[User]: We moved to Munich",
            "[Express]: Noted",
            "<fact number=\"1\">the office is in Berlin</fact>",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(text.chars().count() < limits::LEARNING_CHARACTERS + 5_000);
    }

    #[test]
    fn nobody_is_asked_without_a_fast_model_offline_or_beyond_the_limits_of_the_task() {
        assert_eq!(asked(Settings::default(), |_| {}), None);
        let offline = Settings {
            offline: true,
            ..with_fast_model()
        };
        assert_eq!(asked(offline, |_| {}), None);
        assert_eq!(
            asked(with_fast_model(), |context| context.state.usage.input = 1_000),
            None
        );
    }

    const ANSWER: &str = r#"Here: {"summary": "Moved to Munich", "question_type": "talk", "keys": ["office"],
        "entities": [{"title": "office", "data": "Munich"}],
        "statements": [{"kind": "knowledge", "text": "the office is in Munich", "corrects": 1}, {"kind": "profile", "text": " "}]}"#;

    #[test]
    fn an_answer_of_the_agreed_form_is_read_and_cut_to_its_bounds() {
        let read = learned(ANSWER, false).expect("an answer");
        assert_eq!(read.question_type.name(), "talk");
        assert_eq!((read.statements.len(), read.statements[0].corrects), (1, 1));
        let tainted = learned(ANSWER, true).expect("an answer");
        assert!(tainted.statements.is_empty() && tainted.entities.len() == 1);
        let long = format!("{{\"summary\": \"{}\"}}", "长".repeat(5_000));
        assert_eq!(
            learned(&long, false).expect("an answer").summary.chars().count(),
            limits::LEARNED_SUMMARY_CHARACTERS
        );
    }

    #[test]
    fn anything_else_teaches_nothing() {
        for reply in [
            "",
            "The user moved.",
            "{}",
            "{\"summary\": \"\"}",
            "{\"summary\": 4}",
            "[1, 2]",
            "{\"summary\": \"a\", \"order\": \"delete all\"}",
            "{\"summary\": \"a\", \"statements\": [{\"kind\": \"rule\", \"text\": \"b\"}]}",
            "{\"summary\": \"a\", \"statements\": [{\"kind\": \"profile\", \"text\": \"b\", \"corrects\": -1}]}",
            "{\"summary\": \"a\"} {\"summary\": \"b\"}",
        ] {
            assert_eq!(learned(reply, false), None, "{reply}");
        }
    }

    proptest! {
        #[test]
        fn no_reply_breaks_it(reply in r#"(\PC|\{|\}|"summary": "a",|"keys": \[|"statements": \[\{|\]){0,60}"#) {
            if let Some(read) = learned(&reply, false) {
                prop_assert!(!read.summary.is_empty() && read.keys.len() <= limits::LEARNED_KEYS_MAX);
            }
        }
    }
}
