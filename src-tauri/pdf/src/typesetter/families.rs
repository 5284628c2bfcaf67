//! Which fonts of a system a text is set with. The first of each list that is installed, then whatever has the letter.

use crate::words::Language;
use parley::fontique::Collection;
use parley::style::{FontFamily, FontFamilyName, GenericFamily, StyleProperty};
use std::borrow::Cow;

const LATIN: [&str; 10] = [
    "Noto Sans",
    "Source Sans 3",
    "Segoe UI",
    "Helvetica Neue",
    "Inter",
    "Cantarell",
    "Ubuntu",
    "Liberation Sans",
    "Arial",
    "DejaVu Sans",
];

const CODE: [&str; 9] = [
    "Noto Sans Mono",
    "Source Code Pro",
    "JetBrains Mono",
    "Cascadia Mono",
    "Consolas",
    "Menlo",
    "Ubuntu Mono",
    "Liberation Mono",
    "DejaVu Sans Mono",
];

const CHINESE: [&str; 13] = [
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Noto Sans SC",
    "PingFang SC",
    "Microsoft YaHei",
    "HarmonyOS Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Hiragino Sans GB",
    "Droid Sans Fallback",
    "SimHei",
    "SimSun",
];

const JAPANESE: [&str; 6] = [
    "Noto Sans CJK JP",
    "Source Han Sans",
    "Noto Sans JP",
    "Hiragino Sans",
    "Yu Gothic",
    "IPAGothic",
];

const KOREAN: [&str; 5] = [
    "Noto Sans CJK KR",
    "Source Han Sans K",
    "Noto Sans KR",
    "Apple SD Gothic Neo",
    "Malgun Gothic",
];

/// Ticks, arrows, boxes: no script, so that the system names no font for them.
const SYMBOLS: [&str; 6] = [
    "Noto Sans Symbols",
    "Noto Sans Symbols 2",
    "Noto Sans Symbols2",
    "Segoe UI Symbol",
    "Apple Symbols",
    "DejaVu Sans",
];

type Names = Vec<FontFamilyName<'static>>;

pub(super) struct Families {
    prose: Names,
    wide: Names,
    code: Names,
}

impl Families {
    pub(super) fn found(collection: &mut Collection, language: Language) -> Self {
        let mut found = |lists: &[&[&'static str]]| -> Names {
            let names = lists.iter().flat_map(|list| list.iter());
            names
                .filter(|name| collection.family_id(name).is_some())
                .map(|name| FontFamilyName::named(name))
                .collect()
        };
        let own: &[&str] = match language {
            Language::Japanese => &JAPANESE,
            Language::Korean => &KOREAN,
            Language::Chinese | Language::Unknown => &CHINESE,
        };
        let latin = found(&[&LATIN]);
        let wide = found(&[own, &CHINESE, &JAPANESE, &KOREAN]);
        let code = found(&[&CODE]);
        let rest = found(&[&SYMBOLS]);
        let generic = |family| FontFamilyName::Generic(family);
        let all = |parts: &[&[FontFamilyName<'static>]]| parts.concat();
        let sans = [generic(GenericFamily::SansSerif)];
        let mono = [generic(GenericFamily::Monospace)];
        Self {
            prose: all(&[
                &latin[..latin.len().min(1)],
                &sans[..usize::from(latin.is_empty())],
                &wide,
                &rest,
                &sans,
            ]),
            wide: all(&[&wide, &latin, &rest, &sans]),
            code: all(&[
                &code[..code.len().min(1)],
                &mono[..usize::from(code.is_empty())],
                &wide,
                &rest,
                &mono,
            ]),
        }
    }

    pub(super) fn prose(&self) -> StyleProperty<'_, crate::words::Look> {
        stack(&self.prose)
    }

    /// For marks that are as wide as Chinese letters.
    pub(super) fn wide(&self) -> StyleProperty<'_, crate::words::Look> {
        stack(&self.wide)
    }

    pub(super) fn code(&self) -> StyleProperty<'_, crate::words::Look> {
        stack(&self.code)
    }
}

fn stack<'a>(names: &'a [FontFamilyName<'static>]) -> StyleProperty<'a, crate::words::Look> {
    StyleProperty::FontFamily(FontFamily::List(Cow::Borrowed(names)))
}
