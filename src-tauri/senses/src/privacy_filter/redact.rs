//! Takes secrets out of text and names their kind: `[redacted:jwt]`.
//!
//! Only forms are known: text with the form of a key is taken out, whoever wrote it. A secret that looks like a
//! common word is not recognised, and pixels are not read.

use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;

/// A kind of secret: its name, its form, and the group of its match that stays.
struct Form {
    kind: &'static str,
    pattern: &'static str,
}

/// Forms in their order: longer and more certain ones first. A group named `keep` stays before the mark. In a
/// text written as a literal, the letter of an escaped line end stands where a word would begin.
const FORMS: &[Form] = &[
    Form {
        kind: "private-key",
        pattern: r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\z)",
    },
    Form {
        kind: "jwt",
        pattern: r"(?:\b|(?P<keep>\\[nrt]))eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
    },
    Form {
        kind: "key",
        pattern: r"(?:\b|(?P<keep>\\[nrt]))(?:sk-[A-Za-z0-9_-]{16,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}|ASIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|LTAI[A-Za-z0-9]{12,}|hf_[A-Za-z0-9]{20,}|dop_v1_[a-f0-9]{32,}|npm_[A-Za-z0-9]{30,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})",
    },
    Form {
        kind: "token",
        pattern: r"(?i)(?P<keep>\bbearer\s+)[a-z0-9._~+/=-]{12,}",
    },
    Form {
        kind: "token",
        pattern: r#"(?i)(?P<keep>\b(?:set-)?cookie:\s{0,3})[^\s"'=]{1,80}=[^\r\n"']*"#,
    },
    Form {
        kind: "password",
        pattern: r"(?i)(?P<keep>\blogin\s{1,3}\S{1,100}\s{1,3}password\s{1,3})\S+",
    },
    Form {
        kind: "password",
        pattern: r"(?P<keep>\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://(?:\[redacted:[a-z-]{1,20}\]|[^\s/:@]){0,100}:)[^\s/@]+(?P<after>@)",
    },
    Form {
        kind: "token",
        pattern: r"(?i)(?P<keep>[?&](?:access_token|id_token|refresh_token|token|auth|code|key|api_?key|sig|signature|session|sid|secret|password|pwd)=)[^&\s#]+",
    },
    Form {
        kind: "password",
        pattern: r#"(?i)(?P<keep>(?:pass(?:word|wd|phrase|code)|pwd|密码|口令|secret(?:[_ -]?key)?|api[_ -]?key|access[_ -]?key|token)["']?\s{0,3}[:=：]\s{0,3}["']?)[^\s"',，；;]+"#,
    },
    // A password in a sentence. The word after it must look like one, or "the password is required" would lose
    // a word.
    Form {
        kind: "password",
        pattern: r#"(?i)(?P<keep>(?:\bpass(?:word|phrase|code)|\bpin(?: code)?|密码|口令)\s{0,2}(?:\bis\b|\bwas\b|to\b|现在是|改成了?|改为|换成|是|为|叫)\s{0,2}["'“‘「]?)[!-~]{0,60}[0-9!@#$%^&*_+=~][!-~]{0,60}"#,
    },
    Form {
        kind: "code",
        pattern: r"(?i)(?P<keep>(?:verification code|security code|one[- ]time (?:code|password)|\botp\b|验证码|校验码|动态密码)[^0-9\n\[]{0,16})[0-9]{4,8}\b",
    },
];

static COMPILED: LazyLock<Vec<(&'static str, Regex)>> = LazyLock::new(|| {
    let compiled = FORMS.iter().filter_map(|form| match Regex::new(form.pattern) {
        Ok(regex) => Some((form.kind, regex)),
        Err(cause) => {
            tracing::error!(kind = form.kind, %cause, "a form of secrets can't be read");
            None
        }
    });
    compiled.collect()
});

/// Numbers of cards and identity cards: their form is common, so a check digit decides.
static NUMBERS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b[0-9](?:[ -]?[0-9]){11,18}(?:[0-9Xx])?\b").ok());

/// The beginning of the mark that replaces a secret.
const MARK: &str = "[redacted:";

/// How often a text is gone over at most. Two passes are usual: the second one finds nothing more.
const PASSES: usize = 8;

/// The text without secrets. Gone over once more, nothing changes: what was taken out can show a form that stood
/// across it.
#[must_use]
pub fn redacted(text: &str) -> String {
    let mut clean = once_redacted(text);
    if clean == text {
        return clean;
    }
    for _ in 1..PASSES {
        let next = once_redacted(&clean);
        if next == clean {
            break;
        }
        clean = next;
    }
    clean
}

fn once_redacted(text: &str) -> String {
    let mut text = Cow::Borrowed(text);
    for (kind, regex) in COMPILED.iter() {
        if regex.is_match(&text) {
            text = Cow::Owned(
                regex
                    .replace_all(&text, |found: &Captures<'_>| marked(kind, found))
                    .into_owned(),
            );
        }
    }
    if let Some(numbers) = NUMBERS.as_ref()
        && numbers.is_match(&text)
    {
        text = Cow::Owned(numbers.replace_all(&text, number).into_owned());
    }
    text.into_owned()
}

fn marked(kind: &str, found: &Captures<'_>) -> String {
    let group = |name| found.name(name).map_or("", |group| group.as_str());
    let (keep, after) = (group("keep"), group("after"));
    let whole = &found[0];
    let secret = &whole[keep.len()..whole.len() - after.len()];
    // An earlier form's mark is no secret; what follows it in the same value is. A mark has a colon too.
    if is_only_marked(secret) || keep.ends_with(MARK) {
        return whole.to_owned();
    }
    format!("{keep}[redacted:{kind}]{after}")
}

/// Whether this is one mark, alone or before the host of an address.
fn is_only_marked(text: &str) -> bool {
    text.starts_with(MARK)
        && text
            .split_once(']')
            .is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with('@'))
}

fn number(found: &Captures<'_>) -> String {
    let digits: Vec<u32> = found[0]
        .chars()
        .filter_map(|character| match character {
            'X' | 'x' => Some(10),
            digit => digit.to_digit(10),
        })
        .collect();
    if is_identity_card(&digits) {
        return "[redacted:identity]".to_owned();
    }
    if is_card(&digits) {
        return "[redacted:card]".to_owned();
    }
    found[0].to_owned()
}

/// Payment cards: 13 to 19 digits with Luhn's check digit.
fn is_card(digits: &[u32]) -> bool {
    if !(13..=19).contains(&digits.len()) || digits.iter().any(|digit| *digit > 9) {
        return false;
    }
    let doubled = |(place, digit): (usize, &u32)| match (place % 2, digit * 2) {
        (0, _) => *digit,
        (_, twice) if twice > 9 => twice - 9,
        (_, twice) => twice,
    };
    let sum: u32 = digits.iter().rev().enumerate().map(doubled).sum();
    // All zeros, and other repeated digits, pass the sum and are no card.
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != digits[0])
}

/// Chinese identity cards: 18 places, the last a check digit or X.
fn is_identity_card(digits: &[u32]) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    const CHECKS: [u32; 11] = [1, 0, 10, 9, 8, 7, 6, 5, 4, 3, 2];
    if digits.len() != 18 || digits[..17].iter().any(|digit| *digit > 9) {
        return false;
    }
    let is_month = (1..=12).contains(&(digits[10] * 10 + digits[11]));
    let sum: u32 = digits
        .iter()
        .zip(WEIGHTS)
        .map(|(digit, weight)| digit * weight)
        .sum();
    is_month && CHECKS[(sum % 11) as usize] == digits[17]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_form_can_be_read() {
        assert_eq!(COMPILED.len(), FORMS.len());
        assert!(NUMBERS.is_some());
    }

    #[test]
    fn secrets_go_and_the_words_around_them_stay() {
        for (text, kept, gone) in [
            (
                "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123 end",
                "end",
                "eyJhbGci",
            ),
            ("export KEY=sk-abcdefghijklmnopqrstuvwx", "export", "abcdefghijkl"),
            ("AKIAIOSFODNN7EXAMPLE in the log", "in the log", "IOSFODNN"),
            ("ghp_abcdefghijklmnopqrstuvwxyz012345", "redacted:key", "ghp_"),
            // The form in which a program's variable is shown.
            (
                r"cfg: str = 'GitHub:\nghp_abcdefghijklmnopqrstuvwxyz012345\nend'",
                r"GitHub:\n[redacted:key]\nend",
                "ghp_",
            ),
            (r"'x\tAKIAIOSFODNN7EXAMPLE'", r"x\t[redacted:key]", "AKIA"),
            ("SECRET_KEY=hunter2hunter2 end", "end", "hunter2"),
            (
                "GET / HTTP/1.1\nCookie: sid=abc123; theme=dark\nend",
                "\nend",
                "abc123",
            ),
            (
                "machine a.example login lin password hunter2",
                "login lin",
                "hunter2",
            ),
            (
                "Authorization: Bearer abcdef0123456789xyz",
                "Authorization",
                "abcdef0123",
            ),
            ("postgres://app:hunter2@db/main", "@db/main", "hunter2"),
            (
                "https://token:hunter2@a.example/x.git",
                "@a.example/x.git",
                "hunter2",
            ),
            ("https://a.example/cb?code=SECRETCODE&x=1", "&x=1", "SECRETCODE"),
            ("password: hunter2, user: lin", "user: lin", "hunter2"),
            ("密码：hunter2 用户：林", "用户：林", "hunter2"),
            ("my password is hunter2, ask lin", "ask lin", "hunter2"),
            ("我的密码是hunter2，问林", "问林", "hunter2"),
            ("银行口令改成了 Xk!29 了", "银行口令", "Xk!29"),
            ("您的验证码是 482913，5 分钟内有效", "5 分钟内有效", "482913"),
            ("card 4111 1111 1111 1111 ok", "ok", "4111"),
            ("身份证 11010519491231002X。", "身份证", "19491231"),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nafter",
                "after",
                "MIIE",
            ),
            (
                "-----BEGIN PRIVATE KEY-----\nMIIE cut off",
                "redacted:private-key",
                "MIIE",
            ),
        ] {
            let clean = redacted(text);
            assert!(clean.contains(kept), "{clean}");
            assert!(!clean.contains(gone), "{clean}");
        }
    }

    #[test]
    fn a_mark_within_what_looks_like_an_address_stays_a_mark() {
        for (text, clean) in [
            ("sk-://password=x'@", "sk-://password=[redacted:password]'@"),
            ("sk-://password:://'@", "sk-://password:[redacted:password]@"),
        ] {
            let once = redacted(text);
            assert_eq!(once, clean);
            assert_eq!(redacted(&once), once);
        }
    }

    #[test]
    fn what_stands_behind_a_mark_in_the_same_value_goes_too() {
        for text in [
            "api_key=sk-abcdefghijklmnopqrstuvwx|password=hunter2",
            "password=sk-abcdefghijklmnopqrstuvwx!hunter2",
            "https://a.example/?password=x#password=hunter2",
            "https://sk-abcdefghijklmnopqrstuvwx:hunter2@a.example/",
        ] {
            let clean = redacted(text);
            assert!(!clean.contains("hunter2"), "{clean}");
            assert_eq!(redacted(&clean), clean);
        }
    }

    #[test]
    fn plain_numbers_and_words_are_left_alone() {
        for text in [
            "order 1234567890123456 is late",
            "2026-11-21 18:00:00",
            "the password policy changed",
            "the password is required",
            "密码是错的，在第 3 个抽屉里找",
            "0000 0000 0000 0000",
            "构建失败：第 42 行",
            "token ring networks",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    proptest! {
        #[test]
        fn doing_it_twice_changes_nothing_more(text in r#"(\PC|\n|password[:=]|sk-|eyJ|Bearer |://|@|[0-9]{4}){0,60}"#) {
            let once = redacted(&text);
            prop_assert_eq!(redacted(&once), once);
        }

        #[test]
        fn a_key_is_found_in_any_surroundings(before in r"(\PC{0,40}[ \n(:])?", after in r"([ \n.)]\PC{0,40})?", tail in "[A-Za-z0-9]{24}") {
            let clean = redacted(&format!("{before}sk-{tail}{after}"));
            prop_assert!(!clean.contains(&tail));
        }
    }
}
