//! Skills in a conversation: what a prompt says of those that may be loaded, and those that were.
//!
//! A loaded skill is a piece of context. So it is told apart from a program's output, and stays through a compaction. A
//! skill that nobody has reviewed carries the mark of a stranger's words.
//!
//! Pure: skills come in with the settings, their texts with the results of calls.

use crate::limits;
use serde_json::Value;
use shidi_protocol::{Body, Call, CallOutcome, ContextPiece, OfferedSkill, Segment, SegmentId, tokens};

/// The toolkit that loads skills.
pub const NAME: &str = "skills";
const LOAD: &str = "load";
/// The source of a piece of context that is a skill.
const SOURCE: &str = "skill";
/// The part of a result that becomes a piece of context.
const TEXT: &str = "text";

/// The skills as a prompt names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Names with what is told of each, all shortened alike where there is too much.
    pub described: Vec<(String, String)>,
    /// Names that say enough, and those of strangers' skills.
    pub named: Vec<String>,
    /// Tokens of what did not fit.
    pub left_out: u32,
}

impl Shown {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.described.is_empty() && self.named.is_empty()
    }
}

/// What fits into a number of tokens: whole, then with all descriptions shortened alike, then as many names as fit.
#[must_use]
pub fn shown(skills: &[OfferedSkill], tokens_max: u32) -> Shown {
    let whole = cut(skills, usize::MAX);
    let all = weight_of(&whole);
    if all <= tokens_max {
        return whole;
    }
    let (mut fits, mut too_long) = (0, limits::SKILL_DESCRIPTION_CHARACTERS_MAX);
    while fits + 1 < too_long {
        let middle = usize::midpoint(fits, too_long);
        match weight_of(&cut(skills, middle)) <= tokens_max {
            true => fits = middle,
            false => too_long = middle,
        }
    }
    let mut shown = cut(skills, fits);
    while weight_of(&shown) > tokens_max && !(shown.named.is_empty() && shown.described.is_empty()) {
        drop(
            shown
                .named
                .pop()
                .or_else(|| shown.described.pop().map(|(name, _)| name)),
        );
    }
    shown.left_out = all.saturating_sub(weight_of(&shown));
    shown
}

fn cut(skills: &[OfferedSkill], most: usize) -> Shown {
    let (described, named): (Vec<_>, Vec<_>) = skills
        .iter()
        .partition(|skill| most > 0 && !skill.description.is_empty());
    let told = |skill: &OfferedSkill| {
        let flat = skill.description.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut short: String = flat.chars().take(most).collect();
        if short.len() < flat.len() {
            short.push('…');
        }
        (skill.name.clone(), short)
    };
    Shown {
        described: described.into_iter().map(told).collect(),
        named: named.into_iter().map(|skill| skill.name.clone()).collect(),
        left_out: 0,
    }
}

fn weight_of(shown: &Shown) -> u32 {
    let described = shown
        .described
        .iter()
        .map(|(name, told)| format!("- {name}: {told}\n"));
    let text: String = described.collect();
    tokens::estimate(&text) + tokens::estimate(&shown.named.join(", "))
}

/// Takes the text of a skill out of the result that brought it. The text becomes a piece of context, and the program
/// gets the rest.
#[must_use]
pub fn taken(call: &Call, mut outcome: CallOutcome) -> (CallOutcome, Option<ContextPiece>) {
    if call.toolkit != NAME || call.method != LOAD || !outcome.ok() {
        return (outcome, None);
    }
    let text = outcome.data.as_object_mut().and_then(|data| data.remove(TEXT));
    let Some(Value::String(text)) = text else {
        return (outcome, None);
    };
    let name = outcome
        .data
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let piece = ContextPiece {
        source: SOURCE.to_owned(),
        title: name.to_owned(),
        url: None,
        text,
        untrusted: outcome.untrusted,
    };
    (outcome, Some(piece))
}

/// The skill that a segment holds.
pub fn held(segment: &Segment) -> Option<&ContextPiece> {
    match &segment.body {
        Body::Context(piece) if piece.source == SOURCE => Some(piece),
        _ => None,
    }
}

/// Whether the model sees that very skill already.
#[must_use]
pub fn is_held<'a>(seen: impl IntoIterator<Item = &'a Segment>, piece: &ContextPiece) -> bool {
    seen.into_iter().any(|segment| held(segment) == Some(piece))
}

/// The skills that a compaction must not cover: the newest text of each, the last loaded first. A bound of tokens holds
/// for them, and `weight` tells the tokens of a segment.
#[must_use]
pub fn in_use<'a>(
    seen: impl DoubleEndedIterator<Item = &'a Segment>,
    weight: impl Fn(&Segment) -> u32,
) -> Vec<SegmentId> {
    let mut names: Vec<&str> = Vec::new();
    let mut left = limits::SKILLS_KEPT_TOKENS;
    let mut kept = Vec::new();
    for segment in seen.rev() {
        let Some(piece) = held(segment) else { continue };
        if names.contains(&piece.title.as_str()) {
            continue;
        }
        names.push(&piece.title);
        let tokens = weight(segment);
        if tokens <= left {
            left -= tokens;
            kept.push(segment.id);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;
    use shidi_protocol::{CallId, ExecId, Moment, RunId};

    fn skill(name: &str, description: &str) -> OfferedSkill {
        OfferedSkill {
            name: name.to_owned(),
            description: description.to_owned(),
        }
    }

    fn call(method: &str) -> Call {
        Call {
            id: CallId(1),
            exec: ExecId(1),
            toolkit: NAME.to_owned(),
            method: method.to_owned(),
            args: serde_json::Map::new(),
            line: 1,
            places: std::collections::BTreeMap::new(),
        }
    }

    fn segment(id: u32, title: &str, text: &str) -> Segment {
        let piece = ContextPiece {
            source: SOURCE.to_owned(),
            title: title.to_owned(),
            text: text.to_owned(),
            ..ContextPiece::default()
        };
        Segment {
            id: SegmentId(id),
            run: RunId::from("r"),
            body: Body::Context(piece),
            exec: None,
            round: 1,
            tainted: false,
            time: Moment(0),
        }
    }

    #[test]
    fn descriptions_that_do_not_fit_are_shortened_alike_and_no_name_goes() {
        let long = "words of a description ".repeat(20);
        let skills: Vec<OfferedSkill> = (0..20).map(|at| skill(&format!("skill-{at}"), &long)).collect();
        let shown = shown(&skills, 600);
        assert_eq!(shown.described.len(), 20);
        let lengths: Vec<usize> = shown
            .described
            .iter()
            .map(|(_, told)| told.chars().count())
            .collect();
        assert!(
            lengths.iter().all(|length| *length == lengths[0] && *length > 40),
            "{lengths:?}"
        );
        assert!(shown.left_out > 0);
    }

    #[test]
    fn skills_without_a_description_are_named_together() {
        let shown = shown(&[skill("a", ""), skill("b", "does b"), skill("c", "")], 100);
        assert_eq!(shown.named, ["a", "c"]);
        assert_eq!(shown.described, [("b".to_owned(), "does b".to_owned())]);
        assert_eq!(shown.left_out, 0);
    }

    #[test]
    fn what_is_loaded_becomes_a_piece_of_context_with_the_mark_of_its_words() {
        let outcome = CallOutcome::success(json!({"name": "a", "text": "Do it.", "files": []}), "a");
        let (left, piece) = taken(&call("load"), outcome.clone());
        let piece = piece.expect("a piece");
        assert_eq!(
            (piece.title.as_str(), piece.text.as_str(), piece.untrusted),
            ("a", "Do it.", true)
        );
        assert_eq!(left.data, json!({"name": "a", "files": []}));
        assert!(
            !taken(&call("load"), outcome.clone().own())
                .1
                .expect("a piece")
                .untrusted
        );
        assert_eq!(taken(&call("read"), outcome.clone()), (outcome, None));
    }

    #[test]
    fn the_newest_text_of_each_skill_stays_within_the_bound() {
        let long = "word ".repeat(20_000);
        let segments = [
            segment(1, "a", "old"),
            segment(2, "b", "b"),
            segment(3, "c", &long),
            segment(4, "a", "new"),
        ];
        assert_eq!(
            in_use(segments.iter(), crate::compaction::weight),
            [SegmentId(4), SegmentId(2)]
        );
        let Body::Context(piece) = &segments[3].body else {
            panic!("a piece")
        };
        assert!(is_held(&segments, piece));
        assert!(!is_held(&segments[..3], piece));
    }

    proptest! {
        #[test]
        fn whatever_there_is_fits(
            skills in proptest::collection::vec(("[a-z-]{1,20}", ".{0,200}"), 0..60),
            tokens_max in 0_u32..800,
        ) {
            let skills: Vec<OfferedSkill> = skills.iter().map(|(name, told)| skill(name, told)).collect();
            let shown = shown(&skills, tokens_max);
            prop_assert!(weight_of(&shown) <= tokens_max.max(1));
        }
    }
}
