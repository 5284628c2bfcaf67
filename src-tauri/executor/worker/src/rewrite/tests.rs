//! The rewriter's changes to a program, and that every line keeps its number.

use super::{FactNames, line_of, rewrite};

fn rewritten(source: &str) -> String {
    rewrite(source, &mut FactNames::default()).source
}

#[test]
fn only_what_must_change_changes() {
    for (source, expected) in [
        ("x = 1", "x = 1"),
        ("x", "_shidi_value = x"),
        ("x = 1; x", "x = 1; _shidi_value = x"),
        ("if x:\n    y", "if x:\n    y"),
        ("import json", "import json"),
        ("y = r.data", "y = _shidi_data(r)"),
        ("y = r.data.ok", "y = _shidi_ok(_shidi_data(r))"),
        ("y = (await f()).error", "y = _shidi_error((await f()))"),
        ("y = f'{r.data[0]}'", "y = f'{_shidi_data(r)[0]}'"),
        ("y = f'{r.data=}'", "y = f'r.data={_shidi_data(r)!r}'"),
        ("y = f'{ r.data = :>9}'", "y = f' r.data = { _shidi_data(r):>9}'"),
        ("y = f'{r.data=!s}'", "y = f'r.data={_shidi_data(r)!s}'"),
        (
            "y = f'{len(r.data)=} {r.ok}'",
            "y = f'len(r.data)={len(_shidi_data(r))!r} {_shidi_ok(r)}'",
        ),
        ("y = f'{r.data[\"a\"]=}'", "y = f'{r.data[\"a\"]=}'"),
        ("y = f'{(r.data)=}'", "y = f'{(r.data)=}'"),
        ("y = f'{x=}'", "y = f'{x=}'"),
        ("y = (5).data", "y = (5).data"),
        ("r.data = 1", "r.data = 1"),
        ("r.data[0] = 1", "_shidi_data(r)[0] = 1"),
        ("r.data()", "_shidi_value = r.data()"),
        ("y = self.data", "y = self.data"),
        (
            "match y:\n    case K.data:\n        pass",
            "match y:\n    case K.data:\n        pass",
        ),
        ("r.data", "_shidi_value = _shidi_data(r)"),
        ("this is no python", "this is no python"),
    ] {
        assert_eq!(rewritten(source), expected);
    }
}

#[test]
fn no_line_moves() {
    for source in [
        "from heapq import (\n    heappush,\n    heappop,\n)\nx = 1\nx.data\n",
        "def f():\n    import statistics\n\n    return (\n        r\n        .data\n    )\n\nf()",
        "\u{feff}x = 1\r\nx.data\r\n",
        "'''\nimport heapq\n'''\nx.ok",
    ] {
        let changed = rewritten(source);
        assert_eq!(
            changed.matches('\n').count(),
            source.matches('\n').count(),
            "{changed}"
        );
        assert_eq!(line_of(&changed, changed.len()), line_of(source, source.len()));
    }
}

#[test]
fn a_program_says_which_facts_it_depends_on_also_by_names_of_earlier_programs() {
    let mut names = FactNames::default();
    for (source, clock, entropy, tasks) in [
        ("x = time", false, false, false),
        ("import time as t", true, false, false),
        ("y = t.time()", true, false, false),
        ("from random import choice", false, true, false),
        ("choice('ab')", false, true, false),
        ("import asyncio.queues", false, false, true),
        ("await asyncio.sleep(1)", false, false, true),
        ("x = 1", false, false, false),
        ("from random import *", false, true, false),
        ("shuffle(x)", false, true, false),
    ] {
        let program = rewrite(source, &mut names);
        let found = (program.wants_clock, program.wants_entropy, program.wants_loop);
        assert_eq!(found, (clock, entropy, tasks), "{source}");
    }
}

#[test]
fn a_program_nested_too_deeply_for_the_parser_is_left_to_the_interpreter() {
    let deep = "(".repeat(100_000);
    assert_eq!(rewritten(&deep), deep);
}
