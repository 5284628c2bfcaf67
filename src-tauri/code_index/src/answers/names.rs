//! Names as people and programs ask for them: whole, behind their type, in parts, or as words of a question.

use crate::limits::WORDS_MAX;
use shidi_reader::outline::Symbol;

/// Words of questions that are in no name.
const EMPTY: [&str; 34] = [
    "a", "an", "the", "is", "are", "be", "of", "in", "on", "at", "to", "for", "and", "or", "where", "what",
    "which", "who", "how", "does", "do", "done", "code", "that", "this", "it", "from", "with", "by", "when",
    "find", "function", "defined", "called",
];

/// What is asked for.
pub(crate) struct Named {
    /// The last part, as written.
    pub(crate) name: String,
    /// The type or module before it.
    pub(crate) container: Option<String>,
    /// Words of all of it, without those that say nothing.
    pub(crate) words: Vec<String>,
}

impl Named {
    pub(crate) fn of(asked: &str) -> Self {
        let plain = asked
            .trim()
            .trim_end_matches(['(', ')', '!', ';'])
            .trim_matches(['`', '"', '\'']);
        let is_name = !plain.is_empty() && !plain.contains(char::is_whitespace);
        let separated = plain.replace("::", ".").replace("->", ".").replace('#', ".");
        let parts: Vec<&str> = separated.split('.').filter(|part| !part.is_empty()).collect();
        let (name, container) = match parts.as_slice() {
            [.., container, name] if is_name => ((*name).to_owned(), Some((*container).to_owned())),
            [name] if is_name => ((*name).to_owned(), None),
            _ => (plain.to_owned(), None),
        };
        let is_empty = |word: &String| EMPTY.iter().any(|empty| stem(empty) == *word);
        let words = parts_of(asked).into_iter().filter(|word| !is_empty(word));
        Self {
            name,
            container,
            words: words.take(WORDS_MAX).collect(),
        }
    }

    /// Whether a definition has that very name, and belongs to that very type.
    pub(crate) fn is_exactly(&self, symbol: &Symbol) -> bool {
        symbol.kind.is_findable() && symbol.name == self.name && self.fits_container(symbol)
    }

    /// The same without regard to capitals and underscores.
    pub(crate) fn is_nearly(&self, symbol: &Symbol) -> bool {
        symbol.kind.is_findable() && folded(&symbol.name) == folded(&self.name) && self.fits_container(symbol)
    }

    fn fits_container(&self, symbol: &Symbol) -> bool {
        let fits = |container: &String| folded(&symbol.container) == folded(container);
        self.container.as_ref().is_none_or(fits)
    }
}

/// A name without capitals and underscores.
pub(crate) fn folded(name: &str) -> String {
    name.chars()
        .filter(|sign| *sign != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

/// The words within a name or text: by capitals, digits, underscores and other signs, without their plural.
pub(crate) fn parts_of(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut part = String::new();
    let signs: Vec<char> = text.chars().collect();
    for (place, sign) in signs.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|place| signs.get(place));
        let after = signs.get(place + 1);
        let is_new_word = sign.is_uppercase()
            && (before.is_some_and(|before| before.is_lowercase() || before.is_numeric())
                || (before.is_some_and(|before| before.is_uppercase())
                    && after.is_some_and(|after| after.is_lowercase())));
        if (is_new_word || !sign.is_alphanumeric()) && !part.is_empty() {
            parts.push(stem(&part));
            part.clear();
        }
        if sign.is_alphanumeric() {
            part.extend(sign.to_lowercase());
        }
    }
    if !part.is_empty() {
        parts.push(stem(&part));
    }
    parts
}

/// A word without the endings that make no difference here: of "opening", "opened" and "opens" the same is left.
fn stem(word: &str) -> String {
    let without = |word: &str, endings: &[&str], least: usize| {
        let mut stems = endings.iter().filter_map(|ending| word.strip_suffix(ending));
        let stem = stems.find(|stem| stem.chars().count() >= least);
        stem.unwrap_or(word).to_owned()
    };
    let single = match word.ends_with("ss") || word.ends_with("us") {
        true => word.to_owned(),
        false => without(word, &["ies", "es", "s"], 3),
    };
    let plain = without(&single, &["ation", "ion", "ing", "ied", "ed", "er", "or"], 4);
    match plain.chars().count() > 3 {
        true => plain.trim_end_matches(['e', 'y']).to_owned(),
        false => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_by_capitals_and_signs() {
        let parts = |text: &str| parts_of(text).join(" ");
        assert_eq!(parts("parseHTTPRequest"), "pars http request");
        assert_eq!(parts("delete_sessions"), "delet sess");
        assert_eq!(parts("utf8Text"), "utf8 text");
        assert_eq!(parts_of("opening"), parts_of("opened"));
        assert_eq!(parts_of("stored"), parts_of("store"));
        assert_eq!(parts_of("should_decompress"), parts_of("shouldDecompression"));
        assert_eq!(parts_of("sessions"), parts_of("session"));
        assert_eq!(parts_of("queries"), parts_of("query"));
        assert_eq!(parts_of("retried"), parts_of("retry"));
    }

    #[test]
    fn a_name_behind_its_type_is_told_from_words() {
        let named = Named::of("Store::open()");
        assert_eq!(
            (named.name.as_str(), named.container.as_deref()),
            ("open", Some("Store"))
        );
        let named = Named::of("where are the sessions deleted");
        assert_eq!(named.container, None);
        assert_eq!(named.words, ["sess", "delet"]);
        assert_eq!(Named::of("").name, "");
        assert_eq!(Named::of("...").container, None);
    }
}
