//! What the official conformance suite wants of a server, served by Shidi's own protocol: for the tests alone.
//!
//! Names and texts are the suite's. The program serves over HTTP at a free port and tells its address in one line of
//! JSON. The token comes from TOKEN.

#![expect(clippy::expect_used, reason = "a test stops where it fails")]

mod asking;
mod content;
mod prompts;
mod resources;
mod tools;
mod working;

use async_trait::async_trait;
use rmcp::model::{
    CallToolResult, CompleteRequestParams, ContentBlock, ErrorData, GetPromptResult, Implementation,
    JsonObject, Prompt, Resource, ResourceContents, ResourceTemplate, ServerConfig, Tool,
};
use serde_json::json;
use shidi_locales::Language;
use shidi_mcp_server::{Exchange, Halt, HttpServer, Offer, TokenSource};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Everything that the suite asks for.
struct Suite;

/// The token that the test gave.
struct Given(String);

#[async_trait]
impl TokenSource for Given {
    async fn token(&self) -> Option<String> {
        Some(self.0.clone())
    }
}

#[async_trait]
impl Offer for Suite {
    fn config(&self) -> ServerConfig {
        let can = json!({
            "completions": {},
            "logging": {},
            "prompts": {"listChanged": true},
            "resources": {"subscribe": true, "listChanged": true},
            "tools": {"listChanged": true},
        });
        let can = serde_json::from_value(can).expect("capabilities");
        ServerConfig::new(can).with_server_info(Implementation::new("shidi-test-offer", "1"))
    }

    fn tool(&self, name: &str) -> Option<Tool> {
        tools::all().into_iter().find(|tool| tool.name == name)
    }

    async fn tools(&self, _exchange: &Exchange) -> Result<Vec<Tool>, ErrorData> {
        Ok(tools::all())
    }

    async fn call(
        &self,
        name: &str,
        arguments: JsonObject,
        exchange: &Exchange,
    ) -> Result<CallToolResult, Halt> {
        if let Some(result) = content::result(name) {
            return Ok(result);
        }
        let mut said = working::done(name, exchange).await;
        if said.is_none() {
            said = asking::answered(name, &arguments, exchange).await?;
        }
        match said {
            Some(said) => Ok(CallToolResult::success(vec![ContentBlock::text(said)])),
            None => Err(ErrorData::invalid_params(format!("There is no tool {name}"), None).into()),
        }
    }

    async fn prompts(&self, _exchange: &Exchange) -> Result<Vec<Prompt>, ErrorData> {
        Ok(prompts::all())
    }

    async fn prompt(
        &self,
        name: &str,
        arguments: JsonObject,
        exchange: &Exchange,
    ) -> Result<GetPromptResult, Halt> {
        prompts::written(name, &arguments, exchange).await
    }

    async fn completions(
        &self,
        wanted: CompleteRequestParams,
        _exchange: &Exchange,
    ) -> Result<Vec<String>, ErrorData> {
        let words = ["paris", "park", "party", "test", "testing"];
        let found = words
            .iter()
            .filter(|word| word.starts_with(&wanted.argument.value));
        Ok(found.map(|word| (*word).to_owned()).collect())
    }

    async fn resources(&self, _exchange: &Exchange) -> Result<Vec<Resource>, ErrorData> {
        Ok(resources::all())
    }

    async fn templates(&self, _exchange: &Exchange) -> Result<Vec<ResourceTemplate>, ErrorData> {
        Ok(resources::templates())
    }

    async fn resource(
        &self,
        address: &str,
        _exchange: &Exchange,
    ) -> Result<Option<Vec<ResourceContents>>, Halt> {
        Ok(resources::read(address))
    }
}

#[tokio::main]
async fn main() {
    let token = std::env::var("TOKEN").expect("a token");
    let server = HttpServer::bind(0, Language::En).await.expect("a free port");
    println!("{}", json!({"address": server.address()}));
    let tokens: Arc<dyn TokenSource> = Arc::new(Given(token.clone()));
    let (gone, never) = (CancellationToken::new(), std::future::pending());
    let serving = server.serve_offer(Arc::new(Suite), (token.as_str(), tokens), gone, never);
    serving.await.expect("it serves until it is ended");
}
