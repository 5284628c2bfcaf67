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

/// Words that begin a statement of one line which has no value.
const STATEMENTS: [&str; 12] = [
    "assert", "break", "continue", "del", "from", "global", "import", "nonlocal", "pass", "raise", "return",
    "yield",
];

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
    let is_free = |name: &str| {
        is_name(name) && !RESERVED.contains(&name) && !inputs.iter().any(|(input, _)| input == name)
    };
    let mut result = RESULT.to_owned();
    while !is_free(&result) {
        result.push('_');
    }
    // A statement whose end is not seen stays as it is.
    if let Some((at, last)) = last_statement(program) {
        let (before, after) = (&program[..at], &program[at + last.len()..]);
        if let Some(value) = value_of(last) {
            if is_free(&value) {
                return (program.to_owned(), value);
            }
            // Once: what it calls is not called again.
            return (
                format!("{before}{result} = {value}\nprint({result}){after}"),
                result,
            );
        }
        if is_expression(last) {
            return (format!("{before}{result} = ({last}){after}"), result);
        }
    }
    let mut named = program.lines().rev().filter_map(assigned);
    match named.find(|name| is_free(name)) {
        Some(name) => (program.to_owned(), name.to_owned()),
        None => (format!("{program}\n{result} = None"), result),
    }
}

/// The last statement without a comment behind it, and where it begins. `None` where it stands within another one, and
/// where a bracket or a text is not closed.
fn last_statement(program: &str) -> Option<(usize, &str)> {
    let (mut at, mut depth, mut is_new) = (0, 0_usize, true);
    let (mut start, mut end) = (0, 0);
    while let Some(sign) = program[at..].chars().next() {
        let rest = &program[at..];
        let length = match sign {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => text_length(rest, sign)?,
            // The line goes on.
            '\\' if rest[1..].starts_with("\r\n") => 3,
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            _ => sign.len_utf8(),
        };
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            '\n' if depth == 0 => is_new = true,
            _ => {}
        }
        if sign != '#' && !sign.is_whitespace() {
            if is_new {
                (start, is_new) = (at, false);
            }
            end = at + length;
        }
        at += length;
    }
    let is_at_margin = start == 0 || program[..start].ends_with('\n');
    (depth == 0 && is_at_margin && start < end).then(|| (start, &program[start..end]))
}

/// Bytes of the text that begins here with that mark, once or three times; `None` if it is not closed.
fn text_length(rest: &str, mark: char) -> Option<usize> {
    let thrice = mark.to_string().repeat(3);
    let is_long = rest.starts_with(&thrice);
    let mut at = if is_long { 3 } else { 1 };
    while let Some(sign) = rest[at..].chars().next() {
        match sign {
            '\\' => at += 1 + rest[at + 1..].chars().next()?.len_utf8(),
            '\n' if !is_long => return None,
            _ if is_long && rest[at..].starts_with(&thrice) => return Some(at + 3),
            _ if !is_long && sign == mark => return Some(at + 1),
            _ => at += sign.len_utf8(),
        }
    }
    None
}

/// Whether a statement is an expression and no more. A `print` tells nothing by its value.
fn is_expression(statement: &str) -> bool {
    let is_inner = |sign: char| sign == '_' || sign.is_alphanumeric();
    let word = statement.split(|sign: char| !is_inner(sign)).next();
    let begins_another = word.is_some_and(|word| STATEMENTS.contains(&word) || word == "print");
    let shifts = statement.contains("<<=") || statement.contains(">>=");
    let looked = Looked::at(statement);
    !begins_another && !shifts && looked.is_some_and(|looked| !looked.is_special && !looked.has_mark)
}

/// What the last statement tells, as an expression: the arguments of a `print`, or a name.
fn value_of(line: &str) -> Option<String> {
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
        (false, false) if inner.contains('\n') => Some(format!("({inner})")),
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
    /// A colon or a semicolon: more than one expression.
    has_mark: bool,
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
        self.has_mark |= matches!(sign, ':' | ';');
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
            ("print(f(a))  # b", "result = f(a)\nprint(result)  # b", "result"),
            ("f()", "result = (f())", "result"),
        ] {
            let inputs = [("c".to_owned(), json!(1))];
            let expected = (expected.to_owned(), result.to_owned());
            assert_eq!(told(program, &inputs), expected, "{program}");
        }
    }

    #[test]
    fn a_last_expression_is_the_result_and_any_other_last_statement_stays() {
        for (program, expected) in [
            ("m * 3", "result = (m * 3)"),
            (
                "a = 1\nprint(a)\nround(a, 1)",
                "a = 1\nprint(a)\nresult = (round(a, 1))",
            ),
            ("a = 1\na == 1  # so", "a = 1\nresult = (a == 1)  # so"),
            ("a = 1\na, 2\n# so", "a = 1\nresult = (a, 2)\n# so"),
            ("await f(\n    a=1,\n)", "result = (await f(\n    a=1,\n))"),
            (
                "print(\n    f(1) +\n    2\n)",
                "result = (f(1) +\n    2)\nprint(result)",
            ),
            (
                "f(\"\"\"a\nb * 2\n\"\"\")",
                "result = (f(\"\"\"a\nb * 2\n\"\"\"))",
            ),
            ("1 + \\\n2", "result = (1 + \\\n2)"),
            ("[x for x in b]", "result = ([x for x in b])"),
        ] {
            assert_eq!(told(program, &[]), (expected.to_owned(), RESULT.to_owned()));
        }
        for statement in [
            "a += 1",
            "a >>= 1",
            "a: int",
            "b[0] = 1",
            "f(); g()",
            "if a: f()",
            "if a:\n    a * 3",
            "del b",
            "import b",
            "raise b",
            "b = \"\"\"\nc * 3\n\"\"\"",
            "b = (\nc * 3\n)",
            "b = 1 + \\\nc * 3",
            "f(",
            "f('",
        ] {
            let (program, _) = told(&format!("a = 1\n{statement}"), &[]);
            assert_eq!(program, format!("a = 1\n{statement}"));
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
