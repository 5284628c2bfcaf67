# 计算累计预扣个人所得税,列出每月税额和到手工资
from decimal import Decimal, ROUND_HALF_UP

税率表 = [
    (Decimal(36000), Decimal("0.03"), Decimal(0)),
    (Decimal(144000), Decimal("0.10"), Decimal(2520)),
    (Decimal(300000), Decimal("0.20"), Decimal(16920)),
    (Decimal(420000), Decimal("0.25"), Decimal(31920)),
    (Decimal("Infinity"), Decimal("0.30"), Decimal(52920)),
]


def 应纳税(累计所得):
    for 上限, 税率, 速算 in 税率表:
        if 累计所得 <= 上限:
            return max(Decimal(0), 累计所得 * 税率 - 速算).quantize(Decimal("0.01"), ROUND_HALF_UP), 税率
    raise AssertionError


def 工资单(月薪, 五险一金, 专项, 月数=12):
    累计收入 = 累计扣除 = 已缴 = Decimal(0)
    for 月 in range(1, 月数 + 1):
        累计收入 += 月薪
        累计扣除 += 5000 + 五险一金 + 专项
        累计税, 税率 = 应纳税(max(Decimal(0), 累计收入 - 累计扣除))
        本月税 = 累计税 - 已缴
        已缴 = 累计税
        yield 月, 本月税, 税率, 月薪 - 五险一金 - 本月税


月薪 = Decimal("32000")
五险一金 = (月薪 * Decimal("0.175")).quantize(Decimal("0.01"))
print(f"月薪 {月薪:,},五险一金 {五险一金:,}")
总税 = 总到手 = Decimal("0")
for 月, 税, 税率, 到手 in 工资单(月薪, 五险一金, Decimal(2000)):
    总税 += 税
    总到手 += 到手
    print(f"{月:>2}月 税率 {税率:>4.0%} 税 {税:>9,.2f} 到手 {到手:>10,.2f}")
print(f"全年个税 {总税:,.2f},到手 {总到手:,.2f},实际税负 {总税 / (月薪 * 12):.2%}")
print([str(应纳税(Decimal(x))[0]) for x in (0, 36000, 36001, 1000000)])
