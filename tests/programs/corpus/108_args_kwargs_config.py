# Build a settings merger with defaults, overrides and keyword-only options.
def configure(*layers, strict=False, **overrides):
    result, unknown = {}, []
    for i, layer in enumerate((*layers, overrides)):
        for key, value in layer.items():
            if i and key not in result:
                unknown.append(key)
                if strict:
                    raise KeyError(key)
            if isinstance(value, dict) and isinstance(result.get(key), dict):
                result[key] = {**result[key], **value}
            else:
                result[key] = value
    return result, unknown


base = {"theme": "light", "font": {"family": "Inter", "size": 11}, "autosave": 30}
team = {"font": {"size": 12}, "autosave": None}
settings, unknown = configure(base, team, theme="dark", zoom=1.25)
print(settings)
print("unknown:", unknown)
try:
    configure(base, strict=True, colour="red")
except KeyError as e:
    print("strict:", e)


def signature(a, b=2, /, c=3, *, d=4):
    return a, b, c, d


print(signature(1), signature(1, 20, c=30, d=40))
for call in (lambda: signature(a=1), lambda: signature(1, 2, 3, 4), lambda: signature(1, e=5)):
    try:
        call()
    except TypeError as e:
        print("TypeError:", str(e).split("signature()")[-1].strip()[:40])


def append_to(item, bucket=None):
    bucket = [] if bucket is None else bucket
    bucket.append(item)
    return bucket


print(append_to(1), append_to(2), append_to(3, [0]))
print((lambda *a, **k: (a, k))(1, 2, x=3), max(3, 7, key=lambda v: -v), print is print)
