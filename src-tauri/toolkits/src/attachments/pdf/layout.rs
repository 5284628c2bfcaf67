//! Turns characters into lines: characters on one base line are one line, gaps become spaces, in the order of
//! drawing.
//!
//! Producers draw in reading order, so columns stay apart and nothing is sorted across a page. A character
//! drawn later on an open line is put at its place.

use super::text::Glyph;
use crate::text::is_han;
use hayro_font::kurbo::{Point, Vec2};

/// Part of the letters' height within which two base lines count as one: exponents stay on their line.
const SAME_LINE: f64 = 0.45;
/// Gap, in letter heights, that becomes a space; producers fill Chinese lines with smaller gaps.
const GAP: f64 = 0.16;
const GAP_HAN: f64 = 0.22;
/// Gap, in letter heights, that separates columns of a table.
const GAP_COLUMN: f64 = 1.6;
/// Distance, in letter heights, within which the same letter counts as drawn twice for bold.
const TWICE: f64 = 0.12;
/// Dots in a row that are only a leader line.
const LEADER_DOTS: usize = 6;
/// Last letters among which a second drawing is looked for.
const TWICE_WITHIN: usize = 48;

/// The lines of a page.
pub(super) fn lines(glyphs: &[Glyph]) -> Vec<String> {
    let mut lines: Vec<Line> = Vec::new();
    for glyph in glyphs {
        match lines.last_mut().filter(|line| line.takes(glyph)) {
            Some(line) => line.push(glyph),
            None => lines.push(Line::of(glyph)),
        }
    }
    lines
        .into_iter()
        .map(Line::text)
        .filter(|text| !text.is_empty())
        .collect()
}

struct Line<'a> {
    /// Unit vector along the line.
    along: Vec2,
    origin: Point,
    size: f64,
    glyphs: Vec<(f64, f64, &'a Glyph)>,
}

impl<'a> Line<'a> {
    fn of(glyph: &'a Glyph) -> Self {
        let mut line = Self {
            along: direction(glyph).unwrap_or(Vec2::new(1.0, 0.0)),
            origin: glyph.start,
            size: glyph.size,
            glyphs: Vec::new(),
        };
        line.push(glyph);
        line
    }

    fn takes(&self, glyph: &Glyph) -> bool {
        let same_way = direction(glyph).is_none_or(|along| along.dot(self.along) > 0.98);
        let from = glyph.start - self.origin;
        let across = (from.x * -self.along.y + from.y * self.along.x).abs();
        same_way && across < SAME_LINE * self.size.max(glyph.size)
    }

    fn push(&mut self, glyph: &'a Glyph) {
        let at = |point: Point| (point - self.origin).dot(self.along);
        let (start, end) = (at(glyph.start), at(glyph.end));
        let drawn_twice = self
            .glyphs
            .iter()
            .rev()
            .take(TWICE_WITHIN)
            .any(|(other, _, known)| {
                known.text == glyph.text && (other - start).abs() < TWICE * glyph.size && glyph.text != " "
            });
        if !drawn_twice {
            self.size = self.size.max(glyph.size);
            self.glyphs.push((start, end, glyph));
        }
    }

    fn text(mut self) -> String {
        self.glyphs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut text = String::new();
        let mut last: Option<(f64, f64)> = None;
        for (start, end, glyph) in &self.glyphs {
            if let Some((ended, size)) = last {
                let gap = (start - ended) / size.max(glyph.size).max(f64::EPSILON);
                let before = text.chars().next_back().unwrap_or(' ');
                let after = glyph.text.chars().next().unwrap_or(' ');
                let wide = if is_han(before) && is_han(after) {
                    GAP_HAN
                } else {
                    GAP
                };
                if gap > GAP_COLUMN && !text.ends_with("  ") {
                    text.truncate(text.trim_end().len());
                    text.push_str("  ");
                } else if gap > wide && before != ' ' && after != ' ' {
                    text.push(' ');
                }
            }
            if glyph.text != " " || !text.ends_with(' ') {
                text.push_str(&glyph.text);
            }
            last = Some((*end, glyph.size));
        }
        without_leaders(text.trim())
    }
}

/// Replaces the dots between a heading and its page by one sign: each dot would cost a token.
fn without_leaders(text: &str) -> String {
    let mut shorter = String::with_capacity(text.len());
    let mut run = String::new();
    let mut dots = 0;
    for character in text.chars() {
        match character {
            '.' => dots += 1,
            ' ' if dots > 0 => {}
            other => {
                shorter.push_str(if dots >= LEADER_DOTS { "… " } else { &run });
                run.clear();
                dots = 0;
                shorter.push(other);
                continue;
            }
        }
        run.push(character);
    }
    shorter.push_str(if dots >= LEADER_DOTS { "…" } else { &run });
    shorter
}

fn direction(glyph: &Glyph) -> Option<Vec2> {
    let along = glyph.end - glyph.start;
    (along.hypot() > f64::EPSILON).then(|| along / along.hypot())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, x: f64, y: f64) -> Vec<Glyph> {
        let glyph = |(index, character): (usize, char)| Glyph {
            text: character.to_string(),
            start: Point::new(x + index as f64 * 10.0, y),
            end: Point::new(x + index as f64 * 10.0 + 10.0, y),
            size: 10.0,
        };
        text.chars().enumerate().map(glyph).collect()
    }

    #[test]
    fn gaps_become_spaces_and_base_lines_lines() {
        let page = [
            written("收入", 0.0, 700.0),
            written("2026", 24.0, 700.0),
            written("12%", 200.0, 701.0),
            written("下一行", 0.0, 680.0),
        ]
        .concat();
        assert_eq!(lines(&page), ["收入 2026  12%", "下一行"]);
    }

    #[test]
    fn what_is_drawn_twice_to_look_bold_is_read_once() {
        let page = [written("标题", 0.0, 700.0), written("标题", 0.4, 700.0)].concat();
        assert_eq!(lines(&page), ["标题"]);
    }

    #[test]
    fn dots_that_lead_to_a_page_number_become_one_sign() {
        assert_eq!(
            without_leaders("1.1 控制台基础 . . . . . . . . 12"),
            "1.1 控制台基础 … 12"
        );
        assert_eq!(without_leaders("Index........9"), "Index… 9");
        assert_eq!(without_leaders("wait... v1.2.3. End."), "wait... v1.2.3. End.");
    }

    #[test]
    fn letters_drawn_out_of_order_are_put_where_they_stand() {
        let page = [written("cd", 20.0, 10.0), written("ab", 0.0, 10.0)].concat();
        assert_eq!(lines(&page), ["abcd"]);
    }
}
