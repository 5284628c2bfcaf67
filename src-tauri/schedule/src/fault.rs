//! Why words are no time.

use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};

/// Why words or a crontab say no time that a schedule can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordsFault {
    #[error("no time is understood")]
    NotUnderstood,
    /// A day is told, and no time of it.
    #[error("the time of the day is missing")]
    NoClock,
    #[error("there is no such time of the day, or no such date")]
    NoSuchTime,
    #[error("the time has passed")]
    Past,
    /// More often than once a minute, or less often than once a year.
    #[error("the interval is out of bounds")]
    Interval,
    /// The crontab's own reader says why.
    #[error("the crontab can't be read: {0}")]
    Cron(String),
    /// It has so many fields in place of five.
    #[error("the crontab has {0} fields")]
    CronFields(u64),
    /// It is a date that never comes, such as the 31st of February.
    #[error("the time never comes")]
    Never,
    #[error("the file is not named by its whole path")]
    NoPath,
    /// No zone is called so; the names that are like it, the likest first.
    #[error("there is no time zone {name}")]
    NoSuchZone { name: String, alike: Vec<String> },
    /// The words name one zone, and another one is given beside them.
    #[error("the words name {said}, and {given} is given")]
    TwoZones { said: String, given: String },
    #[error("the words name {first} and {second}")]
    TwoZonesNamed { first: String, second: String },
    /// It comes by no clock, so a zone would make no difference.
    #[error("an interval has no time zone")]
    IntervalWithZone,
}

impl WordsFault {
    /// The sentence for its user, with a remedy.
    #[must_use]
    pub fn told(&self, language: Language) -> UserError {
        let say = language.schedule();
        let (message, remedy) = match self {
            Self::NotUnderstood => (say.not_understood().to_owned(), say.say_it_so()),
            Self::NoClock => (say.no_clock().to_owned(), say.add_the_clock()),
            Self::NoSuchTime => (say.no_such_time().to_owned(), say.say_it_so()),
            Self::Past => (say.has_passed().to_owned(), say.say_a_later_time()),
            Self::Interval => (say.interval_out_of_bounds().to_owned(), say.say_it_so()),
            Self::Cron(why) => (say.no_crontab(why), say.write_a_crontab()),
            Self::CronFields(count) => (say.crontab_fields(*count), say.write_a_crontab()),
            Self::NoPath => (say.no_path().to_owned(), say.say_the_path()),
            Self::Never => (say.never_comes().to_owned(), say.name_another_date()),
            Self::NoSuchZone { name, alike } => return no_such_zone(name, alike, language),
            Self::TwoZones { said, given } => (say.two_zones(given, said), say.name_one_zone()),
            Self::TwoZonesNamed { first, second } => {
                (say.two_zones_named(first, second), say.name_one_zone())
            }
            Self::IntervalWithZone => (say.interval_with_zone().to_owned(), say.leave_the_zone_out()),
        };
        UserError::new(ErrorCode::Input, message).hint(remedy)
    }
}

/// One sentence, with the names that were probably meant.
fn no_such_zone(name: &str, alike: &[String], language: Language) -> UserError {
    let say = language.schedule();
    let hint = match alike {
        [] => say.name_a_zone().to_owned(),
        alike => say.zones_like_it(alike.join(", ")),
    };
    UserError::new(ErrorCode::Input, say.no_such_zone(name)).hint(hint)
}
