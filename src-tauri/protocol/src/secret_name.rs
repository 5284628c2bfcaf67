//! Names that tell of a secret, in one list for data, addresses and forms of servers. What is hidden in one of these places
//! is hidden in all.
//!
//! Only names are read here. A value that has the form of a key is found by whoever looks at values. Labels on the screen
//! are words of any page, and have a list of their own in the senses.

/// Names of secrets wherever they stand, in small letters and without signs. Longer names of fields end with them.
const EVERYWHERE: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "secretkey",
    "credential",
    "credentials",
];

/// The same in Chinese, which has no spaces between words.
const IN_CHINESE: &[&str] = &["密码", "口令", "密钥", "私钥", "令牌", "验证码"];

/// Names of fields beside these: in a sentence they are usual words.
const OF_FIELDS: &[&str] = &["authorization", "cookie"];

/// Names of parameters and headers beside these: a field of such a name may hold anything.
const OF_PARAMETERS: &[&str] = &["key", "pass", "auth", "jwt", "sig", "signature"];

/// Ends of names that sound like these: a list goes on at such a place.
const OF_PLACES: &[&str] = &["pagetoken", "nexttoken", "continuationtoken"];

/// Words of a form beside these: as the end of a longer name they tell nothing.
const OF_FORMS: &[&str] = &["pin", "otp", "cvv", "cvc"];

/// Two words of a form that some write as one. The end of such a name tells of a secret where ends are read.
const OF_FORMS_TOGETHER: &[&str] = &["accesstoken", "authtoken", "refreshtoken", "clientsecret"];

/// Whether a field of data holds a secret, by its name: `db_password`, `accessToken`.
#[must_use]
pub fn is_secret_field(name: &str) -> bool {
    ends_with_one(&plain(name), &[EVERYWHERE, IN_CHINESE, OF_FIELDS])
}

/// Whether a parameter of an address or a header holds a secret, by its name: `api_key`, `X-Auth`.
#[must_use]
pub fn is_secret_parameter(name: &str) -> bool {
    ends_with_one(&plain(name), &[EVERYWHERE, IN_CHINESE, OF_FIELDS, OF_PARAMETERS])
}

/// Whether a text for people speaks of a secret: one of its words names one, or two words together.
#[must_use]
pub fn names_secret(text: &str) -> bool {
    let words = words(text);
    let lists = [EVERYWHERE, OF_FORMS, OF_FORMS_TOGETHER];
    let is_one = |word: &str| lists.iter().any(|list| list.contains(&word));
    words.iter().any(|word| is_one(word))
        || words.windows(2).any(|pair| is_one(&pair.concat()))
        || IN_CHINESE.iter().any(|part| text.contains(part))
}

/// A name in small letters and without signs.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|sign| sign.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn ends_with_one(name: &str, lists: &[&[&str]]) -> bool {
    let ends = |list: &[&str]| list.iter().any(|end| name.ends_with(end));
    !ends(OF_PLACES) && lists.iter().copied().any(ends)
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
    fn a_name_of_a_secret_is_known_in_data_in_addresses_and_in_sentences() {
        for name in [
            "password",
            "DB_PASSWD",
            "api-key",
            "apiKey",
            "access_token",
            "accesstoken",
            "client_secret",
            "privateKey",
            "数据库密码",
        ] {
            assert!(is_secret_field(name), "{name}");
            assert!(is_secret_parameter(name), "{name}");
            assert!(names_secret(name), "{name}");
        }
        for name in ["author", "keyword", "max_tokens", "name", "compass_north", ""] {
            assert!(!is_secret_field(name), "{name}");
            assert!(!is_secret_parameter(name), "{name}");
            assert!(!names_secret(name), "{name}");
        }
    }

    #[test]
    fn what_only_sounds_like_a_secret_is_shown() {
        for name in [
            "token_count",
            "cookie_banner",
            "tokens",
            "nextPageToken",
            "next_token",
            "continuation-token",
        ] {
            assert!(!is_secret_field(name), "{name}");
            assert!(!is_secret_parameter(name), "{name}");
        }
    }

    #[test]
    fn each_place_has_names_that_are_usual_words_in_the_others() {
        let places = |name: &str| {
            (
                is_secret_field(name),
                is_secret_parameter(name),
                names_secret(name),
            )
        };
        for name in ["key", "sig", "X-Auth"] {
            assert_eq!(places(name), (false, true, false), "{name}");
        }
        for name in ["Authorization", "Set-Cookie"] {
            assert_eq!(places(name), (true, true, false), "{name}");
        }
        for text in ["Your PIN", "the cvv on the back"] {
            assert_eq!(places(text), (false, false, true), "{text}");
        }
    }

    #[test]
    fn what_names_a_secret_is_known_however_it_is_spelled_and_what_only_sounds_like_one_is_not() {
        for text in [
            "Your Password:",
            "db_pwd",
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
