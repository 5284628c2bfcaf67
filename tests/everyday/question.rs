//! The questions, as `questions.toml` has them, and what of an end is not as it must be.

use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// One question with its end.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub name: String,
    ask: String,
    then: Option<String>,
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    #[serde(default)]
    says: Vec<String>,
    must_not: Option<String>,
    #[serde(default)]
    leaves: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    question: Vec<Question>,
}

/// All of them.
pub fn questions() -> Vec<Question> {
    let table: Table = toml::from_str(include_str!("questions.toml")).unwrap();
    table.question
}

impl Question {
    /// What is asked, in its order.
    pub fn said(&self) -> impl Iterator<Item = &str> {
        [Some(self.ask.as_str()), self.then.as_deref()]
            .into_iter()
            .flatten()
    }

    pub fn is_checked(&self) -> bool {
        !self.says.is_empty() || !self.leaves.is_empty()
    }

    /// What the end lacks; `None` when it is right.
    pub fn lacks(&self, answer: &str, folder: &Path) -> Option<String> {
        let unsaid = self.says.iter().find(|wanted| !pattern(wanted).is_match(answer));
        if let Some(unsaid) = unsaid {
            return Some(format!("no {unsaid} in {:?}", start(answer)));
        }
        if let Some(must_not) = &self.must_not
            && pattern(must_not).is_match(answer)
        {
            return Some(format!("{must_not} in {:?}", start(answer)));
        }
        self.leaves.iter().find_map(|(name, wanted)| {
            let Ok(text) = std::fs::read_to_string(folder.join(name)) else {
                return Some(format!("no {name}"));
            };
            let is_right = pattern(wanted).is_match(&text);
            (!is_right).then(|| format!("{name} holds {:?}", start(&text)))
        })
    }
}

fn pattern(text: &str) -> Regex {
    RegexBuilder::new(text).case_insensitive(true).build().unwrap()
}

/// Enough of a text to see what is wrong with it.
fn start(text: &str) -> String {
    text.chars().take(100).collect()
}
