//! The lines of the ball's and the tray's menu. Pure: other files draw and perform them.

use crate::mood::{PanelPage, Sensing};

/// The action of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuAction {
    /// Goes to the first card that waits for the user.
    Waiting {
        cards: u32,
    },
    Open,
    /// Opens the panel after its page was lost repeatedly.
    OpenAgain,
    AskScreen,
    NewSession,
    /// Opens the panel with the assistants to choose from.
    Assistants,
    Pause,
    Resume,
    Workbench,
    Settings,
    Quit,
}

/// The lines, in groups between separators.
#[must_use]
pub fn lines(cards: u32, sensing: Sensing, page: PanelPage) -> Vec<Vec<MenuAction>> {
    let open = match page {
        PanelPage::There => MenuAction::Open,
        PanelPage::LeftAlone => MenuAction::OpenAgain,
    };
    let pause = match sensing {
        Sensing::On => MenuAction::Pause,
        Sensing::Paused => MenuAction::Resume,
    };
    let mut groups = vec![
        vec![
            open,
            MenuAction::AskScreen,
            MenuAction::NewSession,
            MenuAction::Assistants,
        ],
        vec![pause, MenuAction::Workbench, MenuAction::Settings],
        vec![MenuAction::Quit],
    ];
    if cards > 0 {
        groups.insert(0, vec![MenuAction::Waiting { cards }]);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_cards_come_first_and_pause_turns_into_resume() {
        let lines = |cards, sensing| super::lines(cards, sensing, PanelPage::There);
        assert_eq!(lines(2, Sensing::On)[0], [MenuAction::Waiting { cards: 2 }]);
        assert!(lines(0, Sensing::Paused).concat().contains(&MenuAction::Resume));
        assert!(!lines(0, Sensing::Paused).concat().contains(&MenuAction::Pause));
    }

    #[test]
    fn a_lost_panel_is_offered_again() {
        assert_eq!(
            lines(0, Sensing::On, PanelPage::LeftAlone)[0][0],
            MenuAction::OpenAgain
        );
    }
}
