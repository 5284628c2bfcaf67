//! Conditions: `{amount} > 100 and {status} == "open"`.
//!
//! References are taken out first, so that names are checked before anything runs; the rest is an expression of minijinja.

use crate::limits::{CONDITION_CHARACTERS_MAX, CONDITION_FUEL, CONDITION_PRODUCTS_MAX};
use crate::problem::{Fault, Many, Problem, Wanted};
use crate::template::{self, Piece, Reference, Template, Values};
use minijinja::{Environment, UndefinedBehavior, Value as Operand, filters, tests as checks};
use serde_json::Value;
use shidi_yaml::{Data, Node};

/// What stands in the expression for the references, with the number of each.
const ALIAS: &str = "shidi_value_";

#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// As it is written.
    pub text: String,
    pub references: Vec<Reference>,
    expression: String,
}

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    /// Another value, an expression that is none, or a name without braces.
    pub fn read(node: &Node) -> Result<Self, Fault> {
        let text = match &node.data {
            Data::Text(text) => text.clone(),
            Data::Flag(flag) => flag.to_string(),
            Data::Null | Data::Number(_) | Data::List(_) | Data::Map(_) => {
                return Err(Fault::new(&node.place, Problem::Wants(Wanted::Text)));
            }
        };
        if text.chars().count() > CONDITION_CHARACTERS_MAX {
            let problem = Problem::TooMany {
                what: Many::Characters,
                most: CONDITION_CHARACTERS_MAX,
            };
            return Err(Fault::new(&node.place, problem));
        }
        let (mut references, mut expression) = (Vec::new(), String::new());
        for piece in template::pieces(&text, &node.place)? {
            match piece {
                Piece::Text(piece) => expression.push_str(&piece),
                Piece::Reference(reference) => {
                    expression.push_str(&format!(" {ALIAS}{} ", references.len()));
                    references.push(reference);
                }
            }
        }
        if let Some(sign) = growing(&expression) {
            return Err(Fault::new(&node.place, Problem::BadCondition(sign)));
        }
        let environment = environment();
        let compiled = environment
            .compile_expression(&expression)
            .map_err(|error| Fault::new(&node.place, Problem::BadCondition(why(&error))))?;
        let mut bare: Vec<String> = compiled
            .undeclared_variables(false)
            .into_iter()
            .filter(|name| !name.starts_with(ALIAS))
            .collect();
        bare.sort();
        match bare.into_iter().next() {
            Some(name) => Err(Fault::new(&node.place, Problem::BareName(name))),
            None => Ok(Self {
                text,
                references,
                expression,
            }),
        }
    }

    /// What it says whatever the values are.
    #[must_use]
    pub fn constant(&self) -> Option<bool> {
        let nothing = serde_json::Map::new();
        self.references.is_empty().then(|| self.holds(&nothing).ok())?
    }

    /// Whether it holds. A part that a value lacks is nothing.
    ///
    /// # Errors
    /// Values that can't be compared so, in the library's words.
    pub fn holds(&self, values: &dyn Values) -> Result<bool, String> {
        let environment = environment();
        let compiled = environment
            .compile_expression(&self.expression)
            .map_err(|error| why(&error))?;
        let operands = self.references.iter().enumerate().map(|(number, reference)| {
            let value = Template::Whole(reference.clone());
            let value = value
                .value(values)
                .map_or(Value::Null, std::borrow::Cow::into_owned);
            (format!("{ALIAS}{number}"), operand(&value))
        });
        let operands = Operand::from_pairs(operands);
        let result = compiled.eval(operands).map_err(|error| why(&error))?;
        Ok(result.is_true())
    }
}

/// JSON as expressions have it.
fn operand(json: &Value) -> Operand {
    match json {
        Value::Null => Operand::from(()),
        Value::Bool(flag) => Operand::from(*flag),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Operand::from(whole),
            (None, Some(number)) => Operand::from(number),
            (None, None) => Operand::from(number.to_string()),
        },
        Value::String(text) => Operand::from(text.as_str()),
        Value::Array(items) => Operand::from(items.iter().map(operand).collect::<Vec<_>>()),
        Value::Object(map) => {
            Operand::from_pairs(map.iter().map(|(key, value)| (key.as_str(), operand(value))))
        }
    }
}

/// What makes a text grow without bound: fuel counts steps, and one step may write a gigabyte.
fn growing(expression: &str) -> Option<String> {
    let mut quote = None;
    let mut products = 0;
    for letter in expression.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '~') => return Some("unexpected ~".to_owned()),
            (None, '*') => products += 1,
            (None, _) => {}
        }
    }
    (products > CONDITION_PRODUCTS_MAX).then(|| format!("more than {CONDITION_PRODUCTS_MAX} times *"))
}

/// With the few names that conditions need: other filters of the library write as much as a number says.
fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.add_test("none", checks::is_none);
    environment.add_test("defined", checks::is_defined);
    environment.add_test("number", checks::is_number);
    environment.add_test("string", checks::is_string);
    environment.add_test("mapping", checks::is_mapping);
    environment.add_test("sequence", checks::is_sequence);
    environment.add_test("true", checks::is_true);
    environment.add_test("false", checks::is_false);
    environment.add_test("in", checks::is_in);
    environment.add_test("startingwith", checks::is_startingwith);
    environment.add_test("endingwith", checks::is_endingwith);
    environment.add_filter("length", filters::length);
    environment.add_filter("lower", filters::lower);
    environment.add_filter("upper", filters::upper);
    environment.add_filter("trim", filters::trim);
    environment.set_fuel(Some(CONDITION_FUEL));
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment
}

fn why(error: &minijinja::Error) -> String {
    let detail = error
        .detail()
        .map_or_else(|| error.kind().to_string(), str::to_owned);
    detail.replace(ALIAS, "#")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn node(text: &str) -> Node {
        let quoted = format!("if: {}\n", serde_json::to_string(text).unwrap());
        let tree = shidi_yaml::read(&"w.yaml".into(), &quoted).unwrap();
        tree.get("if").unwrap().clone()
    }

    fn holds(text: &str) -> bool {
        let values =
            json!({"n": 120, "status": "open", "user": {"tags": ["vip"]}, "none": null, "yes": true});
        let condition = Condition::read(&node(text)).unwrap();
        condition.holds(values.as_object().unwrap()).unwrap()
    }

    #[test]
    fn conditions_compare_values_of_their_types() {
        assert!(holds("{n} > 100 and {status} == 'open'"));
        assert!(holds("'vip' in {user.tags} and not {none}"));
        assert!(holds("{yes}") && !holds("{none}"));
        assert!(holds("{user.missing} is none and ({n} + 1) % 2 == 1"));
        assert!(!holds("{n} == '120'"));
    }

    #[test]
    fn no_condition_writes_a_text_as_long_as_a_number_says() {
        let read = |text: &str| Condition::read(&node(text));
        for text in [
            "'a' | indent(99999999999)",
            "'a' | replace('a', 'b')",
            "{n} ~ {n}",
            "[1] * 9 * 9 * 9 * 9 * 9 * 9 * 9 * 9 * 9",
        ] {
            let values = json!({"n": 120});
            let held = read(text).map(|condition| condition.holds(values.as_object().unwrap()));
            assert!(matches!(held, Err(_) | Ok(Err(_))), "{text}");
        }
        let long = format!("{{n}} == '{}'", "x".repeat(3_000));
        assert!(matches!(
            read(&long).unwrap_err().problem,
            Problem::TooMany { .. }
        ));
        assert!(holds(
            "{user.tags} | length == 1 and {status} | upper == 'OPEN' and '~' != '*'"
        ));
    }

    #[test]
    fn what_is_no_condition_is_told() {
        let problem = |text: &str| Condition::read(&node(text)).unwrap_err().problem;
        assert_eq!(problem("n > 100"), Problem::BareName("n".to_owned()));
        assert!(matches!(problem("{n} >"), Problem::BadCondition(_)));
        assert!(matches!(problem(""), Problem::BadCondition(_)));
        assert_eq!(Condition::read(&node("1 > 2")).unwrap().constant(), Some(false));
        assert_eq!(Condition::read(&node("{n} > 2")).unwrap().constant(), None);
    }
}
