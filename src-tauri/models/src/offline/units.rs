//! Units: "5 miles in km", "3 斤等于多少克". Reads the whole question or nothing.
//!
//! Ambiguous names are left out on purpose (度, year, cup, pint) or told apart in the answer (metric ton).

mod table;

use super::Plan;
use super::numbers::{Number, number};
use super::text::{core, python_string};
use regex::Regex;
use shidi_locales::Language;
use std::sync::OnceLock;
use table::{Dimension, UNITS, Unit};

/// Significant digits that are shown.
const DIGITS_SHOWN: usize = 10;
/// Most parts of one quantity: 1 小时 30 分 20 秒.
const PARTS_MAX: usize = 4;

/// A quantity: parts of one dimension, added.
struct Quantity {
    parts: Vec<(Number, &'static Unit)>,
    negative: bool,
}

/// The plan for a question about units. `cased` is half-width with its case, since Mb is not MB.
pub(super) fn plan(cased: &str, language: Language) -> Option<Plan> {
    let lower = cased.to_lowercase();
    let core = core(&lower)?;
    // Lower-casing keeps the length of every name of a unit, so the cased text is found at the same place.
    let at = lower.find(&core)?;
    let core = if lower.len() == cased.len() {
        cased.get(at..at + core.len())?.to_owned()
    } else {
        core
    };
    let (quantity, target) = read(&core)?;
    let source = quantity.parts.first()?.1;
    if source.dimension != target.dimension {
        return Some(Plan::Say(mismatch(source, target, language)));
    }
    Some(converted(&quantity, target, language))
}

fn read(core: &str) -> Option<(Quantity, &'static Unit)> {
    reversed(core).or_else(|| straight(core))
}

/// `5 miles in km`, `5英里是多少公里`.
fn straight(core: &str) -> Option<(Quantity, &'static Unit)> {
    let text = ["convert ", "Convert ", "把", "将"]
        .iter()
        .find_map(|word| core.strip_prefix(word))
        .unwrap_or(core);
    let (quantity, rest) = quantity(text)?;
    let rest = rest.trim();
    let joined = CONNECTORS
        .iter()
        .find_map(|word| rest.strip_prefix(word))
        .filter(|rest| {
            rest.starts_with([' ']) || !rest.starts_with(|next: char| next.is_ascii_alphanumeric())
        })?;
    let joined = joined.trim_start();
    let joined = QUESTION_WORDS
        .iter()
        .find_map(|word| joined.strip_prefix(word))
        .unwrap_or(joined);
    Some((quantity, whole_unit(joined)?))
}

/// Words between a quantity and the wanted unit; of words with the same beginning, the longest stands first.
const CONNECTORS: &[&str] = &[
    "is equal to",
    "equals",
    "is",
    "are",
    "into",
    "in",
    "to",
    "as",
    "=",
    "等于是",
    "等于",
    "相当于",
    "换算成是",
    "换算成",
    "换算为",
    "换算到",
    "换算",
    "换成",
    "转换成",
    "转换为",
    "转成",
    "转为",
    "转",
    "折合成",
    "折合",
    "折算成",
    "折算为",
    "合",
    "是",
    "有",
    "为",
    "多少",
    "几",
];

const QUESTION_WORDS: &[&str] = &[
    "how many ",
    "是多少",
    "多少个",
    "多少",
    "几个",
    "几",
    "成",
    "?",
    "",
];

/// `how many km are in 5 miles`, `多少米等于1公里`.
fn reversed(core: &str) -> Option<(Quantity, &'static Unit)> {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        let patterns = [
            r"(?i)^how many (?P<unit>.+?) (?:are there in|is there in|are in|is in|are|is|in|make|equal) (?:an? )?(?P<quantity>.+)$",
            r"^(?:多少|几)(?P<unit>.+?)(?:等于|是|合)(?P<quantity>.+)$",
            r"^(?P<quantity>.+?)里?(?:有|含)(?:多少|几)个?(?P<unit>.+)$",
        ];
        patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
    });
    patterns
        .iter()
        .filter_map(|pattern| pattern.captures(core))
        .find_map(|found| {
            let target = whole_unit(&found["unit"])?;
            let written = found.name("quantity")?.as_str();
            let (quantity, rest) = quantity(written).or_else(|| one_of(written))?;
            rest.trim().is_empty().then_some((quantity, target))
        })
}

/// A unit without a number, as in "how many grams in a pound".
fn one_of(text: &str) -> Option<(Quantity, &str)> {
    let unit = whole_unit(text)?;
    let one = Number {
        digits: "1".to_owned(),
        in_digits: false,
    };
    Some((
        Quantity {
            parts: vec![(one, unit)],
            negative: false,
        },
        "",
    ))
}

fn quantity(text: &str) -> Option<(Quantity, &str)> {
    let (negative, mut rest) = match ["零下", "minus ", "-", "负"]
        .iter()
        .find_map(|word| text.strip_prefix(word))
    {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text.trim_start()),
    };
    let mut parts: Vec<(Number, &'static Unit)> = Vec::new();
    for _ in 0..PARTS_MAX {
        let Some((amount, after)) = amount(rest) else {
            break;
        };
        let Some((unit, after)) = leading_unit(after.trim_start()) else {
            break;
        };
        if parts
            .last()
            .is_some_and(|(_, last)| last.dimension != unit.dimension || unit.is_affine())
        {
            break;
        }
        let (amount, after) = with_rest(amount, unit, after);
        parts.push((amount, unit));
        rest = after.trim_start();
    }
    (!parts.is_empty()).then_some((Quantity { parts, negative }, rest))
}

/// A number before a unit, or half of one.
fn amount(text: &str) -> Option<(Number, &str)> {
    let half = ["半", "half a ", "half an "]
        .iter()
        .find_map(|word| text.strip_prefix(word));
    match half {
        Some(rest) => Some((
            Number {
                digits: "0.5".to_owned(),
                in_digits: false,
            },
            rest.trim_start_matches('个'),
        )),
        None => lower_number(text),
    }
}

/// The words after a unit that belong to the number before it: 一斤半, 1米75.
fn with_rest<'a>(amount: Number, unit: &Unit, after: &'a str) -> (Number, &'a str) {
    if !amount.is_whole() {
        return (amount, after);
    }
    if let Some(rest) = after.strip_prefix('半') {
        return (
            Number {
                digits: format!("{}.5", amount.digits),
                ..amount
            },
            rest,
        );
    }
    let length = after.bytes().take_while(u8::is_ascii_digit).count();
    if unit.chinese == "米" && (1..=2).contains(&length) {
        let (fraction, rest) = after.split_at(length);
        return (
            Number {
                digits: format!("{}.{fraction}", amount.digits),
                ..amount
            },
            rest,
        );
    }
    (amount, after)
}

/// A number, whose words may have any case.
fn lower_number(text: &str) -> Option<(Number, &str)> {
    if let Some(found) = number(text) {
        return Some(found);
    }
    let lower = text.to_ascii_lowercase();
    let (found, rest) = number(&lower)?;
    Some((found, &text[text.len() - rest.len()..]))
}

/// The unit with the longest name at the start of a text.
fn leading_unit(text: &str) -> Option<(&'static Unit, &str)> {
    let lower = text.to_ascii_lowercase();
    let mut best: Option<(&'static Unit, usize)> = None;
    for unit in UNITS {
        for name in unit.names {
            let found = text.starts_with(name) || lower.starts_with(name);
            let Some(rest) = text.get(name.len()..).filter(|_| found) else {
                continue;
            };
            let ends = !name.ends_with(|letter: char| letter.is_ascii_alphabetic())
                || !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '/');
            if ends && best.is_none_or(|(_, length)| name.len() > length) {
                best = Some((unit, name.len()));
            }
        }
    }
    best.map(|(unit, length)| (unit, &text[length..]))
}

/// The unit that a text names exactly; first with its case, then without.
fn whole_unit(text: &str) -> Option<&'static Unit> {
    let text = text.trim();
    let exact = UNITS.iter().find(|unit| unit.names.contains(&text));
    exact.or_else(|| {
        let lower = text.to_lowercase();
        UNITS.iter().find(|unit| unit.names.contains(&lower.as_str()))
    })
}

fn mismatch(source: &'static Unit, target: &'static Unit, language: Language) -> String {
    let name = |unit: &'static Unit| unit.name(language);
    let kind = |unit: &Unit| unit.dimension.name(language);
    language
        .planner()
        .not_convertible(kind(source), kind(target), name(source), name(target))
}

fn converted(quantity: &Quantity, target: &Unit, language: Language) -> Plan {
    let sign = if quantity.negative { "-" } else { "" };
    let terms: Vec<String> = quantity
        .parts
        .iter()
        .map(|(amount, unit)| unit.in_base(&format!("{sign}{}", amount.digits)))
        .collect();
    let base = terms.join(" + ");
    let base = if terms.len() > 1 {
        format!("({base})")
    } else {
        base
    };
    let name = |unit: &Unit| unit.name(language);
    let singular = |amount: &Number, name: &'static str| match name.strip_suffix('s') {
        Some(singular) if amount.digits == "1" && name.len() > 3 && !name.contains('/') => singular,
        Some(_) | None => name,
    };
    let shown: Vec<String> = quantity
        .parts
        .iter()
        .map(|(amount, unit)| format!("{} {}", amount.digits, singular(amount, name(unit))))
        .collect();
    let scaled = target.out_of_base(&base);
    let result = match quantity.parts.as_slice() {
        [(amount, unit)] if unit.is_affine() => {
            table::temperature(unit, target, &format!("{sign}{}", amount.digits))
        }
        [..] => scaled,
    };
    let program = format!(
        "result = {result}\nshown = f\"{{result:.{DIGITS_SHOWN}g}}\"\nmark = \"=\" if abs(float(shown) - result) <= abs(result) * 1e-14 else \"≈\"\nawait user.say(text={} + mark + \" \" + shown + {})",
        python_string(&format!("{sign}{} ", shown.join(" "))),
        python_string(&format!(
            " {}{}",
            name(target),
            remark(quantity, target, language)
        )),
    );
    Plan::Run {
        thought: language.planner().thought_units().to_owned(),
        program,
    }
}

/// The remark that a reader needs to trust the result.
fn remark(quantity: &Quantity, target: &Unit, language: Language) -> &'static str {
    let is_data = target.dimension == Dimension::Data;
    let binary = |unit: &Unit| unit.english.contains("iB");
    if is_data && !binary(target) && !quantity.parts.iter().any(|(_, unit)| binary(unit)) {
        return language.planner().steps_of_1000();
    }
    ""
}
