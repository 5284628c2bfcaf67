//! Whether a form asks for a secret: the protocol forbids it, and no server is trusted to keep to that.

use crate::elicitation::{Field, FieldKind};

/// Words that name a secret, and pairs of words that do.
const WORDS: [&str; 15] = [
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "credential",
    "credentials",
    "apikey",
    "accesstoken",
    "pin",
    "otp",
    "cvv",
    "cvc",
];
const PAIRS: [(&str, &str); 4] = [
    ("api", "key"),
    ("access", "key"),
    ("private", "key"),
    ("secret", "key"),
];

/// The same in Chinese, which has no spaces between words.
const PARTS: [&str; 6] = ["密码", "口令", "密钥", "私钥", "令牌", "验证码"];

/// The first field of free text that is for a secret. The field's own words tell so, or the words of the
/// message.
pub fn wanted<'a>(message: &str, fields: &'a [Field]) -> Option<&'a Field> {
    fields.iter().find(|field| {
        let is_free = matches!(field.kind, FieldKind::Text { format: None, .. });
        let texts = [field.name.as_str(), &field.label, &field.note, message];
        is_free && texts.into_iter().any(names_secret)
    })
}

fn names_secret(text: &str) -> bool {
    let words = words(text);
    let is_pair = |pair: &[String]| {
        PAIRS
            .iter()
            .any(|(first, second)| pair[0] == *first && pair[1] == *second)
    };
    words.iter().any(|word| WORDS.contains(&word.as_str()))
        || words.windows(2).any(is_pair)
        || PARTS.iter().any(|part| text.contains(part))
}

/// Words in small letters; `apiKey` and `API_KEY` are two.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in text.chars() {
        let begins = letter.is_ascii_uppercase() && was_small;
        was_small = letter.is_ascii_lowercase();
        if (!letter.is_alphanumeric() || begins) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_a_secret_is_known_however_it_is_spelled_and_what_only_sounds_like_one_is_not() {
        for text in [
            "password",
            "Your Password:",
            "db_pwd",
            "apiKey",
            "API key",
            "ACCESS_KEY",
            "bearer token",
            "PIN",
            "请输入密码",
        ] {
            assert!(names_secret(text), "{text}");
        }
        for text in ["max_tokens", "spinner", "key", "monkey", "name", "compass", ""] {
            assert!(!names_secret(text), "{text}");
        }
    }
}
