//! `shidi mcp prompts` and `shidi mcp prompt`: what servers have prepared for their user to ask.

use super::super::workflow::texts;
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::options::Options;
use crate::unlocking::ask_unlocking;
use shidi_protocol::reply;
use shidi_protocol::request::mcp;

#[derive(Debug, clap::Args)]
pub struct Prompt {
    name: String,
    prompt: String,
    #[arg(long, value_name = "FIELD=VALUE")]
    set: Vec<String>,
}

/// The prompts of all servers.
pub async fn list(options: &Options, console: &Console) -> Result<Exit, Failure> {
    let reply::McpPrompts { prompts } = with_connection(options, async |connection| {
        Ok(connection.ask(mcp::Prompts).await?)
    })
    .await?;
    for prompt in prompts {
        if console.is_json() {
            console.json(&prompt)?;
            continue;
        }
        let fields = prompt.fields.iter().map(|field| match field.optional {
            true => format!("[{}]", field.name),
            false => field.name.clone(),
        });
        console.line(&format!(
            "{} {}  {}  {}",
            clean(&prompt.server),
            console.painted(Look::Strong, &clean(&prompt.prompt)),
            clean(&fields.collect::<Vec<_>>().join(" ")),
            console.painted(Look::Dim, &clean(&prompt.description)),
        ))?;
    }
    Ok(Exit::Done)
}

/// Prints one as its server writes it out.
pub async fn write(prompt: Prompt, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let request = mcp::Prompt {
        values: texts(&prompt.set, console.words.language())?,
        name: prompt.name,
        prompt: prompt.prompt,
        incognito: false,
    };
    let reply::McpPromptText { text, beside } = with_connection(options, async |connection| {
        ask_unlocking(connection, request, console).await
    })
    .await?;
    match console.is_json() {
        true => console.json(&serde_json::json!({"text": text, "beside": beside}))?,
        false => {
            for line in std::iter::once(&text)
                .chain(&beside)
                .flat_map(|part| part.lines())
            {
                console.line(&clean(line))?;
            }
        }
    }
    Ok(Exit::Done)
}
