//! What may be asked of a running Shidi, by the panel, the command line, or a second program over the socket.
//!
//! One request, then a stream of replies that ends with exactly one of [`Reply::Ended`] (work that streams),
//! a direct answer, or [`Reply::Failed`].

use crate::{
    Ask, CallId, ChangeDeed, ConfigEntry, Contrary, DaySpending, ExecRequest, ExecResult, Experience,
    ExperienceCount, ExperienceDeed, ExperienceEffect, FileChange, JobDeed, JobView, KeyKeeper, KeyStatus,
    KnowledgeBase, KnowledgeDocument, KnowledgePiece, KnowledgeReport, KnowledgeRequest, ListedPeer,
    ListedToolkit, LocalServer, LookAt, LookRecord, MemoryCount, MemoryDeed, MemoryHit, MemoryMeaning,
    MemoryRecord, MemoryRoom, MemoryScope, ModelEntry, PageDeed, PageState, PageVisit, PeerDeed, Provider,
    RememberedRule, Replay, ReplayPreview, RunEvent, RunId, RunStatus, ScreenView, SessionDetail, SessionId,
    SessionSummary, Span, StepStatistics, ToolDeed, TraceQuery, TraceSummary, UserError, VariableDeed,
    VariablePreview, Verdict,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "request", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum Request {
    /// Starts a run. Replies: events, then `Ended`.
    Ask(Box<Ask>),
    /// Continues a suspended or interrupted run (the newest when `None`). Replies as `Ask`.
    Resume {
        run: Option<RunId>,
    },
    /// Approves a waiting call; `always` remembers its family. Replies as `Ask`.
    Approve {
        run: RunId,
        call: CallId,
        always: bool,
    },
    Refuse {
        run: RunId,
        call: CallId,
        reason: Option<String>,
    },
    /// Answers a waiting question; the first one when no call is named.
    Answer {
        run: RunId,
        #[serde(default)]
        call: Option<CallId>,
        text: String,
    },
    /// Stops a run. Replies: `Done`.
    Cancel {
        run: RunId,
    },
    /// Opens a session that leaves nothing. Replies: `Incognito` with its id, for questions; then nothing until the
    /// connection closes, and with it the session is gone.
    Incognito,
    /// Events of every run and changes of the configuration from now on, until the connection closes.
    Watch,
    Exec(ExecRequest),
    /// What a replay would do. Replies: `ReplayPreview`; it is begun with `Ask`.
    ReplayPreview(Replay),
    /// Tells what would be sent of something that the user attaches. Replies: any number of `Progress`, then
    /// `Inspected`.
    Inspect {
        source: crate::AttachSource,
        /// The session that it is for, when that one is incognito.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session: Option<SessionId>,
    },
    SessionList {
        limit: u32,
    },
    SessionShow {
        session: SessionId,
    },
    SessionSearch {
        text: String,
        limit: u32,
    },
    /// The lines of a session's file. Replies: `Lines`.
    SessionExport {
        session: SessionId,
    },
    /// Keeps the session of such a file; of a file with a broken line nothing is kept. Replies: `Session`, under ids of its
    /// own where those of the file are taken.
    SessionImport {
        path: String,
    },
    /// Replies: `Done`.
    SessionRename {
        session: SessionId,
        title: String,
    },
    SessionDelete {
        session: SessionId,
    },
    /// A new session with everything of `session` before that run, or all of it. Replies: `Session`, the new one.
    SessionBranch {
        session: SessionId,
        before: Option<RunId>,
    },
    /// Shortens the conversation for the model, keeping the transcript. Replies as `Ask`.
    SessionCompact {
        session: SessionId,
    },
    ConfigList,
    ConfigSet {
        key: String,
        value: String,
    },
    /// What the user asked to be remembered: what fits `text` best, or the newest when it is empty.
    MemorySearch {
        text: String,
        limit: u32,
    },
    /// About knowledge bases.
    Knowledge(KnowledgeRequest),
    Memory {
        deed: MemoryDeed,
    },
    /// About what runs taught.
    Experience {
        deed: ExperienceDeed,
    },
    /// About MCP servers.
    Peers {
        deed: PeerDeed,
    },
    /// About browsers and the pages in them.
    Pages {
        deed: PageDeed,
    },
    /// About what tasks changed in files.
    Changes {
        deed: ChangeDeed,
    },
    /// About the variables that programs of a session left. Replies: `Variables`.
    Variables {
        session: SessionId,
        deed: VariableDeed,
    },
    /// About the background jobs of a session. Replies: `Jobs`.
    Jobs {
        session: SessionId,
        deed: JobDeed,
    },
    /// About what programs may call.
    Tools {
        deed: ToolDeed,
    },
    /// Decisions about calls that are remembered. Replies: `Rules`.
    RuleList,
    /// Remembers a decision about a family of calls. Replies: the `Rules` that there are now.
    RuleSet {
        pattern: String,
        verdict: Verdict,
    },
    /// Forgets one of them. Replies: the `Rules` that are left.
    RuleDelete {
        pattern: String,
    },
    /// Checks the key with the provider unless `unchecked`, then stores it in the keychain.
    KeySet {
        provider: String,
        key: String,
        unchecked: bool,
    },
    KeyList,
    KeyTest {
        provider: String,
    },
    KeyDelete {
        provider: String,
    },
    /// Opens the encrypted file of keys where the system has no keychain; makes the file when there is none.
    KeysUnlock {
        passphrase: String,
    },
    ProviderList,
    /// The models that a provider offers, asked of the provider itself.
    ModelList {
        provider: String,
    },
    /// Asks a model one tiny question; `None` takes what is configured.
    ModelTest {
        provider: String,
        model: Option<String>,
        url: Option<String>,
    },
    /// Looks for model servers on this machine.
    ServersFind,
    /// What was spent on the last days, newest first.
    Spending {
        days: u32,
    },
    /// Runs that fit, newest first. Replies: `Traces`.
    TraceList(TraceQuery),
    /// How models, programs and tools fared in the last days. Replies: `TraceStatistics`.
    TraceStatistics {
        days: u32,
    },
    /// All steps of a run with everything that is kept of them. Replies: `Trace`.
    TraceShow {
        run: RunId,
    },
    /// The outline of a run's steps, without prompts, programs and results: those that changed after that number of
    /// an earlier reply, 0 for all. Replies: `TraceSteps`.
    TraceSteps {
        run: RunId,
        #[ts(type = "number")]
        after: u64,
        limit: u32,
    },
    /// One step with everything that is kept of it. Replies: `TraceStep`.
    TraceStep {
        run: RunId,
        span: u32,
    },
    Doctor,
    /// Looks at the screen, through the privacy gate. Replies: `Looked`.
    Look {
        what: LookAt,
        /// The session that it is for, when that one is incognito.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session: Option<SessionId>,
    },
    /// The same view again, with its whole picture and its recognised words. Replies: `Looked`.
    LookShow {
        id: String,
    },
    /// Lets go of a view that is not to be sent. Replies: `Done`.
    LookForget {
        id: String,
    },
    /// Facts of the window in front, now and whenever they change, until the connection closes. Replies: `Looked`.
    LookWatch,
    /// What was seen, kept and sent, newest first. Replies: `Looks`.
    LookLedger {
        limit: u32,
    },
    /// For the desktop program's windows.
    Desktop {
        signal: DesktopSignal,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum DesktopSignal {
    Show,
    Toggle,
    Quit,
    /// A `shidi://` link that another program opened.
    Open {
        link: String,
    },
    /// Looks first, then shows the panel with what was seen.
    AskScreen,
    /// No more looking, from now on and after a restart.
    Pause,
    Resume,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "reply", rename_all = "snake_case")]
#[ts(export)]
pub enum Reply {
    Event {
        event: RunEvent,
    },
    /// The run ended or was suspended; its last event said how.
    Ended {
        run: RunId,
        status: RunStatus,
    },
    Incognito {
        session: SessionId,
    },
    Executed {
        result: ExecResult,
    },
    ReplayPreview {
        preview: ReplayPreview,
    },
    /// How far long work is; `total` is 0 while nobody knows.
    Progress {
        #[ts(type = "number")]
        done: u64,
        #[ts(type = "number")]
        total: u64,
        /// What is being done, in the user's language.
        what: String,
    },
    Inspected {
        attachment: crate::Attachment,
    },
    Sessions {
        sessions: Vec<SessionSummary>,
    },
    Session {
        session: SessionDetail,
    },
    Config {
        path: String,
        entries: Vec<ConfigEntry>,
    },
    Peers {
        peers: Vec<ListedPeer>,
    },
    /// Also to those who watch, whenever it changes.
    Pages {
        pages: PageState,
    },
    /// The folder that the user loads into the browser, and the browsers that know of it.
    CompanionInstalled {
        folder: String,
        browsers: Vec<String>,
    },
    Changes {
        changes: Vec<FileChange>,
    },
    Changed {
        change: FileChange,
        /// How the file differs from what stood there before, the way patches say it.
        diff: String,
    },
    Tools {
        toolkits: Vec<ListedToolkit>,
    },
    Variables {
        variables: Vec<VariablePreview>,
    },
    /// The newest first.
    Jobs {
        jobs: Vec<JobView>,
    },
    /// To those who watch: a background job has begun, or ended.
    JobChanged {
        job: JobView,
    },
    /// To those who watch: a toolkit came, changed, went, or was switched.
    ToolsChanged,
    Memories {
        hits: Vec<MemoryHit>,
    },
    Bases {
        bases: Vec<KnowledgeBase>,
    },
    Documents {
        base: KnowledgeBase,
        documents: Vec<KnowledgeDocument>,
    },
    Imported {
        base: String,
        report: KnowledgeReport,
    },
    Pieces {
        pieces: Vec<KnowledgePiece>,
        /// Why a server of a base was not heard.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        troubles: Vec<String>,
    },
    Visits {
        visits: Vec<PageVisit>,
    },
    MemoryRecords {
        records: Vec<MemoryRecord>,
        /// What contradicts a record that was asked for by itself.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<Contrary>>")]
        contradicted: Vec<Contrary>,
    },
    MemoryStats {
        counts: Vec<MemoryCount>,
        /// Assistants, and pages or sites, that something is remembered for.
        owners: Vec<MemoryScope>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        room: Option<MemoryRoom>,
        /// `None` where no embedding model is chosen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        meaning: Option<MemoryMeaning>,
    },
    /// Lines of an export, each with its proof, and where it goes on.
    Lines {
        lines: Vec<String>,
        /// `None` after the last one.
        #[ts(type = "number | null")]
        next: Option<i64>,
    },
    /// What was written to a file, or kept from one, of memory or of experience.
    MemoryFile {
        path: String,
        #[ts(type = "number")]
        records: u64,
    },
    Experiences {
        experiences: Vec<Experience>,
        /// Of all that there are, by state.
        counts: Vec<ExperienceCount>,
    },
    ExperienceEffects {
        /// Newest first.
        runs: Vec<ExperienceEffect>,
        /// How many past runs were looked at.
        looked_at: u32,
    },
    Rules {
        rules: Vec<RememberedRule>,
    },
    /// To those who watch: a setting has a new value, the default one when it is empty.
    ConfigChanged {
        key: String,
        value: String,
    },
    Keys {
        keys: Vec<KeyStatus>,
    },
    Providers {
        keeper: KeyKeeper,
        providers: Vec<Provider>,
    },
    Models {
        models: Vec<ModelEntry>,
    },
    Tested {
        ok: bool,
        #[ts(type = "number")]
        ms: u64,
        /// What the model answered, shortened.
        detail: String,
        error: Option<UserError>,
    },
    Servers {
        servers: Vec<LocalServer>,
    },
    Spending {
        days: Vec<DaySpending>,
    },
    Traces {
        traces: Vec<TraceSummary>,
    },
    TraceStatistics {
        statistics: Vec<StepStatistics>,
    },
    Trace {
        run: RunId,
        spans: Vec<Span>,
    },
    TraceSteps {
        summary: TraceSummary,
        /// The run that this one replayed.
        replay_of: Option<RunId>,
        spans: Vec<Span>,
        /// Ask for what changes after this.
        #[ts(type = "number")]
        after: u64,
        /// Whether there is more at once.
        more: bool,
    },
    TraceStep {
        run: RunId,
        span: Span,
    },
    Doctor {
        checks: Vec<Check>,
    },
    Looked {
        view: ScreenView,
    },
    Looks {
        looks: Vec<LookRecord>,
    },
    Done,
    Failed {
        error: UserError,
    },
}

/// One line of `shidi doctor`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Check {
    pub name: String,
    pub ok: bool,
    pub detail: String,
    pub remedy: Option<String>,
}
