//! Cards from any arguments that a program gives.

use super::*;
use proptest::prelude::*;

fn made(method: &str, args: Value) -> Result<Card, String> {
    of(method, args.as_object().expect("arguments")).expect("a method that shows cards")
}

#[test]
fn a_table_takes_dicts_and_lists_and_keeps_numbers_as_numbers() {
    let card = made(
        "table",
        json!({"title": "Sales", "rows": [{"city": "上海", "sum": 12.5}, {"city": "Oslo", "note": ["a"]}]}),
    );
    let card = card.expect("a card");
    assert_eq!(card.data["columns"], json!(["city", "sum", "note"]));
    assert_eq!(
        card.data["rows"],
        json!([["上海", 12.5, null], ["Oslo", null, "[\"a\"]"]])
    );
    assert_eq!(
        card.told,
        "table \"Sales\": 3 columns (city, sum, note), 2 rows (shown to the user)"
    );
    let card = made("table", json!({"rows": [[1, 2], [3]], "columns": ["a", "b"]})).expect("a card");
    assert_eq!(card.data["rows"], json!([[1, 2], [3, null]]));
    let bare = made("table", json!({"rows": [[1, 2]]})).expect("a card");
    assert_eq!(bare.data["columns"], json!(["1", "2"]));
}

#[test]
fn a_long_table_says_how_many_rows_are_left_out() {
    let rows: Vec<Value> = (0..limits::CARD_ROWS_MAX + 7)
        .map(|row| json!({"n": row}))
        .collect();
    let card = made("table", json!({"rows": rows})).expect("a card");
    assert_eq!(card.data["left_out"], 7);
    let wide = vec![json!(["x".repeat(limits::CARD_CELL_CHARACTERS)]); limits::CARD_ROWS_MAX];
    let card = made("table", json!({"rows": wide})).expect("a card");
    assert!(card.data.to_string().len() < limits::CARD_CHARACTERS_MAX * 2);
    assert!(card.data["left_out"].as_u64() > Some(0));
}

#[test]
fn charts_files_and_links_are_checked() {
    assert!(made("chart", json!({"labels": ["a", "b"], "values": [1, null]})).is_ok());
    let line = made(
        "chart",
        json!({"labels": ["a"], "values": {"x": [1], "y": [2.5]}, "kind": "line"}),
    )
    .expect("a card");
    assert_eq!(line.data["series"][1], json!({"name": "y", "values": [2.5]}));
    for (method, args, words) in [
        (
            "chart",
            json!({"labels": ["a"], "values": [1, 2]}),
            "2 values for 1 labels",
        ),
        (
            "chart",
            json!({"labels": ["a"], "values": ["1"]}),
            "value 1 of values is no number",
        ),
        (
            "chart",
            json!({"labels": ["a"], "values": [1], "kind": "pie"}),
            "not \"pie\"",
        ),
        ("files", json!({"paths": []}), "1 to"),
        (
            "links",
            json!({"links": ["javascript:alert(1)"]}),
            "no http or https address",
        ),
        (
            "links",
            json!({"links": [{"title": "t"}]}),
            "no http or https address",
        ),
        ("table", json!({"rows": ["a"]}), "row 1 is neither"),
        ("table", json!({"rows": 3}), "rows is a list"),
    ] {
        let problem = made(method, args).expect_err(words);
        assert!(problem.contains(words), "{problem}");
    }
    assert_eq!(of("say", &JsonMap::new()), None);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((".{0,6}", inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_is_given_a_card_has_one_form_or_a_sentence(rows in any_json(), columns in any_json(), title in any_json()) {
        if let Ok(card) = made("table", json!({"rows": rows, "columns": columns, "title": title})) {
            let width = card.data["columns"].as_array().map_or(0, Vec::len);
            for row in card.data["rows"].as_array().expect("rows") {
                prop_assert_eq!(row.as_array().map(Vec::len), Some(width));
            }
            prop_assert!(!card.told.contains('\n'));
        }
        for method in ["chart", "files", "links"] {
            let args = json!({"labels": rows, "values": columns, "paths": rows, "links": rows, "title": title});
            if let Err(problem) = made(method, args) {
                prop_assert!(!problem.is_empty());
            }
        }
    }
}
