//! The assistant that the engine is in a run: its title and prompt, as its file has them.

use crate::rendering;
use shidi_protocol::{Wording, worded};

/// Who a run answers as; the usual assistant has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Persona {
    pub title: Wording,
    pub prompt: Wording,
    /// The languages that it speaks; empty for all.
    pub languages: Vec<String>,
}

/// The element of the prompt, which its text can't end.
const ELEMENT: &str = "</assistant";

impl Persona {
    /// The title on one line.
    #[must_use]
    pub fn title(&self, language: &str) -> String {
        let title = rendering::harmless(worded(&self.title, language));
        let words: Vec<&str> = title.split_whitespace().collect();
        words.join(" ").replace(['<', '>'], " ")
    }

    #[must_use]
    pub fn prompt(&self, language: &str) -> String {
        rendering::harmless(worded(&self.prompt, language)).replace(ELEMENT, "< /assistant")
    }
}
