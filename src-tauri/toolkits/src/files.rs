//! `files`: reading, within what the user granted. Every read is bounded and says when it was cut; whatever holds
//! the content of a file is marked as untrusted.

mod find;
mod grep;
mod look;
mod read;

use crate::arguments::Arguments;
use crate::declare::{method, on_path, optional, required, toolkit};
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::READ_LINES_DEFAULT;
use crate::place::Place;
use shidi_protocol::{Call, CallOutcome, Class, MethodSpec, ParameterKind, ToolkitSpec};

/// How the last item of a shortened result begins.
const CUT: &str = "[cut: ";

pub(crate) fn declaration() -> ToolkitSpec {
    let doc = "Files and folders. Relative paths begin at the first granted folder, ~ is the user's home. A result \
               that had to be shortened ends with an item or a line that begins with '[cut: '.";
    let methods = vec![
        read_declaration(),
        list_declaration(),
        glob_declaration(),
        grep_declaration(),
        info_declaration(),
    ];
    toolkit("files", doc, methods.into_iter().map(on_path).collect())
}

fn read_declaration() -> MethodSpec {
    let parameters = vec![
        required("path", ParameterKind::Text, "a text file in any encoding"),
        optional("offset_line", ParameterKind::Integer, 1, "first line, from 1"),
        optional(
            "limit_lines",
            ParameterKind::Integer,
            READ_LINES_DEFAULT,
            "number of lines",
        ),
    ];
    let doc = "Reads a text file, whatever its encoding. .data is the text, line breaks as \\n.";
    method("read", Class::Read, parameters, "str", doc)
}

fn list_declaration() -> MethodSpec {
    let parameters = vec![
        optional("path", ParameterKind::Text, ".", "a folder"),
        optional("depth", ParameterKind::Integer, 1, "levels to go down, up to 16"),
    ];
    let doc = "Lists a folder by name. .data is a list of {path: str, kind: 'file'|'folder'|'link'|'other', \
               bytes: int}.";
    method("list", Class::Read, parameters, "list[dict]", doc)
}

fn glob_declaration() -> MethodSpec {
    let parameters = vec![
        required(
            "pattern",
            ParameterKind::Text,
            "such as '**/*.py', relative to path",
        ),
        optional("path", ParameterKind::Text, ".", "a folder"),
    ];
    let doc = "Finds files by name. .data is a list of paths as str. Does not enter .git, node_modules and the like.";
    method("glob", Class::Read, parameters, "list[str]", doc)
}

fn grep_declaration() -> MethodSpec {
    let parameters = vec![
        required(
            "pattern",
            ParameterKind::Text,
            "a regular expression, matched within a line",
        ),
        optional("path", ParameterKind::Text, ".", "a file or a folder"),
        optional("ignore_case", ParameterKind::Boolean, false, ""),
    ];
    let doc = "Finds lines in text files. .data is a list of {path: str, line: int, text: str}. Does not enter .git, \
               node_modules and the like.";
    method("grep", Class::Read, parameters, "list[dict]", doc)
}

fn info_declaration() -> MethodSpec {
    let parameters = vec![required("path", ParameterKind::Text, "a file or a folder")];
    let doc = "Tells what a path is. .data is {path: str, kind: 'file'|'folder'|'other', bytes: int, modified: ISO \
               time, text: bool, encoding: str or None, media_type: str or None}.";
    method("info", Class::Read, parameters, "dict", doc)
}

/// Carries out a call of this toolkit.
pub(crate) fn perform(
    call: &Call,
    method: &MethodSpec,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let arguments = Arguments::of(call, method)?;
    let place = Place::resolve(arguments.text("path"), environment)?;
    match call.method.as_str() {
        "read" => read::read(&arguments, &place, environment).map(CallOutcome::untrusted),
        "list" => look::list(&arguments, &place, environment),
        "glob" => find::glob(&arguments, &place, environment),
        "grep" => grep::grep(&arguments, &place, environment).map(CallOutcome::untrusted),
        _ => look::info(&place, environment),
    }
}

/// `1 line`, `2 lines`: numbers as people read them.
fn counted(number: usize, one: &str, many: &str) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{number} {many}")
    }
}
