# 房贷等额本息还款计划:贷款 100 万,年利率 3.95%,30 年,列出前几期和总利息
from decimal import Decimal, getcontext, ROUND_HALF_UP

getcontext().prec = 28
本金 = Decimal("1000000")
月利率 = Decimal("0.0395") / 12
期数 = 30 * 12


def 元(x):
    return x.quantize(Decimal("0.01"), ROUND_HALF_UP)


系数 = (1 + 月利率) ** 期数
月供 = 元(本金 * 月利率 * 系数 / (系数 - 1))
print(f"月利率 {月利率:.6%},月供 {月供:,} 元")

余额, 总利息 = 本金, Decimal(0)
print("期数    利息      本金         剩余")
for 期 in range(1, 期数 + 1):
    利息 = 元(余额 * 月利率)
    还本 = min(月供 - 利息, 余额) if 期 < 期数 else 余额
    余额 -= 还本
    总利息 += 利息
    if 期 <= 3 or 期 in (120, 359, 360):
        print(f"{期:>4}{利息:>10}{还本:>12,}{余额:>15,}")

print(f"总利息 {总利息:,} 元,占本金 {总利息 / 本金:.1%}")
等额本金利息 = sum(元((本金 - 本金 / 期数 * i) * 月利率) for i in range(期数))
print(f"等额本金总利息 {等额本金利息:,} 元,节省 {总利息 - 等额本金利息:,} 元")
