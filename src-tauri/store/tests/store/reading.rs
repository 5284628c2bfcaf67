//! Each kind of row is read as it was written.

use crate::fixture::{Folder, append, call, run, segment, session, variable, with_session};
use serde_json::json;
use shidi_protocol::{
    CallState, Mode, Moment, RunEvent, RunEventKind, RunId, RunStatus, SegmentKind, SessionId,
};
use shidi_protocol::{Verdict, WaitingCard};
use shidi_store::{Batch, Rule, RunState, Store, StoreError, ToolResult, Variable, Write};

fn s1() -> SessionId {
    SessionId::from("s1")
}

fn r1() -> RunId {
    RunId::from("r1")
}

fn put_run(store: &Store, id: &str, session: &str, status: Option<RunStatus>) {
    store
        .commit(Write::PutRun(Box::new(run(id, session, status))))
        .unwrap();
}

#[test]
fn a_session_is_read_as_it_was_written_renamed_and_touched() {
    let folder = Folder::new();
    let store = folder.open();
    let mut written = session("s1");
    store.commit(Write::PutSession(written.clone())).unwrap();
    assert_eq!(store.session(&s1()).unwrap(), Some(written.clone()));
    written.mode = Mode::Trust;
    written.folders.push("/tmp".to_owned());
    store.commit(Write::PutSession(written.clone())).unwrap();
    store
        .commit(Write::RenameSession {
            session: s1(),
            title: "新名".to_owned(),
        })
        .unwrap();
    store
        .commit(Write::TouchSession {
            session: s1(),
            updated: Moment(9_000),
        })
        .unwrap();
    written.title = "新名".to_owned();
    written.is_named = true;
    written.updated = Moment(9_000);
    assert_eq!(store.session(&s1()).unwrap(), Some(written));
    assert_eq!(store.session(&SessionId::from("other")).unwrap(), None);
}

#[test]
fn sessions_are_listed_newest_first_with_their_questions_and_waiting_runs() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(Write::PutSession(session("s2"))).unwrap();
    store
        .commit(Write::TouchSession {
            session: s1(),
            updated: Moment(5_000),
        })
        .unwrap();
    let answer = Box::new(segment(2, "r1", SegmentKind::Express, "answer"));
    let batch = vec![
        append("s1", 1, "q"),
        Write::AppendSegment {
            session: s1(),
            segment: answer,
        },
        append("s1", 3, "q"),
    ];
    store.commit(batch).unwrap();
    let next = RunState {
        parent: Some(RunId::from("r1")),
        ..run("r2", "s1", Some(RunStatus::Suspended))
    };
    let version = RunState {
        parent: Some(RunId::from("r1")),
        ..run("r3", "s1", Some(RunStatus::Completed))
    };
    let runs = [next, version].map(|run| Write::PutRun(Box::new(run)));
    store.commit(runs.to_vec()).unwrap();
    let listed = store.sessions(10).unwrap();
    let told: Vec<_> = listed
        .iter()
        .map(|summary| (summary.id.as_str(), summary.questions, summary.waiting))
        .collect();
    assert_eq!(told, [("s1", 2, 1), ("s2", 0, 0)]);
    assert_eq!(store.sessions(1).unwrap().len(), 1);
}

#[test]
fn segments_of_every_kind_are_read_in_their_order() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let kinds = [
        SegmentKind::User,
        SegmentKind::Python,
        SegmentKind::Custom("Mood".to_owned()),
        SegmentKind::NextGoal,
    ];
    let mut written = Vec::new();
    for (id, kind) in (1..).zip(kinds) {
        let mut segment = segment(id, "r1", kind, "文字 and 'quotes' \" \n");
        segment.exec = if id % 2 == 0 { None } else { segment.exec };
        written.push(segment);
    }
    for segment in written.iter().rev() {
        let segment = Box::new(segment.clone());
        store
            .commit(Write::AppendSegment {
                session: s1(),
                segment,
            })
            .unwrap();
    }
    assert_eq!(store.segments(&s1()).unwrap(), written);
}

#[test]
fn a_segment_is_never_written_over() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(append("s1", 1, "first")).unwrap();
    let refused = store.commit(append("s1", 1, "second"));
    assert!(matches!(refused, Err(StoreError::Refused { .. })), "{refused:?}");
    assert_eq!(store.segments(&s1()).unwrap()[0].text(), "first");
}

#[test]
fn a_call_keeps_its_last_state_and_the_order_of_its_arguments() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut intended = call("r1", 2, CallState::Intended);
    (intended.outcome, intended.ended, intended.answered) = (None, None, None);
    store
        .commit(Write::UpsertCall(Box::new(intended.clone())))
        .unwrap();
    assert_eq!(store.calls(&r1()).unwrap(), [intended]);
    let done = call("r1", 2, CallState::Done);
    let first = call("r1", 1, CallState::Refused);
    store
        .commit(vec![
            Write::UpsertCall(Box::new(done.clone())),
            Write::UpsertCall(Box::new(first.clone())),
        ])
        .unwrap();
    let read = store.calls(&r1()).unwrap();
    assert_eq!(read, [first, done]);
    assert_eq!(read[0].call.args.keys().collect::<Vec<_>>(), ["path", "limit"]);
}

#[test]
fn calls_to_some_toolkits_come_from_all_runs_of_a_session_and_from_no_other() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(Write::PutSession(session("s2"))).unwrap();
    put_run(&store, "r2", "s1", None);
    put_run(&store, "r3", "s2", None);
    let made = |run: &str, toolkit: &str, started: i64| {
        let mut record = call(run, 1, CallState::Done);
        record.call.toolkit = toolkit.to_owned();
        record.started = Moment(started);
        record
    };
    let first = made("r1", "workflows", 1_700);
    let second = made("r2", "user", 1_800);
    let elsewhere = made("r3", "workflows", 1_750);
    for record in [&second, &first, &elsewhere] {
        store.commit(Write::UpsertCall(Box::new(record.clone()))).unwrap();
    }
    let both = ["workflows".to_owned(), "user".to_owned()];
    assert_eq!(store.calls_to(&s1(), &both).unwrap(), [first.clone(), second]);
    assert_eq!(store.calls_to(&s1(), &both[..1]).unwrap(), [first]);
    assert_eq!(store.calls_to(&s1(), &[]).unwrap(), []);
}

#[test]
fn a_call_of_an_unknown_run_is_refused() {
    let folder = Folder::new();
    let store = folder.open();
    let refused = store.commit(Write::UpsertCall(Box::new(call("nobody", 1, CallState::Done))));
    assert!(matches!(refused, Err(StoreError::Refused { .. })), "{refused:?}");
}

#[test]
fn a_run_is_read_with_what_it_waits_for() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut state = run("r1", "s1", Some(RunStatus::Suspended));
    let kind = RunEventKind::Question {
        call: shidi_protocol::CallId(1),
        text: "哪个?".to_owned(),
        fields: None,
    };
    state.waiting.push(WaitingCard {
        event: RunEvent {
            kind,
            run: r1(),
            seq: 7,
            time: Moment(1_700),
        },
    });
    store.commit(Write::PutRun(Box::new(state.clone()))).unwrap();
    assert_eq!(store.run(&r1()).unwrap(), Some(state.clone()));
    assert_eq!(store.runs(&s1()).unwrap(), [state]);
}

#[test]
fn open_runs_are_those_at_work_and_those_that_wait() {
    let folder = Folder::new();
    let store = with_session(&folder);
    put_run(&store, "r2", "s1", Some(RunStatus::Suspended));
    put_run(&store, "r3", "s1", Some(RunStatus::Completed));
    put_run(&store, "r4", "s1", Some(RunStatus::Cancelled));
    let open: Vec<_> = store
        .open_runs()
        .unwrap()
        .into_iter()
        .map(|state| state.run)
        .collect();
    assert_eq!(open, [r1(), RunId::from("r2")]);
    put_run(&store, "r1", "s1", Some(RunStatus::GaveUp));
    assert_eq!(store.open_runs().unwrap().len(), 1);
}

#[test]
fn a_run_does_not_move_to_another_session() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(Write::PutSession(session("s2"))).unwrap();
    let refused = store.commit(Write::PutRun(Box::new(run("r1", "s2", None))));
    assert!(matches!(refused, Err(StoreError::Refused { .. })), "{refused:?}");
}

#[test]
fn a_run_is_found_by_either_end_of_its_id_when_only_one_fits() {
    let folder = Folder::new();
    let store = with_session(&folder);
    put_run(&store, "01ab77", "s1", None);
    put_run(&store, "01ab99", "s1", None);
    assert_eq!(store.find_run("99").unwrap(), Some(RunId::from("01ab99")));
    assert_eq!(store.find_run("01ab7").unwrap(), Some(RunId::from("01ab77")));
    assert_eq!(store.find_run("01ab99").unwrap(), Some(RunId::from("01ab99")));
    assert_eq!(store.find_run("b9").unwrap(), None);
    assert_eq!(store.find_run("%").unwrap(), None);
    assert_eq!(store.find_run("").unwrap(), None);
    assert!(matches!(
        store.find_run("01ab"),
        Err(StoreError::Ambiguous { matches: 2, .. })
    ));
    assert_eq!(store.find_session("s").unwrap(), Some(s1()));
}

#[test]
fn a_variable_comes_back_bit_for_bit_and_can_be_deleted() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let value = json!({"z": 0.1, "a": [1.7976931348623157e308, 5e-324, -0.0, 2.225_073_858_507_201e-308], "n": null, "猫": u64::MAX});
    let mut written = vec![variable("a", value), variable("b", json!(null))];
    written.push(Variable {
        value: None,
        ..variable("c", json!("<object>"))
    });
    let put = |variable: &Variable| Write::PutVariable {
        session: s1(),
        variable: variable.clone(),
    };
    store.commit(written.iter().map(put).collect::<Batch>()).unwrap();
    assert_eq!(store.variables(&s1(), Some(&r1())).unwrap(), written);
    store
        .commit(Write::DeleteVariable {
            session: s1(),
            name: "a".to_owned(),
            run: Some(r1()),
        })
        .unwrap();
    assert_eq!(store.variables(&s1(), Some(&r1())).unwrap(), written[1..]);
}

#[test]
fn settings_and_rules_keep_their_last_value() {
    let folder = Folder::new();
    let store = folder.open();
    let put = |value| Write::PutSetting {
        key: "ball.place".to_owned(),
        value,
    };
    store
        .commit(vec![put(json!([1, 2])), put(json!({"x": 1}))])
        .unwrap();
    assert_eq!(store.setting("ball.place").unwrap(), Some(json!({"x": 1})));
    assert_eq!(store.setting("none").unwrap(), None);
    assert_eq!(
        store.settings().unwrap(),
        [("ball.place".to_owned(), json!({"x": 1}))]
    );
    let rule = |pattern: &str, verdict| Rule {
        pattern: pattern.to_owned(),
        verdict,
        created: Moment(5),
    };
    store
        .commit(vec![
            Write::PutRule(rule("files.write(path=/a/*)", Verdict::Allow)),
            Write::PutRule(rule("files.write(path=/a/*)", Verdict::Deny)),
            Write::PutRule(rule("web.fetch(host=*)", Verdict::Ask)),
            Write::DeleteRule {
                pattern: "web.fetch(host=*)".to_owned(),
            },
        ])
        .unwrap();
    assert_eq!(
        store.rules().unwrap(),
        [rule("files.write(path=/a/*)", Verdict::Deny)]
    );
}

#[test]
fn a_result_is_read_only_in_its_session() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let result = ToolResult {
        session: s1(),
        handle: "result-1".to_owned(),
        run: r1(),
        text: "a\nb".to_owned(),
        tainted: true,
    };
    store.commit(Write::PutResult(result.clone())).unwrap();
    assert_eq!(store.result(&s1(), "result-1").unwrap(), Some(result));
    assert_eq!(store.result(&SessionId::from("s2"), "result-1").unwrap(), None);
    assert_eq!(store.find(&s1(), "none", "a", 5).unwrap(), None);
}

#[test]
fn a_look_up_brings_the_lines_that_hold_the_words_best_first() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut text = String::new();
    for line in 1..=5_000 {
        text.push_str(match line {
            77 => "订单 8812 的收货地址是杭州市西湖区\n",
            4_321 => "the relay password of host zeta is rotated every ninety days\n",
            _ => "an ordinary line about a host and a password policy of the day\n",
        });
    }
    text.push_str(&format!(
        "{{\"all\":[{}\"needle-42\":\"found\"]}}",
        "\"filler\",".repeat(20_000)
    ));
    let result = ToolResult {
        session: s1(),
        handle: "h".to_owned(),
        run: r1(),
        text,
        tainted: false,
    };
    store.commit(Write::PutResult(result)).unwrap();
    let best = |words: &str| store.find(&s1(), "h", words, 3).unwrap().unwrap().remove(0);
    assert_eq!(best("zeta password rotation").line, 4_321);
    assert_eq!(best("收货地址在哪里").line, 77);
    let piece = best("needle-42");
    assert_eq!(piece.line, 5_001);
    assert!(
        piece.text.contains("needle-42") && piece.text.len() < 1_300,
        "{}",
        piece.text
    );
    assert!(store.find(&s1(), "h", "absent", 3).unwrap().unwrap().is_empty());
}

#[test]
fn a_whole_session_holds_all_that_belongs_to_it_and_nothing_else() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store
        .commit(vec![
            Write::PutSession(session("s2")),
            append("s2", 1, "not mine"),
        ])
        .unwrap();
    let unstorable = Variable {
        value: None,
        ..variable("o", json!("<object>"))
    };
    store
        .commit(vec![
            append("s1", 1, "mine"),
            Write::UpsertCall(Box::new(call("r1", 1, CallState::Done))),
            Write::PutVariable {
                session: s1(),
                variable: variable("v", json!([1])),
            },
            Write::PutVariable {
                session: s1(),
                variable: unstorable.clone(),
            },
        ])
        .unwrap();
    let detail = store.session_detail(&s1()).unwrap().unwrap();
    assert_eq!(detail.segments.len(), 1);
    assert_eq!(detail.segments[0].text(), "mine");
    assert_eq!(detail.calls, [call("r1", 1, CallState::Done)]);
    assert_eq!(detail.runs, [run("r1", "s1", None).summary()]);
    assert_eq!(detail.variables["v"], json!([1]));
    assert_eq!(detail.variables["o"], json!(unstorable.text));
    assert_eq!(detail.summary.questions, 1);
    assert_eq!(store.session_detail(&SessionId::from("s3")).unwrap(), None);
}
