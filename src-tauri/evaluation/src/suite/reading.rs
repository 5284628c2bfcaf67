//! Takes values out of the tree of a document, each of the kind that is wanted there.

use super::fault::{fault, unknown_key};
use super::files::Files;
use super::template::Templates;
use crate::limits::REFERENCES_MAX;
use shidi_locales::{Evaluation as Sentences, Language};
use shidi_protocol::UserError;
use shidi_yaml::{Data, Node};

/// How a value that stands elsewhere in the suite is named.
const REFERENCE: &str = "$ref";

/// What reading a suite needs at every place.
pub struct Reading {
    pub files: Files,
    pub templates: Templates,
    /// The suite's own document, to which references lead.
    pub root: Node,
}

impl Reading {
    pub fn language(&self) -> Language {
        self.files.language
    }

    pub fn say(&self) -> Sentences {
        self.files.language.evaluation()
    }

    /// Follows a reference to another place of the suite; anything else is itself.
    ///
    /// # Errors
    /// A reference to nothing, to another file, or in a circle.
    pub fn resolved<'a>(&'a self, node: &'a Node) -> Result<&'a Node, UserError> {
        let say = self.say();
        let mut node = node;
        for _ in 0..REFERENCES_MAX {
            let Some(reference) = node.get(REFERENCE) else {
                return Ok(node);
            };
            if let Some(entry) = node.entries().iter().find(|entry| entry.key != REFERENCE) {
                return Err(fault(
                    &entry.place,
                    say.beside_reference(&entry.key),
                    say.reference_alone(),
                ));
            }
            let path = self.text(reference)?;
            let Some(path) = path.strip_prefix("#/") else {
                return Err(fault(
                    &reference.place,
                    say.reference_elsewhere(path),
                    say.reference_example(),
                ));
            };
            let mut parts = path
                .split('/')
                .map(|part| part.replace("~1", "/").replace("~0", "~"));
            let found = parts.try_fold(&self.root, |at, part| at.get(&part));
            node = found
                .ok_or_else(|| fault(&reference.place, say.no_reference(path), say.reference_example()))?;
        }
        Err(fault(
            &node.place,
            say.reference_circle(),
            say.reference_example(),
        ))
    }

    /// Refuses keys that are not known.
    ///
    /// # Errors
    /// The first such key, or a value that is no map.
    pub fn keys(&self, node: &Node, known: &[&str]) -> Result<(), UserError> {
        self.map(node)?;
        let unknown = node
            .entries()
            .iter()
            .find(|entry| !known.contains(&entry.key.as_str()));
        unknown.map_or(Ok(()), |entry| Err(unknown_key(self.language(), entry, known)))
    }

    pub fn map(&self, node: &Node) -> Result<(), UserError> {
        match &node.data {
            Data::Map(_) => Ok(()),
            Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::List(_) => Err(fault(
                &node.place,
                self.say().wants_map(),
                self.say().map_example(),
            )),
        }
    }

    pub fn text<'a>(&self, node: &'a Node) -> Result<&'a str, UserError> {
        node.text()
            .ok_or_else(|| fault(&node.place, self.say().wants_text(), self.say().quote_it()))
    }

    /// A text, or a number or truth as it is written.
    pub fn plain(&self, node: &Node) -> Result<String, UserError> {
        match &node.data {
            Data::Text(text) => Ok(text.clone()),
            Data::Number(number) => Ok(number.to_string()),
            Data::Flag(flag) => Ok(flag.to_string()),
            Data::Null | Data::List(_) | Data::Map(_) => {
                Err(fault(&node.place, self.say().wants_text(), self.say().quote_it()))
            }
        }
    }

    pub fn list<'a>(&self, node: &'a Node) -> Result<&'a [Node], UserError> {
        match &node.data {
            Data::List(items) => Ok(items),
            Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::Map(_) => Err(fault(
                &node.place,
                self.say().wants_list(),
                self.say().list_example(),
            )),
        }
    }

    /// A list of texts.
    pub fn texts(&self, node: &Node) -> Result<Vec<String>, UserError> {
        let items = self.list(node)?;
        items
            .iter()
            .map(|item| self.text(item).map(str::to_owned))
            .collect()
    }

    pub fn flag(&self, node: &Node) -> Result<bool, UserError> {
        match &node.data {
            Data::Flag(flag) => Ok(*flag),
            Data::Null | Data::Number(_) | Data::Text(_) | Data::List(_) | Data::Map(_) => Err(fault(
                &node.place,
                self.say().wants_flag(),
                self.say().true_or_false(),
            )),
        }
    }

    /// A finite number.
    pub fn number(&self, node: &Node) -> Result<f64, UserError> {
        let number = match &node.data {
            Data::Number(number) => number.as_f64().filter(|number| number.is_finite()),
            Data::Null | Data::Flag(_) | Data::Text(_) | Data::List(_) | Data::Map(_) => None,
        };
        number.ok_or_else(|| {
            fault(
                &node.place,
                self.say().wants_number(),
                self.say().number_unquoted(),
            )
        })
    }

    /// A number that is not negative.
    pub fn amount(&self, node: &Node) -> Result<f64, UserError> {
        let number = self.number(node)?;
        match number >= 0.0 {
            true => Ok(number),
            false => Err(fault(
                &node.place,
                self.say().wants_amount(),
                self.say().number_unquoted(),
            )),
        }
    }

    /// A whole number within bounds.
    pub fn whole(&self, node: &Node, least: u32, most: u32) -> Result<u32, UserError> {
        let number = match &node.data {
            Data::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
            Data::Null | Data::Flag(_) | Data::Text(_) | Data::List(_) | Data::Map(_) => None,
        };
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| {
                let message = self.say().wants_whole(least, most);
                fault(&node.place, message, self.say().number_unquoted())
            })
    }
}
