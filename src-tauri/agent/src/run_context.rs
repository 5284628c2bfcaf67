//! Everything the mind knows of its run. Areas read and change it; each batch of changes is written at once.

use crate::cards::Card;
use crate::effect::{Effect, Record};
use crate::event::Decided;
use crate::foreign::{self, Arriving};
use crate::formats::Format;
use crate::limits;
use crate::permissions::Grants;
use crate::persona::Persona;
use crate::prompt_templates::OwnModules;
use crate::state::{Phase, RunState};
use shidi_locales::{Agent as Sentences, Language};
use shidi_protocol::{
    Attachment, Body, CallId, CallRecord, ExecId, Experience, MemoryHit, Moment, OfferedSkill,
    PromptPartCounts, RunEventKind, RunId, RunStatus, Segment, SegmentId, SegmentKind, SessionId, ShownCard,
    ToolkitSpec, UserError, VariablePreview,
};
use std::collections::{BTreeMap, BTreeSet};

/// The configuration of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub format: Format,
    pub rounds_max: u32,
    /// Tokens of all model calls of the run together; `None` leaves them unbounded.
    pub tokens_max: Option<u32>,
    /// US dollars of all model calls of the run together, as far as prices are known; `None` leaves them unbounded.
    pub usd_max: Option<f64>,
    /// Milliseconds of work, without the waits for people.
    pub time_max_ms: Option<u64>,
    pub window_tokens: u32,
    /// Whether the coder's model has few parameters, and is given the short prompt.
    pub is_small: bool,
    pub grants: Grants,
    pub toolkits: Vec<ToolkitSpec>,
    /// Skills that may be loaded, those nearest to the task first.
    pub skills: Vec<OfferedSkill>,
    pub assistant: String,
    /// Who answers, where its file says more than the name.
    pub persona: Option<Persona>,
    /// The run that started this one, for a sub-agent.
    pub under: Option<RunId>,
    /// The program that the user gave: the run is that program, and no model is asked.
    pub program: Option<String>,
    /// Whether the programs of an earlier run stand in for a model.
    pub is_replay: bool,
    /// Names of the models in use, the coder first.
    pub models: Vec<String>,
    /// The answers come from the offline planner.
    pub offline: bool,
    /// Whether a fast model is set up; without one, no question is asked beside the task's own.
    pub has_fast_model: bool,
    /// Whether a general model is set up. The general model is asked first, and hands over to the coder where it wants
    /// a program.
    pub has_general_model: bool,
    /// Whether the fast model judges answers of longer work before they are final.
    pub checks_answers: bool,
    /// Whether a question about something new has an outline in place of the earlier conversation.
    pub outlines_history: bool,
    /// Facts of the surroundings for the prompt: `system`, `timezone`, `folders`, ….
    pub environment: Vec<(String, String)>,
    /// Prompt modules that the user wrote in place of built-in ones.
    pub own_modules: OwnModules,
    /// How parts of earlier prompts fared, by which this one is composed; empty where all stands whole.
    pub measured: Vec<PromptPartCounts>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            format: Format::Fenced,
            rounds_max: limits::ROUNDS_MAX,
            tokens_max: None,
            usd_max: None,
            time_max_ms: None,
            window_tokens: limits::WINDOW_TOKENS_DEFAULT,
            is_small: false,
            grants: Grants::default(),
            toolkits: Vec::new(),
            skills: Vec::new(),
            assistant: "shidi".to_owned(),
            persona: None,
            under: None,
            program: None,
            is_replay: false,
            models: Vec::new(),
            offline: false,
            has_fast_model: false,
            has_general_model: false,
            checks_answers: false,
            outlines_history: false,
            environment: Vec::new(),
            own_modules: OwnModules::default(),
            measured: Vec::new(),
        }
    }
}

/// A run, with everything the mind knows of it.
#[derive(Debug, Clone)]
pub struct RunContext {
    pub session: SessionId,
    pub run: RunId,
    pub settings: Settings,
    pub state: RunState,
    /// The session's transcript so far, of earlier runs too, oldest first.
    pub segments: Vec<Segment>,
    /// Calls of this run.
    pub calls: BTreeMap<CallId, CallRecord>,
    /// Calls of the conversation's earlier runs whose values and answers still count, oldest first.
    pub earlier_calls: Vec<CallRecord>,
    pub variables: Vec<VariablePreview>,
    /// Names that earlier programs defined and that live no longer.
    pub gone: Vec<String>,
    pub attachments: Vec<Attachment>,
    /// Reviewed experiences that fit the question, best first.
    pub lessons: Vec<Experience>,
    /// Records that memory brought in by itself, best first.
    pub recalled: Vec<MemoryHit>,
    /// What the question before had left behind; this one is judged by it when it arrives.
    pub left_before: Option<SegmentId>,
    /// Time of the event under way.
    pub now: Moment,
    /// Calls handed to the toolkits whose results have not come yet.
    pub in_flight: u32,
    /// Calls whose performer waits for a person.
    pub resting: BTreeSet<CallId>,
    /// Hosts that commands at work wait for: the call that asks, and the command.
    pub asked_by: BTreeMap<CallId, CallId>,
    /// The program has nothing to do until a call returns.
    pub is_blocked: bool,
    /// The number of calls that the program under way has asked for. In a replay, the index of the next recorded call.
    pub requested: u32,
    /// Calls that wait for a person, and that the running program has asked for.
    pub open: BTreeSet<CallId>,
    /// Decisions on calls that a replayed program has not made again yet.
    pub decided: BTreeMap<CallId, Decided>,
    /// Ended background jobs with the text of their news, until the model is asked next.
    pub news: BTreeMap<String, String>,
    /// Ended background jobs whose end was told to the model, or was known already.
    pub told: Vec<String>,
    /// Whether a model is asked or a program runs.
    pub is_under_way: bool,
    /// Why the run ends, once the work under way has ended.
    pub stopping: Option<Stopping>,
    /// Rows added since the last write.
    pending: Vec<Record>,
}

/// Why a run is stopped from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopping {
    /// The user cancelled the run.
    Cancelled,
    /// The run's time limit has passed.
    TimedOut,
}

impl RunContext {
    #[must_use]
    pub fn new(
        session: SessionId,
        run: RunId,
        settings: Settings,
        segments: Vec<Segment>,
        now: Moment,
    ) -> Self {
        let last = segments.last().map(|segment| segment.id).unwrap_or_default();
        let mut state = RunState::new(now, last);
        // A conversation stays tainted by its reading: a new question does not make it clean. A program of the user's own
        // reads nothing of the conversation.
        state.tainted = settings.program.is_none()
            && segments
                .iter()
                .any(|segment| foreign::is_foreign(Arriving::Segment(segment)));
        Self {
            session,
            run,
            settings,
            state,
            segments,
            calls: BTreeMap::new(),
            earlier_calls: Vec::new(),
            variables: Vec::new(),
            gone: Vec::new(),
            attachments: Vec::new(),
            lessons: Vec::new(),
            recalled: Vec::new(),
            left_before: None,
            now,
            in_flight: 0,
            resting: BTreeSet::new(),
            asked_by: BTreeMap::new(),
            is_blocked: false,
            requested: 0,
            open: BTreeSet::new(),
            decided: BTreeMap::new(),
            news: BTreeMap::new(),
            told: Vec::new(),
            is_under_way: false,
            stopping: None,
            pending: Vec::new(),
        }
    }

    /// The event with which the run begins, or goes on.
    pub(crate) fn started(&self) -> RunEventKind {
        RunEventKind::RunStarted {
            session: self.session.clone(),
            assistant: self.settings.assistant.clone(),
            models: self.settings.models.clone(),
            offline: self.settings.offline,
            under: self.settings.under.clone(),
        }
    }

    /// The event with which the run ends, or rests.
    pub(crate) fn ended(
        &self,
        status: RunStatus,
        reason: Option<String>,
        error: Option<UserError>,
    ) -> RunEventKind {
        RunEventKind::RunEnded {
            status,
            reason,
            error,
            usage: self.state.usage,
            ms: self.now.since(self.state.started),
        }
    }

    /// The program's own messages, in the language of the interface.
    pub(crate) fn say(&self) -> Sentences {
        Language::named(self.state.interface()).agent()
    }

    /// Notes that no program is under way.
    pub(crate) fn forget_program(&mut self) {
        self.in_flight = 0;
        self.resting.clear();
        self.asked_by.clear();
        self.is_blocked = false;
    }

    /// Keeps the toolkits that come and go, and that `program` names, in the state: a replay finds them unchanged.
    pub(crate) fn pin_toolkits(&mut self, program: &str) {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let named: BTreeSet<&str> = program.split(|character| !is_part(character)).collect();
        let dynamic = self
            .settings
            .toolkits
            .iter()
            .filter(|toolkit| toolkit.source.is_dynamic() && named.contains(toolkit.name.as_str()));
        self.state.pinned_toolkits = dynamic.cloned().collect();
    }

    /// The toolkits that the program under way may call: the present ones, and the pinned ones that it began with.
    #[must_use]
    pub fn toolkits(&self) -> Vec<ToolkitSpec> {
        let pinned_toolkits = &self.state.pinned_toolkits;
        let is_other =
            |toolkit: &&ToolkitSpec| pinned_toolkits.iter().all(|known| known.name != toolkit.name);
        let others = self.settings.toolkits.iter().filter(is_other);
        others.chain(pinned_toolkits).cloned().collect()
    }

    /// Adds a segment to the transcript; the next batch writes it.
    pub fn add(&mut self, kind: SegmentKind, text: impl Into<String>, exec: Option<ExecId>) -> Effect {
        self.add_body(Body::plain(&kind, text), exec)
    }

    /// Adds a card, which is shown by an event of its own.
    pub fn add_card(&mut self, id: &str, card: &Card, exec: ExecId) -> Effect {
        let body = Body::Card(ShownCard {
            card_id: id.to_owned(),
            card: card.kind.to_owned(),
            text: card.told.clone(),
            data: card.data.clone(),
        });
        drop(self.add_body(body, Some(exec)));
        Effect::Show(RunEventKind::Card {
            id: id.to_owned(),
            kind: card.kind.to_owned(),
            data: card.data.clone(),
        })
    }

    /// Adds something that happened outside, which is shown by an event of its own.
    pub fn add_news(&mut self, source: &str, text: &str) -> Effect {
        drop(self.add(SegmentKind::Notification, text, None));
        Effect::Show(RunEventKind::Notification {
            source: source.to_owned(),
            text: text.to_owned(),
        })
    }

    /// Adds a program's output.
    pub fn add_output(&mut self, text: String, exec: ExecId, failed: bool) -> Effect {
        self.add_body(Body::Output { text, failed }, Some(exec))
    }

    /// Adds a segment of any body; the next batch writes it.
    pub fn add_body(&mut self, body: Body, exec: Option<ExecId>) -> Effect {
        self.state.last_segment = self.state.last_segment.next();
        let segment = Segment {
            id: self.state.last_segment,
            run: self.run.clone(),
            body: body.clone(),
            exec,
            round: self.state.round,
            tainted: self.state.tainted,
            time: self.now,
        };
        self.segments.push(segment.clone());
        self.pending.push(Record::Segment(segment));
        Effect::Show(RunEventKind::Segment { body, exec })
    }

    /// Adds another row to the next batch.
    pub fn note(&mut self, record: Record) {
        self.pending.push(record);
    }

    /// Keeps a call in its present state; the next batch writes the call.
    pub fn put_call(&mut self, record: CallRecord) {
        self.pending.push(Record::Call(Box::new(record.clone())));
        self.calls.insert(record.call.id, record);
    }

    /// Takes all rows so far as a commit: they are durable before later effects.
    pub fn commit(&mut self) -> Effect {
        Effect::Commit(self.drain())
    }

    /// Takes all rows so far as a buffer: the next commit writes them.
    pub fn buffer(&mut self) -> Effect {
        Effect::Buffer(self.drain())
    }

    /// Segments of this run.
    pub fn own_segments(&self) -> impl DoubleEndedIterator<Item = &Segment> {
        self.segments.iter().filter(|segment| segment.run == self.run)
    }

    /// The user's newest message.
    #[must_use]
    pub fn question(&self) -> &str {
        let mut own = self.own_segments().rev();
        own.find(|segment| segment.kind() == SegmentKind::User)
            .map_or("", |segment| segment.text())
    }

    /// The execution under way, if any.
    #[must_use]
    pub fn exec(&self) -> Option<ExecId> {
        match self.state.phase {
            Phase::Running { exec } => Some(exec),
            Phase::Perceiving
            | Phase::Thinking
            | Phase::Checking
            | Phase::Condensing
            | Phase::Writing
            | Phase::Ended => None,
        }
    }

    /// Marks the run, and everything it writes from now on, if the arriving text is foreign.
    pub fn takes_in(&mut self, arriving: Arriving<'_>) {
        self.state.tainted |= foreign::is_foreign(arriving);
    }

    fn drain(&mut self) -> Vec<Record> {
        let mut records = std::mem::take(&mut self.pending);
        records.push(Record::State(Box::new(self.state.clone())));
        records
    }
}
