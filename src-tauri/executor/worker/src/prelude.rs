//! Modules that the interpreter lacks, as Python text, each one class of plain functions and constants.
//!
//! They are interpreted inside the session like any program, so that they can change a list in place and be passed
//! as callbacks; a module answered by the host could do neither.

use crate::check;
use crate::rewrite::parse;
use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, ExprContext, ModModule};
use ruff_text_size::Ranged;
use std::collections::BTreeSet;

/// Names beginning so are ours; programs that write them are refused.
pub const RESERVED: &str = "_shidi_";
pub const RESERVED_MESSAGE: &str = "names that begin with `_shidi` are reserved";

const CORE: &str = include_str!("py/core.py");

/// Built-ins that our texts use. They keep them under names of their own, because a program may call a variable `list`.
const BUILTINS: &[&str] = &[
    "AttributeError",
    "BaseException",
    "Exception",
    "IndexError",
    "KeyError",
    "StopIteration",
    "TimeoutError",
    "TypeError",
    "ValueError",
    "all",
    "any",
    "bin",
    "bool",
    "bytes",
    "chr",
    "dict",
    "divmod",
    "enumerate",
    "eval",
    "float",
    "frozenset",
    "getattr",
    "hasattr",
    "hash",
    "int",
    "isinstance",
    "iter",
    "len",
    "list",
    "locals",
    "max",
    "min",
    "next",
    "ord",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "str",
    "sum",
    "tuple",
    "type",
    "zip",
];

/// Name of a module and its text, which defines `_shidi_NAME`.
const MODULES: &[(&str, &str)] = &[
    ("contextlib", include_str!("py/contextlib.py")),
    ("heapq", include_str!("py/heapq.py")),
    ("hmac", include_str!("py/hmac.py")),
    ("io", include_str!("py/io.py")),
    ("operator", include_str!("py/operator.py")),
    ("statistics", include_str!("py/statistics.py")),
    ("string", include_str!("py/string.py")),
    ("textwrap", include_str!("py/textwrap.py")),
    ("urllib", include_str!("py/urllib.py")),
    ("_asyncio", include_str!("py/asyncio.py")),
    ("_lazy", include_str!("py/lazy.py")),
    ("_methods", include_str!("py/methods.py")),
    ("_re", include_str!("py/re.py")),
    ("_collections", include_str!("py/collections.py")),
];

/// Names added to modules that the interpreter has; they live in the module of that name with an underscore before it.
pub const ADDED: &[(&str, &str)] = &[
    ("asyncio", "TimeoutError"),
    ("collections", "ChainMap"),
    ("collections", "OrderedDict"),
    ("re", "VERBOSE"),
];

/// Modules inside packages, and the text that holds both.
const INNER: &[(&str, &str)] = &[("urllib.parse", "urllib")];

/// What every session is given at its start.
pub fn core() -> String {
    let kept = BUILTINS
        .iter()
        .map(|name| format!("{RESERVED}builtin_{name} = {name}\n"));
    kept.collect::<String>() + &guarded(CORE)
}

/// The class that a module is.
pub fn class(module: &str) -> String {
    format!("{RESERVED}{}", module.replace('.', "_"))
}

/// The text that holds a module, if it is one of ours.
pub fn module(name: &str) -> Option<&'static str> {
    let name = INNER
        .iter()
        .find(|(inner, _)| *inner == name)
        .map_or(name, |(_, package)| package);
    MODULES
        .iter()
        .find(|(module, _)| *module == name)
        .map(|(module, _)| *module)
}

pub fn names() -> impl Iterator<Item = &'static str> {
    MODULES
        .iter()
        .map(|(module, _)| *module)
        .filter(|module| !module.starts_with('_') && INNER.iter().all(|(_, package)| package != module))
        .chain(INNER.iter().map(|(inner, _)| *inner))
}

/// The public names of one of our modules; `None` for another module.
pub fn contents(name: &str) -> Option<Vec<&'static str>> {
    const INDENT: &str = "    ";
    let text = MODULES.iter().find(|(found, _)| module(name) == Some(found))?.1;
    let opening = format!("class {}:", class(name));
    let inside = text
        .lines()
        .skip_while(|line| **line != opening)
        .skip(1)
        .take_while(|line| line.is_empty() || line.starts_with(INDENT));
    let names = inside.filter_map(|line| {
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
    pub fn missing(&mut self, wanted: &[&'static str]) -> Vec<String> {
        MODULES
            .iter()
            .filter(|(module, _)| wanted.contains(module) && self.0.insert(module))
            .map(|(_, text)| guarded(text))
            .collect()
    }
}

/// A text of ours with its built-ins under the names that no program changes.
fn guarded(text: &str) -> String {
    let Some(module) = parse(text) else {
        return text.to_owned();
    };
    let mut guarded = String::with_capacity(text.len() * 2);
    let mut copied = 0;
    for name in free_names(&module) {
        if BUILTINS.contains(&name.0) {
            guarded.push_str(&text[copied..name.1]);
            guarded.push_str(RESERVED);
            guarded.push_str("builtin_");
            copied = name.1;
        }
    }
    guarded + &text[copied..]
}

/// Names that a text reads and does not bind, with their places in order.
fn free_names(module: &ModModule) -> Vec<(&str, usize)> {
    struct Reader<'a>(Vec<(&'a str, usize)>);
    impl<'a> Visitor<'a> for Reader<'a> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Name(name) = expr
                && name.ctx == ExprContext::Load
            {
                self.0.push((name.id.as_str(), name.start().to_usize()));
            }
            walk_expr(self, expr);
        }
    }
    let bound = check::bound(module);
    let mut reader = Reader(Vec::new());
    reader.visit_body(&module.body);
    reader.0.retain(|(name, _)| !bound.contains(name));
    reader.0.sort_by_key(|(_, place)| *place);
    reader.0
}

#[cfg(test)]
mod tests {
    use super::{BUILTINS, CORE, MODULES, RESERVED, free_names, parse};

    #[test]
    fn our_texts_use_no_name_that_a_program_could_change() {
        for (name, text) in MODULES.iter().chain(&[("core", CORE)]) {
            let module = parse(text).expect("our texts are Python");
            for (free, _) in free_names(&module) {
                assert!(
                    BUILTINS.contains(&free) || free.starts_with(RESERVED),
                    "{name}: {free}"
                );
            }
        }
    }
}
