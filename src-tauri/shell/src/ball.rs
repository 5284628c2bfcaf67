//! The ball as the rest of the shell knows it: the handles that it takes, and its reports of acts.

use crate::menu::MenuAction;
use crate::moods::Moods;
use crate::places::BallPlaces;
use crate::settings::LiveSettings;
use crate::summon::ActedAt;
use std::path::PathBuf;

/// The handles that a ball takes.
#[derive(Debug, Clone)]
pub struct BallHandles {
    pub settings: LiveSettings,
    pub moods: Moods,
    pub places: BallPlaces,
}

/// An act of the user on the ball.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BallEvent {
    Clicked(ActedAt),
    /// A line of the menu was chosen.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "the tray's menu reports it there")
    )]
    Chosen(MenuAction, ActedAt),
    Dropped(Vec<PathBuf>, ActedAt),
}

/// Why the ball is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The user wants no ball.
    Settings,
    /// The screen is being captured.
    Look,
    /// A full-screen window has the ball's monitor.
    #[cfg(target_os = "linux")]
    FullScreen,
}
