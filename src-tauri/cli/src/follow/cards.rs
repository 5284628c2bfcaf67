//! Cards as a terminal shows them: tables in columns, charts as bars, files and links as lists.
//!
//! Reads whatever a card holds; what is not as expected is left out, never a reason to stop.

use serde_json::Value;
use shidi_protocol::visible;

/// Rows of a table, points of a chart, columns of one cell, and columns of the longest bar.
const ROWS_SHOWN: usize = 40;
const CELL_COLUMNS: usize = 40;
const BAR_COLUMNS: usize = 30;

/// The lines of a card.
#[must_use]
pub fn lines(kind: &str, data: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(title) = data["title"].as_str().filter(|title| !title.is_empty()) {
        lines.push(clean(title));
    }
    match kind {
        "table" => lines.extend(table(data)),
        "chart" => lines.extend(chart(data)),
        "files" => lines.extend(
            items(&data["paths"])
                .iter()
                .map(|path| format!("  {}", cell(path))),
        ),
        "links" => lines.extend(items(&data["links"]).iter().map(|link| {
            let (title, url) = (cell(&link["title"]), link["url"].as_str().unwrap_or_default());
            if title == url {
                format!("  {}", clean(url))
            } else {
                format!("  {title}  {}", clean(url))
            }
        })),
        _ => {}
    }
    lines
}

/// How far something is, in one line.
#[must_use]
pub fn progress(data: &Value) -> String {
    let title = clean(data["title"].as_str().unwrap_or_default());
    let number = |name: &str| data[name].as_f64().unwrap_or_default();
    match number("total") {
        total if total > 0.0 => format!("{title} {}/{total}", number("done")),
        _ => format!("{title} {}", number("done")),
    }
}

fn table(data: &Value) -> Vec<String> {
    let head: Vec<String> = items(&data["columns"]).iter().map(cell).collect();
    let all = items(&data["rows"]);
    let rows: Vec<Vec<String>> = all
        .iter()
        .take(ROWS_SHOWN)
        .map(|row| items(row).iter().map(cell).collect())
        .collect();
    let widths: Vec<usize> = (0..head.len())
        .map(|at| {
            let cells = rows.iter().filter_map(|row| row.get(at)).chain(head.get(at));
            cells.map(|text| width(text)).max().unwrap_or(0)
        })
        .collect();
    // Figures stand right, under one another.
    let is_number: Vec<bool> = (0..head.len())
        .map(|at| !all.is_empty() && all.iter().all(|row| row[at].is_number() || row[at].is_null()))
        .collect();
    let line = |cells: &[String]| {
        let padded = cells
            .iter()
            .zip(&widths)
            .zip(&is_number)
            .map(|((text, wide), right)| {
                let gap = " ".repeat(wide.saturating_sub(width(text)));
                if *right {
                    format!("{gap}{text}")
                } else {
                    format!("{text}{gap}")
                }
            });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(&head)];
    lines.push(
        widths
            .iter()
            .map(|wide| "-".repeat(*wide))
            .collect::<Vec<_>>()
            .join("  "),
    );
    lines.extend(rows.iter().map(|row| line(row)));
    let left_out =
        all.len() - rows.len() + usize::try_from(data["left_out"].as_u64().unwrap_or(0)).unwrap_or(0);
    if left_out > 0 {
        lines.push(format!("… +{left_out}"));
    }
    lines
}

fn chart(data: &Value) -> Vec<String> {
    let labels: Vec<String> = items(&data["labels"]).iter().take(ROWS_SHOWN).map(cell).collect();
    let wide = labels.iter().map(|label| width(label)).max().unwrap_or(0);
    let mut lines = Vec::new();
    for series in items(&data["series"]) {
        if let Some(name) = series["name"].as_str().filter(|name| !name.is_empty()) {
            lines.push(format!("{}:", clean(name)));
        }
        let values: Vec<Option<f64>> = items(&series["values"]).iter().map(Value::as_f64).collect();
        let most = values
            .iter()
            .flatten()
            .fold(0.0_f64, |most, value| most.max(value.abs()));
        for (label, value) in labels.iter().zip(&values) {
            let gap = " ".repeat(wide - width(label));
            let Some(value) = value else {
                lines.push(format!("{label}{gap}"));
                continue;
            };
            let share = if most > 0.0 { value.abs() / most } else { 0.0 };
            let bar = "█".repeat((share * BAR_COLUMNS as f64).round() as usize);
            lines.push(format!("{label}{gap}  {bar} {value}").trim_end().to_owned());
        }
    }
    lines
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::String(text) => clean(text),
        other => other.to_string(),
    };
    let mut short = String::new();
    for letter in text.chars() {
        if width(&short) >= CELL_COLUMNS {
            short.push('…');
            break;
        }
        short.push(letter);
    }
    short
}

/// One line in which what can't be seen is written out.
#[must_use]
pub fn clean(text: &str) -> String {
    visible(&text.replace(['\n', '\t'], " ")).into_owned()
}

/// Columns on a terminal: Chinese letters take two.
fn width(text: &str) -> usize {
    text.chars()
        .map(|letter| if (letter as u32) < 0x1100 { 1 } else { 2 })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_table_stands_in_columns_with_figures_right() {
        let data = json!({"title": "Sales", "columns": ["city", "sum"], "rows": [["上海", 12], ["Oslo", 3.5], ["a\u{1b}[2Jb", null]], "left_out": 2});
        assert_eq!(
            lines("table", &data),
            [
                "Sales",
                "city       sum",
                "---------  ---",
                "上海        12",
                "Oslo       3.5",
                r"a\x1b[2Jb",
                "… +2"
            ]
        );
    }

    #[test]
    fn charts_links_and_nonsense_are_shown_as_far_as_they_go() {
        let chart = json!({"labels": ["a", "b"], "series": [{"name": "n", "values": [1, null]}]});
        assert_eq!(
            lines("chart", &chart),
            [
                "n:".to_owned(),
                format!("a  {} 1", "█".repeat(30)),
                "b".to_owned()
            ]
        );
        let links = json!({"links": [{"title": "Docs", "url": "https://example.org"}]});
        assert_eq!(lines("links", &links), ["  Docs  https://example.org"]);
        assert!(lines("table", &json!([1])).len() <= 2);
        assert!(lines("riddle", &Value::Null).is_empty());
    }
}
