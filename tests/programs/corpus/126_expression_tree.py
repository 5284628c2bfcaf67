# Build an expression tree from classes, evaluate, print and differentiate it recursively.
from dataclasses import dataclass

class Expr:
    def __add__(self, other):
        return Add(self, wrap(other))

    def __mul__(self, other):
        return Mul(self, wrap(other))

    __radd__, __rmul__ = __add__, __mul__

@dataclass(frozen=True)
class Num(Expr):
    value: float
    def eval(self, **env): return self.value
    def diff(self, var): return Num(0)
    def __str__(self): return f"{self.value:g}"

@dataclass(frozen=True)
class Var(Expr):
    name: str
    def eval(self, **env): return env[self.name]
    def diff(self, var): return Num(int(var == self.name))
    def __str__(self): return self.name

@dataclass(frozen=True)
class Add(Expr):
    left: Expr
    right: Expr
    def eval(self, **env): return self.left.eval(**env) + self.right.eval(**env)
    def diff(self, var): return simplify(self.left.diff(var) + self.right.diff(var))
    def __str__(self): return f"({self.left} + {self.right})"

@dataclass(frozen=True)
class Mul(Expr):
    left: Expr
    right: Expr
    def eval(self, **env): return self.left.eval(**env) * self.right.eval(**env)
    def diff(self, var): return simplify(self.left.diff(var) * self.right + self.left * self.right.diff(var))
    def __str__(self): return f"{self.left}*{self.right}"

def wrap(v):
    return v if isinstance(v, Expr) else Num(v)

def simplify(e):
    if isinstance(e, (Add, Mul)):
        e = type(e)(simplify(e.left), simplify(e.right))
    match e:
        case Add(Num(0), x) | Add(x, Num(0)) | Mul(Num(1), x) | Mul(x, Num(1)):
            return x
        case Mul(Num(0), _) | Mul(_, Num(0)):
            return Num(0)
        case Add(Num(a), Num(b)):
            return Num(a + b)
    return e

x, y = Var("x"), Var("y")
f = 3 * x * x + 2 * y + 5
print(f, "=", f.eval(x=2, y=1))
print("df/dx =", f.diff("x"), "=", f.diff("x").eval(x=2, y=1))
print("df/dy =", f.diff("y"))
print(repr(x + 1), x + 1 == Add(Var("x"), Num(1)))
