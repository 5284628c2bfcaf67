//! Pictures in a tool's answer: known by their first bytes, bounded, and given to the caller to keep.
//!
//! What the server says of their kind is believed by nobody, and no name of a file is the server's. Whoever shows one
//! has it decoded elsewhere.

use crate::caller::{Caller, Picture};
use crate::limits::{PICTURES_BYTES_MAX, PICTURES_MAX};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use std::collections::BTreeMap;

/// A picture that lies in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptPicture {
    pub media_type: &'static str,
    pub bytes: usize,
    pub path: String,
}

/// The pictures that were kept, by their places in the answer.
pub type KeptPictures = BTreeMap<usize, KeptPicture>;

/// Has the caller keep the pictures of an answer. What is none, too much or can't be kept is left out.
pub async fn kept(result: &CallToolResult, caller: &dyn Caller) -> KeptPictures {
    let mut kept = KeptPictures::new();
    if result.is_error == Some(true) {
        return kept;
    }
    let mut left = PICTURES_BYTES_MAX;
    for (place, block) in result.content.iter().enumerate() {
        if kept.len() == PICTURES_MAX {
            break;
        }
        let read = encoded(block).and_then(|encoded| read(encoded, left));
        let Some((media_type, ending, bytes)) = read else {
            continue;
        };
        let count = bytes.len();
        let name = format!("picture-{}.{ending}", kept.len() + 1);
        let Some(path) = caller.keep(Picture { name, bytes }).await else {
            continue;
        };
        left = left.saturating_sub(count);
        let picture = KeptPicture {
            media_type,
            bytes: count,
            path: path.display().to_string(),
        };
        kept.insert(place, picture);
    }
    kept
}

/// The bytes of a block that may be a picture, as they were sent.
fn encoded(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Image(image) => Some(&image.data),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::BlobResourceContents { blob, .. } => Some(blob),
            _ => None,
        },
        _ => None,
    }
}

fn read(encoded: &str, bytes_max: usize) -> Option<(&'static str, &'static str, Vec<u8>)> {
    // Four letters are three bytes at most: what is too long is not even decoded.
    if encoded.len() / 4 * 3 > bytes_max {
        return None;
    }
    let bytes = STANDARD.decode(encoded).ok()?;
    let (media_type, ending) = kind(&bytes)?;
    Some((media_type, ending, bytes))
}

/// The media type of a picture and the ending of its file, by its first bytes.
pub fn kind(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const MARKS: [(&[u8], &str, &str); 4] = [
        (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
        (b"\xff\xd8\xff", "image/jpeg", "jpg"),
        (b"GIF87a", "image/gif", "gif"),
        (b"GIF89a", "image/gif", "gif"),
    ];
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some(("image/webp", "webp"));
    }
    let known = MARKS.iter().find(|(mark, ..)| bytes.starts_with(mark));
    known.map(|(_, media_type, ending)| (*media_type, *ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_trait::async_trait;
    use serde_json::{Value, json};
    use std::path::PathBuf;

    struct Keeper;

    #[async_trait]
    impl Caller for Keeper {
        async fn keep(&self, picture: Picture) -> Option<PathBuf> {
            Some(PathBuf::from(format!("/kept/{}", picture.name)))
        }
    }

    fn png(more: usize) -> String {
        STANDARD.encode([b"\x89PNG\r\n\x1a\n".as_slice(), &vec![0; more]].concat())
    }

    async fn of(content: Value) -> KeptPictures {
        let result: CallToolResult = serde_json::from_value(json!({"content": content})).expect("a result");
        kept(&result, &Keeper).await
    }

    #[tokio::test]
    async fn a_picture_is_one_by_its_bytes_whatever_the_server_calls_it() {
        let script = STANDARD.encode("#!/bin/sh\nrm -r ~");
        let kept = of(json!([
            {"type": "image", "data": script, "mimeType": "image/png"},
            {"type": "image", "data": png(4), "mimeType": "text/html"},
            {"type": "image", "data": "no base64!", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "file:///etc/passwd", "blob": png(5)}},
        ]))
        .await;
        let told: Vec<_> = kept
            .iter()
            .map(|(place, one)| (*place, one.media_type, one.bytes, one.path.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                (1, "image/png", 12, "/kept/picture-1.png"),
                (3, "image/png", 13, "/kept/picture-2.png")
            ]
        );
    }

    #[tokio::test]
    async fn as_many_are_kept_as_the_bounds_allow() {
        let picture = |more| json!({"type": "image", "data": png(more), "mimeType": "image/png"});
        let many: Vec<Value> = (0..PICTURES_MAX + 3).map(picture).collect();
        assert_eq!(of(many.into()).await.len(), PICTURES_MAX);
        let large = of(json!([picture(PICTURES_BYTES_MAX), picture(1)])).await;
        assert_eq!(large.keys().copied().collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn each_kind_is_known_by_its_mark() {
        let known = |bytes: &[u8]| kind(bytes).map(|(media_type, _)| media_type);
        assert_eq!(known(b"\xff\xd8\xff\xe0"), Some("image/jpeg"));
        assert_eq!(known(b"GIF89a"), Some("image/gif"));
        assert_eq!(known(b"RIFF\0\0\0\0WEBPVP8 "), Some("image/webp"));
        assert_eq!(known(b"RIFF\0\0\0\0WAVE"), None);
        assert_eq!(known(b"<svg onload=alert(1)>"), None);
        assert_eq!(known(b""), None);
    }
}
