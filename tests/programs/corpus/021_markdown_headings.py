# Build a table of contents from this markdown document.
import re

doc = """# Shipping Guide

Intro text with `# not a heading`.

## 1. Packing
### Fragile items!
## 2. Labels & Customs
```
# comment in code
```
### Customs forms (EU)
### Fragile items!
#### Too deep
"""


def slugify(title, used):
    slug = re.sub(r"[^\w\s-]", "", title.lower()).strip()
    slug = re.sub(r"[\s]+", "-", slug)
    used[slug] = used.get(slug, 0) + 1
    return slug if used[slug] == 1 else f"{slug}-{used[slug] - 1}"


used = {}
in_code = False
toc = []
for number, line in enumerate(doc.splitlines(), 1):
    if line.startswith("```"):
        in_code = not in_code
        continue
    m = re.match(r"^(#{1,6})\s+(.*?)\s*$", line)
    if in_code or not m:
        continue
    level, title = len(m[1]), m[2]
    slug = slugify(title, used)
    if level <= 3:
        toc.append((level, title, slug, number))

for level, title, slug, number in toc:
    print(f"{'  ' * (level - 1)}- [{title}](#{slug})  <!-- line {number} -->")
print(len(toc), "entries;", "deepest level", max(t[0] for t in toc))
