# Simulate a job queue where failed jobs go back with a retry count and then to a dead letter list.
from collections import deque

MAX_TRIES = 3
failures = {"invoice-2": 1, "mail-7": 5, "sync-1": 2}


def run(job):
    left = failures.get(job, 0)
    if left:
        failures[job] = left - 1
        raise RuntimeError(f"temporary error ({left} left)")
    return job.split("-")[0].upper()


queue = deque((name, 1) for name in ["invoice-1", "invoice-2", "mail-7", "sync-1"])
done, dead, step = [], [], 0
while queue:
    step += 1
    job, attempt = queue.popleft()
    try:
        result = run(job)
    except RuntimeError as err:
        if attempt < MAX_TRIES:
            queue.append((job, attempt + 1))
            verdict = "requeued"
        else:
            dead.append(job)
            verdict = "dead letter"
        print(f"{step:02d} {job:<10} try {attempt}: {err} -> {verdict}")
    else:
        done.append((job, attempt))
        print(f"{step:02d} {job:<10} try {attempt}: {result}")

print("done:", done)
print("dead:", dead)
print(f"success rate {len(done) / (len(done) + len(dead)):.0%}, {step} steps")
