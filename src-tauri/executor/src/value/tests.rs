//! JSON goes to the worker and back without a change.

use super::{pack, unpack};
use proptest::prelude::*;
use serde_json::{Value, json};
use shidi_executor_proto::{Item, Malformed, Packed, Packer};

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| if number.is_finite() {
            json!(number)
        } else {
            json!(0)
        }),
        ".{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            proptest::collection::hash_map(".{0,8}", inner, 0..8)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_packed_and_unpacked_to_itself(value in json_value()) {
        prop_assert_eq!(unpack(&pack(&value)), Ok(value));
    }

    #[test]
    fn any_bytes_unpack_to_a_value_or_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let unpacked = unpack(&Packed::from_bytes(bytes));
        prop_assert!(unpacked.is_ok() || unpacked.is_err());
    }
}

#[test]
fn a_value_nested_without_end_is_refused_and_does_not_exhaust_the_stack() {
    let mut packer = Packer::default();
    for _ in 0..1_000_000 {
        packer.item(Item::List(1));
    }
    packer.item(Item::Null);
    assert_eq!(
        unpack(&packer.finish()),
        Err(Malformed("a value nests too deeply"))
    );
}
