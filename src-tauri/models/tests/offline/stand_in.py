"""Runs the programs of the offline planner with toolkits that answer from fixed data.

Reads a JSON list of programs on stdin and writes, for each, the text that it said to the user, or its failure.
"""

import ast
import asyncio
import contextlib
import io
import json
import re
import sys
from types import SimpleNamespace

CONTRACT = """# Contract

The notice period is 30 days.
Payment is due within 14 days of the invoice; the deadline is strict.
Liability is limited to direct damage.
付款期限为收到发票后十四天。
违约金为合同总额的百分之五。
""".split("\n")

NOTES = [
    ("护照放在书房左边的抽屉里", "note", "2026-11-01T08:00:00Z"),
    ("My passport is in the desk drawer", "note", "2026-11-02T08:00:00Z"),
    ("Where is my passport?", "session", "2026-11-03T08:00:00Z"),
    ("我的护照在哪？", "session", "2026-11-03T08:00:00Z"),
    ("The museum is closed on Mondays", "note", "2026-11-04T08:00:00Z"),
    ("Remembered: My passport is in the desk drawer", "session", "2026-11-02T08:00:00Z"),
]


def result(data):
    return SimpleNamespace(ok=True, data=data, error=None)


class System:
    async def time(self):
        return result(
            {
                "iso": "2026-11-20T13:05:09+08:00",
                "date": "2026-11-20",
                "weekday": "Friday",
                "timezone": "Asia/Shanghai",
                "unix_ms": 1795151109000,
            }
        )


class Memory:
    async def remember(self, text):
        return result("1")

    async def search(self, text, limit):
        return result([{"text": text, "source": source, "time": time} for text, source, time in NOTES][:limit])


class Files:
    async def grep(self, pattern, path, ignore_case):
        lines = enumerate(CONTRACT, 1)
        found = [(at, line) for at, line in lines if re.search(pattern, line, re.IGNORECASE if ignore_case else 0)]
        return result([{"path": path, "line": at, "place": f"line {at}", "text": line} for at, line in found])

    async def read(self, path, limit_lines):
        return result("\n".join(CONTRACT[:limit_lines]) + "\n")


class User:
    def __init__(self):
        self.said = []

    async def say(self, text):
        self.said.append(text)
        return result(None)


async def run(program):
    user = User()
    names = {"user": user, "system": System(), "memory": Memory(), "files": Files()}
    try:
        code = compile(program, "program", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        work = eval(code, names)
        if work is not None:
            await work
    except Exception as failure:
        return f"{type(failure).__name__}: {failure}"
    return "\n\n".join(user.said)


async def main():
    programs = json.load(sys.stdin)
    with contextlib.redirect_stdout(io.StringIO()):
        said = [await run(program) for program in programs]
    json.dump(said, sys.stdout)


asyncio.run(main())
