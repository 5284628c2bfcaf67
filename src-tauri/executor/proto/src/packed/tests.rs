//! Packed values come back as they went in, and malformed ones are refused.

use super::{Item, MAX_ITEMS, Malformed, Packed, Packer};
use proptest::prelude::*;

proptest! {
    #[test]
    fn any_bytes_are_read_to_an_end_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let packed = Packed::from_bytes(bytes);
        let mut reader = packed.reader();
        let mut items = 0;
        while !reader.finished() && reader.item().is_ok() {
            items += 1;
        }
        prop_assert!(items <= 300);
    }

    #[test]
    fn items_come_out_as_they_went_in(
        integer in any::<i64>(),
        unsigned in any::<u64>(),
        number in any::<f64>().prop_filter("is a number", |number| !number.is_nan()),
        boolean in any::<bool>(),
        text in ".*",
    ) {
        let items = [
            Item::Null,
            Item::Integer(integer),
            Item::Unsigned(unsigned),
            Item::Number(number),
            Item::Boolean(boolean),
            Item::Text(&text),
            Item::List(0),
            Item::Dict(0),
        ];
        let mut packer = Packer::default();
        items.iter().for_each(|item| packer.item(*item));
        let packed = packer.finish();
        let mut reader = packed.reader();
        for item in items {
            prop_assert_eq!(reader.item(), Ok(item));
        }
        prop_assert!(reader.finished());
    }
}

#[test]
fn a_count_larger_than_what_follows_is_refused() {
    let mut packer = Packer::default();
    packer.item(Item::List(1_000_000));
    packer.item(Item::Null);
    assert_eq!(
        packer.finish().reader().item(),
        Err(Malformed("a count is larger than what follows"))
    );
}

#[test]
fn a_value_of_too_many_items_is_refused() {
    let packed = Packed::from_bytes(vec![0; MAX_ITEMS + 1]);
    let mut reader = packed.reader();
    let read = (0..=MAX_ITEMS)
        .map(|_| reader.item())
        .take_while(Result::is_ok)
        .count();
    assert_eq!(read, MAX_ITEMS);
}
