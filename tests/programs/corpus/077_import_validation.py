# 导入员工数据时收集所有错误,不要遇到第一个错误就停止
import re
from datetime import date

class ValidationError(Exception):
    def __init__(self, row, errors):
        self.row, self.errors = row, errors
        super().__init__(f"第{row}行:" + ";".join(errors))

rows = [
    {"姓名": "钱多多", "入职": "2023-06-01", "手机": "13912345678", "薪资": "15000"},
    {"姓名": "", "入职": "2023-13-01", "手机": "13912345678", "薪资": "8000"},
    {"姓名": "孙小圣", "入职": "2030-01-01", "手机": "12345", "薪资": "一万"},
    {"姓名": "李莫愁", "入职": "2022-02-28", "手机": "18800001234", "薪资": "9,500"},
]

def validate(number, row, today=date(2024, 6, 1)):
    errors = []
    if not row["姓名"]:
        errors.append("姓名为空")
    try:
        joined = date.fromisoformat(row["入职"])
        if joined > today:
            errors.append(f"入职日期 {joined} 在未来")
    except ValueError:
        joined = None
        errors.append(f"入职日期无效({row['入职']})")
    if not re.fullmatch(r"1[3-9]\d{9}", row["手机"]):
        errors.append("手机号格式错误")
    try:
        pay = int(row["薪资"].replace(",", ""))
    except ValueError as e:
        errors.append(f"薪资不是数字")
    if errors:
        raise ValidationError(number, errors)
    return {**row, "入职": joined, "薪资": pay}

good, bad = [], []
for number, row in enumerate(rows, start=1):
    try:
        good.append(validate(number, row))
    except ValidationError as e:
        bad.append(e)
for e in bad:
    print(e, f"共 {len(e.errors)} 处")
for row in good:
    print(row["姓名"], row["入职"].strftime("%Y.%m.%d"), f"{row['薪资']:,}")
print(f"成功 {len(good)},失败 {len(bad)},错误 {sum(len(e.errors) for e in bad)}")
