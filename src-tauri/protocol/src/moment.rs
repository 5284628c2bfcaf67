//! A point in time. Times enter the mind with events: the mind itself reads no clock.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;

/// Milliseconds since 1970-01-01 UTC. Written as RFC 3339 text wherever it leaves the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Moment(pub i64);

impl Moment {
    /// Milliseconds from `earlier` to this moment; 0 if the clock went backwards.
    #[must_use]
    pub fn since(self, earlier: Moment) -> u64 {
        u64::try_from(self.0 - earlier.0).unwrap_or(0)
    }

    /// The moment that many milliseconds later.
    #[must_use]
    pub fn after(self, ms: u64) -> Moment {
        Moment(self.0.saturating_add_unsigned(ms))
    }

    /// The same moment as a `jiff` timestamp; the epoch when out of its range.
    #[must_use]
    pub fn timestamp(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
    }
}

impl From<jiff::Timestamp> for Moment {
    fn from(timestamp: jiff::Timestamp) -> Self {
        Self(timestamp.as_millisecond())
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.timestamp())
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse::<jiff::Timestamp>()
            .map(Moment::from)
            .map_err(D::Error::custom)
    }
}
