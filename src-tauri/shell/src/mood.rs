//! Which of the eight moods the ball shows: a pure function of what has happened.
//!
//! One mood at a time, in the order of [`State::mood`]. It reads no clock and draws nothing.

use shidi_protocol::{CallId, RunEvent, RunEventKind, RunId, RunStatus, RunSummary, TodoItem, TodoState};
use std::collections::{BTreeMap, BTreeSet};

/// Runs remembered at once, in runs: far more than anybody has at work or waiting.
const RUNS_MAX: usize = 512;

/// What the ball says about the work.
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "sensing, suggestions and pause (F2) are drawn already")
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Idle,
    /// Something on the screen is being read.
    Looking,
    Thinking(Progress),
    /// Cards wait for the user.
    NeedsYou {
        cards: u32,
    },
    /// There is a question worth asking.
    Suggests,
    Error,
    /// Sensing is switched off.
    Paused,
    /// A file is held over the ball.
    Dropping,
}

/// How much of the work is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    Unknown,
    /// Of hundred.
    Percent(u8),
}

impl Progress {
    /// Of hundred, when known.
    #[must_use]
    pub fn percent(self) -> Option<u8> {
        match self {
            Self::Unknown => None,
            Self::Percent(percent) => Some(percent),
        }
    }
}

/// Something that may change the mood.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    Run(Box<RunEvent>),
    /// A run from before this program started.
    Found(Box<RunSummary>),
    PanelShown,
    PanelHidden,
    DragEntered,
    DragLeft,
}

/// What has happened so far, as far as the ball cares.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    runs: BTreeMap<RunId, RunSeen>,
    unseen_failure: bool,
    panel_shown: bool,
    drag_over: bool,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct RunSeen {
    at_work: bool,
    waiting: BTreeSet<CallId>,
    /// Of hundred, of the to-do items; never runs backwards.
    percent: Option<u8>,
}

impl State {
    /// The state after something happened.
    #[must_use]
    pub fn after(mut self, happening: &Happening) -> Self {
        match happening {
            Happening::Run(event) => self.note(event),
            Happening::Found(run) => {
                for card in &run.waiting {
                    self.note(&card.event);
                }
                if let Some(status) = run.status {
                    self.end(&run.id, status);
                }
            }
            Happening::PanelShown => {
                self.panel_shown = true;
                self.unseen_failure = false;
            }
            Happening::PanelHidden => self.panel_shown = false,
            Happening::DragEntered => self.drag_over = true,
            Happening::DragLeft => self.drag_over = false,
        }
        self
    }

    /// The one mood to show: what the user must do first, then what went wrong, then the work.
    #[must_use]
    pub fn mood(&self) -> Mood {
        let cards: usize = self.runs.values().map(|run| run.waiting.len()).sum();
        if self.drag_over {
            Mood::Dropping
        } else if cards > 0 {
            Mood::NeedsYou {
                cards: u32::try_from(cards).unwrap_or(u32::MAX),
            }
        } else if self.unseen_failure {
            Mood::Error
        } else if let Some(progress) = self.progress() {
            Mood::Thinking(progress)
        } else {
            Mood::Idle
        }
    }

    fn note(&mut self, event: &RunEvent) {
        if !self.runs.contains_key(&event.run) && self.runs.len() >= RUNS_MAX {
            self.runs.pop_first();
        }
        let run = self.runs.entry(event.run.clone()).or_default();
        match &event.kind {
            RunEventKind::ApprovalNeeded { call, .. } | RunEventKind::Question { call, .. } => {
                run.waiting.insert(*call);
            }
            RunEventKind::Decided { call, .. } | RunEventKind::CallDone { call, .. } => {
                run.waiting.remove(call);
            }
            RunEventKind::Todo { items } => run.percent = run.percent.max(percent_done(items)),
            RunEventKind::RunEnded { status, .. } => return self.end(&event.run, *status),
            RunEventKind::RunStarted { .. }
            | RunEventKind::Context { .. }
            | RunEventKind::Segment { .. }
            | RunEventKind::Delta { .. }
            | RunEventKind::Code { .. }
            | RunEventKind::Call { .. }
            | RunEventKind::Card { .. }
            | RunEventKind::Output { .. }
            | RunEventKind::Variables { .. }
            | RunEventKind::Notification { .. }
            | RunEventKind::Compacted { .. }
            | RunEventKind::Answer { .. } => {}
        }
        run.at_work = true;
    }

    fn end(&mut self, id: &RunId, status: RunStatus) {
        match status {
            RunStatus::Suspended => {
                if let Some(run) = self.runs.get_mut(id) {
                    run.at_work = false;
                }
                self.runs.retain(|_, run| run.at_work || !run.waiting.is_empty());
            }
            RunStatus::Failed | RunStatus::GaveUp => {
                self.runs.remove(id);
                self.unseen_failure = !self.panel_shown;
            }
            RunStatus::Completed | RunStatus::Cancelled => {
                self.runs.remove(id);
            }
        }
    }

    /// The progress of the run that is furthest behind; `None` when nothing is at work.
    fn progress(&self) -> Option<Progress> {
        let mut at_work = self.runs.values().filter(|run| run.at_work).peekable();
        at_work.peek()?;
        let least = at_work.map(|run| run.percent).min().flatten();
        Some(least.map_or(Progress::Unknown, Progress::Percent))
    }
}

/// `None` for an empty list.
fn percent_done(items: &[TodoItem]) -> Option<u8> {
    let done = items
        .iter()
        .filter(|item| item.state == TodoState::Completed)
        .count();
    u8::try_from((done * 100).checked_div(items.len())?).ok()
}

#[cfg(test)]
#[path = "mood_tests.rs"]
mod tests;
