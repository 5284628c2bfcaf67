//! The lines of the ball's and the tray's menu, and their actions. Other files draw them.

use crate::desktop::Desktop;
use crate::looking;
use crate::mood::{PanelPage, Sensing};
use crate::panel::{self, ActedAt, ShownBy};
use crate::wish::Wish;
use crate::workbench;
use tauri::{AppHandle, Manager};

/// The action of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Goes to the first card that waits for the user.
    Waiting {
        cards: u32,
    },
    Open,
    /// Opens the panel after its page was lost repeatedly.
    OpenAgain,
    AskScreen,
    NewSession,
    Pause,
    Resume,
    Workbench,
    Settings,
    Quit,
}

/// The lines, in groups between separators.
#[must_use]
pub fn lines(cards: u32, sensing: Sensing, page: PanelPage) -> Vec<Vec<Deed>> {
    let open = match page {
        PanelPage::There => Deed::Open,
        PanelPage::LeftAlone => Deed::OpenAgain,
    };
    let pause = match sensing {
        Sensing::On => Deed::Pause,
        Sensing::Paused => Deed::Resume,
    };
    let mut groups = vec![
        vec![open, Deed::AskScreen, Deed::NewSession],
        vec![pause, Deed::Workbench, Deed::Settings],
        vec![Deed::Quit],
    ];
    if cards > 0 {
        groups.insert(0, vec![Deed::Waiting { cards }]);
    }
    groups
}

/// Performs the action of a line. Main thread only.
pub fn perform(app: &AppHandle, deed: Deed, at: ActedAt) {
    let desktop = app.state::<Desktop>();
    match deed {
        Deed::Waiting { .. } => panel::show_with(app, desktop.click_target(), ShownBy::Ball, at),
        Deed::Open | Deed::OpenAgain => panel::show(app, ShownBy::Ball, at),
        Deed::AskScreen => looking::ask_screen(app),
        Deed::NewSession => panel::show_with(app, Some(Wish::NewSession), ShownBy::Ball, at),
        Deed::Workbench => workbench::open(app, None),
        Deed::Settings => {
            let find = String::new();
            panel::show_with(app, Some(Wish::Settings { find }), ShownBy::Ball, at);
        }
        Deed::Pause => desktop.set_sensing(Sensing::Paused),
        Deed::Resume => desktop.set_sensing(Sensing::On),
        Deed::Quit => app.exit(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_cards_come_first_and_pause_turns_into_resume() {
        let lines = |cards, sensing| super::lines(cards, sensing, PanelPage::There);
        assert_eq!(lines(2, Sensing::On)[0], [Deed::Waiting { cards: 2 }]);
        assert!(lines(0, Sensing::Paused).concat().contains(&Deed::Resume));
        assert!(!lines(0, Sensing::Paused).concat().contains(&Deed::Pause));
    }

    #[test]
    fn a_lost_panel_is_offered_again() {
        assert_eq!(lines(0, Sensing::On, PanelPage::LeftAlone)[0][0], Deed::OpenAgain);
    }
}
