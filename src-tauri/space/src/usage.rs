//! The requests to models, by day, model and role (F10.5), and the user's limits of a day.
//!
//! The day is that of the user's calendar. Answers whose price is unknown count as tokens only; a limit of money does
//! not stop them. A question that was begun below a limit is finished, also when it goes beyond.

use parking_lot::Mutex;
use serde_json::{Value, json};
use shidi_models::{Ledger, LimitReached};
use shidi_protocol::{DaySpending, ModelRole, Spent, Usage};
use shidi_store::{Store, StoreError, Write};

/// Before the day, in the store's settings.
const KEY: &str = "spending.";

/// The user's limits of a day.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Tokens in and out.
    pub tokens: Option<u64>,
    /// US dollars.
    pub usd: Option<f64>,
}

pub struct Spending {
    store: Store,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    limits: Limits,
    /// The day that was read last.
    today: Option<DaySpending>,
}

impl Spending {
    pub fn new(store: Store) -> Self {
        Self {
            store,
            state: Mutex::new(State::default()),
        }
    }

    pub fn limit(&self, limits: Limits) {
        self.state.lock().limits = limits;
    }

    /// The last `days` days on which something was spent, newest first.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn days(&self, days: usize) -> Result<Vec<DaySpending>, StoreError> {
        self.store.flush()?;
        let settings = self.store.settings()?;
        let kept = settings
            .into_iter()
            .rev()
            .filter_map(|(key, value)| read(key.strip_prefix(KEY)?, value));
        Ok(kept.take(days).collect())
    }

    /// Counts what an answer took; the row that writes it down.
    pub fn noted(&self, provider: &str, model: &str, role: ModelRole, usage: &Usage) -> Write {
        self.with_today(|today, _| {
            let same = today
                .spent
                .iter_mut()
                .find(|spent| spent.provider == provider && spent.model == model && spent.role == role);
            match same {
                Some(spent) => spent.usage.add(usage),
                None => today.spent.push(Spent {
                    provider: provider.to_owned(),
                    model: model.to_owned(),
                    role,
                    usage: *usage,
                }),
            }
            Write::PutSetting {
                key: format!("{KEY}{}", today.day),
                value: json!(today.spent),
            }
        })
    }

    /// Gives `act` the record of today.
    fn with_today<T>(&self, act: impl FnOnce(&mut DaySpending, Limits) -> T) -> T {
        let day = jiff::Zoned::now().date().to_string();
        let mut state = self.state.lock();
        let limits = state.limits;
        if state.today.as_ref().is_none_or(|today| today.day != day) {
            let kept = self
                .store
                .setting(&format!("{KEY}{day}"))
                .unwrap_or_else(|cause| {
                    tracing::warn!(%cause, "what was spent today can't be read");
                    None
                });
            state.today = kept.and_then(|kept| read(&day, kept));
        }
        let today = state.today.get_or_insert_with(|| DaySpending {
            day,
            spent: Vec::new(),
        });
        act(today, limits)
    }
}

fn read(day: &str, value: Value) -> Option<DaySpending> {
    Some(DaySpending {
        day: day.to_owned(),
        spent: serde_json::from_value(value).ok()?,
    })
}

/// Tokens in and out, and dollars as far as prices are known.
fn sums(today: &DaySpending) -> (u64, f64) {
    let tokens = today
        .spent
        .iter()
        .map(|spent| u64::from(spent.usage.input) + u64::from(spent.usage.output));
    let usd = today.spent.iter().filter_map(|spent| spent.usage.cost);
    (tokens.sum(), usd.sum())
}

impl Ledger for Spending {
    fn may_ask(&self) -> Result<(), LimitReached> {
        self.with_today(|today, limits| {
            let (used, spent) = sums(today);
            if let Some(limit) = limits.tokens.filter(|limit| used >= *limit) {
                return Err(LimitReached::Tokens { used, limit });
            }
            match limits.usd {
                Some(limit) if spent >= limit => Err(LimitReached::Dollars { used: spent, limit }),
                Some(_) | None => Ok(()),
            }
        })
    }

    fn note(&self, provider: &str, model: &str, role: ModelRole, usage: &Usage) {
        let write = self.noted(provider, model, role, usage);
        if let Err(cause) = self.store.buffer(write) {
            tracing::warn!(%cause, "what was spent was not written down");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spending(folder: &tempfile::TempDir) -> Spending {
        let path = folder.path().join("shidi.db");
        let store = Store::open(&path, shidi_store::OpenOptions::default()).unwrap();
        Spending::new(store)
    }

    fn usage(cost: Option<f64>) -> Usage {
        Usage {
            input: 90,
            cached: 10,
            output: 10,
            cost,
            model_calls: 1,
            estimated: false,
        }
    }

    #[test]
    fn answers_are_summed_by_model_and_role_and_survive_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let first = spending(&folder);
        first.note("openai", "m", ModelRole::Coder, &usage(Some(0.5)));
        first.note("openai", "m", ModelRole::Coder, &usage(Some(0.25)));
        first.note("openai", "m", ModelRole::Fast, &usage(None));
        let days = first.days(7).unwrap();
        drop(first);
        let again = spending(&folder).days(7).unwrap();
        assert_eq!(days, again);
        assert_eq!((days.len(), days[0].spent.len()), (1, 2));
        let coder = &days[0].spent[0].usage;
        assert_eq!((coder.input, coder.model_calls, coder.cost), (180, 2, Some(0.75)));
    }

    #[test]
    fn limits_of_tokens_and_of_money_are_told_in_figures() {
        let folder = tempfile::tempdir().unwrap();
        let spending = spending(&folder);
        assert_eq!(spending.may_ask(), Ok(()));
        spending.note("openai", "m", ModelRole::Coder, &usage(Some(0.5)));
        spending.limit(Limits {
            tokens: Some(101),
            usd: Some(0.51),
        });
        assert_eq!(spending.may_ask(), Ok(()));
        spending.limit(Limits {
            tokens: Some(100),
            usd: None,
        });
        assert_eq!(
            spending.may_ask().unwrap_err().failure("x").detail.to_string(),
            "100 of 100 tokens"
        );
        spending.limit(Limits {
            tokens: None,
            usd: Some(0.5),
        });
        assert_eq!(
            spending.may_ask().unwrap_err().failure("x").detail.to_string(),
            "about $0.50 of $0.50"
        );
    }
}
