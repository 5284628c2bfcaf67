//! A pseudo-language: English with accents and half as long again, so that what is untranslated or clipped meets the eye.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Compiled behind the generated source: says a sentence of the third language.
pub const PROGRAM: &str = r#"
fn main() {
    let language = Language::ALL.iter().find(|language| language.code() == "en-XA").unwrap();
    println!("{} {}", language.code(), language.pseudo().plenty());
}
"#;

/// Copies the catalogue and puts a third language beside it, with one area more that the program speaks of.
pub fn write(ours: &Path, root: &Path) {
    for language in ["en", "zh", "en-XA"] {
        std::fs::create_dir(root.join(language)).unwrap();
        std::fs::write(
            root.join(language).join("pseudo.json"),
            match language {
                "en-XA" => format!(r#"{{"plenty": "{}"}}"#, accented("Too much")),
                _ => r#"{"plenty": "Too much"}"#.to_owned(),
            },
        )
        .unwrap();
    }
    for language in ["en", "zh"] {
        for entry in std::fs::read_dir(ours.join(language)).unwrap() {
            let entry = entry.unwrap();
            let text = std::fs::read_to_string(entry.path()).unwrap();
            std::fs::write(root.join(language).join(entry.file_name()), &text).unwrap();
            if language == "en" {
                let texts: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
                let texts: BTreeMap<&str, String> = texts
                    .iter()
                    .map(|(key, text)| (key.as_str(), accented(text)))
                    .collect();
                let text = serde_json::to_string(&texts).unwrap();
                std::fs::write(root.join("en-XA").join(entry.file_name()), text).unwrap();
            }
        }
    }
}

/// The text with accents, between brackets, and longer; its gaps stay.
fn accented(text: &str) -> String {
    let mut gap = 0_i32;
    let letters: String = text
        .chars()
        .map(|letter| {
            gap += i32::from(letter == '{') - i32::from(letter == '}');
            match letter {
                _ if gap > 0 => letter,
                'a' => 'å',
                'c' => 'ç',
                'e' => 'é',
                'i' => 'î',
                'm' => 'ɱ',
                'n' => 'ñ',
                'o' => 'ö',
                'T' => 'Ţ',
                'u' => 'û',
                'y' => 'ý',
                letter => letter,
            }
        })
        .collect();
    format!("[{letters}{}]", "·".repeat(letters.chars().count() / 2))
}

/// What a program says that is one file.
pub fn compiled_and_run(file: &Path) -> String {
    let program = file.with_extension("out");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(compiler)
        .args(["--edition=2024", "-Adead_code", "-o"])
        .arg(&program)
        .arg(file)
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let run = Command::new(program).output().unwrap();
    String::from_utf8(run.stdout).unwrap()
}
