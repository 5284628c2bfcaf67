//! How freely a model chooses its words: a temperature for each purpose, unless the model takes none.
//!
//! Servers' own defaults suit talk (0.8 at llama.cpp), and programs need less. The user's setting counts first,
//! then the model's profile, then the built-in figure. A model that refuses the field is asked again without
//! it, and never sent a temperature again.

use parking_lot::Mutex;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer};
use shidi_protocol::ModelRole;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// The highest temperature that any provider takes, in hundredths.
const HUNDREDTHS_MAX: u16 = 200;
/// Built-in temperatures, in hundredths: programs, and texts read by programs, should come out alike each time;
/// talk may vary. `make bench-agent` measures their effect.
const FOR_PROGRAMS: u16 = 20;
const FOR_TALK: u16 = 60;

/// A temperature, as a profile or a setting gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Temperature {
    /// No temperature is sent: the model refuses it, or its server knows best.
    Server,
    /// The temperature in hundredths.
    Of(u16),
}

impl Temperature {
    /// The temperature that a word or number names.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        if text == "server" {
            return Some(Self::Server);
        }
        let hundredths = text.parse::<f64>().ok()? * 100.0;
        let fits = (0.0..=f64::from(HUNDREDTHS_MAX)).contains(&hundredths);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it was just seen to fit"
        )]
        fits.then(|| Self::Of(hundredths.round() as u16))
    }

    fn value(self) -> Option<f64> {
        match self {
            Self::Server => None,
            Self::Of(hundredths) => Some(f64::from(hundredths) / 100.0),
        }
    }
}

impl<'de> Deserialize<'de> for Temperature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl Visitor<'_> for Reader {
            type Value = Temperature;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a number from 0 to 2, or \"server\"")
            }

            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Temperature, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Temperature, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Temperature, E> {
                Temperature::named(text)
                    .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

/// The user's temperature for each purpose; `None` leaves it to the model's profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Temperatures {
    pub coder: Option<Temperature>,
    pub general: Option<Temperature>,
    pub fast: Option<Temperature>,
}

/// Models that refused a temperature, by provider; kept as long as the process runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refusals(Arc<Mutex<BTreeSet<String>>>);

/// The temperatures of one model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sampling {
    pub own: Temperatures,
    pub profile: Option<Temperature>,
    pub refusals: Refusals,
    /// The model's name among those that refused.
    pub name: String,
}

impl Sampling {
    /// The temperature to send with a request of the role.
    pub(crate) fn temperature(&self, role: ModelRole) -> Option<f64> {
        let refused = self.refusals.0.lock();
        if refused.contains(&self.name) {
            return None;
        }
        let (own, built_in) = match role {
            ModelRole::Coder => (self.own.coder, FOR_PROGRAMS),
            ModelRole::Fast => (self.own.fast, FOR_PROGRAMS),
            ModelRole::General | ModelRole::Vision | ModelRole::Embedding => (self.own.general, FOR_TALK),
        };
        own.or(self.profile).unwrap_or(Temperature::Of(built_in)).value()
    }

    /// Whether a refusal is about the temperature; no further one is then sent to the model.
    pub(crate) fn is_refused(&self, refusal: &str) -> bool {
        let is_refused = refusal.to_lowercase().contains("temperature");
        if is_refused {
            let mut refused = self.refusals.0.lock();
            refused.insert(self.name.clone());
        }
        is_refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_word_counts_before_the_profiles_and_that_before_ours() {
        let mut sampling = Sampling::default();
        assert_eq!(sampling.temperature(ModelRole::Coder), Some(0.2));
        assert_eq!(sampling.temperature(ModelRole::Fast), Some(0.2));
        assert_eq!(sampling.temperature(ModelRole::General), Some(0.6));
        sampling.profile = Some(Temperature::Server);
        assert_eq!(sampling.temperature(ModelRole::Coder), None);
        sampling.own.coder = Temperature::named("0.35");
        assert_eq!(sampling.temperature(ModelRole::Coder), Some(0.35));
        assert_eq!(sampling.temperature(ModelRole::General), None);
    }

    #[test]
    fn only_temperatures_that_there_are_have_a_name() {
        assert_eq!(Temperature::named("0"), Some(Temperature::Of(0)));
        assert_eq!(Temperature::named("2"), Some(Temperature::Of(200)));
        for text in ["", "warm", "-0.1", "2.1", "NaN", "inf"] {
            assert_eq!(Temperature::named(text), None, "{text}");
        }
    }
}
