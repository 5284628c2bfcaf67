//! "Did you mean": the known name nearest to a mistyped one.

use strsim::osa_distance;

/// Longer names are not compared; nobody mistypes them by a letter or two.
const LONGEST_NAME: usize = 64;

/// The known name that `wanted` is probably a typing error of: within a third of its letters, the first of equals.
/// Swapped neighbours are one error, and case is none.
pub fn closest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let letters = wanted.chars().count();
    if letters > LONGEST_NAME {
        return None;
    }
    let most = (letters / 3).max(1);
    known
        .into_iter()
        .filter(|name| name.chars().count() <= LONGEST_NAME)
        .map(|name| (osa_distance(&wanted, &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn a_slip_of_the_pen_is_recognised_and_another_word_is_not() {
        let known = ["read", "list_folder", "search", "write"];
        assert_eq!(closest("raed", known), Some("read"));
        assert_eq!(closest("list_foder", known), Some("list_folder"));
        assert_eq!(closest("Search", known), Some("search"));
        assert_eq!(closest("delete", known), None);
        assert_eq!(closest("", known), None);
        assert_eq!(closest("读", ["读取", "写"]), Some("读取"));
    }
}
