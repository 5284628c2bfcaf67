//! `config.toml`: what the user has set, never a key. Unknown names and bad values are refused with their place.

mod known;

use crate::words::{Words, error};
use known::{Kind, Known, split_list, split_paths};
use shidi_protocol::{ConfigEntry, ErrorCode, Mode, UserError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, Value};

/// The settings of one data folder, with overrides of one run on top.
#[derive(Debug, Clone)]
pub struct Config {
    path: PathBuf,
    words: Words,
    values: BTreeMap<String, String>,
}

impl Config {
    /// Reads the file; a missing one is an empty one.
    ///
    /// # Errors
    /// A file that is no TOML, an unknown name, a value that doesn't fit: with the line and the remedy.
    pub fn read(path: &Path, words: Words) -> Result<Self, UserError> {
        let document = document(path, words)?;
        let mut values = BTreeMap::new();
        flatten("", document.as_table(), &mut values);
        for (key, value) in &values {
            check(key, value, words).map_err(|problem| {
                let line = line_of(&document, key);
                let message = format!("{}{line}: {}", path.display(), problem.message);
                UserError { message, ..problem }
            })?;
        }
        Ok(Self {
            path: path.to_owned(),
            words,
            values,
        })
    }

    /// The same settings with others on top, for one run. Another provider is asked at its own address.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn overridden(&self, overrides: &BTreeMap<String, String>) -> Result<Self, UserError> {
        let mut config = self.clone();
        let other = overrides.get("provider").map(String::as_str);
        if other.is_some_and(|other| other != self.text("provider")) {
            // Address and model belong to the configured provider.
            config.values.remove("model_url");
            config.values.remove("model");
        }
        for (key, value) in overrides {
            check(key, value, self.words)?;
            config.values.insert(key.clone(), value.clone());
        }
        Ok(config)
    }

    /// The value of a setting, or its default.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        let default = || Known::named(key).map_or("", |known| known.default);
        self.values.get(key).map_or_else(default, String::as_str)
    }

    /// Describes itself in that language from now on.
    pub fn speak(&mut self, words: Words) {
        self.words = words;
    }

    /// The value of a number, which was checked when it was read.
    #[must_use]
    pub fn number(&self, key: &str) -> u32 {
        self.text(key).parse().unwrap_or_default()
    }

    #[must_use]
    pub fn mode(&self) -> Mode {
        mode_of(self.text("mode"))
    }

    /// The granted folders.
    #[must_use]
    pub fn folders(&self) -> Vec<PathBuf> {
        split_paths(self.text("folders")).map(PathBuf::from).collect()
    }

    /// All settings with what they are for.
    #[must_use]
    pub fn entries(&self) -> Vec<ConfigEntry> {
        let entry = |known: &Known| ConfigEntry {
            key: known.key.to_owned(),
            value: self.text(known.key).to_owned(),
            default: !self.values.contains_key(known.key),
            doc: known.doc(self.words),
            kind: known.kind.shown(),
            group: known.group,
            title: known.title(),
            about: known.about(),
        };
        known::all().map(entry).collect()
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
        check(key, value, self.words)?;
        let mut document = document(&self.path, self.words)?;
        put(&mut document, key, value);
        shidi_atomic_write::write(&self.path, document.to_string().as_bytes()).map_err(|cause| {
            error(
                ErrorCode::Storage,
                format!(
                    "{} {}: {cause}",
                    self.words.pick("写不了", "Could not write"),
                    self.path.display()
                ),
                self.words
                    .pick("检查权限和磁盘空间", "Check permissions and disk space"),
            )
        })?;
        if value.is_empty() {
            self.values.remove(key);
        } else {
            self.values.insert(key.to_owned(), value.to_owned());
        }
        Ok(())
    }
}

/// The mode of that name; anything else is the default one.
#[must_use]
pub fn mode_of(name: &str) -> Mode {
    match name {
        "ask" => Mode::Ask,
        "trust" => Mode::Trust,
        _ => Mode::Risky,
    }
}

fn document(path: &Path, words: Words) -> Result<DocumentMut, UserError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(cause) => {
            return Err(error(
                ErrorCode::Input,
                format!(
                    "{} {}: {cause}",
                    words.pick("读不了", "Could not read"),
                    path.display()
                ),
                words.pick("检查权限，或把文件移走", "Check its permissions, or move it away"),
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
            words.pick(
                "改好这一行，或把文件移走",
                "Mend that line, or move the file away",
            ),
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
                let text = plain(value, Known::named(&key).map(|known| known.kind));
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
    let kind = Known::named(key).map(|known| known.kind);
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

fn check(key: &str, value: &str, words: Words) -> Result<(), UserError> {
    let Some(known) = Known::named(key) else {
        let names = known::all().map(|known| known.key).collect::<Vec<_>>().join(", ");
        return Err(error(
            ErrorCode::Input,
            format!("{} `{key}`", words.pick("没有这个设置", "There is no setting")),
            format!("{}: {names}", words.pick("可用的有", "The settings are")),
        ));
    };
    let Some(wanted) = known.kind.refusal(value, words) else {
        return Ok(());
    };
    Err(error(
        ErrorCode::Input,
        format!("`{key}` {} `{value}`", words.pick("不能是", "can't be")),
        format!("{}: {wanted}", words.pick("可以是", "It takes")),
    ))
}

fn line_of(document: &DocumentMut, key: &str) -> String {
    let name = key.rsplit('.').next().unwrap_or(key);
    let text = document.to_string();
    let line = text.lines().position(|line| line.trim_start().starts_with(name));
    line.map_or_else(String::new, |line| format!(":{}", line + 1))
}
