//! Promises of the program: found where it may be, told what it knows, and nothing that opens it to others.

use super::*;

/// As a program of October 2026 prints it, shortened.
const HELP: &str = "\
----- common params -----

-h,    --help, --usage                  print usage and exit
-t,    --threads N                      number of CPU threads to use during generation (default: -1)
-c,    --ctx-size N                     size of the prompt context (default: 0, 0 = loaded from model)
-m,    --model FNAME                    model path to load
--offline                               Offline mode: forces use of cache, prevents network access
-cram, --cache-ram N                    set the maximum cache size in MiB (default: 8192, -1 - no limit, 0 -
-np,   --parallel N                     number of server slots (default: -1, -1 = auto)
-a,    --alias STRING                   set model name aliases, comma-separated (to be used by API)
--host HOST                             ip address to listen, or bind to an UNIX socket if the address ends
                                        with .sock (default: 127.0.0.1)
--port PORT                             port to listen (default: 8080)
--cors-origins ORIGINS                  comma-separated list of allowed origins for CORS (default: *)
--cors-credentials, --no-cors-credentials
                                        whether to allow credentials for CORS (default: enabled)
--tools TOOL1,TOOL2,...                 experimental: whether to enable built-in tools for AI agents - do not
-ag,   --agent, -no-ag, --no-agent      whether to enable CORS proxy and all built-in tools - do not enable in
--ui,  --webui, --no-ui, --no-webui     whether to enable the Web UI (default: enabled)
--api-key KEY                           API key to use for authentication, multiple keys can be provided as a
                                        (env: LLAMA_API_KEY)
--slots, --no-slots                     expose slots monitoring endpoint (default: enabled)
--jinja, --no-jinja                     whether to use jinja template engine for chat (default: enabled)
";

/// As one of the year before: no socket, another name for the page, no limit of earlier prompts.
const EARLIER: &str = "\
-m,    --model FNAME                    model path (default: `models/$filename`)
-c,    --ctx-size N                     size of the prompt context (default: 4096, 0 = loaded from model)
--host HOST                             ip address to listen (default: 127.0.0.1)
--port PORT                             port to listen (default: 8080)
--no-webui                              Disable the Web UI (default: enabled)
--api-key KEY                           API key to use for authentication (default: none)
                                        (env: LLAMA_API_KEY)
";

const PLAN: Plan = Plan {
    context: 8_192,
    threads: 4,
    cache_mib: 256,
    needs: 0,
};

fn told(help: &str, place: &Place) -> Vec<String> {
    let flags = Flags::of(help);
    assert!(flags.suffice());
    let told = arguments(&flags, &PLAN, (Path::new("/m/one.gguf"), "one"), place);
    told.into_iter().map(|word| word.into_string().unwrap()).collect()
}

#[test]
fn a_program_of_today_is_told_everything_and_listens_at_a_socket() {
    let told = told(HELP, &Place::Socket("/run/x.sock".into()));
    let expected = "--model /m/one.gguf --host /run/x.sock --ctx-size 8192 --threads 4 --parallel 1 --cache-ram 256 \
        --alias one --cors-origins https://shidi.invalid --no-ui --offline --no-slots --no-cors-credentials --jinja";
    assert_eq!(told.join(" "), expected);
    assert_eq!(Flags::of(HELP).at_socket, cfg!(unix));
}

#[test]
fn an_earlier_program_is_told_only_what_it_knows() {
    let told = told(EARLIER, &Place::Port(4_321));
    let expected = "--model /m/one.gguf --host 127.0.0.1 --port 4321 --ctx-size 8192 --no-webui";
    assert_eq!(told.join(" "), expected);
    assert!(!Flags::of(EARLIER).at_socket);
}

#[test]
fn nothing_opens_a_server_to_tools_or_hands_its_key_to_whoever_lists_processes() {
    for help in [HELP, EARLIER] {
        let told = told(help, &Place::Port(1));
        let open = [
            "--tools",
            "--agent",
            "--ui-mcp-proxy",
            "--mcp",
            "--api-key",
            "--ui",
            "--webui",
            "--path",
        ];
        assert!(!told.iter().any(|word| open.contains(&word.as_str())), "{told:?}");
    }
}

#[test]
fn a_program_without_a_key_of_its_own_is_not_used() {
    assert!(!Flags::of("").suffice());
    assert!(!Flags::of("-m,    --model FNAME\n--host HOST\n--port PORT\n").suffice());
}

#[cfg(unix)]
fn write_program(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
#[cfg(unix)]
fn a_program_is_taken_from_the_path_or_a_usual_place_and_never_from_a_granted_folder() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let (granted, home) = (root.join("project"), root.join("home"));
    write_program(&granted.join(NAME));
    let path = std::env::join_paths([Path::new("."), &granted]).unwrap();
    let found = |named: &str, granted: Vec<PathBuf>| {
        let places = Places {
            named,
            path: path.clone(),
            home: Some(home.clone()),
            downloaded: None,
            granted,
        };
        find(&places)
    };
    assert_eq!(found("", Vec::new()), Some(granted.join(NAME)));
    let elsewhere = found("", vec![granted.clone()]);
    assert!(elsewhere.is_none_or(|program| !program.starts_with(&root)));
    write_program(&home.join(".local/bin").join(NAME));
    let usual = home.join(".local/bin").join(NAME);
    let found_at_home = found("", vec![granted.clone()]);
    assert!(found_at_home.is_some_and(|program| program == usual || !program.starts_with(&root)));
    let named = granted.join(NAME);
    assert_eq!(
        found(&named.to_string_lossy(), vec![granted]),
        Some(named),
        "the user named it"
    );
    assert_eq!(found("~/.local/bin/llama-server", Vec::new()), Some(usual));
    assert_eq!(found("llama-server", Vec::new()), None, "a name is no place");
    let downloaded = root.join("engines/b1");
    write_program(&downloaded.join(NAME));
    let places = Places {
        named: "",
        path,
        home: Some(home),
        downloaded: Some(downloaded.clone()),
        granted: Vec::new(),
    };
    assert_eq!(
        find(&places),
        Some(downloaded.join(NAME)),
        "who downloaded one wants it"
    );
}

#[test]
fn a_version_is_one_bounded_line() {
    assert_eq!(
        version("version: 4567 (abc)\nbuilt with").as_deref(),
        Some("4567 (abc)")
    );
    assert_eq!(version("hello"), None);
    assert_eq!(
        version(&format!("version: {}", "9".repeat(900))).unwrap().len(),
        60
    );
}
