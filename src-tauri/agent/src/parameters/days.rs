//! Days and times of day as people say them: whether a text means the one that a value names.

use super::numerals::numbers;
use jiff::civil::Date;
use shidi_protocol::Moment;

/// Hours by which somebody's day may be away from that of Greenwich.
const AHEAD_HOURS: i64 = 14;
const BEHIND_HOURS: i64 = -12;
const HOUR_MS: i64 = 3_600_000;

/// Days within which a weekday's name means a day.
const WEEKDAY_DAYS: i32 = 14;

const WORDS: [(i32, &[&str]); 7] = [
    (-2, &["day before yesterday", "前天"]),
    (-1, &["yesterday", "last night", "昨"]),
    (
        0,
        &[
            "today",
            "tonight",
            "this morning",
            "this afternoon",
            "this evening",
            "now",
            "今",
            "现在",
            "马上",
        ],
    ),
    (
        1,
        &[
            "tomorrow", "明天", "明日", "明早", "明晚", "明儿", "明下", "明上", "明中",
        ],
    ),
    (2, &["day after tomorrow", "后天", "后日"]),
    (3, &["大后天"]),
    (
        7,
        &["in a week", "a week from today", "next week", "一周后", "下周"],
    ),
];

const WEEKDAYS: [(&str, char); 7] = [
    ("monday", '一'),
    ("tuesday", '二'),
    ("wednesday", '三'),
    ("thursday", '四'),
    ("friday", '五'),
    ("saturday", '六'),
    ("sunday", '日'),
];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Whether an English word in small letters names a day of the week, a month, or such a span.
pub fn is_calendar_word(word: &str) -> bool {
    let is_day = |(day, _): &(&str, char)| *day == word;
    WEEKDAYS.iter().any(is_day) || MONTHS.contains(&word) || ["week", "month", "year"].contains(&word)
}

/// A day, a time of day, or both, as a value writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    date: Option<Date>,
    minutes: Option<i32>,
}

impl Day {
    /// Reads `2026-12-03`, `2026-12-03T19:00`, `19:00` and what lies between; `None` for any other text.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (day, time) = match text.split_once(['T', ' ']) {
            Some((day, time)) => (day, Some(time.trim())),
            None if text.contains(':') => ("", Some(text)),
            None => (text, None),
        };
        let date = match day {
            "" => None,
            day => Some(day.replace(['/', '.'], "-").parse().ok()?),
        };
        let minutes = match time {
            Some(time) => Some(minutes(time)?),
            None => None,
        };
        (date.is_some() || minutes.is_some()).then_some(Self { date, minutes })
    }

    /// Whether a text in small letters, said at a moment, means this day and this time.
    pub fn is_meant(self, text: &str, said: Moment) -> bool {
        let day = self.date.is_none_or(|date| is_day_meant(date, text, said));
        day && self.minutes.is_none_or(|minutes| is_time_meant(minutes, text))
    }

    /// The day and the time, each by itself: people say them in different sentences.
    pub fn parts(self) -> Vec<Self> {
        let date = self.date.map(|date| Self {
            date: Some(date),
            minutes: None,
        });
        let minutes = self.minutes.map(|minutes| Self {
            date: None,
            minutes: Some(minutes),
        });
        date.into_iter().chain(minutes).collect()
    }
}

/// Minutes since midnight of `19:00`, with or without seconds and what follows them.
fn minutes(time: &str) -> Option<i32> {
    let mut parts = time.split([':', '+', 'Z', 'z', '-']);
    let hour: i32 = parts.next()?.trim().parse().ok()?;
    let minute: i32 = parts.next()?.trim().parse().ok()?;
    let is_time = (0..24).contains(&hour) && (0..60).contains(&minute);
    is_time.then_some(hour * 60 + minute)
}

fn is_day_meant(date: Date, text: &str, said: Moment) -> bool {
    todays(said).any(|today| {
        let Ok(ahead) = today.until(date) else {
            return false;
        };
        let ahead = ahead.get_days();
        let mut words = WORDS.iter().filter(|(days, _)| *days == ahead);
        let by_word = words.any(|(_, words)| words.iter().any(|word| has(text, word)));
        by_word || is_counted(ahead, text) || is_weekday_meant(date, ahead, text)
    }) || is_date_said(date, text)
}

/// The days on which somebody may have lived at that moment.
fn todays(said: Moment) -> impl Iterator<Item = Date> {
    let day = |hours: i64| {
        let shifted = Moment(said.0.saturating_add(hours * HOUR_MS));
        shifted.timestamp().to_zoned(jiff::tz::TimeZone::UTC).date()
    };
    let (first, last) = (day(BEHIND_HOURS), day(AHEAD_HOURS));
    first
        .series(jiff::Span::new().days(1))
        .take_while(move |date| *date <= last)
}

/// `in three days`, `三天后`.
fn is_counted(ahead: i32, text: &str) -> bool {
    let counts = |number: i32, units: &[&str]| {
        let mut forms = forms(number).into_iter();
        forms.any(|form| units.iter().any(|unit| has(text, &format!("{form}{unit}"))))
    };
    ahead > 0 && counts(ahead, &[" days", " day", "天后", "天之后", "日后", " 天后"])
        || ahead > 0
            && ahead % 7 == 0
            && counts(ahead / 7, &[" weeks", " week", "周后", "个星期后", "个礼拜后"])
}

/// How people write a small number.
fn forms(number: i32) -> Vec<String> {
    const NAMES: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    const CHARACTERS: [&str; 13] = [
        "零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二",
    ];
    let place = usize::try_from(number).ok();
    let mut forms = vec![number.to_string()];
    forms.extend(
        place
            .and_then(|place| NAMES.get(place))
            .map(|name| (*name).to_owned()),
    );
    forms.extend(
        place
            .and_then(|place| CHARACTERS.get(place))
            .map(|name| (*name).to_owned()),
    );
    if number == 2 {
        forms.push("两".to_owned());
    }
    forms
}

fn is_weekday_meant(date: Date, ahead: i32, text: &str) -> bool {
    if ahead.abs() > WEEKDAY_DAYS {
        return false;
    }
    let place = date.weekday().to_monday_zero_offset();
    let weekend = place >= 5 && (text.contains("weekend") || text.contains("周末"));
    let Some((name, character)) = usize::try_from(place).ok().and_then(|place| WEEKDAYS.get(place)) else {
        return false;
    };
    let characters = [*character, if *character == '日' { '天' } else { *character }];
    let named = ["周", "星期", "礼拜"].iter().any(|head| {
        characters
            .iter()
            .any(|end| text.contains(&format!("{head}{end}")))
    });
    weekend || named || has(text, name) || has(text, &name[..3])
}

/// Whether a text names month and day, or the day of the month alone.
fn is_date_said(date: Date, text: &str) -> bool {
    let (month, day) = (date.month(), date.day());
    let found = numbers(text);
    let says = |number: i8| found.contains(&f64::from(number));
    let ordinal = ["st", "nd", "rd", "th", "号", "日"]
        .iter()
        .any(|end| has(text, &format!("{day}{end}")));
    let in_characters = text.contains(['号', '日']) && says(day);
    let name = usize::try_from(month - 1)
        .ok()
        .and_then(|place| MONTHS.get(place));
    // "may" is a month where its day stands beside it.
    let named = |name: &str| match month {
        5 => [format!("may {day}"), format!("{day} may"), "of may".to_owned()]
            .iter()
            .any(|form| has(text, form)),
        _ => has(text, name) || has(text, &name[..3]),
    };
    let in_digits = ["/", ".", "-"].iter().any(|mark| {
        let both = [
            format!("{month}{mark}{day}"),
            format!("{day}{mark}{month}"),
            format!("{month:02}{mark}{day:02}"),
        ];
        both.iter().any(|form| has(text, form))
    });
    let month_said = name.is_some_and(|name| named(name)) || text.contains('月') && says(month);
    ordinal || in_characters || in_digits || month_said && says(day)
}

fn is_time_meant(minutes: i32, text: &str) -> bool {
    let (hour, minute) = (minutes / 60, minutes % 60);
    let found = numbers(text);
    let says = |number: i32| found.contains(&f64::from(number));
    let minute_said = match minute {
        0 => true,
        30 => says(30) || text.contains("half") || text.contains('半'),
        15 => says(15) || text.contains("quarter") || text.contains("一刻"),
        45 => says(45) || text.contains("quarter") || text.contains("三刻"),
        other => says(other),
    };
    // A quarter to eight, ten to eight.
    let is_before = minute >= 30
        && (text.contains(" to ") || text.contains("before") || text.contains('差'))
        && is_hour_said((hour + 1) % 24, text)
        && (says(60 - minute) || text.contains("quarter") || text.contains("一刻"));
    is_hour_said(hour, text) && minute_said || is_before
}

/// Whether an hour is said as one: a number of guests is none.
fn is_hour_said(hour: i32, text: &str) -> bool {
    const BEFORE: [&str; 8] = [
        "at ", "past ", "to ", "by ", "before ", "after ", "from ", "until ",
    ];
    const BEHIND: [&str; 12] = [
        ":", "：", "点", "时", "am", " am", "pm", " pm", " a.m", " p.m", " o'clock", " in the ",
    ];
    let small = if hour % 12 == 0 { 12 } else { hour % 12 };
    let named = match hour {
        12 => has(text, "noon") || has(text, "midday") || text.contains("中午") || text.contains("正午"),
        0 => has(text, "midnight") || text.contains("零点") || text.contains("半夜"),
        _ => false,
    };
    let forms = forms(hour)
        .into_iter()
        .chain(forms(small))
        .chain([format!("{hour:02}")]);
    let mut forms = forms.filter(|form| !form.is_empty());
    named
        || forms.any(|form| {
            BEFORE.iter().any(|word| has(text, &format!("{word}{form}")))
                || BEHIND
                    .iter()
                    .any(|mark| begins_word(text, &format!("{form}{mark}")))
        })
}

/// Whether a text has this with nothing of a number or a word before it.
fn begins_word(text: &str, wanted: &str) -> bool {
    text.match_indices(wanted).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        !before
            .is_some_and(|letter| letter.is_ascii_alphanumeric() || "一二三四五六七八九十".contains(letter))
    })
}

/// Whether a text has a word; letters and digits beside it belong to another one.
fn has(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, found)| {
        let before = text[..start].chars().next_back();
        let after = text[start + found.len()..].chars().next();
        let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
        let cuts = |inner: Option<char>, outer: Option<char>| is_part(inner) && is_part(outer);
        !cuts(found.chars().next(), before) && !cuts(found.chars().next_back(), after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 2026-11-28, a Saturday, 10:00 in Greenwich.
    const SATURDAY: Moment = Moment(1_795_860_000_000);

    fn meant(value: &str, text: &str) -> bool {
        Day::read(value).unwrap().is_meant(text, SATURDAY)
    }

    #[test]
    fn a_day_is_found_in_what_people_say() {
        for (value, text) in [
            ("2026-11-29", "tomorrow at eight"),
            ("2026-11-29", "明天晚上"),
            ("2026-11-30", "on monday"),
            ("2026-12-04", "next fri"),
            ("2026-12-04", "下周五"),
            ("2026-12-06", "星期天"),
            ("2026-12-03", "december 3rd"),
            ("2026-12-03", "on 3 dec"),
            ("2026-12-03", "十二月三号"),
            ("2026-12-03", "12/3"),
            ("2026-12-03", "the 3rd"),
            ("2026-12-01", "in three days"),
            ("2026-12-12", "in two weeks"),
            ("2026-12-05", "一周后"),
            ("19:00", "at seven in the evening"),
            ("19:00", "晚上七点"),
            ("07:30", "half past seven"),
            ("19:30", "七点半"),
            ("07:45", "a quarter to eight"),
            ("12:00", "at noon"),
            ("2026-11-29T19:00", "明晚七点"),
            ("2026-11-29 19:00", "tomorrow, 7pm"),
        ] {
            assert!(meant(value, text), "{value} in {text:?}");
        }
    }

    #[test]
    fn another_day_is_not_found() {
        for (value, text) in [
            ("2026-11-29", "a table for two"),
            ("2026-12-03", "tomorrow"),
            ("2026-12-01", "明天"),
            ("19:00", "tomorrow evening"),
            ("2026-11-29T18:00", "tomorrow at seven"),
            ("19:00", "a table for seven tomorrow"),
            ("07:00", "七个人"),
            ("2026-11-30", "a table for 2 today"),
            ("2026-11-30", "今天两位"),
            ("2026-12-04", "the 14th"),
            ("2026-12-03", "十三号"),
            ("2026-12-04", "14号"),
            ("2027-05-03", "may i have 3"),
        ] {
            assert!(!meant(value, text), "{value} in {text:?}");
        }
        assert_eq!(Day::read("tomorrow"), None);
        assert_eq!(Day::read("25:00"), None);
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(value in ".{0,20}", text in ".{0,60}", said in any::<i64>()) {
            if let Some(day) = Day::read(&value) {
                day.is_meant(&text, Moment(said));
                prop_assert!(!day.parts().is_empty());
            }
        }

        #[test]
        fn a_day_that_is_written_is_found(days in 0_i32..4_000, hour in 0_i32..24, minute in 0_i32..60) {
            let date = jiff::civil::date(2024, 1, 1).saturating_add(jiff::Span::new().days(days));
            let value = format!("{date}T{hour:02}:{minute:02}");
            let said = format!("on {date} at {hour}:{minute:02}");
            prop_assert!(meant(&value, &said), "{value} in {said}");
        }
    }
}
