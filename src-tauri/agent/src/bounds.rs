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
    let silent = context.in_language("最后的程序什么也没输出", "The last program printed nothing");
    match lasts.find(|line| !line.is_empty()) {
        Some(earlier) => {
            let before = context.in_language("之前的结果是：", "Before it came: ");
            format!("{bound}\n{silent}\n{before}{earlier}")
        }
        None => format!("{bound}\n{silent}"),
    }
}

fn rounds(context: &RunContext) -> Option<String> {
    let most = context.settings.rounds_max;
    let text = context.in_language(
        format!("试了 {most} 轮没做成"),
        format!("Not done after {most} rounds"),
    );
    (context.state.round > most).then_some(text)
}

fn tokens(context: &RunContext) -> Option<String> {
    let most = context.settings.tokens_max?;
    let used = context
        .state
        .usage
        .input
        .saturating_add(context.state.usage.output);
    let text = context.in_language(
        format!("用完了这次任务的 {most} 个 token（已用 {used}）"),
        format!("The task's {most} tokens are used up ({used} used)"),
    );
    (used > most).then_some(text)
}

fn money(context: &RunContext) -> Option<String> {
    let most = context.settings.usd_max?;
    // A model without a price has no cost here: the bound of tokens still holds for it.
    let spent = context.state.usage.cost?;
    let text = context.in_language(
        format!("花完了这次任务的 ${most}（已花 ${spent:.4}）"),
        format!("The task's ${most} are spent (${spent:.4} so far)"),
    );
    (spent > most).then_some(text)
}

fn time(context: &RunContext) -> Option<String> {
    let most_ms = context.settings.time_max_ms?;
    let spent_ms = context.state.worked_ms + context.now.since(context.state.stretch);
    let minutes = most_ms.div_ceil(60_000);
    let text = context.in_language(
        format!("超过了这次任务的 {minutes} 分钟"),
        format!("The task's {minutes} minutes have passed"),
    );
    (spent_ms > most_ms).then_some(text)
}

fn repetition(context: &RunContext) -> Option<String> {
    let times = context.state.same_outcomes;
    let text = context.in_language(
        format!("同一段程序运行了 {times} 次，结果都一样"),
        format!("The same program came to the same {times} times"),
    );
    if times >= limits::SAME_OUTCOMES_MAX {
        return Some(text);
    }
    let times = same_failures(context);
    let text = context.in_language(
        format!("同一段程序以同样的方式失败了 {times} 次"),
        format!("The same program failed the same way {times} times"),
    );
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
