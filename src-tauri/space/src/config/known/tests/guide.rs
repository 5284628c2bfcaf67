//! The guide lists every setting as the table has it. With `UPDATE_GUIDE=1` this test writes that list anew.

use crate::config::known::{Kind, all};
use shidi_locales::Language;
use shidi_protocol::SettingGroup;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What stands between these marks is written by this test.
const BEGIN: &str =
    "<!-- The list of settings, written by UPDATE_GUIDE=1 cargo test -p shidi-space guide -->\n";
const END: &str = "<!-- The end of the list of settings -->\n";

/// A value that only text and lists take.
const MISFIT: &str = "?";

/// The words of a guide that are no sentences of the product.
struct Words {
    head: &'static str,
    between: &'static str,
}

/// `None` for a language that has no guide.
fn words(language: Language) -> Option<Words> {
    let words = |head, between| Some(Words { head, between });
    match language.code() {
        "en" => words("| setting | takes | built in | what |", ", "),
        "zh" => words("| 设置 | 可填 | 内置值 | 用途 |", "、"),
        _ => None,
    }
}

fn asset(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("assets").join(name)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()))
}

/// The title of a group on the settings page.
fn title(language: Language, group: SettingGroup) -> String {
    let name = format!("locales/{}/windows_settings.json", language.code());
    let texts: serde_json::Value = serde_json::from_str(&read(&asset(&name))).unwrap();
    let group = serde_json::to_value(group).unwrap();
    let key = format!("group_{}", group.as_str().unwrap());
    texts[key.as_str()].as_str().unwrap().to_owned()
}

/// What a value may be: those that there are, else what whoever sets another one is told.
fn taken(kind: Kind, language: Language, between: &str) -> String {
    let values = if kind == Kind::Switch {
        vec!["on", "off"]
    } else {
        kind.values()
    };
    if values.is_empty() {
        return cell(&kind.refusal(MISFIT, language).unwrap_or_default());
    }
    let values: Vec<String> = values.into_iter().map(code).collect();
    values.join(between)
}

fn code(value: &str) -> String {
    format!("`{value}`")
}

/// A text that is no markup within a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*").replace('<', "\\<")
}

/// The tables of all groups, in the order of the settings page.
fn list(language: Language, words: &Words) -> String {
    let groups: BTreeSet<SettingGroup> = all().map(|setting| setting.group).collect();
    let mut text = String::new();
    for group in groups {
        let title = title(language, group);
        text += &format!("\n### {title}\n\n{}\n|---|---|---|---|\n", words.head);
        for setting in all().filter(|setting| setting.group == group) {
            let taken = taken(setting.kind, language, words.between);
            let built_in = Some(setting.default).filter(|value| !value.is_empty());
            let built_in = built_in.map(code).unwrap_or_default();
            let about = cell(&setting.doc(language));
            text += &format!("| `{}` | {taken} | {built_in} | {about} |\n", setting.key);
        }
    }
    text + "\n"
}

#[test]
fn the_guide_lists_every_setting_as_the_table_has_it() {
    for language in Language::ALL {
        let Some(words) = words(*language) else { continue };
        let path = asset(&format!("guide/{}.md", language.code()));
        let guide = read(&path);
        let (before, rest) = guide.split_once(BEGIN).expect("the begin of the list");
        let (written, after) = rest.split_once(END).expect("the end of the list");
        let list = list(*language, &words);
        if std::env::var_os("UPDATE_GUIDE").is_some() {
            std::fs::write(&path, format!("{before}{BEGIN}{list}{END}{after}")).expect("a guide");
            continue;
        }
        let stale = written
            .lines()
            .find(|line| !list.lines().any(|other| other == *line));
        let lacking = list
            .lines()
            .find(|line| !written.lines().any(|other| other == *line));
        assert!(
            written == list,
            "{}: UPDATE_GUIDE=1 writes it anew\n  stale: {stale:?}\n  lacking: {lacking:?}",
            path.display()
        );
    }
}
