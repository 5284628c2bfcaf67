//! Forms, as far as a terminal shows them.

use super::*;
use serde_json::json;

#[test]
fn fields_are_names_or_objects_with_a_name() {
    let fields = json!(["name", {"name": "date", "label": "Date"}, 7, {}]);
    assert_eq!(field_names(Some(&fields)), ["name", "date"]);
    assert!(field_names(None).is_empty() && field_names(Some(&json!("name"))).is_empty());
}

#[test]
fn the_hint_shows_what_an_answer_looks_like() {
    assert_eq!(answer_shape(&[]), "TEXT");
    assert_eq!(
        answer_shape(&["name".into(), "date".into()]),
        r#"'{"name": "…", "date": "…"}'"#
    );
}
