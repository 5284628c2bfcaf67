//! The rows to write, by name, gathered in batches that are written whole or not at all. The file of a table says how
//! its rows are written. A table with many kinds of writes names them there, too.

use crate::table::blob::BlobWrite;
use crate::table::change::ChangeWrite;
use crate::table::experience::ExperienceWrite;
use crate::table::form_use::FormWrite;
use crate::table::guess::GuessWrite;
use crate::table::knowledge::KnowledgeWrite;
use crate::table::learning::LearningStep;
use crate::table::memory::MemoryWrite;
use crate::table::partial_answer::PartialAnswer;
use crate::table::prompt_part::ForgottenParts;
use crate::table::result::ToolResult;
use crate::table::rule::Rule;
use crate::table::run_state::RunState;
use crate::table::schedule::ScheduleWrite;
use crate::table::session::{HeadMove, Session};
use crate::table::span::Step;
use crate::table::switch::SwitchedOff;
use crate::table::variable::{self, Variable, VariableRow, sweep};
use crate::table::vector::Embedded;
use crate::table::visit::Visit;
use crate::table::workflow::WorkflowWrite;
use crate::table::{
    call, learning, look, partial_answer, prompt_part, result, rule, run_state, segment, session, setting,
    span, switch, vector, visit,
};
use rusqlite::Connection;
use serde_json::Value;
use shidi_protocol::{
    CallRecord, LookRecord, MeasuredPrompt, Moment, RunId, Segment, SegmentId, SessionId, Usage,
};

/// One row to write. A row comes after the rows that it names. A segment comes after its session, a call after the
/// state of its run.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    PutSession(Session),
    TouchSession {
        session: SessionId,
        updated: Moment,
    },
    /// The user calls it so.
    RenameSession {
        session: SessionId,
        title: String,
    },
    /// The folders that its programs may work in.
    SetFolders {
        session: SessionId,
        folders: Vec<String>,
    },
    /// The session is called so until the user gives it a title.
    EntitleSession {
        session: SessionId,
        title: String,
    },
    /// Shows the session up to that run of it.
    SetHead {
        session: SessionId,
        run: RunId,
    },
    /// Shows another version of it, unless it shows something else by now.
    MoveHead {
        session: SessionId,
        to: HeadMove,
    },
    /// Deletes everything that belongs to the session, its words in the index, and its lessons. Records that the user
    /// asked to remember stay.
    DeleteSession(SessionId),
    AppendSegment {
        session: SessionId,
        segment: Box<Segment>,
    },
    /// Takes a segment's text away, and the trace of its run, which holds the text too. The fact that something was
    /// said stays.
    EraseSegment {
        session: SessionId,
        segment: SegmentId,
    },
    UpsertCall(Box<CallRecord>),
    /// How a run stands. One that is over, or rests, has no answer under way.
    PutRun(Box<RunState>),
    /// The partial answer of a run at work, over its earlier form; of any other run nothing is written.
    PutPartialAnswer(Box<PartialAnswer>),
    /// The partial answer is whole, or void.
    DropPartialAnswer(RunId),
    PutVariable {
        session: SessionId,
        variable: Variable,
    },
    /// The name is not there from that run on; before it, it is.
    DeleteVariable {
        session: SessionId,
        name: String,
        run: Option<RunId>,
    },
    /// The same on somebody's word: only what another version ends with stays.
    EraseVariable {
        session: SessionId,
        name: String,
        run: Option<RunId>,
    },
    /// Takes values away that no version ends with, beyond what may be kept of them.
    SweepVariables(SessionId),
    PutSetting {
        key: String,
        value: Value,
    },
    PutRule(Rule),
    /// Whether programs may be offered that tool, or that whole toolkit.
    Switch {
        switch: SwitchedOff,
        on: bool,
    },
    DeleteRule {
        pattern: String,
    },
    Memory(MemoryWrite),
    /// Something is to be learned from a run that ended then. The row comes after the run's state.
    BeginLearning {
        run: RunId,
        since: Moment,
    },
    /// The step that the run waits for is tried.
    TryLearning(RunId),
    /// The findings of a learning step, and the next step. Nothing when the run is gone or waits for another step.
    EndLearning {
        run: RunId,
        step: LearningStep,
        found: Vec<Write>,
        next: Option<LearningStep>,
    },
    /// A run that is over took so much more.
    AddUsage {
        run: RunId,
        usage: Usage,
    },
    /// The session was about that page.
    PutVisit(Visit),
    /// The session is one with that assistant: what is said in it is seen by that one alone.
    AttributeSession {
        session: SessionId,
        assistant: String,
    },
    Knowledge(KnowledgeWrite),
    Blob(BlobWrite),
    Change(ChangeWrite),
    Experience(ExperienceWrite),
    Workflow(WorkflowWrite),
    Schedule(ScheduleWrite),
    Form(FormWrite),
    Guess(GuessWrite),
    /// The vectors of texts, as one embedding model gives them.
    PutVectors {
        model: String,
        placed: Vec<Embedded>,
    },
    /// Drops the vectors of every other model: another one was chosen.
    DropOtherVectors {
        model: String,
    },
    PutResult(ToolResult),
    /// A line of the ledger of looks, or what became of it.
    PutLook(Box<LookRecord>),
    /// A step of a trace, over an earlier form of it; nothing when its run is gone.
    PutStep {
        run: RunId,
        step: Box<Step>,
    },
    /// Drops the steps of runs that began before that moment and are over.
    DropSteps {
        before: Moment,
    },
    /// Counts the parts of the prompt of a task that is over.
    MeasurePrompt(Box<MeasuredPrompt>),
    /// Drops the counts of what the user removed.
    ForgetParts(ForgottenParts),
}

impl Write {
    /// Does again in a session what a run did with a variable.
    #[must_use]
    pub fn variable(session: SessionId, row: VariableRow) -> Self {
        match row {
            VariableRow::Left(variable) => Self::PutVariable { session, variable },
            VariableRow::Deleted { name, run } => Self::DeleteVariable { session, name, run },
        }
    }

    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::PutSession(session) => session::put(connection, session),
            Self::TouchSession { session, updated } => session::touch(connection, session, *updated),
            Self::RenameSession { session, title } => session::rename(connection, session, title),
            Self::SetFolders { session, folders } => session::set_folders(connection, session, folders),
            Self::EntitleSession { session, title } => session::entitle(connection, session, title),
            Self::SetHead { session, run } => session::set_head(connection, session, run),
            Self::MoveHead { session, to } => session::move_head(connection, session, to),
            Self::DeleteSession(session) => session::delete(connection, session),
            Self::AppendSegment { session, segment } => segment::append(connection, session, segment),
            Self::EraseSegment { session, segment } => segment::erase(connection, session, *segment),
            Self::UpsertCall(record) => call::put(connection, record),
            Self::PutRun(state) => run_state::put(connection, state),
            Self::PutPartialAnswer(answer) => partial_answer::put(connection, answer),
            Self::DropPartialAnswer(run) => partial_answer::delete(connection, run),
            Self::PutVariable { session, variable } => variable::put(connection, session, variable),
            Self::DeleteVariable { session, name, run } => {
                variable::delete(connection, session, name, run.as_ref())
            }
            Self::EraseVariable { session, name, run } => {
                sweep::erase(connection, session, name, run.as_ref())
            }
            Self::SweepVariables(session) => sweep::sweep(connection, session),
            Self::PutSetting { key, value } => setting::put(connection, key, value),
            Self::PutRule(rule) => rule::put(connection, rule),
            Self::DeleteRule { pattern } => rule::delete(connection, pattern),
            Self::Switch { switch, on } => switch::put(connection, switch, *on),
            Self::Memory(write) => write.apply(connection),
            Self::BeginLearning { run, since } => learning::begin(connection, run, *since),
            Self::TryLearning(run) => learning::attempt(connection, run),
            Self::EndLearning {
                run,
                step,
                found,
                next,
            } => {
                // What a step found is written once: with its end.
                match learning::end(connection, run, *step, *next)? {
                    true => found.iter().try_for_each(|write| write.apply(connection)),
                    false => Ok(()),
                }
            }
            Self::AddUsage { run, usage } => run_state::add_usage(connection, run, usage),
            Self::PutVisit(visit) => visit::put(connection, visit),
            Self::AttributeSession { session, assistant } => visit::attribute(connection, session, assistant),
            Self::Knowledge(write) => write.apply(connection),
            Self::Blob(write) => write.apply(connection),
            Self::Change(write) => write.apply(connection),
            Self::Experience(write) => write.apply(connection),
            Self::Workflow(write) => write.apply(connection),
            Self::Schedule(write) => write.apply(connection),
            Self::Form(write) => write.apply(connection),
            Self::Guess(write) => write.apply(connection),
            Self::PutVectors { model, placed } => vector::put(connection, model, placed),
            Self::DropOtherVectors { model } => vector::drop_others(connection, model),
            Self::PutResult(result) => result::put(connection, result),
            Self::PutLook(look) => look::put(connection, look),
            Self::PutStep { run, step } => span::put(connection, run, step),
            Self::DropSteps { before } => span::drop_older(connection, *before),
            Self::MeasurePrompt(prompt) => prompt_part::measure(connection, prompt),
            Self::ForgetParts(forgotten) => prompt_part::forget(connection, forgotten),
        }
    }

    /// Whether text must be gone from the disk once this is written.
    pub(crate) fn erases(&self) -> bool {
        match self {
            Self::DeleteSession(_)
            | Self::EraseSegment { .. }
            | Self::ForgetParts(_)
            | Self::Workflow(WorkflowWrite::Delete(_))
            | Self::Schedule(ScheduleWrite::Delete(_)) => true,
            Self::Memory(write) => write.erases(),
            Self::Form(write) => write.erases(),
            Self::Guess(write) => write.erases(),
            Self::EndLearning { found, .. } => found.iter().any(Self::erases),
            Self::Knowledge(write) => write.erases(),
            Self::Experience(write) => write.erases(),
            Self::PutSession(_)
            | Self::TouchSession { .. }
            | Self::RenameSession { .. }
            | Self::SetFolders { .. }
            | Self::EntitleSession { .. }
            | Self::SetHead { .. }
            | Self::MoveHead { .. }
            | Self::AppendSegment { .. }
            | Self::UpsertCall(_)
            | Self::PutRun(_)
            | Self::PutPartialAnswer(_)
            // What it said stands in the transcript, or was taken back: overwriting the row is enough.
            | Self::DropPartialAnswer(_)
            | Self::PutVariable { .. }
            | Self::DeleteVariable { .. }
            | Self::EraseVariable { .. }
            | Self::SweepVariables(_)
            | Self::PutSetting { .. }
            | Self::PutRule(_)
            | Self::DeleteRule { .. }
            | Self::Switch { .. }
            | Self::BeginLearning { .. }
            | Self::TryLearning(_)
            // Bytes are not here, and what goes by age or was not made is overwritten: that is enough.
            | Self::Blob(_)
            | Self::Change(_)
            | Self::Workflow(WorkflowWrite::Begin(_) | WorkflowWrite::Advance { .. })
            | Self::Schedule(ScheduleWrite::Put(_) | ScheduleWrite::PutRun(_) | ScheduleWrite::Seen { .. })
            | Self::AddUsage { .. }
            | Self::PutVisit(_)
            | Self::AttributeSession { .. }
            | Self::PutVectors { .. }
            | Self::DropOtherVectors { .. }
            | Self::PutResult(_)
            | Self::PutLook(_)
            | Self::PutStep { .. }
            | Self::MeasurePrompt(_)
            // By age, not on somebody's word: overwriting the rows is enough.
            | Self::DropSteps { .. } => false,
        }
    }

    /// Whether this brings text that is indexed later.
    pub(crate) fn is_searched(&self) -> bool {
        matches!(self, Self::AppendSegment { .. })
    }
}

/// Writes that belong together: one transaction, in this order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Batch(pub Vec<Write>);

impl Batch {
    pub fn push(&mut self, write: Write) {
        self.0.push(write);
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        self.0.iter().try_for_each(|write| write.apply(connection))
    }
}

impl From<Write> for Batch {
    fn from(write: Write) -> Self {
        Self(vec![write])
    }
}

impl From<Vec<Write>> for Batch {
    fn from(writes: Vec<Write>) -> Self {
        Self(writes)
    }
}

impl FromIterator<Write> for Batch {
    fn from_iter<Writes: IntoIterator<Item = Write>>(writes: Writes) -> Self {
        Self(writes.into_iter().collect())
    }
}
