//! Words into lines: which font has a letter, how it is shaped, where a line ends. A library does each of these.

mod families;

use crate::error::PdfError;
use crate::limits::CODE_WITHIN;
use crate::words::{Language, Look, Side, Words, is_east_asian, wide_marks};
use families::Families;
use krilla::text::{Font, GlyphId, KrillaGlyph, Tag};
use parley::layout::{Alignment, AlignmentOptions, Layout, Line as SetLine, Run as SetRun};
use parley::setting::Tag as FeatureTag;
use parley::style::{
    FontFeature, FontFeatures, FontStyle, FontWeight, LineHeight, OverflowWrap, StyleProperty,
};
use parley::{FontContext, LayoutContext};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// Code stands as it was typed: `->` is no arrow.
const AS_TYPED: [FontFeature; 3] = [
    FontFeature::new(FeatureTag::new(b"liga"), 0),
    FontFeature::new(FeatureTag::new(b"clig"), 0),
    FontFeature::new(FeatureTag::new(b"calt"), 0),
];

/// How the lines of a block are set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) size: f32,
    pub(crate) is_bold: bool,
    pub(crate) is_code: bool,
    pub(crate) side: Side,
}

/// Glyphs that stand on one line, with the text that they are of.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) text: Rc<str>,
    pub(crate) runs: Vec<Run>,
    pub(crate) width: f32,
}

/// Glyphs of one font and look, at their place within the line.
#[derive(Clone)]
pub(crate) struct Run {
    pub(crate) font: Font,
    pub(crate) size: f32,
    pub(crate) x: f32,
    pub(crate) width: f32,
    pub(crate) look: Look,
    pub(crate) glyphs: Vec<KrillaGlyph>,
    /// Degrees by which an upright font is slanted, where none of the family is.
    pub(crate) slant: f32,
    /// Strokes are thickened, where no font of the family is bold.
    pub(crate) is_thickened: bool,
}

/// A file of fonts, the font in it, and where it stands among its variations.
type FontKey = (u64, u32, Vec<([u8; 4], u32)>);

pub(crate) struct Typesetter<'a> {
    fonts: FontContext,
    layouts: LayoutContext<Look>,
    families: Families,
    language: Option<parley::style::Language>,
    opened: HashMap<FontKey, Font>,
    letters: Letters,
    is_stopped: &'a dyn Fn() -> bool,
}

/// Letters that were set, and those that no font had.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Letters {
    pub(crate) missing: usize,
    pub(crate) east_asian: usize,
    pub(crate) missing_east_asian: usize,
}

impl<'a> Typesetter<'a> {
    pub(crate) fn new(language: Language, is_stopped: &'a dyn Fn() -> bool) -> Result<Self, PdfError> {
        let mut fonts = FontContext::new();
        if fonts.collection.family_names().next().is_none() {
            return Err(PdfError::NoFonts);
        }
        let families = Families::found(&mut fonts.collection, language);
        Ok(Self {
            fonts,
            layouts: LayoutContext::new(),
            families,
            language: language
                .tag()
                .and_then(|tag| parley::style::Language::parse(tag).ok()),
            opened: HashMap::new(),
            letters: Letters::default(),
            is_stopped,
        })
    }

    pub(crate) fn letters(&self) -> Letters {
        self.letters
    }

    pub(crate) fn lines(
        &mut self,
        words: &Words,
        setting: Setting,
        width: f32,
    ) -> Result<Vec<Line>, PdfError> {
        let mut lines = Vec::new();
        for (text, looks) in words.pieces() {
            self.go_on()?;
            let mut layout = self.layout(text, &looks, setting);
            layout.break_all_lines(Some(width));
            layout.align(alignment(setting.side), AlignmentOptions::default());
            let text: Rc<str> = Rc::from(text);
            for line in layout.lines() {
                lines.push(self.line(&layout, line, &text)?);
            }
        }
        Ok(lines)
    }

    /// The longest word, and the whole text on one line.
    pub(crate) fn widths(&mut self, words: &Words, setting: Setting) -> Result<(f32, f32), PdfError> {
        let (mut min, mut max) = (0.0_f32, 0.0_f32);
        for (text, looks) in words.pieces() {
            self.go_on()?;
            let widths = self.layout(text, &looks, setting).calculate_content_widths();
            (min, max) = (min.max(widths.min), max.max(widths.max));
        }
        Ok((min, max))
    }

    /// # Errors
    /// Nobody wants the document any more.
    fn go_on(&self) -> Result<(), PdfError> {
        match (self.is_stopped)() {
            true => Err(PdfError::Stopped),
            false => Ok(()),
        }
    }

    fn layout(&mut self, text: &str, looks: &[(Range<usize>, Look)], setting: Setting) -> Layout<Look> {
        let families = &self.families;
        let own = if setting.is_code {
            families.code()
        } else {
            families.prose()
        };
        let mut builder = self.layouts.ranged_builder(&mut self.fonts, text, 1.0, false);
        builder.push_default(own);
        builder.push_default(StyleProperty::FontSize(setting.size));
        builder.push_default(StyleProperty::LineHeight(LineHeight::FontSizeRelative(1.0)));
        builder.push_default(StyleProperty::OverflowWrap(OverflowWrap::BreakWord));
        builder.push_default(StyleProperty::Locale(self.language));
        if setting.is_code {
            builder.push_default(StyleProperty::FontFeatures(FontFeatures::List(Cow::Borrowed(
                &AS_TYPED,
            ))));
        }
        if setting.is_bold {
            builder.push_default(StyleProperty::FontWeight(FontWeight::BOLD));
        }
        if !setting.is_code {
            for range in wide_marks(text) {
                builder.push(families.wide(), range);
            }
        }
        for (range, look) in looks {
            builder.push(StyleProperty::Brush(*look), range.clone());
            if look.is_bold {
                builder.push(StyleProperty::FontWeight(FontWeight::BOLD), range.clone());
            }
            if look.is_italic {
                builder.push(StyleProperty::FontStyle(FontStyle::Italic), range.clone());
            }
            if look.is_code {
                builder.push(families.code(), range.clone());
                builder.push(
                    StyleProperty::FontFeatures(FontFeatures::List(Cow::Borrowed(&AS_TYPED))),
                    range.clone(),
                );
                builder.push(StyleProperty::FontSize(setting.size * CODE_WITHIN), range.clone());
            }
        }
        builder.build(text)
    }

    fn line(
        &mut self,
        layout: &Layout<Look>,
        line: SetLine<'_, Look>,
        text: &Rc<str>,
    ) -> Result<Line, PdfError> {
        let metrics = line.metrics();
        let mut x = metrics.inline_min_coord + metrics.offset;
        let mut runs = Vec::new();
        for run in line.runs() {
            x = self.runs(layout, &run, text, x, &mut runs)?;
        }
        // A space that a line ends with has no line below it.
        if let Some(last) = runs.last_mut().filter(|_| !layout.is_rtl()) {
            last.width = (last.width - metrics.hanging_advance).max(0.0);
        }
        Ok(Line {
            text: Rc::clone(text),
            runs,
            width: metrics.advance - metrics.hanging_advance,
        })
    }

    /// Glyphs of one font, cut where the look changes; returns where they end.
    fn runs(
        &mut self,
        layout: &Layout<Look>,
        run: &SetRun<'_, Look>,
        text: &str,
        mut x: f32,
        runs: &mut Vec<Run>,
    ) -> Result<f32, PdfError> {
        let first = runs.len();
        let mut style = None;
        // The rest of a ligature has no glyph of its own. Its letters belong to the glyph before, or after from the right.
        let mut rest: Option<Range<usize>> = None;
        for cluster in run.visual_clusters() {
            let mut range = cluster.text_range();
            if text.get(range.clone()) == Some("\n") {
                continue;
            }
            if cluster.is_ligature_continuation() {
                let glyph = runs[first..].last_mut().and_then(|run| run.glyphs.last_mut());
                match glyph {
                    Some(glyph) if !run.is_rtl() => {
                        glyph.text_range.end = range.end.max(glyph.text_range.end)
                    }
                    Some(_) | None => rest = Some(joined(rest, range)),
                }
                continue;
            }
            if let Some(rest) = rest.take() {
                range = joined(Some(rest), range);
            }
            if style != Some(cluster.style_index()) {
                style = Some(cluster.style_index());
                let look = layout.styles()[usize::from(cluster.style_index())].brush;
                let begun = self.begun(run, look, x)?;
                runs.push(begun);
            }
            let Some(own) = runs.last_mut() else { continue };
            let mut is_missing = false;
            for glyph in cluster.glyphs() {
                is_missing |= glyph.id == 0;
                own.glyphs.push(KrillaGlyph::new(
                    GlyphId::new(glyph.id),
                    glyph.advance / own.size,
                    glyph.x / own.size,
                    -glyph.y / own.size,
                    0.0,
                    range.clone(),
                    None,
                ));
                own.width += glyph.advance;
                x += glyph.advance;
            }
            self.letters
                .count(text.get(range).unwrap_or_default(), is_missing);
        }
        Ok(x)
    }

    fn begun(&mut self, run: &SetRun<'_, Look>, look: Look, x: f32) -> Result<Run, PdfError> {
        let synthesis = run.synthesis();
        Ok(Run {
            font: self.font(run)?,
            size: run.font_size(),
            x,
            width: 0.0,
            look,
            glyphs: Vec::new(),
            slant: synthesis.skew().unwrap_or(0.0),
            is_thickened: synthesis.embolden(),
        })
    }

    fn font(&mut self, run: &SetRun<'_, Look>) -> Result<Font, PdfError> {
        let font = run.font();
        let places: Vec<([u8; 4], f32)> = run
            .synthesis()
            .variation_settings()
            .iter()
            .map(|(tag, at)| (tag.into_bytes(), *at))
            .collect();
        let key = (
            font.data.id(),
            font.index,
            places.iter().map(|(tag, at)| (*tag, at.to_bits())).collect(),
        );
        if let Some(opened) = self.opened.get(&key) {
            return Ok(opened.clone());
        }
        let (data, _) = font.data.clone().into_raw_parts();
        let places: Vec<(Tag, f32)> = places.iter().map(|(tag, at)| (Tag::new(tag), *at)).collect();
        let opened = Font::new_variable(data.into(), font.index, &places)
            .ok_or_else(|| PdfError::Failed("a font of this system is damaged".to_owned()))?;
        self.opened.insert(key, opened.clone());
        Ok(opened)
    }
}

impl Letters {
    fn count(&mut self, letters: &str, is_missing: bool) {
        let Some(letter) = letters.chars().next() else {
            return;
        };
        let is_wide = is_east_asian(letter) && letter.is_alphanumeric();
        self.east_asian += usize::from(is_wide);
        if is_missing && !letter.is_whitespace() {
            self.missing += 1;
            self.missing_east_asian += usize::from(is_wide);
        }
    }
}

fn joined(one: Option<Range<usize>>, other: Range<usize>) -> Range<usize> {
    match one {
        Some(one) => one.start.min(other.start)..one.end.max(other.end),
        None => other,
    }
}

fn alignment(side: Side) -> Alignment {
    match side {
        Side::Start => Alignment::Start,
        Side::Centre => Alignment::Center,
        Side::Right => Alignment::Right,
    }
}
