//! The one privacy gate: decides what a look may keep of a window, before anything is kept, even in memory.
//!
//! The order is fixed: paused, our own windows, excluded programs and titles, private windows, excluded sites.
//! Then secrets are taken out of text, and text is cut to a bounded length. A browser's window counts as
//! private without proof of the contrary. Then only the program's name is kept, unless the user asked about the
//! screen.

pub mod redact;
pub mod secret_fields;

use crate::limits::{RULES_MAX, TITLE_CHARACTERS_MAX};
use crate::{Copied, FrontWindow, TEXT_CHARACTERS_MAX};
use redact::redacted;
use shidi_protocol::is_shapeless;
use unicode_normalization::UnicodeNormalization;

/// Programs excluded unless the user says otherwise: password managers, and the dialogs that ask for passwords.
pub const WORDS_APPS: &str = "keepass; bitwarden; 1password; lastpass; dashlane; enpass; nordpass; proton pass; \
    protonpass; keeperpassword; roboform; buttercup; passwordsafe; password safe; gnome.world.secrets; seahorse; \
    kwalletmanager; qtpass; pinentry; gcr-prompter; polkit; authenticator";

/// Titles excluded unless the user says otherwise: banking, and password managers inside a browser.
pub const WORDS_TITLES: &str = "网上银行; 网银; 手机银行; 个人银行; 企业银行; 银行登录; online banking; \
    internet banking; onlinebanking; netbanking; e-banking; ebanking; bank login; password manager; 密码管理; \
    bitwarden; 1password; lastpass; keepass";

/// Sites excluded unless the user says otherwise. A plain name covers its subdomains; `*` stands for anything.
pub const WORDS_SITES: &str = "*bank*; icbc.com.cn; ccb.com; boc.cn; abchina.com; cmbchina.com; bankcomm.com; \
    psbc.com; spdb.com.cn; alipay.com; paypal.com; chase.com; wellsfargo.com; hsbc.com; vault.bitwarden.com; \
    my.1password.com; lastpass.com";

/// Signs that separate the words of a list as a user writes one, in either language.
pub const LIST_SIGNS: [char; 6] = [',', '，', '、', ';', '；', '\n'];

/// Parts of names of browsers.
const BROWSERS: &[&str] = &[
    "firefox",
    "navigator",
    "librewolf",
    "waterfox",
    "icecat",
    "tor browser",
    "zen-browser",
    "chrom",
    "brave",
    "msedge",
    "microsoft-edge",
    "vivaldi",
    "opera",
    "yandex",
    "epiphany",
    "falkon",
    "konqueror",
    "qutebrowser",
    "midori",
    "qqbrowser",
    "browser",
];

/// Signs that browsers write between a page's title and their own name.
const DASHES: [&str; 3] = [" - ", " — ", " – "];

/// The end of the titles of normal windows of Firefox, the one browser whose titles tell private windows apart.
const VOUCHING_END: &str = "mozilla firefox";

/// Whether the user asked for this very look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookTrigger {
    Explicit,
    /// Shidi looks by itself, to offer the view to the user.
    Passive,
}

/// Whether the user has paused all looking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paused {
    Yes,
    No,
}

/// The rules that the user has configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    paused: Paused,
    apps: Vec<String>,
    titles: Vec<String>,
    sites: Vec<String>,
}

/// Why a window may not be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    Paused,
    OwnWindow,
    App,
    Title,
    Site,
    /// Its program calls it a password.
    Secret,
}

/// How much of a window may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Whole {
        may_be_private: bool,
    },
    /// The program's name alone: no title, no pixels, no text.
    NameOnly,
    Nothing(Reason),
}

/// The gate of one look: the present rules, and the processes that are ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    rules: Rules,
    own: Vec<u32>,
    page: Option<VouchedPage>,
}

/// The page in front of a browser window that is not private, as the browser's companion reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VouchedPage {
    pub title: String,
    pub url: String,
}

impl Rules {
    /// Rules from lists as a user writes them: separated by commas or lines; `none` is an empty list.
    #[must_use]
    pub fn new(paused: Paused, apps: &str, titles: &str, sites: &str) -> Self {
        Self {
            paused,
            apps: words(apps),
            titles: words(titles),
            sites: words(sites),
        }
    }
}

impl Rules {
    /// Whether the window belongs to one of the programs.
    fn name(&self, window: &FrontWindow) -> bool {
        let mut names = window.names.iter().chain([&window.app]).map(|name| plain(name));
        names.any(|name| self.apps.iter().any(|word| fits(word, &name)))
    }
}

/// Whether a window belongs to one of the programs of a list, as a user writes one.
#[must_use]
pub fn is_among(window: &FrontWindow, programs: &str) -> bool {
    Rules::new(Paused::No, programs, "", "").name(window)
}

impl Default for Rules {
    fn default() -> Self {
        Self::new(Paused::No, WORDS_APPS, WORDS_TITLES, WORDS_SITES)
    }
}

impl Gate {
    #[must_use]
    pub fn new(rules: Rules, own: impl IntoIterator<Item = u32>) -> Self {
        Self {
            rules,
            own: own.into_iter().collect(),
            page: None,
        }
    }

    /// The same gate with a vouched page: browser windows that show the page are not private.
    #[must_use]
    pub fn vouched(self, page: Option<VouchedPage>) -> Self {
        Self { page, ..self }
    }

    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.rules.paused == Paused::Yes
    }

    /// Decides about a window, and about its page where the page is known.
    #[must_use]
    pub fn judge(&self, window: &FrontWindow, url: Option<&str>, asked: LookTrigger) -> Verdict {
        if self.is_paused() {
            return Verdict::Nothing(Reason::Paused);
        }
        if self.is_own(window) {
            return Verdict::Nothing(Reason::OwnWindow);
        }
        if self.rules.name(window) {
            return Verdict::Nothing(Reason::App);
        }
        let title = plain(&window.title);
        if self.rules.titles.iter().any(|word| fits(word, &title)) {
            return Verdict::Nothing(Reason::Title);
        }
        let page = self.page_in(window);
        let is_vouched = page.is_some() || title.trim_end().ends_with(VOUCHING_END);
        let may_be_private = is_browser(window) && !is_vouched;
        let url = url.or(page.map(|page| page.url.as_str()));
        if url.is_some_and(|url| self.excludes_site(url)) {
            return Verdict::Nothing(Reason::Site);
        }
        match (may_be_private, asked) {
            (true, LookTrigger::Passive) => Verdict::NameOnly,
            (may_be_private, LookTrigger::Explicit | LookTrigger::Passive) => {
                Verdict::Whole { may_be_private }
            }
        }
    }

    /// The clipboard's text as far as it may be told. The text may come from any window that is not excluded: the user
    /// copied it, and switched its reading on.
    ///
    /// # Errors
    /// Why nothing of it may be told.
    pub fn copied(&self, copied: &Copied) -> Result<String, Reason> {
        let refused = match self.judge(&copied.owner, None, LookTrigger::Explicit) {
            Verdict::Nothing(Reason::OwnWindow) | Verdict::Whole { .. } | Verdict::NameOnly => {
                copied.is_secret.then_some(Reason::Secret)
            }
            Verdict::Nothing(reason) => Some(reason),
        };
        refused.map_or_else(|| Ok(self.text(&copied.text)), Err)
    }

    /// The vouched page, if that window shows it. A browser's title is the page's title, a dash and the browser's name.
    /// Another page whose title only begins with the vouched one is not accepted.
    #[must_use]
    pub fn page_in(&self, window: &FrontWindow) -> Option<&VouchedPage> {
        let title = self.title(&window.title);
        let shows = |page: &&VouchedPage| {
            let own = page.title.trim();
            let rest = title.trim().strip_prefix(own).filter(|_| !own.is_empty());
            rest.is_some_and(|rest| rest.is_empty() || is_browsers_name(rest))
        };
        self.page.as_ref().filter(|_| is_browser(window)).filter(shows)
    }

    /// Whether the window is one of ours.
    #[must_use]
    pub fn is_own(&self, window: &FrontWindow) -> bool {
        window.pid.is_some_and(|pid| self.own.contains(&pid))
    }

    /// Whether the rules exclude the site of an address.
    #[must_use]
    pub fn excludes_site(&self, url: &str) -> bool {
        let host = host(url);
        self.rules.sites.iter().any(|word| {
            if word.contains('*') {
                return fits(word, &host);
            }
            host == *word
                || host
                    .strip_suffix(word.as_str())
                    .is_some_and(|rest| rest.ends_with('.'))
        })
    }

    /// A title without secrets and control characters, of bounded length.
    #[must_use]
    pub fn title(&self, title: &str) -> String {
        let line: String = title
            .chars()
            .filter(|character| !character.is_control())
            .collect();
        cut(&redacted(&line), TITLE_CHARACTERS_MAX)
    }

    /// Text without secrets, of bounded length.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let kept = |character: &char| !character.is_control() || matches!(character, '\n' | '\t');
        // Cut before and after: patterns must not run over an endless text, and their marks may make the text longer.
        let bounded: String = text.chars().filter(kept).take(2 * TEXT_CHARACTERS_MAX).collect();
        cut(&redacted(&bounded), TEXT_CHARACTERS_MAX)
    }
}

/// Whether the rest of a title is a dash and a browser's name, and nothing more.
fn is_browsers_name(rest: &str) -> bool {
    let name = DASHES.iter().find_map(|dash| rest.strip_prefix(dash));
    name.is_some_and(|name| {
        let is_one = DASHES.iter().all(|dash| !name.contains(dash));
        let name = plain(name);
        is_one && BROWSERS.iter().any(|browser| name.contains(browser))
    })
}

fn is_browser(window: &FrontWindow) -> bool {
    let mut names = window.names.iter().chain([&window.app]).map(|name| plain(name));
    names.any(|name| BROWSERS.iter().any(|browser| name.contains(browser)))
}

/// The words of a list as a user writes it.
fn words(list: &str) -> Vec<String> {
    let words = list.split(LIST_SIGNS).map(|word| plain(word.trim()));
    let words: Vec<String> = words.filter(|word| !word.is_empty()).take(RULES_MAX).collect();
    if words == ["none"] { Vec::new() } else { words }
}

/// The text in the form for comparing: full-width and combined forms unified, small letters, nothing invisible.
fn plain(text: &str) -> String {
    text.nfkc()
        .filter(|character| !is_shapeless(*character))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a word occurs in a text; a word with `*` must describe the whole text.
fn fits(word: &str, text: &str) -> bool {
    let Some((first, rest)) = word.split_once('*') else {
        return text.contains(word);
    };
    let Some(mut left) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return left.ends_with(part);
        }
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.is_empty()
}

/// The host of an address in small letters; without a host, the whole text.
fn host(url: &str) -> String {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = after_scheme
        .split(['/', '?', '#', '\\'])
        .next()
        .unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.split_once(':') {
        Some((name, _)) if !host.starts_with('[') => name,
        Some(_) | None => host,
    };
    plain(host.trim().trim_end_matches('.'))
}

fn cut(text: &str, characters_max: usize) -> String {
    if text.chars().count() <= characters_max {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(characters_max.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests;
