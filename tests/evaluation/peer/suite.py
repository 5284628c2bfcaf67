"""Reads a suite as another agent is given it, and names the tasks that it can't be given.

The format is that of assets/evaluation/README.md. What only Shidi has is told as text where that is the same help:
memory, documents and the page in front of the user. A task with anything else is not played, with the reason.
"""

import base64
import json
import subprocess
import sys
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import yaml

PROMPTS = ["{{question}}"]
TASK_KEYS = {"description", "vars", "metadata", "shidi", "assert"}
SITUATION_KEYS = {"files", "attach", "memory", "knowledge", "page", "turns", "mode", "answers"}
# Why a task with that key is not played.
OWN_KEYS = {
    "workflows": "its workflows are Shidi's own kind of program",
    "history": "it goes on from a conversation that was held with Shidi",
}
# Seconds that a program of a suite may take to write a big file.
PROGRAM_SECONDS = 30


@dataclass
class Task:
    """One task: what is said, and the situation before it."""

    name: str
    turns: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    attach: list[str] = field(default_factory=list)
    memory: list[str] = field(default_factory=list)
    knowledge: dict[str, dict[str, str]] = field(default_factory=dict)
    page: dict[str, str] | None = None
    answers: list[str] = field(default_factory=list)

    def digest(self) -> str:
        """Changes with everything that the agent is given."""
        files = {name: sha256(content).hexdigest() for name, content in self.files.items()}
        told = [self.turns, files, self.attach, self.memory, self.knowledge, self.page, self.answers]
        return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def tasks(path: Path) -> tuple[list[Task], list[tuple[str, str]]]:
    """The tasks of a suite that can be played, and the others with the reason."""
    suite = yaml.safe_load(path.read_text(encoding="utf-8"))
    played, others = [], []
    for number, test in enumerate(suite.get("tests") or [], 1):
        name = str(test.get("description") or f"task {number}")
        reason = why_not(suite, test)
        if reason:
            others.append((name, reason))
        else:
            played.append(task(name, test))
    return played, others


def why_not(suite: dict, test: dict) -> str | None:
    """Why a task can't be played; None for one that can."""
    situation = test.get("shidi") or {}
    if suite.get("prompts") != PROMPTS or suite.get("defaultTest"):
        return "the prompt of its suite is more than the question"
    if not isinstance((test.get("vars") or {}).get("question"), str):
        return "its question is no text"
    for key in sorted(situation):
        if key in OWN_KEYS:
            return OWN_KEYS[key]
    unknown = sorted((set(test) - TASK_KEYS) | (set(situation) - SITUATION_KEYS))
    if unknown:
        return f"not known here: {', '.join(unknown)}"
    if situation.get("mode", "trust") != "trust":
        return "it is about permissions, which the peer has not"
    return None


def task(name: str, test: dict) -> Task:
    """The task as it is played."""
    situation = test.get("shidi") or {}
    return Task(
        name=name,
        turns=[test["vars"]["question"], *situation.get("turns", [])],
        files={path: content(what) for path, what in (situation.get("files") or {}).items()},
        attach=situation.get("attach") or [],
        memory=situation.get("memory") or [],
        knowledge=situation.get("knowledge") or {},
        page=situation.get("page"),
        answers=situation.get("answers") or [],
    )


def content(what: str | dict[str, str]) -> bytes:
    """The bytes of a file of a suite."""
    if isinstance(what, str):
        return what.encode()
    if "base64" in what:
        return base64.b64decode(what["base64"])
    command = [sys.executable, "-I", "-X", "utf8", "-c", what["python"]]
    return subprocess.run(command, capture_output=True, check=True, timeout=PROGRAM_SECONDS).stdout
