# 工资每月 10 号发,遇周末提前到周五。列出 2024 年全年发薪日
from datetime import date, timedelta

names = ["周一", "周二", "周三", "周四", "周五", "周六", "周日"]


def payday(year, month, day=10):
    d = date(year, month, day)
    while d.weekday() >= 5:
        d -= timedelta(days=1)
    return d


paydays = [payday(2024, m) for m in range(1, 13)]
previous = payday(2023, 12)
for d in paydays:
    moved = "(提前)" if d.day != 10 else ""
    print(f"{d.month:>2}月{d.day:02d}日 {names[d.weekday()]} 距上次 {(d - previous).days} 天{moved}")
    previous = d

gaps = [(b - a).days for a, b in zip(paydays, paydays[1:])]
print(f"最长间隔 {max(gaps)} 天,最短间隔 {min(gaps)} 天")
print("提前发放的月份:", [d.month for d in paydays if d.day != 10])
