//! Letters that are words, or parts of words, by themselves: a text of them has no spaces between its words.

/// Whether a letter is a Chinese character, wherever it stands in Unicode.
pub fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}
