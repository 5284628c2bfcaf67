//! Pictures, known by their first bytes: what a server says of their kind is believed by nobody.

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
