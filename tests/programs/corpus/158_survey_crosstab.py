# 汇总满意度问卷:交叉表、加权平均分、NPS
from collections import Counter, defaultdict

答卷 = [("北京", "男", 9), ("北京", "女", 10), ("上海", "女", 6), ("上海", "男", 8), ("北京", "女", 7),
      ("广州", "男", 3), ("广州", "女", 9), ("上海", "女", 10), ("北京", "男", 5), ("广州", "男", None)]


def 类型(分):
    match 分:
        case None:
            return "未答"
        case int() if 分 >= 9:
            return "推荐者"
        case 7 | 8:
            return "中立者"
        case _:
            return "贬损者"


交叉 = defaultdict(Counter)
for 城, 性, 分 in 答卷:
    交叉[城][类型(分)] += 1

列 = ["推荐者", "中立者", "贬损者", "未答"]
print("城市", *列, "NPS", sep="\t")
for 城, 数 in 交叉.items():
    有效 = sum(数.values()) - 数["未答"]
    nps = (数["推荐者"] - 数["贬损者"]) / 有效 * 100
    print(城, *(数[c] for c in 列), f"{nps:+.0f}", sep="\t")
总 = sum(交叉.values(), Counter())
print("合计", *(总[c] for c in 列), sep="\t")

权重 = {"北京": 0.5, "上海": 0.3, "广州": 0.2}
均分 = {}
for 城 in 权重:
    分数 = [s for c, _, s in 答卷 if c == 城 and s is not None]
    均分[城] = sum(分数) / len(分数)
print({c: round(v, 2) for c, v in 均分.items()})
print(f"加权平均 {sum(均分[c] * w for c, w in 权重.items()):.3f}")
按性别 = {g: [s for _, x, s in 答卷 if x == g and s] for g in "男女"}
for g, s in 按性别.items():
    print(f"{g}性 {len(s)} 人 平均 {sum(s) / len(s):.2f} 最高 {max(s)} 最低 {min(s)}")
print(f"有效率 {sum(s is not None for *_, s in 答卷) / len(答卷):.0%}")
