//! JUnit's XML: a suite of tests for each side, a test for each attempt.

use super::escaped;
use crate::comparison::Summary;
use crate::outcome::{Outcome, Verdict};
use std::fmt::Write;

/// The evaluation as JUnit's XML.
#[must_use]
pub fn junit(summary: &Summary, outcomes: &[Outcome]) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let count = |outcomes: &[&Outcome], verdict| {
        outcomes
            .iter()
            .filter(|outcome| outcome.verdict == verdict)
            .count()
    };
    let head = |xml: &mut String, tag: &str, name: &str, outcomes: &[&Outcome]| {
        let errors = count(outcomes, Verdict::Broken);
        let failures = outcomes.len() - errors - count(outcomes, Verdict::Right);
        let seconds = outcomes.iter().map(|outcome| outcome.ms).sum::<u64>() as f64 / 1_000.0;
        xml.push_str(&format!(
            "<{tag} name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\">\n",
            escaped(name),
            outcomes.len()
        ));
    };
    head(
        &mut xml,
        "testsuites",
        &summary.suite,
        &outcomes.iter().collect::<Vec<_>>(),
    );
    for side in &summary.sides {
        let own: Vec<&Outcome> = outcomes
            .iter()
            .filter(|outcome| outcome.side == side.side)
            .collect();
        head(&mut xml, "testsuite", &side.side, &own);
        own.iter()
            .for_each(|outcome| test(&mut xml, &summary.suite, outcome));
        xml.push_str("</testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn test(xml: &mut String, suite: &str, outcome: &Outcome) {
    let name = match outcome.attempt {
        1 => outcome.task.clone(),
        attempt => format!("{} #{attempt}", outcome.task),
    };
    let seconds = outcome.ms as f64 / 1_000.0;
    let (class, name) = (escaped(suite), escaped(&name));
    let mut body = String::new();
    let failed: Vec<String> = outcome
        .checks
        .iter()
        .filter(|check| !check.holds)
        .map(|check| format!("{}: {}", check.check, check.reason))
        .collect();
    let reason = outcome.reason.clone().unwrap_or_default();
    let message = failed.first().cloned().unwrap_or_else(|| reason.clone());
    let (message, whole) = (escaped(&message), escaped(&failed.join("\n")));
    let tag = match outcome.verdict {
        Verdict::Right => None,
        Verdict::Broken => Some("error"),
        Verdict::Wrong | Verdict::Looped | Verdict::TimedOut => Some("failure"),
    };
    if let Some(tag) = tag {
        let kind = format!("{:?}", outcome.verdict);
        body = format!(
            "<{tag} type=\"{kind}\" message=\"{message}\">{whole}{}</{tag}>",
            escaped(&reason)
        );
    }
    let answer = escaped(outcome.answers.last().map_or("", String::as_str));
    if writeln!(
        xml,
        "<testcase classname=\"{class}\" name=\"{name}\" time=\"{seconds:.3}\">{body}<system-out>{answer}</system-out></testcase>"
    )
    .is_err()
    {
        tracing::error!("a text takes no more");
    }
}
