# 网址编码与字节清理:中文不能丢
from urllib.parse import parse_qs, quote, quote_plus, unquote, urlencode, urljoin, urlsplit

for text in ("中", "数据", "a b", "线上 x", "100%", "é", "", "~-_.", "中/文"):
    print(text, quote(text), quote(text, safe=""), quote_plus(text), unquote(quote(text)) == text)
print(urlencode({"b": "中", "q": "a b&c", "list": ["一", "二"]}, doseq=True))
print(parse_qs(urlsplit("https://例.cn/s?" + urlencode({"q": "天气"})).query))
print(urljoin("https://x.cn/a/", quote("报告.pdf")))

for given in ("线上 ", "中", "--中--", "\u3000全角\u3000", "\u00a0x\u00a0", " \t\r\n\x0b\x0cx ", "\x85x\x85", "", "  "):
    data = given.encode()
    print(data.strip(), data.lstrip(), data.rstrip(), data.strip(None), data.strip(b"-"), data.rstrip(b" \n"))
    print(bytearray(data).strip(), bytearray(data).lstrip(b"-"), bytearray(data).rstrip(memoryview(b"-")))
print(b"xxabcxx".strip(b"x"), b"abc".strip(b"abc"), b"abc".strip(b""), bytes.strip(b" y "), type(bytearray(b" ").strip()))
print(["中".encode().isalpha(), "é".encode("latin-1").isalpha(), b"abc".isalpha(), b"".isalpha(), b"ab1".isalnum()])
print("é1".encode("latin-1").isalnum(), bytearray(b"a").isalpha(), list(map(bytes.strip, [b" a ", b"b "])))
for wrong in (lambda: b"x".strip("x"), lambda: b"x".strip(1), lambda: b"x".strip(b"x", b"y"), lambda: bytes.strip("x")):
    try:
        print(wrong())
    except TypeError:
        print("TypeError")
print([line.rstrip(b"\n").decode() for line in "一\n二\n".encode().splitlines(keepends=True)])
print("一\u3000二 三".encode().split(), "一\u3000二\x1c三".encode().split(None, 1), b"a\x85b c".split(), "\xa0a".encode().rsplit())
