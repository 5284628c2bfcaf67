# Sort file names and version numbers the natural way.
import re
from functools import cmp_to_key

files = ["img12.png", "img2.png", "IMG1.png", "img10a.png", "notes.txt", "img2-final.png"]


def natural(text):
    return [int(t) if t.isdigit() else t.lower() for t in re.split(r"(\d+)", text)]


print(sorted(files))
print(sorted(files, key=natural))

versions = ["1.10.0", "1.2.9", "1.2.10-beta", "1.2.10", "2.0", "1.2.10-alpha", "v1.9.3"]


def compare(a, b):
    def split(v):
        core, _, pre = v.lstrip("v").partition("-")
        nums = [int(n) for n in core.split(".")]
        return nums + [0] * (3 - len(nums)), pre

    (na, pa), (nb, pb) = split(a), split(b)
    if na != nb:
        return -1 if na < nb else 1
    if pa == pb:
        return 0
    if not pa or not pb:
        return 1 if not pa else -1
    return (pa > pb) - (pa < pb)


ordered = sorted(versions, key=cmp_to_key(compare))
print(" < ".join(ordered))
print("latest:", max(versions, key=cmp_to_key(compare)))
print("upgrade needed:", [v for v in ordered if compare(v, "1.2.10") < 0])
print(sorted(["b", "a", "C"], key=lambda s: (s.isupper(), s)), (1, 2, 10) > (1, 2, 9), "1.10" > "1.9")
