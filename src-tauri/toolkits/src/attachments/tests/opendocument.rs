//! ODT and ODP: what a document of LibreOffice says, and what can't make its reader run long.

use super::super::frame::{Frame, Stop};
use super::{archive_of, read, read_frames};
use proptest::prelude::*;
use shidi_protocol::Unreadable;

const TEXT: &str = "application/vnd.oasis.opendocument.text";
const PRESENTATION: &str = "application/vnd.oasis.opendocument.presentation";

fn document(kind: &str, styles: &str, body: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body><office:any>{body}</office:any></office:body></office:document-content>"
    );
    archive_of(&[("mimetype", kind.as_bytes()), ("content.xml", content.as_bytes())])
}

/// The lines of a text with this body.
fn lines(styles: &str, body: &str) -> Vec<String> {
    let (read, text) = read(&document(TEXT, styles, body), "a.odt");
    assert_eq!(read, Ok(()), "{text}");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn headings_blanks_breaks_links_and_notes_are_written_as_markdown() {
    let styles =
        "<style:style style:name=\"P1\" style:family=\"paragraph\" style:parent-style-name=\"Title\"/>";
    let body = "<text:p text:style-name=\"P1\">Contract</text:p>\
        <text:h text:outline-level=\"2\"><text:number>1.</text:number>Payment</text:h>\
        <text:p>Within<text:s text:c=\"3\"/>thirty<text:tab/>days,\n  see \
        <text:a xlink:href=\"https://a.example/b\">the <text:span>terms</text:span></text:a>\
        <text:note text:note-class=\"footnote\"><text:note-citation>1</text:note-citation>\
        <text:note-body><text:p>As agreed.</text:p><text:p>Twice.</text:p></text:note-body></text:note>.\
        <text:line-break/>Next line</text:p>\
        <text:p>A <text:a xlink:href=\"#inside\">place</text:a>\
        <text:note text:note-class=\"endnote\"><text:note-citation>i</text:note-citation>\
        <text:note-body><text:p>At the end.</text:p></text:note-body></text:note></text:p>";
    assert_eq!(
        lines(styles, body),
        [
            "# Contract",
            "## 1. Payment",
            "Within   thirty\tdays, see [the terms](https://a.example/b)[^1].",
            "Next line",
            "A place[^i]",
            "Footnotes:",
            "[^1]: As agreed.",
            "Twice.",
            "Endnotes:",
            "[^i]: At the end.",
        ]
    );
}

#[test]
fn lists_keep_their_depth_and_their_numbers() {
    let styles = "<text:list-style style:name=\"L1\">\
        <text:list-level-style-number text:level=\"1\" style:num-format=\"1\"/>\
        <text:list-level-style-bullet text:level=\"2\"/></text:list-style>";
    let body = "<text:list text:style-name=\"L1\">\
        <text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item>\
        </text:list></text:list-item>\
        <text:list-item><text:p>two</text:p><text:p>more</text:p></text:list-item></text:list>\
        <text:p>between</text:p>\
        <text:list text:style-name=\"L1\" text:continue-numbering=\"true\">\
        <text:list-item><text:p>three</text:p></text:list-item>\
        <text:list-item text:start-value=\"7\"><text:p>seven</text:p></text:list-item></text:list>\
        <text:list><text:list-item><text:p>free</text:p></text:list-item></text:list>";
    assert_eq!(
        lines(styles, body),
        [
            "1. one",
            "  - inner",
            "2. two",
            "  more",
            "between",
            "3. three",
            "7. seven",
            "- free"
        ]
    );
}

#[test]
fn rows_keep_their_columns_and_repeated_empty_ones_are_left_out() {
    let body = "<table:table><table:table-row>\
        <table:table-cell table:number-columns-spanned=\"2\"><text:p>Name</text:p></table:table-cell>\
        <table:covered-table-cell><text:p>covered</text:p></table:covered-table-cell>\
        <table:table-cell><text:p>Sum</text:p><text:p>in yuan</text:p></table:table-cell></table:table-row>\
        <table:table-row table:number-rows-repeated=\"1000000\">\
        <table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>\
        <table:table-row table:number-rows-repeated=\"2\">\
        <table:table-cell table:number-columns-repeated=\"2\"><text:p>x</text:p></table:table-cell>\
        <table:table-cell/></table:table-row></table:table><text:p>after</text:p>";
    assert_eq!(
        lines("", body),
        [
            "| Name |  | Sum in yuan |",
            "| x | x |  |",
            "| x | x |  |",
            "after"
        ]
    );
}

#[test]
fn deleted_text_is_left_out_and_frames_and_comments_do_not_tear_a_paragraph() {
    let body = "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone words</text:p>\
        </text:deletion></text:changed-region></text:tracked-changes>\
        <text:p>before <draw:frame><svg:title>drawn</svg:title><draw:text-box><text:p>caption</text:p>\
        </draw:text-box></draw:frame>after</text:p>\
        <text:p>price<office:annotation><dc:creator>Li Lei</dc:creator><dc:date>2026</dc:date>\
        <text:p>too high</text:p></office:annotation> list</text:p>";
    assert_eq!(
        lines("", body),
        [
            "caption",
            "before after",
            "price list",
            "Comments:",
            "Li Lei: too high"
        ]
    );
}

#[test]
fn slides_have_their_titles_and_what_is_said_with_them() {
    let styles = "<style:style style:name=\"dp2\" style:family=\"drawing-page\">\
        <style:drawing-page-properties presentation:visibility=\"hidden\"/></style:style>";
    let frame = |class: &str, text: &str| {
        format!(
            "<draw:frame presentation:class=\"{class}\"><draw:text-box>{text}</draw:text-box></draw:frame>"
        )
    };
    let body = format!(
        "<draw:page draw:style-name=\"dp1\">{}{}{}<presentation:notes>{}</presentation:notes></draw:page>\
         <draw:page draw:style-name=\"dp2\"><draw:custom-shape><text:p>shape</text:p></draw:custom-shape></draw:page>",
        frame("title", "<text:p>The <text:span>year</text:span></text:p>"),
        frame(
            "outline",
            "<text:list><text:list-item><text:p>first</text:p></text:list-item></text:list>"
        ),
        frame("footer", "<text:p>on every slide</text:p>"),
        frame("notes", "<text:p>speak slowly</text:p>"),
    );
    let mut told = Vec::new();
    let read = read_frames(
        &document(PRESENTATION, styles, &body),
        "a.odp",
        &mut |frame| match frame {
            Frame::Format { name, .. } => told.push(name),
            Frame::Part { number, name, title } => told.push(format!("[{number} {name}] {title}")),
            Frame::Text { text } => told.extend(text.lines().map(str::to_owned)),
            Frame::Progress { .. } | Frame::Picture { .. } | Frame::End { .. } | Frame::Refused { .. } => {}
        },
    );
    assert_eq!(read, Ok(()));
    assert_eq!(
        told,
        [
            "odp",
            "[1 ] The year",
            "- first",
            "Notes: speak slowly",
            "[2 hidden] ",
            "shape"
        ]
    );
}

#[test]
fn a_show_of_titles_alone_is_not_empty() {
    let slide = |title: &str| {
        let body = format!(
            "<draw:page><draw:frame presentation:class=\"title\"><draw:text-box><text:p>{title}</text:p>\
             </draw:text-box></draw:frame></draw:page>"
        );
        read(&document(PRESENTATION, "", &body), "a.odp").0
    };
    assert_eq!(slide("Goals"), Ok(()));
    assert_eq!(slide(" "), Err(Stop::Refused(Unreadable::Empty, String::new())));
}

#[test]
fn an_encrypted_document_is_locked_and_a_drawing_is_no_document() {
    let manifest = b"<manifest:manifest><manifest:encryption-data/></manifest:manifest>".as_slice();
    for kind in [TEXT, PRESENTATION] {
        let bytes = archive_of(&[("mimetype", kind.as_bytes()), ("META-INF/manifest.xml", manifest)]);
        let (read, _) = read(&bytes, "a.odt");
        assert_eq!(read, Err(Stop::Refused(Unreadable::Locked, String::new())));
    }
    let (read, _) = read(
        &document(
            "application/vnd.oasis.opendocument.graphics",
            "",
            "<text:p>a</text:p>",
        ),
        "a.odg",
    );
    assert!(
        matches!(read, Err(Stop::Refused(Unreadable::Binary, _))),
        "{read:?}"
    );
}

#[test]
fn what_claims_to_stand_there_a_billion_times_stands_there_some_times() {
    let row = "<table:table-row table:number-rows-repeated=\"4000000000\">\
        <table:table-cell table:number-columns-repeated=\"4000000000\">\
        <text:p>x<text:s text:c=\"4000000000\"/>x</text:p></table:table-cell></table:table-row>";
    let text = lines("", &format!("<table:table>{row}</table:table>")).join("\n");
    assert!((1_000..1_000_000).contains(&text.len()), "{}", text.len());
}

/// Tags that the reader knows, in any order and number; opened and closed at random.
fn tags() -> impl Strategy<Value = String> {
    let names = [
        "text:p",
        "text:h",
        "text:list",
        "text:list-item",
        "text:note",
        "text:note-citation",
        "text:note-body",
        "text:a xlink:href=\"https://a.b\"",
        "office:annotation",
        "dc:creator",
        "table:table",
        "table:table-row",
        "table:table-cell",
        "table:covered-table-cell",
        "draw:page",
        "draw:frame presentation:class=\"title\"",
        "presentation:notes",
        "text:tracked-changes",
    ];
    let leaves = [
        "<text:s/>",
        "<text:tab/>",
        "<text:line-break/>",
        "words ",
        "&amp;",
        "&x;",
    ];
    let leaf = prop::sample::select(leaves.to_vec()).prop_map(str::to_owned);
    leaf.prop_recursive(8, 60, 6, move |inner| {
        let name = prop::sample::select(names.to_vec());
        (name, prop::collection::vec(inner, 0..6)).prop_map(|(name, parts)| {
            let closed = name.split(' ').next().unwrap_or_default();
            format!("<{name}>{}</{closed}>", parts.concat())
        })
    })
}

proptest! {
    #[test]
    fn any_nesting_of_known_elements_is_read_or_refused(body in tags()) {
        for kind in [TEXT, PRESENTATION] {
            let (read, _) = read(&document(kind, "", &body), "a.odt");
            prop_assert!(!matches!(read, Err(Stop::Unheard | Stop::Refused(Unreadable::Broken, _))));
        }
    }

    #[test]
    fn every_paragraph_of_a_text_is_a_line(words in prop::collection::vec("[a-z]{1,9}", 1..20)) {
        let body: String = words.iter().map(|word| format!("<text:p>{word}</text:p>")).collect();
        prop_assert_eq!(lines("", &body), words);
    }

    #[test]
    fn any_bytes_in_a_document_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for member in ["content.xml", "styles.xml"] {
            let made = archive_of(&[("mimetype", TEXT.as_bytes()), (member, bytes.as_slice())]);
            let (read, _) = read(&made, "a.odt");
            prop_assert!(!matches!(read, Err(Stop::Unheard)));
        }
    }
}
