//! The log of a server, in memory: its starts, ends and failures, and what it wrote beside the protocol.
//!
//! A server's words are one line each, without what a terminal or the eye would obey. The oldest lines go first. What a
//! server says of a session that leaves nothing is left out. Until another session calls it, its
//! words are of that one. A line that comes in parts is left out when one of them is of such a session.

use crate::error::McpError;
use crate::limits::{LOG_BYTES_MAX, LOG_LINE_CHARACTERS, LOG_LINES_MAX};
use crate::text::logged;
use parking_lot::Mutex;
use serde_json::Value;
use shidi_protocol::Moment;
use std::collections::VecDeque;
use std::sync::Arc;

/// What happened to a server, or what it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// Its program is started, or its address is asked.
    Starting,
    /// It answers, with its name and version and the revision of the protocol.
    Ready(String),
    Ended,
    Failed(McpError),
    /// A line of its error output.
    Wrote(String),
    /// A message that it sent for its log.
    Told(String),
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    pub at: Moment,
    pub what: Happened,
}

/// The log of one server; clones are the same log. The clock is its owner's.
#[derive(Debug, Clone)]
pub struct Log {
    clock: fn() -> Moment,
    kept: Arc<Mutex<LogLines>>,
}

#[derive(Debug, Default)]
struct LogLines {
    lines: VecDeque<LogLine>,
    bytes: usize,
    /// Lines that had no more room.
    gone: u32,
    /// Calls at work for sessions that leave nothing.
    unlogged: u32,
    /// Whether the last call was such a one.
    is_hushed: bool,
}

/// A call for as long as it is at work.
#[must_use]
#[derive(Debug)]
pub struct LoggedCall {
    /// The log that knows nothing of it; `None` for any other call.
    left_out_of: Option<Arc<Mutex<LogLines>>>,
}

impl Drop for LoggedCall {
    fn drop(&mut self) {
        if let Some(log) = &self.left_out_of {
            let mut kept = log.lock();
            kept.unlogged = kept.unlogged.saturating_sub(1);
        }
    }
}

/// A log whose times say nothing.
impl Default for Log {
    fn default() -> Self {
        Self::new(Moment::default)
    }
}

impl Log {
    #[must_use]
    pub fn new(clock: fn() -> Moment) -> Self {
        Self {
            clock,
            kept: Arc::default(),
        }
    }

    /// The lines that are kept, oldest first, and how many older ones are gone.
    #[must_use]
    pub fn read(&self) -> (Vec<LogLine>, u32) {
        let kept = self.kept.lock();
        (kept.lines.iter().cloned().collect(), kept.gone)
    }

    /// Tells of a call that begins, before anything of it is sent.
    pub fn calls(&self, leaves_nothing: bool) -> LoggedCall {
        let mut kept = self.kept.lock();
        kept.unlogged += u32::from(leaves_nothing);
        kept.is_hushed = kept.unlogged > 0;
        LoggedCall {
            left_out_of: leaves_nothing.then(|| Arc::clone(&self.kept)),
        }
    }

    /// Whether what the server says now may be of a session that leaves nothing.
    pub(crate) fn is_hushed(&self) -> bool {
        self.kept.lock().is_hushed
    }

    pub(crate) fn starting(&self) {
        {
            // Another process says nothing of the calls of the one before it.
            let mut kept = self.kept.lock();
            kept.is_hushed = kept.unlogged > 0;
        }
        self.add(Happened::Starting);
    }

    pub(crate) fn ready(&self, about: &str) {
        self.add(Happened::Ready(logged(about, LOG_LINE_CHARACTERS)));
    }

    pub(crate) fn ended(&self) {
        self.add(Happened::Ended);
    }

    /// Notes a failure, unless another line tells of it or the caller wanted it.
    pub(crate) fn failed(&self, cause: &McpError) {
        let is_told = matches!(
            cause,
            McpError::Ended { .. } | McpError::Resting { .. } | McpError::Cancelled | McpError::Closed
        );
        if !is_told {
            self.add(Happened::Failed(cause.clone()));
        }
    }

    /// Notes a line of error output that says anything.
    pub(crate) fn wrote(&self, line: &[u8]) {
        let line = logged(&String::from_utf8_lossy(line), LOG_LINE_CHARACTERS);
        if !line.is_empty() {
            self.add(Happened::Wrote(line));
        }
    }

    /// Notes a message with its level and the part of the server that it is from.
    pub(crate) fn told(&self, level: &str, logger: Option<&str>, data: &Value) {
        let said = match data {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let from = logger.map_or_else(String::new, |logger| format!("{logger}: "));
        let line = logged(&format!("[{level}] {from}{said}"), LOG_LINE_CHARACTERS);
        self.add(Happened::Told(line));
    }

    fn add(&self, what: Happened) {
        let line = LogLine {
            at: (self.clock)(),
            what,
        };
        let mut kept = self.kept.lock();
        if kept.is_hushed && line.is_of_a_call() {
            return;
        }
        kept.bytes += line.bytes();
        kept.lines.push_back(line);
        while kept.lines.len() > LOG_LINES_MAX || kept.bytes > LOG_BYTES_MAX {
            let Some(oldest) = kept.lines.pop_front() else {
                return;
            };
            kept.bytes = kept.bytes.saturating_sub(oldest.bytes());
            kept.gone = kept.gone.saturating_add(1);
        }
    }
}

impl LogLine {
    /// Whether it may tell of what a call is about.
    fn is_of_a_call(&self) -> bool {
        match &self.what {
            Happened::Starting | Happened::Ready(_) | Happened::Ended => false,
            Happened::Failed(_) | Happened::Wrote(_) | Happened::Told(_) => true,
        }
    }

    fn bytes(&self) -> usize {
        match &self.what {
            Happened::Starting | Happened::Ended => 0,
            Happened::Ready(text) | Happened::Wrote(text) | Happened::Told(text) => text.len(),
            Happened::Failed(cause) => cause.to_string().len(),
        }
    }
}

/// Cuts error output into lines for a log. What a program writes over, as a bar of progress, is no line.
#[derive(Debug, Default)]
pub(crate) struct LineCutter {
    line: Vec<u8>,
    /// Whether the next byte begins the line anew.
    is_at_start: bool,
    /// Whether a part of the line may be of a session that leaves nothing.
    is_left_out: bool,
}

impl LineCutter {
    /// Takes the next bytes. Of an overlong line the beginning is kept.
    pub(crate) fn take(&mut self, bytes: &[u8], log: &Log) {
        let is_hushed = log.is_hushed();
        for byte in bytes {
            match byte {
                b'\n' => self.end(log),
                b'\r' => self.is_at_start = true,
                byte => {
                    self.is_left_out |= is_hushed;
                    self.add(*byte);
                }
            }
        }
    }

    /// Ends the line at hand, as its program did or will no more.
    pub(crate) fn end(&mut self, log: &Log) {
        let line = std::mem::take(&mut self.line);
        if !std::mem::take(&mut self.is_left_out) {
            log.wrote(&line);
        }
        self.is_at_start = false;
    }

    fn add(&mut self, byte: u8) {
        if std::mem::take(&mut self.is_at_start) {
            self.line.clear();
        }
        // A character has up to four bytes; one more tells that the line goes on.
        if self.line.len() <= LOG_LINE_CHARACTERS * 4 {
            self.line.push(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn texts(log: &Log) -> Vec<String> {
        let (lines, _) = log.read();
        let text = |line: LogLine| match line.what {
            Happened::Starting => "starting".to_owned(),
            Happened::Ended => "ended".to_owned(),
            Happened::Failed(cause) => cause.to_string(),
            Happened::Ready(text) | Happened::Wrote(text) | Happened::Told(text) => text,
        };
        lines.into_iter().map(text).collect()
    }

    #[test]
    fn the_oldest_lines_go_where_there_are_too_many_or_too_much() {
        let log = Log::default();
        for number in 0..LOG_LINES_MAX + 7 {
            log.wrote(format!("line {number}").as_bytes());
        }
        let (lines, gone) = log.read();
        assert_eq!((lines.len(), gone), (LOG_LINES_MAX, 7));
        assert_eq!(texts(&log)[0], "line 7");

        let log = Log::default();
        for _ in 0..LOG_LINES_MAX {
            log.told("info", None, &json!("字".repeat(LOG_LINE_CHARACTERS * 2)));
        }
        let held: usize = texts(&log).iter().map(String::len).sum();
        assert!(held <= LOG_BYTES_MAX && held > LOG_BYTES_MAX / 2, "{held}");
    }

    #[test]
    fn nothing_is_kept_of_what_a_server_says_of_a_session_that_leaves_nothing() {
        let log = Log::default();
        let ordinary = log.calls(false);
        log.wrote(b"before");
        let incognito = log.calls(true);
        log.wrote(b"a secret");
        log.told("info", None, &json!("a secret"));
        log.failed(&McpError::TooLong);
        log.ended();
        drop(ordinary);
        drop(log.calls(false));
        log.wrote(b"a secret, while that call is at work");
        drop(incognito);
        log.wrote(b"a secret that comes late");
        assert_eq!(texts(&log), ["before", "ended"]);
        let again = log.calls(false);
        log.wrote(b"after");
        drop(again);
        assert_eq!(texts(&log), ["before", "ended", "after"]);

        drop(log.calls(true));
        log.starting();
        log.wrote(b"another process");
        assert_eq!(texts(&log)[3..], ["starting", "another process"]);
    }

    #[test]
    fn a_line_that_is_cut_across_calls_is_left_out_when_one_of_them_leaves_nothing() {
        let (log, mut cutter) = (Log::default(), LineCutter::default());
        let incognito = log.calls(true);
        cutter.take(b"a secret that goes", &log);
        drop(incognito);
        let ordinary = log.calls(false);
        cutter.take(b" on\r here\nafter\nbefore", &log);
        drop(ordinary);
        let incognito = log.calls(true);
        cutter.take(b" a secret", &log);
        drop(incognito);
        let ordinary = log.calls(false);
        cutter.take(b", the rest\nlast", &log);
        cutter.end(&log);
        drop(ordinary);
        assert_eq!(texts(&log), ["after", "last"]);
    }

    #[test]
    fn a_line_obeys_nobody_and_is_one_line() {
        let log = Log::default();
        log.wrote(b"\x1b[31mred\x1b[0m \x1b[2J\x07");
        log.told("error", Some("sync"), &json!({"text": "a\nb"}));
        log.told("info", None, &json!("one\ntwo\u{202e}"));
        log.wrote(b" \x1b[0m ");
        assert_eq!(
            texts(&log),
            [
                "red \\x1b[2J\\x07",
                "[error] sync: {\"text\":\"a\\nb\"}",
                "[info] one two\\u202e"
            ]
        );
    }

    #[test]
    fn error_output_is_cut_where_its_lines_end_however_it_comes() {
        let (log, mut cutter) = (Log::default(), LineCutter::default());
        for bytes in [&b"one\r"[..], b"\ntw", b"o\n\n10 %\r50 %", b"\r100 %\nlast"] {
            cutter.take(bytes, &log);
        }
        cutter.end(&log);
        assert_eq!(texts(&log), ["one", "two", "100 %", "last"]);

        let log = Log::default();
        cutter.take(&[b'x'; 1 << 16], &log);
        cutter.end(&log);
        let line = texts(&log).remove(0);
        assert!(line.ends_with('…') && line.chars().count() == LOG_LINE_CHARACTERS + 1);
    }

    #[test]
    fn a_failure_is_told_once_and_what_the_user_wanted_is_none() {
        let log = Log::default();
        let ended = McpError::Ended {
            said: "bye".to_owned(),
        };
        for cause in [McpError::Cancelled, McpError::Closed, ended, McpError::TooLong] {
            log.failed(&cause);
        }
        assert_eq!(texts(&log), [McpError::TooLong.to_string()]);
    }
}
