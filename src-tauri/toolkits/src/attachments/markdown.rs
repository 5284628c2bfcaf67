//! Marks of Markdown that several formats share: the level of a heading, and a link.

/// Bytes of a link's address; longer ones carry data and lead nowhere that a reader would go.
const ADDRESS_BYTES_MAX: usize = 2_000;

/// Schemes of addresses that mean something outside the document.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// The mark before a heading of that level, counted from 1; Markdown has six.
pub(super) fn heading(level: usize) -> String {
    format!("{} ", "#".repeat(level.clamp(1, 6)))
}

/// Makes a link of the end of `line`, from byte `start` on. Addresses within the document are left out.
pub(super) fn link(line: &mut String, start: usize, address: &str) {
    let Some(words) = line.get(start..) else {
        return;
    };
    let begun = start + (words.len() - words.trim_start().len());
    let is_apart = words.ends_with(char::is_whitespace);
    let words = words.trim().to_owned();
    let leads_out = SCHEMES.iter().any(|scheme| {
        let beginning = address.get(..scheme.len());
        beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(scheme))
    });
    let is_whole = address.len() <= ADDRESS_BYTES_MAX && !address.chars().any(ends_address);
    let is_said = words == address || address.strip_prefix("mailto:") == Some(words.as_str());
    if words.is_empty() || !leads_out || !is_whole || is_said {
        return;
    }
    let address = address.replace('(', "%28").replace(')', "%29");
    line.truncate(begun);
    line.push_str(&format!("[{words}]({address})"));
    if is_apart {
        line.push(' ');
    }
}

fn ends_address(character: char) -> bool {
    character.is_whitespace() || character.is_control() || "<>".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(words: &str, address: &str) -> String {
        let mut line = format!("see {words}");
        link(&mut line, 4, address);
        line
    }

    #[test]
    fn a_link_that_leads_out_is_written_and_any_other_leaves_its_words() {
        assert_eq!(
            linked("here", "https://a.b/c_(d)"),
            "see [here](https://a.b/c_%28d%29)"
        );
        assert_eq!(linked(" here", "HTTP://a.b"), "see  [here](HTTP://a.b)");
        assert_eq!(linked("here ", "https://a.b"), "see [here](https://a.b) ");
        for (words, address) in [
            ("here", "#part"),
            ("here", "javascript:alert(1)"),
            ("here", "https://a.b/ c"),
            ("", "https://a.b"),
            ("https://a.b", "https://a.b"),
            ("a@b.c", "mailto:a@b.c"),
        ] {
            assert_eq!(linked(words, address), format!("see {words}"), "{address}");
        }
        let long = format!("https://{}", "a".repeat(ADDRESS_BYTES_MAX));
        assert_eq!(linked("here", &long), "see here");
    }
}
