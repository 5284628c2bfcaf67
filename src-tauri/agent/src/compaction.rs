//! The model's view of a long transcript (F4.6). The transcript itself is never changed.
//!
//! A compaction is one more segment. A `Summary` covers everything up to a segment, apart from some of the user's
//! messages. A `Cut` shortens the outputs up to a segment; each output stays whole under a handle. So the view follows
//! from the transcript alone, in this run, after a restart and in the session's next question.
//!
//! A question may leave the subject of all that came before. An outline stands for that in this question alone. No
//! segment says so, and the next question has the whole again where it means it (`subject.rs`).
//!
//! Nothing here asks a model or decides when. [`view`] shows the segments, [`plan`] says which may be covered, [`cuts`]
//! which outputs may be shortened. The area `areas/compaction.rs` acts on them.

mod digest;
mod outline;

pub use digest::{appendix, digest, ends, transcript};
pub use outline::{kept, saves};

use crate::limits;
use crate::rendering;
use crate::skills;
use shidi_protocol::tokens;
use shidi_protocol::{Body, Segment, SegmentId, SegmentKind, SummaryBody};
use std::borrow::Cow;

/// The segments as the model sees them, oldest first.
#[must_use]
pub fn view(segments: &[Segment]) -> Vec<Cow<'_, Segment>> {
    let summary = segments
        .iter()
        .rev()
        .find_map(|segment| Some((segment, cover(segment)?)));
    let cut = segments.iter().rev().find_map(cut_through).unwrap_or_default();
    let mut seen: Vec<Cow<'_, Segment>> = Vec::new();
    let (mut through, mut kept) = (SegmentId(0), [].as_slice());
    if let Some((segment, cover)) = summary {
        seen.push(Cow::Borrowed(segment));
        (through, kept) = (cover.through, &cover.kept);
    }
    for segment in segments {
        let is_ours = matches!(
            segment.body,
            Body::Summary(_) | Body::Cut { .. } | Body::Recalled { .. }
        );
        if is_ours || (segment.id <= through && !kept.contains(&segment.id)) {
            continue;
        }
        seen.push(match shortened(segment).filter(|_| segment.id <= cut) {
            Some(short) => Cow::Owned(short),
            None => Cow::Borrowed(segment),
        });
    }
    seen
}

/// The same view for a question that has left the subject of everything up to a segment.
#[must_use]
pub fn view_without(segments: &[Segment], left: Option<SegmentId>) -> Vec<Cow<'_, Segment>> {
    let mut seen = view(segments);
    let Some(through) = left else { return seen };
    // A summary that covers more has taken the outline's place.
    let mut covers = seen.iter().filter_map(|segment| cover(segment));
    if covers.any(|cover| cover.through > through) {
        return seen;
    }
    seen.retain(|segment| segment.id > through);
    seen.insert(0, Cow::Owned(outline::outline(segments, through)));
    seen
}

/// What the next compaction would cover.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The last segment that would be covered.
    pub through: SegmentId,
    /// Segments up to it that stay as they are: the user's own words.
    pub kept: Vec<SegmentId>,
    /// What the model has seen of it so far.
    pub covered: Vec<Segment>,
    /// Tokens that are freed before the summary takes its own.
    pub frees: u32,
}

/// Plans a compaction for a window, or none when it would free too little.
///
/// Segments stay that hold the user's last messages or the skills in use. The newest steps stay up to a share of the
/// window. The last complete call with its result always stays (F4.6).
#[must_use]
pub fn plan(segments: &[Segment], window_tokens: u32) -> Option<Plan> {
    let seen = view(segments);
    let from = kept_from(&seen, window_tokens / 100 * limits::NEWEST_PERCENT);
    let (summaries, others): (Vec<_>, Vec<_>) =
        seen[..from].iter().partition(|segment| cover(segment).is_some());
    // What an earlier summary covers stays covered; its own number says nothing of its place.
    let earlier = summaries
        .iter()
        .filter_map(|segment| cover(segment))
        .map(|cover| cover.through);
    let through = others.iter().map(|segment| segment.id).chain(earlier).max()?;
    let said = seen
        .iter()
        .rev()
        .filter(|segment| segment.kind() == SegmentKind::User);
    let in_use = skills::in_use(seen.iter().map(AsRef::as_ref), weight);
    let said: Vec<SegmentId> = said
        .take(limits::MESSAGES_KEPT)
        .map(|segment| segment.id)
        .chain(in_use)
        .collect();
    let covered: Vec<_> = seen[..from]
        .iter()
        .filter(|segment| !said.contains(&segment.id))
        .collect();
    // Messages that an earlier compaction kept stand among what stays, though their numbers are covered.
    let kept = seen.iter().enumerate().filter(|(place, segment)| {
        cover(segment).is_none() && segment.id <= through && (*place >= from || said.contains(&segment.id))
    });
    let kept: Vec<SegmentId> = kept.map(|(_, segment)| segment.id).collect();
    let is_new = covered.iter().any(|segment| cover(segment).is_none());
    let frees: u32 = covered.iter().map(|segment| weight(segment)).sum();
    let worth = (window_tokens / 100 * limits::FREED_PERCENT_MIN).max(limits::SUMMARY_TOKENS_MIN);
    (is_new && frees >= worth).then(|| Plan {
        through,
        kept,
        covered: covered
            .into_iter()
            .map(|segment| segment.as_ref().clone())
            .collect(),
        frees,
    })
}

/// The place from which on everything is kept.
fn kept_from(seen: &[Cow<'_, Segment>], tokens_max: u32) -> usize {
    let mut left = tokens_max;
    let mut from = seen.len();
    for (place, segment) in seen.iter().enumerate().rev() {
        let cost = weight(segment);
        if cost > left || cover(segment).is_some() {
            break;
        }
        left -= cost;
        from = place;
    }
    // Not between a program and its output.
    while from < seen.len() && splits_a_step(seen, from) {
        from += 1;
    }
    from.min(last_call(seen).map_or(from, |(begin, _)| begin))
}

/// Whether a cut at `from` would part a program from its output.
fn splits_a_step(seen: &[Cow<'_, Segment>], from: usize) -> bool {
    let opens = seen[..from]
        .iter()
        .rposition(|segment| segment.kind() == SegmentKind::Python);
    opens.is_some_and(|place| output_of(seen, place).is_some_and(|output| output >= from))
}

/// The places of the last program that has an output, from the thought before it to that output.
#[must_use]
pub fn last_call(seen: &[Cow<'_, Segment>]) -> Option<(usize, usize)> {
    let is_complete =
        |place: &usize| seen[*place].kind() == SegmentKind::Python && output_of(seen, *place).is_some();
    let program = (0..seen.len()).rev().find(is_complete)?;
    let thoughts = seen[..program].iter().rev().take_while(|segment| {
        matches!(
            segment.kind(),
            SegmentKind::Thought | SegmentKind::NextGoal | SegmentKind::Evaluation
        )
    });
    Some((program - thoughts.count(), output_of(seen, program)?))
}

fn output_of(seen: &[Cow<'_, Segment>], program: usize) -> Option<usize> {
    let wanted = &seen[program];
    let is_output = |segment: &Cow<'_, Segment>| {
        segment.kind() == SegmentKind::Output && segment.exec == wanted.exec && segment.run == wanted.run
    };
    seen[program..]
        .iter()
        .position(is_output)
        .map(|after| program + after)
}

/// Outputs that may be shortened now, all at once. They are older than the last messages, and together free enough to
/// be worth a provider's cache.
#[derive(Debug, Clone, PartialEq)]
pub struct Cuts {
    pub through: SegmentId,
    /// Whole texts that are not kept under a handle yet.
    pub whole: Vec<(String, Segment)>,
}

/// Plans a batch of shortened outputs for a window.
#[must_use]
pub fn cuts(segments: &[Segment], window_tokens: u32) -> Option<Cuts> {
    let seen = view(segments);
    let from = messages_from(&seen, limits::MESSAGES_UNCUT);
    // The last result stays whole however much was said since.
    let from = last_call(&seen).map_or(from, |(begin, _)| from.min(begin));
    let cut = segments.iter().rev().find_map(cut_through).unwrap_or_default();
    let is_older = |segment: &&Cow<'_, Segment>| segment.id > cut && cover(segment).is_none();
    let older = seen[..from].iter().filter(is_older);
    let mut freed = 0;
    let mut whole = Vec::new();
    for segment in older.clone() {
        let Some(short) = shortened(segment) else { continue };
        freed += weight(segment).saturating_sub(weight(&short));
        if kept_handle(segment).is_none() {
            whole.push((own_handle(segment), segment.as_ref().clone()));
        }
    }
    let worth = (window_tokens / 100 * limits::CUT_PERCENT_MIN).max(limits::CUT_TOKENS_MIN);
    let through = older.map(|segment| segment.id).max()?;
    (freed >= worth).then_some(Cuts { through, whole })
}

/// Where the last `count` messages begin: what one side says in a row is one.
fn messages_from(seen: &[Cow<'_, Segment>], count: usize) -> usize {
    let mut messages = 0;
    let mut own = None;
    for (place, segment) in seen.iter().enumerate().rev() {
        let is_own = is_own(&segment.kind());
        if own != Some(is_own) {
            own = Some(is_own);
            messages += 1;
        }
        if messages > count {
            return place + 1;
        }
    }
    0
}

/// Whether the model itself wrote segments of a kind.
fn is_own(kind: &SegmentKind) -> bool {
    matches!(
        kind,
        SegmentKind::Thought
            | SegmentKind::Python
            | SegmentKind::Express
            | SegmentKind::Evaluation
            | SegmentKind::NextGoal
    )
}

/// A long output as its beginning and a handle; `None` when it is short anyway or no output.
fn shortened(segment: &Segment) -> Option<Segment> {
    let Body::Output { text, failed } = &segment.body else {
        return None;
    };
    if text.chars().count() <= limits::CUT_CHARACTERS + limits::CUT_NOTE_CHARACTERS {
        return None;
    }
    let head: String = text.chars().take(limits::CUT_CHARACTERS).collect();
    let handle = kept_handle(segment).unwrap_or_else(|| own_handle(segment));
    let text =
        format!("{head}… (shortened; the whole is kept as handle \"{handle}\": results.find, results.read)");
    Some(Segment {
        body: Body::Output {
            text,
            failed: *failed,
        },
        ..segment.clone()
    })
}

/// The handle under which a long output was kept when it came.
fn kept_handle(segment: &Segment) -> Option<String> {
    let handle = output_handle(segment.run.as_str(), segment.exec?.0);
    segment
        .text()
        .contains(&format!("kept as handle \"{handle}\""))
        .then_some(handle)
}

fn own_handle(segment: &Segment) -> String {
    format!("s{}", segment.id)
}

/// The name of a program's output in the cache: random enough to be one of its session.
#[must_use]
pub fn output_handle(run: &str, exec: u32) -> String {
    let tail = run.get(run.len().saturating_sub(8)..).unwrap_or(run);
    format!("{tail}-{exec}")
}

/// What a segment covers, if it is a summary.
#[must_use]
pub fn cover(segment: &Segment) -> Option<&SummaryBody> {
    match &segment.body {
        Body::Summary(summary) => Some(summary),
        _ => None,
    }
}

fn cut_through(segment: &Segment) -> Option<SegmentId> {
    match segment.body {
        Body::Cut { through } => Some(through),
        _ => None,
    }
}

/// Tokens of a segment in a prompt.
#[must_use]
pub fn weight(segment: &Segment) -> u32 {
    let words = match &segment.body {
        Body::Context(_) | Body::Summary(_) => tokens::estimate(&rendering::text(segment)),
        // What keeps a text from framing adds a token at most where it is needed at all.
        body => tokens::estimate(body.text()),
    };
    words + tokens::PER_SEGMENT
}

#[cfg(test)]
mod tests;
