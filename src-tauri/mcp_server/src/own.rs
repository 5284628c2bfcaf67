//! What Shidi itself serves: its tools, and the user's prompts and reviewed skills as prompts.
//!
//! Every request is checked anew: the user may take a client's leave at any time. A client without it gets tools that
//! say what is missing, and no prompts.

use crate::answers::{failed, sentence};
use crate::ask::{Asker, ask};
use crate::exchange::Exchange;
use crate::limits::QUESTIONS_AT_ONCE;
use crate::offer::Offer;
use crate::questions::Halt;
use crate::tools::{Unusable, Wanted, declared, wanted};
use crate::{calls, prompts};
use async_trait::async_trait;
use rmcp::model::{
    CallToolResult, CompleteRequestParams, ErrorCode as Code, ErrorData, GetPromptResult, Implementation,
    JsonObject, Prompt, ServerCapabilities, ServerConfig, Tool,
};
use shidi_locales::{Language, McpServer};
use shidi_protocol::{ErrorCode, UserError, reply, request};
use shidi_runtime::setting;
use shidi_service::{Borrowed, Lender};
use std::io::{self, Write};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Told to the client's model once.
const INSTRUCTIONS: &str = "Shidi is the user's own assistant on this computer: it knows what they had it remember, \
    their conversations, and what is in front of them. The user allows each program in Shidi; a refusal says how.";

/// Shidi, for all of its clients.
pub struct Own {
    lender: Lender,
    language: Language,
    /// Cancelled when the client can't be reached any more.
    gone: CancellationToken,
    questions: Semaphore,
}

impl Own {
    pub fn new(lender: Lender, language: Language, gone: CancellationToken) -> Self {
        Self {
            lender,
            language,
            gone,
            questions: Semaphore::new(QUESTIONS_AT_ONCE),
        }
    }

    fn say(&self) -> McpServer {
        self.language.mcp_server()
    }

    async fn carried_out(&self, wanted: Wanted, exchange: &Exchange) -> Result<CallToolResult, UserError> {
        let connection = self.lender.borrow().await?;
        let client = admitted(&connection, &exchange.client()).await?;
        match wanted {
            Wanted::Memories { query, limit } => calls::memories(&connection, query, limit).await,
            Wanted::Sessions { query, limit } => calls::sessions(&connection, query, limit).await,
            Wanted::Context => calls::context(&connection, client).await,
            Wanted::Answer { question } => self.answered(&connection, question, exchange).await,
        }
    }

    async fn answered(
        &self,
        connection: &Borrowed,
        question: String,
        exchange: &Exchange,
    ) -> Result<CallToolResult, UserError> {
        let Ok(_turn) = self.questions.try_acquire() else {
            let refused = UserError::new(ErrorCode::Input, self.say().too_many_questions(QUESTIONS_AT_ONCE));
            return Err(refused.hint(self.say().await_an_answer()));
        };
        // One token for both: the client takes back its question, or can't be reached.
        let stop = self.gone.child_token();
        let asker = Asker {
            language: self.language,
            stop: stop.clone(),
            progress: exchange.progress(),
        };
        let asking = ask(connection, question, asker);
        let mut asking = std::pin::pin!(asking);
        tokio::select! {
            answered = &mut asking => return answered,
            () = exchange.cancelled() => stop.cancel(),
        }
        asking.await
    }

    /// The connection, for a client that may have prompts now.
    async fn for_prompts(&self, exchange: &Exchange) -> Result<Borrowed, UserError> {
        let connection = self.lender.borrow().await?;
        admitted(&connection, &exchange.client()).await?;
        Ok(connection)
    }

    fn refused(&self, why: &UserError) -> ErrorData {
        let code = match why.code {
            ErrorCode::Input | ErrorCode::NotFound => Code::INVALID_PARAMS,
            ErrorCode::Task
            | ErrorCode::Model
            | ErrorCode::Key
            | ErrorCode::KeysLocked
            | ErrorCode::Storage
            | ErrorCode::NewerData
            | ErrorCode::System
            | ErrorCode::Cancelled
            | ErrorCode::Internal => Code::INTERNAL_ERROR,
        };
        ErrorData::new(code, sentence(why, self.say()), None)
    }
}

#[async_trait]
impl Offer for Own {
    fn config(&self) -> ServerConfig {
        let can = ServerCapabilities::builder()
            .enable_completions()
            .enable_prompts()
            .enable_tools();
        let own = Implementation::new("shidi", env!("CARGO_PKG_VERSION")).with_title("Shidi");
        ServerConfig::new(can.build())
            .with_server_info(own)
            .with_instructions(INSTRUCTIONS)
    }

    /// Whether anybody is served here; the client is known as one that asks from then on.
    async fn greeted(&self, client: &str) -> Result<(), UserError> {
        let connection = self.lender.borrow().await?;
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

    fn tool(&self, name: &str) -> Option<Tool> {
        declared().into_iter().find(|tool| tool.name == name)
    }

    async fn tools(&self, _exchange: &Exchange) -> Result<Vec<Tool>, ErrorData> {
        Ok(declared())
    }

    async fn call(
        &self,
        name: &str,
        arguments: JsonObject,
        exchange: &Exchange,
    ) -> Result<CallToolResult, Halt> {
        let say = self.say();
        let wanted = match wanted(name, Some(arguments), say) {
            Ok(wanted) => wanted,
            Err(Unusable::Arguments(why)) => return Ok(failed(&why, say)),
            Err(Unusable::Tool(why)) => return Err(self.refused(&why).into()),
        };
        let result = self.carried_out(wanted, exchange).await;
        Ok(result.unwrap_or_else(|why| failed(&why, say)))
    }

    /// A client that is not allowed sees none: a list that fails would look like a server that is broken.
    async fn prompts(&self, exchange: &Exchange) -> Result<Vec<Prompt>, ErrorData> {
        let connection = match self.for_prompts(exchange).await {
            Ok(connection) => connection,
            Err(asks) => {
                note(&sentence(&asks, self.say()));
                return Ok(Vec::new());
            }
        };
        let listed = prompts::listed(&connection, self.say()).await;
        listed.map_err(|why| self.refused(&why))
    }

    async fn prompt(
        &self,
        name: &str,
        arguments: JsonObject,
        exchange: &Exchange,
    ) -> Result<GetPromptResult, Halt> {
        let written = match self.for_prompts(exchange).await {
            Ok(connection) => prompts::written(&connection, name, arguments, self.say()).await,
            Err(why) => Err(why),
        };
        written.map_err(|why| self.refused(&why).into())
    }

    async fn completions(
        &self,
        wanted: CompleteRequestParams,
        exchange: &Exchange,
    ) -> Result<Vec<String>, ErrorData> {
        let Ok(connection) = self.for_prompts(exchange).await else {
            return Ok(Vec::new());
        };
        let values = prompts::completions(&connection, &wanted).await;
        values.map_err(|why| self.refused(&why))
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
