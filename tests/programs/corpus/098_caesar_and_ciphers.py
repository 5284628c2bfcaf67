# Write Caesar, Vigenère and a simple run-length encoding with decode functions.
import re
import string
from itertools import cycle, groupby


def shift(ch, k):
    for alphabet in (string.ascii_lowercase, string.ascii_uppercase):
        if ch in alphabet:
            return alphabet[(alphabet.index(ch) + k) % 26]
    return ch


def caesar(text, k):
    return "".join(shift(c, k) for c in text)


def vigenere(text, key, sign=1):
    keys = cycle(key.lower())
    return "".join(shift(c, sign * (ord(next(keys)) - 97)) if c.isalpha() else c for c in text)


def rle(text):
    return "".join(f"{n if (n := len(list(g))) > 1 else ''}{ch}" for ch, g in groupby(text))


def unrle(code):
    return re.sub(r"(\d+)(\D)", lambda m: m[2] * int(m[1]), code)


secret = caesar("Meet me at 9, Zoe!", 3)
print(secret, "|", caesar(secret, -3))
v = vigenere("Attack at dawn", "lemon")
print(v, "|", vigenere(v, "lemon", -1))
for text in ("aaabccddddd", "abc", "", "  !!!"):
    code = rle(text)
    print(repr(text), repr(code), unrle(code) == text)


def crack(text):
    def score(t):
        return sum(t.lower().count(c) for c in "etaoin") - t.lower().count("q") - t.lower().count("z")
    return max(range(26), key=lambda k: score(caesar(text, -k)))


k = crack("Wkh phhwlqj lv dw wkh vwdwlrq")
print(k, caesar("Wkh phhwlqj lv dw wkh vwdwlrq", -k))
