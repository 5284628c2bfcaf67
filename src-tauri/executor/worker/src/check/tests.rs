//! Faults that the check finds, and programs that it must let pass.

use super::check;
use crate::interpreter::Interpreter;
use rustpython_vm::signal::user_signal_channel;
use shidi_executor_proto::{CheckRequest, MethodShape, ParameterShape, ToolkitShape};

/// Programs that run.
const SOUND: &[&str] = &[
    "",
    "x = earlier + 1\nprint(x, json.dumps(x))",
    "import asyncio\nr = await asyncio.gather(*[files.read(p) for p in ['a', 'b']])\nprint(len(r))",
    "calls = []\ncalls.append(files.read('a'))\nimport asyncio\nawait asyncio.gather(*calls)",
    "task = files.read('a')\nr = await task\nprint(r['x'])",
    "a = files.read('a')\nb = files.read('b')\nimport asyncio\nx, y = await asyncio.gather(a, b)",
    "async def one(p):\n    return files.read(p)\nprint(await (await one('a')))",
    "f = files.read\nprint(await f('a'))",
    "options = {'path': 'a'}\nprint(await files.read(**options))",
    "args = ['a']\nprint(await files.read(*args))",
    "def f(a, *b, c=1, **d):\n    return a, b, c, d\nprint(f(1))",
    "match earlier:\n    case [a, *rest]:\n        print(a, rest)\n    case {'k': v, **others}:\n        print(v, others)\n    case str() as s:\n        print(s)",
    "try:\n    nowhere\nexcept NameError:\n    pass",
    "try:\n    import numpy\nexcept ImportError:\n    numpy = None",
    "exec('y = 1')\nprint(y)",
    "if (n := len('abc')) > 2:\n    print(n)",
    "print([i * j for i in range(3) for j in range(i)])\nprint((lambda q: q)(1))",
    "with open('x') as handle:\n    print(handle)",
    "class K:\n    size: int = 3\n    def grow(self):\n        self.size += 1\nk = K()\nk.grow()",
    "def g():\n    global later\n    later = 1\ng()\nprint(later)",
    "files = [1, 2]\nprint(files.count(1), len(files))",
    "x: Undefined = 1\nprint(x)",
    "for i in range(3):\n    pass\nelse:\n    print(i)",
    "try:\n    1 / 0\nexcept ZeroDivisionError as problem:\n    print(problem)",
    "print(__name__)",
    "class E(Exception):\n    pass\ndef f():\n    yield 1\nasync def g():\n    async with f() as x:\n        yield x",
    "import collections.abc, urllib.parse\nfrom xml.etree import ElementTree",
    "from math import *\nfrom dataclasses import *\n@dataclass\nclass P:\n    x: int = 1\nprint(sqrt(P().x))",
];

/// Programs, and the beginnings of their findings.
const BROKEN: &[(&str, &[&str])] = &[
    ("print(1\n", &["1 SyntaxError: "]),
    (
        "print(earler)",
        &["1 NameError: name 'earler' is not defined | Did you mean `earlier`?"],
    ),
    (
        "x = 1\nprint(math.pi)",
        &["2 NameError: name 'math' is not defined | Write `import math` first"],
    ),
    (
        "read('a')",
        &["1 NameError: name 'read' is not defined | Did you mean `files.read`?"],
    ),
    (
        "import numpy as np",
        &["1 ModuleNotFoundError: No module named 'numpy' | Available modules: abc, "],
    ),
    (
        "import sqlite3",
        &[
            "1 ModuleNotFoundError: No module named 'sqlite3' | Keep rows in lists and dicts, and save them as JSON",
        ],
    ),
    (
        "await files.raed('a')",
        &["1 AttributeError: toolkit 'files' has no method 'raed' | Did you mean `files.read`?"],
    ),
    (
        "await files.remove('a')",
        &[
            "1 AttributeError: toolkit 'files' has no method 'remove' | It has: read(path, lines=…), list_folder(path=…)",
        ],
    ),
    (
        "await many.unlisted()",
        &[
            "1 AttributeError: toolkit 'many' has no method 'unlisted'; 44 that are allowed are left out, the user can forbid others | It has: tool_0",
        ],
    ),
    (
        "await files.read(pth='a')",
        &[
            "1 TypeError: files.read() got an unexpected argument 'pth' | Did you mean `path`?",
            "1 TypeError: files.read() missing required argument 'path' | It takes (path, lines=…)",
        ],
    ),
    (
        "await files.read('a', encoding='gbk')",
        &[
            "1 TypeError: files.read() got an unexpected argument 'encoding' | Leave out `encoding`. It takes (path, lines=…)",
        ],
    ),
    (
        "await files.read('a', 1, 2)",
        &["1 TypeError: files.read() takes 2 arguments but 3 were given | "],
    ),
    (
        "await files.read('a', path='b')",
        &["1 TypeError: files.read() got multiple values for argument 'path'"],
    ),
    (
        "r = files.read('a')\nprint(r['x'])",
        &["1 TypeError: `files.read(…)` is called without `await` | Write `await files.read(…)`"],
    ),
    (
        "files.read('a')",
        &["1 TypeError: `files.read(…)` is called without `await`"],
    ),
    (
        "for x in files.list_folder():\n    print(x)",
        &["1 TypeError: `files.list_folder(…)` is called without `await`"],
    ),
    (
        "print(files.read('a'))",
        &["1 TypeError: `files.read(…)` is called without `await`"],
    ),
    (
        "print(f\"{files.read('a')}\")",
        &["1 TypeError: `files.read(…)` is called without `await`"],
    ),
    (
        "names = sorted(await files.read('a').splitlines())",
        &[
            "1 TypeError: `await` does not reach `files.read(…)`: it waits for what stands behind it | Put the call in brackets: `(await files.read(…)).splitlines`",
        ],
    ),
    (
        "x = await files.list_folder()[0]['path']",
        &[
            "1 TypeError: `await` does not reach `files.list_folder(…)`: it waits for what stands behind it | Put the call in brackets: `(await files.list_folder(…))[…]`",
        ],
    ),
    (
        "x = files.read('a').data",
        &["1 TypeError: `files.read(…)` is called without `await`"],
    ),
];

fn method(name: &str, required: &[&str], optional: &[&str]) -> MethodShape {
    let parameter = |name: &&str, required| ParameterShape {
        name: (*name).to_owned(),
        required,
    };
    let parameters = required.iter().map(|name| parameter(name, true));
    let parameters = parameters
        .chain(optional.iter().map(|name| parameter(name, false)))
        .collect();
    MethodShape {
        name: name.to_owned(),
        parameters,
    }
}

fn files() -> ToolkitShape {
    ToolkitShape {
        name: "files".to_owned(),
        methods: vec![
            method("read", &["path"], &["lines"]),
            method("list_folder", &[], &["path"]),
        ],
        left_out: 0,
    }
}

/// The toolkit with the methods that other names are taken for.
fn whole_files() -> ToolkitShape {
    let mut toolkit = files();
    toolkit.methods.extend([
        method("list", &[], &["path", "depth"]),
        method("write", &["path", "text"], &["append"]),
        method("move", &["path", "to"], &[]),
        method("info", &["path"], &["missing_ok"]),
    ]);
    toolkit
}

fn many() -> ToolkitShape {
    ToolkitShape {
        name: "many".to_owned(),
        methods: vec![method("tool_0", &[], &[])],
        left_out: 44,
    }
}

thread_local! {
    static SESSION: Interpreter = {
        let (_, stop) = user_signal_channel();
        Interpreter::new(stop).expect("our own text runs")
    };
}

/// Findings as `line kind: message | hint`.
fn found(source: &str) -> Vec<String> {
    found_with(vec![files(), many()], source)
}

fn found_with(toolkits: Vec<ToolkitShape>, source: &str) -> Vec<String> {
    let known = vec!["earlier".to_owned(), "json".to_owned()];
    let request = CheckRequest {
        source: source.to_owned(),
        toolkits,
        known,
    };
    SESSION
        .with(|session| check(&request, session))
        .into_iter()
        .map(|finding| {
            format!(
                "{} {} | {}",
                finding.line,
                finding.message,
                finding.hint.unwrap_or_default()
            )
        })
        .collect()
}

#[test]
fn programs_that_run_have_no_findings() {
    for source in SOUND {
        assert_eq!(found(source), Vec::<String>::new(), "{source}");
    }
}

#[test]
fn what_cannot_work_is_named_with_its_line_and_what_was_meant() {
    for (source, expected) in BROKEN {
        let found = found(source);
        assert_eq!(found.len(), expected.len(), "{source}: {found:?}");
        for (finding, expected) in found.iter().zip(*expected) {
            assert!(finding.starts_with(expected), "{source}: {finding}");
        }
    }
}

#[test]
fn a_call_that_goes_through_under_other_names_has_no_findings() {
    for source in [
        "await files.list(folder='.')\nawait files.write(filename='a', content='x', encoding='utf-8')",
        "await files.write('a', data='x', encoding=None)\nawait files.read(file='a', encoding='gbk')",
        "how = 'utf-8'\nawait files.write('a', 'x', encoding=how)\nawait files.read(**{'file': 'a'})",
        "if not await files.exists('a') and not await files.exists(file='b'):\n    print(1)",
    ] {
        let found = found_with(vec![whole_files()], source);
        assert_eq!(found, Vec::<String>::new(), "{source}");
    }
}

#[test]
fn a_name_with_two_meanings_is_a_finding_and_so_is_exists_without_await() {
    for (source, expected) in [
        (
            "await files.read(file='a', filename='b')",
            "1 TypeError: files.read() got an unexpected argument 'file'",
        ),
        (
            "await files.read('a', file='b')",
            "1 TypeError: files.read() got an unexpected argument 'file'",
        ),
        (
            "await files.move('a', folder='b')",
            "1 TypeError: files.move() got an unexpected argument 'folder'",
        ),
        (
            "await files.write('a', 'x', encoding='gbk')",
            "1 TypeError: files.write() got an unexpected argument 'encoding' | Leave out `encoding`",
        ),
        (
            "if files.exists('a'):\n    print(1)",
            "1 TypeError: `files.exists(…)` is called without `await`",
        ),
        (
            "await files.exists()",
            "1 TypeError: files.exists() missing required argument 'path'",
        ),
    ] {
        let found = found_with(vec![whole_files()], source);
        let first = found.first().map(String::as_str).unwrap_or_default();
        assert!(first.starts_with(expected), "{source}: {found:?}");
    }
    let without_info = found("await files.exists('a')");
    assert!(without_info[0].contains("no method 'exists'"), "{without_info:?}");
}

#[test]
fn a_source_nested_beyond_the_parsers_stack_is_refused_not_followed() {
    let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(found(&deep)[0].contains("SyntaxError"), "{:?}", found(&deep));
}

#[test]
fn findings_are_told_once_and_in_bounded_number() {
    assert_eq!(found("nowhere\nnowhere\nprint(nowhere)").len(), 1);
    let many: String = (0..100).map(|i| format!("unknown_{i}\n")).collect();
    assert_eq!(found(&many).len(), super::MOST_FINDINGS);
}

#[test]
fn a_call_with_anothers_arguments_is_told_whose_they_are() {
    let workflows = ToolkitShape {
        name: "workflows".to_owned(),
        methods: vec![
            method("book_hotel", &[], &["city", "nights", "rooms"]),
            method("rent_car", &[], &["city", "days", "driver"]),
        ],
        left_out: 0,
    };
    for (source, expected) in [
        (
            "await workflows.book_hotel(city='Bexford', days=5, driver='Imogen')",
            "Did you mean `workflows.rent_car`?",
        ),
        (
            "await workflows.get_wheels(city='Bexford', days=5)",
            "Did you mean `workflows.rent_car`?",
        ),
        (
            "await files.rent_car(city='Bexford', days=5)",
            "Did you mean `workflows.rent_car`?",
        ),
        // Both have a city.
        (
            "await workflows.get_wheels(city='Bexford')",
            "It has: book_hotel(city=…, nights=…, rooms=…), rent_car(city=…, days=…, driver=…)",
        ),
        (
            "await workflows.book_hotel(city='Bexford', days=5, wings=2)",
            "Leave out `days`. It takes (city=…, nights=…, rooms=…)",
        ),
    ] {
        let found = found_with(vec![files(), workflows.clone()], source);
        let first = found.first().cloned().unwrap_or_default();
        assert!(first.ends_with(expected), "{source}: {found:?}");
    }
}
