//! Puts a text where the user was writing, by the window's own program. It comes at the caret, in place of what is selected.
//!
//! Only ever by a click of the user. The object has to lie in the window that was meant, to show, and to be editable. A
//! password's field gets nothing. What stands there is not read: only lengths and places are.

use super::bus::{self, Bus, Object};
use super::focus;
use super::reading::TEXT;
use super::roles::{States, role, state};
use crate::insert::{Manner, typed};
use crate::limits::WALKED_DEPTH_MAX;
use std::time::Duration;
use tokio::time::Instant;

const EDITABLE_TEXT: &str = "org.a11y.atspi.EditableText";

/// The toolkit that counts a text to be inserted in units of UTF-16; the others count its bytes.
const COUNTS_UNITS: &str = "Qt";

/// Pace of asking whether a text became longer.
const PACE: Duration = Duration::from_millis(20);

/// What an object says of itself before something is put there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Field {
    role: u32,
    states: States,
    interfaces: Vec<String>,
    toolkit: String,
    caret: i32,
    /// Where a selection begins and ends; the same place twice, or places before the text, are none.
    selection: (i32, i32),
    length: i32,
}

/// Where a text comes, and what it takes the place of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    at: i32,
    replaced: Option<(i32, i32)>,
}

/// How much of a text a field has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    Whole,
    /// So many characters of all: some fields hold no more.
    Part {
        characters: usize,
        of: usize,
    },
    Nothing,
}

/// Puts a text into that window; how much of it its program took.
pub async fn insert(bus: &Bus, window: &Object, text: &str, until: Instant) -> Taken {
    let Some(object) = focus::last(bus, window, until).await else {
        return Taken::Nothing;
    };
    if !is_within(bus, &object, window, until).await {
        return Taken::Nothing;
    }
    let Some(field) = described(bus, &object, until).await else {
        return Taken::Nothing;
    };
    let Some(place) = field.place() else {
        return Taken::Nothing;
    };
    let text = field.fitting(text);
    let Some(length) = field.counted(&text).filter(|length| *length > 0) else {
        return Taken::Nothing;
    };
    // What is selected goes only after the text stands behind it: a program that takes nothing loses nothing.
    let asked = bus::question(
        &object,
        EDITABLE_TEXT,
        "InsertText",
        &(place.at, text.as_str(), length),
    );
    let told = bus.one(asked, until).await;
    let is_refused = told.is_refused(0) || told.read::<bool>(0) == Some(false);
    if is_refused {
        return Taken::Nothing;
    }
    let whole = field.length.saturating_add(field.grown(&text));
    let taken = field.taken(&text, length_after(bus, &object, whole, until).await);
    // Behind a part the selection stays, too: nothing is lost.
    if let (Taken::Whole, Some(replaced)) = (taken, place.replaced) {
        let asked = bus::question(&object, EDITABLE_TEXT, "DeleteText", &replaced);
        bus.one(asked, until).await;
    }
    taken
}

/// The length that a text comes to: at once when it is `whole`, else the last one told. Some programs say yes before they
/// have changed it, and some take a part.
async fn length_after(bus: &Bus, object: &Object, whole: i32, until: Instant) -> Option<i32> {
    let mut last = None;
    loop {
        let told = bus.one(length_of(object), until).await;
        last = told.value::<i32>(0).or(last);
        if last.is_some_and(|now| now >= whole) || Instant::now() >= until {
            return last;
        }
        tokio::time::sleep(PACE).await;
    }
}

/// Whether an object lies in that window: its program may have more of them.
async fn is_within(bus: &Bus, object: &Object, window: &Object, until: Instant) -> bool {
    let mut at = object.clone();
    for _ in 0..WALKED_DEPTH_MAX {
        if at == *window {
            return true;
        }
        let told = bus.one(bus::parent(&at), until).await;
        let Some(parent) = told.value::<Object>(0) else {
            return false;
        };
        at = parent;
    }
    false
}

/// What the object says of itself; `None` where it does not say all of it in time.
async fn described(bus: &Bus, object: &Object, until: Instant) -> Option<Field> {
    let questions = vec![
        bus::role(object),
        bus::states(object),
        bus::interfaces(object),
        bus::toolkit(object),
        bus::property(object, TEXT, "CaretOffset"),
        bus::question(object, TEXT, "GetSelection", &0_i32),
        length_of(object),
    ];
    let told = bus.ask(questions, until).await;
    Some(Field {
        role: told.read(0)?,
        states: States::of(&told.read::<Vec<u32>>(1)?),
        interfaces: told.read(2)?,
        toolkit: told.value(3).unwrap_or_default(),
        caret: told.value(4)?,
        selection: told.read(5).unwrap_or_default(),
        length: told.value(6)?,
    })
}

fn length_of(object: &Object) -> Option<zbus::Message> {
    bus::property(object, TEXT, "CharacterCount")
}

impl Field {
    /// Where a text may be put; `None` where none may.
    fn place(&self) -> Option<Place> {
        let is_text = !matches!(self.role, role::PASSWORD_TEXT | role::TERMINAL);
        let has = |state| self.states.has(state);
        let is_editable = has(state::EDITABLE) && has(state::SHOWING) && !has(state::DEFUNCT);
        let is_offered = self.interfaces.iter().any(|name| name == EDITABLE_TEXT);
        if !(is_text && is_editable && is_offered) {
            return None;
        }
        let (start, end) = self.selection;
        if 0 <= start && start < end && end <= self.length {
            return Some(Place {
                at: end,
                replaced: Some((start, end)),
            });
        }
        (0..=self.length).contains(&self.caret).then_some(Place {
            at: self.caret,
            replaced: None,
        })
    }

    /// The text as this field holds it: a field of one line takes no line ends.
    fn fitting(&self, text: &str) -> String {
        if self.states.has(state::SINGLE_LINE) {
            typed(text, Manner::Terminal)
        } else {
            text.to_owned()
        }
    }

    /// The length of a text as its toolkit counts one that is inserted.
    fn counted(&self, text: &str) -> Option<i32> {
        let length = if self.toolkit == COUNTS_UNITS {
            text.encode_utf16().count()
        } else {
            text.len()
        };
        i32::try_from(length).ok()
    }

    /// By how much its text becomes longer, as its toolkit counts one that stands there.
    fn grown(&self, text: &str) -> i32 {
        let length = if self.toolkit == COUNTS_UNITS {
            text.encode_utf16().count()
        } else {
            text.chars().count()
        };
        i32::try_from(length).unwrap_or(i32::MAX)
    }

    /// How much of a text was taken, by the length that this field has afterwards.
    fn taken(&self, text: &str, after: Option<i32>) -> Taken {
        let grown = after.map_or(0, |after| after.saturating_sub(self.length));
        if grown >= self.grown(text) {
            return Taken::Whole;
        }
        match usize::try_from(grown) {
            Ok(0) | Err(_) => Taken::Nothing,
            Ok(grown) => Taken::Part {
                characters: self.characters(text, grown),
                of: text.chars().count(),
            },
        }
    }

    /// The characters of the beginning of a text that is so long as its toolkit counts.
    fn characters(&self, text: &str, length: usize) -> usize {
        if self.toolkit != COUNTS_UNITS {
            return length;
        }
        let ends = text.chars().scan(0, |end, letter| {
            *end += letter.len_utf16();
            Some(*end)
        });
        ends.take_while(|end| *end <= length).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: u32 = 1 << state::EDITABLE | 1 << state::SHOWING;

    fn entry() -> Field {
        Field {
            role: role::ENTRY,
            states: States::of(&[SHOWN | 1 << state::SINGLE_LINE]),
            interfaces: vec![TEXT.to_owned(), EDITABLE_TEXT.to_owned()],
            toolkit: "gtk".to_owned(),
            caret: 4,
            selection: (0, 0),
            length: 9,
        }
    }

    #[test]
    fn a_text_comes_at_the_caret_or_behind_what_it_takes_the_place_of() {
        let at = |at, replaced| Some(Place { at, replaced });
        assert_eq!(entry().place(), at(4, None));
        let selected = |selection| Field { selection, ..entry() }.place();
        assert_eq!(selected((2, 7)), at(7, Some((2, 7))));
        for nothing in [(-1, -1), (3, 3), (7, 2), (2, 10)] {
            assert_eq!(selected(nothing), at(4, None), "{nothing:?}");
        }
        let caret = |caret| Field { caret, ..entry() }.place();
        assert_eq!((caret(-1), caret(10)), (None, None), "nobody knows where");
        assert_eq!(caret(9), at(9, None));
    }

    #[test]
    fn nothing_comes_into_a_passwords_field_a_terminal_or_what_is_neither_shown_nor_editable() {
        for role in [role::PASSWORD_TEXT, role::TERMINAL] {
            assert_eq!(Field { role, ..entry() }.place(), None);
        }
        let (unseen, gone) = (1 << state::EDITABLE, SHOWN | 1 << state::DEFUNCT);
        for states in [0, 1 << state::SHOWING, unseen, gone] {
            let states = States::of(&[states]);
            assert_eq!(Field { states, ..entry() }.place(), None);
        }
        let interfaces = vec![TEXT.to_owned()];
        assert_eq!(
            Field {
                interfaces,
                ..entry()
            }
            .place(),
            None
        );
    }

    #[test]
    fn a_field_of_one_line_takes_one_line_and_each_toolkit_has_its_own_count() {
        assert_eq!(entry().fitting("a\nb\u{202e}\n"), "a b");
        let view = Field {
            states: States::of(&[SHOWN]),
            ..entry()
        };
        assert_eq!(view.fitting("a\nb\n"), "a\nb\n");
        assert_eq!((view.counted("a灯👍"), view.grown("a灯👍")), (Some(8), 3));
        let toolkit = COUNTS_UNITS.to_owned();
        let view = Field { toolkit, ..view };
        assert_eq!((view.counted("a灯👍"), view.grown("a灯👍")), (Some(4), 4));
    }

    #[test]
    fn how_much_a_field_took_is_told_by_its_length_in_characters_of_the_text() {
        let part = |characters| Taken::Part { characters, of: 4 };
        let toolkit = COUNTS_UNITS.to_owned();
        let units = Field { toolkit, ..entry() };
        for (field, whole, expected) in [(entry(), 13, [1, 2, 3]), (units, 14, [1, 1, 2])] {
            let taken = |after| field.taken("a👍bc", after);
            assert_eq!(taken(Some(whole)), Taken::Whole, "{field:?}");
            assert_eq!(taken(Some(whole + 5)), Taken::Whole, "its user writes on");
            for nothing in [None, Some(9), Some(4)] {
                assert_eq!(taken(nothing), Taken::Nothing, "{field:?} {nothing:?}");
            }
            let parts = [10, 11, 12].map(|after| taken(Some(after)));
            assert_eq!(parts, expected.map(part), "{field:?}");
        }
    }
}
