//! What `shidi doctor` says of the browsers that were let in.

use crate::Pages;
use shidi_protocol::Check;

impl Pages {
    /// Nobody needs one: that there is none is said, and is no fault.
    pub fn check(&self) -> Check {
        let (pages, language) = (self.shown(), self.space.language());
        let away = language.browser().browser_away();
        let known = pages.browsers.iter().map(|browser| match browser.connected {
            true => browser.name.clone(),
            false => format!("{} ({away})", browser.name),
        });
        let known: Vec<String> = known.collect();
        let none = language.browser().no_browser_connected();
        match known.is_empty() {
            true => Check::good("companion", none.to_owned()),
            false => Check::good("companion", known.join(", ")),
        }
    }
}
