# 用 match 处理不同类型的付款方式并计算手续费
from dataclasses import dataclass

@dataclass
class 现金:
    金额: float

@dataclass
class 银行卡:
    金额: float
    银行: str
    信用卡: bool = False

@dataclass
class 转账:
    金额: float
    账户: tuple

def 手续费(付款):
    match 付款:
        case 现金(金额) if 金额 < 10:
            return "零钱", 0.0
        case 现金():
            return "现金", 0.0
        case 银行卡(金额=x, 信用卡=True):
            return "信用卡", x * 0.006
        case 银行卡(x, "工商银行" | "建设银行"):
            return "合作银行", 0.0
        case 银行卡(x, 银行):
            return 银行, min(x * 0.003, 25)
        case 转账(x, ("境外", 国家)):
            return f"境外·{国家}", x * 0.01 + 80
        case 转账(x, (_, _)):
            return "境内转账", 2.0
        case [*多笔]:
            return f"合并{len(多笔)}笔", sum(手续费(p)[1] for p in 多笔)
        case _:
            raise TypeError(f"不支持:{付款!r}")

列表 = [
    现金(5), 现金(300), 银行卡(1000, "招商银行", True), 银行卡(2000, "工商银行"),
    银行卡(20000, "农业银行"), 转账(5000, ("境外", "日本")), 转账(50, ("境内", "上海")),
    [现金(1), 转账(1, ("境内", "北京")), 银行卡(100, "中国银行")],
]
for 付款 in 列表:
    名, 费 = 手续费(付款)
    print(f"{名:<8} 手续费 {费:.2f} 元")
try:
    手续费("支票")
except TypeError as e:
    print(e)
print(列表[2])
