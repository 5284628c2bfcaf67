# Why this file exists: a task that is wrong, or that an empty answer passes, makes every measurement wrong.
# It checks both halves of the suite "everyday": names, mix, keys, types, and each task on answers known to be right or wrong.
# It asks no model and starts no assistant. It runs the short programs in the suites that write their big files.
# Usage: python3 assets/evaluation/check.py   (exit code 0: all is well or NOT RUN, 1: a fault was found)
import base64
import csv
import difflib
import io
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

try:
    import yaml
except ImportError:
    yaml = None

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parent.parent / "tests" / "evaluation"
HALVES = ["held-out", "tuning"]

# Tasks of each half: by area (English, Chinese) and (easy, medium, hard).
MIX = {
    "files": ((5, 5), (4, 4, 2)), "tables": ((5, 5), (4, 4, 2)), "arithmetic": ((3, 3), (4, 1, 1)),
    "dates": ((3, 4), (4, 2, 1)), "text": ((4, 4), (4, 3, 1)), "memory": ((2, 1), (2, 1, 0)),
    "knowledge": ((1, 2), (2, 1, 0)), "page": ((2, 1), (2, 1, 0)), "turns": ((2, 2), (1, 2, 1)),
    "programming": ((2, 1), (0, 1, 2)), "impossible": ((1, 2), (3, 0, 0)),
}
LANGUAGES = ["en", "zh"]
DIFFICULTIES = ["easy", "medium", "hard"]

TEXT_TYPES = {"equals", "contains", "icontains", "contains-any", "icontains-any", "contains-all", "icontains-all",
              "regex", "starts-with", "is-json", "number", "language", "gives-up", "asks"}
FOLDER_TYPES = {"file", "unchanged", "only-files"}
LIST_TYPES = {"contains-any", "icontains-any", "contains-all", "icontains-all"}
FILE_KEYS = ["equals", "contains", "lines", "json", "csv", "number", "exists"]
SUITE_KEYS = {"description", "prompts", "tests"}
TEST_KEYS = {"description", "vars", "metadata", "shidi", "assert"}
SHIDI_KEYS = {"files", "attach", "memory", "knowledge", "page", "turns", "mode", "answers"}
SAMPLE_KEYS = {"right", "wrong", "files", "earlier"}

LIKENESS_LIMIT = 0.72      # two questions, one of each half, that are this alike are one question reworded
GENERATOR_SECONDS = 20     # a program that writes a big file takes well under one second
NEAR = 1e-6                # numbers in CSV and JSON that differ by less are the same
CURRENCY = re.compile(r"(?:(?:USD|EUR|GBP|CNY|RMB|JPY|CHF|NOK|SEK|DKK|AUD|CAD|HKD|US\$|HK\$|[$€£¥￥]) ?|\\)+$")
GROUPS = ",\u00a0\u202f\u2009"      # what stands between groups of three digits: a comma or a space that breaks no line
NUMBER = re.compile(rf"(?P<number>(?:\d{{1,3}}(?:[{GROUPS}]\d{{3}})+(?!\d)|\d+)(?:\.\d+)?) ?(?P<unit>万亿|万|亿)?")
HEAD = 12                  # characters before a number that can be its currency and its minus sign
UNITS = {"万": 1e4, "亿": 1e8, "万亿": 1e12}
REFUSALS = ["Sorry, I can't do that: there is no such file and I don't have the information.",
            "抱歉，我无法完成：没有找到相关信息，请您提供更多内容。"]


class Run:
    """Holds the work of an assistant on one task: its answers by turn, the folder before and after."""

    def __init__(self, answers, before, after):
        self.answers, self.before, self.after = answers, before, after


def phrases():
    """Returns the patterns of phrases.txt by heading."""
    found, heading = {}, None
    for line in (HERE / "phrases.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]") and line[1:-1] in ("gives-up", "asks"):
            heading = found.setdefault(line[1:-1], [])
        else:
            heading.append(re.compile(line, re.IGNORECASE))
    return found


PHRASES = phrases()


# Reading of numbers, texts and files, as README.md says it.

def numbers(text):
    """Returns every number in a text; one before 万 or 亿 both as written and multiplied."""
    text = text.translate({0xFF10 + digit: str(digit) for digit in range(10)})
    text = text.replace("\u2212", "-").replace("{,}", ",").replace("\\,", ",")
    found = []
    for match in NUMBER.finditer(text):
        head = CURRENCY.sub("", text[max(0, match.start() - HEAD):match.start()])
        if re.search(r"[A-Za-z_]$", head):
            continue
        value = float(re.sub(f"[{GROUPS}]", "", match.group("number")))
        value = -value if re.search(r"(^|[^A-Za-z0-9)])-$", head) else value
        found.append(value)
        if match.group("unit"):
            found.append(value * UNITS[match.group("unit")])
    return found


def language_holds(text, language):
    """Tells whether prose is in a language; a bare number or name of a file is in both."""
    text = re.sub(r"```.*?```|`[^`]*`|https?://\S+|\S*[@_/\\]\S*|[A-Za-z0-9-]+\.[A-Za-z]+\S*", " ", text, flags=re.DOTALL)
    han = len(re.findall(r"[\u4e00-\u9fff]", text))
    words = len(re.findall(r"(?<![A-Za-z0-9])[A-Za-zÀ-ÿ]{2,}(?![A-Za-z0-9])", text))
    if han == 0 and words == 0:
        return True
    return han > 0 and han >= words if language == "zh" else words > 0 and 2 * words >= han


def file_text(content):
    """Returns the text of a file in UTF-8 with its line ends trimmed, or None when it is in no UTF-8."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    lines = [line.rstrip() for line in re.split(r"\r\n|\r|\n", text)]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def as_number(value):
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


def same_json(found, wanted):
    if isinstance(wanted, dict):
        return isinstance(found, dict) and found.keys() == wanted.keys() and all(same_json(found[k], wanted[k]) for k in wanted)
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(same_json, found, wanted))
    if isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
        return isinstance(found, (int, float)) and not isinstance(found, bool) and abs(found - wanted) <= NEAR * max(1, abs(wanted))
    return type(found) is type(wanted) and found == wanted


def same_cell(found, wanted):
    one, other = as_number(found), as_number(wanted)
    if one is not None and other is not None:
        return abs(one - other) <= NEAR * max(1, abs(other))
    return found.strip() == str(wanted).strip()


def same_csv(text, path, wanted):
    rows = csv.reader(io.StringIO(text), delimiter="\t" if path.endswith(".tsv") else ",", skipinitialspace=True)
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    return len(rows) == len(wanted) and all(len(r) == len(w) and all(map(same_cell, r, w)) for r, w in zip(rows, wanted))


# The assertions.

def file_holds(check, run):
    content = run.after.get(check["path"])
    if "exists" in check:
        return (content is not None) == check["exists"]
    text = file_text(content) if content is not None else None
    if text is None:
        return False
    if "equals" in check:
        return text == file_text(check["equals"].encode())
    if "contains" in check:
        return check["contains"] in text
    if "lines" in check:
        return [line for line in text.split("\n") if line] == check["lines"]
    if "number" in check:
        return any(abs(n - check["number"]) <= check.get("tolerance", 0) + 1e-9 for n in numbers(text))
    if "csv" in check:
        return same_csv(text, check["path"], check["csv"])
    try:
        return same_json(json.loads(text), check["json"])
    except ValueError:
        return False


def text_holds(kind, check, text):
    value = check.get("value")
    folded = text.lower()
    if kind == "equals":
        return text.strip() == value.strip()
    if kind == "contains":
        return value in text
    if kind == "icontains":
        return value.lower() in folded
    if kind == "starts-with":
        return text.strip().startswith(value)
    if kind in LIST_TYPES:
        hits = [(v.lower() in folded) if kind.startswith("i") else (v in text) for v in value]
        return any(hits) if kind.endswith("any") else all(hits)
    if kind == "regex":
        return re.search(value, text) is not None
    if kind == "number":
        return any(abs(n - value) <= check.get("tolerance", 0) + 1e-9 for n in numbers(text))
    if kind == "language":
        return bool(text.strip()) and language_holds(text, value)
    if kind == "is-json":
        try:
            json.loads(text)
            return True
        except ValueError:
            return False
    return any(pattern.search(text) for pattern in PHRASES[kind])


def holds(check, run):
    """Tells whether one assertion of a task holds on a run."""
    kind = check["type"].removeprefix("not-")
    if kind == "tool-used":
        return True     # samples have no calls; only a real run shows them
    if kind == "file":
        result = file_holds(check, run)
    elif kind == "unchanged":
        result = all(run.after.get(path) == run.before.get(path) for path in check["paths"])
    elif kind == "only-files":
        result = set(run.after) == set(check["paths"])
    else:
        result = text_holds(kind, check, run.answers[check.get("turn", 0) - 1])
    return result != check["type"].startswith("not-")


def failures(test, run):
    """Returns the assertions of a task that do not hold on a run."""
    return [check for check in test["assert"] if not holds(check, run)]


# The form of suites and samples.

def content_of(value):
    """Returns the bytes of a file of a task."""
    if isinstance(value, str):
        return value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"], validate=True)
    program = [sys.executable, "-I", "-c", value["python"]]
    return subprocess.run(program, capture_output=True, check=True, timeout=GENERATOR_SECONDS).stdout


def type_faults(check, turns):
    """Returns what is wrong in the form of one assertion."""
    kind = check.get("type", "").removeprefix("not-")
    faults, allowed = [], {"type"}
    if kind not in TEXT_TYPES | FOLDER_TYPES | {"tool-used"}:
        return [f"unknown type {check.get('type')!r}"]
    if kind == "file":
        allowed |= {"path", "tolerance", *FILE_KEYS}
        if sum(key in check for key in FILE_KEYS) != 1:
            faults.append("a file check needs exactly one of " + ", ".join(FILE_KEYS))
        cells = [cell for row in check.get("csv", []) for cell in row] + check.get("lines", [])
        if not all(isinstance(cell, str) for cell in cells):
            faults.append("cells and lines are quoted texts")
    elif kind in FOLDER_TYPES:
        allowed |= {"paths"}
    else:
        allowed |= {"turn"} | (set() if kind in ("gives-up", "asks", "is-json") else {"value"})
        allowed |= {"tolerance"} if kind == "number" else set()
        wanted = list if kind in LIST_TYPES else (int, float) if kind == "number" else str
        if "value" in allowed and not isinstance(check.get("value"), wanted):
            faults.append(f"{kind} has the wrong kind of value")
        if kind == "language" and check.get("value") not in LANGUAGES:
            faults.append("language is en or zh")
        if not 1 <= check.get("turn", 1) <= turns:
            faults.append("there is no such turn")
    if kind == "regex" and isinstance(check.get("value"), str):
        if re.search(r"\(\?[=!<]|\\[1-9]|\(\?P", check["value"]):
            faults.append("a regex has no look-around and no back reference")
        try:
            re.compile(check["value"])
        except re.error as error:
            faults.append(f"a regex is malformed: {error}")
    return faults + [f"unknown key {key!r}" for key in check.keys() - allowed]


def form_faults(test):
    """Returns what is wrong in the form of one task."""
    shidi, meta = test.get("shidi", {}), test.get("metadata", {})
    faults = [f"unknown key {key!r}" for key in test.keys() - TEST_KEYS]
    faults += [f"unknown key shidi.{key}" for key in shidi.keys() - SHIDI_KEYS]
    if set(test.get("vars", {})) != {"question"} or set(meta) != {"language", "area", "difficulty"}:
        faults.append("vars holds question; metadata holds language, area and difficulty")
    if not re.fullmatch(rf"{meta.get('language')}-{meta.get('area')}-[a-z0-9-]+", test.get("description", "")):
        faults.append("the name is language-area-words")
    for value in shidi.get("files", {}).values():
        if not isinstance(value, str) and (not isinstance(value, dict) or list(value) not in (["base64"], ["python"])):
            faults.append("a file is a text, {base64: …} or {python: …}")
    faults += [f"{name} is attached but is no file" for name in shidi.get("attach", []) if name not in shidi.get("files", {})]
    texts = shidi.get("memory", []) + shidi.get("turns", []) + shidi.get("answers", [])
    texts += [text for base in shidi.get("knowledge", {}).values() for text in base.values()] + list(shidi.get("page", {}).values())
    if not all(isinstance(text, str) for text in texts) or set(shidi.get("page", {})) - {"url", "title", "text"}:
        faults.append("memory, turns, answers, knowledge and page hold texts")
    if shidi.get("mode", "trust") not in ("ask", "risky", "trust"):
        faults.append("mode is ask, risky or trust")
    if not test.get("assert"):
        faults.append("nothing is asserted")
    for check in test.get("assert", []):
        faults += type_faults(check, 1 + len(shidi.get("turns", [])))
    return faults


def mix_faults(tests):
    """Returns where the numbers of tasks by area, language and difficulty differ from the mix."""
    faults = []
    for area, (languages, difficulties) in MIX.items():
        metas = [test["metadata"] for test in tests if test["metadata"]["area"] == area]
        for key, names, wanted in (("language", LANGUAGES, languages), ("difficulty", DIFFICULTIES, difficulties)):
            found = Counter(meta[key] for meta in metas)
            faults += [f"{area}: {found[n]} tasks are {n}, not {w}" for n, w in zip(names, wanted) if found[n] != w]
    unknown = {test["metadata"]["area"] for test in tests} - MIX.keys()
    return faults + [f"unknown area {area!r}" for area in unknown]


# The tasks on samples.

def material(test, files):
    """Returns all that a task shows to the assistant, as an answer that merely repeats it would."""
    shidi = test.get("shidi", {})
    parts = [test["vars"]["question"], *shidi.get("turns", []), *shidi.get("memory", []), *shidi.get("page", {}).values()]
    parts += [text for base in shidi.get("knowledge", {}).values() for item in base.items() for text in item]
    for name, content in files.items():
        encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
        try:
            parts += [name, content.decode(encoding)]
        except UnicodeDecodeError:
            parts += [name, content.decode("gb18030")]
    return "\n".join(parts)


def probes(test, files):
    """Returns answers that no task may accept, with what they are."""
    shidi = test.get("shidi", {})
    checks = [check["type"] for check in test["assert"]]
    yield "the empty answer", ""
    yield "the question", ([test["vars"]["question"]] + shidi.get("turns", []))[-1]
    yield "all the material", material(test, files)
    yield "a list with numbers", "\n".join(f"{n}. item" for n in range(1, 13))
    if "gives-up" not in checks:
        for refusal in REFUSALS:
            yield "a refusal", refusal


def sample_run(item, sample, before, is_right):
    """Builds the run that one item of a sample describes."""
    given = item if isinstance(item, dict) else {"answer": item}
    written = given.get("files", sample.get("files", {}) if is_right else {})
    after = {**before, **{path: content_of(text) for path, text in written.items()}}
    return Run(given.get("earlier", sample.get("earlier", [])) + [given["answer"]], before, after)


def sample_faults(test, sample):
    """Returns where a task judges its samples or the common wrong answers wrongly."""
    before = {name: content_of(value) for name, value in test.get("shidi", {}).get("files", {}).items()}
    turns = 1 + len(test.get("shidi", {}).get("turns", []))
    faults = [f"unknown key {key!r} in its sample" for key in sample.keys() - SAMPLE_KEYS]
    if not sample.get("right") or len(sample.get("wrong", [])) < 2:
        return faults + ["its sample needs a right answer and two wrong ones"]
    needs_files = any(check["type"] == "file" for check in test["assert"])
    if needs_files and not any(isinstance(item, dict) and "files" in item for item in sample["wrong"]):
        faults.append("no wrong sample has a wrong file")
    for item in sample["right"]:
        run = sample_run(item, sample, before, is_right=True)
        run.answers = [""] * (turns - len(run.answers)) + run.answers
        faults += [f"a right answer fails {check}: {item!r}" for check in failures(test, run)]
        if needs_files and not failures(test, Run(run.answers, before, before)):
            faults.append(f"a right answer passes though no file was written: {item!r}")
    wrong = [(f"wrong answer {item!r}", sample_run(item, sample, before, is_right=False)) for item in sample["wrong"]]
    earlier = sample.get("earlier", [])
    wrong += [(what, Run(earlier + [text], before, before)) for what, text in probes(test, before)]
    for what, run in wrong:
        run.answers = [""] * (turns - len(run.answers)) + run.answers
        if not failures(test, run):
            faults.append(f"{what} passes")
    return faults


def half_faults(half, tests):
    """Returns all that is wrong in one half."""
    names = Counter(test.get("description") for test in tests)
    faults = [f"{half}: the name {name} stands {times} times" for name, times in names.items() if times > 1]
    formed = [(test, form_faults(test)) for test in tests]
    faults += [f"{half}: {test.get('description')}: {fault}" for test, found in formed for fault in found]
    if faults:
        return faults
    faults += [f"{half}: {fault}" for fault in mix_faults(tests)]
    samples = yaml.safe_load((SAMPLES / f"samples-{half}.yaml").read_text(encoding="utf-8"))
    faults += [f"{half}: {name} is the sample of no task" for name in samples.keys() - names.keys()]
    for test in tests:
        name = test["description"]
        found = sample_faults(test, samples[name]) if name in samples else ["it has no sample"]
        faults += [f"{half}: {name}: {fault}" for fault in found]
    return faults


def likeness_faults(halves):
    """Returns tasks of the two halves whose names or questions are alike."""
    faults = []
    for one in halves[0]:
        for other in halves[1]:
            if one["description"] == other["description"]:
                faults.append(f"both halves hold {one['description']}")
            likeness = difflib.SequenceMatcher(None, one["vars"]["question"], other["vars"]["question"]).ratio()
            if likeness > LIKENESS_LIMIT:
                faults.append(f"{one['description']} and {other['description']} are alike ({likeness:.2f})")
    return faults


def main():
    if yaml is None:
        print("NOT RUN: check.py needs PyYAML, which is not installed (pip install pyyaml)")
        return 0
    suites = [yaml.safe_load((HERE / f"everyday-{half}.yaml").read_text(encoding="utf-8")) for half in HALVES]
    faults = [f"{half}: unknown key {key!r}" for half, suite in zip(HALVES, suites) for key in suite.keys() - SUITE_KEYS]
    for half, suite in zip(HALVES, suites):
        faults += half_faults(half, suite["tests"])
    faults += likeness_faults([suite["tests"] for suite in suites])
    print("\n".join(faults) if faults else "both halves are well: " + ", ".join(f"{len(s['tests'])} {h}" for h, s in zip(HALVES, suites)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
