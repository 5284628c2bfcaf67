//! What a model reads of the page that a question is about.

use crate::Pages;
use shidi_agent::Notice;
use shidi_protocol::{Ask, ContextPiece, PageView};
use shidi_space::words::Words;

impl Pages {
    /// The page of a question as it goes along with it, or what the user is told where it is not open any more.
    pub fn along(&self, ask: &Ask, words: Words) -> (Option<ContextPiece>, Option<Notice>) {
        let Some(page) = &ask.page else {
            return (None, None);
        };
        match self.view(page) {
            Some(view) => (Some(told(view)), None),
            None => (None, Some(closed(&page.site, words))),
        }
    }
}

fn told(view: PageView) -> ContextPiece {
    let offers = match (view.tools.is_empty(), view.allowed) {
        (true, _) => "",
        (false, true) => "\nThe toolkit page does what it offers.",
        (false, false) => "\nIt offers tools, which the user has not allowed to be used.",
    };
    ContextPiece {
        source: "page".to_owned(),
        text: format!("The page in front of the user.{offers}"),
        title: view.title,
        url: Some(view.url),
        untrusted: true,
    }
}

fn closed(site: &str, words: Words) -> Notice {
    let text = match words {
        Words::Chinese => format!("现在够不着 {site} 的那个页面：它关了、换了，或者浏览器还没连上"),
        Words::English => format!(
            "The page of {site} can't be reached now: it is closed, has changed, or its browser is away"
        ),
    };
    Notice {
        source: "page".to_owned(),
        text,
    }
}
