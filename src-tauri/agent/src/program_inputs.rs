//! The values in a finished run's programs that may be replaced. For each name the first plain `name = value` at the
//! beginning of a line counts. Constants that are passed straight to tools count by the record of the calls. Pure.

mod passed;
mod tokens;

use crate::literal;
use serde_json::Value;
use shidi_protocol::{CallRecord, ReplayInput};
use std::collections::BTreeMap;

/// All that can be changed, with the values of then: what is assigned, and then what is passed to tools.
#[must_use]
pub fn known(programs: &[String], calls: &[CallRecord]) -> Vec<ReplayInput> {
    let mut known = assignments(programs);
    known.extend(passed_to(programs, calls));
    known
}

/// What is assigned, in its order.
fn assignments(programs: &[String]) -> Vec<ReplayInput> {
    let mut known: Vec<ReplayInput> = Vec::new();
    for (name, value) in programs
        .iter()
        .flat_map(|program| code_lines(program))
        .filter_map(|(line, is_code)| assigned(line).filter(|_| is_code))
    {
        if known.iter().all(|input| input.name != name) {
            let name = name.to_owned();
            known.push(ReplayInput { name, value });
        }
    }
    known
}

/// What is passed to tools, in its order. No name of it is one that the programs use.
fn passed_to(programs: &[String], calls: &[CallRecord]) -> Vec<ReplayInput> {
    let mut inputs: Vec<ReplayInput> = Vec::new();
    for constant in passed::constants(programs, calls) {
        if inputs.iter().all(|input| input.name != constant.name) {
            let passed::Constant { name, value, .. } = constant;
            inputs.push(ReplayInput { name, value });
        }
    }
    inputs
}

/// The inputs that can come from elsewhere. Such a name is bound once and never again, so no other value stands in its
/// place before or after. An empty value is a beginning, and no input.
#[must_use]
pub fn constant(programs: &[String], calls: &[CallRecord]) -> Vec<ReplayInput> {
    let is_said = |value: &Value| match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    };
    let mut constant = assignments(programs);
    constant.retain(|input| is_said(&input.value) && bindings(programs, &input.name) == 1);
    constant.extend(passed_to(programs, calls));
    constant
}

/// Programs with other values for their inputs.
///
/// # Errors
/// The name that no program has.
pub fn changed(
    programs: &[String],
    calls: &[CallRecord],
    inputs: &BTreeMap<String, String>,
) -> Result<Vec<String>, String> {
    let mut left = inputs.clone();
    let constants = passed::constants(programs, calls);
    let given = |constant: &passed::Constant| {
        let value = inputs.get(&constant.name)?;
        // A text stays one, also where it could be read as a number.
        Some(match &constant.value {
            Value::String(_) => literal::literal(&Value::String(value.clone())),
            _ => python(value),
        })
    };
    let programs = passed::replaced(programs, &constants, given);
    left.retain(|name, _| constants.iter().all(|constant| constant.name != *name));
    let changed = programs.iter().map(|program| {
        let lines = code_lines(program).map(|(line, is_code)| {
            let found = assigned(line).filter(|_| is_code);
            match found.and_then(|(name, _)| Some((name, left.remove(name)?))) {
                Some((name, value)) => format!("{name} = {}", python(&value)),
                None => line.to_owned(),
            }
        });
        lines.collect::<Vec<String>>().join("\n")
    });
    let changed: Vec<String> = changed.collect();
    match left.into_keys().next() {
        Some(name) => Err(name),
        None => Ok(changed),
    }
}

/// Programs without the assignments of these names, whose values come from elsewhere then. Constants that are passed to tools
/// give way to the names.
#[must_use]
pub fn without(programs: &[String], calls: &[CallRecord], names: &[String]) -> Vec<String> {
    let mut left: Vec<&str> = names.iter().map(String::as_str).collect();
    let constants = passed::constants(programs, calls);
    let named = |constant: &passed::Constant| {
        let is_given = names.contains(&constant.name);
        is_given.then(|| constant.name.clone())
    };
    let programs = passed::replaced(programs, &constants, named);
    let without = programs.iter().map(|program| {
        let lines = code_lines(program).filter(|(line, is_code)| {
            let found = assigned(line).filter(|_| *is_code);
            let at = found.and_then(|(name, _)| left.iter().position(|known| *known == name));
            at.map(|at| left.remove(at)).is_none()
        });
        lines.map(|(line, _)| line).collect::<Vec<&str>>().join("\n")
    });
    without.collect()
}

/// Lines, and whether each begins outside a text of several lines.
fn code_lines(program: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut open: Option<&str> = None;
    program.lines().map(move |line| {
        let is_code = open.is_none();
        open = left_open(line, open);
        (line, is_code)
    })
}

/// The marks of the text that is open after a line.
fn left_open(line: &str, mut open: Option<&'static str>) -> Option<&'static str> {
    let mut rest = line;
    loop {
        rest = match open {
            Some(marks) => match rest.find(marks) {
                Some(at) => {
                    open = None;
                    &rest[at + marks.len()..]
                }
                None => return open,
            },
            None => {
                let behind = &rest[rest.find(['"', '\'', '#'])?..];
                let marks = match behind.chars().next() {
                    Some('"') => "\"\"\"",
                    Some('\'') => "'''",
                    _ => return None,
                };
                match behind.strip_prefix(marks) {
                    Some(inner) => {
                        open = Some(marks);
                        inner
                    }
                    None => after_text(behind),
                }
            }
        };
    }
}

/// What follows the text of one line that a line begins with.
fn after_text(text: &str) -> &str {
    let mut signs = text.char_indices();
    let quote = signs.next().map(|(_, quote)| quote);
    while let Some((at, sign)) = signs.next() {
        if sign == '\\' {
            signs.next();
        } else if Some(sign) == quote {
            return &text[at + 1..];
        }
    }
    ""
}

/// How often anything gives a name a value: more than it may be, and never less.
fn bindings(programs: &[String], name: &str) -> usize {
    let lines = programs.iter().flat_map(|program| program.lines());
    lines.map(|line| bindings_in(line, name)).sum()
}

fn bindings_in(line: &str, name: &str) -> usize {
    let is_inner = |letter: Option<char>| letter.is_some_and(|it| it == '_' || it.is_alphanumeric());
    let places = line.match_indices(name).filter(|(at, _)| {
        let (before, after) = (&line[..*at], &line[at + name.len()..]);
        !is_inner(before.chars().next_back()) && !is_inner(after.chars().next())
    });
    places
        .filter(|(at, _)| is_bound(&line[..*at], &line[at + name.len()..]))
        .count()
}

/// Words behind which a name stands for something new.
const BINDING: [&str; 9] = [
    "as", "def", "class", "import", "global", "nonlocal", "del", "for", "lambda",
];

/// Whether a name between these parts of a line may get a value there.
fn is_bound(before: &str, after: &str) -> bool {
    let (before, after) = (before.trim_end(), after.trim_start());
    let is_behind = |word: &str| before == word || before.ends_with(&format!(" {word}"));
    let operator = after.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '@', ':', '<', '>']);
    // `f(path=path)` names an argument.
    let is_argument = before.matches('(').count() > before.matches(')').count() && !after.starts_with(":=");
    let is_compared =
        operator.starts_with("==") || (operator.len() + 1 == after.len() && after.starts_with(['<', '>']));
    let is_given = operator.starts_with('=') && !is_argument && !is_compared;
    // `a, b = …` and `for a, b in …`, wherever among them.
    let is_one_of_several = (before.ends_with(',') || after.starts_with(','))
        && (after.contains(" = ") || after.contains(" in "))
        && !before.contains('=');
    // `name: int = 1`.
    let is_annotated = before.is_empty() && after.starts_with(':');
    is_given || is_annotated || BINDING.iter().any(|word| is_behind(word)) || is_one_of_several
}

/// The name and the plain value of a line that is an assignment of one.
fn assigned(line: &str) -> Option<(&str, Value)> {
    let (name, value) = line.split_once(" = ")?;
    let is_name = name
        .chars()
        .all(|letter| letter == '_' || letter.is_alphanumeric())
        && name.chars().next().is_some_and(|first| !first.is_numeric());
    let value = plain(value.trim_end())?;
    is_name.then_some((name, value))
}

/// A number, a truth value, None, or one text in quotes. A list or dict of such values in JSON, too.
fn plain(value: &str) -> Option<Value> {
    match value {
        "True" => return Some(Value::Bool(true)),
        "False" => return Some(Value::Bool(false)),
        "None" => return Some(Value::Null),
        _ => {}
    }
    // Truth values as only JSON writes them are names in Python.
    if matches!(value, "true" | "false" | "null") {
        return None;
    }
    if let Ok(json) = serde_json::from_str(value) {
        return Some(json);
    }
    let quoted = |quote: char| {
        let inner = value.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.contains([quote, '\\'])).then(|| Value::String(inner.to_owned()))
    };
    quoted('\'').or_else(|| quoted('"'))
}

/// A value as a person gives it, as Python: JSON where it is that, else text.
fn python(value: &str) -> String {
    match serde_json::from_str::<Value>(value) {
        Ok(json) => literal(&json),
        Err(_) => Value::String(value.to_owned()).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn replayed(program: &str, inputs: &[(&str, &str)]) -> Result<String, String> {
        let inputs = inputs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        changed(&[program.to_owned()], &[], &inputs).map(|programs| programs.concat())
    }

    #[test]
    fn plain_values_at_the_beginning_of_a_line_are_inputs() {
        let program = "path = 'a.md'\nlimit = 3\n# path = 'b'\ntext = f'{path}'\nif limit:\n    limit = 4";
        assert_eq!(
            replayed(program, &[("path", "it's \"b\".md"), ("limit", "7")]),
            Ok("path = \"it's \\\"b\\\".md\"\nlimit = 7\n# path = 'b'\ntext = f'{path}'\nif limit:\n    limit = 4".to_owned())
        );
        assert_eq!(
            replayed("rows = [1, 2]", &[("rows", "[true, null, {\"a\": \"b\"}]")]),
            Ok("rows = [True, None, {\"a\": \"b\"}]".to_owned())
        );
    }

    #[test]
    fn inputs_are_told_with_their_values_once_and_in_their_order() {
        let programs = [
            "path = 'a.md'\nlimit = 3\ntotal = sum([1])\nx == 3\nok = True".to_owned(),
            "limit = 4\nrows = [1, \"two\"]\nnone = None\nother = null".to_owned(),
        ];
        let told: Vec<(String, Value)> = known(&programs, &[])
            .into_iter()
            .map(|input| (input.name, input.value))
            .collect();
        let of = |name: &str, value: Value| (name.to_owned(), value);
        assert_eq!(
            told,
            [
                of("path", json!("a.md")),
                of("limit", json!(3)),
                of("ok", json!(true)),
                of("rows", json!([1, "two"])),
                of("none", json!(null)),
            ]
        );
    }

    #[test]
    fn a_value_written_back_as_it_was_told_changes_nothing_but_its_quotes() {
        let program = "path = \"a.md\"\nlimit = 3\nok = False\nrows = [1, \"two\"]\nprint(path)".to_owned();
        let same: Vec<(String, String)> = known(std::slice::from_ref(&program), &[])
            .into_iter()
            .map(|input| (input.name, input.value.to_string()))
            .collect();
        let inputs = same.into_iter().collect();
        assert_eq!(
            changed(std::slice::from_ref(&program), &[], &inputs),
            Ok(vec![program])
        );
    }

    #[test]
    fn only_what_is_named_once_can_come_from_elsewhere() {
        let of = |program: &str| -> Vec<String> {
            let constant = constant(&[program.to_owned()], &[]);
            constant.into_iter().map(|input| input.name).collect()
        };
        let plain = "path = 'a'\nlimit = 3\nprint(path == 1, limit <= 2, path)\nf(path, limit=limit)\nx.path";
        assert_eq!(of(plain), ["path", "limit"]);
        for program in [
            "total = 0\ntotal += 1",
            "total = 1\ntotal <<= 1",
            "rows = []\nrows.append(1)",
            "n = len(x)\nn = 2",
            "n = 2\nfor n in x:\n    print(n)",
            "n = 2\na, n = 1, 2",
            "n = 2\nfor n, a in x:\n    pass",
            "n = 2\nwith f() as n:\n    pass",
            "n = 2\nx = [n for n in y]",
            "n = 2\nif (n := f()):\n    pass",
            "text = \"\"\"\nport = 8080\n\"\"\"",
            "f('''a\nport = 8080\nb''')",
            "nothing = None",
        ] {
            assert_eq!(of(program), Vec::<String>::new(), "{program}");
        }
        let quoted = "f('''x''') # '''\nport = 8080\nb = \"it's\"\nhost = 'h'";
        assert_eq!(of(quoted), ["port", "b", "host"]);
    }

    #[test]
    fn an_input_that_comes_from_elsewhere_is_assigned_no_more() {
        let programs = [
            "path = 'a'\nlimit = 3\nprint(path)".to_owned(),
            "path = 'b'".to_owned(),
        ];
        let left = without(&programs, &[], &["path".to_owned()]);
        assert_eq!(
            left,
            ["limit = 3\nprint(path)", "path = 'b'"],
            "a later value is the program's"
        );
    }

    #[test]
    fn what_is_no_input_is_named() {
        let refused = replayed("path = 'a'\ntotal = sum([1])\nx == 3", &[("total", "1")]);
        assert_eq!(refused, Err("total".to_owned()));
    }

    #[test]
    fn a_value_can_not_leave_its_place() {
        for value in ["'\nimport os", "1; print(2)", "x\\", "\"", "await shell.run()"] {
            let program = replayed("path = 'a'\nprint(path)", &[("path", value)]).expect("an input");
            assert_eq!(program.lines().count(), 2, "{program}");
            assert!(
                program.starts_with("path = \"") && program.ends_with("print(path)"),
                "{program}"
            );
        }
    }
}
