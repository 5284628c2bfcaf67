"""Plays a suite with another agent, so that Shidi is measured beside it on the same tasks, model and limits.

    python play.py SUITE --model-url URL --out FOLDER [--only TEXT] [--limit N] [--repeat N]

Each finished attempt is one file below FOLDER, and is not played again while task and limits stay the same.
An interrupted run goes on there. Nothing is judged here: `shidi eval SUITE --attempts FOLDER` does, by the checks that
judge Shidi. Attempts with other limits belong into another folder, or they are judged as one side.
"""

import argparse
import base64
import dataclasses
import hashlib
import json
import multiprocessing
import os
import re
import sys
import tempfile
import urllib.request
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import guard
from agent import NAME, TAGS, Limits, Model, Player, Turn, Unreachable, Usage
from folder import Folder
from suite import Task, tasks

# The form of what is stored.
FORM = 1
SERVER_SECONDS = 30
# Wait beyond the bounds of all turns before an attempt is ended from outside.
GRACE_S = 60
# A process that begins as a copy has the library loaded already.
FORK = multiprocessing.get_context("fork")


@dataclass
class Remains:
    """What an attempt left beside its files."""

    turns: list[Turn] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    reason: str | None = None
    unreachable: str | None = None


def arguments() -> argparse.Namespace:
    usual = Limits()
    parser = argparse.ArgumentParser(description="Plays the tasks of a suite with smolagents' CodeAgent.")
    parser.add_argument("suite", type=Path, metavar="SUITE")
    parser.add_argument("--model-url", required=True, metavar="URL", help="an OpenAI-compatible server, with /v1")
    parser.add_argument("--model", metavar="NAME", help="the first that the server lists without it")
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="tasks whose names hold it")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N of these tasks")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="attempts at each task")
    parser.add_argument("--max-steps", type=int, default=usual.steps, metavar="N", help="of each turn")
    parser.add_argument("--timeout", type=float, default=usual.turn_s, metavar="S", help="of each turn")
    parser.add_argument("--max-tokens", type=int, default=usual.output_tokens, metavar="N", help="of each model call")
    parser.add_argument("--fresh", action="store_true", help="plays anew what is finished")
    parser.add_argument("--code-tags", choices=sorted(TAGS), default=usual.tags, help="what marks a program")
    return parser.parse_args()


def listed(url: str) -> str:
    """The name of the first model of the server."""
    with urllib.request.urlopen(f"{url.rstrip('/')}/models", timeout=SERVER_SECONDS) as reply:
        return json.load(reply)["data"][0]["id"]


def place(out: Path, name: str, attempt: int) -> Path:
    """The file of an attempt; a name that is no name of a file gets a digest."""
    safe = re.sub(r"[^\w.-]", "-", name)[:80]
    if safe != name:
        safe = f"{safe}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return out / f"{safe}.{attempt}.json"


def is_done(path: Path, conditions: dict[str, Any]) -> bool:
    try:
        return json.loads(path.read_text(encoding="utf-8"))["conditions"] == conditions
    except (OSError, ValueError, KeyError, TypeError):
        return False


def store(path: Path, attempt: dict[str, Any]) -> None:
    """Writes whole or not at all."""
    half = path.with_suffix(".part")
    half.write_text(json.dumps(attempt, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    os.replace(half, path)


def played(task: Task, number: int, given: argparse.Namespace, limits: Limits) -> dict[str, Any]:
    """One attempt in a folder and a process of its own: what a program of the model hangs in ends with the process."""
    with tempfile.TemporaryDirectory(prefix="shidi-peer-") as work:
        folder = Folder(Path(work))
        for name, content in task.files.items():
            path = folder.place(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        before = folder.contents()
        results, end = multiprocessing.Pipe(duplex=False)
        process = FORK.Process(target=play, args=(task, folder, given, limits, end), daemon=True)
        process.start()
        end.close()
        try:
            ended = results.poll(limits.turn_s * len(task.turns) + GRACE_S)
            left = results.recv() if ended else hung(task, limits)
        except EOFError:
            process.join(GRACE_S)
            # A signal, such as for want of memory, comes from what the model wrote; anything else is a fault of this player.
            if (process.exitcode or 0) >= 0:
                raise RuntimeError(f"the player failed at {task.name}") from None
            left = Remains(reason=f"the process ended by signal {-process.exitcode}")
        finally:
            process.kill()
            process.join()
        if left.unreachable:
            raise Unreachable(left.unreachable)
        return {
            "form": FORM,
            "agent": NAME,
            "task": task.name,
            "attempt": number,
            "said": task.turns,
            "conditions": conditions(task, given.model, limits),
            "trial": clean(trial(left, before, folder.contents())),
            "turns": clean([{"seconds": turn.seconds, "steps": turn.steps} for turn in left.turns]),
        }


def play(task: Task, folder: Folder, given: argparse.Namespace, limits: Limits, end: Connection) -> None:
    """Plays the task in the process of the attempt, and sends what it left."""
    guard.begin()
    with guard.lifted():
        player = Player(task, folder, Model(given.model_url, given.model, limits), limits)
    left = Remains()
    try:
        left.turns = player.play()
    except Unreachable as error:
        left.unreachable = str(error)
    left.calls, left.usage = player.calls, player.model.used
    end.send(left)


def hung(task: Task, limits: Limits) -> Remains:
    """The remains of an attempt whose program did not end."""
    turns = [Turn() for _ in task.turns]
    turns[-1] = Turn(late=True, reason="a program did not end", seconds=limits.turn_s)
    return Remains(turns=turns, usage=Usage(estimated=True))


def conditions(task: Task, model_name: str, limits: Limits) -> dict[str, Any]:
    """What decides whether an attempt is still the same one."""
    return {"agent": NAME, "model": model_name, "task": task.digest(), **dataclasses.asdict(limits)}


def trial(left: Remains, before: dict[str, bytes], after: dict[str, bytes]) -> dict[str, Any]:
    """What checks look at, in the form in which Shidi stores its own attempts."""
    turns = left.turns or [Turn(reason=left.reason)]
    steps = [step for turn in turns for step in turn.steps if step["code"]]
    reason = turns[-1].reason
    return {
        "answers": [turn.answer for turn in turns],
        "asked_in": [number for number, turn in enumerate(turns, 1) if turn.asked],
        "calls": left.calls,
        "programs": [
            {"program": step["code"], "output": step["output"] + (step["error"] or ""), "ok": not step["error"]}
            for step in steps
        ],
        "segments": [],
        "variables": {},
        "before": encoded(before),
        "after": encoded(after),
        "usage": dataclasses.asdict(left.usage),
        "ms": round(1000 * sum(turn.seconds for turn in turns)),
        "status": "failed" if reason else "completed",
        "reason": reason,
        "late": any(turn.late for turn in turns),
        "rounds_over": any(turn.steps_over for turn in turns),
        "broken": None,
    }


def encoded(files: dict[str, bytes]) -> dict[str, str]:
    return {name: base64.b64encode(content).decode() for name, content in files.items()}


def clean(value: Any) -> Any:
    """The same without halves of letters, which no other reader of JSON takes."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [clean(inner) for inner in value]
    if isinstance(value, dict):
        return {clean(key): clean(inner) for key, inner in value.items()}
    return value


def main() -> int:
    given = arguments()
    limits = Limits(
        steps=given.max_steps, turn_s=given.timeout, output_tokens=given.max_tokens, tags=given.code_tags
    )
    chosen, others = tasks(given.suite)
    wanted = [task for task in chosen if not given.only or any(part in task.name for part in given.only)]
    wanted = wanted[: given.limit]
    for name, reason in others:
        print(f"NOT PLAYED: {name} ({reason})")
    if not wanted:
        print("NOT PLAYED: no task is left")
        return 1
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        given.model = given.model or listed(given.model_url)
        for number in range(1, given.repeat + 1):
            for task in wanted:
                one(task, number, given, limits)
    except (Unreachable, OSError) as error:
        # What is finished stays, and the next call goes on.
        print(f"The model server can't be reached: {error}", file=sys.stderr)
        return 2
    return 0


def one(task: Task, number: int, given: argparse.Namespace, limits: Limits) -> None:
    """Plays an attempt that is not there yet, and stores it."""
    path = place(given.out, task.name, number)
    if not given.fresh and is_done(path, conditions(task, given.model, limits)):
        print(f"↺ {task.name}", flush=True)
        return
    attempt = played(task, number, given, limits)
    store(path, attempt)
    used, seconds = attempt["trial"]["usage"], attempt["trial"]["ms"] / 1000
    figures = f"{used['model_calls']} · {used['input']} + {used['output']} · {seconds:.1f} s"
    reason = attempt["trial"]["reason"]
    print(f"played {task.name}  {figures}{f'  ({reason})' if reason else ''}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
