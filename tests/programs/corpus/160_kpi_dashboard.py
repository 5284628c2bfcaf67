# 生成门店月度经营看板:同比、环比、目标完成率、帕累托分析
import json
from itertools import accumulate

数据 = json.loads("""{
  "南京店": {"本月": 486000, "上月": 452000, "去年": 390000, "目标": 480000},
  "杭州店": {"本月": 612500, "上月": 640000, "去年": 588000, "目标": 650000},
  "合肥店": {"本月": 158000, "上月": 149500, "去年": 0, "目标": 150000},
  "宁波店": {"本月": 93500, "上月": 101000, "去年": 120400, "目标": 110000}
}""")


def 比(新, 旧):
    return None if not 旧 else 新 / 旧 - 1


def 显(x):
    return "  新店" if x is None else f"{'↑' if x > 0 else '↓'}{abs(x):>6.1%}"


预警 = []
for 店, d in 数据.items():
    完成 = d["本月"] / d["目标"]
    同比, 环比 = 比(d["本月"], d["去年"]), 比(d["本月"], d["上月"])
    灯 = "🟢" if 完成 >= 1 else "🟡" if 完成 >= 0.9 else "🔴"
    print(f"{灯} {店} {d['本月'] / 1e4:>6.2f}万 同比{显(同比)} 环比{显(环比)} 完成 {完成:.1%}")
    if 完成 < 1 and (环比 or 0) < 0:
        预警.append({"门店": 店, "缺口": d["目标"] - d["本月"]})

排序 = sorted(数据, key=lambda s: 数据[s]["本月"], reverse=True)
总 = sum(d["本月"] for d in 数据.values())
for 店, 累计 in zip(排序, accumulate(数据[s]["本月"] for s in 排序)):
    print(f"{店} 累计占比 {累计 / 总:>6.1%} {'A' if 累计 / 总 <= 0.7 else 'B' if 累计 / 总 <= 0.95 else 'C'}类")
print("预警:", json.dumps(预警, ensure_ascii=False))
合计 = {k: sum(d[k] for d in 数据.values()) for k in next(iter(数据.values()))}
print(合计, f"总完成率 {合计['本月'] / 合计['目标']:.2%}")
