//! What an answer costs, from the table `prices.toml`.
//!
//! A model that the table lacks has no cost: a guess would be worse than none. Servers on the user's own machine
//! are not in it either; what they cost is electricity.

use serde::Deserialize;
use shidi_protocol::Usage;
use std::collections::HashMap;
use std::sync::OnceLock;

/// In US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub input: f64,
    /// Of the part of the input that the provider had in its cache.
    pub cached: f64,
    pub output: f64,
}

impl Price {
    /// The cost of a usage, in US dollars.
    #[must_use]
    pub fn of(&self, usage: &Usage) -> f64 {
        let fresh = f64::from(usage.input.saturating_sub(usage.cached));
        let total = fresh * self.input
            + f64::from(usage.cached) * self.cached
            + f64::from(usage.output) * self.output;
        total / 1_000_000.0
    }
}

/// The price of a provider's model, if known. A dated version (`gpt-4o-2024-08-06`) costs what its model costs.
#[must_use]
pub fn price(provider: &str, model: &str) -> Option<Price> {
    let models = table().get(provider)?;
    models.get(model).or_else(|| models.get(undated(model))).copied()
}

type Table = HashMap<String, HashMap<String, Price>>;

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        toml::from_str(include_str!("prices.toml")).unwrap_or_else(|error| {
            tracing::error!("the price table is broken: {error}");
            Table::new()
        })
    })
}

/// The model's name without a date at its end.
fn undated(model: &str) -> &str {
    let is_date = |tail: &str| {
        tail.len() == 11
            && tail
                .chars()
                .all(|letter| letter.is_ascii_digit() || letter == '-')
    };
    match model
        .len()
        .checked_sub(11)
        .and_then(|at| model.split_at_checked(at))
    {
        Some((name, tail)) if tail.starts_with('-') && is_date(tail) => name,
        _ => model,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_cached_input_is_cheaper() {
        assert!(table().len() >= 2);
        let price = price("openai", "gpt-4o-2024-08-06").expect("a dated version");
        let usage = Usage {
            input: 1_000_000,
            cached: 400_000,
            output: 100_000,
            cost: None,
            model_calls: 1,
        };
        assert!((price.of(&usage) - (0.6 * 2.5 + 0.4 * 1.25 + 0.1 * 10.0)).abs() < 1e-9);
    }

    #[test]
    fn an_unknown_model_has_no_price() {
        assert_eq!(price("openai", "gpt-unheard-of"), None);
        assert_eq!(price("custom", "gpt-4o"), None);
        assert_eq!(price("openai", "模型"), None);
    }
}
