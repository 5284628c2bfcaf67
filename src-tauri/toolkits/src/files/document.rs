//! `files.write_document`: Markdown into a Word document, with its headings, lists, tables, links and code as such. A PDF is
//! made next door.

use super::produce::{Produced, produce};
use crate::arguments::Arguments;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::DOCUMENT_MARKDOWN_BYTES_MAX;
use crate::safe_path::ResolvedPath;
use docx_rs::{
    AbstractNumbering, AlignmentType, Docx, Hyperlink, HyperlinkType, IndentLevel, Level, LevelJc, LevelText,
    LineSpacing, NumberFormat, Numbering, NumberingId, Paragraph, Run, RunFonts, Shading, SpecialIndentType,
    Start, Style, StyleType, Table, TableCell, TableRow,
};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use serde_json::json;
use shidi_protocol::CallOutcome;
use std::io::Cursor;

/// Sizes in half points, as Word counts them.
const BODY: usize = 22;
const HEADINGS: [usize; 6] = [36, 30, 26, 24, 22, 22];
const CODE: usize = 19;

/// Indent of a level of a list, in twentieths of a point.
const INDENT: i32 = 420;

/// Levels of lists: Word knows nine.
const LEVELS: usize = 9;

const BULLETS: usize = 1;
const CODE_FONT: &str = "Consolas";
const CODE_SHADE: &str = "F3F2EF";
const QUOTE_COLOUR: &str = "5C5A55";
const LINK_COLOUR: &str = "0B6477";

pub(super) fn write_document(
    arguments: &Arguments<'_>,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let shown = place.shown.display().to_string();
    let ending = place
        .leads_to
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let markdown = arguments.text("markdown");
    if markdown.len() > DOCUMENT_MARKDOWN_BYTES_MAX {
        return Err(ToolError::TooLarge(shown));
    }
    let produced = match ending.as_str() {
        "docx" => word(markdown)?,
        "pdf" => super::pdf::pdf(markdown, place, environment)?,
        _ => {
            return Err(ToolError::NoForm {
                path: shown,
                known: "'.docx' or '.pdf'",
            });
        }
    };
    produce(place, environment, produced)
}

fn word(markdown: &str) -> Result<Produced, ToolError> {
    let mut bytes = Cursor::new(Vec::new());
    let packed = document(markdown).pack(&mut bytes);
    packed.map_err(|cause| ToolError::NoTable(cause.to_string()))?;
    let lines = markdown.lines().filter(|line| !line.trim().is_empty()).count();
    Ok(Produced {
        bytes: bytes.into_inner(),
        facts: json!({}),
        told: super::counted(lines, "line of Markdown", "lines of Markdown"),
    })
}

fn document(markdown: &str) -> Docx {
    // A document is XML, which has no place for control characters.
    let markdown: String = markdown
        .chars()
        .filter(|letter| !letter.is_control() || ['\n', '\t'].contains(letter))
        .collect();
    let mut writer = Writer::new();
    for event in Parser::new_ext(
        &markdown,
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS,
    ) {
        writer.take(event);
    }
    writer.close();
    writer.docx
}

/// The document so far, and what stands open.
struct Writer {
    docx: Docx,
    paragraph: Option<Paragraph>,
    look: Look,
    /// Numbers of the lists that stand open, outermost first.
    lists: Vec<usize>,
    /// Numbering of the last ordered list; each begins anew.
    last_list: usize,
    quotes: usize,
    heading: Option<usize>,
    code: bool,
    link: Option<(String, Vec<Run>)>,
    table: Option<OpenTable>,
}

/// How words look right now.
#[derive(Clone, Copy, Default)]
struct Look {
    bold: usize,
    italic: usize,
    strike: usize,
}

#[derive(Default)]
struct OpenTable {
    alignments: Vec<Alignment>,
    rows: Vec<TableRow>,
    cells: Vec<TableCell>,
    is_head: bool,
}

impl Writer {
    fn new() -> Self {
        let mut docx = Docx::new().default_size(BODY);
        for (at, size) in HEADINGS.iter().enumerate() {
            let style = Style::new(format!("Heading{}", at + 1), StyleType::Paragraph)
                .name(format!("heading {}", at + 1))
                .size(*size)
                .bold()
                .outline_lvl(at);
            docx = docx.add_style(style);
        }
        let bullets = (0..LEVELS).fold(AbstractNumbering::new(BULLETS), |numbering, level| {
            let mark = ["•", "◦", "▪"][level % 3];
            numbering.add_level(list_level(level, "bullet", mark))
        });
        docx = docx
            .add_abstract_numbering(bullets)
            .add_numbering(Numbering::new(BULLETS, BULLETS));
        Self {
            docx,
            paragraph: None,
            look: Look::default(),
            lists: Vec::new(),
            last_list: BULLETS,
            quotes: 0,
            heading: None,
            code: false,
            link: None,
            table: None,
        }
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.open(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code => self.lines_of_code(&text),
            Event::Text(text) => self.words(self.run(&text)),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                let run = self
                    .run(&text)
                    .fonts(code_font())
                    .shading(Shading::new().fill(CODE_SHADE));
                self.words(run);
            }
            Event::Html(text) | Event::InlineHtml(text) if shidi_pdf::is_line_break(&text) => self.end_line(),
            // Other HTML is shown as it was written: a document runs nothing.
            Event::Html(text) | Event::InlineHtml(text) => self.words(self.run(text.trim_end())),
            Event::FootnoteReference(name) => self.words(self.run(&format!("[{name}]"))),
            Event::SoftBreak => self.words(Run::new().add_text(" ")),
            Event::HardBreak => self.end_line(),
            Event::Rule => {
                self.close();
                self.paragraph = Some(
                    Paragraph::new()
                        .align(AlignmentType::Center)
                        .add_run(Run::new().add_text("* * *")),
                );
                self.close();
            }
            Event::TaskListMarker(is_done) => {
                self.words(Run::new().add_text(if is_done { "☑ " } else { "☐ " }))
            }
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.close();
                self.heading = Some(level_of(level));
            }
            Tag::BlockQuote(_) => {
                self.close();
                self.quotes += 1;
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                self.close();
                self.code = true;
            }
            Tag::List(first) => {
                self.close();
                let number = first.map_or(BULLETS, |first| self.ordered(first));
                self.lists.push(number);
            }
            Tag::Item | Tag::Paragraph => self.close(),
            Tag::Table(alignments) => {
                self.close();
                self.table = Some(OpenTable {
                    alignments,
                    ..OpenTable::default()
                });
            }
            Tag::TableHead => {
                if let Some(table) = &mut self.table {
                    table.is_head = true;
                }
            }
            Tag::Emphasis => self.look.italic += 1,
            Tag::Strong => self.look.bold += 1,
            Tag::Strikethrough => self.look.strike += 1,
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.link = Some((dest_url.to_string(), Vec::new()))
            }
            Tag::TableRow
            | Tag::TableCell
            | Tag::HtmlBlock
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.close();
                self.heading = None;
            }
            TagEnd::BlockQuote(_) => {
                self.close();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::CodeBlock => {
                self.close();
                self.code = false;
            }
            TagEnd::List(_) => {
                self.close();
                self.lists.pop();
            }
            TagEnd::Paragraph | TagEnd::Item | TagEnd::HtmlBlock => self.close(),
            TagEnd::TableCell => self.end_cell(),
            TagEnd::TableHead | TagEnd::TableRow => self.end_row(),
            TagEnd::Table => self.end_table(),
            TagEnd::Emphasis => self.look.italic = self.look.italic.saturating_sub(1),
            TagEnd::Strong => self.look.bold = self.look.bold.saturating_sub(1),
            TagEnd::Strikethrough => self.look.strike = self.look.strike.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => self.end_link(),
            TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn end_line(&mut self) {
        self.words(Run::new().add_break(docx_rs::BreakType::TextWrapping));
    }

    fn run(&self, text: &str) -> Run {
        let mut run = Run::new().add_text(text);
        if self.look.bold > 0 || self.table.as_ref().is_some_and(|table| table.is_head) {
            run = run.bold();
        }
        if self.look.italic > 0 {
            run = run.italic();
        }
        if self.look.strike > 0 {
            run = run.strike();
        }
        if self.quotes > 0 {
            run = run.color(QUOTE_COLOUR);
        }
        run
    }

    fn words(&mut self, run: Run) {
        if let Some((_, runs)) = &mut self.link {
            runs.push(run.color(LINK_COLOUR).underline("single"));
            return;
        }
        let paragraph = self.paragraph.take().unwrap_or_else(|| self.begun());
        self.paragraph = Some(paragraph.add_run(run));
    }

    fn lines_of_code(&mut self, text: &str) {
        for line in text.trim_end_matches('\n').split('\n') {
            let run = Run::new()
                .add_text(line)
                .fonts(code_font())
                .size(CODE)
                .shading(Shading::new().fill(CODE_SHADE));
            let paragraph = self
                .begun()
                .line_spacing(LineSpacing::new().after(0))
                .add_run(run);
            self.paragraph = Some(paragraph);
            self.close();
        }
    }

    /// A paragraph of the kind that stands open.
    fn begun(&self) -> Paragraph {
        let paragraph = Paragraph::new();
        if let Some(level) = self.heading {
            return paragraph.style(&format!("Heading{level}")).keep_next(true);
        }
        let indent = INDENT.saturating_mul(i32::try_from(self.quotes).unwrap_or(1));
        match self.lists.last() {
            Some(number) if !self.code => {
                let level = (self.lists.len() - 1).min(LEVELS - 1);
                paragraph.numbering(NumberingId::new(*number), IndentLevel::new(level))
            }
            Some(_) | None if self.quotes > 0 => paragraph.indent(Some(indent), None, None, None),
            Some(_) | None if self.table.is_some() => paragraph,
            Some(_) | None => paragraph.line_spacing(LineSpacing::new().after(120)),
        }
    }

    fn close(&mut self) {
        let Some(paragraph) = self.paragraph.take() else {
            return;
        };
        let docx = std::mem::take(&mut self.docx);
        self.docx = docx.add_paragraph(paragraph);
    }

    /// An ordered list counts on its own.
    fn ordered(&mut self, first: u64) -> usize {
        self.last_list += 1;
        let number = self.last_list;
        let first = usize::try_from(first).unwrap_or(1);
        let levels = (0..LEVELS).fold(AbstractNumbering::new(number), |numbering, level| {
            let (kind, mark) = (
                ["decimal", "lowerLetter", "lowerRoman"][level % 3],
                format!("%{}.", level + 1),
            );
            numbering.add_level(Level {
                start: Start::new(if level == 0 { first } else { 1 }),
                ..list_level(level, kind, &mark)
            })
        });
        let docx = std::mem::take(&mut self.docx);
        self.docx = docx
            .add_abstract_numbering(levels)
            .add_numbering(Numbering::new(number, number));
        number
    }

    fn end_link(&mut self) {
        let Some((address, runs)) = self.link.take() else {
            return;
        };
        let link = runs.into_iter().fold(
            Hyperlink::new(address, HyperlinkType::External),
            Hyperlink::add_run,
        );
        let paragraph = self.paragraph.take().unwrap_or_else(|| self.begun());
        self.paragraph = Some(paragraph.add_hyperlink(link));
    }

    fn end_cell(&mut self) {
        let paragraph = self.paragraph.take().unwrap_or_default();
        let Some(table) = &mut self.table else {
            return;
        };
        let paragraph = match table.alignments.get(table.cells.len()) {
            Some(Alignment::Right) => paragraph.align(AlignmentType::Right),
            Some(Alignment::Center) => paragraph.align(AlignmentType::Center),
            Some(Alignment::Left | Alignment::None) | None => paragraph,
        };
        table.cells.push(TableCell::new().add_paragraph(paragraph));
    }

    fn end_row(&mut self) {
        let Some(table) = &mut self.table else {
            return;
        };
        let cells = std::mem::take(&mut table.cells);
        table.rows.push(TableRow::new(cells));
        table.is_head = false;
    }

    fn end_table(&mut self) {
        let Some(table) = self.table.take() else {
            return;
        };
        let docx = std::mem::take(&mut self.docx);
        // Word joins a table with the next one unless a paragraph stands between.
        self.docx = docx
            .add_table(Table::new(table.rows))
            .add_paragraph(Paragraph::new());
    }
}

fn list_level(level: usize, kind: &str, mark: &str) -> Level {
    let indent = INDENT.saturating_mul(i32::try_from(level + 1).unwrap_or(1));
    Level::new(
        level,
        Start::new(1),
        NumberFormat::new(kind),
        LevelText::new(mark),
        LevelJc::new("left"),
    )
    .indent(Some(indent), Some(SpecialIndentType::Hanging(INDENT)), None, None)
}

fn level_of(level: HeadingLevel) -> usize {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

fn code_font() -> RunFonts {
    RunFonts::new().ascii(CODE_FONT).hi_ansi(CODE_FONT)
}
