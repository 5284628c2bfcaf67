//! Commands from the shell to a window's page. The panel goes to a card or takes a text. The workbench opens at a
//! trace or a review.
//!
//! Commands are kept until the page fetches them, so that none is lost while the page loads.

use crate::selection_act::Act;
use serde::{Deserialize, Serialize};
use shidi_protocol::{CallId, ExperienceId, RunId, ScreenView, SessionId};
use std::collections::VecDeque;

/// Most commands kept for a page that does not fetch them; later ones matter more.
const KEPT_MAX: usize = 16;

/// A command to the panel's page, under the name of its variant.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum ShellCommand {
    /// Open at a waiting card, with the focus on it.
    Card {
        session: SessionId,
        run: RunId,
        call: CallId,
    },
    /// Open at a run: the failed step with its remedy, or the answer that is being written.
    Run {
        session: SessionId,
        run: RunId,
    },
    NewSession,
    /// Open the settings, narrowed to the given words.
    Settings {
        find: String,
    },
    /// Put a text into the input; only the user sends it.
    Text {
        text: String,
    },
    /// Choose an assistant, and put a text into the input unless it is empty; only the user sends it.
    Assistant {
        name: String,
        text: String,
    },
    /// Say that a link asks for nothing that there is. Its words come from a stranger and are not repeated.
    LinkRefused,
    /// Do something with a text that the user selected in another window.
    Selected {
        #[serde(flatten)]
        act: Act,
        view: Box<ScreenView>,
    },
}

/// The place at which the workbench opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum BenchPlace {
    Trace {
        run: RunId,
    },
    /// At the form with which a run is replayed.
    Replay {
        run: RunId,
    },
    /// At the form that keeps a run's answer as a bad case.
    BadCase {
        run: RunId,
    },
    Experience {
        experience: ExperienceId,
    },
    /// At an assistant, as whoever decides on it sees it.
    Assistant {
        assistant: String,
    },
    /// At a section, by the name that stands in the page's address.
    Section {
        section: String,
    },
}

/// Commands that no page has fetched yet, oldest first.
#[derive(Debug, Default)]
pub struct PendingCommands(VecDeque<ShellCommand>);

impl PendingCommands {
    pub fn add(&mut self, command: ShellCommand) {
        if self.0.len() >= KEPT_MAX {
            self.0.pop_front();
        }
        self.0.push_back(command);
    }

    pub fn take(&mut self) -> Vec<ShellCommand> {
        self.0.drain(..).collect()
    }
}
