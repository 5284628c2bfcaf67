//! Calls as programs write them.

use super::*;
use proptest::prelude::*;
use shidi_locales::Language;

fn read(name: &str, arguments: Value) -> Result<Wanted, Unusable> {
    let arguments = match arguments {
        Value::Object(arguments) => Some(arguments),
        _ => None,
    };
    wanted(name, arguments, Language::En.mcp_server())
}

fn refused(name: &str, arguments: Value) -> String {
    match read(name, arguments) {
        Err(Unusable::Arguments(why)) => why.message,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn every_tool_is_declared_with_a_schema_and_is_understood() {
    let declared = declared();
    let names: Vec<&str> = declared.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, NAMES);
    for tool in &declared {
        assert_eq!(tool.input_schema["type"], "object");
        let reads = tool.annotations.as_ref().and_then(|hints| hints.read_only_hint);
        assert_eq!(reads, Some(tool.name != ASK), "{}", tool.name);
    }
}

#[test]
fn arguments_are_taken_as_they_are_declared() {
    let query = "tea".to_owned();
    let memories = |limit| Wanted::Memories {
        query: query.clone(),
        limit,
    };
    assert_eq!(
        read("search_memory", json!({"query": "tea"})),
        Ok(memories(RESULTS_DEFAULT))
    );
    assert_eq!(
        read("search_memory", json!({"query": "tea", "limit": 5.0})),
        Ok(memories(5))
    );
    assert_eq!(read("current_context", Value::Null), Ok(Wanted::Context));
    assert!(matches!(read("burn", json!({})), Err(Unusable::Tool(_))));
}

#[test]
fn what_is_wrong_with_an_argument_is_named() {
    assert!(refused("search_memory", json!({})).contains("query is no text"));
    assert!(refused("search_memory", json!({"query": " "})).contains("query is empty"));
    assert!(refused("search_memory", json!({"query": "a", "limit": 0})).contains("from 1 to 50"));
    assert!(refused("search_memory", json!({"query": "a", "limit": 1.5})).contains("from 1 to 50"));
    assert!(refused("search_memory", json!({"query": "a", "limit": "all"})).contains("from 1 to 50"));
    assert!(refused("current_context", json!({"window": 3})).contains("no argument window"));
    let long = "x".repeat(QUESTION_CHARACTERS_MAX + 1);
    assert!(refused("ask", json!({"question": long})).contains("more than 50000"));
}

proptest! {
    #[test]
    fn no_limit_is_taken_that_is_out_of_bounds(limit in any::<f64>()) {
        if let Ok(Wanted::Memories { limit, .. }) = read("search_memory", json!({"query": "a", "limit": limit})) {
            prop_assert!((1..=RESULTS_MAX).contains(&limit));
        }
    }
}
