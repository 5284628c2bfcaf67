//! `shidi config`: the settings, which never hold a key.

use crate::client::{ask, done};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use clap::Subcommand;
use serde_json::json;
use shidi_locales::Language;
use shidi_protocol::{ConfigEntry, RememberedRule, SettingKind, Verdict, reply, request};
use shidi_workflow::nearest_few;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Get {
        key: String,
    },
    Set {
        key: String,
        // It may be a number below zero.
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    List,
    Path,
    Rules,
    Rule {
        #[arg(value_enum)]
        verdict: Decision,
        #[arg(value_name = "PATTERN")]
        pattern: String,
    },
    Revoke {
        pattern: String,
    },
}

/// What a rule says of the calls that it covers.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Decision {
    Allow,
    Ask,
    Deny,
}

/// Carries out the action.
///
/// # Errors
/// An unknown setting, a value that does not fit, or a settings file that is broken.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    match arguments.action {
        Action::Set { key, value } => {
            done(
                request::ConfigSet { key, value },
                console.words.config_set(),
                options,
                console,
            )
            .await
        }
        Action::Get { key } => {
            let reply::Config { entries, .. } = ask(request::ConfigList, options).await?;
            get(&key, &entries, console)?;
            Ok(Exit::Done)
        }
        Action::List => {
            let reply::Config { entries, .. } = ask(request::ConfigList, options).await?;
            for entry in &entries {
                if console.is_json() {
                    console.json(entry)?
                } else {
                    line(entry, console)?
                }
            }
            Ok(Exit::Done)
        }
        Action::Path => {
            let reply::Config { path, .. } = ask(request::ConfigList, options).await?;
            if console.is_json() {
                console.json(&json!({"path": path}))?
            } else {
                console.line(&path)?
            }
            Ok(Exit::Done)
        }
        Action::Rules => rules(options, console).await,
        Action::Rule { verdict, pattern } => {
            let verdict = match verdict {
                Decision::Allow => Verdict::Allow,
                Decision::Ask => Verdict::Ask,
                Decision::Deny => Verdict::Deny,
            };
            done(
                request::RuleSet { pattern, verdict },
                console.words.rule_set(),
                options,
                console,
            )
            .await
        }
        Action::Revoke { pattern } => {
            done(
                request::RuleDelete { pattern },
                console.words.rule_revoked(),
                options,
                console,
            )
            .await
        }
    }
}

async fn rules(options: &Options, console: &Console) -> Result<Exit, Failure> {
    let reply::Rules { rules } = ask(request::RuleList, options).await?;
    if rules.is_empty() && !console.is_json() {
        console.line(console.words.nothing_here())?;
    }
    for rule in &rules {
        if console.is_json() {
            console.json(rule)?
        } else {
            rule_line(rule, console)?
        }
    }
    Ok(Exit::Done)
}

fn rule_line(rule: &RememberedRule, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let (look, verdict) = match rule.verdict {
        Verdict::Allow => (Look::Good, words.rule_allow()),
        Verdict::Ask => (Look::Plain, words.rule_ask()),
        Verdict::Deny => (Look::Strong, words.rule_deny()),
    };
    console.line(&format!("{}  {}", console.painted(look, verdict), rule.pattern))
}

fn get(key: &str, entries: &[ConfigEntry], console: &Console) -> Result<(), Failure> {
    match entries.iter().find(|entry| entry.key == key) {
        Some(entry) if console.is_json() => console.json(entry),
        Some(entry) => console.line(&console.painted(Look::Plain, &entry.value)),
        None => {
            let words = console.words;
            let hint = nearest(key, entries)
                .map_or_else(|| words.see_help().to_owned(), |name| words.did_you_mean(name));
            Err(Failure::input(words.unknown_setting(key), hint))
        }
    }
}

fn line(entry: &ConfigEntry, console: &Console) -> Result<(), Failure> {
    let value = if entry.default {
        let shown = if entry.value.is_empty() {
            "–"
        } else {
            &entry.value
        };
        console.painted(Look::Dim, &format!("{shown} ({})", console.words.built_in()))
    } else {
        console.painted(Look::Strong, &entry.value)
    };
    let language = console.words.language();
    let mut about = entry.about.text(language).to_owned();
    if let Some(allowed) = allowed(&entry.kind, language) {
        about = language.space().with_range(about, allowed);
    }
    let about = console.painted(Look::Dim, &about);
    console.line(&format!(
        "{} = {value}\n    {about}",
        console.painted(Look::Plain, &entry.key)
    ))
}

/// The values that a setting takes, where they are a few or lie between bounds. A decimal tells its bounds itself.
fn allowed(kind: &SettingKind, language: Language) -> Option<String> {
    match kind {
        SettingKind::Choice { values } => {
            let values: Vec<&str> = values.iter().map(|choice| choice.value.as_str()).collect();
            Some(values.join(" | "))
        }
        SettingKind::Switch => Some("on | off".to_owned()),
        SettingKind::Number { min, max } => Some(language.space().wants_whole_between(max, min)),
        SettingKind::Text | SettingKind::Paths | SettingKind::List | SettingKind::Keys => None,
    }
}

/// The known key that is most like the one that was typed.
fn nearest<'a>(key: &str, entries: &'a [ConfigEntry]) -> Option<&'a str> {
    let names = entries.iter().map(|entry| entry.key.as_str());
    nearest_few(key, names, 1).into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::{SettingChoice, Worded};

    #[test]
    fn a_setting_names_the_values_that_it_takes_where_they_are_a_few() {
        let choice = |value: &str| SettingChoice {
            value: value.to_owned(),
            title: Worded::of(|_| String::new()),
        };
        let values = vec![choice("shown"), choice("hidden")];
        for (kind, wanted) in [
            (SettingKind::Choice { values }, Some("shown | hidden")),
            (SettingKind::Switch, Some("on | off")),
            (
                SettingKind::Number { min: 1, max: 100 },
                Some("a whole number from 1 to 100"),
            ),
            (SettingKind::Text, None),
            (SettingKind::Keys, None),
        ] {
            assert_eq!(allowed(&kind, Language::En).as_deref(), wanted, "{kind:?}");
        }
    }
}
