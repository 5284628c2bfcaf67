//! The prompt holds all toolkits while they are few, and otherwise an index (F7.2). Programs then search for
//! tools and ask for their descriptions (`toolkits.search`, `toolkits.describe`).
//!
//! An outside toolkit's own description is a stranger's text: a prompt has the toolkit's names and types alone.
//! Its words come into a run when a program asks for them, and then mark the run like any other foreign text.
//!
//! Pure: toolkits come in, text goes out. Which tools may be called is decided elsewhere.

use crate::limits;
use crate::run_context::RunContext;
use crate::stubs;
use serde_json::{Value, json};
use shidi_protocol::tokens;
use shidi_protocol::{Call, CallOutcome, JsonMap, MethodSpec, ToolkitSpec};

/// The toolkit that tells of the other toolkits.
pub const NAME: &str = "toolkits";

/// Toolkits without which no program does anything: described in every prompt.
const ALWAYS: [&str; 4] = ["user", "files", "results", NAME];

/// Toolkits that a prompt only names, however few there are: most questions need none of them.
const BY_NAME: [&str; 1] = ["web"];

/// All toolkits as the prompt shows them: in full, or as an index when the full text would be too long.
#[must_use]
pub fn rendered(toolkits: &[ToolkitSpec]) -> String {
    let is_index = is_index(toolkits);
    let has_strangers = toolkits.iter().any(|toolkit| toolkit.source.is_dynamic());
    let toolkits: Vec<ToolkitSpec> = toolkits.iter().map(bare).collect();
    if !is_index {
        // A prompt that shows a stranger's names alone must show the way to the descriptions.
        let is_named = |toolkit: &&ToolkitSpec| BY_NAME.contains(&toolkit.name.as_str());
        let is_shown = |toolkit: &&ToolkitSpec| !is_named(toolkit) && (has_strangers || toolkit.name != NAME);
        let mut text = stubs::render(toolkits.iter().filter(is_shown));
        text.extend(toolkits.iter().filter(is_named).map(name_line));
        return text;
    }
    let is_always = |toolkit: &&ToolkitSpec| ALWAYS.contains(&toolkit.name.as_str());
    let full = stubs::render(toolkits.iter().filter(is_always));
    let others = toolkits.iter().filter(|toolkit| !is_always(toolkit));
    let mut index = String::new();
    let mut left_out = 0;
    for toolkit in others {
        let line = index_line(toolkit);
        if tokens::estimate(&index) + tokens::estimate(&line) > limits::TOOLKITS_TOKENS_MAX / 2 {
            left_out += 1;
            continue;
        }
        index.push_str(&line);
    }
    if left_out > 0 {
        index.push_str(&format!("# and {left_out} more: await toolkits.search(\"…\")\n"));
    }
    format!(
        "{full}\n\n# More toolkits, by name. Before you call one: print(await toolkits.describe(\"NAME\")), or find a \
         tool for a purpose: print(await toolkits.search(\"…\")).\n{index}"
    )
}

/// The toolkits whose methods are declared one by one to a model that calls tools natively. Where not all fit:
/// the constant ones, and those that this run has asked about.
#[must_use]
pub fn declared(context: &RunContext) -> Vec<ToolkitSpec> {
    let toolkits = &context.settings.toolkits;
    let is_index = is_index(toolkits);
    let has_strangers = toolkits.iter().any(|toolkit| toolkit.source.is_dynamic());
    let asked: Vec<&Call> = context
        .calls
        .values()
        .map(|record| &record.call)
        .filter(|call| call.toolkit == NAME && call.method == "describe")
        .collect();
    let is_asked_about = |toolkit: &ToolkitSpec| {
        asked.iter().any(|call| {
            call.args
                .get("name")
                .and_then(Value::as_str)
                .is_some_and(|name| names(name, toolkit))
        })
    };
    let is_declared = |toolkit: &&ToolkitSpec| {
        if is_index {
            ALWAYS.contains(&toolkit.name.as_str()) || is_asked_about(toolkit)
        } else {
            has_strangers || toolkit.name != NAME
        }
    };
    toolkits
        .iter()
        .filter(is_declared)
        .map(|toolkit| {
            if is_asked_about(toolkit) {
                toolkit.clone()
            } else {
                bare(toolkit)
            }
        })
        .collect()
}

/// A toolkit as a prompt may show it: without descriptions if it comes from outside.
fn bare(toolkit: &ToolkitSpec) -> ToolkitSpec {
    let mut bare = toolkit.clone();
    if toolkit.source.is_dynamic() {
        for method in &mut bare.methods {
            method.doc.clear();
            for parameter in &mut method.parameters {
                parameter.doc.clear();
            }
        }
        bare.doc.push_str(&format!(
            " What they do: print(await toolkits.describe(\"{}\"))",
            toolkit.name
        ));
    }
    bare
}

/// Performs a call that asks about toolkits; `None` for any other call.
#[must_use]
pub fn perform(call: &Call, toolkits: &[ToolkitSpec]) -> Option<CallOutcome> {
    match (call.toolkit.as_str(), call.method.as_str()) {
        ("system", "abilities") => Some(listed(toolkits)),
        (NAME, "search") => Some(search(&call.args, toolkits)),
        (NAME, "describe") => Some(describe(&call.args, toolkits)),
        _ => None,
    }
}

fn is_index(toolkits: &[ToolkitSpec]) -> bool {
    let bare: Vec<ToolkitSpec> = toolkits.iter().map(bare).collect();
    tokens::estimate(&stubs::render(bare.iter())) > limits::TOOLKITS_TOKENS_MAX
}

/// A toolkit by its name and methods alone, and the way to its description.
fn name_line(toolkit: &ToolkitSpec) -> String {
    let methods: Vec<&str> = toolkit
        .methods
        .iter()
        .map(|method| method.name.as_str())
        .collect();
    let (name, methods) = (&toolkit.name, methods.join(", "));
    format!("\n\n# {name} [{methods}]: first print(await {NAME}.describe('{name}'))")
}

fn index_line(toolkit: &ToolkitSpec) -> String {
    let methods = toolkit.methods.iter().map(|method| method.name.as_str());
    let mut named: Vec<&str> = methods.take(limits::INDEX_METHODS_MAX).collect();
    if toolkit.methods.len() > named.len() {
        named.push("…");
    }
    let doc: String = toolkit.doc.chars().take(limits::INDEX_DOC_CHARACTERS).collect();
    format!(
        "# {}: {} [{}]\n",
        toolkit.name,
        doc.replace('\n', " "),
        named.join(", ")
    )
}

/// Whether `name` is the toolkit or one of its methods.
fn names(name: &str, toolkit: &ToolkitSpec) -> bool {
    name.split('.').next() == Some(toolkit.name.as_str())
}

/// The tools that fit a purpose, best first. With no purpose given, all toolkits.
fn search(args: &JsonMap, toolkits: &[ToolkitSpec]) -> CallOutcome {
    let text = args.get("text").and_then(Value::as_str).unwrap_or_default();
    let wanted = words(text);
    let tools = toolkits
        .iter()
        .flat_map(|toolkit| toolkit.methods.iter().map(move |method| (toolkit, method)));
    let mut scored: Vec<(usize, &ToolkitSpec, &MethodSpec)> = tools
        .map(|(toolkit, method)| (score(&wanted, toolkit, method), toolkit, method))
        .filter(|(score, _, _)| *score > 0)
        .collect();
    scored.sort_by_key(|(score, _, _)| std::cmp::Reverse(*score));
    let mut found: Vec<Value> = scored
        .iter()
        .take(limits::TOOLS_FOUND_MAX)
        .map(|(_, toolkit, method)| told(toolkit, method))
        .collect();
    let summary = format!("{} tools", found.len());
    if found.is_empty() {
        let all = toolkits.iter().take(limits::TOOLS_FOUND_MAX * 4);
        found.extend(all.map(|toolkit| json!({"tool": toolkit.name, "doc": toolkit.doc})));
    }
    // The result holds tools' names and our own words about servers, which every prompt holds too.
    CallOutcome::success(Value::Array(found), summary).own()
}

/// All toolkits with their descriptions.
fn listed(toolkits: &[ToolkitSpec]) -> CallOutcome {
    let tools: Vec<Value> = toolkits
        .iter()
        .flat_map(|toolkit| toolkit.methods.iter().map(move |method| told(toolkit, method)))
        .collect();
    let summary = format!("{} tools", tools.len());
    CallOutcome::success(Value::Array(tools), summary).own()
}

/// A tool by its name and summary. A tool from outside gets our own words about its toolkit in place of a summary.
fn told(toolkit: &ToolkitSpec, method: &MethodSpec) -> Value {
    let doc = if toolkit.source.is_dynamic() {
        &toolkit.doc
    } else {
        &method.doc
    };
    json!({"tool": format!("{}.{}", toolkit.name, method.name), "doc": doc})
}

/// The number of wanted words that a tool mentions; words in its names count more than in its description.
fn score(wanted: &[String], toolkit: &ToolkitSpec, method: &MethodSpec) -> usize {
    let parameters = method.parameters.iter().map(|parameter| parameter.name.as_str());
    let parameters = parameters.collect::<Vec<_>>().join(" ");
    let named = words(&format!("{} {} {parameters}", toolkit.name, method.name));
    let told = words(&format!("{} {}", toolkit.doc, method.doc));
    let fits = |word: &String, known: &[String]| known.iter().any(|other| other == word);
    wanted
        .iter()
        .map(|word| 3 * usize::from(fits(word, &named)) + usize::from(fits(word, &told)))
        .sum()
}

/// Latin words without their plural, and pairs of Chinese characters.
fn words(text: &str) -> Vec<String> {
    let lowered = text.to_lowercase();
    let mut words = Vec::new();
    for word in lowered.split(|character: char| !character.is_alphanumeric()) {
        if word.chars().any(tokens::is_cjk) {
            let letters: Vec<char> = word.chars().collect();
            words.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if word.len() > 1 {
            let plain = word.strip_suffix('s').filter(|plain| plain.len() > 2);
            words.push(plain.unwrap_or(word).to_owned());
        }
    }
    words.truncate(limits::SEARCH_WORDS_MAX);
    words
}

/// A toolkit, or one of its methods, as Python.
fn describe(args: &JsonMap, toolkits: &[ToolkitSpec]) -> CallOutcome {
    let name = args.get("name").and_then(Value::as_str).unwrap_or_default();
    let Some(toolkit) = toolkits.iter().find(|toolkit| names(name, toolkit)) else {
        let known: Vec<&str> = toolkits.iter().map(|toolkit| toolkit.name.as_str()).collect();
        let message = format!("There is no toolkit \"{name}\"; there are {}", known.join(", "));
        return CallOutcome::failure("KeyError", message).own();
    };
    let mut shown = toolkit.clone();
    if let Some((_, method)) = name.split_once('.') {
        shown.methods.retain(|known| known.name == method);
        if shown.methods.is_empty() {
            let message = format!("{} has no method \"{method}\"", toolkit.name);
            return CallOutcome::failure("KeyError", message).own();
        }
    }
    let text = stubs::render(std::iter::once(&shown));
    let outcome = CallOutcome::success(Value::from(text), toolkit.name.clone());
    if toolkit.source.is_dynamic() {
        outcome
    } else {
        outcome.own()
    }
}

#[cfg(test)]
mod tests {
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
        }
    }

    fn many() -> Vec<ToolkitSpec> {
        let mut toolkits = vec![
            toolkit("files", "Files.", &["read"]),
            toolkit(NAME, "The other toolkits.", &["search", "describe"]),
        ];
        let methods = ["list", "create", "update", "remove", "archive", "share"];
        toolkits.extend(
            (0..80).map(|number| toolkit(&format!("crm{number}"), "Customers of a region.", &methods)),
        );
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
    fn few_toolkits_stand_in_the_prompt_whole_and_without_a_search() {
        let few = [
            toolkit("files", "Files.", &["read"]),
            toolkit(NAME, "Others.", &["search"]),
        ];
        let text = rendered(&few);
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
        let text = rendered(&few);
        let named = "# web [fetch, search]: first print(await toolkits.describe('web'))";
        assert!(text.ends_with(named), "{text}");
        assert!(!text.contains("async def fetch"), "{text}");
    }

    #[test]
    fn many_toolkits_stand_there_as_an_index_within_the_bound() {
        let text = rendered(&many());
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
        let text = rendered(&toolkits);
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
        let found =
            perform(&call("search", json!({"text": "send an invoice"})), &many()).map(|found| found.data);
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
}
