//! Names for calling things: skills by `/name` and assistants by `@name` in a line of words, workflows in programs.

use unicode_normalization::UnicodeNormalization;

/// Characters of a name, as the specification of skills says.
pub const NAME_CHARACTERS_MAX: usize = 64;

/// Whether a name is as the specification of skills wants it. Such a name has letters, digits and single hyphens,
/// none of them at an end.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_of_names = |sign: char| sign == '-' || (sign.is_alphanumeric() && sign.to_lowercase().eq([sign]));
    !name.is_empty()
        && name.chars().count() <= NAME_CHARACTERS_MAX
        && name.chars().all(is_of_names)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
        && name.nfkc().eq(name.chars())
}

/// The words of a text, joined by hyphens.
#[must_use]
pub fn callable(text: &str) -> String {
    let lowered: String = text.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    let words = lowered
        .split(|sign: char| !sign.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-");
    let bounded: String = joined.chars().take(NAME_CHARACTERS_MAX).collect();
    bounded.trim_matches('-').to_owned()
}

/// A text that calls nothing by its name. A stranger's text starts no skill, workflow or assistant of the user's.
#[must_use]
pub fn uncalled(text: String) -> String {
    match text.trim_start().starts_with(['/', '@']) {
        true => format!("\\{}", text.trim_start()),
        false => text,
    }
}

/// The name of a workflow as that of a method in a program.
#[must_use]
pub fn method_name(name: &str) -> String {
    let letters = name
        .chars()
        .map(|letter| if letter.is_alphanumeric() { letter } else { '_' });
    let name: String = letters.collect();
    match name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') {
        true => name,
        false => format!("_{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_would_call_something_is_marked() {
        assert_eq!(uncalled("\n /refund now".to_owned()), "\\/refund now");
        assert_eq!(uncalled("see /refund".to_owned()), "see /refund");
    }

    #[test]
    fn a_files_name_becomes_one_that_python_can_write() {
        assert_eq!(method_name("menu-recommendation"), "menu_recommendation");
        assert_eq!(method_name("菜单-推荐"), "菜单_推荐");
        assert_eq!(method_name("3d"), "_3d");
    }
}
