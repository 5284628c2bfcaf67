# 根据好友关系找出所有朋友圈,并判断两个人是否认识
关系 = [("小王", "小李"), ("小张", "小赵"), ("小李", "小陈"), ("小孙", "小周"), ("小赵", "小吴"), ("小陈", "小王")]


class UnionFind:
    def __init__(self):
        self.parent = {}
        self.size = {}

    def find(self, x):
        if x not in self.parent:
            self.parent[x], self.size[x] = x, 1
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        return True

    def groups(self):
        result = {}
        for x in self.parent:
            result.setdefault(self.find(x), []).append(x)
        return sorted(result.values(), key=len, reverse=True)


uf = UnionFind()
for a, b in 关系:
    if not uf.union(a, b):
        print(f"{a}和{b}已在同一圈子")
uf.find("小郑")
for i, group in enumerate(uf.groups(), 1):
    print(f"圈子{i}({len(group)}人):{'、'.join(group)}")
for a, b in [("小王", "小陈"), ("小王", "小吴")]:
    print(a, b, "认识" if uf.find(a) == uf.find(b) else "不认识")
print("圈子数量:", len(uf.groups()))
