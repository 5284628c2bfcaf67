# Keep a running top five of the largest transactions and a priority to-do queue.
import heapq
from itertools import count

amounts = [310, 45, 990, 120, 875, 15, 660, 990, 505, 72]
top = []
for a in amounts:
    if len(top) < 5:
        heapq.heappush(top, a)
    else:
        heapq.heappushpop(top, a)
print("top 5:", sorted(top, reverse=True), heapq.nlargest(5, amounts) == sorted(top, reverse=True))
print("smallest:", heapq.nsmallest(3, amounts))

counter = count()
todo = []
for priority, task in [(3, "file taxes"), (1, "fix outage"), (2, "reply to Kim"), (1, "call bank"), (3, "water plants")]:
    heapq.heappush(todo, (priority, next(counter), task))
while todo:
    priority, order, task = heapq.heappop(todo)
    print(f"P{priority} #{order} {task}")

streams = [["08:01 a", "09:30 a"], ["08:00 b", "08:45 b", "10:00 b"], ["09:00 c"]]
print(list(heapq.merge(*streams)))
values = [9, 4, 7, 1]
heapq.heapify(values)
print(values[0], heapq.heapreplace(values, 5), sorted(values))


class Median:
    def __init__(self):
        self.low, self.high = [], []

    def add(self, x):
        heapq.heappush(self.high, -heapq.heappushpop(self.low, -x))
        if len(self.high) > len(self.low):
            heapq.heappush(self.low, -heapq.heappop(self.high))

    def value(self):
        return -self.low[0] if len(self.low) > len(self.high) else (self.high[0] - self.low[0]) / 2


m = Median()
for a in amounts[:6]:
    m.add(a)
    print(m.value(), end=" ")
print()
