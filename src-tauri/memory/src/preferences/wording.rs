//! How a preference is put into words: for a person and for a model.

use super::order;
use serde_json::Value;
use shidi_locales::Language;
use shidi_protocol::{ChosenValue, FieldKind};

/// What a preference says, as prompts and lists have it.
pub fn statement(
    language: Language,
    (site, form): (&str, &str),
    values: &[ChosenValue],
    button: &str,
) -> String {
    let said = language.memory();
    if let Some(steps) = order::steps(values) {
        return said.preference_steps(site, order::line(&steps));
    }
    let values: Vec<String> = values
        .iter()
        .map(|chosen| format!("{} = {}", chosen.name, shown(language, &chosen.value)))
        .collect();
    let values = values.join(", ");
    match (form, button) {
        ("", "") => said.preference_of_site(site, values),
        ("", button) => said.preference_of_site_with(button, site, values),
        (form, "") => said.preference_of_form(form, site, values),
        (form, button) => said.preference_of_form_with(button, form, site, values),
    }
}

/// The lines by which a program fills the values in. Several options of a field are no single call, and steps none at all.
pub fn program(values: &[ChosenValue]) -> String {
    let is_single = |chosen: &&ChosenValue| !matches!(chosen.kind, FieldKind::Choices | FieldKind::Steps);
    let single = values.iter().filter(is_single);
    let lines = single.map(|chosen| {
        let value = match &chosen.value {
            Value::String(text) => text.clone(),
            Value::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
            other => other.to_string(),
        };
        let [name, value] = [&chosen.name, &value].map(|text| Value::from(text.as_str()).to_string());
        format!("await page.fill({name}, {value})")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A chosen value in words.
fn shown(language: Language, value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => language.memory().preference_on().to_owned(),
        Value::Bool(false) => language.memory().preference_off().to_owned(),
        Value::Array(several) => {
            let several: Vec<String> = several.iter().map(|one| shown(language, one)).collect();
            several.join(" + ")
        }
        other => other.to_string(),
    }
}
