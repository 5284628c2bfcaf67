# I want to query nested JSON with paths like "stores[*].books[0].title".
import json
import re

data = json.loads("""{
  "stores": [
    {"name": "Main St", "books": [{"title": "Dune", "price": 9.99}, {"title": "Emma", "price": 5}]},
    {"name": "Airport", "books": []},
    {"name": "Online", "books": [{"title": "Ulysses", "price": 12.5}]}
  ],
  "owner": {"first": "Kim", "langs": ["en", "ko"]}
}""")


def tokens(path):
    for name, idx in re.findall(r"([^.\[\]]+)|\[(\*|-?\d+)\]", path):
        yield name if name else (idx if idx == "*" else int(idx))


def query(path, root=data):
    current = [root]
    for token in tokens(path):
        following = []
        for node in current:
            if token == "*":
                following.extend(node if isinstance(node, list) else node.values())
                continue
            try:
                following.append(node[token])
            except (KeyError, IndexError, TypeError):
                pass
        current = following
    return current


for path in ["stores[*].name", "stores[*].books[0].title", "stores[*].books[*].price",
             "owner.langs[-1]", "owner[*]", "stores[9].name", "owner.first.x"]:
    print(f"{path:<28}-> {query(path)}")
prices = query("stores[*].books[*].price")
print("average price:", round(sum(prices) / len(prices), 3))
