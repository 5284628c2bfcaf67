//! Addresses that a page may link to. Pure.

use crate::limits::ADDRESS_BYTES_MAX;

/// The address as a PDF holds it: ASCII, of a page or a mailbox. Any other is no link.
pub(crate) fn address(address: &str) -> Option<String> {
    let known = ["https://", "http://", "mailto:"];
    let is_known = known.iter().any(|scheme| {
        let start = address.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    if !is_known || address.len() > ADDRESS_BYTES_MAX {
        return None;
    }
    let mut written = String::with_capacity(address.len());
    for byte in address.bytes() {
        if byte.is_ascii_graphic() {
            written.push(char::from(byte));
        } else {
            written.push_str(&format!("%{byte:02X}"));
        }
    }
    Some(written)
}
