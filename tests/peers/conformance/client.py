"""A user of Shidi for the official conformance suite, which calls this with its server's address: client.py SHIDI TURNS URL.

Everything is done as a person does it, by `shidi` with a data folder of its own. A browser's part is played at the address
that Shidi gives to sign in at: the suite's authorization server sends it back at once. TURNS is a folder for locks."""

import fcntl
import http.server
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

SHIDI, TURNS, URL = sys.argv[1:]
SCENARIO = os.environ["MCP_CONFORMANCE_SCENARIO"]
CONTEXT = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
# Sign-ins that a person begins before they give up. None begins by itself.
SIGN_INS_MAX = 2
# What the suite takes for the document of a client. Shidi publishes none: whoever has one names it.
CLIENT_DOCUMENT = "https://conformance-test.local/client-metadata.json"
# Scenarios at work at the same time. The suite starts all at once, and would have each wait for all others.
AT_ONCE = 3
SECONDS = 120


def own_turn() -> object:
    """A file that is locked until this process ends."""
    while True:
        for number in range(AT_ONCE):
            turn = open(os.path.join(TURNS, str(number)), "w")
            try:
                fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return turn
            except OSError:
                turn.close()
        time.sleep(0.05)


class Desk:
    """A data folder, and what is typed there."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.environment = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": folder,
            "XDG_RUNTIME_DIR": os.path.join(folder, "run"),
            "SHIDI_DATA_DIR": os.path.join(folder, "data"),
            "SHIDI_PASSPHRASE": "correct horse battery",
            "SHIDI_KEY_OPENAI": "sk-test-0000000000001234",
            "LANG": "en_US.UTF-8",
            "TERM": "xterm",
        }

    def begin(self, *words: str) -> subprocess.Popen:
        pipe = subprocess.PIPE
        return subprocess.Popen([SHIDI, *words], env=self.environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def run(self, *words: str, typed: str = "") -> str:
        """What a command prints."""
        printed, told = self.begin(*words).communicate(typed, timeout=SECONDS)
        print(f"$ shidi {' '.join(words)}\n{typed}\n{printed}{told}", flush=True)
        return printed + told

    def sign_in(self) -> None:
        """Signs in as somebody does who opens the address that they are shown."""
        child = self.begin("mcp", "sign-in", "peer")
        shown = ""
        for line in child.stderr:
            shown += line
            if address := re.search(r"https?://\S+", line):
                threading.Thread(target=opened, args=[address.group()], daemon=True).start()
        print(f"$ shidi mcp sign-in peer\n{shown}{child.stdout.read()}", flush=True)
        child.wait(SECONDS)

    def ask_at_terminal(self, program: str) -> None:
        """Has a model run a program. The first action of a question is taken, and each field is left as it stands."""
        with model(program) as address:
            os.makedirs(self.environment["SHIDI_DATA_DIR"], exist_ok=True)
            with open(os.path.join(self.environment["SHIDI_DATA_DIR"], "config.toml"), "w") as file:
                file.write(f'provider = "openai"\nmodel = "scripted"\nmodel_url = "{address}"\n')
            child, screen = pty.fork()
            if child == 0:
                os.execve(SHIDI, [SHIDI, "--lang", "en", "ask", "Do it"], self.environment)
            print(f"$ shidi ask\n{typed_at(screen)}", flush=True)
            os.waitpid(child, 0)


def typed_at(screen: int) -> str:
    shown = b""
    try:
        while piece := os.read(screen, 4096):
            shown += piece
            plain = re.sub(rb"\x1b\[[0-9;]*m", b"", shown)
            if plain.endswith(b"Answer: "):
                os.write(screen, b"1\n")
            elif plain.endswith(b": "):
                os.write(screen, b"\n")
    except OSError:
        pass  # A terminal ends with its program.
    return shown.decode(errors="replace")


class model:
    """A model that writes one program, and then says that it is done."""

    def __init__(self, program: str) -> None:
        answers = [f"```python\n{program}\n```"]

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                said = {"content": answers.pop() if answers else "Done."}
                chunks = [{"delta": said, "finish_reason": None}, {"delta": {}, "finish_reason": "stop"}]
                lines = [{"id": "1", "model": "scripted", "choices": [{"index": 0, **chunk}]} for chunk in chunks]
                body = "".join(f"data: {json.dumps(line)}\n\n" for line in lines) + "data: [DONE]\n\n"
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self) -> str:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()


def opened(address: str) -> None:
    try:
        urllib.request.urlopen(address, timeout=SECONDS).read()
    except OSError as refused:
        print(f"the browser was refused: {refused}", flush=True)


def wants_sign_in(said: str) -> bool:
    return any(words in said for words in ('"state":"sign_in"', "wants a sign-in", "wants rights"))


def tools(desk: Desk) -> list[dict]:
    """The server's tools, once the user is signed in where it wants that."""
    words, typed = ["--json", "mcp", "add", "peer", "--url", URL], ""
    if SCENARIO == "auth/pre-registration":
        words += ["--client-id", CONTEXT["client_id"], "--client-secret"]
        typed = CONTEXT["client_secret"]
    elif SCENARIO == "auth/basic-cimd":
        words += ["--client-id", CLIENT_DOCUMENT]
    said = desk.run(*words, typed=typed)
    for _ in range(SIGN_INS_MAX):
        if not wants_sign_in(said):
            break
        desk.sign_in()
        said = desk.run("--json", "mcp", "test", "peer")
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return [tool for line in lines for tool in line.get("tools", [])]


def called(tool: dict) -> str:
    """The call of a tool, with values for the parameters that it has to be given."""
    values = {"number": 2, "integer": 2, "boolean": True}
    wanted = [one for one in tool["parameters"] if one["required"]]
    given = [f"{one['name']}={values.get(one['kind'], 'tea')!r}" for one in wanted]
    return f"{re.sub(r'[^A-Za-z0-9_]', '_', tool['name'])}({', '.join(given)})"


def work(desk: Desk) -> None:
    found = tools(desk)
    if not found:
        return
    desk.run("mcp", "allow", "peer", "--all", "--class", "read")
    planned = [f"{call['name']}(**{call['arguments']!r})" for call in CONTEXT.get("toolCalls", [])]
    program = "\n".join(f"print(await peer.{call})" for call in planned or map(called, found))
    if SCENARIO.startswith("elicitation"):
        desk.ask_at_terminal(program)
        return
    for _ in range(SIGN_INS_MAX):
        if not wants_sign_in(desk.run("--json", "exec", "-", typed=program)):
            break
        desk.sign_in()


turn = own_turn()
with tempfile.TemporaryDirectory(prefix="shidi-conformance-") as folder:
    work(Desk(folder))
