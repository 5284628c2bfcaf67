//! Which forms of a counted noun a language has, and which number takes which: CLDR's cardinal rules for whole numbers.
//!
//! The names are those of i18next JSON v4, so that windows and programs count alike.

/// Every suffix of a key that names a form.
pub const FORMS: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// How a group of languages counts.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    languages: &'static [&'static str],
    /// Forms with their condition on `count`, as Rust; the first that holds is taken.
    pub forms: &'static [(&'static str, &'static str)],
    /// The form of every other number.
    pub rest: &'static str,
}

const LAST: &str = "count % 10 == 1 && count % 100 != 11";
const FEW: &str = "(2..=4).contains(&(count % 10)) && !(12..=14).contains(&(count % 100))";
const MILLIONS: &str = "count != 0 && count.is_multiple_of(1_000_000)";

const RULES: &[Rule] = &[
    Rule {
        languages: &["zh", "ja", "ko", "vi", "th", "id", "ms", "lo", "my", "yue"],
        forms: &[],
        rest: "other",
    },
    Rule {
        languages: &[
            "en", "de", "nl", "sv", "da", "nb", "nn", "no", "fi", "et", "hu", "el", "bg", "tr", "eu", "gl",
            "ka", "kk", "ky", "az", "uz", "mn", "ne", "ta", "te", "ml", "mr", "sw", "sq", "eo", "ur", "af",
        ],
        forms: &[("one", "count == 1")],
        rest: "other",
    },
    Rule {
        languages: &["es", "it", "ca"],
        forms: &[("one", "count == 1"), ("many", MILLIONS)],
        rest: "other",
    },
    Rule {
        languages: &["fr", "pt"],
        forms: &[("one", "count < 2"), ("many", MILLIONS)],
        rest: "other",
    },
    Rule {
        languages: &["hi", "bn", "fa", "gu", "kn", "am", "zu", "hy"],
        forms: &[("one", "count < 2")],
        rest: "other",
    },
    Rule {
        languages: &["ru", "uk", "be"],
        forms: &[("one", LAST), ("few", FEW)],
        rest: "many",
    },
    Rule {
        languages: &["sr", "hr", "bs"],
        forms: &[("one", LAST), ("few", FEW)],
        rest: "other",
    },
    Rule {
        languages: &["pl"],
        forms: &[("one", "count == 1"), ("few", FEW)],
        rest: "many",
    },
    Rule {
        languages: &["cs", "sk"],
        forms: &[("one", "count == 1"), ("few", "(2..=4).contains(&count)")],
        rest: "other",
    },
    Rule {
        languages: &["ro"],
        forms: &[
            ("one", "count == 1"),
            ("few", "count == 0 || (1..=19).contains(&(count % 100))"),
        ],
        rest: "other",
    },
    Rule {
        languages: &["he"],
        forms: &[("one", "count == 1"), ("two", "count == 2")],
        rest: "other",
    },
    Rule {
        languages: &["ar"],
        forms: &[
            ("zero", "count == 0"),
            ("one", "count == 1"),
            ("two", "count == 2"),
            ("few", "(3..=10).contains(&(count % 100))"),
            ("many", "(11..=99).contains(&(count % 100))"),
        ],
        rest: "other",
    },
];

/// The rule of a language such as `pt-BR`: that of its first part.
pub fn rule(language: &str) -> Option<&'static Rule> {
    let first = language.split('-').next().unwrap_or_default();
    RULES.iter().find(|rule| rule.languages.contains(&first))
}

impl Rule {
    /// Every form that a sentence with a count needs.
    pub fn needed(&self) -> impl Iterator<Item = &'static str> + use<> {
        let forms: &'static [(&'static str, &'static str)] = self.forms;
        forms.iter().map(|(form, _)| *form).chain([self.rest])
    }
}
