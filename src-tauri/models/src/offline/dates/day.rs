//! A day as people name it, and the Python that finds it.

mod reading;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Day {
    /// Days from today.
    Today(i64),
    Fixed {
        year: Option<i64>,
        month: i64,
        day: i64,
    },
    /// A day of the month that is `months` from this one.
    OfMonth {
        months: i64,
        day: i64,
    },
    /// Monday is 0; `week` counts from this week, or means the next such day.
    Weekday {
        weekday: i64,
        week: Week,
    },
    Shifted {
        base: Box<Day>,
        amount: i64,
        length: Length,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Week {
    Coming,
    /// Weeks from this one, which begins on Monday.
    Counted(i64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    Days,
    Weeks,
    Months,
    Years,
}

/// The year of a day that names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occurrence {
    ThisYear,
    Next,
    Last,
}

impl Day {
    /// Reads a whole text as a day.
    pub(super) fn read(text: &str) -> Option<Self> {
        reading::day(text)
    }

    pub(super) fn needs_today(&self) -> bool {
        match self {
            Self::Today(_) | Self::Weekday { .. } | Self::OfMonth { .. } => true,
            Self::Fixed { year, .. } => year.is_none(),
            Self::Shifted { base, .. } => base.needs_today(),
        }
    }

    pub(super) fn lacks_year(&self) -> bool {
        matches!(self, Self::Fixed { year: None, .. })
    }

    /// Whether the calendar has this day in some year.
    pub(super) fn exists(&self) -> bool {
        match self {
            Self::Today(_) | Self::Weekday { .. } | Self::OfMonth { .. } => true,
            Self::Fixed { year, month, day } => {
                let is_leap = year.is_none_or(|year| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
                let length = match month {
                    4 | 6 | 9 | 11 => 30,
                    2 if is_leap => 29,
                    2 => 28,
                    _ => 31,
                };
                (1..=12).contains(month)
                    && (1..=length).contains(day)
                    && year.is_none_or(|year| (1..=9999).contains(&year))
            }
            Self::Shifted { base, .. } => base.exists(),
        }
    }

    /// Python lines that leave this day under `name`.
    pub(super) fn python(&self, name: &str, occurrence: Occurrence) -> String {
        match self {
            Self::Today(0) => format!("{name} = today\n"),
            Self::Today(days) => format!("{name} = today + datetime.timedelta(days={days})\n"),
            Self::Fixed {
                year: Some(year),
                month,
                day,
            } => format!("{name} = datetime.date({year}, {month}, {day})\n"),
            Self::Fixed {
                year: None,
                month,
                day,
            } => yearless(name, *month, *day, occurrence),
            Self::Weekday {
                weekday,
                week: Week::Coming,
            } => {
                format!("{name} = today + datetime.timedelta(days=({weekday} - today.weekday()) % 7)\n")
            }
            Self::Weekday {
                weekday,
                week: Week::Counted(weeks),
            } => {
                format!(
                    "{name} = today + datetime.timedelta(days={} - today.weekday())\n",
                    weekday + weeks * 7
                )
            }
            Self::OfMonth { months, day } => format!(
                "months = today.year * 12 + today.month - 1 + {months}\n{name} = datetime.date(months // 12, months % 12 + 1, {day})\n"
            ),
            Self::Shifted { base, amount, length } => {
                let mut lines = base.python(name, occurrence);
                lines.push_str(&moved(name, *amount, *length));
                lines
            }
        }
    }
}

fn yearless(name: &str, month: i64, day: i64, occurrence: Occurrence) -> String {
    let is_leap_day = month == 2 && day == 29;
    let step = if is_leap_day { 4 } else { 1 };
    let year = if is_leap_day {
        "today.year // 4 * 4"
    } else {
        "today.year"
    };
    let mut lines = format!("{name} = datetime.date({year}, {month}, {day})\n");
    match occurrence {
        Occurrence::ThisYear => {}
        Occurrence::Next => lines.push_str(&format!(
            "if {name} < today:\n    {name} = datetime.date({name}.year + {step}, {month}, {day})\n"
        )),
        Occurrence::Last => lines.push_str(&format!(
            "if {name} > today:\n    {name} = datetime.date({name}.year - {step}, {month}, {day})\n"
        )),
    }
    lines
}

fn moved(name: &str, amount: i64, length: Length) -> String {
    let months = match length {
        Length::Days => return format!("{name} = {name} + datetime.timedelta(days={amount})\n"),
        Length::Weeks => return format!("{name} = {name} + datetime.timedelta(days={})\n", amount * 7),
        Length::Months => amount,
        Length::Years => amount * 12,
    };
    // Where a month lacks the day, its last day is taken.
    format!(
        "months = {name}.year * 12 + {name}.month - 1 + {months}\n\
         year, month = months // 12, months % 12 + 1\n\
         leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n\
         length = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]\n\
         {name} = datetime.date(year, month, min({name}.day, length))\n"
    )
}
