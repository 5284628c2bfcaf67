//! Our role towards a server. We are a client that calls tools, and answers the server's questions in the middle
//! of a call.
//!
//! A question outside a call, or one whose call can't be told, is declined at once.

#![expect(
    deprecated,
    reason = "folders, questions to models and messages for the log are going out of the protocol, and servers of today use them"
)]

use crate::at_work::{AtWork, Work};
use crate::elicitation::{self, Elicitation, Elicited};
use crate::limits::{ROOTS_SETTLE, ROOTS_WAIT};
use crate::log::Log;
use crate::sampling;
use parking_lot::Mutex;
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult, CustomRequest,
    CustomResult, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability, ErrorCode,
    ErrorData, FormElicitationCapability, Implementation, ListRootsResult, LoggingMessageNotificationParam,
    ProgressNotificationParam, ProtocolVersion, Root, RootsCapabilities, SamplingCapability, SamplingMessage,
    UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, RoleClient};
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// A number that grows whenever a server says that its tools have changed.
pub type News = watch::Sender<u64>;

/// What is heard of a server, over all connections to it.
#[derive(Clone)]
pub struct Ears {
    pub news: News,
    pub at_work: Arc<AtWork>,
    pub log: Log,
    /// What the server last said that it wants before it answers, in its own header.
    challenge: Arc<Mutex<Option<String>>>,
}

impl Ears {
    pub fn with_log(log: Log) -> Self {
        Self {
            log,
            ..Self::default()
        }
    }

    /// Notes what the server wants before it answers.
    pub fn challenged(&self, challenge: &str) {
        *self.challenge.lock() = Some(challenge.to_owned());
    }

    pub fn challenge(&self) -> Option<String> {
        self.challenge.lock().clone()
    }
}

impl Default for Ears {
    fn default() -> Self {
        Self {
            news: watch::channel(0).0,
            at_work: Arc::default(),
            log: Log::default(),
            challenge: Arc::default(),
        }
    }
}

/// The folders that a server was told of on one connection.
pub struct Roots {
    told: Mutex<Vec<PathBuf>>,
    /// How often it has asked.
    asked: watch::Sender<u64>,
}

impl Default for Roots {
    fn default() -> Self {
        Self {
            told: Mutex::default(),
            asked: watch::channel(0).0,
        }
    }
}

impl Roots {
    /// Tells a server that has asked before that its folders are others now, and lets it ask again.
    pub async fn renew(&self, peer: &Peer<RoleClient>, folders: &[PathBuf]) {
        let mut asked = self.asked.subscribe();
        let has_asked = *asked.borrow_and_update() > 0;
        if !has_asked || *self.told.lock() == folders {
            return;
        }
        if let Err(cause) = peer.notify_roots_list_changed().await {
            tracing::debug!(%cause, "a server is not told of its folders");
            return;
        }
        if let Ok(Ok(())) = timeout(ROOTS_WAIT, asked.changed()).await {
            sleep(ROOTS_SETTLE).await;
        }
    }
}

/// One connection's ears.
pub struct Listener {
    ears: Ears,
    roots: Arc<Roots>,
    /// Whether the server works on this computer: only there are its folders of use.
    is_here: bool,
}

impl Listener {
    pub fn new(ears: Ears, roots: Arc<Roots>, is_here: bool) -> Self {
        Self { ears, roots, is_here }
    }
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let name = Implementation::new("shidi", env!("CARGO_PKG_VERSION"));
        let mut capabilities = ClientCapabilities::default();
        let elicitation = ElicitationCapability::new().with_form(FormElicitationCapability::new());
        capabilities.elicitation = Some(elicitation.with_url(UrlElicitationCapability::new()));
        capabilities.sampling = Some(SamplingCapability::default());
        capabilities.roots = self.is_here.then(|| {
            let mut roots = RootsCapabilities::default();
            roots.list_changed = Some(true);
            roots
        });
        // Sent in a handshake only: the revision without one has its own way.
        ClientConfig::new(capabilities, name).with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn list_roots(&self, _context: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        let folders = match self.is_here {
            true => self.ears.at_work.folders(),
            false => Vec::new(),
        };
        let listed = roots(&folders);
        *self.roots.told.lock() = folders;
        self.roots.asked.send_modify(|count| *count += 1);
        Ok(listed)
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let params = json_of(&params)?;
        let asking = elicited(self.ears.at_work.asking(), &params);
        tokio::select! {
            answer = asking => answer,
            () = context.ct.cancelled() => Ok(ElicitResult::new(ElicitationAction::Cancel)),
        }
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let params = json_of(&params)?;
        let asking = sampled(self.ears.at_work.asking(), &params);
        tokio::select! {
            answer = asking => answer,
            () = context.ct.cancelled() => Err(refusal("The server waits no longer".to_owned())),
        }
    }

    /// The library knows no form that is not flat, and hands it in here.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<CustomResult, ErrorData> {
        let params = request.params.unwrap_or_default();
        match request.method.as_str() {
            "elicitation/create" => {
                let asking = elicited(self.ears.at_work.asking(), &params);
                let answer = tokio::select! {
                    answer = asking => answer?,
                    () = context.ct.cancelled() => ElicitResult::new(ElicitationAction::Cancel),
                };
                json_of(&answer).map(CustomResult::new)
            }
            // Whatever the library can't read of a question to a model is no text.
            "sampling/createMessage" => Err(unfit(sampling::Unfit::NotText)),
            _ => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.ears.at_work.progressed(&params);
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let level = json_of(&params.level).unwrap_or_default();
        let level = level.as_str().unwrap_or_default();
        self.ears.log.told(level, params.logger.as_deref(), &params.data);
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.ears.news.send_modify(|count| *count += 1);
    }
}

/// The folders as the protocol names them.
pub fn roots(folders: &[PathBuf]) -> ListRootsResult {
    let root = |folder: &PathBuf| {
        let uri = reqwest::Url::from_file_path(folder).ok()?;
        let root = Root::new(uri.to_string());
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        Some(match name {
            Some(name) => root.with_name(name),
            None => root,
        })
    };
    ListRootsResult::new(folders.iter().filter_map(root).collect())
}

/// Puts a question of the server to the person behind the call, if there is such a call.
///
/// # Errors
/// A question that is put to nobody, with the reason.
pub async fn elicited(work: Option<Arc<Work>>, params: &Value) -> Result<ElicitResult, ErrorData> {
    let asked = elicitation_in(params).map_err(unfit)?;
    let Some(work) = work else {
        return Ok(ElicitResult::new(ElicitationAction::Decline));
    };
    let is_form = matches!(asked.asks, elicitation::Asks::Form(_));
    Ok(match work.elicit(&asked).await {
        Elicited::Accepted(content) if is_form => {
            ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(content))
        }
        Elicited::Accepted(_) => ElicitResult::new(ElicitationAction::Accept),
        Elicited::Declined => ElicitResult::new(ElicitationAction::Decline),
        Elicited::Cancelled => ElicitResult::new(ElicitationAction::Cancel),
    })
}

fn elicitation_in(params: &Value) -> Result<Elicitation, elicitation::Unfit> {
    let message = params["message"].as_str().unwrap_or_default();
    match params["mode"].as_str() {
        Some("url") => elicitation::of_address(message, params["url"].as_str().unwrap_or_default()),
        Some(_) | None => elicitation::of_form(message, &params["requestedSchema"]),
    }
}

/// Puts a question of the server to a model for the call, if there is such a call.
///
/// # Errors
/// A question that is put to no model, with the reason.
pub async fn sampled(work: Option<Arc<Work>>, params: &Value) -> Result<CreateMessageResult, ErrorData> {
    let asked = sampling::of(params).map_err(unfit)?;
    let Some(work) = work else {
        return Err(refusal("No call is at work that this could be for".to_owned()));
    };
    let sampled = work.sample(asked).await.map_err(refusal)?;
    let reason = match sampled.is_cut {
        true => CreateMessageResult::STOP_REASON_END_MAX_TOKEN,
        false => CreateMessageResult::STOP_REASON_END_TURN,
    };
    let message = SamplingMessage::assistant_text(sampled.text);
    Ok(CreateMessageResult::new(message, sampled.model).with_stop_reason(reason))
}

fn unfit(why: impl std::fmt::Display) -> ErrorData {
    ErrorData::invalid_params(why.to_string(), None)
}

/// The code is the one that the protocol's own examples have for a person's refusal.
fn refusal(why: String) -> ErrorData {
    ErrorData::new(ErrorCode(-1), why, None)
}

fn json_of(value: &impl Serialize) -> Result<Value, ErrorData> {
    serde_json::to_value(value).map_err(|cause| ErrorData::internal_error(cause.to_string(), None))
}
