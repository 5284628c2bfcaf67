# 实现一个简单的熔断器:连续失败 3 次后打开,冷却后半开重试
class 熔断打开(Exception):
    pass

class CircuitBreaker:
    def __init__(self, threshold=3, cooldown=5):
        self.threshold = threshold
        self.cooldown = cooldown
        self.failures = 0
        self.opened_at = None
        self.now = 0

    @property
    def state(self):
        if self.opened_at is None:
            return "关闭"
        return "半开" if self.now - self.opened_at >= self.cooldown else "打开"

    def call(self, func):
        if self.state == "打开":
            raise 熔断打开(f"还需等待 {self.cooldown - (self.now - self.opened_at)} 秒")
        try:
            result = func()
        except Exception:
            self.failures += 1
            if self.failures >= self.threshold:
                self.opened_at = self.now
            raise
        self.failures = 0
        self.opened_at = None
        return result

responses = {0: True, 1: False, 2: False, 3: False, 8: False, 13: True, 14: True}
breaker = CircuitBreaker()

def request():
    if not responses.get(breaker.now, True):
        raise ConnectionError("服务器无响应")
    return "成功"

for second in [0, 1, 2, 3, 4, 6, 8, 9, 13, 14]:
    breaker.now = second
    before = breaker.state
    try:
        outcome = breaker.call(request)
    except 熔断打开 as e:
        outcome = f"拒绝({e})"
    except ConnectionError as e:
        outcome = f"失败({e})"
    print(f"t={second:>2} {before}→{breaker.state} {outcome}")
