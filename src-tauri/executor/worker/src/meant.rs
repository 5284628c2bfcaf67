//! What a call of `files` means whose names are those of Python's own files, where they have one meaning.
//!
//! Small models write `files.list(folder=…)` and `files.read(…, encoding="gbk")`, after a correction too. Such a call is
//! made under the names that the method has, before anything is decided about it. A name that fits two parameters stays
//! an error, and so does a parameter that is given twice.

use shidi_executor_proto::{MethodShape, ParameterShape, ToolkitShape};

const TOOLKIT: &str = "files";
/// The question whether something is there, which [`INFO`] answers.
const EXISTS: &str = "exists";
const INFO: &str = "info";
const MISSING_OK: &str = "missing_ok";
const READ: &str = "read";
const PATH: &str = "path";
const ENCODING: &str = "encoding";
const UTF_8: &str = "utf8";

const FOLDER: &[&str] = &["dir", "directory", "folder"];
const FILE: &[&str] = &["file", "file_path", "filename", "filepath"];
const CONTENT: &[&str] = &["content", "contents", "data"];

/// Methods that read or write a text, of which Python's own would ask the encoding.
const OF_TEXT: &[&str] = &["diff", "edit", "grep", READ, "write", "write_table"];

/// Other names of a parameter.
struct Alias {
    parameter: &'static str,
    names: &'static [&'static str],
    /// Methods in which these names can mean nothing else.
    methods: &'static [&'static str],
}

const ALIASES: &[Alias] = &[
    Alias {
        parameter: PATH,
        names: FOLDER,
        methods: &[
            "delete",
            EXISTS,
            "find",
            "glob",
            "grep",
            INFO,
            "list",
            "make_folder",
        ],
    },
    // Of `find` and `glob` a file's name could be what is looked for.
    Alias {
        parameter: PATH,
        names: FILE,
        methods: &[
            "delete",
            "diff",
            "edit",
            EXISTS,
            "grep",
            INFO,
            "outline",
            READ,
            "write",
            "write_document",
            "write_table",
        ],
    },
    Alias {
        parameter: "text",
        names: CONTENT,
        methods: &["write"],
    },
    Alias {
        parameter: "markdown",
        names: CONTENT,
        methods: &["write_document"],
    },
];

/// A method that is called.
pub struct Method<'a> {
    pub toolkit: &'a str,
    pub name: &'a str,
    /// The names of its parameters, in their order.
    pub parameters: &'a [&'a str],
    /// Whether `info` can be asked for the encoding of a file.
    pub knows_files: bool,
}

/// The value of a named argument, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    Text(&'a str),
    None,
    Other,
    /// Only the run shows it.
    Later,
}

/// What an argument means whose name the method does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// It belongs to that parameter.
    Parameter(&'static str),
    /// It says what holds without it.
    Nothing,
    /// It names an old encoding, which must fit the file.
    OldEncoding,
}

/// The meanings of arguments whose names the method does not have. One without a single meaning is left out.
pub fn meanings<'n>(
    method: &Method<'_>,
    positional: usize,
    named: &[(&'n str, Value<'_>)],
) -> Vec<(&'n str, Meaning)> {
    if method.toolkit != TOOLKIT {
        return Vec::new();
    }
    let is_given = |own: &str| named.iter().any(|(name, _)| *name == own);
    let is_free = |meaning: Meaning| match meaning {
        Meaning::Parameter(own) => place(method, own).is_some_and(|at| at >= positional) && !is_given(own),
        Meaning::Nothing | Meaning::OldEncoding => true,
    };
    let strange = named.iter().filter(|(name, _)| place(method, name).is_none());
    let meant: Vec<(&'n str, Meaning)> = strange
        .filter_map(|(name, value)| Some((*name, meaning(method, name, *value)?)))
        .filter(|(_, meaning)| is_free(*meaning))
        .collect();
    let is_alone = |meaning: Meaning| meant.iter().filter(|(_, other)| *other == meaning).count() == 1;
    meant
        .iter()
        .copied()
        .filter(|(_, meaning)| is_alone(*meaning))
        .collect()
}

/// The method `exists` of a toolkit that has none and can answer it.
pub fn exists(toolkit: &ToolkitShape) -> Option<MethodShape> {
    let mut methods = toolkit.methods.iter();
    let answers = |method: &MethodShape| {
        let mut parameters = method.parameters.iter();
        method.name == INFO && parameters.any(|parameter| parameter.name == MISSING_OK)
    };
    let is_asked = toolkit.name == TOOLKIT && toolkit.methods.iter().all(|method| method.name != EXISTS);
    (is_asked && methods.any(answers)).then(|| MethodShape {
        name: EXISTS.to_owned(),
        parameters: vec![ParameterShape {
            name: PATH.to_owned(),
            required: true,
        }],
    })
}

fn place(method: &Method<'_>, name: &str) -> Option<usize> {
    method.parameters.iter().position(|own| *own == name)
}

fn meaning(method: &Method<'_>, name: &str, value: Value<'_>) -> Option<Meaning> {
    if name == ENCODING {
        return encoding(method, value);
    }
    let mut aliases = ALIASES.iter();
    let alias = aliases.find(|alias| alias.names.contains(&name) && alias.methods.contains(&method.name))?;
    Some(Meaning::Parameter(alias.parameter))
}

/// Texts are read in any encoding and written as UTF-8, so that only an old one says something.
fn encoding(method: &Method<'_>, value: Value<'_>) -> Option<Meaning> {
    if !OF_TEXT.contains(&method.name) {
        return None;
    }
    match value {
        Value::None | Value::Later => Some(Meaning::Nothing),
        Value::Text(text) if text.to_lowercase().replace(['-', '_'], "") == UTF_8 => Some(Meaning::Nothing),
        Value::Text(_) if method.name == READ && method.knows_files => Some(Meaning::OldEncoding),
        Value::Text(_) | Value::Other => None,
    }
}

#[cfg(test)]
mod tests;
