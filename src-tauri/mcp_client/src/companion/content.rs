//! The content of a page as its companion read it: the JSON of several messages, held to its bounds.
//!
//! A page decides what stands in it, and an extension may be made to say anything. A text that is too long is cut,
//! and a part of the wrong form is nothing.

use crate::limits::{
    CONTENT_AROUND_CHARACTERS, CONTENT_BUTTONS_MAX, CONTENT_CONTEXT_CHARACTERS, CONTENT_CONTEXTS_MAX,
    CONTENT_FIELDS_MAX, CONTENT_LABEL_CHARACTERS, CONTENT_LINKS_MAX, CONTENT_OPTIONS_MAX,
    CONTENT_SELECTION_CHARACTERS, CONTENT_TEXT_CHARACTERS, CONTENT_VALUE_CHARACTERS,
    CONTENT_VISIBLE_CHARACTERS, PAGE_ADDRESS_BYTES_MAX, PAGE_TITLE_CHARACTERS,
};
use crate::text::paragraph;
use shidi_protocol::{Content, FormButton, FormField, NamedContext, Selection};

/// Characters of a language's name: two letters, or a few with a region.
const LANGUAGE_CHARACTERS: usize = 12;

/// The pieces of one content as they come in.
#[derive(Debug, Default)]
pub struct Pieces {
    pieces: Vec<Option<String>>,
}

impl Pieces {
    /// Takes a piece in; the whole content once the last piece is there, `None` before.
    ///
    /// # Errors
    /// Pieces that do not fit together, or JSON of another form.
    pub fn take(&mut self, (index, count): (usize, usize), piece: String) -> Result<Option<Content>, String> {
        if self.pieces.is_empty() {
            self.pieces.resize(count, None);
        }
        let is_known = self.pieces.len() == count;
        match self.pieces.get_mut(index).filter(|_| is_known) {
            Some(place) => *place = Some(piece),
            None => return Err("the pieces of a page do not fit together".to_owned()),
        }
        if self.pieces.iter().any(Option::is_none) {
            return Ok(None);
        }
        let text: String = self.pieces.drain(..).flatten().collect();
        let content: Content = serde_json::from_str(&text).map_err(|cause| cause.to_string())?;
        Ok(Some(bounded(content)))
    }
}

/// A content within its bounds.
#[must_use]
pub fn bounded(content: Content) -> Content {
    let line = |text: &str| paragraph(text, PAGE_TITLE_CHARACTERS);
    Content {
        kind: content.kind,
        language: paragraph(&content.language, LANGUAGE_CHARACTERS),
        title: line(&content.title),
        site: line(&content.site),
        description: line(&content.description),
        author: line(&content.author),
        published: line(&content.published),
        text: clipped(content.text, CONTENT_TEXT_CHARACTERS),
        visible: clipped(content.visible, CONTENT_VISIBLE_CHARACTERS),
        selection: content
            .selection
            .map(selection)
            .filter(|selected| !selected.text.trim().is_empty()),
        links: firsts(content.links, CONTENT_LINKS_MAX, |link| {
            // Numbers count: an address that is too long keeps its place.
            if link.len() > PAGE_ADDRESS_BYTES_MAX {
                String::new()
            } else {
                link
            }
        }),
        fields: firsts(content.fields, CONTENT_FIELDS_MAX, field),
        buttons: firsts(content.buttons, CONTENT_BUTTONS_MAX, |button| FormButton {
            r#ref: label(&button.r#ref),
            label: label(&button.label),
        }),
        context: firsts(content.context, CONTENT_CONTEXTS_MAX, |named| NamedContext {
            name: label(&named.name),
            text: clipped(named.text, CONTENT_CONTEXT_CHARACTERS),
        }),
        cut: content.cut.as_deref().map(label).filter(|cut| !cut.is_empty()),
    }
}

fn selection(selected: Selection) -> Selection {
    Selection {
        text: clipped(selected.text, CONTENT_SELECTION_CHARACTERS),
        before: clipped(selected.before, CONTENT_AROUND_CHARACTERS),
        after: clipped(selected.after, CONTENT_AROUND_CHARACTERS),
    }
}

fn field(field: FormField) -> FormField {
    FormField {
        r#ref: label(&field.r#ref),
        label: label(&field.label),
        kind: label(&field.kind),
        value: clipped(field.value, CONTENT_VALUE_CHARACTERS),
        problem: field
            .problem
            .as_deref()
            .map(label)
            .filter(|problem| !problem.is_empty()),
        options: firsts(field.options, CONTENT_OPTIONS_MAX, |option| label(&option)),
        required: field.required,
    }
}

fn label(text: &str) -> String {
    paragraph(text, CONTENT_LABEL_CHARACTERS)
}

fn firsts<One, Other>(all: Vec<One>, most: usize, make: impl Fn(One) -> Other) -> Vec<Other> {
    all.into_iter().take(most).map(make).collect()
}

fn clipped(mut text: String, characters: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(characters) {
        text.truncate(end);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shidi_protocol::ContentKind;

    fn whole(json: &str) -> Result<Option<Content>, String> {
        Pieces::default().take((0, 1), json.to_owned())
    }

    #[test]
    fn pieces_become_a_content_in_whatever_order_they_come() {
        let mut pieces = Pieces::default();
        assert_eq!(pieces.take((1, 2), r#""text":"b"}"#.to_owned()), Ok(None));
        let content = pieces
            .take((0, 2), r#"{"kind":"form","#.to_owned())
            .unwrap()
            .unwrap();
        assert_eq!((content.kind, content.text.as_str()), (ContentKind::Form, "b"));
    }

    #[test]
    fn a_kind_that_is_not_known_is_nothing_to_go_by() {
        let content = whole(r#"{"kind":"hologram"}"#).unwrap().unwrap();
        assert_eq!(content.kind, ContentKind::Empty);
    }

    #[test]
    fn pieces_that_do_not_fit_are_no_content() {
        let mut pieces = Pieces::default();
        assert_eq!(pieces.take((0, 3), String::new()), Ok(None));
        assert!(pieces.take((0, 2), String::new()).is_err());
        assert!(whole(r#"{"text":7}"#).is_err());
        assert!(whole("").is_err());
    }

    proptest! {
        #[test]
        fn whatever_a_page_holds_stays_within_its_bounds(text in "\\PC{0,60}", times in 1_usize..9_000) {
            let long = text.repeat(times);
            let content = bounded(Content {
                visible: long.clone(),
                selection: Some(Selection { text: long.clone(), before: long.clone(), after: long.clone() }),
                fields: vec![FormField { label: long.clone(), ..FormField::default() }; 300],
                ..Content::default()
            });
            prop_assert!(content.visible.chars().count() <= CONTENT_VISIBLE_CHARACTERS);
            prop_assert_eq!(content.fields.len(), CONTENT_FIELDS_MAX);
            prop_assert!(content.fields[0].label.chars().count() <= CONTENT_LABEL_CHARACTERS + 1);
            let around = content.selection.map_or(0, |selected| selected.before.chars().count());
            prop_assert!(around <= CONTENT_AROUND_CHARACTERS);
        }
    }
}
