//! A file that a tool makes from data: written whole, its earlier content kept for the user.

use crate::change_record::Change;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::EARLIER_BYTES_MAX;
use crate::safe_path::{ResolvedPath, SafeWriter};
use serde_json::{Value, json};
use shidi_protocol::CallOutcome;

/// What is to be written, and what the program is told of it.
pub(super) struct Produced {
    pub(super) bytes: Vec<u8>,
    /// Facts for the program besides path and size.
    pub(super) facts: Value,
    /// How much it is, in words.
    pub(super) told: String,
}

/// Writes the file, or finds that this very call has written it before a crash.
///
/// # Errors
/// More than is written at once, a place that can't be written, another program that wrote there meanwhile.
pub(super) fn produce(
    place: &ResolvedPath,
    environment: &Environment,
    produced: Produced,
) -> Result<CallOutcome, ToolError> {
    let shown = place.shown.display().to_string();
    let Produced { bytes, facts, told } = produced;
    if bytes.len() as u64 > EARLIER_BYTES_MAX {
        return Err(ToolError::TooLarge(shown));
    }
    let target = SafeWriter::of(place, environment)?;
    let found = target.found()?;
    let record = environment.change.as_deref();
    let summary = |created: bool| {
        let new = if created { "new, " } else { "" };
        format!("{shown} · {new}{told}")
    };
    if let Some(change) = Change::done_already(record, found.as_ref(), &shown)? {
        return Ok(CallOutcome::success(change.data, summary(change.created)));
    }
    let mut data = json!({"path": shown, "created": found.is_none(), "bytes": bytes.len()});
    if let (Some(all), Value::Object(facts)) = (data.as_object_mut(), facts) {
        all.extend(facts);
    }
    let change = Change::new(&place.leads_to, found.as_ref(), &bytes, environment.now, data);
    change.make(&target, found.as_ref(), &bytes, record)?;
    Ok(CallOutcome::success(change.data, summary(change.created)))
}
