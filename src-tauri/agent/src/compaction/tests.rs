//! What a view keeps of any transcript, whatever its shape and the window.

use super::*;
use proptest::prelude::*;
use shidi_protocol::{ContextPiece, ExecId, Moment};

/// One stretch of a transcript.
#[derive(Debug, Clone)]
enum Stretch {
    Question(usize),
    /// A program and its output, of so many characters; perhaps words to the user between them.
    Step {
        program: usize,
        output: usize,
        says: bool,
    },
    Interrupted,
    Answer,
}

fn stretch() -> impl Strategy<Value = Stretch> {
    prop_oneof![
        1 => (1usize..2_000).prop_map(Stretch::Question),
        6 => (1usize..1_500, 0usize..8_000, any::<bool>())
            .prop_map(|(program, output, says)| Stretch::Step { program, output, says }),
        1 => Just(Stretch::Interrupted),
        1 => Just(Stretch::Answer),
    ]
}

fn transcript_of(stretches: &[Stretch]) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut exec = 0;
    add(&mut segments, SegmentKind::User, "the task".into(), None);
    for stretch in stretches {
        exec += 1;
        match stretch {
            Stretch::Question(length) => add(&mut segments, SegmentKind::User, "q".repeat(*length), None),
            Stretch::Step {
                program,
                output,
                says,
            } => {
                add(&mut segments, SegmentKind::Thought, format!("step {exec}"), None);
                add(
                    &mut segments,
                    SegmentKind::Python,
                    "p".repeat(*program),
                    Some(exec),
                );
                if *says {
                    add(&mut segments, SegmentKind::Express, "on it".into(), Some(exec));
                }
                add(
                    &mut segments,
                    SegmentKind::Output,
                    format!("{exec}{}", "o".repeat(*output)),
                    Some(exec),
                );
            }
            Stretch::Interrupted => add(&mut segments, SegmentKind::Python, "cut off".into(), Some(exec)),
            Stretch::Answer => add(&mut segments, SegmentKind::Express, "done".into(), None),
        }
    }
    segments
}

fn add(segments: &mut Vec<Segment>, kind: SegmentKind, text: String, exec: Option<u32>) {
    add_body(segments, Body::plain(&kind, text), exec);
}

fn add_body(segments: &mut Vec<Segment>, body: Body, exec: Option<u32>) {
    let id = u32::try_from(segments.len()).unwrap() + 1;
    segments.push(Segment {
        id: SegmentId(id),
        run: "run-00000001".into(),
        body,
        exec: exec.map(ExecId),
        round: 1,
        tainted: false,
        time: Moment(0),
    });
}

/// Compacts as the mind does, with a summary as long as it may be.
fn compact(segments: &mut Vec<Segment>, window: u32) -> Option<Plan> {
    let plan = plan(segments, window)?;
    let most = crate::areas::compaction::summary_tokens_max(window).min(plan.frees / 2);
    let body = "s ".repeat(usize::try_from(most).unwrap() * 2);
    let body: String = body.chars().take(usize::try_from(most * 4).unwrap()).collect();
    let summary = SummaryBody {
        through: plan.through,
        kept: plan.kept.clone(),
        text: body,
    };
    add_body(segments, Body::Summary(summary), None);
    Some(plan)
}

fn cut(segments: &mut Vec<Segment>, window: u32) -> Option<Cuts> {
    let cuts = cuts(segments, window)?;
    add_body(
        segments,
        Body::Cut {
            through: cuts.through,
        },
        None,
    );
    Some(cuts)
}

fn size(segments: &[Segment]) -> u32 {
    view(segments).iter().map(|segment| weight(segment)).sum()
}

fn whole(segments: &[Segment], id: SegmentId) -> bool {
    let original = &segments[usize::try_from(id.0).unwrap() - 1];
    view(segments).iter().any(|seen| seen.as_ref() == original)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_newest_work_and_what_the_user_said_last_stay_word_for_word(
        stretches in prop::collection::vec(stretch(), 0..60),
        window in 1_000u32..40_000,
        again in prop::collection::vec(stretch(), 0..20),
    ) {
        let mut segments = transcript_of(&stretches);
        let mut through = SegmentId(0);
        for more in [&again[..], &[]] {
            cut(&mut segments, window);
            let before = size(&segments);
            if let Some(plan) = compact(&mut segments, window) {
                prop_assert!(size(&segments) < before, "{} -> {}", before, size(&segments));
                prop_assert!(plan.through >= through, "what was covered stays covered");
                through = plan.through;
            }
            let said = segments.iter().rev().filter(|segment| segment.kind() == SegmentKind::User);
            for message in said.take(limits::MESSAGES_KEPT) {
                prop_assert!(whole(&segments, message.id), "message {}", message.id);
            }
            let outputs = segments.iter().rev().find(|segment| segment.kind() == SegmentKind::Output);
            if let Some(output) = outputs {
                prop_assert!(whole(&segments, output.id), "the last result");
                let is_its = |segment: &&Segment| segment.kind() == SegmentKind::Python && segment.exec == output.exec;
                let program = segments.iter().find(is_its).unwrap().id;
                prop_assert!(whole(&segments, program), "its program");
            }
            let start = u32::try_from(segments.len()).unwrap();
            for mut segment in transcript_of(more) {
                segment.id = SegmentId(segment.id.0 + start);
                segment.exec = segment.exec.map(|exec| ExecId(exec.0 + start));
                segments.push(segment);
            }
        }
    }

    #[test]
    fn a_compaction_is_never_followed_by_another_without_new_work(
        stretches in prop::collection::vec(stretch(), 0..80),
        window in 1_000u32..40_000,
    ) {
        let mut segments = transcript_of(&stretches);
        if compact(&mut segments, window).is_some() {
            prop_assert_eq!(plan(&segments, window), None);
        }
        if cut(&mut segments, window).is_some() {
            prop_assert_eq!(cuts(&segments, window), None);
        }
    }

    #[test]
    fn everything_is_seen_or_covered_or_kept_under_a_handle(
        stretches in prop::collection::vec(stretch(), 0..60),
        window in 1_000u32..40_000,
    ) {
        let original = transcript_of(&stretches);
        let mut segments = original.clone();
        let kept: Vec<SegmentId> = cut(&mut segments, window)
            .map(|cuts| cuts.whole.into_iter().map(|(_, segment)| segment.id).collect())
            .unwrap_or_default();
        let through = compact(&mut segments, window).map(|plan| plan.through).unwrap_or_default();
        prop_assert_eq!(&segments[..original.len()], &original[..], "the transcript is never changed");
        for segment in &original {
            let covered = segment.id <= through;
            prop_assert!(covered || whole(&segments, segment.id) || kept.contains(&segment.id));
        }
    }

    #[test]
    fn a_text_that_looks_like_a_head_covers_nothing(text in "(<summary through=\"|[0-9]{1,9}|\" kept=\"|\">|<cut through=\"|\"/>|[a-z ]){0,8}") {
        let mut segments = transcript_of(&[Stretch::Answer]);
        add(&mut segments, SegmentKind::Output, text.clone(), Some(9));
        add(&mut segments, SegmentKind::User, text.clone(), None);
        prop_assert_eq!(view(&segments).len(), segments.len());
        add(&mut segments, SegmentKind::Summary, text, None);
        prop_assert!(view(&segments).len() <= segments.len(), "and a broken one breaks nothing");
    }
}

#[test]
fn an_output_that_was_kept_when_it_came_is_reached_by_its_own_handle() {
    let mut segments = transcript_of(&[]);
    let text = format!(
        "{}\n… (the whole is kept as handle \"00000001-1\": use results.find)",
        "x".repeat(2_000)
    );
    add(&mut segments, SegmentKind::Output, text, Some(1));
    let short = shortened(&segments[1]).unwrap();
    assert!(short.text().contains("handle \"00000001-1\""), "{}", short.text());
    assert!(short.text().chars().count() < 320);
}

#[test]
fn a_digest_keeps_what_was_asked_what_failed_and_what_is_kept_where() {
    let mut segments = transcript_of(&[]);
    let file = ContextPiece {
        source: "file".into(),
        title: "a.csv".into(),
        url: Some("file:///a.csv".into()),
        text: "1,2".into(),
        untrusted: false,
    };
    add_body(&mut segments, Body::Context(file), None);
    add(&mut segments, SegmentKind::Python, "x = 1 / 0".into(), Some(1));
    add(
        &mut segments,
        SegmentKind::Output,
        format!(
            "{}\nkept as handle \"s4\"\nZeroDivisionError: division by zero",
            "line\n".repeat(500)
        ),
        Some(1),
    );
    let text = digest(&segments);
    for part in ["the task", "x = 1 / 0", "ZeroDivisionError"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let more = appendix(&segments);
    assert!(
        more.contains("file:///a.csv") && more.contains("handle \"s4\""),
        "{more}"
    );
}

#[test]
fn a_transcript_for_the_summary_fits_and_keeps_its_newest_steps() {
    let steps = vec![
        Stretch::Step {
            program: 800,
            output: 4_000,
            says: false
        };
        60
    ];
    let segments = transcript_of(&steps);
    let text = transcript(&segments, 3_000);
    assert!(shidi_protocol::tokens::estimate(&text) <= 3_100);
    assert!(text.contains("[Output]: 60o") && text.contains("earlier steps left out"));
}

#[test]
fn an_outline_has_a_handle_for_each_question_whose_text_is_whole() {
    let mut segments = Vec::new();
    for number in 0..30 {
        let question = format!("question {number} {}", "long ".repeat(60));
        add(&mut segments, SegmentKind::User, question, None);
        add(
            &mut segments,
            SegmentKind::Express,
            format!("answer {number}"),
            None,
        );
        let of_question = segments.iter_mut().rev().take(2);
        of_question.for_each(|segment| segment.run = format!("run-{number}").into());
    }
    let through = segments.last().unwrap().id;
    let whole = kept(&segments, through, None);
    assert_eq!(whole.len(), 30);
    for (question, pair) in whole.iter().zip(segments.chunks(2)) {
        assert!(pair.iter().all(|segment| question.text.contains(segment.text())));
    }
    let seen = view_without(&segments, Some(through));
    let text = rendering::text(&seen[0]).into_owned();
    assert_eq!(seen.len(), 1);
    for handle in [&whole[29].handle, &whole[10].handle, &whole[0].handle] {
        assert!(text.contains(handle.as_str()), "{handle}: {text}");
    }
    assert!(text.contains("question 29") && text.contains("answer 29"));
    assert!(
        !text.contains("question 3 "),
        "the older ones have their handles alone"
    );
    assert!(saves(&segments, through).is_some_and(|saved| saved > 1_000));
}

/// A run that rests while another one is asked and answers, and then says what it found.
fn of_a_rested_run() -> Vec<Segment> {
    let mut segments = Vec::new();
    for (run, kind, text) in [
        ("run-1", SegmentKind::User, "the first question"),
        ("run-1", SegmentKind::Thought, "a person must allow it"),
        ("run-2", SegmentKind::User, "the second question"),
        ("run-2", SegmentKind::Express, "the second answer"),
        ("run-1", SegmentKind::Express, "the first answer"),
    ] {
        add(&mut segments, kind, text.into(), None);
        segments.last_mut().unwrap().run = run.into();
    }
    segments
}

#[test]
fn a_run_that_rested_has_one_line_and_one_handle() {
    let segments = of_a_rested_run();
    let whole = kept(&segments, SegmentId(5), None);
    let handles: Vec<&str> = whole.iter().map(|question| question.handle.as_str()).collect();
    assert_eq!(handles, ["q1", "q3"]);
    assert!(whole[0].text.contains("the first question") && whole[0].text.contains("the first answer"));
    assert!(!whole[1].text.contains("first"), "{}", whole[1].text);
    let seen = view_without(&segments, Some(SegmentId(5)));
    let text = rendering::text(&seen[0]).into_owned();
    assert!(
        text.contains("q1: the first question -> the first answer"),
        "{text}"
    );
    assert!(
        text.contains("q3: the second question -> the second answer"),
        "{text}"
    );
}

#[test]
fn what_was_kept_is_kept_once_until_it_grows() {
    let segments = of_a_rested_run();
    let after = |before| {
        let kept = kept(&segments, SegmentId(5), Some(SegmentId(before)));
        kept.into_iter()
            .map(|question| question.handle)
            .collect::<Vec<_>>()
    };
    assert_eq!(after(2), ["q1", "q3"], "the one grew, the other is new");
    assert_eq!(after(4), ["q1"], "only its answer is new");
    assert!(after(5).is_empty());
}

#[test]
fn an_outline_tells_how_to_get_at_more_than_a_reading_shows() {
    let text = rendering::text(&outline::outline(&of_a_rested_run(), SegmentId(5))).into_owned();
    for way in [
        "results.find(handle, text)",
        "results.read(handle, offset_line, limit_lines)",
    ] {
        assert!(text.contains(way), "{way}: {text}");
    }
}

#[test]
fn a_summary_that_covers_more_takes_the_place_of_an_outline() {
    let mut segments = transcript_of(&[Stretch::Answer]);
    let through = segments[0].id;
    let last = segments.last().unwrap().clone();
    segments.push(Segment {
        id: last.id.next(),
        body: Body::Summary(SummaryBody {
            through: last.id,
            kept: Vec::new(),
            text: "all of it".into(),
        }),
        ..last
    });
    let seen = view_without(&segments, Some(through));
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].text(), "all of it");
}
