//! One line of an import: a whole record as `export` writes it, or a few fields of one. Unknown fields are refused.

use serde::Deserialize;
use shidi_protocol::{MemoryId, MemoryKind, MemoryOrigin, MemoryRecord, MemoryScope, Moment};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    kind: MemoryKind,
    text: String,
    time: Option<Moment>,
    session: Option<String>,
    speaker: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    entities: Vec<String>,
    id: Option<String>,
    scope: Option<MemoryScope>,
    until: Option<Moment>,
}

/// Reads the `number`th line of a file. What has no time was said now, in the order of the lines.
///
/// # Errors
/// The fault of the line, in words.
pub fn record(text: &str, number: usize) -> Result<MemoryRecord, String> {
    let line: Line = match serde_json::from_str(text) {
        Ok(line) => line,
        // A whole record has `valid_from`, which the short form refuses.
        Err(cause) => {
            return serde_json::from_str(text).map_err(|whole: serde_json::Error| {
                if text.contains("\"valid_from\"") {
                    whole.to_string()
                } else {
                    cause.to_string()
                }
            });
        }
    };
    let time = line.time.unwrap_or_else(|| jiff::Timestamp::now().into());
    let id = line.id.map_or_else(MemoryId::mint, MemoryId::from);
    let mut record = MemoryRecord::new(id, line.kind, line.text, time);
    record.scope = line.scope.unwrap_or(MemoryScope::User);
    record.speaker = line.speaker;
    record.tags = line.tags;
    record.entities = line.entities;
    record.until = line.until;
    record.origin = MemoryOrigin::Imported;
    record.source.session = line.session.map(Into::into);
    record.sort_value = i64::try_from(number).unwrap_or(i64::MAX);
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_be_a_few_fields_or_a_whole_record_and_nothing_else() {
        let short = record(
            r#"{"kind":"profile","text":"plays chess","time":"2026-01-02T03:04:05Z","id":"m1"}"#,
            3,
        )
        .unwrap();
        assert_eq!(
            (short.id.as_str(), short.kind, short.sort_value),
            ("m1", MemoryKind::Profile, 3)
        );
        let whole = serde_json::to_string(&short).unwrap();
        assert_eq!(record(&whole, 9).unwrap(), short);
        for (bad, why) in [
            (r#"{"kind":"profile","text":"x","colour":"red"}"#, "colour"),
            (r#"{"kind":"poem","text":"x"}"#, "poem"),
            (r#"{"kind":"profile"}"#, "text"),
            (
                r#"{"kind":"profile","text":"x","scope":"everybody"}"#,
                "everybody",
            ),
            ("[]", "struct"),
        ] {
            let cause = record(bad, 1).unwrap_err();
            assert!(cause.contains(why), "{bad}: {cause}");
        }
    }
}
