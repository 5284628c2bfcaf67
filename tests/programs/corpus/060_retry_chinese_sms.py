# 模拟批量发送短信,失败自动重试三次,最后汇总结果
from collections import Counter

计划 = {
    "13800000001": ["成功"],
    "13800000002": ["超时", "成功"],
    "13800000003": ["号码无效"],
    "13800000004": ["超时", "超时", "超时"],
    "13800000005": ["限流", "超时", "成功"],
}


class 可重试错误(Exception):
    """临时故障,可以再试。"""


class 永久错误(Exception):
    """再试也没有用。"""


def send(phone, attempt):
    status = 计划[phone][attempt - 1]
    if status in ("超时", "限流"):
        raise 可重试错误(status)
    if status != "成功":
        raise 永久错误(status)


def deliver(phone, limit=3):
    reasons = []
    for attempt in range(1, limit + 1):
        try:
            send(phone, attempt)
            return "送达", attempt, reasons
        except 可重试错误 as e:
            reasons.append(str(e))
        except 永久错误 as e:
            return "失败", attempt, [*reasons, str(e)]
    return "放弃", limit, reasons


summary = Counter()
for phone in 计划:
    status, attempts, reasons = deliver(phone)
    summary[status] += 1
    detail = "、".join(reasons) if reasons else "无"
    print(f"{phone[:3]}****{phone[-4:]} {status} 尝试{attempts}次 原因:{detail}")
print(dict(summary), f"送达率 {summary['送达'] / sum(summary.values()):.0%}")
print(可重试错误.__doc__, summary["未知"])
