//! What of a finished run's programs can be another value: the first plain `name = value` at the beginning of a line that
//! each name has. Pure.

use serde_json::Value;
use shidi_agent::literal;
use shidi_protocol::ReplayInput;
use std::collections::BTreeMap;

/// All that can be changed, in their order, with the values of then.
pub fn known(programs: &[String]) -> Vec<ReplayInput> {
    let mut known: Vec<ReplayInput> = Vec::new();
    for (name, value) in programs
        .iter()
        .flat_map(|program| program.lines())
        .filter_map(assigned)
    {
        if known.iter().all(|input| input.name != name) {
            let name = name.to_owned();
            known.push(ReplayInput { name, value });
        }
    }
    known
}

/// Programs with other values for their inputs.
///
/// # Errors
/// The name that no program has.
pub fn changed(programs: &[String], inputs: &BTreeMap<String, String>) -> Result<Vec<String>, String> {
    let mut left = inputs.clone();
    let changed = programs.iter().map(|program| {
        let lines = program.lines().map(|line| {
            let given = assigned(line).and_then(|(name, _)| Some((name, left.remove(name)?)));
            match given {
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

/// A number, a truth value, None, one text in quotes, or a list or dict of such as JSON has it.
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
        changed(&[program.to_owned()], &inputs).map(|programs| programs.concat())
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
        let told: Vec<(String, Value)> = known(&programs)
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
        let same: Vec<(String, String)> = known(std::slice::from_ref(&program))
            .into_iter()
            .map(|input| (input.name, input.value.to_string()))
            .collect();
        let inputs = same.into_iter().collect();
        assert_eq!(
            changed(std::slice::from_ref(&program), &inputs),
            Ok(vec![program])
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
