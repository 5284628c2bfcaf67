//! A use of a form as a browser tells of it, cut to its bounds. All of its texts are the page's, but for what was typed.

use crate::limits::{
    FORM_BUTTON_CHARACTERS, FORM_NAME_CHARACTERS, FORM_OPTION_CHARACTERS, FORM_OPTIONS_MAX,
    FORM_VALUE_CHARACTERS, FORM_VALUES_MAX,
};
use crate::text::paragraph;
use serde::Deserialize;
use serde_json::Value;
use shidi_protocol::{ChosenValue, FieldKind};

/// What was chosen in a form.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct UsedForm {
    #[serde(default)]
    pub form: String,
    pub values: Vec<ChosenValue>,
    #[serde(default)]
    pub button: String,
}

impl UsedForm {
    /// The same within its bounds; `None` where no value is left of it.
    pub(crate) fn bounded(self) -> Option<Self> {
        let mut values: Vec<ChosenValue> = Vec::new();
        for value in self.values.into_iter().filter_map(bounded) {
            // One label, one value: of fields that can't be told apart nothing is learned.
            if values.iter().all(|known| known.name != value.name) {
                values.push(value);
            }
        }
        values.truncate(FORM_VALUES_MAX);
        (!values.is_empty()).then(|| Self {
            form: paragraph(&self.form, FORM_NAME_CHARACTERS),
            values,
            button: paragraph(&self.button, FORM_BUTTON_CHARACTERS),
        })
    }
}

/// A value whose field has a name, and which is what its kind says.
fn bounded(chosen: ChosenValue) -> Option<ChosenValue> {
    let name = paragraph(&chosen.name, FORM_NAME_CHARACTERS);
    let value = match (chosen.kind, chosen.value) {
        (FieldKind::Choice | FieldKind::Text, Value::String(text)) => Value::from(short(&text)?),
        (FieldKind::Switch, Value::Bool(on)) => Value::from(on),
        (FieldKind::Number, Value::Number(number)) => Value::from(number),
        (FieldKind::Choices, Value::Array(chosen)) if chosen.len() <= FORM_OPTIONS_MAX => {
            let texts = chosen.iter().map(|one| short(one.as_str()?).map(Value::from));
            Value::Array(texts.collect::<Option<_>>()?)
        }
        _ => return None,
    };
    let options = chosen.options.iter().take(FORM_OPTIONS_MAX);
    let options = options.map(|option| paragraph(option, FORM_OPTION_CHARACTERS));
    (!name.is_empty()).then(|| ChosenValue {
        name,
        kind: chosen.kind,
        value,
        options: options.filter(|option| !option.is_empty()).collect(),
    })
}

/// A text that can be chosen again: a cut one could not.
fn short(text: &str) -> Option<String> {
    (text.chars().count() <= FORM_VALUE_CHARACTERS).then(|| paragraph(text, FORM_VALUE_CHARACTERS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(value: Value) -> Option<UsedForm> {
        serde_json::from_value::<UsedForm>(value).ok()?.bounded()
    }

    #[test]
    fn what_is_not_of_its_kind_or_has_no_name_or_comes_twice_is_left_out() {
        let values = json!([
            {"name": "Status", "kind": "choice", "value": "Open", "options": ["Open", "Closed"]},
            {"name": "Status", "kind": "choice", "value": "Closed"},
            {"name": "", "kind": "text", "value": "x"},
            {"name": "Mine", "kind": "switch", "value": "yes"},
            {"name": "Labels", "kind": "choices", "value": ["a", 1]},
            {"name": "Order", "kind": "steps", "value": ["a", "b"]},
            {"name": "Most", "kind": "number", "value": 20},
            {"name": "Title", "kind": "text", "value": "x".repeat(FORM_VALUE_CHARACTERS + 1)},
        ]);
        let used = read(json!({"form": "Filter", "values": values, "button": "Apply"})).unwrap();
        let names: Vec<&str> = used.values.iter().map(|value| value.name.as_str()).collect();
        assert_eq!(names, ["Status", "Most"]);
        assert_eq!(used.values[0].value, "Open");
    }

    #[test]
    fn a_form_without_a_value_is_none() {
        assert_eq!(read(json!({"form": "Filter", "values": []})), None);
        assert_eq!(
            read(json!({"values": [{"name": "a", "kind": "text", "value": 1}]})),
            None
        );
    }

    proptest! {
        #[test]
        fn what_is_read_is_within_its_bounds(name in "\\PC{0,200}", value in "\\PC{0,200}", count in 0usize..60) {
            let one = |at: usize| json!({"name": format!("{name}{at}"), "kind": "choice", "value": value, "options": vec![&value; 90]});
            let values: Vec<Value> = (0..count).map(one).collect();
            if let Some(used) = read(json!({"form": name, "values": values, "button": value})) {
                prop_assert!(used.values.len() <= FORM_VALUES_MAX);
                prop_assert!(used.form.chars().count() <= FORM_NAME_CHARACTERS + 1);
                for value in used.values {
                    prop_assert!(value.options.len() <= FORM_OPTIONS_MAX);
                    prop_assert!(value.name.chars().count() <= FORM_NAME_CHARACTERS + 1);
                    prop_assert!(value.value.as_str().unwrap().chars().count() <= FORM_VALUE_CHARACTERS + 1);
                }
            }
        }
    }
}
