//! "Did you mean": names that are like one that nobody knows.

/// Letters of a name that are compared: nobody mistypes a longer one by a letter or two.
const LETTERS_MAX: usize = 100;

/// How alike a name must be to be proposed beside others, from 0 to 1.
const LIKENESS_MIN: f64 = 0.4;

/// The name that was probably meant by one that is none of those known.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distances = known
        .into_iter()
        .map(|other| (strsim::damerau_levenshtein(name, other), other));
    let nearest = distances.min();
    nearest
        .filter(|(distance, _)| *distance <= 1 + name.chars().count() / 4)
        .map(|(_, other)| other)
}

/// The known names that are like one which is none of them, the likest first, `most` of them. Case makes no difference.
#[must_use]
pub fn nearest_few<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    nearest_above(LIKENESS_MIN, name, known, most)
}

/// As [`nearest_few`], of names that are at least so alike, from 0 to 1.
#[must_use]
pub fn nearest_above<'a>(
    least: f64,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let name = compared(name);
    let mut alike: Vec<(f64, &str)> = known
        .into_iter()
        .map(|other| {
            let likeness = strsim::normalized_damerau_levenshtein(&name, &compared(other));
            (likeness, other)
        })
        .filter(|(likeness, _)| *likeness >= least)
        .collect();
    // Of equals the one as long as what was typed: `modle` is rather `model` than `mode`.
    let longer = |other: &str| other.chars().count().abs_diff(name.chars().count());
    alike.sort_by(|(one, first), (other, second)| {
        let by_length = || longer(first).cmp(&longer(second));
        other
            .total_cmp(one)
            .then_with(by_length)
            .then_with(|| first.cmp(second))
    });
    alike.into_iter().take(most).map(|(_, other)| other).collect()
}

fn compared(name: &str) -> String {
    name.chars().take(LETTERS_MAX).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOLS: [&str; 6] = [
        "create_issue",
        "list_issues",
        "get_issue",
        "fork_repository",
        "search_code",
        "list_commits",
    ];

    #[test]
    fn the_likest_names_come_first_and_others_not_at_all() {
        assert_eq!(nearest_few("list_isues", TOOLS, 1), ["list_issues"]);
        assert!(!nearest_few("list_isues", TOOLS, 5).contains(&"fork_repository"));
        assert_eq!(nearest_few("Get_Issue", TOOLS, 1), ["get_issue"]);
        assert_eq!(nearest_few("modle", ["mode", "model"], 2), ["model", "mode"]);
        assert!(nearest_few("zzz", TOOLS, 5).is_empty());
        assert!(nearest_above(0.6, "ab", ["ac"], 5).is_empty());
        assert_eq!(nearest_above(0.5, "ab", ["ac"], 5), ["ac"]);
        assert!(nearest_few(&"x".repeat(100_000), TOOLS, 5).is_empty());
    }

    #[test]
    fn a_slip_of_the_pen_is_recognised_and_another_word_is_not() {
        assert_eq!(nearest("serach_code", TOOLS), Some("search_code"));
        assert_eq!(nearest("delete", TOOLS), None);
    }
}
