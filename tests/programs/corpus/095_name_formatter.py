# Normalize messy names: order, capitalization, initials, sorting by surname.
raw = ["  smith, JOHN a. ", "Anna-Lena MÜLLER", "o'connor,   patrick", "van der berg, Eva", "li wei", "CHER"]


def tidy(name):
    name = " ".join(name.split())
    if "," in name:
        last, _, first = name.partition(",")
        name = f"{first.strip()} {last.strip()}"
    return " ".join(cap(w) for w in name.split(" "))


def cap(word):
    if word.lower() in {"van", "der", "de", "von"}:
        return word.lower()
    for sep in ("-", "'"):
        if sep in word:
            return sep.join(p.capitalize() for p in word.split(sep))
    return word.capitalize()


def initials(name):
    return "".join(w[0].upper() + "." for w in name.split() if w[0].isupper())


names = [tidy(n) for n in raw]
for before, after in zip(raw, names):
    print(f"{before!r:<24}-> {after:<20}{initials(after):<8}{after.swapcase()}")
names.sort(key=lambda n: (n.rsplit(maxsplit=1)[-1].casefold(), n))
print(names)
print(max(names, key=len).center(30, "*"))
print(["".join(reversed(n)).title() for n in names[:2]])
print([n.isalpha() for n in names], "Straße".casefold() == "STRASSE".casefold(), "ß".upper())
