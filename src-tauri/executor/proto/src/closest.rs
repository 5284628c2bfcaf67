//! "Did you mean": the known name nearest to a mistyped one.

/// Longer names are not compared; nobody mistypes them by a letter or two.
const LONGEST_NAME: usize = 64;

/// The known name that `wanted` is probably a typing error of: within a third of its letters, the first of equals.
pub fn closest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = wanted.chars().flat_map(char::to_lowercase).collect();
    if wanted.len() > LONGEST_NAME {
        return None;
    }
    let most = (wanted.len() / 3).max(1);
    known
        .into_iter()
        .filter(|name| name.chars().count() <= LONGEST_NAME)
        .map(|name| (distance(&wanted, name), name))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Letters to insert, remove, change or swap with a neighbour to turn `name` into `wanted`, regardless of case.
fn distance(wanted: &[char], name: &str) -> usize {
    let name: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=name.len()).collect();
    for (row, &letter) in wanted.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &other) in name.iter().enumerate() {
            let changed = above[column] + usize::from(letter != other);
            let mut least = changed.min(above[column + 1] + 1).min(current[column] + 1);
            let swapped = row > 0 && column > 0 && letter == name[column - 1] && wanted[row - 1] == other;
            if swapped {
                least = least.min(before[column - 1] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[name.len()]
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
