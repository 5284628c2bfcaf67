//! The requests to a running Shidi, from the panel, the command line, or a second program over the socket.
//!
//! A request is followed by a stream of replies. The last one is exactly one of [`Reply::Ended`] (for work that
//! streams), a direct answer, or [`Reply::Failed`].

use crate::{
    Ask, CallId, ChangeDeed, ConfigEntry, Contrary, DaySpending, ExecRequest, ExecResult, Experience,
    ExperienceCount, ExperienceDeed, ExperienceEffect, FileChange, JobDeed, JobView, KeyKeeper, KeyStatus,
    KnowledgeBase, KnowledgeDocument, KnowledgePiece, KnowledgeReport, KnowledgeRequest, ListedPeer,
    ListedToolkit, LocalServer, LookAt, LookRecord, MemoryCount, MemoryDeed, MemoryHit, MemoryMeaning,
    MemoryRecord, MemoryRoom, MemoryScope, ModelEntry, PageDeed, PageState, PageVisit, PeerDeed, Provider,
    RememberedRule, Replay, ReplayPreview, RunEvent, RunId, RunStatus, ScreenView, SessionDetail, SessionId,
    SessionSummary, Span, StepStatistics, ToolDeed, TraceQuery, TraceSummary, UserError, VariableDeed,
    VariablePreview, VariableValue, Verdict,
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
    /// Opens a session that leaves no trace. Replies: `Incognito` with its id, for questions; then nothing
    /// until the connection closes, which ends the session.
    Incognito,
    /// Sends events of every run and changes of the configuration until the connection closes.
    Watch,
    Exec(ExecRequest),
    /// Tells the effects of a replay; `Ask` begins one. Replies: `ReplayPreview`.
    ReplayPreview(Replay),
    /// Tells which parts of an attachment would be sent. Replies: any number of `Progress`, then `Inspected`.
    Inspect {
        source: crate::AttachSource,
        /// The session that the attachment is for, if it is incognito.
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
    /// The lines of a session's file. Replies: `Piece`s, then `Done`.
    SessionExport {
        session: SessionId,
    },
    /// Keeps the session of an exported file; a file with a broken line is refused whole. Replies: `Session`,
    /// with new ids where the file's are taken.
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
    /// Begins a new session with everything of `session` before the run `before`, or all of it. Replies:
    /// `Session`, the new one.
    SessionBranch {
        session: SessionId,
        before: Option<RunId>,
    },
    /// Shows another version of a question, with the newest runs that followed it. Replies: `Session`.
    SessionSwitch {
        session: SessionId,
        run: RunId,
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
    /// Searches the memories that the user asked for: the best matches of `text`, or the newest when `text` is empty.
    MemorySearch {
        text: String,
        limit: u32,
    },
    /// A request about knowledge bases.
    Knowledge(KnowledgeRequest),
    Memory {
        deed: MemoryDeed,
    },
    /// A request about experiences.
    Experience {
        deed: ExperienceDeed,
    },
    /// A request about MCP servers.
    Peers {
        deed: PeerDeed,
    },
    /// A request about browsers and the pages in them.
    Pages {
        deed: PageDeed,
    },
    /// A request about changes that tasks made to files.
    Changes {
        deed: ChangeDeed,
    },
    /// About the variables that programs of a session left. Replies: `Variables`, or `Variable`.
    Variables {
        session: SessionId,
        deed: VariableDeed,
    },
    /// A request about the background jobs of a session. Replies: `Jobs`.
    Jobs {
        session: SessionId,
        deed: JobDeed,
    },
    /// A request about toolkits that programs may call.
    Tools {
        deed: ToolDeed,
    },
    /// Lists the remembered decisions about calls. Replies: `Rules`.
    RuleList,
    /// Remembers a decision about a family of calls. Replies: all `Rules`.
    RuleSet {
        pattern: String,
        verdict: Verdict,
    },
    /// Forgets a remembered decision. Replies: the `Rules` that are left.
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
    /// Opens the encrypted file of keys where the system has no keychain; creates a missing file.
    KeysUnlock {
        passphrase: String,
    },
    ProviderList,
    /// Lists the models of a provider, as the provider itself reports them.
    ModelList {
        provider: String,
    },
    /// Asks a model one tiny question; `None` takes the configured model.
    ModelTest {
        provider: String,
        model: Option<String>,
        url: Option<String>,
    },
    /// Looks for model servers on this machine.
    ServersFind,
    /// Lists the spending of the last days, newest first.
    Spending {
        days: u32,
    },
    /// Lists the runs that match, newest first. Replies: `Traces`.
    TraceList(TraceQuery),
    /// Tells how models, programs and tools performed in the last days. Replies: `TraceStatistics`.
    TraceStatistics {
        days: u32,
    },
    /// Shows all steps of a run with everything that is kept of them. Replies: `Trace`.
    TraceShow {
        run: RunId,
    },
    /// Shows the outline of a run's steps, without prompts, programs and results. `after` is a number of an
    /// earlier reply, and only steps changed since come; 0 for all. Replies: `TraceSteps`.
    TraceSteps {
        run: RunId,
        #[ts(type = "number")]
        after: u64,
        limit: u32,
    },
    /// Shows one step with everything that is kept of it. Replies: `TraceStep`.
    TraceStep {
        run: RunId,
        span: u32,
    },
    Doctor,
    /// Looks at the screen, through the privacy gate. Replies: `Looked`.
    Look {
        what: LookAt,
        /// The session that the look is for, if it is incognito.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session: Option<SessionId>,
    },
    /// Shows a view again, with its whole picture and its recognised words. Replies: `Looked`.
    LookShow {
        id: String,
    },
    /// Drops a view that is not to be sent. Replies: `Done`.
    LookForget {
        id: String,
    },
    /// Sends facts of the window in front, now and whenever they change, until the connection closes. Replies:
    /// `Looked`.
    LookWatch,
    /// Lists the views that were seen, kept and sent, newest first. Replies: `Looks`.
    LookLedger {
        limit: u32,
    },
    /// A request to the desktop program's windows.
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
    /// Looks at the screen first, then shows the panel with the view.
    AskScreen,
    /// Pauses all looking, from now on and after a restart.
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
    /// The run ended or was suspended; its last event told how.
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
    /// The progress of long work; `total` is 0 while it is unknown.
    Progress {
        #[ts(type = "number")]
        done: u64,
        #[ts(type = "number")]
        total: u64,
        /// The work under way, in the user's language.
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
    /// Sent to watchers too, whenever it changes.
    Pages {
        pages: PageState,
    },
    /// The folder that the user loads into the browser, and the browsers that know the folder.
    CompanionInstalled {
        folder: String,
        browsers: Vec<String>,
    },
    Changes {
        changes: Vec<FileChange>,
    },
    Changed {
        change: FileChange,
        /// The difference of the file from its earlier content, as a patch.
        diff: String,
    },
    Tools {
        toolkits: Vec<ListedToolkit>,
    },
    Variables {
        variables: Vec<VariablePreview>,
    },
    Variable {
        variable: VariableValue,
    },
    /// The newest first.
    Jobs {
        jobs: Vec<JobView>,
    },
    /// Sent to watchers: a background job has begun or ended.
    JobChanged {
        job: JobView,
    },
    /// To those who watch: another version of a session is shown.
    SessionChanged {
        session: SessionId,
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
        /// Why a base's server could not be asked.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        troubles: Vec<String>,
    },
    Visits {
        visits: Vec<PageVisit>,
    },
    MemoryRecords {
        records: Vec<MemoryRecord>,
        /// Statements that contradict a record, when it was asked for by itself.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<Contrary>>")]
        contradicted: Vec<Contrary>,
    },
    MemoryStats {
        counts: Vec<MemoryCount>,
        /// Assistants, pages and sites with memories of their own.
        owners: Vec<MemoryScope>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        room: Option<MemoryRoom>,
        /// `None` where no embedding model is chosen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        meaning: Option<MemoryMeaning>,
    },
    /// The next piece of an export's text, which may end within a line.
    Piece {
        text: String,
    },
    /// The file to which records of memory or experience were written, or from which they were kept.
    MemoryFile {
        path: String,
        #[ts(type = "number")]
        records: u64,
        /// Whether the file is a whole export of this data folder.
        own: bool,
    },
    Experiences {
        experiences: Vec<Experience>,
        /// Numbers of all experiences, by state.
        counts: Vec<ExperienceCount>,
    },
    ExperienceEffects {
        /// Runs, newest first.
        runs: Vec<ExperienceEffect>,
        /// Number of past runs that were examined.
        looked_at: u32,
    },
    Rules {
        rules: Vec<RememberedRule>,
    },
    /// Sent to watchers: a setting has a new value; an empty value stands for the default.
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
        /// The model's answer, shortened.
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
        /// The number to send as `after` of the next request.
        #[ts(type = "number")]
        after: u64,
        /// Whether more steps can be asked for at once.
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
