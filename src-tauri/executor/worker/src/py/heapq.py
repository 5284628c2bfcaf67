# heapq: a list as a heap, smallest first.


def _shidi_heapq_rise(heap, place):
    item = heap[place]
    while place > 0:
        parent = (place - 1) // 2
        if not item < heap[parent]:
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = item


# The smaller child moves up until a leaf is free, then the item rises from there.
def _shidi_heapq_sink(heap, place):
    item = heap[place]
    start = place
    size = len(heap)
    child = 2 * place + 1
    while child < size:
        if child + 1 < size and not heap[child] < heap[child + 1]:
            child += 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    while place > start:
        parent = (place - 1) // 2
        if not item < heap[parent]:
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = item


class _shidi_heapq_merged:
    def __init__(self, iterables, key, reverse):
        self.key = key
        self.reverse = reverse
        self.heads = []
        for iterable in iterables:
            self.advance(iter(iterable), len(self.heads))

    def advance(self, iterator, place):
        for value in iterator:
            head = (value if self.key is None else self.key(value), value, iterator)
            if place < len(self.heads):
                self.heads[place] = head
            else:
                self.heads.append(head)
            return
        if place < len(self.heads):
            self.heads.pop(place)

    def __iter__(self):
        return self

    def __next__(self):
        if not self.heads:
            raise StopIteration
        best = 0
        for place in range(1, len(self.heads)):
            if self.reverse:
                better = self.heads[best][0] < self.heads[place][0]
            else:
                better = self.heads[place][0] < self.heads[best][0]
            if better:
                best = place
        value = self.heads[best][1]
        self.advance(self.heads[best][2], best)
        return value


class _shidi_heapq:
    def heappush(heap, item):
        heap.append(item)
        _shidi_heapq_rise(heap, len(heap) - 1)

    def heappop(heap):
        last = heap.pop()
        if not heap:
            return last
        smallest = heap[0]
        heap[0] = last
        _shidi_heapq_sink(heap, 0)
        return smallest

    def heapreplace(heap, item):
        smallest = heap[0]
        heap[0] = item
        _shidi_heapq_sink(heap, 0)
        return smallest

    def heappushpop(heap, item):
        if heap and heap[0] < item:
            smallest = heap[0]
            heap[0] = item
            _shidi_heapq_sink(heap, 0)
            return smallest
        return item

    def heapify(x):
        for place in range(len(x) // 2 - 1, -1, -1):
            _shidi_heapq_sink(x, place)

    def nlargest(n, iterable, key=None):
        return sorted(iterable, key=key, reverse=True)[:max(n, 0)]

    def nsmallest(n, iterable, key=None):
        return sorted(iterable, key=key)[:max(n, 0)]

    def merge(*iterables, key=None, reverse=False):
        return _shidi_heapq_merged(iterables, key, reverse)
