# 把文本里的手机号、身份证号和邮箱打码
import re

text = """客户张三,手机 13812345678,身份证 110101199003077758,邮箱 zhangsan@example.com。
李四的电话是15900001111,备用电话 021-65432100;邮箱:li.si_2020@mail.example.cn
订单号 202403151234567 不需要处理。"""


def mask_phone(m):
    return m.group(1) + "****" + m.group(2)


def mask_mail(m):
    user, domain = m.group("user"), m.group("domain")
    keep = user[:2]
    return f"{keep}{'*' * (len(user) - len(keep))}@{domain}"


rules = [
    ("身份证", r"(?<!\d)(\d{6})\d{8}(\d{3}[\dXx])(?!\d)", r"\1********\2"),
    ("手机号", r"(?<!\d)(1[3-9]\d)\d{4}(\d{4})(?!\d)", mask_phone),
    ("邮箱", r"(?P<user>[A-Za-z0-9._]+)@(?P<domain>[A-Za-z0-9.]+)", mask_mail),
]

for label, pattern, repl in rules:
    text, count = re.subn(pattern, repl, text)
    print(f"{label}:替换 {count} 处")

print("-" * 20)
print(text)
print(re.findall(r"\d+\*+\d+", text))
