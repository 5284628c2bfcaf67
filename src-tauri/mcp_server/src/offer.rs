//! What a server has to give, whatever speaks the protocol for it.
//!
//! The protocol layer asks here, and knows nothing of Shidi. So the program's own tools and the things that a
//! conformance suite wants are served by the same code. Texts of refusals are the offer's own.

use crate::exchange::Exchange;
use crate::questions::Halt;
use async_trait::async_trait;
use rmcp::model::{
    CallToolResult, CompleteRequestParams, ErrorData, GetPromptRequestMethod, GetPromptResult, JsonObject,
    Prompt, Resource, ResourceContents, ResourceTemplate, ServerConfig, Tool,
};
use shidi_protocol::UserError;

/// Tools, prompts and resources for clients. What the capabilities do not name is never asked for.
#[async_trait]
pub trait Offer: Send + Sync + 'static {
    /// Who serves, and what it can. It is asked for often, and always says the same.
    fn config(&self) -> ServerConfig;

    /// A client of the older era begins.
    ///
    /// # Errors
    /// Why it is sent away, with the remedy.
    async fn greeted(&self, _client: &str) -> Result<(), UserError> {
        Ok(())
    }

    /// The tool of that name, for what is checked before its call.
    fn tool(&self, name: &str) -> Option<Tool>;

    async fn tools(&self, exchange: &Exchange) -> Result<Vec<Tool>, ErrorData>;

    /// Carries out a call.
    ///
    /// # Errors
    /// No such tool, or the client is asked first. What a tool fails at is a result that says so.
    async fn call(
        &self,
        name: &str,
        arguments: JsonObject,
        exchange: &Exchange,
    ) -> Result<CallToolResult, Halt>;

    async fn prompts(&self, _exchange: &Exchange) -> Result<Vec<Prompt>, ErrorData> {
        Ok(Vec::new())
    }

    /// Writes a prompt out.
    ///
    /// # Errors
    /// No such prompt, arguments that it does not take, or the client is asked first.
    async fn prompt(
        &self,
        _name: &str,
        _arguments: JsonObject,
        _exchange: &Exchange,
    ) -> Result<GetPromptResult, Halt> {
        Err(ErrorData::method_not_found::<GetPromptRequestMethod>().into())
    }

    /// Values for an argument, the best first.
    async fn completions(
        &self,
        _wanted: CompleteRequestParams,
        _exchange: &Exchange,
    ) -> Result<Vec<String>, ErrorData> {
        Ok(Vec::new())
    }

    async fn resources(&self, _exchange: &Exchange) -> Result<Vec<Resource>, ErrorData> {
        Ok(Vec::new())
    }

    async fn templates(&self, _exchange: &Exchange) -> Result<Vec<ResourceTemplate>, ErrorData> {
        Ok(Vec::new())
    }

    /// What stands at an address; `None` where nothing does.
    ///
    /// # Errors
    /// It can't be read, or the client is asked first.
    async fn resource(
        &self,
        _address: &str,
        _exchange: &Exchange,
    ) -> Result<Option<Vec<ResourceContents>>, Halt> {
        Ok(None)
    }
}
