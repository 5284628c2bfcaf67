# Normalize and de-duplicate this list of links, removing tracking parameters.
import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

links = """
HTTP://Example.com:80/a/../b/./c/?b=2&a=1&utm_source=mail
http://example.com/b/c?a=1&b=2
https://example.com/b/c/#section
https://www.example.com/b/c?fbclid=XYZ
https://example.com:443/b/c/
example.com/no-scheme
""".split()

TRACKING = re.compile(r"^(utm_\w+|fbclid|gclid)$")
DEFAULT_PORTS = {"http": 80, "https": 443}


def clean_path(path):
    parts = []
    for part in path.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def normalize(url):
    if "://" not in url:
        url = "https://" + url
    p = urlsplit(url)
    host = (p.hostname or "").removeprefix("www.")
    if p.port and p.port != DEFAULT_PORTS.get(p.scheme):
        host += f":{p.port}"
    query = sorted((k, v) for k, v in parse_qsl(p.query) if not TRACKING.match(k))
    return urlunsplit((p.scheme, host, clean_path(p.path), urlencode(query), ""))


seen = {}
for link in links:
    seen.setdefault(normalize(link), []).append(link)
for url, originals in seen.items():
    print(f"{url}  ({len(originals)})")
    for o in originals:
        if o != url:
            print("    was", o)
print(len(links), "->", len(seen))
