//! PPTX: slide by slide in the order of the show, with titles, tables and speaker notes.

use super::frame::{Findings, Stop};
use super::packed::Packed;
use super::xml::{Listener, attribute, walk};
use crate::limits::DOCUMENT_PARTS_MAX;
use quick_xml::events::BytesStart;
use shidi_protocol::AttachmentUnit;
use std::collections::HashMap;
use std::io::{Read, Seek};

const SHOW: &str = "ppt/presentation.xml";

pub(crate) fn read<R: Read + Seek>(packed: &mut Packed<R>, findings: &mut Findings<'_>) -> Result<(), Stop> {
    findings.format("pptx", AttachmentUnit::Slide)?;
    let mut show = Show::default();
    walk(packed.member(SHOW)?, &mut show)?;
    let targets = relations(packed, SHOW)?;
    let members: Vec<String> = show
        .slides
        .iter()
        .filter_map(|id| targets.get(id))
        .map(|relation| relation.target.clone())
        .collect();
    let total = members.len() as u64;
    for (index, member) in members.iter().take(DOCUMENT_PARTS_MAX as usize).enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut slide = Slide::default();
        walk(packed.member(member)?, &mut slide)?;
        slide.end_paragraph();
        let title = slide.title.join(" ");
        let hidden = if slide.hidden { "hidden" } else { "" };
        findings.part(number, hidden, &title)?;
        for line in &slide.lines {
            findings.line(line)?;
        }
        let notes = relations(packed, member)?
            .into_values()
            .find(|relation| relation.kind.ends_with("/notesSlide"));
        if let Some(notes) = notes.filter(|notes| packed.has(&notes.target)) {
            let mut said = Slide::default();
            walk(packed.member(&notes.target)?, &mut said)?;
            said.end_paragraph();
            for line in said
                .lines
                .iter()
                .filter(|line| line.trim().parse::<u32>().is_err())
            {
                findings.line(&format!("Notes: {line}"))?;
            }
        }
        findings.progress(u64::from(number), total)?;
    }
    Ok(())
}

/// Reads the ids of the slides in order.
#[derive(Default)]
struct Show {
    slides: Vec<String>,
}

impl Listener for Show {
    fn opened(&mut self, name: &str, element: &BytesStart<'_>) -> Result<(), Stop> {
        // `id` is a number, `r:id` the relation; only the prefix tells them apart.
        if name == "sldId" {
            let relation = element
                .attributes()
                .with_checks(false)
                .flatten()
                .find(|attribute| attribute.key.as_ref().ends_with(":id"));
            self.slides
                .extend(relation.map(|attribute| attribute.value.to_string()));
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

struct Relation {
    kind: String,
    target: String,
}

/// The members that a member points to, by relation id.
fn relations<R: Read + Seek>(
    packed: &mut Packed<R>,
    member: &str,
) -> Result<HashMap<String, Relation>, Stop> {
    struct Relations {
        base: String,
        found: HashMap<String, Relation>,
    }
    impl Listener for Relations {
        fn opened(&mut self, name: &str, element: &BytesStart<'_>) -> Result<(), Stop> {
            let of = |name: &str| attribute(element, name).unwrap_or_default();
            let outside = of("TargetMode") == "External";
            if name == "Relationship" && !outside && self.found.len() < 10_000 {
                let target = joined(&self.base, &of("Target"));
                self.found.insert(
                    of("Id"),
                    Relation {
                        kind: of("Type"),
                        target,
                    },
                );
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
    let (folder, name) = member.rsplit_once('/').unwrap_or(("", member));
    let file = format!("{folder}/_rels/{name}.rels");
    let mut relations = Relations {
        base: folder.to_owned(),
        found: HashMap::new(),
    };
    if packed.has(&file) {
        walk(packed.member(&file)?, &mut relations)?;
    }
    Ok(relations.found)
}

/// The path of `../slides/slide1.xml`, seen from a folder within the archive.
fn joined(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            "." | "" => {}
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// One slide, or one slide's notes, while its XML is read.
#[derive(Default)]
struct Slide {
    lines: Vec<String>,
    title: Vec<String>,
    paragraph: String,
    in_text: bool,
    in_title: bool,
    hidden: bool,
    bytes: usize,
    tables: u32,
    cells: u32,
    fallback: u32,
}

/// Bytes of one slide's text: a page of a book has a hundredth of this.
const SLIDE_BYTES_MAX: usize = 1 << 20;

impl Slide {
    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let line = paragraph.trim();
        if line.is_empty() || self.bytes > SLIDE_BYTES_MAX {
            return;
        }
        self.bytes += line.len();
        if self.in_title {
            self.title.push(line.to_owned());
        } else {
            self.lines.push(line.to_owned());
        }
    }
}

impl Listener for Slide {
    fn opened(&mut self, name: &str, element: &BytesStart<'_>) -> Result<(), Stop> {
        match name {
            "sld" => self.hidden = attribute(element, "show").as_deref() == Some("0"),
            "Fallback" => self.fallback += 1,
            "sp" => self.in_title = false,
            "ph" => {
                let kind = attribute(element, "type");
                self.in_title = matches!(kind.as_deref(), Some("title" | "ctrTitle"));
            }
            "t" => self.in_text = true,
            "br" => self.paragraph.push(' '),
            "tbl" => self.tables += 1,
            "tr" => self.cells = 0,
            "tc" => {
                self.paragraph
                    .push_str(if self.cells == 0 { "| " } else { " | " });
                self.cells += 1;
            }
            _ => {}
        }
        Ok(())
    }

    fn closed(&mut self, name: &str) -> Result<(), Stop> {
        match name {
            "Fallback" => self.fallback = self.fallback.saturating_sub(1),
            "t" => self.in_text = false,
            "p" if self.tables == 0 => self.end_paragraph(),
            "tr" => {
                self.paragraph.push_str(" |");
                self.end_paragraph();
            }
            "tbl" => self.tables = self.tables.saturating_sub(1),
            "sp" => self.in_title = false,
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), Stop> {
        if self.in_text && self.fallback == 0 && self.paragraph.len() < SLIDE_BYTES_MAX {
            self.paragraph.push_str(text);
        }
        Ok(())
    }
}
