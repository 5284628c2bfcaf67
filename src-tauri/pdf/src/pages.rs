//! Pages as they fill: what stands where on the open one, drawn and forgotten once it is full.

use crate::error::PdfError;
use crate::limits::{BOTTOM, MARGIN, PAGE_HEIGHT, PAGE_WIDTH, PAGES_MAX, TOP};
use crate::structure::{NodeId, Structure};
use crate::typesetter::{Line, Run};
use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::color::rgb;
use krilla::configure::{Accessibility, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::error::KrillaError;
use krilla::geom::{PathBuilder, Point, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag};
use krilla::{Document, SerializeSettings};
use std::rc::Rc;

pub(crate) type Colour = [u8; 3];
pub(crate) const INK: Colour = [0x1f, 0x1f, 0x1d];
pub(crate) const FADED: Colour = [0x5c, 0x5a, 0x55];
pub(crate) const LINK: Colour = [0x0b, 0x64, 0x77];
pub(crate) const SHADE: Colour = [0xf3, 0xf2, 0xef];
pub(crate) const RULE: Colour = [0xd4, 0xd1, 0xca];

/// A strip beside or behind text, for as long as that goes on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Band {
    pub(crate) x: f32,
    pub(crate) width: f32,
    pub(crate) colour: Colour,
}

/// Whose content a line is; none is drawn for the eye alone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Owner {
    pub(crate) node: Option<NodeId>,
    /// Of each link of the text: its node and its address.
    pub(crate) links: Vec<(NodeId, Rc<str>)>,
}

/// A heading in the list of contents beside the pages.
pub(crate) struct Entry {
    pub(crate) level: u8,
    pub(crate) text: String,
    page: usize,
    y: f32,
}

enum Item {
    Run {
        text: Rc<str>,
        run: Run,
        place: Point,
        colour: Colour,
        node: Option<NodeId>,
    },
    /// A cell without words is a cell.
    Empty(NodeId),
}

impl Item {
    fn node(&self) -> Option<NodeId> {
        match self {
            Self::Run { node, .. } => *node,
            Self::Empty(node) => Some(*node),
        }
    }
}

pub(crate) struct Pages {
    document: Document,
    pub(crate) structure: Structure,
    /// Where the next line begins.
    pub(crate) y: f32,
    full: usize,
    items: Vec<Item>,
    shapes: Vec<(Rect, Colour)>,
    links: Vec<(Rect, Rc<str>, NodeId)>,
    bands: Vec<(Band, f32)>,
    entries: Vec<Entry>,
}

impl Pages {
    pub(crate) fn new(is_accessible: bool) -> Self {
        let mut settings = SerializeSettings::default();
        if is_accessible {
            let promised = ConfigurationBuilder::new().with_accessibility_validator(Accessibility::UA1);
            settings.configuration = promised.finish().unwrap_or_default();
        }
        Self {
            document: Document::new_with(settings),
            structure: Structure::new(),
            y: TOP,
            full: 0,
            items: Vec::new(),
            shapes: Vec::new(),
            links: Vec::new(),
            bands: Vec::new(),
            entries: Vec::new(),
        }
    }

    pub(crate) fn room(&self) -> f32 {
        BOTTOM - self.y
    }

    pub(crate) fn is_at_top(&self) -> bool {
        self.y <= TOP
    }

    /// The number of the open page.
    pub(crate) fn number(&self) -> usize {
        self.full + 1
    }

    pub(crate) fn shape(&mut self, x: f32, y: f32, width: f32, height: f32, colour: Colour) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            self.shapes.push((rect, colour));
        }
    }

    pub(crate) fn begin_band(&mut self, band: Band) {
        self.bands.push((band, self.y));
    }

    pub(crate) fn end_band(&mut self) {
        if let Some((band, from)) = self.bands.pop() {
            self.shape(band.x, from, band.width, self.y - from, band.colour);
        }
    }

    pub(crate) fn entry(&mut self, level: u8, text: String) {
        self.entries.push(Entry {
            level,
            text,
            page: self.full,
            y: self.y,
        });
    }

    pub(crate) fn empty(&mut self, node: NodeId) {
        self.items.push(Item::Empty(node));
    }

    /// A line with its left end at `x`.
    pub(crate) fn line(&mut self, line: Line, x: f32, baseline: f32, colour: Colour, owner: &Owner) {
        for run in line.runs {
            let link = run.look.link.and_then(|link| owner.links.get(link));
            let colour = if link.is_some() { LINK } else { colour };
            let (left, size, width) = (x + run.x, run.size, run.width);
            if run.look.is_code {
                self.shape(left - 1.0, baseline - size, width + 2.0, size * 1.3, SHADE);
            }
            if run.look.is_struck {
                self.shape(left, baseline - size * 0.3, width, size * 0.06, colour);
            }
            if let Some((node, address)) = link {
                self.shape(left, baseline + size * 0.14, width, size * 0.045, LINK);
                if let Some(rect) = Rect::from_xywh(left, baseline - size, width, size * 1.3) {
                    self.links.push((rect, Rc::clone(address), *node));
                }
            }
            self.items.push(Item::Run {
                text: Rc::clone(&line.text),
                place: Point::from_xy(left, baseline),
                colour,
                node: link.map(|(node, _)| *node).or(owner.node),
                run,
            });
        }
    }

    /// Ends the open page; `number` stands at its foot.
    pub(crate) fn turn(&mut self, number: Option<Line>) -> Result<(), PdfError> {
        if self.full == PAGES_MAX {
            return Err(PdfError::TooManyPages);
        }
        let bottom = self.y.min(BOTTOM);
        for (band, from) in std::mem::take(&mut self.bands) {
            self.shape(band.x, from, band.width, bottom - from, band.colour);
            self.bands.push((band, TOP));
        }
        if let Some(number) = number {
            let x = (PAGE_WIDTH - number.width) / 2.0;
            self.line(number, x, PAGE_HEIGHT - MARGIN / 2.0, FADED, &Owner::default());
        }
        self.draw();
        self.full += 1;
        self.y = TOP;
        Ok(())
    }

    fn draw(&mut self) {
        let settings = PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT).unwrap_or_default();
        let mut page = self.document.start_page_with(settings);
        let mut surface = page.surface();
        if !self.shapes.is_empty() {
            surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
            for (rect, colour) in self.shapes.drain(..) {
                fill(&mut surface, rect, colour);
            }
            surface.end_tagged();
        }
        let items = std::mem::take(&mut self.items);
        for group in items.chunk_by(|one, other| one.node() == other.node()) {
            let node = group.first().and_then(Item::node);
            let tag = match node {
                Some(_) => ContentTag::Span(SpanTag::empty()),
                None => ContentTag::Artifact(Artifact::with_kind(ArtifactType::PaginationOther)),
            };
            let content = surface.start_tagged(tag);
            for item in group {
                write(&mut surface, item);
            }
            surface.end_tagged();
            if let Some(node) = node {
                self.structure.drawn(node, content);
            }
        }
        surface.finish();
        for (rect, address, node) in self.links.drain(..) {
            let target = Target::Action(Action::Link(LinkAction::new(address.to_string())));
            let link = Annotation::new_link(LinkAnnotation::new(rect, target), Some(address.to_string()));
            let content = page.add_tagged_annotation(link);
            self.structure.drawn(node, content);
        }
        page.finish();
    }

    /// The file, and how many pages it has.
    pub(crate) fn finish(
        mut self,
        title: &str,
        language: Option<&str>,
    ) -> Result<(Vec<u8>, usize), PdfError> {
        let mut metadata = Metadata::new().title(title.to_owned());
        if let Some(language) = language {
            metadata = metadata.language(language.to_owned());
        }
        self.document.set_metadata(metadata);
        self.document.set_outline(outline(&self.entries, title));
        self.document.set_tag_tree(self.structure.tree());
        let bytes = self.document.finish().map_err(|error| match error {
            KrillaError::Validation(_) => PdfError::Inaccessible,
            other => PdfError::Failed(other.to_string()),
        })?;
        Ok((bytes, self.full))
    }
}

/// Headings within those above them; a text without any has its title.
fn outline(entries: &[Entry], title: &str) -> Outline {
    let mut outline = Outline::new();
    let mut at = 0;
    while at < entries.len() {
        let (node, next) = branch(entries, at);
        outline.push_child(node);
        at = next;
    }
    if entries.is_empty() {
        let start = XyzDestination::new(0, Point::from_xy(MARGIN, TOP));
        outline.push_child(OutlineNode::new(title.to_owned(), start));
    }
    outline
}

/// A heading with those below it, and the first that is not: at most six within one another.
fn branch(entries: &[Entry], at: usize) -> (OutlineNode, usize) {
    let entry = &entries[at];
    let place = XyzDestination::new(entry.page, Point::from_xy(MARGIN, (entry.y - 12.0).max(0.0)));
    let mut node = OutlineNode::new(entry.text.clone(), place).with_open(entry.level < 2);
    let mut next = at + 1;
    while entries.get(next).is_some_and(|below| below.level > entry.level) {
        let (below, after) = branch(entries, next);
        node.push_child(below);
        next = after;
    }
    (node, next)
}

fn fill(surface: &mut Surface<'_>, rect: Rect, colour: Colour) {
    let mut path = PathBuilder::new();
    path.push_rect(rect);
    if let Some(path) = path.finish() {
        surface.set_fill(Some(filled(colour)));
        surface.set_stroke(None);
        surface.draw_path(&path);
    }
}

fn filled([red, green, blue]: Colour) -> Fill {
    Fill {
        paint: rgb::Color::new(red, green, blue).into(),
        opacity: NormalizedF32::ONE,
        rule: FillRule::default(),
    }
}

fn write(surface: &mut Surface<'_>, item: &Item) {
    let Item::Run {
        text,
        run,
        place,
        colour,
        ..
    } = item
    else {
        return;
    };
    let fill = filled(*colour);
    surface.set_stroke(run.is_thickened.then(|| Stroke {
        paint: fill.paint.clone(),
        width: run.size / 28.0,
        ..Stroke::default()
    }));
    surface.set_fill(Some(fill));
    let is_slanted = run.slant != 0.0;
    let mut start = *place;
    if is_slanted {
        let slant = -run.slant.to_radians().tan();
        surface.push_transform(&Transform::from_row(1.0, 0.0, slant, 1.0, place.x, place.y));
        start = Point::from_xy(0.0, 0.0);
    }
    surface.draw_glyphs(start, &run.glyphs, run.font.clone(), text, run.size, false);
    if is_slanted {
        surface.pop();
    }
}
