//! Times of schedules (F9.5): read from words in English and Chinese or from a crontab, the next ones, and what becomes of those
//! at which nobody was there; events in words. Pure: the clock and the zone are given.
//!
//! Start at [`read`]: words become a [`ScheduleTime`](shidi_protocol::ScheduleTime). [`next`] says when that comes, [`turn`] what is
//! to be done about a time that has come.

mod calendar;
mod chinese;
mod clock;
mod english;
mod events;
mod fault;
mod missed;
mod next;
mod words;

pub use fault::WordsFault;
pub use missed::{CATCH_UP_MS, LATE_MS, Turn, turn};
pub use next::{first, next};
pub use words::{check, read};
