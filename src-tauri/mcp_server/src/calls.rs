//! Tools that only read: searches, and what is in front of the user.

use crate::answers::{data, shortened};
use crate::limits::TEXT_CHARACTERS_MAX;
use rmcp::model::CallToolResult;
use serde_json::{Value, json};
use shidi_protocol::{
    ErrorCode, LookAt, MemoryHit, PartView, ScreenView, SessionSummary, UserError, reply, request,
};
use shidi_service::Borrowed;

/// What is remembered and fits, best first.
///
/// # Errors
/// Storage trouble.
pub async fn memories(connection: &Borrowed, text: String, limit: u32) -> Result<CallToolResult, UserError> {
    let reply::Memories { hits } = connection.ask(request::MemorySearch { text, limit }).await?;
    let found: Vec<Value> = hits.iter().take(limit as usize).map(memory).collect();
    Ok(data(json!({"memories": found})))
}

/// Conversations that hold the words.
///
/// # Errors
/// Storage trouble.
pub async fn sessions(connection: &Borrowed, text: String, limit: u32) -> Result<CallToolResult, UserError> {
    let reply::Sessions { sessions } = connection.ask(request::SessionSearch { text, limit }).await?;
    let found: Vec<Value> = sessions.iter().take(limit as usize).map(session).collect();
    Ok(data(json!({"sessions": found})))
}

/// The window in front, as the privacy gate lets it through. The ledger names the client.
///
/// # Errors
/// No display, what the gate keeps back, storage trouble.
pub async fn context(connection: &Borrowed, client: String) -> Result<CallToolResult, UserError> {
    let look = request::Look {
        what: LookAt::Facts,
        session: None,
        to: Some(client),
    };
    let reply::Looked { view } = connection.ask(look).await?;
    match view.blocked {
        Some(why) => Err(UserError::new(ErrorCode::Task, why)),
        None => Ok(data(front(&view))),
    }
}

fn memory(hit: &MemoryHit) -> Value {
    json!({
        "id": hit.id,
        "kind": hit.kind,
        "text": shortened(&hit.text, TEXT_CHARACTERS_MAX),
        "time": hit.time,
        "session": hit.session,
        "untrusted": hit.untrusted,
    })
}

fn session(session: &SessionSummary) -> Value {
    let excerpt = session.excerpt.as_deref().unwrap_or_default();
    json!({
        "id": session.id,
        "title": shortened(&session.title, TEXT_CHARACTERS_MAX),
        "updated": session.updated,
        "questions": session.questions,
        "excerpt": shortened(excerpt, TEXT_CHARACTERS_MAX),
    })
}

fn front(view: &ScreenView) -> Value {
    let page = view.page.as_ref().map(|page| {
        json!({
            "title": shortened(&page.title, TEXT_CHARACTERS_MAX),
            "url": shortened(&page.url, TEXT_CHARACTERS_MAX),
        })
    });
    let parts = view.content.iter().flat_map(|content| &content.parts);
    json!({
        "app": view.app,
        "title": view.title,
        "page": page,
        "parts": parts.map(part).collect::<Vec<_>>(),
    })
}

fn part(part: &PartView) -> Value {
    let text = shortened(&part.preview, TEXT_CHARACTERS_MAX);
    let is_cut = part.preview_cut || text.len() < part.preview.len();
    json!({"part": part.part, "text": text, "cut": is_cut})
}
