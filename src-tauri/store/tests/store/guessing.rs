//! Questions that are offered on a site until they were passed over in several sessions in a row.

use crate::fixture::{Folder, session};
use shidi_protocol::{Moment, SessionId};
use shidi_store::{GuessAnswer, GuessWrite, Store, Write};

const SITE: &str = "https://wiki.example";
const RULE: &str = "ask_summarise_article";

fn open(folder: &Folder) -> Store {
    let store = folder.open();
    for id in ["a", "b", "c", "d"] {
        store.commit(Write::PutSession(session(id))).unwrap();
    }
    store
}

fn answers(store: &Store, session: &str, taken: bool) {
    let answer = GuessAnswer {
        site: SITE.to_owned(),
        guess: RULE.to_owned(),
        words: "Summarise this page".to_owned(),
        taken,
        session: SessionId::from(session),
        time: Moment(7),
    };
    store.commit(Write::Guess(GuessWrite::Answer(answer))).unwrap();
}

fn is_dropped(store: &Store) -> bool {
    let dropped = store.dropped_guesses(Some(SITE), 3).unwrap();
    dropped
        .iter()
        .any(|one| one.guess == RULE && one.words == "Summarise this page")
}

#[test]
fn a_question_is_dropped_once_three_sessions_in_a_row_passed_it_over() {
    let folder = Folder::new();
    let store = open(&folder);
    for session in ["a", "b", "b", "b"] {
        answers(&store, session, false);
    }
    assert!(!is_dropped(&store), "a session counts once");
    answers(&store, "c", false);
    assert!(is_dropped(&store));
    let elsewhere = store.dropped_guesses(Some("https://other.example"), 3).unwrap();
    assert!(elsewhere.is_empty());
    assert_eq!(store.dropped_guesses(None, 3).unwrap().len(), 1);
}

#[test]
fn a_question_that_is_taken_begins_anew() {
    let folder = Folder::new();
    let store = open(&folder);
    answers(&store, "a", false);
    answers(&store, "b", false);
    answers(&store, "c", true);
    answers(&store, "d", false);
    assert!(!is_dropped(&store), "they were not in a row");
    answers(&store, "a", false);
    answers(&store, "b", false);
    assert!(is_dropped(&store));
    answers(&store, "c", true);
    assert!(!is_dropped(&store));
}

#[test]
fn a_dropped_question_is_offered_again_on_the_user_s_word_and_goes_with_its_site_and_its_session() {
    let folder = Folder::new();
    let store = open(&folder);
    let drop_it = || ["a", "b", "c"].map(|session| answers(&store, session, false));
    drop_it();
    let offer = GuessWrite::Offer {
        site: SITE.to_owned(),
        guess: RULE.to_owned(),
    };
    store.commit(Write::Guess(offer)).unwrap();
    assert!(!is_dropped(&store));
    drop_it();
    let forget = GuessWrite::Forget {
        site: SITE.to_owned(),
    };
    store.commit(Write::Guess(forget)).unwrap();
    assert!(!is_dropped(&store));
    drop_it();
    store.commit(Write::DeleteSession(SessionId::from("c"))).unwrap();
    assert!(!is_dropped(&store), "nothing of an erased session is left");
}
