//! Values of a file by their kind, each within its bounds.

use super::{MODELS, ROLES, Reading};
use crate::limits::{NAME_CHARACTERS_MAX, NAMES_MAX};
use crate::problem::{Problem, Wanted};
use shidi_protocol::{Sampling, Wording};
use shidi_space::keys::{Keys, KeysError};
use shidi_yaml::{Data, Node};
use std::collections::BTreeMap;

impl Reading {
    pub(super) fn is_map(&mut self, node: &Node) -> bool {
        let is_map = matches!(node.data, Data::Map(_));
        if !is_map {
            self.fault(&node.place, Problem::Wants(Wanted::Map));
        }
        is_map
    }

    pub(super) fn list<'a>(&mut self, node: &'a Node, key: &str, most: usize) -> &'a [Node] {
        let Data::List(items) = &node.data else {
            self.fault(&node.place, Problem::Wants(Wanted::List));
            return &[];
        };
        if items.len() > most {
            let key = key.to_owned();
            self.fault(&node.place, Problem::TooMany { key, most });
        }
        &items[..items.len().min(most)]
    }

    /// A text of one line.
    pub(super) fn line(&mut self, node: &Node, key: &str, most: usize) -> String {
        let Some(node) = node.get(key) else {
            return String::new();
        };
        self.text(node, key, most).unwrap_or_default()
    }

    /// Keys in the one form in which they are written, so that equal ones have equal texts.
    pub(super) fn hotkey(&mut self, root: &Node) -> String {
        let written = self.line(root, "hotkey", NAME_CHARACTERS_MAX);
        let Some(node) = root.get("hotkey").filter(|_| !written.is_empty()) else {
            return String::new();
        };
        match written.parse::<Keys>() {
            Ok(keys) if keys.are_apart() => keys.to_string(),
            // Whoever wrote the file is not always its user: it may not take what every program has.
            Ok(keys) => {
                let reason = KeysError::Common(keys.to_string());
                self.fault(&node.place, Problem::BadHotkey { written, reason });
                String::new()
            }
            Err(reason) => {
                self.fault(&node.place, Problem::BadHotkey { written, reason });
                String::new()
            }
        }
    }

    fn text(&mut self, node: &Node, key: &str, most: usize) -> Option<String> {
        let text = match &node.data {
            Data::Text(text) => text.trim().to_owned(),
            Data::Number(number) => number.to_string(),
            Data::Null => return None,
            Data::Flag(_) | Data::List(_) | Data::Map(_) => {
                self.fault(&node.place, Problem::Wants(Wanted::Text));
                return None;
            }
        };
        if text.chars().count() > most {
            let key = key.to_owned();
            self.fault(&node.place, Problem::TooLong { key, most });
        }
        Some(text).filter(|text| !text.is_empty())
    }

    pub(super) fn words(&mut self, root: &Node, key: &str, most: usize) -> Wording {
        match root.get(key) {
            Some(node) => self.wording(node, key, most),
            None => Wording::new(),
        }
    }

    /// A text, or texts by language.
    pub(super) fn wording(&mut self, node: &Node, key: &str, most: usize) -> Wording {
        match &node.data {
            Data::Map(entries) => {
                let mut words = Wording::new();
                for entry in entries {
                    if let Some(text) = self.text(&entry.value, key, most) {
                        words.insert(entry.key.clone(), text);
                    }
                }
                words
            }
            Data::Flag(_) | Data::List(_) => {
                self.fault(&node.place, Problem::Wants(Wanted::Words));
                Wording::new()
            }
            Data::Null | Data::Number(_) | Data::Text(_) => {
                let text = self.text(node, key, most);
                text.map(|text| (String::new(), text)).into_iter().collect()
            }
        }
    }

    /// A list of names; `None` where the key is not there, or says nothing.
    pub(super) fn names(&mut self, root: &Node, key: &str) -> Option<Vec<String>> {
        let node = root.get(key).filter(|node| node.data != Data::Null)?;
        let items = self.list(node, key, NAMES_MAX);
        let names = items
            .iter()
            .filter_map(|item| self.text(item, key, NAME_CHARACTERS_MAX));
        Some(names.collect())
    }

    pub(super) fn one_of<T: Copy>(&mut self, root: &Node, key: &str, known: &[(&str, T)]) -> Option<T> {
        let node = root.get(key).filter(|node| node.data != Data::Null)?;
        let written = self.text(node, key, NAME_CHARACTERS_MAX)?;
        let found = known.iter().find(|(name, _)| *name == written);
        if found.is_none() {
            let known = known.iter().map(|(name, _)| (*name).to_owned()).collect();
            let key = key.to_owned();
            self.fault(&node.place, Problem::UnknownValue { key, written, known });
        }
        found.map(|(_, value)| *value)
    }

    pub(super) fn models(&mut self, root: &Node) -> BTreeMap<String, String> {
        let Some(node) = root.get("models") else {
            return BTreeMap::new();
        };
        if !self.is_map(node) {
            return BTreeMap::new();
        }
        let mut models = BTreeMap::new();
        for entry in node.entries() {
            if !MODELS.contains(&entry.key.as_str()) {
                let problem = Problem::UnknownValue {
                    key: "models".to_owned(),
                    written: entry.key.clone(),
                    known: MODELS.map(str::to_owned).to_vec(),
                };
                self.fault(&entry.place, problem);
            }
            if let Some(model) = self.text(&entry.value, "models", NAME_CHARACTERS_MAX) {
                models.insert(entry.key.clone(), model);
            }
        }
        models
    }

    pub(super) fn role_sampling(&mut self, node: &Node) -> BTreeMap<String, Sampling> {
        let mut roles = BTreeMap::new();
        for role in ROLES {
            if let Some(of_role) = node.get(role)
                && self.is_map(of_role)
            {
                let numbers = self.numbers(of_role);
                if !numbers.is_empty() {
                    roles.insert(role.to_owned(), numbers);
                }
            }
        }
        roles
    }

    pub(super) fn numbers(&mut self, node: &Node) -> Sampling {
        let seed = self.number(node, "seed", ("0", "4294967295"), (0.0, f64::from(u32::MAX)));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it was just seen to fit"
        )]
        let seed = seed.map(|seed| seed as u32);
        let (penalty, bounds) = (("-2", "2"), (-2.0, 2.0));
        Sampling {
            temperature: self.number(node, "temperature", ("0", "2"), (0.0, 2.0)),
            top_p: self.number(node, "top_p", ("0", "1"), (0.0, 1.0)),
            seed,
            presence_penalty: self.number(node, "presence_penalty", penalty, bounds),
            frequency_penalty: self.number(node, "frequency_penalty", penalty, bounds),
        }
    }

    fn number(
        &mut self,
        node: &Node,
        key: &str,
        (least, most): (&'static str, &'static str),
        (from, to): (f64, f64),
    ) -> Option<f64> {
        let node = node.get(key).filter(|node| node.data != Data::Null)?;
        let Data::Number(number) = &node.data else {
            self.fault(&node.place, Problem::Wants(Wanted::Number));
            return None;
        };
        let within = number.as_f64().filter(|number| (from..=to).contains(number));
        if within.is_none() {
            let key = key.to_owned();
            self.fault(&node.place, Problem::OutOfBounds { key, least, most });
        }
        within
    }
}
