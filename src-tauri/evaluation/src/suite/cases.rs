//! The tasks of a suite: defaults joined in, files read, lists of values multiplied out, variables put in their places.

use super::fault::{fault, unknown_key};
use super::files::Files;
use super::load::Prompt;
use super::reading::Reading;
use super::setup::{self, Situation};
use super::template::Templates;
use super::{Case, Check, kinds, table, unsupported};
use crate::limits::{CASES_MAX, CHECKS_MAX, NAME_CHARACTERS};
use serde_json::Value;
use shidi_protocol::{JsonMap, UserError};
use shidi_yaml::{Data, Entry, Node, Place};
use std::collections::BTreeSet;

const KEYS: [&str; 7] = [
    "description",
    "vars",
    "assert",
    "options",
    "threshold",
    "metadata",
    "shidi",
];

/// Variables that are the question where a suite has no prompts.
const QUESTIONS: [&str; 2] = ["question", "prompt"];

/// All tasks of a suite.
///
/// # Errors
/// What is wrong or unsupported in one of them, and a suite without any.
pub fn all(reading: &mut Reading, root: &Node, prompts: &[Prompt]) -> Result<Vec<Case>, UserError> {
    let mut nodes = Vec::new();
    if let Some(tests) = root.get("tests") {
        tests_of(reading, tests, &mut nodes)?;
    }
    if let Some(scenarios) = root.get("scenarios") {
        for scenario in reading.list(scenarios)?.to_vec() {
            in_scenario(reading, &scenario, &mut nodes)?;
        }
    }
    let say = reading.say();
    if nodes.is_empty() {
        return Err(fault(&root.place, say.key_missing("tests"), say.suite_example()));
    }
    let usual = match root.get("defaultTest") {
        Some(node) => match node.text().and_then(Files::named).map(str::to_owned) {
            Some(path) => Some(reading.files.document(&node.place, &path)?),
            None => Some(node.clone()),
        },
        None => None,
    };
    let mut cases = Vec::new();
    for node in &nodes {
        let joined = match &usual {
            Some(usual) => joined(usual, node),
            None => node.clone(),
        };
        of_test(reading, &joined, prompts, &mut cases)?;
        if cases.len() > CASES_MAX {
            return Err(fault(
                &node.place,
                say.too_many_tasks(CASES_MAX),
                say.split_file(),
            ));
        }
    }
    name_apart(&mut cases);
    Ok(cases)
}

/// The nodes of tests, those of named files among them.
fn tests_of(reading: &mut Reading, node: &Node, nodes: &mut Vec<Node>) -> Result<(), UserError> {
    let items = match &node.data {
        Data::List(items) => items.clone(),
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::Map(_) => vec![node.clone()],
    };
    for item in items {
        let Some(text) = item.text() else {
            reading.map(&item)?;
            nodes.push(item);
            continue;
        };
        // As promptfoo, which takes the bare name of a table, too.
        let pattern = Files::named(text).unwrap_or(text);
        for path in reading.files.matching(&item.place, pattern)? {
            let say = reading.say();
            if path.ends_with(".csv") {
                let read = reading.files.text(&item.place, &path)?;
                nodes.extend(table::tests(&read.name, &read.text, reading.language())?);
            } else if [".yaml", ".yml", ".json"]
                .iter()
                .any(|ending| path.ends_with(ending))
            {
                let document = reading.files.document(&item.place, &path)?;
                let inner = reading.list(&document)?.to_vec();
                nodes.extend(inner);
            } else {
                return Err(fault(
                    &item.place,
                    say.unsupported(&path),
                    say.instead_test_file(),
                ));
            }
        }
    }
    Ok(())
}

/// The tests of a scenario, once for each of its configurations.
fn in_scenario(reading: &mut Reading, node: &Node, nodes: &mut Vec<Node>) -> Result<(), UserError> {
    reading.keys(node, &["description", "config", "tests"])?;
    let say = reading.say();
    let missing = |key| fault(&node.place, say.key_missing(key), say.suite_example());
    let configurations = node.get("config").ok_or_else(|| missing("config"))?;
    let configurations = reading.list(configurations)?.to_vec();
    let tests = node.get("tests").ok_or_else(|| missing("tests"))?.clone();
    let mut inner = Vec::new();
    tests_of(reading, &tests, &mut inner)?;
    for configuration in &configurations {
        reading.map(configuration)?;
        nodes.extend(inner.iter().map(|test| joined(configuration, test)));
    }
    Ok(())
}

/// The test with what it lacks of `usual`: maps are joined, checks are all kept, anything else is its own.
fn joined(usual: &Node, own: &Node) -> Node {
    let mut entries: Vec<Entry> = own.entries().to_vec();
    for theirs in usual.entries() {
        match entries.iter_mut().find(|entry| entry.key == theirs.key) {
            None => entries.push(theirs.clone()),
            Some(mine) => match (&mut mine.value.data, &theirs.value.data) {
                (Data::List(mine), Data::List(more)) if theirs.key == "assert" => {
                    mine.extend(more.iter().cloned())
                }
                (Data::Map(_), Data::Map(_)) => mine.value = joined(&theirs.value, &mine.value),
                (..) => {}
            },
        }
    }
    Node {
        place: own.place.clone(),
        data: Data::Map(entries),
    }
}

fn of_test(
    reading: &mut Reading,
    node: &Node,
    prompts: &[Prompt],
    cases: &mut Vec<Case>,
) -> Result<(), UserError> {
    for entry in node.entries() {
        if let Some(remedy) = unsupported::of_task(&entry.key) {
            let say = reading.say();
            return Err(fault(&entry.place, say.unsupported(&entry.key), remedy(say)));
        }
    }
    reading.keys(node, &KEYS)?;
    let expands = expands(reading, node)?;
    for vars in variables(reading, node, expands)? {
        let question = |name: &&str| vars.contains_key(*name);
        if prompts.is_empty() {
            let say = reading.say();
            let name = QUESTIONS.iter().find(|name| question(name));
            let name =
                name.ok_or_else(|| fault(&node.place, say.key_missing("prompts"), say.suite_example()))?;
            let prompt = Prompt {
                text: format!("{{{{{name}}}}}"),
                place: node.place.clone(),
            };
            cases.push(case(reading, node, &vars, &prompt)?);
        }
        for prompt in prompts {
            cases.push(case(reading, node, &vars, prompt)?);
        }
        if cases.len() > CASES_MAX {
            return Ok(());
        }
    }
    Ok(())
}

/// Whether lists among the variables are multiplied out.
fn expands(reading: &Reading, node: &Node) -> Result<bool, UserError> {
    let Some(options) = node.get("options") else {
        return Ok(true);
    };
    reading.map(options)?;
    let known = ["disableVarExpansion", "runSerially"];
    for entry in options.entries() {
        if known.contains(&entry.key.as_str()) {
            continue;
        }
        let say = reading.say();
        return Err(match unsupported::of_task(&entry.key) {
            Some(remedy) => fault(&entry.place, say.unsupported(&entry.key), remedy(say)),
            None => unknown_key(reading.language(), entry, &known),
        });
    }
    let switched_off = options.get("disableVarExpansion").map(|node| reading.flag(node));
    Ok(!switched_off.transpose()?.unwrap_or(false))
}

/// The variables of a test, one set for each choice among its lists.
fn variables(reading: &mut Reading, node: &Node, expands: bool) -> Result<Vec<JsonMap>, UserError> {
    let mut sets = vec![JsonMap::new()];
    let Some(vars) = node.get("vars") else {
        return Ok(sets);
    };
    let vars = match vars.text().and_then(Files::named).map(str::to_owned) {
        Some(path) => reading.files.document(&vars.place, &path)?,
        None => vars.clone(),
    };
    reading.map(&vars)?;
    for entry in vars.entries() {
        let choices = match &entry.value.data {
            Data::List(items) if expands && !items.is_empty() => items.clone(),
            Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::List(_) | Data::Map(_) => {
                vec![entry.value.clone()]
            }
        };
        if sets.len().saturating_mul(choices.len()) > CASES_MAX {
            let say = reading.say();
            return Err(fault(
                &entry.place,
                say.too_many_tasks(CASES_MAX),
                say.split_file(),
            ));
        }
        let mut more = Vec::new();
        for choice in &choices {
            let value = variable(reading, choice)?;
            more.extend(sets.iter().map(|set| {
                let mut set = set.clone();
                set.insert(entry.key.clone(), value.clone());
                set
            }));
        }
        sets = more;
    }
    Ok(sets)
}

fn variable(reading: &mut Reading, node: &Node) -> Result<Value, UserError> {
    let Some(path) = node.text().and_then(Files::named).map(str::to_owned) else {
        return Ok(node.json());
    };
    if [".yaml", ".yml", ".json"]
        .iter()
        .any(|ending| path.ends_with(ending))
    {
        return Ok(reading.files.document(&node.place, &path)?.json());
    }
    if [".js", ".mjs", ".ts", ".py"]
        .iter()
        .any(|ending| path.ends_with(ending))
    {
        let say = reading.say();
        return Err(fault(
            &node.place,
            say.unsupported(&path),
            say.instead_text_prompt(),
        ));
    }
    Ok(Value::String(reading.files.text(&node.place, &path)?.text))
}

fn case(reading: &mut Reading, node: &Node, vars: &JsonMap, prompt: &Prompt) -> Result<Case, UserError> {
    let question = rendered(reading, &prompt.place, &prompt.text, vars)?;
    let situation = match node.get("shidi") {
        Some(shidi) => {
            let shidi = with_variables(reading, shidi, vars)?;
            setup::setup(reading, &shidi)?
        }
        None => Situation::default(),
    };
    let mut turns = vec![question];
    turns.extend(situation.turns);
    let checks = checks(reading, node, vars, turns.len())?;
    let name = match node.get("description") {
        Some(node) => {
            let text = reading.plain(node)?;
            rendered(reading, &node.place, &text, vars)?
        }
        None => turns[0]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .chars()
            .take(NAME_CHARACTERS)
            .collect(),
    };
    let metadata = match node.get("metadata").map(Node::json) {
        Some(Value::Object(map)) => map,
        Some(_) | None => JsonMap::new(),
    };
    Ok(Case {
        name,
        history: situation.history,
        turns,
        setup: situation.setup,
        vars: vars.clone(),
        metadata,
        checks,
        threshold: node
            .get("threshold")
            .map(|node| reading.amount(node))
            .transpose()?,
    })
}

fn checks(reading: &mut Reading, node: &Node, vars: &JsonMap, turns: usize) -> Result<Vec<Check>, UserError> {
    let Some(asserted) = node.get("assert") else {
        return Ok(Vec::new());
    };
    let items = reading.list(asserted)?.to_vec();
    if items.len() > CHECKS_MAX {
        return Err(fault(
            &asserted.place,
            reading.say().too_many_checks(CHECKS_MAX),
            reading.say().split_file(),
        ));
    }
    let mut checks = Vec::new();
    for item in &items {
        let item = reading.resolved(item)?.clone();
        let item = with_variables(reading, &item, vars)?;
        checks.push(kinds::check(reading, &item, turns)?);
    }
    Ok(checks)
}

/// The same with the variables in all its texts.
fn with_variables(reading: &Reading, node: &Node, vars: &JsonMap) -> Result<Node, UserError> {
    let data = match &node.data {
        Data::Text(text) if Templates::is_template(text) => {
            Data::Text(rendered(reading, &node.place, text, vars)?)
        }
        Data::List(items) => {
            let items = items.iter().map(|item| with_variables(reading, item, vars));
            Data::List(items.collect::<Result<_, _>>()?)
        }
        Data::Map(entries) => {
            let entries = entries.iter().map(|entry| {
                Ok(Entry {
                    key: entry.key.clone(),
                    place: entry.place.clone(),
                    value: with_variables(reading, &entry.value, vars)?,
                })
            });
            Data::Map(entries.collect::<Result<_, UserError>>()?)
        }
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) => node.data.clone(),
    };
    Ok(Node {
        place: node.place.clone(),
        data,
    })
}

fn rendered(reading: &Reading, place: &Place, text: &str, vars: &JsonMap) -> Result<String, UserError> {
    let rendered = reading.templates.rendered(text, vars);
    rendered.map_err(|why| fault(place, why, reading.say().template_rule()))
}

/// The tasks of several suites, told apart by name.
pub fn joined_cases(suites: impl Iterator<Item = Vec<Case>>) -> Vec<Case> {
    let mut cases: Vec<Case> = suites.flatten().collect();
    name_apart(&mut cases);
    cases
}

/// Gives equal names a number, since results are kept and compared by name.
fn name_apart(cases: &mut [Case]) {
    let mut taken = BTreeSet::new();
    for case in cases {
        let base = case.name.clone();
        let mut number = 1;
        while !taken.insert(case.name.clone()) {
            number += 1;
            case.name = format!("{base} ({number})");
        }
    }
}
