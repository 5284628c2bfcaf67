//! Listing, globbing and searching, within bounds.

use super::*;

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
    let found = desk.perform("files.glob", json!({"pattern": "*/*", "folders": true}));
    assert_eq!(paths(&found), ["src/c.rs", "src/deep", "中文/f.rs"]);
    assert_eq!(found.summary, "3 entries");
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
            {"path": "a.txt", "line": 2, "place": "line 2", "text": "The Price"},
            {"path": "b/gbk.txt", "line": 2, "place": "line 2", "text": "价格：十二元"},
        ])
    );
    assert_eq!(found.summary, "2 lines in 2 files");
    assert!(found.untrusted);
    let one = desk.perform("files.grep", json!({"pattern": "Price", "path": "a.txt"}));
    assert_eq!(
        one.data,
        json!([{"path": "a.txt", "line": 2, "place": "line 2", "text": "The Price"}])
    );
    assert_eq!(
        error_of(&desk.perform("files.grep", json!({"pattern": "(" }))).0,
        "ValueError"
    );
}

#[test]
fn a_search_names_the_documents_that_it_left_out_and_why() {
    let desk = Desk::new();
    desk.write("a/report.pdf", "%PDF-1.7 needle");
    desk.write("a/terms.docx", "PK\x03\x04 needle");
    desk.write("a/library.jar", "PK\x03\x04 needle");
    desk.write("a/notes.txt", "a needle");
    let environment = Environment {
        library: Some(Library::new(
            desk.beside.join("texts"),
            desk.beside.join("no reader"),
        )),
        ..desk.environment()
    };
    for (tool, args) in [
        ("files.grep", json!({"pattern": "needle"})),
        ("files.find", json!({"text": "needle"})),
    ] {
        let found = perform(&call(tool, args), &environment).unwrap();
        assert_eq!(paths(&found), ["a/notes.txt", ""], "{tool}");
        let told = found.data[1]["text"].as_str().unwrap();
        assert!(
            told.starts_with("[not searched: a/")
                && told.contains(" (the program that reads documents is missing"),
            "{told}"
        );
        assert!(
            told.contains("a/report.pdf") && told.contains("a/terms.docx") && !told.contains("library.jar"),
            "{told}"
        );
        assert!(
            found.summary.ends_with(", some not searched"),
            "{}",
            found.summary
        );
    }
    desk.write("a/other.txt", "nothing");
    let found = perform(&call("files.grep", json!({"pattern": "needle"})), &environment).unwrap();
    assert_eq!(found.summary, "1 line in 1 file, some not searched");
    let named = json!({"pattern": "needle", "path": "a/notes.txt"});
    let found = perform(&call("files.grep", named), &environment).unwrap();
    assert_eq!(paths(&found), ["a/notes.txt"], "nothing was left out");
}

#[test]
fn documents_beyond_the_bound_of_one_search_are_counted() {
    let desk = Desk::new();
    for number in 0..limits::FOLDER_DOCUMENTS_MAX + 2 {
        desk.write(&format!("{number:02}.pdf"), "%PDF-1.7");
    }
    // It says nothing that a reader says, and so each document counts as damaged.
    let silent = ["/bin/true", "/usr/bin/true"].map(PathBuf::from);
    let Some(silent) = silent.into_iter().find(|program| program.exists()) else {
        println!("NOT RUN: there is no program `true`");
        return;
    };
    let environment = Environment {
        library: Some(Library::new(desk.beside.join("texts"), silent)),
        ..desk.environment()
    };
    let found = perform(&call("files.grep", json!({"pattern": "x"})), &environment).unwrap();
    let told = found.data[0]["text"].as_str().unwrap();
    assert!(
        told.contains("40 documents (it is damaged); 2 documents (beyond 40 in one search"),
        "{told}"
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
