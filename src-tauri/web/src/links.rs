//! Links of a Markdown text by number: `[text](address)` becomes `[text][1]`, and the first address of the list is its own.
//!
//! Addresses are long and models copy them badly; a number is short. Addresses become whole here, so that one can be
//! fetched as it stands. Pictures keep their words alone.

use crate::limits::{LINK_BYTES_MAX, LINKS_MAX};
use reqwest::Url;
use std::collections::HashMap;

/// A text whose links are numbered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Numbered {
    pub text: String,
    pub links: Vec<String>,
}

/// Numbers the links of `markdown`, which stood at `base`. What stands in a fence of code stays as it is.
pub(crate) fn numbered(markdown: &str, base: &str) -> Numbered {
    let mut writing = Writing {
        base: Url::parse(base).ok(),
        numbers: HashMap::new(),
        links: Vec::new(),
        text: String::with_capacity(markdown.len()),
    };
    let mut rest = markdown;
    let mut is_code = false;
    while !rest.is_empty() {
        let is_fence = rest.trim_start_matches([' ', '\t']).starts_with("```");
        if is_fence {
            is_code = !is_code;
        }
        let end = match is_code || is_fence {
            true => rest.find('\n').map_or(rest.len(), |at| at + 1),
            // A link's text may go over lines: up to the next fence it is all one.
            false => rest.find("\n```").map_or(rest.len(), |at| at + 1),
        };
        let (piece, after) = rest.split_at(end);
        match is_code || is_fence {
            true => writing.text.push_str(piece),
            false => writing.prose(piece),
        }
        rest = after;
    }
    Numbered {
        text: writing.text,
        links: writing.links,
    }
}

struct Writing {
    base: Option<Url>,
    numbers: HashMap<String, usize>,
    links: Vec<String>,
    text: String,
}

impl Writing {
    /// Writes text without code. Each `](` ends a link's text; its address goes to the bracket that closes it.
    fn prose(&mut self, piece: &str) {
        let mut rest = piece;
        while let Some(at) = rest.find("](") {
            let (before, after) = rest.split_at(at);
            let is_plain = before.chars().rev().take_while(|sign| *sign == '\\').count() % 2 == 1;
            let target = target(after.get(2..).unwrap_or_default()).filter(|_| !is_plain);
            let Some((target, end)) = target else {
                self.text.push_str(before);
                self.text.push_str("](");
                rest = after.get(2..).unwrap_or_default();
                continue;
            };
            self.text.push_str(before);
            self.text.push(']');
            let is_picture = is_picture(&self.text);
            if !is_picture && let Some(number) = self.number(target) {
                self.text.push_str(&format!("[{number}]"));
            }
            rest = after.get(2 + end..).unwrap_or_default();
        }
        self.text.push_str(rest);
    }

    /// The number of an address of the web; `None` for any other, and where there are too many.
    fn number(&mut self, target: &str) -> Option<usize> {
        let url = match &self.base {
            Some(base) => base.join(target).ok()?,
            None => Url::parse(target).ok()?,
        };
        let address = url.to_string();
        if !matches!(url.scheme(), "http" | "https") || address.len() > LINK_BYTES_MAX {
            return None;
        }
        if let Some(number) = self.numbers.get(&address) {
            return Some(*number);
        }
        if self.links.len() >= LINKS_MAX {
            return None;
        }
        self.links.push(address.clone());
        self.numbers.insert(address, self.links.len());
        Some(self.links.len())
    }
}

/// The address after `](`, without a title, and where the link ends.
fn target(text: &str) -> Option<(&str, usize)> {
    let mut depth = 0_usize;
    let mut is_plain = false;
    for (at, character) in text.char_indices().take(LINK_BYTES_MAX) {
        match character {
            _ if is_plain => is_plain = false,
            '\\' => is_plain = true,
            '\n' => return None,
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ')' => {
                let inner = text.get(..at).unwrap_or_default().trim();
                let address = inner
                    .split_once([' ', '\t'])
                    .map_or(inner, |(address, _)| address);
                return Some((address.trim_matches(['<', '>']), at + 1));
            }
            _ => {}
        }
    }
    None
}

/// Whether the brackets with which the text ends are those of a picture.
fn is_picture(text: &str) -> bool {
    let mut depth = 0_i32;
    for (at, character) in text.char_indices().rev() {
        match character {
            ']' => depth += 1,
            '[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(..at).is_some_and(|before| before.ends_with('!'));
        }
        if text.len() - at > LINK_BYTES_MAX {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_get_numbers_and_whole_addresses_and_pictures_their_words_alone() {
        let text = "See [one](/a), [two](b?c=1 \"title\") and [one again](https://x.example/a).\n\
                    [![logo](l.png)](https://y.example/(z)) [mail](mailto:a@b) [here](#part)\n\
                    | [cell](//z.example/t) | \\[no\\](link)\n```\n[code](kept)\n```\n[last](<d e>)";
        let Numbered { text, links } = numbered(text, "https://x.example/dir/page");
        assert_eq!(
            text,
            "See [one][1], [two][2] and [one again][1].\n[![logo]][3] [mail] [here][4]\n| [cell][5] | \\[no\\](link)\n```\n[code](kept)\n```\n[last][6]"
        );
        assert_eq!(
            links,
            [
                "https://x.example/a",
                "https://x.example/dir/b?c=1",
                "https://y.example/(z)",
                "https://x.example/dir/page#part",
                "https://z.example/t",
                "https://x.example/dir/d",
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_lost_or_breaks_the_numbering(text in "[\\[\\]()!`\\\\\n a-c文]{0,200}") {
            let numbered = numbered(&text, "https://x.example/");
            let plain = |text: &str| text.matches('文').count();
            assert!(plain(&numbered.text) <= plain(&text));
            assert!(!text.contains("](") || numbered.links.len() <= text.matches("](").count());
            if !text.contains("](") {
                assert_eq!(numbered.text, text);
            }
        }
    }
}
