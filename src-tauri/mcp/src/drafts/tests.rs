//! What is read out of texts that people paste.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn read(text: &str) -> Found {
    pasted(text).unwrap_or_else(|why| panic!("{text}: {why:?}"))
}

fn one(text: &str) -> Draft {
    let found = read(text);
    assert_eq!(
        (found.drafts.len(), found.left_out.as_slice()),
        (1, [].as_slice()),
        "{text}"
    );
    found.drafts[0].clone()
}

#[test]
fn the_usual_table_is_read_with_its_keys_as_secrets() {
    let draft = one(r#"{
          // from a readme
          "mcpServers": {
            "GitHub": {
              "command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"],
              "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_x", "LOG": "info", "OPENAI_API_KEY": "<your key>"},
            },
          },
        }"#);
    assert_eq!(draft.server.name, "github");
    assert_eq!(draft.written.as_deref(), Some("GitHub"));
    assert_eq!(
        draft.server.command,
        ["npx", "-y", "@modelcontextprotocol/server-github"]
    );
    assert_eq!(draft.server.env, [("LOG".to_owned(), "info".to_owned())].into());
    let secrets: Vec<&String> = draft.server.secrets.keys().collect();
    assert_eq!(secrets, ["GITHUB_PERSONAL_ACCESS_TOKEN"]);
    assert_eq!(draft.wanted, ["OPENAI_API_KEY"]);
}

#[test]
fn spellings_of_other_programs_are_read_alike() {
    let reached = [
        (
            json!({"servers": {"a": {"type": "stdio", "command": "uvx", "args": ["a"]}}, "inputs": []}),
            "uvx a",
        ),
        (
            json!({"context_servers": {"a": {"command": {"path": "uvx", "args": ["a"], "env": {"B": "1"}}}}}),
            "uvx a",
        ),
        (
            json!({"mcp": {"servers": {"a": {"command": "uvx", "args": ["a"]}}}}),
            "uvx a",
        ),
        (
            json!({"mcp": {"a": {"type": "local", "command": ["uvx", "a"], "environment": {"B": "1"}}}}),
            "uvx a",
        ),
        (json!({"a": {"command": "uvx", "args": ["a"]}}), "uvx a"),
        (json!({"a": {"command": "uvx a"}}), "uvx a"),
        (
            json!({"mcpServers": {"a": {"serverUrl": "https://a.example/mcp"}}}),
            "https://a.example/mcp",
        ),
        (
            json!({"mcpServers": {"a": {"httpUrl": "https://a.example/mcp", "headers": {"X": "1"}}}}),
            "https://a.example/mcp",
        ),
    ];
    for (table, expected) in reached {
        let Draft { server, .. } = one(&table.to_string());
        let way = server.url.clone().unwrap_or_else(|| server.command.join(" "));
        assert_eq!((server.name.as_str(), way.as_str()), ("a", expected), "{table}");
    }
}

#[test]
fn an_entry_without_its_braces_is_read_too() {
    let draft = one(r#""git": {"command": "uvx", "args": ["mcp-server-git"]},"#);
    assert_eq!(draft.server.name, "git");
}

#[test]
fn a_line_is_an_address_or_a_command() {
    let cases = [
        ("https://mcp.linear.app/mcp", "linear", 0),
        (
            "npx -y @modelcontextprotocol/server-filesystem /home/lin",
            "filesystem",
            4,
        ),
        (
            "$ uvx mcp-server-time --local-timezone=Asia/Shanghai",
            "time_server",
            3,
        ),
        ("API_KEY=k LOG=1 uvx mcp-server-git", "git", 2),
        (
            "docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server",
            "github",
            7,
        ),
        ("uvx \\\n  mcp-server-fetch", "fetch", 2),
        ("\"C:\\\\Program Files\\\\notes.exe\" --stdio", "notes", 2),
    ];
    for (text, name, words) in cases {
        let Ok(found) = pasted(text) else {
            assert!(text.starts_with('"'), "{text}");
            continue;
        };
        let server = &found.drafts[0].server;
        assert_eq!(
            (server.name.as_str(), server.command.len()),
            (name, words),
            "{text}"
        );
    }
    let keyed = one("API_KEY=k LOG=1 uvx mcp-server-git").server;
    assert_eq!((keyed.secrets.len(), keyed.env.len()), (1, 1));
}

#[test]
fn a_key_in_an_address_is_taken_out_and_kept_as_a_secret() {
    let address = "https://me:s3cret@notes.example/mcp";
    let in_table = json!({"mcpServers": {"notes": {"url": address}}}).to_string();
    for text in [address, &in_table] {
        let server = one(text).server;
        assert_eq!(
            (server.name.as_str(), server.url.as_deref()),
            ("notes", Some("https://notes.example/mcp"))
        );
        let secrets = [("Authorization".to_owned(), "Basic bWU6czNjcmV0".to_owned())];
        assert_eq!(server.secrets, secrets.into());
    }
    // A header beside the address says who asks.
    let headers = json!({"authorization": "Bearer mine"});
    let both = json!({"mcpServers": {"notes": {"url": address, "headers": headers}}});
    let server = one(&both.to_string()).server;
    assert_eq!(server.url.as_deref(), Some("https://notes.example/mcp"));
    let secrets = [("authorization".to_owned(), "Bearer mine".to_owned())];
    assert_eq!(server.secrets, secrets.into());
    let unread = pasted("https://me:s3cret@notes.example/mcp and more").expect_err("no line");
    assert!(!unread.sentence(Language::En).contains("s3cret"), "{unread:?}");
}

#[test]
fn a_key_in_a_query_is_taken_out_and_one_that_is_left_open_is_asked_for() {
    let address = "https://search.example/mcp?exaApiKey=s3%2Bcret&tools=a";
    let in_table = json!({"mcpServers": {"search": {"serverUrl": address}}}).to_string();
    for text in [address, &in_table] {
        let Draft { server, wanted, .. } = one(text);
        assert_eq!(server.url.as_deref(), Some("https://search.example/mcp?tools=a"));
        let secrets = [("?exaApiKey".to_owned(), "s3+cret".to_owned())];
        assert_eq!(server.secrets, secrets.into());
        assert!(wanted.is_empty(), "{wanted:?}");
    }
    let open = json!({"url": "https://a.example/mcp?api_key=${input:key}"});
    let draft = one(&json!({"mcpServers": {"a": open}}).to_string());
    assert_eq!(draft.server.url.as_deref(), Some("https://a.example/mcp"));
    assert_eq!(draft.wanted, ["?api_key"]);
    // Added by hand it is the same.
    let added = without_parameters(NewMcpServer {
        url: Some(address.to_owned()),
        ..NewMcpServer::default()
    });
    let read = one(&in_table).server;
    assert_eq!((added.url, added.secrets), (read.url, read.secrets));
}

#[test]
fn what_gives_no_server_says_why() {
    let why = |text: &str| pasted(text).expect_err(text);
    assert_eq!(why("  "), Unread::NoServers);
    assert_eq!(why(r#"{"theme": "dark"}"#), Unread::NoServers);
    assert_eq!(why(r#"{"mcpServers": {}}"#), Unread::NoServers);
    assert_eq!(why(r#"{"mcp": {"servers": {}}}"#), Unread::NoServers);
    for no_object in [
        "[1,2]",
        "[1, 2, ] // two",
        r#"[{"command": "uvx"}]"#,
        "42",
        "-1.5",
        "null",
        "true",
    ] {
        assert_eq!(why(no_object), Unread::NoTable, "{no_object}");
    }
    assert!(matches!(why("[1, 2"), Unread::Form(_)));
    assert!(matches!(why(r#"{"mcpServers": {"#), Unread::Form(place) if place.contains("line 1")));
    assert!(matches!(why("first line\nsecond line"), Unread::Form(_)));
    assert!(matches!(why("uvx 'open"), Unread::Form(_)));
    assert_eq!(why(&"x".repeat(PASTED_BYTES_MAX + 1)), Unread::TooLong);

    let found = read(
        r#"{"mcpServers": {
            "old": {"type": "sse", "url": "https://a.example/sse"},
            "here": {"command": "node", "args": ["${workspaceFolder}/server.js"]},
            "none": {"args": ["x"]},
            "fine": {"command": "uvx", "args": ["x"], "env": {"TOKEN": "${input:token}"}}
        }}"#,
    );
    assert_eq!(found.drafts.len(), 1);
    assert_eq!(found.drafts[0].wanted, ["TOKEN"]);
    let reasons: Vec<&Unread> = found.left_out.iter().map(|(_, why)| why).collect();
    assert!(reasons.contains(&&Unread::EventsOnly) && reasons.contains(&&Unread::NoWay));
    assert!(reasons.contains(&&Unread::Placeholder("${workspaceFolder}".to_owned())));
}

#[test]
fn names_never_meet() {
    let found = read(
        r#"{"mcpServers": {"Git Hub": {"command": "a"}, "git-hub": {"command": "b"}, "天气": {"command": "c"}}}"#,
    );
    let names: BTreeSet<&str> = found
        .drafts
        .iter()
        .map(|draft| draft.server.name.as_str())
        .collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

proptest! {
    #[test]
    fn no_text_stops_the_reader(text in ".{0,200}") {
        drop(pasted(&text));
        drop(pasted(&format!("{{{text}")));
        drop(of_file(&text, true));
    }

    #[test]
    fn any_table_gives_names_that_would_do(
        entries in proptest::collection::btree_map(".{0,30}", ("[a-z]{1,6}", proptest::collection::btree_map("[A-Z_]{1,9}", ".{0,9}", 0..3)), 1..6),
    ) {
        let table: serde_json::Map<String, Value> = entries
            .iter()
            .map(|(name, (command, env))| (name.clone(), json!({"command": command, "env": env})))
            .collect();
        let found = read(&json!({"mcpServers": table}).to_string());
        prop_assert_eq!(found.drafts.len() + found.left_out.len(), entries.len());
        let names: BTreeSet<&str> = found.drafts.iter().map(|draft| draft.server.name.as_str()).collect();
        prop_assert_eq!(names.len(), found.drafts.len());
        for draft in &found.drafts {
            prop_assert!(naming::checked(&draft.server.name, Language::En).is_ok(), "{}", draft.server.name);
            prop_assert!(draft.server.env.keys().all(|name| !table::is_secret(name)));
        }
    }
}
