# 设计短链接:用 base62 编码自增编号,支持还原、点击统计和过期
import string
from datetime import datetime, timedelta

字符 = string.digits + string.ascii_letters

def 编码(n):
    if n == 0:
        return 字符[0]
    结果 = []
    while n:
        n, 余 = divmod(n, 62)
        结果.append(字符[余])
    return "".join(reversed(结果))

def 解码(码):
    n = 0
    for c in 码:
        n = n * 62 + 字符.index(c)
    return n

class 短链服务:
    def __init__(self, 起始=100_000):
        self.编号, self.库, self.反查 = 起始, {}, {}

    def 缩短(self, url, 天数=30, 现在=datetime(2024, 5, 1)):
        if url in self.反查:
            return self.反查[url]
        码 = 编码(self.编号)
        self.编号 += 7919
        self.库[码] = {"网址": url, "到期": 现在 + timedelta(days=天数), "点击": 0}
        self.反查[url] = 码
        return 码

    def 打开(self, 码, 现在):
        项 = self.库.get(码)
        if 项 is None:
            return "404 不存在"
        if 现在 > 项["到期"]:
            return f"410 已于 {项['到期']:%m月%d日} 过期"
        项["点击"] += 1
        return f"302 {项['网址']}"

服务 = 短链服务()
甲 = 服务.缩短("https://www.example.cn/产品/打印机?id=1")
乙 = 服务.缩短("https://www.example.cn/活动", 天数=3)
print(甲, 乙, 服务.缩短("https://www.example.cn/活动") == 乙, 解码(甲))
for 码, 日 in [(甲, 2), (乙, 3), (乙, 10), ("zzz", 1), (甲, 20)]:
    print(码, 日, 服务.打开(码, datetime(2024, 5, 日)))
print({c: v["点击"] for c, v in 服务.库.items()}, [编码(n) for n in (0, 61, 62, 3843)])
