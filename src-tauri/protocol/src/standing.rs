//! Which answers of a run count.
//!
//! One that is sent back to the model gives way to the next one. Where none comes before the run is over, it counts after all.
//! One that broke off with its process gives way only once the next one is there.

use crate::{Body, RunStatus, RunSummary, Segment, SegmentId};

/// The last answer of the model's own in a run, if it was sent back.
#[must_use]
pub fn sent_back<'a>(of_run: impl IntoIterator<Item = &'a Segment>) -> Option<SegmentId> {
    let answers = answers(of_run);
    answers
        .last()
        .filter(|answer| answer.is_sent_back)
        .map(|answer| answer.id)
}

/// The answers of a session that do not count, by its segments and how its runs stand.
#[must_use]
pub fn withdrawn(segments: &[Segment], runs: &[RunSummary]) -> Vec<SegmentId> {
    let of_run = |run: &RunSummary| {
        let mut answers = answers(segments.iter().filter(|segment| segment.run == run.id));
        let is_over = run.status.is_some_and(RunStatus::is_over);
        let last = answers.pop();
        answers.retain(|answer| answer.is_sent_back || answer.is_broken_off);
        answers.extend(last.filter(|answer| answer.is_sent_back && !is_over));
        answers
    };
    let withdrawn = runs.iter().flat_map(of_run);
    withdrawn.map(|answer| answer.id).collect()
}

struct Answer {
    id: SegmentId,
    is_sent_back: bool,
    is_broken_off: bool,
}

/// The model's own answers, oldest first. Segments between an answer and the reminder that sends it back come from
/// elsewhere. They tell that the answer was cut, that a job has ended, or the user's words meanwhile.
fn answers<'a>(of_run: impl IntoIterator<Item = &'a Segment>) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    let mut is_last = false;
    for segment in of_run {
        let is_answer = matches!(segment.body, Body::Express { .. }) && segment.exec.is_none();
        if is_answer {
            answers.push(Answer {
                id: segment.id,
                is_sent_back: false,
                is_broken_off: false,
            });
        } else if let Some(answer) = answers.last_mut().filter(|_| is_last) {
            answer.is_sent_back |= matches!(segment.body, Body::Reminder { .. });
            answer.is_broken_off |= matches!(segment.body, Body::Stopped { .. });
        }
        let comes_from_elsewhere = matches!(segment.body, Body::Notification { .. } | Body::User { .. });
        is_last = is_answer || (is_last && comes_from_elsewhere);
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExecId, Moment, RunId, SegmentKind, Usage};

    /// A transcript: `a` is an answer, `p` what a program says, any other letter the kind that begins with it.
    fn segments(letters: &str) -> Vec<Segment> {
        let segment = |(id, letter): (u32, char)| Segment {
            id: SegmentId(id),
            run: RunId::from("r"),
            body: Body::plain(
                &match letter {
                    'a' | 'p' => SegmentKind::Express,
                    'R' => SegmentKind::Reminder,
                    'N' => SegmentKind::Notification,
                    'U' => SegmentKind::User,
                    'S' => SegmentKind::Stopped,
                    _ => SegmentKind::Python,
                },
                "",
            ),
            exec: (letter == 'p').then_some(ExecId(1)),
            round: 1,
            tainted: false,
            time: Moment(1),
        };
        (1..).zip(letters.chars()).map(segment).collect()
    }

    fn run(status: Option<RunStatus>) -> RunSummary {
        RunSummary {
            id: RunId::from("r"),
            parent: None,
            versions: Vec::new(),
            status,
            reason: None,
            error: None,
            usage: Usage::default(),
            offline: false,
            waiting: Vec::new(),
            awaiting: None,
            seq: 1,
        }
    }

    #[test]
    fn an_answer_that_was_sent_back_counts_only_where_no_other_comes() {
        use RunStatus::{Cancelled, Completed, Suspended};
        for (letters, status, expected) in [
            ("Ua", Some(Completed), &[][..]),
            ("UaRa", Some(Completed), &[2]),
            ("UaNUR", None, &[2]),
            ("UaR", Some(Suspended), &[2]),
            ("UaR", Some(Completed), &[]),
            ("UaR", Some(Cancelled), &[]),
            ("UaRPRa", Some(Completed), &[2]),
            ("UaRaRa", Some(Completed), &[2, 4]),
            ("UpRa", Some(Completed), &[]),
            ("UaPRa", Some(Completed), &[]),
            ("UaS", None, &[]),
            ("UaSa", Some(Completed), &[2]),
            ("UaS", Some(Cancelled), &[]),
        ] {
            let ids: Vec<u32> = withdrawn(&segments(letters), &[run(status)])
                .into_iter()
                .map(|id| id.0)
                .collect();
            assert_eq!(ids, expected, "{letters} {status:?}");
        }
        assert_eq!(sent_back(&segments("UaRP")), Some(SegmentId(2)));
        assert_eq!(sent_back(&segments("UaRa")), None);
    }
}
