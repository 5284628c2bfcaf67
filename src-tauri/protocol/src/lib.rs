//! The types that all crates share: ids, segments, calls, events, requests, errors.
//!
//! Every other crate depends on this one, and this one on none of them. This crate holds plain data and pure
//! functions on the data. There is no policy and no IO of its own, and only minting ids reads a clock. Each type that
//! crosses a process border (command line, socket, panel) is defined here once. Its tests generate TypeScript
//! bindings into `ui/src/bindings/`.

mod api;
mod ask;
mod assistant;
mod attach;
mod bad_case;
mod call;
mod change;
mod composition;
mod content;
mod dashboard;
mod error;
mod event;
mod exec;
mod experience;
mod folder;
mod id;
mod inside;
mod json_lines;
mod knowledge;
mod local_model;
mod look;
mod macros;
mod mcp;
mod memory;
mod model;
mod moment;
mod page;
mod permission;
mod plugin;
mod preference;
mod provider;
mod recall;
mod replay;
mod review;
mod saved_prompt;
mod schedule;
mod secret_name;
mod segment;
mod sensor;
mod session;
mod setting;
mod skill;
mod standing;
pub mod tokens;
mod toolkit;
mod trace;
mod unseen;
mod worded;
mod workflow;

pub use api::{Check, DesktopSignal, Reply, Request, TypedReply, TypedRequest, read_request, reply_to};
pub use ask::{Ask, OfferedGuess, Under};
pub use assistant::{
    AssistantDetail, AssistantDifference, AssistantFault, AssistantForm, AssistantHotkey, AssistantMemory,
    AssistantPermissions, AssistantRequest, AssistantSource, AssistantSpec, AssistantTrust, ListedAssistant,
    Wording, worded,
};
pub use attach::{AttachSource, Attachment, AttachmentUnit, SentAs, Unreadable};
pub use bad_case::{
    BadCase, BadCaseRequest, CaseChange, CaseMeasure, CaseMeasured, CaseProposal, CaseVerdict,
};
pub use call::{Call, CallError, CallOutcome, CallRecord, CallState};
pub use change::{ChangeKind, ChangeLeft, ChangeRequest, ChangedBytes, ChangedLines, FileChange};
pub use composition::{
    LeftOutPart, MeasuredPart, MeasuredPrompt, PartStanding, PromptPartCounts, PromptPartFigures,
    PromptPartKind, ShortenedPart, TaskKind,
};
pub use content::{
    Content, ContentKind, ContentPart, ContentSource, ContentView, FormButton, FormField, NamedContext,
    PartView, PdfContent, PdfRead, PdfState, Selection,
};
pub use dashboard::{
    Dashboard, DashboardDay, DashboardRequest, ErrorFigures, ModelFigures, RecallFigures, Recalled,
    RunFigures, Times, ToolFigures,
};
pub use error::{ErrorCode, ModelTrouble, UserError};
pub use event::{ContextItem, RunEvent, RunEventKind, RunStatus, TodoItem, TodoState, VariablePreview};
pub use exec::{ExecRequest, ExecResult, ExecutedCall, GivenProgram, ProgramError};
pub use experience::{
    Experience, ExperienceCount, ExperienceDraft, ExperienceEffect, ExperienceGround, ExperienceKind,
    ExperienceOutcome, ExperienceRequest, ExperienceRole, ExperienceRun, ExperienceState, ExperienceVote,
};
pub use folder::{FolderRequest, WorkFolder, WorkFolders};
pub use id::{CallId, DocumentId, ExecId, ExperienceId, MemoryId, RunId, SegmentId, SessionId};
pub use inside::{JobRequest, JobState, JobView, VariableRequest, VariableValue};
pub use json_lines::{Framed, Framing, LineEdges};
pub use knowledge::{
    KnowledgeBase, KnowledgeDocument, KnowledgePiece, KnowledgeProblem, KnowledgeReport, KnowledgeRequest,
};
pub use local_model::{
    CatalogueEntry, DownloadState, LocalModelPhase, LocalModelView, ModelCatalogue, ModelFile, ServerProgram,
};
pub use look::{
    Area, HeldView, LookAt, LookOutcome, LookRecord, ScreenSentAs, ScreenView, SelectionEnd, SelectionPlace,
};
pub use mcp::{
    ListedMcpServer, McpClient, McpClientState, McpDraft, McpLeftOut, McpLogKind, McpLogLine, McpParameter,
    McpPrompt, McpRequest, McpResource, McpState, McpTool, NewMcpServer, TokenWish,
};
pub use memory::{
    IMPORTANCE_DEFAULT, MemoryData, MemoryKind, MemoryOrigin, MemoryRecord, MemoryScope, MemorySource,
    NoScope,
};
pub use model::{
    Brief, Completion, FailureKind, Finish, Message, ModelDelta, ModelFailure, ModelReply, ModelRequest,
    ModelRole, Part, PartialReply, PromptPart, Sampling, Speaker, ToolCall, ToolDeclaration, Usage, Wait,
};
pub use moment::Moment;
pub use page::{AskingBrowser, PageRef, PageRequest, PageState, PageTool, PageView, PairedBrowser, SITE};
pub use permission::{Class, Ground, Mode, Origin, Verdict};
pub use plugin::{
    ListedPlugin, PluginChange, PluginDetail, PluginFault, PluginRequest, PluginStanding, PluginTool,
};
pub use preference::{ChosenValue, FieldKind, FormNews, FormPlace, FormUse, Preference, PreferenceProposal};
pub use provider::{DaySpending, KeyKeeper, KeyStatus, LocalServer, ModelEntry, Provider, Spent};
pub use recall::{
    Contrary, DroppedGuess, MemoryCount, MemoryHit, MemoryMeaning, MemoryQuery, MemoryRequest, MemoryRoom,
    MemoryScopes, PageVisit, ScoreParts, VisitFact,
};
pub use replay::{Replay, ReplayCall, ReplayInput, ReplayPreview, ReplayProgram};
pub use review::ReviewFinding;
pub use saved_prompt::{
    PromptField, PromptFieldKind, SavedPrompt, SavedPromptDraft, SavedPromptRequest, UnfitValue, fit_values,
};
pub use schedule::{
    MissedPolicy, ScheduleDates, ScheduleDraft, ScheduleOutcome, ScheduleRequest, ScheduleRunView,
    ScheduleTask, ScheduleTime, ScheduleView, ScheduleWords,
};
pub use secret_name::{is_secret_field, is_secret_parameter, names_secret};
pub use segment::{
    Body, ContextPiece, RecallMark, Segment, SegmentKind, ShownCard, SummaryBody, earlier as earlier_segments,
};
pub use sensor::SensorView;
pub use session::{RunSummary, SessionDetail, SessionSummary, WaitingCard};
pub use setting::{ConfigEntry, RememberedRule, SettingChoice, SettingGroup, SettingKind};
pub use skill::{ListedSkill, OfferedSkill, SkillDetail, SkillFile, SkillRequest, SkillSource, SkillTrust};
pub use standing::{sent_back, withdrawn};
pub use toolkit::{
    HOST_TOOLKIT, ListedTool, ListedToolkit, MethodSpec, ParameterKind, ParameterSpec, ToolRequest,
    ToolkitSource, ToolkitSpec,
};
pub use trace::{Span, StepKind, StepStatistics, TraceOutcome, TraceQuery, TraceSummary, TraceVersion};
pub use unseen::{
    AMBIGUOUS, JOINERS, UNSEEN, ends_line, exact, is_shapeless, is_unseen, visible, write_exact,
};
pub use worded::Worded;
pub use workflow::{
    DrawnArm, DrawnArmKind, DrawnStep, ListedWorkflow, OpenRuns, PlannedStep, UnknownCall, WorkflowDetail,
    WorkflowFault, WorkflowParameter, WorkflowPlan, WorkflowRequest, WorkflowRunView, WorkflowStatus,
    WorkflowStepState, WorkflowStepView, WorkflowTask, WorkflowVerdict,
};

/// Replies by name, each as a type of its own.
pub mod reply {
    pub use crate::api::replies_by_name::*;
}

/// Requests by name, each as a type of its own that names its reply. An area's requests are in a module.
pub mod request {
    pub use crate::api::own::*;
    pub use crate::assistant::assistants;
    pub use crate::bad_case::bad_cases;
    pub use crate::change::changes;
    pub use crate::dashboard::dashboard;
    pub use crate::experience::experience;
    pub use crate::folder::folders;
    pub use crate::inside::{jobs, variables};
    pub use crate::knowledge::knowledge;
    pub use crate::mcp::mcp;
    pub use crate::page::pages;
    pub use crate::plugin::plugins;
    pub use crate::recall::memory;
    pub use crate::saved_prompt::saved_prompts;
    pub use crate::schedule::schedules;
    pub use crate::skill::skills;
    pub use crate::toolkit::tools;
    pub use crate::workflow::workflows;
}

/// A JSON object with its keys in the order they were written.
pub type JsonMap = serde_json::Map<String, serde_json::Value>;
