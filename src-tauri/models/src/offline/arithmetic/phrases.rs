//! Sentences about percentages and lists, and the calculation that fills the whole question.

use super::super::numbers::whole_number;
use super::Calculation;
use super::expression::{Expression, Operator};
use super::lexer::{Token, tokens};
use regex::Regex;
use shidi_locales::Language;
use std::sync::OnceLock;

/// Reads a question that consists of the calculation alone.
pub(super) fn read(core: &str, language: Language) -> Option<Calculation> {
    let read = share(core)
        .or_else(|| change(core, language))
        .or_else(|| list(core))
        .or_else(|| order(core))
        .or_else(|| formula(core))?;
    (!read.expression.is_too_deep()).then_some(read)
}

/// The percentage that one number is of another.
fn share(core: &str) -> Option<Calculation> {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        compiled(&[
            r"^what percent(?:age)? of (?P<whole>.+?) (?:is|are) (?P<part>.+)$",
            r"^percent(?:age)? of (?P<whole>.+?) (?:is|are) (?P<part>.+)$",
            r"^(?P<part>.+?) (?:is|as) (?:what|a) percent(?:age)? of (?P<whole>.+)$",
            r"^(?P<part>.+?) ?(?:是|占|占了) ?(?P<whole>.+?) ?的 ?(?:百分之几|百分之多少|百分比|多少%|几%|百分之)$",
        ])
    });
    let found = patterns.iter().find_map(|pattern| pattern.captures(core))?;
    let (part, whole) = (formula_only(&found["part"])?, formula_only(&found["whole"])?);
    let shown = Expression::binary(Operator::Divide, part.clone(), whole.clone()).shown();
    let hundredfold = Expression::binary(Operator::Multiply, part, Expression::number("100"));
    let expression = Expression::binary(Operator::Divide, hundredfold, whole);
    Some(Calculation {
        expression,
        shown,
        after: "%",
        note: None,
    })
}

/// A number raised or lowered by a percentage of itself.
fn change(core: &str, language: Language) -> Option<Calculation> {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        compiled(&[
            r"^(?:increase|raise) (?P<base>.+?) by (?P<up>.+?) ?(?:%|percent)$",
            r"^(?P<base>.+?) (?:increased|raised) by (?P<up>.+?) ?(?:%|percent)$",
            r"^(?:decrease|reduce|lower) (?P<base>.+?) by (?P<down>.+?) ?(?:%|percent)$",
            r"^(?P<base>.+?) (?:decreased|reduced|lowered) by (?P<down>.+?) ?(?:%|percent)$",
            r"^(?P<down>.+?) ?(?:%|percent) off(?: of)? (?P<base>.+)$",
            r"^(?P<base>.+?) ?(?:增加|上涨|上调|提高|增长|涨) ?(?P<up>[\d.]+) ?%$",
            r"^(?P<base>.+?) ?(?:增加|上涨|上调|提高|增长|涨) ?百分之(?P<up>.+)$",
            r"^(?P<base>.+?) ?(?:减少|下降|下调|降低|降|便宜) ?(?P<down>[\d.]+) ?%$",
            r"^(?P<base>.+?) ?(?:减少|下降|下调|降低|降|便宜) ?百分之(?P<down>.+)$",
            r"^(?P<base>.+?) ?打 ?(?P<fold>[\d.]+|[一二三四五六七八九]{1,2}) ?折$",
            r"^(?P<base>[^+\-%]+?) ?(?:\+|加上|加| plus ) ?(?P<added>[\d.]+) ?(?:%|percent)$",
            r"^(?P<base>[^+\-%]+?) ?(?:-|减去|减| minus ) ?(?P<taken>[\d.]+) ?(?:%|percent)$",
        ])
    });
    let found = patterns.iter().find_map(|pattern| pattern.captures(core))?;
    let base = formula_only(&found["base"])?;
    let named = |name: &str| found.name(name).map(|word| word.as_str());
    let percent = |text: &str| {
        Some(Expression::Percent(Box::new(Expression::Number(
            whole_number(text)?.digits,
        ))))
    };
    let one = || Expression::number("1");
    let (factor, note) = if let Some(up) = named("up").or(named("added")) {
        (
            Expression::binary(Operator::Add, one(), percent(up)?),
            named("added"),
        )
    } else if let Some(down) = named("down").or(named("taken")) {
        (
            Expression::binary(Operator::Subtract, one(), percent(down)?),
            named("taken"),
        )
    } else {
        (percent(&fold(named("fold")?)?)?, None)
    };
    let note = note.map(|percent| language.planner().percent_of_before(percent));
    let expression = Expression::binary(Operator::Multiply, base, factor);
    Some(Calculation {
        shown: expression.shown(),
        expression,
        after: "",
        note,
    })
}

/// `8` in `打8折` is 80 percent, `85` and `八五` are 85.
fn fold(written: &str) -> Option<String> {
    let digits: String = written
        .chars()
        .map(|letter| {
            "一二三四五六七八九"
                .chars()
                .position(|digit| digit == letter)
                .map_or(letter.to_string(), |at| (at + 1).to_string())
        })
        .collect();
    match digits.as_bytes() {
        [b'1'..=b'9'] => Some(format!("{digits}0")),
        [b'1'..=b'9', b'1'..=b'9'] => Some(digits),
        [b'1'..=b'9', b'.', b'1'..=b'9'] => Some(digits.replace('.', "")),
        _ => None,
    }
}

/// The sum or the average of a list.
fn list(core: &str) -> Option<Calculation> {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        compiled(&[
            r"^(?:the )?(?P<sum>sum) of (?P<items>.+)$",
            r"^(?:the )?(?:average|mean) of (?P<items>.+)$",
            r"^(?P<items>.+?) ?的 ?(?P<sum>总和|和)$",
            r"^(?P<items>.+?) ?的 ?(?:平均数|平均值|平均)$",
        ])
    });
    let found = patterns.iter().find_map(|pattern| pattern.captures(core))?;
    let items = found["items"]
        .replace(" and ", ",")
        .replace(['、', '和', '与'], ",")
        .replace(",,", ",")
        .replace(", ,", ",");
    let numbers: Option<Vec<Expression>> = items
        .split(',')
        .map(|item| Some(Expression::Number(whole_number(item)?.digits)))
        .collect();
    let numbers = numbers.filter(|numbers| numbers.len() > 1)?;
    let count = numbers.len().to_string();
    let sum = numbers
        .into_iter()
        .reduce(|sum, next| Expression::binary(Operator::Add, sum, next))?;
    let expression = if found.name("sum").is_some() {
        sum
    } else {
        Expression::binary(Operator::Divide, sum, Expression::Number(count))
    };
    Some(Calculation {
        shown: expression.shown(),
        expression,
        after: "",
        note: None,
    })
}

/// `divide 10 by 4`, `subtract 3 from 10`.
fn order(core: &str) -> Option<Calculation> {
    let orders = [
        ("add ", " and ", Operator::Add),
        ("add ", " to ", Operator::Add),
        ("multiply ", " by ", Operator::Multiply),
        ("divide ", " by ", Operator::Divide),
        ("subtract ", " from ", Operator::Subtract),
    ];
    let (left, right, operator) = orders.iter().find_map(|(verb, joint, operator)| {
        let (left, right) = core.strip_prefix(verb)?.split_once(joint)?;
        Some((formula_only(left)?, formula_only(right)?, *operator))
    })?;
    let (left, right) = if operator == Operator::Subtract {
        (right, left)
    } else {
        (left, right)
    };
    let expression = Expression::binary(operator, left, right);
    Some(Calculation {
        shown: expression.shown(),
        expression,
        after: "",
        note: None,
    })
}

/// A calculation with at least one operation.
fn formula(core: &str) -> Option<Calculation> {
    let expression =
        formula_only(core).filter(|expression| !is_bare(expression) && !adds_a_share(expression))?;
    Some(Calculation {
        shown: expression.shown(),
        expression,
        after: "",
        note: None,
    })
}

/// Whether a percentage is added to a plain number: 5 + 10 + 20% has two readings.
fn adds_a_share(expression: &Expression) -> bool {
    let is_share = |side: &Expression| matches!(side, Expression::Percent(_));
    match expression {
        Expression::Number(_) | Expression::Factorial(_) => false,
        Expression::Percent(inner) | Expression::Negative(inner) | Expression::Root(_, inner) => {
            adds_a_share(inner)
        }
        Expression::Binary(Operator::Add | Operator::Subtract, left, right) => {
            is_share(right) && !is_share(left) || adds_a_share(left) || adds_a_share(right)
        }
        Expression::Binary(
            Operator::Multiply
            | Operator::Divide
            | Operator::FloorDivide
            | Operator::Modulo
            | Operator::Power,
            left,
            right,
        ) => adds_a_share(left) || adds_a_share(right),
    }
}

fn is_bare(expression: &Expression) -> bool {
    match expression {
        Expression::Number(_) | Expression::Percent(_) => true,
        Expression::Negative(inner) => is_bare(inner),
        Expression::Root(..) | Expression::Factorial(_) | Expression::Binary(..) => false,
    }
}

fn formula_only(text: &str) -> Option<Expression> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        depth: 0,
    };
    let expression = parser.sum(0)?;
    (parser.at == tokens.len()).then_some(expression)
}

/// Deepest nesting while reading.
const DEPTH_MAX: usize = 40;
/// Largest number whose factorial is written out.
const FACTORIAL_MAX: u32 = 100;

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    /// Operators that bind at least as tightly as `binding`.
    fn sum(&mut self, binding: u8) -> Option<Expression> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return None;
        }
        let mut left = self.operand()?;
        while let Some(Token::Operator(operator)) = self.tokens.get(self.at) {
            if operator.binding() < binding {
                break;
            }
            self.at += 1;
            let next = if *operator == Operator::Power {
                operator.binding()
            } else {
                operator.binding() + 1
            };
            left = Expression::binary(*operator, left, self.sum(next)?);
        }
        self.depth -= 1;
        Some(left)
    }

    fn operand(&mut self) -> Option<Expression> {
        let token = self.tokens.get(self.at)?.clone();
        self.at += 1;
        let operand = match token {
            Token::Number(digits) => Expression::Number(digits),
            Token::Operator(Operator::Subtract) => return Some(Expression::Negative(Box::new(self.sum(3)?))),
            Token::Open => {
                let inner = self.sum(0)?;
                if self.tokens.get(self.at) != Some(&Token::Close) {
                    return None;
                }
                self.at += 1;
                inner
            }
            Token::Root(degree) => Expression::Root(degree, Box::new(self.operand()?)),
            Token::PowerBefore(power) => {
                let power = Expression::number(power);
                return Some(Expression::binary(Operator::Power, self.operand()?, power));
            }
            Token::Half if self.tokens.get(self.at) == Some(&Token::Of) => {
                Expression::binary(Operator::Divide, Expression::number("1"), Expression::number("2"))
            }
            Token::Operator(_)
            | Token::Half
            | Token::Close
            | Token::Percent
            | Token::Of
            | Token::Squared
            | Token::Cubed
            | Token::PowerOf(_)
            | Token::RootAfter(_)
            | Token::Factorial => return None,
        };
        self.after(operand)
    }

    /// Reads the signs after an operand: percent, powers, roots, `of`.
    fn after(&mut self, mut operand: Expression) -> Option<Expression> {
        while let Some(token) = self.tokens.get(self.at) {
            operand = match token {
                Token::Percent => Expression::Percent(Box::new(operand)),
                Token::Squared => Expression::binary(Operator::Power, operand, Expression::number("2")),
                Token::Cubed => Expression::binary(Operator::Power, operand, Expression::number("3")),
                Token::PowerOf(power) => {
                    Expression::binary(Operator::Power, operand, Expression::number(power))
                }
                Token::RootAfter(degree) => Expression::Root(*degree, Box::new(operand)),
                Token::Factorial => factorial(&operand)?,
                Token::Half => Expression::binary(Operator::Divide, operand, Expression::number("2")),
                Token::Of => {
                    self.at += 1;
                    let right = self.operand()?;
                    return self.part_of(operand, right);
                }
                Token::Number(_)
                | Token::Operator(_)
                | Token::Open
                | Token::Close
                | Token::Root(_)
                | Token::PowerBefore(_) => {
                    return Some(operand);
                }
            };
            self.at += 1;
        }
        Some(operand)
    }

    /// `15% of 240` and `240的15%`: one of the two operands must be a share.
    fn part_of(&self, left: Expression, right: Expression) -> Option<Expression> {
        let is_share = |expression: &Expression| {
            matches!(
                expression,
                Expression::Percent(_) | Expression::Binary(Operator::Divide, ..)
            )
        };
        if is_share(&left) == is_share(&right) {
            return None;
        }
        Some(Expression::binary(Operator::Multiply, left, right))
    }
}

fn factorial(operand: &Expression) -> Option<Expression> {
    let Expression::Number(digits) = operand else {
        return None;
    };
    Some(Expression::Factorial(
        digits.parse().ok().filter(|of| *of <= FACTORIAL_MAX)?,
    ))
}

fn compiled(patterns: &[&str]) -> Vec<Regex> {
    patterns
        .iter()
        .filter_map(|pattern| Regex::new(pattern).ok())
        .collect()
}
