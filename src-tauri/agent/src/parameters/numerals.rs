//! The numbers that a text mentions, in digits or in words, English and Chinese.
//!
//! A reader of what people say, for finding again a value that somebody else read out of it. The reader errs towards
//! finding.

use crate::letters::is_ideograph;

/// Words for small numbers; also those that people use in place of one.
const SMALL: [(&str, f64); 32] = [
    ("zero", 0.0),
    ("one", 1.0),
    ("single", 1.0),
    ("myself", 1.0),
    ("alone", 1.0),
    ("two", 2.0),
    ("couple", 2.0),
    ("pair", 2.0),
    ("both", 2.0),
    ("twice", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("dozen", 12.0),
    ("noon", 12.0),
    ("midday", 12.0),
    ("midnight", 0.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("half", 0.5),
];

const TENS: [(&str, f64); 8] = [
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
];

/// What multiplies the number before it.
const SCALES: [(&str, f64); 9] = [
    ("hundred", 100.0),
    ("thousand", 1_000.0),
    ("million", 1_000_000.0),
    ("k", 1_000.0),
    ("百", 100.0),
    ("千", 1_000.0),
    ("万", 10_000.0),
    ("亿", 100_000_000.0),
    ("%", 0.01),
];

/// The largest unit of Chinese numbers that multiplies all that stands before it, and those that multiply one digit.
const LARGE: [(char, f64); 2] = [('亿', 100_000_000.0), ('万', 10_000.0)];
const UNITS: [(char, f64); 3] = [('千', 1_000.0), ('百', 100.0), ('十', 10.0)];

/// All numbers that a text mentions, in its order. A number that can be read in two ways stands there with both.
pub fn numbers(text: &str) -> Vec<f64> {
    let mut found = in_digits(text);
    found.extend(in_letters(text));
    found.extend(in_characters(text));
    found
}

/// Words of two characters whose first is no number.
const NO_ONE: [char; 12] = [
    '下', '起', '样', '定', '直', '共', '般', '会', '些', '点', '旦', '切',
];
/// What a parameter is called that counts things of any kind.
const COUNTING: [&str; 3] = ["数", "量", "多少"];
/// Characters of an answer that says how many and nothing else.
const COUNT_CHARACTERS_MAX: usize = 4;
/// Characters of a measure and what it measures.
const NAMED_CHARACTERS: usize = 3;

/// The text without each Chinese *one* that is an article for what a parameter is about. In `约一个` nobody says a weight.
pub fn without_articles(text: &str, about: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= COUNT_CHARACTERS_MAX {
        return text.to_owned();
    }
    let is_article = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let is_alone = before.is_none_or(|letter| digit(*letter).is_none() && of(&UNITS, letter).is_none());
        letters[at] == '一' && is_alone && !is_counted(&letters[at + 1..], about)
    };
    let kept = (0..letters.len()).filter(|at| !is_article(*at));
    kept.map(|at| letters[at]).collect()
}

/// Whether the measure behind a *one*, or the thing behind that, is what a parameter is about.
fn is_counted(behind: &[char], about: &str) -> bool {
    let Some(measure) = behind.first() else {
        return true;
    };
    let is_number =
        digit(*measure).is_some() || of(&UNITS, measure).is_some() || of(&LARGE, measure).is_some();
    if is_number || !is_ideograph(*measure) || !about.contains(is_ideograph) {
        return true;
    }
    if NO_ONE.contains(measure) {
        return false;
    }
    let mut named = behind.iter().take(NAMED_CHARACTERS);
    if named.any(|letter| is_ideograph(*letter) && about.contains(*letter)) {
        return true;
    }
    let wanted = about.split_once('几').and_then(|(_, after)| after.chars().next());
    let has_measure = wanted.is_some_and(is_ideograph);
    !has_measure && COUNTING.iter().any(|word| about.contains(word))
}

fn of<K: PartialEq>(table: &[(K, f64)], key: &K) -> Option<f64> {
    table
        .iter()
        .find(|(name, _)| name == key)
        .map(|(_, number)| *number)
}

fn in_digits(text: &str) -> Vec<f64> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        rest = &rest[start..];
        let mut end = 0;
        let bytes = rest.as_bytes();
        while end < bytes.len()
            && (bytes[end].is_ascii_digit()
                || (matches!(bytes[end], b'.' | b',') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)))
        {
            end += 1;
        }
        let written = &rest[..end];
        rest = &rest[end..];
        let plain = written.replace(',', "");
        // `3.12` is also the third of December, and `2,3` two numbers.
        let parts = written
            .split([',', '.'])
            .filter(|_| plain != written || written.contains('.'));
        found.extend(parts.filter_map(|part| part.parse::<f64>().ok()));
        let Ok(number) = plain.parse::<f64>() else {
            continue;
        };
        found.push(number);
        let after = rest.trim_start();
        let scaled = SCALES.iter().filter(|(scale, _)| after.starts_with(scale));
        found.extend(scaled.map(|(_, scale)| number * scale));
    }
    found
}

fn in_letters(text: &str) -> Vec<f64> {
    let mut found = Vec::new();
    // What was read of the number under way: whole thousands, and what is below them.
    let mut number: Option<(f64, f64)> = None;
    for word in text.split(|letter: char| !letter.is_ascii_alphabetic()) {
        let word = word.to_ascii_lowercase();
        let word = word.as_str();
        let small = of(&SMALL, &word);
        match (small.or_else(|| of(&TENS, &word)), of(&SCALES, &word), number) {
            (Some(value), _, Some((whole, below))) if fits_behind(below, value) => {
                number = Some((whole, below + value));
            }
            (Some(value), _, before) => {
                found.extend(before.map(|(whole, below)| whole + below));
                number = Some((0.0, value));
            }
            (None, Some(scale), Some((whole, below))) if scale > 1.0 => {
                number = Some(if scale >= 1_000.0 {
                    (whole + below.max(1.0) * scale, 0.0)
                } else {
                    (whole, below.max(1.0) * scale)
                });
            }
            (None, Some(scale), None) if scale >= 100.0 && word.len() > 1 => number = Some((0.0, scale)),
            (None, _, Some(_)) if matches!(word, "and" | "") => {}
            (None, _, before) => {
                found.extend(before.map(|(whole, below)| whole + below));
                number = None;
            }
        }
    }
    found.extend(number.map(|(whole, below)| whole + below));
    found
}

/// Whether a number goes on with a smaller one: `twenty` with `five`, `hundred` with `fifty`.
fn fits_behind(below: f64, value: f64) -> bool {
    let room = if below == 0.0 || below % 100.0 == 0.0 {
        100.0
    } else if below >= 20.0 && below % 10.0 == 0.0 {
        10.0
    } else {
        0.0
    };
    value >= 1.0 && value < room
}

fn in_characters(text: &str) -> Vec<f64> {
    let is_part = |letter: char| {
        digit(letter).is_some() || of(&UNITS, &letter).is_some() || of(&LARGE, &letter).is_some()
    };
    let mut found = Vec::new();
    for run in text.split(|letter: char| !is_part(letter)) {
        let letters: Vec<char> = run.chars().collect();
        if letters.is_empty() || letters.iter().all(|letter| *letter == '亿' || *letter == '万') {
            continue;
        }
        let digits: Option<Vec<f64>> = letters.iter().map(|letter| digit(*letter)).collect();
        match digits {
            // Digit by digit, as in a year or a telephone's number; several small ones are also read one by one.
            Some(digits) => {
                if digits.len() > 1 {
                    found.push(digits.iter().fold(0.0, |number, digit| number * 10.0 + digit));
                }
                found.extend(digits);
            }
            None => found.push(with_units(&letters)),
        }
    }
    if text.contains(['俩', '双']) {
        found.push(2.0);
    }
    if text.contains('半') {
        found.extend([0.5, 30.0]);
    }
    if text.contains("中午") || text.contains("正午") {
        found.push(12.0);
    }
    found
}

/// The value of a Chinese digit. `两` is the two that things are counted with.
fn digit(letter: char) -> Option<f64> {
    let place = "零一二三四五六七八九".chars().position(|digit| digit == letter);
    match (place, letter) {
        (Some(place), _) => u32::try_from(place).ok().map(f64::from),
        (None, '〇') => Some(0.0),
        (None, '两') => Some(2.0),
        (None, _) => None,
    }
}

fn with_units(letters: &[char]) -> f64 {
    for (unit, scale) in LARGE {
        if let Some(place) = letters.iter().rposition(|letter| *letter == unit) {
            let (before, after) = (&letters[..place], &letters[place + 1..]);
            let before = if before.is_empty() {
                1.0
            } else {
                with_units(before)
            };
            return before * scale + trailing(after, scale);
        }
    }
    let (mut sum, mut last, mut scale_before) = (0.0, None, 1.0);
    for letter in letters {
        match (digit(*letter), of(&UNITS, letter)) {
            (Some(value), _) => last = Some(value),
            (None, Some(scale)) => {
                sum += last.take().unwrap_or(1.0) * scale;
                scale_before = scale;
            }
            (None, None) => {}
        }
    }
    match last {
        // 两百五 is 250; 两百零五 is 205.
        Some(value) if scale_before >= 100.0 && !letters.contains(&'零') => {
            sum + value * scale_before / 10.0
        }
        Some(value) => sum + value,
        None => sum,
    }
}

/// What follows a large unit: a single digit there counts the next smaller one.
fn trailing(letters: &[char], scale: f64) -> f64 {
    match letters {
        [] => 0.0,
        [single] => digit(*single).map_or_else(|| with_units(letters), |value| value * scale / 10.0),
        several => with_units(several),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn has(text: &str, number: f64) {
        let found = numbers(text);
        assert!(
            found.iter().any(|one| (one - number).abs() < 1e-9),
            "{number} in {text:?}: {found:?}"
        );
    }

    #[test]
    fn numbers_are_found_in_digits_words_and_characters() {
        for (text, number) in [
            ("a table for 2", 2.0),
            ("for four people, please", 4.0),
            ("a couple of tickets", 2.0),
            ("twenty-five copies", 25.0),
            ("two hundred and fifty", 250.0),
            ("three thousand two hundred", 3_200.0),
            ("a hundred", 100.0),
            ("1,200 euros", 1_200.0),
            ("1.5 litres", 1.5),
            ("2k", 2_000.0),
            ("5万", 50_000.0),
            ("两份", 2.0),
            ("我们俩", 2.0),
            ("十五个人", 15.0),
            ("二十一", 21.0),
            ("两百五", 250.0),
            ("两百零五", 205.0),
            ("一万二", 12_000.0),
            ("三万五千", 35_000.0),
            ("下午三点半", 30.0),
            ("一三八", 138.0),
            ("12.11.", 11.0),
        ] {
            has(text, number);
        }
    }

    #[test]
    fn what_is_not_said_is_not_found() {
        for (text, number) in [
            ("a table for us", 4.0),
            ("book a table tomorrow", 2.0),
            ("twenty-five", 3.0),
            ("订个位子", 2.0),
            ("百万富翁", 4.0),
        ] {
            assert!(!numbers(text).contains(&number), "{number} in {text:?}");
        }
    }

    /// A number in Chinese, by the plain rule of place values.
    fn written(number: u32) -> String {
        let mut text = String::new();
        let mut is_gap = false;
        for (scale, unit) in [(1_000, "千"), (100, "百"), (10, "十"), (1, "")] {
            let digit = number / scale % 10;
            if digit == 0 {
                is_gap = !text.is_empty();
                continue;
            }
            if is_gap {
                text.push('零');
                is_gap = false;
            }
            text.extend("零一二三四五六七八九".chars().nth(digit as usize));
            text.push_str(unit);
        }
        text
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in any::<String>()) {
            numbers(&text);
        }

        #[test]
        fn what_is_written_is_found(number in 1_u32..10_000) {
            has(&format!("要{}份", written(number)), f64::from(number));
            has(&format!("take {number} of them"), f64::from(number));
        }
    }

    #[test]
    fn one_of_something_is_a_number_only_for_what_counts_such_things() {
        let is_said = |text: &str, about: &str| numbers(&without_articles(text, about)).contains(&1.0);
        for (text, about, wanted) in [
            ("豆包该洗澡了，给它约一个", "weight_kg 体重，单位公斤", false),
            ("想从图书室借一本夜航手记", "weeks 借几周", false),
            ("想借一周的夜航手记", "weeks 借几周", true),
            ("订一间房，今晚就我自己", "rooms 房间数", true),
            ("请帮我看一下什么时候", "hours 小时数", false),
            ("订一桌，一个孩子要高椅", "children 孩子", true),
            ("一个", "weight_kg 体重，单位公斤", true),
            ("二十一个人要来", "people 人数", false),
            ("book a room for me, 一间", "rooms how many rooms", true),
            ("一百二十公斤的行李", "weight_kg 体重", false),
        ] {
            assert_eq!(is_said(text, about), wanted, "{text} | {about}");
        }
    }
}
