"""The peer's file tools: those of Shidi by names and arguments, on one folder and nothing else.

Nothing here leads out of the folder, links included. Each tool is described in `TOOLS` in as few words as Shidi's are to a
small model. Documents such as PDF are not read.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
from pathlib import Path
from typing import Any

from charset_normalizer import from_bytes

READ_LINES = 100_000
FOUND_MAX = 1_000
FIND_PASSAGES = 6
# Files that an error names where a path is wrong.
NAMES_SHOWN = 8
# What is stored of a folder, as much as of Shidi's own.
STORED_FILE_BYTES_MAX = 4 << 20
STORED_BYTES_MAX = 32 << 20
STORED_FILES_MAX = 2_000
# Encodings that are tried before frequencies decide.
MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
WORD = re.compile(r"[A-Za-z0-9_]+|[\u4e00-\u9fff]")

PATH = {"type": "string", "description": "a file or folder, relative to the work folder"}
FILE = {"type": "string", "description": "a file, relative to the work folder"}


def text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def optional(kind: str, description: str) -> dict[str, Any]:
    return {"type": kind, "description": description, "nullable": True}


# By Shidi's name of the method: what it does, its inputs, the type of its result.
TOOLS: dict[str, tuple[str, dict[str, Any], str]] = {
    "list": (
        "Lists a folder: dicts with path, kind ('file' or 'folder') and bytes.",
        {
            "path": optional("string", "a folder; the work folder without it"),
            "depth": optional("integer", "levels to go down, 1 without it"),
        },
        "array",
    ),
    "read": (
        "Reads a text file in any encoding and returns its text.",
        {
            "path": FILE,
            "offset_line": optional("integer", "first line, from 1"),
            "limit_lines": optional("integer", "number of lines"),
        },
        "string",
    ),
    "write": (
        "Writes a text file as UTF-8; missing folders are made.",
        {
            "path": FILE,
            "text": text("the whole file, or what is added"),
            "append": optional("boolean", "adds at the end instead"),
        },
        "object",
    ),
    "edit": (
        "Replaces a text in a file and leaves everything else as it is.",
        {
            "path": FILE,
            "old": text("what stands there now, exactly, and only once"),
            "new": text("what is to stand there instead"),
            "all": optional("boolean", "every occurrence"),
        },
        "object",
    ),
    "write_table": (
        "Writes rows as a .csv or .tsv file.",
        {
            "path": FILE,
            "rows": {"type": "array", "description": "dicts by column, or lists"},
            "columns": optional("array", "names, in their order"),
        },
        "object",
    ),
    "glob": (
        "Finds files by name and returns their paths.",
        {
            "pattern": text("such as '**/*.py'"),
            "path": optional("string", "a folder; the work folder without it"),
        },
        "array",
    ),
    "grep": (
        "Finds lines by a regular expression: dicts with path, line and text.",
        {
            "pattern": text("a regular expression, matched within a line"),
            "path": optional("string", "a file or folder; the work folder without it"),
            "ignore_case": optional("boolean", "whether case does not matter"),
        },
        "array",
    ),
    "find": (
        "Finds the passages that speak of a text, best first: dicts with path, line and text.",
        {
            "text": text("words or a question"),
            "path": optional("string", "a file or folder; the work folder without it"),
            "limit": optional("integer", "number of passages"),
        },
        "array",
    ),
    "move": (
        "Moves or renames; never over what exists.",
        {"path": PATH, "to": text("its new path, or a folder that it goes into")},
        "object",
    ),
    "copy": (
        "Copies; never over what exists.",
        {"path": PATH, "to": text("the copy's path, or a folder that it goes into")},
        "object",
    ),
    "delete": ("Deletes a file or folder.", {"path": PATH}, "object"),
    "make_folder": ("Makes an empty folder.", {"path": text("a new folder")}, "object"),
}


def decoded(content: bytes) -> str:
    """The text of a file in whatever encoding, line breaks as one character."""
    encoding = next((name for mark, name in MARKS if content.startswith(mark)), "utf-8")
    try:
        whole = content.decode(encoding)
    except UnicodeDecodeError:
        whole = by_frequency(content)
    return whole.replace("\r\n", "\n").replace("\r", "\n")


def by_frequency(content: bytes) -> str:
    """The text of a file that is in no form of Unicode: Chinese where that fits, else what letters are likely."""
    try:
        whole = content.decode("gb18030")
    except UnicodeDecodeError:
        whole = ""
    letters = [letter for letter in whole if ord(letter) > 127]
    common = [letter for letter in letters if "\u4e00" <= letter <= "\u9fff" or letter in "，。！？、：；（）"]
    if letters and len(common) >= 0.9 * len(letters):
        return whole
    best = from_bytes(content).best()
    if best is None:
        raise ValueError("The file is no text")
    return str(best)


class Folder:
    """The work folder of one task, with the tools on it."""

    def __init__(self, root: Path):
        self.root = root.resolve()

    def contents(self) -> dict[str, bytes]:
        """The files by their paths; no link is followed, and what is too large is left out."""
        found: dict[str, bytes] = {}
        left = STORED_BYTES_MAX
        for path in self.below(self.root)[:STORED_FILES_MAX]:
            size = path.stat().st_size
            if size <= min(left, STORED_FILE_BYTES_MAX):
                left -= size
                found[self.name(path)] = path.read_bytes()
        return found

    def name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def place(self, path: str | None) -> Path:
        """The place of a path within the folder."""
        place = (self.root / (path or ".")).resolve()
        if place != self.root and self.root not in place.parents:
            raise PermissionError(f"{path} is outside of the work folder")
        return place

    def there(self, path: str | None) -> Path:
        """The place of a path that has to exist. The error names what is there."""
        place = self.place(path)
        if place.exists():
            return place
        names = [self.name(found) for found in self.below(self.root)][:NAMES_SHOWN]
        known = ", ".join(repr(name) for name in names) or "nothing"
        raise FileNotFoundError(f"There is no {path!r} in the work folder. There is: {known}")

    def below(self, place: Path) -> list[Path]:
        """A file itself, or the files of a folder and its folders."""
        if place.is_file():
            return [place]
        return [path for path in sorted(place.rglob("*")) if path.is_file() and not path.is_symlink()]

    def texts(self, path: str | None) -> list[tuple[str, str]]:
        """Names and texts of the text files at a path."""
        texts = []
        for found in self.below(self.there(path)):
            try:
                texts.append((self.name(found), decoded(found.read_bytes())))
            except ValueError:
                continue
        return texts

    def list(self, path: str | None = None, depth: int | None = 1) -> list[dict[str, Any]]:
        place = self.there(path)
        if not place.is_dir():
            raise NotADirectoryError(f"{path} is a file, not a folder")
        entries = []
        for found in sorted(place.rglob("*")):
            if len(found.relative_to(place).parts) <= (depth or 1):
                size = found.stat().st_size if found.is_file() else 0
                kind = "folder" if found.is_dir() else "file"
                entries.append({"path": self.name(found), "kind": kind, "bytes": size})
        return entries[:FOUND_MAX]

    def read(self, path: str, offset_line: int | None = 1, limit_lines: int | None = READ_LINES) -> str:
        place = self.there(path)
        if place.is_dir():
            raise IsADirectoryError(f"{path} is a folder")
        lines = decoded(place.read_bytes()).splitlines(keepends=True)
        first = max((offset_line or 1) - 1, 0)
        return "".join(lines[first : first + (limit_lines or READ_LINES)])

    def write(self, path: str, text: str, append: bool | None = False) -> dict[str, Any]:
        if not isinstance(text, str):
            raise TypeError(f"text is a {type(text).__name__}, and has to be a str")
        place = self.place(path)
        created = not place.exists()
        place.parent.mkdir(parents=True, exist_ok=True)
        before = place.read_bytes() if append and not created else b""
        place.write_bytes(before + text.encode())
        return {"path": self.name(place), "created": created, "bytes": place.stat().st_size}

    def edit(self, path: str, old: str, new: str, all: bool | None = False) -> dict[str, Any]:
        place = self.there(path)
        whole = decoded(place.read_bytes())
        count = whole.count(old) if old else 0
        if count == 0:
            raise ValueError(f"{path} does not hold that text")
        if count > 1 and not all:
            raise ValueError(f"{path} holds that text {count} times: give more of what is around it, or all=True")
        place.write_bytes(whole.replace(old, new).encode())
        return {"path": self.name(place), "count": count, "line": whole[: whole.index(old)].count("\n") + 1}

    def write_table(self, path: str, rows: list[Any], columns: list[str] | None = None) -> dict[str, Any]:
        if Path(path).suffix not in {".csv", ".tsv"}:
            raise ValueError("The file has to end with .csv or .tsv")
        names = columns or (list(rows[0]) if rows and isinstance(rows[0], dict) else [])
        out = io.StringIO()
        writer = csv.writer(out, delimiter="\t" if path.endswith(".tsv") else ",", lineterminator="\n")
        if names:
            writer.writerow(names)
        for row in rows:
            writer.writerow([row.get(name, "") for name in names] if isinstance(row, dict) else row)
        return self.write(path, out.getvalue()) | {"rows": len(rows)}

    def glob(self, pattern: str, path: str | None = None) -> list[str]:
        place = self.there(path)
        found = [entry for entry in sorted(place.glob(pattern)) if entry.is_file()]
        return [self.name(entry) for entry in found if self.root in entry.resolve().parents][:FOUND_MAX]

    def grep(self, pattern: str, path: str | None = None, ignore_case: bool | None = False) -> list[dict[str, Any]]:
        wanted = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
        lines = []
        for name, whole in self.texts(path):
            for number, line in enumerate(whole.split("\n"), 1):
                if wanted.search(line):
                    lines.append({"path": name, "line": number, "place": f"line {number}", "text": line})
        return lines[:FOUND_MAX]

    def find(self, text: str, path: str | None = None, limit: int | None = FIND_PASSAGES) -> list[dict[str, Any]]:
        words = {word.lower() for word in WORD.findall(text)}
        passages = []
        for name, whole in self.texts(path):
            line = 1
            for part in whole.split("\n\n"):
                shared = words & {word.lower() for word in WORD.findall(part)}
                if shared:
                    found = {"path": name, "line": line, "place": f"line {line}", "text": part.strip()}
                    passages.append((len(shared), found))
                line += part.count("\n") + 2
        passages.sort(key=lambda passage: -passage[0])
        return [passage for _, passage in passages[: limit or FIND_PASSAGES]]

    def goal(self, source: Path, to: str) -> Path:
        """Where something goes: the path itself, or into the folder that stands there."""
        goal = self.place(to)
        if goal.is_dir():
            goal = goal / source.name
        if goal.exists():
            raise FileExistsError(f"{self.name(goal)} exists already")
        goal.parent.mkdir(parents=True, exist_ok=True)
        return goal

    def within(self, path: str) -> Path:
        """Something below the work folder, not the folder itself."""
        place = self.there(path)
        if place == self.root:
            raise PermissionError("The work folder itself stays where it is")
        return place

    def move(self, path: str, to: str) -> dict[str, Any]:
        source = self.within(path)
        goal = self.goal(source, to)
        source.rename(goal)
        return {"path": path, "to": self.name(goal)}

    def copy(self, path: str, to: str) -> dict[str, Any]:
        source = self.within(path)
        goal = self.goal(source, to)
        if source.is_dir():
            shutil.copytree(source, goal, symlinks=True)
        else:
            shutil.copyfile(source, goal)
        return {"path": path, "to": self.name(goal)}

    def delete(self, path: str) -> dict[str, Any]:
        place = self.within(path)
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink()
        return {"path": path}

    def make_folder(self, path: str) -> dict[str, Any]:
        place = self.place(path)
        created = not place.exists()
        place.mkdir(parents=True, exist_ok=True)
        return {"path": self.name(place), "created": created}
