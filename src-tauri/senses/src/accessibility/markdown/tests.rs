//! Text and tables of a window, as Markdown: what is written for a model is what stands there.

use super::*;
use crate::accessibility::roles::{States, role};
use proptest::prelude::*;

fn known(role: u32, text: &str) -> Accessible {
    Accessible {
        role,
        text: text.to_owned(),
        ..Accessible::default()
    }
}

fn with_states(mut known: Accessible, states: &[u32]) -> Accessible {
    let bits = |word: u32| {
        let of_word = states.iter().filter(|state| **state / 32 == word);
        of_word.fold(0, |bits, state| bits | 1 << (state % 32))
    };
    known.states = States::of(&[bits(0), bits(1)]);
    known
}

fn cell(text: &str, row: i32, column: i32) -> Accessible {
    Accessible {
        cell: Some((row, column)),
        ..known(role::TABLE_CELL, text)
    }
}

fn field(role: u32, name: &str, text: &str) -> Accessible {
    let named = Accessible {
        name: name.to_owned(),
        ..known(role, text)
    };
    with_states(named, &[state::EDITABLE])
}

fn whole(objects: &[Accessible]) -> String {
    Document::new(objects).markdown(0..objects.len(), 10_000).0
}

#[test]
fn headings_paragraphs_items_and_quotes_are_written_as_such() {
    let heading = Accessible {
        level: 2,
        ..known(role::HEADING, "Orders  of\ttoday")
    };
    let objects = [
        heading,
        known(role::PARAGRAPH, "Two came in."),
        known(role::LIST_ITEM, "• bolts"),
        known(role::LIST_ITEM, "nuts"),
        known(role::BLOCK_QUOTE, "Soon."),
        known(role::SECTION, "let a = 1;\nlet b = 2;"),
    ];
    assert_eq!(
        whole(&objects),
        "## Orders of today\n\nTwo came in.\n- bolts\n- nuts\n\n> Soon.\n\nlet a = 1;\nlet b = 2;\n"
    );
}

#[test]
fn links_stand_within_their_paragraph_and_paragraphs_within_their_cell() {
    let objects = [
        Accessible {
            children: vec![Some(1)],
            ..known(role::PARAGRAPH, "See \u{fffc} for more, and \u{fffc}.")
        },
        known(role::LINK, "the report"),
        Accessible {
            children: vec![Some(3)],
            ..cell("\u{fffc}", 0, 0)
        },
        known(role::PARAGRAPH, "Bolt"),
        cell("3|4", 0, 1),
    ];
    assert_eq!(
        whole(&objects),
        "See the report for more, and .\n\n| Bolt | 3\\|4 |\n| --- | --- |\n"
    );
}

#[test]
fn two_tables_stay_two_and_a_cell_of_no_place_is_a_paragraph() {
    let objects = [
        cell("a", 0, 0),
        cell("b", 0, 1),
        cell("c", 1, 0),
        cell("x", 0, 0),
        known(role::TABLE_CELL, "alone"),
    ];
    assert_eq!(
        whole(&objects),
        "| a | b |\n| --- | --- |\n| c |\n\n| x |\n| --- |\n\nalone\n"
    );
}

#[test]
fn fields_have_label_value_and_trouble_and_a_label_is_not_said_twice() {
    let objects = [
        known(role::LABEL, "First name:"),
        Accessible {
            label: Some(0),
            ..field(role::TEXT, "", "Lin")
        },
        with_states(
            field(role::ENTRY, "Email", "a@"),
            &[state::EDITABLE, state::REQUIRED, state::INVALID_ENTRY],
        ),
        with_states(field(role::CHECK_BOX, "Send me news", ""), &[state::CHECKED]),
        field(role::COMBO_BOX, "Country", "China"),
        known(role::LABEL, "Thank you"),
    ];
    let document = Document::new(&objects);
    let fields = document.fields(0..objects.len());
    let told: Vec<(&str, &str, &str)> = fields
        .iter()
        .map(|field| (field.label.as_str(), field.kind.as_str(), field.value.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("First name", "text", "Lin"),
            ("Email", "text", "a@"),
            ("Send me news", "checkbox", "on"),
            ("Country", "select", "China"),
        ]
    );
    assert!(fields[1].required && fields[1].problem.is_some() && fields[0].problem.is_none());
    assert_eq!(whole(&objects), "Thank you\n");
}

#[test]
fn what_a_program_shows_as_dots_or_calls_a_password_is_no_field() {
    let objects = [
        field(role::TEXT, "Password", "hunter2"),
        field(role::ENTRY, "Unlock", "••••••"),
        field(role::TEXT, "短信验证码", "482913"),
        known(role::PASSWORD_TEXT, "hunter2"),
    ];
    let document = Document::new(&objects);
    assert!(document.fields(0..objects.len()).is_empty());
    assert_eq!(whole(&objects), "");
}

#[test]
fn a_text_beyond_its_bound_is_cut_and_says_so() {
    let objects = [
        known(role::PARAGRAPH, "one"),
        known(role::PARAGRAPH, &"x".repeat(50)),
    ];
    let (text, is_cut) = Document::new(&objects).markdown(0..2, 20);
    assert!(is_cut);
    assert_eq!(text, format!("one\n\n{}\n", "x".repeat(14)));
}

fn object() -> impl Strategy<Value = Accessible> {
    let roles = prop::sample::select(vec![
        role::HEADING,
        role::PARAGRAPH,
        role::LIST_ITEM,
        role::TABLE_CELL,
        role::LINK,
        role::ENTRY,
        role::TEXT,
        role::PUSH_BUTTON,
        role::PASSWORD_TEXT,
        role::BLOCK_QUOTE,
    ]);
    let children = prop::collection::vec(prop::option::of(0..30_usize), 0..4);
    let cell = prop::option::of((-1..4_i32, 0..4_i32));
    let text = r"(\PC|\n|\x{fffc}|hunter2){0,20}";
    (
        roles,
        text,
        children,
        cell,
        any::<u64>(),
        prop::option::of(0..30_usize),
    )
        .prop_map(|(role, text, children, cell, states, label)| Accessible {
            role,
            text,
            children,
            cell,
            label,
            name: "n".to_owned(),
            states: States::of(&[states as u32, (states >> 32) as u32]),
            ..Accessible::default()
        })
}

proptest! {
    #[test]
    fn whatever_objects_say_the_text_is_bounded_and_holds_no_sign_of_a_child(
        objects in prop::collection::vec(object(), 0..30), most in 1..200_usize,
    ) {
        let document = Document::new(&objects);
        let (text, is_cut) = document.markdown(0..objects.len() + 2, most);
        prop_assert!(text.chars().count() <= most + 2, "{}", text.chars().count());
        prop_assert!(!text.contains(CHILD));
        let (longer, _) = document.markdown(0..objects.len(), 100_000);
        prop_assert!(is_cut || text == longer);
        prop_assert!(document.fields(0..objects.len()).len() <= FIELDS_MAX);
    }

    #[test]
    fn no_field_of_a_password_ever_comes_along(
        mut objects in prop::collection::vec(object(), 1..20), at in any::<prop::sample::Index>(),
    ) {
        for known in &mut objects {
            known.text = known.text.replace("hunter2", "");
        }
        let at = at.index(objects.len());
        objects[at].role = role::PASSWORD_TEXT;
        objects[at].text = "hunter2".to_owned();
        let document = Document::new(&objects);
        prop_assert!(!document.markdown(0..objects.len(), 100_000).0.contains("hunter2"));
        prop_assert!(document.fields(0..objects.len()).iter().all(|field| field.value != "hunter2" && field.label != "hunter2"));
    }
}
