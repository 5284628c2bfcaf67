# 从地址文本里解析省、市、区和详细地址
import re

addresses = [
    "广东省深圳市南山区科技园南路18号A座1203",
    "北京市朝阳区建国路88号",
    "浙江省杭州市西湖区文三路 100 号",
    "内蒙古自治区呼和浩特市赛罕区大学东街1号",
    "未知地址",
]

pattern = re.compile(
    r"""
    (?P<province>[^省市]+?(?:省|自治区))?   # 省级
    (?P<city>[^市]+?市)                      # 市级
    (?P<district>[^区县]+?[区县])            # 区县
    (?P<detail>.+)
    """,
    re.VERBOSE,
)

parsed = []
for address in addresses:
    m = pattern.fullmatch(address)
    if m is None:
        print(f"× 无法解析:{address}")
        continue
    info = m.groupdict(default="(直辖)")
    info["detail"] = info["detail"].replace(" ", "")
    parsed.append(info)
    print(" / ".join(info.values()))

print(f"成功 {len(parsed)} 条,失败 {len(addresses) - len(parsed)} 条")
for info in parsed:
    number = re.search(r"(\d+)号", info["detail"])
    print(info["city"].rstrip("市"), "门牌号", int(number[1]) if number else None)
