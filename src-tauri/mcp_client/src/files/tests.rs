//! Files of hostile answers: whatever the server calls them, they are bounded and can't run.

use super::*;
use async_trait::async_trait;
use serde_json::{Value, json};
use std::path::PathBuf;

struct Keeper;

#[async_trait]
impl Caller for Keeper {
    async fn keep(&self, file: ResultFile) -> Option<PathBuf> {
        Some(PathBuf::from(format!("/kept/{}", file.name)))
    }
}

fn png(more: usize) -> String {
    STANDARD.encode([b"\x89PNG\r\n\x1a\n".as_slice(), &vec![0; more]].concat())
}

fn resource(uri: &str, media_type: &str, bytes: &[u8]) -> Value {
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": media_type, "blob": STANDARD.encode(bytes)}})
}

async fn of(content: Value) -> KeptFiles {
    let result: CallToolResult = serde_json::from_value(json!({"content": content})).expect("a result");
    kept(&result, &Keeper).await
}

/// The media type and path of an only file.
async fn only(block: Value) -> (&'static str, String) {
    let kept = of(json!([block])).await;
    let file = kept.get(&0).expect("a file");
    (file.media_type, file.path.clone())
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
    assert!(kept.values().all(|file| file.kind == FileKind::Picture));
}

#[tokio::test]
async fn as_many_are_kept_as_the_bounds_allow() {
    let picture = |more| json!({"type": "image", "data": png(more), "mimeType": "image/png"});
    let many: Vec<Value> = (0..300).map(|_| picture(1)).collect();
    assert_eq!(of(many.into()).await.len(), FILES_MAX);
    let large = of(json!([picture(FILES_BYTES_MAX), picture(1)])).await;
    assert_eq!(large.keys().copied().collect::<Vec<_>>(), [1]);
    let half = || resource("a://b.bin", "", &vec![0; FILES_BYTES_MAX / 2 + 1]);
    assert_eq!(of(json!([half(), half()])).await.len(), 1, "they count together");
    assert!(
        of(json!([resource("a://large", "", &vec![7; 20 << 20])]))
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn a_sound_and_a_document_are_kept_and_known_by_their_bytes() {
    let wave =
        json!({"type": "audio", "data": STANDARD.encode(b"RIFF\x04\0\0\0WAVE"), "mimeType": "audio/wav"});
    assert_eq!(only(wave).await, ("audio/wav", "/kept/sound-1.wav".to_owned()));
    let sheet = ZIPPED[1].0;
    let zipped = resource("files://reports/quarter.xlsx", sheet, b"PK\x03\x04rest");
    assert_eq!(only(zipped).await, (sheet, "/kept/quarter.xlsx".to_owned()));
    let table = resource("files://a/报表?day=1", "text/csv; charset=utf-8", b"a,b\n1,2\n");
    assert_eq!(only(table).await, ("text/csv", "/kept/报表.csv".to_owned()));
}

#[tokio::test]
async fn a_media_type_that_lies_gets_an_ending_that_nothing_runs() {
    let lies: [(&str, &[u8], &str); 6] = [
        ("application/pdf", b"#!/bin/sh\nrm -r ~", ".bin"),
        ("audio/wav", b"\x7fELF\x02\x01", ".bin"),
        ("text/html", b"<script>alert(1)</script>", ".txt"),
        ("text/csv", b"MZ\0\0", ".bin"),
        ("text/x-sh", b"PK\x03\x04", ".zip"),
        ("application/x-desktop", b"[Desktop Entry]\nExec=sh", ".bin"),
    ];
    for (media_type, bytes, ending) in lies {
        let (_, path) = only(resource("files://run.desktop", media_type, bytes)).await;
        assert!(path.ends_with(ending), "{media_type}: {path}");
    }
    let script = json!({"type": "audio", "data": STANDARD.encode("#!/bin/sh"), "mimeType": "audio/ogg"});
    assert_eq!(only(script).await.1, "/kept/file-1.bin");
}

#[tokio::test]
async fn a_name_leads_nowhere() {
    for (uri, name) in [
        ("file:///../../../etc/passwd", "passwd.bin"),
        ("x://a/..%2f..%2fetc%2fpasswd", "2f..-2fetc-2fpasswd.bin"),
        ("x://a/..\\..\\run.exe", "run.exe.bin"),
        ("x://a/../..", "file-1.bin"),
        ("x://a/", "file-1.bin"),
        ("x://.bashrc", "bashrc.bin"),
        ("x://a\u{202e}gpj.sh\u{1b}[2J", "agpj.sh -2J.bin"),
    ] {
        let (_, path) = only(resource(uri, "", b"\x01\x02")).await;
        assert_eq!(path, format!("/kept/{name}"), "{uri}");
    }
    let long = format!("x://{}", "长".repeat(4_000));
    let (_, path) = only(resource(&long, "", b"\x01\x02")).await;
    assert!(path.chars().count() < 100, "{path}");
}

#[tokio::test]
async fn an_answer_that_failed_keeps_nothing() {
    let result = json!({"isError": true, "content": [resource("a://b", "", b"1")]});
    let result: CallToolResult = serde_json::from_value(result).expect("a result");
    assert!(kept(&result, &Keeper).await.is_empty());
}
