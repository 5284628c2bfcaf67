//! Numbers in Chinese characters: 三百二十一, 一万二千, 三点一四, 二〇二六.

use super::{DIGITS_MAX, Number, shifted};

fn han_digit(letter: char) -> Option<u64> {
    Some(match letter {
        '零' | '〇' => 0,
        '一' | '壹' => 1,
        '二' | '两' | '贰' => 2,
        '三' | '叁' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        _ => return None,
    })
}

fn han_scale(letter: char) -> Option<u64> {
    Some(match letter {
        '十' | '拾' => 10,
        '百' | '佰' => 100,
        '千' | '仟' => 1_000,
        '万' => 10_000,
        '亿' => 100_000_000,
        _ => return None,
    })
}

/// 三百二十一, 一万二千, 两千零五, 十五, 三点一四, and years as 二〇二六.
pub(super) fn number(text: &str) -> Option<(Number, &str)> {
    let mut length: usize = text
        .chars()
        .take_while(|letter| han_digit(*letter).is_some() || han_scale(*letter).is_some())
        .map(char::len_utf8)
        .sum();
    for unit in ["千克", "千米", "千瓦", "千卡", "两"] {
        // 三千克 is three kilograms; 五两 is a weight, and no number ends in 两.
        let scale = unit.chars().next().map_or(0, char::len_utf8);
        if length > scale && text[length - scale..].starts_with(unit) {
            length -= scale;
        }
    }
    let (written, mut rest) = text.split_at(length);
    let mut digits = han_integer(written)?.to_string();
    if let Some(after) = rest.strip_prefix('点') {
        let fraction: String = after
            .chars()
            .map_while(han_digit)
            .map(|digit| digit.to_string())
            .collect();
        if !fraction.is_empty() {
            let length: usize = after.chars().take(fraction.len()).map(char::len_utf8).sum();
            digits = format!("{digits}.{fraction}");
            rest = &after[length..];
            if let Some((more, zeros)) = rest
                .strip_prefix('万')
                .map(|more| (more, 4))
                .or_else(|| rest.strip_prefix('亿').map(|more| (more, 8)))
            {
                digits = shifted(&digits, zeros);
                rest = more;
            }
        }
    }
    Some((
        Number {
            digits,
            in_digits: false,
        },
        rest,
    ))
}

fn han_integer(written: &str) -> Option<u64> {
    let letters: Vec<char> = written.chars().collect();
    if letters.is_empty() || letters.len() > DIGITS_MAX {
        return None;
    }
    if letters.iter().all(|letter| han_digit(*letter).is_some()) {
        if letters.len() > 1 && letters.len() < 4 {
            return None; // 三四 is "three or four".
        }
        return letters.iter().try_fold(0_u64, |sum, letter| {
            sum.checked_mul(10)?.checked_add(han_digit(*letter)?)
        });
    }
    let mut reader = Sections::default();
    for letter in letters {
        match (han_digit(letter), han_scale(letter)) {
            (Some(digit), _) => reader.digit(digit)?,
            (None, Some(scale)) => reader.scale(scale)?,
            (None, None) => return None,
        }
    }
    reader.finish()
}

/// A number being read: 万 and 亿 end a section, within which 千, 百 and 十 come in falling order.
struct Sections {
    total: u64,
    section: u64,
    digit: Option<u64>,
    /// The last scale read within the section.
    last_scale: u64,
    /// The factor of a last digit without a scale: 一百五 is 150 and 一万二 is 12000, 一百零五 is 105.
    tail_scale: u64,
}

impl Default for Sections {
    fn default() -> Self {
        Self {
            total: 0,
            section: 0,
            digit: None,
            last_scale: u64::MAX,
            tail_scale: 1,
        }
    }
}

impl Sections {
    fn digit(&mut self, digit: u64) -> Option<()> {
        if self.digit.is_some_and(|earlier| earlier > 0) {
            return None;
        }
        if digit == 0 {
            self.tail_scale = 1;
        }
        self.digit = Some(digit);
        Some(())
    }

    fn scale(&mut self, scale: u64) -> Option<()> {
        if scale >= 10_000 {
            self.section = self.section.checked_add(self.digit.take().unwrap_or(0))?;
            if self.section == 0 {
                return None;
            }
            self.total = if scale > 10_000 {
                self.total.checked_add(self.section)?.checked_mul(scale)?
            } else {
                self.total.checked_add(self.section.checked_mul(scale)?)?
            };
            (self.section, self.last_scale) = (0, u64::MAX);
        } else {
            if scale >= self.last_scale {
                return None;
            }
            let times = self
                .digit
                .take()
                .filter(|digit| *digit > 0)
                .or((scale == 10).then_some(1))?;
            self.section = self.section.checked_add(times.checked_mul(scale)?)?;
            self.last_scale = scale;
        }
        self.tail_scale = scale / 10;
        Some(())
    }

    fn finish(self) -> Option<u64> {
        let tail = self.digit.unwrap_or(0).checked_mul(self.tail_scale)?;
        self.total.checked_add(self.section)?.checked_add(tail)
    }
}
