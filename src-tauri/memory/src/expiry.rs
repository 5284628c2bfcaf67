//! Reads until when something is to be remembered: a day, a time of a day, or a span from now.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, Moment, UserError};
use shidi_space::clock;
use shidi_space::errors::error;

/// Longest span that can be said, in days: whoever means longer means for good.
const DAYS_MOST: i64 = 36_500;

/// The moment that `text` names, at the clock of this machine. A day counts to its end.
///
/// # Errors
/// What names no time, and what is over already.
pub fn moment_of(text: &str, language: Language) -> Result<Moment, UserError> {
    let now = clock::now();
    let Some(moment) = read(text.trim(), now, &TimeZone::system()) else {
        return Err(error(
            ErrorCode::Input,
            language.memory().no_time(text),
            language.memory().time_examples(),
        ));
    };
    ahead(moment, language)
}

/// The moment, if it is still to come.
///
/// # Errors
/// The moment is over.
pub fn ahead(moment: Moment, language: Language) -> Result<Moment, UserError> {
    if moment > clock::now() {
        return Ok(moment);
    }
    Err(error(
        ErrorCode::Input,
        language.memory().time_over(),
        language.memory().time_to_come(),
    ))
}

fn read(text: &str, now: Moment, zone: &TimeZone) -> Option<Moment> {
    if let Some(span) = span(text) {
        return now.timestamp().checked_add(span).ok().map(Moment::from);
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(timestamp.into());
    }
    let at = match text.len() == "2026-12-31".len() {
        true => text.parse::<Date>().ok()?.to_datetime(Time::MAX),
        false => text.replacen(' ', "T", 1).parse::<DateTime>().ok()?,
    };
    let at = zone.to_ambiguous_zoned(at).compatible().ok()?;
    Some(at.timestamp().into())
}

/// `30m`, `12h`, `7d`, `4w`.
fn span(text: &str) -> Option<SignedDuration> {
    let (unit_at, unit) = text.char_indices().next_back()?;
    let minutes = match unit {
        'm' => 1,
        'h' => 60,
        'd' => 24 * 60,
        'w' => 7 * 24 * 60,
        _ => return None,
    };
    let count: u32 = text[..unit_at].parse().ok()?;
    let minutes = i64::from(count).checked_mul(minutes)?;
    (minutes <= DAYS_MOST * 24 * 60).then(|| SignedDuration::from_mins(minutes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn days_count_to_their_end_and_spans_from_now() {
        let zone = TimeZone::fixed(jiff::tz::offset(8));
        let now = Moment(1_795_000_000_000);
        let moment = |text: &str| read(text, now, &zone).map(|moment| moment.to_string());
        let of = |text: &str| moment(text).unwrap_or_default();
        assert_eq!(of("2026-12-31"), "2026-12-31T15:59:59.999Z");
        assert_eq!(of("2026-12-31T18:00"), "2026-12-31T10:00:00.000Z");
        assert_eq!(of("2026-12-31 18:00:30"), "2026-12-31T10:00:30.000Z");
        assert_eq!(of("2026-12-31T18:00:00Z"), "2026-12-31T18:00:00.000Z");
        for (text, minutes) in [("30m", 30), ("12h", 720), ("7d", 10_080), ("4w", 40_320)] {
            assert_eq!(
                read(text, now, &zone),
                Some(Moment(now.0 + minutes * 60_000)),
                "{text}"
            );
        }
        for odd in [
            "",
            "d",
            "soon",
            "-7d",
            "7y",
            "99999999999d",
            "4000000000w",
            "2026-13-01",
            "2026-02-30",
            "明天",
            "7天",
        ] {
            assert_eq!(moment(odd), None, "{odd}");
        }
        let past = moment_of("2020-01-01", Language::En).unwrap_err();
        assert!(past.message.contains("over"), "{past:?}");
        assert!(
            moment_of("soon", Language::Zh)
                .unwrap_err()
                .hint
                .unwrap_or_default()
                .contains("7d")
        );
    }

    proptest! {
        #[test]
        fn any_text_is_a_time_or_none(text in "\\PC{0,20}|[0-9]{1,12}[mhdw]|[0-9:T -]{0,20}") {
            let zone = TimeZone::UTC;
            if let Some(span) = span(&text) {
                let now = Moment(1_795_000_000_000);
                prop_assert_eq!(read(&text, now, &zone), Some(Moment(now.0 + span.as_millis() as i64)));
            } else {
                read(&text, Moment(1_795_000_000_000), &zone);
            }
        }
    }
}
