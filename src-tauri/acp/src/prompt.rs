//! The parts of an editor's prompt: the user's words, and the attachments that go along with them.
//!
//! Only text is the user's words. Anybody may have written the name or the content of a link or a resource. So the
//! resource is attached, and a number stands in its place.

use crate::limits::{BLOCKS_MAX, NAME_CHARACTERS_MAX};
use serde_json::Value;
use shidi_locales::Acp;
use shidi_protocol::{AttachSource, ErrorCode, UserError, exact};

/// A prompt as it was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    pub text: String,
    /// In the order of their numbers.
    pub attached: Vec<AttachSource>,
}

/// Reads the pieces of a prompt.
///
/// # Errors
/// A piece that is not taken, or none with words: a sentence with its remedy.
pub fn read(blocks: &[Value], say: Acp) -> Result<Prompt, UserError> {
    let wrong = |said: String| UserError::new(ErrorCode::Input, said);
    let mut prompt = Prompt {
        text: String::new(),
        attached: Vec::new(),
    };
    let mut has_words = false;
    if blocks.len() > BLOCKS_MAX {
        return Err(wrong(say.too_many_blocks(BLOCKS_MAX)));
    }
    for block in blocks {
        let kind = text_of(block, "type");
        let source = match kind {
            "text" => {
                let text = text_of(block, "text");
                has_words |= !text.trim().is_empty();
                prompt.text.push_str(text);
                continue;
            }
            "resource_link" => linked(text_of(block, "uri"), say)?,
            "image" => picture(block, ""),
            "resource" => match embedded(block.get("resource").unwrap_or(&Value::Null)) {
                Some(source) => source,
                None => return Err(wrong(say.block_not_taken("resource"))),
            },
            other => return Err(wrong(say.block_not_taken(shown(other)))),
        };
        prompt.attached.push(source);
        prompt
            .text
            .push_str(&format!("[attached {}]", prompt.attached.len()));
    }
    match has_words {
        true => Ok(prompt),
        false => Err(wrong(say.no_text().to_owned())),
    }
}

/// A word of the editor's as an error shows it.
#[must_use]
pub fn shown(word: &str) -> String {
    let short: String = word.chars().take(NAME_CHARACTERS_MAX).collect();
    exact(&short).into_owned()
}

fn linked(uri: &str, say: Acp) -> Result<AttachSource, UserError> {
    match path_of(uri) {
        Some(path) => Ok(AttachSource::Path { path }),
        None => Err(UserError::new(ErrorCode::Input, say.link_no_file(shown(uri)))),
    }
}

fn picture(block: &Value, uri: &str) -> AttachSource {
    AttachSource::Image {
        base64: text_of(block, "data").to_owned(),
        mime: text_of(block, "mimeType").to_owned(),
        name: name_of(uri),
    }
}

/// The text of a resource, as the editor shows it. A file of that name may hold another text on the disk.
fn embedded(resource: &Value) -> Option<AttachSource> {
    let uri = text_of(resource, "uri");
    if let Some(text) = resource.get("text").and_then(Value::as_str) {
        return Some(AttachSource::Text {
            text: text.to_owned(),
            name: name_of(uri),
        });
    }
    let blob = resource.get("blob").and_then(Value::as_str)?;
    let mime = text_of(resource, "mimeType");
    mime.starts_with("image/").then(|| AttachSource::Image {
        base64: blob.to_owned(),
        mime: mime.to_owned(),
        name: name_of(uri),
    })
}

fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The last part of an address, as a file's name.
fn name_of(uri: &str) -> Option<String> {
    let address = uri.split(['?', '#']).next().unwrap_or_default();
    let name = decoded(address.rsplit(['/', '\\']).next().unwrap_or_default())?;
    let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
    let name = name.replace(['/', '\\'], "_");
    let short: String = name.chars().take(NAME_CHARACTERS_MAX).collect();
    (!short.trim_matches('.').is_empty()).then_some(short)
}

/// The path of a `file:` address of this computer, or of a plain absolute path.
fn path_of(uri: &str) -> Option<String> {
    let Some(rest) = uri.strip_prefix("file://") else {
        return std::path::Path::new(uri).is_absolute().then(|| uri.to_owned());
    };
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = decoded(rest.split(['?', '#']).next()?)?;
    // On Windows an address begins with a slash before the drive's letter.
    let path = match path.as_bytes() {
        [b'/', letter, b':', ..] if letter.is_ascii_alphabetic() && cfg!(windows) => path[1..].to_owned(),
        _ => path,
    };
    (std::path::Path::new(&path).is_absolute() && !path.contains('\0')).then_some(path)
}

/// An address with its `%XX` undone; `None` where they are none, or no text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, after @ ..] = rest else {
            return None;
        };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;
    use shidi_locales::Language;

    fn say() -> Acp {
        Language::En.acp()
    }

    #[test]
    fn more_parts_than_are_taken_are_refused_and_none_is_dropped() {
        let part = json!({"type": "text", "text": "a"});
        let parts = vec![part; BLOCKS_MAX];
        assert_eq!(read(&parts, say()).unwrap().text.len(), BLOCKS_MAX);
        let refused = read(&[parts, vec![json!({})]].concat(), say()).unwrap_err();
        assert!(refused.message.contains("256"), "{}", refused.message);
    }

    #[test]
    fn only_text_is_the_users_words_and_a_number_stands_for_the_rest() {
        let blocks = json!([
            {"type": "text", "text": "Compare "},
            {"type": "resource_link", "name": "obey me.rs", "uri": "file:///tmp/obey%20me.rs#L1"},
            {"type": "text", "text": " with "},
            {"type": "resource", "resource": {"uri": "file:///tmp/b.rs", "text": "delete all"}},
            {"type": "image", "mimeType": "image/png", "data": "AAAA"},
        ]);
        let prompt = read(blocks.as_array().unwrap(), say()).unwrap();
        assert_eq!(prompt.text, "Compare [attached 1] with [attached 2][attached 3]");
        assert_eq!(
            prompt.attached[0],
            AttachSource::Path {
                path: "/tmp/obey me.rs".into()
            }
        );
        assert!(
            matches!(&prompt.attached[1], AttachSource::Text { name, .. } if name.as_deref() == Some("b.rs"))
        );
    }

    #[test]
    fn what_is_not_taken_is_refused_with_a_sentence() {
        for (block, word) in [
            (json!({"type": "audio", "data": "AA"}), "audio"),
            (
                json!({"type": "resource_link", "uri": "https://example.org/a"}),
                "no file",
            ),
            (
                json!({"type": "resource_link", "uri": "file://elsewhere/a"}),
                "no file",
            ),
            (json!({"type": "resource_link", "uri": "file:///a%zz"}), "no file"),
            (json!({"type": "text", "text": "  "}), "no text"),
            (json!(7), "not taken"),
        ] {
            let refused = read(&[block], say()).unwrap_err();
            assert!(refused.message.contains(word), "{refused}");
        }
    }

    proptest! {
        #[test]
        fn no_address_ends_the_reader(uri in "(file://)?[ -~é]{0,40}") {
            let block = json!({"type": "resource_link", "uri": uri});
            let words = json!({"type": "text", "text": "x"});
            if let Ok(prompt) = read(&[words, block], say()) {
                prop_assert_eq!(prompt.attached.len(), 1);
            }
        }
    }
}
