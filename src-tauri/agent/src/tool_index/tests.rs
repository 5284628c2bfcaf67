//! What a prompt has of many toolkits, and how programs find the rest.

use super::*;
use shidi_protocol::{Class, ParameterKind, ParameterSpec};

fn toolkit(name: &str, doc: &str, methods: &[&str]) -> ToolkitSpec {
    let method = |name: &&str| MethodSpec {
        name: (*name).to_owned(),
        doc: format!("Does {name} with everything that belongs to it, as long as it takes."),
        parameters: vec![ParameterSpec {
            name: "text".to_owned(),
            kind: ParameterKind::Text,
            doc: String::new(),
            default: None,
            asked: false,
        }],
        returns: "str".to_owned(),
        class: Class::Read,
        matters: Vec::new(),
        idempotent: false,
    };
    ToolkitSpec {
        name: name.to_owned(),
        doc: doc.to_owned(),
        methods: methods.iter().map(method).collect(),
        source: shidi_protocol::ToolkitSource::BuiltIn,
        left_out: 0,
    }
}

fn many() -> Vec<ToolkitSpec> {
    let mut toolkits = vec![
        toolkit("files", "Files.", &["read"]),
        toolkit(NAME, "The other toolkits.", &["search", "describe"]),
    ];
    let methods = ["list", "create", "update", "remove", "archive", "share"];
    toolkits
        .extend((0..80).map(|number| toolkit(&format!("crm{number}"), "Customers of a region.", &methods)));
    toolkits.push(toolkit("mail", "Letters to people.", &["send_invoices", "list"]));
    toolkits
}

fn call(method: &str, args: Value) -> Call {
    Call {
        id: shidi_protocol::CallId(1),
        exec: shidi_protocol::ExecId(1),
        toolkit: NAME.to_owned(),
        method: method.to_owned(),
        args: args.as_object().cloned().unwrap_or_default(),
        line: 1,
        places: std::collections::BTreeMap::new(),
    }
}

#[test]
fn a_large_toolkit_is_described_as_far_as_an_output_shows_it_whole() {
    let names: Vec<String> = (0..400).map(|n| format!("tool_{n}")).collect();
    let described = |count: usize| {
        let names: Vec<&str> = names.iter().take(count).map(String::as_str).collect();
        let mut peer = toolkit("peer", "A server.", &names);
        for method in &mut peer.methods {
            method.doc = format!("Does {} at once. {}", method.name, "More of it. ".repeat(30));
        }
        let told = perform(&call("describe", json!({"name": "peer"})), &[peer]).expect("told");
        told.data.as_str().unwrap_or_default().to_owned()
    };
    let has_all = |text: &str, count: usize| (0..count).all(|n| text.contains(&format!("tool_{n}")));
    for (count, says, not) in [
        (4, "More of it", "Shortened"),
        (30, "at once.", "More of it"),
        (110, "async def", "at once"),
        (400, "tool_399", "async def"),
    ] {
        let text = described(count);
        assert!(
            has_all(&text, count) && text.contains(says) && !text.contains(not),
            "{count}: {text}"
        );
        assert!(
            tokens::estimate(&text) <= limits::OUTPUT_SHOWN_TOKENS_MAX,
            "{count}"
        );
        assert_eq!(text.contains("peer.METHOD"), count > 4);
    }
}

#[test]
fn few_toolkits_stand_in_the_prompt_whole_and_without_a_search() {
    let few = [
        toolkit("files", "Files.", &["read"]),
        toolkit(NAME, "Others.", &["search"]),
    ];
    let text = rendered(&few, &[]);
    assert!(
        text.contains("async def read") && !text.contains("search"),
        "{text}"
    );
}

#[test]
fn the_web_is_named_alone_with_the_way_to_its_description() {
    let few = [
        toolkit("files", "Files.", &["read"]),
        toolkit("web", "Reads and searches.", &["fetch", "search"]),
    ];
    let text = rendered(&few, &[]);
    let named = "# First print(await toolkits.describe('NAME')):\n# web [fetch, search]";
    assert!(text.ends_with(named), "{text}");
    assert!(!text.contains("async def fetch"), "{text}");
}

#[test]
fn many_toolkits_stand_there_as_an_index_within_the_bound() {
    let text = rendered(&many(), &[]);
    assert!(
        text.contains("class files:") && text.contains("async def describe"),
        "{text}"
    );
    assert!(
        text.contains("# crm7: Customers of a region. [list, create"),
        "{text}"
    );
    assert!(!text.contains("class crm7:"));
    assert!(tokens::estimate(&text) <= limits::TOOLKITS_TOKENS_MAX);
}

#[test]
fn what_a_stranger_says_of_its_tools_is_in_no_prompt_and_marks_the_run_that_asks_for_it() {
    let mut peer = toolkit("peer", "Tools of the MCP server peer.", &["send_note"]);
    peer.source = shidi_protocol::ToolkitSource::Server;
    let toolkits = [
        toolkit("files", "Files.", &["read"]),
        peer,
        toolkit(NAME, "Others.", &["describe"]),
    ];
    let text = rendered(&toolkits, &[]);
    assert!(
        text.contains("async def send_note(text: str) -> str: ...") && text.contains("Does read"),
        "{text}"
    );
    assert!(
        text.contains("toolkits.describe(\"peer\")") && text.contains("class toolkits"),
        "{text}"
    );
    assert!(!text.contains("Does send_note"), "{text}");
    let told = perform(&call("describe", json!({"name": "peer"})), &toolkits).expect("told");
    assert!(
        told.untrusted && told.data.to_string().contains("Does send_note"),
        "{told:?}"
    );
    let own = perform(&call("describe", json!({"name": "files"})), &toolkits).expect("told");
    assert!(!own.untrusted);
    let found = perform(&call("search", json!({"text": "send a note"})), &toolkits).expect("found");
    assert_eq!(found.data[0]["tool"], "peer.send_note");
    assert!(!found.data.to_string().contains("Does send_note") && !found.untrusted);
}

#[test]
fn the_list_of_abilities_has_the_tools_of_servers_and_pages_in_our_words() {
    let mut peer = toolkit("peer", "Tools of the MCP server peer.", &["send_note"]);
    peer.source = shidi_protocol::ToolkitSource::Server;
    let toolkits = [toolkit("files", "Files.", &["read"]), peer];
    let asked = Call {
        toolkit: "system".to_owned(),
        ..call("abilities", json!({}))
    };
    let listed = perform(&asked, &toolkits).expect("listed");
    let tools: Vec<&str> = listed
        .data
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|tool| tool["tool"].as_str())
        .collect();
    assert_eq!(tools, ["files.read", "peer.send_note"]);
    assert!(!listed.untrusted && !listed.data.to_string().contains("Does send_note"));
}

#[test]
fn a_tool_is_found_by_its_purpose_and_described_by_its_name() {
    let found = perform(&call("search", json!({"text": "send an invoice"})), &many()).map(|found| found.data);
    assert_eq!(
        found.as_ref().map(|found| &found[0]["tool"]),
        Some(&json!("mail.send_invoices"))
    );
    let told = perform(&call("describe", json!({"name": "mail"})), &many()).map(|told| told.data);
    let told = told.unwrap_or_default();
    assert!(
        told.as_str().is_some_and(|told| told.starts_with("class mail:")),
        "{told}"
    );
    let one = perform(&call("describe", json!({"name": "mail.list"})), &many()).map(|told| told.data);
    assert!(!one.unwrap_or_default().to_string().contains("send_invoices"));
    let none = perform(&call("describe", json!({"name": "pay"})), &many());
    assert!(none.is_some_and(|none| !none.ok()));
}

#[test]
fn a_toolkit_that_the_users_words_ask_for_is_shown_in_full() {
    let toolkits = [toolkit("schedule", "At a time.", &["remind"])];
    assert!(!rendered(&toolkits, &[]).contains("async def remind"));
    assert!(rendered(&toolkits, &["schedule"]).contains("async def remind"));
}
