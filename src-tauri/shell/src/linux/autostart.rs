//! Starting at login by an entry of the XDG autostart folder.

use shidi_locales::Language;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const NAME: &str = "dev.shidi.desktop.desktop";

pub fn add(program: &Path) -> io::Result<()> {
    let file = file()?;
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let entry = entry(program);
    if fs::read_to_string(&file).is_ok_and(|there| there == entry) {
        return Ok(());
    }
    shidi_atomic_write::write(&file, entry.as_bytes())
}

pub fn remove() -> io::Result<()> {
    fs::remove_file(file()?)
}

fn file() -> io::Result<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let config = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")));
    let config = config.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no home folder"))?;
    Ok(config.join("autostart").join(NAME))
}

fn entry(program: &Path) -> String {
    let names: String = Language::ALL.iter().map(|language| name(*language)).collect();
    format!(
        "[Desktop Entry]\nType=Application\n{names}Exec={}\nIcon=shidi-desktop\nTerminal=false\n",
        quoted(&program.to_string_lossy())
    )
}

/// The line with the program's name; the one in the source language is everybody else's, too.
fn name(language: Language) -> String {
    let name = language.shell().panel_title();
    if language == Language::SOURCE {
        format!("Name={name}\n")
    } else {
        format!("Name[{}]={name}\n", language.code().replace('-', "_"))
    }
}

/// The text in the form of the specification: in quotes, with its special characters escaped twice.
fn quoted(path: &str) -> String {
    let mut text = String::from('"');
    for sign in path.chars() {
        match sign {
            '"' | '`' | '$' => text.extend(['\\', '\\', sign]),
            '\\' => text.push_str("\\\\\\\\"),
            '%' => text.push_str("%%"),
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_has_the_programs_name_in_every_language() {
        let entry = entry(Path::new("/opt/shidi"));
        for line in ["Name=Shidi", "Name[zh]=师弟", "Exec=\"/opt/shidi\""] {
            assert!(entry.lines().any(|one| one == line), "{entry}");
        }
    }

    #[test]
    fn a_path_of_any_signs_is_one_word_of_the_entry() {
        assert_eq!(quoted("/opt/师 弟/shidi"), "\"/opt/师 弟/shidi\"");
        assert_eq!(quoted("/a$b%c\"d"), "\"/a\\\\$b%%c\\\\\"d\"");
    }
}
