//! What a program is told when it fails: Python's own words, with the line of the program and what to do about it.

use crate::prelude;
use monty_types::{ExcType, MontyException, StackFrame};
use shidi_executor_proto::Failure;

/// Frames shown of one traceback: enough to see where, short enough for a prompt.
const MOST_FRAMES: usize = 12;
/// Characters of a message and of a source line that are shown.
const LONGEST_MESSAGE: usize = 2_000;
const LONGEST_LINE: usize = 200;

/// The program that failed, as its author wrote it.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    pub source: &'a str,
    /// The file name under which the interpreter knows it.
    pub file: &'a str,
    /// Milliseconds it was allowed to work, for the message of a time limit.
    pub cpu_ms: u64,
    pub memory_bytes: u64,
}

/// The exception of that name with that message; a name that Python does not have becomes `RuntimeError`.
pub fn exception(kind: &str, message: String) -> MontyException {
    match kind.parse::<ExcType>() {
        Ok(known) => MontyException::new(known, Some(message)),
        Err(_) => MontyException::new(ExcType::RuntimeError, Some(format!("{kind}: {message}"))),
    }
}

/// Describes an exception that ended a program.
pub fn describe(error: &MontyException, origin: Origin<'_>) -> Failure {
    let kind = name(error.exc_type());
    let message = cut(&message(error, origin), LONGEST_MESSAGE);
    let last = if message.is_empty() {
        kind.to_owned()
    } else {
        format!("{kind}: {message}")
    };
    let frames = error.traceback();
    let own = |frame: &&StackFrame| frame.filename == origin.file;
    let line = frames.iter().rev().find(own).map_or(0, |frame| frame.start.line);
    Failure {
        hint: hint(error.exc_type(), &message),
        traceback: traceback(frames, origin, &last),
        kind: kind.to_owned(),
        message: last,
        line,
    }
}

/// The name without its module, as programs write it after `except`.
fn name(kind: ExcType) -> &'static str {
    let full: &'static str = kind.into();
    full.rsplit('.').next().unwrap_or(full)
}

/// The interpreter's words where a user can act on them, ours where they speak of the machinery.
fn message(error: &MontyException, origin: Origin<'_>) -> String {
    let text = error.message().unwrap_or_default();
    if error.exc_type() == ExcType::TimeoutError && text.starts_with("feed time limit exceeded") {
        return format!("the program worked longer than the {} ms it may", origin.cpu_ms);
    }
    if error.exc_type() == ExcType::MemoryError && text.starts_with("memory limit exceeded") {
        return format!(
            "the program needed more than the {} bytes of memory it may",
            origin.memory_bytes
        );
    }
    text.replace(
        "The monty syntax parser does not yet support",
        "this Python does not support",
    )
    .replace("_shidi__", "")
    .replace("_shidi_", "")
}

fn hint(kind: ExcType, message: &str) -> Option<String> {
    let hint = match kind {
        ExcType::ModuleNotFoundError => return Some(format!("Available modules: {}", modules())),
        ExcType::TimeoutError if message.starts_with("the program worked") => {
            "Do less work in one program, or find a faster way"
        }
        ExcType::MemoryError => "Work on the data piece by piece",
        ExcType::RecursionError => "Use a loop instead of recursion this deep",
        ExcType::PermissionError if message.starts_with("Permission denied") => {
            "A program has no files of its own; use the toolkit `files`"
        }
        ExcType::NotImplementedError if message.contains("cannot suspend") => {
            "A toolkit cannot be called inside a callback of a builtin such as `max(key=…)` or `sorted(key=…)`; \
             call it first in a loop or a comprehension"
        }
        ExcType::NotImplementedError if message.contains("class inheritance") => {
            "Write the class without a base; raise a built-in exception instead of one of your own"
        }
        ExcType::NotImplementedError if message.contains("yield") => {
            "Collect the values in a list and return it"
        }
        ExcType::TypeError | ExcType::AttributeError if message.contains("'coroutine'") => {
            "The result of a toolkit call must be awaited: `await toolkit.method(…)`"
        }
        ExcType::TypeError if message.contains("can't be used in 'await'") => {
            "Only toolkit calls and async functions are awaited"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Modules that a program may import, in order.
pub fn modules() -> String {
    let mut modules: Vec<&str> = monty::builtin_module_names();
    modules.extend(prelude::names());
    modules.retain(|name| !name.starts_with('_'));
    modules.sort_unstable();
    modules.dedup();
    modules.join(", ")
}

fn traceback(frames: &[StackFrame], origin: Origin<'_>, last: &str) -> String {
    let mut text = String::from("Traceback (most recent call last):\n");
    let skipped = frames.len().saturating_sub(MOST_FRAMES);
    if skipped > 0 {
        text.push_str(&format!("  … {skipped} more\n"));
    }
    let lines: Vec<&str> = origin.source.lines().collect();
    for frame in &frames[skipped..] {
        let own = frame.filename == origin.file;
        let function = frame
            .frame_name
            .as_deref()
            .unwrap_or("<module>")
            .replace("_shidi_", "");
        let whose = if own { "" } else { "earlier program, " };
        text.push_str(&format!("  {whose}line {}, in {function}\n", frame.start.line));
        let index = usize::try_from(frame.start.line).unwrap_or(0).wrapping_sub(1);
        if let Some(line) = lines.get(index).filter(|_| own) {
            text.push_str(&format!("    {}\n", cut(line.trim(), LONGEST_LINE)));
        }
    }
    text.push_str(last);
    text
}

/// The first characters of a text, marked when there are more.
pub fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
