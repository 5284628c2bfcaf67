# Find the cheapest delivery route between our depots.
import heapq

roads = {
    "Depot": {"North": 7, "West": 9, "Mall": 14},
    "North": {"Depot": 7, "West": 10, "Harbor": 15},
    "West": {"Depot": 9, "North": 10, "Mall": 2, "Harbor": 11},
    "Mall": {"Depot": 14, "West": 2, "Airport": 9},
    "Harbor": {"North": 15, "West": 11, "Airport": 6},
    "Airport": {"Mall": 9, "Harbor": 6},
    "Island": {},
}


def shortest(start):
    dist = {node: float("inf") for node in roads}
    previous = {}
    dist[start] = 0
    heap = [(0, start)]
    while heap:
        cost, node = heapq.heappop(heap)
        if cost > dist[node]:
            continue
        for neighbour, km in roads[node].items():
            new = cost + km
            if new < dist[neighbour]:
                dist[neighbour] = new
                previous[neighbour] = node
                heapq.heappush(heap, (new, neighbour))
    return dist, previous


def route(previous, target):
    path = [target]
    while path[-1] in previous:
        path.append(previous[path[-1]])
    return path[::-1]


dist, previous = shortest("Depot")
for node in sorted(dist, key=dist.get):
    if dist[node] == float("inf"):
        print(f"{node:<8} unreachable")
    else:
        print(f"{node:<8}{dist[node]:>4} km  {' > '.join(route(previous, node))}")
print(heapq.nsmallest(2, (d for d in dist.values() if d)), heapq.nlargest(1, roads, key=lambda n: len(roads[n])))
