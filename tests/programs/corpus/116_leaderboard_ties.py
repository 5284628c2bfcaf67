# 比赛成绩排名:并列名次相同,下一名顺延;再给出“密集排名”
from itertools import groupby

成绩 = {"青龙队": 87, "白虎队": 92, "朱雀队": 87, "玄武队": 75, "麒麟队": 92, "凤凰队": 60}

排序 = sorted(成绩.items(), key=lambda kv: (-kv[1], kv[0]))
print("名次 密集 队伍   得分")
名次 = 密集 = 0
上一分 = None
for 序号, (队, 分) in enumerate(排序, 1):
    if 分 != 上一分:
        名次, 密集, 上一分 = 序号, 密集 + 1, 分
    print(f"{名次:>3} {密集:>4}  {队} {分:>5}")

for 分, 组 in groupby(排序, key=lambda kv: kv[1]):
    队伍 = [队 for 队, _ in 组]
    if len(队伍) > 1:
        print(f"{分}分并列:{'、'.join(队伍)}")

前三, 其余 = 排序[:3], 排序[3:]
print("奖牌:", dict(zip("金银铜", (队 for 队, _ in 前三))))
print("其余:", [队[:2] for 队, _ in 其余])
晋级 = {队 for 队, 分 in 成绩.items() if 分 >= 80}
种子 = {"白虎队", "玄武队", "朱雀队"}
print("晋级种子:", sorted(晋级 & 种子), "意外出局:", 种子 - 晋级, "黑马:", sorted(晋级 - 种子))
print("最高", max(成绩.values()), "最低", min(成绩, key=成绩.get), "极差", max(成绩.values()) - min(成绩.values()))
