//! The characters of a page with their places, found by following the operators that draw text.

use crate::limits::{PDF_FORMS_DEEP_MAX, PDF_GLYPHS_MAX, PDF_OPERATORS_MAX, PDF_STATES_MAX};
use encoding_rs::Encoding;
use hayro_font::hayro_cmap::BfString;
use hayro_font::hayro_syntax::content::TypedIter;
use hayro_font::hayro_syntax::content::ops::TypedInstruction;
use hayro_font::hayro_syntax::object::{Dict, Name, Object, Stream};
use hayro_font::hayro_syntax::page::{Page, Resources};
use hayro_font::kurbo::{Affine, Point};
use hayro_font::{CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn};
use shidi_protocol::is_unseen;
use std::sync::Arc;

/// One character, or several that one drawn sign stands for, in the page's coordinates: y grows upwards.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Glyph {
    pub(super) text: String,
    /// The points on its line where the glyph begins and ends.
    pub(super) start: Point,
    pub(super) end: Point,
    /// Height of the letters.
    pub(super) size: f64,
}

/// The characters of a page in the order in which they are drawn.
pub(super) fn glyphs<'a>(page: &Page<'a>, fonts: &FontCache<'a>) -> Vec<Glyph> {
    let mut following = Following {
        fonts: fonts.clone(),
        font_resolver: Arc::new(|query| match query {
            FontQuery::Standard(font) => Some(font.get_font_data()),
            FontQuery::Fallback(font) => Some(font.pick_standard_font().get_font_data()),
        }),
        cmap_resolver: Arc::new(hayro_font::hayro_cmap::load_embedded),
        glyphs: Vec::new(),
        operators: 0,
    };
    let turned = match page.rotation() {
        hayro_font::hayro_syntax::page::Rotation::None => Affine::IDENTITY,
        hayro_font::hayro_syntax::page::Rotation::Horizontal => Affine::new([0.0, -1.0, 1.0, 0.0, 0.0, 0.0]),
        hayro_font::hayro_syntax::page::Rotation::Flipped => Affine::new([-1.0, 0.0, 0.0, -1.0, 0.0, 0.0]),
        hayro_font::hayro_syntax::page::Rotation::FlippedHorizontal => {
            Affine::new([0.0, 1.0, -1.0, 0.0, 0.0, 0.0])
        }
    };
    following.content(page.typed_operations(), page.resources(), turned, 0);
    following.glyphs
}

struct Following<'a> {
    fonts: FontCache<'a>,
    font_resolver: FontResolverFn,
    cmap_resolver: CMapResolverFn,
    glyphs: Vec<Glyph>,
    operators: usize,
}

/// The part of the graphics state that places text.
#[derive(Clone)]
struct State<'a> {
    page: Affine,
    text: Affine,
    line: Affine,
    font: Option<Lettering<'a>>,
    size: f64,
    character_space: f64,
    word_space: f64,
    scale: f64,
    leading: f64,
    rise: f64,
}

/// A font, with the codes' meaning where the font does not tell.
#[derive(Clone)]
struct Lettering<'a> {
    font: Font<'a>,
    codes: Codes,
}

#[derive(Clone, Copy)]
enum Codes {
    Unknown,
    /// Codes are UTF-16.
    Unicode,
    /// Codes are one or two bytes of an encoding.
    Encoded(&'static Encoding),
}

impl<'a> Following<'a> {
    fn content(
        &mut self,
        mut operators: TypedIter<'_>,
        resources: &Resources<'a>,
        page: Affine,
        depth: usize,
    ) {
        let mut states = vec![State {
            page,
            text: Affine::IDENTITY,
            line: Affine::IDENTITY,
            font: None,
            size: 1.0,
            character_space: 0.0,
            word_space: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
        }];
        while let Some(operator) = operators.next() {
            self.operators += 1;
            if self.operators > PDF_OPERATORS_MAX || self.glyphs.len() > PDF_GLYPHS_MAX {
                return;
            }
            match operator {
                TypedInstruction::SaveState(_) => {
                    if states.len() < PDF_STATES_MAX
                        && let Some(top) = states.last().cloned()
                    {
                        states.push(top);
                    }
                }
                TypedInstruction::RestoreState(_) => {
                    if states.len() > 1 {
                        states.pop();
                    }
                }
                TypedInstruction::XObject(named) => {
                    if let (Some(state), Some(stream)) = (states.last(), resources.get_x_object(named.0)) {
                        let page = state.page;
                        self.form(&stream, resources, page, depth);
                    }
                }
                other => {
                    if let Some(state) = states.last_mut() {
                        self.operate(state, &other, resources);
                    }
                }
            }
        }
    }

    fn operate(
        &mut self,
        state: &mut State<'a>,
        operator: &TypedInstruction<'_, '_>,
        resources: &Resources<'a>,
    ) {
        match operator {
            TypedInstruction::Transform(m) => {
                let m = [m.0, m.1, m.2, m.3, m.4, m.5].map(|number| number.as_f64());
                state.page *= Affine::new(m);
            }
            TypedInstruction::BeginText(_) => {
                state.text = Affine::IDENTITY;
                state.line = Affine::IDENTITY;
            }
            TypedInstruction::SetTextMatrix(m) => {
                let m = [m.0, m.1, m.2, m.3, m.4, m.5].map(|number| number.as_f64());
                state.line = Affine::new(m);
                state.text = state.line;
            }
            TypedInstruction::TextFont(font) => {
                state.font = resources
                    .get_font(font.0)
                    .and_then(|dictionary| self.lettering(&dictionary));
                state.size = font.1.as_f64();
            }
            TypedInstruction::CharacterSpacing(space) => state.character_space = space.0.as_f64(),
            TypedInstruction::WordSpacing(space) => state.word_space = space.0.as_f64(),
            TypedInstruction::HorizontalScaling(scale) => state.scale = scale.0.as_f64() / 100.0,
            TypedInstruction::TextLeading(leading) => state.leading = leading.0.as_f64(),
            TypedInstruction::TextRise(rise) => state.rise = rise.0.as_f64(),
            TypedInstruction::NextLine(by) => state.next_line(by.0.as_f64(), by.1.as_f64()),
            TypedInstruction::NextLineAndSetLeading(by) => {
                state.leading = -by.1.as_f64();
                state.next_line(by.0.as_f64(), by.1.as_f64());
            }
            TypedInstruction::NextLineUsingLeading(_) => state.next_line(0.0, -state.leading),
            TypedInstruction::ShowText(shown) => self.show(state, shown.0.as_bytes()),
            TypedInstruction::NextLineAndShowText(shown) => {
                state.next_line(0.0, -state.leading);
                self.show(state, shown.0.as_bytes());
            }
            TypedInstruction::ShowTextWithParameters(shown) => {
                state.word_space = shown.0.as_f64();
                state.character_space = shown.1.as_f64();
                state.next_line(0.0, -state.leading);
                self.show(state, shown.2.as_bytes());
            }
            TypedInstruction::ShowTexts(pieces) => {
                for piece in pieces.0.iter::<Object<'_>>() {
                    match piece {
                        Object::String(text) => self.show(state, text.as_bytes()),
                        Object::Number(back) => state.adjust(back.as_f64()),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Follows a drawing that is used like a picture but may hold text.
    fn form(&mut self, stream: &Stream<'a>, resources: &Resources<'a>, page: Affine, depth: usize) {
        let dictionary = stream.dict();
        let is_form = dictionary
            .get::<Name<'_>>(b"Subtype")
            .is_some_and(|kind| &*kind == b"Form");
        if !is_form || depth >= PDF_FORMS_DEEP_MAX {
            return;
        }
        let Ok(decoded) = stream.decoded_data() else {
            return;
        };
        let matrix = dictionary.get::<[f64; 6]>(b"Matrix");
        let page = page * matrix.map_or(Affine::IDENTITY, Affine::new);
        let own = dictionary.get::<Dict<'_>>(b"Resources").map(Resources::new);
        self.content(
            TypedIter::new(decoded.as_ref()),
            own.as_ref().unwrap_or(resources),
            page,
            depth + 1,
        );
    }

    fn lettering(&self, dictionary: &Dict<'a>) -> Option<Lettering<'a>> {
        let font = self
            .fonts
            .font(dictionary, &self.font_resolver, &self.cmap_resolver)?;
        let codes = dictionary
            .get::<Name<'_>>(b"Encoding")
            .map_or(Codes::Unknown, |name| codes(&name));
        Some(Lettering { font, codes })
    }

    fn show(&mut self, state: &mut State<'a>, bytes: &[u8]) {
        let Some(lettering) = state.font.clone() else {
            return;
        };
        let horizontal = lettering.font.is_horizontal();
        let mut at = 0;
        while at < bytes.len() {
            let (code, length) = lettering.font.read_code(bytes, at);
            let length = length.max(1);
            at += length;
            let advance = lettering.font.code_advance(code);
            let is_space = length == 1 && code == 32;
            let spaced = state.character_space + if is_space { state.word_space } else { 0.0 };
            let (x, y) = if horizontal {
                ((advance.x / 1_000.0 * state.size + spaced) * state.scale, 0.0)
            } else {
                (0.0, advance.y / 1_000.0 * state.size + spaced)
            };
            let whole = state.page * state.text;
            let start = whole * Point::new(0.0, state.rise);
            let end = whole * Point::new(x, state.rise + y);
            let up = whole * Point::new(0.0, state.rise + state.size);
            state.text *= Affine::translate((x, y));
            let text = lettering.text_of(code, length);
            let on_paper = [start.x, start.y, end.x, end.y]
                .iter()
                .all(|number| number.is_finite());
            if !text.is_empty() && on_paper {
                let size = (up - start).hypot();
                self.glyphs.push(Glyph {
                    text,
                    start,
                    end,
                    size,
                });
            }
        }
    }
}

impl State<'_> {
    fn next_line(&mut self, x: f64, y: f64) {
        self.line *= Affine::translate((x, y));
        self.text = self.line;
    }

    fn adjust(&mut self, back: f64) {
        let by = -back / 1_000.0 * self.size;
        let horizontal = self
            .font
            .as_ref()
            .is_none_or(|lettering| lettering.font.is_horizontal());
        self.text *= if horizontal {
            Affine::translate((by * self.scale, 0.0))
        } else {
            Affine::translate((0.0, by))
        };
    }
}

impl Lettering<'_> {
    fn text_of(&self, code: u32, length: usize) -> String {
        let glyph = self.font.glyph(self.font.map_code(code), code);
        let told = match &glyph {
            FontGlyph::Outline(glyph) => glyph.as_unicode(),
            FontGlyph::Type3(glyph) => glyph.as_unicode(),
        };
        match told {
            Some(BfString::Char(character)) => plain(character).map(String::from).unwrap_or_default(),
            Some(BfString::String(text)) => text.chars().filter_map(plain).collect(),
            None => self.decoded(code, length),
        }
    }

    fn decoded(&self, code: u32, length: usize) -> String {
        match self.codes {
            Codes::Unknown => String::new(),
            Codes::Unicode => char::from_u32(code)
                .and_then(plain)
                .map(String::from)
                .unwrap_or_default(),
            Codes::Encoded(encoding) => {
                let bytes = code.to_be_bytes();
                let own = &bytes[bytes.len() - length.min(bytes.len())..];
                let (text, _, wrong) = encoding.decode(own);
                if wrong { String::new() } else { text.into_owned() }
            }
        }
    }
}

/// The character as a reader types it; a character without a visible sign is dropped. The search handles ligatures.
fn plain(character: char) -> Option<char> {
    match character {
        '\u{a0}' | '\t' | '\n' | '\r' => Some(' '),
        '\u{fffd}' => None,
        unseen if is_unseen(unseen) => None,
        '\u{2f00}'..='\u{2fd5}' => Some(radical(character)),
        other => Some(other),
    }
}

/// The common character for a Kangxi radical: many producers write radicals that look alike, and nobody
/// searches for them.
fn radical(character: char) -> char {
    use unicode_normalization::UnicodeNormalization;
    std::iter::once(character).nfkc().next().unwrap_or(character)
}

/// The code width or encoding of a predefined encoding's name.
fn codes(name: &[u8]) -> Codes {
    let Ok(name) = std::str::from_utf8(name) else {
        return Codes::Unknown;
    };
    let has = |part: &str| name.contains(part);
    if has("UCS2") || has("UTF16") {
        Codes::Unicode
    } else if name.starts_with("GB") {
        Codes::Encoded(encoding_rs::GB18030)
    } else if has("B5") {
        Codes::Encoded(encoding_rs::BIG5)
    } else if has("RKSJ") {
        Codes::Encoded(encoding_rs::SHIFT_JIS)
    } else if name.starts_with("KSC") {
        Codes::Encoded(encoding_rs::EUC_KR)
    } else if name.starts_with("EUC-") {
        Codes::Encoded(encoding_rs::EUC_JP)
    } else {
        Codes::Unknown
    }
}
