//! The languages that are read, and how a file's name tells its own. A file of any other language has no outline.

use serde::{Deserialize, Serialize};
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Language {
    Rust,
    Python,
    JavaScript,
    TypeScript,
    Tsx,
    Go,
    Java,
    C,
    Cpp,
    CSharp,
    Ruby,
    Php,
    Bash,
}

impl Language {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 13] = [
        Self::Rust,
        Self::Python,
        Self::JavaScript,
        Self::TypeScript,
        Self::Tsx,
        Self::Go,
        Self::Java,
        Self::C,
        Self::Cpp,
        Self::CSharp,
        Self::Ruby,
        Self::Php,
        Self::Bash,
    ];

    /// The language whose files see the names of this one.
    pub fn family(self) -> Self {
        match self {
            Self::JavaScript | Self::Tsx => Self::TypeScript,
            Self::C => Self::Cpp,
            Self::Rust
            | Self::Python
            | Self::TypeScript
            | Self::Go
            | Self::Java
            | Self::Cpp
            | Self::CSharp
            | Self::Ruby
            | Self::Php
            | Self::Bash => self,
        }
    }

    /// Whether other files may see a definition, by how it is written. Of most languages that does not tell.
    pub fn is_seen_elsewhere(self, signature: &str) -> bool {
        self != Self::Rust || signature.starts_with("pub")
    }

    /// The language of a file by the ending of its name; `None` for minified files, too.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let (stem, ending) = name.rsplit_once('.')?;
        let language = match ending {
            "rs" => Self::Rust,
            "py" | "pyi" => Self::Python,
            "js" | "mjs" | "cjs" | "jsx" => Self::JavaScript,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" => Self::Tsx,
            "go" => Self::Go,
            "java" => Self::Java,
            "c" => Self::C,
            // Headers of C read as C++ well enough; those of C++ do not read as C.
            "h" | "hh" | "hpp" | "hxx" | "cc" | "cpp" | "cxx" => Self::Cpp,
            "cs" => Self::CSharp,
            "rb" | "rake" => Self::Ruby,
            "php" => Self::Php,
            "sh" | "bash" => Self::Bash,
            _ => return None,
        };
        (!stem.ends_with(".min")).then_some(language)
    }

    pub fn code(self) -> u8 {
        let place = Self::ALL.iter().position(|known| *known == self);
        place
            .and_then(|place| u8::try_from(place).ok())
            .unwrap_or(u8::MAX)
    }

    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The name that people use.
    pub fn title(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::Python => "Python",
            Self::JavaScript => "JavaScript",
            Self::TypeScript | Self::Tsx => "TypeScript",
            Self::Go => "Go",
            Self::Java => "Java",
            Self::C => "C",
            Self::Cpp => "C++",
            Self::CSharp => "C#",
            Self::Ruby => "Ruby",
            Self::Php => "PHP",
            Self::Bash => "Shell",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_the_ending_and_comes_back_from_its_code() {
        let of = |name: &str| Language::of(Path::new(name));
        assert_eq!(of("src/main.RS"), Some(Language::Rust));
        assert_eq!(of("a/b.tsx"), Some(Language::Tsx));
        assert_eq!(of("include/a.h"), Some(Language::Cpp));
        assert_eq!(of("jquery.min.js"), None);
        assert_eq!(of("README.md"), None);
        assert_eq!(of("Makefile"), None);
        for language in Language::ALL {
            assert_eq!(Language::from_code(language.code()), Some(language));
        }
        assert_eq!(Language::from_code(200), None);
    }
}
