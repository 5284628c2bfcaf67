//! The outline of one file: what it defines, and which names it calls or mentions from where.

use serde::{Deserialize, Serialize};

/// No name, or no definition around.
pub const NONE: u32 = u32::MAX;

/// What a definition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    Function,
    Method,
    Class,
    Struct,
    Enum,
    Variant,
    Interface,
    Trait,
    Type,
    Module,
    Macro,
    Constant,
    Property,
    /// What belongs to a type, written apart from it.
    Implementation,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Variant => "variant",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::Type => "type",
            Self::Module => "module",
            Self::Macro => "macro",
            Self::Constant => "constant",
            Self::Property => "property",
            Self::Implementation => "implementation",
        }
    }

    /// Whether it runs when it is called.
    pub fn is_called(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Macro)
    }

    /// Whether functions in it are methods.
    pub fn has_methods(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Struct | Self::Enum | Self::Interface | Self::Trait | Self::Implementation
        )
    }

    /// Whether it stands for itself where names are looked for.
    pub fn is_findable(self) -> bool {
        self != Self::Implementation
    }
}

/// One definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    pub name: String,
    pub kind: Kind,
    /// The type or module that it belongs to; empty at the top of a file.
    pub container: String,
    /// Its line, and the one where it ends, from 1.
    pub line: u32,
    pub end: u32,
    /// How it is written, without its body, on one line.
    pub signature: String,
    /// The first sentence of its description.
    pub doc: String,
    /// How many definitions are around it.
    pub depth: u8,
}

impl Symbol {
    /// Whether it stands in a module of tests beside what they test.
    pub fn is_in_tests(&self) -> bool {
        ["tests", "test"].contains(&self.container.as_str())
    }

    /// Its name behind that of what it belongs to.
    pub fn whole_name(&self) -> String {
        if self.container.is_empty() {
            self.name.clone()
        } else {
            format!("{}.{}", self.container, self.name)
        }
    }
}

/// How a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mention {
    Call,
    Type,
    Use,
}

/// One use of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The name, and the one before its dot; places in [`Outline::names`].
    pub name: u32,
    pub on: u32,
    /// The innermost definition around it; a place in [`Outline::symbols`].
    pub within: u32,
    pub line: u32,
    pub mention: Mention,
}

/// Names one behind the other: thousands of small texts would take three times the memory.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    /// The place of the next name.
    pub fn next_place(&self) -> Option<u32> {
        u32::try_from(self.ends.len()).ok()
    }

    /// Adds a name behind the others. Files are bounded, so that all their names are shorter than is counted here.
    pub fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    fn get(&self, place: usize) -> Option<&str> {
        let end = usize::try_from(*self.ends.get(place)?).ok()?;
        let before = place.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = usize::try_from(before.copied().unwrap_or_default()).ok()?;
        self.text.get(start..end)
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|place| self.get(place).unwrap_or_default())
    }
}

/// What is known of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Outline {
    pub symbols: Vec<Symbol>,
    pub references: Vec<Reference>,
    pub names: Names,
    /// The first sentence of what the file says of itself.
    pub doc: String,
    pub lines: u32,
}

impl Outline {
    pub fn name(&self, place: u32) -> &str {
        let place = usize::try_from(place).ok();
        place.and_then(|place| self.names.get(place)).unwrap_or_default()
    }

    pub fn symbol(&self, place: u32) -> Option<&Symbol> {
        usize::try_from(place)
            .ok()
            .and_then(|place| self.symbols.get(place))
    }

    /// The place of a name, where it is used here.
    pub fn place_of(&self, name: &str) -> Option<u32> {
        let place = self.names.iter().position(|known| known == name)?;
        u32::try_from(place).ok()
    }
}
