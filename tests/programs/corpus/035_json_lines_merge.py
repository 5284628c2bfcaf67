# 合并两个系统导出的员工 JSON,以工号为准,冲突字段列出来
import json

hr = json.loads('[{"工号": "E01", "姓名": "陈静", "部门": "市场部"}, {"工号": "E02", "姓名": "刘洋", "部门": "研发部"}, {"工号": "E03", "姓名": "赵磊", "部门": "财务部"}]')
oa = json.loads('[{"工号": "E02", "姓名": "刘洋", "部门": "研发一部", "邮箱": "liuyang@corp.cn"}, {"工号": "E03", "姓名": "赵磊", "邮箱": "zhaolei@corp.cn"}, {"工号": "E09", "姓名": "孙悦", "邮箱": null}]')


def index(rows):
    return {row["工号"]: row for row in rows}


left, right = index(hr), index(oa)
merged, conflicts = [], []
for key in sorted(left.keys() | right.keys()):
    a, b = left.get(key, {}), right.get(key, {})
    for field in a.keys() & b.keys():
        if a[field] != b[field]:
            conflicts.append({"工号": key, "字段": field, "HR": a[field], "OA": b[field]})
    record = {**b, **a}
    merged.append({k: record.get(k) or "未知" for k in ("工号", "姓名", "部门", "邮箱")})

for record in merged:
    print(json.dumps(record, ensure_ascii=False))
print("冲突:", json.dumps(conflicts, ensure_ascii=False))
print("仅在HR:", sorted(left.keys() - right.keys()), "仅在OA:", sorted(right.keys() - left.keys()))
