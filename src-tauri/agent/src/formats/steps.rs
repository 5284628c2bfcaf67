//! The transcript as steps, for formats that show a program and its output as a call and its result. Events
//! while the program ran (words to the user, an addition by the user) follow the result.

use crate::rendering;
use shidi_protocol::{Segment, SegmentKind};
use std::borrow::Cow;

pub(super) enum Step<'a> {
    Segment(&'a Segment),
    Program {
        program: &'a Segment,
        /// Absent when the program was interrupted.
        output: Option<&'a Segment>,
    },
}

/// Replaces the output of an interrupted program. Without an output a model takes the work for done, and
/// providers refuse a call without its result.
const INTERRUPTED: &str = "The program was interrupted and left no output.";

/// Replaces the output of a program that never began: its answer broke off, or a bound was reached.
const NOT_RUN: &str = "The program was not run.";

/// The words that replace a missing output.
pub(super) fn without_output(program: &Segment) -> &'static str {
    if program.exec.is_some() {
        INTERRUPTED
    } else {
        NOT_RUN
    }
}

/// The output of a program as a model reads it, or the words in its place.
pub(super) fn told<'a>(program: &Segment, output: Option<&'a Segment>) -> Cow<'a, str> {
    output.map_or_else(|| Cow::Borrowed(without_output(program)), rendering::text)
}

pub(super) fn steps<'a>(segments: &[&'a Segment]) -> Vec<Step<'a>> {
    let mut steps = Vec::with_capacity(segments.len());
    let mut taken: Vec<usize> = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        if taken.contains(&at) {
            continue;
        }
        if segment.kind() != SegmentKind::Python {
            steps.push(Step::Segment(segment));
            continue;
        }
        let output = output_of(segments, at);
        taken.extend(output);
        steps.push(Step::Program {
            program: segment,
            output: output.map(|place| segments[place]),
        });
    }
    steps
}

/// The index of the output of the program at `at`. `None` when the program was interrupted: no model is asked
/// while a program runs.
pub(super) fn output_of(segments: &[&Segment], at: usize) -> Option<usize> {
    let program = segments[at];
    // A program's output stands before the next program.
    let after = segments.iter().enumerate().skip(at + 1);
    let (place, _) = after
        .take_while(|(_, other)| other.kind() != SegmentKind::Python)
        .find(|(_, other)| {
            other.kind() == SegmentKind::Output && other.exec == program.exec && other.run == program.run
        })?;
    Some(place)
}
