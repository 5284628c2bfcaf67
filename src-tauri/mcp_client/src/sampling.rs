//! A server's question that a model answers in the middle of a call: text alone, and little of it.

use crate::limits::{SAMPLED_CHARACTERS_MAX, SAMPLED_MESSAGES_MAX};
use crate::text::readable;
use serde_json::Value;

/// A question of a server to a model, cleaned. A person reads all of it before it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    /// What the server wants the model to be; empty where it says nothing.
    pub system: String,
    pub messages: Vec<Said>,
    /// Most tokens of the answer.
    pub tokens_max: u32,
}

/// A message of the conversation that the model is to go on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Whether a model is to have said it.
    pub by_model: bool,
    pub text: String,
}

/// A model's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampled {
    pub text: String,
    /// The model's name, as its provider tells it.
    pub model: String,
    /// Tokens of the answer.
    pub tokens: u32,
    /// Whether the answer ends where it had no more tokens.
    pub is_cut: bool,
}

/// Why a question is not put to a model. The server reads it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    #[error("A model is asked for text alone: no tools go along")]
    Tools,
    #[error("A model is asked with text alone: no pictures, sounds or results of tools go along")]
    NotText,
    #[error(
        "The question has more than {SAMPLED_MESSAGES_MAX} messages or {SAMPLED_CHARACTERS_MAX} characters"
    )]
    TooLong,
    #[error("The question has no messages")]
    Empty,
}

/// The question in a request of a server.
///
/// # Errors
/// Why it is put to no model.
pub fn of(params: &Value) -> Result<Sampling, Unfit> {
    let has_tools = params["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    if has_tools || !params["toolChoice"].is_null() {
        return Err(Unfit::Tools);
    }
    let messages = params["messages"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    if messages.is_empty() {
        return Err(Unfit::Empty);
    }
    if messages.len() > SAMPLED_MESSAGES_MAX {
        return Err(Unfit::TooLong);
    }
    let system = readable(params["systemPrompt"].as_str().unwrap_or_default());
    let said = messages.iter().map(said).collect::<Result<Vec<Said>, Unfit>>()?;
    let characters = said.iter().map(|said| said.text.chars().count()).sum::<usize>();
    if characters + system.chars().count() > SAMPLED_CHARACTERS_MAX {
        return Err(Unfit::TooLong);
    }
    let tokens_max = params["maxTokens"]
        .as_u64()
        .and_then(|most| u32::try_from(most).ok());
    Ok(Sampling {
        system,
        messages: said,
        tokens_max: tokens_max.unwrap_or(u32::MAX).max(1),
    })
}

fn said(message: &Value) -> Result<Said, Unfit> {
    let blocks = match &message["content"] {
        Value::Array(blocks) => blocks.as_slice(),
        one => std::slice::from_ref(one),
    };
    let text = |block: &Value| match block["type"].as_str() {
        Some("text") => Ok(readable(block["text"].as_str().unwrap_or_default())),
        Some(_) | None => Err(Unfit::NotText),
    };
    let texts = blocks.iter().map(text).collect::<Result<Vec<String>, Unfit>>()?;
    Ok(Said {
        by_model: message["role"] == "assistant",
        text: texts.join("\n"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(content: Value) -> Value {
        json!({"messages": [{"role": "user", "content": content}], "maxTokens": 50, "systemPrompt": "Be brief."})
    }

    #[test]
    fn text_is_read_in_both_of_its_forms_and_without_what_hides() {
        let plain = of(&asked(json!({"type": "text", "text": "Which\u{202e} tea?\n"}))).unwrap();
        assert_eq!(plain.messages[0].text, "Which tea?\n");
        assert_eq!((plain.system.as_str(), plain.tokens_max), ("Be brief.", 50));
        let two = json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
        assert_eq!(of(&asked(two)).unwrap().messages[0].text, "a\nb");
    }

    #[test]
    fn tools_pictures_and_books_are_refused() {
        let mut tools = asked(json!({"type": "text", "text": "a"}));
        tools["tools"] = json!([{"name": "x", "inputSchema": {}}]);
        assert_eq!(of(&tools), Err(Unfit::Tools));
        let picture = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
        assert_eq!(of(&asked(picture)), Err(Unfit::NotText));
        let book = json!({"type": "text", "text": "x".repeat(SAMPLED_CHARACTERS_MAX + 1)});
        assert_eq!(of(&asked(book)), Err(Unfit::TooLong));
        assert_eq!(of(&json!({"messages": []})), Err(Unfit::Empty));
        let many =
            json!({"messages": vec![json!({"role": "user", "content": []}); SAMPLED_MESSAGES_MAX + 1]});
        assert_eq!(of(&many), Err(Unfit::TooLong));
    }
}
