//! The bar beside a selected text as data: what it is shown for, its acts, and what its user chose.

use serde::Serialize;
use shidi_locales::Language;
use shidi_protocol::{MemoryId, SelectionPlace};

/// What may be done with a selected text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    Ask,
    Explain,
    Translate,
    Rewrite,
    Remember,
    /// One of the user's own prompts that takes a selection.
    Prompt {
        name: String,
    },
}

impl Act {
    /// The acts with a button of their own, in its order.
    pub const ON_BAR: [Self; 5] = [
        Self::Ask,
        Self::Explain,
        Self::Translate,
        Self::Rewrite,
        Self::Remember,
    ];
}

/// What the user chose on the bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    Act(Act),
    /// Remember what is selected; the bar of that number tells what became of it.
    Remember {
        bar: u64,
    },
    /// No bar over that program any more.
    NotOver {
        app: String,
    },
    Settings,
    /// Forget what was just remembered.
    Undo(MemoryId),
}

/// What a bar is shown for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Summoned {
    /// A text was selected there: the bar leaves the keyboard where it is.
    Selection(SelectionPlace),
    /// The user asked for it: the bar takes the keyboard.
    Keys,
    /// A link asked for it: the bar takes the keyboard, and sends nothing before its user has moved in it.
    Link,
}

/// A bar to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    pub summoned: Summoned,
    /// The user's own prompts that take a selection.
    pub prompts: Vec<String>,
    pub language: Language,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_tells_the_page_its_name() {
        let told = |act: Act| serde_json::to_value(act).unwrap().to_string();
        assert_eq!(told(Act::Explain), r#"{"act":"explain"}"#);
        let name = "polish".to_owned();
        assert_eq!(told(Act::Prompt { name }), r#"{"act":"prompt","name":"polish"}"#);
    }
}
