//! What goes along of a page: the part that was chosen, as its chip showed it.

use super::*;
use shidi_protocol::{FormButton, NamedContext};

fn sensed(text: &str, visible: &str) -> Sensed {
    Sensed {
        source: ContentSource::Companion,
        content: Content {
            text: text.to_owned(),
            visible: visible.to_owned(),
            ..Content::default()
        },
        page: None,
    }
}

#[test]
fn a_selection_goes_along_before_anything_else_and_nothing_beyond_it() {
    let mut page = sensed("the whole page", "what is seen");
    page.content.selection = Some(Selection {
        text: "just this".to_owned(),
        before: "before".to_owned(),
        after: "after".to_owned(),
    });
    assert_eq!(page.part(None), ContentPart::Selection);
    let told = page.told("v", ContentPart::Selection);
    assert!(
        told.text.contains("just this") && !told.text.contains("what is seen"),
        "{told:?}"
    );
}

#[test]
fn a_page_that_fits_goes_along_whole_and_a_long_one_as_it_is_seen() {
    assert_eq!(sensed("short", "seen").part(None), ContentPart::Whole);
    let long = "word ".repeat(60_000);
    assert_eq!(sensed(&long, "seen").part(None), ContentPart::Visible);
    assert_eq!(sensed("", "").part(None), ContentPart::Nothing);
}

#[test]
fn a_part_that_is_not_there_is_not_sent() {
    let page = sensed("short", "");
    assert_eq!(page.part(Some(ContentPart::Selection)), ContentPart::Whole);
    assert_eq!(page.part(Some(ContentPart::Nothing)), ContentPart::Nothing);
    assert_eq!(page.told("v", ContentPart::Nothing).text, "");
}

#[test]
fn a_whole_that_is_too_long_is_searched_under_a_handle() {
    let sections: Vec<String> = (0..400)
        .map(|number| format!("## Chapter {number}\n{}", "word ".repeat(200)))
        .collect();
    let long = sections.join("\n\n");
    let told = sensed(&long, "seen").told("v1", ContentPart::Whole);
    assert_eq!(told.searched.as_deref(), Some(long.as_str()));
    assert!(
        told.text.contains("page-v1") && told.text.contains("## Chapter 7"),
        "{}",
        told.text
    );
    assert!(estimate_tokens(&told.text) < WHOLE_TOKENS_MAX / 3);
}

#[test]
fn the_text_of_a_pdf_is_told_as_one_with_its_pages_whole_or_its_beginning() {
    let of_pdf = |text: &str| {
        let mut pdf = sensed(text, "");
        pdf.content.kind = ContentKind::Pdf;
        pdf.told("v", ContentPart::Whole).text
    };
    let short = of_pdf("[p. 1]\nThe ferry");
    let told = "The whole text of the PDF, with [p. N] before each page:\n[p. 1]\nThe ferry";
    assert!(short.starts_with(told), "{short}");
    let long = of_pdf(&"[p. 1]\nThe ferry leaves at noon\n".repeat(20_000));
    let told = "The beginning of the text of the PDF, with [p. N] before each page:\n[p. 1]";
    assert!(long.starts_with(told), "{long}");
    for told in [&short, &long] {
        assert!(!told.contains("Markdown") && !told.contains("headings"), "{told}");
    }
}

#[test]
fn what_is_shown_of_a_part_is_what_is_sent() {
    let mut page = sensed("See [the docs][1] and [more][2].", "");
    page.content.links = vec![
        "https://a.example/".to_owned(),
        "https://b.example/".to_owned(),
        "https://unused.example/".to_owned(),
    ];
    page.content.fields = vec![FormField {
        label: "E-mail".to_owned(),
        kind: "email".to_owned(),
        value: "ada@".to_owned(),
        problem: Some("Not an address".to_owned()),
        required: true,
        ..FormField::default()
    }];
    page.content.buttons = vec![FormButton {
        r#ref: String::new(),
        label: "Send".to_owned(),
    }];
    page.content.context = vec![NamedContext {
        name: "query".to_owned(),
        text: "{ a }".to_owned(),
    }];
    let view = page.view("v");
    let told = page.told("v", ContentPart::Whole).text;
    assert_eq!(view.parts[0].preview, told);
    assert_eq!((view.problems, view.context), (1, vec!["query".to_owned()]));
    for part in [
        "[2] https://b.example/",
        "- E-mail [email, required]: ada@ (problem: Not an address)",
        "Buttons: Send",
        "query:\n{ a }",
    ] {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    assert!(!told.contains("unused"), "{told}");
}
