//! Pages in the user's browser, as its companion reports them (F11): their tools, and who may use them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The argument of a page's tool that names the tool's site. The runtime adds it to every such call, so that
/// approvals, rules and the record name the site.
pub const SITE: &str = "site";

/// A request about browsers and their pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "action", rename_all = "snake_case")]
#[ts(export)]
pub enum PageRequest {
    /// Browsers, the page in front, and sites. Replies: `Pages`.
    List,
    /// Lets in the browser that shows this code. Replies: `Pages`.
    Pair { code: String },
    /// Turns away the browser that shows this code. Replies: `Pages`.
    Decline { code: String },
    /// Forgets a browser: it must ask to be let in anew. Replies: `Pages`.
    Forget { browser: String },
    /// Lets programs call the tools of that site's pages, or forbids it. Replies: `Pages`.
    Allow { site: String, on: bool },
    /// Installs the companion where browsers find it: in the named browsers, in all that are found, or in one
    /// profile's folder. Replies: `CompanionInstalled`.
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
    /// Browsers that ask to be let in.
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
    /// The browser's own name and version.
    pub name: String,
    pub connected: bool,
}

/// A browser that asks to be let in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AskingBrowser {
    /// The browser's own name and version.
    pub name: String,
    /// Six digits that the browser shows too: the user compares them.
    pub code: String,
}

/// The id of one document in one tab; another document, or the same one loaded anew, has another id.
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

/// A page as it is shown; its texts are the page's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PageView {
    pub page: PageRef,
    pub title: String,
    pub url: String,
    /// The tools that the page offers.
    pub tools: Vec<PageTool>,
    /// Whether programs may call the page's tools.
    pub allowed: bool,
}

/// A tool that a page offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PageTool {
    pub name: String,
    pub doc: String,
    /// Whether the tool itself claims only to read.
    pub reads_only: bool,
}
