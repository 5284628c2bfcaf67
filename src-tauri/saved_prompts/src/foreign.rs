//! Fields as other programs write them, at import: `${input:name:hint}`, `${selection}`, `$ARGUMENTS`, `$1`.
//!
//! Pure. An unknown part stays as it is: it is seen before it is sent.

use regex::{Captures, Regex};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

#[expect(
    clippy::unwrap_used,
    reason = "the expressions are constants, and a test reads each"
)]
fn regex(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

static EDITOR: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\$\{(?:input:([\p{L}_][\p{L}\p{N}_-]{0,39})(?::([^}\n]{0,200}))?|(selection|selectedText|file|fileBasename))\}",
    )
});
static ARGUMENT: LazyLock<Regex> = LazyLock::new(|| regex(r"\$(ARGUMENTS|[1-9])(?-u:\b)"));

/// The text with fields of ours, and what the head says of them then.
#[must_use]
pub fn adopted(text: &str, head: &Map<String, Value>) -> (String, Map<String, Value>) {
    let mut head = head.clone();
    let mut hints = Map::new();
    let text = EDITOR.replace_all(text, |told: &Captures<'_>| {
        let at = |group: usize| told.get(group).map(|found| found.as_str().trim());
        match (at(1), at(3)) {
            (Some(name), _) => {
                if let Some(hint) = at(2).filter(|hint| !hint.is_empty()) {
                    hints.insert(name.to_owned(), json!(hint));
                }
                format!("{{{name}}}")
            }
            (None, Some("file" | "fileBasename")) => "{file}".to_owned(),
            (None, _) => "{selection}".to_owned(),
        }
    });
    // Where nobody promises arguments, a sum of money is one.
    let hint = head
        .get("argument-hint")
        .map(hint_of)
        .filter(|hint| !hint.is_empty());
    let text = match hint.is_some() || text.contains("$ARGUMENTS") {
        true => ARGUMENT.replace_all(&text, |told: &Captures<'_>| match &told[1] {
            "ARGUMENTS" => "{arguments}".to_owned(),
            number => format!("{{argument{number}}}"),
        }),
        false => text,
    };
    if let Some(hint) = hint
        && text.contains("{arguments}")
    {
        hints.insert("arguments".to_owned(), json!(hint));
    }
    if !hints.is_empty() && !head.contains_key("fields") {
        head.insert("fields".to_owned(), Value::Object(hints));
    }
    (text.into_owned(), head)
}

/// `[number]` without quotation marks is a list.
fn hint_of(said: &Value) -> String {
    match said {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let parts = parts.iter().filter_map(Value::as_str);
            parts
                .map(|part| format!("[{part}]"))
                .collect::<Vec<_>>()
                .join(" ")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_other_programs_become_ours() {
        let none = Map::new();
        let hinted = Map::from_iter([("argument-hint".to_owned(), json!("[number]"))]);
        for (text, head, expected) in [
            (
                "Explain ${selection} of ${file}.",
                &none,
                "Explain {selection} of {file}.",
            ),
            ("To ${input:lang:English or 中文}!", &none, "To {lang}!"),
            (
                "Fix $ARGUMENTS, $1 first",
                &none,
                "Fix {arguments}, {argument1} first",
            ),
            (
                "Fix issue $1 of $2",
                &hinted,
                "Fix issue {argument1} of {argument2}",
            ),
            ("修复 $ARGUMENTS的问题", &none, "修复 {arguments}的问题"),
            ("It costs $5 or ${other}", &none, "It costs $5 or ${other}"),
        ] {
            assert_eq!(adopted(text, head).0, expected);
        }
        let (_, head) = adopted("${input:lang:English or 中文} ${input:b}", &none);
        assert_eq!(head["fields"], json!({"lang": "English or 中文"}));
        let listed = Map::from_iter([("argument-hint".to_owned(), json!(["number"]))]);
        let (_, head) = adopted("$ARGUMENTS", &listed);
        assert_eq!(head["fields"], json!({"arguments": "[number]"}));
        let (_, head) = adopted("$ARGUMENTS", &hinted);
        assert_eq!(head["fields"], json!({"arguments": "[number]"}));
    }
}
