//! Times in Chinese.

use crate::calendar::{WEEKEND, WORKDAYS, monthly, weekly};
use crate::clock::{
    Clock, Part, clock, dashed, days_away, days_on, delay, every, of_week, once, once_on, soonest,
};
use crate::english::coming;
use crate::fault::WordsFault;
use jiff::Zoned;
use jiff::civil::{Date, Weekday};
use regex::{Captures, Regex};
use shidi_protocol::ScheduleTime;
use std::sync::LazyLock;

const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const WEEK: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

#[expect(
    clippy::unwrap_used,
    reason = "the expressions are constants, and a test reads each"
)]
fn regex(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

const UNIT: &str = "(秒钟?|分钟|分|小时|个小时|个钟头|钟头|天|个星期|星期|个礼拜|周)";

static DELAY: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"^(?:过|再过)?(半|\d+(?:\.\d+)?)个?(半)?{UNIT}(半)?(?:后|以后|之后|过后)$"
    ))
});
static EVERY: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^每(?:隔|过)?(半|\d+(?:\.\d+)?)?(?:个)?(分钟|小时|钟头|个小时)(?:1次)?$"));
static DAILY: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:(?:每|每个|在)?(工作日|周末)|每天|每日|天天|每(早上|早晨|早|上午|中午|下午|傍晚|晚上|晚|夜里))(?:的)?(.*)$",
    )
});
static WEEKLY: LazyLock<Regex> = LazyLock::new(|| regex("^每(?:个)?(?:周|星期|礼拜)(.+)$"));
static MONTHLY: LazyLock<Regex> = LazyLock::new(|| regex(r"^每(?:个)?月的?(\d{1,2})(?:号|日)的?(.*)$"));
static ON: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(今天|今日|今|明天|明日|明|后天|大后天|(?:下下|下|这|本)?个?(?:周|星期|礼拜)[1-7日天]|(?:\d{4}年)?\d{1,2}月\d{1,2}(?:日|号)?|\d{4}-\d{1,2}-\d{1,2}|\d{1,4}个?(?:周|星期|礼拜)(?:后|以后|之后|过后)的?(?:周|星期|礼拜)[1-7日天]|\d{1,4}(?:天|日|个?(?:周|星期|礼拜))(?:后|以后|之后|过后)|\d{1,2}(?:号|日))的?(.*)$",
    )
});
static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:在)?(凌晨|清晨|早晨|早上|早|上午|中午|正午|下午|傍晚|晚上|晚|夜里|半夜|午夜)?的?(?:(\d{1,2})(?:点钟?|时)(半|[13]刻|\d{1,2}分?)?|(\d{1,2}):(\d{2})(?::00)?)?(?:整)?$",
    )
});
static NUMERAL: LazyLock<Regex> = LazyLock::new(|| regex("[零一二两三四五六七八九十百]+"));

/// Reads a time.
pub fn read(text: &str, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    let text = digits(text);
    if let Some(told) = DELAY.captures(&text) {
        let half = told.get(2).or(told.get(4)).map_or(0.0, |_| 0.5);
        return delay((number(&told[1]) + half) * unit(&told[3]), now);
    }
    if let Some(told) = EVERY.captures(&text) {
        let count = told.get(1).map_or(1.0, |count| number(count.as_str()));
        return every(count * unit(&told[2]), now);
    }
    if let Some(told) = WEEKLY.captures(&text) {
        return every_week(&told[1]);
    }
    if let Some(told) = DAILY.captures(&text) {
        let days: &[Weekday] = match told.get(1).map(|group| group.as_str()) {
            Some("工作日") => &WORKDAYS,
            Some(_) => &WEEKEND,
            None => &[],
        };
        return weekly(
            days,
            time_of_day(
                rest(&told, 3),
                told.get(2).and_then(|part| part_of(part.as_str())),
            )?,
        );
    }
    if let Some(told) = MONTHLY.captures(&text) {
        let day = told[1].parse().map_err(|_| WordsFault::NoSuchTime)?;
        return monthly(day, time_of_day(rest(&told, 2), None)?);
    }
    if let Some(told) = ON.captures(&text) {
        day_exists(&told[1], now)?;
        return on(&told[1], time_of_day(rest(&told, 2), None)?, now);
    }
    soonest(time_of_day(&text, None)?, now)
}

/// Without spaces and commas, except between digits, and with numbers in digits: `周一三五` is `周135`, `二十五` is `25`.
fn digits(text: &str) -> String {
    let text: String = text.chars().filter(|character| *character != ',').collect();
    let mut whole = String::new();
    let mut end = 0;
    for found in NUMERAL.find_iter(&text) {
        whole.push_str(&text[end..found.start()]);
        let is_hour = text[found.end()..].trim_start().starts_with(['点', '时']);
        whole.push_str(&match whole.trim_end().ends_with(['周', '期', '拜']) {
            true => after_week(found.as_str()),
            false if is_hour => hours(found.as_str()),
            false => numeral(found.as_str()),
        });
        end = found.end();
    }
    whole.push_str(&text[end..]);
    without_spaces(&whole)
}

/// A space stays where it keeps two numbers apart.
fn without_spaces(text: &str) -> String {
    let words = text.split_whitespace();
    words.fold(String::new(), |mut whole, word| {
        let is_digit = |character: Option<char>| character.is_some_and(|it| it.is_ascii_digit());
        if is_digit(whole.chars().last()) && is_digit(word.chars().next()) {
            whole.push(' ');
        }
        whole.push_str(word);
        whole
    })
}

/// The first is a day of the week: `一十` is Monday and ten.
fn after_week(text: &str) -> String {
    let rest = text.char_indices().nth(1).map_or(text.len(), |(at, _)| at);
    let (day, rest) = (numeral(&text[..rest]), &text[rest..]);
    match rest.contains('十') {
        true => format!(
            "{day}{}{}",
            if rest.starts_with(['十', '二']) && !rest[3..].starts_with('二') {
                " "
            } else {
                ""
            },
            hours(rest)
        ),
        false => format!("{day}{}", numeral(rest)),
    }
}

/// No day has thirty hours: what stands before such a ten is a day of the week, `三五十` is three, five and ten.
fn hours(text: &str) -> String {
    match text.split_once('十') {
        Some((before, units)) if !matches!(before, "" | "二") => {
            let (days, tens) = match before.strip_suffix('二') {
                Some(days) => (days, "二"),
                None => (before, ""),
            };
            format!("{} {}", numeral(days), numeral(&format!("{tens}十{units}")))
        }
        Some(_) | None => numeral(text),
    }
}

/// A number below a thousand, or digits one after the other.
fn numeral(text: &str) -> String {
    let digit = |character: char| {
        let character = if character == '两' { '二' } else { character };
        DIGITS.iter().position(|digit| *digit == character)
    };
    if let Some((hundreds, rest)) = text.split_once('百') {
        let hundreds = hundreds.chars().next().and_then(digit);
        let rest = rest.trim_start_matches('零');
        let rest = match rest.is_empty() {
            true => Some(0),
            false => numeral(rest).parse().ok(),
        };
        return match (hundreds, rest) {
            (Some(hundreds), Some(rest)) => (hundreds * 100 + rest).to_string(),
            (_, _) => text.to_owned(),
        };
    }
    match text.split_once('十') {
        Some((tens, units)) => {
            let tens = tens.chars().next_back().map_or(Some(1), digit);
            let units = units.chars().next().map_or(Some(0), digit);
            match (tens, units) {
                (Some(tens), Some(units)) => (tens * 10 + units).to_string(),
                (None, _) | (_, None) => text.to_owned(),
            }
        }
        None => {
            let found = text.chars().filter_map(digit);
            found.map(|digit| digit.to_string()).collect()
        }
    }
}

fn number(text: &str) -> f64 {
    match text {
        "半" => 0.5,
        digits => digits.parse().unwrap_or(0.0),
    }
}

/// Seconds.
fn unit(name: &str) -> f64 {
    match name.trim_start_matches('个') {
        "秒" | "秒钟" => 1.0,
        "分" | "分钟" => 60.0,
        "小时" | "钟头" => 3600.0,
        "天" => 86_400.0,
        _ => 7.0 * 86_400.0,
    }
}

fn rest<'a>(told: &'a Captures<'_>, group: usize) -> &'a str {
    told.get(group).map_or("", |found| found.as_str())
}

fn part_of(name: &str) -> Option<Part> {
    match name {
        "凌晨" | "半夜" | "午夜" => Some(Part::Night),
        "清晨" | "早晨" | "早上" | "早" | "上午" => Some(Part::Morning),
        "中午" | "正午" => Some(Part::Noon),
        "下午" | "傍晚" => Some(Part::Afternoon),
        _ => Some(Part::Evening),
    }
}

fn time_of_day(text: &str, before: Option<Part>) -> Result<Clock, WordsFault> {
    let told = CLOCK.captures(text.trim()).ok_or(WordsFault::NotUnderstood)?;
    let at = |group: usize| told.get(group).map(|found| found.as_str());
    let named = at(1);
    let part = named.and_then(part_of).or(before);
    // Before noon, twelve is the noon.
    let noon = |hour: u8| {
        if named == Some("上午") && hour == 12 {
            None
        } else {
            part
        }
    };
    let small = |text: &str| text.parse::<u8>().map_err(|_| WordsFault::NoSuchTime);
    match (at(2), at(4)) {
        (Some(hour), _) => {
            let minute = match at(3) {
                None => 0,
                Some("半") => 30,
                Some("1刻") => 15,
                Some("3刻") => 45,
                Some(minute) => small(minute.trim_end_matches('分'))?,
            };
            clock(small(hour)?, minute, noon(small(hour)?))
        }
        (None, Some(hour)) => clock(
            small(hour)?,
            small(at(5).unwrap_or_default())?,
            noon(small(hour)?),
        ),
        (None, None) => match named {
            Some("中午" | "正午") => clock(12, 0, None),
            Some("午夜") => clock(24, 0, None),
            Some(_) | None => Err(WordsFault::NoClock),
        },
    }
}

fn weekday(character: char) -> Option<Weekday> {
    match character {
        '日' | '天' => Some(Weekday::Sunday),
        digit => {
            let number = digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok())?;
            WEEK.get(number.checked_sub(1)?).copied()
        }
    }
}

/// Days and then a time; words that can be cut in two ways say neither.
fn every_week(text: &str) -> Result<ScheduleTime, WordsFault> {
    // Where a space keeps two numbers apart, the time is behind it.
    let space = text.rfind(' ');
    let cuts = text
        .char_indices()
        .skip(1)
        .filter(|(cut, _)| space.is_none_or(|space| *cut == space));
    let cuts = cuts.filter_map(|(cut, _)| {
        let clock = time_of_day(text[cut..].trim_start_matches(['的', ' ']), None).ok()?;
        let days = days(&text[..cut]).ok().filter(|days| !days.is_empty())?;
        Some((days, clock))
    });
    let mut found: Vec<_> = cuts.collect();
    found.dedup();
    match (found.pop(), found.is_empty()) {
        (Some((days, clock)), true) => weekly(&days, clock),
        (Some(_), false) => Err(WordsFault::NotUnderstood),
        (None, _) => days(text).and(Err(WordsFault::NoClock)),
    }
}

/// `135`, `1、3`, `1到5`, `末`.
fn days(text: &str) -> Result<Vec<Weekday>, WordsFault> {
    let mut days: Vec<Weekday> = Vec::new();
    let mut to = false;
    for character in text.chars() {
        match character {
            '到' | '至' | '-' | '~' => to = true,
            '末' if days.is_empty() => days.extend(WEEKEND),
            '、' | '和' | '及' | ' ' | '周' | '星' | '期' | '礼' | '拜' => {}
            character => {
                let day = weekday(character).ok_or(WordsFault::NotUnderstood)?;
                match days.last().copied().filter(|_| to) {
                    Some(from) => days.extend(from.cycle_forward().skip(1).take(from.until(day) as usize)),
                    None if days.contains(&day) || days.starts_with(&WEEKEND) => {
                        return Err(WordsFault::NotUnderstood);
                    }
                    None => days.push(day),
                }
                to = false;
            }
        }
    }
    Ok(days)
}

/// Whether there is such a day, also where the time of it is missing.
fn day_exists(text: &str, now: &Zoned) -> Result<(), WordsFault> {
    match text.contains(['月', '-']) {
        true => date(text, now).map(|_| ()),
        false => Ok(()),
    }
}

/// Once on that day.
fn on(text: &str, clock: Clock, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    let named = ["周", "星期", "礼拜"]
        .iter()
        .find_map(|before| text.strip_prefix(before));
    match named.and_then(|name| name.chars().next()).and_then(weekday) {
        Some(day) => once_on(day, clock, now),
        None => once(date(text, now)?, clock, now),
    }
}

fn date(text: &str, now: &Zoned) -> Result<Date, WordsFault> {
    match text {
        "今天" | "今日" | "今" => return days_on(now, 0),
        "明天" | "明日" | "明" => return days_on(now, 1),
        "后天" => return days_on(now, 2),
        "大后天" => return days_on(now, 3),
        _ => {}
    }
    if let Some(days) = interval(text) {
        return days_away(now, days);
    }
    if let Some(date) = dashed(text) {
        return date;
    }
    let numbers: Vec<i16> = text
        .split(|character: char| !character.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect();
    let small = |number: i16| i8::try_from(number).map_err(|_| WordsFault::NoSuchTime);
    match (numbers.as_slice(), text.contains('月')) {
        ([year, month, day], true) => {
            Date::new(*year, small(*month)?, small(*day)?).map_err(|_| WordsFault::NoSuchTime)
        }
        ([month, day], true) => coming(small(*month)?, small(*day)?, now),
        ([day], false)
            if text.ends_with('号')
                || text.ends_with('日') && text.starts_with(|first: char| first.is_ascii_digit()) =>
        {
            of_this_month_or_next(small(*day)?, now)
        }
        (_, _) => of_a_week(text, now),
    }
}

/// The days in `2天后`, `1周以后`.
fn interval(text: &str) -> Option<i64> {
    let told = text.strip_suffix('后')?;
    let told = told.trim_end_matches(['以', '之', '过']);
    let digits = told.trim_end_matches(|character: char| !character.is_ascii_digit());
    let days = if told.ends_with(['天', '日']) { 1 } else { 7 };
    Some(digits.parse::<i64>().ok()? * days)
}

fn of_this_month_or_next(day: i8, now: &Zoned) -> Result<Date, WordsFault> {
    let first = now.date().first_of_month();
    let this = Date::new(first.year(), first.month(), day);
    if let Ok(date) = this
        && date >= now.date()
    {
        return Ok(date);
    }
    let later = first
        .last_of_month()
        .tomorrow()
        .map_err(|_| WordsFault::NoSuchTime)?;
    Date::new(later.year(), later.month(), day).map_err(|_| WordsFault::NoSuchTime)
}

/// `下周1`, `本周5`.
fn of_a_week(text: &str, now: &Zoned) -> Result<Date, WordsFault> {
    let day = text
        .chars()
        .last()
        .and_then(weekday)
        .ok_or(WordsFault::NotUnderstood)?;
    // `2周后的周1`: the day of that week.
    if let Some((before, _)) = text.rsplit_once('后')
        && let Some(days) = interval(&format!("{before}后"))
    {
        return of_week(now, day, days / 7);
    }
    match text {
        text if text.starts_with("下下") => of_week(now, day, 2),
        text if text.starts_with('下') => of_week(now, day, 1),
        text if text.starts_with(['这', '本']) => of_week(now, day, 0),
        _ => Err(WordsFault::NotUnderstood),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_expression_can_be_read() {
        for expression in [&DELAY, &EVERY, &MONTHLY, &WEEKLY, &DAILY, &ON, &CLOCK, &NUMERAL] {
            assert!(!expression.is_match("?"));
        }
    }

    #[test]
    fn numerals_are_digits() {
        for (text, expected) in [
            ("二十五", "25"),
            ("十", "10"),
            ("十二点", "12点"),
            ("三十", "30"),
            ("两点", "2点"),
            ("周一三五", "周135"),
            ("八点 半", "8点半"),
            ("每周一三五十点", "每周135 10点"),
            ("每周一到五 十二点", "每周1到5 12点"),
            ("一到五十点", "1到5 10点"),
            ("周一二十点", "周1 20点"),
            ("12月1 10点", "12月1 10点"),
            ("五十分", "50分"),
            ("一百分钟", "100分钟"),
            ("一百二十分", "120分"),
            ("三百零五", "305"),
        ] {
            assert_eq!(digits(text), expected);
        }
    }
}
