//! A segment reads back as it was written, on its own and as an event, whatever its body.

use super::*;
use crate::{RunEvent, RunEventKind};
use serde_json::json;

fn bodies() -> Vec<Body> {
    let plain = NAMED.iter().map(|kind| Body::plain(kind, "words \"so\"\n"));
    let typed = [
        Body::Context(ContextPiece {
            source: "file".to_owned(),
            title: "a".to_owned(),
            url: Some("file:///a".to_owned()),
            text: "b".to_owned(),
            untrusted: true,
        }),
        Body::Output {
            text: String::new(),
            failed: true,
        },
        Body::Summary(SummaryBody {
            through: SegmentId(4),
            kept: vec![SegmentId(2)],
            text: "s".to_owned(),
        }),
        Body::Cut {
            through: SegmentId(4),
        },
        Body::Card(ShownCard {
            card_id: "c1".to_owned(),
            card: "table".to_owned(),
            text: "t".to_owned(),
            data: json!({"rows": []}),
        }),
        Body::Recalled { marks: Vec::new() },
        Body::plain(&SegmentKind::Custom("Mine".to_owned()), "x"),
    ];
    plain.chain(typed).collect()
}

#[test]
fn a_segment_reads_back_from_its_json() {
    for body in bodies() {
        let segment = Segment {
            id: SegmentId(7),
            run: RunId::from("r"),
            body: body.clone(),
            exec: Some(ExecId(1)),
            round: 2,
            tainted: true,
            time: Moment(5),
        };
        let written = serde_json::to_string(&segment).unwrap();
        assert_eq!(
            serde_json::from_str::<Segment>(&written).unwrap(),
            segment,
            "{written}"
        );
        let event = RunEvent {
            kind: RunEventKind::Segment {
                body,
                exec: segment.exec,
            },
            run: segment.run,
            seq: 3,
            time: segment.time,
        };
        let written = serde_json::to_string(&event).unwrap();
        assert_eq!(
            serde_json::from_str::<RunEvent>(&written).unwrap(),
            event,
            "{written}"
        );
    }
}

#[test]
fn what_was_erased_keeps_its_kind_and_none_of_its_words() {
    for body in bodies() {
        let erased = body.erased("…");
        assert_eq!(erased.kind().name(), body.kind().name());
        let written = serde_json::to_string(&erased).unwrap();
        for word in ["words", "file:///a", "rows"] {
            assert!(!written.contains(word), "{written}");
        }
    }
}
