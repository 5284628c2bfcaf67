# 清洗中文文本:全角转半角、去掉多余空格和标点、统一引号
import unicodedata

lines = [
    "  订单号:AB12345 ,金额: 100元! ",
    "联系人: 张 三 (销售部)TEL:010-88886666",
    "“重要”通知…… 请 在3月5日 前回复!!",
]

def half(text):
    out = []
    for ch in text:
        code = ord(ch)
        if code == 0x3000:
            out.append(" ")
        elif 0xFF01 <= code <= 0xFF5E:
            out.append(chr(code - 0xFEE0))
        else:
            out.append(ch)
    return "".join(out)

def is_han(ch):
    return "\u4e00" <= ch <= "\u9fff"

def squeeze(text):
    text = " ".join(text.split())
    out = ""
    for i, ch in enumerate(text):
        if ch == " " and 0 < i < len(text) - 1 and is_han(text[i - 1]) and is_han(text[i + 1]):
            continue
        out += ch
    return out

def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)

for line in lines:
    clean = squeeze(half(line)).replace("“", '"').replace("”", '"').replace("……", "...")
    while "!!" in clean:
        clean = clean.replace("!!", "!")
    print(clean, len(clean), width(clean))
    print("  规范化一致:", unicodedata.normalize("NFKC", line).split() == half(line).split())

print(unicodedata.name("价", "未知"), unicodedata.category("A"), unicodedata.category("。"), unicodedata.numeric("五"))
for name, price in [("苹果", 5.5), ("Banana", 3), ("火龙果XL", 12.8)]:
    print(name + " " * (12 - width(name)) + f"{price:>8.2f}")
