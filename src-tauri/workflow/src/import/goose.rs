//! Recipes of goose: one question to a model, with parameters and the form of its answer.

use super::names::Names;
use super::{Mapped, items, object, said, text_of, unmapped};
use crate::limits::RETRIES_MAX;
use crate::problem::{Fault, Problem, Reason, Wanted};
use crate::template::{Piece, Reference, Template, is_name};
use crate::value_type::ValueType;
use serde_json::{Value, json};
use shidi_yaml::{Data, Node, Place};

/// Versions of recipes that are read.
const VERSIONS: &str = "1.0.0";

/// The name of an answer without a schema.
const ANSWER: &str = "answer";

/// Keys that only tell of the recipe.
const TELLING: [&str; 3] = ["version", "author", "contact"];

/// # Errors
/// What changes the meaning and has no counterpart.
pub fn mapped(root: &Node) -> Result<Mapped, Vec<Fault>> {
    // The form of the desktop program has everything one level deeper.
    let recipe = root.get("recipe").unwrap_or(root);
    let mut mapping = Mapping {
        names: Names::default(),
        faults: Vec::new(),
        left_out: Vec::new(),
    };
    let document = mapping.recipe(recipe);
    if mapping.faults.is_empty() {
        Ok(Mapped {
            document,
            left_out: mapping.left_out,
        })
    } else {
        mapping.faults.extend(mapping.left_out);
        Err(mapping.faults)
    }
}

struct Mapping {
    names: Names,
    faults: Vec<Fault>,
    left_out: Vec<Fault>,
}

impl Mapping {
    fn recipe(&mut self, recipe: &Node) -> Value {
        if !matches!(recipe.data, Data::Map(_)) {
            self.faults
                .push(Fault::new(&recipe.place, Problem::Wants(Wanted::Map)));
            return Value::Null;
        }
        self.version(recipe);
        let parameters = recipe.get("parameters").map(|node| self.parameters(node));
        let outputs = self.outputs(recipe);
        let (prompt, system) = match (recipe.get("prompt"), recipe.get("instructions")) {
            (Some(prompt), system) => (self.text(prompt), system.map(|system| self.text(system))),
            (None, Some(instructions)) => (self.text(instructions), None),
            (None, None) => (Value::Null, None),
        };
        let is_there = recipe.get("prompt").or(recipe.get("instructions")).is_some();
        if !is_there || prompt.as_str().is_some_and(|prompt| prompt.trim().is_empty()) {
            let example = crate::problem::Example::Action;
            self.faults.push(Fault::new(
                &recipe.place,
                Problem::Missing {
                    key: "prompt",
                    example,
                },
            ));
        }
        let names: Vec<String> = outputs
            .iter()
            .filter_map(|output| output["name"].as_str().map(str::to_owned))
            .collect();
        let told = names
            .iter()
            .map(|name| (name.clone(), json!(format!("{{{name}}}"))));
        let told = Value::Object(told.collect());
        let retry = self.retry(recipe);
        self.rest(recipe);
        let ask = object([
            ("id", Some(json!("ask"))),
            ("type", Some(json!("llm"))),
            ("system", system),
            ("prompt", Some(prompt)),
            ("outputs", Some(Value::Array(outputs))),
            ("retry", retry),
        ]);
        let title = text_of(recipe, "title");
        object([
            ("version", Some(json!("1.0"))),
            ("name", said(title).or_else(|| Some(json!("recipe")))),
            ("description", said(text_of(recipe, "description"))),
            ("inputs", parameters),
            (
                "steps",
                Some(json!([ask, {"id": "tell", "type": "output", "inputs": told}])),
            ),
        ])
    }

    fn version(&mut self, recipe: &Node) {
        let Some(node) = recipe.get("version") else { return };
        let version = node.text().map_or_else(|| node.json().to_string(), str::to_owned);
        if !version.starts_with("1.") && version != "1" {
            self.faults.push(Fault::new(
                &node.place,
                Problem::UnknownVersion {
                    version,
                    known: VERSIONS,
                },
            ));
        }
    }

    fn parameters(&mut self, node: &Node) -> Value {
        let mut inputs = Vec::new();
        for parameter in items(node) {
            let key = text_of(parameter, "key");
            if key.is_empty() {
                let example = crate::problem::Example::Parameter;
                self.faults.push(Fault::new(
                    &parameter.place,
                    Problem::Missing { key: "key", example },
                ));
                continue;
            }
            let name = self.names.give(&key, &key);
            let kind = match text_of(parameter, "input_type").as_str() {
                "number" => ValueType::Number,
                "boolean" => ValueType::Flag,
                "object" => ValueType::Map,
                "array" => ValueType::List,
                "string" | "date" | "select" | "" => ValueType::Text,
                "file" => {
                    self.left_out
                        .push(unmapped(&parameter.place, "input_type: file", Reason::OtherFile));
                    ValueType::Text
                }
                other => {
                    let what = format!("input_type: {other}");
                    self.faults
                        .push(unmapped(&parameter.place, what, Reason::NoCounterpart));
                    ValueType::Any
                }
            };
            let options: Vec<&str> = parameter
                .get("options")
                .map(items)
                .unwrap_or_default()
                .iter()
                .filter_map(Node::text)
                .collect();
            let mut description = text_of(parameter, "description");
            if !options.is_empty() {
                description = format!("{description} ({})", options.join(", "))
                    .trim()
                    .to_owned();
            }
            let is_optional = text_of(parameter, "requirement") == "optional";
            let default = match parameter.get("default") {
                Some(node) => {
                    let value = kind.of(node.json());
                    if value.is_none() {
                        self.faults
                            .push(Fault::new(&node.place, Problem::NotOfType(kind)));
                    }
                    value
                }
                None => is_optional.then_some(Value::Null),
            };
            inputs.push(object([
                ("name", Some(json!(name))),
                ("type", Some(json!(kind.name()))),
                ("description", said(description)),
                ("default", default),
            ]));
        }
        Value::Array(inputs)
    }

    /// The fields of the answer's schema, or the answer itself.
    fn outputs(&mut self, recipe: &Node) -> Vec<Value> {
        let schema = recipe
            .get("response")
            .and_then(|response| response.get("json_schema"));
        let properties = schema.and_then(|schema| schema.get("properties"));
        let mut outputs = Vec::new();
        for entry in properties.map(Node::entries).unwrap_or_default() {
            let kind = text_of(&entry.value, "type");
            let kind = ValueType::named(&kind).unwrap_or(ValueType::Any);
            let name = match is_name(&entry.key) && self.names.get(&entry.key).is_none() {
                true => entry.key.clone(),
                false => {
                    self.faults
                        .push(unmapped(&entry.place, entry.key.clone(), Reason::NoCounterpart));
                    continue;
                }
            };
            outputs.push(object([
                ("name", Some(json!(name))),
                ("type", (kind != ValueType::Any).then(|| json!(kind.name()))),
                ("description", said(text_of(&entry.value, "description"))),
            ]));
        }
        if outputs.is_empty() {
            let name = self.names.give(" answer", ANSWER);
            outputs.push(json!({"name": name, "type": "str"}));
        }
        outputs
    }

    /// A text with `{{ name }}`.
    fn text(&mut self, node: &Node) -> Value {
        let Some(text) = node.text() else {
            self.faults
                .push(Fault::new(&node.place, Problem::Wants(Wanted::Text)));
            return Value::Null;
        };
        if let Some(at) = text.find("{%") {
            let what: String = text[at..].chars().take(40).collect();
            self.faults
                .push(unmapped(&node.place, what, Reason::NoCounterpart));
        }
        match replaced(text, &node.place, ("{{", "}}"), |inside| {
            let name = inside.trim();
            let known = self.names.get(name).map(str::to_owned);
            known
                .map(|name| (name, Vec::new()))
                .ok_or_else(|| name.to_owned())
        }) {
            Ok(template) => template.written(),
            Err(what) => {
                self.faults.push(unmapped(
                    &node.place,
                    format!("{{{{ {what} }}}}"),
                    Reason::NoCounterpart,
                ));
                Value::Null
            }
        }
    }

    fn retry(&mut self, recipe: &Node) -> Option<Value> {
        let retry = recipe.get("retry")?;
        for entry in retry.entries() {
            let reason = match entry.key.as_str() {
                "max_retries" => continue,
                "checks" | "on_failure" => Reason::ShellCommand,
                _ => Reason::NoCounterpart,
            };
            self.left_out
                .push(unmapped(&entry.place, format!("retry.{}", entry.key), reason));
        }
        let times = retry.get("max_retries")?.json().as_u64()?;
        Some(json!(times.min(u64::from(RETRIES_MAX))))
    }

    /// What belongs to goose alone, each told by its name.
    fn rest(&mut self, recipe: &Node) {
        for entry in recipe.entries() {
            let key = entry.key.as_str();
            match key {
                "title" | "description" | "prompt" | "instructions" | "parameters" | "response" | "retry" => {
                }
                _ if TELLING.contains(&key) => {}
                "extensions" => {
                    for extension in items(&entry.value) {
                        let what = format!("extensions: {}", text_of(extension, "name"));
                        self.left_out
                            .push(unmapped(&extension.place, what, Reason::InstalledApart));
                    }
                }
                "settings" => {
                    for setting in entry.value.entries() {
                        let what = format!("settings.{}", setting.key);
                        self.left_out
                            .push(unmapped(&setting.place, what, Reason::ModelByRole));
                    }
                }
                "sub_recipes" => {
                    for recipe in items(&entry.value) {
                        let what = format!("sub_recipes: {}", text_of(recipe, "name"));
                        self.faults.push(unmapped(&recipe.place, what, Reason::OtherFile));
                    }
                }
                _ => self
                    .left_out
                    .push(unmapped(&entry.place, key, Reason::NoCounterpart)),
            }
        }
    }
}

/// A text with marks becomes a template; `meant` says what a mark's inside refers to, or what of it is unknown.
pub fn replaced(
    text: &str,
    place: &Place,
    (open, close): (&str, &str),
    mut meant: impl FnMut(&str) -> Result<(String, Vec<crate::template::Part>), String>,
) -> Result<Template, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        let (inside, after) = after
            .split_once(close)
            .ok_or_else(|| after.chars().take(40).collect::<String>())?;
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        let (name, path) = meant(inside)?;
        pieces.push(Piece::Reference(Reference {
            place: place.clone(),
            name,
            path,
        }));
        rest = after;
    }
    if !rest.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(Template::Text(pieces))
}
