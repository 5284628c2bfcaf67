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
    let (mut total, mut section, mut digit, mut last_scale) = (0_u64, 0_u64, None, u64::MAX);
    for letter in letters {
        if let Some(value) = han_digit(letter) {
            if value > 0 && digit.is_some_and(|earlier| earlier > 0) {
                return None;
            }
            digit = Some(value);
            continue;
        }
        let scale = han_scale(letter)?;
        if scale >= 10_000 {
            section = section.checked_add(digit.take().unwrap_or(0))?;
            if section == 0 {
                return None;
            }
            total = if scale > 10_000 {
                total.checked_add(section)?.checked_mul(scale)?
            } else {
                total.checked_add(section.checked_mul(scale)?)?
            };
            section = 0;
            last_scale = u64::MAX;
        } else {
            if scale >= last_scale {
                return None;
            }
            let times = digit
                .take()
                .filter(|digit| *digit > 0)
                .or((scale == 10).then_some(1))?;
            section = section.checked_add(times.checked_mul(scale)?)?;
            last_scale = scale;
        }
    }
    total.checked_add(section)?.checked_add(digit.unwrap_or(0))
}
