//! Facts that only the host has, asked for as calls of the toolkit `host`, so that they are recorded and replayed.
//!
//! | method | arguments | answer |
//! |---|---|---|
//! | `clock` | none | `{"unix_ms": int, "utc_offset_minutes": int}` |
//! | `entropy` | `bytes`: how many | `{"hex": str}` of that many bytes |
//! | `sleep` | `seconds`: float | anything, once they have passed |
//!
//! A program that imports `time` or `datetime` asks for the clock once before it starts, which fixes its time zone,
//! and again at every reading; one that imports `random` asks for a seed before it starts.

use monty_types::{
    ExcType, MontyDate, MontyDateTime, MontyException, MontyObject, MontyTimeZone, OsFunctionCall,
    SandboxTimeZone,
};
use sha2::{Digest, Sha256};
use shidi_executor_proto::{Given, Item, Packed, Packer};
use std::ops::RangeInclusive;

pub const TOOLKIT: &str = "host";
/// Bytes of a seed: more than any later draw can tell apart.
pub const SEED_BYTES: u64 = 32;
/// Bytes asked of the host at most; more are drawn from them, so that a record stays small.
const LARGEST_ENTROPY_BYTES: u64 = 64;

const MILLISECONDS_PER_DAY: i64 = 86_400_000;
/// The years 1 to 9999, which Python has, less a day for any time zone.
const UNIX_MS: RangeInclusive<i64> = -62_135_510_400_000..=253_402_214_399_999;
/// Python's time zones stay below a day.
const UTC_OFFSET_MINUTES: RangeInclusive<i32> = -1_439..=1_439;

/// What the host said of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    pub unix_ms: i64,
    pub utc_offset_minutes: i32,
}

/// A question to the host.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub method: &'static str,
    pub named: Vec<(String, Packed)>,
}

impl Question {
    pub fn clock() -> Self {
        Self {
            method: "clock",
            named: Vec::new(),
        }
    }

    pub fn entropy(bytes: u64) -> Self {
        let bytes = bytes.min(LARGEST_ENTROPY_BYTES);
        Self {
            method: "entropy",
            named: vec![one("bytes", Item::Integer(i64::try_from(bytes).unwrap_or(0)))],
        }
    }

    fn sleep(seconds: f64) -> Self {
        Self {
            method: "sleep",
            named: vec![one("seconds", Item::Number(seconds))],
        }
    }

    /// The question that an interpreter's call comes to; `None` when the host has no such thing.
    pub fn of(call: &OsFunctionCall) -> Option<Self> {
        match call {
            OsFunctionCall::Time(_) | OsFunctionCall::DateTimeNow(_) | OsFunctionCall::DateToday => {
                Some(Self::clock())
            }
            OsFunctionCall::Urandom(wanted) => Some(Self::entropy(wanted.size)),
            OsFunctionCall::Sleep(duration) | OsFunctionCall::AsyncSleep(duration) => {
                Some(Self::sleep(duration.as_secs_f64()))
            }
            _ => None,
        }
    }
}

/// The value that the interpreter wants for its call, made from the host's answer.
///
/// # Errors
/// The host's own error, or `RuntimeError` when the answer is not of the form above.
pub fn answer(call: &OsFunctionCall, given: Given) -> Result<MontyObject, MontyException> {
    match call {
        OsFunctionCall::Time(_) => {
            let clock = clock(given)?;
            Ok(MontyObject::float(milliseconds_to_seconds(clock.unix_ms)))
        }
        OsFunctionCall::DateToday => {
            let clock = clock(given)?;
            let local = clock.unix_ms + i64::from(clock.utc_offset_minutes) * 60_000;
            Ok(MontyObject::date(date(local.div_euclid(MILLISECONDS_PER_DAY))))
        }
        OsFunctionCall::DateTimeNow(zone) => Ok(MontyObject::datetime(now(clock(given)?, zone.as_ref()))),
        OsFunctionCall::Urandom(wanted) => {
            let seed = entropy(given)?;
            Ok(MontyObject::bytes(stretch(
                seed,
                usize::try_from(wanted.size).unwrap_or(0),
            )))
        }
        _ => value(given).map(|_| MontyObject::none()),
    }
}

/// The clock's answer.
///
/// # Errors
/// As [`answer`].
pub fn clock(given: Given) -> Result<Clock, MontyException> {
    let packed = value(given)?;
    let malformed = || wrong("clock", "{\"unix_ms\": int, \"utc_offset_minutes\": int}");
    let mut reader = packed.reader();
    let Ok(Item::Dict(pairs)) = reader.item() else {
        return Err(malformed());
    };
    let (mut unix_ms, mut utc_offset_minutes) = (None, 0);
    for _ in 0..pairs {
        match (reader.item(), reader.item()) {
            (Ok(Item::Text("unix_ms")), Ok(Item::Integer(value))) => unix_ms = Some(value),
            (Ok(Item::Text("utc_offset_minutes")), Ok(Item::Integer(value))) => {
                utc_offset_minutes = i32::try_from(value).map_err(|_| malformed())?;
            }
            _ => return Err(malformed()),
        }
    }
    let unix_ms = unix_ms
        .filter(|value| UNIX_MS.contains(value))
        .ok_or_else(malformed)?;
    if !UTC_OFFSET_MINUTES.contains(&utc_offset_minutes) {
        return Err(malformed());
    }
    Ok(Clock {
        unix_ms,
        utc_offset_minutes,
    })
}

/// The bytes of an answer to `entropy`.
///
/// # Errors
/// As [`answer`].
pub fn entropy(given: Given) -> Result<Vec<u8>, MontyException> {
    let packed = value(given)?;
    let malformed = || wrong("entropy", "{\"hex\": str}");
    let mut reader = packed.reader();
    match (reader.item(), reader.item(), reader.item()) {
        (Ok(Item::Dict(1)), Ok(Item::Text("hex")), Ok(Item::Text(digits))) if digits.len() % 2 == 0 => digits
            .as_bytes()
            .chunks_exact(2)
            .map(|pair| {
                std::str::from_utf8(pair)
                    .ok()
                    .and_then(|pair| u8::from_str_radix(pair, 16).ok())
            })
            .collect::<Option<Vec<u8>>>()
            .filter(|bytes| !bytes.is_empty())
            .ok_or_else(malformed),
        _ => Err(malformed()),
    }
}

impl Clock {
    /// The zone that a program keeps for its whole run.
    pub fn zone(self) -> SandboxTimeZone {
        match self.utc_offset_minutes {
            0 => SandboxTimeZone::utc(),
            minutes => SandboxTimeZone::Fixed {
                offset_seconds: minutes * 60,
                name: None,
            },
        }
    }
}

fn value(given: Given) -> Result<Packed, MontyException> {
    match given {
        Given::Value(packed) => Ok(packed),
        Given::Error { kind, message } => Err(crate::failure::exception(&kind, message)),
    }
}

fn wrong(method: &str, form: &str) -> MontyException {
    MontyException::new(
        ExcType::RuntimeError,
        Some(format!("host.{method} must be answered with {form}")),
    )
}

fn one(name: &str, item: Item<'_>) -> (String, Packed) {
    let mut packer = Packer::default();
    packer.item(item);
    (name.to_owned(), packer.finish())
}

/// Exact to the millisecond for any date that Python has.
fn milliseconds_to_seconds(unix_ms: i64) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "milliseconds of the years 1 to 9999 stay below 2^53"
    )]
    let milliseconds = unix_ms as f64;
    milliseconds / 1000.0
}

/// Naive local time, or aware time in the zone asked for.
fn now(clock: Clock, zone: Option<&MontyTimeZone>) -> MontyDateTime {
    let offset_seconds = zone.map_or(clock.utc_offset_minutes * 60, |zone| zone.offset_seconds);
    let local = clock.unix_ms + i64::from(offset_seconds) * 1000;
    let date = date(local.div_euclid(MILLISECONDS_PER_DAY));
    let in_day = local.rem_euclid(MILLISECONDS_PER_DAY);
    let part = |divisor: i64, modulus: i64| u8::try_from(in_day / divisor % modulus).unwrap_or(0);
    MontyDateTime {
        year: date.year,
        month: date.month,
        day: date.day,
        hour: part(3_600_000, 24),
        minute: part(60_000, 60),
        second: part(1000, 60),
        microsecond: u32::try_from(in_day % 1000 * 1000).unwrap_or(0),
        offset_seconds: zone.map(|zone| zone.offset_seconds),
        timezone_name: zone.and_then(|zone| zone.name.clone()),
    }
}

/// The civil date of a day counted from 1970-01-01, by the usual count of 400-year eras that start in March.
fn date(day: i64) -> MontyDate {
    const DAYS_PER_ERA: i64 = 146_097;
    let shifted = day + 719_468;
    let era = shifted.div_euclid(DAYS_PER_ERA);
    let day_of_era = shifted.rem_euclid(DAYS_PER_ERA);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    MontyDate {
        year: i32::try_from(year_of_era + era * 400 + i64::from(month <= 2)).unwrap_or(1),
        month: u8::try_from(month).unwrap_or(1),
        day: u8::try_from(day_of_year - (153 * month_from_march + 2) / 5 + 1).unwrap_or(1),
    }
}

/// Draws `bytes` from a seed: itself while it suffices, then its hash chain.
fn stretch(seed: Vec<u8>, bytes: usize) -> Vec<u8> {
    if seed.len() >= bytes {
        return seed.into_iter().take(bytes).collect();
    }
    let mut drawn = Vec::with_capacity(bytes);
    let mut block: u64 = 0;
    while drawn.len() < bytes {
        let digest = Sha256::new()
            .chain_update(&seed)
            .chain_update(block.to_le_bytes())
            .finalize();
        let wanted = (bytes - drawn.len()).min(digest.len());
        drawn.extend_from_slice(&digest[..wanted]);
        block += 1;
    }
    drawn
}

#[cfg(test)]
mod tests;
