//! Traces: steps are kept beside the record, found again, and dropped by age.

use crate::fixture::{Folder, newest, run, span, with_session};
use serde_json::json;
use shidi_protocol::{JsonMap, Moment, RunId, RunStatus, TraceOutcome, TraceQuery};
use shidi_store::{Step, StepText, Store, Write};

fn r1() -> RunId {
    RunId::from("r1")
}

fn put_run(store: &Store, id: &str, session: &str, status: Option<RunStatus>) {
    store
        .commit(Write::PutRun(Box::new(run(id, session, status))))
        .unwrap();
}

#[test]
fn spans_and_traces_show_a_run_while_it_works_and_afterwards() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let add = |id| Write::PutStep {
        run: r1(),
        step: Box::new(span(id).into()),
    };
    store.commit(vec![add(2), add(1), add(1)]).unwrap();
    assert_eq!(store.spans(&r1()).unwrap(), [span(1), span(2)]);
    assert_eq!(store.traces(&newest(10)).unwrap()[0].ms, 40);
    put_run(&store, "r1", "s1", Some(RunStatus::Completed));
    let trace = store.traces(&newest(10)).unwrap().remove(0);
    assert_eq!(
        (trace.run, trace.ms, trace.status),
        (r1(), 400, Some(RunStatus::Completed))
    );
    assert_eq!((trace.question.as_str(), trace.usage.cost), ("why?", Some(0.1)));
}

#[test]
fn traces_are_found_by_their_words_their_end_and_page_by_page() {
    let folder = Folder::new();
    let store = with_session(&folder);
    for (id, status) in [
        ("r2", Some(RunStatus::GaveUp)),
        ("r3", None),
        ("r4", Some(RunStatus::Completed)),
    ] {
        put_run(&store, id, "s1", status);
    }
    let mut tool = span(1);
    "files.re_d".clone_into(&mut tool.name);
    store
        .commit(Write::PutStep {
            run: RunId::from("r4"),
            step: Box::new(tool.into()),
        })
        .unwrap();
    let found = |query: TraceQuery| {
        let traces = store.traces(&query).unwrap();
        traces
            .into_iter()
            .map(|trace| trace.run.to_string())
            .collect::<Vec<_>>()
    };
    let text = |text: &str| TraceQuery {
        text: text.to_owned(),
        ..newest(10)
    };
    assert_eq!(found(text("re_d")), ["r4"]);
    assert!(
        found(text("re%d")).is_empty(),
        "a sign of the pattern stands for itself"
    );
    assert_eq!(found(text("WHY?")).len(), 4);
    let failed = TraceQuery {
        outcome: Some(TraceOutcome::Failed),
        ..newest(10)
    };
    assert_eq!(found(failed), ["r2"]);
    let first = found(newest(2));
    let next = TraceQuery {
        before: Some(RunId::from(first[1].as_str())),
        ..newest(10)
    };
    let all: Vec<String> = first.into_iter().chain(found(next)).collect();
    assert_eq!(all, found(newest(10)));
}

#[test]
fn steps_are_read_as_they_change_and_their_texts_once() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let content = JsonMap::from_iter([("gen_ai.input.messages".to_owned(), json!(["h"]))]);
    let text = StepText {
        hash: "h".to_owned(),
        text: "the prompt".to_owned(),
    };
    let step = |id| Step {
        span: span(id),
        content: content.clone(),
        texts: vec![text.clone()],
    };
    let put = |run: &str, id| Write::PutStep {
        run: RunId::from(run),
        step: Box::new(step(id)),
    };
    store
        .commit(vec![put("r1", 1), put("r1", 2), put("gone", 1)])
        .unwrap();
    let first = store.steps(&r1(), 0, 1).unwrap();
    assert_eq!((first.spans, first.more), (vec![span(1)], true));
    let second = store.steps(&r1(), first.after, 10).unwrap();
    assert_eq!((second.spans, second.more), (vec![span(2)], false));
    store.commit(put("r1", 1)).unwrap();
    let third = store.steps(&r1(), second.after, 10).unwrap();
    assert_eq!(third.spans, [span(1)]);
    assert_eq!(store.steps(&r1(), third.after, 10).unwrap().spans, []);
    let whole = store.span(&r1(), 2).unwrap().unwrap();
    assert_eq!(whole.attributes["gen_ai.input.messages"], json!(["h"]));
    assert_eq!(
        store.step_text(&r1(), "h").unwrap().as_deref(),
        Some("the prompt")
    );
    assert!(store.spans(&RunId::from("gone")).unwrap().is_empty());
}

#[test]
fn old_traces_go_and_those_of_runs_that_are_not_over_stay() {
    let folder = Folder::new();
    let store = with_session(&folder);
    put_run(&store, "r2", "s1", Some(RunStatus::Completed));
    for run in ["r1", "r2"] {
        let step = Step {
            texts: vec![StepText {
                hash: "h".to_owned(),
                text: "t".to_owned(),
            }],
            ..span(1).into()
        };
        store
            .commit(Write::PutStep {
                run: RunId::from(run),
                step: Box::new(step),
            })
            .unwrap();
    }
    store
        .commit(Write::DropSteps {
            before: Moment(i64::MAX),
        })
        .unwrap();
    assert_eq!(store.spans(&r1()).unwrap().len(), 1);
    assert!(store.spans(&RunId::from("r2")).unwrap().is_empty());
    assert_eq!(store.step_text(&RunId::from("r2"), "h").unwrap(), None);
    assert_eq!(
        store.traces(&newest(10)).unwrap().len(),
        2,
        "what was asked is in the record"
    );
}
