//! The error text of a failed program: Python's own words, with the program's line and a remedy.

use crate::{library, remedies};
use shidi_executor_proto::{Failure, ToolkitShape};

/// Frames shown of one traceback: enough to see where, short enough for a prompt.
const MOST_FRAMES: usize = 12;
/// Characters of a message, and of a source line, that are shown.
const LONGEST_MESSAGE: usize = 2_000;
const LONGEST_LINE: usize = 200;
/// The beginning of an error of `_files.py` for whoever gets no file.
const NO_FILES: &str = "A program has no files of its own";

/// An exception as the interpreter reports it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Raised {
    pub kind: String,
    pub message: String,
    pub frames: Vec<Frame>,
    /// The exceptions that led to this one, nearest first, in one line each.
    pub causes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub file: String,
    /// From 1.
    pub line: u32,
    pub function: String,
}

/// Describes an exception that ended the program `source`; the interpreter knows the program as `file`.
pub fn describe(raised: &Raised, source: &str, file: &str, toolkits: &[ToolkitShape]) -> Failure {
    let kind = &raised.kind;
    let message = cut(&raised.message.replace("_shidi_", ""), LONGEST_MESSAGE);
    let mut last = if message.is_empty() {
        kind.clone()
    } else {
        format!("{kind}: {message}")
    };
    // The causes stand in the last line too: models and people look for the exception there.
    for cause in &raised.causes {
        last.push_str(&format!("; {}", cause.replace("_shidi_", "")));
    }
    let own = |frame: &&Frame| frame.file == file;
    let line = raised.frames.iter().rev().find(own).map_or(0, |frame| frame.line);
    Failure {
        hint: hint(kind, &message, toolkits),
        traceback: traceback(&raised.frames, source, file, &last),
        kind: kind.clone(),
        message: last,
        line,
    }
}

fn hint(kind: &str, message: &str, toolkits: &[ToolkitShape]) -> Option<String> {
    let hint = match kind {
        "ModuleNotFoundError" => return Some(no_module(between(message, "'", "'"), toolkits)),
        "UnsupportedOperation" if message.starts_with("files are read") => {
            return Some(remedies::in_place_of_bytes(toolkits));
        }
        "TimeoutError" if message.starts_with("the program worked") => {
            "Do less work in one program, or find a faster way"
        }
        "ValueError" if message.starts_with("I/O operation on closed file") => {
            "What `with` opens is closed at the end of its block: put this line into the block"
        }
        "MemoryError" => "Work on the data piece by piece",
        "RecursionError" => "Use a loop instead of recursion this deep",
        "PermissionError" if message.starts_with(NO_FILES) => {
            let module = between(message, "so `", "`");
            if let Some(remedy) = remedies::in_place_of(module, toolkits) {
                return Some(remedy);
            }
            "Read and write with the toolkit `files`, for example `await files.read(path=…)`"
        }
        "TypeError" | "AttributeError" if message.contains("'coroutine'") => {
            "The result of a toolkit call must be awaited: `await toolkit.method(…)`"
        }
        "TypeError" if message.contains("can't be used in 'await'") => {
            "Only toolkit calls and async functions are awaited"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}

/// What to do where a module is missing.
pub fn no_module(name: &str, toolkits: &[ToolkitShape]) -> String {
    let remedy = remedies::in_place_of(name, toolkits);
    remedy.unwrap_or_else(|| format!("Available modules: {}", library::modules()))
}

/// The text between two marks; empty where there is none.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let behind = text.split_once(before).map(|(_, behind)| behind);
    let inner = behind.and_then(|behind| behind.split_once(after));
    inner.map_or("", |(inner, _)| inner)
}

fn traceback(frames: &[Frame], source: &str, file: &str, last: &str) -> String {
    let mut text = String::from("Traceback (most recent call last):\n");
    let skipped = frames.len().saturating_sub(MOST_FRAMES);
    if skipped > 0 {
        text.push_str(&format!("  … {skipped} more\n"));
    }
    let lines: Vec<&str> = source.lines().collect();
    for frame in &frames[skipped..] {
        let own = frame.file == file;
        let whose = if own { "" } else { "earlier program, " };
        text.push_str(&format!("  {whose}line {}, in {}\n", frame.line, frame.function));
        let index = usize::try_from(frame.line).unwrap_or(0).wrapping_sub(1);
        if let Some(line) = lines.get(index).filter(|_| own) {
            text.push_str(&format!("    {}\n", cut(line.trim(), LONGEST_LINE)));
        }
    }
    text.push_str(last);
    text
}

/// The first characters of a text, with a mark at a cut.
pub fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
