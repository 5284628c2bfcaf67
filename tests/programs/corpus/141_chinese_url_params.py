# 解析推广链接里的中文参数,统计各渠道和关键词的点击量
from collections import Counter
from urllib.parse import parse_qs, unquote, urlparse

链接 = [
    "https://www.example.cn/活动?渠道=%E5%BE%AE%E4%BF%A1&kw=%E6%89%93%E5%8D%B0%E6%9C%BA&n=3",
    "https://www.example.cn/%E6%B4%BB%E5%8A%A8?kw=%E5%A2%A8%E7%9B%92&%E6%B8%A0%E9%81%93=%E6%8A%96%E9%9F%B3",
    "https://m.example.cn/活动?渠道=微信&kw=打印机&kw=A4纸",
    "https://m.example.cn/首页",
    "https://www.example.cn/活动?渠道=&kw=墨盒&n=abc",
]

渠道, 关键词, 点击 = Counter(), Counter(), 0
for 地址 in 链接:
    部分 = urlparse(地址)
    参数 = parse_qs(部分.query)
    来源 = 参数.get("渠道", ["直接访问"])[0]
    渠道[来源] += 1
    关键词.update(参数.get("kw", []))
    try:
        点击 += int(参数.get("n", ["1"])[0])
    except ValueError as e:
        print("参数错误:", e)
    print(部分.hostname, unquote(部分.path), 来源, 参数.get("kw", "—"))

for 名, 次 in 渠道.most_common():
    print(f"{名}:{次} 次({次 / len(链接):.0%})")
print("关键词:", 关键词.most_common(2))
print("点击:", 点击, "移动端:", sum(urlparse(u).netloc.startswith("m.") for u in 链接))
print(urlparse(链接[0])[:3])
