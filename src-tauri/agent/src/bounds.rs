//! The bounds of a task: rounds, time, tokens, money, and the same failure over and over (F3.3).
//!
//! Bounds are looked at before more work is begun. A run at a bound gives up and says why, with its last failure.

use crate::limits;
use crate::run_context::RunContext;
use shidi_protocol::{Segment, SegmentKind};

/// The first bound that is reached, as a sentence in the user's language.
#[must_use]
pub fn reached(context: &RunContext) -> Option<String> {
    rounds(context)
        .or_else(|| tokens(context))
        .or_else(|| money(context))
        .or_else(|| time(context))
        .or_else(|| repetition(context))
}

/// The sentence about a bound that was reached, with the last failure.
pub fn reasons(context: &RunContext, bound: &str) -> String {
    let outputs = context
        .own_segments()
        .rev()
        .filter(|segment| segment.kind() == SegmentKind::Output);
    let mut lasts = outputs.map(|segment| {
        segment
            .text()
            .trim_end()
            .lines()
            .last()
            .unwrap_or_default()
            .trim()
    });
    let Some(last) = lasts.next() else {
        return bound.to_owned();
    };
    if !last.is_empty() {
        return format!("{bound}\n{last}");
    }
    let silent = context.say().last_printed_nothing();
    match lasts.find(|line| !line.is_empty()) {
        Some(earlier) => {
            let before = context.say().before_it_came();
            format!("{bound}\n{silent}\n{before}{earlier}")
        }
        None => format!("{bound}\n{silent}"),
    }
}

fn rounds(context: &RunContext) -> Option<String> {
    let most = context.settings.rounds_max;
    let text = context.say().rounds_over(most);
    (context.state.round > most).then_some(text)
}

fn tokens(context: &RunContext) -> Option<String> {
    let most = context.settings.tokens_max?;
    let used = context
        .state
        .usage
        .input
        .saturating_add(context.state.usage.output);
    let text = context.say().tokens_over(most, used);
    (used > most).then_some(text)
}

fn money(context: &RunContext) -> Option<String> {
    let most = context.settings.usd_max?;
    // A model without a price has no cost here: the bound of tokens still holds for it.
    let spent = context.state.usage.cost?;
    let text = context.say().money_over(most, format_args!("{spent:.4}"));
    (spent > most).then_some(text)
}

fn time(context: &RunContext) -> Option<String> {
    let most_ms = context.settings.time_max_ms?;
    let spent_ms = context.state.worked_ms + context.now.since(context.state.stretch);
    let minutes = most_ms.div_ceil(60_000);
    let text = context.say().minutes_over(minutes);
    (spent_ms > most_ms).then_some(text)
}

fn repetition(context: &RunContext) -> Option<String> {
    let times = context.state.same_outcomes;
    let text = context.say().same_outcomes(times);
    if times >= limits::SAME_OUTCOMES_MAX {
        return Some(text);
    }
    let times = same_failures(context);
    let text = context.say().same_failures(times);
    (times >= limits::SAME_FAILURES_MAX).then_some(text)
}

/// How often in a row the newest program failed in the same way.
#[must_use]
pub fn same_failures(context: &RunContext) -> usize {
    let steps = |kind: SegmentKind| {
        let own = context.own_segments().rev();
        own.filter(move |segment| segment.kind() == kind)
            .take(limits::SAME_FAILURES_MAX)
    };
    let (mut programs, mut outputs) = (steps(SegmentKind::Python), steps(SegmentKind::Output));
    let (Some(program), Some(output)) = (programs.next(), outputs.next()) else {
        return 0;
    };
    if !output.failed() {
        return 0;
    }
    let is_same = |(other, result): &(&Segment, &Segment)| {
        other.text() == program.text() && result.text() == output.text() && result.failed()
    };
    1 + programs.zip(outputs).take_while(is_same).count()
}
