# 接口调用失败时,自定义异常自带的字段要原样读出
from dataclasses import dataclass


class ApiError(Exception):
    def __init__(self, message, data=None, ok=False):
        super().__init__(message)
        self.data = data
        self.ok = ok
        self.error = {"code": 42, "message": message}


class Retry(ApiError):
    error = "later"
    ok = None

    def __init__(self):
        Exception.__init__(self, "again")

    @property
    def data(self):
        return [1, 2]


@dataclass
class Result:
    data: int
    ok: bool = True
    error: str = ""


def call(kind):
    if kind == "api":
        raise ApiError("boom", data={"id": 3}, ok=True)
    if kind == "retry":
        raise Retry
    return Result(5)


for kind in ("api", "retry", "none"):
    try:
        r = call(kind)
        print(f"{r.data=} {r.ok=} {r.error=!s} {r.data + 1 = :>4}", f"{r.data=:03d}")
    except ApiError as e:
        print(type(e).__name__, e.data, e.ok, e.error, e)
        print(f"{e.data=}", f"{ e.ok = }", f"{e.error=!r}", len(e.data))
for missing in (lambda: (5).data, lambda: "x".ok):
    try:
        print(missing())
    except AttributeError as e:
        print(e)
