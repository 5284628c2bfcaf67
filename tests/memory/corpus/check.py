# Checks the corpus of the memory benchmark, so that a wrong id or a leaked answer never becomes a figure.
"""Run it without arguments: `python3 tests/memory/corpus/check.py`. It ends with 1 when something is wrong."""

import collections
import datetime
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
HALVES = ("dev", "test")
LANGUAGES = {"zh", "en", "mixed"}
QUESTION_KINDS = (
    "single", "preference", "correction", "deletion", "temporal",
    "multi_hop", "entity", "page", "unanswerable", "scope",
)
# What a record of each kind must carry beside `id, kind, time, scope, source`.
RECORD_FIELDS = {
    "preference": ("schema", "data"),
    "profile": ("text",),
    "knowledge": ("text",),
    "summary": ("question_type", "keys", "summary"),
    "entity": ("title", "data"),
}
MINIMUM_SESSIONS = 300
MINIMUM_QUESTIONS = 400
MINIMUM_OF_A_KIND = 25
SEGMENTS_OF_A_SESSION = (4, 14)
FILE_LIMIT_BYTES = 400_000
# A question that shares this many characters in a row with its evidence copies its words.
COPIED_RUN = 12
COPIED_SHARE_LIMIT = 0.20
# A word of Latin letters with a capital, a digit or a sign inside is a name or a term, which a question may repeat.
TERM = re.compile(r"[A-Za-z0-9_./:-]*[A-Z0-9_/][A-Za-z0-9_./:-]*")
# Things that must never be in a corpus: long digit runs (phones, cards), key-like strings.
SECRET = re.compile(r"\d{11,}|sk-[A-Za-z0-9]{8,}|BEGIN [A-Z ]*PRIVATE KEY|[Pp]assword[ :=]+[^\s,.]*\d[^\s,.]*")


def read_lines(half, name, problems):
    """All objects of the files `name-*.jsonl` of one half, in order."""
    rows = []
    for path in sorted((HERE / half).glob(f"{name}-*.jsonl")):
        if path.stat().st_size > FILE_LIMIT_BYTES:
            problems.append(f"{half}/{path.name}: larger than {FILE_LIMIT_BYTES} bytes")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                rows.append(json.loads(line))
            except ValueError as error:
                problems.append(f"{half}/{path.name}:{number}: {error}")
    return rows


def text_of(item):
    """What a reader sees of a segment or a record, in one string."""
    parts = []
    for field in ("text", "title", "summary", "schema"):
        if field in item:
            parts.append(item[field])
    data = item.get("data")
    if data is not None:
        parts.append(data if isinstance(data, str) else json.dumps(data, ensure_ascii=False))
    parts.extend(item.get("keys", []))
    return " ".join(parts)


def moment(text):
    """A time with its offset; a time without one is an error."""
    value = datetime.datetime.fromisoformat(text)
    if value.tzinfo is None:
        raise ValueError(f"{text} has no offset")
    return value


class Half:
    """One half of the corpus: sessions, items (segments and records) and questions by id."""

    def __init__(self, name, problems):
        self.name = name
        self.problems = problems
        self.sessions = read_lines(name, "sessions", problems)
        self.questions = read_lines(name, "questions", problems)
        self.items = {}
        self.session_of = {}
        self.deleted_at = {}
        self.corrected_by = {}
        self.one_hop = []
        for session in self.sessions:
            for item in session["segments"] + session.get("records", []):
                if item["id"] in self.items:
                    self.complain(item["id"], "is there twice")
                self.items[item["id"]] = item
                self.session_of[item["id"]] = session
                if "corrects" in item:
                    self.corrected_by.setdefault(item["corrects"], []).append(item["id"])
        for session in self.sessions:
            for deletion in session.get("deletes", []):
                for target in deletion["ids"]:
                    self.deleted_at[target] = moment(deletion["time"])

    def complain(self, place, what):
        self.problems.append(f"{self.name} {place}: {what}")

    def check_sessions(self):
        seen = set()
        before = None
        for session in self.sessions:
            place = session["id"]
            if place in seen:
                self.complain(place, "session is there twice")
            seen.add(place)
            if session["language"] not in LANGUAGES:
                self.complain(place, f"language {session['language']}")
            low, high = SEGMENTS_OF_A_SESSION
            if not low <= len(session["segments"]) <= high:
                if not (session.get("deletes") or session.get("incognito")):
                    self.complain(place, f"{len(session['segments'])} segments")
            start = moment(session["time"])
            if before is not None and start < before:
                self.complain(place, "sessions are not in the order of time")
            before = start
            self.check_segments(session, start)
            for record in session.get("records", []):
                self.check_record(session, record)
            for deletion in session.get("deletes", []):
                self.check_deletion(place, deletion)

    def check_segments(self, session, start):
        last = start
        for segment in session["segments"]:
            if not segment["text"].strip():
                self.complain(segment["id"], "empty text")
            if segment["role"] not in ("user", "assistant"):
                self.complain(segment["id"], f"role {segment['role']}")
            now = moment(segment["time"])
            if now < last:
                self.complain(segment["id"], "earlier than the segment before it")
            last = now
            if SECRET.search(segment["text"]):
                self.complain(segment["id"], "looks like a secret or a number of a person")

    def check_record(self, session, record):
        place = record["id"]
        if session.get("incognito"):
            self.complain(place, "a record of an incognito session")
        for field in RECORD_FIELDS[record["kind"]]:
            if not record.get(field):
                self.complain(place, f"{field} is missing")
        own = {segment["id"] for segment in session["segments"]}
        if not record["source"] or not set(record["source"]) <= own:
            self.complain(place, "source is not in its own session")
        older = record.get("corrects")
        if older is None:
            return
        target = self.items.get(older)
        if target is None or "kind" not in target:
            self.complain(place, f"corrects {older}, which is no record")
        elif moment(target["time"]) >= moment(record["time"]):
            self.complain(place, f"corrects {older}, which is not older")

    def check_deletion(self, place, deletion):
        for target in deletion["ids"]:
            item = self.items.get(target)
            if item is None:
                self.complain(place, f"deletes {target}, which is not there")
            elif moment(item["time"]) >= moment(deletion["time"]):
                self.complain(place, f"deletes {target}, which is newer")

    def check_questions(self):
        seen = set()
        texts = set()
        for question in self.questions:
            place = question["id"]
            if place in seen or question["text"] in texts:
                self.complain(place, "question is there twice")
            seen.add(place)
            texts.add(question["text"])
            if not question["text"].strip() or question["kind"] not in QUESTION_KINDS:
                self.complain(place, "no text, or an unknown kind")
            self.check_evidence(question)
            self.check_versions(question)
            self.check_unwanted(question)

    def check_evidence(self, question):
        place = question["id"]
        groups = question["evidence"]
        if question["kind"] in ("unanswerable", "deletion") and groups:
            self.complain(place, "has evidence, though nothing may answer it")
        if not groups and question["kind"] not in ("unanswerable", "deletion", "scope"):
            self.complain(place, "has no evidence")
        if question["kind"] == "multi_hop" and len(groups) < 2:
            self.one_hop.append(place)
        asked = moment(question["asked_at"])
        for group in groups:
            if not group:
                self.complain(place, "an empty group of evidence")
            for target in group:
                item = self.items.get(target)
                if item is None:
                    self.complain(place, f"evidence {target} is not in this half")
                    continue
                session = self.session_of[target]
                if moment(item["time"]) >= asked:
                    self.complain(place, f"evidence {target} is later than the question")
                if self.deleted_at.get(target, asked) < asked:
                    self.complain(place, f"evidence {target} was deleted")
                if session.get("incognito"):
                    self.complain(place, f"evidence {target} is incognito")
                if session.get("assistant") not in (None, question.get("assistant")):
                    self.complain(place, f"evidence {target} belongs to another assistant")

    def check_versions(self, question):
        """Evidence is the version that holds when the question is asked; a stale record leads to that version."""
        evidence = {target for group in question["evidence"] for target in group}
        asked = moment(question["asked_at"])
        for target in evidence if question["kind"] != "temporal" else ():
            for newer in self.corrected_by.get(target, []):
                if newer not in evidence and moment(self.items[newer]["time"]) < asked:
                    self.complain(question["id"], f"evidence {target} was corrected by {newer} before the question")
        for target in question.get("stale", []):
            if "kind" in self.items.get(target, {}) and not self.successors(target) & evidence:
                self.complain(question["id"], f"stale {target} is corrected by nothing in the evidence")

    def successors(self, record):
        """All records that correct this one, directly or in a chain."""
        found = set(self.corrected_by.get(record, []))
        return found.union(*(self.successors(newer) for newer in found))

    def check_unwanted(self, question):
        place = question["id"]
        evidence = {target for group in question["evidence"] for target in group}
        for field in ("stale", "forbidden"):
            for target in question.get(field, []):
                if target not in self.items:
                    self.complain(place, f"{field} {target} is not in this half")
                if target in evidence:
                    self.complain(place, f"{target} is evidence and {field}")
        if question["kind"] == "correction" and not question.get("stale"):
            self.complain(place, "a correction without the stale version")
        if question["kind"] == "deletion" and not question.get("forbidden"):
            self.complain(place, "a deletion without what was deleted")
        if question["kind"] == "scope" and not question["evidence"] and not question.get("forbidden"):
            self.complain(place, "a scope question without evidence and without what must not be seen")
        if question["kind"] == "page" and "page" not in question:
            self.complain(place, "a page question without a page")

    def copied(self):
        """Questions that share a long run of characters with their evidence beyond names and terms."""
        titles = sorted((item["title"] for item in self.items.values() if "title" in item), key=len, reverse=True)
        found = []
        for question in self.questions:
            wanted = runs(plain(question["text"], titles, "\x01"))
            targets = [target for group in question["evidence"] for target in group]
            if any(wanted & runs(plain(text_of(self.items[target]), titles, "\x02")) for target in targets):
                found.append(question["id"])
        return found


def plain(text, titles, mark):
    """The text in lower case, its names and terms replaced by a mark that the other side doesn't have."""
    for title in titles:
        text = text.replace(title, mark)
    text = TERM.sub(mark, text)
    return re.sub(r"\s+", " ", text).lower()


def runs(text):
    return {text[i:i + COPIED_RUN] for i in range(len(text) - COPIED_RUN + 1)}


def report(half):
    """Prints the counts of a half and returns its questions by kind."""
    records = [item for item in half.items.values() if "kind" in item]
    segments = len(half.items) - len(records)
    print(f"{half.name}: {len(half.sessions)} sessions, {segments} segments, {len(records)} records, "
          f"{len(half.questions)} questions")
    rows = (
        ("sessions by language", collections.Counter(s["language"] for s in half.sessions)),
        ("questions by language", collections.Counter(q["language"] for q in half.questions)),
        ("questions by kind", collections.Counter(q["kind"] for q in half.questions)),
        ("records by kind", collections.Counter(r["kind"] for r in records)),
        ("segments per session", collections.Counter(len(s["segments"]) for s in half.sessions)),
    )
    for name, counts in rows:
        print(f"  {name}: " + ", ".join(f"{key} {count}" for key, count in sorted(counts.items(), key=str)))
    print(f"  corrections {sum('corrects' in r for r in records)}, "
          f"deleted items {len(half.deleted_at)}, "
          f"incognito sessions {sum(bool(s.get('incognito')) for s in half.sessions)}, "
          f"with a page {sum('page' in s for s in half.sessions)}, "
          f"with an assistant {sum('assistant' in s for s in half.sessions)}")


def check_copies(half, problems):
    answerable = sum(bool(question["evidence"]) for question in half.questions)
    copied = half.copied()
    share = len(copied) / max(answerable, 1)
    print(f"  questions that copy {COPIED_RUN} characters of their evidence: "
          f"{len(copied)} of {answerable} ({share:.1%})")
    if share > COPIED_SHARE_LIMIT:
        problems.append(f"{half.name}: too many questions copy their evidence: {' '.join(copied)}")


def check_apart(halves, problems):
    """The halves share no id and no entity; together they are large enough."""
    dev, test = halves
    for place in set(dev.items) & set(test.items):
        problems.append(f"both halves have {place}")
    titles = [{item["title"] for item in half.items.values() if "title" in item} for half in halves]
    for title in titles[0] & titles[1]:
        problems.append(f"both halves know {title}")
    texts = [{item["text"] for item in half.items.values() if len(item.get("text", "")) > COPIED_RUN * 2} for half in halves]
    for text in texts[0] & texts[1]:
        problems.append(f"both halves say: {text}")
    kinds = collections.Counter(question["kind"] for half in halves for question in half.questions)
    for kind in QUESTION_KINDS:
        if kinds[kind] < MINIMUM_OF_A_KIND:
            problems.append(f"only {kinds[kind]} questions of kind {kind}")
    if len(dev.sessions) + len(test.sessions) < MINIMUM_SESSIONS:
        problems.append("too few sessions")
    if len(dev.questions) + len(test.questions) < MINIMUM_QUESTIONS:
        problems.append("too few questions")


def main():
    problems = []
    halves = []
    for name in HALVES:
        half = Half(name, problems)
        half.check_sessions()
        half.check_questions()
        report(half)
        check_copies(half, problems)
        if half.one_hop:
            problems.append(f"{name}: one hop only: {' '.join(half.one_hop)}")
        halves.append(half)
    if all(half.sessions for half in halves):
        check_apart(halves, problems)
    for problem in problems:
        print("wrong:", problem)
    print("the corpus is sound" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
