//! The steps of a run as a tree: one line a step, in the order in which they began.

use crate::console::{Console, Look};
use crate::failure::Failure;
use crate::follow::one_line;
use crate::limits::ATTRIBUTE_CHARS_MAX;
use shidi_protocol::Span;

/// Levels that are drawn; the mind makes four.
const DEPTH_MAX: usize = 12;

/// Draws all steps. `open` is said of those that have not ended.
///
/// # Errors
/// A reader that went away.
pub fn draw(spans: &[Span], open: &str, console: &Console) -> Result<(), Failure> {
    let known = |id: u32| spans.iter().any(|span| span.id == id);
    let mut roots: Vec<&Span> = spans
        .iter()
        .filter(|span| span.parent.is_none_or(|parent| !known(parent)))
        .collect();
    roots.sort_by_key(|span| (span.started, span.id));
    roots
        .into_iter()
        .try_for_each(|root| branch(root, spans, (0, open), console))
}

fn branch(
    span: &Span,
    spans: &[Span],
    (depth, open): (usize, &str),
    console: &Console,
) -> Result<(), Failure> {
    console.line(&line(span, (depth, open), console))?;
    if depth >= DEPTH_MAX {
        return Ok(());
    }
    let mut children: Vec<&Span> = spans
        .iter()
        .filter(|other| other.parent == Some(span.id))
        .collect();
    children.sort_by_key(|child| (child.started, child.id));
    children
        .into_iter()
        .try_for_each(|child| branch(child, spans, (depth + 1, open), console))
}

fn line(span: &Span, (depth, open): (usize, &str), console: &Console) -> String {
    let words = console.words;
    let failed = span.attributes.contains_key("error.type");
    let look = if failed { Look::Bad } else { Look::Strong };
    let mut facts = words.facts_of_step(span);
    facts.push(if span.open {
        open.to_owned()
    } else {
        words.lasted(span.ms)
    });
    format!(
        "{}{} {}  {}",
        console.painted(Look::Dim, &format!("{:>4}  {}", span.id, "  ".repeat(depth))),
        console.painted(look, &words.name_of_step(span)),
        console.painted(
            Look::Plain,
            &one_line(&words.detail_of_step(span), ATTRIBUTE_CHARS_MAX)
        ),
        console.painted(Look::Dim, &facts.join(" · ")),
    )
}
