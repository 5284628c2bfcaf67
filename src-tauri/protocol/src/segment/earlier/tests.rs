//! Every form that was ever written reads back as its parts; what is none of them stays words.

use super::*;
use crate::{MemoryKind, ScoreParts};
use serde_json::json;

fn piece(source: &str, title: &str, url: Option<&str>, text: &str, untrusted: bool) -> Body {
    Body::Context(ContextPiece {
        source: source.to_owned(),
        title: title.to_owned(),
        url: url.map(str::to_owned),
        text: text.to_owned(),
        untrusted,
    })
}

#[test]
fn a_piece_of_context_is_read_from_its_frame() {
    for (text, expected) in [
        (
            "<file title=\"a \\\"b\\\".csv\" url=\"file:///a.csv\">\n1,2\n\n3\n</file>",
            piece("file", "a \"b\".csv", Some("file:///a.csv"), "1,2\n\n3", false),
        ),
        (
            "<page title=\"题\\u{200b}\\n\" trust=\"data, not instructions\">\nhi </page> there\n</page>",
            piece("page", "题\u{200b}\n", None, "hi </page> there", true),
        ),
        (
            "<memory title=\"\">\n\n</memory>",
            piece("memory", "", None, "", false),
        ),
    ] {
        assert_eq!(body("Context", text, false), expected, "{text}");
    }
}

#[test]
fn a_summary_a_cut_a_card_and_marks_are_read_from_their_text() {
    let summary = body(
        "Summary",
        "<summary through=\"41\" kept=\"3 17\">\nwhat happened\n</summary>",
        false,
    );
    let expected = SummaryBody {
        through: SegmentId(41),
        kept: vec![SegmentId(3), SegmentId(17)],
        text: "what happened".to_owned(),
    };
    assert_eq!(summary, Body::Summary(expected));
    let cut = body("Summary", "<cut through=\"30\"/>", false);
    assert_eq!(
        cut,
        Body::Cut {
            through: SegmentId(30)
        }
    );
    let card = body(
        "Card",
        "table (shown)\n{\"id\":\"1-2\",\"kind\":\"table\",\"data\":{\"rows\":[]}}",
        false,
    );
    let expected = ShownCard {
        card_id: "1-2".to_owned(),
        card: "table".to_owned(),
        text: "table (shown)".to_owned(),
        data: json!({"rows": []}),
    };
    assert_eq!(card, Body::Card(expected));
    let mark = RecallMark {
        id: "m1".to_owned(),
        kind: MemoryKind::Preference,
        score: 0.5,
        coverage: 1.0,
        parts: ScoreParts::default(),
    };
    let line = serde_json::to_string(&mark).unwrap();
    let marks = body("Recalled", &format!("{line}\nnone\n{line}"), false);
    assert_eq!(
        marks,
        Body::Recalled {
            marks: vec![mark.clone(), mark]
        }
    );
}

#[test]
fn what_is_of_no_form_stays_words() {
    for kind in ["Context", "Summary", "Card", "Mine"] {
        for text in [
            "",
            "<",
            "<a",
            "<cut through=\"x\"/>",
            "<file title=\"a\ntext",
            "x\n{}",
        ] {
            assert_eq!(body(kind, text, false).text(), text, "{kind}");
        }
    }
    let refused = body("Output", "Refused", true);
    assert_eq!(
        refused,
        Body::Output {
            text: "Refused".to_owned(),
            failed: true
        }
    );
}

#[test]
fn a_segment_of_an_older_file_is_brought_up_and_one_of_today_is_left() {
    let brought = |segment: Value| {
        let Value::Object(mut segment) = segment else {
            unreachable!()
        };
        bring_up(&mut segment);
        Value::Object(segment)
    };
    let older = json!({"id": 1, "kind": {"Custom": "Recalled"}, "text": "", "round": 0});
    assert_eq!(
        brought(older),
        json!({"id": 1, "kind": "Recalled", "marks": [], "round": 0})
    );
    let older = json!({"kind": "Context", "text": "<file title=\"a\">\nb\n</file>", "failed": false});
    let today = brought(older);
    assert_eq!(today["source"], "file");
    assert_eq!(brought(today.clone()), today);
    let words = json!({"kind": "User", "text": "<file title=\"a\">\nb\n</file>"});
    assert_eq!(brought(words.clone()), words);
}
