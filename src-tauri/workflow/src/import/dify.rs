//! Workflows of Dify: a graph of nodes becomes steps that name what they wait for and under which condition they run.

mod conditions;
mod graph;
mod nodes;

use super::goose::replaced;
use super::names::Names;
use super::{Mapped, items, object, said, text_of, unmapped};
use crate::problem::{Example, Fault, Problem, Reason};
use crate::template::{Part, Piece, Reference, Template};
use crate::value_type::ValueType;
use graph::{Graph, Vertex};
use serde_json::{Value, json};
use shidi_yaml::{Node, Place};

/// Versions of the format that are read, and how they are told.
const MINORS: std::ops::RangeInclusive<u64> = 1..=7;
const VERSIONS: &str = "0.1.0 … 0.7.0";

/// What a chat application is given.
const QUERY: &str = "query";

/// # Errors
/// What changes the meaning and has no counterpart.
pub fn mapped(root: &Node) -> Result<Mapped, Vec<Fault>> {
    version(root).map_err(|fault| vec![fault])?;
    let app = root.get("app");
    let mode = app.map(|app| text_of(app, "mode")).unwrap_or_default();
    if !["workflow", "advanced-chat"].contains(&mode.as_str()) {
        let place = app
            .and_then(|app| app.get("mode"))
            .map_or(&root.place, |node| &node.place);
        return Err(vec![unmapped(
            place,
            format!("mode: {mode}"),
            Reason::NoCounterpart,
        )]);
    }
    let Some(workflow) = root.get("workflow") else {
        return Err(vec![missing(&root.place, "workflow")]);
    };
    let Some(graph) = workflow.get("graph") else {
        return Err(vec![missing(&workflow.place, "graph")]);
    };
    let mut mapping = Mapping {
        graph: Graph::read(graph),
        names: Names::default(),
        faults: Vec::new(),
        left_out: Vec::new(),
    };
    mapping.beside(root, workflow);
    mapping.name_everything();
    let inputs = mapping.inputs(&mode);
    let steps = mapping.steps(None);
    if steps.is_empty() && mapping.faults.is_empty() {
        mapping.faults.push(missing(&graph.place, "nodes"));
    }
    if !mapping.faults.is_empty() {
        mapping.faults.extend(mapping.left_out);
        return Err(mapping.faults);
    }
    let name = app.map(|app| text_of(app, "name")).unwrap_or_default();
    let description = app.map(|app| text_of(app, "description")).unwrap_or_default();
    let document = object([
        ("version", Some(json!("1.0"))),
        ("name", said(name).or_else(|| Some(json!("workflow")))),
        ("description", said(description)),
        ("inputs", (!inputs.is_empty()).then(|| Value::Array(inputs))),
        ("steps", Some(Value::Array(steps))),
    ]);
    Ok(Mapped {
        document,
        left_out: mapping.left_out,
    })
}

fn missing(place: &Place, key: &'static str) -> Fault {
    Fault::new(
        place,
        Problem::Missing {
            key,
            example: Example::Steps,
        },
    )
}

fn version(root: &Node) -> Result<(), Fault> {
    let Some(node) = root.get("version") else {
        return Err(missing(&root.place, "version"));
    };
    let version = node.text().map_or_else(|| node.json().to_string(), str::to_owned);
    let mut parts = version.split('.').map(str::parse::<u64>);
    let is_known =
        matches!((parts.next(), parts.next()), (Some(Ok(0)), Some(Ok(minor))) if MINORS.contains(&minor));
    match is_known {
        true => Ok(()),
        false => Err(Fault::new(
            &node.place,
            Problem::UnknownVersion {
                version,
                known: VERSIONS,
            },
        )),
    }
}

struct Mapping<'a> {
    graph: Graph<'a>,
    names: Names,
    faults: Vec<Fault>,
    left_out: Vec<Fault>,
}

impl<'a> Mapping<'a> {
    /// What stands beside the graph.
    fn beside(&mut self, root: &Node, workflow: &Node) {
        for dependency in root.get("dependencies").map(items).unwrap_or_default() {
            self.left_out.push(unmapped(
                &dependency.place,
                "dependencies",
                Reason::InstalledApart,
            ));
        }
        for variable in workflow
            .get("environment_variables")
            .map(items)
            .unwrap_or_default()
        {
            let what = format!("env.{}", text_of(variable, "name"));
            self.left_out
                .push(unmapped(&variable.place, what, Reason::Secret));
        }
    }

    /// Gives each node, and each of its values, the name it has here.
    fn name_everything(&mut self) {
        self.names.give("sys.query", QUERY);
        for vertex in self.graph.vertices.clone() {
            if vertex.is_start() {
                for variable in vertex.data.get("variables").map(items).unwrap_or_default() {
                    let name = text_of(variable, "variable");
                    self.names.give(&format!("{}.{name}", vertex.id), &name);
                }
                continue;
            }
            let title = text_of(vertex.data, "title");
            let wish = if title.trim().is_empty() {
                vertex.kind.clone()
            } else {
                title
            };
            let step = self.names.give(&vertex.id, &wish);
            for (field, _) in nodes::fields(&vertex) {
                self.names
                    .give(&format!("{}.{field}", vertex.id), &format!("{step}_{field}"));
            }
            if vertex.kind == "iteration" {
                self.names
                    .give(&format!("{}.item", vertex.id), &format!("{step}_item"));
            }
        }
    }

    fn inputs(&mut self, mode: &str) -> Vec<Value> {
        let mut inputs = Vec::new();
        if mode == "advanced-chat" {
            inputs.push(json!({"name": self.names.get("sys.query"), "type": "str"}));
        }
        let starts: Vec<Vertex> = self
            .graph
            .vertices
            .iter()
            .filter(|vertex| vertex.kind == "start")
            .cloned()
            .collect();
        for vertex in starts {
            for variable in vertex.data.get("variables").map(items).unwrap_or_default() {
                inputs.push(self.input(&vertex, variable));
            }
        }
        inputs
    }

    fn input(&mut self, vertex: &Vertex, variable: &Node) -> Value {
        let written = text_of(variable, "type");
        let kind = match written.as_str() {
            "number" => ValueType::Number,
            "checkbox" => ValueType::Flag,
            "text-input" | "paragraph" | "select" | "" => ValueType::Text,
            _ => {
                self.faults.push(unmapped(
                    &variable.place,
                    format!("type: {written}"),
                    Reason::NoCounterpart,
                ));
                ValueType::Any
            }
        };
        let mut label = text_of(variable, "label");
        let options: Vec<&str> = variable
            .get("options")
            .map(items)
            .unwrap_or_default()
            .iter()
            .filter_map(Node::text)
            .collect();
        if !options.is_empty() {
            label = format!("{label} ({})", options.join(", ")).trim().to_owned();
        }
        let is_required = variable.get("required").map(Node::json) == Some(json!(true));
        let default = variable
            .get("default")
            .map(Node::json)
            .and_then(|value| kind.of(value));
        let default = default.filter(|default| *default != json!(""));
        let name = self
            .names
            .get(&format!("{}.{}", vertex.id, text_of(variable, "variable")));
        object([
            ("name", Some(json!(name))),
            ("type", Some(json!(kind.name()))),
            ("description", said(label)),
            (
                "default",
                default.or_else(|| (!is_required).then_some(Value::Null)),
            ),
        ])
    }

    /// The steps of the graph, or of the graph within a node.
    fn steps(&mut self, parent: Option<&str>) -> Vec<Value> {
        let mut steps = Vec::new();
        for vertex in self.graph.in_order(parent) {
            if vertex.is_start() || vertex.is_branch() || vertex.is_note() {
                continue;
            }
            let guard = self.graph.guard(&vertex);
            if guard.is_empty() {
                let what = format!("{} ({})", text_of(vertex.data, "title"), vertex.kind);
                self.left_out
                    .push(unmapped(&vertex.data.place, what, Reason::NoStructure));
                continue;
            }
            let condition = self.condition(&guard);
            let is_certain = condition.is_none();
            if let Some(mut step) = self.step(&vertex, is_certain) {
                if let Value::Object(map) = &mut step {
                    let id = self.names.get(&vertex.id).map(str::to_owned);
                    map.insert("id".to_owned(), json!(id));
                    map.insert("needs".to_owned(), json!(self.needs(&vertex)));
                    if let Some(condition) = condition {
                        map.insert("if".to_owned(), condition);
                    }
                    let about = text_of(vertex.data, "desc");
                    if !about.trim().is_empty() {
                        map.insert("description".to_owned(), json!(about));
                    }
                }
                steps.push(step);
            }
        }
        steps
    }

    fn needs(&self, vertex: &Vertex) -> Vec<String> {
        let needed = self.graph.needed(vertex);
        needed
            .iter()
            .filter_map(|id| self.names.get(id).map(str::to_owned))
            .collect()
    }

    /// What a selector leads to, or how it is written where nothing here has that name.
    fn selected(&self, parts: &[String]) -> Result<(String, Vec<Part>), String> {
        let written = || parts.join(".");
        let (node, field, rest) = match parts {
            [node, field, rest @ ..] => (node, field, rest),
            _ => return Err(written()),
        };
        let name = self.names.get(&format!("{node}.{field}")).ok_or_else(written)?;
        let path = rest.iter().map(|part| Part::Field(part.clone())).collect();
        Ok((name.to_owned(), path))
    }

    /// A list of names that leads to a value.
    fn selector(&mut self, node: Option<&Node>, beside: &Place) -> Option<Piece> {
        let place = node.map_or(beside, |node| &node.place);
        let parts: Vec<String> = node
            .map(items)
            .unwrap_or_default()
            .iter()
            .filter_map(Node::text)
            .map(str::to_owned)
            .collect();
        match self.selected(&parts) {
            Ok((name, path)) => Some(Piece::Reference(Reference {
                place: place.clone(),
                name,
                path,
            })),
            Err(what) => {
                self.faults.push(unknown(place, &what));
                None
            }
        }
    }

    /// A text with `{{#node.field#}}`.
    fn text(&mut self, text: &str, place: &Place) -> Option<Template> {
        let replaced = replaced(text, place, ("{{#", "#}}"), |inside| {
            let parts: Vec<String> = inside.trim().split('.').map(str::to_owned).collect();
            self.selected(&parts)
        });
        match replaced {
            Ok(template) => Some(template),
            Err(what) => {
                self.faults.push(unknown(place, &what));
                None
            }
        }
    }
}

/// A reference to what has no counterpart.
fn unknown(place: &Place, what: &str) -> Fault {
    let reason = if what.starts_with("env.") {
        Reason::Secret
    } else {
        Reason::NoCounterpart
    };
    unmapped(place, format!("{{{{#{what}#}}}}"), reason)
}
