//! A pseudo-language: English with accents and half as long again, so that what is untranslated or clipped meets the eye.

use std::collections::BTreeMap;
use std::path::Path;

/// The code of the pseudo-language, as others call such a one.
pub const CODE: &str = "en-XA";

/// What tells a form and says nothing, such as a script: it is the same in a language that is English.
const FORM: &str = "format_";

/// Copies the catalogue, and puts the pseudo-language beside its languages: a folder, and nothing else.
///
/// # Errors
/// What can't be read or written.
pub fn write(ours: &Path, root: &Path) -> std::io::Result<()> {
    for language in std::fs::read_dir(ours)? {
        let language = language?;
        let is_source = language.file_name() == "en";
        let copy = root.join(language.file_name());
        std::fs::create_dir_all(&copy)?;
        for file in std::fs::read_dir(language.path())? {
            let file = file?;
            let text = std::fs::read_to_string(file.path())?;
            std::fs::write(copy.join(file.file_name()), &text)?;
            if is_source {
                std::fs::create_dir_all(root.join(CODE))?;
                std::fs::write(root.join(CODE).join(file.file_name()), translated(&text)?)?;
            }
        }
    }
    Ok(())
}

/// A file of the catalogue in the pseudo-language.
fn translated(text: &str) -> std::io::Result<String> {
    let texts: BTreeMap<String, String> = serde_json::from_str(text)?;
    let translated: BTreeMap<&str, String> = texts
        .iter()
        .map(|(key, text)| match key.starts_with(FORM) {
            true => (key.as_str(), text.clone()),
            false => (key.as_str(), accented(text)),
        })
        .collect();
    Ok(serde_json::to_string(&translated)?)
}

/// The text with accents, between brackets, and longer; its gaps stay.
fn accented(text: &str) -> String {
    let mut gap = 0_i32;
    let letters: String = text
        .chars()
        .map(|letter| {
            gap += i32::from(letter == '{') - i32::from(letter == '}');
            match letter {
                _ if gap > 0 => letter,
                'a' => 'å',
                'c' => 'ç',
                'e' => 'é',
                'i' => 'î',
                'm' => 'ɱ',
                'n' => 'ñ',
                'o' => 'ö',
                'T' => 'Ţ',
                'u' => 'û',
                'y' => 'ý',
                letter => letter,
            }
        })
        .collect();
    format!("[{letters}{}]", "·".repeat(letters.chars().count() / 2))
}
