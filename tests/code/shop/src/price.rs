//! Amounts of money, in cents.

#[derive(Clone, Copy)]
pub struct Price(u64);

impl Price {
    pub fn of(article: &str) -> Self {
        Self(article.len() as u64 * 100)
    }

    pub fn times(self, number: u32) -> Self {
        Self(self.0 * u64::from(number))
    }

    pub fn less_percent(self, percent: u64) -> Self {
        Self(self.0 - self.0 * percent / 100)
    }
}
