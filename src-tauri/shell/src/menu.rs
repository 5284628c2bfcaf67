//! The lines of the ball's and the tray's menu. Pure: other files draw and perform them.

use crate::deep_link;
use crate::mood::{PanelPage, Sensing};
use crate::shell_command::ShellCommand;

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

impl MenuAction {
    /// What the panel does when the line opens it; `None` of every line that asks nothing of it.
    #[must_use]
    pub fn command(self) -> Option<ShellCommand> {
        match self {
            Self::NewSession => Some(ShellCommand::NewSession),
            Self::Assistants => Some(deep_link::offering_assistants()),
            Self::Settings => Some(ShellCommand::Settings { find: String::new() }),
            Self::Waiting { .. }
            | Self::Open
            | Self::OpenAgain
            | Self::AskScreen
            | Self::Pause
            | Self::Resume
            | Self::Workbench
            | Self::Quit => None,
        }
    }
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
    fn assistants_stand_in_the_menu_once_however_things_are() {
        for cards in [0, 3] {
            for sensing in [Sensing::On, Sensing::Paused] {
                for page in [PanelPage::There, PanelPage::LeftAlone] {
                    let lines = lines(cards, sensing, page).concat();
                    let assistants = lines.iter().filter(|line| **line == MenuAction::Assistants);
                    assert_eq!(assistants.count(), 1, "{cards} {sensing:?}");
                }
            }
        }
    }

    #[test]
    fn the_line_of_assistants_begins_a_call_that_the_panel_completes() {
        // The list is the panel's, which reads who can be asked when the call begins.
        let offered = ShellCommand::Text { text: "@".to_owned() };
        assert_eq!(MenuAction::Assistants.command(), Some(offered.clone()));
        assert_eq!(deep_link::command_of("shidi://assistant"), Some(offered));
    }

    #[test]
    fn only_lines_that_open_the_panel_somewhere_have_a_command() {
        let all = lines(1, Sensing::On, PanelPage::There).concat();
        let with_command: Vec<MenuAction> = all.into_iter().filter(|line| line.command().is_some()).collect();
        let somewhere = [
            MenuAction::NewSession,
            MenuAction::Assistants,
            MenuAction::Settings,
        ];
        assert_eq!(with_command, somewhere);
    }

    #[test]
    fn a_lost_panel_is_offered_again() {
        assert_eq!(
            lines(0, Sensing::On, PanelPage::LeftAlone)[0][0],
            MenuAction::OpenAgain
        );
    }
}
