//! The one place where the product reads the clock.

use shidi_protocol::Moment;

/// The present moment.
#[must_use]
pub fn now() -> Moment {
    Moment::from(jiff::Timestamp::now())
}
