//! Keys in addresses: before the host, as in `https://user:secret@host/`, in the query, as in `?api_key=…`, and in the
//! path.
//!
//! Addresses are listed, logged and put into sentences, so such a key is hidden wherever one is shown. A header says what
//! stands before a host, and the keychain can keep that. A key of a query is kept there too, and goes back to its place.
//! One of a path stays where it is: nothing but its form tells it from a name.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretString};
use shidi_protocol::is_secret_parameter;
use std::collections::BTreeMap;

/// What is shown in place of a key.
const HIDDEN: &str = "•••";

/// How the name of a secret begins that stands in the query of an address. No header and no variable is called so.
pub const OF_QUERY: char = '?';

/// Characters from which on letters of both sizes with digits are no name. Keys that were drawn by lot have 32 and more.
const MIXED_CHARACTERS_MIN: usize = 24;

/// Digits in base 16 from which on they are a key, or an id that is given to nobody else.
const HEX_DIGITS_MIN: usize = 32;

/// The address without the key that stands before its host, and what the header `Authorization` says in its place. None
/// where no key stands there.
#[must_use]
pub fn split_key(url: &str) -> Option<(String, SecretString)> {
    let mut bare = reqwest::Url::parse(url.trim()).ok()?;
    let user = decoded(bare.username());
    let password = decoded(bare.password().unwrap_or_default());
    let is_bare = bare.set_username("").is_ok() && bare.set_password(None).is_ok();
    if !is_bare || (user.is_empty() && password.is_empty()) {
        return None;
    }
    let key = STANDARD.encode(format!("{user}:{password}"));
    Some((bare.to_string(), SecretString::from(format!("Basic {key}"))))
}

/// The address without the keys in its query, and these keys. Each is called as its parameter with a `?` before it.
#[must_use]
pub fn split_query(url: &str) -> (String, BTreeMap<String, SecretString>) {
    let mut keys = BTreeMap::new();
    let bare = with_pairs(url, |pair| {
        let Some(name) = key_name(pair) else {
            return Some(pair.to_owned());
        };
        let named = format!("{OF_QUERY}{name}");
        // A second one of that name has no other place, and stays.
        if keys.contains_key(&named) {
            return Some(pair.to_owned());
        }
        keys.insert(named, SecretString::from(meaning(pair)));
        None
    });
    (bare, keys)
}

/// The address with keys in its query, as [`split_query`] takes them out.
#[must_use]
pub fn with_query(url: &str, keys: &BTreeMap<String, SecretString>) -> String {
    let (address, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
    let mut whole = address.trim_end().to_owned();
    for (name, value) in keys {
        let before = if whole.contains('?') { '&' } else { '?' };
        let name = name.strip_prefix(OF_QUERY).unwrap_or(name);
        whole.push(before);
        whole.push_str(name);
        whole.push('=');
        whole.push_str(&encoded(value.expose_secret()));
    }
    whole + fragment
}

/// The address as it may be shown: `https://user:•••@host/?key=•••`. Of what is no address, all before the last @ is
/// hidden.
#[must_use]
pub fn hide_key(url: &str) -> String {
    hide_keys(url, |_| false)
}

/// The same, for whoever knows further forms of keys. `has_form` is asked about each part of a path, and about each
/// parameter as in `?name=value`.
#[must_use]
pub fn hide_keys(url: &str, has_form: impl Fn(&str) -> bool) -> String {
    let shown = with_parts(&hide_password(url), |part| {
        is_drawn_by_lot(part) || has_form(part)
    });
    with_pairs(&shown, |pair| Some(shown_pair(pair, &has_form)))
}

fn shown_pair(pair: &str, has_form: impl Fn(&str) -> bool) -> String {
    match pair.split_once('=') {
        Some((name, _)) if key_name(pair).is_some() || has_form(&format!("?{pair}")) => {
            format!("{name}={HIDDEN}")
        }
        None if has_form(pair) => HIDDEN.to_owned(),
        Some(_) | None => pair.to_owned(),
    }
}

fn hide_password(url: &str) -> String {
    let Some(parsed) = reqwest::Url::parse(url.trim()).ok().filter(has_host) else {
        return match url.rsplit_once('@') {
            Some((_, after)) => format!("{HIDDEN}@{after}"),
            None => url.to_owned(),
        };
    };
    let Some((bare, _)) = split_key(url) else {
        return url.to_owned();
    };
    // A name alone is a token, as some servers take it.
    let shown = match parsed.password() {
        Some(_) => format!("{}:{HIDDEN}", parsed.username()),
        None => HIDDEN.to_owned(),
    };
    bare.replacen("://", &format!("://{shown}@"), 1)
}

/// The address without those parts of its path that are keys.
fn with_parts(url: &str, is_key: impl Fn(&str) -> bool) -> String {
    let (address, rest) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
    let Some((scheme, behind)) = address.split_once("://") else {
        return url.to_owned();
    };
    let Some((host, path)) = behind.split_once('/') else {
        return url.to_owned();
    };
    let parts = path
        .split('/')
        .map(|part| if is_key(part) { HIDDEN } else { part });
    let parts: Vec<&str> = parts.collect();
    format!("{scheme}://{host}/{}{rest}", parts.join("/"))
}

/// Whether a part of a path has the form of what a program drew by lot.
fn is_drawn_by_lot(part: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:=~%+".contains(&byte);
    let has = |is_kind: fn(&u8) -> bool| part.as_bytes().iter().any(is_kind);
    let is_mixed = part.len() >= MIXED_CHARACTERS_MIN
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_digit);
    let mut digits = part.bytes().filter(|byte| *byte != b'-');
    let is_hex = digits.clone().count() >= HEX_DIGITS_MIN && digits.all(|byte| byte.is_ascii_hexdigit());
    part.bytes().all(is_sign) && (is_mixed || is_hex)
}

/// The address with each pair of its query as `change` has it; without those of which it makes none.
fn with_pairs(url: &str, change: impl FnMut(&str) -> Option<String>) -> String {
    let (address, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
    let Some((path, query)) = address.split_once('?') else {
        return url.to_owned();
    };
    let pairs: Vec<String> = query.split('&').filter_map(change).collect();
    match pairs.is_empty() {
        true => format!("{path}{fragment}"),
        false => format!("{path}?{}{fragment}", pairs.join("&")),
    }
}

/// The name of a pair's parameter where it holds a key.
fn key_name(pair: &str) -> Option<&str> {
    let (name, value) = pair.split_once('=')?;
    let read = form_urlencoded::parse(name.as_bytes()).next();
    let is_key = read.is_some_and(|(name, _)| is_secret_parameter(&name));
    (is_key && !value.trim().is_empty()).then_some(name)
}

/// What the value of a pair means.
fn meaning(pair: &str) -> String {
    let mut pairs = form_urlencoded::parse(pair.as_bytes());
    pairs
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

/// A value as a query writes it, in the form that every reader of queries takes.
fn encoded(value: &str) -> String {
    // A space is a plus only in forms.
    let text: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
    text.replace('+', "%20")
}

fn has_host(url: &reqwest::Url) -> bool {
    url.host_str().is_some_and(|host| !host.is_empty())
}

/// What a part of an address means: `%40` is an @.
fn decoded(part: &str) -> String {
    // In the form of queries, which is read here, two more signs mean something.
    let query = format!("key={}", part.replace('+', "%2B").replace('&', "%26"));
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let value = pairs.next().map(|(_, value)| value.into_owned());
    value.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key_of(url: &str) -> Option<(String, String)> {
        split_key(url).map(|(bare, key)| (bare, key.expose_secret().to_owned()))
    }

    fn parts(bare: &str, said: &str) -> Option<(String, String)> {
        Some((bare.to_owned(), format!("Basic {}", STANDARD.encode(said))))
    }

    #[test]
    fn a_key_in_an_address_becomes_a_header_that_says_the_same() {
        let bare = "https://a.example/mcp?x=1";
        for (url, said) in [
            ("https://me:s3cret@a.example/mcp?x=1", "me:s3cret"),
            (" https://me:p%40ss+%26=%3A@a.example/mcp?x=1 ", "me:p@ss+&=:"),
            ("https://ghp_x@a.example/mcp?x=1", "ghp_x:"),
            ("https://:s3cret@a.example/mcp?x=1", ":s3cret"),
            ("https:/me:s3cret@a.example/mcp?x=1", "me:s3cret"),
        ] {
            assert_eq!(key_of(url), parts(bare, said), "{url}");
        }
        for plain in ["https://a.example/@scope/mcp", "https://@a.example/", "npx", ""] {
            assert_eq!(key_of(plain), None, "{plain}");
        }
    }

    #[test]
    fn no_key_is_shown_whatever_its_address_looks_like() {
        for (url, shown) in [
            ("https://me:s3cret@a.example/mcp", "https://me:•••@a.example/mcp"),
            ("https://me:a@s3cret@a.example/", "https://me:•••@a.example/"),
            ("https://s3cret@a.example/mcp", "https://•••@a.example/mcp"),
            ("https:/me:s3cret@a.example/", "https://me:•••@a.example/"),
            // No addresses: a port can't be `pa`, and `me:` is no scheme of one.
            ("https://me:pa/s3cret@a.example/", "•••@a.example/"),
            ("me:s3cret@a.example/mcp", "•••@a.example/mcp"),
        ] {
            assert_eq!(hide_key(url), shown);
            assert!(!hide_key(url).contains("s3cret"), "{url}");
        }
        for plain in ["https://a.example/@scope/mcp", "a.example", ""] {
            assert_eq!(hide_key(plain), plain);
        }
    }

    #[test]
    fn a_part_of_a_path_that_has_the_form_of_a_key_is_not_shown() {
        let is_ours = |part: &str| part.starts_with("sk-") || part.starts_with("?code=");
        for (url, shown) in [
            (
                "https://a.example/mcp/sk-s3cret/sse?x=1#end",
                "https://a.example/mcp/•••/sse?x=1#end",
            ),
            (
                "https://a.example/s/Zm9vYmFyQmF6MTIzNDU2Nzg5MGFi/mcp",
                "https://a.example/s/•••/mcp",
            ),
            (
                "https://a.example/bot1234567890:AAFr4nd0mLettersOfBothSizes/mcp",
                "https://a.example/•••/mcp",
            ),
            (
                "https://a.example/0f8fad5b-d9cb-469f-a165-70867728950e",
                "https://a.example/•••",
            ),
            (
                "https://a.example/mcp?code=s3cret&x=1",
                "https://a.example/mcp?code=•••&x=1",
            ),
            ("https://a.example/mcp?sk-s3cret", "https://a.example/mcp?•••"),
            (
                "https://me:s3cret@a.example/sk-s3cret?token=s3cret",
                "https://me:•••@a.example/•••?token=•••",
            ),
        ] {
            assert_eq!(hide_keys(url, is_ours), shown);
        }
        for plain in [
            "https://sk-a.example/mcp",
            "https://a.example/mcp/server-everything-2025-11-25/SSE",
            "https://a.example/mcp?country_code=DE",
            "https://a.example/",
            "npx",
        ] {
            assert_eq!(hide_keys(plain, is_ours), plain);
        }
    }

    fn keys_of(url: &str) -> (String, Vec<(String, String)>) {
        let (bare, keys) = split_query(url);
        let shown = keys
            .iter()
            .map(|(name, key)| (name.clone(), key.expose_secret().to_owned()));
        (bare, shown.collect())
    }

    #[test]
    fn keys_in_a_query_are_taken_out_and_go_back_to_their_place() {
        let key = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        for (url, bare, keys) in [
            (
                "https://a.example/mcp?api_key=s3%2Bcret&x=1#end",
                "https://a.example/mcp?x=1#end",
                vec![key("?api_key", "s3+cret")],
            ),
            (
                "https://a.example/mcp?exaApiKey=s3cret&access_token=t%20u",
                "https://a.example/mcp",
                vec![key("?access_token", "t u"), key("?exaApiKey", "s3cret")],
            ),
        ] {
            assert_eq!(keys_of(url), (bare.to_owned(), keys), "{url}");
            let (bare, keys) = split_query(url);
            let whole = with_query(&bare, &keys);
            assert_eq!(keys_of(&whole), keys_of(url), "{whole}");
        }
        for plain in [
            "https://a.example/mcp?author=me&page=2&keyword=tea&key=",
            "https://a.example/mcp?",
            "https://a.example/token=1",
            "npx",
        ] {
            let (bare, keys) = split_query(plain);
            assert!(keys.is_empty(), "{plain}");
            assert_eq!(bare, plain);
            assert_eq!(with_query(plain, &keys), plain);
            assert_eq!(hide_key(plain), plain);
        }
    }

    #[test]
    fn a_key_in_a_query_is_not_shown_and_everything_else_is() {
        for name in [
            "api_key",
            "apikey",
            "API-Key",
            "key",
            "token",
            "access_token",
            "auth",
            "secret",
            "password",
            "sig",
            "api%5Fkey",
            "client_secret",
            "X-Amz-Signature",
        ] {
            let url = format!("https://a.example/mcp?x=1&{name}=s3cret&y=2");
            assert_eq!(
                hide_key(&url),
                format!("https://a.example/mcp?x=1&{name}=•••&y=2")
            );
        }
        let both = "https://me:s3cret@a.example/mcp?token=s3cret#there";
        assert_eq!(hide_key(both), "https://me:•••@a.example/mcp?token=•••#there");
        assert_eq!(hide_key("no address?token=s3cret"), "no address?token=•••");
    }

    proptest! {
        #[test]
        fn any_key_of_a_query_comes_back_as_it_was(value in ".{1,30}", rest in "(&[a-c]=[0-9]){0,3}") {
            let keys = BTreeMap::from([("?key".to_owned(), SecretString::from(value.clone()))]);
            let whole = with_query(&format!("https://a.example/mcp?z=1{rest}"), &keys);
            prop_assert!(reqwest::Url::parse(&whole).is_ok());
            if !value.trim().is_empty() {
                let (bare, found) = keys_of(&whole);
                prop_assert_eq!(bare, format!("https://a.example/mcp?z=1{}", rest));
                prop_assert_eq!(found, vec![("?key".to_owned(), value)]);
            }
        }
    }
}
