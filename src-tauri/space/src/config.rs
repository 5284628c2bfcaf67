//! `config.toml`: what the user has set, never a key. Unknown names and bad values are refused with their place.

mod known;
pub mod settings;

use crate::errors::error;
use known::{Kind, SettingSpec, split_list, split_paths};
use settings::Settings;
use shidi_locales::Language;
use shidi_protocol::{ConfigEntry, ErrorCode, UserError};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, Value};

/// The settings of one data folder, with overrides of one run on top.
#[derive(Debug, Clone)]
pub struct Config {
    path: PathBuf,
    language: Language,
    /// What the file and a run set, as text.
    values: BTreeMap<String, String>,
    settings: Settings,
}

impl Config {
    /// Reads the file; a missing one is an empty one.
    ///
    /// # Errors
    /// A file that is no TOML, an unknown name, a value that doesn't fit: with the line and the remedy.
    pub fn read(path: &Path, language: Language) -> Result<Self, UserError> {
        let document = document(path, language)?;
        let mut values = BTreeMap::new();
        flatten("", document.as_table(), &mut values);
        for (key, value) in &values {
            check(key, value, language).map_err(|problem| {
                let line = line_of(&document, key);
                let message = format!("{}{line}: {}", path.display(), problem.message);
                UserError { message, ..problem }
            })?;
        }
        let settings = settings_of(&values);
        Ok(Self {
            path: path.to_owned(),
            language,
            values,
            settings,
        })
    }

    /// The same settings with others on top, for one run. Another provider is asked at its own address.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn overridden(&self, overrides: &BTreeMap<String, String>) -> Result<Self, UserError> {
        let mut config = self.clone();
        let other = overrides.get(settings::main::provider).map(String::as_str);
        if other.is_some_and(|other| other != self.main.provider) {
            // Address and model belong to the configured provider.
            config.values.remove(settings::main::model_url);
            config.values.remove(settings::main::model);
        }
        for (key, value) in overrides {
            check(key, value, self.language)?;
            config.values.insert(key.clone(), kept(key, value).to_owned());
        }
        config.settings = settings_of(&config.values);
        Ok(config)
    }

    /// Describes itself in that language from now on.
    pub fn speak(&mut self, language: Language) {
        self.language = language;
    }

    /// All settings with what they are for.
    #[must_use]
    pub fn entries(&self) -> Vec<ConfigEntry> {
        let entry = |known: &SettingSpec| ConfigEntry {
            key: known.key.to_owned(),
            value: text_of(&self.values, known.key).to_owned(),
            default: !self.values.contains_key(known.key),
            doc: known.told(self.language),
            kind: known.shown(),
            group: known.group,
            title: known.title(),
            about: known.about(),
        };
        known::all().map(entry).collect()
    }

    /// The value that a setting was given, as it is kept; empty where its default holds.
    #[must_use]
    pub fn given(&self, key: &str) -> &str {
        self.values.get(key).map_or("", String::as_str)
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sets a value in the file, keeping comments and order; an empty value restores the default.
    ///
    /// # Errors
    /// An unknown name, a value that doesn't fit, a file that can't be written.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), UserError> {
        check(key, value, self.language).map_err(|problem| with_example(problem, key, self.language))?;
        let value = kept(key, value);
        let mut document = document(&self.path, self.language)?;
        put(&mut document, key, value);
        shidi_atomic_write::write(&self.path, document.to_string().as_bytes()).map_err(|cause| {
            error(
                ErrorCode::Storage,
                self.language.space().unwritten(cause, self.path.display()),
                self.language.space().check_disk(),
            )
        })?;
        if value.is_empty() {
            self.values.remove(key);
        } else {
            self.values.insert(key.to_owned(), value.to_owned());
        }
        self.settings = settings_of(&self.values);
        Ok(())
    }
}

impl Deref for Config {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.settings
    }
}

fn settings_of(values: &BTreeMap<String, String>) -> Settings {
    Settings::read(|key| text_of(values, key))
}

/// The text of a setting, or its default.
fn text_of<'a>(values: &'a BTreeMap<String, String>, key: &str) -> &'a str {
    let default = || SettingSpec::named(key).map_or("", |known| known.default);
    values.get(key).map_or_else(default, String::as_str)
}

fn document(path: &Path, language: Language) -> Result<DocumentMut, UserError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(cause) => {
            return Err(error(
                ErrorCode::Input,
                language.space().unread(cause, path.display()),
                language.space().check_permissions_or_move(),
            ));
        }
    };
    text.parse::<DocumentMut>().map_err(|cause| {
        let line = cause.span().map_or(1, |span| {
            text[..span.start.min(text.len())].matches('\n').count() + 1
        });
        error(
            ErrorCode::Input,
            format!(
                "{}:{line}: {}",
                path.display(),
                cause.message().replace('\n', " ")
            ),
            language.space().mend_line(),
        )
    })
}

fn flatten(prefix: &str, table: &toml_edit::Table, values: &mut BTreeMap<String, String>) {
    for (name, item) in table {
        let key = if prefix.is_empty() {
            name.to_owned()
        } else {
            format!("{prefix}.{name}")
        };
        match item {
            Item::Table(inner) => flatten(&key, inner, values),
            Item::Value(value) => {
                let text = plain(value, SettingSpec::named(&key).map(|known| known.kind));
                let text = kept(&key, &text).to_owned();
                values.insert(key, text);
            }
            Item::None | Item::ArrayOfTables(_) => {}
        }
    }
}

fn plain(value: &Value, kind: Option<Kind>) -> String {
    match (value, kind) {
        (Value::String(text), _) => text.value().clone(),
        (Value::Boolean(is_on), Some(Kind::Switch)) => if *is_on.value() { "on" } else { "off" }.to_owned(),
        (Value::Array(array), kind) => {
            let separator = if matches!(kind, Some(Kind::List)) {
                ";"
            } else {
                ":"
            };
            let texts: Vec<String> = array.iter().map(|value| plain(value, kind)).collect();
            texts.join(separator)
        }
        (other, _) => other.to_string().trim().to_owned(),
    }
}

fn put(document: &mut DocumentMut, key: &str, value: &str) {
    let (table, name) = match key.split_once('.') {
        Some((table, name)) => {
            let entry = document
                .entry(table)
                .or_insert(Item::Table(toml_edit::Table::new()));
            (entry.as_table_mut(), name)
        }
        None => (Some(document.as_table_mut()), key),
    };
    let Some(table) = table else { return };
    let kind = SettingSpec::named(key).map(|known| known.kind);
    match (value, kind) {
        ("", _) => {
            table.remove(name);
        }
        (number, Some(Kind::Number { .. })) => {
            table.insert(name, toml_edit::value(number.parse::<i64>().unwrap_or_default()));
        }
        (paths, Some(Kind::Paths)) => {
            table.insert(
                name,
                toml_edit::value(split_paths(paths).collect::<toml_edit::Array>()),
            );
        }
        (list, Some(Kind::List)) => {
            table.insert(
                name,
                toml_edit::value(split_list(list).collect::<toml_edit::Array>()),
            );
        }
        (text, _) => {
            table.insert(name, toml_edit::value(text));
        }
    }
}

/// A value of that setting as it is kept.
fn kept<'a>(key: &str, value: &'a str) -> &'a str {
    SettingSpec::named(key).map_or(value, |known| known.kind.kept(value))
}

fn check(key: &str, value: &str, language: Language) -> Result<(), UserError> {
    let Some(known) = SettingSpec::named(key) else {
        let names = known::all().map(|known| known.key).collect::<Vec<_>>().join(", ");
        return Err(error(
            ErrorCode::Input,
            language.space().no_such_setting(key),
            language.space().settings_there_are(names),
        ));
    };
    let Some(wanted) = known.kind.refusal(value, language) else {
        return Ok(());
    };
    Err(error(
        ErrorCode::Input,
        language.space().bad_value(key, value),
        language.space().value_wanted(wanted),
    ))
}

/// The problem with a command that sets such a value.
fn with_example(mut problem: UserError, key: &str, language: Language) -> UserError {
    if let Some(known) = SettingSpec::named(key) {
        let wanted = problem.hint.unwrap_or_default();
        problem.hint = Some(language.space().with_example(known.example(), key, wanted));
    }
    problem
}

/// `:12`, the line of a setting in its section, or nothing.
fn line_of(document: &DocumentMut, key: &str) -> String {
    let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
    let text = document.to_string();
    let mut current = "";
    let line = text.lines().position(|line| {
        if let Some(header) = line.trim().strip_prefix('[') {
            current = header.split(']').next().unwrap_or_default().trim();
            return false;
        }
        let known = line.split('=').next().unwrap_or_default().trim();
        (current == section && known == name) || (current.is_empty() && known == key)
    });
    line.map_or_else(String::new, |line| format!(":{}", line + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_is_kept_and_told_as_on_or_off_however_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(
            &path,
            "autostart = \"YES\"\ncheck_answers = 1\noutline_history = true\n",
        )
        .unwrap();
        let mut config = Config::read(&path, Language::En).unwrap();
        assert!(config.desktop.autostart && config.task.check_answers && config.task.outline_history);
        config.set(settings::task::compose_prompts, "True").unwrap();
        config.set(settings::task::check_answers, "0").unwrap();
        assert!(config.task.compose_prompts && !config.task.check_answers);
        assert_eq!(config.given(settings::task::compose_prompts), "on");
        assert_eq!(config.given(settings::task::mode), "");
        let told = config.entries();
        let value = |key: &str| {
            told.iter()
                .find(|entry| entry.key == key)
                .map(|entry| &*entry.value)
        };
        assert_eq!(value("autostart"), Some("on"));
        assert_eq!(value("check_answers"), Some("off"));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("compose_prompts = \"on\"") && text.contains("check_answers = \"off\""));
        let along = BTreeMap::from([("check_answers".to_owned(), "Yes".to_owned())]);
        assert!(config.overridden(&along).unwrap().task.check_answers);
    }

    #[test]
    fn words_for_off_are_taken_where_they_mean_one_value_and_answered_with_an_example_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, "quiet_hours = \"22:00-7:00\"\nball = false\n").unwrap();
        let mut config = Config::read(&path, Language::En).unwrap();
        assert_eq!(config.given("ball"), "hidden");
        for (key, word, kept) in [
            ("quiet_hours", "off", ""),
            ("quiet_hours", "22:00-7:00", "22:00-7:00"),
            ("quiet_hours", "No", ""),
            ("ball", "on", "shown"),
            ("ball", "off", "hidden"),
            ("privacy.sensing", "off", "paused"),
            ("privacy.sensing", "on", "on"),
            ("proxy", "off", "none"),
            ("memory.learn", "no", "off"),
            ("search.provider", "off", "none"),
        ] {
            config.set(key, word).unwrap();
            assert_eq!(config.given(key), kept, "{key} {word}");
        }
        assert!(!config.desktop.quiet_hours.cover(0));
        for (key, word) in [
            ("quiet_hours", "on"),
            ("theme", "off"),
            ("hotkey", "off"),
            ("budget_usd", "off"),
            ("max_rounds", "off"),
            ("memory.learn", "on"),
        ] {
            let refused = config.set(key, word).unwrap_err();
            let hint = refused.hint.unwrap();
            let command = format!("shidi config set {key} ");
            let (_, example) = hint.split_once(&command).unwrap();
            config.set(key, example).unwrap();
        }
    }

    #[test]
    fn an_error_names_the_line_of_the_setting_in_its_own_section() {
        let text = "model_url = \"a\"\nmodel = \"b\"\n\n[role]\ncoder = \"c\"\n\n[temperature]\n# coder = 1\ncoder = 0.2\n";
        let document: DocumentMut = text.parse().unwrap();
        assert_eq!(line_of(&document, "model"), ":2");
        assert_eq!(line_of(&document, "role.coder"), ":5");
        assert_eq!(line_of(&document, "temperature.coder"), ":9");
        assert_eq!(line_of(&document, "temperature.fast"), "");
    }
}
