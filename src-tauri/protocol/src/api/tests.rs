//! Promises of the wire: a request's own type is written as the enum's variant always was, and its reply is read back.

use super::{Reply, Request, TypedReply, reply_to};
use crate::request::{self, jobs, knowledge, memory, variables};
use crate::{Ask, SessionId, TraceQuery, reply};
use serde_json::{Value, json};

fn written(request: impl Into<Request>) -> Value {
    serde_json::to_value(request.into()).unwrap_or_default()
}

#[test]
fn requests_are_written_as_the_wire_knows_them() {
    let session = || SessionId::from("s1");
    assert_eq!(
        written(request::SessionShow { session: session() }),
        json!({"request": "session_show", "session": "s1"})
    );
    assert_eq!(written(request::ConfigList), json!({"request": "config_list"}));
    assert_eq!(
        written(memory::Pin {
            memory: "m1".to_owned(),
            pinned: true
        }),
        json!({"request": "memory", "action": {"action": "pin", "memory": "m1", "pinned": true}})
    );
    assert_eq!(
        written(knowledge::List),
        json!({"request": "knowledge", "action": {"action": "list"}})
    );
    let name = "x".to_owned();
    assert_eq!(
        written(variables::Show {
            session: session(),
            name
        }),
        json!({"request": "variables", "session": "s1", "action": {"action": "show", "name": "x"}})
    );
    assert_eq!(
        written(jobs::List { session: session() }),
        json!({"request": "jobs", "session": "s1", "action": {"action": "list"}})
    );
    let asked = written(Ask {
        text: "hello".to_owned(),
        ..Ask::default()
    });
    assert_eq!(
        (&asked["request"], &asked["text"]),
        (&json!("ask"), &json!("hello"))
    );
    assert_eq!(written(TraceQuery::default())["request"], "trace_list");
}

#[test]
fn a_reply_is_the_one_that_its_request_names_or_comes_back() {
    let config = reply::Config {
        path: "/config.toml".to_owned(),
        entries: Vec::new(),
    };
    let sent = reply_to::<request::ConfigSet>(config.clone());
    let wire = json!({"reply": "config", "path": "/config.toml", "entries": []});
    assert_eq!(serde_json::to_value(&sent).unwrap_or_default(), wire);
    assert_eq!(reply::Config::of(sent), Ok(config));
    assert_eq!(reply::Config::of(Reply::Done), Err(Box::new(Reply::Done)));
}
