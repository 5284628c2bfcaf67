# Write a calculator that tokenizes and evaluates expressions with precedence.
import operator
import re

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|(\*\*|[-+*/()=]))")

def tokenize(text):
    pos = 0
    text = text.rstrip()
    while pos < len(text):
        if not (m := TOKEN.match(text, pos)):
            raise SyntaxError(f"unexpected {text[pos:].strip()[0]!r}")
        pos = m.end()
        number, op = m.groups()
        yield ("num", float(number)) if number else ("op", op)

OPS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}

class Parser:
    LEVELS = [("+", "-"), ("*", "/")]

    def __init__(self, text):
        self.tokens = [*tokenize(text), ("end", None)]

    def accept(self, *ops):
        if self.tokens[0][1] in ops:
            return self.tokens.pop(0)[1]

    def binary(self, level=0):
        if level == len(self.LEVELS):
            return self.power()
        left = self.binary(level + 1)
        while op := self.accept(*self.LEVELS[level]):
            right = self.binary(level + 1)
            left = OPS[op](left, right)
        return left

    def power(self):
        base = self.atom()
        return base ** self.power() if self.accept("**") else base

    def atom(self):
        match self.tokens.pop(0):
            case ("num", value):
                return value
            case ("op", "("):
                value = self.binary()
                if not self.accept(")"):
                    raise SyntaxError("missing )")
                return value
            case (_, token):
                raise SyntaxError(f"unexpected {token}")

for text in ["1 + 2 * 3", "(1 + 2) * 3", "2 ** 3 ** 2", "10 / 4 - 1", "(1 + 2", "3 $ 4", "1 / 0", "2 * * 2"]:
    try:
        print(f"{text} = {Parser(text).binary():g}")
    except (SyntaxError, ZeroDivisionError) as e:
        print(f"{text}: {type(e).__name__}: {e}")
