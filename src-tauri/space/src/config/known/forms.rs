//! Forms of values that are more than a number or a word.

pub(super) fn is_address(text: &str) -> bool {
    reqwest::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// Names of the keys that are held while another one is pressed.
const MODIFIERS: [&str; 9] = [
    "ctrl", "control", "alt", "option", "shift", "super", "meta", "cmd", "win",
];

/// Whether the text names at least one modifier and then exactly one other key; which keys exist, the desktop knows.
pub(super) fn are_keys(text: &str) -> bool {
    let is_modifier = |part: &str| MODIFIERS.contains(&part.to_ascii_lowercase().as_str());
    let mut parts: Vec<&str> = text.split('+').map(str::trim).collect();
    let Some(last) = parts.pop() else { return false };
    !last.is_empty() && !is_modifier(last) && !parts.is_empty() && parts.into_iter().all(is_modifier)
}
