//! Blocks onto pages: the space between them, what stays together, and where a page ends.

use crate::blocks::Block;
use crate::error::PdfError;
use crate::limits::{BODY_SIZE, CODE_SIZE, HEADING_SIZES, MARGIN, NUMBER_SIZE, PAGE_WIDTH};
use crate::pages::{Band, Colour, FADED, INK, Owner, Pages, RULE, SHADE};
use crate::structure::{NodeId, Part, ROOT};
use crate::typesetter::{Line, Setting, Typesetter};
use crate::words::{Language, Side, Words};
use std::rc::Rc;

/// Height of a line, in sizes of its letters.
const PROSE: f32 = 1.5;
const HEADING: f32 = 1.3;
const CODE: f32 = 1.4;

const GAP: f32 = 7.0;
const ITEM_GAP: f32 = 3.0;
const INDENT: f32 = 18.0;
const QUOTE_INDENT: f32 = 14.0;
const CODE_PADDING: f32 = 7.0;

/// A document that is done.
pub(crate) struct Set {
    pub(crate) bytes: Vec<u8>,
    pub(crate) pages: usize,
    pub(crate) missing: usize,
}

pub(crate) struct Flow<'a> {
    pub(crate) setter: Typesetter<'a>,
    pub(crate) pages: Pages,
    language: Language,
    pub(crate) left: f32,
    pub(crate) width: f32,
    /// Whose content comes next.
    pub(crate) node: NodeId,
    pub(crate) colour: Colour,
    /// Space before what comes next; none at the top of a page.
    space: f32,
    /// Number or bullet of an item whose first line is still to come.
    marker: Option<(Line, Owner)>,
    lists: usize,
    /// What stands in an item stands close together.
    is_tight: bool,
    /// Levels of the headings that the next one may stand below; screen readers are told its rank among them.
    levels: Vec<u8>,
}

impl<'a> Flow<'a> {
    pub(crate) fn new(
        language: Language,
        is_accessible: bool,
        is_stopped: &'a dyn Fn() -> bool,
    ) -> Result<Self, PdfError> {
        Ok(Self {
            setter: Typesetter::new(language, is_stopped)?,
            pages: Pages::new(is_accessible),
            language,
            left: MARGIN,
            width: PAGE_WIDTH - 2.0 * MARGIN,
            node: ROOT,
            colour: INK,
            space: 0.0,
            marker: None,
            lists: 0,
            is_tight: false,
            levels: Vec::new(),
        })
    }

    pub(crate) fn blocks(&mut self, blocks: &[Block]) -> Result<(), PdfError> {
        for block in blocks {
            match block {
                Block::Heading { level, words } => self.heading(*level, words)?,
                Block::Paragraph(words) => self.paragraph(words)?,
                Block::Code(code) => self.code(code)?,
                Block::Rule => self.rule()?,
                Block::Quote(blocks) => self.quote(blocks)?,
                Block::List { first, items } => self.list(*first, items)?,
                Block::Table(table) => self.table(table)?,
            }
        }
        Ok(())
    }

    pub(crate) fn finish(mut self, title: &str) -> Result<Set, PdfError> {
        self.turn()?;
        let letters = self.setter.letters();
        // A few rare letters are told of; a text of boxes is none.
        if letters.missing_east_asian * 2 > letters.east_asian {
            return Err(PdfError::NoLetters(self.language.letters()));
        }
        let (bytes, pages) = self.pages.finish(title, self.language.tag())?;
        Ok(Set {
            bytes,
            pages,
            missing: letters.missing,
        })
    }

    pub(crate) fn turn(&mut self) -> Result<(), PdfError> {
        let number = self.setter.lines(
            &Words::plain(&self.pages.number().to_string()),
            prose(NUMBER_SIZE),
            self.width,
        )?;
        self.pages.turn(number.into_iter().next())
    }

    /// At least this space, also together with what was asked for after the block before.
    pub(crate) fn gap(&mut self, space: f32) {
        self.space = self.space.max(space);
    }

    /// Goes to where the next content begins, on a page with room for it.
    pub(crate) fn settle(&mut self, height: f32) -> Result<(), PdfError> {
        let space = std::mem::take(&mut self.space);
        if self.pages.is_at_top() {
            return Ok(());
        }
        if self.pages.room() < space + height {
            self.turn()
        } else {
            self.pages.y += space;
            Ok(())
        }
    }

    /// The content of a node, with a node for each of its links.
    pub(crate) fn owner(&mut self, node: NodeId, words: &Words) -> Owner {
        let links = words.addresses.iter().map(|address| {
            let link = self.pages.structure.add(node, Part::Link);
            (link, Rc::from(address.as_str()))
        });
        Owner {
            links: links.collect(),
            node: Some(node),
        }
    }

    fn heading(&mut self, level: u8, words: &Words) -> Result<(), PdfError> {
        let at = usize::from(level.clamp(1, 6)) - 1;
        let setting = Setting {
            is_bold: true,
            ..prose(HEADING_SIZES[at])
        };
        let lines = self.setter.lines(words, setting, self.width)?;
        let height = setting.size * HEADING;
        let all = height * f32::from(u16::try_from(lines.len()).unwrap_or(u16::MAX));
        self.gap([24.0, 19.0, 15.0, 11.0, 9.0, 9.0][at]);
        // A heading never ends a page.
        self.settle((all + 2.5 * BODY_SIZE * PROSE).min(400.0))?;
        let title = words.text.trim().replace('\n', " ");
        self.pages.entry(level, title.clone());
        self.levels.retain(|above| *above < level);
        self.levels.push(level);
        let part = Part::Heading {
            level: u16::try_from(self.levels.len()).unwrap_or(1),
            title,
        };
        let node = self.pages.structure.add(self.node, part);
        let owner = self.owner(node, words);
        self.lines(lines, setting.size, height, &owner)?;
        self.gap([9.0, 7.0, 6.0, 5.0, 4.0, 4.0][at]);
        Ok(())
    }

    fn paragraph(&mut self, words: &Words) -> Result<(), PdfError> {
        let lines = self.setter.lines(words, prose(BODY_SIZE), self.width)?;
        let node = self.pages.structure.add(self.node, Part::Paragraph);
        let owner = self.owner(node, words);
        self.lines(lines, BODY_SIZE, BODY_SIZE * PROSE, &owner)?;
        self.gap(self.after());
        Ok(())
    }

    fn after(&self) -> f32 {
        if self.is_tight { ITEM_GAP } else { GAP }
    }

    fn code(&mut self, code: &str) -> Result<(), PdfError> {
        let setting = Setting {
            is_code: true,
            ..prose(CODE_SIZE)
        };
        let height = CODE_SIZE * CODE;
        self.gap(GAP);
        self.settle(2.0 * CODE_PADDING + 3.0 * height)?;
        self.pages.begin_band(Band {
            x: self.left,
            width: self.width,
            colour: SHADE,
        });
        self.pages.y += CODE_PADDING;
        self.left += CODE_PADDING;
        self.width -= 2.0 * CODE_PADDING;
        let node = self.pages.structure.add(self.node, Part::Code);
        let owner = Owner {
            node: Some(node),
            ..Owner::default()
        };
        for line in code.trim_end_matches('\n').split('\n') {
            let words = Words::plain(&line.replace('\t', "    "));
            let lines = self.setter.lines(&words, setting, self.width)?;
            if lines.is_empty() {
                self.settle(height)?;
                self.pages.y += height;
            }
            self.lines(lines, CODE_SIZE, height, &owner)?;
        }
        self.left -= CODE_PADDING;
        self.width += 2.0 * CODE_PADDING;
        self.pages.y += CODE_PADDING;
        self.pages.end_band();
        self.gap(GAP + 2.0);
        Ok(())
    }

    fn rule(&mut self) -> Result<(), PdfError> {
        self.gap(10.0);
        self.settle(1.0)?;
        self.pages.shape(self.left, self.pages.y, self.width, 0.7, RULE);
        self.pages.y += 0.7;
        self.gap(10.0);
        Ok(())
    }

    fn quote(&mut self, blocks: &[Block]) -> Result<(), PdfError> {
        self.gap(GAP);
        self.settle(BODY_SIZE * PROSE)?;
        self.pages.begin_band(Band {
            x: self.left + 1.0,
            width: 2.5,
            colour: RULE,
        });
        let (node, colour) = (self.node, self.colour);
        self.node = self.pages.structure.add(node, Part::Quote);
        self.colour = FADED;
        self.left += QUOTE_INDENT;
        self.width -= QUOTE_INDENT;
        self.blocks(blocks)?;
        self.left -= QUOTE_INDENT;
        self.width += QUOTE_INDENT;
        (self.node, self.colour) = (node, colour);
        self.pages.end_band();
        self.space = 0.0;
        self.gap(GAP + 2.0);
        Ok(())
    }

    fn list(&mut self, first: Option<u64>, items: &[Vec<Block>]) -> Result<(), PdfError> {
        let outer = self.node;
        let part = Part::List {
            is_numbered: first.is_some(),
        };
        let list = self.pages.structure.add(outer, part);
        let bullet = ["•", "◦", "▪"][self.lists % 3];
        let last = first.map(|first| first.saturating_add(items.len() as u64));
        let digits = last.map_or(1, |last| last.to_string().len());
        let indent = INDENT + 5.5 * f32::from(u8::try_from(digits.saturating_sub(2)).unwrap_or(20));
        self.lists += 1;
        self.left += indent;
        self.width -= indent;
        let paragraphs = |item: &Vec<Block>| {
            item.iter()
                .filter(|block| matches!(block, Block::Paragraph(_)))
                .count()
        };
        let is_tight = items.iter().all(|item| paragraphs(item) < 2);
        let around = std::mem::replace(&mut self.is_tight, is_tight);
        for (at, item) in items.iter().enumerate() {
            let mark = first.map_or_else(
                || bullet.to_owned(),
                |first| format!("{}.", first.saturating_add(at as u64)),
            );
            let node = self.pages.structure.add(list, Part::Item);
            let label = self.pages.structure.add(node, Part::Label);
            self.finish_marker()?;
            let marker = self
                .setter
                .lines(&Words::plain(&mark), prose(BODY_SIZE), indent + 40.0)?;
            let owner = Owner {
                node: Some(label),
                ..Owner::default()
            };
            self.marker = marker.into_iter().next().map(|line| (line, owner));
            self.node = self.pages.structure.add(node, Part::Body);
            self.blocks(item)?;
        }
        self.finish_marker()?;
        self.lists -= 1;
        self.left -= indent;
        self.width += indent;
        self.node = outer;
        self.is_tight = around;
        self.gap(self.after());
        Ok(())
    }

    /// An item without content has its line.
    fn finish_marker(&mut self) -> Result<(), PdfError> {
        if self.marker.is_some() {
            let height = BODY_SIZE * PROSE;
            self.settle(height)?;
            let baseline = baseline(self.pages.y, BODY_SIZE, height);
            self.mark(baseline);
            self.pages.y += height;
        }
        Ok(())
    }

    pub(crate) fn mark(&mut self, baseline: f32) {
        if let Some((line, owner)) = self.marker.take() {
            let x = self.left - 5.5 - line.width;
            self.pages.line(line, x, baseline, self.colour, &owner);
        }
    }

    fn lines(&mut self, lines: Vec<Line>, size: f32, height: f32, owner: &Owner) -> Result<(), PdfError> {
        if lines.is_empty() {
            return Ok(());
        }
        self.settle(height)?;
        let mut left = lines.len();
        let mut lines = lines.into_iter();
        while left > 0 {
            let here = share(left, rows(self.pages.room(), height), self.pages.is_at_top());
            for line in lines.by_ref().take(here) {
                let baseline = baseline(self.pages.y, size, height);
                self.mark(baseline);
                self.pages.line(line, self.left, baseline, self.colour, owner);
                self.pages.y += height;
            }
            left -= here;
            if left > 0 {
                self.turn()?;
            }
        }
        Ok(())
    }
}

pub(crate) fn prose(size: f32) -> Setting {
    Setting {
        size,
        is_bold: false,
        is_code: false,
        side: Side::Start,
    }
}

/// Letters stand in the middle of their line, by the measure of Chinese ones, whatever font each has.
pub(crate) fn baseline(top: f32, size: f32, height: f32) -> f32 {
    top + (height - size) / 2.0 + size * 0.87
}

/// How many lines of this height have room; a hair less is enough.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a page has some hundred lines"
)]
pub(crate) fn rows(room: f32, height: f32) -> usize {
    ((room + 0.01) / height).max(0.0) as usize
}

/// How many of the lines stand on this page, so that none stands alone at a page's end or beginning.
pub(crate) fn share(lines: usize, room: usize, is_at_top: bool) -> usize {
    if room >= lines {
        lines
    } else if is_at_top {
        room.max(1)
    } else if room < 2 {
        0
    } else if lines - room > 1 {
        room
    } else if room > 2 {
        room - 1
    } else {
        0
    }
}
