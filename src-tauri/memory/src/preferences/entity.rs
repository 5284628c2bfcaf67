//! A preference as a business entity (F6.3). The entity has a JSON Schema of the form's fields, the chosen data, and
//! the operation that ends the form.
//!
//! An imported record is read as carefully as our own. A record that is no preference has no fields.

use serde_json::{Value, json};
use shidi_protocol::{ChosenValue, FieldKind, JsonMap, MemoryData};

/// Options that a field had when it was looked at. A list of this length may have been cut, and then others fit, too.
const OPTIONS_CUT_AT: usize = 30;

/// What is stored of chosen values.
pub fn data(form: &str, values: &[ChosenValue], button: &str) -> MemoryData {
    let names: Vec<&str> = values.iter().map(|value| value.name.as_str()).collect();
    let properties = values.iter().map(|value| (value.name.clone(), field(value)));
    MemoryData::Preference {
        schema: json!({
            "type": "object",
            "title": form,
            "properties": properties.collect::<JsonMap>(),
            // In the order in which they are chosen: an object has none.
            "required": names,
            "additionalProperties": false,
        }),
        data: Value::Object(
            values
                .iter()
                .map(|value| (value.name.clone(), value.value.clone()))
                .collect(),
        ),
        operation: button.to_owned(),
    }
}

fn field(chosen: &ChosenValue) -> Value {
    let among = |kind: Value| {
        let mut schema = kind;
        if !chosen.options.is_empty() {
            let name = if chosen.options.len() < OPTIONS_CUT_AT {
                "enum"
            } else {
                "examples"
            };
            let mut options = chosen.options.clone();
            // An empty one, or one beyond the bounds, may have been left out of them.
            options.extend(texts(&chosen.value).filter(|text| !chosen.options.contains(text)));
            schema[name] = json!(options);
        }
        schema
    };
    match chosen.kind {
        FieldKind::Choice => among(json!({"type": "string"})),
        FieldKind::Choices => json!({"type": "array", "items": among(json!({"type": "string"}))}),
        // Each step has one place in an order, and one step is none.
        FieldKind::Steps => json!({
            "type": "array",
            "items": among(json!({"type": "string"})),
            "minItems": 2,
            "uniqueItems": true,
        }),
        FieldKind::Switch => json!({"type": "boolean"}),
        FieldKind::Number => json!({"type": "number"}),
        FieldKind::Text => json!({"type": "string"}),
    }
}

/// The texts of a value: itself, or each of several.
fn texts(value: &Value) -> impl Iterator<Item = String> {
    let several = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    several
        .into_iter()
        .filter_map(|one| one.as_str().map(str::to_owned))
}

/// The form and the chosen values of what is stored, in their order; `None` where it is no such entity.
pub fn values(schema: &Value, data: &Value) -> Option<(String, Vec<ChosenValue>)> {
    let properties = schema.get("properties")?.as_object()?;
    let data = data.as_object()?;
    let ordered = schema.get("required").and_then(Value::as_array);
    let mut names: Vec<&str> = ordered.into_iter().flatten().filter_map(Value::as_str).collect();
    names.extend(data.keys().map(String::as_str));
    let mut chosen: Vec<ChosenValue> = Vec::new();
    for name in names {
        if chosen.iter().any(|known| known.name == name) {
            continue;
        }
        if let (Some(field), Some(value)) = (properties.get(name), data.get(name)) {
            chosen.push(read(name, field, value)?);
        }
    }
    let form = schema.get("title").and_then(Value::as_str).unwrap_or_default();
    (!chosen.is_empty()).then(|| (form.to_owned(), chosen))
}

fn read(name: &str, field: &Value, value: &Value) -> Option<ChosenValue> {
    let options = |field: &Value| -> Vec<String> {
        let listed = field
            .get("enum")
            .or_else(|| field.get("examples"))
            .and_then(Value::as_array);
        let texts = listed.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    };
    let (kind, options) = match field.get("type")?.as_str()? {
        "boolean" => (FieldKind::Switch, Vec::new()),
        "number" | "integer" => (FieldKind::Number, Vec::new()),
        "array" => (
            match field.get("uniqueItems") {
                Some(Value::Bool(true)) => FieldKind::Steps,
                Some(_) | None => FieldKind::Choices,
            },
            field.get("items").map(options).unwrap_or_default(),
        ),
        "string" => match options(field) {
            none if none.is_empty() => (FieldKind::Text, none),
            some => (FieldKind::Choice, some),
        },
        _ => return None,
    };
    Some(ChosenValue {
        name: name.to_owned(),
        kind,
        value: value.clone(),
        options,
    })
}

/// Why data is none of a schema: the field's name, or the whole where none is to blame.
pub fn fault(schema: &Value, data: &Value) -> Option<(String, String)> {
    let validator = match jsonschema::validator_for(schema) {
        Ok(validator) => validator,
        Err(cause) => return Some((String::new(), cause.to_string())),
    };
    validator.validate(data).err().map(|cause| {
        let place = cause.instance_path().to_string();
        let name = place
            .trim_start_matches('/')
            .split('/')
            .next()
            .unwrap_or_default();
        (name.replace("~1", "/").replace("~0", "~"), cause.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen() -> Vec<ChosenValue> {
        let one = |name: &str, kind, value: Value, options: &[&str]| ChosenValue {
            name: name.to_owned(),
            kind,
            value,
            options: options.iter().map(|option| (*option).to_owned()).collect(),
        };
        vec![
            one("Status", FieldKind::Choice, json!("Open"), &["Open", "Closed"]),
            one("Labels", FieldKind::Choices, json!(["bug"]), &["bug", "wish"]),
            one("Mine/own", FieldKind::Switch, json!(true), &[]),
            one("At most", FieldKind::Number, json!(20), &[]),
            one("Author", FieldKind::Text, json!("me"), &[]),
        ]
    }

    fn entity() -> (Value, Value) {
        match data("Filter", &chosen(), "Apply") {
            MemoryData::Preference { schema, data, .. } => (schema, data),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_stored_reads_back_in_its_order() {
        let (schema, data) = entity();
        assert_eq!(values(&schema, &data), Some(("Filter".to_owned(), chosen())));
        assert_eq!(fault(&schema, &data), None);
    }

    #[test]
    fn steps_read_back_and_take_another_order_of_the_same_ones() {
        let steps = ["Search", "Filter", "Export"].map(str::to_owned);
        let order = vec![super::super::order::chosen(&steps)];
        let MemoryData::Preference {
            schema,
            mut data,
            operation,
        } = data("", &order, "Search → Filter → Export")
        else {
            panic!("a preference")
        };
        assert_eq!(values(&schema, &data), Some((String::new(), order)));
        assert_eq!(operation, "Search → Filter → Export");
        data["steps"] = json!(["Export", "Search"]);
        assert_eq!(fault(&schema, &data), None);
        for wrong in [
            json!(["Search"]),
            json!(["Search", "Search"]),
            json!(["Search", "Else"]),
        ] {
            data["steps"] = wrong;
            assert_eq!(fault(&schema, &data).unwrap().0, "steps");
        }
    }

    #[test]
    fn a_value_that_the_field_does_not_take_is_named() {
        let (schema, mut data) = entity();
        data["Status"] = json!("Pending");
        assert_eq!(fault(&schema, &data).unwrap().0, "Status");
        data["Status"] = json!("Closed");
        data["Mine/own"] = json!("yes");
        assert_eq!(fault(&schema, &data).unwrap().0, "Mine/own");
    }

    #[test]
    fn a_record_that_is_none_has_no_values() {
        for (schema, data) in [
            (json!(null), json!({})),
            (json!({"properties": {"a": {}}}), json!({"a": 1})),
            (json!({"properties": {"a": {"type": "object"}}}), json!({"a": {}})),
            (json!({"properties": {}}), json!({"a": 1})),
        ] {
            assert_eq!(values(&schema, &data), None, "{schema}");
        }
    }
}
