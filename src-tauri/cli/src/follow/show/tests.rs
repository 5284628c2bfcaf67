//! Lines that people read.

use super::*;
use serde_json::json;
use shidi_locales::Language;

const ENGLISH: Words = Words::of(Language::En);

#[test]
fn a_step_is_one_short_line() {
    assert_eq!(one_line("", 5), "");
    assert_eq!(one_line("short", 5), "short");
    assert_eq!(one_line("a longer line", 5), "a lon…");
    assert_eq!(one_line("\n\n  first\nsecond", 20), "first…");
    assert_eq!(one_line("中文也算字符", 3), "中文也…");
}

#[test]
fn an_approval_shows_the_exact_call_and_what_it_would_do() {
    let args = json!({"path": "/etc/hosts", "limit_lines": 3, "note": "it's\nred \u{1b}[31m"});
    let line = wish_line(
        ENGLISH,
        "files.read",
        args.as_object().unwrap(),
        Class::ReadOutside,
    );
    assert_eq!(
        line,
        "Shidi wants to run: files.read(path='/etc/hosts', limit_lines=3, note=\"it's\\nred \\x1b[31m\")  \
         (read outside the granted folders)"
    );
}

#[test]
fn what_is_asked_has_the_marks_of_its_language() {
    let chinese = Words::of(Language::Zh);
    assert_eq!(chinese.asks("好吗？"), "师弟问：好吗？");
    assert_eq!(ENGLISH.asks("All right?"), "Shidi asks: All right?");
    let line = wish_line(chinese, "files.list", &JsonMap::new(), Class::Read);
    assert!(line.starts_with("师弟想执行：files.list()（"), "{line}");
}

#[test]
fn a_call_that_waits_is_shown_whole_however_long_it_is() {
    let command = format!(
        "echo {}; rm -rf sub; echo {}",
        "x".repeat(10_000),
        "y".repeat(10_000)
    );
    let args = json!({"command": command});
    let line = wish_line(ENGLISH, "shell.run", args.as_object().unwrap(), Class::Execute);
    assert!(line.contains(&command), "{line}");
}
