//! The requests of a program to a running Shidi: the panel, the command line, or another program over the socket.

use crate::macros::requests;
use crate::{
    Ask, CallId, ChangeRequest, ExecRequest, ExperienceRequest, FolderRequest, JobRequest, KnowledgeRequest,
    LookAt, McpRequest, MemoryRequest, PageRequest, Replay, RunId, SelectionEnd, SelectionPlace, SessionId,
    SkillRequest, ToolRequest, TraceQuery, TypedRequest, VariableRequest, Verdict, WorkflowRequest, reply,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

requests! {
    /// A request; it crosses the wire with its name under `request`, an area's with its own under `action`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
    #[serde(tag = "request", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    Request as own, through |request| request;
    /// Continues a suspended or interrupted run (the newest when `None`). Replies as `Ask`.
    Resume {
        run: Option<RunId>,
    } -> Ended,
    /// Approves a waiting call; `always` remembers its family. Replies as `Ask`.
    Approve {
        run: RunId,
        call: CallId,
        always: bool,
    } -> Ended,
    Refuse {
        run: RunId,
        call: CallId,
        reason: Option<String>,
    } -> Ended,
    /// Answers a waiting question; the first one when no call is named.
    Answer {
        run: RunId,
        #[serde(default)]
        call: Option<CallId>,
        text: String,
    } -> Ended,
    /// Stops a run.
    Cancel {
        run: RunId,
    } -> Cancelled,
    /// Opens a session that leaves no trace. Replies: `Incognito` with its id, for questions; then nothing
    /// until the connection closes, which ends the session.
    Incognito -> Incognito,
    /// Opens a session that leaves no trace, for questions to the draft that `AssistantRequest::Try` named last. The draft
    /// has what its assistant would have, memory and schedules apart. Replies: as for `Incognito`.
    TryOut -> Incognito,
    /// Tells which parts of an attachment would be sent. Replies: any number of `Progress`, then `Inspected`.
    Inspect {
        source: crate::AttachSource,
        /// The session that the attachment is for, if it is incognito.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session: Option<SessionId>,
    } -> Inspected,
    SessionList {
        limit: u32,
    } -> Sessions,
    SessionShow {
        session: SessionId,
    } -> Session,
    SessionSearch {
        text: String,
        limit: u32,
    } -> Sessions,
    /// The lines of a session's file. Replies: `Piece`s, then `Done`.
    SessionExport {
        session: SessionId,
    } -> Done,
    /// Keeps the session of an exported file; a file with a broken line is refused whole. Replies: `Session`,
    /// with new ids where the file's are taken.
    SessionImport {
        path: String,
    } -> Session,
    SessionRename {
        session: SessionId,
        title: String,
    } -> Done,
    SessionDelete {
        session: SessionId,
    } -> Done,
    /// Begins a new session with everything of `session` before the run `before`, or all of it. Replies:
    /// `Session`, the new one.
    SessionBranch {
        session: SessionId,
        before: Option<RunId>,
    } -> Session,
    /// Shows another version of a question, with the newest runs that followed it.
    SessionSwitch {
        session: SessionId,
        run: RunId,
    } -> Session,
    /// Shortens the conversation for the model, keeping the transcript. Replies as `Ask`.
    SessionCompact {
        session: SessionId,
    } -> Ended,
    ConfigList -> Config,
    ConfigSet {
        key: String,
        value: String,
    } -> Config,
    /// Searches the memories that the user asked for: the best matches of `text`, or the newest when `text` is empty.
    MemorySearch {
        text: String,
        limit: u32,
    } -> Memories,
    /// Lists the remembered decisions about calls.
    RuleList -> Rules,
    /// Remembers a decision about a family of calls. Replies: all `Rules`.
    RuleSet {
        pattern: String,
        verdict: Verdict,
    } -> Rules,
    /// Forgets a remembered decision. Replies: the `Rules` that are left.
    RuleDelete {
        pattern: String,
    } -> Rules,
    /// Checks the key with the provider unless `unchecked`, then stores it in the keychain.
    KeySet {
        provider: String,
        key: String,
        unchecked: bool,
    } -> Done,
    KeyList -> Keys,
    KeyTest {
        provider: String,
    } -> Done,
    KeyDelete {
        provider: String,
    } -> Done,
    /// Opens the encrypted file of keys where the system has no keychain; creates a missing file.
    KeysUnlock {
        passphrase: String,
    } -> Done,
    ProviderList -> Providers,
    /// Lists the models of a provider, as the provider itself reports them.
    ModelList {
        provider: String,
    } -> Models,
    /// Asks a model one tiny question; `None` takes the configured model.
    ModelTest {
        provider: String,
        model: Option<String>,
        url: Option<String>,
    } -> Tested,
    /// Looks for model servers on this machine.
    ServersFind -> Servers,
    /// Shows the model file on this computer, its server, and how they stand; starts nothing.
    LocalModelShow -> LocalModel,
    /// Makes a model file the one that answers. Its path is absolute.
    LocalModelUse {
        file: String,
    } -> LocalModel,
    /// Lists models and the server that can be downloaded, and how far each is.
    LocalModelCatalogue -> LocalModelCatalogue,
    /// Begins or goes on with a download of the catalogue; watchers hear of it.
    LocalModelDownload {
        id: String,
        /// An absolute path, remembered for the next time; without one where the last one went.
        #[serde(default)]
        #[ts(optional)]
        folder: Option<String>,
    } -> LocalModelCatalogue,
    /// Ends a download; what came stays for the next time.
    LocalModelDownloadStop {
        id: String,
    } -> LocalModelCatalogue,
    /// Removes what was downloaded of an entry; refused while it is needed.
    LocalModelRemove {
        id: String,
    } -> LocalModelRemoved,
    /// Lists the spending of the last days, newest first.
    Spending {
        days: u32,
    } -> Spending,
    /// Tells how models, programs and tools performed in the last days.
    TraceStatistics {
        days: u32,
    } -> TraceStatistics,
    /// Shows all steps of a run with everything that is kept of them.
    TraceShow {
        run: RunId,
    } -> Trace,
    /// Shows the outline of a run's steps, without prompts, programs and results. `after` is a number of an
    /// earlier reply, and only steps changed since come; 0 for all.
    TraceSteps {
        run: RunId,
        #[ts(type = "number")]
        after: u64,
        limit: u32,
    } -> TraceSteps,
    /// Shows one step with everything that is kept of it.
    TraceStep {
        run: RunId,
        span: u32,
    } -> TraceStep,
    Doctor -> Doctor,
    /// Looks at the screen, through the privacy gate.
    Look {
        what: LookAt,
        /// The session that the look is for, if it is incognito.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session: Option<SessionId>,
        /// The other program that gets the view, which the ledger names.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        to: Option<String>,
    } -> Looked,
    /// Shows a view again, with its whole picture and its recognised words.
    LookShow {
        id: String,
    } -> Looked,
    /// Drops a view that is not to be sent.
    LookForget {
        id: String,
    } -> Done,
    /// Lists the views that are in memory, unsent, the newest first.
    LookHeld -> HeldViews,
    /// Keeps a view until it is let go, or lets it go in time again.
    LookPin {
        id: String,
        on: bool,
    } -> HeldViews,
    /// Lists the views that were seen, kept and sent, newest first.
    LookLedger {
        limit: u32,
    } -> Looks,
    /// Puts a text into the window from which Shidi was called, as its user's click asks for.
    LookInsert {
        window: u32,
        text: String,
    } -> Done,
    /// Remembers what is selected in a view.
    LookRemember {
        id: String,
    } -> MemoryRecords,
    /// Asks the fast model for the question that a view probably raises, where the user lets it. Whoever goes away ends
    /// the call.
    LookSuggest {
        id: String,
        /// The session that the question is for, if it is incognito: nobody is asked then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session: Option<SessionId>,
    } -> Suggested,
    /// Lists the sensors: which are on, what each lacks, when it last read something.
    Sensors -> Sensors,
    /// A request to the desktop program's windows.
    Desktop {
        signal: DesktopSignal,
    } -> Done,
    ; {
        /// Starts a run. Replies: events, then `Ended`.
        Ask(Box<Ask>),
        /// Sends events of every run and changes of the configuration until the connection closes.
        Watch,
        Exec(ExecRequest),
        /// Tells the effects of a replay; `Ask` begins one.
        ReplayPreview(Replay),
        /// A request about knowledge bases.
        Knowledge {
            action: KnowledgeRequest,
        },
        Memory {
            action: MemoryRequest,
        },
        /// A request about experiences.
        Experience {
            action: ExperienceRequest,
        },
        /// A request about MCP servers.
        Mcp {
            action: McpRequest,
        },
        /// A request about browsers and the pages in them.
        Pages {
            action: PageRequest,
        },
        /// A request about changes that tasks made to files.
        Changes {
            action: ChangeRequest,
        },
        /// A request about the folders that a session may work in.
        Folders {
            action: FolderRequest,
        },
        /// About the variables that programs of a session left. Replies: `Variables`, or `Variable`.
        Variables {
            session: SessionId,
            action: VariableRequest,
        },
        /// A request about the background jobs of a session.
        Jobs {
            session: SessionId,
            action: JobRequest,
        },
        /// A request about assistants.
        Assistants {
            action: crate::AssistantRequest,
        },
        /// A request about the user's own prompts.
        SavedPrompts {
            action: crate::SavedPromptRequest,
        },
        /// A request about bad cases.
        BadCases {
            action: crate::BadCaseRequest,
        },
        /// A request about plugins.
        Plugins {
            action: crate::PluginRequest,
        },
        /// A request about skills.
        Skills {
            action: SkillRequest,
        },
        /// A request about toolkits that programs may call.
        Tools {
            action: ToolRequest,
        },
        /// A request about schedules.
        Schedules {
            action: crate::ScheduleRequest,
        },
        /// A request about workflows and their runs.
        Workflows {
            action: WorkflowRequest,
        },
        /// A request about the dashboard.
        Dashboard {
            action: crate::DashboardRequest,
        },
        /// Lists the runs that match, newest first.
        TraceList(TraceQuery),
        /// Sends facts of the window in front, now and whenever they change, until the connection closes.
        LookWatch,
    }
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
    /// The user has selected a text, and wants a bar beside it.
    SelectionMade {
        place: SelectionPlace,
    },
    /// The selection is news no longer.
    SelectionOver {
        end: SelectionEnd,
    },
}

macro_rules! whole {
    ($($Type:ty as $request:ident => $through:expr, $Answer:ident);+ $(;)?) => {
        $(
            impl From<$Type> for Request {
                fn from($request: $Type) -> Self {
                    $through
                }
            }

            impl TypedRequest for $Type {
                type Reply = reply::$Answer;
            }
        )+
    };
}

// Requests with a type of their own everywhere.
whole! {
    Ask as ask => Self::Ask(Box::new(ask)), Ended;
    ExecRequest as exec => Self::Exec(exec), Executed;
    Replay as replay => Self::ReplayPreview(replay), ReplayPreview;
    TraceQuery as query => Self::TraceList(query), Traces;
}
