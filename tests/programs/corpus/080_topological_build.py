# In which order can these build steps run, and which ones can run in parallel? Detect cycles.
from collections import defaultdict, deque

deps = {
    "deploy": ["test", "package"],
    "package": ["compile", "assets"],
    "test": ["compile"],
    "compile": ["fetch"],
    "assets": ["fetch", "icons"],
    "icons": [],
    "fetch": [],
}


def stages(deps):
    waiting = {task: len(needs) for task, needs in deps.items()}
    followers = defaultdict(list)
    for task, needs in deps.items():
        for need in needs:
            followers[need].append(task)
    ready = deque(sorted(t for t, n in waiting.items() if n == 0))
    result = []
    while ready:
        stage = sorted(ready)
        ready.clear()
        result.append(stage)
        for task in stage:
            for follower in followers[task]:
                waiting[follower] -= 1
                if not waiting[follower]:
                    ready.append(follower)
    stuck = sorted(t for t, n in waiting.items() if n > 0)
    if stuck:
        raise ValueError("cycle among " + ", ".join(stuck))
    return result


for number, stage in enumerate(stages(deps), 1):
    print(f"stage {number}: {', '.join(stage)}")
deps["fetch"].append("package")
try:
    stages(deps)
except ValueError as e:
    print(e)
deps["fetch"].remove("package")
print("longest stage:", max(stages(deps), key=len))
