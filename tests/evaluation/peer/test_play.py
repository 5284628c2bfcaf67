"""The harness is fair and safe where these hold; a scripted server stands for the model, and the real library plays.

    python -m unittest discover -s tests/evaluation/peer
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import yaml
from folder import Folder, decoded
from suite import tasks

HERE = Path(__file__).resolve().parent
SUITES = HERE.parents[2] / "assets" / "evaluation"
SAMPLE = HERE / "sample" / "en-files-settings-json.1.json"
SETTINGS = """Thought: I write it.
<code>
import json
files_write(path="settings.json", text=json.dumps({"theme": "dark", "fontSize": 15, "autosave": False}))
final_answer("settings.json is written.")
</code>"""


class Server:
    """A server in the form of OpenAI's, which says what `said` makes of the last message."""

    def __init__(self, said: Callable[[str], str], status: int = 200):
        server, self.requests = self, []

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                self.send({"data": [{"id": "scripted"}]}, 200)

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                server.requests.append(request)
                message = {"role": "assistant", "content": said(request["messages"][-1]["content"])}
                usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
                choice = {"index": 0, "finish_reason": "stop", "message": message}
                whole = {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted"}
                self.send(whole | {"choices": [choice], "usage": usage}, status)

            def send(self, body: dict[str, Any], status: int) -> None:
                content = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                try:
                    self.wfile.write(content)
                except BrokenPipeError:
                    # Whoever asked had no more time.
                    pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class Playing(unittest.TestCase):
    def setUp(self) -> None:
        self.room = tempfile.TemporaryDirectory()
        self.addCleanup(self.room.cleanup)
        self.out = Path(self.room.name) / "out"

    def serve(self, said: Callable[[str], str], status: int = 200) -> Server:
        server = Server(said, status)
        self.addCleanup(server.close)
        return server

    def play(self, url: str, *more: str, suite: Path = SUITES / "everyday-tuning.yaml") -> subprocess.CompletedProcess:
        command = [sys.executable, HERE / "play.py", suite, "--model-url", url, "--out", self.out, *more]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, env=os.environ | {"NO_PROXY": "*"})

    def attempt(self, name: str) -> dict[str, Any]:
        return json.loads((self.out / f"{name}.1.json").read_text(encoding="utf-8"))

    def one(self, said: str, shidi: dict[str, Any], *more: str) -> dict[str, Any]:
        """The trial of one task whose model says the same each time."""
        test = {"description": "task", "vars": {"question": "do"}, "shidi": shidi, "assert": []}
        suite = Path(self.room.name) / "suite.yaml"
        suite.write_text(yaml.safe_dump({"prompts": ["{{question}}"], "tests": [test]}), encoding="utf-8")
        played = self.play(self.serve(lambda _: said).url, *more, suite=suite)
        self.assertEqual(played.returncode, 0, played.stderr)
        return self.attempt("task")["trial"]

    def test_an_attempt_has_the_form_of_the_sample_that_shidi_reads(self) -> None:
        played = self.play(self.serve(lambda _: SETTINGS).url, "--only", "en-files-settings-json")
        self.assertEqual(played.returncode, 0, played.stderr)
        sample, attempt = json.loads(SAMPLE.read_text(encoding="utf-8")), self.attempt("en-files-settings-json")
        for one in (sample, attempt):
            one["trial"]["ms"] = one["turns"][0]["seconds"] = 0
        self.assertEqual(attempt, sample)

    def test_what_is_finished_is_not_played_again_until_limits_change(self) -> None:
        server = self.serve(lambda _: SETTINGS)
        for _ in range(2):
            self.play(server.url, "--only", "en-files-settings-json")
        self.assertEqual(len(server.requests), 1)
        self.play(server.url, "--only", "en-files-settings-json", "--max-steps", "3")
        self.assertEqual(len(server.requests), 2)

    def test_a_server_that_fails_leaves_no_attempt(self) -> None:
        for url in ("http://127.0.0.1:9/v1", self.serve(lambda _: SETTINGS, 500).url):
            played = self.play(url, "--limit", "1", "--model", "scripted")
            self.assertEqual((played.returncode, list(self.out.glob("*"))), (2, []), played.stderr)

    def test_a_turn_ends_with_its_time_and_its_steps(self) -> None:
        slow = self.serve(lambda _: time.sleep(3) or SETTINGS)
        self.play(slow.url, "--only", "en-files-settings-json", "--timeout", "1")
        trial = self.attempt("en-files-settings-json")["trial"]
        self.assertEqual((trial["late"], trial["answers"], trial["usage"]["estimated"]), (True, [""], True))
        trial = self.one("<code>\nprint(1)\n</code>", {}, "--max-steps", "2")
        self.assertEqual((trial["rounds_over"], trial["usage"]["model_calls"], len(trial["programs"])), (True, 3, 2))

    def test_a_question_gets_its_answer_or_ends_the_turn(self) -> None:
        asks = '<code>\nfinal_answer(user_ask("how many?"))\n</code>'
        self.assertEqual(self.one(asks, {"answers": ["six"]})["answers"], ["six"])
        trial = self.one(asks, {"turns": ["six"]})
        self.assertEqual((trial["answers"], trial["asked_in"]), (["", ""], [1, 2]))

    def test_programs_reach_files_by_the_tools_alone(self) -> None:
        for program in (
            'import io\nprint(io.open("/etc/hostname").read())',
            'import io\nio.open("x.txt", "w")',
            'print(files_read("/etc/hostname"))',
            'files_write("../x.txt", "x")',
        ):
            trial = self.one(f"<code>\n{program}\n</code>", {}, "--max-steps", "1", "--fresh")
            self.assertFalse(trial["programs"][0]["ok"], program)
            self.assertEqual(trial["after"], {}, program)
        later = 'import io\nclass A:\n    def __str__(self):\n        return io.open("/etc/hostname").read()\nfinal_answer(A())'
        trial = self.one(f"<code>\n{later}\n</code>", {}, "--fresh")
        self.assertEqual(trial["answers"], [""])
        self.assertIn("by the tools alone", trial["reason"])

    def test_every_task_of_the_everyday_suites_is_played_and_others_are_named(self) -> None:
        for half in ("tuning", "held-out"):
            played, others = tasks(SUITES / f"everyday-{half}.yaml")
            self.assertEqual((len(played), others), (60, []))
        played, others = tasks(SUITES / "dialogues-tuning.yaml")
        self.assertEqual((len(played), len(others)), (0, 30))
        self.assertIn("workflows", others[0][1])

    def test_memory_documents_and_the_page_are_told_before_the_question(self) -> None:
        server = self.serve(lambda _: '<code>\nfinal_answer("yes")\n</code>')
        self.play(server.url, "--only", "zh-memory-allergy", "--only", "parking-fee", "--only", "early-bird")
        told = [request["messages"][-1]["content"] for request in server.requests]
        for text, said in zip(told, ("芒果", "35 元", "14 June 2027"), strict=True):
            self.assertIn(said, text)
            self.assertLess(text.index(said), len(text) - 10)


class Tools(unittest.TestCase):
    def setUp(self) -> None:
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.folder = Folder(Path(room.name))

    def test_files_are_read_in_the_encoding_that_they_have(self) -> None:
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "gb18030"):
            self.assertEqual(decoded("姓名,等级\r\n顾长风,金卡\r\n".encode(encoding)), "姓名,等级\n顾长风,金卡\n", encoding)

    def test_nothing_is_moved_over_what_exists(self) -> None:
        self.folder.write("a.txt", "a")
        self.folder.write("notes/b.txt", "b")
        with self.assertRaises(FileExistsError):
            self.folder.move("a.txt", "notes/b.txt")
        self.assertEqual(self.folder.copy("a.txt", "notes")["to"], "notes/a.txt")
        self.assertEqual(self.folder.move("a.txt", "c/a.txt")["to"], "c/a.txt")
        self.folder.delete("notes")
        self.assertEqual(list(self.folder.contents()), ["c/a.txt"])

    def test_a_wrong_name_is_answered_with_those_that_are_there(self) -> None:
        self.folder.write("待办.txt", "")
        with self.assertRaisesRegex(FileNotFoundError, "待办.txt"):
            self.folder.read("todo.txt")

    def test_no_path_and_no_link_leads_out_of_the_folder(self) -> None:
        (self.folder.root / "out").symlink_to("/etc")
        for path in ("..", "/etc/hostname", "out/hostname", "a/../../b"):
            with self.assertRaises(PermissionError):
                self.folder.write(path, "x")
        self.assertEqual((self.folder.contents(), self.folder.glob("out/*")), ({}, []))

    def test_lines_and_passages_are_found_with_their_place(self) -> None:
        self.folder.write("a.md", "# Pool\n\nopens at six\n\n# Gym\n\nopens at nine\n")
        self.assertEqual([found["line"] for found in self.folder.grep("^opens")], [3, 7])
        self.assertEqual(self.folder.find("nine o'clock")[0]["line"], 7)

    def test_an_edit_wants_a_text_that_stands_there_once(self) -> None:
        self.folder.write("a.txt", "one two one")
        with self.assertRaises(ValueError):
            self.folder.edit("a.txt", "one", "1")
        self.folder.edit("a.txt", "two", "2")
        self.folder.edit("a.txt", "one", "1", all=True)
        self.assertEqual(self.folder.read("a.txt"), "1 2 1")

    def test_rows_become_a_table(self) -> None:
        self.folder.write_table("a.csv", [{"name": "Lind", "pay": "1,5"}])
        self.assertEqual(self.folder.read("a.csv"), 'name,pay\nLind,"1,5"\n')


if __name__ == "__main__":
    unittest.main()
