//! Numbers of roles and states on the accessibility bus, and the rule by which objects are matched.
//!
//! A rule is written as the bus wants it: states and roles are bit masks in words of 32 bits. Libraries that write roles
//! as a list of numbers get other objects back, without an error.

use std::collections::HashMap;

/// Roles, as `AtspiRole` numbers them.
pub mod role {
    pub const CHECK_BOX: u32 = 7;
    pub const COLUMN_HEADER: u32 = 10;
    pub const COMBO_BOX: u32 = 11;
    pub const LABEL: u32 = 29;
    pub const LIST_ITEM: u32 = 32;
    pub const PASSWORD_TEXT: u32 = 40;
    pub const PUSH_BUTTON: u32 = 43;
    pub const RADIO_BUTTON: u32 = 44;
    pub const ROW_HEADER: u32 = 47;
    pub const SPIN_BUTTON: u32 = 52;
    pub const TABLE_CELL: u32 = 56;
    pub const TABLE_COLUMN_HEADER: u32 = 57;
    pub const TABLE_ROW_HEADER: u32 = 58;
    pub const TERMINAL: u32 = 60;
    pub const TEXT: u32 = 61;
    pub const PARAGRAPH: u32 = 73;
    pub const ENTRY: u32 = 79;
    pub const CAPTION: u32 = 81;
    pub const DOCUMENT_FRAME: u32 = 82;
    pub const HEADING: u32 = 83;
    pub const SECTION: u32 = 85;
    pub const LINK: u32 = 88;
    pub const TREE_ITEM: u32 = 91;
    pub const DOCUMENT_SPREADSHEET: u32 = 92;
    pub const DOCUMENT_PRESENTATION: u32 = 93;
    pub const DOCUMENT_TEXT: u32 = 94;
    pub const DOCUMENT_WEB: u32 = 95;
    pub const DOCUMENT_EMAIL: u32 = 96;
    pub const COMMENT: u32 = 97;
    pub const BLOCK_QUOTE: u32 = 105;
    pub const DESCRIPTION_TERM: u32 = 122;
    pub const DESCRIPTION_VALUE: u32 = 123;
    pub const FOOTNOTE: u32 = 124;
}

/// States, as `AtspiStateType` numbers them.
pub mod state {
    pub const ACTIVE: u32 = 1;
    pub const CHECKED: u32 = 4;
    pub const DEFUNCT: u32 = 6;
    pub const EDITABLE: u32 = 7;
    pub const FOCUSED: u32 = 12;
    pub const MULTI_LINE: u32 = 17;
    pub const SHOWING: u32 = 25;
    pub const SINGLE_LINE: u32 = 26;
    pub const REQUIRED: u32 = 33;
    pub const INVALID_ENTRY: u32 = 36;
}

/// Objects that hold text of the window. Menus, tabs and tips are none: they are the program's own words.
pub const TEXTS: &[u32] = &[
    role::PARAGRAPH,
    role::HEADING,
    role::LIST_ITEM,
    role::TREE_ITEM,
    role::TABLE_CELL,
    role::COLUMN_HEADER,
    role::ROW_HEADER,
    role::TABLE_COLUMN_HEADER,
    role::TABLE_ROW_HEADER,
    role::TERMINAL,
    role::TEXT,
    role::ENTRY,
    role::LABEL,
    role::SECTION,
    role::CAPTION,
    role::LINK,
    role::COMMENT,
    role::BLOCK_QUOTE,
    role::DESCRIPTION_TERM,
    role::DESCRIPTION_VALUE,
    role::FOOTNOTE,
    role::COMBO_BOX,
    role::CHECK_BOX,
    role::RADIO_BUTTON,
    role::SPIN_BUTTON,
    role::PUSH_BUTTON,
];

/// Objects that are a document within their window.
pub const DOCUMENTS: &[u32] = &[
    role::DOCUMENT_WEB,
    role::DOCUMENT_FRAME,
    role::DOCUMENT_TEXT,
    role::DOCUMENT_SPREADSHEET,
    role::DOCUMENT_PRESENTATION,
    role::DOCUMENT_EMAIL,
];

/// Words of the mask of roles: more roles than there are.
const ROLE_WORDS: usize = 5;

/// The order of the objects in their tree.
pub const SORT_CANONICAL: u32 = 1;

/// How a part of a rule is compared: all of it, or any.
const MATCH_ALL: i32 = 1;
const MATCH_ANY: i32 = 2;

/// A rule of `org.a11y.atspi.Collection`: states, attributes, roles and interfaces, each with its way of comparing. The
/// last field says whether the rule is turned round. The rule's form on the bus is `(aiia{ss}iaiiasib)`.
pub type MatchRule = (
    Vec<i32>,
    i32,
    HashMap<String, String>,
    i32,
    Vec<i32>,
    i32,
    Vec<String>,
    i32,
    bool,
);

/// Objects of any of these roles that have all of these states.
#[must_use]
pub fn matching(roles: &[u32], states: &[u32]) -> MatchRule {
    let (states, roles) = (mask(states, 2), mask(roles, ROLE_WORDS));
    let (attributes, interfaces) = (HashMap::new(), Vec::new());
    (
        states, MATCH_ALL, attributes, MATCH_ALL, roles, MATCH_ANY, interfaces, MATCH_ALL, false,
    )
}

/// Every role but that of a password's field.
#[must_use]
pub fn any_but_passwords() -> Vec<u32> {
    let last = u32::try_from(32 * ROLE_WORDS).unwrap_or(u32::MAX);
    (0..last).filter(|role| *role != role::PASSWORD_TEXT).collect()
}

fn mask(numbers: &[u32], words: usize) -> Vec<i32> {
    let mut mask = vec![0_u32; words];
    for number in numbers {
        if let Some(word) = mask.get_mut((number / 32) as usize) {
            *word |= 1 << (number % 32);
        }
    }
    mask.into_iter().map(u32::cast_signed).collect()
}

/// The states of an object, in the two words that the bus tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct States(u64);

impl States {
    #[must_use]
    pub fn of(words: &[u32]) -> Self {
        let word = |index: usize| u64::from(words.get(index).copied().unwrap_or_default());
        Self(word(0) | word(1) << 32)
    }

    #[must_use]
    pub fn has(self, state: u32) -> bool {
        self.0 & (1 << state) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zbus::zvariant::Type;

    #[test]
    fn roles_and_states_are_bits_of_words_and_no_list() {
        let rule = matching(&[role::HEADING, role::LABEL], &[state::SHOWING, state::REQUIRED]);
        assert_eq!(rule.4, [1 << 29, 0, 1 << (83 - 64), 0, 0]);
        assert_eq!(rule.0, [1 << 25, 1 << 1]);
        assert_eq!(MatchRule::SIGNATURE.to_string(), "(aiia{ss}iaiiasib)");
    }

    #[test]
    fn the_field_of_a_password_is_in_no_rule() {
        assert!(!TEXTS.contains(&role::PASSWORD_TEXT));
        let rule = matching(&any_but_passwords(), &[]);
        assert_eq!(rule.4[1] & (1 << (role::PASSWORD_TEXT - 32)), 0);
        assert_eq!(rule.4[0], -1);
    }

    #[test]
    fn states_of_both_words_are_found() {
        let states = States::of(&[1 << 25, 1 << 4]);
        assert!(states.has(state::SHOWING) && states.has(state::INVALID_ENTRY));
        assert!(!states.has(state::FOCUSED) && !States::default().has(state::ACTIVE));
    }
}
