//! `web`: addresses, a search provider, and files from the network. The runtime fetches. This file declares the tools,
//! and puts a download into its file as any other change of a program.

use crate::arguments::Arguments;
use crate::declare::{idempotent, method, optional, required, toolkit};
use crate::environment::Environment;
use crate::error::ToolError;
use crate::files;
use crate::limits::SEARCH_RESULTS_DEFAULT;
use shidi_protocol::{Call, CallOutcome, Class, MethodSpec, ParameterKind, ToolkitSpec};

/// The name of the toolkit.
pub const NAME: &str = "web";
/// The argument by which permissions know whom a call speaks to; the runtime adds it.
pub const HOST: &str = "host";
/// The argument that names an address.
pub const URL: &str = "url";
/// The argument that names what is searched for.
pub const QUERY: &str = "query";
/// Results of a search where the program names no number.
pub const RESULTS_DEFAULT: usize = SEARCH_RESULTS_DEFAULT;
/// The methods.
pub const FETCH: &str = "fetch";
pub const SEARCH: &str = "search";
pub const DOWNLOAD: &str = "download";

pub(crate) fn declaration() -> ToolkitSpec {
    toolkit(
        NAME,
        "Reads, searches and downloads.",
        vec![fetch(), search(), download()],
    )
}

fn fetch() -> MethodSpec {
    let doc = "Reads a page, PDF or text. .data is {url, title, text (Markdown; [text][n] means links[n-1]), links, format, \
               cut, robots, redirects}. Cite it as [1] with its url. A redirect to another host fails and names the \
               address.";
    let address = vec![required(URL, ParameterKind::Text, "http or https")];
    matters(&[HOST], method(FETCH, Class::NetworkRead, address, "dict", doc))
}

fn search() -> MethodSpec {
    let parameters = vec![
        required(QUERY, ParameterKind::Text, "a few words"),
        optional(
            "limit",
            ParameterKind::Integer,
            SEARCH_RESULTS_DEFAULT,
            "number of results, at most 20",
        ),
    ];
    let doc = "Searches the web at the user's provider. .data is a list of {n, title, url, text}. Read a result by \
               web.fetch(url) before you rely on it; cite by number and url.";
    matters(
        &[HOST],
        method(SEARCH, Class::Search, parameters, "list[dict]", doc),
    )
}

fn download() -> MethodSpec {
    let parameters = vec![
        required(URL, ParameterKind::Text, "http or https"),
        required("path", ParameterKind::Text, "a file; missing folders are made"),
    ];
    let doc = "Downloads a file. .data is {path: str, created: bool, bytes: int}. The user can undo it.";
    // The earlier content is kept first, and shows after a crash whether the file was written.
    idempotent(matters(
        &[HOST, "path"],
        method(DOWNLOAD, Class::Download, parameters, "dict", doc),
    ))
}

fn matters(names: &[&str], mut method: MethodSpec) -> MethodSpec {
    method.matters.extend(names.iter().map(|name| (*name).to_owned()));
    method
}

/// Checks the arguments of a call before anything is asked of the network.
///
/// # Errors
/// What the program is told of wrong arguments.
pub fn check(call: &Call) -> Result<(), Box<CallOutcome>> {
    let checked = match crate::declared_method(call) {
        Some(method) => Arguments::of(&without_host(call), method).map(|_| ()),
        None => Ok(()),
    };
    checked.map_err(|error| Box::new(error.outcome().own()))
}

/// Puts what a download brought into its file.
#[must_use]
pub fn put(call: &Call, environment: &Environment, bytes: &[u8]) -> CallOutcome {
    let call = without_host(call);
    let put = || -> Result<CallOutcome, ToolError> {
        let method = crate::declared_method(&call).ok_or_else(|| ToolError::Missing(call.tool()))?;
        let arguments = Arguments::of(&call, method)?;
        files::put(arguments.text("path"), &call, environment, bytes)
    };
    put().unwrap_or_else(|error| error.outcome())
}

/// The call as the program made it.
fn without_host(call: &Call) -> Call {
    let mut call = call.clone();
    call.args.remove(HOST);
    call
}
