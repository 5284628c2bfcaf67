//! Texts, attachments, and files that are refused instead of being read.

use super::*;
use shidi_protocol::Unreadable;

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
fn a_look_tells_the_whole_path_and_a_mark_at_the_beginning() {
    let desk = Desk::new();
    desk.write("marked.txt", b"\xef\xbb\xbfname\n");
    desk.write("plain.txt", "name\n");
    let looked = |path: &str| desk.perform("files.info", json!({"path": path})).data;
    let (marked, plain) = (looked("marked.txt"), looked("plain.txt"));
    assert_eq!(
        (&marked["encoding"], &marked["bytes"]),
        (&json!("UTF-8-SIG"), &json!(8))
    );
    assert_eq!(plain["encoding"], "UTF-8");
    let absolute = plain["absolute"].as_str().unwrap();
    assert!(
        Path::new(absolute).is_absolute() && absolute.ends_with("plain.txt"),
        "{plain}"
    );
}

#[test]
fn a_look_that_finds_nothing_fails_only_where_nobody_expected_that() {
    let desk = Desk::new();
    desk.write("a.txt", "a");
    for path in ["b.txt", "no/folder/b.txt"] {
        let found = desk.perform("files.info", json!({"path": path, "missing_ok": true}));
        assert_eq!((found.data, found.error), (Value::Null, None), "{path}");
        assert!(!found.untrusted, "{path}");
    }
    let there = desk.perform("files.info", json!({"path": "a.txt", "missing_ok": true}));
    assert_eq!(there.data["kind"], "file");
    let missing = desk.perform("files.info", json!({"path": "b.txt"}));
    assert_eq!(error_of(&missing).0, "FileNotFoundError");
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
        ("ValueError", "'photo.txt' is not text (image/png, 12 bytes)")
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
fn a_path_that_is_none_is_answered_with_the_names_that_are_near() {
    let desk = Desk::new();
    for name in ["待办.txt", "notes.md", "deep/report.md", ".env"] {
        desk.write(name, "x");
    }
    let missing = desk.read("todo.txt");
    assert_eq!(
        error_of(&missing),
        (
            "FileNotFoundError",
            "'todo.txt' does not exist; nearest: '待办.txt', 'notes.md'"
        )
    );
    assert!(missing.untrusted, "whoever made the files chose their names");
    let elsewhere = desk.read("report.md");
    let message = error_of(&elsewhere).1;
    assert!(
        message.starts_with("'report.md' does not exist; nearest: 'deep/report.md', "),
        "{message}"
    );
    // A folder that is none: the file of that name is found, and a listing is told of folders alone.
    let message = desk.read("deeper/report.md");
    assert!(
        error_of(&message).1.ends_with("nearest: 'deep/report.md'"),
        "{message:?}"
    );
    let listed = desk.perform("files.list", json!({"path": "deeper"}));
    assert_eq!(error_of(&listed).1, "'deeper' does not exist; nearest: 'deep'");
    let edit = json!({"path": "note.md", "old": "x", "new": "y"});
    let edited = desk.perform("files.edit", edit);
    assert!(error_of(&edited).1.contains("nearest: 'notes.md'"), "{edited:?}");
    let absolute = desk.granted.join("todo.txt").display().to_string();
    let near = desk.granted.join("待办.txt").display().to_string();
    assert!(error_of(&desk.read(&absolute)).1.contains(&near));
}

#[test]
fn an_error_names_nothing_that_rules_keep_back_and_nothing_outside_the_granted_folders() {
    let desk = Desk::new();
    for name in ["open.txt", "private/same.txt", "private.txt"] {
        desk.write(name, "x");
    }
    fs::write(desk.beside.join("beside.txt"), "x").unwrap();
    let told = |path: &str, unnamed: Option<DeniedPaths>| {
        let environment = Environment {
            unnamed,
            permitted: Class::ReadOutside,
            ..desk.environment()
        };
        let outcome = perform(&call("files.read", json!({"path": path})), &environment).unwrap();
        error_of(&outcome).1.to_owned()
    };
    let kept_back = || Some(DeniedPaths::by(|path| path.contains("private")));
    for path in ["same.txt", "private/other.txt"] {
        let message = told(path, kept_back());
        let near = message.split_once("exist;").unwrap().1;
        assert!(!near.contains("private"), "{message}");
        assert!(told(path, Some(DeniedPaths::default())).contains("private/same.txt"));
    }
    let plain = "does not exist; files.list and files.glob show what is there";
    assert!(
        told("open.md", None).ends_with(plain),
        "a program that may not list"
    );
    let outside = desk.beside.join("missing.txt").display().to_string();
    assert!(told(&outside, Some(DeniedPaths::default())).ends_with(plain));
}

#[test]
fn names_near_a_missing_path_are_looked_for_within_bounds() {
    let desk = Desk::new();
    for number in 0..limits::NEAR_ENTRIES_MAX {
        desk.write(&format!("f{number}.txt"), "");
    }
    desk.write("deep/same.md", "");
    let plain = "does not exist; files.list and files.glob show what is there";
    let missing = desk.read("same.md");
    let message = error_of(&missing).1;
    assert!(message.ends_with(plain), "the first ones of a disk: {message}");
    let missing = desk.read("f7.tx");
    let message = error_of(&missing).1;
    assert_eq!(
        message.matches(".txt'").count(),
        limits::NEAR_NAMES_MAX,
        "{message}"
    );
}

#[test]
fn short_names_that_have_an_ending_in_common_are_not_near() {
    let desk = Desk::new();
    for name in ["ui", "ab", "my", "os", "ci", "me"] {
        desk.write(&format!("{name}.json"), "{}");
        desk.write(&format!("{name}.test.json"), "{}");
    }
    for missing in ["db.json", "db.test.json"] {
        let missing = desk.read(missing);
        let message = error_of(&missing).1;
        assert!(message.ends_with("show what is there"), "{message}");
    }
    // A longer name may differ by more.
    desk.write("configuration.json", "{}");
    let near = "nearest: 'configuration.json'";
    for wanted in ["configuraton.json", "configurations.yaml", "konfiguration.json"] {
        let missing = desk.read(wanted);
        let message = error_of(&missing).1;
        assert!(message.ends_with(near), "{message}");
    }
    desk.write("db.yaml", "");
    let missing = desk.read("db.json");
    let message = error_of(&missing).1;
    assert!(message.ends_with("nearest: 'db.yaml'"), "{message}");
}

#[test]
fn a_file_that_a_program_only_looks_for_is_answered_in_our_words_alone() {
    let desk = Desk::new();
    for number in 0..=limits::NEAR_NAMES_MAX {
        desk.write(&format!("entry{number}.csv"), "x");
    }
    let missing = desk.read("config.yaml");
    assert_eq!(
        error_of(&missing).1,
        "'config.yaml' does not exist; files.list and files.glob show what is there"
    );
    assert!(!missing.untrusted, "nothing of it is a stranger's");
    desk.write("config.yml", "x");
    let missing = desk.read("config.yaml");
    assert_eq!(
        error_of(&missing).1,
        "'config.yaml' does not exist; nearest: 'config.yml'"
    );
    assert!(missing.untrusted, "whoever made the file chose its name");
}

#[cfg(unix)]
#[test]
fn an_error_that_quotes_what_was_found_is_a_strangers_and_one_in_our_words_is_not() {
    let desk = Desk::new();
    let missing = desk.read("nowhere.txt");
    assert!(!missing.untrusted, "it names what the program passed");
    let wrong = desk.perform("files.grep", json!({"pattern": "(", "path": "."}));
    assert!(!wrong.ok() && !wrong.untrusted);
    desk.write("real.txt", "x");
    std::os::unix::fs::symlink("real.txt", desk.granted.join("link.txt")).unwrap();
    let mut moved = call("files.read", json!({"path": "link.txt"}));
    moved.places.insert("path".into(), "/elsewhere".into());
    let moved = perform(&moved, &desk.environment()).unwrap();
    assert!(
        !moved.ok() && moved.untrusted,
        "whoever made the link chose where it leads"
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
    assert_eq!(
        attach(&pipe, None, &mut |_, _| {}).attachment.reason,
        Some(Unreadable::Special)
    );
}

#[test]
fn attachments_are_told_apart_by_their_content() {
    let desk = Desk::new();
    let kind = |path: &Path| attach(path, None, &mut |_, _| {}).attachment;
    let text = kind(&desk.write("记录 1.bin", "one\ntwo"));
    assert_eq!(
        (text.kind.as_str(), text.lines, text.bytes, text.name.as_str()),
        ("text", 2, 7, "记录 1.bin")
    );
    assert_eq!(
        kind(&desk.write("x.txt", b"GIF89a....")).reason,
        Some(Unreadable::Binary),
        "no reader, no picture"
    );
    assert_eq!(kind(&desk.granted).kind, "folder");
    assert_eq!(kind(&desk.write("empty", "")).reason, Some(Unreadable::Empty));
    assert_eq!(
        kind(&desk.write("blank.txt", " \n\t\n")).reason,
        Some(Unreadable::Empty)
    );
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

#[test]
fn a_picture_is_read_whole_or_not_at_all() {
    let desk = Desk::new();
    let path = desk.write("shot.dat", b"\x89PNG\r\n\x1a\n____");
    let found = picture(&path, None, 12).unwrap();
    assert_eq!((found.media_type.as_str(), found.bytes.len()), ("image/png", 12));
    assert_eq!(picture(&path, None, 11), None);
    assert_eq!(picture(&desk.write("shot.png", "no picture"), None, 100), None);
}
