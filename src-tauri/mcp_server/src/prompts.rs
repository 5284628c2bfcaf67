//! The user's own prompts, and the skills that they have reviewed, as prompts of the protocol.
//!
//! A prompt is written out as windows do it. A skill is its text, and what nobody has reviewed stays here. The skills of
//! the program stay, too: they speak of its own tools.

use crate::answers::shown;
use rmcp::model::{
    CompleteRequestParams, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Reference,
    Role,
};
use serde_json::Value;
use shidi_locales::McpServer;
use shidi_protocol::{
    ErrorCode, ListedSkill, PromptField, SavedPrompt, SkillDetail, SkillSource, SkillTrust, UnfitValue,
    UserError, fit_values, reply, request,
};
use shidi_service::Borrowed;
use std::collections::BTreeMap;

/// The argument of a skill: what to do by it.
const TASK: &str = "task";

/// All prompts that can be written out. Of two of one name, a prompt of the user's own hides a skill.
///
/// # Errors
/// Storage trouble.
pub async fn listed(connection: &Borrowed, say: McpServer) -> Result<Vec<Prompt>, UserError> {
    let saved = saved(connection).await?;
    let folders = Vec::new();
    let reply::Skills { skills } = connection.ask(request::skills::List { folders }).await?;
    let skills = skills
        .iter()
        .filter(|skill| is_offered(skill) && saved.iter().all(|prompt| prompt.name != skill.name));
    let own = saved.iter().map(saved_prompt);
    Ok(own.chain(skills.map(|skill| skill_prompt(skill, say))).collect())
}

/// A prompt with its arguments in their places.
///
/// # Errors
/// No such prompt, arguments that it does not have, or lacks.
pub async fn written(
    connection: &Borrowed,
    name: &str,
    arguments: JsonObject,
    say: McpServer,
) -> Result<GetPromptResult, UserError> {
    let values = arguments.into_iter().map(|(name, value)| (name, said(value)));
    let values: BTreeMap<String, String> = values.collect();
    let saved = saved(connection).await?;
    if let Some(prompt) = saved.into_iter().find(|prompt| prompt.name == name) {
        checked(&prompt, &values, say)?;
        let fill = request::saved_prompts::Fill {
            name: prompt.name,
            values,
        };
        let reply::FilledPrompt { text } = connection.ask(fill).await?;
        return Ok(result(vec![text], prompt.description));
    }
    let mut task = None;
    for (argument, value) in values {
        if argument != TASK {
            let refused = UserError::new(ErrorCode::Input, say.argument_unknown(shown(&argument)));
            return Err(refused.hint(say.see_prompts()));
        }
        task = Some(value).filter(|task| !task.trim().is_empty());
    }
    let show = request::skills::Show {
        name: name.to_owned(),
        folders: Vec::new(),
    };
    match connection.ask(show).await {
        Ok(reply::Skill { skill }) if is_offered(&skill.skill) => {
            let texts = [Some(guide(&skill)), task];
            Ok(result(
                texts.into_iter().flatten().collect(),
                skill.skill.description,
            ))
        }
        Ok(_) => Err(no_such_prompt(name, say)),
        Err(why) if why.code == ErrorCode::NotFound => Err(no_such_prompt(name, say)),
        Err(why) => Err(why),
    }
}

/// The choices of a field that begin as the value does.
///
/// # Errors
/// Storage trouble.
pub async fn completions(
    connection: &Borrowed,
    wanted: &CompleteRequestParams,
) -> Result<Vec<String>, UserError> {
    let Reference::Prompt(named) = &wanted.r#ref else {
        return Ok(Vec::new());
    };
    let saved = saved(connection).await?;
    let prompt = saved.iter().find(|prompt| prompt.name == named.name);
    let mut fields = prompt.iter().flat_map(|prompt| &prompt.fields);
    let field = fields.find(|field| field.name == wanted.argument.name);
    let choices = field.map(|field| field.choices.as_slice()).unwrap_or_default();
    Ok(begun(choices, &wanted.argument.value))
}

/// The user's own prompts, without those that can't be used.
async fn saved(connection: &Borrowed) -> Result<Vec<SavedPrompt>, UserError> {
    let reply::SavedPrompts { mut prompts } = connection.ask(request::saved_prompts::List).await?;
    prompts.retain(|prompt| prompt.problem.is_none());
    Ok(prompts)
}

fn is_offered(skill: &ListedSkill) -> bool {
    let is_users = match skill.source {
        SkillSource::User | SkillSource::Project | SkillSource::Plugin => true,
        SkillSource::BuiltIn => false,
    };
    is_users && skill.on && skill.problem.is_none() && skill.trust == SkillTrust::Reviewed
}

fn saved_prompt(prompt: &SavedPrompt) -> Prompt {
    let arguments = prompt.fields.iter().map(argument).collect();
    described(&prompt.name, &prompt.description, arguments)
}

fn skill_prompt(skill: &ListedSkill, say: McpServer) -> Prompt {
    let task = PromptArgument::new(TASK)
        .with_description(say.task_of_skill())
        .with_required(false);
    described(&skill.name, &skill.description, vec![task])
}

fn described(name: &str, description: &str, arguments: Vec<PromptArgument>) -> Prompt {
    let description = Some(description).filter(|description| !description.is_empty());
    Prompt::new(name, description, Some(arguments))
}

fn argument(field: &PromptField) -> PromptArgument {
    PromptArgument::new(field.name.as_str())
        .with_description(field.label.as_str())
        .with_required(!field.optional && field.default.is_none())
}

/// A value as text; some programs write numbers as numbers.
fn said(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// A skill's text. Models read it, so that the sentence about its files is English.
fn guide(skill: &SkillDetail) -> String {
    let text = skill.text.trim();
    match &skill.skill.path {
        Some(path) if !skill.files.is_empty() => format!("{text}\n\nIts files lie in {path}"),
        Some(_) | None => text.to_owned(),
    }
}

fn result(texts: Vec<String>, description: String) -> GetPromptResult {
    let messages = texts
        .into_iter()
        .map(|text| PromptMessage::new_text(Role::User, text));
    let result = GetPromptResult::new(messages.collect());
    match description.is_empty() {
        true => result,
        false => result.with_description(description),
    }
}

fn begun(choices: &[String], value: &str) -> Vec<String> {
    let value = value.to_lowercase();
    let begins = |choice: &&String| choice.to_lowercase().starts_with(&value);
    choices.iter().filter(begins).cloned().collect()
}

/// Refuses what a prompt does not take, and what it lacks, in the words of the protocol.
fn checked(prompt: &SavedPrompt, values: &BTreeMap<String, String>, say: McpServer) -> Result<(), UserError> {
    let refused = |message: String, hint: String| Err(UserError::new(ErrorCode::Input, message).hint(hint));
    let listed = |names: Vec<&str>| names.join(say.language().mcp().listed_with());
    match fit_values(&prompt.fields, values) {
        Ok(()) => {}
        Err(UnfitValue::Unknown(unknown)) => {
            let names = prompt.fields.iter().map(|field| field.name.as_str());
            let hint = match prompt.fields.is_empty() {
                true => say.prompt_takes_nothing().to_owned(),
                false => say.arguments_there_are(listed(names.collect())),
            };
            return refused(say.argument_unknown(shown(unknown)), hint);
        }
        Err(UnfitValue::Missing(field)) => {
            let example = serde_json::json!({(field.name.as_str()): "…"}).to_string();
            let hint = say.give_in_arguments(example);
            return refused(say.argument_missing(&field.name, &prompt.name), hint);
        }
    }
    for field in &prompt.fields {
        let Some(value) = values.get(&field.name) else {
            continue;
        };
        let is_left_out = field.optional && value.is_empty();
        // Programs are told of the choices as all that there are.
        let fits = field.choices.is_empty() || field.choices.contains(value);
        if !fits && !is_left_out && field.default.as_ref() != Some(value) {
            let choices = field.choices.iter().map(String::as_str);
            let hint = say.choices_there_are(listed(choices.collect()), &field.name);
            return refused(say.argument_no_choice(&field.name, shown(value)), hint);
        }
    }
    Ok(())
}

fn no_such_prompt(name: &str, say: McpServer) -> UserError {
    let missing = UserError::new(ErrorCode::NotFound, say.no_such_prompt(shown(name)));
    missing.hint(say.see_prompts())
}

#[cfg(test)]
mod tests;
