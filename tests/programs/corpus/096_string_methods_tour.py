# Demonstrate the most useful string methods on this product code list.
code = "  PRD-00042-xl;PRD-7-M;ACC-0310-;prd-15-s  "

parts = code.strip().split(";")
print(parts)
for p in parts:
    kind, number, size = p.split("-")
    print(kind.upper().ljust(5, "."), number.zfill(6), size.upper() or "ONE", p.startswith(("PRD", "prd")), p.count("0"))

text = "The quick brown fox"
print(text.find("quick"), text.find("cat"), text.rfind("o"), text.index("fox"))
print(text.replace("quick", "slow"), text.replace("o", "0", 1))
print(text.partition(" "), text.rpartition(" "))
print("a,b,,c".split(","), "a b  c".split(), "a-b-c".rsplit("-", 1), "x\ny\r\nz".splitlines())
print("xxhixx".strip("x"), "invoice.pdf".removesuffix(".pdf"), "draft_v2".removeprefix("draft_"))
print("abc".isalpha(), "12".isdigit(), "a1".isalnum(), " ".isspace(), "Ab".istitle(), "½".isnumeric(), "½".isdigit())
print("tab\tsep".expandtabs(8), "|".join(sorted("hello")), "ab" * 3, "e" in "hello")
print("hello world".title(), "HELLO".lower(), "hello".capitalize(), "Hello".swapcase())
table = str.maketrans({"a": "4", "e": "3", "o": None})
print("leet code area".translate(table), "hello".translate(str.maketrans("el", "ip")))
print("abc" < "abd", "Z" < "a", ord("A"), chr(8364), "a".encode(), b"caf\xc3\xa9".decode("utf-8"))
print(repr("tab\t'quote' \"double\" \\ \n"), ascii("naïve ☕"))
