//! The selected text of a window, with what stands around it, and the lines of a long text that show.

use super::bus::{self, Bus, From, Object};
use super::objects::{Accessible, CHILD, Part};
use super::reading::TEXT;
use crate::limits::{
    ACCESSIBLE_VISIBLE_CHARACTERS_MAX, AROUND_CHARACTERS, SELECTED_PARTS_MAX, SELECTION_CHARACTERS_MAX,
};
use shidi_protocol::Selection;
use tokio::time::Instant;

/// Pixels within the edge of a text: less than a letter.
const INSET: i64 = 4;

/// Characters from which on a text may be longer than its window shows.
const LONG_CHARACTERS: usize = 1_500;

/// The selection: of the object with the focus, else of the objects that show.
pub async fn read(
    bus: &Bus,
    focused: &[Object],
    shown: &[(&Object, &Accessible)],
    until: Instant,
) -> Option<Selection> {
    if let Some(selection) = selected(bus, focused.to_vec(), until).await {
        return Some(selection);
    }
    let has_text = |known: &Accessible| match known.part() {
        Part::Button | Part::Field(_) | Part::Other => false,
        Part::Heading
        | Part::Paragraph
        | Part::Item
        | Part::Cell
        | Part::Quote
        | Part::Link
        | Part::Lines => !known.text.is_empty(),
    };
    let others = shown.iter().filter(|(_, known)| has_text(known));
    let others = others.map(|(object, _)| (*object).clone());
    selected(bus, others.take(SELECTED_PARTS_MAX).collect(), until).await
}

/// What is selected in these objects, put together in their order.
async fn selected(bus: &Bus, objects: Vec<Object>, until: Instant) -> Option<Selection> {
    let asked = objects
        .iter()
        .map(|object| bus::question(object, TEXT, "GetSelection", &0_i32));
    let told = bus.ask(asked.collect(), until).await;
    let parts = objects.into_iter().enumerate().filter_map(|(place, object)| {
        let (start, end): (i32, i32) = told.read(place)?;
        (start >= 0 && end > start).then_some((object, start, end))
    });
    let parts: Vec<(Object, i32, i32)> = parts.collect();
    let (first, last) = (parts.first()?, parts.last()?);
    let counted = bus
        .one(bus::property(&last.0, TEXT, "CharacterCount"), until)
        .await;
    let count: i32 = counted.value(0).unwrap_or(last.2);
    let text = |object: &Object, start: i32, end: i32| bus::question(object, TEXT, "GetText", &(start, end));
    let mut questions: Vec<_> = parts
        .iter()
        .map(|(object, start, end)| text(object, *start, (*end).min(start.saturating_add(longest()))))
        .collect();
    questions.push(text(&first.0, (first.1 - AROUND_CHARACTERS).max(0), first.1));
    questions.push(text(&last.0, last.2, (last.2 + AROUND_CHARACTERS).min(count)));
    let told = bus.ask(questions, until).await;
    let plain = |place: usize| -> String {
        let text: String = told.read(place).unwrap_or_default();
        text.chars().filter(|character| *character != CHILD).collect()
    };
    let texts = (0..parts.len()).map(plain).filter(|text| !text.trim().is_empty());
    let text = texts.collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        return None;
    }
    Some(Selection {
        text: text.chars().take(SELECTION_CHARACTERS_MAX).collect(),
        before: plain(parts.len()),
        after: plain(parts.len() + 1),
    })
}

fn longest() -> i32 {
    i32::try_from(SELECTION_CHARACTERS_MAX).unwrap_or(i32::MAX)
}

/// The lines that show of a window whose one long text scrolls: an editor's. `None` where that can't be told.
pub async fn visible_lines(bus: &Bus, shown: &[(&Object, &Accessible)], until: Instant) -> Option<String> {
    let mut long = shown
        .iter()
        .filter(|(_, known)| known.part() == Part::Lines && known.text.len() > LONG_CHARACTERS);
    let (object, known) = long.next()?;
    if long.next().is_some() {
        return None;
    }
    let told = bus.one(bus::place(object, From::Window), until).await;
    let place = told.area(0)?;
    let (left, top) = (i64::from(place.x), i64::from(place.y));
    let (right, bottom) = (left + i64::from(place.width), top + i64::from(place.height));
    let at = |x: i64, y: i64| {
        let (x, y) = (i32::try_from(x).ok()?, i32::try_from(y).ok()?);
        bus::question(object, TEXT, "GetOffsetAtPoint", &(x, y, From::Window as u32))
    };
    // A little within the edges, where a line begins and the last one ends.
    let corners = vec![at(left + INSET, top + INSET), at(right - INSET, bottom - INSET)];
    let told = bus.ask(corners, until).await;
    let (start, end): (i32, i32) = (told.read(0)?, told.read(1)?);
    lines_between(
        &known.text,
        usize::try_from(start).ok()?,
        usize::try_from(end).ok()?,
    )
}

/// The whole lines of a text that hold its characters from `start` to `end`.
fn lines_between(text: &str, start: usize, end: usize) -> Option<String> {
    if end <= start {
        return None;
    }
    let mut from = 0;
    let mut lines = Vec::new();
    let mut left = ACCESSIBLE_VISIBLE_CHARACTERS_MAX;
    for line in text.split('\n') {
        let characters = line.chars().count();
        let to = from + characters;
        if to >= start && from <= end && characters < left {
            lines.push(line);
            left -= characters + 1;
        }
        from = to + 1;
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_show_are_whole_lines() {
        let text = "first\nsecond\n第三行\nfourth";
        assert_eq!(lines_between(text, 8, 14).as_deref(), Some("second\n第三行"));
        assert_eq!(lines_between(text, 0, 3).as_deref(), Some("first"));
        assert_eq!(lines_between(text, 5, 5), None);
        assert_eq!(lines_between(text, 400, 500), None);
    }
}
