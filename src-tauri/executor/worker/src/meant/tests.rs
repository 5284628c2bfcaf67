//! Names that are taken for others, those that are not, and calls that stay as they are.

use super::{Meaning, Method, Value, exists, meanings};
use shidi_executor_proto::{MethodShape, ParameterShape, ToolkitShape};

/// Methods of `files` with their parameters.
const METHODS: &[(&str, &[&str])] = &[
    ("delete", &["path"]),
    ("diff", &["path", "text"]),
    ("edit", &["path", "old", "new", "all"]),
    ("find", &["text", "path", "limit"]),
    ("glob", &["pattern", "path", "folders"]),
    ("grep", &["pattern", "path", "ignore_case"]),
    ("info", &["path", "missing_ok"]),
    ("list", &["path", "depth"]),
    ("make_folder", &["path"]),
    ("move", &["path", "to"]),
    ("read", &["path", "offset_line", "limit_lines", "part"]),
    ("write", &["path", "text", "append"]),
    ("write_document", &["path", "markdown"]),
    ("zip", &["path", "to"]),
];

const STRANGE: &[&str] = &[
    "content", "data", "encoding", "file", "filename", "folder", "name",
];

/// Calls whose names have two meanings or none, or give a parameter twice.
const UNCLEAR: &[(&str, usize, &[&str])] = &[
    ("move", 0, &["file", "folder"]),
    ("zip", 1, &["folder"]),
    ("glob", 0, &["filename"]),
    ("find", 0, &["file"]),
    ("read", 1, &["file"]),
    ("read", 0, &["path", "file"]),
    ("read", 0, &["file", "filename"]),
    ("write", 1, &["content", "data"]),
    ("write", 2, &["content"]),
    ("read", 0, &["name"]),
    ("edit", 1, &["content"]),
    ("list", 0, &["encoding"]),
];

fn method(name: &str) -> Method<'_> {
    let known = METHODS.iter().find(|(known, _)| *known == name);
    let parameters: &'static [&'static str] = known.map(|(_, parameters)| *parameters).unwrap_or_default();
    Method {
        toolkit: "files",
        name,
        parameters,
        knows_files: true,
    }
}

/// The meanings of named texts.
fn meant<'n>(name: &str, positional: usize, named: &[&'n str]) -> Vec<(&'n str, Meaning)> {
    let named: Vec<(&str, Value<'_>)> = named.iter().map(|name| (*name, Value::Text("utf-8"))).collect();
    meanings(&method(name), positional, &named)
}

fn meant_by_encoding(name: &str, value: Value<'_>) -> Option<Meaning> {
    let meant = meanings(&method(name), 1, &[("encoding", value)]);
    meant.first().map(|(_, meaning)| *meaning)
}

/// Every choice of some of the names.
fn choices<'n>(names: &[&'n str]) -> Vec<Vec<&'n str>> {
    (0..1_usize << names.len())
        .map(|bits| {
            let chosen = names.iter().enumerate().filter(|(at, _)| (bits >> at) & 1 == 1);
            chosen.map(|(_, name)| *name).collect()
        })
        .collect()
}

#[test]
fn a_name_with_one_meaning_is_that_parameter() {
    for (name, positional, named, own) in [
        ("list", 0, "folder", "path"),
        ("make_folder", 0, "directory", "path"),
        ("glob", 1, "dir", "path"),
        ("read", 0, "file", "path"),
        ("write", 0, "filename", "path"),
        ("write", 1, "content", "text"),
        ("write_document", 1, "data", "markdown"),
    ] {
        let expected = vec![(named, Meaning::Parameter(own))];
        assert_eq!(meant(name, positional, &[named]), expected, "{name}");
    }
    let both = meant("write", 0, &["filepath", "contents", "append"]);
    let expected = [
        ("filepath", Meaning::Parameter("path")),
        ("contents", Meaning::Parameter("text")),
    ];
    assert_eq!(both, expected);
}

#[test]
fn a_name_with_two_meanings_or_a_second_argument_stays_what_it_is() {
    for (name, positional, named) in UNCLEAR {
        let found = meant(name, *positional, named);
        assert!(found.is_empty(), "{name} {named:?}: {found:?}");
    }
    let of_a_server = Method {
        toolkit: "mail",
        ..method("read")
    };
    assert!(meanings(&of_a_server, 0, &[("file", Value::Other)]).is_empty());
}

#[test]
fn an_encoding_that_says_nothing_is_dropped_and_an_old_one_must_fit_the_file() {
    for value in [
        Value::Text("UTF-8"),
        Value::Text("utf_8"),
        Value::None,
        Value::Later,
    ] {
        assert_eq!(meant_by_encoding("write", value), Some(Meaning::Nothing));
        assert_eq!(meant_by_encoding("read", value), Some(Meaning::Nothing));
    }
    let old = Value::Text("gbk");
    assert_eq!(meant_by_encoding("read", old), Some(Meaning::OldEncoding));
    assert_eq!(meant_by_encoding("write", old), None);
    assert_eq!(meant_by_encoding("write", Value::Text("utf-8-sig")), None);
    assert_eq!(meant_by_encoding("read", Value::Other), None);
    let blind = Method {
        knows_files: false,
        ..method("read")
    };
    assert!(meanings(&blind, 1, &[("encoding", old)]).is_empty());
}

#[test]
fn a_call_with_names_of_its_own_stays_as_it_is_and_no_parameter_is_given_twice() {
    for (name, parameters) in METHODS {
        for (own, strange) in choices(parameters)
            .iter()
            .flat_map(|own| choices(STRANGE).into_iter().map(move |strange| (own, strange)))
        {
            let named: Vec<&str> = own.iter().chain(&strange).copied().collect();
            for positional in 0..=parameters.len() {
                let found = meant(name, positional, &named);
                assert!(!strange.is_empty() || found.is_empty(), "{name} {named:?}");
                let mut given: Vec<&str> = own.clone();
                given.extend(&parameters[..positional]);
                for (from, meaning) in found {
                    assert!(strange.contains(&from), "{name} {named:?}");
                    if let Meaning::Parameter(to) = meaning {
                        assert!(
                            parameters.contains(&to) && !given.contains(&to),
                            "{name} {named:?}"
                        );
                        given.push(to);
                    }
                }
            }
        }
    }
}

#[test]
fn exists_is_there_where_info_can_answer_it() {
    let toolkit = |name: &str, methods: &[(&str, &str)]| ToolkitShape {
        name: name.to_owned(),
        methods: methods
            .iter()
            .map(|(method, parameter)| MethodShape {
                name: (*method).to_owned(),
                parameters: vec![ParameterShape {
                    name: (*parameter).to_owned(),
                    required: false,
                }],
            })
            .collect(),
        left_out: 0,
    };
    assert!(exists(&toolkit("files", &[("info", "missing_ok")])).is_some());
    for other in [
        toolkit("files", &[("info", "path")]),
        toolkit("files", &[("read", "missing_ok")]),
        toolkit("files", &[("info", "missing_ok"), ("exists", "path")]),
        toolkit("mail", &[("info", "missing_ok")]),
    ] {
        assert_eq!(exists(&other), None, "{other:?}");
    }
}
