# Sign a request URL with sorted parameters and an HMAC-like hash, then verify it.
import base64
import hashlib
import hmac
from urllib.parse import parse_qsl, quote, urlencode

SECRET = b"top-secret"


def canonical(params):
    return "&".join(f"{quote(str(k), safe='')}={quote(str(v), safe='')}" for k, v in sorted(params.items()))


def sign(params):
    digest = hmac.new(SECRET, canonical(params).encode("utf-8"), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def signed_url(base, **params):
    params["sign"] = sign(params)
    return f"{base}?{urlencode(params)}"


def verify(url):
    params = dict(parse_qsl(url.partition("?")[2]))
    given = params.pop("sign", "")
    return hmac.compare_digest(given, sign(params))


url = signed_url("https://pay.example.cn/notify", order="A 100", amount="88.50", memo="午餐&咖啡")
print(url)
print("valid:", verify(url), "| tampered:", verify(url.replace("88.50", "8.50")), "| unsigned:", verify("https://x?a=1"))
print(canonical({"b": "1 2", "a": "ä/ö"}))

blob = base64.b64encode("你好, world".encode()).decode()
print(blob, base64.b64decode(blob).decode(), base64.b16encode(b"\x00\xffA"), base64.urlsafe_b64encode(b"\xfb\xef\xff"))
token = "eyJ1aWQiOiA0Mn0"
print(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
print(hashlib.sha256(b"abc").hexdigest()[:16], len(hashlib.sha512().digest()), hashlib.new("md5", b"abc").hexdigest())
