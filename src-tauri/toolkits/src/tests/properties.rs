//! Properties that hold for any path, pattern and content.

use super::*;
use proptest::prelude::*;

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
        prop_assert_ne!(attach(&path, None, &mut |_, _| {}).attachment.kind, "");
    }
}
