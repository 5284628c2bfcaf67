//! The command line of the shop.

mod basket;
mod price;

use basket::Basket;

fn main() {
    let mut basket = Basket::new();
    for article in std::env::args().skip(1) {
        basket.add(&article, 1);
    }
    pay(&basket);
}

fn pay(basket: &Basket) {
    let total = basket.total();
    print!("{}", receipt(total));
}

fn receipt(total: price::Price) -> String {
    String::new()
}
