//! Pages in the user's browser, as its companion reports them (F11): their tools, and who may use them.

use crate::ChosenValue;
use crate::macros::requests;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The argument of a page's tool that names the tool's site. The runtime adds it to every such call, so that
/// approvals, rules and the record name the site.
pub const SITE: &str = "site";

requests! {
    /// A request about browsers and their pages.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case")]
    #[ts(export)]
    PageRequest as pages, through |action| crate::Request::Pages { action };
    /// Browsers, the page in front, and sites.
    List -> Pages,
    /// Lets in the browser that shows this code.
    Pair { code: String } -> Pages,
    /// Turns away the browser that shows this code.
    Decline { code: String } -> Pages,
    /// Forgets a browser: it must ask to be let in anew.
    Forget { browser: String } -> Pages,
    /// Lets programs call the tools of that site's pages, or forbids it.
    Allow { site: String, on: bool } -> Pages,
    /// Notices what the user chooses in forms of that site's pages, or no longer; then what was noticed is erased.
    Learn { site: String, on: bool } -> Pages,
    /// Gives fields of a page their values; nothing is pressed.
    FillIn { page: PageRef, values: Vec<ChosenValue> } -> FilledForm,
    /// Puts a text where the user was writing in a page.
    Insert { page: PageRef, text: String } -> Pages,
    /// Installs the companion where browsers find it: in the named browsers, in all found browsers, or in one
    /// profile's folder.
    Install {
        #[serde(default)]
        browsers: Vec<String>,
        #[serde(default)]
        profile: Option<String>,
    } -> CompanionInstalled,
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
    /// Sites on which what the user chooses in forms is noticed.
    #[serde(default)]
    pub learned: Vec<String>,
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
    /// How often somebody acted in the page after it was read: another number than before makes what was read stale.
    #[serde(default)]
    pub acts: u32,
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
