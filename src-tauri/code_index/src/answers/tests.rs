//! What programs are told of a small repository.

use super::*;
use crate::index::Folder;
use shidi_reader::language::Language;
use shidi_reader::outline::Outline;
use shidi_reader::outlined;
use std::path::Path;

const FILES: [(&str, &str); 5] = [
    (
        "src/store.rs",
        "//! Keeps sessions.\n\n/// Everything that is kept.\npub struct Store;\nimpl Store {\n    pub fn open() -> Self { Self }\n    \
         /// Removes a session and its files.\n    pub fn erase(&self, id: u32) { self.touch(); }\n    fn touch(&self) {}\n}\n",
    ),
    (
        "src/sessions.rs",
        "use crate::store::Store;\n\npub fn remove(store: &Store) {\n    store.erase(1);\n    store.erase(2);\n}\n\
         pub struct Session;\nimpl Session { pub fn erase(&self) {} }\nfn drop_all(all: Vec<Session>) { for one in all { one.erase(); } }\n",
    ),
    (
        "src/main.rs",
        "fn main() { let store = Store::open(); sessions::remove(&store); }\n",
    ),
    (
        "tests/erasing.rs",
        "#[test]\nfn a_session_goes() { Store::open().erase(1); remove(&store()); }\n",
    ),
    (
        "tools/report.py",
        "def report(path):\n    \"\"\"Writes the weekly report.\"\"\"\n    return path\n",
    ),
];

fn view() -> View {
    view_of(FILES)
}

fn view_of(sources: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>) -> View {
    let mut files = std::collections::HashMap::new();
    for (path, text) in sources {
        let (path, text) = (path.as_ref(), text.as_ref());
        let language = Language::of(Path::new(path)).expect("a language");
        let outline: Option<Outline> = outlined(language, text);
        files.insert(
            path.to_owned(),
            crate::index::IndexedFile::for_test(language, outline),
        );
    }
    Folder::new("/repository".into(), files, crate::vectors::Vectors::default()).view_of_all()
}

fn find(name: &str) -> String {
    find::find(&view(), name, 10, None).text
}

fn callers(name: &str) -> String {
    callers::callers(&view(), name).text
}

#[test]
fn an_exact_name_is_found_with_its_line_and_its_description() {
    assert_eq!(
        find("Store"),
        "src/store.rs:4 pub struct Store — Everything that is kept\n"
    );
    assert_eq!(find("store.erase"), find("Store::erase"));
    assert_eq!(
        find("Store::erase"),
        "src/store.rs:8 pub fn erase(&self, id: u32)  [in Store] — Removes a session and its files\n"
    );
    assert_eq!(find("erase").lines().count(), 2, "{}", find("erase"));
}

#[test]
fn a_question_in_words_finds_by_names_and_descriptions() {
    for question in [
        "where are sessions removed",
        "remove session",
        "removing of a session's files",
    ] {
        assert!(
            find(question).contains("src/store.rs:8"),
            "{question}: {}",
            find(question)
        );
    }
    assert!(find("weekly report").contains("tools/report.py:1 def report(path)"));
    assert!(find("weather in Paris").contains("nothing found"));
    assert!(find("").contains("nothing found"));
}

#[test]
fn what_calls_a_method_is_told_by_its_type_and_apart_from_tests() {
    let told = callers("Store.erase");
    assert_eq!(
        told,
        "defined: src/store.rs:8 pub fn erase(&self, id: u32)  [in Store]\n\
         called 2 times from:\nsrc/sessions.rs\n  remove :4,5\n\
         not shown: 2 calls of 'erase' on other or unknown types; code.callers('erase') shows them\n"
    );
    let all = callers("erase");
    assert!(
        all.contains("drop_all :9") && all.contains("in tests 1 time:"),
        "{all}"
    );
}

#[test]
fn what_uses_a_type_is_told_too_and_where_it_is_brought_in() {
    let told = callers("Store");
    assert!(
        told.starts_with("defined: src/store.rs:4 pub struct Store\nused "),
        "{told}"
    );
    assert!(
        told.contains("  remove :3\n") && told.contains("main :1"),
        "{told}"
    );
    assert!(told.contains("named at the top of src/sessions.rs:1\n"), "{told}");
}

#[test]
fn a_name_that_is_nowhere_says_so() {
    let told = callers("vanish");
    assert!(
        told.starts_with("'vanish' is not defined in these files\ncalled nowhere"),
        "{told}"
    );
}

#[test]
fn a_digest_has_languages_beginnings_rooms_and_tests_within_its_bound() {
    let told = digest::digest(&view(), "").text;
    assert!(told.starts_with("Rust 4 files"), "{told}");
    assert!(told.contains("Python 1 file"), "{told}");
    assert!(told.contains("begins: src/main.rs:1\n"), "{told}");
    assert!(told.contains("src/") && told.contains("Store"), "{told}");
    assert!(told.ends_with("tests: 1 file in tests\n"), "{told}");
}

#[test]
fn a_digest_of_a_folder_with_many_parts_names_the_largest_ones_and_keeps_the_others_together() {
    let sources = (0..60).map(|part| {
        let text = format!("pub struct Part{part};\n{}", "\n".repeat(part));
        (format!("crates/part{part}/src/lib.rs"), text)
    });
    let told = digest::digest(&view_of(sources), "").text;
    let rooms = || told.lines().filter(|line| line.contains(" lines: "));
    assert_eq!(rooms().count(), crate::limits::ROOMS_MAX, "{told}");
    assert!(
        told.contains("crates/part59/") && told.contains(": Part59"),
        "{told}"
    );
    let others = rooms()
        .find(|line| line.starts_with("crates/ "))
        .expect("the others");
    assert!(
        others.starts_with(&format!("crates/ {} files", 61 - crate::limits::ROOMS_MAX)),
        "{told}"
    );
}

#[test]
fn names_of_a_language_and_what_one_file_sees_are_no_main_names_of_a_repository() {
    let user = |file: usize| {
        let own = match file {
            0..5 => "own();",
            5..15 => "hidden();",
            _ => "",
        };
        let text = format!("fn f{file}(all: Arc<u8>) {{ {own} }}\n");
        (format!("src/f{file}.rs"), text)
    };
    let here = "pub struct Arc;\nfn hidden() {}\npub fn own() {}\n";
    let sources = (0..120)
        .map(user)
        .chain([("src/a.rs".to_owned(), here.to_owned())]);
    let told = digest::digest(&view_of(sources), "").text;
    assert!(told.contains(" lines: own, Arc, "), "{told}");
}

#[test]
fn an_answer_says_what_is_not_read_yet() {
    let mut view = view();
    view.unread = 7;
    view.is_cut = true;
    let said = left_out(&view).expect("said");
    assert!(
        said.contains("7 of 12 files are not indexed yet") && said.contains("more files than"),
        "{said}"
    );
}
