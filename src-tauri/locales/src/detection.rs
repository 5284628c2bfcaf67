//! Which language a person reads: the one that was named, else that of the environment.

use crate::Language;

/// Variables that name the locale of messages, as gettext ranks them.
const LOCALES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

impl Language {
    /// The language that an option or setting names; without a name, that of the environment.
    #[must_use]
    pub fn of(name: Option<&str>) -> Self {
        name.map_or_else(Self::of_environment, Self::named)
    }

    /// The language of a code or locale such as `zh`, `zh_CN.UTF-8`, `en-GB`; an unknown one reads English.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self::known(name).unwrap_or(Self::SOURCE)
    }

    /// The language of a code or locale, if the catalogue has one. The whole code is looked for first, then its first
    /// part.
    #[must_use]
    pub fn known(name: &str) -> Option<Self> {
        let name = name
            .split(['.', '@'])
            .next()
            .unwrap_or_default()
            .replace('_', "-");
        let first = |code: &str| code.split('-').next().unwrap_or_default().to_ascii_lowercase();
        let whole = Self::ALL
            .iter()
            .find(|language| language.code().eq_ignore_ascii_case(&name));
        let part = || {
            Self::ALL
                .iter()
                .find(|language| first(language.code()) == first(&name))
        };
        whole.or_else(part).copied()
    }

    /// The language of the environment: `LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`, as gettext reads them.
    #[must_use]
    pub fn of_environment() -> Self {
        Self::of_variables(|name| std::env::var(name).ok())
    }

    fn of_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        let Some(locale) = LOCALES.into_iter().find_map(set) else {
            return Self::SOURCE;
        };
        // The list of preferred languages counts only where there is a locale at all.
        let is_plain = matches!(locale.split('.').next(), Some("C" | "POSIX"));
        let preferred = set("LANGUAGE").filter(|_| !is_plain).unwrap_or_default();
        preferred
            .split(':')
            .find_map(Self::known)
            .unwrap_or_else(|| Self::named(&locale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Language {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        Language::of_variables(|name| find(name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn a_language_is_known_by_code_and_by_locale() {
        for name in ["zh", "zh_CN.UTF-8", "ZH-TW", "zh_Hant_HK@calendar=roc"] {
            assert_eq!(Language::named(name), Language::Zh, "{name}");
        }
        for name in ["en", "en_GB.UTF-8", "C", "de_DE", ""] {
            assert_eq!(Language::named(name), Language::En, "{name}");
        }
    }

    #[test]
    fn the_environment_is_read_as_gettext_reads_it() {
        assert_eq!(of(&[]), Language::En);
        assert_eq!(of(&[("LANG", "zh_CN.UTF-8")]), Language::Zh);
        assert_eq!(of(&[("LANG", "zh_CN.UTF-8"), ("LC_ALL", "C")]), Language::En);
        assert_eq!(of(&[("LANG", "zh_CN.UTF-8"), ("LC_ALL", "")]), Language::Zh);
        assert_eq!(
            of(&[("LANG", "zh_CN.UTF-8"), ("LC_MESSAGES", "en_US.UTF-8")]),
            Language::En
        );
        assert_eq!(
            of(&[("LANG", "de_DE.UTF-8"), ("LANGUAGE", "de:zh_CN:en")]),
            Language::Zh
        );
        assert_eq!(of(&[("LANG", "C.UTF-8"), ("LANGUAGE", "zh")]), Language::En);
    }

    #[test]
    fn every_code_names_its_language() {
        for language in Language::ALL {
            assert_eq!(Language::known(language.code()), Some(*language));
        }
    }
}
