//! A server's offers beside its tools, as tools of ours: its resources and its prompts (templates of questions).
//!
//! They stand in the same list as the server's own tools, so that the user allows and refuses them alike. A server's own
//! tool of the same name goes before ours.

use crate::limits::{BESIDE_LISTED_MAX, TOOL_DOC_CHARACTERS};
use crate::outcome::shown;
use crate::prompts;
use crate::text::paragraph;
use crate::tool::{Hints, Tool, Way};
use rmcp::model::{
    CallToolResult, ContentBlock, GetPromptRequestParams, GetPromptResponse, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, Resource, ResourceTemplate, Role,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde_json::{Value, json};
use shidi_protocol::JsonMap;

/// An answer, or what the server wants before it gives one.
pub enum Answered {
    Complete(CallToolResult),
    Asks,
}

/// Tools of ours for what the server says that it has. What it does not list is not offered.
pub async fn tools(peer: &Peer<RoleClient>) -> Vec<Tool> {
    let Some(info) = peer.peer_info() else {
        return Vec::new();
    };
    let mut tools = Vec::new();
    if info.capabilities.resources.is_some() {
        let listed = resources(peer).await;
        if listed.is_ok_and(|(resources, templates)| !(resources.is_empty() && templates.is_empty())) {
            tools.extend([list_resources(), read_resource()]);
        }
    }
    if prompts::listed(peer)
        .await
        .is_ok_and(|prompts| !prompts.is_empty())
    {
        tools.extend([list_prompts(), get_prompt()]);
    }
    tools
}

/// Does what such a tool is for.
pub async fn call(peer: &Peer<RoleClient>, way: Way, args: &JsonMap) -> Result<Answered, ServiceError> {
    let text = |name: &str| args.get(name).and_then(Value::as_str).unwrap_or_default();
    let content = match way {
        Way::Tool => Vec::new(),
        Way::Resources => {
            let (resources, templates) = resources(peer).await?;
            let told = json!({
                "resources": resources.iter().map(of_resource).collect::<Vec<_>>(),
                "templates": templates.iter().map(of_template).collect::<Vec<_>>(),
            });
            return Ok(Answered::Complete(CallToolResult::structured(told)));
        }
        Way::Prompts => {
            let told = json!({"prompts": prompts::listed(peer).await?});
            return Ok(Answered::Complete(CallToolResult::structured(told)));
        }
        Way::Resource => {
            let params = ReadResourceRequestParams::new(text("uri"));
            match peer.read_resource_once(params).await? {
                ReadResourceResponse::Complete(read) => {
                    read.contents.into_iter().map(ContentBlock::resource).collect()
                }
                _ => return Ok(Answered::Asks),
            }
        }
        Way::Prompt => {
            let mut params = GetPromptRequestParams::new(text("name"));
            if let Some(Value::Object(arguments)) = args.get("arguments") {
                params = params.with_arguments(arguments.clone());
            }
            match peer.get_prompt_once(params).await? {
                GetPromptResponse::Complete(prompt) => {
                    let line = |message: rmcp::model::PromptMessage| {
                        let speaker = match message.role {
                            Role::User => "user",
                            Role::Assistant => "assistant",
                        };
                        ContentBlock::text(format!("{speaker}: {}", shown(&message.content)))
                    };
                    prompt.messages.into_iter().map(line).collect()
                }
                _ => return Ok(Answered::Asks),
            }
        }
    };
    Ok(Answered::Complete(CallToolResult::success(content)))
}

/// The resources of a server and the forms of their addresses, as far as a list goes.
pub async fn resources(
    peer: &Peer<RoleClient>,
) -> Result<(Vec<Resource>, Vec<ResourceTemplate>), ServiceError> {
    let mut resources = peer.list_resources(None).await?;
    while resources.resources.len() < BESIDE_LISTED_MAX && resources.next_cursor.is_some() {
        let page = PaginatedRequestParams::default().with_cursor(resources.next_cursor.take());
        let next = peer.list_resources(Some(page)).await?;
        if next.resources.is_empty() {
            break;
        }
        resources.resources.extend(next.resources);
        resources.next_cursor = next.next_cursor;
    }
    resources.resources.truncate(BESIDE_LISTED_MAX);
    // Few servers have templates, and those that have none need not know the question.
    let templates = peer.list_resource_templates(None).await;
    let mut templates = templates.map_or_else(|_| Vec::new(), |page| page.resource_templates);
    templates.truncate(BESIDE_LISTED_MAX);
    Ok((resources.resources, templates))
}

fn of_resource(resource: &Resource) -> Value {
    json!({
        "uri": resource.uri,
        "name": resource.title.as_ref().unwrap_or(&resource.name),
        "description": told(resource.description.as_deref()),
        "mime_type": resource.mime_type,
        "bytes": resource.size,
    })
}

fn of_template(template: &ResourceTemplate) -> Value {
    json!({
        "uri_template": template.uri_template,
        "name": template.title.as_ref().unwrap_or(&template.name),
        "description": told(template.description.as_deref()),
    })
}

fn told(text: Option<&str>) -> String {
    paragraph(text.unwrap_or_default(), TOOL_DOC_CHARACTERS)
}

fn list_resources() -> Tool {
    let doc = "Lists what the server has to read: addresses, and forms of addresses.";
    tool(("list_resources", Way::Resources), doc, json!({}), true)
}

fn read_resource() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {"uri": {"type": "string", "description": "as list_resources tells it"}},
        "required": ["uri"],
    });
    tool(
        ("read_resource", Way::Resource),
        "Reads one of them as text.",
        schema,
        false,
    )
}

fn list_prompts() -> Tool {
    let doc = "Lists the questions that the server has prepared, with their arguments.";
    tool(("list_prompts", Way::Prompts), doc, json!({}), true)
}

fn get_prompt() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "as list_prompts tells it"},
            "arguments": {"type": "object", "description": "texts by name"},
        },
        "required": ["name"],
    });
    tool(
        ("get_prompt", Way::Prompt),
        "Writes one of them out.",
        schema,
        false,
    )
}

fn tool((name, way): (&str, Way), doc: &str, schema: Value, structured: bool) -> Tool {
    Tool {
        name: name.to_owned(),
        doc: doc.to_owned(),
        schema,
        structured,
        output: Value::Null,
        hints: Hints {
            reads_only: Some(true),
            ..Hints::default()
        },
        way,
    }
}
