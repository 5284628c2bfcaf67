//! Cards (F7.4): tables, charts, files and links that a program shows to the user directly. So large data never
//! passes through the model (F3.4).
//!
//! Pure: a program's arguments come in. A bounded card of one plain form comes out, or the fault of the
//! arguments. In the transcript a card is one segment, of which a model reads one line alone.

use crate::limits;
use serde_json::{Value, json};
use shidi_protocol::JsonMap;

/// A card as it is shown and kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    pub kind: &'static str,
    /// The line that the model reads.
    pub told: String,
    pub data: Value,
}

/// The card that a call of `user` shows; `None` when that method shows none.
#[must_use]
pub fn of(method: &str, args: &JsonMap) -> Option<Result<Card, String>> {
    match method {
        "table" => Some(table(args)),
        "chart" => Some(chart(args)),
        "files" => Some(files(args)),
        "links" => Some(links(args)),
        _ => None,
    }
}

/// A program's progress as it is shown: the things counted, how many are done, and of how many if known.
#[must_use]
pub fn progress(args: &JsonMap) -> Value {
    let number = |name: &str| {
        args.get(name)
            .and_then(Value::as_f64)
            .filter(|number| number.is_finite())
            .unwrap_or_default()
            .max(0.0)
    };
    json!({"title": text_of(args), "done": number("done"), "total": number("total")})
}

/// The id of a progress card. Progress under the same words belongs to the same card.
#[must_use]
pub fn progress_id(args: &JsonMap) -> String {
    format!("progress {}", text_of(args))
}

fn text_of(args: &JsonMap) -> String {
    args.get("text")
        .map(|text| clipped(text, limits::CARD_TEXT_CHARACTERS))
        .unwrap_or_default()
}

fn table(args: &JsonMap) -> Result<Card, String> {
    let given = list(args, "rows")?;
    let mut columns: Vec<String> = match args.get("columns") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(names)) => names
            .iter()
            .map(|name| clipped(name, limits::CARD_TEXT_CHARACTERS))
            .collect(),
        Some(_) => return Err("columns is a list of names".to_owned()),
    };
    if columns.is_empty() {
        columns = columns_of(given);
    }
    columns.truncate(limits::CARD_COLUMNS_MAX);
    let mut rows = Vec::new();
    let mut left = limits::CARD_CHARACTERS_MAX;
    for (at, row) in given.iter().take(limits::CARD_ROWS_MAX).enumerate() {
        let cells =
            cells(row, &columns).ok_or_else(|| format!("row {} is neither a dict nor a list", at + 1))?;
        let size: usize = cells.iter().map(|cell| cell.as_str().map_or(8, str::len)).sum();
        if size > left {
            break;
        }
        left -= size;
        rows.push(Value::Array(cells));
    }
    if columns.is_empty() && !rows.is_empty() {
        return Err("the rows have no columns".to_owned());
    }
    let title = title(args);
    let (shown, all) = (rows.len(), given.len());
    let mut told = format!(
        "table{}: {} columns ({}), {all} rows",
        named(&title),
        columns.len(),
        columns.join(", ")
    );
    if shown < all {
        told.push_str(&format!("; only the first {shown} are shown"));
    }
    let data = json!({"title": title, "columns": columns, "rows": rows, "left_out": all - shown});
    Ok(card("table", &told, data))
}

/// The keys of the rows in the order in which they first come; numbers where rows are lists.
fn columns_of(rows: &[Value]) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    for row in rows.iter().take(limits::CARD_ROWS_MAX) {
        match row {
            Value::Object(fields) => {
                for name in fields.keys() {
                    if columns.len() < limits::CARD_COLUMNS_MAX && !columns.contains(name) {
                        columns.push(name.clone());
                    }
                }
            }
            Value::Array(cells) => {
                let from = columns.len() + 1;
                columns.extend(
                    (from..=cells.len().min(limits::CARD_COLUMNS_MAX)).map(|number| number.to_string()),
                );
            }
            _ => {}
        }
    }
    columns
}

fn cells(row: &Value, columns: &[String]) -> Option<Vec<Value>> {
    match row {
        Value::Object(fields) => {
            let cell = |name: &String| fields.get(name).map_or(Value::Null, cell);
            Some(columns.iter().map(cell).collect())
        }
        Value::Array(cells) => {
            let cell = |at: usize| cells.get(at).map_or(Value::Null, cell);
            Some((0..columns.len()).map(cell).collect())
        }
        _ => None,
    }
}

/// One value of a table: numbers and truth values stay, all else is text.
fn cell(value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        Value::String(_) | Value::Array(_) | Value::Object(_) => {
            Value::String(clipped(value, limits::CARD_CELL_CHARACTERS))
        }
    }
}

fn chart(args: &JsonMap) -> Result<Card, String> {
    let labels: Vec<String> = list(args, "labels")?
        .iter()
        .map(|label| clipped(label, limits::CARD_TEXT_CHARACTERS))
        .collect();
    if labels.is_empty() || labels.len() > limits::CARD_POINTS_MAX {
        return Err(format!("a chart has 1 to {} labels", limits::CARD_POINTS_MAX));
    }
    let kind = match args.get("kind").and_then(Value::as_str) {
        None | Some("bar") => "bar",
        Some("line") => "line",
        Some(other) => return Err(format!("kind is \"bar\" or \"line\", not \"{other}\"")),
    };
    let series = match args.get("values") {
        Some(Value::Array(values)) => {
            vec![json!({"name": "", "values": numbers("values", values, labels.len())?})]
        }
        Some(Value::Object(all)) if (1..=limits::CARD_SERIES_MAX).contains(&all.len()) => all
            .iter()
            .map(|(name, values)| {
                let values = values
                    .as_array()
                    .ok_or_else(|| format!("values[\"{name}\"] is a list of numbers"))?;
                let name = clipped(&Value::String(name.clone()), limits::CARD_TEXT_CHARACTERS);
                Ok(json!({"name": name, "values": numbers(&name, values, labels.len())?}))
            })
            .collect::<Result<Vec<Value>, String>>()?,
        _ => {
            return Err(format!(
                "values is a list of numbers, or a dict of 1 to {} such lists by name",
                limits::CARD_SERIES_MAX
            ));
        }
    };
    let title = title(args);
    let told = format!(
        "{kind} chart{}: {} series of {} values",
        named(&title),
        series.len(),
        labels.len()
    );
    Ok(card(
        "chart",
        &told,
        json!({"title": title, "kind": kind, "labels": labels, "series": series}),
    ))
}

/// As many numbers as there are labels; `null` leaves a gap.
fn numbers(name: &str, values: &[Value], count: usize) -> Result<Vec<Value>, String> {
    if values.len() != count {
        return Err(format!("{name} has {} values for {count} labels", values.len()));
    }
    let is_fit = |value: &Value| value.is_null() || value.as_f64().is_some_and(f64::is_finite);
    match values.iter().position(|value| !is_fit(value)) {
        Some(at) => Err(format!("value {} of {name} is no number", at + 1)),
        None => Ok(values.to_vec()),
    }
}

fn files(args: &JsonMap) -> Result<Card, String> {
    let paths: Vec<&str> = texts(list(args, "paths")?).ok_or("paths is a list of str")?;
    if paths.is_empty() || paths.len() > limits::CARD_ITEMS_MAX {
        return Err(format!("a card has 1 to {} files", limits::CARD_ITEMS_MAX));
    }
    let title = title(args);
    let told = format!("{} files{}: {}", paths.len(), named(&title), paths.join(", "));
    Ok(card("files", &told, json!({"title": title, "paths": paths})))
}

fn links(args: &JsonMap) -> Result<Card, String> {
    let given = list(args, "links")?;
    if given.is_empty() || given.len() > limits::CARD_ITEMS_MAX {
        return Err(format!("a card has 1 to {} links", limits::CARD_ITEMS_MAX));
    }
    let mut links = Vec::new();
    for link in given {
        let (name, url) = match link {
            Value::String(url) => (url.clone(), url.as_str()),
            Value::Object(fields) => {
                let url = fields.get("url").and_then(Value::as_str).unwrap_or_default();
                let name = fields.get("title").map_or_else(
                    || url.to_owned(),
                    |name| clipped(name, limits::CARD_TEXT_CHARACTERS),
                );
                (name, url)
            }
            _ => return Err("a link is a str, or a dict with title and url".to_owned()),
        };
        let is_web = ["http://", "https://"]
            .iter()
            .any(|scheme| url.starts_with(scheme));
        if !is_web || url.len() > limits::CARD_URL_BYTES_MAX {
            return Err(format!(
                "\"{}\" is no http or https address",
                clipped(&Value::String(url.to_owned()), 80)
            ));
        }
        links.push(json!({"title": name, "url": url}));
    }
    let title = title(args);
    let told = format!("{} links{}", links.len(), named(&title));
    Ok(card("links", &told, json!({"title": title, "links": links})))
}

fn card(kind: &'static str, told: &str, data: Value) -> Card {
    let told: String = told.chars().take(limits::CARD_TOLD_CHARACTERS).collect();
    Card {
        kind,
        told: format!("{} (shown to the user)", told.replace('\n', " ")),
        data,
    }
}

fn list<'a>(args: &'a JsonMap, name: &str) -> Result<&'a [Value], String> {
    let list = args.get(name).and_then(Value::as_array);
    list.map(Vec::as_slice).ok_or_else(|| format!("{name} is a list"))
}

fn texts(values: &[Value]) -> Option<Vec<&str>> {
    values.iter().map(Value::as_str).collect()
}

fn title(args: &JsonMap) -> String {
    args.get("title")
        .filter(|title| !title.is_null())
        .map(|title| clipped(title, limits::CARD_TEXT_CHARACTERS))
        .unwrap_or_default()
}

fn named(title: &str) -> String {
    if title.is_empty() {
        String::new()
    } else {
        format!(" \"{title}\"")
    }
}

fn clipped(value: &Value, most: usize) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if text.chars().count() <= most {
        return text;
    }
    let head: String = text.chars().take(most).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests;
