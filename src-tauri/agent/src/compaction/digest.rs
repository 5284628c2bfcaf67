//! A summary without a model, for when no model answers. Also the transcript as a model reads it to write a better
//! summary.

use super::cover;
use crate::limits;
use crate::rendering;
use shidi_protocol::tokens;
use shidi_protocol::{Body, Segment, SegmentKind};
use std::collections::BTreeSet;

/// The covered segments as text that fits into `tokens_max`. Long pieces are shortened. Where the text is still too
/// long, its middle is left out: an earlier summary and the newest work stay.
#[must_use]
pub fn transcript(covered: &[Segment], tokens_max: u32) -> String {
    let lines: Vec<String> = covered.iter().map(line).collect();
    let costs: Vec<u32> = lines
        .iter()
        .map(|line| tokens::estimate(line) + tokens::PER_SEGMENT)
        .collect();
    let first = usize::from(covered.first().is_some_and(|segment| cover(segment).is_some()));
    let mut left = tokens_max.saturating_sub(costs[..first].iter().sum());
    let mut from = lines.len();
    while from > first && costs[from - 1] <= left {
        from -= 1;
        left -= costs[from];
    }
    let mut text = lines[..first].join("\n");
    if from > first {
        text.push_str(&format!("\n({} earlier steps left out)", from - first));
    }
    for line in &lines[from..] {
        text.push('\n');
        text.push_str(line);
    }
    text.trim().to_owned()
}

fn line(segment: &Segment) -> String {
    let most = match segment.kind() {
        SegmentKind::User | SegmentKind::Summary => limits::DIGEST_SAID_CHARACTERS,
        SegmentKind::Python | SegmentKind::Express => limits::DIGEST_PROGRAM_CHARACTERS,
        _ => limits::DIGEST_OUTPUT_CHARACTERS,
    };
    rendering::quoted(segment, |text| ends(text, most))
}

/// The beginning and the end of a text: an error stands in its last line.
#[must_use]
pub fn ends(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.trim_end().to_owned();
    }
    let head: String = text.chars().take(most * 2 / 3).collect();
    let tail: String = text.chars().skip(count - most / 3).collect();
    format!("{head} … {tail}")
}

/// What happened, by rules: each step in a line, newest kept when there are too many.
#[must_use]
pub fn digest(covered: &[Segment]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for segment in covered {
        let text = match (&segment.kind(), cover(segment)) {
            (SegmentKind::Summary, Some(_)) => {
                let body = segment.text().lines().filter(|line| !line.trim().is_empty());
                lines.extend(body.map(str::to_owned));
                continue;
            }
            (SegmentKind::User | SegmentKind::Express, _) => {
                ends(segment.text(), limits::DIGEST_LINE_CHARACTERS * 2)
            }
            _ => ends(&rendering::text(segment), limits::DIGEST_LINE_CHARACTERS),
        };
        lines.push(format!(
            "- {}: {}",
            segment.kind().name(),
            text.replace('\n', " ⏎ ")
        ));
    }
    let skipped = lines.len().saturating_sub(limits::DIGEST_LINES_MAX);
    let mut text = lines[skipped..].join("\n");
    if skipped > 0 {
        text.insert_str(0, &format!("({skipped} earlier steps left out)\n"));
    }
    text
}

/// The beginning of a line that names something that was attached.
const ATTACHED: &str = "Attached: ";

/// The attachments and the handles of results, word for word from the covered segments. A summary must not lose
/// these.
#[must_use]
pub fn appendix(covered: &[Segment]) -> String {
    let mut attached: BTreeSet<String> = BTreeSet::new();
    let mut handles: BTreeSet<&str> = BTreeSet::new();
    for segment in covered {
        // A passage was attached by nobody, and is found again where it fits.
        if let Body::Context(piece) = &segment.body
            && piece.source != rendering::PASSAGE
        {
            // Without its brackets: it opens no frame here.
            let head = rendering::context_head(piece);
            attached.insert(head.trim_matches(['<', '>']).to_owned());
        }
        if let Body::Summary(summary) = &segment.body {
            let lines = summary.text.lines();
            attached.extend(lines.filter_map(|line| line.strip_prefix(ATTACHED).map(str::to_owned)));
        }
        let pieces = segment.text().split("handle \"").skip(1);
        let named = pieces.filter_map(|piece| piece.split_once('"').map(|(handle, _)| handle));
        handles.extend(named.filter(|handle| handle.len() <= limits::HANDLE_BYTES_MAX));
    }
    let attached = attached.into_iter().rev().take(limits::APPENDED_MAX);
    let mut text: String = attached.map(|head| format!("{ATTACHED}{head}\n")).collect();
    let handles: Vec<String> = handles
        .into_iter()
        .rev()
        .take(limits::APPENDED_MAX)
        .map(|handle| format!("handle \"{handle}\""))
        .collect();
    if !handles.is_empty() {
        text.push_str(&format!("Results kept: {}", handles.join(", ")));
    }
    text.trim_end().to_owned()
}
