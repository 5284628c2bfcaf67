//! Times of schedules (F9.5): read from words in English and Chinese or from a crontab, the next ones, and what becomes of those
//! that have come; events in words. Pure: the clock and the zone are given.
//!
//! Start at [`read`]: words become a [`ScheduleTime`](shidi_protocol::ScheduleTime). [`next`] says when that comes, [`look`] what is
//! to be done about it now. A zone that words name is in `zones.rs`; the places that people say in its stead are in `places.rs`.

mod calendar;
mod chinese;
mod clock;
mod english;
mod events;
mod fault;
mod look;
mod missed;
mod next;
mod places;
mod words;
mod zones;

pub use fault::WordsFault;
pub use look::{Look, Seen, is_moved, look};
pub use missed::{CATCH_UP_MS, Dispatch, LATE_MS, SkipReason, Turn, too_late};
pub use next::{first, next};
pub use words::{check, read, read_in};
pub use zones::known as zone_named;
