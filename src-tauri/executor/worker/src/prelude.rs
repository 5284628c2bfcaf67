//! Modules that the interpreter lacks, as Python text, each one class of plain functions and constants.
//!
//! They are interpreted inside the session like any program, so that they can change a list in place and be passed
//! as callbacks; a module answered by the host could do neither.

use std::collections::BTreeSet;

/// What every session is given at its start.
pub const CORE: &str = include_str!("py/core.py");

/// Name of a module and its text, which defines `_shidi_NAME`.
const MODULES: &[(&str, &str)] = &[
    ("heapq", include_str!("py/heapq.py")),
    ("operator", include_str!("py/operator.py")),
    ("statistics", include_str!("py/statistics.py")),
    ("string", include_str!("py/string.py")),
    ("textwrap", include_str!("py/textwrap.py")),
    ("_collections", include_str!("py/collections.py")),
];

/// Names added to modules that the interpreter has; they live in the module of that name with an underscore before it.
pub const ADDED: &[(&str, &str)] = &[("collections", "ChainMap"), ("collections", "OrderedDict")];

/// The module's own spelling of its name, if it is one of ours.
pub fn module(name: &str) -> Option<&'static str> {
    MODULES
        .iter()
        .find(|(module, _)| *module == name)
        .map(|(module, _)| *module)
}

pub fn names() -> impl Iterator<Item = &'static str> {
    MODULES
        .iter()
        .map(|(module, _)| *module)
        .filter(|module| !module.starts_with('_'))
}

/// The public names of one of our modules; `None` for another module.
pub fn contents(name: &str) -> Option<Vec<&'static str>> {
    const INDENT: &str = "    ";
    let (_, text) = MODULES.iter().find(|(module, _)| *module == name)?;
    let names = text.lines().filter_map(|line| {
        let line = line.strip_prefix(INDENT).filter(|line| !line.starts_with(' '))?;
        let name = line
            .strip_prefix("def ")
            .or_else(|| line.strip_prefix("class "))
            .unwrap_or(line);
        let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
        let defines = name.len() != line.len() || name[end..].trim_start().starts_with("= ");
        Some(&name[..end]).filter(|name| defines && !name.is_empty() && !name.starts_with('_'))
    });
    Some(names.collect())
}

/// Which modules a session has been given.
#[derive(Debug, Default)]
pub struct Loaded(BTreeSet<&'static str>);

impl Loaded {
    /// The texts of those `wanted` that the session does not have yet.
    pub fn missing(&mut self, wanted: &[&'static str]) -> Vec<&'static str> {
        MODULES
            .iter()
            .filter(|(module, _)| wanted.contains(module) && self.0.insert(module))
            .map(|(_, text)| *text)
            .collect()
    }
}
