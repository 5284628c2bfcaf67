//! Skills and plugins from repositories over real https: the certificate is checked, nothing of a repository or of the
//! user's git does anything, and nobody is sent on to another transport.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::git_server::{self, GitServer, git};
use shidi_tests::web_server::WebServer;
use std::fs;
use std::path::Path;

/// A commit that no repository has: what a submodule points to.
const ELSEWHERE: &str = "160000,1111111111111111111111111111111111111111,mine/sub";

fn put(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Commits what is prepared in a folder, and makes a bare repository of it that is served.
fn published(desk: &Desk, from: &Path, name: &str) {
    let served = desk.path("repositories");
    fs::create_dir_all(&served).unwrap();
    git(from, &["commit", "--quiet", "-m", "a"]);
    let from = from.display().to_string();
    git(&served, &["clone", "--quiet", "--bare", &from, name]);
}

/// A repository with a skill, a submodule, a filter, and a hook among its files.
fn skill(desk: &Desk, submodule: &str, ran: &Path) {
    let from = desk.path("skill-source");
    put(
        &from,
        "mine/SKILL.md",
        "---\nname: mine\ndescription: Does what it does.\n---\nFollow step nine.\n",
    );
    let hook = format!("#!/bin/sh\ntouch {}\n", ran.display());
    put(&from, "hooks/post-checkout", &hook);
    put(&from, ".gitattributes", "* filter=evil\n");
    put(
        &from,
        ".gitmodules",
        &format!("[submodule \"sub\"]\n\tpath = mine/sub\n\turl = {submodule}\n"),
    );
    git(&from, &["init", "--quiet"]);
    git(&from, &["add", "-A"]);
    git(&from, &["update-index", "--add", "--cacheinfo", ELSEWHERE]);
    published(desk, &from, "skill.git");
}

/// Runs a command with more of an environment.
fn run(desk: &Desk, environment: &[(&str, &str)], arguments: &[&str]) -> Printed {
    let mut command = desk.command(arguments);
    let child = command.envs(environment.iter().copied()).spawn().unwrap();
    Printed::of(shidi_tests::patience::ended(child))
}

/// Installs the skill at an address; `true` where it is kept.
fn is_kept(desk: &Desk, environment: &[(&str, &str)], address: &str) -> (bool, Printed) {
    let printed = run(
        desk,
        environment,
        &["skill", "--json", "install", address, "--yes"],
    );
    (desk.data().join("skills/mine/SKILL.md").is_file(), printed)
}

#[test]
fn a_skill_comes_over_https_by_a_companys_authority_and_nothing_else_of_its_repository_does() {
    if !git_server::is_there() {
        return;
    }
    let (desk, plain) = (Desk::new(), WebServer::start());
    let ran = desk.path("ran");
    skill(&desk, &plain.at("/sub.git"), &ran);
    let server = GitServer::start(&desk.path("repositories"));
    let authority = git_server::authority().display().to_string();
    // A redirect within https is followed as long as nothing was said yet.
    server.moves("/moved/", &server.at("/"));
    for path in ["/skill.git", "/moved/skill.git"] {
        let trusts = [("SSL_CERT_FILE", authority.as_str())];
        let (is_kept, printed) = is_kept(&desk, &trusts, &server.at(path));
        assert!(is_kept, "{path}: {}{}", printed.stdout, printed.stderr);
        let listed = printed.json();
        let mine = listed
            .iter()
            .find(|skill: &&Value| skill["name"] == "mine")
            .unwrap();
        assert_eq!(mine["trust"], "reviewed");
        let kept = desk.data().join("skills/mine");
        let below = fs::read_dir(kept.join("sub")).map_or(0, Iterator::count);
        assert_eq!(below, 0, "nothing of the submodule");
        assert!(!kept.join(".git").exists());
        let removed = desk.run(["skill", "remove", "mine", "--yes"]);
        assert_eq!(removed.code, Some(0), "{}{}", removed.stdout, removed.stderr);
    }
    assert!(!ran.exists(), "nothing of the repository ran");
    assert!(plain.targets().is_empty(), "{:?}", plain.targets());
    assert!(
        server
            .targets()
            .iter()
            .any(|target| target.starts_with("/skill.git/info/refs?service=git-upload-pack")),
        "{:?}",
        server.targets()
    );
}

#[test]
fn without_its_authority_nothing_is_fetched_and_no_switch_of_git_lets_it_through() {
    if !git_server::is_there() {
        return;
    }
    let (desk, plain) = (Desk::new(), WebServer::start());
    let ran = desk.path("ran");
    skill(&desk, &plain.at("/sub.git"), &ran);
    let server = GitServer::start(&desk.path("repositories"));
    // The user's own configuration, which would switch the check off, lead elsewhere and start programs.
    let own = format!(
        "[http]\n\tsslVerify = false\n[url \"{}\"]\n\tinsteadOf = {}\n[credential]\n\thelper = \"!touch {}\"\n\
         [core]\n\tfsmonitor = \"touch {}\"\n",
        plain.at("/"),
        server.at("/"),
        ran.display(),
        ran.display(),
    );
    fs::write(desk.path(".gitconfig"), own).unwrap();
    let switched = [("GIT_SSL_NO_VERIFY", "1"), ("GIT_CONFIG_COUNT", "1")];
    let by_environment = [
        ("GIT_CONFIG_KEY_0", "http.sslVerify"),
        ("GIT_CONFIG_VALUE_0", "false"),
    ];
    let switched = [switched, by_environment].concat();
    for environment in [&[][..], &switched[..]] {
        let (is_kept, printed) = is_kept(&desk, environment, &server.at("/skill.git"));
        assert!(!is_kept, "{}{}", printed.stdout, printed.stderr);
        assert_eq!(printed.code, Some(2), "{}", printed.stderr);
        assert!(printed.stderr.contains("certificate"), "{}", printed.stderr);
    }
    assert!(server.targets().is_empty(), "{:?}", server.targets());
    assert!(plain.targets().is_empty() && !ran.exists());
    // With the authority all of that is still of no effect.
    let authority = git_server::authority().display().to_string();
    let trusts = [("GIT_SSL_CAINFO", authority.as_str())];
    let (is_kept, printed) = is_kept(&desk, &trusts, &server.at("/skill.git"));
    assert!(is_kept, "{}{}", printed.stdout, printed.stderr);
    assert!(plain.targets().is_empty() && !ran.exists());
}

#[test]
fn whoever_sends_a_fetch_out_of_https_is_not_followed() {
    if !git_server::is_there() {
        return;
    }
    let (desk, plain) = (Desk::new(), WebServer::start());
    let ran = desk.path("ran");
    skill(&desk, &plain.at("/sub.git"), &ran);
    let server = GitServer::start(&desk.path("repositories"));
    server.moves("/plain/", &plain.at("/"));
    let files = format!("file://{}/", desk.path("repositories").display());
    server.moves("/file/", &files);
    let authority = git_server::authority().display().to_string();
    let trusts = [("SSL_CERT_FILE", authority.as_str())];
    for path in ["/plain/skill.git", "/file/skill.git", "/none.git"] {
        let (is_kept, printed) = is_kept(&desk, &trusts, &server.at(path));
        assert!(!is_kept, "{path}: {}", printed.stdout);
        assert_eq!(printed.code, Some(2), "{path}: {}", printed.stderr);
        assert!(printed.stderr.contains("git says"), "{path}: {}", printed.stderr);
    }
    assert!(plain.targets().is_empty(), "{:?}", plain.targets());
    assert_eq!(server.targets().len(), 3, "{:?}", server.targets());
}

#[test]
fn a_plugin_comes_over_https_as_a_skill_does() {
    if !git_server::is_there() {
        return;
    }
    let desk = Desk::new();
    let from = desk.path("plugin-source");
    put(
        &from,
        "plugin.yaml",
        "name: care\nversion: '1.0'\ndescription: 'Greets'\npermissions: []\ntools:\n\
         \x20 - {name: greet, description: Greets, class: read, inputs: [{name: name, type: str}], output: str}\n",
    );
    put(
        &from,
        "tools/tools.py",
        "async def greet(name):\n    return f'Hello {name}'\n",
    );
    git(&from, &["init", "--quiet"]);
    git(&from, &["add", "-A"]);
    published(&desk, &from, "care.git");
    let server = GitServer::start(&desk.path("repositories"));
    let authority = git_server::authority().display().to_string();
    let address = server.at("/care.git");
    let install = ["--json", "plugin", "install", &address, "--yes"];
    let refused = run(&desk, &[], &install);
    assert_eq!(refused.code, Some(2), "{}{}", refused.stdout, refused.stderr);
    let printed = run(&desk, &[("SSL_CERT_FILE", authority.as_str())], &install);
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    assert_eq!(printed.json().last().unwrap()["standing"], "kept");
    assert!(desk.data().join("plugins/care/plugin.yaml").is_file());
    assert!(!desk.data().join("plugins/care/.git").exists());
}
