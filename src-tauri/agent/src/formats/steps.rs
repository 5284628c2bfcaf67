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

/// What stands for the output of a program that was interrupted: else a model takes its work for done, and providers
/// refuse a call without its result.
const INTERRUPTED: &str = "The program was interrupted and left no output.";

/// What stands for the output of a program that was never begun: the answer with it broke off, or a bound was reached.
const NOT_RUN: &str = "The program was not run.";

/// The words in the place of an output that a program does not have.
pub(super) fn without_output(program: &Segment) -> &'static str {
    if program.exec.is_some() {
        INTERRUPTED
    } else {
        NOT_RUN
    }
}

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
        let output = output_of(segments, at);
        taken.extend(output);
        steps.push(Step::Program {
            program: segment,
            output: output.map(|place| segments[place]),
        });
    }
    steps
}

/// The place of the output of the program at `at`; none when the program was interrupted: while one runs, no model is
/// asked for the next step.
pub(super) fn output_of(segments: &[&Segment], at: usize) -> Option<usize> {
    let program = segments[at];
    // The output of a program stands before the next program.
    let after = segments.iter().enumerate().skip(at + 1);
    let (place, _) = after
        .take_while(|(_, other)| other.kind != SegmentKind::Python)
        .find(|(_, other)| {
            other.kind == SegmentKind::Output && other.exec == program.exec && other.run == program.run
        })?;
    Some(place)
}
