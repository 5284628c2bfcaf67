//! Statements and summaries that rules make of a run, without a store.

use super::*;
use shidi_protocol::{Body, ExecId, Moment, SegmentId};

fn finished(said: &str, answer: &str) -> Finished {
    let segment = |id: u32, kind: SegmentKind, text: &str| Segment {
        id: SegmentId(id),
        run: "r".into(),
        body: Body::plain(&kind, text.to_owned()),
        exec: None,
        round: 1,
        tainted: false,
        time: Moment(i64::from(id) * 1_000),
    };
    Finished {
        session: "s".into(),
        run: "r".into(),
        status: RunStatus::Completed,
        segments: vec![
            segment(1, SegmentKind::User, said),
            segment(2, SegmentKind::Express, answer),
        ],
        offline: false,
        tainted: false,
        scope: MemoryScope::User,
        site: None,
        attached: Vec::new(),
    }
}

#[test]
fn a_summary_says_what_was_asked_what_came_of_it_and_by_which_words_it_is_found() {
    for (said, answer, kind, keys) in [
        (
            "How do I release Lantern to the museum tablets?",
            "Run ship --slow; it rolls back by itself.",
            "question",
            vec!["release", "lantern", "museum", "tablets"],
        ),
        (
            "帮我把三月的差旅报销整理成表格",
            "好了，一共 12 笔，合计 3,480 元。",
            "task",
            vec!["三月", "差旅报销整理成表格"],
        ),
        (
            "报表里的退货率怎么算？",
            "退货数除以发货数。",
            "question",
            vec!["报表", "退货率", "算"],
        ),
    ] {
        let record = summary(&finished(said, answer)).expect("a summary");
        assert_eq!(record.id.as_str(), "r-summary");
        assert!(
            record.text.starts_with(said) && record.text.ends_with(answer),
            "{}",
            record.text
        );
        assert_eq!(record.origin, MemoryOrigin::Learned);
        let Some(MemoryData::Summary {
            question_type,
            keys: found,
        }) = record.data
        else {
            panic!("no data")
        };
        let wanted: Vec<&str> = keys.into_iter().filter(|key| key.chars().count() > 1).collect();
        assert_eq!(
            (question_type.as_str(), found),
            (kind, wanted.into_iter().map(str::to_owned).collect()),
            "{said}"
        );
    }
}

#[test]
fn greetings_and_statements_leave_no_summary_and_ask_no_model() {
    for said in [
        "hi",
        "你好",
        "thanks!",
        "记住：办公室在三楼",
        "Remember that the office is in Munich",
        "我叫林小雨。",
    ] {
        let run = finished(said, "OK");
        assert!(summary(&run).is_none() && !run.is_worth_a_model(), "{said}");
    }
    let mut offline = finished(
        "How do I release Lantern to the tablets?",
        "I need a model for that",
    );
    offline.offline = true;
    assert!(summary(&offline).is_none());
    let mut failed = finished("How do I release Lantern to the tablets?", "");
    failed.status = RunStatus::Failed;
    assert!(summary(&failed).is_none() && !failed.is_worth_a_model());
}

#[test]
fn no_secret_stands_in_a_summary_and_foreign_content_marks_it() {
    let mut run = finished(
        "Why does postgres://app:hunter2@db/main refuse my password: swordfish7 and card 4111 1111 1111 1111?",
        "The token sk-abcdefghijklmnopqrstuvwx is expired. 验证码是 482913。",
    );
    run.tainted = true;
    let record = summary(&run).expect("a summary");
    let written = serde_json::to_string(&record).unwrap();
    for secret in ["hunter2", "swordfish7", "4111", "sk-abc", "482913"] {
        assert!(!written.contains(secret), "{written}");
    }
    assert!(record.tainted);
}

#[test]
fn of_two_statements_about_one_subject_the_later_is_kept_and_is_the_users_own() {
    let mut run = finished(
        "My email is a@b.example. 记住：例会在周三。Sorry, my email is c@d.example.",
        "OK",
    );
    run.tainted = true;
    run.segments[0].exec = Some(ExecId(1));
    let found = told(&run);
    let texts: Vec<&str> = found.iter().map(|record| record.text.as_str()).collect();
    assert_eq!(
        texts,
        ["My email is a@b.example", "例会在周三"],
        "what begins otherwise states nothing by rules"
    );
    let mut run = finished("My email is a@b.example. My email is c@d.example.", "OK");
    run.tainted = true;
    let found = told(&run);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].text.as_str(), found[0].subject.as_deref()),
        ("My email is c@d.example", Some("my email"))
    );
    assert!(
        !found[0].tainted && found[0].origin == MemoryOrigin::Told,
        "the words are the user's"
    );
}
