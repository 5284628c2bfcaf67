//! An object as the accessibility bus tells it, and what it is in a text. Pure.

use super::roles::{States, role, state};

/// The sign that stands in an object's text for each of its children.
pub const CHILD: char = '\u{fffc}';

/// An object with what was read of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Accessible {
    pub role: u32,
    pub states: States,
    /// Its text, in which [`CHILD`] stands for each child.
    pub text: String,
    /// Its name: what a button or field is called.
    pub name: String,
    /// The level of a heading, from 1.
    pub level: u8,
    /// Row and column of a cell.
    pub cell: Option<(i32, i32)>,
    /// Its children in their order, where the text needs them: the number of a known object, or none.
    pub children: Vec<Option<usize>>,
    /// The number of the object that labels it.
    pub label: Option<usize>,
}

/// What an object is in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Heading,
    Paragraph,
    Item,
    Cell,
    Quote,
    Link,
    Button,
    /// A text of many lines as it is: an editor's, a terminal's.
    Lines,
    Field(FieldKind),
    /// Nothing to read.
    Other,
}

/// The kind of a field, as forms name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    Text,
    Lines,
    Choice,
    Switch,
}

impl FieldKind {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Lines => "textarea",
            Self::Choice => "select",
            Self::Switch => "checkbox",
        }
    }
}

impl Accessible {
    #[must_use]
    pub fn part(&self) -> Part {
        let has_lines = self.states.has(state::MULTI_LINE);
        match self.role {
            role::HEADING => Part::Heading,
            role::LIST_ITEM | role::TREE_ITEM => Part::Item,
            role::TABLE_CELL
            | role::COLUMN_HEADER
            | role::ROW_HEADER
            | role::TABLE_COLUMN_HEADER
            | role::TABLE_ROW_HEADER => Part::Cell,
            role::BLOCK_QUOTE => Part::Quote,
            role::LINK => Part::Link,
            role::PUSH_BUTTON => Part::Button,
            role::TERMINAL => Part::Lines,
            role::TEXT if has_lines => Part::Lines,
            role::ENTRY if has_lines => Part::Field(FieldKind::Lines),
            role::TEXT if !self.states.has(state::EDITABLE) => Part::Paragraph,
            role::TEXT | role::ENTRY | role::SPIN_BUTTON => Part::Field(FieldKind::Text),
            role::COMBO_BOX => Part::Field(FieldKind::Choice),
            role::CHECK_BOX | role::RADIO_BUTTON => Part::Field(FieldKind::Switch),
            role::PARAGRAPH
            | role::LABEL
            | role::SECTION
            | role::CAPTION
            | role::COMMENT
            | role::DESCRIPTION_TERM
            | role::DESCRIPTION_VALUE
            | role::FOOTNOTE => Part::Paragraph,
            _ => Part::Other,
        }
    }
}
