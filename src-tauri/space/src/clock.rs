//! The one place where the product reads the clock.

use shidi_protocol::Moment;

/// The present moment.
#[must_use]
pub fn now() -> Moment {
    Moment::from(jiff::Timestamp::now())
}

/// The name of this computer's time zone, or its distance from UTC.
#[must_use]
pub fn timezone() -> String {
    let zone = jiff::tz::TimeZone::system();
    zone.iana_name()
        .map_or_else(|| zone.to_offset(now().timestamp()).to_string(), str::to_owned)
}
