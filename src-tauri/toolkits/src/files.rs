//! `files`: reading and writing, within the user's grants. Every read is bounded and says when it was cut.
//! Results with files' content or names stay foreign. The user can take every change back.

mod change;
mod content;
mod diff;
mod document;
mod find;
mod grep;
mod look;
mod passages;
mod produce;
mod read;
mod table;
mod write;

pub use diff::unified;

use crate::arguments::Arguments;
use crate::declare::{idempotent, method, on_path, optional, required, toolkit};
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{FIND_PASSAGES_DEFAULT, READ_LINES_DEFAULT};
use crate::safe_path::ResolvedPath;
use shidi_protocol::{Call, CallOutcome, Class, MethodSpec, ParameterKind, ToolkitSpec};

/// The name of the toolkit.
pub const NAME: &str = "files";

/// Methods that make files of other kinds than text: offered where there is a folder for them, since a plain question is not
/// to pay for their description.
pub const PRODUCING: [&str; 2] = ["write_table", "write_document"];

/// The beginning of a shortened result's last item.
const CUT: &str = "[cut: ";

pub(crate) fn declaration() -> ToolkitSpec {
    let doc = "Files and folders. Relative paths begin at the first granted folder, ~ is the user's home. Searches \
               skip .git, node_modules and the like. A shortened result ends with '[cut: '.";
    let methods = vec![
        read_declaration(),
        list_declaration(),
        glob_declaration(),
        grep_declaration(),
        find_declaration(),
        outline_declaration(),
        info_declaration(),
        diff_declaration(),
        write_declaration(),
        edit_declaration(),
        write_table_declaration(),
        write_document_declaration(),
    ];
    toolkit(NAME, doc, methods.into_iter().map(on_path).collect())
}

fn read_declaration() -> MethodSpec {
    let parameters = vec![
        required(
            "path",
            ParameterKind::Text,
            "text in any encoding, PDF, DOCX, PPTX, XLSX, XLS or ODS",
        ),
        optional("offset_line", ParameterKind::Integer, 1, "first line, from 1"),
        optional(
            "limit_lines",
            ParameterKind::Integer,
            READ_LINES_DEFAULT,
            "number of lines",
        ),
        optional(
            "part",
            ParameterKind::Any,
            "",
            "of a document: number of the page or slide, name or number of the sheet",
        ),
    ];
    let doc = "Reads a text file or the text of a document. .data is the text, line breaks as \\n; pages begin with \
               '[p. 3]', slides with '[slide 3]', sheets with '[sheet NAME]', rows of a sheet with their number.";
    method("read", Class::Read, parameters, "str", doc)
}

fn list_declaration() -> MethodSpec {
    let parameters = vec![
        optional("path", ParameterKind::Text, ".", "a folder"),
        optional("depth", ParameterKind::Integer, 1, "levels to go down, up to 16"),
    ];
    let doc = "Lists a folder by name. .data is a list of {path, kind: 'file'|'folder'|'link'|'other', \
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
    let doc = "Finds files by name. .data is a list of paths as str.";
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
    let doc = "Finds lines in text files and documents. .data is a list of {path, line: int, place, text}; \
               place is what an answer cites, such as 'p. 3'.";
    method("grep", Class::Read, parameters, "list[dict]", doc)
}

fn find_declaration() -> MethodSpec {
    let parameters = vec![
        required("text", ParameterKind::Text, "words or a question"),
        optional("path", ParameterKind::Text, ".", "a file, a document or a folder"),
        optional(
            "limit",
            ParameterKind::Integer,
            FIND_PASSAGES_DEFAULT,
            "number of passages",
        ),
    ];
    let doc = "Finds the passages that speak of text, best first: the way into a long document. .data is a list of \
               {path, line: int, place, text}; cite as [report.pdf p. 3].";
    method("find", Class::Read, parameters, "list[dict]", doc)
}

fn outline_declaration() -> MethodSpec {
    let parameters = vec![required("path", ParameterKind::Text, "a text file or a document")];
    let doc = "Lists pages, slides, sheets or headings. .data is a list of {place, title, line: int}.";
    method("outline", Class::Read, parameters, "list[dict]", doc)
}

fn info_declaration() -> MethodSpec {
    let parameters = vec![required("path", ParameterKind::Text, "a file or a folder")];
    let doc = "Tells what a path is. .data is {path, kind: 'file'|'folder'|'other', bytes: int, modified: ISO \
               time, text: bool, encoding, media_type}.";
    method("info", Class::Read, parameters, "dict", doc)
}

fn diff_declaration() -> MethodSpec {
    let parameters = vec![
        required("path", ParameterKind::Text, "a text file"),
        required("text", ParameterKind::Text, "what it is compared with"),
    ];
    let doc = "Compares a text file with a text. .data is a unified diff as str, from the file to the text; empty when \
               they are the same.";
    method("diff", Class::Read, parameters, "str", doc)
}

fn write_declaration() -> MethodSpec {
    let parameters = vec![
        required("path", ParameterKind::Text, "a file; missing folders are made"),
        required("text", ParameterKind::Text, "the whole file, or what is added"),
        optional("append", ParameterKind::Boolean, false, "adds at the end instead"),
    ];
    let doc = "Writes a text file, as UTF-8 (append keeps its encoding). .data is {path, created: bool, bytes: int}. \
               The user can undo it. To change a part of a file use files.edit.";
    // The earlier content is kept first, and shows after a crash whether the write has happened.
    idempotent(method("write", Class::Write, parameters, "dict", doc))
}

fn edit_declaration() -> MethodSpec {
    let parameters = vec![
        required("path", ParameterKind::Text, "a text file"),
        required(
            "old",
            ParameterKind::Text,
            "what stands there now, exactly, with enough around it to be unique",
        ),
        required("new", ParameterKind::Text, "what is to stand there instead"),
        optional("all", ParameterKind::Boolean, false, "every occurrence"),
    ];
    let doc = "Replaces a text in a file and leaves everything else as it is. .data is {path, count: int, line: int}. \
               The user can undo it.";
    idempotent(method("edit", Class::Write, parameters, "dict", doc))
}

fn write_table_declaration() -> MethodSpec {
    let parameters = vec![
        required(
            "path",
            ParameterKind::Text,
            "a file that ends with .xlsx, .csv or .tsv",
        ),
        required("rows", ParameterKind::List, "dicts by column, or lists"),
        optional(
            "columns",
            ParameterKind::List,
            serde_json::json!([]),
            "names, in their order",
        ),
        optional("sheet", ParameterKind::Text, "", "name of the sheet"),
    ];
    let doc = "Writes rows as a workbook or CSV; numbers and ISO dates stay such. .data is {path, created: bool, bytes: \
               int, rows: int, columns: int}. The user can undo it.";
    idempotent(method("write_table", Class::Write, parameters, "dict", doc))
}

fn write_document_declaration() -> MethodSpec {
    let parameters = vec![
        required("path", ParameterKind::Text, "a file that ends with .docx"),
        required("markdown", ParameterKind::Text, "the whole document"),
    ];
    let doc = "Writes Markdown as a Word document. .data is {path, created: bool, bytes: int}. The user can undo it.";
    idempotent(method("write_document", Class::Write, parameters, "dict", doc))
}

/// Carries out a call of this toolkit.
pub(crate) fn perform(
    call: &Call,
    method: &MethodSpec,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let arguments = Arguments::of(call, method)?;
    let place = ResolvedPath::resolve(arguments.text("path"), environment)?;
    place.check_decided(call.places.get("path"))?;
    match call.method.as_str() {
        "read" => read::read(&arguments, &place, environment),
        "list" => look::list(&arguments, &place, environment),
        "glob" => find::glob(&arguments, &place, environment),
        "grep" => grep::grep(&arguments, &place, environment),
        "find" => passages::find(&arguments, &place, environment),
        "outline" => passages::outline(&place, environment),
        "diff" => diff::diff(&arguments, &place, environment),
        // Results of writes tell sizes and places in our words, under the program's own name for the file.
        "write" => write::write(&arguments, &place, environment).map(CallOutcome::own),
        "edit" => write::edit(&arguments, &place, environment).map(CallOutcome::own),
        "write_table" => table::write_table(&arguments, &place, environment).map(CallOutcome::own),
        "write_document" => document::write_document(&arguments, &place, environment).map(CallOutcome::own),
        _ => look::info(&place, environment).map(CallOutcome::own),
    }
}

/// Puts bytes that came from elsewhere into the file that `call` was decided for.
pub(crate) fn put(
    path: &str,
    call: &Call,
    environment: &Environment,
    bytes: &[u8],
) -> Result<CallOutcome, ToolError> {
    let place = ResolvedPath::resolve(path, environment)?;
    place.check_decided(call.places.get("path"))?;
    write::put(&place, environment, bytes).map(CallOutcome::own)
}

/// `1 line`, `2 lines`: numbers as people read them.
fn counted(number: usize, one: &str, many: &str) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{number} {many}")
    }
}
