//! Errors of programs in a person's language: the place and the remedy. Models read both first, so they come in
//! English. Python's own words stay as they are.
//!
//! The catalogue has each remedy under its English text, with `*` for what differs from case to case. The windows word
//! them by the same file (`ui/src/i18n/program-errors.ts`).

use crate::Language;

/// What stands for a part that differs.
const GAP: char = '*';

/// What parts the remedies of one error.
const PARTED: &str = "; ";

impl Language {
    /// A remedy in this language; one that is not known stays as it is.
    #[must_use]
    pub fn remedy(self, remedy: &str) -> String {
        self.known_remedy(remedy).unwrap_or_else(|| remedy.to_owned())
    }

    /// The line of an error that names the exception: `line 3: KeyError: 'a'`.
    #[must_use]
    pub fn error_of_program(self, error: &str) -> String {
        match placed(error) {
            Some((line, error)) => self.executor().error_at_line(self.with_remedy(error), line),
            None => self.with_remedy(error),
        }
    }

    /// An error whose remedy stands in brackets at its end.
    fn with_remedy(self, error: &str) -> String {
        let Some(inner) = error.strip_suffix(')') else {
            return error.to_owned();
        };
        let told = inner.match_indices(" (").find_map(|(at, mark)| {
            let remedy = self.known_remedy(&inner[at + mark.len()..])?;
            Some(self.executor().error_with_remedy(&inner[..at], remedy))
        });
        told.unwrap_or_else(|| error.to_owned())
    }

    /// As a whole, or each of several.
    fn known_remedy(self, remedy: &str) -> Option<String> {
        self.one_remedy(remedy).or_else(|| {
            let parts: Option<Vec<String>> = remedy.split(PARTED).map(|part| self.one_remedy(part)).collect();
            Some(parts?.join(self.executor().remedies_parted_with()))
        })
    }

    fn one_remedy(self, remedy: &str) -> Option<String> {
        let mut all = Language::SOURCE.remedies().all().iter();
        let (name, gaps) = all.find_map(|(name, text)| Some((name, gaps(text, remedy)?)))?;
        let text = self.remedies().text(name)?;
        Some(filled(text, &gaps))
    }
}

/// The number of the line that an error names, and the rest of it.
fn placed(error: &str) -> Option<(u32, &str)> {
    let (line, error) = error.strip_prefix("line ")?.split_once(": ")?;
    Some((line.parse().ok()?, error))
}

/// What stands at the gaps of a pattern in a text that fits the pattern.
fn gaps<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let Some((before, behind)) = pattern.split_once(GAP) else {
        return (pattern == text).then(Vec::new);
    };
    let mut rest = text.strip_prefix(before)?;
    let mut gaps = Vec::new();
    let mut behind = behind;
    while let Some((between, others)) = behind.split_once(GAP) {
        let (gap, after) = rest.split_once(between)?;
        gaps.push(gap);
        rest = after;
        behind = others;
    }
    gaps.push(rest.strip_suffix(behind)?);
    Some(gaps)
}

/// A text with these parts at its gaps.
fn filled(text: &str, gaps: &[&str]) -> String {
    let mut gaps = gaps.iter();
    let mut filled = String::new();
    for part in text.split_inclusive(GAP) {
        match part.strip_suffix(GAP) {
            Some(before) => {
                filled.push_str(before);
                filled.push_str(gaps.next().copied().unwrap_or_default());
            }
            None => filled.push_str(part),
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where remedies are written.
    const REMEDIES: &str = include_str!("../../executor/worker/src/remedies.rs");
    const OTHERS: &[&str] = &[
        include_str!("../../executor/worker/src/failure.rs"),
        include_str!("../../executor/worker/src/check.rs"),
        include_str!("../../executor/worker/src/check/calls.rs"),
        include_str!("../../executor/worker/src/check/fitting.rs"),
        include_str!("../../executor/worker/src/check/names.rs"),
        include_str!("../../executor/worker/src/interpreter.rs"),
        include_str!("../../executor/src/translate.rs"),
    ];

    #[test]
    fn an_error_tells_its_line_and_remedy_in_the_users_language_and_the_rest_as_python_does() {
        for (english, chinese) in [
            ("line 3: KeyError: 'a'", "第 3 行：KeyError: 'a'"),
            (
                "line 1: NameError: name 'foo' is not defined (Did you mean `for`?)",
                "第 1 行：NameError: name 'foo' is not defined（是不是想写 `for`？）",
            ),
            (
                "line 2: ModuleNotFoundError: No module named 'zipfile' (Unpack with `await files.unzip(path=…, to=…)`; \
                 pack with `await files.zip(path=…, to=…)`)",
                "第 2 行：ModuleNotFoundError: No module named 'zipfile'（解压用 `await files.unzip(path=…, to=…)`；\
                 打包用 `await files.zip(path=…, to=…)`）",
            ),
            ("ValueError: no (really)", "ValueError: no (really)"),
            ("line of thought: gone", "line of thought: gone"),
            ("", ""),
        ] {
            assert_eq!(Language::En.error_of_program(english), english);
            assert_eq!(Language::Zh.error_of_program(english), chinese);
        }
    }

    #[test]
    fn a_remedy_has_words_with_what_differs_in_its_place() {
        let said = |remedy: &str| Language::Zh.remedy(remedy);
        assert_eq!(
            said("Leave out `encoding`. It takes (path, lines=…)"),
            "去掉 `encoding`。它的参数是 (path, lines=…)"
        );
        assert_eq!(
            said("Write `await files.read(…)`; in a function, that must be an `async def`"),
            "写成 `await files.read(…)`；在函数里，那个函数要用 `async def`"
        );
        assert_eq!(said("Something new"), "Something new");
    }

    #[test]
    fn every_remedy_of_the_catalogue_is_given_by_the_sandbox_and_each_of_a_module_is_there() {
        for (name, text) in Language::SOURCE.remedies().all() {
            assert_eq!(name, text);
            let beginning = name.split(GAP).next().unwrap_or_default();
            let is_given = OTHERS
                .iter()
                .chain([&REMEDIES])
                .any(|source| source.contains(beginning));
            assert!(is_given, "{name}");
        }
        let written = REMEDIES.split("#[cfg(test)]").next().unwrap_or_default();
        let texts = written.split('"').skip(1).step_by(2);
        for text in texts.filter(|text| text.contains(' ') && *text != PARTED) {
            assert!(Language::Zh.known_remedy(text).is_some(), "{text}");
        }
    }
}
