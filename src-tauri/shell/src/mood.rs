//! The ball's mood: a pure function of the events so far, with one of eight moods at a time.
//!
//! [`State::mood`] has the order of the moods. No clock is read, and nothing is drawn.

use crate::shell_command::ShellCommand;
use shidi_protocol::{
    CallId, RunEvent, RunEventKind, RunId, RunStatus, RunSummary, SessionId, TodoItem, TodoState,
};
use std::collections::{BTreeMap, BTreeSet};

/// The toolkit of the page in front.
const PAGE: &str = "page";
/// Most runs remembered: far more than anybody has at work or waiting.
const RUNS_MAX: usize = 512;

/// The ball's statement about the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Idle,
    /// A part of the screen is being captured.
    Looking,
    Thinking(Progress),
    /// Cards wait for the user.
    NeedsYou {
        cards: u32,
    },
    /// A question is ready that seems worth asking.
    Suggests,
    Error,
    /// The user has paused looking.
    Paused,
    /// A file is held over the ball.
    Dropping,
}

/// The share of the work that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    Unknown,
    /// The share in percent.
    Percent(u8),
}

impl Progress {
    /// The share in percent, when known.
    #[must_use]
    pub fn percent(self) -> Option<u8> {
        match self {
            Self::Unknown => None,
            Self::Percent(percent) => Some(percent),
        }
    }
}

/// Whether Shidi may look at the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sensing {
    #[default]
    On,
    Paused,
}

/// Whether the panel's page is loaded, or was lost so often that it waits for a summon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PanelPage {
    #[default]
    There,
    LeftAlone,
}

/// An event that may change the mood.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    Run(Box<RunEvent>),
    /// A run from before this program started.
    Found {
        session: SessionId,
        run: Box<RunSummary>,
    },
    PanelShown,
    PanelHidden,
    PageLoaded,
    /// The panel's page was lost repeatedly and is not loaded again by itself.
    PageLeftAlone,
    LookBegan,
    LookEnded,
    /// The panel's page has a question ready that seems worth asking (F2.3), under this number.
    Suggested(u32),
    /// The suggestion with this number, or any, no longer holds.
    SuggestionGone(Option<u32>),
    Sensing(Sensing),
    /// Browsers with these codes, and no others, ask to be let in.
    BrowsersAsk(BTreeSet<String>),
    DragEntered,
    DragLeft,
}

/// All events so far, as far as the ball needs them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    runs: BTreeMap<RunId, RunSeen>,
    unseen_failure: Option<ShellCommand>,
    page: PanelPage,
    panel_shown: bool,
    drag_over: bool,
    looking: bool,
    suggestion: Option<u32>,
    sensing: Sensing,
    /// Codes of browsers that ask to be let in.
    asking: BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct RunSeen {
    session: Option<SessionId>,
    at_work: bool,
    /// Whether the user asked the run in the panel, and not in a terminal.
    asked_here: bool,
    waiting: BTreeSet<CallId>,
    /// Calls that the run's page performs: once the run rests, they wait for the person in front of the page.
    on_page: BTreeSet<CallId>,
    /// Done share of the to-do items in percent; never falls.
    percent: Option<u8>,
}

impl State {
    /// The state after an event.
    #[must_use]
    pub fn after(mut self, happening: &Happening) -> Self {
        match happening {
            Happening::Run(event) => self.note(event),
            Happening::Found { session, run } => {
                self.runs.entry(run.id.clone()).or_default().session = Some(session.clone());
                for card in &run.waiting {
                    self.note(&card.event);
                }
                if let Some(status) = run.status {
                    self.end(&run.id, status);
                }
            }
            Happening::PanelShown => {
                self.panel_shown = true;
                self.unseen_failure = None;
                self.suggestion = None;
            }
            Happening::PanelHidden => self.panel_shown = false,
            Happening::PageLoaded => self.page = PanelPage::There,
            Happening::PageLeftAlone => self.page = PanelPage::LeftAlone,
            Happening::LookBegan => self.looking = true,
            Happening::LookEnded => self.looking = false,
            Happening::Suggested(number) => self.suggestion = Some(*number).filter(|_| !self.panel_shown),
            Happening::SuggestionGone(number) => {
                self.suggestion = self
                    .suggestion
                    .filter(|held| number.is_some_and(|gone| gone != *held));
            }
            Happening::Sensing(sensing) => self.sensing = *sensing,
            Happening::BrowsersAsk(codes) => self.asking.clone_from(codes),
            Happening::DragEntered => self.drag_over = true,
            Happening::DragLeft => self.drag_over = false,
        }
        self
    }

    /// The one mood to show: first the user's pending decisions, then failures, then work.
    #[must_use]
    pub fn mood(&self) -> Mood {
        let cards = self.cards();
        if self.drag_over {
            Mood::Dropping
        } else if cards > 0 {
            Mood::NeedsYou { cards }
        } else if self.unseen_failure.is_some() || self.page == PanelPage::LeftAlone {
            Mood::Error
        } else if let Some(progress) = self.progress() {
            Mood::Thinking(progress)
        } else if self.looking {
            Mood::Looking
        } else if self.suggestion.is_some() {
            Mood::Suggests
        } else if self.sensing == Sensing::Paused {
            Mood::Paused
        } else {
            Mood::Idle
        }
    }

    /// Cards that wait for the user.
    #[must_use]
    pub fn cards(&self) -> u32 {
        let cards: usize = self.runs.values().map(|run| run.waiting.len()).sum();
        u32::try_from(cards).unwrap_or(u32::MAX)
    }

    #[must_use]
    pub fn sensing(&self) -> Sensing {
        self.sensing
    }

    #[must_use]
    pub fn page(&self) -> PanelPage {
        self.page
    }

    #[must_use]
    pub fn is_panel_shown(&self) -> bool {
        self.panel_shown
    }

    /// Whether the user asked that run in the panel, and not in a terminal.
    #[must_use]
    pub fn was_asked_here(&self, run: &RunId) -> bool {
        self.runs.get(run).is_some_and(|run| run.asked_here)
    }

    #[must_use]
    pub fn is_at_work(&self, run: &RunId) -> bool {
        self.runs.get(run).is_some_and(|run| run.at_work)
    }

    /// Whether that card waits for the user.
    #[must_use]
    pub fn is_waiting(&self, run: &RunId, call: CallId) -> bool {
        self.runs.get(run).is_some_and(|run| run.waiting.contains(&call))
    }

    /// Whether a browser with that code has asked before.
    #[must_use]
    pub fn is_asking(&self, code: &str) -> bool {
        self.asking.contains(code)
    }

    /// The place that shows an event's run.
    #[must_use]
    pub fn place_of(&self, event: &RunEvent) -> Option<ShellCommand> {
        let session = self.runs.get(&event.run)?.session.clone()?;
        let run = event.run.clone();
        let (RunEventKind::ApprovalNeeded { call, .. } | RunEventKind::Question { call, .. }) = &event.kind
        else {
            return Some(ShellCommand::Run { session, run });
        };
        Some(ShellCommand::Card {
            session,
            run,
            call: *call,
        })
    }

    /// The target of a click, by the mood: the waiting card, the failed run, the run at work.
    #[must_use]
    pub fn click_target(&self) -> Option<ShellCommand> {
        let waiting = self.runs.iter().find_map(|(run, seen)| {
            Some(ShellCommand::Card {
                session: seen.session.clone()?,
                run: run.clone(),
                call: *seen.waiting.first()?,
            })
        });
        let at_work = || {
            let mut at_work = self.runs.iter().filter(|(_, seen)| seen.at_work);
            at_work.find_map(|(run, seen)| {
                Some(ShellCommand::Run {
                    session: seen.session.clone()?,
                    run: run.clone(),
                })
            })
        };
        waiting.or_else(|| self.unseen_failure.clone()).or_else(at_work)
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
            RunEventKind::Call { call, toolkit, .. } if toolkit == PAGE => {
                run.on_page.insert(*call);
            }
            RunEventKind::Decided { call, .. } => {
                run.waiting.remove(call);
            }
            RunEventKind::CallDone { call, .. } => {
                run.waiting.remove(call);
                run.on_page.remove(call);
            }
            RunEventKind::Todo { items } => run.percent = run.percent.max(percent_done(items)),
            RunEventKind::RunEnded { status, .. } => return self.end(&event.run, *status),
            RunEventKind::RunStarted { session, .. } => {
                run.session = Some(session.clone());
                run.asked_here |= self.panel_shown;
            }
            RunEventKind::Context { .. }
            | RunEventKind::Recalled { .. }
            | RunEventKind::Segment { .. }
            | RunEventKind::Delta { .. }
            | RunEventKind::Retracted
            | RunEventKind::Standing { .. }
            | RunEventKind::Awaiting { .. }
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
                    if run.waiting.is_empty() {
                        run.waiting.append(&mut run.on_page);
                    }
                }
                self.runs.retain(|_, run| run.at_work || !run.waiting.is_empty());
            }
            RunStatus::Failed | RunStatus::GaveUp => {
                let session = self.runs.remove(id).and_then(|run| run.session);
                let place = session.map(|session| ShellCommand::Run {
                    session,
                    run: id.clone(),
                });
                self.unseen_failure = place.filter(|_| !self.panel_shown);
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

/// The done share in percent; `None` for an empty list.
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
