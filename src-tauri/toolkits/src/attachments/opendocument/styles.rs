//! Styles of an OpenDocument file, as far as they decide what is read: titles, numbered lists, hidden slides.

use super::super::frame::Stop;
use super::super::xml::{Listener, attribute};
use quick_xml::events::BytesStart;
use std::collections::{HashMap, HashSet};

/// Styles of each kind. Long documents have some thousand.
const STYLES_MAX: usize = 20_000;
/// Styles that one style may rest on, one on another.
const PARENTS_MAX: usize = 16;
/// Levels of a list, as the format bounds them.
const LEVELS: std::ops::RangeInclusive<u32> = 1..=10;

#[derive(Default)]
pub(super) struct Styles {
    /// The style that a paragraph's style rests on.
    parents: HashMap<String, String>,
    /// The numbered levels of a list's style, one bit for each.
    numbered: HashMap<String, u32>,
    hidden_slides: HashSet<String>,
    /// The style whose definition is being read.
    open: String,
}

impl Styles {
    /// Whether paragraphs of that style are the document's title.
    pub(super) fn is_title(&self, style: &str) -> bool {
        let mut name = style;
        for _ in 0..PARENTS_MAX {
            if name == "Title" {
                return true;
            }
            match self.parents.get(name) {
                Some(parent) => name = parent,
                None => return false,
            }
        }
        false
    }

    /// Whether lists of that style are numbered at `level`, from 1.
    pub(super) fn is_numbered(&self, style: &str, level: usize) -> bool {
        let level = u32::try_from(level).unwrap_or(u32::MAX).min(*LEVELS.end());
        let levels = self.numbered.get(style).copied().unwrap_or(0);
        levels & (1 << level) != 0
    }

    pub(super) fn is_hidden_slide(&self, style: &str) -> bool {
        self.hidden_slides.contains(style)
    }

    /// Takes the beginning of one element of a definition.
    pub(super) fn take(&mut self, name: &str, element: &BytesStart<'_>) {
        let of = |name: &str| attribute(element, name).unwrap_or_default();
        match name {
            "style" => {
                self.open = of("name");
                let parent = of("parent-style-name");
                if of("family") == "paragraph" && !parent.is_empty() && self.parents.len() < STYLES_MAX {
                    self.parents.insert(self.open.clone(), parent);
                }
            }
            "list-style" => self.open = of("name"),
            "list-level-style-number" => {
                let level = of("level").parse::<u32>().ok();
                let level = level.filter(|level| LEVELS.contains(level) && !of("num-format").is_empty());
                if let Some(level) = level.filter(|_| self.numbered.len() < STYLES_MAX) {
                    *self.numbered.entry(self.open.clone()).or_default() |= 1 << level;
                }
            }
            "drawing-page-properties"
                if of("visibility") == "hidden" && self.hidden_slides.len() < STYLES_MAX =>
            {
                self.hidden_slides.insert(self.open.clone());
            }
            _ => {}
        }
    }
}

impl Listener for Styles {
    fn opened(&mut self, name: &str, element: &BytesStart<'_>) -> Result<(), Stop> {
        self.take(name, element);
        Ok(())
    }

    fn closed(&mut self, _name: &str) -> Result<(), Stop> {
        Ok(())
    }

    fn text(&mut self, _text: &str) -> Result<(), Stop> {
        Ok(())
    }
}
