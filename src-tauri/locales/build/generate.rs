//! Writes the Rust of a catalogue: the enum of its languages, and one function for each sentence.
//!
//! Parameters stand in the order of their names: another order of words in English changes no call.

use crate::catalogue::{COUNT, Catalogue, Part, SOURCE, Sentence, TABLES, is_read_elsewhere};
use crate::plural;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The source of a module with everything of the catalogue.
pub fn source(catalogue: &Catalogue) -> String {
    let mut text = languages(catalogue);
    for (area, sentences) in catalogue.areas.iter().filter(|(area, _)| is_ours(area)) {
        text.push_str(&match TABLES.contains(&area.as_str()) {
            true => table(catalogue, area, sentences),
            false => functions(catalogue, area, sentences),
        });
    }
    text
}

fn is_ours(area: &str) -> bool {
    !is_read_elsewhere(area)
}

fn languages(catalogue: &Catalogue) -> String {
    let of_each = |line: &dyn Fn(&str) -> String| {
        catalogue
            .languages
            .iter()
            .map(|code| line(code))
            .collect::<String>()
    };
    let variants = of_each(&|code| format!("    /// `assets/locales/{code}`.\n    {},\n", camel(code)));
    let others = catalogue.languages.iter().filter(|code| *code != SOURCE);
    let ordered: Vec<&str> = others.map(String::as_str).chain([SOURCE]).collect();
    let all: String = ordered
        .iter()
        .map(|code| format!("Self::{}, ", camel(code)))
        .collect();
    let codes = of_each(&|code| format!("            Self::{} => {code:?},\n", camel(code)));
    let areas: String = catalogue
        .areas
        .keys()
        .filter(|area| is_ours(area))
        .map(|area| {
            format!(
                "    /// What `{area}.json` says.\n    #[must_use]\n    pub const fn {area}(self) -> {} {{\n        {0} {{ language: self }}\n    }}\n",
                camel(area)
            )
        })
        .collect();
    format!(
        "/// A language that the catalogue has. A third one is a folder, so nobody lists them in a `match`.\n\
         #[non_exhaustive]\n#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]\npub enum Language {{\n{variants}}}\n\n\
         impl Language {{\n    /// Every language; the one that stands in for unknown ones is the last.\n    pub const ALL: &[Self] = &[{all}];\n    \
         /// The language that says which sentences there are, and that stands in for unknown ones.\n    \
         pub const SOURCE: Self = Self::{source};\n    \
         /// Their codes, as a usage line offers them.\n    pub const CODES: &str = {joined:?};\n\n    \
         /// `en`, `zh`, `pt-BR`.\n    #[must_use]\n    pub const fn code(self) -> &'static str {{\n        match self {{\n{codes}        }}\n    }}\n{areas}}}\n",
        source = camel(SOURCE),
        joined = ordered.join("|"),
    )
}

/// An area whose texts are found by names.
fn table(catalogue: &Catalogue, area: &str, sentences: &BTreeMap<String, Sentence>) -> String {
    let rows = |language: &str| {
        let text = |sentence: &Sentence| match sentence
            .texts
            .get(&(language.to_owned(), String::new()))
            .map(Vec::as_slice)
        {
            Some([Part::Text(text)]) => text.clone(),
            Some(_) | None => String::new(),
        };
        let rows = sentences
            .iter()
            .map(|(key, sentence)| format!("        ({key:?}, {:?}),\n", text(sentence)));
        rows.collect::<String>()
    };
    let constant = |language: &str| camel(&format!("{area}-{language}")).to_ascii_uppercase();
    let (mut constants, mut arms) = (String::new(), String::new());
    for language in &catalogue.languages {
        let (constant, rows) = (constant(language), rows(language));
        constants += &format!("\nconst {constant}: &[(&str, &str)] = &[\n{rows}];\n");
        arms += &format!("            Language::{} => {constant},\n", camel(language));
    }
    format!(
        "\n/// What `assets/locales/*/{area}.json` says.\n#[derive(Debug, Clone, Copy, PartialEq, Eq)]\npub struct {name} {{\n    language: Language,\n}}\n{constants}\n\
         impl {name} {{\n    /// Every name with its text, in the order of the names.\n    #[must_use]\n    pub const fn all(self) -> &'static [(&'static str, &'static str)] {{\n        match self.language {{\n{arms}        }}\n    }}\n\n    \
         /// The text of what is called so.\n    #[must_use]\n    pub fn text(self, name: &str) -> Option<&'static str> {{\n        let all = self.all();\n        \
         all.binary_search_by(|(key, _)| (*key).cmp(name)).ok().map(|at| all[at].1)\n    }}\n}}\n",
        name = camel(area),
    )
}

fn functions(catalogue: &Catalogue, area: &str, sentences: &BTreeMap<String, Sentence>) -> String {
    let functions: String = sentences
        .iter()
        .map(|(key, sentence)| function(catalogue, key, sentence))
        .collect();
    format!(
        "\n/// What `assets/locales/*/{area}.json` says.\n#[derive(Debug, Clone, Copy, PartialEq, Eq)]\npub struct {name} {{\n    language: Language,\n}}\n\n\
         impl {name} {{\n    /// The language of these sentences.\n    #[must_use]\n    pub const fn language(self) -> Language {{\n        self.language\n    }}\n{functions}}}\n",
        name = camel(area),
    )
}

fn function(catalogue: &Catalogue, key: &str, sentence: &Sentence) -> String {
    let parameters: String = sentence
        .gaps
        .iter()
        .map(|gap| match sentence.is_counted && gap == COUNT {
            true => format!(", {gap}: u64"),
            false => format!(", {gap}: impl std::fmt::Display"),
        })
        .collect();
    let result = if sentence.gaps.is_empty() {
        "&'static str"
    } else {
        "String"
    };
    let arms: String = catalogue
        .languages
        .iter()
        .map(|language| {
            format!(
                "            Language::{} => {},\n",
                camel(language),
                value(language, sentence)
            )
        })
        .collect();
    format!(
        "\n    /// {}\n    #[must_use]\n    pub fn {key}(self{parameters}) -> {result} {{\n        match self.language {{\n{arms}        }}\n    }}\n",
        documented(sentence)
    )
}

/// The sentence of one language, as an expression.
fn value(language: &str, sentence: &Sentence) -> String {
    let text = |form: &str| {
        let parts = sentence.texts.get(&(language.to_owned(), form.to_owned()));
        expression(parts.map_or(&[][..], Vec::as_slice), !sentence.gaps.is_empty())
    };
    let Some(rule) = plural::rule(language).filter(|_| sentence.is_counted) else {
        return text("");
    };
    if rule.forms.is_empty() {
        return text(rule.rest);
    }
    let mut choice = String::new();
    for (form, condition) in rule.forms {
        write!(choice, "if {condition} {{ {} }} else ", text(form)).unwrap_or_default();
    }
    format!("{choice}{{ {} }}", text(rule.rest))
}

fn expression(parts: &[Part], is_owned: bool) -> String {
    let plain: String = parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Gap(_) => None,
        })
        .collect();
    let has_gap = parts.iter().any(|part| matches!(part, Part::Gap(_)));
    match (has_gap, is_owned) {
        (false, false) => format!("{plain:?}"),
        (false, true) => format!("{plain:?}.to_owned()"),
        (true, _) => {
            let format: String = parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => text.replace('{', "{{").replace('}', "}}"),
                    Part::Gap(name) => format!("{{{name}}}"),
                })
                .collect();
            format!("format!({format:?})")
        }
    }
}

/// The English text as the comment of its function.
fn documented(sentence: &Sentence) -> String {
    let english = sentence
        .texts
        .iter()
        .rfind(|((language, _), _)| language == SOURCE);
    let parts = english.map_or(&[][..], |(_, parts)| parts.as_slice());
    let text: String = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Gap(name) => format!("{{{name}}}"),
        })
        .collect();
    format!("`{}`", text.replace('\n', " ").replace('`', "'").trim())
}

/// `pt-BR` and `model_keys` as names of types.
fn camel(name: &str) -> String {
    name.split(['-', '_'])
        .map(|part| {
            let (first, rest) = part.split_at(part.len().min(1));
            first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
        })
        .collect()
}
