//! What the build refuses of a catalogue, and that a third language is a folder and nothing else.
#![cfg(test)]

#[path = "../../build/catalogue.rs"]
mod catalogue;
#[path = "../../build/generate.rs"]
mod generate;
#[path = "../../build/plural.rs"]
mod plural;
mod pseudo;

use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A catalogue of these files: `("en/jobs.json", "{…}")`.
fn written(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    root
}

/// What is said of a catalogue whose area `jobs` has these texts in English and Chinese.
fn findings(english: &str, chinese: &str) -> Vec<String> {
    let root = written(&[("en/jobs.json", english), ("zh/jobs.json", chinese)]);
    catalogue::read(root.path()).map(|_| ()).err().unwrap_or_default()
}

#[test]
fn a_whole_catalogue_has_nothing_to_complain_about() {
    let none: Vec<String> = Vec::new();
    assert_eq!(findings(r#"{"a": "one {{b}}"}"#, r#"{"a": "{{b}} 一"}"#), none);
    let english = r#"{"l_one": "1 line", "l_other": "{{count}} lines"}"#;
    assert_eq!(findings(english, r#"{"l_other": "{{count}} 行"}"#), none);
}

#[test]
fn a_key_that_a_language_lacks_is_named_with_its_file() {
    assert_eq!(
        findings(r#"{"a": "x", "b": "y"}"#, r#"{"a": "一"}"#),
        ["zh/jobs.json: 'b' is missing"]
    );
    assert_eq!(
        findings(r#"{"a": "x"}"#, r#"{"a": "一", "b": "二"}"#),
        ["zh/jobs.json: 'b' is not in en/jobs.json"]
    );
}

#[test]
fn a_gap_that_differs_is_named_with_its_key() {
    assert_eq!(
        findings(r#"{"a": "x {{path}}"}"#, r#"{"a": "一 {{pfad}}"}"#),
        [
            "zh/jobs.json: 'a' lacks {{path}}",
            "zh/jobs.json: 'a' has {{pfad}}, which en has not"
        ]
    );
}

#[test]
fn a_plural_form_that_is_missing_or_too_much_is_named() {
    let english = r#"{"l_one": "1 line", "l_other": "{{count}} lines"}"#;
    assert_eq!(findings(english, "{}"), ["zh/jobs.json: 'l_other' is missing"]);
    assert_eq!(
        findings(english, r#"{"l_one": "一行", "l_other": "{{count}} 行"}"#),
        ["zh/jobs.json: 'l_one' is a form that zh does not have"]
    );
    assert_eq!(
        findings(
            r#"{"l_other": "{{count}} lines"}"#,
            r#"{"l_other": "{{count}} 行"}"#
        ),
        ["en/jobs.json: 'l_one' is missing"]
    );
    assert_eq!(
        findings(english, r#"{"l_other": "行"}"#),
        Vec::<String>::new(),
        "a form may say its number in words"
    );
}

#[test]
fn a_file_that_cannot_be_read_says_where_and_why() {
    let said = |chinese: &str| findings(r#"{"a": "x"}"#, chinese).join("\n");
    let broken = said("{\n  \"a\": \"一\",\n}");
    assert!(
        broken.contains("zh/jobs.json is no catalogue: trailing comma at line 3"),
        "{broken}"
    );
    let twice = said("{\"a\": \"一\",\n\"a\": \"二\"}");
    assert!(
        twice.contains("zh/jobs.json is no catalogue: 'a' stands there twice at line 2"),
        "{twice}"
    );
    let nested = said(r#"{"a": {"b": "一"}}"#);
    assert!(
        nested.contains("zh/jobs.json is no catalogue: invalid type: map"),
        "{nested}"
    );
    let open = said(r#"{"a": "一 {{b"}"#);
    assert!(
        open.contains("zh/jobs.json: 'a' opens {{ and never closes it"),
        "{open}"
    );
}

#[test]
fn names_that_rust_cannot_take_are_refused() {
    let said = |english: &str| findings(english, english).join("\n");
    assert!(said(r#"{"self": "x"}"#).contains("en/jobs.json: 'self' can't name a function"));
    assert!(said(r#"{"A b": "x"}"#).contains("en/jobs.json: 'A b' can't name a function"));
    assert!(said(r#"{"a": "{{type}}"}"#).contains("has the gap '{{type}}', which can't name a parameter"));
}

#[test]
fn files_and_languages_stand_in_every_folder() {
    let root = written(&[
        ("en/jobs.json", "{}"),
        ("zh/cli.json", "{}"),
        ("qq/jobs.json", "{}"),
    ]);
    let said = catalogue::read(root.path()).unwrap_err().join("\n");
    for finding in [
        "Of language 'qq' it is not known how it counts",
        "zh/jobs.json is missing: en/jobs.json is there",
        "zh/cli.json has no en/cli.json beside it",
    ] {
        assert!(said.contains(finding), "{said}");
    }
    let root = written(&[("zh/jobs.json", "{}")]);
    let said = catalogue::read(root.path()).unwrap_err().join("\n");
    assert!(said.contains("There is no language 'en'"), "{said}");
}

#[test]
fn texts_that_are_found_by_name_have_no_gaps_and_any_name() {
    let root = written(&[
        ("en/help.json", r#"{"ask --file": "Attach"}"#),
        ("zh/help.json", r#"{"ask --file": "附上"}"#),
    ]);
    let source = generate::source(&catalogue::read(root.path()).unwrap());
    assert!(source.contains(r#"("ask --file", "附上")"#), "{source}");
    let root = written(&[
        ("en/help.json", r#"{"a": "{{b}}"}"#),
        ("zh/help.json", r#"{"a": "{{b}}"}"#),
    ]);
    let said = catalogue::read(root.path()).unwrap_err().join("\n");
    assert!(said.contains("en/help.json: 'a' has a gap"), "{said}");
}

#[test]
fn what_the_windows_say_is_held_to_the_rules_and_becomes_no_function() {
    let texts = |chinese: &'static str| {
        written(&[
            ("en/windows_panel.json", r#"{"continue": "Go on {{name}}"}"#),
            ("zh/windows_panel.json", chinese),
        ])
    };
    let source =
        generate::source(&catalogue::read(texts(r#"{"continue": "继续 {{name}}"}"#).path()).unwrap());
    assert!(!source.contains("panel"), "{source}");
    let said = catalogue::read(texts(r#"{"continue": "继续"}"#).path()).unwrap_err();
    assert_eq!(said, ["zh/windows_panel.json: 'continue' lacks {{name}}"]);
}

#[test]
fn parameters_stand_in_the_order_of_their_names() {
    let root = written(&[
        (
            "en/jobs.json",
            r#"{"moved": "{{path}} went to {{folder}} {in braces}"}"#,
        ),
        ("zh/jobs.json", r#"{"moved": "{{folder}} ← {{path}}"}"#),
    ]);
    let source = generate::source(&catalogue::read(root.path()).unwrap());
    assert!(source.contains(
        "pub fn moved(self, folder: impl std::fmt::Display, path: impl std::fmt::Display) -> String"
    ));
    assert!(
        source.contains(r#"format!("{path} went to {folder} {{in braces}}")"#),
        "{source}"
    );
}

/// Compiled behind the generated source: prints every text that needs no gap filled, by language and area.
fn program(catalogue: &catalogue::Catalogue) -> String {
    let mut says = String::new();
    for (area, sentences) in &catalogue.areas {
        if catalogue::is_read_elsewhere(area) {
            continue;
        }
        if catalogue::TABLES.contains(&area.as_str()) {
            says += &format!("for (_, text) in language.{area}().all() {{ say(text); }}\n");
            continue;
        }
        let plain = sentences.iter().filter(|(_, sentence)| sentence.gaps.is_empty());
        for (key, _) in plain.filter(|(key, _)| !key.starts_with("format_")) {
            says += &format!("say(language.{area}().{key}());\n");
        }
    }
    format!(
        "fn main() {{\nfor language in Language::ALL {{\n\
         let say = |text: &str| println!(\"{{}} {{}}\", language.code(), text.replace('\\n', \" \"));\n{says}}}\n}}\n"
    )
}

/// What a program says that is one file.
fn compiled_and_run(file: &Path) -> String {
    let program = file.with_extension("out");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(compiler)
        .args(["--edition=2024", "-Adead_code", "-o"])
        .arg(&program)
        .arg(file)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{said}");
    let run = Command::new(program).output().unwrap();
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn a_third_language_is_a_folder_and_nothing_else() {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/locales");
    let root = tempfile::tempdir().unwrap();
    pseudo::write(&ours, root.path()).unwrap();
    let catalogue = catalogue::read(root.path()).unwrap_or_else(|findings| panic!("{}", findings.join("\n")));
    assert_eq!(catalogue.languages, ["en", pseudo::CODE, "zh"]);
    let source = generate::source(&catalogue);
    let file = root.path().join("program.rs");
    std::fs::write(&file, format!("{source}\n{}", program(&catalogue))).unwrap();
    let said = compiled_and_run(&file);
    let of = |code: &str| {
        let lines = said
            .lines()
            .filter_map(move |line| line.strip_prefix(code)?.strip_prefix(' '));
        lines.collect::<Vec<_>>()
    };
    let (english, added) = (of("en"), of(pseudo::CODE));
    assert!(added.len() > 700, "{} texts", added.len());
    assert_eq!(added.len(), english.len());
    let untranslated = added
        .iter()
        .filter(|text| !(text.starts_with('[') && text.ends_with(']')));
    assert_eq!(untranslated.collect::<Vec<_>>(), Vec::<&&str>::new());
}
