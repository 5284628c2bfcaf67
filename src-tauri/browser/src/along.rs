//! The page that a question is about, as a model reads it.

use crate::Pages;
use shidi_agent::Notice;
use shidi_locales::Language;
use shidi_protocol::{Ask, ContextPiece, PageView};

impl Pages {
    /// The page of a question as it goes along with the question. The user is told where the page is not open
    /// any more.
    pub fn along(&self, ask: &Ask, language: Language) -> (Option<ContextPiece>, Option<Notice>) {
        let Some(page) = &ask.page else {
            return (None, None);
        };
        match self.view(page) {
            Some(view) if self.is_pdf(page) => (Some(pdf_told(view)), None),
            Some(view) => (Some(told(view)), None),
            None => (None, Some(closed(&page.site, language))),
        }
    }
}

fn told(view: PageView) -> ContextPiece {
    let offers = match (view.tools.is_empty(), view.allowed) {
        (true, _) => "",
        (false, true) => " It offers tools, too.",
        (false, false) => " It offers tools of its own, which the user has not allowed to be used.",
    };
    ContextPiece {
        source: "page".to_owned(),
        text: format!("The page in front of the user; the toolkit page reads it and acts in it.{offers}"),
        title: view.title,
        url: Some(view.url),
        untrusted: true,
    }
}

fn pdf_told(view: PageView) -> ContextPiece {
    let text = "The page in front of the user is a PDF. page.read() returns its text, with [p. N] before each page; \
                page.find(text=…) its lines with their pages; page.open(url) works, too. Nothing else works there.";
    ContextPiece {
        text: text.to_owned(),
        ..told(view)
    }
}

fn closed(site: &str, language: Language) -> Notice {
    let text = language.browser().page_unreachable(site);
    Notice {
        source: "page".to_owned(),
        text,
    }
}
