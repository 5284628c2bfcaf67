//! The language is Python's: classes, generators, iterators, tasks; errors stay on the program's lines.

use crate::common::{error, run, session, value};
use serde_json::json;

#[test]
fn generator_expressions_and_iterators_work_when_they_are_asked() {
    let mut session = session();
    let seen = "def seen(x):\n    print('seen', x)\n    return x\n";
    for (program, printed) in [
        (
            "g = (seen(x) for x in [1, 2])\nprint('made')\nprint(next(g))",
            "made\nseen 1\n1\n",
        ),
        ("print(any(seen(x) == 1 for x in [1, 2]))", "seen 1\nTrue\n"),
        (
            "m = map(seen, [1, 2])\nprint('made', next(m))",
            "seen 1\nmade 1\n",
        ),
        (
            "for x in filter(seen, [0, 3]):\n    print('got', x)",
            "seen 0\nseen 3\ngot 3\n",
        ),
        (
            "for x, y in zip((seen(x) for x in [1, 2]), 'ab'):\n    print(x, y)",
            "seen 1\n1 a\nseen 2\n2 b\n",
        ),
        (
            "import itertools\nprint(next(x for x in itertools.count() if x > 5))",
            "6\n",
        ),
        (
            "import itertools\nfor i, x in enumerate(y * 2 for y in itertools.count()):\n    if i == 2:\n        break\nprint(x)",
            "4\n",
        ),
        (
            "print(next((x for x in [] if x), None), sum(x for x in [1, 2]))",
            "None 3\n",
        ),
    ] {
        let outcome = run(&mut session, &format!("{seen}{program}"));
        assert_eq!(
            (outcome.error, outcome.stdout.as_str()),
            (None, printed),
            "{program}"
        );
    }
}

#[test]
fn items_and_slices_are_deleted() {
    let mut session = session();
    assert_eq!(
        value(&mut session, "d = {'a': 1, 'b': 2}\ndel d['a']\nd"),
        json!({"b": 2})
    );
    assert_eq!(
        value(
            &mut session,
            "l = [0, 1, 2, 3, 4, 5]\ndel l[0], l[-2:], l[::2]\nl"
        ),
        json!([2])
    );
    assert_eq!(
        value(
            &mut session,
            "try:\n    del d[7]\nexcept KeyError as missing:\n    said = type(missing).__name__\nsaid"
        ),
        json!("KeyError")
    );
    assert_eq!(
        error(&mut session, "del l[9]"),
        "IndexError: list assignment index out of range"
    );
}

#[test]
fn methods_and_functions_are_values() {
    let mut session = session();
    for (program, expected) in [
        ("sales = {'a': 3, 'b': 1}\nmin(sales, key=sales.get)", json!("b")),
        ("list(map(str.upper, 'ab'))", json!(["A", "B"])),
        (
            "import re\nre.sub(r'\\d', lambda m: str(int(m[0]) + 1), 'a1b2')",
            json!("a2b3"),
        ),
        (
            "re.compile('a | b # either', re.VERBOSE).findall('cab')",
            json!(["a", "b"]),
        ),
        (
            "[round(2.675, 2), round(-273.15, 1), round(2.5)]",
            json!([2.67, -273.1, 2]),
        ),
        (
            "def named():\n    pass\n[named.__name__, int.__name__]",
            json!(["named", "int"]),
        ),
        (
            "[issubclass(KeyError, LookupError), issubclass(bool, int)]",
            json!([true, true]),
        ),
        ("def round(x, y):\n    return 'mine'\nround(1, 2)", json!("mine")),
        ("round(3, 4)", json!("mine")),
    ] {
        assert_eq!(value(&mut session, program), expected, "{program}");
    }
}

#[test]
fn errors_inside_expressions_name_their_own_lines() {
    let mut session = session();
    let program = "data = [\n    1,\n    0,\n]\ndel data[\n    :0\n]\nfirst = next(\n    1 / x\n    for x in data\n    if x < 1\n)";
    let failure = run(&mut session, program).error.expect("it divides by zero");
    assert_eq!(
        (failure.message.as_str(), failure.line),
        ("ZeroDivisionError: division by zero", 9)
    );
}

#[test]
fn classes_have_bases_properties_and_exceptions_of_their_own() {
    let mut session = session();
    for (program, expected) in [
        (
            "class Late(Exception):\n    def __init__(self, days):\n        super().__init__(f'{days} days')\n        \
             self.days = days\ntry:\n    raise Late(3)\nexcept Late as late:\n    said = [str(late), late.days]\nsaid",
            json!(["3 days", 3]),
        ),
        (
            "class Shape:\n    @property\n    def area(self):\n        return 0\n    @classmethod\n    def unit(cls):\n        \
             return cls()\nclass Square(Shape):\n    @property\n    def area(self):\n        return super().area + 1\n\
             Square.unit().area",
            json!(1),
        ),
        (
            "from enum import Enum\nclass Color(Enum):\n    RED = 1\n    BLUE = 2\n[c.name for c in Color]",
            json!(["RED", "BLUE"]),
        ),
        (
            "from dataclasses import dataclass, asdict\n@dataclass\nclass P:\n    x: int\n    y: int = 2\nasdict(P(1))",
            json!({"x": 1, "y": 2}),
        ),
    ] {
        assert_eq!(value(&mut session, program), expected, "{program}");
    }
}

#[test]
fn generators_yield_take_values_and_clean_up() {
    let mut session = session();
    for (program, expected) in [
        (
            "def tree(node):\n    yield node[0]\n    for child in node[1:]:\n        yield from tree(child)\n\
             list(tree([1, [2, [3]], [4]]))",
            json!([1, 2, 3, 4]),
        ),
        (
            "def mean():\n    total, count, value = 0, 0, None\n    while True:\n        value = yield value\n        total += value\n        \
             count += 1\n        value = total / count\nm = mean()\nnext(m)\n[m.send(2), m.send(4)]",
            json!([2.0, 3.0]),
        ),
        (
            "seen = []\ndef work():\n    try:\n        yield 1\n        yield 2\n    finally:\n        seen.append('closed')\n\
             g = work()\nnext(g)\ng.close()\nseen",
            json!(["closed"]),
        ),
        (
            "async def numbers():\n    for n in range(3):\n        yield await kit.echo(n)\n[n async for n in numbers()]",
            json!([0, 1, 2]),
        ),
    ] {
        assert_eq!(value(&mut session, program), expected, "{program}");
    }
}

#[test]
fn tasks_queues_and_timeouts_work_as_in_asyncio() {
    let mut session = session();
    for (program, expected) in [
        (
            "import asyncio\nasync def work(queue, done):\n    while (item := await queue.get()) is not None:\n        \
             done.append(await kit.echo(item))\nqueue, done = asyncio.Queue(), []\n\
             tasks = [asyncio.create_task(work(queue, done)) for _ in range(2)]\nfor item in [1, 2, 3, None, None]:\n    \
             queue.put_nowait(item)\nawait asyncio.wait(tasks)\nsorted(done)",
            json!([1, 2, 3]),
        ),
        (
            "import asyncio\nasync def main():\n    async with asyncio.timeout(0.01):\n        await asyncio.Event().wait()\n\
             try:\n    asyncio.run(main())\nexcept TimeoutError:\n    said = 'late'\nsaid",
            json!("late"),
        ),
        (
            "import asyncio\nasync with asyncio.TaskGroup() as group:\n    a = group.create_task(kit.echo(1))\n    \
             b = group.create_task(kit.echo(2))\n[a.result(), b.result()]",
            json!([1, 2]),
        ),
    ] {
        assert_eq!(value(&mut session, program), expected, "{program}");
    }
    assert_eq!(
        error(&mut session, "import asyncio\nawait asyncio.Event().wait()"),
        "RuntimeError: every task waits for another; nothing can go on"
    );
}

#[test]
fn bytes_are_stripped_byte_for_byte_whatever_characters_they_make() {
    let mut session = session();
    for (program, expected) in [
        (
            "from urllib.parse import quote, urlencode\n[quote('数据'), urlencode({'b': '中'})]",
            json!(["%E6%95%B0%E6%8D%AE", "b=%E4%B8%AD"]),
        ),
        (
            "['线上 '.encode().rstrip(b' \\n').decode(), '中'.encode().strip(b'-').decode()]",
            json!(["线上", "中"]),
        ),
        (
            "[bytearray('中--'.encode()).rstrip(b'-').decode(), '\\u3000x'.encode().strip().decode()]",
            json!(["中", "\u{3000}x"]),
        ),
        (
            "['é'.encode('latin-1').isalpha(), b'ab'.isalpha(), b'a1'.isalnum()]",
            json!([false, true, true]),
        ),
    ] {
        assert_eq!(value(&mut session, program), expected, "{program}");
    }
}
