//! The encodings of RTF: bytes are of the document's code page, or of the alphabet that their font names.

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GB18030, GBK, IBM866, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257,
    WINDOWS_1258,
};
use std::borrow::Cow;

/// The letters of a font.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    /// Those of the document's code page.
    OfDocument,
    /// Western ones by declaration; programs of East Asia declare it of their own fonts, too.
    Western,
    /// Pictures in place of letters.
    Symbols,
    Named(&'static Encoding),
}

impl Letters {
    /// What a font table's `\fcharset` names.
    pub(super) fn of_charset(number: i32) -> Self {
        let encoding = match number {
            0 => return Self::Western,
            2 => return Self::Symbols,
            77 => MACINTOSH,
            128 => SHIFT_JIS,
            129 => EUC_KR,
            134 => GBK,
            136 => BIG5,
            161 => WINDOWS_1253,
            162 => WINDOWS_1254,
            163 => WINDOWS_1258,
            177 => WINDOWS_1255,
            178 => WINDOWS_1256,
            186 => WINDOWS_1257,
            204 => WINDOWS_1251,
            222 => WINDOWS_874,
            238 => WINDOWS_1250,
            _ => return Self::OfDocument,
        };
        Self::Named(encoding)
    }

    /// The text of `bytes`, in a document of that code page.
    pub(super) fn decoded<'a>(self, bytes: &'a [u8], document: &'static Encoding) -> Cow<'a, str> {
        let encoding = match self {
            Self::OfDocument => document,
            Self::Western if !document.is_single_byte() && is_paired(bytes) => document,
            Self::Western | Self::Symbols => WINDOWS_1252,
            Self::Named(encoding) => encoding,
        };
        encoding.decode_without_bom_handling(bytes).0
    }
}

/// The encoding of a code page of Windows; `None` for one that is not known.
pub(super) fn of_code_page(number: i32) -> Option<&'static Encoding> {
    let encoding = match number {
        866 => IBM866,
        874 => WINDOWS_874,
        932 => SHIFT_JIS,
        936 => GBK,
        949 => EUC_KR,
        950 => BIG5,
        1250 => WINDOWS_1250,
        1251 => WINDOWS_1251,
        1252 => WINDOWS_1252,
        1253 => WINDOWS_1253,
        1254 => WINDOWS_1254,
        1255 => WINDOWS_1255,
        1256 => WINDOWS_1256,
        1257 => WINDOWS_1257,
        1258 => WINDOWS_1258,
        10_000 => MACINTOSH,
        54_936 => GB18030,
        65_001 => UTF_8,
        _ => return None,
    };
    Some(encoding)
}

/// Whether letters beyond ASCII stand in pairs, as those of East Asia mostly do; accented ones stand alone.
fn is_paired(bytes: &[u8]) -> bool {
    let mut runs = bytes.split(u8::is_ascii);
    runs.all(|run| run.len().is_multiple_of(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_western_font_are_chinese_where_they_stand_in_pairs_in_a_chinese_document() {
        let of = |letters: Letters, bytes: &[u8], document| letters.decoded(bytes, document).into_owned();
        let chinese = b"\xb8\xb6\xbf\xee OK";
        assert_eq!(of(Letters::Western, chinese, GBK), "付款 OK");
        assert_eq!(of(Letters::Western, b"caf\xe9 \xe9ta", GBK), "café éta");
        assert_eq!(of(Letters::Western, b"\xe9\xe8", WINDOWS_1251), "éè");
        assert_eq!(of(Letters::OfDocument, chinese, GBK), "付款 OK");
        assert_eq!(of(Letters::of_charset(134), chinese, WINDOWS_1252), "付款 OK");
        assert_eq!(of(Letters::of_charset(204), b"\xcf\xf0", GBK), "Пр");
        assert_eq!(Letters::of_charset(1), Letters::OfDocument);
    }
}
