//! Decides which records memory brings into a run by itself (F6.4), and how they are worded.
//!
//! Few and short: a record beside the question costs attention and misleads. Records derived from foreign
//! content stay out, so a plain question stays untainted; programs reach them through `memory.search`. The
//! store does the search.

use crate::limits::{
    RECALLED_CHARACTERS_MAX, RECALLED_COVERAGE_MIN, RECALLED_EARLIER_MAX, RECALLED_MAX,
    RECALLED_SHARE_OF_BEST,
};
use shidi_protocol::{MemoryHit, MemoryKind, MemoryScope, RecallMark, SessionId};

/// Whether a question has words to search by; a sum such as `3 + 4` has none.
#[must_use]
pub fn is_worth_searching(question: &str) -> bool {
    question.chars().any(char::is_alphabetic)
}

/// The hits of a search that go in, best first, together with earlier questions about the page at hand.
#[must_use]
pub fn chosen(session: &SessionId, hits: Vec<MemoryHit>, earlier: Vec<MemoryHit>) -> Vec<MemoryHit> {
    let best = hits.first().map_or(0.0, |hit| hit.score);
    let fits = |hit: &MemoryHit| {
        let is_trusted = !hit.untrusted && hit.ended.is_none();
        // Summaries of the session's own tasks are skipped: the transcript holds those tasks already.
        let is_news = hit.kind != MemoryKind::Summary || hit.session.as_ref() != Some(session);
        // A record kept about this very page belongs to the question, whatever its words.
        let is_of_page = matches!(hit.scope, MemoryScope::Site(_)) && hit.parts.page > 0.0;
        let is_near = hit.coverage >= RECALLED_COVERAGE_MIN && hit.score >= best * RECALLED_SHARE_OF_BEST;
        is_trusted && is_news && (is_near || is_of_page)
    };
    let fitting = hits.into_iter().filter(fits).take(RECALLED_MAX);
    let earlier = earlier.into_iter().take(RECALLED_EARLIER_MAX);
    fitting.chain(earlier).map(shortened).collect()
}

/// What the transcript keeps of the records: which they were and why, without their words.
#[must_use]
pub fn marks(recalled: &[MemoryHit]) -> Vec<RecallMark> {
    let mark = |hit: &MemoryHit| RecallMark {
        id: hit.id.clone(),
        kind: hit.kind,
        score: hit.score,
        coverage: hit.coverage,
        parts: hit.parts,
    };
    recalled.iter().map(mark).collect()
}

/// A hit on one line, no longer than the prompt's room for it. A summary keeps parts of both its question and
/// its outcome.
fn shortened(hit: MemoryHit) -> MemoryHit {
    let parts = hit.text.split_once(SUMMARY_ARROW);
    let text = match parts.filter(|_| hit.kind == MemoryKind::Summary) {
        Some((asked, said)) => {
            let asked = whole_sentences(asked, RECALLED_CHARACTERS_MAX / 3);
            let left = RECALLED_CHARACTERS_MAX.saturating_sub(asked.chars().count());
            format!("{asked}{SUMMARY_ARROW}{}", whole_sentences(said, left))
        }
        None => whole_sentences(&hit.text, RECALLED_CHARACTERS_MAX),
    };
    MemoryHit { text, ..hit }
}

/// Stands in a summary between the question and the outcome.
pub const SUMMARY_ARROW: &str = " → ";

/// The beginning of a text on one line, as many whole sentences as fit. A single longer sentence is cut after a
/// whole word, with a mark.
#[must_use]
pub fn whole_sentences(text: &str, characters: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = line.char_indices().nth(characters) else {
        return line;
    };
    let (head, rest) = line.split_at(end);
    if let Some(end) = sentence_end(head, rest) {
        return head[..end].to_owned();
    }
    let is_between = |letter: char| letter.is_whitespace() || "，、；：".contains(letter);
    let whole = head.rfind(is_between).unwrap_or(head.len());
    format!("{}…", &head[..whole])
}

/// Where the last sentence of `head` ends; `rest` follows it.
fn sentence_end(head: &str, rest: &str) -> Option<usize> {
    let mut letters = head.char_indices().peekable();
    let mut end = None;
    while let Some((place, letter)) = letters.next() {
        let next = letters
            .peek()
            .map_or_else(|| rest.chars().next(), |(_, next)| Some(*next));
        let ends = match letter {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            end = Some(place + letter.len_utf8());
        }
    }
    end
}

#[cfg(test)]
mod tests;
