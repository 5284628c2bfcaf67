//! The form of files in JSON that are read here, field by field. Whoever wrote one learns which field is at fault.

use crate::limits::QUOTED_CHARACTERS;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use shidi_locales::Evaluation as Sentences;

/// Names of fields with their forms.
pub type Fields = &'static [(&'static str, Form)];

/// The form of a value.
pub enum Form {
    Any,
    Text,
    Flag,
    Number,
    Whole {
        least: u64,
        most: u64,
    },
    OneOf(&'static [&'static str]),
    /// Bytes, written in base64.
    Bytes,
    Map,
    /// A value that may be missing, or null.
    Maybe(&'static Form),
    List(&'static Form),
    /// Values of one form under names that anybody chose.
    Named(&'static Form),
    /// Fields and no others.
    Closed(Fields),
    /// Fields, and others that nobody looks at.
    Open(Fields),
}

/// The fault of a value, and where in it.
struct Fault {
    place: String,
    kind: FaultKind,
}

enum FaultKind {
    Missing,
    Strange,
    Unlike(String),
}

impl Fault {
    fn unlike(wanted: impl Into<String>) -> Self {
        Self {
            place: String::new(),
            kind: FaultKind::Unlike(wanted.into()),
        }
    }

    fn of(kind: FaultKind, name: &str) -> Self {
        let place = String::new();
        Self { place, kind }.within_field(name)
    }

    fn within(mut self, outer: &str) -> Self {
        self.place.insert_str(0, outer);
        self
    }

    fn within_field(self, name: &str) -> Self {
        let shown = name.chars().filter(|letter| !letter.is_control());
        let shown: String = shown.take(QUOTED_CHARACTERS).collect();
        self.within(&format!(".{shown}"))
    }

    fn sentence(&self, say: Sentences) -> String {
        let field = self.place.strip_prefix('.').unwrap_or(&self.place);
        match &self.kind {
            FaultKind::Missing => say.key_missing(field),
            FaultKind::Strange => say.no_such_key(field),
            FaultKind::Unlike(wanted) if field.is_empty() => wanted.clone(),
            FaultKind::Unlike(wanted) => say.field_fault(wanted, field),
        }
    }
}

/// The value of a text in JSON; or what is wrong with the text, in words.
pub fn value(bytes: &[u8], say: Sentences) -> Result<Value, String> {
    let read: Result<Value, _> = serde_json::from_slice(bytes);
    read.map_err(|cause| placed(say.attempt_no_json(), &cause, say))
}

/// A fault with its place. A text that ends after the end of a line has no column there.
pub fn placed(why: &str, cause: &serde_json::Error, say: Sentences) -> String {
    match cause.column() {
        0 => say.attempt_unlike_line(why, cause.line()),
        column => say.attempt_unlike(why, column, cause.line()),
    }
}

/// What keeps a value from having a form, in one sentence; `None` where it has it.
pub fn fault(value: &Value, form: &Form, say: Sentences) -> Option<String> {
    first(value, form, say).map(|fault| fault.sentence(say))
}

fn first(value: &Value, form: &Form, say: Sentences) -> Option<Fault> {
    let unless = |is_fit: bool, wanted: &str| (!is_fit).then(|| Fault::unlike(wanted));
    match form {
        Form::Any => None,
        Form::Text => unless(value.is_string(), say.wants_text()),
        Form::Flag => unless(value.is_boolean(), say.wants_flag()),
        Form::Number => unless(value.is_number(), say.wants_number()),
        Form::Map => unless(value.is_object(), say.wants_map()),
        Form::Bytes => {
            let text = value.as_str();
            let is_fit = text.is_some_and(|text| STANDARD.decode(text).is_ok());
            unless(is_fit, say.wants_base64())
        }
        Form::Whole { least, most } => {
            let number = value.as_u64();
            let is_fit = number.is_some_and(|number| (*least..=*most).contains(&number));
            unless(is_fit, &say.wants_whole(least, most))
        }
        Form::OneOf(names) => {
            let is_fit = value.as_str().is_some_and(|name| names.contains(&name));
            unless(is_fit, &say.there_are(names.join(", ")))
        }
        Form::Maybe(inner) => match value {
            Value::Null => None,
            value => first(value, inner, say),
        },
        Form::List(inner) => match value {
            Value::Array(items) => items.iter().enumerate().find_map(|(at, item)| {
                let fault = first(item, inner, say)?;
                Some(fault.within(&format!("[{at}]")))
            }),
            _ => Some(Fault::unlike(say.wants_list())),
        },
        Form::Named(inner) => match value {
            Value::Object(values) => values.iter().find_map(|(name, value)| {
                let fault = first(value, inner, say)?;
                Some(fault.within_field(name))
            }),
            _ => Some(Fault::unlike(say.wants_map())),
        },
        Form::Closed(known) => of_fields(value, (*known, true), say),
        Form::Open(known) => of_fields(value, (*known, false), say),
    }
}

/// The first fault of fields: one is missing, is not known, or is unlike its form.
fn of_fields(value: &Value, (known, is_closed): (Fields, bool), say: Sentences) -> Option<Fault> {
    let Value::Object(there) = value else {
        return Some(Fault::unlike(say.wants_map()));
    };
    let is_missing =
        |(name, form): &&(&str, Form)| !matches!(form, Form::Maybe(_)) && !there.contains_key(*name);
    if let Some((name, _)) = known.iter().find(is_missing) {
        return Some(Fault::of(FaultKind::Missing, name));
    }
    let is_known = |key: &str| known.iter().any(|(name, _)| *name == key);
    if is_closed && let Some(key) = there.keys().find(|key| !is_known(key)) {
        return Some(Fault::of(FaultKind::Strange, key));
    }
    known.iter().find_map(|(name, form)| {
        let fault = first(there.get(*name)?, form, say)?;
        Some(fault.within_field(name))
    })
}
