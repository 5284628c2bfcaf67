//! Pages in the user's browser, as its companion tells of them (F11): what they offer, and who may use it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The argument of a page's tool that says which site it belongs to: the runtime adds it to every such call, so that
/// approvals, rules and the record name it.
pub const SITE: &str = "site";

/// What may be asked about browsers and their pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "deed", rename_all = "snake_case")]
#[ts(export)]
pub enum PageDeed {
    /// Browsers, the page in front, and sites. Replies: `Pages`.
    List,
    /// Lets the browser in that shows this code. Replies: `Pages`.
    Pair { code: String },
    /// Turns away the browser that shows this code. Replies: `Pages`.
    Decline { code: String },
    /// Forgets a browser: it has to ask anew. Replies: `Pages`.
    Forget { browser: String },
    /// Lets programs call what pages of that site offer, or no longer. Replies: `Pages`.
    Allow { site: String, on: bool },
    /// Puts the companion where browsers find it: those that are named, or all that are found, or one profile's folder.
    /// Replies: `CompanionInstalled`.
    Install {
        #[serde(default)]
        browsers: Vec<String>,
        #[serde(default)]
        profile: Option<String>,
    },
}

/// Browsers, the page in front, and sites, as the user sees them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PageState {
    /// Browsers that were let in.
    pub browsers: Vec<PairedBrowser>,
    /// Browsers that ask to be.
    pub asking: Vec<AskingBrowser>,
    /// The page that the user looked at last, while its browser is connected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub front: Option<PageView>,
    /// Sites whose tools programs may call.
    pub sites: Vec<String>,
}

/// A browser that was let in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PairedBrowser {
    pub id: String,
    /// What it says of itself: its name and version.
    pub name: String,
    pub connected: bool,
}

/// A browser that asks to be let in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AskingBrowser {
    /// What it says of itself: its name and version.
    pub name: String,
    /// Six digits, which it shows too: the user compares.
    pub code: String,
}

/// Names one document in one tab; another one, or the same loaded anew, has another name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PageRef {
    pub browser: String,
    #[ts(type = "number")]
    pub tab: i64,
    pub document: String,
    /// Scheme, host and port.
    pub site: String,
}

/// A page as it is shown; its texts are its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PageView {
    pub page: PageRef,
    pub title: String,
    pub url: String,
    /// What it offers.
    pub tools: Vec<PageTool>,
    /// Whether programs may call that.
    pub allowed: bool,
}

/// Something that a page offers to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PageTool {
    pub name: String,
    pub doc: String,
    /// Whether it says of itself that it only reads.
    pub reads_only: bool,
}
