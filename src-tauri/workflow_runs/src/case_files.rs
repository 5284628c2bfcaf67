//! Files that a finished run read whole, as its first case brings them along: it is tried in a folder that has nothing else.
//!
//! Pure. A path that leads out of that folder becomes a name in it, and so do the places where programs name the path. Secrets
//! are taken out, since a suite is a file that people share.

use crate::limits::{CASE_FILE_BYTES_MAX, CASE_FILES_BYTES_MAX};
use serde_json::Value;
use shidi_protocol::{CallRecord, CallState, Class};
use shidi_space::privacy::text_passed;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

/// Endings of documents. What is read of one is a text, and the case has no other.
const DOCUMENTS: [&str; 15] = [
    "pdf", "docx", "docm", "pptx", "ppsx", "pptm", "xlsx", "xlsm", "xls", "ods", "odt", "ott", "odp", "otp",
    "rtf",
];

/// The files of a case.
#[derive(Debug, Default)]
pub struct CaseFiles {
    /// By their names in the case's folder.
    pub files: BTreeMap<String, String>,
    /// Paths that the case lacks: the file is too large, or was read in part.
    pub left_out: BTreeSet<String>,
    /// Paths as programs write them, each with its name in the case's folder.
    renamed: Vec<(String, String)>,
}

impl CaseFiles {
    /// What a run's calls read, as each file was when it was read first. What the run wrote before that is its own work.
    pub fn of(calls: &[CallRecord]) -> Self {
        let mut files = Self::default();
        let mut settled: BTreeSet<&str> = BTreeSet::new();
        let is_of_files =
            |record: &&CallRecord| record.state == CallState::Done && record.call.toolkit == "files";
        for record in calls.iter().filter(is_of_files) {
            let Some(path) = record.call.args.get("path").and_then(Value::as_str) else {
                continue;
            };
            if record.call.method != "read" {
                if !matches!(record.class, Class::Read | Class::ReadOutside) {
                    let target = record.call.args.get("to").and_then(Value::as_str);
                    settled.insert(target.unwrap_or(path));
                }
                continue;
            }
            if settled.contains(path) {
                continue;
            }
            match whole(record) {
                Some(text) => {
                    settled.insert(path);
                    files.put(path, text);
                }
                None => {
                    files.left_out.insert(path.to_owned());
                }
            }
        }
        // A path may begin as another one does.
        files.renamed.sort_by_key(|(path, _)| Reverse(path.len()));
        files
    }

    /// A text in which the files have their names in the case's folder.
    pub fn told(&self, text: &str) -> String {
        let mut named = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(sign) = rest.chars().next() {
            // Chinese words stand without spaces around a path.
            let is_within_a_word = named
                .chars()
                .next_back()
                .is_some_and(|sign| sign.is_ascii_alphanumeric());
            let begins = |(path, _): &&(String, String)| rest.starts_with(path.as_str()) && !is_within_a_word;
            match self.renamed.iter().find(begins) {
                Some((path, name)) => {
                    named.push_str(name);
                    rest = &rest[path.len()..];
                }
                None => {
                    named.push(sign);
                    rest = &rest[sign.len_utf8()..];
                }
            }
        }
        text_passed(&named)
    }

    /// As [`CaseFiles::told`], in all texts of a value.
    pub fn told_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.told(text)),
            Value::Array(items) => items.iter().map(|item| self.told_value(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| (name.clone(), self.told_value(value)))
                .collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    fn put(&mut self, path: &str, text: &str) {
        let all: usize = self.files.values().map(String::len).sum();
        if text.len() > CASE_FILE_BYTES_MAX || all + text.len() > CASE_FILES_BYTES_MAX {
            self.left_out.insert(path.to_owned());
            return;
        }
        self.left_out.remove(path);
        let name = self.free(name_in_folder(path));
        if name != path {
            self.renamed.push((path.to_owned(), name.clone()));
        }
        self.files.insert(name, text_passed(text));
    }

    /// The name, with a number before it where another file is called so.
    fn free(&self, name: String) -> String {
        let numbered = (2_u32..).map(|number| format!("{number}-{name}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names.find(|name| !self.files.contains_key(name)).unwrap_or(name)
    }
}

/// The text of a file that a call read from its beginning to its end.
fn whole(record: &CallRecord) -> Option<&str> {
    let outcome = record.outcome.as_ref().filter(|outcome| outcome.ok())?;
    let args = &record.call.args;
    let is_part = args.get("part").is_some_and(|part| !part.is_null() && part != "");
    let is_later = args
        .get("offset_line")
        .is_some_and(|first| !first.is_null() && first != 1);
    let is_whole = !is_part && !is_later && !outcome.summary.ends_with("more follow");
    outcome.data.as_str().filter(|_| is_whole)
}

/// A path below the folder as it is; of any other one the last part.
fn name_in_folder(path: &str) -> String {
    let is_below = |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let stays = !path.contains('\\')
        && !path.starts_with('~')
        && Path::new(path).components().all(|part| is_below(&part));
    let parts = path
        .split(['/', '\\'])
        .filter(|part| !matches!(*part, "" | "." | ".." | "~"));
    let parts: Vec<&str> = parts.collect();
    let name = match stays {
        true => parts.join("/"),
        false => parts.last().copied().unwrap_or_default().to_owned(),
    };
    let ending = Path::new(&name)
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    match ending {
        Some(ending) if DOCUMENTS.contains(&ending.as_str()) => format!("{name}.txt"),
        _ if name.is_empty() => "file.txt".to_owned(),
        Some(_) | None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use shidi_protocol::{Call, CallId, CallOutcome, ExecId, Moment, RunId};

    fn record(method: &str, args: Value, class: Class, outcome: CallOutcome) -> CallRecord {
        CallRecord {
            run: RunId::from("r".to_owned()),
            call: Call {
                id: CallId(1),
                exec: ExecId(1),
                toolkit: "files".to_owned(),
                method: method.to_owned(),
                args: args.as_object().cloned().unwrap_or_default(),
                line: 1,
                places: BTreeMap::new(),
            },
            class,
            state: CallState::Done,
            grounds: Vec::new(),
            outcome: Some(outcome),
            answered: Some(1),
            started: Moment(0),
            ended: None,
        }
    }

    fn read(args: Value, text: &str, summary: &str) -> CallRecord {
        record(
            "read",
            args,
            Class::Read,
            CallOutcome::success(json!(text), summary),
        )
    }

    fn of(path: &str, text: &str) -> CallRecord {
        read(json!({"path": path}), text, "x · 1 line")
    }

    #[test]
    fn what_was_read_whole_comes_along_as_it_was_first_and_the_rest_is_named() {
        let files = CaseFiles::of(&[
            of("data/a.csv", "first"),
            of("data/a.csv", "second"),
            read(
                json!({"path": "head.txt"}),
                "h",
                "head.txt · 2 lines, more follow",
            ),
            read(
                json!({"path": "tail.txt", "offset_line": 3}),
                "t",
                "tail.txt · 2 lines",
            ),
            read(
                json!({"path": "book.pdf", "part": "2"}),
                "p",
                "book.pdf · 2 lines",
            ),
            read(
                json!({"path": "late.txt", "limit_lines": 1}),
                "l",
                "late.txt · 1 line, more follow",
            ),
            of("late.txt", "late"),
            of("big.txt", &"x".repeat(CASE_FILE_BYTES_MAX + 1)),
            record(
                "read",
                json!({"path": "gone.txt"}),
                Class::Read,
                CallOutcome::failure("FileNotFoundError", "gone"),
            ),
        ]);
        let there: Vec<(&str, &str)> = files
            .files
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        assert_eq!(there, [("data/a.csv", "first"), ("late.txt", "late")]);
        let left_out: Vec<&String> = files.left_out.iter().collect();
        assert_eq!(
            left_out,
            ["big.txt", "book.pdf", "gone.txt", "head.txt", "tail.txt"]
        );
    }

    #[test]
    fn what_the_run_wrote_before_it_read_it_is_not_there_beforehand() {
        let written = record(
            "write",
            json!({"path": "out.txt", "text": "x"}),
            Class::Write,
            CallOutcome::success(json!(1), "out.txt"),
        );
        let files = CaseFiles::of(&[written, of("out.txt", "x")]);
        assert!(files.files.is_empty() && files.left_out.is_empty(), "{files:?}");
    }

    #[test]
    fn a_path_that_leads_out_becomes_a_name_in_the_folder_wherever_it_is_named() {
        let files = CaseFiles::of(&[
            of("/data/me/a.txt", "1"),
            of("../b/a.txt", "2"),
            of("report.pdf", "3"),
            of("./c.txt", "4"),
        ]);
        let names: Vec<&String> = files.files.keys().collect();
        assert_eq!(names, ["2-a.txt", "a.txt", "c.txt", "report.pdf.txt"]);
        assert_eq!(
            files.told("read('/data/me/a.txt'), read('../b/a.txt'), read('report.pdf')"),
            "read('a.txt'), read('2-a.txt'), read('report.pdf.txt')"
        );
        assert_eq!(
            files.told_value(&json!({"paths": ["/data/me/a.txt"], "n": 1})),
            json!({"paths": ["a.txt"], "n": 1})
        );
        let files = CaseFiles::of(&[of("/home/me/a.txt", "1")]);
        assert_eq!(files.told("统计/home/me/a.txt里有几个词"), "统计a.txt里有几个词");
        // Each once, and no part of another name.
        let files = CaseFiles::of(&[of("x/a.pdf", "1"), of("a.pdf", "2")]);
        assert_eq!(
            files.told("x/a.pdf a.pdf data.pdf"),
            "x/a.pdf.txt a.pdf.txt data.pdf"
        );
    }

    #[test]
    fn names_lead_nowhere_and_secrets_stay() {
        for (path, name) in [
            ("../../etc/passwd", "passwd"),
            ("..", "file.txt"),
            ("/", "file.txt"),
            ("C:\\x\\sales.csv", "sales.csv"),
            ("~/notes.md", "notes.md"),
            ("a//b/./c", "a/b/c"),
        ] {
            assert_eq!(name_in_folder(path), name, "{path:?}");
        }
        let secret = "sk-abcdefghijklmnopqrstuvwx";
        let files = CaseFiles::of(&[of("a.txt", &format!("key {secret} end"))]);
        assert!(!files.files["a.txt"].contains(secret), "{files:?}");
        assert!(!files.told(secret).contains(secret));
    }
}
