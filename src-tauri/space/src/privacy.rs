//! The one gate of the senses, with the rules that the user has set. The gate serves the screen, and the browsers'
//! reports of pages.

use crate::config::settings::Sensing;
use crate::space::Space;
use shidi_protocol::{Content, FormField, NamedContext, PageView, Selection};
use shidi_senses::{FrontWindow, Gate, LookTrigger, Paused, Rules, Verdict, VouchedPage};

/// The gate as the settings now have it. `front` is the page that a browser vouches for.
pub fn gate(space: &Space, front: Option<&PageView>) -> Gate {
    let is_paused = space.config().privacy.sensing == Sensing::Paused;
    let paused = if is_paused { Paused::Yes } else { Paused::No };
    let page = front.map(|front| VouchedPage {
        title: front.title.clone(),
        url: front.url.clone(),
    });
    Gate::new(rules(space, paused), [std::process::id()]).vouched(page)
}

/// What the user excluded: apps, titles, sites.
pub fn rules(space: &Space, paused: Paused) -> Rules {
    let config = space.config();
    Rules::new(
        paused,
        &config.privacy.apps.0,
        &config.privacy.titles.0,
        &config.privacy.sites.0,
    )
}

/// Title and address of a page that a browser tells of, as far as the gate lets them through.
pub fn page_passed(gate: &Gate, title: &str, url: &str) -> Option<(String, String)> {
    let window = FrontWindow {
        title: title.to_owned(),
        ..FrontWindow::default()
    };
    match gate.judge(&window, Some(url), LookTrigger::Explicit) {
        Verdict::Nothing(_) => None,
        Verdict::Whole { .. } | Verdict::NameOnly => Some((gate.title(title), shidi_senses::redacted(url))),
    }
}

/// A text without the secrets in it.
#[must_use]
pub fn text_passed(text: &str) -> String {
    shidi_senses::redacted(text)
}

/// A content as far as the gate lets it through: no secrets in any of its texts. The page itself was judged before.
#[must_use]
pub fn content_passed(content: Content) -> Content {
    let clean = |text: String| shidi_senses::redacted(&text);
    Content {
        title: clean(content.title),
        description: clean(content.description),
        text: clean(content.text),
        visible: clean(content.visible),
        selection: content.selection.map(|selected| Selection {
            text: clean(selected.text),
            before: clean(selected.before),
            after: clean(selected.after),
        }),
        links: content.links.into_iter().map(clean).collect(),
        fields: content
            .fields
            .into_iter()
            .map(|field| FormField {
                value: clean(field.value),
                problem: field.problem.map(clean),
                ..field
            })
            .collect(),
        context: content
            .context
            .into_iter()
            .map(|named| NamedContext {
                text: clean(named.text),
                ..named
            })
            .collect(),
        ..content
    }
}
