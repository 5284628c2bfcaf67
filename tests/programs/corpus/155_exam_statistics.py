# 统计两个班的考试成绩:平均分、标准差、及格率、分数段分布
import statistics
from collections import Counter

成绩 = {
    "高一(1)班": [88, 92, 75, 60, 59, 83, 97, 71, 66, 90],
    "高一(2)班": [78, 81, 80, 76, 82, 79, 77, 84, 45, 80],
}


def 分段(分):
    return "优秀" if 分 >= 90 else "良好" if 分 >= 75 else "及格" if 分 >= 60 else "不及格"


for 班, 分数 in 成绩.items():
    均 = statistics.mean(分数)
    差 = statistics.pstdev(分数)
    及格率 = sum(s >= 60 for s in 分数) / len(分数)
    print(f"{班} 平均 {均:.1f} 标准差 {差:.2f} 中位数 {statistics.median(分数)} 及格率 {及格率:.0%}")
    分布 = Counter(map(分段, 分数))
    for 段 in ("优秀", "良好", "及格", "不及格"):
        print(f"  {段:\u3000<4}{'■' * 分布[段]}{分布[段]:>3}人")
    print(f"  标准分最高 {max((s - 均) / 差 for s in 分数):+.2f},最低 {min((s - 均) / 差 for s in 分数):+.2f}")

全部 = [s for 分数 in 成绩.values() for s in 分数]
print("全年级:", len(全部), "人,平均", statistics.fmean(全部), "众数", statistics.multimode(全部))
print("四分位:", statistics.quantiles(全部, n=4))
更稳定 = min(成绩, key=lambda c: statistics.stdev(成绩[c]))
print("更稳定的班级:", 更稳定)
去极值 = sorted(全部)[1:-1]
print(f"去掉最高最低后平均 {statistics.mean(去极值):.3f}")
