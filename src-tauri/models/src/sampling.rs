//! How freely a model chooses its words, for each purpose: a temperature, and what is wished beside it.
//!
//! Servers' own defaults suit talk (0.8 at llama.cpp), and programs need less. An assistant's wish counts first, then the
//! user's setting, the model's profile, and the built-in figure. A model that refuses a field is asked again without it,
//! and never sent the field again.

use parking_lot::Mutex;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer};
use shidi_protocol::{ModelRole, Sampling};
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

/// What is wished for each purpose: by an assistant, or by the user's settings, which count after it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RoleSampling {
    pub coder: Sampling,
    pub general: Sampling,
    pub fast: Sampling,
}

impl RoleSampling {
    fn of(&self, role: ModelRole) -> Sampling {
        match role {
            ModelRole::Coder => self.coder,
            ModelRole::Fast => self.fast,
            ModelRole::General | ModelRole::Vision | ModelRole::Embedding => self.general,
        }
    }
}

/// The fields of a request that say how freely words are chosen, by the names that providers have for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Field {
    Temperature,
    TopP,
    Seed,
    PresencePenalty,
    FrequencyPenalty,
}

impl Field {
    const ALL: [(Self, &'static [&'static str]); 5] = [
        (Self::TopP, &["top_p", "topp", "top-p"]),
        (Self::Seed, &["seed"]),
        (
            Self::PresencePenalty,
            &["presence_penalty", "presencepenalty", "presence penalty"],
        ),
        (
            Self::FrequencyPenalty,
            &["frequency_penalty", "frequencypenalty", "frequency penalty"],
        ),
        (Self::Temperature, &["temperature"]),
    ];

    fn is_in(self, sampling: &Sampling) -> bool {
        match self {
            Self::Temperature => sampling.temperature.is_some(),
            Self::TopP => sampling.top_p.is_some(),
            Self::Seed => sampling.seed.is_some(),
            Self::PresencePenalty => sampling.presence_penalty.is_some(),
            Self::FrequencyPenalty => sampling.frequency_penalty.is_some(),
        }
    }

    fn take_from(self, sampling: &mut Sampling) {
        match self {
            Self::Temperature => sampling.temperature = None,
            Self::TopP => sampling.top_p = None,
            Self::Seed => sampling.seed = None,
            Self::PresencePenalty => sampling.presence_penalty = None,
            Self::FrequencyPenalty => sampling.frequency_penalty = None,
        }
    }
}

/// The fields that models refused, by their names; kept as long as the process runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refusals(Arc<Mutex<BTreeSet<(String, Field)>>>);

/// What counts for one model.
#[derive(Debug, Clone, Default)]
pub(crate) struct SamplingRules {
    pub wished: RoleSampling,
    pub own: Temperatures,
    /// What the settings name beside the temperature.
    pub set: RoleSampling,
    pub profile: Option<Temperature>,
    pub refusals: Refusals,
    /// The model's name among those that refused.
    pub name: String,
}

impl SamplingRules {
    /// What to send with a request of the role.
    pub(crate) fn sampling(&self, role: ModelRole) -> Sampling {
        let (own, built_in) = match role {
            ModelRole::Coder => (self.own.coder, FOR_PROGRAMS),
            ModelRole::Fast => (self.own.fast, FOR_PROGRAMS),
            ModelRole::General | ModelRole::Vision | ModelRole::Embedding => (self.own.general, FOR_TALK),
        };
        let usual = own.or(self.profile).unwrap_or(Temperature::Of(built_in));
        let mut sampling = self.wished.of(role).or(Sampling {
            temperature: usual.value(),
            ..self.set.of(role)
        });
        let refused = self.refusals.0.lock();
        for (_, field) in refused.iter().filter(|(name, _)| *name == self.name) {
            field.take_from(&mut sampling);
        }
        sampling
    }

    /// Whether a refusal is about a field that was sent; the model is sent it no more. Of two that it refuses together,
    /// the temperature stays.
    pub(crate) fn is_refused(&self, refusal: &str, sent: &Sampling) -> bool {
        let refusal = refusal.to_lowercase();
        let named = Field::ALL
            .iter()
            .find(|(field, names)| field.is_in(sent) && names.iter().any(|name| refusal.contains(name)));
        if let Some((field, _)) = named {
            self.refusals.0.lock().insert((self.name.clone(), *field));
        }
        named.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_word_counts_before_the_profiles_and_that_before_ours() {
        let mut rules = SamplingRules::default();
        let temperature = |rules: &SamplingRules, role| rules.sampling(role).temperature;
        assert_eq!(temperature(&rules, ModelRole::Coder), Some(0.2));
        assert_eq!(temperature(&rules, ModelRole::Fast), Some(0.2));
        assert_eq!(temperature(&rules, ModelRole::General), Some(0.6));
        rules.profile = Some(Temperature::Server);
        assert_eq!(temperature(&rules, ModelRole::Coder), None);
        rules.own.coder = Temperature::named("0.35");
        assert_eq!(temperature(&rules, ModelRole::Coder), Some(0.35));
        assert_eq!(temperature(&rules, ModelRole::General), None);
        rules.wished.coder.temperature = Some(1.5);
        assert_eq!(
            temperature(&rules, ModelRole::Coder),
            Some(1.5),
            "the assistant's before the settings"
        );
    }

    #[test]
    fn what_the_settings_name_for_a_role_is_sent_for_it_alone_and_an_assistants_wish_counts_before_it() {
        let mut rules = SamplingRules::default();
        rules.set.coder = Sampling {
            temperature: Some(1.9),
            top_p: Some(0.9),
            seed: Some(7),
            presence_penalty: Some(0.5),
            frequency_penalty: None,
        };
        rules.wished.coder.seed = Some(8);
        let sent = rules.sampling(ModelRole::Coder);
        assert_eq!(
            (sent.temperature, sent.top_p, sent.seed, sent.presence_penalty),
            (Some(0.2), Some(0.9), Some(8), Some(0.5)),
            "the temperature has settings of its own"
        );
        assert_eq!(sent.frequency_penalty, None, "what nobody set is not sent");
        assert_eq!(rules.sampling(ModelRole::Fast).top_p, None);
        assert!(rules.is_refused("unknown field top_p", &sent));
        assert_eq!(rules.sampling(ModelRole::Coder).top_p, None);
    }

    #[test]
    fn a_field_that_a_model_refuses_is_sent_to_that_model_no_more_and_the_others_stay() {
        let mut rules = SamplingRules::default();
        let wish = Sampling {
            temperature: Some(0.4),
            top_p: Some(0.9),
            seed: Some(7),
            presence_penalty: Some(0.5),
            frequency_penalty: Some(-0.5),
        };
        rules.wished.general = wish;
        assert_eq!(rules.sampling(ModelRole::General), wish);
        assert!(!rules.is_refused("messages are too long", &wish));
        assert!(rules.is_refused("`temperature` and `top_p` cannot both be specified", &wish));
        let left = rules.sampling(ModelRole::General);
        assert_eq!((left.temperature, left.top_p), (Some(0.4), None));
        assert!(!rules.is_refused("top_p is unknown", &left), "it was not sent");
        assert!(rules.is_refused("Unsupported parameter: 'presencePenalty'", &left));
        assert_eq!(rules.sampling(ModelRole::General).presence_penalty, None);
        let other = SamplingRules {
            name: "another".to_owned(),
            ..rules
        };
        assert_eq!(other.sampling(ModelRole::General), wish);
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
