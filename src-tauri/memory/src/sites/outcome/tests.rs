//! What is told of an earlier answer, of files and of facts, without a store.

use super::*;
use shidi_protocol::{MemoryId, Moment, RunId, RunStatus, SegmentId, SegmentKind, Usage};

fn said(id: u32, kind: SegmentKind, text: &str) -> Segment {
    Segment {
        id: SegmentId(id),
        run: RunId::from("r"),
        body: Body::plain(&kind, text),
        exec: None,
        round: 1,
        tainted: false,
        time: Moment(1),
    }
}

fn completed() -> RunSummary {
    RunSummary {
        id: RunId::from("r"),
        parent: None,
        versions: Vec::new(),
        status: Some(RunStatus::Completed),
        reason: None,
        error: None,
        usage: Usage::default(),
        offline: false,
        waiting: Vec::new(),
        awaiting: None,
        seq: 1,
    }
}

#[test]
fn an_answer_is_told_by_its_first_sentences_in_plain_words() {
    let markdown = "# Result\n\nThe **quota** is [ten](https://a.example), set in `limits.rs`.\n\n\
                    | a | b |\n|---|---|\n| hidden | x |\n\n```\nlet hidden = 1;\n```\n";
    assert_eq!(beginning(markdown).trim(), "The quota is ten, set in limits.rs.");
    let long = format!("First one. {}", "word ".repeat(100));
    assert_eq!(beginning(&long), "First one.");
    assert!(beginning("规则没有改。会在周四。").starts_with("规则没有改。"));
    let secret = beginning("The key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH.");
    assert!(!secret.contains("abcdefghijklmnop"), "{secret}");
    assert!(!beginning("turned \u{202e}round").contains('\u{202e}'));
}

#[test]
fn the_last_answer_that_counts_is_told_and_an_erased_one_is_not() {
    let segments = [
        said(1, SegmentKind::User, "why?"),
        said(2, SegmentKind::Express, "A first try."),
        said(3, SegmentKind::Reminder, "again"),
        said(4, SegmentKind::Express, "Because of the limit."),
    ];
    assert_eq!(answer(&segments, &completed()), "Because of the limit.");
    assert_eq!(answer(&segments[..1], &completed()), "");
    let erased = [
        said(1, SegmentKind::User, "why?"),
        said(2, SegmentKind::Express, "…"),
    ];
    assert_eq!(answer(&erased, &completed()), "");
}

#[test]
fn files_are_told_while_they_are_there_each_once_and_none_of_our_own() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("data");
    std::fs::create_dir(&own).unwrap();
    let path = |place: &Path, name: &str| place.join(name).to_string_lossy().into_owned();
    let (there, gone) = (path(folder.path(), "a.txt"), path(folder.path(), "gone.txt"));
    let kept = path(&own, "copy.txt");
    std::fs::write(&there, "x").unwrap();
    std::fs::write(&kept, "x").unwrap();
    let asked = [&there, &gone, &there, &kept, &path(folder.path(), "data")].map(ToString::to_string);
    assert_eq!(
        files(asked.into_iter().chain(["a.txt".to_owned()]), &own),
        [there]
    );
    let many = (0..20).map(|number| path(folder.path(), &format!("{number}.txt")));
    let many: Vec<String> = many.inspect(|path| std::fs::write(path, "x").unwrap()).collect();
    assert_eq!(files(many, &own).len(), FILES_MAX);
}

#[test]
fn facts_of_an_assistant_or_of_another_session_stand_beside_no_visit() {
    let of = |scope: MemoryScope| {
        let id = MemoryId::from("m");
        let mut record = MemoryRecord::new(id, MemoryKind::Knowledge, "x", Moment(1));
        record.scope = scope;
        record
    };
    let here = SessionId::from("s1");
    for (scope, seen, of_user) in [
        (MemoryScope::User, true, true),
        (MemoryScope::Site("https://a.example".to_owned()), true, true),
        (MemoryScope::Session(here.clone()), true, false),
        (MemoryScope::Session(SessionId::from("s2")), false, false),
        (MemoryScope::Assistant("anna".to_owned()), false, false),
        (MemoryScope::Base("handbook".to_owned()), false, false),
    ] {
        let record = of(scope);
        assert_eq!(is_seen_in(&record, &here), seen, "{:?}", record.scope);
        assert_eq!(is_of_user(&record), of_user, "{:?}", record.scope);
    }
}
