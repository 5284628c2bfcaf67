//! What a program gets from `files` and `system`, through the same door as the runtime.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use shidi_protocol::{CallId, Class, ExecId, Moment, Unreadable};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A granted folder and one beside it that is not granted.
struct Desk {
    _root: TempDir,
    granted: PathBuf,
    beside: PathBuf,
}

impl Desk {
    fn new() -> Self {
        let root = TempDir::new().unwrap();
        let top = root.path().canonicalize().unwrap();
        let (granted, beside) = (top.join("granted"), top.join("beside"));
        fs::create_dir_all(&granted).unwrap();
        fs::create_dir_all(&beside).unwrap();
        Self {
            _root: root,
            granted,
            beside,
        }
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.granted.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    fn environment(&self) -> Environment {
        Environment {
            folders: vec![self.granted.clone()],
            attached: Vec::new(),
            now: Moment(1_773_459_045_000),
            timezone: jiff::tz::TimeZone::get("Asia/Shanghai").unwrap(),
            permitted: Class::Read,
        }
    }

    fn perform(&self, tool: &str, args: Value) -> CallOutcome {
        perform(&call(tool, args), &self.environment()).unwrap()
    }

    fn read(&self, path: &str) -> CallOutcome {
        self.perform("files.read", json!({"path": path}))
    }
}

fn call(tool: &str, args: Value) -> Call {
    let (toolkit, method) = tool.split_once('.').unwrap();
    Call {
        id: CallId(1),
        exec: ExecId(1),
        toolkit: toolkit.to_owned(),
        method: method.to_owned(),
        args: args.as_object().unwrap().clone(),
        line: 1,
    }
}

fn error_of(outcome: &CallOutcome) -> (&str, &str) {
    let error = outcome.error.as_ref().expect("the call should have failed");
    (&error.kind, &error.message)
}

fn paths(outcome: &CallOutcome) -> Vec<&str> {
    let items = outcome.data.as_array().expect("a list");
    items
        .iter()
        .map(|item| item.as_str().or_else(|| item["path"].as_str()).unwrap())
        .collect()
}

#[test]
fn every_declared_method_says_what_data_holds() {
    for toolkit in declared() {
        assert!(!toolkit.doc.is_empty());
        for method in toolkit.methods {
            let tool = format!("{}.{}", toolkit.name, method.name);
            assert!(
                method.doc.contains(".data is") || method.returns == "None",
                "{tool}: {}",
                method.doc
            );
            assert!(method.doc.len() < 260, "{tool} is too long for a prompt");
            for matter in &method.matters {
                assert!(
                    method
                        .parameters
                        .iter()
                        .any(|parameter| &parameter.name == matter),
                    "{tool}"
                );
            }
            for parameter in &method.parameters {
                let fits = parameter
                    .default
                    .as_ref()
                    .is_none_or(|value| value.is_null() || parameter.kind.accepts(value));
                assert!(
                    fits,
                    "{tool}: the default of {} is of another type",
                    parameter.name
                );
            }
        }
    }
}

#[test]
fn calls_that_need_a_person_the_store_or_a_wait_are_left_to_the_runtime() {
    let desk = Desk::new();
    let left = [
        "user.say",
        "user.ask",
        "results.find",
        "results.read",
        "memory.remember",
        "memory.search",
    ];
    for tool in left
        .into_iter()
        .chain(["system.sleep", "system.running", "web.fetch", "files.burn"])
    {
        assert_eq!(
            perform(&call(tool, json!({})), &desk.environment()),
            None,
            "{tool}"
        );
    }
}

#[test]
fn time_is_told_where_the_user_is() {
    let outcome = Desk::new().perform("system.time", json!({}));
    assert_eq!(
        outcome.data,
        json!({
            "iso": "2026-03-14T11:30:45+08:00",
            "date": "2026-03-14",
            "weekday": "Saturday",
            "timezone": "Asia/Shanghai",
            "unix_ms": 1_773_459_045_000_i64,
        })
    );
    assert!(!outcome.untrusted);
}

#[test]
fn abilities_name_every_declared_tool() {
    let outcome = Desk::new().perform("system.abilities", json!({}));
    let tools: Vec<&str> = outcome
        .data
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["tool"].as_str().unwrap())
        .collect();
    assert!(
        tools.contains(&"files.grep") && tools.contains(&"user.ask"),
        "{tools:?}"
    );
    assert_eq!(
        tools.len(),
        declared()
            .iter()
            .map(|toolkit| toolkit.methods.len())
            .sum::<usize>()
    );
}

#[test]
fn arguments_are_checked_in_python_words() {
    let desk = Desk::new();
    let cases = [
        (
            "files.read",
            json!({}),
            "TypeError",
            "files.read() is missing the argument 'path'",
        ),
        (
            "files.read",
            json!({"path": 7}),
            "TypeError",
            "files.read(): 'path' must be a str, not an int",
        ),
        (
            "files.list",
            json!({"folder": "."}),
            "TypeError",
            "files.list() has no parameter 'folder'; it takes path, depth",
        ),
        (
            "files.list",
            json!({"depth": 99}),
            "ValueError",
            "files.list(): 'depth' must be from 1 to 16, not 99",
        ),
        (
            "system.time",
            json!({"zone": "UTC"}),
            "TypeError",
            "system.time() has no parameter 'zone'; it takes no arguments",
        ),
    ];
    for (tool, args, kind, message) in cases {
        assert_eq!(error_of(&desk.perform(tool, args)), (kind, message));
    }
}

#[test]
fn reading_gives_the_text_and_marks_it_untrusted() {
    let desk = Desk::new();
    desk.write("notes/a.md", "one\r\ntwo\r\nthree");
    let outcome = desk.read("notes/a.md");
    assert_eq!(outcome.data, json!("one\ntwo\nthree"));
    assert_eq!(outcome.summary, "notes/a.md · 3 lines");
    assert!(outcome.untrusted);
}

#[test]
fn a_part_of_a_file_is_what_was_asked_for_and_no_more() {
    let desk = Desk::new();
    let text: String = (1..=50).map(|line| format!("line {line}\n")).collect();
    desk.write("long.txt", text);
    let part = desk.perform(
        "files.read",
        json!({"path": "long.txt", "offset_line": 20, "limit_lines": 2}),
    );
    assert_eq!(part.data, json!("line 20\nline 21\n"));
    assert_eq!(part.summary, "long.txt · 2 lines, more follow");
    let beyond = desk.perform("files.read", json!({"path": "long.txt", "offset_line": 60}));
    assert_eq!(beyond.data, json!(""));
}

#[test]
fn a_file_larger_than_the_limit_is_cut_at_a_line_and_says_so() {
    let desk = Desk::new();
    let line = "x".repeat(99) + "\n";
    desk.write("big.log", line.repeat(limits::READ_TEXT_BYTES_MAX / 100 + 10));
    let outcome = desk.read("big.log");
    let text = outcome.data.as_str().unwrap();
    let last = text.lines().last().unwrap();
    assert_eq!(
        last,
        "[cut: this is line 1 to 41943; read on with offset_line=41944]"
    );
    assert!(text.len() <= limits::READ_TEXT_BYTES_MAX + 100);
    assert!(outcome.summary.ends_with("more follow"));
}

#[test]
fn one_endless_line_is_cut_within_the_limit() {
    let desk = Desk::new();
    desk.write("min.js", "中".repeat(limits::READ_TEXT_BYTES_MAX / 2));
    let outcome = desk.read("min.js");
    let text = outcome.data.as_str().unwrap();
    assert!(text.len() < limits::READ_TEXT_BYTES_MAX + 200);
    assert!(
        text.lines()
            .last()
            .unwrap()
            .starts_with("[cut: line 1 is longer than"),
        "{}",
        outcome.summary
    );
}

#[test]
fn a_sparse_file_of_terabytes_is_refused_at_once_as_binary() {
    let desk = Desk::new();
    let path = desk.write("sparse", "");
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    assert_eq!(error_of(&desk.read("sparse")).0, "ValueError");
    let grep = desk.perform("files.grep", json!({"pattern": "x"}));
    assert_eq!(grep.data, json!([]));
}

#[test]
fn a_line_far_into_a_huge_file_is_refused_instead_of_waited_for() {
    let desk = Desk::new();
    let path = desk.write("sparse.txt", "x".repeat(limits::SNIFF_BYTES));
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let outcome = desk.perform("files.read", json!({"path": "sparse.txt", "offset_line": 2}));
    let (kind, message) = error_of(&outcome);
    assert_eq!(kind, "ValueError");
    assert!(
        message.starts_with("Line 2 of 'sparse.txt' lies more than"),
        "{message}"
    );
}

#[test]
fn chinese_and_japanese_encodings_are_read_as_their_text() {
    let desk = Desk::new();
    let chinese = "师弟是一个桌面助手，它看得见你正在看的页面，记得住重要的事情。今天的会议改到下午三点。";
    let traditional =
        "師弟是一個桌面助手，它看得見你正在看的頁面，記得住重要的事情。今天的會議改到下午三點。";
    let japanese = "これはデスクトップのアシスタントです。今日の会議は午後三時に変更されました。";
    let cases = [
        ("gbk.txt", encoding_rs::GBK, chinese),
        ("big5.txt", encoding_rs::BIG5, traditional),
        ("sjis.txt", encoding_rs::SHIFT_JIS, japanese),
        ("utf8.txt", encoding_rs::UTF_8, chinese),
    ];
    for (name, encoding, text) in cases {
        desk.write(name, encoding.encode(text).0);
        assert_eq!(desk.read(name).data, json!(text), "{name}");
    }
    let info = desk.perform("files.info", json!({"path": "gbk.txt"}));
    assert_eq!(
        (&info.data["text"], &info.data["encoding"]),
        (&json!(true), &json!("GBK"))
    );
}

#[test]
fn utf_16_is_read_with_and_without_its_mark() {
    let desk = Desk::new();
    let text = "name,价格\ntea,12\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    desk.write("le.csv", [b"\xff\xfe".as_slice(), &little].concat());
    desk.write("be.csv", [b"\xfe\xff".as_slice(), &big].concat());
    desk.write("bare.csv", &little);
    for name in ["le.csv", "be.csv", "bare.csv"] {
        assert_eq!(desk.read(name).data, json!(text), "{name}");
    }
}

#[test]
fn what_is_not_text_is_refused_by_name() {
    let desk = Desk::new();
    desk.write("photo.txt", b"\x89PNG\r\n\x1a\n____");
    desk.write("noise.md", [1_u8, 2, 3, 4, 5, 6, 250, 251].repeat(100));
    assert_eq!(
        error_of(&desk.read("photo.txt")),
        (
            "ValueError",
            "'photo.txt' is not text (image/png); files.info tells its size and kind"
        )
    );
    assert_eq!(error_of(&desk.read("noise.md")).0, "ValueError");
}

#[test]
fn missing_files_and_folders_get_their_python_exception() {
    let desk = Desk::new();
    desk.write("folder/inner.txt", "x");
    assert_eq!(
        error_of(&desk.read("nowhere.txt")),
        (
            "FileNotFoundError",
            "'nowhere.txt' does not exist; files.list and files.glob show what is there"
        )
    );
    assert_eq!(error_of(&desk.read("folder")).0, "IsADirectoryError");
    let listed = desk.perform("files.list", json!({"path": "folder/inner.txt"}));
    assert_eq!(error_of(&listed).0, "NotADirectoryError");
    assert_eq!(
        error_of(&desk.read("folder/inner.txt/deeper")).0,
        "NotADirectoryError"
    );
    assert_eq!(error_of(&desk.read("a\0b")).0, "ValueError");
    assert_eq!(error_of(&desk.read(&"x/".repeat(3000))).0, "ValueError");
}

#[test]
fn a_relative_path_without_a_granted_folder_says_what_to_do() {
    let environment = Environment {
        folders: Vec::new(),
        ..Desk::new().environment()
    };
    let outcome = perform(&call("files.list", json!({})), &environment).unwrap();
    let (kind, message) = error_of(&outcome);
    assert_eq!(kind, "ValueError");
    assert!(message.starts_with("No work folder is granted"), "{message}");
}

#[test]
fn a_path_outside_the_granted_folders_raises_the_class() {
    let desk = Desk::new();
    desk.write("in.txt", "in");
    fs::write(desk.beside.join("out.txt"), "out").unwrap();
    let class = |path: &str| class_of(&call("files.read", json!({"path": path})), &desk.environment());
    assert_eq!(class("in.txt"), Class::Read);
    assert_eq!(class("./sub/../in.txt"), Class::Read);
    assert_eq!(class("../beside/out.txt"), Class::ReadOutside);
    assert_eq!(class("nowhere/../../beside/out.txt"), Class::ReadOutside);
    assert_eq!(class("/etc/passwd"), Class::ReadOutside);
    assert_eq!(class("~/anything"), Class::ReadOutside);
    let granted_prefix = format!("{}-twin/x", desk.granted.display());
    assert_eq!(class(&granted_prefix), Class::ReadOutside);
}

#[test]
fn an_attached_file_may_be_read_wherever_it_lies() {
    let desk = Desk::new();
    let outside = desk.beside.join("out.txt");
    fs::write(&outside, "out").unwrap();
    let environment = Environment {
        attached: vec![outside.clone()],
        ..desk.environment()
    };
    let read = call("files.read", json!({"path": outside}));
    assert_eq!(class_of(&read, &environment), Class::Read);
    assert_eq!(perform(&read, &environment).unwrap().data, json!("out"));
    let beside_it = call("files.list", json!({"path": desk.beside}));
    assert_eq!(class_of(&beside_it, &environment), Class::ReadOutside);
}

#[test]
fn classes_that_no_path_can_raise_stay_as_declared() {
    let environment = Desk::new().environment();
    let class = |tool| class_of(&call(tool, json!({"text": "x"})), &environment);
    assert_eq!(class("memory.remember"), Class::Write);
    assert_eq!(class("user.ask"), Class::Read);
    assert_eq!(class("mail.send"), Class::Send);
    assert_eq!(reach(&call("user.ask", json!({})), &environment), Reach::Inside);
}

#[test]
fn what_was_permitted_as_inside_is_not_read_outside() {
    let desk = Desk::new();
    let secret = desk.beside.join("secret.txt");
    fs::write(&secret, "secret").unwrap();
    let read = call("files.read", json!({"path": secret}));
    assert_eq!(
        error_of(&perform(&read, &desk.environment()).unwrap()).0,
        "PermissionError"
    );
    let permitted = Environment {
        permitted: Class::ReadOutside,
        ..desk.environment()
    };
    assert_eq!(perform(&read, &permitted).unwrap().data, json!("secret"));
    for tool in ["files.list", "files.info"] {
        let look = call(tool, json!({"path": desk.beside}));
        assert_eq!(
            error_of(&perform(&look, &desk.environment()).unwrap()).0,
            "PermissionError",
            "{tool}"
        );
    }
    for tool in ["files.glob", "files.grep"] {
        let search = call(tool, json!({"path": desk.beside, "pattern": "*"}));
        let args = json!({"path": desk.beside, "pattern": "s"});
        let outcome = perform(
            &Call {
                args: args.as_object().unwrap().clone(),
                ..search
            },
            &desk.environment(),
        );
        assert_eq!(error_of(&outcome.unwrap()).0, "PermissionError", "{tool}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_granted_folder_does_not_go_unnoticed() {
    let desk = Desk::new();
    fs::write(desk.beside.join("secret.txt"), "secret").unwrap();
    std::os::unix::fs::symlink(desk.beside.join("secret.txt"), desk.granted.join("innocent.txt")).unwrap();
    std::os::unix::fs::symlink(&desk.beside, desk.granted.join("docs")).unwrap();
    std::os::unix::fs::symlink(desk.beside.join("not-yet.txt"), desk.granted.join("dangling.txt")).unwrap();
    for path in ["innocent.txt", "docs/secret.txt", "dangling.txt"] {
        let read = call("files.read", json!({"path": path}));
        assert_eq!(class_of(&read, &desk.environment()), Class::ReadOutside, "{path}");
        assert!(
            perform(&read, &desk.environment()).unwrap().error.is_some(),
            "{path}"
        );
    }
    let target = Reach::Outside {
        path: desk.beside.join("secret.txt"),
    };
    assert_eq!(
        reach(
            &call("files.read", json!({"path": "docs/secret.txt"})),
            &desk.environment()
        ),
        target
    );
    let grep = desk.perform("files.grep", json!({"pattern": "secret"}));
    assert_eq!(grep.data, json!([]));
    assert_eq!(
        paths(&desk.perform("files.list", json!({"depth": 3}))),
        ["dangling.txt", "docs", "innocent.txt"]
    );
}

#[cfg(unix)]
#[test]
fn circles_of_links_and_of_folders_end() {
    let desk = Desk::new();
    std::os::unix::fs::symlink(desk.granted.join("b"), desk.granted.join("a")).unwrap();
    std::os::unix::fs::symlink(desk.granted.join("a"), desk.granted.join("b")).unwrap();
    desk.write("folder/x.txt", "x");
    std::os::unix::fs::symlink(&desk.granted, desk.granted.join("folder/up")).unwrap();
    assert_eq!(error_of(&desk.read("a")).0, "OSError");
    assert_eq!(
        paths(&desk.perform("files.glob", json!({"pattern": "**/*.txt"}))),
        ["folder/x.txt"]
    );
    assert_eq!(
        paths(&desk.perform("files.grep", json!({"pattern": "x"}))),
        ["folder/x.txt"]
    );
}

#[cfg(unix)]
#[test]
fn pipes_sockets_and_devices_are_refused_without_being_opened() {
    let desk = Desk::new();
    let pipe = desk.granted.join("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let _socket = std::os::unix::net::UnixListener::bind(desk.granted.join("socket")).unwrap();
    assert_eq!(
        error_of(&desk.read("pipe")),
        ("OSError", "'pipe' is a named pipe, which has no content to read")
    );
    assert_eq!(error_of(&desk.read("socket")).0, "OSError");
    let permitted = Environment {
        permitted: Class::ReadOutside,
        ..desk.environment()
    };
    let device = perform(&call("files.read", json!({"path": "/dev/zero"})), &permitted).unwrap();
    assert_eq!(
        error_of(&device).1,
        "'/dev/zero' is a device, which has no content to read"
    );
    assert_eq!(
        desk.perform("files.grep", json!({"pattern": "."})).data,
        json!([])
    );
    assert_eq!(
        desk.perform("files.info", json!({"path": "pipe"})).data["kind"],
        json!("other")
    );
    assert_eq!(attach(&pipe).reason, Some(Unreadable::Special));
}

#[test]
fn listing_goes_as_deep_as_asked_and_passes_by_bulk() {
    let desk = Desk::new();
    desk.write("a.txt", "12345");
    desk.write("src/deep/b.rs", "");
    desk.write("node_modules/left/index.js", "");
    let shallow = desk.perform("files.list", json!({}));
    assert_eq!(paths(&shallow), ["a.txt", "node_modules", "src"]);
    assert_eq!(
        shallow.data[0],
        json!({"path": "a.txt", "kind": "file", "bytes": 5})
    );
    let deep = desk.perform("files.list", json!({"path": "./", "depth": 9}));
    assert_eq!(
        paths(&deep),
        ["a.txt", "node_modules", "src", "src/deep", "src/deep/b.rs"]
    );
    assert_eq!(
        paths(&desk.perform("files.list", json!({"path": "node_modules"}))),
        ["node_modules/left"]
    );
}

#[test]
fn a_listing_that_is_cut_says_so_in_its_last_item() {
    let desk = Desk::new();
    for number in 0..=limits::LIST_ENTRIES_MAX {
        desk.write(&format!("{number:05}"), "");
    }
    let outcome = desk.perform("files.list", json!({}));
    assert_eq!(paths(&outcome).len(), limits::LIST_ENTRIES_MAX + 1);
    assert!(
        paths(&outcome)
            .last()
            .unwrap()
            .starts_with("[cut: more than 2000 entries")
    );
    assert!(outcome.summary.ends_with(", cut"));
}

#[test]
fn globbing_follows_the_rules_of_shells() {
    let desk = Desk::new();
    for name in [
        "a.rs",
        "b.txt",
        "src/c.rs",
        "src/deep/d.rs",
        ".git/e.rs",
        "中文/f.rs",
    ] {
        desk.write(name, "");
    }
    let glob = |pattern: &str| desk.perform("files.glob", json!({"pattern": pattern}));
    assert_eq!(paths(&glob("*.rs")), ["a.rs"]);
    assert_eq!(
        paths(&glob("**/*.rs")),
        ["a.rs", "src/c.rs", "src/deep/d.rs", "中文/f.rs"]
    );
    assert_eq!(paths(&glob("./src/*.rs")), ["src/c.rs"]);
    assert_eq!(paths(&glob("{a,b}.*")), ["a.rs", "b.txt"]);
    for pattern in ["../*", "/etc/*", "", "[", "src/../../x"] {
        assert_eq!(error_of(&glob(pattern)).0, "ValueError", "{pattern}");
    }
}

#[test]
fn grep_finds_lines_in_every_encoding_and_names_their_place() {
    let desk = Desk::new();
    desk.write("a.txt", "first\nThe Price\n");
    desk.write(
        "b/gbk.txt",
        encoding_rs::GBK
            .encode("清单如下，请大家仔细核对以后签字\n价格：十二元\n")
            .0,
    );
    desk.write("image.png", b"\x89PNG\r\n\x1a\nprice");
    let found = desk.perform(
        "files.grep",
        json!({"pattern": "price|价格", "ignore_case": true}),
    );
    assert_eq!(
        found.data,
        json!([
            {"path": "a.txt", "line": 2, "text": "The Price"},
            {"path": "b/gbk.txt", "line": 2, "text": "价格：十二元"},
        ])
    );
    assert_eq!(found.summary, "2 lines in 2 files");
    assert!(found.untrusted);
    let one = desk.perform("files.grep", json!({"pattern": "Price", "path": "a.txt"}));
    assert_eq!(
        one.data,
        json!([{"path": "a.txt", "line": 2, "text": "The Price"}])
    );
    assert_eq!(
        error_of(&desk.perform("files.grep", json!({"pattern": "(" }))).0,
        "ValueError"
    );
}

#[test]
fn grep_is_bounded_in_matches_and_in_the_length_of_lines() {
    let desk = Desk::new();
    desk.write("many.txt", "needle\n".repeat(limits::GREP_MATCHES_MAX + 5));
    let many = desk.perform("files.grep", json!({"pattern": "needle"}));
    let items = many.data.as_array().unwrap();
    assert_eq!(items.len(), limits::GREP_MATCHES_MAX + 1);
    assert_eq!(
        items[limits::GREP_MATCHES_MAX]["text"],
        json!("[cut: more than 1000 lines match; narrow the pattern]")
    );
    desk.write(
        "many.txt",
        format!("{}needle{}", "中".repeat(5000), "x".repeat(5000)),
    );
    let long = desk.perform("files.grep", json!({"pattern": "needle"}));
    let text = long.data[0]["text"].as_str().unwrap();
    assert!(
        text.contains("needle") && text.chars().count() <= limits::GREP_LINE_CHARS_MAX + 2,
        "{}",
        text.len()
    );
}

#[test]
fn a_pattern_that_would_explode_is_refused() {
    let outcome = Desk::new().perform("files.grep", json!({"pattern": "(\\w{1000}){1000}"}));
    assert_eq!(error_of(&outcome).0, "ValueError");
}

#[test]
fn denied_access_is_told_as_permission_error() {
    let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
    let error = ToolError::io(Path::new("secret.txt"), denied);
    assert_eq!(error.kind(), "PermissionError");
    assert!(
        error
            .to_string()
            .starts_with("'secret.txt' may not be read by this user account")
    );
}

#[test]
fn attachments_are_told_apart_by_their_content() {
    let desk = Desk::new();
    let kind = |path: &Path| attach(path);
    let text = kind(&desk.write("记录 1.bin", "one\ntwo"));
    assert_eq!(
        (text.kind.as_str(), text.lines, text.bytes, text.name.as_str()),
        ("text", 2, 7, "记录 1.bin")
    );
    assert_eq!(kind(&desk.write("x.txt", b"GIF89a....")).kind, "image");
    assert_eq!(kind(&desk.granted).kind, "folder");
    assert_eq!(kind(&desk.write("empty", "")).lines, 0);
    let missing = kind(&desk.granted.join("none"));
    assert_eq!(
        (missing.kind.as_str(), missing.reason),
        ("unreadable", Some(Unreadable::Missing))
    );
    assert_eq!(
        kind(&desk.write("x.pdf", "%PDF-1.7")).reason,
        Some(Unreadable::Binary)
    );
}

#[test]
fn an_excerpt_ends_with_a_whole_line() {
    let desk = Desk::new();
    let path = desk.write("log.txt", "first line\nsecond line\nthird line\n");
    let part = excerpt(&path, 25).unwrap();
    assert_eq!(
        part,
        Excerpt {
            text: "first line\nsecond line\n".to_owned(),
            more: true
        }
    );
    assert!(!excerpt(&path, 1000).unwrap().more);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_path_text_panics_or_reads_outside(text in "(\\.\\./|\\./|/|~|[a-z]{1,3}|中|\\PC){0,12}") {
        let desk = Desk::new();
        fs::write(desk.beside.join("a"), "outside").unwrap();
        let read = call("files.read", json!({"path": text}));
        let outcome = perform(&read, &desk.environment()).unwrap();
        prop_assert!(outcome.error.is_some());
        if let Reach::Outside { path } = reach(&read, &desk.environment()) {
            prop_assert!(path.is_absolute() && !path.starts_with(&desk.granted));
        }
    }

    #[test]
    fn no_pattern_panics(pattern in "\\PC{0,40}") {
        let desk = Desk::new();
        desk.write("a/b.txt", "hello");
        let glob = desk.perform("files.glob", json!({"pattern": pattern}));
        prop_assert!(glob.error.is_some() || glob.data.is_array());
        let grep = desk.perform("files.grep", json!({"pattern": pattern}));
        prop_assert!(grep.error.is_some() || grep.data.is_array());
    }

    #[test]
    fn a_star_matches_exactly_the_names_of_its_folder(names in proptest::collection::btree_set("[a-zA-Z0-9_.-]{1,8}", 1..8)) {
        let desk = Desk::new();
        let names: Vec<String> = names.into_iter().filter(|name| name != "." && name != "..").collect();
        for name in &names {
            desk.write(name, "");
            desk.write(&format!("sub.folder/{name}"), "");
        }
        let found = desk.perform("files.glob", json!({"pattern": "*"}));
        prop_assert_eq!(paths(&found), names.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn any_utf_8_text_comes_back_whole(text in "\\PC{0,200}(\n\\PC{0,50}){0,5}") {
        let desk = Desk::new();
        desk.write("any.txt", &text);
        let outcome = desk.read("any.txt");
        let is_marked = text.starts_with('\u{feff}');
        prop_assert!(is_marked || outcome.data == json!(text), "{:?}", outcome);
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let desk = Desk::new();
        let path = desk.write("any.bin", &bytes);
        let outcome = desk.read("any.bin");
        prop_assert!(outcome.error.is_some() || outcome.data.is_string());
        prop_assert_ne!(attach(&path).kind, "");
    }
}
