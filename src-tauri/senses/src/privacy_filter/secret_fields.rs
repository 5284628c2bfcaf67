//! Fields of forms whose value is never read, known by their label or by their dots: passwords, codes, cards.
//!
//! A field that its program names as a password's is not even asked. This is for those that programs name as common ones.

use regex::Regex;
use std::sync::LazyLock;

/// Labels of fields that hold a secret, in the languages that we read.
const LABELS: &str = r"(?i)pass(?:word|wd|phrase|code)|\bpwd\b|\bpin\b|\botp\b|one[- ]?time|verification code|security code|\b(?:2fa|mfa|totp)\b|\bcv[vc]2?\b|card (?:number|no\.?)|credit card|iban|social security|api[ _-]?key|secret|private key|recovery (?:key|phrase)|密码|口令|验证码|校验码|动态码|安全码|卡号|信用卡|身份证|密钥|助记词";

static SECRET: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(LABELS).ok());

/// Signs that stand for letters which are not to be seen.
const DOTS: [char; 6] = ['•', '●', '*', '∙', '⬤', '\u{2022}'];

/// Whether the value of a field of that label may not be kept.
#[must_use]
pub fn is_secret_field(label: &str, value: &str) -> bool {
    let says_so = SECRET.as_ref().is_none_or(|secret| secret.is_match(label));
    let is_dots = value.chars().count() > 2 && value.chars().all(|character| DOTS.contains(&character));
    says_so || is_dots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_secrets_are_known_by_their_label_or_their_dots() {
        for label in [
            "Password:",
            "New passphrase",
            "PIN",
            "One-time code",
            "Card number",
            "CVV",
            "密码",
            "短信验证码",
            "银行卡号",
            "Your API key",
        ] {
            assert!(is_secret_field(label, ""), "{label}");
        }
        assert!(is_secret_field("Unlock", "••••••"));
        for label in [
            "Name",
            "Shipping address",
            "Spinner",
            "Postcode",
            "邮箱",
            "Notes",
            "Passenger",
        ] {
            assert!(!is_secret_field(label, "7 Lane"), "{label}");
        }
        assert!(!is_secret_field("Rating", "**"));
    }
}
