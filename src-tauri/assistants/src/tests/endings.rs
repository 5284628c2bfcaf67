//! Every import ends in assistants that pass the check and stay the same, or in reasons at places that the file has.

use super::forms;
use crate::import::import;
use crate::problem::Fault;
use crate::reading;
use crate::writing;
use proptest::prelude::*;
use serde_json::Value;
use shidi_locales::Language;

/// Lines of a file, an empty last one among them. Each sign that ends a line in YAML counts.
fn lines(bytes: &[u8]) -> u64 {
    1 + bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() as u64
}

/// Fails where a fault has no line in the file, or no words.
fn is_told(fault: &Fault, lines: u64) -> Result<(), TestCaseError> {
    prop_assert!(
        (1..=lines).contains(&fault.place.line) && fault.place.column >= 1,
        "{fault:?} of {lines} lines"
    );
    for language in Language::ALL {
        let (said, remedy) = (fault.problem.sentence(*language), fault.problem.remedy(*language));
        prop_assert!(!said.is_empty() && !remedy.is_empty(), "{fault:?}");
    }
    Ok(())
}

/// Fails where a text is no assistant.
fn checked(text: &str) -> Result<reading::Read, TestCaseError> {
    let read = reading::read(&"a.yaml".into(), text.as_bytes());
    read.map_err(|faults| TestCaseError::fail(format!("{faults:?} in {text}")))
}

/// Fails where an import ends in nothing, in a reason without a place, or in an assistant that is none.
fn ends(file: &str, bytes: &[u8]) -> Result<(), TestCaseError> {
    let import = import(&file.into(), bytes);
    prop_assert!(!import.assistants.is_empty() || !import.refused.is_empty());
    let lines = lines(bytes);
    for fault in &import.refused {
        is_told(fault, lines)?;
    }
    for one in &import.assistants {
        for fault in &one.left_out {
            is_told(fault, lines)?;
        }
        let read = checked(&one.text)?;
        prop_assert_eq!(&read.spec, &one.spec);
        prop_assert_eq!(&read.document, &one.document);
        let written = writing::text(&one.spec, &Value::Null).map_err(TestCaseError::fail)?;
        let again = checked(&written)?;
        prop_assert_eq!(&again.spec, &one.spec, "{}", written);
    }
    Ok(())
}

/// The text with a few signs taken out at a place, and others put in.
fn changed(text: &str, at: prop::sample::Index, taken: usize, put: &str) -> String {
    let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
    let first = at.index(places.len());
    let behind = places.get(first + taken).copied().unwrap_or(text.len());
    format!("{}{put}{}", &text[..places[first]], &text[behind..])
}

#[test]
fn a_file_of_each_form_is_one_assistant() {
    for form in forms::all() {
        let import = import(&form.file.into(), form.text.as_bytes());
        assert_eq!((import.assistants.len(), import.refused), (1, Vec::new()));
        ends(form.file, form.text.as_bytes()).unwrap_or_else(|why| panic!("{why} of {}", form.file));
    }
}

proptest! {
    #[test]
    fn any_bytes_end_in_assistants_or_in_reasons_with_their_lines(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        ends("a", &bytes)?;
        let picture = [b"\x89PNG\r\n\x1a\n".as_slice(), &bytes].concat();
        ends("a.png", &picture)?;
        if let Err(faults) = reading::read(&"a".into(), &bytes) {
            prop_assert!(!faults.is_empty());
            for fault in &faults {
                is_told(fault, lines(&bytes))?;
            }
        }
    }

    #[test]
    fn any_change_of_a_file_of_any_form_ends_in_assistants_or_in_reasons_with_their_lines(
        form in 0_usize..7,
        at in any::<prop::sample::Index>(),
        taken in 0_usize..6,
        put in "[\\-:\\[{}\\]'\"\n #&*!|>0-9a-z]{0,4}",
    ) {
        let all = forms::all();
        let form = &all[form];
        ends(form.file, changed(form.text, at, taken, &put).as_bytes())?;
    }
}
