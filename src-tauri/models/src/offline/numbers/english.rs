//! Numbers in English words: twenty-five, two hundred and five, three thousand.

use super::Number;

const SMALL: &[(&str, u64)] = &[
    ("zero", 0),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
];

/// twenty-five, two hundred and five, three thousand.
pub(super) fn number(text: &str) -> Option<(Number, &str)> {
    let (mut total, mut section, mut read) = (0_u64, None::<u64>, 0);
    let mut rest = text;
    loop {
        let skipped = rest.trim_start_matches([' ', '-']);
        let skipped = if read > 0 {
            skipped.strip_prefix("and ").unwrap_or(skipped)
        } else {
            skipped
        };
        let length = skipped.bytes().take_while(u8::is_ascii_lowercase).count();
        let (word, after) = skipped.split_at(length);
        let small = SMALL
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, value)| *value);
        match (word, small, section) {
            (_, Some(value), None) => section = Some(value),
            (_, Some(value), Some(sum)) if fits_below(sum, value) => section = Some(sum + value),
            ("hundred", None, Some(sum)) if (1..10).contains(&sum) => section = Some(sum * 100),
            ("thousand", None, Some(sum)) if sum > 0 => {
                total += sum * 1_000;
                section = Some(0);
            }
            ("million", None, Some(sum)) if sum > 0 && total == 0 => {
                total += sum * 1_000_000;
                section = Some(0);
            }
            _ => break,
        }
        read += 1;
        rest = after;
    }
    let digits = (total + section?).to_string();
    Some((
        Number {
            digits,
            in_digits: false,
        },
        rest,
    ))
}

/// Whether a smaller number may follow: twenty five, two hundred five; not five twenty.
fn fits_below(sum: u64, value: u64) -> bool {
    if sum == 0 {
        return true;
    }
    if sum.is_multiple_of(100) {
        return value < 100 && value > 0;
    }
    sum.is_multiple_of(10) && sum % 100 >= 20 && (1..10).contains(&value)
}
