# Compute folder sizes recursively from a nested dict and print a tree.
tree = {
    "docs": {"report.pdf": 1_200_000, "draft.docx": 340_500, "old": {"2019.zip": 8_000_000, "empty": {}}},
    "img": {"logo.svg": 4_300, "photo.jpg": 2_750_000},
    "todo.txt": 612,
}


def size(node):
    return node if isinstance(node, int) else sum(map(size, node.values()))


def show(node, depth=0):
    ordered = sorted(node.items(), key=lambda item: (isinstance(item[1], int), -size(item[1])))
    for name, child in ordered:
        label = "  " * depth + (name if isinstance(child, int) else name + "/")
        print(f"{label:<24}{size(child):>12,}")
        if isinstance(child, dict):
            show(child, depth + 1)


def find(node, predicate, path=()):
    for name, child in node.items():
        here = (*path, name)
        if isinstance(child, dict):
            yield from find(child, predicate, here)
        elif predicate(name, child):
            yield "/".join(here)


def depth(node):
    return 0 if isinstance(node, int) else 1 + max((depth(c) for c in node.values()), default=0)


show(tree)
print("total", f"{size(tree):,}", "depth", depth(tree))
print("big files:", list(find(tree, lambda n, s: s > 1_000_000)))
print("text-like:", list(find(tree, lambda n, s: n.rpartition(".")[2] in {"txt", "docx", "pdf"})))
print("files:", sum(1 for _ in find(tree, lambda *_: True)))
