# 购物车结算:满减、会员折扣、优惠券,按规则选最优惠的方案
from dataclasses import dataclass
from decimal import Decimal, ROUND_HALF_UP
from itertools import combinations

@dataclass(frozen=True)
class 商品:
    名称: str
    单价: Decimal
    数量: int = 1

    @property
    def 小计(self):
        return self.单价 * self.数量

车 = [商品("蓝牙耳机", Decimal("299.00")), 商品("手机壳", Decimal("39.90"), 2), 商品("充电线", Decimal("19.99"), 3)]

def 满减(额):
    return 额 - 40 * (额 // 200)

def 会员(额):
    return 额 * Decimal("0.92")

def 优惠券(额):
    return 额 - 25 if 额 >= 300 else 额

互斥 = [{满减, 会员}]
原价 = sum(g.小计 for g in 车)
for g in 车:
    print(f"{g.名称} {g.单价} × {g.数量} = {g.小计}")
print("原价:", 原价)

方案 = []
for n in range(4):
    for 组合 in combinations((满减, 会员, 优惠券), n):
        if any(x <= set(组合) for x in 互斥):
            continue
        额 = 原价
        for 规则 in 组合:
            额 = 规则(额)
        方案.append((额.quantize(Decimal("0.01"), ROUND_HALF_UP), [r.__name__ for r in 组合]))

for 额, 名单 in sorted(方案, key=lambda p: p[0]):
    print(f"{额:>8} {'+'.join(名单) or '无优惠'}")
最优, 名单 = min(方案, key=lambda p: p[0])
print(f"最优方案:{'、'.join(名单)},应付 {最优} 元,节省 {原价 - 最优} 元({1 - 最优 / 原价:.1%})")
print(车[1], hash(车[0]) == hash(商品("蓝牙耳机", Decimal("299"))))
