//! The declarations of the toolkits, and the check of arguments.

use super::*;

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
            // These are no parameters: the runtime reads them out of an address or a host.
            let read_out = [crate::web::HOST, crate::shell::NETWORK];
            let matters = method.matters.iter();
            for matter in matters.filter(|matter| !read_out.contains(&matter.as_str())) {
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
fn a_program_may_ask_for_a_shorter_conversation() {
    let system = declared().into_iter().find(|toolkit| toolkit.name == "system");
    let compress = system.and_then(|system| system.method("compress").cloned());
    assert!(compress.is_some_and(|compress| compress.parameters.is_empty() && compress.class == Class::Read));
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

/// Declarations for the model are English; people read the words of the workbench.
#[test]
fn every_built_in_toolkit_has_words_of_the_workbench_in_both_languages() {
    let read = |path: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src");
        fs::read_to_string(root.join(path)).unwrap()
    };
    for (file, mark) in [
        ("tools/labels.ts", "  NAME: 'toolkit_NAME'"),
        ("../../assets/locales/zh/windows_tools.json", "\"toolkit_NAME\": "),
        ("../../assets/locales/en/windows_tools.json", "\"toolkit_NAME\": "),
    ] {
        let text = read(file);
        for toolkit in declared() {
            let mark = mark.replace("NAME", &toolkit.name);
            assert!(text.contains(&mark), "{file} lacks {mark}");
        }
    }
}
