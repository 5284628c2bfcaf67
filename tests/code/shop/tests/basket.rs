//! What a basket costs.

#[test]
fn many_articles_cost_less() {
    let mut basket = Basket::new();
    basket.add("pen", 1);
    assert!(basket.total().0 < 300);
}
