//! Forms as servers send them, good and bad, and what is sent of an answer.

use super::*;
use crate::limits::{ELICITED_CHOICES_MAX, ELICITED_FIELDS_MAX};
use proptest::prelude::*;

fn form(properties: Value) -> Result<Elicitation, Unfit> {
    of_form(
        "Who comes?",
        &json!({"type": "object", "properties": properties, "required": ["name"]}),
    )
}

fn kinds(asked: &Elicitation) -> Vec<&FieldKind> {
    match &asked.asks {
        Asks::Form(fields) => fields.iter().map(|field| &field.kind).collect(),
        Asks::Address(_) => Vec::new(),
    }
}

fn content(asked: &Elicitation, values: Value) -> Option<Value> {
    asked.content(values.as_object().unwrap()).map(Value::Object)
}

#[test]
fn every_kind_of_field_is_read_and_an_answer_that_fits_is_sent_as_it_is() {
    let asked = form(json!({
        "name": {"type": "string", "title": "Name", "description": "As on the card", "minLength": 2, "maxLength": 9},
        "mail": {"type": "string", "format": "email"},
        "guests": {"type": "integer", "minimum": 1, "maximum": 9, "default": 2},
        "share": {"type": "number"},
        "quiet": {"type": "boolean", "default": true},
        "room": {"type": "string", "enum": ["a", "b"], "enumNames": ["Attic", "Base"]},
        "view": {"type": "string", "oneOf": [{"const": "s", "title": "Sea"}], "default": "s"},
        "extras": {"type": "array", "maxItems": 1, "items": {"anyOf": [{"const": "p", "title": "Parking"}]}},
        "days": {"type": "array", "items": {"type": "string", "enum": ["mo", "tu"]}, "default": ["tu"]},
    }))
    .unwrap();
    assert_eq!(kinds(&asked).len(), 9);
    let Asks::Form(fields) = &asked.asks else {
        panic!("a form")
    };
    assert!(fields[0].is_required && !fields[1].is_required);
    assert_eq!(
        (fields[0].label.as_str(), fields[0].note.as_str()),
        ("Name", "As on the card")
    );
    assert_eq!(
        (&fields[2].default, &fields[4].default),
        (&json!(2), &json!(true))
    );
    assert_eq!(
        (&fields[6].default, &fields[8].default),
        (&json!("s"), &json!(["tu"]))
    );
    let values = json!({"name": "Ada", "mail": null, "guests": 3, "share": 0.5, "quiet": false, "room": "b",
        "view": "s", "extras": ["p"], "days": [], "more": "of it"});
    let mut sent = values.clone();
    for gone in ["mail", "more"] {
        sent.as_object_mut().unwrap().shift_remove(gone);
    }
    assert_eq!(content(&asked, values), Some(sent));
}

#[test]
fn what_does_not_fit_the_form_is_not_sent() {
    let asked = form(json!({
        "name": {"type": "string", "minLength": 2},
        "guests": {"type": "integer", "maximum": 9},
        "room": {"type": "string", "enum": ["a"]},
        "days": {"type": "array", "minItems": 1, "items": {"type": "string", "enum": ["mo", "tu"]}},
    }))
    .unwrap();
    assert!(content(&asked, json!({"name": "Ada"})).is_some());
    for wrong in [
        json!({}),
        json!({"name": null}),
        json!({"name": "A"}),
        json!({"name": 4}),
        json!({"name": "Ada", "guests": 10}),
        json!({"name": "Ada", "guests": 1.5}),
        json!({"name": "Ada", "room": "z"}),
        json!({"name": "Ada", "days": []}),
        json!({"name": "Ada", "days": ["su"]}),
    ] {
        assert_eq!(content(&asked, wrong.clone()), None, "{wrong}");
    }
}

#[test]
fn what_is_nested_endless_or_empty_is_refused_with_a_reason() {
    let nested = json!({"name": {"type": "object", "properties": {"first": {"type": "string"}}}});
    assert_eq!(form(nested), Err(Unfit::NotFlat("name".to_owned())));
    let listed = json!({"name": {"type": "array", "items": {"type": "string"}}});
    assert_eq!(form(listed), Err(Unfit::NotFlat("name".to_owned())));
    let many: Map<String, Value> = (0..100)
        .map(|at| (format!("f{at}"), json!({"type": "boolean"})))
        .collect();
    assert_eq!(
        form(Value::Object(many)),
        Err(Unfit::TooManyFields(ELICITED_FIELDS_MAX))
    );
    let choices: Vec<String> = (0..1000).map(|at| at.to_string()).collect();
    let wide = json!({"name": {"type": "string", "enum": choices}});
    assert_eq!(
        form(wide),
        Err(Unfit::BadChoices("name".to_owned(), ELICITED_CHOICES_MAX))
    );
    assert_eq!(form(json!({})), Err(Unfit::Empty));
    assert_eq!(of_form("?", &json!(null)), Err(Unfit::Empty));
}

#[test]
fn no_form_asks_for_a_secret() {
    for (name, schema) in [
        ("password", json!({"type": "string"})),
        ("value", json!({"type": "string", "title": "Your API key"})),
        (
            "value",
            json!({"type": "string", "description": "The password of your bank"}),
        ),
        ("value", json!({"type": "string", "format": "password"})),
    ] {
        let refused = form(json!({ name: schema }));
        assert!(matches!(refused, Err(Unfit::Secret(_))), "{refused:?}");
    }
    let asked = of_form(
        "Enter your password",
        &json!({"properties": {"value": {"type": "string"}}}),
    );
    assert!(matches!(asked, Err(Unfit::Secret(_))));
    // A question about one is none for one.
    let yes_no = json!({"properties": {"reset_password": {"type": "boolean"}}});
    assert!(of_form("Reset the password?", &yes_no).is_ok());
}

#[test]
fn an_address_is_shown_as_what_it_is_or_not_at_all() {
    let shown = of_address("Sign here", "https://пример.example/a?b=c").unwrap();
    assert_eq!(
        shown.asks,
        Asks::Address("https://xn--e1afmkfd.example/a?b=c".to_owned())
    );
    assert_eq!(shown.content(&Map::new()), Some(Map::new()));
    for bad in [
        "http://example.com/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://bank.example@evil.example/",
        "https://example.com/\u{202e}gpj",
        "https://example.com/ x",
        "",
    ] {
        assert_eq!(of_address("?", bad), Err(Unfit::BadAddress), "{bad}");
    }
}

#[test]
fn a_server_s_words_are_cleaned_and_choices_can_be_told_apart() {
    let schema = json!({"properties": {"name": {"type": "string", "title": "N\u{202e}ame\u{1b}[2J",
        "oneOf": [{"const": "1", "title": "Same"}, {"const": "2", "title": "Same"}]}}});
    let asked = of_form(&"word ".repeat(1_000), &schema).unwrap();
    assert!(asked.message.chars().count() <= 1_001);
    let Asks::Form(fields) = &asked.asks else {
        panic!("a form")
    };
    assert_eq!(fields[0].label, "Name [2J");
    let FieldKind::Choice(choices) = &fields[0].kind else {
        panic!("a choice")
    };
    assert_eq!(
        (choices[0].label.as_str(), choices[1].label.as_str()),
        ("Same (1)", "Same (2)")
    );
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "string|integer|array|object|enum|\\PC{0,8}".prop_map(Value::from),
    ];
    let key = "type|properties|items|enum|oneOf|const|title|default|minLength|\\PC{0,3}";
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    /// Whatever a server sends is read or refused, and a default that is kept fits.
    #[test]
    fn no_schema_breaks_the_reading(schema in any_json(), values in any_json()) {
        if let Ok(asked) = of_form("?", &json!({"properties": {"a": schema}})) {
            let Asks::Form(fields) = &asked.asks else { panic!("a form") };
            let defaults: Map<String, Value> =
                fields.iter().map(|field| (field.name.clone(), field.default.clone())).collect();
            prop_assert!(asked.content(&defaults).is_some());
            if let Value::Object(values) = values {
                drop(asked.content(&values));
            }
        }
    }
}
