//! The proxy to model servers: the environment's, none, or one that the user names.
//!
//! Servers on this machine are never reached through a proxy, whatever is set here.

use reqwest::ClientBuilder;
use reqwest::Url;

/// The way out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Proxy {
    /// `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY` and their lower-case forms, or the system's settings.
    #[default]
    System,
    /// No proxy, whatever the environment says.
    Direct,
    /// One proxy address for all servers that `NO_PROXY` does not name.
    At(String),
}

/// Schemes that a proxy may have.
const SCHEMES: &[&str] = &["http", "https", "socks4", "socks4a", "socks5", "socks5h"];

impl Proxy {
    /// Reads a setting: empty or `system`, `none`, or an address.
    ///
    /// # Errors
    /// The text, when it is none of these.
    pub fn named(text: &str) -> Result<Self, String> {
        match text.trim() {
            "" | "system" => Ok(Self::System),
            "none" => Ok(Self::Direct),
            address => {
                let url = Url::parse(address).map_err(|_| address.to_owned())?;
                if SCHEMES.contains(&url.scheme()) && url.has_host() {
                    Ok(Self::At(address.to_owned()))
                } else {
                    Err(address.to_owned())
                }
            }
        }
    }

    /// The setting that it was read from.
    #[must_use]
    pub fn setting(&self) -> &str {
        match self {
            Self::System => "system",
            Self::Direct => "none",
            Self::At(address) => address,
        }
    }

    /// Sets the proxy of a client.
    ///
    /// # Errors
    /// An address that no proxy can have.
    pub fn before(&self, builder: ClientBuilder) -> Result<ClientBuilder, reqwest::Error> {
        match self {
            Self::System => Ok(builder),
            Self::Direct => Ok(builder.no_proxy()),
            Self::At(address) => {
                let proxy = reqwest::Proxy::all(address)?.no_proxy(reqwest::NoProxy::from_env());
                Ok(builder.no_proxy().proxy(proxy))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_the_systems_none_or_an_address() {
        assert_eq!(Proxy::named(""), Ok(Proxy::System));
        assert_eq!(Proxy::named("none"), Ok(Proxy::Direct));
        for address in ["http://127.0.0.1:7890", "socks5h://localhost:1080"] {
            assert_eq!(Proxy::named(address), Ok(Proxy::At(address.to_owned())));
        }
        for nonsense in ["127.0.0.1:7890", "ftp://a", "http://", "代理"] {
            assert_eq!(Proxy::named(nonsense), Err(nonsense.to_owned()));
        }
    }
}
