//! The cost of an answer, from the table `prices.toml` and the user's own rows before it.
//!
//! A model that the tables lack has no cost: a guess would be worse than none. Servers on the user's own
//! machine are left out too; they cost electricity. The built-in figures are dated estimates.

use serde::Deserialize;
use shidi_protocol::Usage;
use std::collections::HashMap;

/// Prices in US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub input: f64,
    /// The price of input that the provider had in its cache.
    pub cached: f64,
    /// The price of input that the provider put into its cache, where that input costs more.
    #[serde(default)]
    pub written: Option<f64>,
    pub output: f64,
}

impl Price {
    /// The cost of a usage, in US dollars.
    #[must_use]
    pub fn of(&self, usage: &Usage) -> f64 {
        self.of_written(usage, 0)
    }

    /// The cost of a usage of which `written` input tokens went into the provider's cache.
    pub(crate) fn of_written(&self, usage: &Usage, written: u32) -> f64 {
        let fresh = usage.input.saturating_sub(usage.cached).saturating_sub(written);
        let total = f64::from(fresh) * self.input
            + f64::from(usage.cached) * self.cached
            + f64::from(written) * self.written.unwrap_or(self.input)
            + f64::from(usage.output) * self.output;
        total / 1_000_000.0
    }
}

/// Prices by provider and model.
#[derive(Debug, Clone, Default)]
pub struct PriceTable {
    own: Rows,
    built_in: Rows,
}

type Rows = HashMap<String, HashMap<String, Price>>;

impl PriceTable {
    /// The built-in table.
    #[must_use]
    pub fn built_in() -> Self {
        let built_in = read(include_str!("prices.toml")).unwrap_or_else(|(_, problem)| {
            tracing::error!("the price table is broken: {problem}");
            Rows::new()
        });
        Self {
            own: Rows::new(),
            built_in,
        }
    }

    /// The built-in table with the user's rows before it.
    ///
    /// # Errors
    /// The line and its fault.
    pub fn with(text: &str) -> Result<Self, (usize, String)> {
        Ok(Self {
            own: read(text)?,
            ..Self::built_in()
        })
    }

    /// The price of a provider's model, if known. A dated version (`gpt-4o-2024-08-06`) has the price of its model.
    #[must_use]
    pub fn price(&self, provider: &str, model: &str) -> Option<Price> {
        [&self.own, &self.built_in].into_iter().find_map(|rows| {
            let models = rows.get(provider)?;
            models.get(model).or_else(|| models.get(undated(model))).copied()
        })
    }
}

fn read(text: &str) -> Result<Rows, (usize, String)> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        (
            text[..start].matches('\n').count() + 1,
            error.message().replace('\n', " "),
        )
    })
}

/// The model's name without a date at its end: `-2024-08-06` or `-20250929`.
fn undated(model: &str) -> &str {
    let is_date = |tail: &str| {
        let digits = tail.bytes().filter(u8::is_ascii_digit).count();
        let dashes = tail.bytes().filter(|byte| *byte == b'-').count();
        tail.starts_with('-') && digits == 8 && digits + dashes == tail.len()
    };
    let lengths = ["-2024-08-06".len(), "-20250929".len()];
    let cut = lengths.iter().find_map(|length| {
        let (name, tail) = model.split_at_checked(model.len().checked_sub(*length)?)?;
        is_date(tail).then_some(name)
    });
    cut.unwrap_or(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_cached_input_is_cheaper() {
        let table = PriceTable::built_in();
        assert!(table.built_in.len() >= 4);
        let price = table
            .price("openai", "gpt-4o-2024-08-06")
            .expect("a dated version");
        let usage = Usage {
            input: 1_000_000,
            cached: 400_000,
            output: 100_000,
            cost: None,
            model_calls: 1,
            estimated: false,
        };
        assert!((price.of(&usage) - (0.6 * 2.5 + 0.4 * 1.25 + 0.1 * 10.0)).abs() < 1e-9);
        let price = table
            .price("anthropic", "claude-haiku-4-5-20251001")
            .expect("a dated version");
        let cost = price.of_written(&usage, 100_000);
        assert!(
            (cost - (0.5 * 1.0 + 0.4 * 0.1 + 0.1 * 1.25 + 0.1 * 5.0)).abs() < 1e-9,
            "{cost}"
        );
    }

    #[test]
    fn an_unknown_model_has_no_price() {
        let table = PriceTable::built_in();
        assert_eq!(table.price("openai", "gpt-unheard-of"), None);
        assert_eq!(table.price("custom", "gpt-4o"), None);
        assert_eq!(table.price("openai", "模型"), None);
    }

    #[test]
    fn the_users_rows_come_first_and_a_broken_one_is_named_by_its_line() {
        let own = "[openai]\n\"gpt-4o\" = { input = 1, cached = 1, output = 2 }\n";
        let table = PriceTable::with(own).expect("a table");
        assert!((table.price("openai", "gpt-4o").expect("a price").input - 1.0).abs() < 1e-9);
        assert!(
            table.price("openai", "gpt-4.1").is_some(),
            "the others are still there"
        );
        let (line, problem) =
            PriceTable::with("[openai]\n\n\"m\" = { input = 1, ouput = 2 }\n").expect_err("a problem");
        assert_eq!(line, 3, "{problem}");
        assert!(problem.contains("ouput"), "{problem}");
    }
}
