//! The replies of a running Shidi to requests.

use crate::macros::replies;
use crate::{
    ConfigEntry, Contrary, DaySpending, ExecResult, Experience, ExperienceCount, ExperienceEffect,
    FileChange, HeldView, JobView, KeyKeeper, KeyStatus, KnowledgeBase, KnowledgeDocument, KnowledgePiece,
    KnowledgeReport, ListedMcpServer, ListedToolkit, LocalModelPhase, LocalModelView, LocalServer,
    LookRecord, McpDraft, McpLeftOut, MemoryCount, MemoryHit, MemoryMeaning, MemoryRecord, MemoryRoom,
    MemoryScope, ModelCatalogue, ModelEntry, Moment, PageState, PageVisit, Provider, RememberedRule,
    RunEvent, RunId, RunStatus, ScreenView, SensorView, SessionDetail, SessionId, SessionSummary, Span,
    StepStatistics, TraceSummary, UserError, VariablePreview, VariableValue,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

replies! {
    /// A reply; it crosses the wire with its name under `reply`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
    #[serde(tag = "reply", rename_all = "snake_case")]
    #[ts(export)]
    Reply as reply;
    Event {
        event: RunEvent,
    },
    /// The run ended or was suspended; its last event told how.
    Ended {
        run: RunId,
        status: RunStatus,
    },
    /// The run is at work no more.
    Cancelled {
        /// How it had ended, where it was over before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        over: Option<RunStatus>,
        /// When it had ended, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "string")]
        ended: Option<Moment>,
    },
    Incognito {
        session: SessionId,
    },
    Executed {
        result: ExecResult,
    },
    ReplayPreview {
        preview: crate::ReplayPreview,
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
    McpServers {
        servers: Vec<ListedMcpServer>,
    },
    /// Oldest first, with the number of older lines that had no more room.
    McpLog {
        lines: Vec<crate::McpLogLine>,
        gone: u32,
    },
    /// By name.
    McpClients {
        clients: Vec<crate::McpClient>,
    },
    /// What programs send to Shidi as `Authorization: Bearer`.
    McpServeToken {
        token: String,
    },
    /// The address at which the user signs in to a server.
    McpSignIn {
        address: String,
    },
    McpPrompts {
        prompts: Vec<crate::McpPrompt>,
    },
    /// By server and in its order. Then the names of servers that had some the last time and don't run. At last how
    /// many of those that run are left out.
    McpResources {
        resources: Vec<crate::McpResource>,
        idle: Vec<String>,
        left_out: u32,
    },
    /// A prompt as its server wrote it out, and the files that the server put beside it.
    McpPromptText {
        text: String,
        beside: Vec<String>,
    },
    /// Servers that could be added, and what was found beside them.
    McpDrafts {
        drafts: Vec<McpDraft>,
        left_out: Vec<McpLeftOut>,
    },
    /// Sent to watchers too, whenever it changes.
    Pages {
        pages: PageState,
    },
    DroppedGuesses {
        guesses: Vec<crate::DroppedGuess>,
    },
    /// What could be kept of the uses of forms, and what is kept. Sent to watchers too, whenever a proposal comes or goes.
    Preferences {
        proposals: Vec<crate::PreferenceProposal>,
        kept: Vec<crate::Preference>,
    },
    /// The fields of a page that hold their values now, and those that do not.
    FilledForm {
        filled: Vec<String>,
        missed: Vec<String>,
    },
    /// The folder that the user loads into the browser, and the browsers that know the folder.
    CompanionInstalled {
        folder: String,
        browsers: Vec<String>,
    },
    Changes {
        changes: Vec<FileChange>,
        /// How many older ones there are beyond those that are listed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        more: Option<u32>,
        /// The whole id of the run that was named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        run: Option<RunId>,
    },
    /// What of a run's changes was undone, and what was not, newest first.
    ChangesUndone {
        undone: Vec<FileChange>,
        left: Vec<crate::ChangeLeft>,
        /// Those of which nothing was left to be undone: an earlier undo had taken their files back.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<FileChange>>")]
        already: Vec<FileChange>,
    },
    Folders {
        folders: crate::WorkFolders,
    },
    Assistants {
        assistants: Vec<crate::ListedAssistant>,
    },
    Assistant {
        assistant: crate::AssistantDetail,
    },
    AssistantReview {
        /// Names what was reviewed, for `Install`.
        review: String,
        assistants: Vec<crate::AssistantDetail>,
        /// What of the file became none, with its line and the reason.
        refused: Vec<crate::AssistantFault>,
    },
    AssistantCheck {
        /// The assistants that the text holds.
        assistants: Vec<crate::AssistantDetail>,
        faults: Vec<crate::AssistantFault>,
    },
    AssistantText {
        text: String,
    },
    SavedPrompts {
        prompts: Vec<crate::SavedPrompt>,
    },
    FilledPrompt {
        text: String,
    },
    BadCases {
        cases: Vec<crate::BadCase>,
    },
    BadCaseText {
        text: String,
    },
    BadCaseDraft {
        /// A name that no other one has.
        name: String,
        text: String,
        /// Texts out of which secrets were taken.
        redacted: u32,
        /// What belongs to the situation and is not in the case: pictures, and files that are too large.
        left_out: Vec<String>,
    },
    BadCaseProposal {
        proposal: crate::CaseProposal,
    },
    BadCaseMeasured {
        measured: crate::CaseMeasured,
    },
    ImportedPrompts {
        prompts: Vec<crate::SavedPrompt>,
        /// The names of those that have come.
        imported: Vec<String>,
        /// Why the others have not.
        refused: Vec<UserError>,
    },
    ExportedPrompts {
        paths: Vec<String>,
    },
    Plugins {
        plugins: Vec<crate::ListedPlugin>,
    },
    Plugin {
        plugin: crate::PluginDetail,
    },
    PluginReview {
        /// Names what was reviewed, for `Install`.
        review: String,
        plugin: crate::PluginDetail,
        /// Of one of that name that is there.
        change: Option<crate::PluginChange>,
    },
    Skills {
        skills: Vec<crate::ListedSkill>,
    },
    Skill {
        skill: crate::SkillDetail,
    },
    SkillReview {
        /// Names what was reviewed, for `Install`.
        review: String,
        skills: Vec<crate::SkillDetail>,
    },
    Changed {
        change: FileChange,
        /// The difference of the file from its earlier content, as a patch.
        diff: String,
        /// Whether an earlier undo had taken it back, so that nothing was left to do.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        already: bool,
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
    /// To those who watch: an assistant was kept, approved or removed.
    AssistantsChanged,
    /// To those who watch: a prompt was kept, removed or brought in.
    SavedPromptsChanged,
    /// To those who watch: a skill was installed, approved, switched or removed.
    SkillsChanged,
    Schedules {
        schedules: Vec<crate::ScheduleView>,
    },
    Schedule {
        schedule: crate::ScheduleView,
    },
    ScheduleTimes {
        dates: crate::ScheduleDates,
    },
    ScheduleRuns {
        runs: Vec<crate::ScheduleRunView>,
    },
    /// To those who watch: what became of a time, at each of its steps.
    ScheduleChanged {
        run: crate::ScheduleRunView,
        /// What is told of it on the desktop: a reminder's text.
        told: Option<String>,
    },
    Workflows {
        workflows: Vec<crate::ListedWorkflow>,
    },
    Workflow {
        workflow: crate::WorkflowDetail,
    },
    /// A workflow that does what a run did.
    WorkflowDraft {
        name: String,
        /// As its file would be.
        text: String,
        /// A suite with the run as its first case.
        evaluation: String,
        /// The programs as they ran.
        programs: Vec<String>,
        /// Whether they came out well with other values too, in a replay.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        replayed: bool,
    },
    WorkflowImported {
        workflow: crate::WorkflowDetail,
        /// `shidi`, `goose` or `dify`.
        source: String,
        /// Whether it was not there before, the very same.
        new: bool,
        /// What of the file was left out.
        left_out: Vec<crate::WorkflowFault>,
    },
    WorkflowRuns {
        runs: Vec<crate::WorkflowRunView>,
    },
    WorkflowRun {
        run: crate::WorkflowRunView,
    },
    WorkflowPlan {
        plan: crate::WorkflowPlan,
    },
    /// On the way of a run: how one of its steps stands now.
    WorkflowStep {
        run: RunId,
        step: crate::WorkflowStepView,
    },
    /// To those who watch: a workflow came, changed or went, or a run of one began, waits or ended.
    WorkflowsChanged,
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
    /// Sent to watchers first: what changes from here on is told.
    Watching,
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
    LocalModel {
        model: LocalModelView,
    },
    LocalModelCatalogue {
        catalogue: ModelCatalogue,
    },
    LocalModelRemoved {
        catalogue: ModelCatalogue,
        /// Bytes that are free now.
        #[ts(type = "number")]
        freed_bytes: u64,
    },
    /// Sent to watchers: the server of the model file, or a download of the catalogue, has changed.
    LocalModelChanged {
        phase: LocalModelPhase,
    },
    Spending {
        days: Vec<DaySpending>,
    },
    Traces {
        traces: Vec<TraceSummary>,
    },
    Dashboard {
        dashboard: crate::Dashboard,
    },
    /// The figures of a dashboard were written.
    DashboardFile {
        path: String,
        /// Number of rows, without the head.
        rows: u32,
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
    HeldViews {
        views: Vec<HeldView>,
    },
    /// The question that a model proposes about a view, if there is one.
    Suggested {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        question: Option<String>,
    },
    Sensors {
        sensors: Vec<SensorView>,
    },
    Done,
    Failed {
        error: UserError,
    },
}

impl Reply {
    /// Whether more replies follow this one: it tells of work under way, or is a piece of a longer text.
    #[must_use]
    pub fn is_on_the_way(&self) -> bool {
        matches!(
            self,
            Self::Event { .. } | Self::Progress { .. } | Self::Piece { .. } | Self::WorkflowStep { .. }
        )
    }
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

impl Check {
    /// What is as it should be.
    #[must_use]
    pub fn good(name: &str, detail: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            ok: true,
            detail: detail.into(),
            remedy: None,
        }
    }

    /// What is not, with what helps; an empty remedy is none.
    #[must_use]
    pub fn bad(name: &str, detail: impl Into<String>, remedy: &str) -> Self {
        Self {
            name: name.to_owned(),
            ok: false,
            detail: detail.into(),
            remedy: (!remedy.is_empty()).then(|| remedy.to_owned()),
        }
    }
}
