//! Prints what `dom_smoothie`, the reader of attached pages, takes for the article of each page that is named.
//!
//! For the measurement of the companion's reader beside others (`npm run pages` in `ui/`); never shipped. One line of
//! JSON for each file: its path, the article as HTML and as Markdown; both are empty where no article was found.

use dom_smoothie::{Config, Readability, TextMode};
use serde_json::json;
use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for path in std::env::args().skip(1) {
        let page = std::fs::read_to_string(&path)?;
        let (html, text) = article(&page).unwrap_or_default();
        writeln!(out, "{}", json!({ "path": path, "html": html, "text": text }))?;
    }
    Ok(())
}

fn article(page: &str) -> Option<(String, String)> {
    let config = Config {
        text_mode: TextMode::Markdown,
        ..Config::default()
    };
    let found = Readability::new(page, None, Some(config)).ok()?.parse().ok()?;
    Some((found.content.to_string(), found.text_content.to_string()))
}
