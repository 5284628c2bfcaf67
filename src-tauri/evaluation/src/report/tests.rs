//! Reports hold what an evaluation came to, and nothing in them is taken for their own words.

use super::{html, junit};
use crate::comparison::{Summary, compare, groups, summarise};
use crate::outcome::{CheckOutcome, Outcome, Verdict};
use shidi_locales::Language;
use shidi_protocol::{JsonMap, Usage};

fn outcome(side: &str, task: &str, verdict: Verdict) -> Outcome {
    Outcome {
        side: side.to_owned(),
        task: task.to_owned(),
        attempt: 1,
        verdict,
        score: 0.0,
        checks: vec![CheckOutcome {
            check: "contains".to_owned(),
            holds: verdict == Verdict::Right,
            score: 0.0,
            weight: 1.0,
            metric: Some("words".to_owned()),
            reason: "wanted <b>; there is “x”".to_owned(),
        }],
        said: vec!["q".to_owned()],
        answers: vec!["<script>alert(1)</script>\u{1}".to_owned()],
        programs: 0,
        repeated: 0,
        calls: 0,
        reason: None,
        usage: Usage::default(),
        ms: 1_500,
        reused: false,
        metadata: JsonMap::new(),
    }
}

fn evaluated() -> (Summary, Vec<Outcome>) {
    let mut outcomes = Vec::new();
    for task in 0..8 {
        outcomes.push(outcome("one", &format!("t{task}"), Verdict::Wrong));
        outcomes.push(outcome(
            "two",
            &format!("t{task}"),
            if task == 0 {
                Verdict::Broken
            } else {
                Verdict::Right
            },
        ));
    }
    let summary = Summary {
        suite: "s.yaml".to_owned(),
        description: "a & b".to_owned(),
        sides: vec![summarise("one", &outcomes), summarise("two", &outcomes)],
        comparisons: vec![compare("one", "two", &outcomes, 1)],
        groups: groups(&["one", "two"].map(str::to_owned), &outcomes),
    };
    (summary, outcomes)
}

#[test]
fn a_page_shows_the_figures_of_each_kind_of_task() {
    let (mut summary, mut outcomes) = evaluated();
    for (place, outcome) in outcomes.iter_mut().enumerate() {
        let kind = if place < 8 { "<two>" } else { "none" };
        outcome.metadata.insert("kind".to_owned(), kind.into());
    }
    summary.groups = groups(&["one".to_owned()], &outcomes);
    for language in Language::ALL {
        let page = html(&summary, &outcomes, *language);
        assert!(page.contains("<h2>kind</h2>"), "{page}");
        assert!(page.contains("<th scope=\"row\">&lt;two&gt;</th>"), "{page}");
        assert!(page.contains("<th scope=\"row\">none</th>"), "{page}");
    }
}

#[test]
fn a_page_stands_alone_and_runs_nothing_of_an_answer() {
    let (summary, outcomes) = evaluated();
    for language in Language::ALL {
        let page = html(&summary, &outcomes, *language);
        assert!(page.contains("a &amp; b") && page.contains("&lt;script&gt;"));
        assert!(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"));
    }
}

#[test]
fn junit_counts_failures_and_errors_of_each_side() {
    let (summary, outcomes) = evaluated();
    let xml = junit(&summary, &outcomes);
    assert!(
        xml.contains("<testsuite name=\"one\" tests=\"8\" failures=\"8\" errors=\"0\" time=\"12.000\">"),
        "{xml}"
    );
    assert!(
        xml.contains("<testsuite name=\"two\" tests=\"8\" failures=\"0\" errors=\"1\""),
        "{xml}"
    );
    assert!(!xml.contains('\u{1}') && xml.contains("wanted &lt;b&gt;"));
}

#[test]
fn a_difference_of_seven_tasks_to_none_is_more_than_chance() {
    let (summary, _) = evaluated();
    let comparison = &summary.comparisons[0];
    assert_eq!(
        (
            comparison.only_second.len(),
            comparison.only_first.len(),
            comparison.neither
        ),
        (7, 0, 1)
    );
    assert!(comparison.significant && (comparison.p - 0.015_625).abs() < 1e-9);
    assert!(comparison.difference_low > 0.5 && comparison.difference_high <= 1.0);
}
