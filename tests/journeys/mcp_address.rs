//! Servers at an address where no keychain is, or only a locked file of keys: those that have no secret are of use. A secret
//! goes nowhere else and is never shown. What answers in another way than a server is told by its answer.

use parking_lot::Mutex;
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

type Heads = Arc<Mutex<Vec<String>>>;

/// A server of the older era that wants no sign-in: its address, and the heads of what it was sent.
pub fn serve() -> (String, Heads) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let heads = Heads::default();
    let kept = Arc::clone(&heads);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let heads = Arc::clone(&kept);
            // A client that goes away ends its connection.
            std::thread::spawn(move || answered(stream, &heads).unwrap_or_default());
        }
    });
    (url, heads)
}

fn answered(mut stream: TcpStream, heads: &Heads) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let lengths = head.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().ok()).flatten()
    });
    let mut body = vec![0; lengths.max().unwrap_or_default()];
    reader.read_exact(&mut body)?;
    let path = head.split(' ').nth(1).unwrap_or_default();
    let (status, said) = match (head.starts_with("POST"), other_than_a_server(path)) {
        (false, _) => (
            "405 Method Not Allowed\r\nContent-Type: text/plain",
            String::new(),
        ),
        (true, Some(answer)) => answer,
        (true, None) => said(&serde_json::from_slice(&body).unwrap_or_default()),
    };
    heads.lock().push(head);
    let length = said.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{said}"
    )
}

/// Status, kind and body of what answers at other paths than a server's, whatever is asked there.
fn other_than_a_server(path: &str) -> Option<(&'static str, String)> {
    let (status, body) = match path.split('?').next().unwrap_or_default() {
        "/sign-in" => ("401 Unauthorized\r\nWWW-Authenticate: Bearer realm=\"far\"", ""),
        "/moved" => ("307 Temporary Redirect\r\nLocation: http://127.0.0.1:9/", ""),
        "/gone" => ("404 Not Found\r\nContent-Type: text/html", "<p>Not found</p>"),
        "/busy" => ("429 Too Many Requests\r\nContent-Type: text/html", "<p>Later</p>"),
        "/failing" => (
            "500 Internal Server Error\r\nContent-Type: text/html",
            "<p>Oh</p>",
        ),
        "/page" => ("200 OK\r\nContent-Type: text/html; charset=utf-8", "<p>Hello</p>"),
        "/data" => ("200 OK\r\nContent-Type: application/json", "{\"hello\": 1}"),
        _ => return None,
    };
    Some((status, body.to_owned()))
}

fn said(message: &Value) -> (&'static str, String) {
    let id = &message["id"];
    if id.is_null() {
        return ("202 Accepted\r\nContent-Type: application/json", String::new());
    }
    let fine = "200 OK\r\nContent-Type: application/json";
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "far", "version": "2"}}),
        "tools/list" => json!({"tools": [{"name": "greet", "inputSchema": {"type": "object"}}]}),
        "tools/call" => json!({"content": [{"type": "text", "text": "hello from afar"}]}),
        other => {
            let error = json!({"code": -32601, "message": format!("Method not found: {other}")});
            let refused = json!({"jsonrpc": "2.0", "id": id, "error": error});
            return (fine, refused.to_string());
        }
    };
    (
        fine,
        json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string(),
    )
}

pub fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

/// Everything that a command printed.
pub fn all(printed: &Printed) -> String {
    format!("{}{}", printed.stdout, printed.stderr)
}

pub fn table(desk: &Desk) -> String {
    std::fs::read_to_string(desk.data().join("mcp.toml")).unwrap_or_default()
}

/// Writes a server into the table by hand, as it stands there since before.
fn write(desk: &Desk, entry: &str) {
    std::fs::create_dir_all(desk.data()).unwrap();
    std::fs::write(desk.data().join("mcp.toml"), table(desk) + entry).unwrap();
}

#[test]
fn a_server_at_an_address_is_of_use_where_nothing_can_be_kept() {
    let (url, _) = serve();
    let desk = Desk::new();
    done(desk.run(["mcp", "add", "far", "--url", &url]));
    done(desk.run(["mcp", "allow", "far", "--all", "--class", "read"]));
    let printed = done(desk.run_with(["--json", "exec", "-"], "print(await far.greet())"));
    assert_eq!(printed.json()[0]["stdout"], "hello from afar\n", "{printed:?}");
}

#[test]
fn the_secret_of_a_client_is_kept_for_the_sign_in_alone() {
    let (url, heads) = serve();
    let mut desk = Desk::new();
    desk.set("SHIDI_PASSPHRASE", "correct horse battery");
    let words = ["mcp", "add", "far", "--url", &url, "--client-id", "mine"];
    let added = desk.run_with(words.iter().chain(&["--client-secret"]), "s3cret-4711\n");
    done(added);
    let table = table(&desk);
    assert!(table.contains("client_id = \"mine\""), "{table}");
    assert!(table.contains("client secret"), "{table}");
    assert!(!table.contains("s3cret-4711"), "{table}");
    done(desk.run(["mcp", "test", "far"]));
    let heads = heads.lock();
    assert!(!heads.is_empty() && heads.iter().all(|head| !head.contains("s3cret-4711")));
}

#[test]
fn a_client_of_ones_own_is_for_an_address() {
    let desk = Desk::new();
    for (words, said) in [
        (
            &["mcp", "add", "far", "--client-id", "mine", "--", "true"][..],
            "cannot be used with",
        ),
        (
            &[
                "mcp",
                "add",
                "far",
                "--url",
                "https://a.example/mcp",
                "--client-secret",
            ],
            "required arguments were not provided",
        ),
    ] {
        let refused = desk.run(words);
        assert_eq!(refused.code, Some(2), "{words:?}: {}", refused.stderr);
        let fault = refused.stderr.split("Usage:").next().unwrap_or_default();
        assert!(
            fault.contains(said) && fault.contains("--client-id"),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn nobody_signs_in_where_nothing_of_it_would_be_kept() {
    let (url, heads) = serve();
    let desk = Desk::new();
    done(desk.run(["mcp", "add", "far", "--url", &url]));
    let before = heads.lock().len();
    let refused = desk.run(["mcp", "sign-in", "far"]);
    assert_ne!(refused.code, Some(0), "{}", refused.stdout);
    assert!(refused.stderr.contains("passphrase"), "{}", refused.stderr);
    assert!(refused.stderr.contains("SHIDI_PASSPHRASE"), "{}", refused.stderr);
    assert_eq!(heads.lock().len(), before, "nobody is asked anything before");
}

#[test]
fn nobody_signs_in_to_a_server_that_is_shown_a_key_of_the_users() {
    let (url, heads) = serve();
    let mut desk = Desk::new();
    desk.set("SHIDI_PASSPHRASE", "correct horse battery");
    let words = ["mcp", "add", "far", "--url", &url, "--secret", "authorization"];
    done(desk.run_with(words, "Bearer mine\n"));
    let before = heads.lock().len();
    for (language, said) in [("en", "has a key of yours"), ("zh", "已有你给的密钥")] {
        let refused = desk.run(["--lang", language, "mcp", "sign-in", "far"]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("shidi mcp remove far"),
            "{}",
            refused.stderr
        );
    }
    assert_eq!(heads.lock().len(), before, "nobody is asked anything");
}

#[test]
fn a_locked_file_of_keys_stops_only_servers_that_have_a_secret() {
    let (url, heads) = serve();
    let mut desk = Desk::new();
    desk.set("SHIDI_PASSPHRASE", "correct horse battery");
    done(desk.run(["mcp", "add", "plain", "--url", &url]));
    let words = ["mcp", "add", "keyed", "--url", &url, "--secret", "X-Key"];
    done(desk.run_with(words, "s3cret-4711\n"));
    desk.set("SHIDI_PASSPHRASE", "");
    write(&desk, &format!("\n[signed]\nurl = \"{url}\"\nsigned_in = true\n"));

    // Those without one are added, tested and called.
    done(desk.run(["mcp", "add", "later", "--url", &url]));
    for name in ["plain", "later", "keyed"] {
        done(desk.run(["mcp", "allow", name, "--all", "--class", "read"]));
    }
    done(desk.run(["mcp", "test", "plain"]));
    let program = "print(await plain.greet(), await later.greet())";
    let printed = done(desk.run_with(["--json", "exec", "-"], program));
    assert_eq!(
        printed.json()[0]["stdout"],
        "hello from afar hello from afar\n",
        "{printed:?}"
    );

    // The others say what is locked and what opens it, and are asked nothing without their secret.
    let before = heads.lock().len();
    for name in ["keyed", "signed"] {
        let locked = desk.run(["mcp", "test", name]);
        assert_eq!(locked.code, Some(4), "{name}: {}", all(&locked));
        assert!(
            locked.stderr.contains("locked") && locked.stderr.contains("shidi key unlock"),
            "{name}: {}",
            locked.stderr
        );
    }
    let program = "try:\n    await keyed.greet()\nexcept Exception as cause:\n    print(cause)";
    let said = all(&desk.run_with(["exec", "-"], program));
    assert!(
        said.contains("locked") && said.contains("shidi key unlock"),
        "{said}"
    );
    assert_eq!(heads.lock().len(), before);
    let kept = desk.run(["mcp", "remove", "signed"]);
    assert_eq!(
        kept.code,
        Some(4),
        "its sign-in would stay behind: {}",
        all(&kept)
    );

    desk.set("SHIDI_PASSPHRASE", "correct horse battery");
    done(desk.run(["mcp", "test", "keyed"]));
    done(desk.run(["mcp", "remove", "signed"]));
}

#[test]
fn a_server_that_wants_a_sign_in_says_so_when_it_is_added_and_names_the_command() {
    let (url, _) = serve();
    let desk = Desk::new();
    let url = url.replace("/mcp", "/sign-in");
    let added = done(desk.run(["mcp", "add", "far", "--url", &url]));
    assert!(added.stdout.contains("shidi mcp sign-in far"), "{}", added.stdout);
    assert!(!added.stdout.contains("mcp allow"), "{}", added.stdout);
    let tested = desk.run(["mcp", "test", "far"]);
    assert_ne!(tested.code, Some(0), "{}", tested.stdout);
    assert!(
        tested.stderr.contains("wants a sign-in") && tested.stderr.contains("shidi mcp sign-in far,"),
        "{}",
        tested.stderr
    );
    let pasted = json!({"other": {"url": format!("{url}?other")}}).to_string();
    let imported = done(desk.run_with(["mcp", "import", "-"], &pasted));
    assert!(
        imported.stdout.contains("shidi mcp sign-in other"),
        "{}",
        imported.stdout
    );

    // A key that is not taken is another matter: nothing is added, and no sign-in would help.
    for secret in ["Authorization", "X-Api-Key"] {
        let words = ["mcp", "add", "keyed", "--url", &url, "--secret", secret];
        let refused = desk.run_with(words, "Bearer wrong\n");
        assert_ne!(refused.code, Some(0), "{}", refused.stdout);
        let remedy = format!("again with --secret {secret}");
        assert!(
            refused.stderr.contains("does not take its key") && refused.stderr.contains(&remedy),
            "{}",
            refused.stderr
        );
        assert!(!refused.stderr.contains("mcp sign-in"), "{}", refused.stderr);
    }
    assert!(!table(&desk).contains("keyed"));
}

#[test]
fn what_is_no_server_is_told_by_its_answer_and_only_nobody_could_not_be_reached() {
    let (url, _) = serve();
    let desk = Desk::new();
    for (path, said) in [
        (
            "/moved",
            "leads elsewhere, where no server is followed: it answered HTTP 307",
        ),
        ("/gone", "No MCP server is at that address: it answered HTTP 404"),
        ("/busy", "fewer requests for a while: it answered HTTP 429"),
        ("/failing", "reached and failed: it answered HTTP 500"),
        (
            "/page",
            "No MCP server is at that address: it answered with text/html",
        ),
        (
            "/data",
            "No MCP server is at that address: its answer is no message",
        ),
    ] {
        let refused = desk.run(["mcp", "add", "far", "--url", &url.replace("/mcp", path)]);
        assert_eq!(refused.code, Some(1), "{path}: {}", all(&refused));
        assert!(refused.stderr.contains(said), "{path}: {}", refused.stderr);
        assert!(refused.stderr.contains("far: "), "{path}: {}", refused.stderr);
        // Nothing was added, so that no command names it.
        for other in ["could not be reached", "mcp test", "mcp log", "mcp remove"] {
            assert!(!refused.stderr.contains(other), "{path}: {}", refused.stderr);
        }
    }
    let nobody = desk.run(["mcp", "add", "far", "--url", "http://127.0.0.1:9/mcp"]);
    assert!(
        nobody
            .stderr
            .contains("far: The server could not be reached: nobody listens at that address"),
        "{}",
        nobody.stderr
    );
    for of_library in ["Client error", "error sending", "for url", "127.0.0.1"] {
        assert!(!nobody.stderr.contains(of_library), "{}", nobody.stderr);
    }
    assert_eq!(table(&desk), "");
}

#[test]
fn a_key_in_the_path_of_an_address_stays_where_it_is_and_is_shown_nowhere() {
    let (url, heads) = serve();
    let desk = Desk::new();
    let with_key = format!("{url}/sk-s3cret4711s3cret4711/sse?code=s3cret-4711&x=1");
    let mut said = all(&done(desk.run(["mcp", "add", "far", "--url", &with_key])));
    let other = json!({"other": {"url": format!("{with_key}&y=2")}}).to_string();
    said += &all(&done(desk.run_with(["mcp", "import", "-", "--dry-run"], &other)));
    assert!(said.contains("/mcp/•••/sse?code=•••&x=1&y=2"), "{said}");
    said += &all(&done(desk.run_with(["mcp", "import", "-"], &other)));
    let listed = done(desk.run(["mcp", "list"])).stdout;
    assert!(listed.contains("/mcp/•••/sse?code=•••&x=1"), "{listed}");
    said += &listed;
    said += &all(&done(desk.run(["mcp", "test", "far"])));
    let clear = with_key.replace("127.0.0.1", "far.example");
    let refused = desk.run(["mcp", "add", "clear", "--url", &clear]);
    assert!(refused.stderr.contains("/mcp/•••/sse"), "{}", refused.stderr);
    said += &all(&refused);
    assert!(!said.contains("s3cret"), "{said}");
    // The server is asked with all of it, which the table has.
    assert!(table(&desk).contains(&with_key), "{}", table(&desk));
    let heads = heads.lock();
    let path = with_key.split_once("/mcp").unwrap().1;
    assert!(heads.iter().any(|head| head.contains(path)), "{heads:?}");
}

#[test]
fn a_key_in_the_query_of_an_address_is_kept_with_the_keys_sent_in_its_place_and_shown_nowhere() {
    let (url, heads) = serve();
    let mut desk = Desk::new();
    desk.set("SHIDI_PASSPHRASE", "correct horse battery");
    let with_key = format!("{url}?exaApiKey=s3cret-4711&x=1");
    let mut said = all(&done(desk.run(["mcp", "add", "far", "--url", &with_key])));
    let other = json!({"other": {"url": format!("{url}?token=s3cret-4711")}}).to_string();
    said += &all(&done(desk.run_with(["mcp", "import", "-"], &other)));
    let written = table(&desk);
    assert!(
        written.contains("?exaApiKey") && written.contains("/mcp?x=1") && written.contains("?token"),
        "{written}"
    );
    assert!(!written.contains("s3cret"), "{written}");
    {
        let heads = heads.lock();
        let mut asked = heads.iter().filter(|head| head.starts_with("POST"));
        assert!(asked.clone().count() > 0);
        assert!(
            asked.all(|head| head.contains("=s3cret-4711 HTTP/1.1")),
            "{heads:?}"
        );
    }

    // In a table from before it works on. What can't be reached tells no address.
    write(&desk, &format!("\n[old]\nurl = \"{url}?token=s3cret-4711\"\n"));
    write(
        &desk,
        "\n[broken]\nurl = \"http://127.0.0.1:9/mcp?api_key=s3cret-4711\"\n",
    );
    let listed = done(desk.run(["mcp", "list"])).stdout;
    assert!(listed.contains("?token=•••"), "{listed}");
    said += &listed;
    for name in ["far", "old"] {
        said += &all(&done(desk.run(["mcp", "test", name])));
        said += &all(&done(
            desk.run(["mcp", "allow", name, "--all", "--class", "read"]),
        ));
    }
    said += &all(&done(desk.run_with(["exec", "-"], "print(await old.greet())")));
    for words in [
        &["--json", "mcp", "list"][..],
        &["mcp", "tools", "far"],
        &["trace", "list"],
    ] {
        said += &all(&done(desk.run(words)));
    }
    let tested = desk.run(["mcp", "test", "broken"]);
    assert!(all(&tested).contains("nobody listens"), "{}", all(&tested));
    let doctor = desk.run(["doctor"]);
    assert!(doctor.stdout.contains("shidi.db"), "{doctor:?}");
    for printed in [tested, desk.run(["mcp", "log", "broken"]), doctor] {
        said += &all(&printed);
    }
    assert!(said.contains("hello from afar"), "{said}");
    assert!(!said.contains("s3cret"), "{said}");
}

#[test]
fn a_password_in_a_new_address_is_refused_and_an_import_keeps_it_with_the_keys() {
    let (url, heads) = serve();
    let with_key = url.replace("//", "//me:s3cret-4711@");
    let mut desk = Desk::new();
    let refused = desk.run(["mcp", "add", "far", "--url", &with_key]);
    assert_eq!(refused.code, Some(2), "{}", all(&refused));
    assert!(
        refused.stderr.contains("//me:•••@") && refused.stderr.contains("--secret Authorization"),
        "{}",
        refused.stderr
    );
    assert!(!all(&refused).contains("s3cret-4711"), "{}", all(&refused));
    assert_eq!((table(&desk).as_str(), heads.lock().len()), ("", 0));

    desk.set("SHIDI_PASSPHRASE", "correct horse battery");
    let imported = done(desk.run_with(["mcp", "import", "-"], &with_key));
    assert!(!all(&imported).contains("s3cret-4711"), "{}", all(&imported));
    let table = table(&desk);
    assert!(
        table.contains("Authorization") && table.contains(&url) && !table.contains("s3cret-4711"),
        "{table}"
    );
    assert!(is_shown_the_key(&heads));
}

/// Whether every request carried what the address said, and none the address itself.
fn is_shown_the_key(heads: &Heads) -> bool {
    let heads = heads.lock();
    let carries = |head: &String| {
        let lower = head.to_ascii_lowercase();
        lower.contains("authorization: basic ")
            && head.contains(" bWU6czNjcmV0LTQ3MTE=")
            && !head.contains("s3cret")
    };
    !heads.is_empty() && heads.iter().all(carries)
}

#[test]
fn the_password_of_an_address_from_before_works_on_and_is_never_shown() {
    let (url, heads) = serve();
    let desk = Desk::new();
    for (name, url) in [
        ("old", url.as_str()),
        ("broken", "http://127.0.0.1:9/mcp"),
        ("clear", "http://a.example/"),
    ] {
        let with_key = url.replace("//", "//me:s3cret-4711@");
        write(&desk, &format!("[{name}]\nurl = \"{with_key}\"\n\n"));
    }
    let mut said = String::new();
    for words in [
        &["mcp", "test", "old"][..],
        &["mcp", "allow", "old", "--all", "--class", "read"],
    ] {
        said += &all(&done(desk.run(words)));
    }
    assert!(is_shown_the_key(&heads));
    for words in [
        &["mcp", "list"][..],
        &["--json", "mcp", "list"],
        &["mcp", "tools", "old"],
        &["mcp", "test", "broken"],
        &["mcp", "test", "clear"],
        &["mcp", "log", "broken"],
        &["mcp", "sign-in", "old"],
        &["doctor"],
    ] {
        let printed = all(&desk.run(words));
        let is_address = printed.contains("//me:•••@");
        assert!(is_address || !words.contains(&"list"), "{words:?}: {printed}");
        said += &printed;
    }
    let called = desk.run_with(["exec", "-"], "print(await old.greet())");
    said += &all(&called);
    assert!(said.contains("hello from afar"), "{said}");
    assert!(!said.contains("s3cret") && !said.contains("bWU6czNj"), "{said}");
}

#[test]
fn a_secret_that_nobody_gives_has_the_remedy_of_its_own_command() {
    let desk = Desk::new();
    let url = "http://127.0.0.1:9/mcp";
    for (language, told) in [
        ("en", "No value was given for Authorization"),
        ("zh", "没有收到 Authorization 的值"),
    ] {
        let begin = ["--lang", language, "mcp", "add", "keyed"];
        let words = begin
            .into_iter()
            .chain(["--url", url, "--secret", "Authorization"]);
        let refused = desk.run_with(words, "");
        assert_eq!(refused.code, Some(2), "{refused:?}");
        let is_told = refused.stderr.contains(told) && !refused.stderr.contains("shidi key set");
        assert!(is_told, "{refused:?}");
    }
}
