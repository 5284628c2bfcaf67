//! A run as a server meets it in the middle of a call. The server's question becomes a card that names the server.
//!
//! The card's title is ours, and its text the server's. A model is asked for a server only where the user has read the
//! question. Or the user has allowed all of this server's questions for this task.

use async_trait::async_trait;
use serde_json::{Value, json};
use shidi_locales::{Language, Mcp as Sentences};
use shidi_mcp_client::{
    Asks, Caller, Choice, Elicitation, Elicited, Field, FieldKind, Format, Progress, ResultFile, Sampled,
    Sampling,
};
use shidi_protocol::{Finish, JsonMap, Message, Speaker};
use shidi_space::registry::CallingRun;
use std::path::PathBuf;
use std::sync::Arc;

/// Names of such cards' parts and answers, as `server_questions` of the mind has them.
const ELICIT: &str = "elicit";
const SAMPLE: &str = "sample";
const ACTION: &str = "action";
const VALUES: &str = "values";
const ACCEPT: &str = "accept";
const DECLINE: &str = "decline";
const CANCEL: &str = "cancel";
const FOR_TASK: &str = "task";

/// A run that has called a tool of a server.
pub struct CallOfServer {
    pub run: Arc<dyn CallingRun>,
    pub server: String,
    /// The tool as programs name it.
    pub tool: String,
    pub language: Language,
}

#[async_trait]
impl Caller for CallOfServer {
    fn task(&self) -> &str {
        self.run.id().as_str()
    }

    fn leaves_nothing(&self) -> bool {
        self.run.leaves_nothing()
    }

    fn folders(&self) -> Vec<PathBuf> {
        self.run.folders()
    }

    fn progress(&self, progress: &Progress) {
        let title = match progress.text.as_str() {
            "" => self.tool.clone(),
            text => format!("{}: {text}", self.tool),
        };
        let total = progress.total.unwrap_or_default();
        self.run
            .shows(json!({"title": title, "done": progress.done, "total": total}));
    }

    fn is_attended(&self) -> bool {
        self.run.is_attended()
    }

    async fn elicit(&self, asked: &Elicitation) -> Elicited {
        let card = form(asked, &self.server, self.language.mcp());
        let Some(outcome) = self.run.asks(ELICIT, card).await else {
            return Elicited::Cancelled;
        };
        if !outcome.ok() {
            return Elicited::Declined;
        }
        match outcome.data.get(ACTION).and_then(Value::as_str) {
            Some(ACCEPT) => Elicited::Accepted(values(&outcome.data)),
            Some(DECLINE) => Elicited::Declined,
            Some(_) | None => Elicited::Cancelled,
        }
    }

    async fn keep(&self, file: ResultFile) -> Option<PathBuf> {
        self.run.keeps(file.name, file.bytes).await
    }

    async fn sample(&self, asked: &Sampling) -> Result<Sampled, String> {
        if !self.run.has_allowed(&self.server) {
            let card = question(asked, &self.server, self.language.mcp());
            let outcome = self.run.asks(SAMPLE, card).await;
            let outcome = outcome.filter(shidi_protocol::CallOutcome::ok);
            let chosen = outcome
                .as_ref()
                .and_then(|outcome| outcome.data.get(ACTION)?.as_str());
            if !matches!(chosen, Some(ACCEPT | FOR_TASK)) {
                return Err("The user did not allow it".to_owned());
            }
        }
        let reply = self.run.asks_model(messages(asked), asked.tokens_max).await?;
        Ok(Sampled {
            text: reply.text,
            model: reply.model,
            tokens: reply.usage.output,
            is_cut: matches!(reply.finish, Finish::Length | Finish::Repeated),
        })
    }
}

fn values(data: &Value) -> JsonMap {
    let values = data.get(VALUES).and_then(Value::as_object);
    values.cloned().unwrap_or_default()
}

fn option(label: &str, value: &str) -> Value {
    json!({"label": label, "value": value})
}

/// An option for which nothing has to be filled in.
fn bare(label: &str, value: &str) -> Value {
    json!({"label": label, "value": value, "bare": true})
}

/// The card of a server's form, or of an address that it wants to have opened.
fn form(asked: &Elicitation, server: &str, say: Sentences) -> JsonMap {
    let (title, text, fields, accept) = match &asked.asks {
        Asks::Form(fields) => (
            say.server_asks(server),
            asked.message.clone(),
            fields.iter().map(field).collect(),
            option(say.send_answer(), ACCEPT),
        ),
        Asks::Address(url) => (
            say.server_asks_to_open(server),
            format!("{}\n\n{url}", asked.message),
            Vec::new(),
            bare(say.address_opened(), ACCEPT),
        ),
    };
    card(json!({
        "server": server,
        "title": title,
        "text": text,
        "fields": fields,
        "options": [accept, bare(say.decline_answer(), DECLINE), bare(say.give_no_answer(), CANCEL)],
    }))
}

fn field(field: &Field) -> Value {
    let mut shown = json!({
        "name": field.name,
        "label": field.label,
        "note": field.note,
        "required": field.is_required,
        "value": field.default,
    });
    let options = |choices: &[Choice]| -> Value {
        let all = choices.iter().map(|choice| option(&choice.label, &choice.value));
        Value::Array(all.collect())
    };
    match &field.kind {
        FieldKind::Text { format, least, most } => {
            shown["kind"] = json!(match format {
                None => "text",
                Some(Format::Email) => "email",
                Some(Format::Address) => "address",
                Some(Format::Date) => "date",
                Some(Format::DateTime) => "date_time",
            });
            (shown["least"], shown["most"]) = (json!(least), json!(most));
        }
        FieldKind::Number {
            is_whole,
            least,
            most,
        } => {
            shown["kind"] = json!(if *is_whole { "whole" } else { "number" });
            (shown["least"], shown["most"]) = (json!(least), json!(most));
        }
        FieldKind::YesNo => shown["kind"] = json!("yes_no"),
        FieldKind::Choice(choices) => {
            shown["kind"] = json!("choice");
            shown["options"] = options(choices);
            // A form shows the label that is chosen.
            let chosen = choices
                .iter()
                .find(|choice| field.default == choice.value.as_str());
            shown["value"] = json!(chosen.map(|choice| &choice.label));
        }
        FieldKind::Choices { of, least, most } => {
            shown["kind"] = json!("choices");
            shown["options"] = options(of);
            (shown["least"], shown["most"]) = (json!(least), json!(most));
            let is_chosen = |choice: &&Choice| {
                let chosen = field.default.as_array();
                chosen.is_some_and(|chosen| chosen.iter().any(|one| one == choice.value.as_str()))
            };
            let labels: Vec<&str> = of
                .iter()
                .filter(is_chosen)
                .map(|choice| choice.label.as_str())
                .collect();
            shown["value"] = json!(labels);
        }
    }
    shown
}

/// The card of a server's question to a model, which shows all of it.
fn question(asked: &Sampling, server: &str, say: Sentences) -> JsonMap {
    let mut said = Vec::new();
    if !asked.system.is_empty() {
        said.push(quoted(say.sample_system(), &asked.system));
    }
    for message in &asked.messages {
        let speaker = match message.by_model {
            true => say.sample_by_model(),
            false => say.sample_by_server(),
        };
        said.push(quoted(speaker, &message.text));
    }
    card(json!({
        "server": server,
        "title": say.server_asks_model(server),
        "text": said.join("\n\n"),
        "facts": {(say.sample_tokens()): asked.tokens_max},
        "options": [
            bare(say.allow_sample(), ACCEPT),
            bare(say.allow_samples(), FOR_TASK),
            bare(say.decline_answer(), DECLINE),
        ],
    }))
}

/// A text under its speaker. Each line is set in, so that no line of it passes for a speaker of ours.
fn quoted(speaker: &str, text: &str) -> String {
    let lines = text.lines().map(|line| format!("    {line}"));
    let lines: Vec<String> = std::iter::once(format!("{speaker}:")).chain(lines).collect();
    lines.join("\n")
}

fn messages(asked: &Sampling) -> Vec<Message> {
    let system = Some(&asked.system).filter(|system| !system.is_empty());
    let system = system.map(|system| Message::text(Speaker::System, system.clone()));
    let said = asked.messages.iter().map(|said| {
        let speaker = if said.by_model {
            Speaker::Assistant
        } else {
            Speaker::User
        };
        Message::text(speaker, said.text.clone())
    });
    system.into_iter().chain(said).collect()
}

fn card(value: Value) -> JsonMap {
    match value {
        Value::Object(card) => card,
        _ => JsonMap::new(),
    }
}

#[cfg(test)]
mod tests;
