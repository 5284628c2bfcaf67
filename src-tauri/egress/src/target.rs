//! The host and port that somebody wants to reach, in the one spelling that permissions see.
//!
//! An address that is written in an old way (one number, hexadecimal, octal) is refused. A person would recognise
//! nothing by it.

use crate::neighbourhood::{Place, is_name_of_a_neighbour, place_of};
use std::fmt;
use std::net::IpAddr;

/// Longest name and longest part of a name, by the rules of names.
const NAME_BYTES_MAX: usize = 253;
const LABEL_BYTES_MAX: usize = 63;

/// Ports that permissions leave out, as addresses of the web do.
const USUAL_PORTS: [u16; 2] = [80, 443];

/// A host and a port.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    host: Host,
    port: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Host {
    Name(String),
    Address(IpAddr),
}

/// A text that names no host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no host and port")]
pub struct NoTarget;

impl Target {
    /// Reads a host and a port as a request names them.
    ///
    /// # Errors
    /// The host is no name and no address in its usual spelling, or the port is 0.
    pub fn new(host: &str, port: u16) -> Result<Self, NoTarget> {
        if port == 0 {
            return Err(NoTarget);
        }
        let bare = host
            .strip_prefix('[')
            .map_or(Some(host), |rest| rest.strip_suffix(']'));
        let bare = bare.ok_or(NoTarget)?;
        let host = match bare.parse::<IpAddr>() {
            Ok(address) => Host::Address(address.to_canonical()),
            Err(_) => Host::Name(name(bare).ok_or(NoTarget)?),
        };
        Ok(Self { host, port })
    }

    /// Reads `host`, `host:port` or `[address]:port`; without a port it is that of the web.
    ///
    /// # Errors
    /// The text names no host.
    pub fn named(text: &str) -> Result<Self, NoTarget> {
        let (host, port) = split_port(text.trim())?;
        Self::new(host, port.unwrap_or(443))
    }

    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The name, or the address without brackets.
    #[must_use]
    pub fn host(&self) -> String {
        match &self.host {
            Host::Name(name) => name.clone(),
            Host::Address(address) => address.to_string(),
        }
    }

    /// The address, where the host is none that has to be looked up.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        match &self.host {
            Host::Name(_) => None,
            Host::Address(address) => Some(*address),
        }
    }

    /// The host with its port, as a request to a proxy names both.
    #[must_use]
    pub fn authority(&self) -> String {
        format!("{}:{}", self.bracketed(), self.port)
    }

    /// Whether the host itself says that it lies on this computer or in its network. The host's addresses do not
    /// matter here.
    #[must_use]
    pub fn says_local(&self) -> bool {
        match &self.host {
            Host::Name(name) => is_name_of_a_neighbour(name),
            Host::Address(address) => place_of(*address) != Place::Far,
        }
    }

    fn bracketed(&self) -> String {
        match &self.host {
            Host::Address(IpAddr::V6(address)) => format!("[{address}]"),
            Host::Address(_) | Host::Name(_) => self.host(),
        }
    }
}

/// As permissions name it: with its port where that is not a usual one of the web.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.bracketed();
        if USUAL_PORTS.contains(&self.port) {
            f.write_str(&host)
        } else {
            write!(f, "{host}:{}", self.port)
        }
    }
}

/// Splits an authority into host and port.
pub(crate) fn split_port(text: &str) -> Result<(&str, Option<u16>), NoTarget> {
    let after_brackets = text.rfind(']').map_or(0, |at| at + 1);
    let (head, rest) = text.split_at(after_brackets);
    let is_bare_address = head.is_empty() && rest.matches(':').count() > 1;
    match rest.rsplit_once(':') {
        _ if is_bare_address => Ok((text, None)),
        None => Ok((text, None)),
        Some((before, port)) => {
            let is_number = !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit());
            let port = port.parse().ok().filter(|_| is_number).ok_or(NoTarget)?;
            Ok((&text[..head.len() + before.len()], Some(port)))
        }
    }
}

fn name(text: &str) -> Option<String> {
    let text = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
    let is_label = |label: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        !label.is_empty() && label.len() <= LABEL_BYTES_MAX && label.bytes().all(fits)
    };
    let is_name = text.len() <= NAME_BYTES_MAX && text.split('.').all(is_label);
    let last = text.rsplit('.').next().unwrap_or_default();
    // A name that ends in a number is an address in another spelling.
    let digits = last.strip_prefix("0x").unwrap_or(last);
    let is_number = match last.starts_with("0x") {
        true => digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
        false => digits.bytes().all(|digit| digit.is_ascii_digit()),
    };
    (is_name && !is_number).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_host_has_one_spelling_for_permissions() {
        for (text, shown) in [
            ("PyPI.org", "pypi.org"),
            ("pypi.org.:443", "pypi.org"),
            ("pypi.org:80", "pypi.org"),
            ("github.com:22", "github.com:22"),
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("[::1]:8080", "[::1]:8080"),
            ("::1", "[::1]"),
            ("[::ffff:10.0.0.8]:22", "10.0.0.8:22"),
            ("xn--fiqs8s.cn", "xn--fiqs8s.cn"),
        ] {
            assert_eq!(Target::named(text).unwrap().to_string(), shown, "{text}");
        }
    }

    #[test]
    fn what_names_no_host_is_refused() {
        for text in [
            "",
            ".",
            ":80",
            "a..b",
            "pypi.org:0",
            "pypi.org:99999",
            "pypi.org:+80",
            "pypi.org:",
            "2130706433",
            "0x7f.1",
            "0x7f000001",
            "0177.0.0.1",
            "127.1",
            "[::1",
            "a b",
            "a/b",
            "me@host",
            "中国.cn",
            "a\u{200b}.org",
            "*.pypi.org",
        ] {
            assert_eq!(Target::named(text), Err(NoTarget), "{text:?}");
        }
        assert_eq!(Target::named(&"a.".repeat(200)), Err(NoTarget));
    }

    #[test]
    fn a_host_tells_of_itself_that_it_lies_near() {
        for (text, is_local) in [
            ("localhost", true),
            ("printer.local", true),
            ("router", true),
            ("10.0.0.8", true),
            ("169.254.169.254", true),
            ("[::ffff:127.0.0.1]:80", true),
            ("pypi.org", false),
            ("93.184.215.14", false),
        ] {
            assert_eq!(Target::named(text).unwrap().says_local(), is_local, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_host_or_none_and_what_is_shown_names_the_same_host(text in ".{0,60}") {
            if let Ok(target) = Target::named(&text) {
                let shown = target.to_string();
                prop_assert!(shown.is_ascii() && !shown.contains(['*', '?', ' ', '/']));
                let again = Target::named(&shown).unwrap();
                prop_assert_eq!(again.host(), target.host());
            }
        }
    }
}
