//! Looking at the screen: the request, the view, and the ledger of looks (F2).
//!
//! A view lives in memory for a short time and goes with a question by its id in [`crate::Ask::screens`]. Only
//! then is the view written to the disk.

use crate::{ContentView, Moment, PageView, SessionId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The target of a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum LookAt {
    /// Name, title and place of the window that had the focus before Shidi; no pixels.
    Facts,
    /// The page in front of a browser that was let in, whatever window is in front; no pixels.
    Page,
    /// The text that is selected in the window that had the focus before Shidi; no pixels.
    Selection,
    /// The monitor that the pointer is on.
    Monitor,
    /// The window that had the focus before Shidi.
    Window,
    /// What was chosen in a page's form, on a site where the user lets that be noticed. Only the ledger names it: who asks
    /// for it gets the page.
    Form,
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

/// Where a text was just selected, for what is shown beside it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SelectionPlace {
    /// Name of the program.
    pub app: String,
    /// The place of the pointer, in pixels of the desktop.
    pub x: i32,
    pub y: i32,
    /// The bounds of the window.
    pub bounds: Area,
}

/// Why a selection is news no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum SelectionEnd {
    /// The pointer was pressed somewhere, maybe on what is shown beside the selection.
    Pressed,
    /// The time is over.
    Passed,
    /// A key, another window, another selection, or none.
    Left,
}

/// The form in which a view goes to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ScreenSentAs {
    Picture,
    /// Name, title and recognised words: the model takes no pictures, or there is none.
    #[default]
    Words,
}

/// The parts of the screen that passed the privacy gate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScreenView {
    /// The view's id for [`crate::Ask::screens`]; empty when `blocked`.
    pub id: String,
    /// Name of the program; empty where several windows were seen.
    pub app: String,
    /// The window's title without secrets; empty where the title is withheld.
    pub title: String,
    /// The system's own id of the window, by which a text is put there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub window: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pid: Option<u32>,
    /// The bounds of the view on the desktop.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bounds: Option<Area>,
    /// Width of the picture as it would be sent; 0 without a picture.
    pub width: u32,
    pub height: u32,
    /// Data URL of a small copy of the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub thumbnail: Option<String>,
    /// Data URL of the picture exactly as it would be sent; only in the reply to [`crate::Request::LookShow`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub picture: Option<String>,
    /// The path of the picture once it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<String>,
    /// The page in the window, where the browser's companion vouches for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub page: Option<PageView>,
    /// What stands in the window, where a sensor could read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub content: Option<ContentView>,
    /// Whether a browser's window that nothing vouches for is in the view.
    pub may_be_private: bool,
    /// How many windows of excluded programs were blacked out.
    pub blacked_out: u32,
    pub sent_as: ScreenSentAs,
    /// The words that the model would read beside the picture, unchanged.
    pub preview: String,
    /// Estimated tokens of sending the view.
    pub tokens: u32,
    /// Words recognised in the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// Whether words are still being recognised; [`crate::Request::LookShow`] waits for them.
    pub recognising: bool,
    /// Questions that the user asks again and again about pages of this site, the most frequent first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub habits: Vec<String>,
    /// Rules whose questions the user does not want on this site.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub dropped: Vec<String>,
    /// Whether somebody acted in the page since it was read, or the page is gone. The text that was read may stand
    /// there no longer.
    #[serde(default)]
    pub stale: bool,
    /// Whether the view is kept until it is let go.
    #[serde(default)]
    pub pinned: bool,
    /// Why the view was not kept, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub blocked: Option<String>,
}

/// A view that is in memory, unsent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct HeldView {
    pub id: String,
    pub what: LookAt,
    /// Name of the program; empty where several windows were seen.
    pub app: String,
    /// The title of window or page without secrets.
    pub title: String,
    /// The address of the page, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub url: Option<String>,
    #[ts(type = "string")]
    pub time: Moment,
    /// When it goes at the latest: its window may be left before. None for a pinned one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub until: Option<Moment>,
    /// Whether a picture is among it.
    pub has_picture: bool,
    pub stale: bool,
    pub pinned: bool,
}

/// The fate of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum LookOutcome {
    /// The view is in memory, and nowhere else.
    Kept,
    /// The view was dropped unsent.
    Gone,
    /// The view went with a question and is kept with its session.
    Sent,
    /// The view was sent, and erased with its session.
    Erased,
    /// The privacy gate let nothing through.
    Refused,
    /// The view's facts went to another program, or to the fast model for a question; the line names it.
    Given,
}

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LookRecord {
    pub id: String,
    #[ts(type = "string")]
    pub time: Moment,
    pub what: LookAt,
    /// Name of the program; empty where several windows were seen.
    pub app: String,
    /// The window's title, only of sent views. Of a form, its site and name. Of a view that was given, who got it.
    pub title: String,
    pub width: u32,
    pub height: u32,
    pub blacked_out: u32,
    pub outcome: LookOutcome,
    /// The session to which the view was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub session: Option<SessionId>,
}
