//! Reads `shidi://` links, which any page or program may open: they fill the input and never send anything.

use crate::shell_command::ShellCommand;
use shidi_protocol::is_shapeless;

const SCHEME: &str = "shidi://";
/// Longest link that is read, in bytes: browsers cut at about as much.
const LINK_MAX_BYTES: usize = 16 * 1024;
/// Longest text that is put into the input, in characters; a longer one is no question.
const TEXT_MAX_CHARS: usize = 4_000;

/// Longest name of an assistant, in characters, as the specification of skills says of theirs.
const NAME_MAX_CHARS: usize = 64;

/// What calls an assistant in the panel's input.
const CALLS_ASSISTANT: &str = "@";

/// The command of a link: `shidi://ask?text=…`, `shidi://assistant/NAME?ask=…`. `None` where the panel is only to be
/// shown: `shidi://`, or an empty question. Any other link is refused with a sentence.
#[must_use]
pub fn command_of(link: &str) -> Option<ShellCommand> {
    if !is_link(link) {
        return None;
    }
    if link.len() > LINK_MAX_BYTES {
        return Some(ShellCommand::LinkRefused);
    }
    let rest = link[SCHEME.len()..].split('#').next().unwrap_or_default();
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (place, name) = path.split_once('/').unwrap_or((path, ""));
    match place.to_ascii_lowercase().as_str() {
        "ask" if name.is_empty() => {
            let text = shown_field(query, "text").filter(|text| !text.is_empty())?;
            Some(ShellCommand::Text { text })
        }
        "assistant" => Some(of_assistant(name.trim_end_matches('/'), query)),
        "" if name.is_empty() => None,
        _ => Some(ShellCommand::LinkRefused),
    }
}

/// The link that chooses an assistant.
#[must_use]
pub fn to_assistant(name: &str) -> String {
    format!("{SCHEME}assistant/{name}")
}

/// The command that offers the assistants to choose from. The panel names those that can be asked; the others are not in
/// its list.
#[must_use]
pub fn offering_assistants() -> ShellCommand {
    let text = CALLS_ASSISTANT.to_owned();
    ShellCommand::Text { text }
}

/// Chooses the named assistant; without a name all are offered.
fn of_assistant(name: &str, query: &str) -> ShellCommand {
    if name.is_empty() {
        return offering_assistants();
    }
    let name = form_urlencoded::parse(name.as_bytes())
        .next()
        .map(|(name, _)| name.into_owned());
    match name.filter(|name| is_name(name)) {
        Some(name) => ShellCommand::Assistant {
            name,
            text: shown_field(query, "ask").unwrap_or_default(),
        },
        None => ShellCommand::LinkRefused,
    }
}

fn is_name(name: &str) -> bool {
    let is_of_names = |sign: char| sign.is_alphanumeric() || sign == '-';
    (1..=NAME_MAX_CHARS).contains(&name.chars().count()) && name.chars().all(is_of_names)
}

/// What can be seen of the first field of that name.
fn shown_field(query: &str, wanted: &str) -> Option<String> {
    let mut fields = form_urlencoded::parse(query.as_bytes());
    let (_, text) = fields.find(|(name, _)| name == wanted)?;
    Some(shown(&text))
}

/// Whether a link asks for the bar of what is selected: `shidi://selection`.
#[must_use]
pub fn is_of_selection(link: &str) -> bool {
    is_link(link)
        && link[SCHEME.len()..]
            .trim_end_matches('/')
            .eq_ignore_ascii_case("selection")
}

/// Whether an argument of the program is such a link.
#[must_use]
pub fn is_link(argument: &str) -> bool {
    argument
        .get(..SCHEME.len())
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME))
}

/// The text without unseen characters: the user must see everything that is sent.
fn shown(text: &str) -> String {
    let is_seen = |sign: &char| *sign == '\n' || !(sign.is_control() || is_shapeless(*sign));
    text.chars()
        .filter(is_seen)
        .take(TEXT_MAX_CHARS)
        .collect::<String>()
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text_of(link: &str) -> Option<String> {
        match command_of(link)? {
            ShellCommand::Text { text } => Some(text),
            other => panic!("{link}: {other:?}"),
        }
    }

    #[test]
    fn a_link_fills_the_input_with_what_can_be_seen() {
        let read = text_of("shidi://ask?from=page&text=%E4%BD%A0%E5%A5%BD+100%25%0Aok#x");
        assert_eq!(read.as_deref(), Some("你好 100%\nok"));
        assert_eq!(
            text_of("SHIDI://ask/?text=a%00%1b%E2%80%AEb").as_deref(),
            Some("ab")
        );
    }

    #[test]
    fn a_link_names_an_assistant_or_offers_all_of_them() {
        for (link, name, text) in [
            ("shidi://assistant/translator", "translator", ""),
            ("SHIDI://Assistant/%E7%BF%BB%E8%AF%91/", "翻译", ""),
            ("shidi://assistant/translator?ask=", "translator", ""),
            (
                "shidi://assistant/translator?x=1&ask=a%00%1b%E2%80%AEb%0Ac",
                "translator",
                "ab\nc",
            ),
        ] {
            let (name, text) = (name.to_owned(), text.to_owned());
            assert_eq!(
                command_of(link),
                Some(ShellCommand::Assistant { name, text }),
                "{link}"
            );
        }
        for link in [
            "shidi://assistant",
            "shidi://assistant/",
            "shidi://assistant?ask=x",
        ] {
            assert_eq!(text_of(link).as_deref(), Some("@"), "{link}");
        }
    }

    #[test]
    fn the_link_of_an_assistants_own_keys_chooses_it() {
        for name in ["my-cook", "翻译", "2024"] {
            let chosen = ShellCommand::Assistant {
                name: name.to_owned(),
                text: String::new(),
            };
            assert_eq!(command_of(&to_assistant(name)), Some(chosen));
        }
    }

    #[test]
    fn a_link_with_what_is_no_name_chooses_nobody() {
        for link in [
            "shidi://assistant/a b",
            "shidi://assistant/a%0Ab",
            "shidi://assistant/a/b",
            "shidi://assistant/a%2Fb",
            "shidi://assistant/%FF",
            "shidi://assistant/=a",
            "shidi://somebody@assistant/a",
            "shidi://assistant:80/a",
        ] {
            assert_eq!(command_of(link), Some(ShellCommand::LinkRefused), "{link}");
        }
        let long = "a".repeat(NAME_MAX_CHARS + 1);
        let refused = command_of(&format!("shidi://assistant/{long}"));
        assert_eq!(refused, Some(ShellCommand::LinkRefused));
    }

    #[test]
    fn a_link_shows_the_bar_of_what_is_selected_and_fills_nothing() {
        for link in ["shidi://selection", "SHIDI://Selection/"] {
            assert!(is_of_selection(link), "{link}");
        }
        for link in [
            "shidi://selections",
            "shidi://ask?text=selection",
            "selection",
            "shidi://",
        ] {
            assert!(!is_of_selection(link), "{link}");
        }
    }

    #[test]
    fn a_link_without_a_wish_shows_the_panel() {
        for link in [
            "shidi://",
            "shidi:///",
            "shidi://#x",
            "shidi://ask",
            "shidi://ask?text=",
            "https://ask?text=x",
            "",
        ] {
            assert_eq!(command_of(link), None, "{link}");
        }
    }

    #[test]
    fn a_link_with_another_wish_is_refused() {
        let long = format!("shidi://ask?text={}", "x".repeat(LINK_MAX_BYTES));
        for link in [
            "shidi://run?text=x",
            "shidi://ask/now?text=x",
            "shidi://a/b",
            &long,
        ] {
            assert_eq!(command_of(link), Some(ShellCommand::LinkRefused), "{link}");
        }
    }

    proptest! {
        #[test]
        fn no_link_breaks_the_reading(
            place in "(ask|assistant|assistant/|assistant/\\PC{0,80})",
            field in "(text|ask)",
            rest in "\\PC{0,60}",
        ) {
            let (name, text) = match command_of(&format!("shidi://{place}?{field}={rest}")) {
                Some(ShellCommand::Text { text }) => (String::new(), text),
                Some(ShellCommand::Assistant { name, text }) => (name, text),
                _ => return Ok(()),
            };
            prop_assert!(name.chars().count() <= NAME_MAX_CHARS);
            prop_assert!(name.chars().all(|sign| sign.is_alphanumeric() || sign == '-'));
            prop_assert!(text.chars().count() <= TEXT_MAX_CHARS);
            prop_assert!(!text.chars().any(|sign| sign.is_control() && sign != '\n'));
        }

        #[test]
        fn any_text_is_read_or_left(link in "\\PC*") {
            prop_assert_eq!(command_of(&link).is_some() && !is_link(&link), false);
        }
    }
}
