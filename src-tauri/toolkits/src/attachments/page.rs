//! HTML to Markdown: the article where there is one, else everything but scripts and navigation.

use super::frame::{Findings, Stop};
use crate::limits::{PAGE_BYTES_MAX, PAGE_DEPTH_MAX};
use crate::text::sniff;
use dom_query::Document;
use dom_smoothie::{Config, Readability, TextMode};
use encoding_rs::Encoding;
use shidi_protocol::{AttachmentUnit, Unreadable};
use std::io::Read;

/// Elements that hold nothing to read.
const PASSED_BY: &[&str] = &[
    "script", "style", "meta", "head", "noscript", "template", "nav", "svg", "iframe", "object", "form",
];
/// Share of the page's text that an article must hold; a smaller article misses parts that a reader wants.
const ARTICLE_SHARE: f64 = 0.4;
/// Bytes within which a page names its encoding.
const CHARSET_WITHIN: usize = 1_024;

pub(crate) fn read(mut source: impl Read, findings: &mut Findings<'_>) -> Result<(), Stop> {
    findings.format("html", AttachmentUnit::Line)?;
    let mut bytes = Vec::new();
    source
        .by_ref()
        .take(PAGE_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(Stop::broken)?;
    if bytes.len() as u64 > PAGE_BYTES_MAX {
        return Err(Stop::Refused(
            Unreadable::Huge,
            format!("more than {} MB of HTML", PAGE_BYTES_MAX >> 20),
        ));
    }
    let (html, _, _) = encoding(&bytes).decode(&bytes);
    if is_too_deep(&html) {
        return Err(Stop::broken(format!(
            "elements nested more than {PAGE_DEPTH_MAX} deep"
        )));
    }
    let document = Document::from(html.as_ref());
    let title = document.select_single("title").text().trim().to_owned();
    let everything = everything(&document);
    let body = match article(&html) {
        Some(article) if article.len() as f64 >= everything.len() as f64 * ARTICLE_SHARE => article,
        Some(_) | None => everything,
    };
    if !title.is_empty() && !body.trim_start().starts_with(&format!("# {title}")) {
        findings.line(&format!("# {title}"))?;
        findings.line("")?;
    }
    let mut blank = 0;
    for line in body.trim().lines() {
        blank = if line.trim().is_empty() { blank + 1 } else { 0 };
        if blank < 2 {
            findings.line(line)?;
        }
    }
    Ok(())
}

/// Whether the tags are nested too deep: parsing takes time that grows with the square of the depth.
fn is_too_deep(html: &str) -> bool {
    const NESTING: &[&str] = &[
        "div",
        "span",
        "section",
        "ul",
        "ol",
        "table",
        "blockquote",
        "font",
        "b",
        "i",
        "a",
        "em",
    ];
    let mut depth = 0_usize;
    for tag in html.split('<').skip(1) {
        let (closes, rest) = match tag.strip_prefix('/') {
            Some(rest) => (true, rest),
            None => (false, tag),
        };
        let end = rest
            .find(|character: char| !character.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default().to_ascii_lowercase();
        if NESTING.contains(&name.as_str()) {
            depth = if closes {
                depth.saturating_sub(1)
            } else {
                depth + 1
            };
        }
        if depth > PAGE_DEPTH_MAX {
            return true;
        }
    }
    false
}

fn everything(document: &Document) -> String {
    document.md(Some(PASSED_BY)).to_string()
}

fn article(html: &str) -> Option<String> {
    let config = Config {
        text_mode: TextMode::Markdown,
        ..Config::default()
    };
    let mut readability = Readability::new(html, None, Some(config)).ok()?;
    if !readability.is_probably_readable() {
        return None;
    }
    Some(readability.parse().ok()?.text_content.to_string())
}

/// The encoding that the page names, else the one that its bytes suggest.
fn encoding(bytes: &[u8]) -> &'static Encoding {
    if let Some((marked, _)) = Encoding::for_bom(bytes) {
        return marked;
    }
    let head = bytes.get(..CHARSET_WITHIN).unwrap_or(bytes);
    let head = String::from_utf8_lossy(head).to_lowercase();
    let named = head.split_once("charset=").and_then(|(_, rest)| {
        let rest = rest.trim_start_matches(['"', '\'', ' ']);
        let label: String = rest
            .chars()
            .take_while(|character| character.is_ascii_alphanumeric() || "-_".contains(*character))
            .collect();
        Encoding::for_label(label.as_bytes())
    });
    // A page whose name of an encoding was readable is not in UTF-16, whatever it names.
    let named = named.filter(|encoding| encoding.is_ascii_compatible());
    named
        .or_else(|| sniff(bytes.get(..crate::limits::SNIFF_BYTES).unwrap_or(bytes)).ok())
        .unwrap_or(encoding_rs::UTF_8)
}
