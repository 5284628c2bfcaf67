//! A page of the whole evaluation that stands alone: no script, no address, read without colours, too.

use super::escaped;
use crate::comparison::{Comparison, Group, SideSummary, Summary};
use crate::outcome::{CheckOutcome, Outcome, Verdict};
use shidi_locales::{Evaluation as Sentences, Language};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;\
color:#1a1a1a;background:#fff}table{border-collapse:collapse;width:100%;margin:1rem 0}\
th,td{border-bottom:1px solid #ccc;padding:.35rem .6rem;text-align:left;vertical-align:top}\
.n{text-align:right;font-variant-numeric:tabular-nums}.right{color:#146c2e}.no{color:#a3170d}\
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f4f4f4;padding:.6rem;margin:.3rem 0}\
.bar{background:#ddd;height:.5rem;min-width:6rem}.bar i{display:block;height:100%;background:#2b5fb3}\
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}pre{background:#242424}.right{color:#7ad18f}\
.no{color:#ff9d94}th,td{border-color:#444}.bar{background:#333}}";

/// The evaluation as a page.
#[must_use]
pub fn html(summary: &Summary, outcomes: &[Outcome], language: Language) -> String {
    let say = language.evaluation();
    let title = escaped(match summary.description.is_empty() {
        true => &summary.suite,
        false => &summary.description,
    });
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><h1>{title}</h1><p>{}</p>\n",
        language.code(),
        escaped(&summary.suite)
    );
    page.push_str(&sides(summary, say));
    summary
        .comparisons
        .iter()
        .for_each(|comparison| page.push_str(&compared(comparison, say)));
    let keys = summary.groups.chunk_by(|one, other| one.key == other.key);
    keys.for_each(|groups| page.push_str(&grouped(groups, say)));
    page.push_str(&format!("<h2>{}</h2>\n", escaped(say.tasks())));
    outcomes
        .iter()
        .for_each(|outcome| page.push_str(&task(outcome, say)));
    page.push_str("</body></html>\n");
    page
}

fn sides(summary: &Summary, say: Sentences) -> String {
    let rows: String = summary.sides.iter().map(|one| side(&one.side, one)).collect();
    table(say.side(), &rows, say)
}

/// The figures of tasks by the words of one key of theirs.
fn grouped(groups: &[Group], say: Sentences) -> String {
    let Some(first) = groups.first() else {
        return String::new();
    };
    let rows: String = groups
        .iter()
        .flat_map(|group| {
            let is_alone = group.sides.len() == 1;
            group.sides.iter().map(move |one| match is_alone {
                true => side(&group.word, one),
                false => side(&format!("{} · {}", group.word, one.side), one),
            })
        })
        .collect();
    let key = escaped(&first.key);
    format!("<h2>{key}</h2>{}", table(&first.key, &rows, say))
}

fn table(head: &str, rows: &str, say: Sentences) -> String {
    let heads = [
        head,
        say.share(),
        say.interval(),
        say.right(),
        say.wrong(),
        say.looped(),
        say.timed_out(),
        say.broken(),
        say.tokens(),
        say.model_calls(),
        say.seconds(),
    ];
    let heads: String = heads
        .iter()
        .map(|head| format!("<th scope=\"col\">{}</th>", escaped(head)))
        .collect();
    format!("<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>\n")
}

fn side(head: &str, side: &SideSummary) -> String {
    let share = side.share * 100.0;
    let cells = [
        format!("{:.0} – {:.0} %", side.share_low * 100.0, side.share_high * 100.0),
        side.right.to_string(),
        side.wrong.to_string(),
        side.looped.to_string(),
        side.timed_out.to_string(),
        side.broken.to_string(),
        format!("{} + {}", side.usage.input, side.usage.output),
        side.usage.model_calls.to_string(),
        format!("{:.1}", side.ms as f64 / 1_000.0),
    ];
    let cells: String = cells
        .iter()
        .map(|cell| format!("<td class=\"n\">{cell}</td>"))
        .collect();
    format!(
        "<tr><th scope=\"row\">{}</th><td>{share:.0} %<div class=\"bar\"><i style=\"width:{share:.0}%\"></i></div></td>{cells}</tr>\n",
        escaped(head)
    )
}

fn compared(comparison: &Comparison, say: Sentences) -> String {
    let names = |names: &[String]| escaped(&names.join(", "));
    let (first, second) = (escaped(&comparison.first), escaped(&comparison.second));
    let verdict = if comparison.significant {
        say.more_than_chance()
    } else {
        say.may_be_chance()
    };
    format!(
        "<h2>{first} / {second}</h2><p>{:+.1} % ({:+.1} … {:+.1}), p = {:.3}: {}</p>\
         <table><tr><th scope=\"row\">{}</th><td>{}</td></tr><tr><th scope=\"row\">{}</th><td>{}</td></tr>\
         <tr><th scope=\"row\">{}</th><td>{}</td></tr><tr><th scope=\"row\">{}</th><td>{}</td></tr></table>\n",
        comparison.difference * 100.0,
        comparison.difference_low * 100.0,
        comparison.difference_high * 100.0,
        comparison.p,
        escaped(verdict),
        escaped(say.both_right()),
        comparison.both,
        escaped(say.neither_right()),
        comparison.neither,
        escaped(&say.only_right(&comparison.first)),
        names(&comparison.only_first),
        escaped(&say.only_right(&comparison.second)),
        names(&comparison.only_second),
    )
}

/// A verdict in words.
pub fn verdict(verdict: Verdict, say: Sentences) -> &'static str {
    match verdict {
        Verdict::Right => say.right(),
        Verdict::Wrong => say.wrong(),
        Verdict::Looped => say.looped(),
        Verdict::TimedOut => say.timed_out(),
        Verdict::Broken => say.broken(),
    }
}

fn task(outcome: &Outcome, say: Sentences) -> String {
    let (mark, class) = match outcome.verdict {
        Verdict::Right => ("✓", "right"),
        Verdict::Wrong | Verdict::Looped | Verdict::TimedOut | Verdict::Broken => ("✗", "no"),
    };
    let mut body = String::new();
    for (place, said) in outcome.said.iter().enumerate() {
        let answer = outcome.answers.get(place).map_or("", String::as_str);
        body.push_str(&format!("<p>{}</p><pre>{}</pre>", escaped(said), escaped(answer)));
    }
    if let Some(reason) = &outcome.reason {
        body.push_str(&format!("<p>{}</p>", escaped(reason)));
    }
    let checks: String = outcome.checks.iter().map(check).collect();
    format!(
        "<details><summary><span class=\"{class}\">{mark} {}</span> {} #{} · {}</summary>{body}<ul>{checks}</ul></details>\n",
        escaped(verdict(outcome.verdict, say)),
        escaped(&outcome.task),
        outcome.attempt,
        escaped(&outcome.side)
    )
}

fn check(check: &CheckOutcome) -> String {
    let mark = if check.holds { "✓" } else { "✗" };
    format!(
        "<li>{mark} {} {}</li>",
        escaped(&check.check),
        escaped(&check.reason)
    )
}
