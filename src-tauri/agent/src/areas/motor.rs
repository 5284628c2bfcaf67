//! Motor: takes what became of a program and goes on, finishes, or gives up with reasons.
//!
//! The planner's one round ends here; what needs more goes on in the executor's setting, in rounds with a
//! sub-goal each, until the task is done or a bound is reached.

use super::{bounds, cognition, evaluation, expression, repetition, todo};
use crate::compaction;
use crate::effect::{Effect, Record};
use crate::event::{Finding, ProgramEnd};
use crate::formats::line_of_middle;
use crate::limits;
use crate::results;
use crate::situation::Situation;
use crate::state::Setting;
use shidi_protocol::{ExecId, RunEventKind, SegmentKind};

/// What the transcript says of a program that printed nothing.
const NO_OUTPUT: &str = "(no output)";

/// Takes a program that the check refused: nothing of it ran.
pub fn program_refused(situation: &mut Situation, findings: &[Finding]) -> Vec<Effect> {
    let Some(exec) = situation.exec() else {
        return Vec::new();
    };
    let program = program_of(situation, exec).unwrap_or_default().to_owned();
    let lines = findings.iter().map(|finding| {
        let hint = finding
            .hint
            .as_deref()
            .map(|hint| format!(" ({hint})"))
            .unwrap_or_default();
        format!("{}: {}{hint}", place(&program, finding.line), finding.message)
    });
    let report = lines.collect::<Vec<_>>().join("\n");
    let text = format!("Refused before it ran; nothing was executed.\n{report}");
    repetition::note(situation, exec, &text);
    let shown = situation.add_output(text, exec, true);
    let output = RunEventKind::Output {
        exec,
        stdout: String::new(),
        ok: false,
        error: Some(report),
        ms: 0,
        cpu_ms: 0,
        memory_bytes: 0,
    };
    let mut effects = vec![shown, Effect::Show(output)];
    effects.extend(next_round(situation));
    effects
}

/// The text of a program of this run.
pub fn program_of(situation: &Situation, exec: ExecId) -> Option<&str> {
    let mut own = situation.own_segments();
    let program = own.find(|segment| segment.kind == SegmentKind::Python && segment.exec == Some(exec));
    program.map(|segment| segment.text.as_str())
}

/// A line of a program, also as the model counts when it wrote the middle only.
fn place(program: &str, line: u32) -> String {
    match line_of_middle(program, line) {
        Some(own) => format!("line {line} (line {own} of your part)"),
        None => format!("line {line}"),
    }
}

/// Takes a program that has ended, well or badly.
pub fn program_ended(situation: &mut Situation, end: ProgramEnd) -> Vec<Effect> {
    let Some(exec) = situation.exec() else {
        return Vec::new();
    };
    if end.diverged {
        let error = end.error.unwrap_or_default();
        return expression::diverged(situation, &error);
    }
    let came = format!("{:?}", (&end.stdout, &end.value, &end.error));
    let mut effects = keep_output(situation, &end);
    repetition::note(situation, exec, &came);
    let said = said_by(situation, exec);
    match (end.error, said) {
        (None, Some(said)) => effects.extend(evaluation::finish(situation, said)),
        (None, None) | (Some(_), _) => effects.extend(next_round(situation)),
    }
    effects
}

/// Keeps what a program has printed, and the variables that it left.
pub fn keep_output(situation: &mut Situation, end: &ProgramEnd) -> Vec<Effect> {
    let Some(exec) = situation.exec() else {
        return Vec::new();
    };
    let text = output_text(situation, exec, end);
    let mut effects = vec![
        situation.add_output(text, exec, end.error.is_some()),
        Effect::Show(RunEventKind::Output {
            exec,
            stdout: end.stdout.clone(),
            ok: end.error.is_none(),
            error: end.error.clone(),
            ms: end.wall_ms,
            cpu_ms: end.cpu_ms,
            memory_bytes: end.memory_bytes,
        }),
    ];
    if end.variables != situation.variables {
        situation.variables.clone_from(&end.variables);
        effects.push(Effect::Show(RunEventKind::Variables {
            names: situation.variables.clone(),
        }));
    }
    effects
}

/// Goes on with another round, or gives up when the last one is over.
pub fn next_round(situation: &mut Situation) -> Vec<Effect> {
    situation.state.round += 1;
    if bounds::reached(situation).is_some() {
        return bounds::give_up(situation);
    }
    situation.state.setting = Setting::Executor;
    let head = format!("{} of {}", situation.state.round, situation.settings.rounds_max);
    let mut effects = vec![situation.add(SegmentKind::Round, head, None)];
    let failed_alike = bounds::same_failures(situation) >= limits::SAME_FAILURES_REMINDED;
    let reminder = failed_alike
        .then_some(
            "This program failed in the same way before. Do it another way, or give up with the reasons.",
        )
        .or_else(|| repetition::reminder(situation));
    if let Some(reminder) = reminder {
        effects.push(situation.add(SegmentKind::Reminder, reminder, None));
    }
    effects.extend(todo::remind(situation));
    effects.extend(cognition::think(situation));
    effects
}

/// A bound that was reached, with the last thing that went wrong.
pub fn reasons(situation: &Situation, bound: &str) -> String {
    let outputs = situation
        .own_segments()
        .rev()
        .filter(|segment| segment.kind == SegmentKind::Output);
    let mut lasts = outputs.map(|segment| segment.text.trim_end().lines().last().unwrap_or_default().trim());
    let Some(last) = lasts.next() else {
        return bound.to_owned();
    };
    if last != NO_OUTPUT && !last.is_empty() {
        return format!("{bound}\n{last}");
    }
    let silent = expression::by_language(
        situation,
        "最后的程序什么也没输出",
        "The last program printed nothing",
    );
    match lasts.find(|line| *line != NO_OUTPUT && !line.is_empty()) {
        Some(earlier) => {
            let before = expression::by_language(situation, "之前的结果是：", "Before it came: ");
            format!("{bound}\n{silent}\n{before}{earlier}")
        }
        None => format!("{bound}\n{silent}"),
    }
}

/// What a program told the user itself.
fn said_by(situation: &Situation, exec: ExecId) -> Option<String> {
    let said = situation.own_segments();
    let said = said.filter(|segment| segment.kind == SegmentKind::Express && segment.exec == Some(exec));
    let said = said
        .map(|segment| segment.text.as_str())
        .collect::<Vec<_>>()
        .join("\n\n");
    (!said.is_empty()).then_some(said)
}

/// The output as the model reads it. What is too long goes to the cache; head, shape and handle stand for it.
fn output_text(situation: &mut Situation, exec: ExecId, end: &ProgramEnd) -> String {
    let mut text = end.stdout.trim_end().to_owned();
    if let Some(value) = &end.value {
        push_line(&mut text, &format!("=> {value}"));
    }
    let handle = compaction::output_handle(situation.run.as_str(), exec.0);
    if let Some(shown) = results::shortened(&text, &handle) {
        let tainted = situation.state.tainted;
        situation.note(Record::Result {
            handle,
            text,
            tainted,
        });
        text = shown;
    }
    if let Some(error) = &end.error {
        push_line(&mut text, error);
    }
    if text.is_empty() {
        NO_OUTPUT.to_owned()
    } else {
        text
    }
}

fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}
