//! A call of a program as an editor shows it: its kind, the files that it concerns, its changes.

use crate::limits::TITLE_CHARACTERS_MAX;
use serde_json::{Value, json};
use shidi_protocol::{CallId, JsonMap, RunId, exact};
use std::path::Path;

/// The name of a call within a session.
#[must_use]
pub fn id_of(run: &RunId, call: CallId) -> String {
    format!("{run}/{call}")
}

/// The kind by which editors choose a picture.
#[must_use]
pub fn kind(toolkit: &str, method: &str) -> &'static str {
    match (toolkit, method) {
        ("files", "glob" | "grep" | "find") | ("code", _) => "search",
        ("files", "delete") => "delete",
        ("files", "move") => "move",
        ("files", "read" | "list" | "info" | "outline" | "diff") => "read",
        ("files", _) => "edit",
        ("shell", _) => "execute",
        ("web", "search") | ("knowledge" | "memory" | "results", _) => "search",
        ("web", _) => "fetch",
        _ => "other",
    }
}

/// A call in one line: its tool, and the argument that tells most.
#[must_use]
pub fn title(tool: &str, args: &JsonMap) -> String {
    let telling = ["path", "command", "url", "query", "pattern", "host"];
    let argument = telling.iter().find_map(|name| args.get(*name)?.as_str());
    let whole = match argument {
        Some(argument) => format!("{tool} {argument}"),
        None => tool.to_owned(),
    };
    exact(&shortened(&whole, TITLE_CHARACTERS_MAX)).into_owned()
}

/// The beginning of a text; what is cut says so.
#[must_use]
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Files that a call names, in the folder of the session.
#[must_use]
pub fn locations(toolkit: &str, args: &JsonMap, folder: Option<&str>) -> Vec<Value> {
    if toolkit != "files" {
        return Vec::new();
    }
    let paths = ["path", "to"].iter().filter_map(|name| args.get(*name)?.as_str());
    paths
        .filter_map(|path| absolute(path, folder))
        .map(|path| json!({"path": path}))
        .collect()
}

/// A path as programs write it, in full. `None` for a path that begins elsewhere than at the folder or the
/// root.
#[must_use]
pub fn absolute(path: &str, folder: Option<&str>) -> Option<String> {
    if Path::new(path).is_absolute() {
        return Some(path.to_owned());
    }
    if path.starts_with('~') || path.is_empty() {
        return None;
    }
    let whole = Path::new(folder?).join(path);
    Some(whole.to_string_lossy().into_owned())
}

/// The whole call, each argument on lines of its own: what was never shown can't be approved.
#[must_use]
pub fn whole(tool: &str, args: &JsonMap) -> String {
    let mut text = tool.to_owned();
    for (name, value) in args {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.push_str(&format!("\n{name} = {value}"));
    }
    fenced(&lines_exact(&text))
}

/// A text as code that nothing in it can close.
#[must_use]
pub fn fenced(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

/// Lines whose unseen characters are written out.
fn lines_exact(text: &str) -> String {
    let lines = text.split('\n').map(|line| exact(line).into_owned());
    lines.collect::<Vec<_>>().join("\n")
}

/// A text as the content of a call.
#[must_use]
pub fn content(text: &str) -> Value {
    json!({"type": "content", "content": {"type": "text", "text": text}})
}

/// A change of a file; `None` for a file that is new.
#[must_use]
pub fn diff(path: &str, before: Option<&str>, after: &str) -> Value {
    json!({"type": "diff", "path": path, "oldText": before, "newText": after})
}

/// The places of a patch, each as a change of its own.
#[must_use]
pub fn diffs(path: &str, patch: &str, is_new: bool) -> Vec<Value> {
    let mut places: Vec<(String, String)> = Vec::new();
    for line in patch.lines() {
        if line.starts_with("@@") {
            places.push((String::new(), String::new()));
            continue;
        }
        // Lines before the first place name the file.
        let Some((before, after)) = places.last_mut() else {
            continue;
        };
        let (sign, text) = line.split_at(line.chars().next().map_or(0, char::len_utf8));
        if matches!(sign, " " | "-" | "") {
            before.push_str(&format!("{text}\n"));
        }
        if matches!(sign, " " | "+" | "") {
            after.push_str(&format!("{text}\n"));
        }
    }
    let is_whole = is_new && places.len() == 1;
    let places = places.iter();
    places
        .map(|(before, after)| diff(path, (!is_whole).then_some(before), after))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn args(value: Value) -> JsonMap {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_call_has_a_kind_a_line_and_its_files() {
        assert_eq!(kind("files", "write"), "edit");
        assert_eq!(kind("shell", "run"), "execute");
        assert_eq!(kind("wiki", "read"), "other");
        let args = args(json!({"path": "a.txt", "text": "x"}));
        assert_eq!(title("files.write", &args), "files.write a.txt");
        assert_eq!(
            locations("files", &args, Some("/project")),
            [json!({"path": "/project/a.txt"})]
        );
        assert!(locations("files", &args, None).is_empty());
    }

    #[test]
    fn nothing_in_a_call_closes_its_frame_or_stays_unseen() {
        let args = args(json!({"command": "a\n```\nb\u{202e}c"}));
        let whole = whole("shell.run", &args);
        assert!(
            whole.starts_with("````\nshell.run\ncommand = a\n```\nb"),
            "{whole}"
        );
        assert!(
            whole.ends_with("\n````") && !whole.contains('\u{202e}'),
            "{whole}"
        );
    }

    #[test]
    fn a_patch_becomes_a_change_for_each_place() {
        let patch = "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n@@ -9 +9,2 @@\n nine\n+ten\n";
        assert_eq!(
            diffs("/a.txt", patch, false),
            [
                diff("/a.txt", Some("one\ntwo\n"), "one\nzwei\n"),
                diff("/a.txt", Some("nine\n"), "nine\nten\n")
            ]
        );
        assert_eq!(
            diffs("/b", "@@ -0,0 +1 @@\n+new\n", true),
            [diff("/b", None, "new\n")]
        );
    }

    proptest! {
        #[test]
        fn no_patch_ends_the_reader(patch in "([@+ é\\-]{0,3}[a-z]{0,3}\n?){0,20}") {
            prop_assert!(diffs("/a", &patch, false).len() <= patch.matches("@@").count());
        }
    }
}
