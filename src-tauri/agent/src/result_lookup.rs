//! The second step of a look-up in a long result (F4.7). The fast model chooses among passages that words have found.
//!
//! Pure: the runtime finds passages and asks the fast model. The fast model only chooses among the result's
//! passages. None of its own words reaches the program, so a fact stays unchanged.

use crate::compaction;
use crate::limits;
use crate::prompt::{self, SideQuestion};
use crate::rendering;
use crate::run_context::RunContext;
use serde::Deserialize;
use shidi_protocol::ModelRequest;

/// The fast model's choice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// Indices into the list of passages, best first, each once.
    pub passages: Vec<usize>,
    /// Words for another search, when none of the passages answers the question.
    pub words: String,
}

/// The choice as the model writes it: passages are numbered from 1.
#[derive(Debug, Deserialize)]
struct Written {
    #[serde(default)]
    passages: Vec<i64>,
    #[serde(default)]
    words: String,
}

/// Builds the question to the fast model; `None` without a fast model, or when its prompt module is broken.
#[must_use]
pub fn request(
    context: &RunContext,
    question: &str,
    result: &str,
    passages: &[String],
) -> Option<ModelRequest> {
    let settings = &context.settings;
    if !settings.has_fast_model || settings.offline || passages.is_empty() {
        return None;
    }
    let question: String = question.chars().take(limits::UNDERSTOOD_CHARACTERS_MAX).collect();
    let head: String = result.chars().take(limits::LOOK_UP_HEAD_CHARACTERS).collect();
    let each = limits::LOOK_UP_CHARACTERS / passages.len();
    let listed: Vec<String> = (1..)
        .zip(passages)
        .map(|(number, passage)| {
            let passage = compaction::ends(&rendering::harmless(passage), each);
            format!("<passage number=\"{number}\">\n{passage}\n</passage>")
        })
        .collect();
    let text = format!(
        "<question>\n{}\n</question>\n<beginning>\n{}\n</beginning>\n{}",
        rendering::harmless(&question),
        rendering::harmless(&head),
        listed.join("\n")
    );
    prompt::assemble_side_question(context, SideQuestion::LookUp, text).ok()
}

/// Reads the fast model's answer about `count` passages; an answer of another form chooses nothing.
#[must_use]
pub fn choice(reply: &str, count: usize) -> Choice {
    let written = reply
        .find('{')
        .zip(reply.rfind('}'))
        .and_then(|(begin, end)| reply.get(begin..=end))
        .and_then(|text| serde_json::from_str::<Written>(text).ok());
    let Some(written) = written else {
        return Choice::default();
    };
    let mut passages = Vec::new();
    for number in written.passages {
        let place = usize::try_from(number)
            .ok()
            .and_then(|number| number.checked_sub(1));
        if let Some(place) = place.filter(|place| *place < count && !passages.contains(place)) {
            passages.push(place);
        }
    }
    let words = written.words.trim();
    let words = words.chars().take(limits::LOOK_UP_WORDS_CHARACTERS).collect();
    Choice { passages, words }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_context::Settings;
    use proptest::prelude::*;
    use shidi_protocol::{ModelRole, Moment};

    fn asked(settings: Settings, passages: &[String]) -> Option<ModelRequest> {
        let context = RunContext::new("s".into(), "r".into(), settings, Vec::new(), Moment::default());
        request(&context, "Who signed?", "id,name\n1,Ada\n", passages)
    }

    fn with_fast_model() -> Settings {
        Settings {
            has_fast_model: true,
            ..Settings::default()
        }
    }

    #[test]
    fn only_a_fast_model_of_its_own_is_asked_and_only_about_something() {
        let passages = ["1,Ada".to_owned()];
        assert_eq!(asked(Settings::default(), &passages), None);
        assert_eq!(asked(with_fast_model(), &[]), None);
        let request = asked(with_fast_model(), &passages).expect("a question");
        assert_eq!(request.role, ModelRole::Fast);
        let text = request.messages[1].plain();
        assert!(
            text.contains("Who signed?") && text.contains("<passage number=\"1\">\n1,Ada\n"),
            "{text}"
        );
    }

    #[test]
    fn the_question_is_bounded_whatever_the_passages_are() {
        let passages = vec!["很长的一段".repeat(10_000); 24];
        let request = asked(with_fast_model(), &passages).expect("a question");
        let length = request.messages[1].plain().chars().count();
        assert!(length < limits::LOOK_UP_CHARACTERS + 4_000, "{length}");
    }

    #[test]
    fn a_choice_is_read_from_whatever_stands_around_it() {
        let chosen = choice(
            "Sure:\n```json\n{\"passages\": [3, 1, 3, 0, 9, -2], \"words\": \" \"}\n```",
            3,
        );
        assert_eq!(
            chosen,
            Choice {
                passages: vec![2, 0],
                words: String::new()
            }
        );
        assert_eq!(choice("{\"words\": \"due date\"}", 3).words, "due date");
        assert_eq!(choice("the third one", 3), Choice::default());
    }

    proptest! {
        #[test]
        fn no_reply_chooses_what_is_not_there(reply in ".{0,200}", numbers in prop::collection::vec(any::<i64>(), 0..8), count in 0_usize..6) {
            for reply in [reply, format!("{{\"passages\": {numbers:?}}}")] {
                let chosen = choice(&reply, count);
                prop_assert!(chosen.passages.iter().all(|place| *place < count));
                prop_assert!(chosen.words.chars().count() <= limits::LOOK_UP_WORDS_CHARACTERS);
            }
        }
    }
}
