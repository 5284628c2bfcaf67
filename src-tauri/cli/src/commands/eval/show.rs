//! The output of an evaluation: a line for each attempt, a table of the sides, and their differences.

use crate::console::{Console, Look};
use crate::failure::Failure;
use serde_json::json;
use shidi_evaluation::{Comparison, Group, Outcome, SideSummary, Suite, Summary, Verdict};
use shidi_locales::Evaluation as Sentences;

/// Shows the tasks of a suite that is only read.
pub fn checked(suite: &Suite, console: &Console) -> Result<(), Failure> {
    for case in &suite.cases {
        match console.is_json() {
            true => console
                .json(&json!({"task": case.name, "turns": case.turns.len(), "checks": case.checks.len()}))?,
            false => console.line(&console.painted(Look::Plain, &case.name))?,
        }
    }
    Ok(())
}

/// Shows an attempt that is over, and how many are.
pub fn outcome(outcome: &Outcome, done: usize, total: usize, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(outcome);
    }
    let say = console.words.language().evaluation();
    console.progress_over();
    let (mark, look) = match outcome.verdict {
        Verdict::Right => ("✓", Look::Good),
        Verdict::Wrong | Verdict::Looped | Verdict::TimedOut | Verdict::Broken => ("✗", Look::Bad),
    };
    let Outcome {
        side, task, usage, ..
    } = outcome;
    let figures = format!(
        "{} · {} + {} · {:.1} s{}",
        usage.model_calls,
        usage.input,
        usage.output,
        outcome.ms as f64 / 1_000.0,
        if outcome.reused { " ↺" } else { "" }
    );
    let head = console.painted(look, &format!("{mark} {}", verdict(outcome.verdict, say)));
    let figures = console.painted(Look::Dim, &figures);
    let name = console.painted(Look::Plain, &format!("{task}  {side}"));
    console.line(&format!("{head}  {name}  {figures}"))?;
    let failed = outcome.checks.iter().filter(|check| !check.holds);
    for check in failed {
        let text = format!("    {}: {}", check.check, check.reason.replace('\n', " "));
        console.line(&console.painted(Look::Dim, &text))?;
    }
    if let Some(reason) = outcome
        .reason
        .as_ref()
        .filter(|_| outcome.verdict != Verdict::Right)
    {
        console.line(&console.painted(Look::Dim, &format!("    {reason}")))?;
    }
    if console.can_redraw() && done < total {
        console.redraw(&format!("{} {}", bar(done, total), say.of_total(done, total)));
    }
    Ok(())
}

/// Twenty places, as many of them full as the share says.
fn bar(done: usize, total: usize) -> String {
    const PLACES: usize = 20;
    let full = (done * PLACES).checked_div(total).unwrap_or(0);
    format!("{}{}", "█".repeat(full), "░".repeat(PLACES - full))
}

fn verdict(verdict: Verdict, say: Sentences) -> &'static str {
    match verdict {
        Verdict::Right => say.right(),
        Verdict::Wrong => say.wrong(),
        Verdict::Looped => say.looped(),
        Verdict::TimedOut => say.timed_out(),
        Verdict::Broken => say.broken(),
    }
}

/// Shows the figures of each side, and the sides beside one another.
pub fn summary(summary: &Summary, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(summary);
    }
    let say = console.words.language().evaluation();
    let width = summary
        .sides
        .iter()
        .map(|side| side.side.chars().count())
        .max()
        .unwrap_or(0);
    console.line("")?;
    for side in &summary.sides {
        console.line(&console.painted(Look::Strong, &row(side, width, say)))?;
    }
    for comparison in &summary.comparisons {
        console.line(&console.painted(Look::Plain, &compared(comparison, say)))?;
        for (name, tasks) in [
            (&comparison.first, &comparison.only_first),
            (&comparison.second, &comparison.only_second),
        ] {
            if !tasks.is_empty() {
                let text = format!("    {}: {}", say.only_right(name), tasks.join(", "));
                console.line(&console.painted(Look::Dim, &text))?;
            }
        }
    }
    grouped(&summary.groups, console)
}

/// The figures by what the suite says of its tasks, below each key.
fn grouped(groups: &[Group], console: &Console) -> Result<(), Failure> {
    let say = console.words.language().evaluation();
    let words = widest(groups.iter().map(|group| &group.word));
    let sides = groups.iter().flat_map(|group| &group.sides);
    let names = widest(sides.map(|side| &side.side));
    let mut key = "";
    for group in groups {
        if group.key != key {
            key = &group.key;
            console.line(&console.painted(Look::Strong, key))?;
        }
        for side in &group.sides {
            let line = format!(
                "    {:<words$}  {:<names$}  {}",
                group.word,
                side.side,
                share(side, say)
            );
            console.line(&console.painted(Look::Plain, &line))?;
        }
    }
    Ok(())
}

fn widest<'a>(words: impl Iterator<Item = &'a String>) -> usize {
    words.map(|word| word.chars().count()).max().unwrap_or(0)
}

/// How many attempts are right, and their share with its interval.
fn share(side: &SideSummary, say: Sentences) -> String {
    format!(
        "{}/{} {} · {:.0} % ({:.0} – {:.0} %)",
        side.right,
        side.attempts,
        say.right(),
        side.share * 100.0,
        side.share_low * 100.0,
        side.share_high * 100.0
    )
}

fn row(side: &SideSummary, width: usize, say: Sentences) -> String {
    let SideSummary {
        side: name, usage, ..
    } = side;
    let rest = [
        (side.wrong, Verdict::Wrong),
        (side.looped, Verdict::Looped),
        (side.timed_out, Verdict::TimedOut),
        (side.broken, Verdict::Broken),
    ];
    let rest: String = rest
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, of)| format!(" · {count} {}", verdict(of, say)))
        .collect();
    format!(
        "{name:<width$}  {}{rest} · {} + {} {} · {} · {:.1} {}",
        share(side, say),
        usage.input,
        usage.output,
        say.tokens(),
        say.model_calls_counted(u64::from(usage.model_calls)),
        side.ms as f64 / 1_000.0,
        say.seconds()
    )
}

fn compared(comparison: &Comparison, say: Sentences) -> String {
    let verdict = if comparison.significant {
        say.more_than_chance()
    } else {
        say.may_be_chance()
    };
    let percent = |share: f64| format!("{:+.1}", share * 100.0);
    let (low, high) = (
        percent(comparison.difference_low),
        percent(comparison.difference_high),
    );
    say.compared(
        percent(comparison.difference),
        format_args!("{low} … {high}"),
        format_args!("{:.3}", comparison.p),
        format_args!("{} / {}", comparison.first, comparison.second),
        verdict,
    )
}
