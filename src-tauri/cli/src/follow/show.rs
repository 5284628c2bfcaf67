//! A run as a person reads it: the answer on stdout, its steps as dim lines on stderr.
//!
//! Where stdout is no terminal, only what was really said goes there: text that is still being written may turn
//! out to be a thought.

use super::cards;
use super::waiting::Waiting;
use crate::console::{Console, Look};
use crate::failure::Failure;
use crate::limits::STEP_CHARS_MAX;
use crate::python;
use crate::words::Words;
use shidi_protocol::{
    CallId, Class, ContextItem, ExecId, JsonMap, RunEventKind, RunStatus, SegmentKind, TodoItem, TodoState,
    UserError,
};
use std::collections::HashMap;

/// What has been shown of a run.
pub struct Show<'a> {
    console: &'a Console,
    /// Arrived since the last segment.
    streamed: String,
    /// Bytes of it that are on the screen: all but blank space that may turn out to be its end.
    on_screen: usize,
    /// What was said last.
    said: String,
    /// Whether those were the model's own words, and nothing came after them.
    is_own: bool,
    /// Names of the calls under way.
    calls: HashMap<CallId, String>,
    waiting: Waiting,
}

impl<'a> Show<'a> {
    #[must_use]
    pub fn new(console: &'a Console) -> Self {
        Self {
            console,
            streamed: String::new(),
            on_screen: 0,
            said: String::new(),
            is_own: false,
            calls: HashMap::new(),
            waiting: Waiting::default(),
        }
    }

    /// Whether something is waited for that is counted.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.on_screen == 0 && !self.console.is_json() && self.waiting.counts()
    }

    /// Says how long it has been waited by now.
    pub fn count(&mut self) {
        self.waiting.draw(self.console);
    }

    /// Shows one event.
    ///
    /// # Errors
    /// Output that can't be written.
    pub fn event(&mut self, kind: &RunEventKind) -> Result<(), Failure> {
        self.waiting.event(self.console, kind);
        match kind {
            RunEventKind::Delta {
                kind: SegmentKind::Express,
                text,
            } => self.stream(text),
            RunEventKind::Segment { kind, text, exec } => self.segment(kind, text, *exec),
            RunEventKind::Retracted => self.end_stream(),
            RunEventKind::Answer { text } => self.answer(text),
            RunEventKind::Code { program, .. } => {
                self.is_own = false;
                self.end_stream()?;
                self.step("▸", &self.console.words.lines_of_code(program.lines().count()));
                Ok(())
            }
            RunEventKind::RunEnded {
                status,
                reason,
                error,
                usage,
                ms,
            } => {
                self.end_stream()?;
                self.ended(*status, reason.as_deref(), error.as_ref());
                if *status != RunStatus::Suspended {
                    self.step("·", &self.console.words.used(usage, *ms));
                }
                Ok(())
            }
            RunEventKind::Card { kind, data, .. } => {
                self.end_stream()?;
                cards::lines(kind, data)
                    .iter()
                    .try_for_each(|line| self.console.line(line))
            }
            RunEventKind::RunStarted { .. }
            | RunEventKind::Context { .. }
            | RunEventKind::Recalled { .. }
            | RunEventKind::Call { .. }
            | RunEventKind::CallDone { .. }
            | RunEventKind::Output { .. }
            | RunEventKind::Todo { .. }
            | RunEventKind::Notification { .. }
            | RunEventKind::Compacted { .. }
            | RunEventKind::Delta { .. }
            | RunEventKind::ApprovalNeeded { .. }
            | RunEventKind::Question { .. }
            | RunEventKind::Decided { .. }
            | RunEventKind::Variables { .. }
            | RunEventKind::Awaiting { .. } => {
                self.progress(kind);
                Ok(())
            }
        }
    }

    /// Shows what goes on besides the answer.
    fn progress(&mut self, kind: &RunEventKind) {
        match kind {
            RunEventKind::RunStarted { offline: true, .. } => {
                self.console.note(Look::Dim, self.console.words.offline());
            }
            RunEventKind::Context { items } => self.context(items),
            RunEventKind::Recalled { memories } => {
                let texts: Vec<&str> = memories.iter().map(|hit| hit.text.as_str()).collect();
                self.step("·", &self.console.words.recalled(&texts));
            }
            RunEventKind::Call {
                call,
                toolkit,
                method,
                ..
            } => {
                self.calls.insert(*call, format!("{toolkit}.{method}"));
            }
            RunEventKind::CallDone {
                call,
                ok,
                summary,
                ms,
                grounds: _,
            } => {
                let tool = self.calls.remove(call);
                let was_seen = *ok && tool.as_ref().is_some_and(|tool| tool.starts_with("user."));
                if !was_seen {
                    let mark = if *ok { "  ✓" } else { "  ✗" };
                    let tool = tool.map(|tool| format!("{tool} · ")).unwrap_or_default();
                    self.step(mark, &format!("{tool}{summary} · {ms} ms"));
                }
            }
            RunEventKind::Output { stdout, error, .. } => self.output(stdout, error.as_deref()),
            RunEventKind::Todo { items } => self.todo(items),
            // Whole: its end may hold what to do.
            RunEventKind::Notification { text, .. } => self.console.note(Look::Dim, &format!("! {text}")),
            RunEventKind::Compacted {
                before_tokens,
                after_tokens,
            } => {
                self.step("·", &self.console.words.compacted(*before_tokens, *after_tokens));
            }
            RunEventKind::RunStarted { .. }
            | RunEventKind::Delta { .. }
            | RunEventKind::Retracted
            | RunEventKind::Awaiting { .. }
            | RunEventKind::Segment { .. }
            | RunEventKind::Code { .. }
            | RunEventKind::ApprovalNeeded { .. }
            | RunEventKind::Question { .. }
            | RunEventKind::Decided { .. }
            | RunEventKind::Card { .. }
            | RunEventKind::Variables { .. }
            | RunEventKind::Answer { .. }
            | RunEventKind::RunEnded { .. } => {}
        }
    }

    fn stream(&mut self, text: &str) -> Result<(), Failure> {
        if !self.console.can_stream() {
            return Ok(());
        }
        self.streamed.push_str(text);
        let end = self.streamed.trim_end().len();
        if end > self.on_screen {
            self.console.write(&self.streamed[self.on_screen..end])?;
            self.on_screen = end;
        }
        Ok(())
    }

    fn segment(&mut self, kind: &SegmentKind, text: &str, exec: Option<ExecId>) -> Result<(), Failure> {
        match kind {
            SegmentKind::Express => self.express(text, exec),
            SegmentKind::Thought => {
                if self.streamed.is_empty() {
                    self.step("·", text);
                }
                self.end_stream()
            }
            SegmentKind::Reminder => self.take_back(),
            SegmentKind::User
            | SegmentKind::Context
            | SegmentKind::Knowledge
            | SegmentKind::Experience
            | SegmentKind::Python
            | SegmentKind::Output
            | SegmentKind::Evaluation
            | SegmentKind::NextGoal
            | SegmentKind::Round
            | SegmentKind::Message
            | SegmentKind::Notification
            | SegmentKind::Summary
            | SegmentKind::Custom(_) => Ok(()),
        }
    }

    /// What a program says is said at once; the model's own words wait for the answer, if they were not streamed.
    fn express(&mut self, text: &str, exec: Option<ExecId>) -> Result<(), Failure> {
        self.is_own = exec.is_none();
        if exec.is_some() || self.console.can_stream() {
            self.say(text)
        } else {
            Ok(())
        }
    }

    /// What the model said last was sent back: what follows takes its place.
    fn take_back(&mut self) -> Result<(), Failure> {
        self.end_stream()?;
        if std::mem::take(&mut self.is_own) && self.console.can_stream() {
            self.console.note(Look::Dim, self.console.words.is_withdrawn());
            self.said.clear();
        }
        Ok(())
    }

    fn answer(&mut self, text: &str) -> Result<(), Failure> {
        if self.said.trim() == text.trim() {
            Ok(())
        } else {
            self.say(text)
        }
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        let text = text.trim_end();
        let rest = text.strip_prefix(&self.streamed[..self.on_screen]);
        if rest.is_none() {
            self.end_stream()?;
        }
        self.console.write(rest.unwrap_or(text))?;
        self.streamed.clear();
        self.on_screen = 0;
        text.clone_into(&mut self.said);
        self.console.write("\n")
    }

    /// Ends the line that is open, if one is.
    fn end_stream(&mut self) -> Result<(), Failure> {
        self.streamed.clear();
        let is_open = std::mem::take(&mut self.on_screen) > 0;
        if is_open { self.console.write("\n") } else { Ok(()) }
    }

    fn context(&self, items: &[ContextItem]) {
        let items: Vec<String> = items
            .iter()
            .map(|item| format!("{}: {}", item.source, item.title))
            .collect();
        if !items.is_empty() {
            self.step("+", &items.join(", "));
        }
    }

    fn output(&self, stdout: &str, error: Option<&str>) {
        if !stdout.trim().is_empty() {
            self.step("  ›", stdout);
        }
        if let Some(error) = error {
            self.step("  ✗", error.trim_end().lines().last().unwrap_or_default());
        }
    }

    fn todo(&self, items: &[TodoItem]) {
        for item in items {
            let mark = match item.state {
                TodoState::Pending => "[ ]",
                TodoState::InProgress => "[>]",
                TodoState::Completed => "[x]",
            };
            match &item.doing {
                Some(doing) => self.step(mark, &format!("{} <- {doing}", item.text)),
                None => self.step(mark, &item.text),
            }
        }
    }

    fn ended(&self, status: RunStatus, reason: Option<&str>, error: Option<&UserError>) {
        let words = self.console.words;
        let because = |said: &str| match reason {
            Some(reason) => format!("{said}: {reason}"),
            None => said.to_owned(),
        };
        match (status, error) {
            (RunStatus::Failed, Some(error)) => self.console.complain(error),
            (RunStatus::Failed, None) => self.console.note(Look::Bad, &because(words.failed())),
            (RunStatus::GaveUp, _) => self.console.note(Look::Bad, &because(words.gave_up())),
            (RunStatus::Cancelled, _) => self.console.note(Look::Plain, words.cancelled()),
            (RunStatus::Completed | RunStatus::Suspended, _) => {}
        }
    }

    fn step(&self, mark: &str, text: &str) {
        self.console
            .note(Look::Dim, &format!("{mark} {}", one_line(text, STEP_CHARS_MAX)));
    }
}

/// The exact call that waits for approval, whole, with what it would do.
#[must_use]
pub fn wish_line(words: Words, tool: &str, args: &JsonMap, class: Class) -> String {
    let call = python::call(tool, args);
    format!("{}: {call}  ({})", words.wants_to_run(), words.class(class))
}

/// The first line of a text, shortened.
#[must_use]
pub fn one_line(text: &str, characters_max: usize) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.next().unwrap_or_default();
    let mut short: String = line.chars().take(characters_max).collect();
    if short.len() < line.len() || lines.next().is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests;
