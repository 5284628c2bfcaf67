//! Whether a form asks for a secret: the protocol forbids it, and no server is trusted to keep to that.

use crate::elicitation::{Field, FieldKind};
use shidi_protocol::names_secret;

/// The first field of free text that is for a secret. The field's own words tell so, or the words of the
/// message.
pub fn wanted<'a>(message: &str, fields: &'a [Field]) -> Option<&'a Field> {
    fields.iter().find(|field| {
        let is_free = matches!(field.kind, FieldKind::Text { format: None, .. });
        let texts = [field.name.as_str(), &field.label, &field.note, message];
        is_free && texts.into_iter().any(names_secret)
    })
}
