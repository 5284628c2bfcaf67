//! `shidi preference`: choices that the user makes in forms of web pages again and again. They are noticed where the
//! user lets that happen, proposed, kept, changed, and filled in anew.

use super::companion::page_in_front;
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::options::Options;
use clap::Subcommand;
use serde_json::Value;
use shidi_protocol::request::{memory, pages};
use shidi_protocol::{
    ChosenValue, ErrorCode, FieldKind, JsonMap, Preference, PreferenceProposal, UserError, reply,
};
use shidi_runtime::Connection;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    List {
        #[arg(value_name = "URL")]
        address: Option<String>,
    },
    Learn {
        #[arg(value_name = "URL")]
        site: String,
    },
    Unlearn {
        #[arg(value_name = "URL")]
        site: String,
    },
    Keep {
        #[arg(value_name = "ID")]
        proposal: String,
    },
    Decline {
        #[arg(value_name = "ID")]
        proposal: String,
    },
    Set {
        #[arg(value_name = "ID")]
        preference: String,
        #[arg(required = true, value_name = "FIELD=VALUE")]
        values: Vec<String>,
    },
    Fill {
        #[arg(value_name = "ID")]
        preference: String,
    },
}

/// Carries out the action.
///
/// # Errors
/// An address that is none, no such proposal or preference, a value that its field does not take, storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let action = arguments.action.unwrap_or(Action::List { address: None });
    with_connection(options, async |connection| {
        perform(action, connection, console).await
    })
    .await
}

async fn perform(action: Action, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let listed = match action {
        Action::List { address } => {
            let listed = connection.ask(memory::Preferences { address }).await?;
            let sites = connection.ask(pages::List).await?.pages.learned;
            return list(&listed, &sites, console);
        }
        Action::Learn { site } => return learn(pages::Learn { site, on: true }, connection, console).await,
        Action::Unlearn { site } => {
            return learn(pages::Learn { site, on: false }, connection, console).await;
        }
        Action::Fill { preference } => return fill(&preference, connection, console).await,
        Action::Keep { proposal } => connection.ask(memory::KeepPreference { proposal }).await?,
        Action::Decline { proposal } => connection.ask(memory::DeclinePreference { proposal }).await?,
        Action::Set { preference, values } => {
            let known = found(&preference, connection, console).await?;
            let values = typed(&known, &values, console)?;
            let memory = known.memory.as_str().to_owned();
            connection
                .ask(memory::ChangePreference { memory, values })
                .await?
        }
    };
    list(&listed, &[], console)
}

async fn learn(request: pages::Learn, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let reply::Pages { pages } = connection.ask(request).await?;
    match console.is_json() {
        true => console.json(&serde_json::json!({"learned": pages.learned}))?,
        false if pages.learned.is_empty() => {
            console.line(console.words.language().preferences().nowhere_noticed())?;
        }
        false => sites(&pages.learned, console)?,
    }
    Ok(Exit::Done)
}

/// Fills the form of the page in front; the user presses its button.
async fn fill(preference: &str, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let say = console.words.language().preferences();
    let known = found(preference, connection, console).await?;
    let page = page_in_front(connection, console).await?;
    if page.site != known.site {
        let fault = UserError::new(ErrorCode::Input, say.other_site(clean(&page.site)));
        return Err(fault.hint(say.bring_to_front(clean(&known.site))).into());
    }
    let values = known.values;
    let filled = connection.ask(pages::FillIn { page, values }).await?;
    let reply::FilledForm { filled, missed } = filled;
    if console.is_json() {
        console.json(&serde_json::json!({"filled": filled, "missed": missed, "button": known.button}))?;
        return Ok(Exit::Done);
    }
    if !filled.is_empty() {
        console.line(&say.filled(clean(&filled.join(", "))))?;
    }
    if !missed.is_empty() {
        console.line(&console.painted(Look::Bad, &say.missed(clean(&missed.join(", ")))))?;
    }
    if filled.is_empty() {
        return Ok(Exit::TaskFailed);
    }
    if !known.button.is_empty() {
        console.line(&say.press_then(clean(&known.button)))?;
    }
    Ok(Exit::Done)
}

async fn found(preference: &str, connection: &Connection, console: &Console) -> Result<Preference, Failure> {
    let listed = connection.ask(memory::Preferences { address: None }).await?;
    let is_it = |known: &Preference| {
        let id = known.memory.as_str();
        !preference.is_empty() && (id.starts_with(preference) || id.ends_with(preference))
    };
    let mut fitting: Vec<Preference> = listed.kept.into_iter().filter(is_it).collect();
    if fitting.len() > 1 {
        let say = console.words.language().store();
        let matches = u64::try_from(fitting.len()).unwrap_or(u64::MAX);
        let fault = UserError::new(ErrorCode::Input, say.ambiguous(matches, clean(preference)));
        return Err(fault.hint(say.ambiguous_hint()).into());
    }
    fitting.pop().ok_or_else(|| {
        let say = console.words.language().preferences();
        UserError::new(ErrorCode::NotFound, say.no_such_preference(clean(preference)))
            .hint(say.see_preferences())
            .into()
    })
}

/// `FIELD=VALUE` as the fields take it.
fn typed(known: &Preference, given: &[String], console: &Console) -> Result<JsonMap, Failure> {
    let say = console.words.language().preferences();
    let mut values = JsonMap::new();
    for text in given {
        let pair = text.split_once('=');
        let field = pair.and_then(|(name, value)| {
            let field = known.values.iter().find(|field| field.name == name.trim())?;
            Some((field, value.trim()))
        });
        let Some((field, value)) = field else {
            let names: Vec<&str> = known.values.iter().map(|field| field.name.as_str()).collect();
            let fault = UserError::new(ErrorCode::Input, say.no_such_field(clean(text)));
            return Err(fault.hint(say.fields_are(clean(&names.join(", ")))).into());
        };
        values.insert(field.name.clone(), of_kind(field.kind, value));
    }
    Ok(values)
}

/// What is no value of the kind stays a text: who keeps it says so.
fn of_kind(kind: FieldKind, text: &str) -> Value {
    match kind {
        FieldKind::Choice | FieldKind::Text => Value::from(text),
        FieldKind::Choices => text
            .split(',')
            .map(str::trim)
            .filter(|one| !one.is_empty())
            .collect(),
        FieldKind::Steps => text
            .split('→')
            .map(str::trim)
            .filter(|one| !one.is_empty())
            .collect(),
        FieldKind::Switch => match text.to_lowercase().as_str() {
            "on" | "yes" | "true" | "1" => Value::Bool(true),
            "off" | "no" | "false" | "0" => Value::Bool(false),
            _ => Value::from(text),
        },
        FieldKind::Number => serde_json::from_str(text)
            .ok()
            .filter(Value::is_number)
            .unwrap_or_else(|| Value::from(text)),
    }
}

fn list(listed: &reply::Preferences, learned: &[String], console: &Console) -> Result<Exit, Failure> {
    if console.is_json() {
        for proposal in &listed.proposals {
            console.json(&serde_json::json!({ "proposal": proposal }))?;
        }
        for kept in &listed.kept {
            console.json(&serde_json::json!({ "preference": kept }))?;
        }
        return Ok(Exit::Done);
    }
    let say = console.words.language().preferences();
    for PreferenceProposal {
        id,
        site,
        form,
        values,
        button,
        times,
        of,
        ..
    } in &listed.proposals
    {
        let head = format!(
            "{}  {}",
            console.painted(Look::Strong, say.proposed()),
            say.chosen_so(of, times)
        );
        shown(&head, (site, form), (values, button), id, console)?;
    }
    for Preference {
        memory,
        site,
        form,
        values,
        button,
        ..
    } in &listed.kept
    {
        let head = console.painted(Look::Good, say.kept());
        shown(&head, (site, form), (values, button), memory.as_str(), console)?;
    }
    if listed.proposals.is_empty() && listed.kept.is_empty() {
        console.line(say.nothing_yet())?;
    }
    sites(learned, console)?;
    Ok(Exit::Done)
}

fn shown(
    head: &str,
    (site, form): (&str, &str),
    (values, button): (&[ChosenValue], &str),
    id: &str,
    console: &Console,
) -> Result<(), Failure> {
    console.line(&format!("{head}  {}  {}", clean(site), clean(form)))?;
    for chosen in values {
        let value = match (chosen.kind, &chosen.value) {
            (_, Value::String(text)) => text.clone(),
            (FieldKind::Steps, Value::Array(steps)) => {
                let steps: Vec<&str> = steps.iter().filter_map(Value::as_str).collect();
                steps.join(" → ")
            }
            (_, other) => other.to_string(),
        };
        console.line(&format!("    {} = {}", clean(&chosen.name), clean(&value)))?;
    }
    if !button.is_empty() {
        console.line(&format!("    → {}", clean(button)))?;
    }
    console.line(&console.painted(Look::Dim, &format!("    {id}")))
}

fn sites(learned: &[String], console: &Console) -> Result<(), Failure> {
    if learned.is_empty() {
        return Ok(());
    }
    let said = console
        .words
        .language()
        .preferences()
        .learned_sites(learned.join(", "));
    console.line(&console.painted(Look::Dim, &said))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_read_as_their_fields_take_them() {
        assert_eq!(of_kind(FieldKind::Choice, "12"), json!("12"));
        assert_eq!(of_kind(FieldKind::Number, "12"), json!(12));
        assert_eq!(of_kind(FieldKind::Number, "many"), json!("many"));
        assert_eq!(of_kind(FieldKind::Switch, "on"), json!(true));
        assert_eq!(of_kind(FieldKind::Switch, "maybe"), json!("maybe"));
        assert_eq!(of_kind(FieldKind::Choices, "a, b,"), json!(["a", "b"]));
        assert_eq!(of_kind(FieldKind::Steps, "b → a, c"), json!(["b", "a, c"]));
    }
}
