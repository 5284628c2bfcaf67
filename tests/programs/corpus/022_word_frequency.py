# Count the most frequent words in this paragraph, ignoring stop words.
import re
from collections import Counter

text = """The quick release fixed the login bug, but the login page is still slow.
Users don't like a slow page; users leave. It's the page load that matters, not
the login itself -- page speed first, features second."""

stop = set("the a an is but it that not and of to in".split())
words = re.findall(r"[a-z]+(?:'[a-z]+)?", text.lower())
counts = Counter(w for w in words if w not in stop)

print(f"{len(words)} words, {len(set(words))} distinct, {len(counts)} after stop words")
for word, n in counts.most_common(5):
    print(f"{word:<10}{'#' * n} {n}")

longest = max(words, key=len)
print("Longest:", longest, len(longest))
sentences = [s.strip() for s in re.split(r"[.;!?]+\s*|\s--\s", text) if s.strip()]
for s in sentences:
    print("-", " ".join(s.split())[:40])
bigrams = Counter(zip(words, words[1:]))
print([pair for pair, n in bigrams.items() if n > 1])
