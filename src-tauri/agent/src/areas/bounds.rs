//! The bounds of a task: rounds, time, tokens, money, and the same failure over and over (F3.3).
//!
//! Looked at before more work is begun. Who reaches one gives up and says why, with the last thing that went wrong.

use super::{expression, motor};
use crate::effect::Effect;
use crate::limits;
use crate::situation::Situation;
use shidi_protocol::{Segment, SegmentKind};

/// The first bound that is reached, as a sentence in the user's language.
#[must_use]
pub fn reached(situation: &Situation) -> Option<String> {
    rounds(situation)
        .or_else(|| tokens(situation))
        .or_else(|| money(situation))
        .or_else(|| time(situation))
        .or_else(|| repetition(situation))
}

/// Gives up for the bound that is reached.
pub fn give_up(situation: &mut Situation) -> Vec<Effect> {
    let bound = reached(situation).unwrap_or_default();
    let reasons = motor::reasons(situation, &bound);
    expression::give_up(situation, reasons)
}

fn rounds(situation: &Situation) -> Option<String> {
    let most = situation.settings.rounds_max;
    let text = expression::by_language(
        situation,
        format!("试了 {most} 轮没做成"),
        format!("Not done after {most} rounds"),
    );
    (situation.state.round > most).then_some(text)
}

fn tokens(situation: &Situation) -> Option<String> {
    let most = situation.settings.tokens_max?;
    let used = situation
        .state
        .usage
        .input
        .saturating_add(situation.state.usage.output);
    let text = expression::by_language(
        situation,
        format!("用完了这次任务的 {most} 个 token（已用 {used}）"),
        format!("The task's {most} tokens are used up ({used} used)"),
    );
    (used > most).then_some(text)
}

fn money(situation: &Situation) -> Option<String> {
    let most = situation.settings.usd_max?;
    // A model without a price counts nothing here: the bound of tokens holds for it.
    let spent = situation.state.usage.cost?;
    let text = expression::by_language(
        situation,
        format!("花完了这次任务的 ${most}（已花 ${spent:.4}）"),
        format!("The task's ${most} are spent (${spent:.4} so far)"),
    );
    (spent > most).then_some(text)
}

fn time(situation: &Situation) -> Option<String> {
    let most_ms = situation.settings.time_max_ms?;
    let spent_ms = situation.state.worked_ms + situation.now.since(situation.state.stretch);
    let minutes = most_ms.div_ceil(60_000);
    let text = expression::by_language(
        situation,
        format!("超过了这次任务的 {minutes} 分钟"),
        format!("The task's {minutes} minutes have passed"),
    );
    (spent_ms > most_ms).then_some(text)
}

fn repetition(situation: &Situation) -> Option<String> {
    let times = situation.state.same_outcomes;
    let text = expression::by_language(
        situation,
        format!("同一段程序运行了 {times} 次，结果都一样"),
        format!("The same program came to the same {times} times"),
    );
    if times >= limits::SAME_OUTCOMES_MAX {
        return Some(text);
    }
    let times = same_failures(situation);
    let text = expression::by_language(
        situation,
        format!("同一段程序以同样的方式失败了 {times} 次"),
        format!("The same program failed the same way {times} times"),
    );
    (times >= limits::SAME_FAILURES_MAX).then_some(text)
}

/// How often in a row the newest program failed in the same way.
#[must_use]
pub fn same_failures(situation: &Situation) -> usize {
    let steps = |kind: SegmentKind| {
        let own = situation.own_segments().rev();
        own.filter(move |segment| segment.kind == kind)
            .take(limits::SAME_FAILURES_MAX)
    };
    let (mut programs, mut outputs) = (steps(SegmentKind::Python), steps(SegmentKind::Output));
    let (Some(program), Some(output)) = (programs.next(), outputs.next()) else {
        return 0;
    };
    if !output.failed {
        return 0;
    }
    let is_same = |(other, result): &(&Segment, &Segment)| {
        other.text == program.text && result.text == output.text && result.failed
    };
    1 + programs.zip(outputs).take_while(is_same).count()
}
