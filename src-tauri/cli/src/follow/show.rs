//! A run as a person reads it: the answer on stdout, its steps as dim lines on stderr.

use super::cards;
use super::speech::Speech;
use super::waiting::Waiting;
use crate::console::{Console, Look};
use crate::failure::Failure;
use crate::limits::STEP_CHARS_MAX;
use crate::python;
use crate::words::Words;
use shidi_protocol::{
    Body, CallId, Class, ContextItem, ExecId, JsonMap, RunEventKind, RunStatus, SegmentKind, TodoItem,
    TodoState, UserError,
};
use std::collections::HashMap;

/// What has been shown of a run.
pub struct Show<'a> {
    console: &'a Console,
    speech: Speech<'a>,
    /// Names of the calls under way.
    calls: HashMap<CallId, String>,
    waiting: Waiting,
}

impl<'a> Show<'a> {
    #[must_use]
    pub fn new(console: &'a Console) -> Self {
        Self {
            console,
            speech: Speech::new(console),
            calls: HashMap::new(),
            waiting: Waiting::default(),
        }
    }

    /// Whether something is waited for that is counted.
    #[must_use]
    pub fn counts(&self) -> bool {
        !self.speech.is_open() && !self.console.is_json() && self.waiting.counts()
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
            } => self.speech.stream(text),
            RunEventKind::Segment { body, exec } => self.segment(body, *exec),
            RunEventKind::Retracted => self.speech.break_off(),
            RunEventKind::Standing { stands: false } => self.speech.take_back(),
            RunEventKind::Answer { text } => self.speech.answer(text),
            RunEventKind::Code { program, .. } => {
                self.speech.give_way()?;
                self.step(
                    "▸",
                    &self.console.words.lines_of_code(program.lines().count() as u64),
                );
                Ok(())
            }
            RunEventKind::RunEnded {
                status,
                reason,
                error,
                usage,
                ms,
            } => {
                self.speech.end()?;
                self.ended(*status, reason.as_deref(), error.as_ref());
                if status.is_over() {
                    self.step("·", &self.console.words.used(usage, *ms));
                }
                Ok(())
            }
            RunEventKind::Card { kind, data, .. } if kind == "progress" => {
                self.speech.break_off()?;
                self.step("  …", &cards::progress(data));
                Ok(())
            }
            RunEventKind::Card { kind, data, .. } => {
                self.speech.break_off()?;
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
            | RunEventKind::Standing { stands: true }
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
                pictures: _,
                files: _,
            } => {
                let tool = self.calls.remove(call);
                let was_seen = *ok && tool.as_ref().is_some_and(|tool| tool.starts_with("user."));
                if !was_seen {
                    let mark = if *ok { "  ✓" } else { "  ✗" };
                    let tool = tool.map(|tool| format!("{tool} · ")).unwrap_or_default();
                    let summary = self.console.words.summary(summary);
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
                self.step("·", &self.console.words.compacted(*after_tokens, *before_tokens));
            }
            RunEventKind::RunStarted { .. }
            | RunEventKind::Delta { .. }
            | RunEventKind::Retracted
            | RunEventKind::Standing { .. }
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

    fn segment(&mut self, body: &Body, exec: Option<ExecId>) -> Result<(), Failure> {
        match body {
            Body::Express { text } => self.speech.express(text, exec)?,
            Body::Thought { text } => {
                let was_seen = self.console.can_stream() && self.speech.is_open();
                self.speech.break_off()?;
                if !was_seen {
                    self.step("·", text);
                }
            }
            // Events of their own tell of the others, or they are the model's alone.
            _ => {}
        }
        Ok(())
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
            let last = error.trim_end().lines().last().unwrap_or_default();
            self.step("  ✗", &self.console.words.language().error_of_program(last));
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
    words.wants_to_run(python::call(tool, args), words.class(class))
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
