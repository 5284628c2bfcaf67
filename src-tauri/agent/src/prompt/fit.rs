//! Fits the transcript into the rest of a model's window by priority, and names the omitted kinds for the trace.
//!
//! Some segments may never be missing: the user's newest message, all messages of this run, and the earlier steps'
//! summary. Skills in use and the last complete call may never be missing, either. Skills in use and the last
//! complete call belong to them, too. The newest of the others follow, without gaps.

use crate::compaction;
use crate::skills;
use shidi_protocol::{PromptPart, RunId, Segment, SegmentKind};
use std::borrow::Cow;

/// The segments that are sent, oldest first, and the weight of all by kind.
pub(super) struct Fitted<'a> {
    pub kept: Vec<&'a Segment>,
    pub parts: Vec<PromptPart>,
}

pub(super) fn fit<'a>(seen: &'a [Cow<'_, Segment>], run: &RunId, budget_tokens: u32) -> Fitted<'a> {
    let weights: Vec<u32> = seen.iter().map(|segment| compaction::weight(segment)).collect();
    let needed = needed(seen, run);
    let mut left = (0..seen.len())
        .filter(|place| needed[*place])
        .fold(budget_tokens, |left, place| left.saturating_sub(weights[place]));
    let mut sent = needed;
    for place in (0..seen.len()).rev() {
        if sent[place] {
            continue;
        }
        if weights[place] > left {
            break;
        }
        left -= weights[place];
        sent[place] = true;
    }
    let kept = (0..seen.len())
        .filter(|place| sent[*place])
        .map(|place| seen[place].as_ref());
    Fitted {
        kept: kept.collect(),
        parts: parts(seen, &weights, &sent),
    }
}

/// Marks segments that are sent even if they overflow the window: without them the model would not know its task. A
/// run ends with an answer to all that its user said, so none of it is left out unread.
fn needed(seen: &[Cow<'_, Segment>], run: &RunId) -> Vec<bool> {
    let question = seen
        .iter()
        .rposition(|segment| segment.kind() == SegmentKind::User);
    let call = compaction::last_call(seen);
    let in_use = skills::in_use(seen.iter().map(AsRef::as_ref), compaction::weight);
    let is_needed = |(place, segment): (usize, &Cow<'_, Segment>)| {
        Some(place) == question
            || (segment.kind() == SegmentKind::User && segment.run == *run)
            || compaction::cover(segment).is_some()
            || in_use.contains(&segment.id)
            || call.is_some_and(|(from, to)| (from..=to).contains(&place))
    };
    seen.iter().enumerate().map(is_needed).collect()
}

fn parts(seen: &[Cow<'_, Segment>], weights: &[u32], sent: &[bool]) -> Vec<PromptPart> {
    let mut parts: Vec<PromptPart> = Vec::new();
    for (place, segment) in seen.iter().enumerate() {
        let kind = segment.kind();
        let name = kind.name();
        let at = parts
            .iter()
            .position(|part| part.name == name)
            .unwrap_or_else(|| {
                parts.push(PromptPart::named(name));
                parts.len() - 1
            });
        if sent[place] {
            parts[at].tokens += weights[place];
        } else {
            parts[at].left_out += weights[place];
        }
    }
    parts
}
