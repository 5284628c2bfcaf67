# 统计这段中文里汉字、英文单词、数字和标点的数量,并找出出现最多的词
import re
from collections import Counter

text = "2024年第三季度,公司营收达到1.25亿元,同比增长18.6%。其中AI业务营收3200万元,增长迅猛;传统业务营收9300万元。CEO表示:“AI业务将继续增长!”"

hanzi = re.findall(r"[\u4e00-\u9fff]", text)
english = re.findall(r"[A-Za-z]+", text)
numbers = re.findall(r"\d+(?:\.\d+)?%?", text)
punct = re.findall(r"[,。;:“”!、?]", text)

print(f"总字符 {len(text)},汉字 {len(hanzi)},英文 {len(english)},数字 {len(numbers)},标点 {len(punct)}")
print("数字:", numbers)
print("英文:", Counter(english))

for word in ("营收", "业务", "增长", "公司"):
    positions = [m.start() for m in re.finditer(word, text)]
    print(f"“{word}”出现 {len(positions)} 次,位置 {positions}")

pairs = Counter(a + b for a, b in zip(text, text[1:]) if all("\u4e00" <= c <= "\u9fff" for c in a + b))
print(pairs.most_common(3))
for part in re.split(r"(?<=[。;])", text):
    if part:
        print(">", part)

amounts = [float(n) * {"亿": 10000, "万": 1}[u] for n, u in re.findall(r"([\d.]+)(亿|万)元", text)]
print("金额(万元):", amounts)
