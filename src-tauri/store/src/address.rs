//! One page has many addresses: how it is named once. Parts that a browser adds to follow its user are left out. So
//! are parts that only say where on the page to look.

/// Parameters that say where a visitor came from, not which page it is.
const FOLLOWING: &[&str] = &[
    "utm_",
    "fbclid",
    "gclid",
    "dclid",
    "msclkid",
    "yclid",
    "mc_cid",
    "mc_eid",
    "igshid",
    "spm",
    "scm",
    "share_token",
    "_ga",
    "vd_source",
];

/// The address as pages are known by: without fragment, user, standard port, trailing slash and following parameters.
/// Scheme and host are in small letters. What is no web address stays as it is, without its end.
#[must_use]
pub fn canonical(address: &str) -> String {
    let address = address.trim();
    let plain = address.split('#').next().unwrap_or_default();
    let Some((scheme, rest)) = plain.split_once("://") else {
        return plain.trim_end_matches('/').to_owned();
    };
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (host, path) = place.split_at(place.find('/').unwrap_or(place.len()));
    let host = host.rsplit('@').next().unwrap_or_default().to_lowercase();
    let scheme = scheme.to_lowercase();
    let host = match scheme.as_str() {
        "https" => host.strip_suffix(":443").unwrap_or(&host),
        "http" => host.strip_suffix(":80").unwrap_or(&host),
        _ => &host,
    };
    let kept: Vec<&str> = query
        .split('&')
        .filter(|part| !part.is_empty() && !is_following(part))
        .collect();
    let mut named = format!("{scheme}://{host}{}", path.trim_end_matches('/'));
    if !kept.is_empty() {
        named.push('?');
        named.push_str(&kept.join("&"));
    }
    named
}

/// The host of an address; what has no scheme is taken for a host with a path.
pub(crate) fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?']).next().unwrap_or_default()
}

fn is_following(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default();
    FOLLOWING
        .iter()
        .any(|known| name == *known || (known.ends_with('_') && name.starts_with(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_has_one_name() {
        let name = "https://wiki.example/a/b?id=7";
        for other in [
            "https://wiki.example/a/b?id=7#part",
            "HTTPS://Wiki.Example:443/a/b/?utm_source=mail&id=7&utm_medium=x",
            " https://me:secret@wiki.example/a/b/?id=7&fbclid=1 ",
        ] {
            assert_eq!(canonical(other), name);
        }
        assert_eq!(canonical("https://wiki.example/?#top"), "https://wiki.example");
        assert_ne!(canonical("https://wiki.example/a/b?id=8"), name);
        assert_eq!(canonical("wiki.example/"), "wiki.example");
        assert_eq!(host(name), "wiki.example");
        for odd in ["", "://", "#", "?", "https://", "https://?x", "https://@"] {
            assert!(canonical(odd).len() <= odd.len());
        }
    }
}
