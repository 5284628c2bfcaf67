//! Reads numbers as people write them: 1,234.5 · 3.5万 · 三百二十一 · two hundred and five.
//!
//! A number comes out as decimal digits, never as a float. So no digit is rounded on the way into a program.
//! Digits that begin with a zero (007, 01) are no numbers here: they belong to dates, codes and phone numbers.

mod english;
mod han;

/// Longest number, in characters.
const DIGITS_MAX: usize = 40;

/// A non-negative number in plain decimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Number {
    pub digits: String,
    /// Whether the number was written in digits, and not in words.
    pub in_digits: bool,
}

impl Number {
    pub(super) fn is_whole(&self) -> bool {
        !self.digits.contains('.')
    }

    /// The number as a small whole number.
    pub(super) fn count(&self) -> Option<i64> {
        self.digits.parse().ok()
    }
}

/// Reads a number at the start of a half-width, lower-case text; returns the number and the rest of the text.
pub(super) fn number(text: &str) -> Option<(Number, &str)> {
    written_in_digits(text)
        .or_else(|| han::number(text))
        .or_else(|| english::number(text))
}

/// The whole text as a number.
pub(super) fn whole_number(text: &str) -> Option<Number> {
    number(text.trim())
        .filter(|(_, rest)| rest.trim().is_empty())
        .map(|(number, _)| number)
}

fn written_in_digits(text: &str) -> Option<(Number, &str)> {
    let (whole, mut rest) = integer_digits(text)?;
    let mut digits = whole;
    if let Some(after) = rest.strip_prefix('.') {
        let length = after.bytes().take_while(u8::is_ascii_digit).count();
        if length > 0 {
            digits = format!("{digits}.{}", &after[..length]);
            rest = &after[length..];
        }
    }
    if digits.len() > DIGITS_MAX
        || rest.starts_with(['.', ',']) && rest[1..].starts_with(|next: char| next.is_ascii_digit())
    {
        return None;
    }
    let (digits, rest) = scaled(digits, rest)?;
    Some((
        Number {
            digits,
            in_digits: true,
        },
        rest,
    ))
}

/// Digits with or without thousands separators.
fn integer_digits(text: &str) -> Option<(String, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut digits = text[..length].to_owned();
    let mut rest = &text[length..];
    if length == 0 || length > 1 && digits.starts_with('0') {
        return None;
    }
    if length <= 3 && !digits.starts_with('0') {
        while let Some(group) = rest.strip_prefix(',').and_then(|after| after.get(..3)) {
            let after = &rest[4..];
            if !group.bytes().all(|byte| byte.is_ascii_digit())
                || after.starts_with(|next: char| next.is_ascii_digit())
            {
                break;
            }
            digits.push_str(group);
            rest = after;
        }
    }
    Some((digits, rest))
}

/// Words after digits that multiply them, with the number of zeros.
const SCALES: &[(&str, usize)] = &[
    ("万亿", 12),
    ("千万", 7),
    ("百万", 6),
    ("十万", 5),
    ("亿", 8),
    ("万", 4),
    ("千", 3),
    ("百", 2),
    (" thousand", 3),
    (" million", 6),
    (" billion", 9),
    (" trillion", 12),
];

fn scaled(digits: String, rest: &str) -> Option<(String, &str)> {
    // Kilograms, kilometres and the like are units, whose name begins with the scale.
    let is_unit = ["千克", "千米", "千瓦", "千字节", "千卡", "百分"]
        .iter()
        .any(|unit| rest.starts_with(unit));
    let scale = SCALES
        .iter()
        .find_map(|(word, zeros)| Some((rest.strip_prefix(word)?, *zeros)))
        .filter(|_| !is_unit);
    let Some((rest, zeros)) = scale else {
        return Some((digits, rest));
    };
    if !rest.starts_with(|next: char| next.is_ascii_alphanumeric()) {
        return Some((shifted(&digits, zeros), rest));
    }
    // 3万5千 is read; 3万5 is ambiguous and is not.
    let (more, after) = integer_digits(rest)?;
    let (more, after) = scaled(more.clone(), after).filter(|(scaled, _)| scaled.len() > more.len())?;
    let sum = shifted(&digits, zeros)
        .parse::<u64>()
        .ok()?
        .checked_add(more.parse().ok()?)?;
    (more.len() <= zeros).then(|| (sum.to_string(), after))
}

/// Moves the decimal point to the right.
fn shifted(digits: &str, zeros: usize) -> String {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut padded = fraction.to_owned();
    while padded.len() < zeros {
        padded.push('0');
    }
    let (moved, left) = padded.split_at(zeros);
    let whole = format!("{whole}{moved}");
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let left = left.trim_end_matches('0');
    if left.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{left}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, String)> {
        number(text).map(|(number, rest)| (number.digits, rest.to_owned()))
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for (text, digits, rest) in [
            ("12", "12", ""),
            ("0.5 kg", "0.5", " kg"),
            ("1,234,567.8", "1234567.8", ""),
            ("3.5万", "35000", ""),
            ("2亿元", "200000000", "元"),
            ("1.23456万", "12345.6", ""),
            ("3千克", "3", "千克"),
            ("5 million", "5000000", ""),
            ("2千", "2000", ""),
            ("三百二十一", "321", ""),
            ("一万二千", "12000", ""),
            ("两千零五", "2005", ""),
            ("十五", "15", ""),
            ("二十", "20", ""),
            ("一亿两千万", "120000000", ""),
            ("三点一四", "3.14", ""),
            ("三千克", "3", "千克"),
            ("二〇二六年", "2026", "年"),
            ("五两", "5", "两"),
            ("三点五万", "35000", ""),
            ("一百五", "150", ""),
            ("一百零五", "105", ""),
            ("一万二", "12000", ""),
            ("3万5千", "35000", ""),
            ("1亿2000万", "120000000", ""),
            ("两百两", "200", "两"),
            ("twenty-five miles", "25", " miles"),
            ("two hundred and five", "205", ""),
            ("three thousand two hundred", "3200", ""),
            ("7, 8", "7", ", 8"),
            ("12.", "12", "."),
            ("零", "0", ""),
        ] {
            assert_eq!(read(text), Some((digits.to_owned(), rest.to_owned())), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_number_is_none() {
        for text in [
            "007",
            "01",
            "1.2.3",
            "192.168.1.1",
            "1,23,456",
            "三四",
            "3万5",
            "abc",
            "",
            "-5",
            "一二",
        ] {
            let read = read(text);
            assert!(read.is_none() || text.starts_with("1,23"), "{text}: {read:?}");
        }
        assert_eq!(whole_number("1,23,456"), None);
        assert_eq!(whole_number("十百"), None);
        assert_eq!(
            english::number("five twenty").map(|(number, rest)| (number.digits, rest.to_owned())),
            Some(("5".into(), " twenty".into()))
        );
    }
}
