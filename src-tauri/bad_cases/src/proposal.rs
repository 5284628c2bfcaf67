//! A case as a model reads it to propose a change, and the reading of the model's answer. Whatever it writes, at most
//! one of the known changes comes of it, within bounds.

use crate::limits::{CODE_CHARACTERS_MAX, PROPOSED_CHARACTERS_MAX};
use serde::Deserialize;
use serde_json::Value;
use shidi_agent::OwnModules;
use shidi_agent::proposals::BadAnswer;
use shidi_evaluation::Case;
use shidi_locales::Language;
use shidi_protocol::{CaseChange, CaseProposal, is_unseen};
use shidi_space::names::{callable, is_name};

/// The prompt module that a proposal may add to: how every task is worked on.
pub const MODULE: &str = "principles";

/// The bad answer of a case, as its file tells it.
#[must_use]
pub fn bad_answer(case: &Case) -> BadAnswer {
    let word = |name: &str| {
        case.metadata
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let words = |name: &str| {
        let list = case.metadata.get(name).and_then(Value::as_array);
        let words = list.into_iter().flatten().filter_map(Value::as_str);
        words.map(str::to_owned).collect()
    };
    let said = case.history.iter();
    let said = said.map(|said| format!("{}\n→ {}", said.question.trim(), said.answer.trim()));
    BadAnswer {
        before: said.collect::<Vec<_>>().join("\n\n"),
        question: case.turns.first().cloned().unwrap_or_default(),
        answer: word("answer").to_owned(),
        wrong: word("wrong").to_owned(),
        wanted: words("wanted"),
        steps: words("steps"),
    }
}

/// What a model writes.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Written {
    Experience {
        goal: String,
        lesson: String,
        #[serde(default)]
        code: Option<String>,
    },
    Knowledge {
        text: String,
    },
    Prompt {
        text: String,
    },
    Skill {
        name: String,
        description: String,
        text: String,
    },
}

/// The last proposal in an answer; `module` is the text that a proposal for the prompt is added to.
#[must_use]
pub fn read(answer: &str, language: Language, module: &str) -> Option<CaseProposal> {
    let value = objects(answer)
        .into_iter()
        .rev()
        .find(|value| value.get("kind").is_some())?;
    let why = value.get("why").and_then(Value::as_str).unwrap_or_default();
    let why = bounded(why, PROPOSED_CHARACTERS_MAX);
    let change = match serde_json::from_value(value).ok()? {
        Written::Experience { goal, lesson, code } => CaseChange::Experience {
            goal: said(&goal)?,
            lesson: said(&lesson)?,
            code: bounded(&code.unwrap_or_default(), CODE_CHARACTERS_MAX),
        },
        Written::Knowledge { text } => CaseChange::Knowledge { text: said(&text)? },
        Written::Prompt { text } => CaseChange::Prompt {
            language: language.code().to_owned(),
            module: MODULE.to_owned(),
            text: added(module, &said(&text)?)?,
        },
        Written::Skill {
            name,
            description,
            text,
        } => CaseChange::Skill {
            name: Some(callable(&name)).filter(|name| is_name(name))?,
            description: said(&description)?.replace('\n', " "),
            text: said(&text)?,
        },
    };
    Some(CaseProposal { why, change })
}

/// The module with one more line. Nothing that a model wrote is a template.
fn added(module: &str, text: &str) -> Option<String> {
    let line = text
        .replace(['{', '<'], "(")
        .replace(['}', '>'], ")")
        .replace('\n', " ");
    let whole = match module.trim_end().rsplit_once("\n</") {
        Some((inner, tag)) => format!("{inner}\n- {line}\n</{tag}\n"),
        None => format!("{}\n- {line}\n", module.trim_end()),
    };
    let is_template = OwnModules::default()
        .put(Language::SOURCE.code(), MODULE, whole.clone())
        .is_ok();
    is_template.then_some(whole)
}

fn said(text: &str) -> Option<String> {
    let text = bounded(text, PROPOSED_CHARACTERS_MAX);
    (!text.is_empty()).then_some(text)
}

fn bounded(text: &str, most: usize) -> String {
    let seen = text.chars().filter(|sign| !is_unseen(*sign));
    let text: String = seen.take(most).collect();
    text.trim().to_owned()
}

/// The objects of JSON that stand in a text, in their order; those within others are not told apart.
fn objects(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        rest = &rest[at..];
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                let read = stream.byte_offset();
                found.push(value);
                rest = &rest[read..];
            }
            Some(Err(_)) | None => rest = &rest[1..],
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn english() -> Language {
        Language::of(Some("en"))
    }

    fn of(answer: &str) -> Option<CaseProposal> {
        read(answer, english(), "<principles>\n- be brief\n</principles>")
    }

    #[test]
    fn the_last_proposal_of_an_answer_counts_with_whatever_stands_around_it() {
        let answer = "I think {this} helps.\n```json\n{\"kind\": \"knowledge\", \"text\": \"first\"}\n```\nor \
                      {\"why\": \"It lacked a fact\", \"kind\": \"knowledge\", \"text\": \" The year begins in April. \"} ok";
        let proposal = of(answer).unwrap();
        assert_eq!(proposal.why, "It lacked a fact");
        let text = "The year begins in April.".to_owned();
        assert_eq!(proposal.change, CaseChange::Knowledge { text });
    }

    #[test]
    fn what_is_no_proposal_is_none() {
        for answer in [
            "",
            "no idea",
            "{\"kind\": \"delete\", \"path\": \"/\"}",
            "{\"kind\": \"knowledge\", \"text\": \" \u{200b} \"}",
            "{\"kind\": \"skill\", \"name\": \"../..\", \"description\": \"\", \"text\": \"x\"}",
            "{\"kind\": \"experience\", \"goal\": 3, \"lesson\": \"x\"}",
        ] {
            assert_eq!(of(answer), None, "{answer}");
        }
    }

    #[test]
    fn a_proposal_for_the_prompt_adds_one_line_to_its_module_and_no_template() {
        let proposal = of("{\"kind\": \"prompt\", \"text\": \"Count {{ rows }}\\nbefore\"}").unwrap();
        let CaseChange::Prompt { module, text, .. } = proposal.change else {
            panic!("another change");
        };
        assert_eq!(module, MODULE);
        assert_eq!(
            text,
            "<principles>\n- be brief\n- Count (( rows )) before\n</principles>\n"
        );
    }

    proptest! {
        #[test]
        fn whatever_a_model_writes_reading_it_ends(answer in "(?s).{0,200}", tail in "[{}\":a-z,]{0,60}") {
            let proposal = of(&format!("{answer}{tail}"));
            prop_assert!(proposal.is_none_or(|proposal| proposal.why.chars().count() <= PROPOSED_CHARACTERS_MAX));
        }
    }
}
