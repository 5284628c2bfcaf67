# Implement a stack and a queue as iterable containers with len, contains and indexing.
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next

class Stack:
    def __init__(self, items=()):
        self._head = None
        self._size = 0
        for item in items:
            self.push(item)

    def push(self, item):
        self._head = Node(item, self._head)
        self._size += 1

    def pop(self):
        if not self:
            raise IndexError("pop from empty stack")
        node, self._head = self._head, self._head.next
        self._size -= 1
        return node.value

    def __len__(self):
        return self._size

    def __iter__(self):
        node = self._head
        while node is not None:
            yield node.value
            node = node.next

    def __getitem__(self, index):
        return list(self)[index]

s = Stack("abc")
print(list(s), len(s), "b" in s, "z" in s)
print(s[0], s[-1], s.pop(), list(s))
while s:
    s.pop()
try:
    s.pop()
except IndexError as e:
    print("IndexError:", e)

def balanced(text, pairs={")": "(", "]": "[", "}": "{"}):
    stack = Stack()
    for ch in text:
        if ch in pairs.values():
            stack.push(ch)
        elif ch in pairs and (not stack or stack.pop() != pairs[ch]):
            return False
    return not stack

print([balanced(t) for t in ("f(a[0])", "(]", "{[()]}", "((")])
