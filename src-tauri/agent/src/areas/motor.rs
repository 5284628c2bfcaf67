//! Motor: takes a program's end and goes on, finishes, or gives up with reasons.
//!
//! The planner's one round ends here. Further work goes on in the executor's setting, in rounds with a sub-goal
//! each. The rounds end when the task is done or a bound is reached.

mod repetition;

use super::{Ending, Next, Step};
use crate::bounds;
use crate::compaction;
use crate::effect::{Effect, Record};
use crate::event::{Finding, ProgramEnd};
use crate::failures;
use crate::formats::line_of_middle;
use crate::limits;
use crate::parameters;
use crate::results;
use crate::run_context::RunContext;
use crate::state::{Phase, Setting};
use crate::todo;
use shidi_protocol::{ExecId, RunEventKind, Segment, SegmentKind};

/// Begins a program that the model wrote.
pub fn start(context: &mut RunContext, program: String) -> Vec<Effect> {
    let exec = context.state.last_exec.next();
    context.state.last_exec = exec;
    context.state.phase = Phase::Running { exec };
    context.state.answers = 0;
    context.requested = 0;
    context.forget_program();
    context.pin_toolkits(&program);
    let shown = context.add(SegmentKind::Python, program.clone(), Some(exec));
    vec![
        context.commit(),
        shown,
        Effect::Show(RunEventKind::Code {
            exec,
            program: program.clone(),
        }),
        Effect::RunProgram {
            exec,
            program,
            replay: false,
            first_call: context.state.last_call.next(),
        },
    ]
}

/// Runs the program under way again from its beginning: its recorded calls are answered from the record.
pub fn replay(context: &mut RunContext, exec: ExecId) -> Vec<Effect> {
    let program = program_of(context, exec).unwrap_or_default().to_owned();
    let recorded = || {
        let calls = context.calls.values();
        calls.filter(|record| record.call.exec == exec && !record.call.id.is_aside())
    };
    let first_call = recorded().map(|record| record.call.id).min();
    let first_call = first_call.unwrap_or(context.state.last_call.next());
    // New answers are numbered after all recorded ones.
    context.state.answers = recorded().filter_map(|record| record.answered).max().unwrap_or(0);
    context.requested = 0;
    context.forget_program();
    vec![
        context.commit(),
        Effect::Show(RunEventKind::Code {
            exec,
            program: program.clone(),
        }),
        Effect::RunProgram {
            exec,
            program,
            replay: true,
            first_call,
        },
    ]
}

/// Takes a program that the check refused: nothing of it ran.
pub fn program_refused(context: &mut RunContext, findings: &[Finding]) -> Step {
    let Some(exec) = context.exec() else {
        return Next::Wait.into();
    };
    let program = program_of(context, exec).unwrap_or_default().to_owned();
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
    repetition::note(context, exec, &text);
    let shown = context.add_output(text.clone(), exec, true);
    let output = RunEventKind::Output {
        exec,
        stdout: String::new(),
        ok: false,
        error: Some(report),
        ms: 0,
        cpu_ms: 0,
        memory_bytes: 0,
    };
    let next = next(context, exec, Some(text));
    Step::new(vec![shown, Effect::Show(output)], next)
}

/// The text of a program of this run.
fn program_of(context: &RunContext, exec: ExecId) -> Option<&str> {
    let mut own = context.own_segments();
    let program = own.find(|segment| segment.kind() == SegmentKind::Python && segment.exec == Some(exec));
    program.map(Segment::text)
}

/// A line of a program; where the model wrote the middle only, also its number within that middle.
fn place(program: &str, line: u32) -> String {
    match line_of_middle(program, line) {
        Some(own) => format!("line {line} (line {own} of your part)"),
        None => format!("line {line}"),
    }
}

/// Takes a program that has ended, well or badly.
pub fn program_ended(context: &mut RunContext, end: ProgramEnd) -> Step {
    let Some(exec) = context.exec() else {
        return Next::Wait.into();
    };
    if end.diverged {
        let error = failures::of_replay(context, &end.error.unwrap_or_default());
        return Next::Break(Ending::failed(error)).into();
    }
    let came = format!("{:?}", (&end.stdout, &end.value, &end.error));
    // Before the output is kept, which would be looked at as a source.
    let open = end.error.as_ref().and_then(|_| parameters::question(context));
    let mut effects = keep_output(context, &end);
    if let Some(question) = open {
        effects.push(context.add(SegmentKind::Express, question.clone(), None));
        let answer = Some(question);
        return Step::new(effects, Next::End(Ending::Completed { answer }));
    }
    repetition::note(context, exec, &came);
    let next = next(context, exec, end.error);
    Step::new(effects, next)
}

/// The step after a program that has ended. A program of the user's own is the whole run; a model's is a round of it.
fn next(context: &RunContext, exec: ExecId, error: Option<String>) -> Next {
    let said = said_by(context, exec);
    let is_given = context.settings.program.is_some();
    match (error, said) {
        (None, answer) if is_given => Next::End(Ending::Completed { answer }),
        (Some(error), _) if is_given => {
            Next::End(Ending::failed(failures::of_given_program(context, &error)))
        }
        (None, Some(answer)) => Next::Judge { answer },
        (None, None) | (Some(_), _) => Next::Round,
    }
}

/// Keeps a program's output and the variables that it left.
pub fn keep_output(context: &mut RunContext, end: &ProgramEnd) -> Vec<Effect> {
    let Some(exec) = context.exec() else {
        return Vec::new();
    };
    let text = output_text(context, exec, end);
    let mut effects = vec![
        context.add_output(text, exec, end.error.is_some()),
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
    if end.variables != context.variables {
        context.variables.clone_from(&end.variables);
        effects.push(Effect::Show(RunEventKind::Variables {
            names: context.variables.clone(),
        }));
    }
    effects
}

/// Goes on with another round, or gives up when the last one is over.
pub fn next_round(context: &mut RunContext) -> Step {
    context.state.round += 1;
    if bounds::reached(context).is_some() {
        return Next::Bound.into();
    }
    context.state.setting = Setting::Executor;
    let head = format!("{} of {}", context.state.round, context.settings.rounds_max);
    let mut effects = vec![context.add(SegmentKind::Round, head, None)];
    let failed_alike = bounds::same_failures(context) >= limits::SAME_FAILURES_REMINDED;
    let reminder = failed_alike
        .then_some(
            "This program failed in the same way before. Do it another way, or give up with the reasons.",
        )
        .or_else(|| repetition::reminder(context));
    if let Some(reminder) = reminder {
        effects.push(context.add(SegmentKind::Reminder, reminder, None));
    }
    effects.extend(todo::remind(context));
    Step::new(effects, Next::Think)
}

/// The words that a program said to the user itself.
fn said_by(context: &RunContext, exec: ExecId) -> Option<String> {
    let said = context.own_segments();
    let said = said.filter(|segment| segment.kind() == SegmentKind::Express && segment.exec == Some(exec));
    let said = said.map(Segment::text).collect::<Vec<_>>().join("\n\n");
    (!said.is_empty()).then_some(said)
}

/// The output as the model reads it. A long output goes to the cache; its head, shape and handle stand in its place.
fn output_text(context: &mut RunContext, exec: ExecId, end: &ProgramEnd) -> String {
    let mut text = end.stdout.trim_end().to_owned();
    if let Some(value) = &end.value {
        push_line(&mut text, &format!("=> {value}"));
    }
    let handle = compaction::output_handle(context.run.as_str(), exec.0);
    if let Some(shown) = results::shortened(&text, &handle) {
        let tainted = context.state.tainted;
        context.note(Record::Result {
            handle,
            text,
            tainted,
        });
        text = shown;
    }
    if let Some(error) = &end.error {
        push_line(&mut text, error);
    }
    text
}

fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}
