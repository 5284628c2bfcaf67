//! Agents of coding programs: front matter with name, description, tools and model, then the prompt.
//!
//! Their programs read the front matter leniently, so that many files in the wild are no YAML; so is it read here.

use super::Mapped;
use super::fields::{below, text, unmapped};
use super::tools::{self, ALL};
use super::{Format, opencode};
use crate::limits::IMPORT_BYTES_MAX;
use crate::problem::{Fault, Problem, Reason};
use shidi_yaml::{Data, Loose, Node, Place, front_matter, read_loosely};
use std::sync::Arc;

const KNOWN: [&str; 6] = [
    "name",
    "description",
    "tools",
    "disallowedTools",
    "temperature",
    "top_p",
];

/// An agent, and whose it is.
pub type Agent = (Format, Result<Mapped, Fault>);

/// Reads a file with front matter; `None` where it is another kind of file that only begins with dashes.
pub fn read(file: &Arc<str>, bytes: &[u8]) -> Option<Agent> {
    let refused = |fault: Fault| Some((Format::AgentMarkdown, Err(fault)));
    let top = Place {
        file: Arc::clone(file),
        line: 1,
        column: 1,
    };
    if bytes.len() as u64 > IMPORT_BYTES_MAX {
        let kilobytes = IMPORT_BYTES_MAX >> 10;
        return refused(Fault::new(&top, Problem::TooLarge { kilobytes }));
    }
    let text = match shidi_yaml::text(file, bytes) {
        Ok(text) => text.replace("\r\n", "\n"),
        Err(place) => return refused(Fault::new(&place, Problem::NotText)),
    };
    let (matter, body) = front_matter(&text)?;
    // The fence is the first line of the file, so lines of the head count from the second.
    let Loose { node, mended } = match read_loosely(file, &format!("\n{matter}")) {
        Ok(loose) => loose,
        Err(malformed) => return refused(malformed.into()),
    };
    let first = u64::try_from(matter.lines().count()).unwrap_or_default() + 3;
    let start = Place { line: first, ..top };
    let (format, mapped) = match opencode::is_one(&node) {
        true => (Format::OpencodeAgent, opencode::mapped(&node, (&start, body))),
        false => (Format::AgentMarkdown, mapped(&node, (&start, body))),
    };
    let told = mapped.map(|mut mapped| {
        let repaired = mended.into_iter().map(|key| {
            let place = below(&node, &key);
            Fault::new(&place, Problem::Repaired(key))
        });
        mapped.left_out.extend(repaired);
        mapped
    });
    Some((format, told))
}

fn mapped(node: &Node, (start, body): (&Place, &str)) -> Result<Mapped, Fault> {
    if node.get("name").is_none() {
        return Err(Fault::new(&node.place, Problem::Missing("name")));
    }
    let mut mapped = Mapped::agent(node, &text(node, "name"))?;
    mapped.prompt(start, body);
    if let Some(tools) = node.get("tools") {
        mapped.spec.toolkits = toolkits(tools, &mut mapped.left_out);
    }
    if let Some(tools) = node.get("disallowedTools") {
        for written in written(tools) {
            mapped.deny(&tools.place, &written);
        }
    }
    mapped.keep_others(node, &KNOWN, |key| match key {
        "model" => Reason::ModelOfUser,
        "mcpServers" | "skills" => Reason::SetUpApart,
        _ => Reason::KeptOnly,
    });
    Ok(mapped)
}

/// Tools are one text with commas, or a list.
fn written(tools: &Node) -> Vec<String> {
    let named: Vec<String> = match &tools.data {
        Data::Text(text) => between_commas(text),
        Data::List(items) => items
            .iter()
            .filter_map(|item| item.text().map(str::to_owned))
            .collect(),
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Map(_) => Vec::new(),
    };
    named.into_iter().filter(|name| !name.is_empty()).collect()
}

/// The parts of a list; a comma within parentheses belongs to its part.
fn between_commas(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let parts = text.split(|sign: char| {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        sign == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).collect()
}

/// The tools of ours; `None` for all.
fn toolkits(tools: &Node, left_out: &mut Vec<Fault>) -> Option<Vec<String>> {
    let mut toolkits: Vec<String> = Vec::new();
    let written = written(tools);
    if written.iter().any(|name| name == ALL) {
        return None;
    }
    for name in written {
        match tools::ours(&tools::plain(&name)) {
            Some(ours) if toolkits.contains(&ours) => {}
            Some(ours) => toolkits.push(ours),
            None => left_out.push(unmapped(&tools.place, name, Reason::SetUpApart)),
        }
    }
    Some(toolkits)
}
