# Wrap this announcement to 40 columns, indent it, and set two texts side by side.
import textwrap

notice = """
    The office will be closed on Friday, 3 May. Please finish open
    requests by Thursday noon.

    Deliveries arriving on Friday are accepted at the north gate only;
    call extension 4411 if you expect something perishable.
"""

clean = textwrap.dedent(notice).strip()
paragraphs = [" ".join(p.split()) for p in clean.split("\n\n")]
for p in paragraphs:
    print(textwrap.fill(p, width=40))
    print()

print(textwrap.fill(paragraphs[0], width=36, initial_indent="* ", subsequent_indent="  "))
print(textwrap.indent("first\n\nsecond", "> "))
print(textwrap.shorten(paragraphs[1], width=50, placeholder=" [...]"))

left = textwrap.wrap(paragraphs[0], 24)
right = textwrap.wrap(paragraphs[1], 24)
height = max(len(left), len(right))
left += [""] * (height - len(left))
right += [""] * (height - len(right))
for a, b in zip(left, right):
    print(f"{a:<24} | {b}".rstrip())
print(len(left), "rows")
