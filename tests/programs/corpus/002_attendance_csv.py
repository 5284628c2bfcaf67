# 根据这份考勤表统计每个人的迟到次数和平均到岗时间
import csv
import io

text = """姓名,日期,到岗时间
张伟,2024-03-04,08:55
李娜,2024-03-04,09:12
王芳,2024-03-04,09:00
张伟,2024-03-05,09:05
李娜,2024-03-05,09:31
王芳,2024-03-05,08:47
张伟,2024-03-06,08:58
李娜,2024-03-06,08:59
"""

LIMIT = 9 * 60


def to_minutes(clock: str) -> int:
    hours, minutes = map(int, clock.split(":"))
    return hours * 60 + minutes


def to_clock(minutes: float) -> str:
    h, m = divmod(round(minutes), 60)
    return f"{h:02d}:{m:02d}"


records = {}
for row in csv.DictReader(io.StringIO(text)):
    records.setdefault(row["姓名"], []).append(to_minutes(row["到岗时间"]))

print("姓名\t天数\t迟到\t平均到岗")
for name, times in records.items():
    late = sum(t > LIMIT for t in times)
    print(name, len(times), late, to_clock(sum(times) / len(times)), sep="\t")

worst = max(records, key=lambda n: sum(t > LIMIT for t in records[n]))
print(f"迟到最多的是:{worst}")
