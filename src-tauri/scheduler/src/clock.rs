//! The clock that schedules are kept by, and its zone. A test gives them one of its own, which leaps over years.

use jiff::Zoned;
use jiff::tz::TimeZone;
use shidi_protocol::Moment;
use shidi_space::clock;

pub struct Clock {
    tell: Box<dyn Fn() -> Zoned + Send + Sync>,
}

impl Clock {
    /// The clock of this computer, and its zone as it is at each look.
    pub fn of_this_computer() -> Self {
        Self::told_by(|| clock::now().timestamp().to_zoned(TimeZone::system()))
    }

    pub fn told_by(tell: impl Fn() -> Zoned + Send + Sync + 'static) -> Self {
        Self { tell: Box::new(tell) }
    }

    /// Now, by the clock on the wall.
    pub fn wall(&self) -> Zoned {
        (self.tell)()
    }

    pub fn now(&self) -> Moment {
        Moment::from(self.wall().timestamp())
    }

    /// The name of its zone, or the distance of that from UTC.
    pub fn zone(&self) -> String {
        let wall = self.wall();
        let name = wall.time_zone().iana_name();
        name.map_or_else(|| wall.offset().to_string(), str::to_owned)
    }
}
