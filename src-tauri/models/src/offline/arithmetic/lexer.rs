//! Words of a calculation. Any other word ends the attempt to read one.

use super::super::numbers::number;
use super::expression::Operator;

/// Most words of one calculation.
const TOKENS_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// Plain decimal digits.
    Number(String),
    Operator(Operator),
    Open,
    Close,
    /// Percent, after a number.
    Percent,
    /// `of` and `的`, after a percentage or a fraction.
    Of,
    /// After an operand.
    Squared,
    Cubed,
    /// A power after an operand, with the number before it: `的5次方`.
    PowerOf(String),
    /// Before an operand.
    Root(u8),
    /// Before an operand: `the square of`.
    PowerBefore(&'static str),
    /// After an operand.
    RootAfter(u8),
    Factorial,
    /// `一半`, `half`, after or before `of`.
    Half,
}

/// Words of a calculation; of words with the same beginning, the longest stands first.
const WORDS: &[(&str, Token)] = &[
    ("to the power of", Token::Operator(Operator::Power)),
    ("multiplied by", Token::Operator(Operator::Multiply)),
    ("divided by", Token::Operator(Operator::Divide)),
    ("the square root of", Token::Root(2)),
    ("square root of", Token::Root(2)),
    ("the cube root of", Token::Root(3)),
    ("cube root of", Token::Root(3)),
    ("the square of", Token::PowerBefore("2")),
    ("square of", Token::PowerBefore("2")),
    ("the cube of", Token::PowerBefore("3")),
    ("cube of", Token::PowerBefore("3")),
    ("sqrt of", Token::Root(2)),
    ("sqrt", Token::Root(2)),
    ("modulo", Token::Operator(Operator::Modulo)),
    ("mod", Token::Operator(Operator::Modulo)),
    ("plus", Token::Operator(Operator::Add)),
    ("minus", Token::Operator(Operator::Subtract)),
    ("times", Token::Operator(Operator::Multiply)),
    ("percent", Token::Percent),
    ("squared", Token::Squared),
    ("cubed", Token::Cubed),
    ("factorial", Token::Factorial),
    ("half", Token::Half),
    ("tip on", Token::Of),
    ("tax on", Token::Of),
    ("of", Token::Of),
    ("的算术平方根", Token::RootAfter(2)),
    ("的平方根", Token::RootAfter(2)),
    ("的立方根", Token::RootAfter(3)),
    ("开平方", Token::RootAfter(2)),
    ("开方", Token::RootAfter(2)),
    ("开立方", Token::RootAfter(3)),
    ("的平方", Token::Squared),
    ("的立方", Token::Cubed),
    ("平方", Token::Squared),
    ("立方", Token::Cubed),
    ("的阶乘", Token::Factorial),
    ("根号", Token::Root(2)),
    ("加上", Token::Operator(Operator::Add)),
    ("加", Token::Operator(Operator::Add)),
    ("减去", Token::Operator(Operator::Subtract)),
    ("减", Token::Operator(Operator::Subtract)),
    ("负", Token::Operator(Operator::Subtract)),
    ("乘以", Token::Operator(Operator::Multiply)),
    ("乘上", Token::Operator(Operator::Multiply)),
    ("乘", Token::Operator(Operator::Multiply)),
    ("除以", Token::Operator(Operator::Divide)),
    ("取余", Token::Operator(Operator::Modulo)),
    ("取模", Token::Operator(Operator::Modulo)),
    ("的一半", Token::Half),
    ("的", Token::Of),
    ("√", Token::Root(2)),
    ("**", Token::Operator(Operator::Power)),
    ("//", Token::Operator(Operator::FloorDivide)),
    ("^", Token::Operator(Operator::Power)),
    ("+", Token::Operator(Operator::Add)),
    ("-", Token::Operator(Operator::Subtract)),
    ("*", Token::Operator(Operator::Multiply)),
    ("/", Token::Operator(Operator::Divide)),
    ("(", Token::Open),
    (")", Token::Close),
    ("[", Token::Open),
    ("]", Token::Close),
    ("%", Token::Percent),
    ("!", Token::Factorial),
];

/// Splits a calculation into words; `None` when the text holds anything else.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if tokens.len() >= TOKENS_MAX {
            return None;
        }
        rest = token(rest, &mut tokens)?.trim_start();
    }
    Some(tokens)
}

fn token<'a>(text: &'a str, tokens: &mut Vec<Token>) -> Option<&'a str> {
    let follows_operand = matches!(
        tokens.last(),
        Some(Token::Number(_) | Token::Percent | Token::Close)
    );
    if let Some(after) = power_of(text, tokens).or_else(|| word(text, tokens)) {
        return Some(after);
    }
    let begins_operand = |after: &str| after.starts_with(|next: char| next.is_ascii_digit() || next == '(');
    if let Some(after) = fraction(text, tokens) {
        return Some(after);
    }
    if follows_operand {
        if let Some(after) = text.strip_prefix('x') {
            tokens.push(Token::Operator(Operator::Multiply));
            return Some(after).filter(|after| begins_operand(after.trim_start()));
        }
        // Currency stands before or after its number and changes nothing in a calculation.
        return CURRENCY_AFTER.iter().find_map(|unit| text.strip_prefix(unit));
    }
    if let Some(after) = CURRENCY_BEFORE.iter().find_map(|sign| text.strip_prefix(sign)) {
        return Some(after).filter(|after| begins_operand(after));
    }
    if let Some(after) = text.strip_prefix("百分之") {
        let (number, rest) = number(after)?;
        tokens.extend([Token::Number(number.digits), Token::Percent]);
        return Some(rest);
    }
    operand(text, tokens)
}

const CURRENCY_BEFORE: &[&str] = &["$", "¥", "€", "£"];
const CURRENCY_AFTER: &[&str] = &["块钱", "元", "块"];

const FRACTIONS: &[(&str, &str, &str)] = &[
    ("a third", "1", "3"),
    ("one third", "1", "3"),
    ("two thirds", "2", "3"),
    ("a quarter", "1", "4"),
    ("one quarter", "1", "4"),
    ("three quarters", "3", "4"),
    ("a fifth", "1", "5"),
    ("one fifth", "1", "5"),
    ("a tenth", "1", "10"),
    ("one tenth", "1", "10"),
];

/// `two thirds`, and `2/3` before `of`.
fn fraction<'a>(text: &'a str, tokens: &mut Vec<Token>) -> Option<&'a str> {
    let words = FRACTIONS.iter().find(|(words, ..)| begins_with(text, words));
    let (above, below, rest) = match words {
        Some((words, above, below)) => ((*above).to_owned(), (*below).to_owned(), &text[words.len()..]),
        None => {
            let (above, rest) = number(text)?;
            let (below, rest) = number(rest.strip_prefix('/')?)?;
            let is_share = rest.trim_start().starts_with("of ");
            (is_share && !matches!(tokens.last(), Some(Token::Operator(_)))).then_some(())?;
            (above.digits, below.digits, rest)
        }
    };
    let divide = Token::Operator(Operator::Divide);
    tokens.extend([
        Token::Open,
        Token::Number(above),
        divide,
        Token::Number(below),
        Token::Close,
    ]);
    Some(rest)
}

fn word<'a>(text: &'a str, tokens: &mut Vec<Token>) -> Option<&'a str> {
    let (word, token) = WORDS.iter().find(|(word, _)| begins_with(text, word))?;
    let after = &text[word.len()..];
    let divides = after
        .trim_start()
        .starts_with(|next: char| next.is_ascii_digit() || next == '(');
    let is_remainder = *word == "%" && divides;
    tokens.push(if is_remainder {
        Token::Operator(Operator::Modulo)
    } else {
        token.clone()
    });
    Some(after)
}

/// A number, or a fraction as 三分之一.
fn operand<'a>(text: &'a str, tokens: &mut Vec<Token>) -> Option<&'a str> {
    let (first, rest) = number(text)?;
    if let Some(after) = rest.strip_prefix("分之") {
        let (second, rest) = number(after)?;
        let divide = Token::Operator(Operator::Divide);
        let (above, below) = (Token::Number(second.digits), Token::Number(first.digits));
        tokens.extend([Token::Open, above, divide, below, Token::Close]);
        return Some(rest);
    }
    if rest.starts_with(|next: char| next.is_ascii_lowercase()) && !rest.starts_with('x') {
        return None; // 3d, 5th, 100k
    }
    tokens.push(Token::Number(first.digits));
    Some(rest)
}

/// `的5次方`, `5次方`, `的三次幂`.
fn power_of<'a>(text: &'a str, tokens: &mut Vec<Token>) -> Option<&'a str> {
    let after = text.strip_prefix('的')?;
    let (power, rest) = number(after)?;
    let rest = rest.strip_prefix("次方").or_else(|| rest.strip_prefix("次幂"))?;
    tokens.push(Token::PowerOf(power.digits));
    Some(rest)
}

/// Whether a word stands at the start of a text, and ends there if it is an English one.
fn begins_with(text: &str, word: &str) -> bool {
    let Some(rest) = text.strip_prefix(word) else {
        return false;
    };
    let is_word = word.ends_with(|letter: char| letter.is_ascii_lowercase());
    !is_word || !rest.starts_with(|next: char| next.is_ascii_alphanumeric())
}
