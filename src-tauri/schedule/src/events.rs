//! Events in words: a file that changes, a background job that ends.
//!
//! A path keeps its letters as they are.

use crate::fault::WordsFault;
use regex::{Captures, Regex};
use shidi_protocol::ScheduleTime;
use std::sync::LazyLock;

#[expect(
    clippy::unwrap_used,
    reason = "the expressions are constants, and a test reads each"
)]
fn regex(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

static CHANGE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?is)^(?:when|whenever|each time|every time) (?:the |this )?(?:(?:file|folder|directory) )?(.+?) (?:changes|is changed|has changed|is modified|is updated|is saved|is written|appears|is there)$",
    )
});
static CHANGE_ZH: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?s)^(当|每当|只要|每次|一旦)?(?:文件夹|文件|目录)?(.+?)(?:有(?:了)?(?:变化|变动|改动|更新)|发生(?:变化|改变)|变化|改变|改动|变动|变更|更新|修改|被修改|被改动|出现|保存)(?:了)?(的时候|时|后|以后|之后)?$",
    )
});
static JOB: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?is)^(?:when|whenever|each time|every time) (?:(?:the|a|any|my|this) )?(?:background )?(?:(.+?) )?(?:background )?(?:job|task) (?:ends|finishes|is done|is finished|has ended|has finished|completes|is complete)$",
    )
});
static JOB_ZH: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?s)^(当|每当|只要|每次|一旦)?(?:任何|任意)?(?:后台)?(.*?)(?:的)?(?:后台)?(?:任务|作业)(?:结束|完成|做完|跑完|运行完|执行完)(?:了)?(的时候|时|后|以后|之后)?$",
    )
});

/// Beginnings of a time in Chinese: what follows one is no name of a job.
const TIMES_ZH: [&str; 8] = ["每", "今天", "明天", "后天", "周", "星期", "礼拜", "下周"];

/// No path is longer, and no words around it, in bytes.
const EVENT_MAX_BYTES: usize = 5_000;

/// The event that words mean; `None` where they mean none.
///
/// # Errors
/// A file whose whole path is not said.
pub fn read(text: &str) -> Option<Result<ScheduleTime, WordsFault>> {
    let text = text.trim().trim_end_matches(['.', '\u{3002}', '!', '\u{ff01}']);
    if text.len() > EVENT_MAX_BYTES {
        return None;
    }
    if let Some(told) = JOB.captures(text) {
        return Some(Ok(job(group(&told, 1))));
    }
    if let Some(told) = CHANGE.captures(text) {
        return Some(change(group(&told, 1)));
    }
    // Without "when" or "after" it tells what is to be done: "at eight, update".
    let is_event = |told: &Captures<'_>| told.get(1).is_some() || told.get(3).is_some();
    if let Some(told) = JOB_ZH.captures(text)
        && is_event(&told)
        && !TIMES_ZH.iter().any(|time| group(&told, 2).starts_with(time))
    {
        return Some(Ok(job(group(&told, 2))));
    }
    let told = CHANGE_ZH.captures(text)?;
    let event = change(group(&told, 2));
    (is_event(&told) || event.is_ok()).then_some(event)
}

fn group<'a>(told: &Captures<'a>, index: usize) -> &'a str {
    told.get(index).map_or("", |found| found.as_str())
}

/// A change of what lies at an absolute path.
///
/// # Errors
/// Another path: nobody knows where it begins.
pub fn change(path: &str) -> Result<ScheduleTime, WordsFault> {
    let path = unquoted(path);
    let is_drive =
        matches!(path.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    // Only its user's own folder: where others' lie, the system alone knows.
    let is_home = path == "~" || path.starts_with("~/") || path.starts_with("~\\");
    match path.starts_with('/') || is_home || path.starts_with("\\\\") || is_drive {
        true => Ok(ScheduleTime::Change {
            path: path.to_owned(),
            seen: None,
        }),
        false => Err(WordsFault::NoPath),
    }
}

/// The end of a background job.
pub fn job(name: &str) -> ScheduleTime {
    ScheduleTime::Job {
        name: unquoted(name).to_owned(),
    }
}

fn unquoted(text: &str) -> &str {
    const QUOTES: [char; 9] = [
        '"', '\'', '`', '\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '\u{300c}', '\u{300d}',
    ];
    text.trim().trim_matches(QUOTES).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_expression_can_be_read() {
        for expression in [&CHANGE, &CHANGE_ZH, &JOB, &JOB_ZH] {
            assert!(!expression.is_match("?"));
        }
    }
}
