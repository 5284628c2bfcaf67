//! What the rewriter changes in a program, and that it keeps every line where it was.

use super::{FactNames, Facts, Rewritten, line_of, rewrite};

fn rewritten(source: &str) -> String {
    rewrite(source, &mut FactNames::default()).source
}

fn expect_each(cases: &[(&str, &str)]) {
    for (source, expected) in cases {
        assert_eq!(&rewritten(source), expected);
    }
}

#[test]
fn only_what_must_change_changes() {
    expect_each(&[
        ("x = 1", "x = 1"),
        ("x", "_shidi_value = x"),
        ("x = 1; x", "x = 1; _shidi_value = x"),
        ("if x:\n    y", "if x:\n    y"),
        ("import json", "import json"),
        ("import heapq", "heapq = _shidi_heapq"),
        ("import os, heapq as h", "import os; h = _shidi_heapq"),
        ("from heapq import heappush as p", "p = _shidi_heapq.heappush"),
        ("from math import pi", "from math import pi"),
        (
            "from collections import deque, ChainMap",
            "from collections import deque; ChainMap = _shidi__collections.ChainMap",
        ),
        (
            "y = collections.OrderedDict(a=1)",
            "y = _shidi__collections.OrderedDict(a=1)",
        ),
        ("y = r.data", "y = _shidi_data(r)"),
        ("y = r.data.ok", "y = _shidi_ok(_shidi_data(r))"),
        ("y = (await f()).error", "y = _shidi_error((await f()))"),
        ("y = f'{r.data[0]}'", "y = f'{_shidi_data(r)[0]}'"),
        ("r.data = 1", "r.data = 1"),
        ("r.data[0] = 1", "_shidi_data(r)[0] = 1"),
        ("r.data()", "_shidi_value = r.data()"),
        ("y = self.data", "y = self.data"),
        (
            "match y:\n    case K.data:\n        pass",
            "match y:\n    case K.data:\n        pass",
        ),
        (
            "y = await asyncio.gather(a, return_exceptions=True)",
            "y = await _shidi_gather(a, return_exceptions=True)",
        ),
        ("y = await asyncio.gather(a)", "y = await asyncio.gather(a)"),
        (
            r"y = re.sub(r'(a)(b)', r'\1_\2', x)",
            r"y = re.sub(r'(a)(b)', r'\g<1>_\g<2>', x)",
        ),
        (r"y = p.sub('\\1\n\\\\1', x)", r"y = p.sub('\\g<1>\n\\\\1', x)"),
        (r"y = p.sub(r'\\1\12', x)", r"y = p.sub(r'\\1\g<12>', x)"),
        ("r.data", "_shidi_value = _shidi_data(r)"),
        ("this is no python", "this is no python"),
    ]);
}

#[test]
fn what_the_interpreter_lacks_comes_from_our_texts() {
    expect_each(&[
        ("import urllib.parse", "urllib = _shidi_urllib"),
        ("import urllib.parse as p", "p = _shidi_urllib_parse"),
        (
            "from urllib.parse import quote",
            "quote = _shidi_urllib_parse.quote",
        ),
        ("y = d.isocalendar()", "y = _shidi__methods.isocalendar(d, )"),
        (
            "y = (1023).bit_length()",
            "y = _shidi__methods.bit_length((1023), )",
        ),
        (
            "y = min(d, key=d.get)",
            "y = min(d, key=_shidi__methods.of(d, 'get'))",
        ),
        ("y = str.upper(x)", "y = _shidi__methods.of(str, 'upper')(x)"),
        ("y = f.__name__", "y = _shidi__methods.name(f)"),
        ("y = round(x, 1)", "y = _shidi__methods.round(x, 1)"),
        (
            "def round(x):\n    return x\ny = round(1)",
            "def round(x):\n    return x\ny = round(1)",
        ),
        (
            "y = timedelta(hours=1.5)",
            "y = _shidi__methods.timedelta(hours=1.5)",
        ),
        ("del d[k]", "_shidi__methods.delete(d, k)"),
        (
            "del d['a'], work[-2:], x[::4]",
            "_shidi__methods.delete(d, 'a'); _shidi__methods.delete(work, slice(-2, None, None)); \
             _shidi__methods.delete(x, slice(None, None, 4))",
        ),
        ("del x", "del x"),
    ]);
}

#[test]
fn iterators_wait_where_not_all_of_them_is_wanted_at_once() {
    expect_each(&[
        ("y = sum(x for x in z)", "y = sum(x for x in z)"),
        ("y = ', '.join(x for x in z)", "y = ', '.join(x for x in z)"),
        (
            "y = any(f(x) for x in z if x)",
            "y = any(_shidi__lazy.each(lambda _shidi_one, _shidi_take: \
             [f(x) for x in (_shidi_one or _shidi_take(z)) if x]))",
        ),
        (
            "y = (x for x in (r.data))",
            "y = _shidi__lazy.each(lambda _shidi_one, _shidi_take: \
             [x for x in (_shidi_one or _shidi_take((_shidi_data(r))))])",
        ),
        (
            "y = any((last := x) for x in z)",
            "y = any((last := x) for x in z)",
        ),
        (
            "for i, x in enumerate(z):\n    pass",
            "for i, x in _shidi__lazy.enumerate(z):\n    pass",
        ),
        ("y = list(map(f, z))", "y = list(map(f, z))"),
    ]);
}

#[test]
fn no_line_moves() {
    for source in [
        "from heapq import (\n    heappush,\n    heappop,\n)\nx = 1\nx.data\n",
        "import heapq, \\\n    json\ny = 2",
        "def f():\n    import statistics\n\n    return (\n        r\n        .data\n    )\n\nf()",
        "x = any(\n    f(y)\n    for y in (\n        z\n    )\n    if y\n)\ndel a[\n    1\n], b[2]\ny = (\n    d\n    .get\n)\n",
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
fn programs_that_depend_on_the_host_say_where() {
    let mut names = FactNames::default();
    let facts = |source: &str, names: &mut FactNames| rewrite(source, names).facts;
    let none = Facts::default();
    assert_eq!(facts("x = time", &mut names), none);
    assert_eq!(
        facts("\nimport time as t", &mut names),
        Facts {
            clock: Some(2),
            ..none
        }
    );
    assert_eq!(
        facts("x = 1\ny = t.time()", &mut names),
        Facts {
            clock: Some(2),
            ..none
        }
    );
    assert_eq!(
        facts("from random import choice", &mut names),
        Facts {
            entropy: Some(1),
            ..none
        }
    );
    assert_eq!(
        facts("choice('ab')", &mut names),
        Facts {
            entropy: Some(1),
            ..none
        }
    );
    assert_eq!(facts("x = 1", &mut names), none);
}

#[test]
fn modules_that_are_needed_are_named() {
    let Rewritten { modules, .. } = rewrite(
        "import heapq\nfrom collections import ChainMap",
        &mut FactNames::default(),
    );
    assert_eq!(modules, ["heapq", "_collections"]);
}

#[test]
fn methods_of_toolkits_are_the_hosts() {
    let mut names = FactNames::default();
    names.set_toolkits(["kit"].into_iter());
    for source in ["await_me = kit.translate(1)", "f = kit.get"] {
        assert_eq!(rewrite(source, &mut names).source, source);
    }
}
