//! Keys that stand in addresses before the host, as in `https://user:secret@host/`.
//!
//! Addresses are listed, logged and put into sentences, so such a key is hidden wherever one is shown. A header says the
//! same to the server, and the keychain can keep that.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::SecretString;

/// What is shown in place of a key.
const HIDDEN: &str = "•••";

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

/// The address as it may be shown: `https://user:•••@host/`. Of what is no address, all before the last @ is hidden.
#[must_use]
pub fn hide_key(url: &str) -> String {
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
    use secrecy::ExposeSecret;

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
}
