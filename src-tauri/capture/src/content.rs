//! The content of the window in front. Its part that goes along is here as the chip shows it and as the model reads it.
//! Pure.

use crate::limits::{
    FIELDS_TOLD_MAX, HEAD_TOKENS, HEADINGS_MAX, LINKS_TOLD_MAX, PREVIEW_CHARACTERS, WHOLE_TOKENS_MAX,
};
use serde_json::{Value, json};
use shidi_agent::estimate_tokens;
use shidi_protocol::{
    Content, ContentKind, ContentPart, ContentSource, ContentView, FormField, PageRef, PartView, Selection,
};
use std::fmt::Write;

/// A content with the sensor that read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensed {
    pub source: ContentSource,
    pub content: Content,
    /// The page that it was read of, where a browser told it.
    pub page: Option<PageRead>,
}

/// A page as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRead {
    pub page: PageRef,
    /// How often somebody had acted in it.
    pub acts: u32,
}

/// A part as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentPart {
    /// What the model reads.
    pub text: String,
    /// The whole text, where the model reads of it only that it can be searched under the handle.
    pub searched: Option<String>,
}

impl Sensed {
    /// The parts that there are, the one that goes along by itself first.
    fn parts(&self) -> Vec<ContentPart> {
        let content = &self.content;
        let is_long = estimate_tokens(&content.text) > WHOLE_TOKENS_MAX;
        let mut parts = Vec::new();
        if content.selection.is_some() {
            parts.push(ContentPart::Selection);
        }
        let rest = match (content.text.is_empty(), content.visible.is_empty()) {
            (true, true) => &[][..],
            (false, true) => &[ContentPart::Whole][..],
            (true, false) => &[ContentPart::Visible][..],
            // What a person points at stands on the screen.
            (false, false) if is_long => &[ContentPart::Visible, ContentPart::Whole][..],
            (false, false) => &[ContentPart::Whole, ContentPart::Visible][..],
        };
        parts.extend(rest);
        parts
    }

    /// The part that goes along: the chosen one if there is such a part, else the first.
    #[must_use]
    pub fn part(&self, chosen: Option<ContentPart>) -> ContentPart {
        let parts = self.parts();
        let own = parts.first().copied().unwrap_or(ContentPart::Nothing);
        chosen
            .filter(|part| *part == ContentPart::Nothing || parts.contains(part))
            .unwrap_or(own)
    }

    /// The content as its chip shows it.
    #[must_use]
    pub fn view(&self, id: &str) -> ContentView {
        let content = &self.content;
        let problems = content
            .fields
            .iter()
            .filter(|field| field.problem.is_some())
            .count();
        ContentView {
            source: self.source,
            kind: content.kind,
            language: content.language.clone(),
            part: self.part(None),
            parts: self
                .parts()
                .into_iter()
                .map(|part| self.part_view(id, part))
                .collect(),
            problems: u32::try_from(problems).unwrap_or(u32::MAX),
            error: (content.kind == ContentKind::Error)
                .then(|| error_line(content))
                .flatten(),
            context: content.context.iter().map(|named| named.name.clone()).collect(),
            cut: content.cut.clone(),
            pdf: None,
        }
    }

    fn part_view(&self, id: &str, part: ContentPart) -> PartView {
        let told = self.told(id, part);
        let preview: String = told.text.chars().take(PREVIEW_CHARACTERS).collect();
        PartView {
            part,
            tokens: estimate_tokens(&told.text),
            preview_cut: preview.len() < told.text.len(),
            preview,
            searched: told.searched.is_some(),
        }
    }

    /// Whether more than a selection was read.
    #[must_use]
    pub fn has_text(&self) -> bool {
        !self.content.text.is_empty() || !self.content.visible.is_empty()
    }

    /// The content as a program gets it.
    #[must_use]
    pub fn whole(&self, app: &str, url: &str) -> Value {
        let content = &self.content;
        json!({
            "app": app,
            "title": content.title,
            "url": url,
            "source": self.source,
            "kind": content.kind,
            "language": content.language,
            "text": content.text,
            "visible": content.visible,
            "selection": content.selection,
            "fields": content.fields,
            "buttons": content.buttons.iter().map(|button| &button.label).collect::<Vec<_>>(),
            "links": content.links,
            "cut": content.cut,
        })
    }

    /// The words of a part for the model. `id` is the view's, and names a text that is too long for a prompt.
    #[must_use]
    pub fn told(&self, id: &str, part: ContentPart) -> SentPart {
        let content = &self.content;
        let whole = |text: String| SentPart { text, searched: None };
        match part {
            ContentPart::Nothing => whole(String::new()),
            ContentPart::Selection => whole(content.selection.as_ref().map(selected).unwrap_or_default()),
            ContentPart::Visible => whole(format!(
                "The part that the user sees, as Markdown:\n{}{}",
                content.visible,
                beside(content, &content.visible)
            )),
            ContentPart::Whole if estimate_tokens(&content.text) > WHOLE_TOKENS_MAX => SentPart {
                text: format!("{}{}", searched(content, &handle(id)), beside(content, "")),
                searched: Some(content.text.clone()),
            },
            ContentPart::Whole => whole(format!(
                "The whole text{}:\n{}{}",
                form_of_text(content.kind),
                content.text,
                beside(content, &content.text)
            )),
        }
    }
}

/// The handle under which a long text is searched.
#[must_use]
pub fn handle(id: &str) -> String {
    format!("page-{id}")
}

fn selected(selection: &Selection) -> String {
    let Selection { text, before, after } = selection;
    let around = match (before.trim(), after.trim()) {
        ("", "") => String::new(),
        (before, after) => format!("\nIt stands here: …{before} «selection» {after}…"),
    };
    format!("The user selected:\n{text}{around}")
}

/// What does not stand in the text itself: fields, buttons, addresses that `text` numbers, what the page offers of itself.
fn beside(content: &Content, text: &str) -> String {
    let mut told = String::new();
    if !content.fields.is_empty() {
        told.push_str("\nFields of its forms:\n");
        content
            .fields
            .iter()
            .take(FIELDS_TOLD_MAX)
            .for_each(|known| field(&mut told, known));
    }
    if !content.buttons.is_empty() && !content.fields.is_empty() {
        let labels: Vec<&str> = content
            .buttons
            .iter()
            .map(|button| button.label.as_str())
            .collect();
        line(&mut told, &format!("Buttons: {}", labels.join(" · ")));
    }
    let numbered = content
        .links
        .iter()
        .enumerate()
        .map(|(index, url)| (index + 1, url));
    let mut numbered = numbered
        .filter(|(number, _)| text.contains(&format!("][{number}]")))
        .peekable();
    if numbered.peek().is_some() {
        line(&mut told, "Addresses:");
        for (number, url) in numbered.take(LINKS_TOLD_MAX) {
            line(&mut told, &format!("[{number}] {url}"));
        }
    }
    for named in &content.context {
        line(
            &mut told,
            &format!("The page offers of itself, {}:\n{}", named.name, named.text),
        );
    }
    if let Some(cut) = &content.cut {
        line(&mut told, &format!("(not all of it was read: {cut})"));
    }
    told
}

fn field(told: &mut String, field: &FormField) {
    let FormField {
        label,
        kind,
        value,
        problem,
        required,
        ..
    } = field;
    let required = if *required { ", required" } else { "" };
    let problem = problem
        .as_ref()
        .map(|problem| format!(" (problem: {problem})"))
        .unwrap_or_default();
    line(told, &format!("- {label} [{kind}{required}]: {value}{problem}"));
}

fn line(text: &mut String, line: &str) {
    // Writing to a text can't fail.
    writeln!(
        text,
        "{}{line}",
        if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        }
    )
    .unwrap_or_default();
}

/// What a text is written as.
fn form_of_text(kind: ContentKind) -> &'static str {
    if kind == ContentKind::Pdf {
        " of the PDF, with [p. N] before each page"
    } else {
        ", as Markdown"
    }
}

/// The beginning of a long text, its headings, and how to search the rest.
fn searched(content: &Content, handle: &str) -> String {
    let text = &content.text;
    let mut head = String::new();
    let mut lines = text.lines();
    while estimate_tokens(&head) <= HEAD_TOKENS
        && let Some(line) = lines.next()
    {
        head.push_str(line);
        head.push('\n');
    }
    let headings = lines.filter(|line| line.starts_with('#')).take(HEADINGS_MAX);
    let headings: Vec<&str> = headings.collect();
    // The text of a PDF has none.
    let headings = if headings.is_empty() {
        String::new()
    } else {
        format!("Further headings:\n{}\n", headings.join("\n"))
    };
    format!(
        "The beginning of the text{}:\n{head}…\n{headings}The whole text has {} characters in {} lines and is \
         kept as handle \"{handle}\": use results.find(handle, text) or results.read(handle, offset_line, limit_lines).",
        form_of_text(content.kind),
        text.chars().count(),
        text.lines().count(),
    )
}

/// The line of a page that names its error.
fn error_line(content: &Content) -> Option<String> {
    let is_error = |line: &&str| {
        let lower = line.to_lowercase();
        ["error", "exception", "failed", "错误", "失败", "异常"]
            .iter()
            .any(|word| lower.contains(word))
    };
    let lines = || {
        content
            .text
            .lines()
            .map(|line| line.trim_matches(['#', '*', '`', ' ']))
    };
    let found = lines()
        .find(is_error)
        .or_else(|| lines().find(|line| !line.is_empty()));
    found.map(|line| line.chars().take(120).collect())
}

#[cfg(test)]
mod tests;
