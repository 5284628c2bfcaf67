# 这些合同哪些在 60 天内到期?今天按 2024-10-15 算
from datetime import date, datetime

today = date(2024, 10, 15)
contracts = [
    ("HT-2023-018", "上海云帆科技", "2024-11-02"),
    ("HT-2022-104", "北京百川贸易", "2025年3月31日"),
    ("HT-2024-007", "广州天河物流", "2024/12/14"),
    ("HT-2021-055", "深圳前海创新", "2024-09-30"),
]


def parse_date(text):
    for fmt in ("%Y-%m-%d", "%Y/%m/%d", "%Y年%m月%d日"):
        try:
            return datetime.strptime(text, fmt).date()
        except ValueError:
            continue
    raise ValueError(f"无法识别的日期:{text}")


weekdays = "一二三四五六日"
for number, party, text in sorted(contracts, key=lambda c: parse_date(c[2])):
    due = parse_date(text)
    left = (due - today).days
    if left < 0:
        status = f"已过期 {-left} 天"
    elif left <= 60:
        status = f"即将到期,还有 {left} 天"
    else:
        status = f"正常(剩余 {left} 天)"
    print(f"{number} {party} {due:%Y-%m-%d} 星期{weekdays[due.weekday()]} {status}")

try:
    parse_date("明年春天")
except ValueError as err:
    print("错误:", err)
