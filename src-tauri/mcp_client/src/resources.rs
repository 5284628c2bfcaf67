//! Resources of a server as a person picks them: told by name, and read as what a file would hold.
//!
//! All their words are the server's. What it says of their kind is believed by nobody: a picture is known by its first
//! bytes.

use crate::limits::{NAME_CHARACTERS_MAX, RESOURCE_URI_BYTES_MAX, TOOL_DOC_CHARACTERS};
use crate::offers;
use crate::outcome::shown;
use crate::pictures;
use crate::text::paragraph;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    ContentBlock, ReadResourceRequestParams, ReadResourceResponse, Resource, ResourceContents,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use shidi_protocol::is_unseen;
use std::collections::BTreeSet;

/// A resource that a server lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerResource {
    pub uri: String,
    pub name: String,
    pub description: String,
    /// As the server says; empty where it does not.
    pub media_type: String,
    pub bytes: Option<u64>,
}

/// What a resource holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// The ending is that of a file with such a text.
    Text {
        text: String,
        ending: &'static str,
    },
    Picture {
        bytes: Vec<u8>,
        ending: &'static str,
    },
    /// Neither a text nor a picture.
    Other {
        media_type: String,
        bytes: usize,
    },
    /// The server wants something first.
    Asks,
}

/// The resources of a server. None of a server that says that it has none.
pub async fn listed(peer: &Peer<RoleClient>) -> Result<Vec<ServerResource>, ServiceError> {
    let has_some = peer
        .peer_info()
        .is_some_and(|info| info.capabilities.resources.is_some());
    if !has_some {
        return Ok(Vec::new());
    }
    let (resources, _) = offers::resources(peer).await?;
    let mut seen = BTreeSet::new();
    let listed = resources.into_iter().filter(|resource| is_address(&resource.uri));
    let listed = listed.filter(|resource| seen.insert(resource.uri.clone()));
    Ok(listed.map(of).collect())
}

/// Reads one; its size is bounded as every message of a server is.
pub async fn read(peer: &Peer<RoleClient>, uri: &str) -> Result<Held, ServiceError> {
    let params = ReadResourceRequestParams::new(uri);
    match peer.read_resource_once(params).await? {
        ReadResourceResponse::Complete(read) => Ok(held(read.contents)),
        _ => Ok(Held::Asks),
    }
}

/// Whether a person can see all of an address that they pick.
fn is_address(uri: &str) -> bool {
    let is_seen = |character: char| !(character.is_control() || is_unseen(character));
    (1..=RESOURCE_URI_BYTES_MAX).contains(&uri.len()) && uri.chars().all(is_seen)
}

fn of(resource: Resource) -> ServerResource {
    let name = resource.title.unwrap_or(resource.name);
    ServerResource {
        name: paragraph(&name, TOOL_DOC_CHARACTERS / 10),
        description: paragraph(&resource.description.unwrap_or_default(), TOOL_DOC_CHARACTERS / 5),
        media_type: paragraph(&resource.mime_type.unwrap_or_default(), NAME_CHARACTERS_MAX),
        bytes: resource.size,
        uri: resource.uri,
    }
}

/// One content as it is. Of several the texts together, with what the others are; where none is a text, the first picture.
fn held(contents: Vec<ResourceContents>) -> Held {
    if let [only] = contents.as_slice() {
        return alone(only);
    }
    let mut each = contents.iter().map(alone);
    if !contents.iter().any(is_text)
        && let Some(picture) = each.find(|held| matches!(held, Held::Picture { .. }))
    {
        return picture;
    }
    let told: Vec<String> = contents
        .into_iter()
        .map(|content| shown(&ContentBlock::resource(content)))
        .collect();
    Held::Text {
        text: told.join("\n\n"),
        ending: "txt",
    }
}

fn is_text(content: &ResourceContents) -> bool {
    matches!(content, ResourceContents::TextResourceContents { .. })
}

fn alone(content: &ResourceContents) -> Held {
    match content {
        ResourceContents::TextResourceContents { mime_type, text, .. } => Held::Text {
            text: text.clone(),
            ending: ending(mime_type.as_deref().unwrap_or_default()),
        },
        ResourceContents::BlobResourceContents { mime_type, blob, .. } => {
            decoded(blob, mime_type.as_deref().unwrap_or_default())
        }
        _ => other("", 0),
    }
}

/// Bytes: a picture by its first ones, or a text that was sent as bytes.
fn decoded(blob: &str, media_type: &str) -> Held {
    let Ok(bytes) = STANDARD.decode(blob) else {
        return other(media_type, blob.len() / 4 * 3);
    };
    if let Some((_, ending)) = pictures::kind(&bytes) {
        return Held::Picture { bytes, ending };
    }
    let is_text = media_type.starts_with("text/") || media_type == JSON;
    match String::from_utf8(bytes) {
        Ok(text) if is_text => Held::Text {
            text,
            ending: ending(media_type),
        },
        Ok(text) => other(media_type, text.len()),
        Err(cause) => other(media_type, cause.as_bytes().len()),
    }
}

fn other(media_type: &str, bytes: usize) -> Held {
    Held::Other {
        media_type: paragraph(media_type, NAME_CHARACTERS_MAX),
        bytes,
    }
}

const JSON: &str = "application/json";

/// The ending of a file with a text of that kind.
fn ending(media_type: &str) -> &'static str {
    match media_type.split(';').next().unwrap_or_default().trim() {
        "text/markdown" => "md",
        "text/csv" => "csv",
        JSON => "json",
        _ => "txt",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(contents: serde_json::Value) -> Held {
        held(serde_json::from_value(contents).expect("contents"))
    }

    #[test]
    fn a_text_is_a_text_however_it_was_sent() {
        let text = |ending| Held::Text {
            text: "hello".to_owned(),
            ending,
        };
        let plain = json!([{"uri": "a://b", "mimeType": "text/markdown; charset=utf-8", "text": "hello"}]);
        assert_eq!(read(plain), text("md"));
        let encoded = json!([{"uri": "a://b", "mimeType": "text/plain", "blob": "aGVsbG8="}]);
        assert_eq!(read(encoded), text("txt"));
    }

    #[test]
    fn a_picture_is_known_by_its_bytes_and_anything_else_is_told() {
        let png = STANDARD.encode(b"\x89PNG\r\n\x1a\nmore");
        let picture = read(json!([{"uri": "a://b", "mimeType": "text/html", "blob": png}]));
        assert!(
            matches!(picture, Held::Picture { ending: "png", .. }),
            "{picture:?}"
        );
        let zip = json!([{"uri": "a://b", "mimeType": "application/zip\u{202e}", "blob": "aGVsbG8="}]);
        let told = Held::Other {
            media_type: "application/zip".to_owned(),
            bytes: 5,
        };
        assert_eq!(read(zip), told);
        let broken = read(json!([{"uri": "a://b", "mimeType": "image/png", "blob": "%%%%"}]));
        assert!(matches!(broken, Held::Other { .. }), "{broken:?}");
    }

    #[test]
    fn of_several_contents_none_is_lost_without_a_word() {
        let several = read(json!([
            {"uri": "a://1", "text": "one"},
            {"uri": "a://2", "mimeType": "image/png", "blob": "aGVsbG8="},
        ]));
        let Held::Text { text, .. } = several else {
            panic!("{several:?}");
        };
        assert_eq!(text, "[a://1]\none\n\n[a://2] [file, image/png, 5 bytes]");
        assert_eq!(
            read(json!([])),
            Held::Text {
                text: String::new(),
                ending: "txt"
            }
        );
    }

    #[test]
    fn an_address_that_hides_something_is_not_listed() {
        assert!(is_address("notes://one?a=b c"));
        for hidden in ["", "a://\u{202e}b", "a://\u{1b}[2J", "a://b\n"] {
            assert!(!is_address(hidden), "{hidden:?}");
        }
        assert!(!is_address(&"x".repeat(RESOURCE_URI_BYTES_MAX + 1)));
    }
}
