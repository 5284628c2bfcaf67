//! Decides which passages of knowledge bases go along with a question by themselves, and how they are worded.
//!
//! The store finds them by the question's words, as for `knowledge.query`. A passage is a stranger's text, which marks the
//! task. It stands in the prompt as data, in a frame that names how to cite it. So only what clearly fits goes in, and
//! nothing where programs may not ask.

use crate::limits::{
    PASSAGE_COVERAGE_MIN, PASSAGES_MAX, PASSAGES_PERCENT_MAX, PASSAGES_TOKENS_MAX, RECALLED_SHARE_OF_BEST,
};
use crate::rendering;
use serde_json::Value;
use shidi_protocol::{Body, Call, CallId, ContextPiece, ExecId, Segment, tokens};
use std::collections::BTreeMap;

/// The toolkit by which programs ask knowledge bases.
pub const TOOLKIT: &str = "knowledge";

/// Stands between the names of a passage's place: its base and its headings.
const INSIDE: &str = " › ";

/// A passage that was found for a question.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPassage {
    pub base: String,
    /// The document and the place in it, as an answer cites them: `travel.pdf p. 3`.
    pub cited: String,
    /// The headings above it; empty where there are none.
    pub heading: String,
    pub text: String,
    pub score: f64,
    /// Share of the question's words that it holds with its headings, 0 to 1.
    pub coverage: f64,
}

/// The call by which a program would have found a passage: what forbids it forbids the passage.
#[must_use]
pub fn call(passage: &FoundPassage, question: &str) -> Call {
    let args = [("query", question), ("base", &passage.base)];
    let args = args.map(|(name, value)| (name.to_owned(), Value::from(value)));
    Call {
        id: CallId(0),
        exec: ExecId(0),
        toolkit: TOOLKIT.to_owned(),
        method: "query".to_owned(),
        args: args.into_iter().collect(),
        line: 0,
        places: BTreeMap::new(),
    }
}

/// The passages that go in, best first. One that the model sees already takes room, and is not told again.
#[must_use]
pub fn chosen(
    found: Vec<FoundPassage>,
    window_tokens: u32,
    is_seen: impl Fn(&ContextPiece) -> bool,
) -> Vec<ContextPiece> {
    let best = found.iter().map(|one| one.score).fold(0.0, f64::max);
    let mut left = PASSAGES_TOKENS_MAX.min(window_tokens / 100 * PASSAGES_PERCENT_MAX);
    let fits = |one: &FoundPassage| {
        one.coverage >= PASSAGE_COVERAGE_MIN && one.score >= best * RECALLED_SHARE_OF_BEST
    };
    let mut chosen = Vec::new();
    for one in found.into_iter().filter(fits).take(PASSAGES_MAX) {
        let piece = piece(one);
        // A passage goes in as a whole or not at all: half a rule misleads.
        if let Some(rest) = left.checked_sub(weight(&piece)) {
            left = rest;
            chosen.push(piece);
        }
    }
    chosen.retain(|piece| !is_seen(piece));
    chosen
}

/// Whether a segment is a passage that went along by itself.
#[must_use]
pub fn is_one(segment: &Segment) -> bool {
    matches!(&segment.body, Body::Context(piece) if piece.source == rendering::PASSAGE)
}

fn piece(found: FoundPassage) -> ContextPiece {
    let place = match found.heading.is_empty() {
        true => found.base,
        false => format!("{}{INSIDE}{}", found.base, found.heading),
    };
    ContextPiece {
        source: rendering::PASSAGE.to_owned(),
        title: found.cited,
        // An address here would count as one that the user has open.
        url: None,
        text: format!("{place}\n{}", found.text.trim_end()),
        untrusted: true,
    }
}

/// Tokens of a passage in a prompt, with its frame.
fn weight(piece: &ContextPiece) -> u32 {
    let closing = rendering::PASSAGE;
    let told = format!("{}\n{}\n</{closing}>", rendering::context_head(piece), piece.text);
    tokens::estimate(&told) + tokens::PER_SEGMENT
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(cited: &str, coverage: f64, score: f64) -> FoundPassage {
        FoundPassage {
            base: "handbook".to_owned(),
            cited: cited.to_owned(),
            heading: "Travel › Hotels".to_owned(),
            text: format!("text of {cited}\n"),
            score,
            coverage,
        }
    }

    fn titles(pieces: &[ContextPiece]) -> Vec<&str> {
        pieces.iter().map(|piece| piece.title.as_str()).collect()
    }

    #[test]
    fn only_what_clearly_fits_and_comes_near_the_best_goes_in() {
        let list = vec![
            found("best", 0.9, 1.0),
            found("few words", 0.59, 0.9),
            found("near", 0.6, 0.7),
            found("far behind", 0.9, 0.6),
        ];
        let pieces = chosen(list, 64_000, |_| false);
        assert_eq!(titles(&pieces), ["best", "near"]);
        assert_eq!(pieces[0].text, "handbook › Travel › Hotels\ntext of best");
        assert!(pieces.iter().all(|piece| piece.untrusted && piece.url.is_none()));
        assert!(chosen(Vec::new(), 64_000, |_| false).is_empty());
    }

    #[test]
    fn what_the_model_sees_already_is_not_told_again() {
        let list = vec![found("a", 0.9, 1.0), found("b", 0.9, 1.0)];
        let pieces = chosen(list.clone(), 64_000, |_| false);
        assert_eq!(titles(&chosen(list, 64_000, |piece| *piece == pieces[0])), ["b"]);
    }

    #[test]
    fn a_passage_that_is_too_long_for_the_window_is_left_out_as_a_whole() {
        let mut long = found("long", 0.9, 1.0);
        long.text = "word ".repeat(400);
        let list = vec![long, found("short", 0.9, 1.0)];
        assert_eq!(titles(&chosen(list.clone(), 4_000, |_| false)), ["short"]);
        assert_eq!(titles(&chosen(list, 64_000, |_| false)), ["long", "short"]);
    }

    proptest! {
        #[test]
        fn it_is_few_and_bounded_whatever_was_found(
            list in prop::collection::vec(("\\PC{0,900}|[\\n<>/ a-z一-三]{0,900}", 0.0..1.0f64, 0.0..3.0f64), 0..12),
            window in 0..200_000u32,
        ) {
            let list = list.into_iter().map(|(text, coverage, score)| {
                FoundPassage { text, ..found("x", coverage, score) }
            });
            let pieces = chosen(list.collect(), window, |_| false);
            let all: u32 = pieces.iter().map(weight).sum();
            prop_assert!(pieces.len() <= PASSAGES_MAX);
            prop_assert!(all <= PASSAGES_TOKENS_MAX && all <= window / 10);
        }
    }
}
