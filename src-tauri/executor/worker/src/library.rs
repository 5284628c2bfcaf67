//! The modules that programs may import: the interpreter's own, Python's library as bytecode, and our texts.

use rustpython_vm::InterpreterBuilder;
use rustpython_vm::builtins::PyModuleDef;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Native modules that would bypass the host, which has the clock (`_datetime`), or start threads (`pyexpat`).
const LEFT_OUT: [&str; 3] = ["_datetime", "_uuid", "pyexpat"];

/// Modules that need things a program lacks: files, sockets, processes, a terminal, a screen. A name also
/// stands for its submodules.
const WITHOUT: &[&str] = &[
    "_ios_support",
    "_pyrepl",
    "_zoneinfo",
    "antigravity",
    "asyncio.base_events",
    "asyncio.base_subprocess",
    "asyncio.proactor_events",
    "asyncio.selector_events",
    "asyncio.streams",
    "asyncio.subprocess",
    "asyncio.trsock",
    "asyncio.unix_events",
    "asyncio.windows_events",
    "asyncio.windows_utils",
    "compression.zstd",
    "concurrent.futures.interpreter",
    "concurrent.futures.process",
    "ctypes",
    "dbm.gnu",
    "dbm.ndbm",
    "dbm.sqlite3",
    "doctest",
    "encodings.mbcs",
    "encodings.oem",
    "ensurepip",
    "ftplib",
    "http.client",
    "http.cookiejar",
    "http.server",
    "idlelib",
    "imaplib",
    "logging.config",
    "logging.handlers",
    "mailbox",
    "multiprocessing",
    "pdb",
    "poplib",
    "pty",
    "selectors",
    "smtplib",
    "socket",
    "socketserver",
    "sqlite3",
    "ssl",
    "subprocess",
    "test",
    "tkinter",
    "tracemalloc",
    "tty",
    "turtle",
    "turtledemo",
    "unittest.__main__",
    "urllib.request",
    "urllib.robotparser",
    "venv",
    "webbrowser",
    "wsgiref.simple_server",
    "xml.sax.expatreader",
    "xmlrpc",
];

/// Modules offered in the error for a missing one: useful to programs of this kind.
const OFFERED: &[&str] = &[
    "abc",
    "ast",
    "asyncio",
    "base64",
    "bisect",
    "calendar",
    "cmath",
    "codecs",
    "collections",
    "configparser",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "email",
    "enum",
    "fnmatch",
    "fractions",
    "functools",
    "glob",
    "graphlib",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "locale",
    "logging",
    "math",
    "numbers",
    "operator",
    "os",
    "os.path",
    "pathlib",
    "pickle",
    "pprint",
    "queue",
    "random",
    "re",
    "reprlib",
    "secrets",
    "shlex",
    "shutil",
    "statistics",
    "string",
    "struct",
    "sys",
    "textwrap",
    "time",
    "tomllib",
    "traceback",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib.parse",
    "uuid",
    "warnings",
    "weakref",
    "xml.etree.ElementTree",
    "zlib",
    "zoneinfo",
];

/// The interpreter with its modules.
pub fn builder() -> InterpreterBuilder {
    let builder = InterpreterBuilder::new();
    let natives = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
    let natives: Vec<&'static PyModuleDef> = natives
        .into_iter()
        .filter(|module| !LEFT_OUT.contains(&module.name.as_str()))
        .collect();
    let border = crate::border::module_def(&builder.ctx);
    let markup = crate::markup::module_def(&builder.ctx);
    builder
        .add_native_modules(&natives)
        .add_native_module(border)
        .add_native_module(markup)
        .add_frozen_modules(rustpython_pylib::FROZEN_STDLIB)
        .add_frozen_modules(rustpython_vm::py_freeze!(dir = "py"))
}

/// Whether a program may import a module, by its full name.
pub fn has(name: &str) -> bool {
    let is_without = |without: &str| {
        let rest = name.strip_prefix(without);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    !WITHOUT.iter().any(|without| is_without(without)) && known().contains(name)
}

/// The offered modules, in order.
pub fn modules() -> String {
    OFFERED.join(", ")
}

fn known() -> &'static BTreeSet<String> {
    static KNOWN: OnceLock<BTreeSet<String>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let builder = InterpreterBuilder::new();
        let natives = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
        let names = natives.iter().map(|module| module.name.as_str().to_owned());
        let frozen = rustpython_pylib::FROZEN_STDLIB
            .decode()
            .map(|(name, _)| name.to_owned());
        names
            .chain(frozen)
            .chain(BUILT_IN.iter().map(|name| (*name).to_owned()))
            .filter(|name| !LEFT_OUT.contains(&name.as_str()))
            .collect()
    })
}

/// Modules of the interpreter itself.
const BUILT_IN: [&str; 15] = [
    "_collections",
    "collections.abc",
    "_functools",
    "_operator",
    "_thread",
    "atexit",
    "builtins",
    "errno",
    "gc",
    "itertools",
    "marshal",
    "os.path",
    "sys",
    "time",
    "typing",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Modules whose import has an effect: they print, or open a page.
    const TALKATIVE: [&str; 2] = ["this", "antigravity"];

    #[test]
    fn every_module_that_a_program_may_import_can_be_imported() {
        let mut broken = Vec::new();
        builder().build().enter(|vm| {
            for name in known().iter().filter(|name| has(name)) {
                if TALKATIVE.contains(&name.as_str()) {
                    continue;
                }
                let path = vm.ctx.new_str(name.as_str());
                if let Err(error) = vm.import(&path, 0) {
                    let mut why = String::new();
                    vm.write_exception(&mut why, &error).expect("a text takes all");
                    broken.push(format!("{name}: {}", why.lines().last().unwrap_or_default()));
                }
            }
        });
        assert!(broken.is_empty(), "{}", broken.join("\n"));
    }

    #[test]
    fn what_is_offered_is_there_and_what_is_left_out_is_not() {
        for name in OFFERED {
            assert!(has(name), "{name}");
        }
        for name in WITHOUT {
            assert!(!has(name), "{name}");
        }
    }
}
