//! Makes Markdown and fields of objects in the order of their tree. Pure.
//!
//! A paragraph's links stand within it, a cell's paragraphs within the cell. A part that a program shows as dots, or
//! labels as a password or code, is no field. Texts are bounded.

use super::objects::{Accessible, CHILD, FieldKind, Part};
use super::roles::state;
use crate::limits::{BUTTONS_MAX, FIELDS_MAX, LABEL_CHARACTERS_MAX, VALUE_CHARACTERS_MAX};
use crate::privacy_filter::secret_fields::is_secret_field;
use shidi_protocol::{FormButton, FormField};
use std::collections::BTreeSet;

/// Signs that browsers write before an item.
const BULLETS: [char; 5] = ['•', '◦', '▪', '‣', ' '];

/// How deep a text takes in the texts of its children: a link in a paragraph in a cell.
const NESTED_MAX: usize = 4;

/// Objects, and those of them whose text stands within another's.
pub struct Document<'a> {
    objects: &'a [Accessible],
    within: BTreeSet<usize>,
}

impl<'a> Document<'a> {
    #[must_use]
    pub fn new(objects: &'a [Accessible]) -> Self {
        let mut document = Self {
            objects,
            within: BTreeSet::new(),
        };
        for (number, known) in objects.iter().enumerate() {
            document.within.extend(document.taken_in(number));
            // A field says its label itself.
            if matches!(known.part(), Part::Field(_)) {
                document.within.extend(known.label);
            }
        }
        document
    }

    /// The Markdown of these objects, of so many characters at most, and whether it was cut.
    #[must_use]
    pub fn markdown(
        &self,
        numbers: impl IntoIterator<Item = usize>,
        characters_max: usize,
    ) -> (String, bool) {
        let mut written = Written::new(characters_max);
        let mut table = Table::default();
        for number in numbers {
            let Some(known) = self
                .objects
                .get(number)
                .filter(|_| !self.within.contains(&number))
            else {
                continue;
            };
            let part = known.part();
            if part != Part::Cell {
                table.end(&mut written);
            }
            let line = || line(&self.text(number, 0));
            match part {
                Part::Heading => written.block("#".repeat(known.level.clamp(1, 6).into()), &line()),
                Part::Paragraph | Part::Link => {
                    written.block(String::new(), &paragraph(&self.text(number, 0)))
                }
                Part::Item => written.line("-", line().trim_start_matches(BULLETS)),
                Part::Quote => written.block(">".to_owned(), &line()),
                Part::Lines => written.block(String::new(), lines(&known.text).trim_end()),
                Part::Cell => table.cell(known.cell, line(), &mut written),
                Part::Button | Part::Field(_) | Part::Other => {}
            }
            if written.is_cut {
                break;
            }
        }
        table.end(&mut written);
        (written.text, written.is_cut)
    }

    /// The fields of these objects as a person sees them.
    #[must_use]
    pub fn fields(&self, numbers: impl IntoIterator<Item = usize>) -> Vec<FormField> {
        let field = |number: usize| {
            let known = self.objects.get(number)?;
            let Part::Field(kind) = known.part() else {
                return None;
            };
            let label = bounded(&self.label(known), LABEL_CHARACTERS_MAX);
            let value = match kind {
                FieldKind::Switch if known.states.has(state::CHECKED) => "on".to_owned(),
                FieldKind::Switch => "off".to_owned(),
                FieldKind::Text | FieldKind::Lines | FieldKind::Choice => line(&known.text),
            };
            if is_secret_field(&label, &value) {
                return None;
            }
            Some(FormField {
                label,
                kind: kind.name().to_owned(),
                value: bounded(&value, VALUE_CHARACTERS_MAX),
                problem: known
                    .states
                    .has(state::INVALID_ENTRY)
                    .then(|| "invalid".to_owned()),
                required: known.states.has(state::REQUIRED),
                ..FormField::default()
            })
        };
        numbers.into_iter().filter_map(field).take(FIELDS_MAX).collect()
    }

    /// The buttons of these objects.
    #[must_use]
    pub fn buttons(&self, numbers: impl IntoIterator<Item = usize>) -> Vec<FormButton> {
        let button = |number: usize| {
            let known = self.objects.get(number)?;
            let label = bounded(&known.name, LABEL_CHARACTERS_MAX);
            (known.part() == Part::Button && !label.is_empty()).then_some(FormButton {
                label,
                ..FormButton::default()
            })
        };
        numbers.into_iter().filter_map(button).take(BUTTONS_MAX).collect()
    }

    fn label(&self, known: &Accessible) -> String {
        let labelling = known.label.and_then(|number| self.objects.get(number));
        let label = match (known.name.trim(), labelling) {
            ("", Some(labelling)) => line(&labelling.text),
            (name, _) => line(name),
        };
        label.trim_end_matches([':', '\u{ff1a}', ' ']).to_owned()
    }

    /// The objects whose text stands within that of `number`.
    fn taken_in(&self, number: usize) -> Vec<usize> {
        let Some(known) = self.objects.get(number) else {
            return Vec::new();
        };
        let takes_all = match known.part() {
            Part::Heading | Part::Item | Part::Cell | Part::Quote => true,
            Part::Paragraph | Part::Link => false,
            Part::Button | Part::Lines | Part::Field(_) | Part::Other => return Vec::new(),
        };
        let children = known.children.iter().flatten().copied();
        children
            .filter(|child| *child > number)
            .filter(|child| match self.objects.get(*child).map(Accessible::part) {
                Some(Part::Link) => true,
                Some(Part::Paragraph | Part::Heading | Part::Quote) => takes_all,
                Some(Part::Item | Part::Cell | Part::Button | Part::Lines | Part::Field(_) | Part::Other)
                | None => false,
            })
            .collect()
    }

    /// A text with those of its children in their places.
    fn text(&self, number: usize, depth: usize) -> String {
        let Some(known) = self.objects.get(number) else {
            return String::new();
        };
        let within = self.taken_in(number);
        let mut children = known.children.iter();
        let mut text = String::new();
        for character in known.text.chars() {
            if character != CHILD {
                text.push(character);
                continue;
            }
            let child = children.next().copied().flatten();
            if let Some(child) = child.filter(|child| depth < NESTED_MAX && within.contains(child)) {
                text.push_str(&self.text(child, depth + 1));
            }
        }
        text
    }
}

/// Cells that stand in the same table.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
    last: Option<(i32, i32)>,
}

impl Table {
    fn cell(&mut self, place: Option<(i32, i32)>, text: String, written: &mut Written) {
        let Some((row, column)) = place else {
            self.end(written);
            return written.block(String::new(), &text);
        };
        let text = text.replace('|', "\\|");
        match (self.last, self.rows.last_mut()) {
            (Some((last_row, last_column)), Some(cells)) if row == last_row && column > last_column => {
                cells.push(text);
            }
            (Some((last_row, _)), Some(_)) if row > last_row => self.rows.push(vec![text]),
            // Another table begins.
            (_, _) => {
                self.end(written);
                self.rows.push(vec![text]);
            }
        }
        self.last = Some((row, column));
    }

    fn end(&mut self, written: &mut Written) {
        self.last = None;
        let rows = std::mem::take(&mut self.rows);
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        for (index, row) in rows.iter().enumerate() {
            let text = format!("| {} |", row.join(" | "));
            if index == 0 {
                written.block(String::new(), &text);
                written.line("", &format!("|{}", " --- |".repeat(columns)));
            } else {
                written.line("", &text);
            }
        }
    }
}

/// A text that grows by lines up to its bound.
struct Written {
    text: String,
    left: usize,
    is_cut: bool,
    last: String,
}

impl Written {
    fn new(characters_max: usize) -> Self {
        Self {
            text: String::new(),
            left: characters_max,
            is_cut: false,
            last: String::new(),
        }
    }

    /// A text with an empty line before it; what was said just before is not said again.
    fn block(&mut self, mark: String, text: &str) {
        if text.trim().is_empty() || text == self.last {
            return;
        }
        let gap = if self.text.is_empty() { "" } else { "\n" };
        self.push(&format!("{gap}{}", marked(&mark, text)));
        text.clone_into(&mut self.last);
    }

    fn line(&mut self, mark: &str, text: &str) {
        if !text.trim().is_empty() {
            self.push(&marked(mark, text));
            self.last.clear();
        }
    }

    fn push(&mut self, text: &str) {
        for line in text.split('\n') {
            if self.is_cut {
                return;
            }
            let characters = line.chars().count() + 1;
            self.is_cut = characters > self.left;
            self.text.extend(line.chars().take(self.left.saturating_sub(1)));
            self.text.push('\n');
            self.left = self.left.saturating_sub(characters);
        }
    }
}

fn marked(mark: &str, text: &str) -> String {
    match mark {
        "" => text.to_owned(),
        mark => format!("{mark} {text}"),
    }
}

/// A text in one line, without what only stands for children.
fn line(text: &str) -> String {
    let words = text
        .split(|character: char| character.is_whitespace() || character == CHILD || character.is_control());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A text whose lines stay apart: verses, lines of code.
fn paragraph(text: &str) -> String {
    let text = text.trim();
    if text.contains('\n') {
        lines(text)
    } else {
        line(text)
    }
}

/// A text of many lines, as it is.
fn lines(text: &str) -> String {
    let kept = |character: &char| {
        (!character.is_control() || matches!(character, '\n' | '\t')) && *character != CHILD
    };
    text.chars().filter(kept).collect()
}

fn bounded(text: &str, characters_max: usize) -> String {
    line(text).chars().take(characters_max).collect()
}

#[cfg(test)]
mod tests;
