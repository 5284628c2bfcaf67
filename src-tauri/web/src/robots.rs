//! The word of a site's `robots.txt` on an address (RFC 9309). The file is told, and stops nobody. The file speaks
//! to programs that go from page to page by themselves. Here a person let one page be read.

/// The name by which rules may speak to us.
const AGENT: &str = "shidi";

/// What a site says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Robots {
    Allowed,
    Disallowed,
    /// There are no rules, or they did not come.
    Silent,
}

impl Robots {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Disallowed => "disallowed",
            Self::Silent => "none",
        }
    }
}

/// A rule: whether it allows, and the pattern of paths.
struct Rule<'a> {
    allows: bool,
    pattern: &'a str,
}

/// The rules' word on a path with its query. The longest rule that fits decides, and allowing wins a tie.
pub(crate) fn said(text: &str, path: &str) -> Robots {
    let rules = rules_for_us(text);
    let fitting = rules.iter().filter(|rule| fits(rule.pattern, path));
    let decides = fitting.max_by_key(|rule| (rule.pattern.len(), rule.allows));
    match decides {
        _ if rules.is_empty() => Robots::Silent,
        Some(rule) if !rule.allows => Robots::Disallowed,
        Some(_) | None => Robots::Allowed,
    }
}

/// The rules of the group that names us, else of the group for all.
fn rules_for_us(text: &str) -> Vec<Rule<'_>> {
    let (mut own, mut all) = (Vec::new(), Vec::new());
    let (mut is_own, mut is_all, mut names) = (false, false, false);
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let Some((field, value)) = line.split_once(':') else {
            continue;
        };
        let (field, value) = (field.trim().to_ascii_lowercase(), value.trim());
        match field.as_str() {
            "user-agent" => {
                if !names {
                    (is_own, is_all) = (false, false);
                }
                names = true;
                is_own |= value.eq_ignore_ascii_case(AGENT);
                is_all |= value == "*";
            }
            "allow" | "disallow" => {
                names = false;
                let rule = || Rule {
                    allows: field == "allow",
                    pattern: value,
                };
                if is_own && !value.is_empty() {
                    own.push(rule());
                }
                if is_all && !value.is_empty() {
                    all.push(rule());
                }
            }
            _ => {}
        }
    }
    if own.is_empty() { all } else { own }
}

/// Whether a pattern fits the beginning of a path: `*` stands for anything, `$` at the end for the path's end.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, is_whole) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (at, part) in parts.iter().enumerate() {
        if is_whole && at + 1 == parts.len() {
            return rest.ends_with(part);
        }
        let Some(found) = rest.find(part) else {
            return false;
        };
        rest = rest.get(found + part.len()..).unwrap_or_default();
    }
    !is_whole || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_of_our_group_decides() {
        let text = "User-agent: other\nDisallow: /\n\nUser-agent: *\nUser-agent: third\nDisallow: /private # why\nAllow: /private/open\nDisallow: /*.pdf$\n";
        for (path, expected) in [
            ("/", Robots::Allowed),
            ("/private/x", Robots::Disallowed),
            ("/private/open/x", Robots::Allowed),
            ("/a/b.pdf", Robots::Disallowed),
            ("/a/b.pdf?x", Robots::Allowed),
        ] {
            assert_eq!(said(text, path), expected, "{path}");
        }
        let own = format!("{text}User-agent: Shidi\nDisallow: /\n");
        assert_eq!(said(&own, "/a"), Robots::Disallowed);
        assert_eq!(said("", "/a"), Robots::Silent);
        assert_eq!(said("User-agent: *\nDisallow:\n", "/a"), Robots::Silent);
        assert_eq!(said("<html>not found: *</html>", "/a"), Robots::Silent);
    }

    proptest::proptest! {
        #[test]
        fn whatever_a_site_says_ends_and_a_path_of_its_own_fits(text in ".{0,400}", path in "/[a-z*$]{0,20}") {
            said(&text, &path);
            let path = path.replace(['*', '$'], "");
            assert!(fits(&path, &path));
            assert!(fits(&format!("{path}$"), &path));
            assert!(fits("*", &path));
        }
    }
}
