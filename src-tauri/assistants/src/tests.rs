//! What is written is read again, whatever it says; a difference names its keys; a change of what ships makes no reader panic.

mod agents;
mod endings;
mod forms;
mod importing;
mod kept_fields;

use crate::difference;
use crate::problem::Problem;
use crate::reading::{self, Read};
use crate::shipped;
use crate::words;
use crate::writing;
use proptest::prelude::*;
use serde_json::{Value, json};
use shidi_locales::Language;
use shidi_protocol::{AssistantMemory, AssistantPermissions, AssistantSpec, Mode, Sampling, Wording};
use shidi_space::keys::KeysError;

fn read(text: &str) -> Result<Read, Vec<(u64, Problem)>> {
    let read = reading::read(&"a.yaml".into(), text.as_bytes());
    read.map_err(|faults| {
        faults
            .into_iter()
            .map(|fault| (fault.place.line, fault.problem))
            .collect()
    })
}

fn again(spec: &AssistantSpec) -> AssistantSpec {
    let text = writing::text(spec, &Value::Null).expect("written");
    read(&text)
        .unwrap_or_else(|faults| panic!("{faults:?} in {text}"))
        .spec
}

#[test]
fn every_fault_is_told_at_once_with_its_line_and_a_remedy_in_every_language() {
    let text = "version: '9'\nname: Bad Name\nlanguages: [xx]\nsampling: {temperature: 3, top_p: warm}\n\
                models: {cook: m}\nmemory: maybe\npermissions: {allow: ['(']}\nsuggestions: one\n";
    let faults = read(text).expect_err("faults");
    let lines: Vec<u64> = faults.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 2, 3, 4, 4, 5, 6, 7, 8], "{faults:?}");
    for language in Language::ALL {
        for (_, problem) in &faults {
            assert!(
                !problem.sentence(*language).is_empty() && !problem.remedy(*language).is_empty(),
                "{problem:?}"
            );
        }
    }
    assert_eq!(read(""), Err(vec![(1, Problem::Missing("name"))]));
    assert!(matches!(
        read("name: a\nname: b").expect_err("twice")[..],
        [(2, Problem::Twice(_))]
    ));
}

#[test]
fn the_file_to_begin_with_is_an_assistant_without_a_note_in_every_language() {
    for language in Language::ALL {
        for name in ["my-cook", "2024", "null", "点餐"] {
            let text = language.assistants().template(name);
            let made = read(&text).unwrap_or_else(|faults| panic!("{faults:?} in {text}"));
            assert_eq!((made.spec.name.as_str(), made.notes.len()), (name, 0), "{text}");
            assert!(!made.spec.prompt.is_empty(), "{text}");
        }
    }
}

#[test]
fn a_key_without_a_meaning_is_noted_with_the_one_that_was_meant_and_survives_a_change_by_the_form() {
    let text = "version: '1'\nname: a\ntoolkit: [files]\npermissions: {mode: ask, note: mine}\nx-mine: {deep: [1, 2]}\n";
    let first = read(text).expect("an assistant");
    let notes = words::told(&first.notes, Language::SOURCE);
    assert_eq!((notes[0].line, notes.len()), (3, 3), "{notes:?}");
    assert!(notes[0].remedy.contains("toolkits"), "{notes:?}");
    let mut spec = first.spec.clone();
    spec.title = [(String::new(), "A".to_owned())].into();
    let written = read(&writing::text(&spec, &first.document).expect("written")).expect("read again");
    assert_eq!(written.spec, spec);
    assert_eq!(written.document["x-mine"], json!({"deep": [1, 2]}));
    assert_eq!(written.document["permissions"]["note"], "mine");
}

#[test]
fn keys_of_its_own_are_read_in_one_form_and_others_are_a_fault_with_its_reason() {
    let keys = |written: &str| read(&format!("version: 1\nname: a\nhotkey: {written}\n"));
    for (written, wanted) in [
        ("alt+ctrl+t", "Ctrl+Alt+T"),
        ("Super+Shift+F9", "Shift+Super+F9"),
        ("", ""),
    ] {
        assert_eq!(
            keys(written).expect("an assistant").spec.hotkey,
            wanted,
            "{written}"
        );
    }
    for (written, reason) in [
        ("t", KeysError::Bare("T".to_owned())),
        ("Ctrl+Alt", KeysError::NoKey),
        ("Ctrl+C", KeysError::Common("Ctrl+C".to_owned())),
        ("Alt+F4", KeysError::Common("Alt+F4".to_owned())),
        ("Ctrl+Hyper", KeysError::Unknown("Hyper".to_owned())),
    ] {
        let written = written.to_owned();
        let fault = Problem::BadHotkey {
            written: written.clone(),
            reason,
        };
        for language in Language::ALL {
            assert!(fault.sentence(*language).contains(&written), "{language:?}");
            assert!(fault.remedy(*language).contains("Ctrl+Alt+T"), "{language:?}");
        }
        assert_eq!(keys(&written).expect_err("a fault"), [(3, fault)]);
    }
}

#[test]
fn a_list_that_is_empty_is_nothing_and_one_that_is_absent_is_everything() {
    let spec = read("version: 1\nname: a\ntoolkits: []\nskills:\n")
        .expect("an assistant")
        .spec;
    assert_eq!(
        (&spec.toolkits, &spec.skills, &spec.knowledge),
        (&Some(Vec::new()), &None, &None)
    );
    assert_eq!(again(&spec), spec);
}

#[test]
fn what_ships_is_written_and_read_again_equal() {
    for one in shipped::all() {
        assert_eq!(again(&one.read.spec), one.read.spec, "{}", one.name);
    }
}

#[test]
fn a_difference_names_the_key_with_both_values_and_nothing_else() {
    let before = read("version: 1\nname: a\nprompt: x\nsampling: {temperature: 0.4, seed: 1}")
        .expect("one")
        .spec;
    let after = read("version: 1\nname: a\nprompt: y\nsampling: {temperature: 0.5, seed: 1}\nskills: [b, c]")
        .expect("one")
        .spec;
    let told: Vec<_> = difference::between((&before, &Value::Null), (&after, &Value::Null))
        .into_iter()
        .map(|one| (one.key, one.before, one.after))
        .collect();
    let wanted = [
        ("prompt", "x", "y"),
        ("sampling.temperature", "0.4", "0.5"),
        ("skills", "", "b, c"),
    ];
    let wanted = wanted.map(|(key, before, after)| (key.to_owned(), before.to_owned(), after.to_owned()));
    assert_eq!(told, wanted);
    let same = (&before, &Value::Null);
    assert_eq!(difference::between(same, same), []);
}

/// The differences of two files, each with its key and both values.
fn told(before: &str, after: &str) -> Vec<(String, String, String)> {
    let (before, after) = (read(before).expect("one"), read(after).expect("one"));
    let differences = difference::between((&before.spec, &before.document), (&after.spec, &after.document));
    let told = differences.into_iter();
    told.map(|one| (one.key, one.before, one.after)).collect()
}

#[test]
fn fields_that_are_kept_and_do_nothing_differ_too_each_by_its_own_key() {
    let file = |tags: &str, mine: &str| {
        format!(
            "version: 1\nname: a\norigin: {{id: '{mine}'}}\nother: {{card: {{tags: {tags}, on: true}}}}\nx-mine: {mine}\n"
        )
    };
    let wanted = [("other.card.tags", "[1]", "b, c"), ("x-mine", "3", "4")];
    let wanted = wanted.map(|(key, before, after)| (key.to_owned(), before.to_owned(), after.to_owned()));
    assert_eq!(told(&file("[1]", "3"), &file("[b, c]", "4")), wanted);
    let many: String = (0..150).map(|number| format!("k{number:03}: 1\n")).collect();
    let head = "version: 1\nname: a\n";
    let differences = told(head, &format!("{head}{many}"));
    assert_eq!(differences.len(), 101);
    assert_eq!(
        differences[100],
        ("…".to_owned(), String::new(), "+50".to_owned())
    );
}

#[test]
fn of_long_texts_a_difference_shows_where_they_begin_to_differ() {
    let file = |end: &str| {
        format!(
            "version: 1\nname: a\nprompt: {}{end}\n",
            "so it goes on ".repeat(90)
        )
    };
    let differences = told(&file("and ends"), &file("and stops here"));
    assert_eq!(differences.len(), 1);
    let (_, before, after) = &differences[0];
    assert!(
        before.starts_with('…') && before.ends_with(" and ends"),
        "{before}"
    );
    assert!(
        after.starts_with('…') && after.ends_with(" and stops here"),
        "{after}"
    );
    // The beginning of what only one of them has is told as far as it fits.
    let differences = told("version: 1\nname: a\n", &file("end"));
    let (_, before, after) = &differences[0];
    assert_eq!(before, "");
    assert!(
        after.starts_with("so it goes on") && after.ends_with('…'),
        "{after}"
    );
    assert_eq!(after.chars().count(), 401);
}

fn wording() -> impl Strategy<Value = Wording> {
    let text = "[^\u{0}-\u{1f}\u{7f}-\u{9f}\u{feff}\u{fffe}\u{ffff}]{0,30}(\n[a-z :#'\"\\\\-]{0,20}){0,2}";
    proptest::collection::btree_map("(|en|zh)", text, 0..3).prop_map(|words| {
        let trimmed = words
            .into_iter()
            .map(|(language, text)| (language, text.trim().to_owned()));
        trimmed.filter(|(_, text)| !text.is_empty()).collect()
    })
}

fn names() -> impl Strategy<Value = Option<Vec<String>>> {
    proptest::option::of(proptest::collection::vec("[a-z]{1,6}(\\.[a-z]{1,6})?", 0..4))
}

fn sampling() -> impl Strategy<Value = Sampling> {
    let tenths =
        |from: i32, to: i32| proptest::option::of((from..=to).prop_map(|number| f64::from(number) / 10.0));
    let all = (
        tenths(0, 20),
        tenths(0, 10),
        proptest::option::of(any::<u32>()),
        tenths(-20, 20),
        tenths(-20, 20),
    );
    all.prop_map(
        |(temperature, top_p, seed, presence_penalty, frequency_penalty)| Sampling {
            temperature,
            top_p,
            seed,
            presence_penalty,
            frequency_penalty,
        },
    )
}

prop_compose! {
    fn spec()(
        name in "[a-z]{1,8}(-[a-z0-9]{1,8})?",
        (title, description, opening, prompt) in (wording(), wording(), wording(), wording()),
        suggestions in proptest::collection::vec(wording().prop_filter("says something", |words| !words.is_empty()), 0..3),
        (picture, hotkey) in ("(|🍲|译|no|~|1)", "(|Ctrl\\+Alt\\+T|Super\\+F9|Ctrl\\+Alt\\+')"),
        sampling in sampling(),
        fast in proptest::option::of(sampling()),
        (knowledge, toolkits, skills) in (names(), names(), names()),
        model in proptest::option::of("[a-z0-9:@./-]{1,20}"),
        memory in prop_oneof![
            Just(AssistantMemory::Own), Just(AssistantMemory::Shared),
            Just(AssistantMemory::Alone), Just(AssistantMemory::None),
        ],
        mode in prop_oneof![Just(None), Just(Some(Mode::Ask)), Just(Some(Mode::Trust))],
        deny in proptest::collection::vec("[a-z]{1,6}\\.[a-z]{1,6}(\\(path=/[a-z]{1,5}/\\*\\))?", 0..3),
    ) -> AssistantSpec {
        AssistantSpec {
            name,
            title: title.into_iter().map(|(language, text)| (language, text.chars().take(60).collect::<String>().trim().to_owned())).filter(|(_, text)| !text.is_empty()).collect(),
            picture,
            hotkey,
            description,
            opening,
            suggestions,
            prompt,
            models: model.map(|model| ("main".to_owned(), model)).into_iter().collect(),
            sampling,
            role_sampling: fast.filter(|fast| !fast.is_empty()).map(|fast| ("fast".to_owned(), fast)).into_iter().collect(),
            knowledge,
            toolkits,
            skills,
            memory,
            permissions: AssistantPermissions { mode, deny, ..AssistantPermissions::default() },
            ..AssistantSpec::default()
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_as_the_same(spec in spec()) {
        prop_assert_eq!(again(&spec), spec);
    }

    #[test]
    fn no_change_of_a_file_that_ships_makes_a_reader_panic(at in any::<prop::sample::Index>(), with in "[\\-:\\[{}\\]'\"\n #&*!|>0-9a-z]{0,4}") {
        let text = shipped::all()[1].text;
        let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        let place = places[at.index(places.len())];
        let changed = format!("{}{with}{}", &text[..place], &text[place..]);
        drop(reading::read(&"a".into(), changed.as_bytes()));
    }
}
