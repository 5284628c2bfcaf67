//! The tree of a calculation, and how it is written for Python and for people.

/// Deepest nesting of a calculation.
const DEPTH_MAX: usize = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
}

impl Operator {
    fn python(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::FloorDivide => "//",
            Self::Modulo => "%",
            Self::Power => "**",
        }
    }

    fn shown(self) -> &'static str {
        match self {
            Self::Multiply => "×",
            Self::Divide => "÷",
            Self::Modulo => "mod",
            Self::Power => "^",
            Self::Add | Self::Subtract | Self::FloorDivide => self.python(),
        }
    }

    /// How tightly the operator binds; a higher number binds tighter.
    pub(super) fn binding(self) -> u8 {
        match self {
            Self::Add | Self::Subtract => 1,
            Self::Multiply | Self::Divide | Self::FloorDivide | Self::Modulo => 2,
            Self::Power => 4,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    /// Plain decimal digits.
    Number(String),
    Percent(Box<Expression>),
    Negative(Box<Expression>),
    /// Root of a degree: 2 or 3.
    Root(u8, Box<Expression>),
    Factorial(u32),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

impl Expression {
    pub(super) fn number(digits: &str) -> Self {
        Self::Number(digits.to_owned())
    }

    pub(super) fn binary(operator: Operator, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    /// The value as far as floats reach. `None` where there is no real value, infinite with too many digits.
    pub(super) fn value(&self) -> Option<f64> {
        let value = match self {
            Self::Number(digits) => digits.parse().ok()?,
            Self::Percent(inner) => inner.value()? / 100.0,
            Self::Negative(inner) => -inner.value()?,
            Self::Root(degree, inner) => {
                let inner = inner.value().filter(|value| *value >= 0.0)?;
                inner.powf(1.0 / f64::from(*degree))
            }
            Self::Factorial(of) => (1..=*of).map(f64::from).product(),
            Self::Binary(operator, left, right) => operate(*operator, left.value()?, right.value()?)?,
        };
        (!value.is_nan()).then_some(value)
    }

    /// Whether Python computes the expression in whole numbers, which are exact.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Self::Number(digits) => !digits.contains('.'),
            Self::Percent(_) | Self::Root(..) => false,
            Self::Negative(inner) => inner.is_whole(),
            Self::Factorial(_) => true,
            Self::Binary(operator, left, right) => {
                let whole = left.is_whole() && right.is_whole();
                match operator {
                    Operator::Divide => false,
                    Operator::Power => whole && right.value().is_some_and(|power| power >= 0.0),
                    Operator::Add
                    | Operator::Subtract
                    | Operator::Multiply
                    | Operator::FloorDivide
                    | Operator::Modulo => whole,
                }
            }
        }
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.depth() > DEPTH_MAX
    }

    pub(super) fn python(&self) -> String {
        match self {
            Self::Number(digits) => digits.clone(),
            Self::Percent(inner) => format!("({} / 100)", inner.python_operand(3)),
            Self::Negative(inner) => format!("-{}", inner.python_operand(3)),
            Self::Root(2, inner) => format!("{} ** 0.5", inner.python_operand(5)),
            Self::Root(degree, inner) => format!("{} ** (1 / {degree})", inner.python_operand(5)),
            Self::Factorial(of) => {
                let factors: Vec<String> = (1..=(*of).max(1)).map(|factor| factor.to_string()).collect();
                format!("({})", factors.join(" * "))
            }
            Self::Binary(operator, left, right) => {
                let (left_binding, right_binding) = sides(*operator);
                format!(
                    "{} {} {}",
                    left.python_operand(left_binding),
                    operator.python(),
                    right.python_operand(right_binding)
                )
            }
        }
    }

    pub(super) fn shown(&self) -> String {
        match self {
            Self::Number(digits) => digits.clone(),
            Self::Percent(inner) => format!("{}%", inner.shown_operand(5)),
            Self::Negative(inner) => format!("-{}", inner.shown_operand(5)),
            Self::Root(2, inner) => format!("√{}", inner.shown_operand(5)),
            Self::Root(_, inner) => format!("∛{}", inner.shown_operand(5)),
            Self::Factorial(of) => format!("{of}!"),
            Self::Binary(operator, left, right) => {
                let (left_binding, right_binding) = sides(*operator);
                format!(
                    "{} {} {}",
                    left.shown_operand(left_binding),
                    operator.shown(),
                    right.shown_operand(right_binding)
                )
            }
        }
    }

    fn python_operand(&self, binding: u8) -> String {
        let text = self.python();
        let is_closed = matches!(self, Self::Percent(_) | Self::Factorial(_));
        if is_closed || self.binding() >= binding {
            text
        } else {
            format!("({text})")
        }
    }

    fn shown_operand(&self, binding: u8) -> String {
        let text = self.shown();
        let is_closed = matches!(self, Self::Percent(_) | Self::Factorial(_));
        if is_closed || self.binding() >= binding {
            text
        } else {
            format!("({text})")
        }
    }

    fn binding(&self) -> u8 {
        match self {
            Self::Number(_) | Self::Factorial(_) => 6,
            Self::Percent(_) => 2,
            Self::Negative(_) => 3,
            Self::Root(..) => 4,
            Self::Binary(operator, ..) => operator.binding(),
        }
    }

    fn depth(&self) -> usize {
        1 + match self {
            Self::Number(_) | Self::Factorial(_) => 0,
            Self::Percent(inner) | Self::Negative(inner) | Self::Root(_, inner) => inner.depth(),
            Self::Binary(_, left, right) => left.depth().max(right.depth()),
        }
    }
}

/// The binding that operands need to stand without parentheses. Powers group from the right.
fn sides(operator: Operator) -> (u8, u8) {
    let binding = operator.binding();
    match operator {
        Operator::Power => (binding + 1, binding),
        Operator::Add
        | Operator::Subtract
        | Operator::Multiply
        | Operator::Divide
        | Operator::FloorDivide
        | Operator::Modulo => (binding, binding + 1),
    }
}

fn operate(operator: Operator, left: f64, right: f64) -> Option<f64> {
    match operator {
        Operator::Add => Some(left + right),
        Operator::Subtract => Some(left - right),
        Operator::Multiply => Some(left * right),
        Operator::Divide | Operator::FloorDivide | Operator::Modulo if right == 0.0 => None,
        Operator::Divide => Some(left / right),
        Operator::FloorDivide => Some((left / right).floor()),
        Operator::Modulo => Some(left.rem_euclid(right)),
        Operator::Power if left == 0.0 && right < 0.0 => None,
        Operator::Power => Some(left.powf(right)),
    }
}
