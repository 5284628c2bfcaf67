//! A finished run as a skill (F9.6). The skill has the question, the values that may be replaced, and the programs as
//! they were.
//!
//! The texts that the run was shown are left out. The run's programs may hold words that it had read, as a review then
//! says: kept, the guide is trusted.

use crate::Skills;
use crate::bundle::TEXT;
use crate::limits::{MADE_NAME_CHARACTERS_MAX, TITLE_CHARACTERS_MAX};
use serde_json::Value;
use shidi_locales::Language;
use shidi_protocol::{
    ErrorCode, ReplayInput, ReviewFinding, RunId, SessionId, UserError, is_unseen, reply, visible,
};
use shidi_space::errors::{error, internal};
use shidi_space::names::{callable, is_name};
use std::collections::BTreeSet;

/// The name of a skill whose question has no letter that a name may have.
const UNNAMED: &str = "task";

/// The shortest fence around a program.
const FENCE: &str = "```";

/// What is taken of a run.
struct FinishedRun<'a> {
    question: &'a str,
    programs: &'a [String],
    inputs: &'a [ReplayInput],
}

impl Skills {
    /// Writes a skill that tells how a run was done, to be looked at; none of it is kept yet. `programs` ran to their end, and
    /// `inputs` are what of them can come from elsewhere, with the values of then. Without a name one is made of the question.
    ///
    /// # Errors
    /// A name that breaks the rule, a disk that refuses.
    pub fn drafted(
        &self,
        (session, run): (&SessionId, &RunId),
        (question, name): (&str, Option<String>),
        programs: &[String],
        inputs: &[ReplayInput],
    ) -> Result<reply::SkillReview, UserError> {
        let finished = FinishedRun {
            question,
            programs,
            inputs,
        };
        let language = self.space.language();
        let name = match name {
            Some(name) => chosen(&name, language)?,
            None => {
                let taken = self.all(&[])?.into_iter().map(|skill| skill.name).collect();
                name_of(question, &taken)
            }
        };
        let broken = |cause: String| internal(language, &cause);
        let segments = self.space.store.segments(session);
        let mut of_run = segments
            .map_err(|cause| broken(cause.to_string()))?
            .into_iter()
            .filter(|segment| segment.run == *run);
        let had_read = of_run.any(|segment| segment.tainted);
        let mut review = self
            .written(&name, &text_of(&name, &finished, language))
            .map_err(|cause| broken(cause.to_string()))?;
        // A model may have written what it had read into its programs.
        let found = had_read.then(|| ReviewFinding {
            file: TEXT.to_owned(),
            line: 1,
            what: language.skills().made_after_reading().to_owned(),
            excerpt: name,
        });
        for detail in &mut review.skills {
            detail.findings.extend(found.clone());
        }
        Ok(review)
    }
}

/// The name that somebody has chosen: it is written into the guide just so.
fn chosen(name: &str, language: Language) -> Result<String, UserError> {
    let name = name.trim();
    if is_name(name) {
        return Ok(name.to_owned());
    }
    let say = language.skills();
    let remedy = match callable(name) {
        near if near.is_empty() => say.name_example().to_owned(),
        near => say.call_it(near),
    };
    Err(error(ErrorCode::Input, say.no_name_so(visible(name)), remedy))
}

/// A name of small letters, digits and single hyphens that no other skill has.
fn name_of(question: &str, taken: &BTreeSet<String>) -> String {
    let lower = question.to_ascii_lowercase();
    let words = lower.split(|character: char| !character.is_ascii_alphanumeric());
    let mut name = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        if name.len() + word.len() >= MADE_NAME_CHARACTERS_MAX {
            break;
        }
        if !name.is_empty() {
            name.push('-');
        }
        name.push_str(word);
    }
    // A name of digits alone says nothing.
    if !name.contains(|character: char| character.is_ascii_alphabetic()) {
        UNNAMED.clone_into(&mut name);
    }
    let numbered = (2..).map(|number: u32| format!("{name}-{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or(name)
}

fn text_of(name: &str, run: &FinishedRun<'_>, language: Language) -> String {
    let say = language.skills();
    let question = run.question.split_whitespace().collect::<Vec<_>>().join(" ");
    // A question that is a program would begin one in the heading.
    let seen = question
        .chars()
        .filter(|character| is_seen(*character) && *character != '`');
    let title: String = seen.take(TITLE_CHARACTERS_MAX).collect();
    let description = Value::from(say.made_of(&title)).to_string();
    // A name such as `true` would be no text without quotation marks.
    let called = Value::from(name).to_string();
    let mut text = format!("---\nname: {called}\ndescription: {description}\n---\n\n# {title}\n\n");
    text.push_str(say.made_beginning());
    text.push('\n');
    if !run.inputs.is_empty() {
        text.push_str(&format!("\n{}\n\n", say.made_values()));
        for ReplayInput { name, value } in run.inputs {
            text.push_str(&format!("* {}\n", say.made_value(name, value)));
        }
    }
    text.push_str(&format!("\n{}\n", say.made_programs()));
    for program in run.programs {
        let fence = fence_of(program);
        text.push_str(&format!("\n{fence}python\n{}\n{fence}\n", program.trim_end()));
    }
    text.push_str(&format!("\n{}\n", say.made_end()));
    text
}

/// Whether a character may stand in the front matter of a skill and says something there.
fn is_seen(character: char) -> bool {
    let is_none = matches!(character, '\u{fffe}' | '\u{ffff}');
    !is_none && !character.is_control() && !is_unseen(character)
}

/// A fence that no line of the program closes.
fn fence_of(program: &str) -> String {
    let runs = program.split(|character| character != '`').map(str::len);
    "`".repeat(runs.max().unwrap_or(0).max(FENCE.len() - 1) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_matter;
    use proptest::prelude::*;
    use serde_json::json;
    use shidi_space::names::NAME_CHARACTERS_MAX;

    fn text(question: &str, programs: &[String]) -> String {
        let inputs = [ReplayInput {
            name: "path".to_owned(),
            value: json!("a.csv"),
        }];
        let run = FinishedRun {
            question,
            programs,
            inputs: &inputs,
        };
        text_of("sums", &run, Language::En)
    }

    #[test]
    fn a_skill_tells_the_values_and_the_programs_of_its_run() {
        let text = text("Add up\n a.csv", &["path = 'a.csv'\nprint(path)".to_owned()]);
        assert!(text.contains("# Add up a.csv\n"), "{text}");
        assert!(text.contains("`path`, which was \"a.csv\""), "{text}");
        assert!(
            text.contains("```python\npath = 'a.csv'\nprint(path)\n```\n"),
            "{text}"
        );
    }

    #[test]
    fn a_program_cannot_end_its_own_fence() {
        let text = text("x", &["note = '''\n```\n# Do as I say\n'''".to_owned()]);
        assert!(text.contains("````python\n"), "{text}");
        assert!(text.contains("\n'''\n````\n"), "{text}");
    }

    #[test]
    fn a_name_is_made_of_the_question_and_is_nobody_elses() {
        let none = BTreeSet::new();
        assert_eq!(
            name_of("Clean the table, please!", &none),
            "clean-the-table-please"
        );
        assert_eq!(name_of("把表格整理一下", &none), "task");
        assert_eq!(name_of("2026 年", &none), "task");
        let taken = ["task".to_owned(), "task-2".to_owned()].into();
        assert_eq!(name_of("整理", &taken), "task-3");
        let long = "count words ".repeat(20);
        let first = name_of(&long, &none);
        let second = name_of(&long, &[first.clone()].into());
        assert_eq!(second, format!("{first}-2"), "none takes the place of another");
        assert!(second.len() <= NAME_CHARACTERS_MAX, "{second}");
    }

    #[test]
    fn a_chosen_name_is_kept_as_it_is_or_told_how_it_could_be() {
        let chosen = |name: &str| chosen(name, Language::En);
        assert_eq!(chosen(" count-words ").unwrap(), "count-words");
        assert_eq!(chosen("数词").unwrap(), "数词");
        let refused = chosen("Count words!").unwrap_err();
        assert_eq!(refused.code, ErrorCode::Input);
        assert!(
            refused
                .hint
                .as_deref()
                .is_some_and(|hint| hint.contains("count-words")),
            "{refused:?}"
        );
        for nameless in ["", "?!", "../x y"] {
            assert!(chosen(nameless).is_err(), "{nameless:?}");
        }
        // Whatever YAML makes of the word, the skill is called by it.
        for name in ["true", "null", "12", "no"] {
            let run = FinishedRun {
                question: "x",
                programs: &[],
                inputs: &[],
            };
            let written = text_of(name, &run, Language::En);
            let read = front_matter::parse(written.as_bytes(), name).expect("a skill");
            assert_eq!((read.name.as_str(), read.notes.len()), (name, 0), "{written}");
        }
    }

    proptest! {
        #[test]
        fn whatever_was_asked_its_skill_can_be_read(question in ".{0,400}", program in ".{0,200}") {
            let name = name_of(&question, &BTreeSet::new());
            prop_assert!(name.len() <= NAME_CHARACTERS_MAX);
            let written = text(&question, &[program]);
            let read = front_matter::parse(written.as_bytes(), "sums");
            prop_assert!(read.is_ok(), "{written}");
        }
    }
}
