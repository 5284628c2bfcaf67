//! The way to a host whose addresses were judged. The connection goes to just these, whatever the name leads to later.
//!
//! Spellings of an address (decimal, octal, with a dot at the end) are the address parser's to undo.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Url, redirect};
use shidi_egress::neighbourhood::{Distance, Neighbours, Place, locate};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// A host that was judged.
pub struct Judged {
    pub distance: Distance,
    /// Of all its addresses the one that lies furthest in.
    pub place: Place,
    /// `None` for a host that is an address by itself.
    resolver: Option<Arc<Pinned>>,
}

impl Judged {
    /// Finds where a host leads, and how near that is.
    pub async fn of(url: &Url, around: &Arc<dyn Neighbours>) -> Self {
        let host = url.host_str().unwrap_or_default();
        let found = locate(host, around.as_ref()).await;
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let pinned = bare.parse::<IpAddr>().is_err().then(|| Pinned {
            host: bare.to_owned(),
            addresses: found
                .addresses
                .iter()
                .map(|address| SocketAddr::new(*address, 0))
                .collect(),
            around: Arc::clone(around),
        });
        Self {
            distance: found.distance,
            place: found.place,
            resolver: pinned.map(Arc::new),
        }
    }

    /// A client that reaches this host at the addresses that were judged, and follows nothing by itself. A proxy of the
    /// environment finds the host for itself.
    ///
    /// # Errors
    /// No client can be built.
    pub fn client(self, builder: reqwest::ClientBuilder) -> reqwest::Result<reqwest::Client> {
        let builder = builder.redirect(redirect::Policy::none());
        match self.resolver {
            Some(resolver) => builder.dns_resolver(resolver).build(),
            None => builder.build(),
        }
    }
}

/// Answers for one host with the addresses that were judged, and never asks again for it. Any other name is that of a
/// proxy.
struct Pinned {
    host: String,
    addresses: Vec<SocketAddr>,
    around: Arc<dyn Neighbours>,
}

impl Resolve for Pinned {
    fn resolve(&self, name: Name) -> Resolving {
        let plain = |name: &str| name.trim_end_matches('.').to_lowercase();
        let is_judged = plain(name.as_str()) == plain(&self.host);
        let (judged, around) = (self.addresses.clone(), Arc::clone(&self.around));
        Box::pin(async move {
            let found: Addrs = match is_judged {
                true if judged.is_empty() => return Err("nobody knows that name".into()),
                true => Box::new(judged.into_iter()),
                false => {
                    let found = around.addresses(name.as_str()).await?;
                    Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0)))
                }
            };
            Ok(found)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_egress::neighbourhood::place_of;

    #[tokio::test]
    async fn an_address_is_the_same_however_it_is_spelled() {
        struct Nobody;
        #[async_trait::async_trait]
        impl Neighbours for Nobody {
            async fn addresses(&self, _host: &str) -> std::io::Result<Vec<IpAddr>> {
                Err(std::io::ErrorKind::NotFound.into())
            }
            fn place_of(&self, address: IpAddr) -> Place {
                place_of(address)
            }
        }
        let around: Arc<dyn Neighbours> = Arc::new(Nobody);
        for (text, expected) in [
            ("http://2130706433/", Distance::Near),
            ("http://0x7f.1/", Distance::Near),
            ("http://0177.0.0.1/", Distance::Near),
            ("http://127.0.0.1./", Distance::Near),
            ("http://[::ffff:7f00:1]/", Distance::Near),
            ("http://93.184.215.14/", Distance::Far),
            ("http://example.com/", Distance::Unknown),
        ] {
            let judged = Judged::of(&Url::parse(text).unwrap(), &around).await;
            assert_eq!(judged.distance, expected, "{text}");
        }
    }
}
