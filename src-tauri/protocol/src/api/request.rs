//! What a program asks of a running Shidi: the panel, the command line, or another program over the socket.

use crate::{
    Ask, CallId, ChangeRequest, ExecRequest, ExperienceRequest, JobRequest, KnowledgeRequest, LookAt,
    McpRequest, MemoryRequest, PageRequest, Replay, RunId, SessionId, ToolRequest, TraceQuery,
    VariableRequest, Verdict,
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
    /// About the variables that programs of a session left. Replies: `Variables`, or `Variable`.
    Variables {
        session: SessionId,
        action: VariableRequest,
    },
    /// A request about the background jobs of a session. Replies: `Jobs`.
    Jobs {
        session: SessionId,
        action: JobRequest,
    },
    /// A request about toolkits that programs may call.
    Tools {
        action: ToolRequest,
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
