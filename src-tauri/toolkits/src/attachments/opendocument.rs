//! ODT and ODP: headings, lists, tables, links, notes and comments of a text; slides with titles and speaker notes.
//!
//! Deleted text of tracked changes and covered cells are left out. Where the pages of a text break is not kept in
//! the file for certain, so its places are lines.

mod flow;
mod styles;

use super::frame::{Findings, Stop};
use super::packed::Packed;
use super::xml::{Listener, attribute, walk};
use crate::limits::{DOCUMENT_LINE_BYTES_MAX, DOCUMENT_NOTES_BYTES_MAX};
use flow::{Flow, Place};
use quick_xml::events::BytesStart;
use shidi_protocol::AttachmentUnit;
use std::io::{Read, Seek};
use styles::Styles;

/// Which of the two kinds a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Presentation,
}

/// Bytes of one slide's text: a page of a book has a hundredth of this.
const SLIDE_BYTES_MAX: usize = 1 << 20;
/// Characters of a note's label.
const LABEL_CHARS_MAX: usize = 16;
/// Characters of an author's name.
const AUTHOR_CHARS_MAX: usize = 100;

pub(crate) fn read<R: Read + Seek>(
    packed: &mut Packed<R>,
    kind: Kind,
    findings: &mut Findings<'_>,
) -> Result<(), Stop> {
    match kind {
        Kind::Text => findings.format("odt", AttachmentUnit::Line)?,
        Kind::Presentation => findings.format("odp", AttachmentUnit::Slide)?,
    }
    let mut styles = Styles::default();
    if packed.has("styles.xml") {
        walk(packed.member("styles.xml")?, &mut styles)?;
    }
    let mut body = Body::new(findings, kind, styles);
    walk(packed.member("content.xml")?, &mut body)?;
    body.finish()
}

/// What goes out when all of the text has.
#[derive(Default)]
struct Appendix {
    footnotes: Vec<String>,
    endnotes: Vec<String>,
    comments: Vec<String>,
    bytes: usize,
    /// Whether a bound was reached.
    is_cut: bool,
}

#[derive(Default)]
struct Slide {
    title: Vec<String>,
    lines: Vec<String>,
    notes: Vec<String>,
    bytes: usize,
    is_hidden: bool,
}

/// The document while its XML is read.
struct Body<'f, 'a> {
    findings: &'f mut Findings<'a>,
    kind: Kind,
    styles: Styles,
    /// Whether the definitions of styles are over.
    in_body: bool,
    flow: Flow,
    /// Flows that go on when the open one ends.
    outer: Vec<Flow>,
    /// Open elements within one that is not shown, including it.
    hidden: u32,
    note: Note,
    slide: Option<Slide>,
    slides: u32,
    appendix: Appendix,
}

/// What an open note or comment has told of itself.
#[derive(Default)]
struct Note {
    is_endnote: bool,
    /// The label or author whose text is being read.
    said: Option<String>,
    label: String,
}

impl<'f, 'a> Body<'f, 'a> {
    fn new(findings: &'f mut Findings<'a>, kind: Kind, styles: Styles) -> Self {
        Self {
            findings,
            kind,
            styles,
            in_body: false,
            flow: Flow::new(Place::Body),
            outer: Vec::new(),
            hidden: 0,
            note: Note::default(),
            slide: None,
            slides: 0,
            appendix: Appendix::default(),
        }
    }

    fn finish(self) -> Result<(), Stop> {
        let appendix = self.appendix;
        for (above, lines) in [
            ("Footnotes:", appendix.footnotes),
            ("Endnotes:", appendix.endnotes),
            ("Comments:", appendix.comments),
        ] {
            if !lines.is_empty() {
                self.findings.line(above)?;
            }
            for line in lines {
                self.findings.line(&line)?;
            }
        }
        if appendix.is_cut { Err(Stop::Full) } else { Ok(()) }
    }

    fn put_some(&mut self, line: Option<String>) -> Result<(), Stop> {
        line.map_or(Ok(()), |line| self.put(line))
    }

    /// Sends a line where its flow belongs.
    fn put(&mut self, line: String) -> Result<(), Stop> {
        let appendix = &mut self.appendix;
        if let Some(slide) = &mut self.slide {
            if slide.bytes > SLIDE_BYTES_MAX {
                appendix.is_cut = true;
                return Ok(());
            }
            slide.bytes += line.len();
            match self.flow.place {
                Place::Title => slide.title.push(line),
                Place::Notes => slide.notes.push(line),
                Place::Comment => slide.lines.push(format!("Comment: {line}")),
                Place::Body | Place::Footnote | Place::Endnote => slide.lines.push(line),
            }
            return Ok(());
        }
        let lines = match self.flow.place {
            Place::Body | Place::Title | Place::Notes => return self.findings.line(&line),
            Place::Footnote => &mut appendix.footnotes,
            Place::Endnote => &mut appendix.endnotes,
            Place::Comment => &mut appendix.comments,
        };
        if appendix.bytes > DOCUMENT_NOTES_BYTES_MAX {
            appendix.is_cut = true;
            return Ok(());
        }
        appendix.bytes += line.len();
        lines.push(line);
        Ok(())
    }

    fn open_flow(&mut self, place: Place, mark: String) {
        let mut flow = Flow::new(place);
        flow.mark = mark;
        self.outer.push(std::mem::replace(&mut self.flow, flow));
    }

    fn close_flow(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.flow = outer;
        }
    }

    /// Begins a frame or a drawing with text of its own.
    fn open_frame(&mut self, class: &str) {
        let place = match (class, self.flow.place) {
            // The same on each slide: nothing to read.
            ("header" | "footer" | "date-time" | "page-number", _) => {
                self.hidden = 1;
                return;
            }
            ("title", Place::Body) if self.slide.is_some() => Place::Title,
            (_, place) => place,
        };
        self.open_flow(place, String::new());
    }

    fn end_slide(&mut self) -> Result<(), Stop> {
        let Some(slide) = self.slide.take() else {
            return Ok(());
        };
        self.slides += 1;
        let hidden = if slide.is_hidden { "hidden" } else { "" };
        self.findings.part(self.slides, hidden, &slide.title.join(" "))?;
        for line in &slide.lines {
            self.findings.line(line)?;
        }
        for line in &slide.notes {
            self.findings.line(&format!("Notes: {line}"))?;
        }
        Ok(())
    }

    /// Begins what belongs to a slide, a note or a comment; whether the element was one of these.
    fn opened_apart(&mut self, name: &str, element: &BytesStart<'_>) -> bool {
        match name {
            "tracked-changes" => self.hidden = 1,
            "page" if self.kind == Kind::Presentation => {
                let style = attribute(element, "style-name").unwrap_or_default();
                self.slide = Some(Slide {
                    is_hidden: self.styles.is_hidden_slide(&style),
                    ..Slide::default()
                });
            }
            "notes" => self.open_flow(Place::Notes, String::new()),
            "note" => {
                self.note.is_endnote = attribute(element, "note-class").as_deref() == Some("endnote");
            }
            "note-citation" => self.note.said = Some(String::new()),
            "note-body" => {
                let place = if self.note.is_endnote {
                    Place::Endnote
                } else {
                    Place::Footnote
                };
                let label = std::mem::take(&mut self.note.label);
                self.open_flow(place, format!("[^{label}]: "));
            }
            "annotation" => self.open_flow(Place::Comment, String::new()),
            "creator" if self.flow.place == Place::Comment && !self.flow.is_in_paragraph() => {
                self.note.said = Some(String::new());
            }
            name if is_frame(name) => {
                let class = attribute(element, "class").unwrap_or_default();
                self.open_frame(&class);
            }
            _ => return false,
        }
        true
    }

    fn closed_apart(&mut self, name: &str) -> Result<(), Stop> {
        match name {
            "page" if self.kind == Kind::Presentation => self.end_slide()?,
            "note-citation" => {
                let said = self.note.said.take().unwrap_or_default();
                let label: String = said.trim().chars().take(LABEL_CHARS_MAX).collect();
                self.flow.sign(&format!("[^{label}]"), 1);
                self.note.label = label;
            }
            "creator" => {
                let said = self.note.said.take().unwrap_or_default();
                let author: String = said.trim().chars().take(AUTHOR_CHARS_MAX).collect();
                if !author.is_empty() {
                    self.flow.mark = format!("{author}: ");
                }
            }
            "notes" | "note-body" | "annotation" => self.close_flow(),
            name if is_frame(name) => self.close_flow(),
            _ => {}
        }
        Ok(())
    }

    fn open_list(&mut self, element: &BytesStart<'_>) {
        let (depth, inherited) = self.flow.next_list();
        let style = attribute(element, "style-name").unwrap_or(inherited);
        let is_numbered = self.styles.is_numbered(&style, depth);
        let goes_on = attribute(element, "continue-numbering").as_deref() == Some("true")
            || attribute(element, "continue-list").is_some();
        self.flow.open_list(style, is_numbered, goes_on);
    }

    fn open_paragraph(&mut self, name: &str, element: &BytesStart<'_>) {
        let level = if name == "h" {
            Some(number(element, "outline-level").unwrap_or(1))
        } else {
            let style = attribute(element, "style-name").unwrap_or_default();
            let is_title =
                self.flow.place == Place::Body && self.slide.is_none() && self.styles.is_title(&style);
            is_title.then_some(1)
        };
        self.flow.open_paragraph(level);
    }
}

impl Listener for Body<'_, '_> {
    fn opened(&mut self, name: &str, element: &BytesStart<'_>) -> Result<(), Stop> {
        if self.hidden > 0 {
            self.hidden += 1;
            return Ok(());
        }
        if !self.in_body {
            self.in_body = name == "body";
            self.styles.take(name, element);
            return Ok(());
        }
        if self.opened_apart(name, element) {
            return Ok(());
        }
        let times = |name: &str| number(element, name).unwrap_or(1);
        match name {
            "p" | "h" => self.open_paragraph(name, element),
            "s" => self.flow.sign(" ", times("c")),
            "tab" => self.flow.sign("\t", 1),
            "ruby-text" => self.flow.sign("(", 1),
            "line-break" if self.flow.is_in_paragraph() => {
                let line = self.flow.break_line();
                self.put_some(line)?;
            }
            "a" => self
                .flow
                .open_link(attribute(element, "href").unwrap_or_default()),
            "list" => self.open_list(element),
            "list-item" => {
                let start = number(element, "start-value");
                self.flow
                    .open_item(start.and_then(|start| u32::try_from(start).ok()));
            }
            "table" => self.flow.open_table(),
            "table-row" => self.flow.open_row(times("number-rows-repeated")),
            "table-cell" => self.flow.open_cell(times("number-columns-repeated")),
            "covered-table-cell" => {
                // A cell beside it spreads over this one: the place counts, its content is not shown.
                self.flow.open_cell(times("number-columns-repeated"));
                self.flow.close_cell();
                self.hidden = 1;
            }
            _ => {}
        }
        Ok(())
    }

    fn closed(&mut self, name: &str) -> Result<(), Stop> {
        if self.hidden > 0 {
            self.hidden -= 1;
            return Ok(());
        }
        if !self.in_body {
            return Ok(());
        }
        match name {
            "p" | "h" => {
                let line = self.flow.close_paragraph();
                self.put_some(line)?;
            }
            // The number of a heading stands right before its words.
            "number" => self.flow.text(" "),
            "ruby-text" => self.flow.sign(")", 1),
            "a" => self.flow.close_link(),
            "list" => self.flow.close_list(),
            "table" => self.flow.close_table(),
            "table-row" => {
                let (row, times) = self.flow.close_row().unwrap_or_default();
                for _ in 0..times {
                    self.put(row.clone())?;
                }
            }
            "table-cell" => self.flow.close_cell(),
            other => self.closed_apart(other)?,
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), Stop> {
        if self.hidden > 0 || !self.in_body {
            return Ok(());
        }
        match &mut self.note.said {
            Some(said) if said.len() < DOCUMENT_LINE_BYTES_MAX => said.push_str(text),
            Some(_) => {}
            None => self.flow.text(text),
        }
        Ok(())
    }
}

/// Frames and drawings: each holds paragraphs of its own, also in the middle of another paragraph.
fn is_frame(name: &str) -> bool {
    matches!(
        name,
        "frame"
            | "custom-shape"
            | "rect"
            | "circle"
            | "ellipse"
            | "polygon"
            | "regular-polygon"
            | "polyline"
            | "path"
            | "line"
            | "connector"
            | "measure"
            | "caption"
    )
}

fn number(element: &BytesStart<'_>, name: &str) -> Option<usize> {
    attribute(element, name)?.parse().ok()
}
