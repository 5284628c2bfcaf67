# Extract all links from this HTML snippet, resolve them against the page URL and classify them.
import re
from urllib.parse import urljoin, urlsplit

page = "https://www.example.com/blog/2024/post.html"
html = """
<a href="/about">About us</a> <a class='ext' href='https://python.org/'>Python</a>
<a href="next.html#top"><b>Next</b> post</a> <img src="../img/cat.png" alt="Cat &amp; dog">
<A HREF="mailto:me@example.com">Mail</A> <a href="">self</a> <a name="x">no link</a>
<a href="//cdn.example.com/app.js?v=3">CDN</a>
"""

ANCHOR = re.compile(r"""<a\b[^>]*?\bhref\s*=\s*(["'])(?P<href>.*?)\1[^>]*>(?P<text>.*?)</a>""", re.I | re.S)


def strip_tags(fragment):
    text = re.sub(r"<[^>]+>", "", fragment)
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(entity, char)
    return " ".join(text.split())


def classify(url):
    p = urlsplit(url)
    if p.scheme not in ("http", "https"):
        return p.scheme or "unknown"
    if p.netloc == urlsplit(page).netloc:
        return "internal"
    return "subdomain" if p.netloc.endswith(".example.com") else "external"


kinds = {}
for m in ANCHOR.finditer(html):
    target = urljoin(page, m["href"])
    kind = classify(target)
    kinds.setdefault(kind, []).append(target)
    print(f"{strip_tags(m['text']):<10} {kind:<10} {target}")
print({k: len(v) for k, v in kinds.items()})
print([urljoin(page, src) for src in re.findall(r'<img[^>]+src="([^"]+)"', html)])
print([strip_tags(a) for a in re.findall(r'alt="([^"]*)"', html)], len(re.findall(r"<a\b", html, flags=re.IGNORECASE)))
