# 用 dataclass 建一个简单的库存管理,支持入库、出库和盘点
from dataclasses import dataclass, field, asdict


@dataclass(order=True)
class Product:
    sku: str
    name: str = field(compare=False)
    price: float = field(compare=False, default=0.0)
    stock: int = field(compare=False, default=0)

    @property
    def value(self) -> float:
        return self.price * self.stock


@dataclass
class Warehouse:
    city: str
    products: dict = field(default_factory=dict)
    log: list = field(default_factory=list, repr=False)

    def receive(self, product: Product, qty: int) -> None:
        self.products.setdefault(product.sku, product).stock += qty
        self.log.append(f"入库 {product.name} x{qty}")

    def ship(self, sku: str, qty: int) -> None:
        product = self.products[sku]
        if product.stock < qty:
            raise ValueError(f"{product.name}库存不足(现有 {product.stock},需要 {qty})")
        product.stock -= qty
        self.log.append(f"出库 {product.name} x{qty}")


wh = Warehouse("苏州")
wh.receive(Product("B02", "无线鼠标", 79.0), 30)
wh.receive(Product("A01", "机械键盘", 329.0), 12)
wh.ship("A01", 5)
try:
    wh.ship("B02", 31)
except ValueError as e:
    print("出库失败:", e)

for p in sorted(wh.products.values()):
    print(p.sku, p.name, p.stock, f"{p.value:.2f}")
print(asdict(wh.products["A01"]))
print(wh)
print(*wh.log, sep="\n")
