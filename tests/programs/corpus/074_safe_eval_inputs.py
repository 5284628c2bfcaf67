# 逐个计算表达式,除零、格式错误、未知运算符都给出中文提示
def 计算(表达式):
    try:
        左, 符号, 右 = 表达式.split()
    except ValueError:
        raise ValueError(f"格式应为“数 运算符 数”,实际是 {表达式!r}") from None
    a, b = float(左), float(右)
    运算 = {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "/": lambda: a / b,
        "//": lambda: a // b,
        "**": lambda: a ** b,
    }
    return 运算[符号]()


统计 = {"成功": 0, "失败": 0}
for 题 in ["3 + 4.5", "10 / 4", "7 / 0", "2 ** 10", "三 + 4", "8 % 3", "1+1", "10 ** 400", "-7 // 2"]:
    try:
        结果 = 计算(题)
    except ZeroDivisionError:
        信息 = "除数不能为零"
    except KeyError as e:
        信息 = f"不支持的运算符 {e.args[0]}"
    except OverflowError:
        信息 = "结果太大"
    except ValueError as e:
        信息 = str(e)
    else:
        统计["成功"] += 1
        print(f"{题} = {结果:g}")
        continue
    finally:
        统计.setdefault("总数", 0)
        统计["总数"] += 1
    统计["失败"] += 1
    print(f"{题} → 错误:{信息}")
print(统计)
