//! A finished run as a workflow (F9.6): what its programs did stays as it was, their plain values become inputs.
//!
//! Pure, and by lines: a program that can't be read so is taken as it stands, and its result is the last thing it named.

use crate::definition::VERSION;
use crate::reading::RESERVED;
use crate::value_type::ValueType;
use serde_json::{Map, Value, json};
use shidi_agent::program_inputs::constant;
use shidi_protocol::CallRecord;

/// Characters of a name that is made of a question.
const NAME_CHARACTERS_MAX: usize = 60;

/// The variable that holds what the last program told.
const RESULT: &str = "result";

/// What is taken of a run.
pub struct FinishedRun<'a> {
    pub question: &'a str,
    /// Without the assignments of the inputs.
    pub programs: &'a [String],
    /// Names and the values of then.
    pub inputs: &'a [(String, Value)],
    /// Families of calls that were asked about, as its file permits them.
    pub permissions: &'a [String],
}

/// What of the programs' values can come from elsewhere. With the values of then, by themselves or as the calls had
/// them.
#[must_use]
pub fn inputs_of(programs: &[String], calls: &[CallRecord]) -> Vec<(String, Value)> {
    let constant = constant(programs, calls).into_iter();
    let constant = constant.filter(|input| !RESERVED.contains(&input.name.as_str()));
    constant.map(|input| (input.name, input.value)).collect()
}

/// The workflow's text.
///
/// # Errors
/// The library's words for a value that it can't write.
pub fn from_run(run: &FinishedRun<'_>) -> Result<String, String> {
    let (program, result) = told(&joined(run.programs), run.inputs);
    let mut document = Map::new();
    document.insert("version".to_owned(), json!(VERSION));
    document.insert("name".to_owned(), json!(name_of(run.question)));
    document.insert("description".to_owned(), json!(run.question.trim()));
    if !run.inputs.is_empty() {
        document.insert("inputs".to_owned(), run.inputs.iter().map(parameter).collect());
    }
    if !run.permissions.is_empty() {
        document.insert("permissions".to_owned(), json!(run.permissions));
    }
    let given: Map<String, Value> = run
        .inputs
        .iter()
        .map(|(name, _)| (name.clone(), json!(format!("{{{name}}}"))))
        .collect();
    let mut work = Map::new();
    work.insert("id".to_owned(), json!("work"));
    work.insert("type".to_owned(), json!("code"));
    if !given.is_empty() {
        work.insert("inputs".to_owned(), Value::Object(given));
    }
    work.insert("code".to_owned(), json!(program));
    work.insert(
        "outputs".to_owned(),
        json!([{"name": result, "type": ValueType::Any.name()}]),
    );
    let answer = json!({"id": "answer", "type": "output", "inputs": {&result: format!("{{{result}}}")}});
    document.insert("steps".to_owned(), json!([work, answer]));
    serde_saphyr::to_string(&document).map_err(|error| error.to_string())
}

/// A name by the first words of a question.
#[must_use]
pub fn name_of(question: &str) -> String {
    let line = question.lines().map(str::trim).find(|line| !line.is_empty());
    let words = line
        .unwrap_or_default()
        .trim_end_matches(['.', '?', '!', '\u{3002}', '\u{ff1f}', '\u{ff01}']);
    words
        .chars()
        .take(NAME_CHARACTERS_MAX)
        .collect::<String>()
        .trim()
        .to_owned()
}

fn parameter((name, value): &(String, Value)) -> Value {
    json!({"name": name, "type": kind(value).name(), "default": value})
}

fn kind(value: &Value) -> ValueType {
    match value {
        Value::Null => ValueType::Any,
        Value::Bool(_) => ValueType::Flag,
        Value::Number(number) if number.is_f64() => ValueType::Number,
        Value::Number(_) => ValueType::Whole,
        Value::String(_) => ValueType::Text,
        Value::Array(_) => ValueType::List,
        Value::Object(_) => ValueType::Map,
    }
}

fn joined(programs: &[String]) -> String {
    let programs = programs.iter().map(|program| program.trim());
    let programs: Vec<&str> = programs.filter(|program| !program.is_empty()).collect();
    programs.join("\n\n")
}

/// The program with what it tells in a variable, and the name of that.
fn told(program: &str, inputs: &[(String, Value)]) -> (String, String) {
    let last = program.lines().last().unwrap_or_default();
    let before = &program[..program.len() - last.len()];
    let is_free = |name: &str| {
        is_name(name) && !RESERVED.contains(&name) && !inputs.iter().any(|(input, _)| input == name)
    };
    let mut result = RESULT.to_owned();
    while !is_free(&result) {
        result.push('_');
    }
    if let Some(value) = value_of(last) {
        if is_free(&value) {
            return (program.to_owned(), value);
        }
        // Once: what it calls is not called again.
        return (format!("{before}{result} = {value}\nprint({result})"), result);
    }
    let mut named = program.lines().rev().filter_map(assigned);
    match named.find(|name| is_free(name)) {
        Some(name) => (program.to_owned(), name.to_owned()),
        None => (format!("{program}\n{result} = None"), result),
    }
}

/// What a last line tells, as an expression: the arguments of a `print`, or a name.
fn value_of(line: &str) -> Option<String> {
    if line.starts_with(char::is_whitespace) {
        return None;
    }
    let line = line.trim_end();
    let Some(inner) = line
        .strip_prefix("print(")
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return is_name(line).then(|| line.to_owned());
    };
    let inner = inner.trim().trim_end_matches(',');
    let looked = Looked::at(inner)?;
    match (inner.is_empty() || looked.is_special, looked.has_comma) {
        (true, _) => None,
        (false, false) => Some(inner.to_owned()),
        // As it was printed.
        (false, true) => Some(format!("\" \".join([str(part) for part in ({inner},)])")),
    }
}

/// The name that a line at the margin assigns.
fn assigned(line: &str) -> Option<&str> {
    let (name, _) = line.split_once(" = ")?;
    is_name(name).then_some(name)
}

fn is_name(text: &str) -> bool {
    let inner = |letter: char| letter == '_' || letter.is_alphanumeric();
    text.chars().all(inner)
        && text.chars().next().is_some_and(|first| !first.is_numeric())
        && !matches!(text, "None" | "True" | "False" | "pass")
}

/// What stands in the arguments of a call, outside its brackets and texts.
#[derive(Default)]
struct Looked {
    has_comma: bool,
    /// A star, an argument with a name, a walrus or the `for` of a generator.
    is_special: bool,
}

impl Looked {
    /// `None` where a bracket or a text is not closed in it.
    fn at(text: &str) -> Option<Self> {
        let mut looked = Self {
            is_special: text.starts_with('*'),
            ..Self::default()
        };
        let (mut depth, mut quote, mut before) = (0_usize, None, ' ');
        let mut signs = text.char_indices();
        while let Some((at, sign)) = signs.next() {
            match (quote, sign) {
                (Some(_), '\\') => drop(signs.next()),
                (Some(open), sign) if sign == open => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(sign),
                (None, '#') => return None,
                (None, '(' | '[' | '{') => depth += 1,
                (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
                (None, sign) if depth == 0 => looked.see(sign, before, &text[at..]),
                (None, _) => {}
            }
            before = sign;
        }
        quote.is_none().then_some(looked).filter(|_| depth == 0)
    }

    fn see(&mut self, sign: char, before: char, from: &str) {
        self.has_comma |= sign == ',';
        let is_compared = from.starts_with("==") || matches!(before, '=' | '!' | '<' | '>');
        self.is_special |= (sign == '=' && !is_compared)
            || from.starts_with(" for ")
            || (sign == ',' && from[1..].trim_start().starts_with('*'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::read;
    use proptest::prelude::*;
    use shidi_agent::program_inputs::without;

    /// As a run's programs become a workflow.
    fn whole(program: &str) -> String {
        let programs = [program.to_owned()];
        let inputs = inputs_of(&programs, &[]);
        let names: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
        of(&[&without(&programs, &[], &names)[0]], &inputs)
    }

    fn of(programs: &[&str], inputs: &[(String, Value)]) -> String {
        let programs: Vec<String> = programs.iter().map(|program| (*program).to_owned()).collect();
        from_run(&FinishedRun {
            question: "How many rows does sales.csv have?\nPlease.",
            programs: &programs,
            inputs,
            permissions: &["files.read(path=/home/me/*)".to_owned()],
        })
        .expect("a text")
    }

    #[test]
    fn its_values_are_inputs_and_its_calls_and_permissions_stay() {
        let inputs = [
            ("path".to_owned(), json!("sales.csv")),
            ("limit".to_owned(), json!(3)),
        ];
        let text = of(
            &["rows = (await files.read(path)).data", "print(len(rows))"],
            &inputs,
        );
        let workflow =
            read(&"x.yaml".into(), text.as_bytes()).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
        assert_eq!(workflow.name, "How many rows does sales.csv have");
        assert_eq!(workflow.permissions, ["files.read(path=/home/me/*)"]);
        let told: Vec<_> = workflow
            .parameters
            .iter()
            .map(|parameter| (parameter.name.as_str(), parameter.kind, parameter.default.clone()))
            .collect();
        assert_eq!(
            told,
            [
                ("path", ValueType::Text, Some(json!("sales.csv"))),
                ("limit", ValueType::Whole, Some(json!(3))),
            ]
        );
        assert!(text.contains("result = len(rows)"), "{text}");
    }

    #[test]
    fn what_the_last_program_told_is_the_result() {
        for (program, expected, result) in [
            ("a = 1\nprint(a)", "a = 1\nprint(a)", "a"),
            (
                "print(await files.read('x'))",
                "result = await files.read('x')\nprint(result)",
                "result",
            ),
            ("a = 1\na", "a = 1\na", "a"),
            (
                "print(len(a), 'words')",
                "result = \" \".join([str(part) for part in (len(a), 'words',)])\nprint(result)",
                "result",
            ),
            ("a = f()\nprint()", "a = f()\nprint()", "a"),
            ("a = f()\nprint(*a)", "a = f()\nprint(*a)", "a"),
            ("a = f()\nprint(b, *a)", "a = f()\nprint(b, *a)", "a"),
            (
                "a = f()\nprint(x for x in a)",
                "a = f()\nprint(x for x in a)",
                "a",
            ),
            ("a = f()\nprint(a, sep='')", "a = f()\nprint(a, sep='')", "a"),
            ("a = f()\nprint(b := 1)", "a = f()\nprint(b := 1)", "a"),
            ("print(a == 1)", "result = a == 1\nprint(result)", "result"),
            ("c = 1\nprint(c)", "c = 1\nresult = c\nprint(result)", "result"),
            (
                "error = 1\nprint(error)",
                "error = 1\nresult = error\nprint(result)",
                "result",
            ),
            ("print('a, b')", "result = 'a, b'\nprint(result)", "result"),
            (
                "b = 2\nfor x in y:\n    print(x)",
                "b = 2\nfor x in y:\n    print(x)",
                "b",
            ),
            (
                "print(a) or print(b)",
                "print(a) or print(b)\nresult = None",
                "result",
            ),
            ("print(a)  # b", "print(a)  # b\nresult = None", "result"),
            ("f()", "f()\nresult = None", "result"),
        ] {
            let inputs = [("c".to_owned(), json!(1))];
            let expected = (expected.to_owned(), result.to_owned());
            assert_eq!(told(program, &inputs), expected, "{program}");
        }
    }

    proptest! {
        #[test]
        fn any_program_becomes_a_workflow_that_is_read_again(
            lines in prop::collection::vec(prop::sample::select(vec![
                "a = 1", "b = 'x'", "a += 1", "error = 'x'", "dialogue = 3", "result = 2", "rows = []", "print(a)",
                "print(b, a)", "for a in b:", "    c = 3", "text = \"\"\"", "\"\"\"", "x: y", "- {a}", "#", "中 = '文'", "\t'",
            ]), 0..8),
            other in "[ -~]{0,40}",
        ) {
            let text = whole(&format!("{}\n{other}\nprint(1)", lines.join("\n")));
            let workflow = read(&"x.yaml".into(), text.as_bytes());
            prop_assert!(workflow.is_ok(), "{:?}\n{}", workflow.err(), text);
        }
    }
}
