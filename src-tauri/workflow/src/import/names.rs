//! Names of other programs as names here: letters, digits and `_`, each once.

use crate::reading::RESERVED;
use std::collections::{BTreeMap, BTreeSet};

/// Names that were given, by those they had.
#[derive(Default)]
pub struct Names {
    given: BTreeMap<String, String>,
    taken: BTreeSet<String>,
}

/// Longest name that is made; a title may be a sentence.
const LETTERS_MAX: usize = 40;

impl Names {
    /// The name for what another program calls `key` and would show as `wish`.
    pub fn give(&mut self, key: &str, wish: &str) -> String {
        let mut name: String = wish
            .chars()
            .map(|letter| {
                if letter.is_alphanumeric() {
                    letter.to_ascii_lowercase()
                } else {
                    '_'
                }
            })
            .take(LETTERS_MAX)
            .collect();
        name = name.trim_matches('_').to_owned();
        if !name.starts_with(char::is_alphabetic) {
            name = format!("n_{name}");
        }
        let mut number = 2;
        let base = name.clone();
        while self.taken.contains(&name) || RESERVED.contains(&name.as_str()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        self.taken.insert(name.clone());
        self.given.insert(key.to_owned(), name.clone());
        name
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.given.get(key).map(String::as_str)
    }
}
