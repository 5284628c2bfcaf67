//! A call of a tool from its request to its result. A server of the newest revision asks in rounds before the result.
//!
//! Each round asks for folders, a person's answer or a model's; the call is sent again with what was answered.

use crate::at_work::Work;
use crate::limits::{ROUND_PAUSE, ROUND_REQUESTS_MAX, ROUNDS_MAX};
use crate::listener::{elicited, roots, sampled};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, CancelledNotificationParam, ClientRequest,
    ErrorData, InputRequest, InputRequests, InputResponses, RequestId, RequestMetaObject, ServerResult,
};
use rmcp::service::{Peer, PeerRequestOptions, RoleClient, ServiceError};
use serde_json::Value;
use std::sync::Arc;
use tokio::time::sleep;

/// How a call came to an end.
pub enum CallEnd {
    Complete(CallToolResult),
    /// The server wants something that is not given.
    Asks(&'static str),
    /// The server was refused what it wanted, for this reason.
    NotGiven(String),
}

/// Calls a tool, and answers what the server asks before it answers.
///
/// # Errors
/// Trouble with the connection, or what the server says against the call.
pub async fn called(
    peer: &Peer<RoleClient>,
    work: &Arc<Work>,
    is_here: bool,
    mut params: CallToolRequestParams,
) -> Result<CallEnd, ServiceError> {
    for _ in 0..ROUNDS_MAX {
        let asked = match sent(peer, work, params.clone()).await? {
            ServerResult::CallToolResult(result) => return Ok(CallEnd::Complete(result)),
            ServerResult::InputRequiredResult(asked) => asked,
            ServerResult::CreateTaskResult(_) => return Ok(CallEnd::Asks("task")),
            other if is_bare(&other) => return Ok(CallEnd::Complete(CallToolResult::success(Vec::new()))),
            _ => return Err(ServiceError::UnexpectedResponse),
        };
        let requests = asked.input_requests.unwrap_or_default();
        if requests.len() > ROUND_REQUESTS_MAX {
            return Ok(CallEnd::Asks("more than is answered at once"));
        }
        if requests.is_empty() {
            sleep(ROUND_PAUSE).await;
        }
        match answered(requests, work, is_here).await {
            Ok(answers) => params.input_responses = Some(answers).filter(|answers| !answers.is_empty()),
            Err(why) => return Ok(CallEnd::NotGiven(why.message.into_owned())),
        }
        params.request_state = asked.request_state;
    }
    Ok(CallEnd::Asks("input without end"))
}

/// One request; the server is told when nobody waits for it any more.
async fn sent(
    peer: &Peer<RoleClient>,
    work: &Work,
    params: CallToolRequestParams,
) -> Result<ServerResult, ServiceError> {
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let handle = peer.send_request_with_option(request, options(peer)).await?;
    work.hears(handle.progress_token.clone());
    let mut abandoned = Abandoned(peer, Some(handle.id.clone()));
    let result = handle.await_response().await;
    abandoned.1 = None;
    result
}

/// Servers without a handshake send messages for their log where a call asks for them; older ones send them unasked.
#[expect(
    deprecated,
    reason = "messages for the log are going out of the protocol, and servers of today send them"
)]
fn options(peer: &Peer<RoleClient>) -> PeerRequestOptions {
    let wants_level = peer
        .peer_info()
        .is_some_and(|info| !info.protocol_version.has_initialize() && info.capabilities.logging.is_some());
    if !wants_level {
        return PeerRequestOptions::no_options();
    }
    let mut meta = RequestMetaObject::default();
    meta.set_log_level(rmcp::model::LoggingLevel::Info);
    PeerRequestOptions::no_options().with_meta(meta)
}

/// A result of a tool that has nothing to say.
fn is_bare(result: &ServerResult) -> bool {
    match result {
        ServerResult::EmptyResult(_) => true,
        ServerResult::CustomResult(result) => {
            let members = result.0.as_object();
            members.is_some_and(|members| members.keys().all(|name| name == "_meta"))
        }
        _ => false,
    }
}

async fn answered(
    requests: InputRequests,
    work: &Arc<Work>,
    is_here: bool,
) -> Result<InputResponses, ErrorData> {
    let mut answers = InputResponses::new();
    for (name, request) in requests {
        let answer = match request {
            InputRequest::Elicitation(request) => {
                let params = json_of(&request.params)?;
                json_of(&elicited(Some(Arc::clone(work)), &params).await?)?
            }
            InputRequest::CreateMessage(request) => {
                let params = json_of(&request.params)?;
                json_of(&sampled(Some(Arc::clone(work)), &params).await?)?
            }
            InputRequest::ListRoots(_) => {
                let folders = if is_here { work.folders() } else { Vec::new() };
                json_of(&roots(&folders))?
            }
            _ => return Err(ErrorData::invalid_params("Nobody here knows that request", None)),
        };
        answers.insert(name, answer);
    }
    Ok(answers)
}

fn json_of(value: &impl serde::Serialize) -> Result<Value, ErrorData> {
    serde_json::to_value(value).map_err(|cause| ErrorData::internal_error(cause.to_string(), None))
}

/// A request that is taken back where it is dropped before its answer.
struct Abandoned<'a>(&'a Peer<RoleClient>, Option<RequestId>);

impl Drop for Abandoned<'_> {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.1.take(), tokio::runtime::Handle::try_current()) else {
            return;
        };
        let peer = self.0.clone();
        runtime.spawn(async move {
            let told =
                CancelledNotificationParam::new(Some(id), Some("nobody waits for it any more".to_owned()));
            if let Err(cause) = peer.notify_cancelled(told).await {
                tracing::debug!(%cause, "a server is not told that a call was given up");
            }
        });
    }
}
