//! The mood at this moment, for everybody who notes an event or follows the mood.

use crate::menu::{self, MenuAction};
use crate::mood::{Happening, Mood, Sensing, State};
use crate::shell_command::ShellCommand;
use parking_lot::Mutex;
use std::sync::Arc;
use tokio::sync::watch;

/// The events so far, and the mood that they make.
#[derive(Debug, Clone)]
pub struct Moods {
    state: Arc<Mutex<State>>,
    shown: watch::Sender<Mood>,
}

impl Default for Moods {
    fn default() -> Self {
        Self {
            state: Arc::default(),
            shown: watch::Sender::new(Mood::Idle),
        }
    }
}

impl Moods {
    /// Changes the mood after an event.
    pub fn note(&self, happening: &Happening) {
        let mut state = self.state.lock();
        let after = std::mem::take(&mut *state).after(happening);
        let mood = after.mood();
        *state = after;
        self.shown
            .send_if_modified(|shown| std::mem::replace(shown, mood) != mood);
    }

    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<Mood> {
        self.shown.subscribe()
    }

    /// Reads the state behind the mood.
    pub fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.state.lock())
    }

    /// The lines of the menus at this moment.
    #[must_use]
    pub fn menu_lines(&self) -> Vec<Vec<MenuAction>> {
        self.read(|state| menu::lines(state.cards(), state.sensing(), state.page()))
    }

    /// The place to which a click on the ball leads.
    #[must_use]
    pub fn click_target(&self) -> Option<ShellCommand> {
        self.read(State::click_target)
    }

    #[must_use]
    pub fn is_panel_shown(&self) -> bool {
        self.read(State::is_panel_shown)
    }

    #[must_use]
    pub fn sensing(&self) -> Sensing {
        self.read(State::sensing)
    }
}
