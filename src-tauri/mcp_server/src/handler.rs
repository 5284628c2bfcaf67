//! The protocol's requests to a server, in both eras: each is read, bounded and handed to what is served.
//!
//! Messages, versions and headers are the library's. Nothing here knows what is served, or who may have it.

use crate::answers::{sentence, shown};
use crate::changes::{Changes, tells, told_on, told_to};
use crate::exchange::{Exchange, Round, client, is_newer};
use crate::limits::SUBSCRIPTIONS_MAX;
use crate::offer::Offer;
use crate::pages::page;
use crate::questions::Halt;
use crate::seal::Seal;
use crate::session::Session;
use crate::severity::Severity;
use parking_lot::Mutex;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CompletionInfo,
    CustomRequest, CustomResult, ErrorCode as Code, ErrorData, GetPromptRequestParams, GetPromptResponse,
    InitializeRequestParams, InitializeResult, InputRequiredResult, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use shidi_locales::{Language, McpServer};
use shidi_protocol::UserError;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Answers one client.
#[derive(Clone)]
pub struct Handler {
    served: Arc<Served>,
    session: Arc<Session>,
}

/// What all clients share.
struct Served {
    offer: Arc<dyn Offer>,
    language: Language,
    changes: Changes,
    seal: Arc<Seal>,
    /// Why the client was sent away at once.
    refusal: Mutex<Option<UserError>>,
}

impl Handler {
    pub fn new(offer: Arc<dyn Offer>, language: Language) -> Self {
        Self {
            served: Arc::new(Served {
                offer,
                language,
                changes: Changes::default(),
                seal: Arc::new(Seal::new()),
                refusal: Mutex::default(),
            }),
            session: Arc::new(Session::new()),
        }
    }

    /// The same for another client.
    pub fn another(&self) -> Self {
        Self {
            served: Arc::clone(&self.served),
            session: Arc::new(Session::new()),
        }
    }

    /// Why the client was sent away at once, if it was.
    pub fn refusal(&self) -> Option<UserError> {
        self.served.refusal.lock().take()
    }

    fn say(&self) -> McpServer {
        self.served.language.mcp_server()
    }

    fn offer(&self) -> &dyn Offer {
        self.served.offer.as_ref()
    }

    fn capabilities(&self) -> ServerCapabilities {
        self.offer().config().capabilities
    }

    fn exchange(&self, context: RequestContext<RoleServer>, round: Round) -> Exchange {
        let has_log = self.capabilities().logging.is_some();
        let level = has_log.then(|| self.session.level());
        let own = (Arc::clone(&self.served.seal), self.say());
        Exchange::new(context, self.served.changes.clone(), level, round, own)
    }

    /// A request that may ask its client, with what came of earlier rounds.
    ///
    /// # Errors
    /// The state is not the one that was given to this request.
    fn asking(
        &self,
        context: RequestContext<RoleServer>,
        (method, name, arguments): (&str, &str, &JsonObject),
        answered: Option<BTreeMap<String, Value>>,
        state: Option<String>,
    ) -> Result<Exchange, ErrorData> {
        if !is_newer(&context) {
            return Ok(self.exchange(context, Round::default()));
        }
        let subject = subject(method, name, arguments, &client(&context));
        let mut answers = answered.unwrap_or_default();
        if let Some(state) = state {
            let earlier = self.served.seal.opened(&subject, &state);
            let earlier = earlier.ok_or_else(|| refused(Code::INVALID_PARAMS, self.say().no_such_state()))?;
            // What was answered before can't be answered differently now.
            answers.extend(earlier);
        }
        Ok(self.exchange(context, Round { subject, answers }))
    }

    fn paged<T>(
        &self,
        all: Vec<T>,
        request: Option<PaginatedRequestParams>,
    ) -> Result<(Vec<T>, Option<String>), ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let page = page(all, cursor.as_deref());
        page.ok_or_else(|| refused(Code::INVALID_PARAMS, self.say().no_such_cursor()))
    }

    /// Refuses a method that is not served to a client of that era.
    fn check(&self, method: &str, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
        match self.is_served(method, is_newer(context)) {
            true => Ok(()),
            false => Err(refused(
                Code::METHOD_NOT_FOUND,
                self.say().no_such_method(shown(method)),
            )),
        }
    }

    fn is_served(&self, method: &str, is_newer: bool) -> bool {
        let can = self.capabilities();
        match method {
            "initialize" | "ping" => !is_newer,
            "tools/call" | "tools/list" => can.tools.is_some(),
            "prompts/get" | "prompts/list" => can.prompts.is_some(),
            "completion/complete" => can.completions.is_some(),
            "resources/list" | "resources/read" | "resources/templates/list" => can.resources.is_some(),
            "resources/subscribe" | "resources/unsubscribe" => {
                let resources = can.resources.and_then(|resources| resources.subscribe);
                !is_newer && resources == Some(true)
            }
            "logging/setLevel" => !is_newer && can.logging.is_some(),
            "subscriptions/listen" => is_newer && tells(&can),
            _ => false,
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.offer().config()
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        if let Err(why) = self.offer().greeted(&request.client_info.name).await {
            let said = sentence(&why, self.say());
            *self.served.refusal.lock() = Some(why);
            return Err(refused(Code::INVALID_REQUEST, said));
        }
        self.negotiate_initialize(&request)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let can = self.capabilities();
        if tells(&can) {
            let changes = self.served.changes.listen();
            let subscribed = Arc::clone(&self.session.subscribed);
            let ended = self.session.ended.clone();
            tokio::spawn(told_to(context.peer, changes, can, subscribed, ended));
        }
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.check("tools/list", &context)?;
        let exchange = self.exchange(context, Round::default());
        let (tools, next) = self.paged(self.offer().tools(&exchange).await?, request)?;
        let mut result = ListToolsResult::with_all_items(tools);
        result.next_cursor = next;
        Ok(result)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.offer().tool(name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.check("tools/call", &context)?;
        let (name, arguments) = (request.name, request.arguments.unwrap_or_default());
        let named = ("tools/call", &*name, &arguments);
        let exchange = self.asking(context, named, request.input_responses, request.request_state)?;
        outcome(self.offer().call(&name, arguments, &exchange).await)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.check("prompts/list", &context)?;
        let exchange = self.exchange(context, Round::default());
        let (prompts, next) = self.paged(self.offer().prompts(&exchange).await?, request)?;
        let mut result = ListPromptsResult::with_all_items(prompts);
        result.next_cursor = next;
        Ok(result)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.check("prompts/get", &context)?;
        let (name, arguments) = (request.name, request.arguments.unwrap_or_default());
        let named = ("prompts/get", name.as_str(), &arguments);
        let exchange = self.asking(context, named, request.input_responses, request.request_state)?;
        outcome(self.offer().prompt(&name, arguments, &exchange).await)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.check("completion/complete", &context)?;
        let exchange = self.exchange(context, Round::default());
        let mut values = self.offer().completions(request, &exchange).await?;
        let all = values.len();
        values.truncate(CompletionInfo::MAX_VALUES);
        let has_more = values.len() < all;
        let completion = CompletionInfo::with_pagination(values, u32::try_from(all).ok(), has_more);
        match completion {
            Ok(completion) => Ok(CompleteResult::new(completion)),
            Err(cause) => Err(ErrorData::internal_error(cause, None)),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.check("resources/list", &context)?;
        let exchange = self.exchange(context, Round::default());
        let (resources, next) = self.paged(self.offer().resources(&exchange).await?, request)?;
        let mut result = ListResourcesResult::with_all_items(resources);
        result.next_cursor = next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.check("resources/templates/list", &context)?;
        let exchange = self.exchange(context, Round::default());
        let (templates, next) = self.paged(self.offer().templates(&exchange).await?, request)?;
        let mut result = ListResourceTemplatesResult::with_all_items(templates);
        result.next_cursor = next;
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.check("resources/read", &context)?;
        let address = request.uri;
        let named = ("resources/read", address.as_str(), &JsonObject::new());
        let exchange = self.asking(context, named, request.input_responses, request.request_state)?;
        let read = match self.offer().resource(&address, &exchange).await {
            Ok(Some(contents)) => Ok(ReadResourceResult::new(contents)),
            Ok(None) => {
                let said = self.say().no_such_resource(shown(&address));
                let missing = ErrorData::resource_not_found(said, Some(json!({"uri": address})));
                Err(Halt::from(missing))
            }
            Err(halt) => Err(halt),
        };
        outcome(read)
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.check("resources/subscribe", &context)?;
        match self.session.subscribe(request.uri) {
            true => Ok(()),
            false => Err(refused(
                Code::INVALID_REQUEST,
                self.say().too_many_subscriptions(SUBSCRIPTIONS_MAX),
            )),
        }
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.check("resources/unsubscribe", &context)?;
        self.session.unsubscribe(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        if !tells(&self.capabilities()) {
            return None;
        }
        self.session.will_listen(self.served.changes.listen());
        Some(requested.clone())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        if let Some(changes) = self.session.listening() {
            told_on(&subscription, changes).await;
        }
        Ok(())
    }

    #[expect(
        deprecated,
        reason = "SEP-2577 marks the log of the older era, and its clients use it"
    )]
    async fn set_level(
        &self,
        request: rmcp::model::SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.check("logging/setLevel", &context)?;
        let level = serde_json::to_value(request.level).ok();
        let level = level.as_ref().and_then(Value::as_str).and_then(Severity::named);
        self.session.set_level(level.unwrap_or(Severity::Info));
        Ok(())
    }

    /// What the library could not read as a request that it knows.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        self.check(&request.method, &context)?;
        let said = self.say().wrong_parameters(shown(&request.method));
        Err(refused(Code::INVALID_PARAMS, said))
    }
}

/// The result of a request that may have asked its client.
fn outcome<T, R: From<T> + From<InputRequiredResult>>(done: Result<T, Halt>) -> Result<R, ErrorData> {
    match done {
        Ok(result) => Ok(result.into()),
        Err(Halt::Asks(asks)) => Ok((*asks).into()),
        Err(Halt::Refused(why)) => Err(*why),
    }
}

/// What a state belongs to: the same request with the same arguments, by a client of the same name.
fn subject(method: &str, name: &str, arguments: &JsonObject, client: &str) -> String {
    let sorted: BTreeMap<&String, &Value> = arguments.iter().collect();
    let said = json!([method, name, sorted, client]).to_string();
    let digest: [u8; 32] = Sha256::digest(said.as_bytes()).into();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn refused(code: Code, said: impl Into<String>) -> ErrorData {
    let said: String = said.into();
    ErrorData::new(code, said, None)
}

#[cfg(test)]
mod tests;
