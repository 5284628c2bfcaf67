//! Looking at the screen: what is asked for, what was seen, and the ledger of both (F2).
//!
//! A view lives in memory for a short time and goes with a question by its id in [`crate::Ask::screens`]; only
//! then is it written to the disk.

use crate::{Moment, PageView, SessionId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum LookAt {
    /// Name, title and place of the window that had the focus before Shidi; no pixels.
    Facts,
    /// The monitor that the pointer is on.
    Monitor,
    /// The window that had the focus before Shidi.
    Window,
    /// A part of the desktop, in its pixels.
    Region { x: i32, y: i32, width: u32, height: u32 },
}

/// A rectangle of the desktop, in its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Area {
    pub x: i32,
    pub y: i32,
    pub width: u32,
    pub height: u32,
}

/// In what form a view goes to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ScreenSentAs {
    Picture,
    /// The model takes no pictures, or there is none: name, title and recognised words.
    #[default]
    Words,
}

/// What was seen, after the privacy gate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScreenView {
    /// Names it in [`crate::Ask::screens`]; empty when `blocked`.
    pub id: String,
    /// Name of the program; empty where several windows were seen.
    pub app: String,
    /// Of its window, secrets left out; empty where it is withheld.
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pid: Option<u32>,
    /// Where on the desktop it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bounds: Option<Area>,
    /// Of the picture as it would be sent; 0 without one.
    pub width: u32,
    pub height: u32,
    /// Data URL of a small picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub thumbnail: Option<String>,
    /// Data URL of the picture exactly as it would be sent; only in the reply to [`crate::Request::LookShow`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub picture: Option<String>,
    /// Where the picture lies, once it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<String>,
    /// The page in the window, where the browser's companion vouches for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub page: Option<PageView>,
    /// A browser's window that nothing vouches for is in it.
    pub may_be_private: bool,
    /// How many windows of excluded programs were blacked out.
    pub blacked_out: u32,
    pub sent_as: ScreenSentAs,
    /// What the model would read beside the picture, word for word.
    pub preview: String,
    /// Estimate of what sending it costs.
    pub tokens: u32,
    /// Words recognised in the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// Words are still being recognised; [`crate::Request::LookShow`] waits for them.
    pub recognising: bool,
    /// Why nothing was kept, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub blocked: Option<String>,
}

/// What became of a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum LookOutcome {
    /// It is in memory, and nowhere else.
    Kept,
    /// It was let go unsent.
    Gone,
    /// It went with a question and is kept with its session.
    Sent,
    /// It was sent, and erased with its session.
    Erased,
    /// The privacy gate let nothing through.
    Refused,
}

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LookRecord {
    pub id: String,
    #[ts(type = "string")]
    pub time: Moment,
    pub what: LookAt,
    /// Empty where several windows were seen.
    pub app: String,
    /// Only of what was sent.
    pub title: String,
    pub width: u32,
    pub height: u32,
    pub blacked_out: u32,
    pub outcome: LookOutcome,
    /// Where it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub session: Option<SessionId>,
}
