//! Which constants are inputs, how they are called, and that nothing else of a program changes.

use super::*;
use serde_json::json;
use shidi_protocol::{Call, CallId, Class, ExecId, Moment, RunId};
use std::collections::BTreeMap;

fn made(tool: &str, args: &Value) -> CallRecord {
    let (toolkit, method) = tool.split_once('.').unwrap();
    CallRecord {
        run: RunId::from("r".to_owned()),
        call: Call {
            id: CallId(1),
            exec: ExecId(1),
            toolkit: toolkit.to_owned(),
            method: method.to_owned(),
            args: args.as_object().cloned().unwrap(),
            line: 1,
            places: BTreeMap::new(),
        },
        class: Class::Read,
        state: CallState::Done,
        grounds: Vec::new(),
        outcome: None,
        answered: Some(1),
        started: Moment(0),
        ended: None,
    }
}

fn told(program: &str, calls: &[CallRecord]) -> Vec<(String, Value)> {
    let constants = constants(&[program.to_owned()], calls).into_iter();
    constants
        .map(|constant| (constant.name, constant.value))
        .collect()
}

#[test]
fn a_constant_is_called_as_the_argument_that_the_call_had() {
    let calls = [made("files.read", &json!({"path": "report.csv", "limit": -3}))];
    let path = ("path".to_owned(), json!("report.csv"));
    let limit = ("limit".to_owned(), json!(-3));
    for (program, expected) in [
        ("x = await files.read(\"report.csv\")", vec![path.clone()]),
        (
            "print((await files.read('report.csv', limit=-3)).strip())",
            vec![path.clone(), limit],
        ),
        (
            "for n in range(2):\n    await files.read(\n        path='report.csv',\n    )",
            vec![path],
        ),
        ("await files.read('other.csv')", vec![]),
        ("await files.read(f'report.csv')", vec![]),
        ("await files.read('report' '.csv')", vec![]),
        ("await files.read('report.csv'.strip())", vec![]),
        ("await files.read(['report.csv'])", vec![]),
        ("await files.write('report.csv')", vec![]),
        ("my.files.read('report.csv')", vec![]),
        ("text = \"await files.read('report.csv')\"", vec![]),
        ("# await files.read('report.csv')", vec![]),
        ("await files.read('report.csv'", vec![]),
    ] {
        assert_eq!(told(program, &calls), expected, "{program}");
    }
}

#[test]
fn paths_of_files_that_are_opened_as_in_python_are_found() {
    let calls = [
        made(
            "files.read",
            &json!({"path": "data/report.csv", "offset_line": 1}),
        ),
        made("files.write", &json!({"path": "sum.json", "text": "w"})),
        made("files.copy", &json!({"path": "sum.json", "to": "old.json"})),
    ];
    let of = |values: &[(&str, &str)]| -> Vec<(String, Value)> {
        let named = values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)));
        named.collect()
    };
    let report = of(&[("path", "data/report.csv")]);
    for (program, expected) in [
        ("rows = open('data/report.csv').read()", report.clone()),
        (
            "with open(\"data/report.csv\", 'r', encoding='utf-8') as file:\n    pass",
            report.clone(),
        ),
        ("open(file='data/report.csv')", report.clone()),
        ("io.open('data/report.csv')", report.clone()),
        ("Path('data/report.csv').read_text()", report),
        (
            "open(os.path.join('data', 'report.csv'))",
            of(&[("path", "data"), ("path_2", "report.csv")]),
        ),
        (
            "(pathlib.Path('data') / 'report.csv').read_text()",
            of(&[("path", "data"), ("path_2", "report.csv")]),
        ),
        (
            "shutil.copy('sum.json', 'old.json')",
            of(&[("path", "sum.json"), ("to", "old.json")]),
        ),
        ("open('other.csv')", vec![]),
        ("open(name, 'w')", vec![]),
        ("open('sum.json', 'w').write('w')", of(&[("path", "sum.json")])),
        ("open(f'data/report.csv')", vec![]),
        ("my.open('data/report.csv')", vec![]),
        ("io.StringIO('data/report.csv')", vec![]),
        ("print('data/report.csv')", vec![]),
        ("Path('report').exists()", vec![]),
        ("rate = total / 2", vec![]),
        ("x /", vec![]),
        ("open(", vec![]),
    ] {
        assert_eq!(told(program, &calls), expected, "{program}");
    }
    assert!(told("open('data/report.csv')", &[]).is_empty());
}

#[test]
fn a_path_of_plain_python_is_replaced_where_it_stands() {
    let programs = ["text = open('a.md').read()\nprint('a.md', text)".to_owned()];
    let calls = [made("files.read", &json!({"path": "a.md"}))];
    let constants = constants(&programs, &calls);
    let after = replaced(&programs, &constants, |constant| Some(constant.name.clone()));
    assert_eq!(after, ["text = open(path).read()\nprint('a.md', text)"]);
}

#[test]
fn a_text_stays_a_text_with_another_value() {
    let calls = [made("mail.search", &json!({"text": "2025", "limit": 3}))];
    let program = "await mail.search(text='2025', limit=3)".to_owned();
    let inputs = [("text", "2026"), ("limit", "4")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let changed = crate::program_inputs::changed(&[program], &calls, &inputs.into()).unwrap();
    assert_eq!(changed, ["await mail.search(text=\"2026\", limit=4)"]);
}

#[test]
fn what_can_not_be_told_apart_what_is_said_and_what_is_long_is_no_input() {
    let same = [made("files.move", &json!({"source": "a", "target": "a"}))];
    assert_eq!(told("await files.move('a', 'a')", &same), []);
    let names: Vec<String> = told("await files.move(source='a', target='a')", &same)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["source", "target"]);
    assert_eq!(
        told("await user.say('a')", &[made("user.say", &json!({"text": "a"}))]),
        []
    );
    let long = "a".repeat(TEXT_CHARACTERS_MAX + 1);
    let calls = [made("files.read", &json!({"path": long}))];
    assert_eq!(told(&format!("await files.read('{long}')"), &calls), []);
    let asked = CallRecord {
        state: CallState::Refused,
        ..made("files.read", &json!({"path": "a"}))
    };
    assert_eq!(told("await files.read('a')", &[asked]), []);
}

#[test]
fn one_argument_with_one_value_is_one_input_and_other_values_have_names_of_their_own() {
    let read = |path: &str| made("files.read", &json!({ "path": path }));
    let calls = [
        read("a"),
        read("b"),
        made("files.write", &json!({"path": "a", "text": "x"})),
    ];
    let program =
        "path = 1\nawait files.read('a')\nawait files.read('b')\nawait files.write(path='a', text=x.text)";
    let names: Vec<String> = told(program, &calls).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["path_2", "path_3", "path_2"]);
    let many: Vec<CallRecord> = (0..20).map(|number| read(&number.to_string())).collect();
    let program: String = (0..20)
        .map(|number| format!("await files.read('{number}')\n"))
        .collect();
    assert_eq!(told(&program, &many).len(), INPUTS_MAX);
}

#[test]
fn only_the_constants_themselves_are_replaced() {
    let programs = [
        "a = await files.read('x.md')  # 'x.md'\nprint('x.md', a)".to_owned(),
        "await files.read(path=\"x.md\")".to_owned(),
    ];
    let calls = [made("files.read", &json!({"path": "x.md"}))];
    let constants = constants(&programs, &calls);
    let after = replaced(&programs, &constants, |constant| Some(constant.name.clone()));
    assert_eq!(
        after,
        [
            "a = await files.read(path)  # 'x.md'\nprint('x.md', a)",
            "await files.read(path=path)"
        ]
    );
    assert_eq!(replaced(&programs, &constants, |_| None), programs);
}
