//! Reads a day from the words in which people name it, or refuses.

use super::super::super::numbers::{number, whole_number};
use super::{Day, Length, Week};
use regex::Regex;
use std::sync::OnceLock;

/// Furthest shift: 1000 years and a little, so that no date leaves the calendar of Python.
const SHIFT_DAYS_MAX: i64 = 400_000;
const SHIFT_MONTHS_MAX: i64 = 12_000;
/// How many shifts may follow each other.
const SHIFTS_MAX: usize = 3;

/// Reads a whole text as a day.
pub(super) fn day(text: &str) -> Option<Day> {
    day_within(text, SHIFTS_MAX)
}

fn day_within(text: &str, shifts: usize) -> Option<Day> {
    let text = text.trim().trim_end_matches([',', '.']).trim();
    let text = text
        .strip_prefix("the day ")
        .filter(|rest| !rest.starts_with("after") && !rest.starts_with("before"))
        .unwrap_or(text);
    relative(text)
        .or_else(|| written(text))
        .or_else(|| holiday(text))
        .or_else(|| weekday(text))
        .or_else(|| of_month(text))
        .or_else(|| of_year(text, shifts))
        .or_else(|| shifted(text, shifts))
}

fn relative(text: &str) -> Option<Day> {
    let days = match text {
        "today" | "now" | "今天" | "今日" | "现在" => 0,
        "tomorrow" | "明天" | "明日" => 1,
        "yesterday" | "昨天" | "昨日" => -1,
        "the day after tomorrow" | "day after tomorrow" | "后天" => 2,
        "the day before yesterday" | "day before yesterday" | "前天" => -2,
        "大后天" => 3,
        "大前天" => -3,
        _ => return None,
    };
    Some(Day::Today(days))
}

const MONTHS: &[&str] = &[
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

/// 2026-03-05, 2026/3/5, march 5 2026, 5 march, 2026年3月5日, 3月5号, 三月五日.
fn written(text: &str) -> Option<Day> {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        let patterns = [
            r"^(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})$",
            r"^(?P<name>[a-z]{3,9})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<year>\d{4}))?$",
            r"^(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?P<name>[a-z]{3,9})\.?(?:,? (?P<year>\d{4}))?$",
            r"^(?:(?P<year>\d{4}|[〇零一二三四五六七八九]{4}) ?年 ?)?(?P<month>\d{1,2}|[一二三四五六七八九十]{1,2}) ?月 ?(?P<day>\d{1,2}|[一二三四五六七八九十]{1,3}) ?(?:日|号)?$",
        ];
        patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
    });
    let found = patterns.iter().find_map(|pattern| pattern.captures(text))?;
    let part = |name: &str| found.name(name).map(|part| part.as_str());
    let month = match part("name") {
        Some(name) => {
            i64::try_from(MONTHS.iter().position(|month| {
                *month == name || month[..3] == *name || name == "sept" && *month == "september"
            })?)
            .ok()?
                + 1
        }
        None => small(part("month")?)?,
    };
    Some(Day::Fixed {
        year: part("year")
            .map(small)
            .map_or(Some(None), |year| year.map(Some))?,
        month,
        day: small(part("day")?)?,
    })
}

/// A number of at most four digits, leading zeros allowed.
fn small(text: &str) -> Option<i64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok();
    }
    whole_number(&text.replace('〇', "零")).and_then(|number| number.count())
}

/// Holidays with a fixed date; lunar holidays have none.
fn holiday(text: &str) -> Option<Day> {
    let (month, day) = match text
        .trim_start_matches("this ")
        .trim_start_matches("今年的")
        .trim_start_matches("今年")
    {
        "christmas" | "christmas day" | "圣诞节" | "圣诞" => (12, 25),
        "christmas eve" | "平安夜" => (12, 24),
        "new year" | "new year's day" | "new years day" | "the new year" | "元旦" => (1, 1),
        "new year's eve" | "the end of the year" | "年底" | "年末" => (12, 31),
        "halloween" => (10, 31),
        "valentine's day" | "valentines day" | "情人节" => (2, 14),
        "国庆节" | "国庆" | "十一" => (10, 1),
        "劳动节" | "五一" => (5, 1),
        "儿童节" => (6, 1),
        "教师节" => (9, 10),
        _ => return None,
    };
    Some(Day::Fixed {
        year: None,
        month,
        day,
    })
}

const WEEKDAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// 下个月1号, 本月15号, 20号. Days that some months lack are left out.
fn of_month(text: &str) -> Option<Day> {
    let ways = [
        ("下个月", 1),
        ("下月", 1),
        ("上个月", -1),
        ("上月", -1),
        ("这个月", 0),
        ("本月", 0),
        ("", 0),
    ];
    let (months, rest) = ways
        .iter()
        .find_map(|(word, months)| Some((*months, text.strip_prefix(word)?)))?;
    let (day, rest) = number(rest.trim_start_matches('的'))?;
    let day = day.count().filter(|day| (1..=28).contains(day))?;
    matches!(rest, "号" | "日").then_some(Day::OfMonth { months, day })
}

/// 明年元旦, 去年3月5日: a day without a year, in the year after or before.
fn of_year(text: &str, shifts: usize) -> Option<Day> {
    let ways = [("明年", 1), ("去年", -1), ("后年", 2), ("前年", -2), ("今年", 0)];
    let (amount, rest) = ways
        .iter()
        .find_map(|(word, years)| Some((*years, text.strip_prefix(word)?)))?;
    let base = day_within(rest.trim_start_matches('的'), shifts.checked_sub(1)?).filter(Day::lacks_year)?;
    Some(Day::Shifted {
        base: Box::new(base),
        amount,
        length: Length::Years,
    })
}

fn weekday(text: &str) -> Option<Day> {
    let by_name = |name: &str| WEEKDAYS.iter().position(|weekday| *weekday == name);
    if let Some(weekday) = by_name(
        text.strip_prefix("this ")
            .or_else(|| text.strip_prefix("coming "))
            .unwrap_or(text),
    ) {
        return Some(Day::Weekday {
            weekday: i64::try_from(weekday).ok()?,
            week: Week::Coming,
        });
    }
    if let Some((weeks, name)) = text
        .strip_prefix("next ")
        .map(|name| (1, name))
        .or_else(|| text.strip_prefix("last ").map(|name| (-1, name)))
    {
        return Some(Day::Weekday {
            weekday: i64::try_from(by_name(name)?).ok()?,
            week: Week::Counted(weeks),
        });
    }
    let (weeks, rest) = [
        ("下下", 2),
        ("上上", -2),
        ("下个", 1),
        ("下", 1),
        ("上个", -1),
        ("上", -1),
        ("这个", 0),
        ("这", 0),
        ("本", 0),
        ("", 0),
    ]
    .iter()
    .find_map(|(word, weeks)| Some((*weeks, text.strip_prefix(word)?)))?;
    let name = ["星期", "礼拜", "周"]
        .iter()
        .find_map(|word| rest.strip_prefix(word))?;
    let weekday = match name {
        "日" | "天" => 6,
        _ => i64::try_from(
            "一二三四五六"
                .chars()
                .position(|digit| name.chars().eq([digit]))?,
        )
        .ok()?,
    };
    Some(Day::Weekday {
        weekday,
        week: Week::Counted(weeks),
    })
}

/// 45 days from now, 3 weeks ago, 2026-01-31 plus 3 months, 45天后, 3月5日之后两周, 3月5日加10天.
fn shifted(text: &str, shifts: usize) -> Option<Day> {
    if shifts == 0 {
        return None;
    }
    let (amount, length, base) = shift_english(text).or_else(|| shift_chinese(text))?;
    let limit = match length {
        Length::Days => SHIFT_DAYS_MAX,
        Length::Weeks => SHIFT_DAYS_MAX / 7,
        Length::Months => SHIFT_MONTHS_MAX,
        Length::Years => SHIFT_MONTHS_MAX / 12,
    };
    if amount.abs() > limit {
        return None;
    }
    let base = if base.trim().is_empty() {
        Day::Today(0)
    } else {
        day_within(&base, shifts - 1)?
    };
    Some(Day::Shifted {
        base: Box::new(base),
        amount,
        length,
    })
}

fn shift_english(text: &str) -> Option<(i64, Length, String)> {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        let amount = r"(?P<amount>\d[\d,]*|an?|[a-z]+(?:[ -][a-z]+)?) (?P<length>day|week|month|year)s?";
        let patterns = [
            format!(r"^(?:in |after )?{amount}(?P<forward> from (?:now|today)| later| from (?P<base>.+)| after (?P<base2>.+))$"),
            format!(r"^(?P<forward>in ){amount}(?: time)?$"),
            format!(r"^{amount}(?P<back> ago| earlier| before (?P<base>.+))$"),
            format!(r"^(?:add )(?P<forward>){amount} to (?P<base>.+)$"),
            format!(r"^(?:subtract )(?P<back>){amount} from (?P<base>.+)$"),
            format!(r"^(?P<base>.+?) (?P<forward>plus|\+) {amount}$"),
            format!(r"^(?P<base>.+?) (?P<back>minus|-) {amount}$"),
        ];
        patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
    });
    let found = patterns.iter().find_map(|pattern| pattern.captures(text))?;
    let amount = match &found["amount"] {
        "a" | "an" => 1,
        digits => whole_number(digits)?.count()?,
    };
    let length = match &found["length"] {
        "day" => Length::Days,
        "week" => Length::Weeks,
        "month" => Length::Months,
        _ => Length::Years,
    };
    let base = found
        .name("base")
        .or_else(|| found.name("base2"))
        .map_or("", |base| base.as_str());
    let sign = if found.name("back").is_some() { -1 } else { 1 };
    Some((sign * amount, length, base.to_owned()))
}

fn shift_chinese(text: &str) -> Option<(i64, Length, String)> {
    // A base and then a shift: 3月5日之后10天, 3月5日加10天. Or a shift and then a direction: 10天后, 再过10天.
    static PATTERN: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = PATTERN.get_or_init(|| {
        Regex::new(r"^(?P<base>.*?)(?P<way>再过|过|之后|以后|往后|加上|加|后的|的|之前|以前|往前|减去|减|后|前)? ?(?P<amount>\d[\d,]*|[零一二两三四五六七八九十百千]+) ?(?P<length>天|日|周|个?星期|个?礼拜|个月|年) ?(?P<end>之后|以后|后|之前|以前|前)?$").ok()
    });
    let found = pattern.as_ref()?.captures(text)?;
    let way = found.name("way").map_or("", |way| way.as_str());
    let end = found.name("end").map_or("", |end| end.as_str());
    let forward =
        |word: &str| ["再过", "过", "之后", "以后", "往后", "加上", "加", "后的", "后"].contains(&word);
    let back = |word: &str| ["之前", "以前", "往前", "减去", "减", "前"].contains(&word);
    let sign = match (way, end) {
        ("" | "的" | "再过" | "过", end) if forward(end) => 1,
        ("" | "的", end) if back(end) => -1,
        (way, "") if forward(way) => 1,
        (way, "") if back(way) => -1,
        _ => return None,
    };
    let (amount, rest) = number(&found["amount"])?;
    if !rest.is_empty() {
        return None;
    }
    let length = match &found["length"] {
        "天" | "日" => Length::Days,
        "个月" => Length::Months,
        "年" => Length::Years,
        _ => Length::Weeks,
    };
    Some((sign * amount.count()?, length, found["base"].trim().to_owned()))
}
