//! Each type of node as a step.

use super::Mapping;
use super::graph::Vertex;
use crate::import::{items, object, said, text_of, unmapped};
use crate::problem::Reason;
use crate::template::{Piece, Template};
use crate::value_type::ValueType;
use serde_json::{Map, Value, json};
use shidi_yaml::Node;

/// The values that a node leaves, each with its type.
pub fn fields(vertex: &Vertex) -> Vec<(String, ValueType)> {
    let one = |name: &str, kind| vec![(name.to_owned(), kind)];
    match vertex.kind.as_str() {
        "llm" => one("text", ValueType::Text),
        "template-transform" => one("output", ValueType::Text),
        "http-request" => one("body", ValueType::Text),
        "knowledge-retrieval" => one("result", ValueType::Any),
        "tool" => one("text", ValueType::Any),
        "iteration" => one("output", ValueType::List),
        "code" => {
            let outputs = vertex.data.get("outputs").map(Node::entries).unwrap_or_default();
            let field = |entry: &shidi_yaml::Entry| (entry.key.clone(), kind(&text_of(&entry.value, "type")));
            outputs.iter().map(field).collect()
        }
        "parameter-extractor" => {
            let parameters = vertex.data.get("parameters").map(items).unwrap_or_default();
            let field = |node: &Node| (text_of(node, "name"), kind(&text_of(node, "type")));
            parameters.iter().map(field).collect()
        }
        _ => Vec::new(),
    }
}

/// A type as Dify writes it; arrays say what of.
fn kind(written: &str) -> ValueType {
    match written.split('[').next().unwrap_or_default() {
        "string" | "select" => ValueType::Text,
        "number" => ValueType::Number,
        "bool" | "boolean" => ValueType::Flag,
        "array" => ValueType::List,
        "object" => ValueType::Map,
        _ => ValueType::Any,
    }
}

impl Mapping<'_> {
    /// The step without its id and order; nothing where the node has no counterpart.
    pub(super) fn step(&mut self, vertex: &Vertex, is_certain: bool) -> Option<Value> {
        let mut step = match vertex.kind.as_str() {
            "end" => self.end(vertex),
            "answer" => self.answer(vertex),
            "llm" => self.llm(vertex),
            "code" => self.code(vertex),
            "template-transform" => self.template_transform(vertex),
            "http-request" => self.http(vertex),
            "knowledge-retrieval" => self.knowledge(vertex),
            "parameter-extractor" => self.extractor(vertex),
            "tool" => self.tool(vertex),
            "iteration" => self.iteration(vertex),
            kind => {
                self.refuse(vertex.data, kind);
                None
            }
        }?;
        let outputs = self.outputs(vertex, is_certain);
        if let (Value::Object(map), false) = (&mut step, outputs.is_empty()) {
            map.entry("outputs").or_insert(Value::Array(outputs));
        }
        Some(step)
    }

    fn refuse(&mut self, node: &Node, what: &str) {
        self.faults
            .push(unmapped(&node.place, what, Reason::NoCounterpart));
    }

    fn outputs(&self, vertex: &Vertex, is_certain: bool) -> Vec<Value> {
        let named = fields(vertex).into_iter().filter_map(|(field, kind)| {
            let name = self.names.get(&format!("{}.{field}", vertex.id))?;
            Some(object([
                ("name", Some(json!(name))),
                ("type", (kind != ValueType::Any).then(|| json!(kind.name()))),
                ("default", (!is_certain).then_some(Value::Null)),
            ]))
        });
        named.collect()
    }

    fn reference(&mut self, vertex: &Vertex, key: &str) -> Option<Value> {
        let piece = self.selector(vertex.data.get(key), &vertex.data.place)?;
        Some(Template::Text(vec![piece]).written())
    }

    fn written(&mut self, node: &Node) -> Option<Value> {
        let text = node.text().unwrap_or_default().to_owned();
        Some(self.text(&text, &node.place)?.written())
    }

    fn end(&mut self, vertex: &Vertex) -> Option<Value> {
        let mut inputs = Map::new();
        for output in vertex.data.get("outputs").map(items).unwrap_or_default() {
            let piece = self.selector(output.get("value_selector"), &output.place)?;
            inputs.insert(text_of(output, "variable"), Template::Text(vec![piece]).written());
        }
        if inputs.is_empty() {
            inputs.insert("done".to_owned(), json!(true));
        }
        Some(json!({"type": "output", "inputs": inputs}))
    }

    fn answer(&mut self, vertex: &Vertex) -> Option<Value> {
        let answer = self.written(vertex.data.get("answer")?)?;
        Some(json!({"type": "output", "inputs": {"answer": answer}}))
    }

    fn llm(&mut self, vertex: &Vertex) -> Option<Value> {
        let data = vertex.data;
        if let Some(model) = data.get("model") {
            let what = format!("model: {}", text_of(model, "name"));
            self.left_out
                .push(unmapped(&model.place, what, Reason::ModelByRole));
        }
        if let Some(memory) = data.get("memory") {
            self.left_out
                .push(unmapped(&memory.place, "memory", Reason::NoCounterpart));
        }
        if data.get("structured_output_enabled").map(Node::json) == Some(json!(true)) {
            self.refuse(data, "structured_output");
        }
        let template = data.get("prompt_template")?;
        let messages = if template.get("text").is_some() {
            std::slice::from_ref(template)
        } else {
            items(template)
        };
        let (mut system, mut prompt) = (Vec::new(), Vec::new());
        for message in messages {
            let text = self.prompt_text(vertex, message)?;
            match text_of(message, "role").as_str() {
                "system" => system.push(text),
                "user" | "" => prompt.push(text),
                role => self.refuse(message, &format!("role: {role}")),
            }
        }
        if prompt.is_empty() {
            // A model is asked something; what there is, is the question.
            std::mem::swap(&mut system, &mut prompt);
        }
        Some(object([
            ("type", Some(json!("llm"))),
            ("system", said(system.join("\n\n"))),
            ("prompt", Some(json!(prompt.join("\n\n")))),
        ]))
    }

    /// A message of a prompt; `{{#context#}}` is what the node names as its context.
    fn prompt_text(&mut self, vertex: &Vertex, message: &Node) -> Option<String> {
        let node = message.get("text")?;
        let text = node.text().unwrap_or_default();
        let context = vertex
            .data
            .get("context")
            .and_then(|context| context.get("variable_selector"));
        let parts: Vec<&str> = context
            .map(items)
            .unwrap_or_default()
            .iter()
            .filter_map(Node::text)
            .collect();
        let text = match parts.is_empty() {
            true => text.to_owned(),
            false => text.replace("{{#context#}}", &format!("{{{{#{}#}}}}", parts.join("."))),
        };
        let written = self.text(&text, &node.place)?.written();
        written.as_str().map(str::to_owned)
    }

    fn code(&mut self, vertex: &Vertex) -> Option<Value> {
        let language = text_of(vertex.data, "code_language");
        if language != "python3" {
            let what = format!("code_language: {language}");
            self.faults
                .push(unmapped(&vertex.data.place, what, Reason::OtherLanguage));
            return None;
        }
        let inputs = self.variables(vertex)?;
        let arguments: Vec<String> = inputs.keys().map(|name| format!("{name}={name}")).collect();
        let mut program = text_of(vertex.data, "code");
        program.push_str(&format!("\n\nleft = main({})\n", arguments.join(", ")));
        for (field, _) in fields(vertex) {
            let name = self
                .names
                .get(&format!("{}.{field}", vertex.id))
                .unwrap_or_default();
            program.push_str(&format!("{name} = left[{}]\n", json!(field)));
        }
        Some(json!({"type": "code", "inputs": inputs, "code": program}))
    }

    /// The variables of a node, by their names there.
    fn variables(&mut self, vertex: &Vertex) -> Option<Map<String, Value>> {
        let mut variables = Map::new();
        for variable in vertex.data.get("variables").map(items).unwrap_or_default() {
            let piece = self.selector(variable.get("value_selector"), &variable.place)?;
            variables.insert(
                text_of(variable, "variable"),
                Template::Text(vec![piece]).written(),
            );
        }
        Some(variables)
    }

    /// A text put together: a program of one line, whose variable is that text.
    fn template_transform(&mut self, vertex: &Vertex) -> Option<Value> {
        let node = vertex.data.get("template")?;
        let mut known: Vec<(String, Piece)> = Vec::new();
        for variable in vertex.data.get("variables").map(items).unwrap_or_default() {
            let piece = self.selector(variable.get("value_selector"), &variable.place)?;
            known.push((text_of(variable, "variable"), piece));
        }
        let text = node.text().unwrap_or_default();
        if let Some(at) = text.find("{%") {
            let what: String = text[at..].chars().take(40).collect();
            self.refuse(node, &what);
            return None;
        }
        let meant = |inside: &str| {
            let found = known.iter().find(|(name, _)| name == inside.trim());
            match found {
                Some((_, Piece::Reference(reference))) => {
                    Ok((reference.name.clone(), reference.path.clone()))
                }
                Some((_, Piece::Text(_))) | None => Err(inside.trim().to_owned()),
            }
        };
        match super::replaced(text, &node.place, ("{{", "}}"), meant) {
            Ok(template) => {
                let name = self
                    .names
                    .get(&format!("{}.output", vertex.id))
                    .unwrap_or_default()
                    .to_owned();
                Some(
                    json!({"type": "code", "inputs": {"text": template.written()}, "code": format!("{name} = text\n")}),
                )
            }
            Err(what) => {
                self.refuse(node, &format!("{{{{ {what} }}}}"));
                None
            }
        }
    }

    /// Pages are fetched; whatever sends something is written as a step of its own.
    fn http(&mut self, vertex: &Vertex) -> Option<Value> {
        let method = text_of(vertex.data, "method").to_lowercase();
        if method != "get" {
            self.refuse(vertex.data, &format!("method: {method}"));
            return None;
        }
        for key in ["headers", "params"] {
            if let Some(node) = vertex.data.get(key)
                && !text_of(vertex.data, key).trim().is_empty()
            {
                self.refuse(node, key);
            }
        }
        let url = self.written(vertex.data.get("url")?)?;
        Some(json!({"type": "tool", "tool": "web.fetch", "inputs": {"url": url}}))
    }

    fn knowledge(&mut self, vertex: &Vertex) -> Option<Value> {
        let query = self.reference(vertex, "query_variable_selector")?;
        let bases = vertex.data.get("dataset_ids").map(items).unwrap_or_default();
        let base = bases.first().and_then(Node::text).unwrap_or_default().to_owned();
        for base in bases {
            let what = format!("dataset_ids: {}", base.text().unwrap_or_default());
            self.left_out
                .push(unmapped(&base.place, what, Reason::InstalledApart));
        }
        Some(json!({"type": "tool", "tool": "knowledge.query", "inputs": {"query": query, "base": base}}))
    }

    fn extractor(&mut self, vertex: &Vertex) -> Option<Value> {
        let query = self.reference(vertex, "query")?;
        let about = vertex.data.get("instruction").and_then(|node| self.written(node));
        let mut prompt = about
            .as_ref()
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        for parameter in vertex.data.get("parameters").map(items).unwrap_or_default() {
            let (name, about) = (text_of(parameter, "name"), text_of(parameter, "description"));
            let name = self
                .names
                .get(&format!("{}.{name}", vertex.id))
                .unwrap_or_default();
            prompt.push_str(&format!(
                "\n- {name}: {}",
                Template::Literal(json!(about))
                    .written()
                    .as_str()
                    .unwrap_or_default()
            ));
        }
        prompt.push_str(&format!("\n\n{}", query.as_str().unwrap_or_default()));
        Some(json!({"type": "llm", "model": "fast", "prompt": prompt.trim()}))
    }

    fn tool(&mut self, vertex: &Vertex) -> Option<Value> {
        let (provider, tool) = (
            text_of(vertex.data, "provider_name"),
            text_of(vertex.data, "tool_name"),
        );
        let plugin = format!("{provider}/{tool}");
        self.left_out.push(unmapped(
            &vertex.data.place,
            format!("tool: {plugin}"),
            Reason::InstalledApart,
        ));
        let mut inputs = Map::new();
        for entry in vertex
            .data
            .get("tool_parameters")
            .map(Node::entries)
            .unwrap_or_default()
        {
            let value = entry.value.get("value");
            let written = match text_of(&entry.value, "type").as_str() {
                "variable" => {
                    let piece = self.selector(value, &entry.place)?;
                    Template::Text(vec![piece]).written()
                }
                _ => match value {
                    Some(value) if value.text().is_some() => self.written(value)?,
                    Some(value) => value.json(),
                    None => Value::Null,
                },
            };
            inputs.insert(entry.key.clone(), written);
        }
        Some(object([
            ("type", Some(json!("plugin"))),
            ("plugin", Some(json!(plugin))),
            ("inputs", (!inputs.is_empty()).then_some(Value::Object(inputs))),
        ]))
    }

    fn iteration(&mut self, vertex: &Vertex) -> Option<Value> {
        let each = self.reference(vertex, "iterator_selector")?;
        let kept = self.reference(vertex, "output_selector")?;
        let steps = self.steps(Some(&vertex.id));
        let item = self.names.get(&format!("{}.item", vertex.id)).unwrap_or_default();
        let output = self
            .names
            .get(&format!("{}.output", vertex.id))
            .unwrap_or_default();
        Some(json!({
            "type": "loop", "each": each, "as": item, "steps": steps,
            "outputs": [{"name": output, "type": "list", "value": kept}],
        }))
    }
}
