# Build API request URLs from a dict, with lists, unicode and None values.
from urllib.parse import quote, quote_plus, unquote_plus, urlencode, urljoin

BASE = "https://api.example.com/v2/"


def build(path, **params):
    clean = {}
    for key, value in params.items():
        if value is None:
            continue
        if isinstance(value, bool):
            value = str(value).lower()
        clean[key.rstrip("_")] = value
    query = urlencode(clean, doseq=True)
    return urljoin(BASE, quote(path)) + (f"?{query}" if query else "")


print(build("users"))
print(build("search", q="café & bar", page=2, tags=["a b", "c/d"], from_="2024-01-01", debug=None))
print(build("files/my report (1).pdf", download=True))
print(build("城市/北京", limit=5))

for link in ("../v1/users", "/root", "items?id=1", "https://other.org/x", "//cdn.org/y", "#top", ""):
    print(f"{link!r:<24} {urljoin(BASE, link)}")
print(quote("a/b c?d=é"), quote("a/b", safe=""), quote_plus("a b+c"), unquote_plus("a+b%2Bc"))
print(urlencode([("k", "v 1"), ("k", 2)]), urlencode({"x": "~-_.!*'()"}))
print(urlencode({"q": "发票"}), quote(b"\xff\x00"))
