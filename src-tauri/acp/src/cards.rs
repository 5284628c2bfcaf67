//! Cards as Markdown: tables as tables, lists as lists, what has no form as its data.

use crate::limits::ROWS_SHOWN;
use crate::tool_calls::fenced;
use serde_json::Value;
use shidi_protocol::exact;

/// A card's words; empty for one that has none. Progress has none: what was said can't be changed.
#[must_use]
pub fn markdown(kind: &str, data: &Value) -> String {
    let mut lines = Vec::new();
    let title = cell(data.get("title").unwrap_or(&Value::Null));
    if !title.is_empty() {
        lines.push(format!("**{title}**\n"));
    }
    match kind {
        "table" => lines.extend(table(data)),
        "files" => lines.extend(
            items(data, "paths")
                .iter()
                .map(|path| format!("- {}", cell(path))),
        ),
        "links" => lines.extend(items(data, "links").iter().map(|link| {
            let of = |name: &str| cell(link.get(name).unwrap_or(&Value::Null));
            format!("- {} {}", of("title"), of("url"))
        })),
        "progress" => return String::new(),
        _ => lines.push(fenced(&exact(&data.to_string()))),
    }
    lines.join("\n")
}

fn table(data: &Value) -> Vec<String> {
    let row = |cells: &[Value]| {
        let cells: Vec<String> = cells.iter().map(cell).collect();
        format!("| {} |", cells.join(" | "))
    };
    let (columns, rows) = (items(data, "columns"), items(data, "rows"));
    let mut lines = vec![row(columns), format!("|{}", " --- |".repeat(columns.len()))];
    let shown = rows.iter().take(ROWS_SHOWN);
    lines.extend(shown.map(|cells| row(cells.as_array().map(Vec::as_slice).unwrap_or_default())));
    let left = data.get("left_out").and_then(Value::as_u64).unwrap_or_default();
    let left_out = rows.len().saturating_sub(ROWS_SHOWN) as u64 + left;
    if left_out > 0 {
        lines.push(format!("\n… +{left_out}"));
    }
    lines
}

fn items<'a>(data: &'a Value, name: &str) -> &'a [Value] {
    let items = data.get(name).and_then(Value::as_array);
    items.map(Vec::as_slice).unwrap_or_default()
}

/// A value in one line, which no mark of Markdown's tables breaks.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    exact(&text.replace(['\n', '\r', '\t'], " "))
        .replace('\\', "\\\\")
        .replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_table_stays_a_table_and_nonsense_ends_nothing() {
        let data = json!({"title": "Sales", "columns": ["city", "sum"], "rows": [["a|b", 2], [null]], "left_out": 3});
        assert_eq!(
            markdown("table", &data),
            "**Sales**\n\n| city | sum |\n| --- | --- |\n| a\\|b | 2 |\n|  |\n\n… +3"
        );
        assert_eq!(markdown("files", &json!([1])), "");
        assert!(markdown("riddle", &Value::Null).contains("null"));
    }
}
