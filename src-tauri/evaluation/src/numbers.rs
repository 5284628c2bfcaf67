//! The numbers in a text, as `assets/evaluation/README.md` says how they are read.

use std::sync::LazyLock;

/// What stands between groups of three digits: a comma, or a space that breaks no line.
const GROUPS: [char; 4] = [',', '\u{a0}', '\u{202f}', '\u{2009}'];

/// Characters before a number that can be its currency and its minus sign.
const HEAD: usize = 12;

/// The longer before those that it begins with.
const UNITS: [(&str, f64); 3] = [("万亿", 1e12), ("万", 1e4), ("亿", 1e8)];

const CODES: [&str; 14] = [
    "US$", "HK$", "USD", "EUR", "GBP", "CNY", "RMB", "JPY", "CHF", "NOK", "SEK", "DKK", "AUD", "CAD",
];
const SIGNS: [&str; 7] = ["HKD", "$", "€", "£", "¥", "￥", "\\"];

static CURRENCIES: LazyLock<Vec<&'static str>> = LazyLock::new(|| CODES.into_iter().chain(SIGNS).collect());

/// Rounding that two equal numbers may differ by.
const EPSILON: f64 = 1e-9;

/// Whether a number in the text differs from `value` by at most `tolerance`.
pub fn has_near(text: &str, value: f64, tolerance: f64) -> bool {
    numbers(text)
        .iter()
        .any(|number| (number - value).abs() <= tolerance + EPSILON)
}

/// Every number in a text; one before 万 or 亿 both as written and multiplied.
pub fn numbers(text: &str) -> Vec<f64> {
    let letters: Vec<char> = normal(text).chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        if !letters[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let (end, digits) = digits_at(&letters, at);
        let start = at;
        at = end;
        let Some(sign) = sign_before(&letters[start.saturating_sub(HEAD)..start]) else {
            continue;
        };
        let Ok(value) = digits.parse::<f64>() else {
            continue;
        };
        let value = sign * value;
        found.push(value);
        let rest = if letters.get(at) == Some(&' ') { at + 1 } else { at };
        let rest: String = letters[rest..].iter().take(2).collect();
        if let Some((_, factor)) = UNITS.iter().find(|(unit, _)| rest.starts_with(unit)) {
            found.push(value * factor);
        }
    }
    found
}

fn normal(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|letter| match letter {
            '０'..='９' => char::from_digit(letter as u32 - '０' as u32, 10).unwrap_or(letter),
            '\u{2212}' => '-',
            letter => letter,
        })
        .collect();
    plain.replace("{,}", ",").replace("\\,", ",")
}

/// The end of the number that begins at `start`, and its digits without what groups them.
fn digits_at(letters: &[char], start: usize) -> (usize, String) {
    let run = |from: usize| {
        letters[from..]
            .iter()
            .take_while(|letter| letter.is_ascii_digit())
            .count()
    };
    let first = run(start);
    let mut digits: String = letters[start..start + first].iter().collect();
    let mut end = start + first;
    if first <= 3 {
        while letters.get(end).is_some_and(|letter| GROUPS.contains(letter)) && run(end + 1) == 3 {
            digits.extend(&letters[end + 1..end + 4]);
            end += 4;
        }
    }
    if letters.get(end) == Some(&'.') {
        let fraction = run(end + 1);
        if fraction > 0 {
            digits.extend(&letters[end..=end + fraction]);
            end += 1 + fraction;
        }
    }
    (end, digits)
}

/// 1 or −1; `None` where a letter stands directly before the number.
fn sign_before(head: &[char]) -> Option<f64> {
    let head: String = head.iter().collect();
    let mut head = head.as_str();
    loop {
        let bare = head.strip_suffix(' ').unwrap_or(head);
        let stripped = CURRENCIES.iter().find_map(|sign| match *sign {
            "\\" => head.strip_suffix(sign),
            _ => bare.strip_suffix(sign),
        });
        match stripped {
            Some(rest) => head = rest,
            None => break,
        }
    }
    if head.ends_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_') {
        return None;
    }
    let Some(before) = head.strip_suffix('-') else {
        return Some(1.0);
    };
    let is_hyphen = before.ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == ')');
    Some(if is_hyphen { 1.0 } else { -1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let of = |text: &str| numbers(text);
        assert_eq!(of("1,234.5 and 1{,}000 and 1\\,000"), [1_234.5, 1_000.0, 1_000.0]);
        assert_eq!(of("1,234,5678"), [1_234.0, 5_678.0]);
        assert_eq!(of("2026-09-07"), [2_026.0, 9.0, 7.0]);
        assert_eq!(of("Q3, file2 and _4"), Vec::<f64>::new());
        assert_eq!(
            of("-5, −6, $-7, -$8, 3-2, (1)-2"),
            [-5.0, -6.0, -7.0, -8.0, 3.0, 2.0, 1.0, 2.0]
        );
        assert_eq!(of("EUR 12.50, ¥３，USD7"), [12.5, 3.0, 7.0]);
        assert_eq!(of("1.2 万 和 3万亿"), [1.2, 12_000.0, 3.0, 3e12]);
        assert_eq!(of("17%."), [17.0]);
    }

    proptest! {
        #[test]
        fn any_grouped_whole_number_is_read(number in 0_u32..2_000_000_000) {
            let plain = number.to_string();
            let mut grouped = String::new();
            for (place, digit) in plain.chars().enumerate() {
                if place > 0 && (plain.len() - place) % 3 == 0 {
                    grouped.push(',');
                }
                grouped.push(digit);
            }
            prop_assert_eq!(numbers(&grouped), vec![f64::from(number)]);
        }

        #[test]
        fn no_text_makes_reading_panic(text in "[0-9,. ￥$万亿a-c_−-]{0,40}|\\PC{0,40}") {
            prop_assert!(numbers(&text).iter().all(|number| !number.is_nan()));
        }
    }
}
