//! Files in which other programs of this user keep their MCP servers. They are read when the user asks, and never
//! written.

use crate::drafts::{self, Found, Unread};
use crate::limits::PROGRAM_FILE_BYTES_MAX;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A program, its file below one of the user's folders, and whether it is TOML.
struct Place {
    program: &'static str,
    below: Below,
    file: &'static str,
    is_toml: bool,
}

#[derive(Clone, Copy)]
enum Below {
    Home,
    /// Where programs keep their configuration: `~/.config`, `~/Library/Application Support`, `%APPDATA%`.
    Configuration,
}

const fn json(program: &'static str, below: Below, file: &'static str) -> Place {
    Place {
        program,
        below,
        file,
        is_toml: false,
    }
}

const PLACES: &[Place] = &[
    json(
        "Claude Desktop",
        Below::Configuration,
        "Claude/claude_desktop_config.json",
    ),
    json("Claude Code", Below::Home, ".claude.json"),
    Place {
        program: "Codex",
        below: Below::Home,
        file: ".codex/config.toml",
        is_toml: true,
    },
    json("Cursor", Below::Home, ".cursor/mcp.json"),
    json("Gemini CLI", Below::Home, ".gemini/settings.json"),
    json("LM Studio", Below::Home, ".lmstudio/mcp.json"),
    json("VS Code", Below::Configuration, "Code/User/mcp.json"),
    json("Windsurf", Below::Home, ".codeium/windsurf/mcp_config.json"),
    // Zed keeps to `~/.config` on macOS, too.
    json("Zed", Below::Home, ".config/zed/settings.json"),
];

/// The programs that have such a file, with what it holds.
pub fn all() -> Vec<(&'static str, PathBuf, Result<Found, Unread>)> {
    match directories::BaseDirs::new() {
        Some(base) => within(base.home_dir(), base.config_dir()),
        None => Vec::new(),
    }
}

fn within(home: &Path, configuration: &Path) -> Vec<(&'static str, PathBuf, Result<Found, Unread>)> {
    let found = PLACES.iter().filter_map(|place| {
        let folder = match place.below {
            Below::Home => home,
            Below::Configuration => configuration,
        };
        let path = folder.join(place.file);
        let found = read(&path)?.and_then(|text| drafts::of_file(&text, place.is_toml));
        Some((place.program, path, found))
    });
    found.collect()
}

/// A file's text; none where there is no file.
fn read(path: &Path) -> Option<Result<String, Unread>> {
    let file = std::fs::File::open(path).ok()?;
    let mut bytes = Vec::new();
    let read = file.take(PROGRAM_FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    Some(match read {
        Err(cause) => Err(Unread::Form(cause.to_string())),
        Ok(length) if length as u64 > PROGRAM_FILE_BYTES_MAX => Err(Unread::TooLong),
        Ok(_) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_of_other_programs_are_found_where_they_keep_them() {
        let home = tempfile::tempdir().expect("a folder");
        let configuration = home.path().join(".config");
        let write = |file: &str, text: &str| {
            let path = home.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            std::fs::write(path, text).expect("a file");
        };
        write(
            ".claude.json",
            r#"{"theme": "dark", "mcpServers": {"memory": {"command": "npx", "args": ["-y", "m"]}}}"#,
        );
        write(
            ".codex/config.toml",
            "model = \"x\"\n[mcp_servers.git]\ncommand = \"uvx\"\nargs = [\"mcp-server-git\"]\n",
        );
        write(
            ".config/zed/settings.json",
            "// mine\n{\"context_servers\": {\"db\": {\"url\": \"https://d.example/mcp\"},},}",
        );
        write(".gemini/settings.json", r#"{"theme": "x"}"#);
        write(".cursor/mcp.json", "{ broken");

        let all = within(home.path(), &configuration);
        let told: Vec<(&str, Option<Vec<&str>>)> = all
            .iter()
            .map(|(program, _, found)| {
                let names = |found: &Found| -> Vec<String> {
                    found
                        .drafts
                        .iter()
                        .map(|draft| draft.server.name.clone())
                        .collect()
                };
                (*program, found.as_ref().ok().map(names))
            })
            .map(|(program, names)| {
                (
                    program,
                    names.map(|names| names.leak().iter().map(String::as_str).collect()),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("Claude Code", Some(vec!["memory_server"])),
                ("Codex", Some(vec!["git"])),
                ("Cursor", None),
                ("Gemini CLI", Some(vec![])),
                ("Zed", Some(vec!["db"])),
            ]
        );
    }
}
