//! DOCX: paragraphs, headings, lists, tables, notes and comments, with the pages that the author's program saw.
//!
//! Deleted text of tracked changes is left out; inserted text counts. A document without stored page breaks has
//! no pages: its places are lines.

use super::frame::{Findings, Stop};
use super::packed::Packed;
use super::xml::{Listener, attribute, walk};
use quick_xml::events::BytesStart;
use shidi_protocol::AttachmentUnit;
use std::io::{Read, Seek};

const BODY: &str = "word/document.xml";

/// Members with text besides the body, each with the line that stands above its text.
const BESIDE: &[(&str, &str)] = &[
    ("word/footnotes.xml", "Footnotes:"),
    ("word/endnotes.xml", "Endnotes:"),
    ("word/comments.xml", "Comments:"),
];

pub(crate) fn read<R: Read + Seek>(packed: &mut Packed<R>, findings: &mut Findings<'_>) -> Result<(), Stop> {
    let mut breaks = Breaks::default();
    walk(packed.member(BODY)?, &mut breaks)?;
    let unit = if breaks.count > 0 {
        AttachmentUnit::Page
    } else {
        AttachmentUnit::Line
    };
    findings.format("docx", unit)?;
    if unit == AttachmentUnit::Page {
        findings.part(1, "", "")?;
    }
    let mut body = Body::new(findings, unit);
    walk(packed.member(BODY)?, &mut body)?;
    body.end_line()?;
    for (member, above) in BESIDE {
        if !packed.has(member) {
            continue;
        }
        let mut beside = Body::new(findings, AttachmentUnit::Line);
        beside.above = Some(above);
        walk(packed.member(member)?, &mut beside)?;
        beside.end_line()?;
    }
    Ok(())
}

/// Counts page breaks before the text is read: they decide whether places are pages or lines.
#[derive(Default)]
struct Breaks {
    count: u32,
}

impl Listener for Breaks {
    fn opened(&mut self, name: &str, element: &BytesStart<'_>) -> Result<(), Stop> {
        if breaks_page(name, element) {
            self.count += 1;
        }
        Ok(())
    }

    fn closed(&mut self, _name: &str) -> Result<(), Stop> {
        Ok(())
    }

    fn text(&mut self, _text: &str) -> Result<(), Stop> {
        Ok(())
    }
}

fn breaks_page(name: &str, element: &BytesStart<'_>) -> bool {
    name == "lastRenderedPageBreak" || name == "br" && attribute(element, "type").as_deref() == Some("page")
}

/// The document while its XML is read.
struct Body<'f, 'a> {
    findings: &'f mut Findings<'a>,
    unit: AttachmentUnit,
    /// A line that goes out before the next text.
    above: Option<&'static str>,
    line: String,
    /// The mark before the line's first word: `# ` of a heading, `- ` of a list.
    prefix: String,
    page: u32,
    /// Whether a written page break was counted; the rendered break at the same place is then skipped.
    broke: bool,
    /// Whether characters belong to shown text.
    in_text: bool,
    /// Open elements whose content is not shown.
    hidden: u32,
    /// Open tables; only the outermost makes rows.
    tables: u32,
    cells: u32,
}

impl<'f, 'a> Body<'f, 'a> {
    fn new(findings: &'f mut Findings<'a>, unit: AttachmentUnit) -> Self {
        Self {
            findings,
            unit,
            above: None,
            line: String::new(),
            prefix: String::new(),
            page: 1,
            broke: false,
            in_text: false,
            hidden: 0,
            tables: 0,
            cells: 0,
        }
    }

    fn end_line(&mut self) -> Result<(), Stop> {
        let line = std::mem::take(&mut self.line);
        let prefix = std::mem::take(&mut self.prefix);
        if line.trim().is_empty() {
            return Ok(());
        }
        if let Some(above) = self.above.take() {
            self.findings.line(above)?;
        }
        self.findings.line(&format!("{prefix}{}", line.trim_end()))
    }

    fn break_page(&mut self, rendered: bool) -> Result<(), Stop> {
        if self.unit != AttachmentUnit::Page || rendered && self.broke {
            self.broke = false;
            return Ok(());
        }
        self.broke = !rendered;
        if self.tables == 0 {
            self.end_line()?;
        }
        self.page += 1;
        self.findings.part(self.page, "", "")
    }

    fn style(&mut self, style: &str) {
        let plain = style.to_lowercase().replace(' ', "");
        if plain.starts_with("list") && plain != "listparagraph" {
            "- ".clone_into(&mut self.prefix);
            return;
        }
        let level = match plain
            .strip_prefix("heading")
            .or_else(|| plain.strip_prefix("标题"))
        {
            Some(level) => level.parse::<usize>().unwrap_or(1),
            None if plain == "title" => 1,
            None => 0,
        };
        if (1..=6).contains(&level) {
            self.prefix = format!("{} ", "#".repeat(level));
        }
    }
}

impl Listener for Body<'_, '_> {
    fn opened(&mut self, name: &str, element: &BytesStart<'_>) -> Result<(), Stop> {
        match name {
            // Not shown: the drawing's copy for older programs, deleted text, codes of fields.
            "Fallback" | "del" | "moveFrom" | "instrText" => self.hidden += 1,
            "t" => self.in_text = true,
            "tab" if self.hidden == 0 && !self.line.is_empty() => self.line.push('\t'),
            "br" | "cr" | "lastRenderedPageBreak" if self.hidden == 0 => {
                if breaks_page(name, element) {
                    self.break_page(name == "lastRenderedPageBreak")?;
                } else if self.tables == 0 {
                    self.end_line()?;
                } else {
                    self.line.push(' ');
                }
            }
            "pStyle" => self.style(&attribute(element, "val").unwrap_or_default()),
            "outlineLvl" if self.prefix.is_empty() => {
                let level = attribute(element, "val").and_then(|level| level.parse::<usize>().ok());
                if let Some(level) = level.filter(|level| *level < 6) {
                    self.prefix = format!("{} ", "#".repeat(level + 1));
                }
            }
            "numPr" if self.prefix.is_empty() => "- ".clone_into(&mut self.prefix),
            "footnoteReference" | "endnoteReference" if self.hidden == 0 => {
                let number = attribute(element, "id").unwrap_or_default();
                self.line.push_str(&format!("[^{number}]"));
            }
            "footnote" | "endnote" => {
                let number = attribute(element, "id").unwrap_or_default();
                if attribute(element, "type").is_none() {
                    self.prefix = format!("[^{number}]: ");
                }
            }
            "comment" => {
                let author = attribute(element, "author").unwrap_or_default();
                self.prefix = format!("{author}: ");
            }
            "tbl" => {
                if self.tables == 0 {
                    self.end_line()?;
                }
                self.tables += 1;
            }
            "tr" if self.tables == 1 => self.cells = 0,
            "tc" if self.tables == 1 => {
                self.line.push_str(if self.cells == 0 { "| " } else { " | " });
                self.cells += 1;
            }
            _ => {}
        }
        Ok(())
    }

    fn closed(&mut self, name: &str) -> Result<(), Stop> {
        match name {
            "Fallback" | "del" | "moveFrom" | "instrText" => self.hidden = self.hidden.saturating_sub(1),
            "t" => self.in_text = false,
            "p" if self.tables == 0 => self.end_line()?,
            "p" if !self.line.ends_with([' ', '|']) => self.line.push(' '),
            "tc" if self.tables == 1 => {
                let length = self.line.trim_end().len();
                self.line.truncate(length);
            }
            "tr" if self.tables == 1 => {
                self.line.push_str(" |");
                self.prefix.clear();
                let is_blank = self.line.chars().all(|character| "| ".contains(character));
                if is_blank {
                    self.line.clear();
                }
                self.end_line()?;
            }
            "tbl" => self.tables = self.tables.saturating_sub(1),
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), Stop> {
        if self.in_text && self.hidden == 0 {
            self.broke = false;
            self.line.push_str(text);
        }
        Ok(())
    }
}
