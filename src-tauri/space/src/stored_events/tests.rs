//! A stored session tells the same events as its runs did at work.

use super::*;
use serde_json::json;
use shidi_protocol::{
    Call, CallId, CallOutcome, Class, JsonMap, RunId, SegmentKind, SessionId, SessionSummary, ShownCard,
    Usage,
};

fn segment(id: u32, body: Body, exec: Option<u32>) -> Segment {
    Segment {
        id: SegmentId(id),
        run: RunId::from("r"),
        body,
        exec: exec.map(ExecId),
        round: 1,
        tainted: false,
        time: Moment(i64::from(id) * 1_000),
    }
}

fn plain(id: u32, kind: &SegmentKind, text: &str, exec: Option<u32>) -> Segment {
    segment(id, Body::plain(kind, text), exec)
}

fn record(id: u32, toolkit: &str, method: &str, state: CallState) -> CallRecord {
    let args = json!({"text": "Which?", "path": "/a"});
    CallRecord {
        run: RunId::from("r"),
        call: Call {
            id: CallId(id),
            exec: ExecId(1),
            toolkit: toolkit.to_owned(),
            method: method.to_owned(),
            args: args.as_object().cloned().unwrap_or_default(),
            line: 1,
            places: std::collections::BTreeMap::new(),
        },
        class: Class::Read,
        state,
        grounds: Vec::new(),
        outcome: Some(CallOutcome::success(json!("four"), "four").own()),
        answered: None,
        started: Moment(2_100),
        ended: Some(Moment(2_600)),
    }
}

fn session(segments: Vec<Segment>, calls: Vec<CallRecord>, status: Option<RunStatus>) -> SessionDetail {
    SessionDetail {
        summary: SessionSummary {
            id: SessionId::from("s"),
            title: String::new(),
            created: Moment(0),
            updated: Moment(0),
            questions: 1,
            excerpt: None,
            waiting: 0,
            assistant: None,
        },
        segments,
        withdrawn: Vec::new(),
        calls,
        runs: vec![RunSummary {
            id: RunId::from("r"),
            parent: None,
            versions: Vec::new(),
            status,
            reason: None,
            error: None,
            usage: Usage::default(),
            offline: false,
            waiting: Vec::new(),
            awaiting: None,
            seq: 40,
        }],
        events: Vec::new(),
        variables: JsonMap::new(),
    }
}

/// Each event as its type, with what tells it from others of that type.
fn told(detail: &SessionDetail) -> Vec<String> {
    let events = of_session(detail, |_| false);
    assert!((1..).zip(&events).all(|(seq, event)| event.seq == seq));
    events
        .iter()
        .map(|event| {
            let fields = serde_json::to_value(event).unwrap();
            let word = |name: &str| {
                fields[name]
                    .as_str()
                    .map(|text| format!(" {text}"))
                    .unwrap_or_default()
            };
            format!(
                "{}{}{}{}",
                fields["type"].as_str().unwrap(),
                word("kind"),
                word("status"),
                word("reason")
            )
        })
        .collect()
}

fn asked_and_run(calls: Vec<CallRecord>) -> SessionDetail {
    let segments = vec![
        plain(1, &SegmentKind::User, "q", None),
        plain(2, &SegmentKind::Python, "x", Some(1)),
        segment(
            3,
            Body::Output {
                text: String::new(),
                failed: true,
            },
            Some(1),
        ),
        plain(4, &SegmentKind::Express, "done", None),
    ];
    session(segments, calls, Some(RunStatus::Completed))
}

#[test]
fn a_program_is_told_with_its_calls_its_output_and_how_it_ended() {
    let detail = asked_and_run(vec![
        record(1, "files", "read", CallState::Done),
        record(2, HOST_TOOLKIT, "time", CallState::Done),
    ]);
    assert_eq!(
        told(&detail),
        [
            "run_started",
            "segment User",
            "segment Python",
            "call",
            "call_done",
            "output",
            "segment Output",
            "segment Express",
            "run_ended completed",
        ]
    );
    let events = of_session(&detail, |_| false);
    let output = events.iter().find_map(|event| match event.kind {
        RunEventKind::Output { ok, ms, .. } => Some((ok, ms)),
        _ => None,
    });
    assert_eq!(output, Some((false, 1_000)));
}

#[test]
fn an_answer_comes_when_it_came_and_a_refusal_with_its_reason_old_or_new() {
    let detail = asked_and_run(vec![record(1, USER, "ask", CallState::Done)]);
    let between = ["call", "call_done", "question", "decided four", "output"];
    assert_eq!(told(&detail)[3..8], between);
    let refused = |reason: Option<&str>, message: &str| {
        let mut record = record(1, "files", "write", CallState::Refused);
        record.outcome = Some(CallOutcome::failure("PermissionError", message));
        record.grounds = vec![Ground::User {
            approved: false,
            always: false,
            reason: reason.map(str::to_owned),
        }];
        told(&asked_and_run(vec![record]))
    };
    let message = "The user refused this call: not now";
    let expected = ["call", "approval_needed", "decided not now", "call_done"];
    assert_eq!(refused(Some("not now"), message)[3..7], expected);
    assert_eq!(refused(None, message)[3..7], expected, "of an older database");
    let by_rule = asked_and_run(vec![record(1, "files", "write", CallState::Refused)]);
    assert_eq!(told(&by_rule)[3..5], ["call", "call_done"]);
}

#[test]
fn cards_are_shown_and_what_is_the_models_alone_is_not() {
    let card = ShownCard {
        card_id: "c".to_owned(),
        card: "table".to_owned(),
        text: "t".to_owned(),
        data: json!({}),
    };
    let segments = vec![
        plain(1, &SegmentKind::User, "q", None),
        segment(2, Body::Card(card), Some(1)),
        segment(
            3,
            Body::Cut {
                through: SegmentId(1),
            },
            None,
        ),
    ];
    let mut detail = session(segments, Vec::new(), None);
    detail.withdrawn = vec![SegmentId(1)];
    assert_eq!(
        told(&detail),
        [
            "run_started",
            "segment User",
            "standing",
            "card table",
            "run_ended suspended"
        ]
    );
    assert_eq!(of_session(&detail, |_| true).len(), 4, "a run at work has no end");
}
