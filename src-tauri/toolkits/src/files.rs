//! `files`: reading and writing, within the user's grants. Every read is bounded and says when it was cut.
//! Results with files' content or names stay foreign. The user can take every change back.

mod archive;
mod change;
mod content;
mod copy;
mod diff;
mod document;
mod find;
mod grep;
mod left_out;
mod look;
mod nearby;
mod passages;
mod pdf;
mod produce;
mod read;
mod relocation;
mod table;
mod undo;
mod unpacking;
mod write;

pub use diff::unified;

use crate::arguments::Arguments;
use crate::declare::{idempotent, method, on_path, on_path_to, optional, required, toolkit};
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{FIND_PASSAGES_DEFAULT, READ_LINES_DEFAULT};
use crate::safe_path::ResolvedPath;
use shidi_protocol::{Call, CallOutcome, Class, MethodSpec, ParameterKind, ToolkitSpec};
use std::ffi::OsStr;

/// The name of the toolkit.
pub const NAME: &str = "files";

/// Methods that make files of other kinds than text, or put files elsewhere. They are offered where there is a folder
/// for them. A plain question is not to pay for their description.
pub const PRODUCING: [&str; 8] = [
    "write_table",
    "write_document",
    "move",
    "copy",
    "delete",
    "make_folder",
    "zip",
    "unzip",
];

/// Methods that write elsewhere than to their path, which they read.
pub(crate) const READS_ITS_PATH: [&str; 3] = ["copy", "zip", "unzip"];

/// Methods that make what stands at their path; a download of the web does, too.
pub(crate) const MAKES_ITS_PATH: [&str; 4] = ["write", "write_table", "write_document", "make_folder"];

/// The beginning of a shortened result's last item.
const CUT: &str = "[cut: ";

/// The end of a search's summary where documents could not be read.
const NOT_ALL_SEARCHED: &str = ", some not searched";

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
        delete_declaration(),
        make_folder_declaration(),
    ];
    let moving = vec![
        move_declaration(),
        copy_declaration(),
        zip_declaration(),
        unzip_declaration(),
    ];
    let methods = methods.into_iter().map(on_path);
    toolkit(
        NAME,
        doc,
        methods.chain(moving.into_iter().map(on_path_to)).collect(),
    )
}

fn read_declaration() -> MethodSpec {
    let parameters = vec![
        required(
            "path",
            ParameterKind::Text,
            "text in any encoding, PDF, DOCX, PPTX, XLSX, XLS, ODT, ODP, ODS or RTF",
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
        optional("folders", ParameterKind::Boolean, false, "folders as well"),
    ];
    let doc = "Finds files by name. .data is paths as str.";
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
    let parameters = vec![
        required("path", ParameterKind::Text, "a file or a folder"),
        optional(
            "missing_ok",
            ParameterKind::Boolean,
            false,
            "None where nothing is, in place of an error",
        ),
    ];
    let doc = "What a path is. .data is {kind: 'file'|'folder'|'other', bytes, modified: ISO, text: bool, encoding, \
               media_type}.";
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
        required("path", ParameterKind::Text, "a file that ends with .docx or .pdf"),
        required("markdown", ParameterKind::Text, "the whole document"),
    ];
    let doc = "Writes Markdown as a Word document or PDF. .data is {path, created: bool, bytes: int}; of a PDF also pages, and \
               missing: letters that no font has. The user can undo it.";
    idempotent(method("write_document", Class::Write, parameters, "dict", doc))
}

fn move_declaration() -> MethodSpec {
    let parameters = vec![
        required("path", ParameterKind::Text, "a file or folder"),
        required(
            "to",
            ParameterKind::Text,
            "its new path, or a folder that it goes into",
        ),
    ];
    let doc = "Moves or renames; never over what exists. .data is {path, to}. The user can undo it.";
    idempotent(method("move", Class::Write, parameters, "dict", doc))
}

fn copy_declaration() -> MethodSpec {
    let parameters = vec![
        required("path", ParameterKind::Text, "a file or folder"),
        required(
            "to",
            ParameterKind::Text,
            "the copy's path, or a folder that it goes into",
        ),
    ];
    let doc = "Copies, without links; never over what exists. .data is {path, to, files: int, bytes: int, left_out: int}. \
               The user can undo it.";
    idempotent(method("copy", Class::Write, parameters, "dict", doc))
}

fn delete_declaration() -> MethodSpec {
    let parameters = vec![required("path", ParameterKind::Text, "a file or folder")];
    let doc = "Puts a file or folder into the user's trash. .data is {path}. The user can undo it.";
    idempotent(method("delete", Class::Write, parameters, "dict", doc))
}

fn make_folder_declaration() -> MethodSpec {
    let parameters = vec![required("path", ParameterKind::Text, "a new folder")];
    let doc = "Makes an empty folder; writes make theirs by themselves. .data is {path, created: bool}.";
    idempotent(method("make_folder", Class::Write, parameters, "dict", doc))
}

fn zip_declaration() -> MethodSpec {
    let parameters = vec![
        required("path", ParameterKind::Text, "a file or folder"),
        required("to", ParameterKind::Text, "the archive, which ends with .zip"),
    ];
    let doc = "Packs into a zip archive, without links. .data is {path, created: bool, bytes: int, files: int, left_out: \
               int}. The user can undo it.";
    idempotent(method("zip", Class::Write, parameters, "dict", doc))
}

fn unzip_declaration() -> MethodSpec {
    let parameters = vec![
        required("path", ParameterKind::Text, "a zip archive"),
        required(
            "to",
            ParameterKind::Text,
            "a new folder, or one that it goes into",
        ),
    ];
    let doc = "Unpacks into a new folder; links and hidden names are left out. .data is {path, to, files: int, bytes: int, \
               left_out: int}. The user can undo it.";
    idempotent(method("unzip", Class::Write, parameters, "dict", doc))
}

/// Carries out a call of this toolkit. Where its path does not exist, the error names what is near.
pub(crate) fn perform(
    call: &Call,
    method: &MethodSpec,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    performed(call, method, environment).map_err(|error| nearby::told(error, call, environment))
}

fn performed(call: &Call, method: &MethodSpec, environment: &Environment) -> Result<CallOutcome, ToolError> {
    let arguments = Arguments::of(call, method)?;
    if PLACING.contains(&&*call.method) {
        return place_anew(call, &arguments, environment).map(CallOutcome::own);
    }
    let place = ResolvedPath::resolve(arguments.text("path"), environment)?;
    if MAKES_ITS_PATH.contains(&&*call.method) {
        place.check_name()?;
    }
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
        _ => look::info(&arguments, &place, environment).map(CallOutcome::own),
    }
}

/// Methods that put files elsewhere, or make folders.
const PLACING: [&str; 6] = ["move", "copy", "delete", "make_folder", "zip", "unzip"];

fn place_anew(
    call: &Call,
    arguments: &Arguments<'_>,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let place = ResolvedPath::resolve_itself(arguments.text("path"), environment)?;
    if MAKES_ITS_PATH.contains(&&*call.method) {
        place.check_name()?;
    }
    place.check_decided(call.places.get("path"))?;
    let to = || {
        let to = destination(call, arguments.text("to"), &place, environment)?;
        to.check_name().map(|()| to)
    };
    match call.method.as_str() {
        "move" => relocation::relocate(&place, &to()?, environment),
        "copy" => copy::copy(&place, &to()?, environment),
        "delete" => relocation::delete(&place, environment),
        "zip" => archive::pack(&place, &to()?, environment),
        "unzip" => unpacking::unpack(&place, &to()?, environment),
        _ => relocation::make_folder(&place, environment),
    }
}

/// Where a call puts what is at `place`: the path that it names, or into the folder that stands there. A decided place is
/// kept to, also where the call itself has made it a folder before a crash.
///
/// # Errors
/// A text that is no path, a place other than the decided one.
pub(crate) fn destination(
    call: &Call,
    text: &str,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<ResolvedPath, ToolError> {
    let named = ResolvedPath::resolve_itself(text, environment)?;
    let name = match call.method.as_str() {
        "unzip" => place.leads_to.file_stem().map(OsStr::to_owned),
        "zip" => place.leads_to.file_name().map(|name| {
            let mut name = name.to_owned();
            name.push(".zip");
            name
        }),
        _ => place.leads_to.file_name().map(OsStr::to_owned),
    };
    let within = name.map(|name| ResolvedPath {
        shown: named.shown.join(&name),
        leads_to: named.leads_to.join(&name),
    });
    let decided = call.places.get("to");
    let is_decided =
        |place: &ResolvedPath| decided.is_some_and(|decided| *decided == place.leads_to.to_string_lossy());
    match within {
        Some(within) if is_decided(&within) => Ok(within),
        Some(within) if decided.is_none() && named.leads_to.is_dir() => Ok(within),
        _ => {
            named.check_decided(decided)?;
            Ok(named)
        }
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
    place.check_name()?;
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
