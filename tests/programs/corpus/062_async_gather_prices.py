# Fetch prices from three shops at the same time and show the best offer per product.
import asyncio

SHOPS = {
    "AlphaStore": {"ssd": 89.0, "ram": 54.9},
    "BitMart": {"ssd": 84.5, "ram": 61.0, "cpu": 310},
    "CoreShop": {"cpu": 299.99},
}


async def fetch(shop, product):
    await asyncio.sleep(0.01)
    price = SHOPS[shop].get(product)
    return {"shop": shop, "product": product, "price": price}


async def best_offer(product):
    offers = await asyncio.gather(*(fetch(shop, product) for shop in SHOPS))
    valid = [o for o in offers if o["price"] is not None]
    return min(valid, key=lambda o: o["price"], default=None)


products = ["ssd", "ram", "cpu", "gpu"]
results = await asyncio.gather(*[best_offer(p) for p in products])
for product, offer in zip(products, results):
    if offer is None:
        print(f"{product}: not available")
    else:
        print(f"{product}: {offer['price']:.2f} at {offer['shop']}")
total = sum(o["price"] for o in results if o)
print(f"Basket total: {total:.2f}")
