//! Written keys are read back, and an unreadable text gets its reason.

use super::*;
use proptest::prelude::*;

fn any_key() -> impl Strategy<Value = Key> {
    let signs: Vec<char> = ('a'..='z').chain('0'..='9').chain(SIGNS.chars()).collect();
    let named: Vec<Named> = NAMES.iter().map(|(named, _)| *named).collect();
    prop_oneof![
        proptest::sample::select(signs).prop_map(Key::Sign),
        (1..=FUNCTION_KEYS).prop_map(Key::Function),
        proptest::sample::select(named).prop_map(Key::Named),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(control: bool, alt: bool, shift: bool, logo: bool, key in any_key()) {
        let keys = Keys { control, alt, shift, logo, key };
        let read = keys.to_string().parse::<Keys>();
        if keys.would_stop_typing() {
            prop_assert_eq!(read, Err(KeysError::Bare(keys.to_string())));
        } else {
            prop_assert_eq!(read, Ok(keys));
        }
    }

    #[test]
    fn no_text_breaks_the_reading(text in "\\PC{0,120}") {
        if let Ok(keys) = text.parse::<Keys>() {
            prop_assert_eq!(keys.to_string().parse::<Keys>(), Ok(keys));
        }
    }

    #[test]
    fn names_of_keys_in_any_order_and_case_are_read(order in Just(vec!["CTRL", "alt", " Shift "]).prop_shuffle()) {
        let text = format!("{}+sPaCe", order.join("+"));
        prop_assert_eq!(text.parse::<Keys>().map(|keys| keys.to_string()), Ok("Ctrl+Alt+Shift+Space".to_owned()));
    }
}

#[test]
fn what_names_no_keys_says_why() {
    for (text, reason) in [
        ("", KeysError::NoKey),
        ("Ctrl+Alt", KeysError::NoKey),
        ("Ctrl+", KeysError::NoKey),
        ("Ctrl+A+B", KeysError::SecondKey),
        ("Ctrl+Hyper", KeysError::Unknown("Hyper".to_owned())),
        ("F25", KeysError::Unknown("F25".to_owned())),
        ("a", KeysError::Bare("A".to_owned())),
        ("Shift+Space", KeysError::Bare("Shift+Space".to_owned())),
    ] {
        assert_eq!(text.parse::<Keys>(), Err(reason), "{text:?}");
    }
    assert_eq!("x+".repeat(60).parse::<Keys>(), Err(KeysError::TooLong));
}
