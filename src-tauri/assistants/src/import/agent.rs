//! Agents of coding programs: front matter with name, description, tools and model, then the prompt.

use super::Mapped;
use super::fields::{items, text, unmapped};
use crate::limits::IMPORT_BYTES_MAX;
use crate::problem::{Fault, Problem, Reason};
use shidi_yaml::{Data, Node, Place, front_matter};
use std::sync::Arc;

const KNOWN: [&str; 3] = ["name", "description", "tools"];

/// Their tools by the names of ours that do the same.
const TOOLS: [(&str, &str); 14] = [
    ("read", "files.read"),
    ("write", "files.write"),
    ("edit", "files.edit"),
    ("multiedit", "files.edit"),
    ("glob", "files.glob"),
    ("grep", "files.grep"),
    ("ls", "files.list"),
    ("bash", "shell"),
    ("webfetch", "web.fetch"),
    ("websearch", "web.search"),
    ("todowrite", "todo"),
    ("todoread", "todo"),
    ("task", "agents"),
    ("agent", "agents"),
];

/// Reads a file with front matter; `None` where it is another kind of file that only begins with dashes.
pub fn read(file: &Arc<str>, bytes: &[u8]) -> Option<Result<Mapped, Fault>> {
    let top = Place {
        file: Arc::clone(file),
        line: 1,
        column: 1,
    };
    if bytes.len() as u64 > IMPORT_BYTES_MAX {
        let kilobytes = IMPORT_BYTES_MAX >> 10;
        return Some(Err(Fault::new(&top, Problem::TooLarge { kilobytes })));
    }
    let text = match shidi_yaml::text(file, bytes) {
        Ok(text) => text.replace("\r\n", "\n"),
        Err(place) => return Some(Err(Fault::new(&place, Problem::NotText))),
    };
    let (matter, body) = front_matter(&text)?;
    // The fence is the first line of the file, so lines of the head count from the second.
    let node = match shidi_yaml::read(file, &format!("\n{matter}")) {
        Ok(node) => node,
        Err(malformed) => return Some(Err(Fault::new(&malformed.place, Problem::NotYaml(malformed.why)))),
    };
    Some(mapped(&node, body))
}

fn mapped(node: &Node, body: &str) -> Result<Mapped, Fault> {
    if node.get("name").is_none() {
        return Err(Fault::new(&node.place, Problem::Missing("name")));
    }
    let name = text(node, "name");
    let mut mapped = Mapped::titled(node, &name, &name)?;
    mapped.describe(&text(node, "description"));
    mapped.prompt(node, body);
    if let Some(tools) = node.get("tools") {
        mapped.spec.toolkits = Some(toolkits(tools, node, &mut mapped.left_out));
    }
    mapped.keep_others(node, &KNOWN, |key| match key {
        "model" => Reason::ModelOfUser,
        "mcpServers" | "skills" => Reason::SetUpApart,
        _ => Reason::KeptOnly,
    });
    Ok(mapped)
}

/// Tools are one text with commas, or a list.
fn toolkits(tools: &Node, node: &Node, left_out: &mut Vec<Fault>) -> Vec<String> {
    let named: Vec<String> = match &tools.data {
        Data::Text(text) => text.split(',').map(|name| name.trim().to_owned()).collect(),
        Data::List(_) => items(node, "tools")
            .iter()
            .filter_map(|item| item.text().map(str::to_owned))
            .collect(),
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Map(_) => Vec::new(),
    };
    let mut toolkits: Vec<String> = Vec::new();
    for name in named.into_iter().filter(|name| !name.is_empty()) {
        // `Bash(git *)` asks for less than the tool: the tool itself asks.
        let plain = name.split('(').next().unwrap_or_default().trim().to_lowercase();
        let known = TOOLS.iter().find(|(theirs, _)| *theirs == plain);
        let ours = known.map(|(_, ours)| (*ours).to_owned());
        // An export of ours names our own tools.
        let ours = ours.or_else(|| is_ours(&plain).then(|| plain.clone()));
        match ours {
            Some(ours) if toolkits.contains(&ours) => {}
            Some(ours) => toolkits.push(ours),
            None => left_out.push(unmapped(&tools.place, name, Reason::SetUpApart)),
        }
    }
    toolkits
}

fn is_ours(name: &str) -> bool {
    let toolkit = name.split('.').next().unwrap_or_default();
    shidi_toolkits::declared()
        .iter()
        .any(|declared| declared.name == toolkit)
}
