//! What the dashboard counts: runs with what was brought into them, and the steps of those runs, newest first.

use crate::fixture::{Folder, run, with_session};
use serde_json::{Value, json};
use shidi_protocol::{
    Body, Experience, ExperienceDraft, ExperienceId, ExperienceRole, JsonMap, MemoryKind, Moment, RecallMark,
    RunId, RunStatus, ScoreParts, Segment, SegmentId, SessionId, Span,
};
use shidi_store::{CountedRun, ExperienceKeys, ExperienceWrite, RunState, Store, Write};

/// A run that began so many milliseconds after the epoch.
fn put(store: &Store, id: &str, started: i64, state: Value) {
    let row = RunState {
        started: Moment(started),
        state,
        ..run(id, "s1", Some(RunStatus::Completed))
    };
    store.commit(Write::PutRun(Box::new(row))).unwrap();
}

fn put_step(store: &Store, run: &str, id: u32, operation: &str, attributes: Value) {
    let Value::Object(attributes) = attributes else {
        panic!("attributes are an object")
    };
    let span = Span {
        id,
        parent: None,
        operation: operation.to_owned(),
        name: "named".to_owned(),
        started: Moment(0),
        ms: 40,
        open: false,
        attributes: JsonMap::from_iter(attributes),
    };
    let step = Write::PutStep {
        run: RunId::from(run),
        step: Box::new(span.into()),
    };
    store.commit(step).unwrap();
}

fn runs(store: &Store, since: i64) -> Vec<CountedRun> {
    store.counted_runs(Moment(since), 10).unwrap()
}

#[test]
fn runs_come_newest_first_with_their_rests_and_replays_are_left_out() {
    let folder = Folder::new();
    let store = with_session(&folder);
    put(&store, "old", 2_000, json!({}));
    put(
        &store,
        "agent",
        3_000,
        json!({ "ask": { "under": { "run": "old" } } }),
    );
    put(
        &store,
        "again",
        4_000,
        json!({ "ask": { "replay": { "run": "old" } } }),
    );
    put(&store, "new", 5_000, json!({ "ask": { "replay": null } }));
    let rests = json!([["1970-01-01T00:00:05.100Z", "1970-01-01T00:00:05.130Z"]]);
    put_step(&store, "new", 1, "invoke_agent", json!({ "shidi.rests": rests }));
    let counted = runs(&store, 2_000);
    let told: Vec<_> = counted
        .iter()
        .map(|run| (run.started.0, run.is_sub_agent, run.ms))
        .collect();
    assert_eq!(
        told,
        [
            (5_000, false, Some(40)),
            (3_000, true, None),
            (2_000, false, None)
        ]
    );
    assert_eq!(counted[0].rests, [(Moment(5_100), Moment(5_130))]);
    assert_eq!(counted[0].usage.cached, 4);
    assert_eq!(runs(&store, 5_001), []);
    assert_eq!(
        store.counted_runs(Moment(0), 1).unwrap()[0].started,
        Moment(5_000)
    );
}

#[test]
fn what_was_brought_into_a_run_is_counted_from_the_record() {
    let folder = Folder::new();
    let store = with_session(&folder);
    put(&store, "new", 5_000, json!({}));
    let mark = |id: &str| RecallMark {
        id: id.to_owned(),
        kind: MemoryKind::Knowledge,
        score: 0.5,
        coverage: 1.0,
        parts: ScoreParts::default(),
    };
    let marks = vec![mark("m1"), mark("m2")];
    let segment = Segment {
        id: SegmentId(1),
        run: RunId::from("new"),
        body: Body::Recalled { marks },
        exec: None,
        round: 0,
        tainted: false,
        time: Moment(5_001),
    };
    let session = SessionId::from("s1");
    let segment = Box::new(segment);
    store.commit(Write::AppendSegment { session, segment }).unwrap();
    let draft = ExperienceDraft {
        goal: "goal".to_owned(),
        lesson: "lesson".to_owned(),
        code: String::new(),
    };
    let id = ExperienceId::from("e1");
    let experience = Box::new(Experience::written(id.clone(), draft, Moment(1)));
    let keys = ExperienceKeys::default();
    let link = |role| {
        let (experience, run, at) = (id.clone(), RunId::from("new"), Moment(5_001));
        Write::Experience(ExperienceWrite::Link {
            experience,
            run,
            role,
            at,
        })
    };
    let put_it = Write::Experience(ExperienceWrite::Put { experience, keys });
    let writes = vec![put_it, link(ExperienceRole::Used), link(ExperienceRole::Taught)];
    store.commit(writes).unwrap();
    let counted = &runs(&store, 5_000)[0];
    assert_eq!(
        (counted.experiences, counted.memories),
        (1, 2),
        "what it taught is not counted"
    );
}

#[test]
fn steps_are_those_of_counted_runs_and_tell_whether_they_are_over() {
    let folder = Folder::new();
    let store = with_session(&folder);
    put(&store, "old", 2_000, json!({}));
    put(&store, "again", 4_000, json!({ "ask": { "replay": {} } }));
    put(&store, "new", 5_000, json!({}));
    put_step(&store, "new", 1, "invoke_agent", json!({}));
    let usage =
        json!({ "gen_ai.usage.input_tokens": 7, "gen_ai.request.model": "m", "other": [1, { "deep": 2 }] });
    put_step(&store, "new", 2, "chat", usage);
    put_step(
        &store,
        "new",
        3,
        "execute_tool",
        json!({ "shidi.waiting_since": 5 }),
    );
    put_step(&store, "again", 2, "execute_tool", json!({ "shidi.ok": true }));
    put_step(
        &store,
        "old",
        2,
        "run_program",
        json!({ "error.type": "TypeError", "shidi.ok": false }),
    );
    let counted = store.counted_steps(Moment(2_000), 10).unwrap();
    let told: Vec<_> = counted
        .iter()
        .map(|step| (step.run_started.0, step.operation.as_str(), step.is_over()))
        .collect();
    assert_eq!(
        told,
        [
            (5_000, "chat", true),
            (5_000, "execute_tool", false),
            (2_000, "run_program", true)
        ]
    );
    assert_eq!(counted[0].attributes.model.as_deref(), Some("m"));
    assert_eq!(counted[0].attributes.input, Some(7));
    assert_eq!(store.counted_steps(Moment(2_000), 1).unwrap().len(), 1);
}
