//! States as clients send them back.

use super::*;
use proptest::prelude::*;

fn answers() -> Answers {
    [(
        "step1".to_owned(),
        json!({"action": "accept", "content": {"name": "Ann"}}),
    )]
    .into()
}

#[test]
fn a_state_comes_back_for_the_request_that_it_was_given_to() {
    let seal = Seal::new();
    let state = seal.closed("tools/call greet Zed", &answers()).unwrap();
    assert_eq!(seal.opened("tools/call greet Zed", &state), Some(answers()));
    assert_eq!(
        seal.opened("tools/call burn Zed", &state),
        None,
        "another request"
    );
    assert_eq!(
        Seal::new().opened("tools/call greet Zed", &state),
        None,
        "another process"
    );
}

#[test]
fn a_state_that_was_changed_counts_for_nothing() {
    let seal = Seal::new();
    let state = seal.closed("a", &answers()).unwrap();
    assert_eq!(seal.opened("a", &format!("{state}-TAMPERED")), None);
    assert_eq!(seal.opened("a", &state[1..]), None);
    let (said, _) = state.split_once('.').unwrap();
    assert_eq!(seal.opened("a", said), None);
    let other = seal.closed("a", &Answers::new()).unwrap();
    let (_, proof) = other.split_once('.').unwrap();
    assert_eq!(
        seal.opened("a", &format!("{said}.{proof}")),
        None,
        "another proof"
    );
}

#[test]
fn a_state_is_good_for_a_while() {
    let seal = Seal::new();
    let late = json!({"of": "a", "until": 1, "answers": {}}).to_string();
    let proof = seal.digest(late.as_bytes()).unwrap().finalize().into_bytes();
    let state = format!(
        "{}.{}",
        URL_SAFE_NO_PAD.encode(late),
        URL_SAFE_NO_PAD.encode(proof)
    );
    assert_eq!(seal.opened("a", &state), None);
}

proptest! {
    #[test]
    fn any_text_as_a_state_is_refused(text in ".{0,200}") {
        prop_assert_eq!(Seal::new().opened("a", &text), None);
    }
}
