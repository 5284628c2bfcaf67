//! Programs: their value, their variables, and the wording of their failures.

use crate::common::{error, run, run_with, session, value};
use serde_json::{Value, json};
use shidi_executor::{ExecutorError, Limits, Session, SpawnOptions};

#[test]
fn the_last_expression_is_the_value_and_print_is_the_output() {
    let mut session = session();
    let outcome = run(
        &mut session,
        "x = 20\nprint('hello', x)\nprint('你好', end='')\nx * 2 + 2",
    );
    assert_eq!(
        (outcome.value, outcome.stdout.as_str()),
        (json!(42), "hello 20\n你好")
    );
    assert_eq!(value(&mut session, "y = 1"), Value::Null);
    assert_eq!(value(&mut session, "if True:\n    3"), Value::Null);
    assert_eq!(value(&mut session, "z = 1; z + 1"), json!(2));
    assert_eq!(value(&mut session, "(\n    1 +\n    2\n)"), json!(3));
    assert_eq!(value(&mut session, ""), Value::Null);
    assert_eq!(
        value(&mut session, "{'a': (1, 2.5, None, True)}"),
        json!({"a": [1, 2.5, null, true]})
    );
}

#[test]
fn what_a_program_prints_is_heard_while_it_waits_and_never_by_the_next_one() {
    let mut session = session();
    let (heard, told) = std::sync::mpsc::channel();
    session.hear(move |text| heard.send(text.to_owned()).unwrap_or_default());
    crate::common::first_calls(&mut session, "print('one')\nprint('two')\nawait kit.now()");
    assert_eq!(told.try_iter().collect::<String>(), "one\ntwo\n");
    drop(session);
    let mut session = crate::common::session();
    let (heard, told) = std::sync::mpsc::channel();
    session.hear(move |text| heard.send(text.to_owned()).unwrap_or_default());
    let outcome = run(&mut session, "print('x' * 100)\nawait kit.now()");
    assert_eq!(told.try_iter().collect::<String>(), outcome.stdout);
    run(&mut session, "print('y')\nawait kit.now()");
    assert_eq!(told.try_iter().collect::<String>(), "");
}

#[test]
fn a_value_without_a_json_form_is_given_as_text() {
    let mut session = session();
    assert_eq!(value(&mut session, "{3, 1}"), json!("{3, 1}"));
    assert_eq!(value(&mut session, "float('nan')"), json!("nan"));
    assert_eq!(
        value(&mut session, "10 ** 40"),
        json!(format!("1{}", "0".repeat(40)))
    );
    assert_eq!(
        value(&mut session, "class K:\n    pass\nk = K()\n[K, k]")
            .as_str()
            .map(|text| &text[..22]),
        Some("[<class '__main__.K'>,")
    );
}

#[test]
fn variables_stay_in_the_warm_worker_whatever_they_are() {
    let mut session = session();
    run(
        &mut session,
        "count = 3\nseen = {1, 2}\ndef double(x):\n    return x * 2\nimport json",
    );
    assert_eq!(
        value(&mut session, "double(count) + len(seen) + len(json.dumps([]))"),
        json!(10)
    );
    assert!(session.keeps_variables());
}

#[test]
fn variables_are_described_by_name_kind_value_and_text() {
    let outcome = run(
        &mut session(),
        "n = 1\nt = (1, 'a')\ns = {1}\nd = {1: 'a'}\nb = b'x'\nf = 1.5\nbig = 2 ** 70\ntext = 'é' * 1000\n\
         deep = {'a': [{'b': (None,)}]}\ndef g():\n    pass\n_hidden = 2",
    );
    let found: Vec<(&str, &str, Option<Value>)> = outcome
        .variables
        .iter()
        .map(|variable| {
            (
                variable.name.as_str(),
                variable.kind.as_str(),
                variable.value.clone(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("n", "int", Some(json!(1))),
            ("t", "tuple", Some(json!({"$shidi": "tuple", "of": [1, "a"]}))),
            ("s", "set", Some(json!({"$shidi": "set", "of": [1]}))),
            ("d", "dict", Some(json!({"$shidi": "dict", "of": [[1, "a"]]}))),
            ("b", "bytes", Some(json!({"$shidi": "bytes", "of": "78"}))),
            ("f", "float", Some(json!(1.5))),
            (
                "big",
                "int",
                Some(json!({"$shidi": "int", "of": "1180591620717411303424"}))
            ),
            ("text", "str", Some(json!("é".repeat(1000)))),
            (
                "deep",
                "dict",
                Some(json!({"a": [{"b": {"$shidi": "tuple", "of": [null]}}]}))
            ),
            ("g", "function", None),
            ("_hidden", "int", Some(json!(2))),
        ]
    );
    let text = |name: &str| {
        outcome
            .variables
            .iter()
            .find(|variable| variable.name == name)
            .map(|variable| variable.text.clone())
    };
    assert_eq!(text("s").as_deref(), Some("{1}"));
    assert_eq!(text("d").as_deref(), Some("{1: 'a'}"));
    assert!(text("text").is_some_and(|text| text.chars().count() < 320));
}

#[test]
fn variables_are_restored_into_a_fresh_worker_and_left_alone_in_a_warm_one() {
    let mut session = session();
    let restored = vec![
        ("rows".to_owned(), json!([{"a": 1}])),
        ("name".to_owned(), json!("x")),
    ];
    let limits = Limits::default();
    let (outcome, _) = run_with(
        &mut session,
        "rows[0]['a'] += 1\n(rows, name)",
        &limits,
        restored.clone(),
    );
    assert_eq!(outcome.value, json!([[{"a": 2}], "x"]));
    let (outcome, _) = run_with(&mut session, "rows", &limits, restored);
    assert_eq!(outcome.value, json!([{"a": 2}]));
}

#[test]
fn what_a_failed_program_did_before_is_kept() {
    let mut session = session();
    let outcome = run(&mut session, "a = 1\nb = 1 / 0\nc = 3");
    let names: Vec<&str> = outcome
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .collect();
    assert_eq!((outcome.value, names), (Value::Null, vec!["a"]));
    assert_eq!(value(&mut session, "a"), json!(1));
}

#[test]
fn an_error_names_kind_message_and_the_line_as_it_was_written() {
    let source = "import heapq, json\nfrom collections import (\n    OrderedDict,\n    deque,\n)\n\ndef f(x):\n    return x.data[0] / 0\n\nf([1])";
    let problem = run(&mut session(), source).error.expect("it fails");
    assert_eq!(problem.kind, "ZeroDivisionError");
    assert_eq!(problem.message, "ZeroDivisionError: division by zero");
    assert_eq!(problem.line, 8);
    let expected = "Traceback (most recent call last):\n  line 10, in <module>\n    f([1])\n  line 8, in f\n    return x.data[0] / 0\nZeroDivisionError: division by zero";
    assert_eq!(problem.traceback, expected);
}

#[test]
fn what_led_to_an_error_stands_in_its_last_line() {
    let mut session = session();
    let last = |session: &mut Session, source: &str| {
        let problem = run(session, source).error.expect("it fails");
        assert_eq!(problem.traceback.lines().last(), Some(problem.message.as_str()));
        problem.message
    };
    let raised = "try:\n    {}['city']\nexcept KeyError as missing:\n    raise ValueError('row 7 is incomplete') from missing";
    assert_eq!(
        last(&mut session, raised),
        "ValueError: row 7 is incomplete; caused by KeyError: 'city' (line 2)"
    );
    let handled = "try:\n    1 / 0\nexcept ZeroDivisionError:\n    {}['fallback']";
    assert_eq!(
        last(&mut session, handled),
        "KeyError: 'fallback'; while handling ZeroDivisionError: division by zero (line 2)"
    );
    let silent = "try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise ValueError('told apart') from None";
    assert_eq!(last(&mut session, silent), "ValueError: told apart");
    let many = "def f(n):\n    try:\n        if n == 0:\n            raise KeyError(n)\n        f(n - 1)\n    except Exception as e:\n        raise ValueError('x' * 1000 + str(n)) from e\nf(9)";
    let told = last(&mut session, many);
    assert_eq!(told.matches("; caused by").count(), 3);
    assert!(told.chars().count() < 2_600, "{}", told.chars().count());
    let circle = "a, b = ValueError('a'), ValueError('b')\na.__cause__, b.__cause__ = b, a\nraise a";
    assert_eq!(
        last(&mut session, circle),
        "ValueError: a; caused by ValueError: b"
    );
}

#[test]
fn errors_that_models_make_come_with_what_to_do() {
    let mut session = session();
    for (source, kind, hint) in [
        ("import numpy", "ModuleNotFoundError", "Available modules: abc, "),
        (
            "open('/etc/passwd')",
            "PermissionError",
            "with the toolkit `files`",
        ),
        (
            "import zipfile\nzipfile.ZipFile('a.zip')",
            "PermissionError",
            "with the toolkit `files`",
        ),
        (
            "import logging\nlogging.basicConfig(filename='a.log')",
            "PermissionError",
            "`print`",
        ),
        (
            "import io\nwith io.StringIO() as f:\n    f.write('a')\nf.getvalue()",
            "ValueError",
            "into the block",
        ),
        ("def f():\n    return f()\nf()", "RecursionError", "loop"),
        ("r = kit.read('a')\nr['x']", "TypeError", "awaited"),
        ("max([1, 2], key=lambda x: kit.add(x))", "TypeError", "awaited"),
    ] {
        let problem = run(&mut session, source).error.expect("it fails");
        assert_eq!(problem.kind, kind, "{source}");
        assert!(
            problem.hint.as_ref().is_some_and(|given| given.contains(hint)),
            "{source}: {problem:?}"
        );
    }
}

#[test]
fn broken_syntax_fails_with_its_line_and_leaves_the_session_usable() {
    let mut session = session();
    for source in [
        "x = (1,\n",
        "def f(:\n    pass",
        "for",
        "x = 'abc",
        "\u{0}",
        "🙂 = 1",
        "\tx = 1\n  y = 2",
    ] {
        let message = error(&mut session, source);
        assert!(
            message.starts_with("SyntaxError") || message.starts_with("IndentationError"),
            "{source}: {message}"
        );
    }
    assert_eq!(value(&mut session, "1 + 1"), json!(2));
}

#[test]
fn data_ok_and_error_are_fields_of_any_result_and_of_nothing_else() {
    let mut session = session();
    let fields = "r = await kit.echo({'data': 7, 'rows': [1, 2]})\n\
                  (r['data'], r.data['data'], r.ok, r.error, len(r.data['rows']), f'{r.data[\"rows\"]}', (await kit.echo('a')).data)";
    assert_eq!(
        value(&mut session, fields),
        json!([7, 7, true, null, 2, "[1, 2]", "a"])
    );
    let own = "class Box:\n    def __init__(self):\n        self.data = [1]\n        self.ok = 'mine'\n    def size(self):\n        return len(self.data)\n\
               b = Box()\nb.data.append(2)\nb.data = b.data + [3]\n(b.data, b.ok, b.size())";
    assert_eq!(value(&mut session, own), json!([[1, 2, 3], "mine", 3]));
    let caught = "try:\n    await kit.fail('ValueError', 'too bad')\nexcept ValueError as problem:\n    seen = (problem.ok, problem.error, problem.data)\nseen";
    assert_eq!(value(&mut session, caught), json!([false, "too bad", null]));
    let raised = "class Refused(Exception):\n    ok = True\n    def __init__(self):\n        super().__init__('boom')\n        self.data, self.error = {'id': 3}, {'code': 4}\n\
                  try:\n    raise Refused\nexcept Refused as problem:\n    seen = (problem.data, problem.ok, problem.error)\nseen";
    assert_eq!(value(&mut session, raised), json!([{"id": 3}, true, {"code": 4}]));
    assert_eq!(
        value(&mut session, "r = await kit.echo(5)\nf'{r.data=} {r.ok = !s}'"),
        json!("r.data=5 r.ok = True")
    );
    assert_eq!(
        error(&mut session, "(5).data"),
        "AttributeError: 'int' object has no attribute 'data'"
    );
    assert_eq!(
        error(&mut session, "class K:\n    pass\nK().data"),
        "AttributeError: 'K' object has no attribute 'data'"
    );
}

#[test]
fn a_reference_before_a_letter_is_not_swallowed_by_a_substitution() {
    let source = r"import re
[re.sub(r'([a-z])([A-Z])', r'\1_\2', 'googleAssistant'), re.compile('(b)').sub('\\1x', 'abc')]";
    assert_eq!(value(&mut session(), source), json!(["google_Assistant", "abxc"]));
}

#[test]
fn a_program_of_another_program_does_not_start_before_the_first_ended() {
    let mut session = session();
    crate::common::first_calls(&mut session, "await kit.now()");
    let toolkits = crate::common::kit();
    let program = shidi_executor::Program {
        source: "1",
        toolkits: &toolkits,
        variables: Vec::new(),
    };
    assert!(matches!(
        session.run(program, &Limits::default()),
        Err(ExecutorError::Busy)
    ));
    assert!(matches!(
        session.check("1", &toolkits, &[]),
        Err(ExecutorError::Busy)
    ));
}

#[test]
fn a_check_finds_what_the_session_does_not_know_and_changes_nothing() {
    let mut session = session();
    run(&mut session, "import json\nknown = 1");
    let findings = session
        .check("json.dumps(known)\nunknown", &crate::common::kit(), &[])
        .expect("it is checked");
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].kind.as_str(), findings[0].line), ("NameError", 2));
    let findings = session
        .check("unknown", &crate::common::kit(), &["unknown".to_owned()])
        .expect("it is checked");
    assert!(findings.is_empty());
    assert_eq!(value(&mut session, "known"), json!(1));
}

#[test]
fn a_missing_worker_program_is_an_error_that_names_its_place() {
    let options = SpawnOptions {
        worker: Some("/nowhere/worker".into()),
        ..SpawnOptions::default()
    };
    let missing = Session::spawn(options).map(drop).expect_err("there is none");
    assert!(missing.to_string().contains("/nowhere/worker"));
    let options = SpawnOptions {
        worker: Some("/bin/true".into()),
        ..SpawnOptions::default()
    };
    assert!(matches!(
        Session::spawn(options),
        Err(ExecutorError::WorkerNotReady { .. })
    ));
}

#[test]
fn a_session_says_what_confines_it_and_which_build_it_is() {
    let session = session();
    assert_eq!(session.build_id().len(), 16);
    if cfg!(target_os = "linux") {
        assert!(
            session.confinement().walls.iter().any(|wall| wall == "seccomp"),
            "{:?}",
            session.confinement()
        );
    }
}
