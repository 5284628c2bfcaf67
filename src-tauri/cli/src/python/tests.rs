//! What Python prints.

use super::*;
use serde_json::json;

#[test]
fn values_are_written_as_repr_does() {
    let cases = [
        (json!(null), "None"),
        (json!([true, false, 1, 2.5, -3]), "[True, False, 1, 2.5, -3]"),
        (json!({"a": {"b": []}}), "{'a': {'b': []}}"),
        (json!("it's"), "\"it's\""),
        (json!("'\""), "'\\'\"'"),
        (json!("tab\tline\nback\\"), "'tab\\tline\\nback\\\\'"),
        (json!("\u{1b}[0m师弟"), "'\\x1b[0m师弟'"),
    ];
    for (value, text) in cases {
        assert_eq!(repr(&value), text);
    }
}

#[test]
fn what_the_eye_cannot_see_is_written_out() {
    let cases = [
        ("a\u{202e}txt.exe", r"'a\u202etxt.exe'"),
        ("\u{200b}\u{2066}\u{feff}", r"'\u200b\u2066\ufeff'"),
        ("one\u{2028}two", r"'one\u2028two'"),
        ("\u{e0041}", r"'\U000e0041'"),
        ("می\u{200c}خواهم", r"'می\u200cخواهم'"),
        ("rm\u{a0}-r\u{2800}\u{fe0f}", r"'rm\xa0-r\u2800\ufe0f'"),
        ("\u{3000}师弟", "'\u{3000}师弟'"),
    ];
    for (text, written) in cases {
        assert_eq!(repr(&json!(text)), written);
    }
}

#[test]
fn a_value_without_end_is_shortened() {
    let deep = (0..VALUE_DEPTH_MAX + 10).fold(json!(1), |inner, _| json!([inner]));
    assert!(repr(&deep).contains('…'));
}

#[test]
fn a_call_is_shown_whole_and_no_name_in_it_reads_as_another_call() {
    // As deep as a program's values come.
    let deep = (0..119).fold(json!("innermost"), |inner, _| json!([inner]));
    let args = JsonMap::from_iter([("data".to_owned(), deep)]);
    let shown = call("files.write", &args);
    assert!(shown.contains("'innermost'") && !shown.contains('…'), "{shown}");
    let cases = [
        ("path", "files.read(path=1)"),
        ("名字_2", "files.read(名字_2=1)"),
        ("a=1)\nfiles.read(b", "files.read(**{'a=1)\\nfiles.read(b': 1})"),
        ("2nd", "files.read(**{'2nd': 1})"),
        ("", "files.read(**{'': 1})"),
        ("a\u{200b}b", r"files.read(**{'a\u200bb': 1})"),
    ];
    for (name, written) in cases {
        let args = JsonMap::from_iter([(name.to_owned(), json!(1))]);
        assert_eq!(call("files.read", &args), written);
    }
}

#[test]
fn a_traceback_names_the_line_and_shows_it() {
    let error = ProgramError {
        kind: "NameError".into(),
        message: "name 'y' is not defined".into(),
        line: 2,
        hint: None,
    };
    assert_eq!(
        traceback(&error, "x = 1\n  y + 1\n", "a.py"),
        "Traceback (most recent call last):\n  File \"a.py\", line 2\n    y + 1\nNameError: name 'y' is not defined"
    );
    assert_eq!(
        traceback(&error, "", "<program>"),
        "Traceback (most recent call last):\n  File \"<program>\", line 2\nNameError: name 'y' is not defined"
    );
    let nowhere = ProgramError {
        kind: "TimeoutError".into(),
        message: String::new(),
        line: 0,
        hint: None,
    };
    assert_eq!(traceback(&nowhere, "x", "a.py"), "TimeoutError");
}
