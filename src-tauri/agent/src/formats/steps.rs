//! The transcript as steps: each program together with its output, for formats that show them as a call and its
//! result. What happened while the program ran (words to the user, something the user added) follows the result.

use shidi_protocol::{Segment, SegmentKind};

pub(super) enum Step<'a> {
    Segment(&'a Segment),
    Program {
        program: &'a Segment,
        /// Absent when the program was interrupted.
        output: Option<&'a Segment>,
    },
}

/// What stands for the output of a program that was interrupted; providers refuse a call without its result.
pub(super) const INTERRUPTED: &str = "The program was interrupted and left no output.";

pub(super) fn steps<'a>(segments: &[&'a Segment]) -> Vec<Step<'a>> {
    let mut steps = Vec::with_capacity(segments.len());
    let mut taken: Vec<usize> = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        if taken.contains(&at) {
            continue;
        }
        if segment.kind != SegmentKind::Python {
            steps.push(Step::Segment(segment));
            continue;
        }
        let is_output = |other: &&Segment| {
            other.kind == SegmentKind::Output && other.exec == segment.exec && other.run == segment.run
        };
        // The output of a program stands before the next program.
        let until = segments[at + 1..]
            .iter()
            .position(|other| other.kind == SegmentKind::Python)
            .map_or(segments.len(), |next| at + 1 + next);
        let output = (at + 1..until).find(|place| is_output(&segments[*place]));
        taken.extend(output);
        steps.push(Step::Program {
            program: segment,
            output: output.map(|place| segments[place]),
        });
    }
    steps
}
