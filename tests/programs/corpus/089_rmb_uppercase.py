# 把金额转换成人民币大写
数字 = "零壹贰叁肆伍陆柒捌玖"
单位 = ["", "拾", "佰", "仟"]
大单位 = ["", "万", "亿", "万亿"]


def 四位(n):
    结果, 需零 = "", False
    for i in range(3, -1, -1):
        d = n // 10 ** i % 10
        if d == 0:
            需零 = bool(结果)
            continue
        if 需零:
            结果 += "零"
            需零 = False
        结果 += 数字[d] + 单位[i]
    return 结果


def 大写(金额):
    分总 = round(金额 * 100)
    元, 零头 = divmod(abs(分总), 100)
    角, 分 = divmod(零头, 10)
    段, 文 = [], ""
    while 元:
        元, 低 = divmod(元, 10000)
        段.append(低)
    for i in range(len(段) - 1, -1, -1):
        if 段[i] == 0:
            continue
        if 文 and (段[i] < 1000 or (i + 1 < len(段) and 段[i + 1] == 0)):
            文 += "零"
        文 += 四位(段[i]) + 大单位[i]
    文 = 文 + "元" if 文 else ""
    if not 零头:
        文 = (文 or "零元") + "整"
    else:
        文 += (数字[角] + "角") if 角 else ("零" if 文 else "")
        文 += 数字[分] + "分" if 分 else ""
    return ("负" if 分总 < 0 else "") + 文


for 金额 in [0, 0.05, 10, 108, 1680.32, 20003.4, 100000, 1010050.06, 305000000, -66.6]:
    print(f"{金额:>15,.2f}  {大写(金额)}")
