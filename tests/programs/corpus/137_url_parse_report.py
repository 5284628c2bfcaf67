# Break these URLs into parts and show their query parameters.
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

urls = [
    "https://shop.example.com:8443/catalog/shoes?size=42&color=dark+blue&size=43#reviews",
    "http://user:s3cret@localhost/admin/",
    "ftp://files.example.org/pub/a%20b.txt",
    "mailto:help@example.com?subject=Hi%21",
    "//cdn.example.com/lib.js?v=",
    "/relative/path;x=1?q=%E4%BD%A0%E5%A5%BD",
]
for url in urls:
    p = urlsplit(url)
    print(url)
    print(f"  scheme={p.scheme!r} host={p.hostname!r} port={p.port} path={unquote(p.path)!r}")
    if p.username:
        print(f"  login={p.username}:{'*' * len(p.password)}")
    if p.query:
        print("  query:", parse_qs(p.query, keep_blank_values=True))
    if p.fragment:
        print("  fragment:", p.fragment)

print(parse_qsl("a=1&b=2&a=3&empty=&flag"), parse_qs("flag&empty="))
parts = urlsplit(urls[0])
print(parts.netloc, parts._replace(query="", fragment="").geturl())
print(parts)
