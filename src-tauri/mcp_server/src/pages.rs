//! Long lists in pages.
//!
//! A cursor is the number of entries that were given: the lists here keep their order, and nothing is remembered.

use crate::limits::PAGE_ENTRIES_MAX;

/// A page, and the cursor of the next one. `None` of a cursor that nobody was given.
pub fn page<T>(mut all: Vec<T>, cursor: Option<&str>) -> Option<(Vec<T>, Option<String>)> {
    let from = match cursor {
        None => 0,
        Some(cursor) => {
            let from = cursor.parse::<usize>().ok();
            from.filter(|from| (1..all.len()).contains(from))?
        }
    };
    let mut rest = all.split_off(from);
    let is_last = rest.len() <= PAGE_ENTRIES_MAX;
    rest.truncate(PAGE_ENTRIES_MAX);
    let next = (!is_last).then(|| (from + PAGE_ENTRIES_MAX).to_string());
    Some((rest, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_short_list_is_one_page() {
        assert_eq!(page(vec![1, 2], None), Some((vec![1, 2], None)));
        assert_eq!(page(Vec::<u8>::new(), None), Some((Vec::new(), None)));
    }

    #[test]
    fn a_cursor_that_nobody_was_given_is_refused() {
        for cursor in ["", "0", "-1", "2", "x", "99999999999999999999999"] {
            assert_eq!(page(vec![1, 2], Some(cursor)), None, "{cursor}");
        }
    }

    proptest! {
        #[test]
        fn pages_are_the_whole_list_in_its_order(length in 0_usize..1_000) {
            let all: Vec<usize> = (0..length).collect();
            let (mut together, mut next) = page(all.clone(), None).unwrap();
            while let Some(cursor) = next {
                let (more, after) = page(all.clone(), Some(&cursor)).unwrap();
                prop_assert!(!more.is_empty() && more.len() <= PAGE_ENTRIES_MAX);
                together.extend(more);
                next = after;
            }
            prop_assert_eq!(together, all);
        }
    }
}
