//! Which records go into a run by themselves, and which stay out.

use super::*;
use proptest::prelude::*;
use shidi_protocol::{MemorySource, Moment, ScoreParts};

fn hit(id: &str, coverage: f64, score: f64) -> MemoryHit {
    MemoryHit {
        id: id.to_owned(),
        kind: MemoryKind::Knowledge,
        scope: MemoryScope::User,
        text: format!("text of {id}"),
        title: String::new(),
        time: Moment(0),
        session: None,
        source: MemorySource::default(),
        ended: None,
        pinned: false,
        untrusted: false,
        score,
        parts: ScoreParts::default(),
        coverage,
        contradicted: Vec::new(),
    }
}

fn ids(hits: &[MemoryHit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.id.as_str()).collect()
}

fn session() -> SessionId {
    SessionId::from("here")
}

#[test]
fn only_what_holds_enough_of_the_question_and_comes_near_the_best_goes_in() {
    let hits = vec![
        hit("best", 0.8, 1.0),
        hit("few words", 0.2, 0.9),
        hit("near", 0.4, 0.7),
        hit("far behind", 0.9, 0.5),
    ];
    assert_eq!(ids(&chosen(&session(), hits, Vec::new())), ["best", "near"]);
}

#[test]
fn what_derives_from_foreign_content_or_ended_stays_out_and_so_does_what_this_session_left() {
    let mut foreign = hit("foreign", 1.0, 1.0);
    foreign.untrusted = true;
    let mut ended = hit("ended", 1.0, 1.0);
    ended.ended = Some(Moment(1));
    let mut own = hit("own summary", 1.0, 1.0);
    own.kind = MemoryKind::Summary;
    own.session = Some(session());
    let mut other = own.clone();
    other.id = "other summary".to_owned();
    other.session = Some(SessionId::from("there"));
    let hits = vec![foreign, ended, own, other];
    assert_eq!(ids(&chosen(&session(), hits, Vec::new())), ["other summary"]);
}

#[test]
fn what_was_kept_about_the_page_at_hand_goes_in_whatever_the_question() {
    let mut about = hit("about", 0.0, 0.4);
    about.scope = MemoryScope::Site("wiki.example".to_owned());
    about.parts.page = 0.4;
    let mut elsewhere = about.clone();
    elsewhere.parts.page = 0.0;
    let hits = vec![hit("best", 0.8, 1.0), about, elsewhere];
    assert_eq!(ids(&chosen(&session(), hits, Vec::new())), ["best", "about"]);
}

#[test]
fn the_segment_names_records_and_says_why_but_holds_none_of_their_words() {
    let recalled = chosen(
        &session(),
        vec![hit("a", 0.5, 1.0), hit("b", 0.5, 0.9)],
        Vec::new(),
    );
    let marks = marks(&recalled);
    let written = serde_json::to_string(&marks).unwrap();
    assert!(!written.contains("text of"), "{written}");
    assert_eq!(marks.len(), 2);
    assert_eq!((marks[1].id.as_str(), marks[1].score), ("b", 0.9));
}

proptest! {
    #[test]
    fn it_is_few_short_and_on_one_line_whatever_was_found(
        hits in prop::collection::vec(("\\PC{0,40}|[\\n<>/ a-z一-三]{0,700}", 0.0..1.0f64, 0.0..3.0f64, any::<bool>()), 0..30)
    ) {
        let hits: Vec<MemoryHit> = hits.into_iter().map(|(text, coverage, score, untrusted)| {
            MemoryHit { text, untrusted, ..hit("x", coverage, score) }
        }).collect();
        let chosen = chosen(&session(), hits.clone(), hits);
        prop_assert!(chosen.len() <= RECALLED_MAX + RECALLED_EARLIER_MAX);
        for hit in &chosen {
            prop_assert!(hit.text.chars().count() <= RECALLED_CHARACTERS_MAX + 1);
            prop_assert!(!hit.text.contains('\n'));
        }
    }
}

#[test]
fn what_goes_in_ends_with_a_sentence_and_never_within_a_word() {
    let long = |text: &str| {
        let mut hit = hit("long", 0.8, 1.0);
        hit.text = text.to_owned();
        chosen(&session(), vec![hit], Vec::new()).remove(0).text
    };
    let sentences = "The lease ends in May 2027. ".repeat(20);
    let told = long(&sentences);
    assert!(told.ends_with("2027.") && told.chars().count() > 250, "{told}");
    assert!(!told.contains('…'));
    let chinese = "护照在书桌的第二个抽屉里。".repeat(40);
    assert!(long(&chinese).ends_with("抽屉里。"));
    let one = "remarkable ".repeat(60);
    assert!(
        long(&one).ends_with("remarkable…"),
        "a single sentence keeps its words"
    );
    assert_eq!(long("Version 1.5 is out"), "Version 1.5 is out");
}

#[test]
fn of_a_long_summary_both_the_question_and_the_answer_are_told() {
    let mut summary = hit("summary", 0.8, 1.0);
    summary.kind = MemoryKind::Summary;
    summary.text = format!(
        "{}→ {}",
        "Which of the cases fail most? ".repeat(9),
        "The table shows them. ".repeat(20)
    );
    let told = chosen(&session(), vec![summary], Vec::new()).remove(0).text;
    let (asked, said) = told.split_once(" → ").unwrap();
    assert!(asked.ends_with("most?") && said.ends_with("them."), "{told}");
}
