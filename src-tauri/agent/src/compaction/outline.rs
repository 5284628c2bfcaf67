//! What stands for earlier questions whose subject the newest one has left (S4).
//!
//! One line for each question says how it was answered. Its handle reaches the whole of it. The outline follows from the
//! transcript, so that it is the same in every round, for the caches of prompts.

use super::{appendix, ends, view, weight};
use crate::limits;
use crate::rendering;
use shidi_protocol::{Body, Moment, RunId, Segment, SegmentId, SegmentKind, SummaryBody};
use std::collections::BTreeMap;

/// The run that an outline is of: none.
const OF_NO_RUN: &str = "outline";

/// What the model is told of the lines below. A reading has a bound of lines, so it says how to get at the rest.
const HEAD: &str = "Earlier questions, about something else. Whole: results.find(handle, text), \
    results.read(handle, offset_line, limit_lines):";

/// An earlier question with all that came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierQuestion {
    pub handle: String,
    pub text: String,
    pub tainted: bool,
}

/// Earlier questions as they are kept under their handles. What ended by `before` was kept when the question before this
/// one left it behind.
#[must_use]
pub fn kept(segments: &[Segment], through: SegmentId, before: Option<SegmentId>) -> Vec<EarlierQuestion> {
    let is_newer = |run: &Vec<&Segment>| run.last().is_some_and(|last| Some(last.id) > before);
    let whole = |run: Vec<&Segment>| {
        let pieces: Vec<String> = run
            .iter()
            .filter(|segment| is_told(segment))
            .map(|segment| rendering::quoted(segment, str::to_owned))
            .collect();
        Some(EarlierQuestion {
            handle: handle(question(&run)?),
            text: pieces.join("\n"),
            tainted: run.iter().any(|segment| segment.tainted),
        })
    };
    let newer = runs(segments, through).into_iter().filter(is_newer);
    newer.filter_map(whole).collect()
}

/// The outline of everything up to a segment.
#[must_use]
pub fn outline(segments: &[Segment], through: SegmentId) -> Segment {
    let end = segments.partition_point(|segment| segment.id <= through);
    let runs = runs(segments, through);
    let lines: Vec<(String, String)> = runs.iter().filter_map(|run| line(run)).collect();
    let (older, newest) = lines.split_at(lines.len().saturating_sub(limits::OUTLINE_QUESTIONS_MAX));
    let mut text = HEAD.to_owned();
    if !older.is_empty() {
        let handles: Vec<&str> = older.iter().map(|(handle, _)| handle.as_str()).collect();
        let handles = ends(&handles.join(" "), limits::OUTLINE_CHARACTERS);
        text.push_str(&format!("\n({} older ones: {handles})", older.len()));
    }
    for (handle, line) in newest {
        text.push_str(&format!("\n{handle}: {line}"));
    }
    let left = appendix(&segments[..end]);
    if !left.is_empty() {
        text.push('\n');
        text.push_str(&left);
    }
    Segment {
        id: SegmentId(0),
        run: RunId::from(OF_NO_RUN),
        body: Body::Summary(SummaryBody {
            through,
            kept: Vec::new(),
            text,
        }),
        exec: None,
        round: 0,
        tainted: segments[..end].iter().any(|segment| segment.tainted),
        time: Moment(0),
    }
}

/// Tokens that an outline saves; `None` where it is not worth the loss of a provider's cache.
#[must_use]
pub fn saves(segments: &[Segment], through: SegmentId) -> Option<u32> {
    let seen = view(segments);
    let aside = seen.iter().filter(|segment| segment.id <= through);
    let aside: u32 = aside.map(|segment| weight(segment)).sum();
    let outline = weight(&outline(segments, through));
    let is_worth =
        aside >= limits::OUTLINED_TOKENS_MIN && outline <= aside / 100 * limits::OUTLINE_PERCENT_MAX;
    is_worth.then(|| aside.saturating_sub(outline))
}

/// The segments up to one, by runs in the order of their questions. A run may rest while others are at work.
fn runs(segments: &[Segment], through: SegmentId) -> Vec<Vec<&Segment>> {
    let end = segments.partition_point(|segment| segment.id <= through);
    let mut runs: Vec<Vec<&Segment>> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for segment in &segments[..end] {
        let place = *places.entry(segment.run.as_str()).or_insert(runs.len());
        match runs.get_mut(place) {
            Some(run) => run.push(segment),
            None => runs.push(vec![segment]),
        }
    }
    runs
}

/// What a run was asked; where nobody asked, the first thing that it says.
fn question<'a>(run: &[&'a Segment]) -> Option<&'a Segment> {
    let mut segments = run.iter().copied();
    let asked = segments.find(|segment| segment.is(&SegmentKind::User));
    asked.or_else(|| run.iter().copied().find(|segment| is_told(segment)))
}

/// The name of a run's whole text: its question's number.
fn handle(question: &Segment) -> String {
    format!("q{}", question.id)
}

/// The handle of a run, and its question with its answer in few words.
fn line(run: &[&Segment]) -> Option<(String, String)> {
    let short = |text: &str| {
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        ends(&rendering::harmless(&flat), limits::OUTLINE_CHARACTERS)
    };
    let question = question(run)?;
    let mut answers = run.iter().rev();
    let answer = answers.find(|segment| segment.is(&SegmentKind::Express));
    let answer = answer.map_or("(no answer)", |answer| answer.text());
    let line = format!("{} -> {}", short(question.text()), short(answer));
    Some((handle(question), line))
}

/// Whether a segment says something that is to be read again.
fn is_told(segment: &Segment) -> bool {
    !matches!(
        segment.body,
        Body::Summary(_) | Body::Cut { .. } | Body::Recalled { .. }
    )
}
