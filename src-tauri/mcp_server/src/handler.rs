//! The protocol's requests to a server: its description, its tools, and their calls. Each follows after the user's
//! leave was checked.

use crate::answers::{failed, sentence};
use crate::ask::{Asker, ask};
use crate::calls;
use crate::limits::QUESTIONS_AT_ONCE;
use crate::tools::{Unusable, Wanted, declared, shown, wanted};
use parking_lot::Mutex;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode as Code,
    ErrorData, Implementation, InitializeRequestParams, InitializeResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use shidi_locales::{Language, McpServer};
use shidi_protocol::{ErrorCode, UserError, reply, request};
use shidi_runtime::setting;
use shidi_service::{Borrowed, Lender};
use std::io::{self, Write};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Told to the client's model once.
const INSTRUCTIONS: &str = "Shidi is the user's own assistant on this computer: it knows what they had it remember, \
    their conversations, and what is in front of them. The user allows each program in Shidi; a refusal says how.";

/// Answers one client.
#[derive(Clone)]
pub struct Handler(Arc<Served>);

struct Served {
    lender: Lender,
    language: Language,
    /// Cancelled when the client can't be reached any more.
    gone: CancellationToken,
    questions: Semaphore,
    /// Why the client was sent away at once.
    refusal: Mutex<Option<UserError>>,
}

impl Handler {
    pub fn new(lender: Lender, language: Language, gone: CancellationToken) -> Self {
        Self(Arc::new(Served {
            lender,
            language,
            gone,
            questions: Semaphore::new(QUESTIONS_AT_ONCE),
            refusal: Mutex::default(),
        }))
    }

    /// Why the client was sent away at once, if it was.
    pub fn refusal(&self) -> Option<UserError> {
        self.0.refusal.lock().take()
    }

    fn say(&self) -> McpServer {
        self.0.language.mcp_server()
    }

    /// Whether anybody is served here; the client is known as one that asks from then on.
    async fn received(&self, client: &str) -> Result<(), UserError> {
        let connection = self.0.lender.borrow().await?;
        let reply::Config { entries, .. } = connection.ask(request::ConfigList).await?;
        let serves = entries
            .iter()
            .any(|entry| entry.key == setting::mcp::serve && entry.value == "on");
        match admitted(&connection, client).await {
            Err(refused) if !serves => Err(refused),
            // The conversation goes on: the user may allow it at any time.
            Err(asks) => {
                note(&sentence(&asks, self.say()));
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    async fn carried_out(
        &self,
        wanted: Wanted,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, UserError> {
        let client = context.client_info().map(|client| client.name);
        let connection = self.0.lender.borrow().await?;
        let client = admitted(&connection, &client.unwrap_or_default()).await?;
        match wanted {
            Wanted::Memories { query, limit } => calls::memories(&connection, query, limit).await,
            Wanted::Sessions { query, limit } => calls::sessions(&connection, query, limit).await,
            Wanted::Context => calls::context(&connection, client).await,
            Wanted::Answer { question } => self.answered(&connection, question, context).await,
        }
    }

    async fn answered(
        &self,
        connection: &Borrowed,
        question: String,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, UserError> {
        let Ok(_turn) = self.0.questions.try_acquire() else {
            let refused = UserError::new(ErrorCode::Input, self.say().too_many_questions(QUESTIONS_AT_ONCE));
            return Err(refused.hint(self.say().await_an_answer()));
        };
        let token = context.meta.get_progress_token();
        // One token for both: the client takes back its question, or can't be reached.
        let stop = self.0.gone.child_token();
        let asker = Asker {
            language: self.0.language,
            stop: stop.clone(),
            progress: token.map(|token| (context.peer.clone(), token)),
        };
        let asking = ask(connection, question, asker);
        let mut asking = std::pin::pin!(asking);
        tokio::select! {
            answered = &mut asking => return answered,
            () = context.ct.cancelled() => stop.cancel(),
        }
        asking.await
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let tools = ServerCapabilities::builder().enable_tools().build();
        let own = Implementation::new("shidi", env!("CARGO_PKG_VERSION")).with_title("Shidi");
        ServerConfig::new(tools)
            .with_server_info(own)
            .with_instructions(INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        if let Err(refused) = self.received(&request.client_info.name).await {
            let said = sentence(&refused, self.say());
            *self.0.refusal.lock() = Some(refused);
            return Err(ErrorData::new(Code::INVALID_REQUEST, said, None));
        }
        self.negotiate_initialize(&request)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(declared()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let say = self.say();
        let wanted = match wanted(&request.name, request.arguments, say) {
            Ok(wanted) => wanted,
            Err(Unusable::Arguments(why)) => return Ok(failed(&why, say).into()),
            Err(Unusable::Tool(why)) => {
                return Err(ErrorData::new(Code::INVALID_PARAMS, sentence(&why, say), None));
            }
        };
        let result = self.carried_out(wanted, &context).await;
        Ok(result.unwrap_or_else(|why| failed(&why, say)).into())
    }

    /// What the library could not read as a request that it knows.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let say = self.say();
        let method = shown(&request.method);
        let version = context.protocol_version();
        let greets = version.is_none_or(|version| version.as_str() < ProtocolVersion::NO_INITIALIZE.as_str());
        match request.method.as_str() {
            "initialize" | "ping" if !greets => Err(ErrorData::new(
                Code::METHOD_NOT_FOUND,
                say.no_such_method(method),
                None,
            )),
            "tools/call" | "tools/list" | "initialize" | "ping" => Err(ErrorData::new(
                Code::INVALID_PARAMS,
                say.wrong_parameters(method),
                None,
            )),
            _ => Err(ErrorData::new(
                Code::METHOD_NOT_FOUND,
                say.no_such_method(method),
                None,
            )),
        }
    }
}

/// The client's name as it is kept, where it may call a tool now.
async fn admitted(connection: &Borrowed, client: &str) -> Result<String, UserError> {
    let calls = request::mcp::ClientCalls {
        name: client.to_owned(),
    };
    let reply::McpClients { clients } = connection.ask(calls).await?;
    let own = clients.into_iter().next();
    Ok(own.map(|client| client.name).unwrap_or_default())
}

/// Into the client's log: what goes to standard error reaches no model.
fn note(said: &str) {
    // A client that reads no log can't be told.
    writeln!(io::stderr().lock(), "{said}").unwrap_or_default();
}
