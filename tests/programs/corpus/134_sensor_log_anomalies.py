# 分析温度传感器日志:缺失、异常值、连续超标时段
import math

数据 = """08:00 21.5
08:10 21.7
08:20 --
08:30 22.0
08:40 35.8
08:50 36.1
09:00 36.4
09:10 22.3
09:20 NaN
09:30 -40.0
09:40 22.1"""

读数 = []
缺失 = []
for 行 in 数据.splitlines():
    时, 值 = 行.split()
    try:
        温 = float(值)
    except ValueError:
        温 = math.nan
    (缺失 if math.isnan(温) else 读数).append((时, 温))

print(f"有效 {len(读数)} 条,缺失 {len(缺失)} 条:{[t for t, _ in 缺失]}")
值们 = sorted(v for _, v in 读数)
中位 = 值们[len(值们) // 2] if len(值们) % 2 else (值们[len(值们) // 2 - 1] + 值们[len(值们) // 2]) / 2
偏差 = sorted(abs(v - 中位) for v in 值们)[len(值们) // 2]
print(f"中位数 {中位:.2f},中位偏差 {偏差:.2f}")

段, 当前 = [], []
for 时, 温 in 读数 + [("", 0.0)]:
    if 温 > 30:
        当前.append((时, 温))
    elif 当前:
        段.append(当前)
        当前 = []
for s in 段:
    print(f"超标时段 {s[0][0]}–{s[-1][0]},{len(s)} 条,最高 {max(v for _, v in s)}℃")
print("传感器故障:", [f"{t}={v:g}" for t, v in 读数 if v < -20])

最低, 最高 = min(值们), max(值们)
for 时, 温 in 读数:
    print(f"{时} {温:>6.1f} " + "▇" * max(0, round((温 + 40) / 8)))
print(math.fsum([0.1] * 10) == 1, sum([0.1] * 10) == 1, 最高 - 最低)
