//! How models, programs and tools fared, a line each; the figures of the dashboard as comma-separated values.

use crate::console::{Console, Look};
use crate::failure::Failure;
use shidi_protocol::{Dashboard, StepKind, StepStatistics};

const MEGABYTE: u64 = 1 << 20;

/// Shows what was counted, models first, what was used most first.
///
/// # Errors
/// A reader that went away.
pub fn show(statistics: &[StepStatistics], console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return statistics.iter().try_for_each(|one| console.json(one));
    }
    if statistics.is_empty() {
        console.note(Look::Dim, console.words.nothing_here());
    }
    let mut kind = None;
    for one in statistics {
        if kind.replace(one.what) != Some(one.what) {
            console.line(&console.painted(Look::Strong, console.words.step_kind(one.what)))?;
        }
        console.line(&line(one, console))?;
    }
    Ok(())
}

/// Writes the figures as comma-separated values, their head first; as one object where JSON is asked for.
///
/// # Errors
/// A reader that went away.
pub fn write(dashboard: &Dashboard, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(dashboard);
    }
    dashboard.csv().iter().try_for_each(|line| console.line(line))
}

fn line(one: &StepStatistics, console: &Console) -> String {
    let words = console.words;
    let mut line = format!("  {}  {}×", one.name, one.count);
    if one.failed > 0 {
        let classes: Vec<String> = one
            .errors
            .iter()
            .map(|(class, count)| format!("{class} {count}"))
            .collect();
        let failed = words.failures(classes.join(", "), one.failed);
        line.push_str(&format!(" · {}", console.painted(Look::Bad, &failed)));
    }
    let times = words.usual_and_longest(one.median_ms, one.p95_ms);
    line.push_str(&format!(" · {times}"));
    match one.what {
        StepKind::Model => {
            let cost = one.cost.map(|cost| format!(" · ${cost:.4}")).unwrap_or_default();
            line.push_str(&format!(
                " · {}{cost}",
                words.tokens_in_and_out(one.input, one.output)
            ));
        }
        StepKind::Program => {
            let megabytes = one.memory_bytes.div_ceil(MEGABYTE);
            line.push_str(&format!(" · CPU {} · {megabytes} MB", words.lasted(one.cpu_ms)));
        }
        StepKind::Tool => {}
    }
    line
}
