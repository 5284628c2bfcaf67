# Write a small URL router with typed path parameters.
import re
from urllib.parse import parse_qsl

class Router:
    CONVERTERS = {"int": (r"\d+", int), "str": (r"[^/]+", str), "path": (r".+", str)}

    def __init__(self):
        self.routes = []

    def route(self, pattern, method="GET"):
        kinds = {}

        def field(m):
            kind, name = m.group(1) or "str", m.group(2)
            kinds[name] = self.CONVERTERS[kind][1]
            return f"(?P<{name}>{self.CONVERTERS[kind][0]})"

        regex = re.compile(re.sub(r"<(?:(\w+):)?(\w+)>", field, pattern) + r"\Z")

        def register(func):
            self.routes.append((method, regex, kinds, func))
            return func
        return register

    def handle(self, method, url):
        path, _, query = url.partition("?")
        allowed = set()
        for verb, regex, kinds, func in self.routes:
            if m := regex.match(path):
                if verb == method:
                    args = {k: kinds[k](v) for k, v in m.groupdict().items()}
                    return 200, func(**args, **dict(parse_qsl(query)))
                allowed.add(verb)
        return (405, sorted(allowed)) if allowed else (404, path)

app = Router()

@app.route("/users/<int:id>")
def user(id, **q):
    return f"user {id + 0} {q or ''}".strip()

@app.route("/users/<int:id>", method="DELETE")
def delete(id):
    return f"deleted {id}"

@app.route("/files/<path:name>")
def files(name, mode="view"):
    return f"{mode} {name}"

for request in ["GET /users/42?tab=log", "DELETE /users/7", "POST /users/7", "GET /users/abc", "GET /files/a/b.txt?mode=raw"]:
    print(request, "->", *app.handle(*request.split(" ", 1)))
