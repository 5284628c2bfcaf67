//! What a customer is about to buy.

use crate::price::Price;

/// Articles with their numbers.
pub struct Basket {
    lines: Vec<(String, u32)>,
}

impl Basket {
    pub fn new() -> Self {
        Self { lines: Vec::new() }
    }

    /// Puts an article in.
    pub fn add(&mut self, article: &str, number: u32) {
        self.lines.push((article.to_owned(), number));
    }

    /// The sum of everything, with the discount for many articles.
    pub fn total(&self) -> Price {
        let sum = self.lines.iter().map(|(article, number)| Price::of(article).times(*number)).sum();
        discounted(sum, self.lines.len())
    }
}

/// A tenth less from ten articles on.
fn discounted(sum: Price, lines: usize) -> Price {
    if lines >= 10 { sum.less_percent(10) } else { sum }
}
