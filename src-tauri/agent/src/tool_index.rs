//! The prompt holds all toolkits while they are few, and otherwise an index (F7.2). Programs then search for
//! tools and ask for their descriptions (`toolkits.search`, `toolkits.describe`).
//!
//! An outside toolkit's own description is a stranger's text: a prompt has the toolkit's names and types alone.
//! The description's words come into a run when a program asks for them. They then mark the run like any other foreign
//! text.
//!
//! Pure: toolkits come in, text goes out. Which tools may be called is decided elsewhere.

use crate::limits;
use crate::parameters;
use crate::run_context::RunContext;
use crate::stubs;
use serde_json::{Value, json};
use shidi_protocol::tokens;
use shidi_protocol::{Call, CallOutcome, JsonMap, MethodSpec, SegmentKind, ToolkitSource, ToolkitSpec};

/// The toolkit that tells of the other toolkits.
pub const NAME: &str = "toolkits";

/// The toolkit of what the user keeps: shown in full where the user's words speak of one of its methods.
pub const WORKFLOWS: &str = "workflows";

/// Toolkits without which no program does anything: described in every prompt.
const ALWAYS: [&str; 4] = ["user", "files", "results", NAME];

/// Toolkits that a prompt only names, however few there are: most questions need none of them.
const BY_NAME: [&str; 6] = ["web", "screen", "clipboard", "schedule", "agents", WORKFLOWS];

/// Words of the user for which a toolkit is shown in full that is otherwise only named. Models that read its name alone
/// slept for twenty minutes in the place of a reminder.
const SHOWN_FOR: [(&str, &[&str]); 1] = [(
    "schedule",
    &[
        "remind",
        "schedule",
        "alarm",
        "every day",
        "every week",
        "every morning",
        "提醒",
        "定时",
        "闹钟",
        "每天",
        "每周",
        "每个工作日",
    ],
)];

/// Toolkits that a module of their own tells of.
const TOLD_ELSEWHERE: [&str; 1] = [crate::skills::NAME];

/// Whether a prompt only names that toolkit unless the user's words ask for it.
#[must_use]
pub fn is_only_named(name: &str) -> bool {
    BY_NAME.contains(&name)
}

/// Whether a module of its own tells of that toolkit.
#[must_use]
pub fn is_told_elsewhere(name: &str) -> bool {
    TOLD_ELSEWHERE.contains(&name)
}

/// The toolkits that the user's words in this session ask for. What was shown once stays, for the caches of prompts.
#[must_use]
pub fn asked_for(context: &RunContext) -> Vec<&'static str> {
    let users = context
        .segments
        .iter()
        .filter(|segment| segment.is(&SegmentKind::User));
    let said: Vec<String> = users.map(|segment| segment.text().to_lowercase()).collect();
    let is_said = |words: &[&str]| {
        said.iter()
            .any(|text| words.iter().any(|word| text.contains(word)))
    };
    let wanted = SHOWN_FOR.iter().filter(|(_, words)| is_said(words));
    let mut wanted: Vec<&'static str> = wanted.map(|(name, _)| *name).collect();
    let mut toolkits = context.settings.toolkits.iter();
    let kept = toolkits.find(|toolkit| toolkit.name == WORKFLOWS);
    if kept.is_some_and(|kept| is_spoken_of(kept, &said)) {
        wanted.push(WORKFLOWS);
    }
    wanted
}

/// Whether the user's words share one with what a method does, and all methods fit beside the other toolkits.
pub fn is_spoken_of(toolkit: &ToolkitSpec, said: &[String]) -> bool {
    let is_touched = |method: &MethodSpec| {
        let about = format!("{} {}", method.name.replace('_', " "), method.doc);
        said.iter().any(|text| parameters::share_a_word(text, &about))
    };
    let tokens = || tokens::estimate(&stubs::render(std::iter::once(toolkit)));
    toolkit.methods.iter().any(is_touched) && tokens() <= limits::TOOLKITS_TOKENS_MAX / 2
}

/// The toolkits that a prompt shows in full where no counts of earlier tasks speak against it.
#[must_use]
pub fn whole<'a>(toolkits: &'a [ToolkitSpec], asked_for: &[&str]) -> Vec<&'a ToolkitSpec> {
    let is_index = is_index(toolkits);
    let has_strangers = has_strangers(toolkits);
    let is_whole = |toolkit: &&ToolkitSpec| {
        let name = toolkit.name.as_str();
        let is_asked_for = asked_for.contains(&name);
        let is_meant = match is_index {
            true => ALWAYS.contains(&name) || is_asked_for,
            // A prompt that shows a stranger's names alone must show the way to the descriptions.
            false => (!is_only_named(name) || is_asked_for) && (has_strangers || name != NAME),
        };
        is_meant && !is_told_elsewhere(name)
    };
    toolkits.iter().filter(is_whole).collect()
}

/// Tokens of a toolkit in full, and of the line that names it.
#[must_use]
pub fn weights(toolkit: &ToolkitSpec) -> (u32, u32) {
    let bare = bare(toolkit);
    let whole = stubs::render(std::iter::once(&bare));
    (tokens::estimate(&whole), tokens::estimate(&name_line(&bare)))
}

/// All toolkits as the prompt shows them, the `asked_for` ones in full. The others come in full, or as an index when
/// the full text would be too long.
#[must_use]
pub fn rendered(toolkits: &[ToolkitSpec], asked_for: &[&str]) -> String {
    composed(toolkits, asked_for, &[])
}

/// The same, with a line in place of each of the `short` ones. There are none of these beside an index.
#[must_use]
pub fn composed(toolkits: &[ToolkitSpec], asked_for: &[&str], short: &[&str]) -> String {
    let is_index = is_index(toolkits);
    let whole = whole(toolkits, asked_for);
    let whole = whole.iter().map(|toolkit| toolkit.name.as_str());
    let whole: Vec<&str> = whole.filter(|name| !short.contains(name)).collect();
    let is_whole = |toolkit: &&ToolkitSpec| whole.contains(&toolkit.name.as_str());
    // One whose own module is shortened to its line is told of here.
    let is_told_here = |toolkit: &&ToolkitSpec| {
        let name = toolkit.name.as_str();
        !is_told_elsewhere(name) || short.contains(&name)
    };
    let toolkits: Vec<ToolkitSpec> = toolkits.iter().filter(is_told_here).map(bare).collect();
    if !is_index {
        let is_named = |toolkit: &&ToolkitSpec| !is_whole(toolkit) && toolkit.name != NAME;
        let mut text = stubs::render(toolkits.iter().filter(is_whole));
        let named: String = toolkits.iter().filter(is_named).map(name_line).collect();
        if !named.is_empty() {
            // The way to the descriptions stands once, before all names.
            text.push_str(&format!(
                "\n\n# First print(await {NAME}.describe('NAME')):{named}"
            ));
        }
        return text;
    }
    let full = stubs::render(toolkits.iter().filter(is_whole));
    let others = toolkits.iter().filter(|toolkit| !is_whole(toolkit));
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

/// Whether a toolkit's methods are shown whose descriptions are a stranger's.
fn has_strangers(toolkits: &[ToolkitSpec]) -> bool {
    let is_one =
        |toolkit: &ToolkitSpec| toolkit.source.is_dynamic() && !BY_NAME.contains(&toolkit.name.as_str());
    toolkits.iter().any(is_one)
}

/// The toolkits whose methods are declared one by one to a model that calls tools natively. Where not all fit:
/// the constant ones, and those that this run has asked about.
#[must_use]
pub fn declared(context: &RunContext) -> Vec<ToolkitSpec> {
    let toolkits = &context.settings.toolkits;
    let is_index = is_index(toolkits);
    let has_strangers = has_strangers(toolkits);
    let wanted = asked_for(context);
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
            let name = toolkit.name.as_str();
            ALWAYS.contains(&name) || wanted.contains(&name) || is_asked_about(toolkit)
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

/// A toolkit as a prompt may show it: without descriptions if it comes from outside. Workflows are files that the user keeps.
fn bare(toolkit: &ToolkitSpec) -> ToolkitSpec {
    let mut bare = toolkit.clone();
    if toolkit.source.is_dynamic() && toolkit.source != ToolkitSource::Workflow {
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

/// Whether the toolkits are too many for a prompt that holds them all in full.
#[must_use]
pub fn is_index(toolkits: &[ToolkitSpec]) -> bool {
    let bare: Vec<ToolkitSpec> = toolkits.iter().map(bare).collect();
    tokens::estimate(&stubs::render(bare.iter())) > limits::TOOLKITS_TOKENS_MAX
}

/// A toolkit by its name and methods alone.
fn name_line(toolkit: &ToolkitSpec) -> String {
    let methods: Vec<&str> = toolkit
        .methods
        .iter()
        .map(|method| method.name.as_str())
        .collect();
    format!("\n# {} [{}]", toolkit.name, methods.join(", "))
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
    let outcome = CallOutcome::success(Value::from(fitting(shown)), toolkit.name.clone());
    if toolkit.source.is_dynamic() {
        outcome
    } else {
        outcome.own()
    }
}

/// A toolkit as Python, as much of it as an output shows whole. Shown are all descriptions, their first sentences, no
/// descriptions, or the names of its methods alone.
fn fitting(mut toolkit: ToolkitSpec) -> String {
    let fits = |text: &str| tokens::estimate(text) <= limits::DESCRIBED_TOKENS_MAX;
    let whole = stubs::render(std::iter::once(&toolkit));
    if fits(&whole) || toolkit.methods.len() == 1 {
        return whole;
    }
    let name = toolkit.name.clone();
    let more = format!("\n# Shortened. One of them whole: print(await {NAME}.describe(\"{name}.METHOD\"))");
    let shorten: [fn(&str) -> &str; 2] = [first_sentence, |_| ""];
    for shorten in shorten {
        for method in &mut toolkit.methods {
            method.doc = shorten(&method.doc).to_owned();
        }
        let text = stubs::render(std::iter::once(&toolkit));
        if fits(&text) {
            return text + &more;
        }
    }
    let names: Vec<&str> = toolkit
        .methods
        .iter()
        .map(|method| method.name.as_str())
        .collect();
    format!("class {name}: # methods: {}{more}", names.join(", "))
}

/// A description up to the end of its first sentence or line.
fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.split_inclusive(". ").next().unwrap_or_default().trim_end()
}

#[cfg(test)]
mod tests;
