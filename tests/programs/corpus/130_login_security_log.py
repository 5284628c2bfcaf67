# 分析登录日志,找出 5 分钟内失败 3 次以上的账号
from collections import defaultdict, deque
from datetime import datetime, timedelta

日志 = """
2024-06-18 08:00:10 用户=admin 结果=失败 IP=203.0.113.5
2024-06-18 08:01:12 用户=admin 结果=失败 IP=203.0.113.5
2024-06-18 08:02:00 用户=lihua 结果=成功 IP=192.168.1.20
2024-06-18 08:03:40 用户=admin 结果=失败 IP=203.0.113.9
2024-06-18 08:04:02 用户=wangm 结果=失败 IP=192.168.1.33
2024-06-18 08:04:59 用户=admin 结果=成功 IP=203.0.113.9
2024-06-18 08:12:30 用户=wangm 结果=失败 IP=192.168.1.33
2024-06-18 08:30:00 用户=wangm 结果=失败 IP=192.168.1.33
"""

窗口 = timedelta(minutes=5)
最近 = defaultdict(deque)
告警 = {}
统计 = defaultdict(lambda: {"成功": 0, "失败": 0, "IP": set()})

for 行 in filter(None, 日志.splitlines()):
    日, 时, *字段 = 行.split()
    时间 = datetime.fromisoformat(f"{日} {时}")
    记录 = dict(f.split("=", 1) for f in 字段)
    用户 = 记录["用户"]
    统计[用户][记录["结果"]] += 1
    统计[用户]["IP"].add(记录["IP"])
    if 记录["结果"] == "失败":
        队列 = 最近[用户]
        队列.append(时间)
        while 队列 and 时间 - 队列[0] > 窗口:
            队列.popleft()
        if len(队列) >= 3:
            告警.setdefault(用户, 时间)
    elif 用户 in 告警:
        print(f"!! {用户} 在告警后于 {时间:%H:%M:%S} 登录成功,疑似被破解")

for 用户, s in 统计.items():
    比例 = s["失败"] / (s["成功"] + s["失败"])
    print(f"{用户:<8}成功{s['成功']} 失败{s['失败']} 失败率{比例:>5.0%} IP {sorted(s['IP'])}")
for 用户, 时间 in 告警.items():
    print(f"告警:{用户} 首次触发 {时间}")
print("安全账号:", [u for u in 统计 if u not in 告警])
