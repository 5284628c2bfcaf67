//! Markdown into blocks. HTML stands as it was written, but for `<br>`; a picture stands as its description. Pure.

use crate::blocks::{Block, Table};
use crate::limits::DEPTH_MAX;
use crate::words::{Look, Side, Words, is_east_asian};
use pulldown_cmark::{Alignment, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

pub(crate) struct Document {
    pub(crate) blocks: Vec<Block>,
    /// Pictures that stand as their descriptions.
    pub(crate) pictures: usize,
}

pub(crate) fn read(markdown: &str) -> Document {
    let text: String = markdown
        .chars()
        .filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\t'))
        .collect();
    let mut reader = Reader::default();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    for event in Parser::new_ext(&text, options) {
        reader.take(event);
    }
    reader.close();
    Document {
        blocks: reader.blocks,
        pictures: reader.pictures,
    }
}

/// Whether a piece of HTML is `<br>` in any form.
#[must_use]
pub fn is_line_break(html: &str) -> bool {
    let within = html
        .trim()
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    // A line of a block of HTML may hold words and other tags behind it.
    let alone = within.filter(|within| !within.contains(['<', '>']));
    let name = alone.unwrap_or_default().split(['/', ' ', '\t', '\n']).next();
    name.is_some_and(|name| name.eq_ignore_ascii_case("br"))
}

/// What stands open around a block.
enum Frame {
    Quote(Vec<Block>),
    List(Option<u64>, Vec<Vec<Block>>),
    Item(Vec<Block>),
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    frames: Vec<Frame>,
    /// Of each quote, list and item that stands open: whether it has a frame, which the deepest have not.
    has_frame: Vec<bool>,
    words: Words,
    bold: usize,
    italic: usize,
    struck: usize,
    link: Option<usize>,
    /// A line ended here; what follows decides whether a space stands for it.
    broke: bool,
    heading: Option<u8>,
    code: Option<String>,
    table: Option<Table>,
    row: Vec<Words>,
    picture: Option<(usize, String)>,
    pictures: usize,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.open(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.say(&text, false),
            },
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => self.say(&text, true),
            Event::Html(text) | Event::InlineHtml(text) if is_line_break(&text) => self.end_line(),
            Event::Html(text) | Event::InlineHtml(text) => self.say(text.trim_end(), false),
            Event::FootnoteReference(name) => self.say(&format!("[{name}]"), false),
            Event::SoftBreak => self.broke = true,
            Event::HardBreak => self.end_line(),
            Event::Rule => {
                self.close();
                self.put(Block::Rule);
            }
            Event::TaskListMarker(is_done) => self.say(if is_done { "☑ " } else { "☐ " }, false),
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.close();
                self.heading = Some(level_of(level));
            }
            Tag::BlockQuote(_) => self.enter(1, Frame::Quote(Vec::new())),
            Tag::List(first) => self.enter(2, Frame::List(first, Vec::new())),
            Tag::Item => self.enter(1, Frame::Item(Vec::new())),
            Tag::CodeBlock(_) => {
                self.close();
                self.code = Some(String::new());
            }
            Tag::Paragraph | Tag::HtmlBlock => self.close(),
            Tag::Table(sides) => {
                self.close();
                self.table = Some(Table {
                    sides: sides.into_iter().map(side_of).collect(),
                    ..Table::default()
                });
            }
            Tag::Emphasis => self.italic += 1,
            Tag::Strong => self.bold += 1,
            Tag::Strikethrough => self.struck += 1,
            Tag::Link { dest_url, .. } => self.link = self.linked(&dest_url),
            Tag::Image { dest_url, .. } => {
                self.pictures += 1;
                self.picture = Some((self.words.text.len(), dest_url.to_string()));
            }
            Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
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
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item => self.leave(),
            TagEnd::CodeBlock => {
                if let Some(code) = self.code.take() {
                    self.put(Block::Code(code));
                }
            }
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.close(),
            TagEnd::TableCell => {
                let cell = self.taken();
                self.row.push(cell);
            }
            TagEnd::TableHead | TagEnd::TableRow => self.end_row(matches!(tag, TagEnd::TableHead)),
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.put(Block::Table(table));
                }
            }
            TagEnd::Emphasis => self.italic = self.italic.saturating_sub(1),
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            TagEnd::Link => self.link = None,
            TagEnd::Image => self.end_picture(),
            TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn say(&mut self, text: &str, is_code: bool) {
        if std::mem::take(&mut self.broke) {
            // Between Chinese letters a line's end is no space, and a line begins with none.
            let last = self.words.text.chars().next_back();
            let ends = last.is_some_and(is_east_asian);
            let is_one = ends && text.chars().next().is_some_and(is_east_asian);
            if !is_one && last != Some('\n') {
                self.words.push(" ", self.look(false));
            }
        }
        let look = self.look(is_code);
        self.words.push(text, look);
    }

    fn end_line(&mut self) {
        self.broke = false;
        self.words.push("\n", Look::default());
    }

    fn look(&self, is_code: bool) -> Look {
        Look {
            is_bold: self.bold > 0,
            is_italic: self.italic > 0,
            is_struck: self.struck > 0,
            is_code,
            link: self.link,
        }
    }

    /// The number of a link; what leads to no page and to no mailbox stays text.
    fn linked(&mut self, address: &str) -> Option<usize> {
        let address = crate::places::address(address)?;
        self.words.addresses.push(address);
        Some(self.words.addresses.len() - 1)
    }

    /// A picture without a description stands as the name of its file.
    fn end_picture(&mut self) {
        let Some((start, address)) = self.picture.take() else {
            return;
        };
        if self.words.text.len() > start {
            return;
        }
        let name = address.rsplit('/').next().unwrap_or_default();
        if !name.is_empty() && name.len() < 100 {
            self.say(&format!("[{name}]"), false);
        }
    }

    fn end_row(&mut self, is_head: bool) {
        let row = std::mem::take(&mut self.row);
        let Some(table) = &mut self.table else {
            return;
        };
        if is_head {
            table.head = row;
        } else {
            table.rows.push(row);
        }
    }

    fn taken(&mut self) -> Words {
        self.broke = false;
        let mut words = std::mem::take(&mut self.words);
        // A break at the end breaks nothing. No look and no link covers it.
        words.text.truncate(words.text.trim_end_matches('\n').len());
        words
    }

    /// What was said so far becomes a block.
    fn close(&mut self) {
        let words = self.taken();
        if words.text.trim().is_empty() {
            return;
        }
        let block = match self.heading {
            Some(level) => Block::Heading { level, words },
            None => Block::Paragraph(words),
        };
        self.put(block);
    }

    /// `needs` counts the frame and those that must fit within it.
    fn enter(&mut self, needs: usize, frame: Frame) {
        self.close();
        let fits = self.frames.len() + needs <= DEPTH_MAX;
        let is_at_home = match frame {
            Frame::Item(_) => matches!(self.frames.last(), Some(Frame::List(..))),
            Frame::Quote(_) | Frame::List(..) => true,
        };
        self.has_frame.push(fits && is_at_home);
        if fits && is_at_home {
            self.frames.push(frame);
        }
    }

    fn leave(&mut self) {
        self.close();
        if !self.has_frame.pop().unwrap_or(false) {
            return;
        }
        match self.frames.pop() {
            Some(Frame::Quote(blocks)) => self.put(Block::Quote(blocks)),
            Some(Frame::List(first, items)) => self.put(Block::List { first, items }),
            Some(Frame::Item(blocks)) => {
                if let Some(Frame::List(_, items)) = self.frames.last_mut() {
                    items.push(blocks);
                }
            }
            None => {}
        }
    }

    fn put(&mut self, block: Block) {
        match self.frames.last_mut() {
            Some(Frame::Quote(blocks) | Frame::Item(blocks)) => blocks.push(block),
            Some(Frame::List(_, items)) => items.push(vec![block]),
            None => self.blocks.push(block),
        }
    }
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

fn side_of(alignment: Alignment) -> Side {
    match alignment {
        Alignment::None | Alignment::Left => Side::Start,
        Alignment::Center => Side::Centre,
        Alignment::Right => Side::Right,
    }
}
