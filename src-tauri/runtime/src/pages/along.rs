//! What a model reads of the page that a question is about.

use super::Pages;
use crate::words::Words;
use shidi_agent::{Notice, Surroundings};
use shidi_protocol::{Ask, PageView};

impl Pages {
    /// The page of a question as it goes along with it, or what the user is told where it is not open any more.
    pub fn along(&self, ask: &Ask, words: Words) -> (Option<Surroundings>, Option<Notice>) {
        let Some(page) = &ask.page else {
            return (None, None);
        };
        match self.view(page) {
            Some(view) => (Some(told(view)), None),
            None => (None, Some(closed(&page.site, words))),
        }
    }
}

fn told(view: PageView) -> Surroundings {
    let offers = match (view.tools.is_empty(), view.allowed) {
        (true, _) => "",
        (false, true) => "\nThe toolkit page does what it offers.",
        (false, false) => "\nIt offers tools, which the user has not allowed to be used.",
    };
    Surroundings {
        source: "page".to_owned(),
        text: format!("The page in front of the user.{offers}"),
        title: view.title,
        url: Some(view.url),
        untrusted: true,
    }
}

fn closed(site: &str, words: Words) -> Notice {
    let text = match words {
        Words::Chinese => format!("{site} 的那个页面已经关了或换了，这次用不上它"),
        Words::English => {
            format!("The page of {site} is closed or has changed: it is not there for this task")
        }
    };
    Notice {
        source: "page".to_owned(),
        text,
    }
}
