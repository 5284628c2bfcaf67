# Turn this flat list of departments into a tree and print it as JSON and as an outline.
import json

flat = [
    {"id": 1, "parent": None, "name": "Company"},
    {"id": 4, "parent": 2, "name": "Payroll"},
    {"id": 2, "parent": 1, "name": "Finance"},
    {"id": 3, "parent": 1, "name": "Product"},
    {"id": 6, "parent": 3, "name": "Design"},
    {"id": 5, "parent": 3, "name": "Engineering"},
    {"id": 7, "parent": 5, "name": "Platform"},
]

nodes = {row["id"]: {"name": row["name"], "children": []} for row in flat}
roots = []
for row in flat:
    target = roots if row["parent"] is None else nodes[row["parent"]]["children"]
    target.append(nodes[row["id"]])


def prune(node):
    kids = [prune(c) for c in sorted(node["children"], key=lambda c: c["name"])]
    return {"name": node["name"], **({"children": kids} if kids else {})}


def outline(node, prefix="", last=True, top=True):
    print(node["name"] if top else prefix + ("└── " if last else "├── ") + node["name"])
    kids = node.get("children", [])
    for i, child in enumerate(kids):
        extension = "" if top else ("    " if last else "│   ")
        outline(child, prefix + extension, i == len(kids) - 1, False)


tree = prune(roots[0])
outline(tree)
print(json.dumps(tree, indent=1)[:120])


def depth(node):
    return 1 + max(map(depth, node.get("children", [])), default=0)


print("depth", depth(tree))
