# 写一个员工类,工资用 property 校验,支持比较和字符串格式化
class Employee:
    company = "诗迪科技"
    _next_id = 1

    def __init__(self, name, salary):
        self.id = f"E{Employee._next_id:03d}"
        Employee._next_id += 1
        self.name = name
        self.salary = salary

    @property
    def salary(self):
        return self._salary

    @salary.setter
    def salary(self, value):
        if not isinstance(value, (int, float)) or value < 0:
            raise ValueError(f"工资无效:{value!r}")
        self._salary = value

    @property
    def annual(self):
        return self._salary * 12

    @classmethod
    def from_text(cls, text):
        name, _, salary = text.partition(":")
        return cls(name.strip(), float(salary))

    @staticmethod
    def tax(amount):
        return max(0, amount - 5000) * 0.1

    def __format__(self, spec):
        if spec == "short":
            return self.name
        return f"[{self.id}] {self.name} ¥{self.salary:,.0f}"

team = [Employee("周杰", 12000), Employee.from_text("吴敏:8500.5"), Employee.from_text(" 郑爽 : 4800")]
for e in sorted(team, key=lambda e: e.salary):
    print(f"{e} 税 {Employee.tax(e.salary):.2f} 年薪 {e.annual:,.1f}")
print(f"{team[0]:short}、{team[1]:short}", "在", Employee.company)
for value in (-1, "很多"):
    try:
        team[2].salary = value
    except ValueError as err:
        print(err)
try:
    team[0].annual = 1
except AttributeError:
    print("annual 只读")
print(vars(team[2]))
