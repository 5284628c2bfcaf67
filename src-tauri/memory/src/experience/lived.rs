//! A run that is over, as its record tells it: what was tried, with what outcome. Judged by local rules alone.

use shidi_protocol::{
    Ask, CallRecord, CallState, ErrorCode, ExecId, ExperienceOutcome, HOST_TOOLKIT, RunId, RunStatus,
    Segment, SegmentKind,
};
use shidi_space::Space;
use shidi_space::storage;
use shidi_store::StoreError;

/// Toolkits that every program uses: they tell nothing of what a run was about.
const USUAL_TOOLKITS: [&str; 2] = ["user", HOST_TOOLKIT];

/// One program of a run with what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    pub program: String,
    /// As the model read it; empty when the run ended before.
    pub output: String,
    pub ending: Ending,
    /// `toolkit.method`, in their order, each once.
    pub tools: Vec<String>,
    /// Whether a stranger's words may stand in the program.
    pub is_program_tainted: bool,
    /// Whether a stranger's words may stand in the output.
    pub is_output_tainted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Worked,
    Failed,
    /// The user refused a call of it, or it never ended: nothing to learn from.
    Unjudged,
}

/// A run that is over.
#[derive(Debug, Clone)]
pub struct Lived {
    pub run: RunId,
    pub question: String,
    pub ask: Ask,
    pub attempts: Vec<Attempt>,
    /// Texts in the arguments of its calls.
    pub arguments: Vec<String>,
    pub outcome: ExperienceOutcome,
    pub language: String,
    pub tainted: bool,
    /// Whether answers came back with something missing.
    pub was_lacking: bool,
    /// Whether its programs were written for it, and not by rules or for an earlier run.
    pub is_original: bool,
    /// Whether its prompts left out the lessons that fit.
    pub is_without_lessons: bool,
}

/// Reads a run that is over; `None` when there is none, or it is not over.
///
/// # Errors
/// Storage trouble.
pub fn lived(space: &Space, run: &RunId) -> Result<Option<Lived>, StoreError> {
    let Some(row) = space.store.run(run)? else {
        return Ok(None);
    };
    let is_over = row.status.is_some_and(RunStatus::is_over);
    let Ok((state, ask)) = storage::read_state(&row) else {
        return Ok(None);
    };
    if !is_over || state.only_compacts {
        return Ok(None);
    }
    let calls = space.store.calls(run)?;
    let mut segments = space.store.segments(&row.session)?;
    segments.retain(|segment| segment.run == *run);
    let attempts = attempts(&segments, &calls);
    let code = row.error.as_ref().map(|error| error.code);
    let is_without_lessons = state.is_without_lessons();
    Ok(Some(Lived {
        run: row.run,
        question: row.question,
        outcome: outcome(row.status, code, &attempts),
        arguments: arguments(&calls),
        attempts,
        language: state.language,
        tainted: state.tainted,
        was_lacking: state.retriggers > 0,
        is_original: !row.offline && ask.replay.is_none(),
        is_without_lessons,
        ask,
    }))
}

/// How a run came out. What has no program used no experience; what broke around the task says nothing of it.
pub fn outcome(
    status: Option<RunStatus>,
    error: Option<ErrorCode>,
    attempts: &[Attempt],
) -> ExperienceOutcome {
    let Some(last) = attempts.last() else {
        return ExperienceOutcome::Neither;
    };
    match (status, error) {
        (Some(RunStatus::Completed), _) => match last.ending {
            Ending::Worked => ExperienceOutcome::Success,
            Ending::Failed => ExperienceOutcome::Failure,
            Ending::Unjudged => ExperienceOutcome::Neither,
        },
        (Some(RunStatus::GaveUp), _) | (Some(RunStatus::Failed), Some(ErrorCode::Task)) => {
            match attempts.iter().any(|attempt| attempt.ending == Ending::Failed) {
                true => ExperienceOutcome::Failure,
                false => ExperienceOutcome::Neither,
            }
        }
        (Some(RunStatus::Failed | RunStatus::Cancelled | RunStatus::Suspended) | None, _) => {
            ExperienceOutcome::Neither
        }
    }
}

/// The programs of a run in their order.
pub fn attempts(segments: &[Segment], calls: &[CallRecord]) -> Vec<Attempt> {
    let programs = segments
        .iter()
        .filter(|segment| segment.kind() == SegmentKind::Python);
    programs
        .filter_map(|program| Some(attempt(program, program.exec?, segments, calls)))
        .collect()
}

fn attempt(program: &Segment, exec: ExecId, segments: &[Segment], calls: &[CallRecord]) -> Attempt {
    let output = segments
        .iter()
        .rfind(|segment| segment.kind() == SegmentKind::Output && segment.exec == Some(exec));
    let mut tools = Vec::new();
    let mut was_refused = false;
    for record in calls.iter().filter(|record| record.call.exec == exec) {
        was_refused |= record.state == CallState::Refused;
        let tool = record.call.tool();
        if !USUAL_TOOLKITS.contains(&record.call.toolkit.as_str()) && !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    let ending = match output {
        Some(output) if !output.failed() => Ending::Worked,
        Some(_) if !was_refused => Ending::Failed,
        Some(_) | None => Ending::Unjudged,
    };
    Attempt {
        program: program.text().to_owned(),
        output: output.map(|output| output.text().to_owned()).unwrap_or_default(),
        ending,
        tools,
        is_program_tainted: program.tainted,
        is_output_tainted: output.is_some_and(|output| output.tainted),
    }
}

fn arguments(calls: &[CallRecord]) -> Vec<String> {
    let values = calls.iter().flat_map(|record| record.call.args.values());
    values
        .filter_map(|value| value.as_str())
        .map(str::to_owned)
        .collect()
}
