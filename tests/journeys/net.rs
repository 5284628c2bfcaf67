//! The network of commands, from the first word to the record: what is allowed host by host, and nothing else.
//!
//! The servers are this test's own, on addresses of the loopback that no command counts as its own. So each is of the local
//! network, and is allowed as such.

use crate::shell::{ask, programs, work};
use crate::terminal::{has_terminal, typed};
use serde_json::Value;
use shidi_tests::command::Desk;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Addresses that lead to this computer past what a command's environment exempts from its proxy.
pub const ALLOWED: &str = "127.0.0.2";
pub const NOT_ALLOWED: &str = "127.0.0.3";

/// A server that answers every request with `hello`, and counts them.
pub struct Server {
    pub host: String,
    requests: Arc<AtomicUsize>,
}

impl Server {
    pub fn start(address: &str) -> Self {
        Self::answering(address, |_, _| b"hello\n".to_vec())
    }

    /// Answers with a body, or with a whole answer that begins with `HTTP/`.
    fn answering(address: &str, answer: impl Fn(&str, &[u8]) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let requests = Arc::new(AtomicUsize::new(0));
        let (counted, answer) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counted.fetch_add(1, Ordering::SeqCst);
                let answer = Arc::clone(&answer);
                std::thread::spawn(move || serve(stream, answer.as_ref()));
            }
        });
        Self { host, requests }
    }

    /// What lets a command reach it.
    pub fn leave(&self) -> String {
        format!("shell.connect(host={}, network=local)", self.host)
    }

    pub fn count(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

fn serve(mut stream: TcpStream, answer: &dyn Fn(&str, &[u8]) -> Vec<u8>) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16_384];
    let (head, length) = loop {
        let count = stream.read(&mut buffer).unwrap_or_default();
        bytes.extend_from_slice(&buffer[..count]);
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break (String::from_utf8_lossy(&bytes[..end]).into_owned(), end + 4);
        }
        if count == 0 {
            return;
        }
    };
    let header = |name: &str| {
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        lines
            .filter(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
            .next()
    };
    let expected: usize = header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = bytes.split_off(length);
    while body.len() < expected {
        let count = stream.read(&mut buffer).unwrap();
        body.extend_from_slice(&buffer[..count]);
    }
    let mut said = answer(&head, &body);
    if !said.starts_with(b"HTTP/") {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            said.len()
        );
        said = [head.as_bytes(), &said].concat();
    }
    stream.write_all(&said).unwrap_or_default();
}

/// A program of the user's own with one command, run in `work` with these leaves.
fn exec(desk: &Desk, leaves: &[String], program: &str) -> Value {
    let work = work(desk).display().to_string();
    let mut words = vec!["exec".to_owned(), "--json".into(), "--folder".into(), work];
    for leave in leaves {
        words.extend(["--allow".to_owned(), leave.clone()]);
    }
    words.push("-".to_owned());
    let printed = desk.run_with(&words, program);
    let results = printed.json();
    let last = results.last().unwrap_or_else(|| panic!("{printed:?}"));
    assert_eq!(last["ok"], true, "{last}\n{}", printed.stderr);
    last["value"].clone()
}

fn run(command: &str) -> String {
    format!("(await shell.run({command:?}, timeout=300)).data")
}

/// Whether commands can have a network here; says NOT RUN where they can't.
pub fn can_have_net(desk: &Desk) -> bool {
    if !desk.can_confine() {
        return false;
    }
    let checks = desk.run(["--json", "doctor"]).json();
    let net = checks.iter().find(|check| check["name"] == "shell net");
    let can = net.is_some_and(|net| net["ok"] == true);
    if !can {
        println!("NOT RUN: commands can't have a network here: {net:?}");
    }
    can
}

#[test]
fn a_command_reaches_the_host_that_was_allowed_by_http_and_socks_and_no_other_one() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !can_have_net(&desk) {
        return;
    }
    let (allowed, other) = (Server::start(ALLOWED), Server::start(NOT_ALLOWED));
    let command = format!(
        "curl -sS http://{0}/a; curl -sSp http://{0}/b; curl -sS --proxy $socks_proxy http://{0}/c; \
         curl -s http://{1}/secret; curl -sSp http://{1}/secret; curl -sS --proxy $socks_proxy http://{1}/secret; \
         curl -sS --noproxy '*' -m 5 http://{0}/ && echo past",
        allowed.host, other.host
    );
    let value = exec(&desk, &[allowed.leave()], &run(&command));
    let (stdout, stderr) = (
        value["stdout"].as_str().unwrap(),
        value["stderr"].as_str().unwrap(),
    );
    assert!(stdout.starts_with("hello\nhello\nhello\nShidi: "), "{value}");
    assert!(!stdout.contains("past"), "{value}");
    let told = format!("await shell.connect('{}')", other.host);
    assert!(stdout.contains(&told) && stderr.contains(&told), "{value}");
    assert_eq!(value["refused_hosts"], serde_json::json!([other.host]));
    assert_eq!((allowed.count(), other.count()), (3, 0));
}

#[test]
fn an_unknown_host_is_refused_at_once_where_nobody_is_there_and_the_model_can_ask_for_it() {
    let allowed = Server::start(ALLOWED);
    let first = format!(
        "r = await shell.run(\"curl -s http://{}/\")\nprint(r.data)",
        allowed.host
    );
    let asks = format!("await shell.connect('{}')", allowed.host);
    let server = programs(&[&first, &asks, &first]);
    let desk = Desk::with_model(&server.url());
    if !can_have_net(&desk) {
        return;
    }
    let began = Instant::now();
    let printed = ask(&desk, &["fetch it"]);
    assert!(began.elapsed() < Duration::from_secs(60), "nobody is waited for");
    assert_eq!(printed.code, Some(3), "{}\n{}", printed.stdout, printed.stderr);
    let output = printed.event("output")["stdout"].to_string();
    assert!(output.contains("await shell.connect("), "{output}");
    let card = printed.event("approval_needed");
    assert_eq!(
        (&card["tool"], &card["class"]),
        (&"shell.connect".into(), &"connect".into())
    );
    assert_eq!(card["args"]["network"], "local");
    assert_eq!(allowed.count(), 0);
    // The host is decided on once; the command asks, since its output was a stranger's.
    let run = card["run"].as_str().unwrap();
    let approved = desk.run(["approve", "--json", run, &card["call"].to_string()]);
    assert_eq!(approved.code, Some(3), "{}\n{}", approved.stdout, approved.stderr);
    let is_command = |event: &Value| event["type"] == "approval_needed" && event["tool"] == "shell.run";
    let next = approved.json().into_iter().find(is_command).unwrap();
    let done = desk.run(["approve", "--json", run, &next["call"].to_string()]);
    assert_eq!(done.code, Some(0), "{}\n{}", done.stdout, done.stderr);
    assert!(
        done.event("output")["stdout"].to_string().contains("hello"),
        "{}",
        done.stdout
    );
    assert_eq!(allowed.count(), 1);
    steps_tell(&desk, run, &allowed.host);
}

#[test]
fn at_a_terminal_a_connection_waits_for_the_person_who_decides_on_its_host_and_the_command_goes_on() {
    if !has_terminal() {
        return;
    }
    let (allowed, other) = (Server::start(ALLOWED), Server::start(NOT_ALLOWED));
    let program = format!(
        "r = await shell.run(\"curl -s http://{0}/; curl -s http://{1}/; curl -s http://{0}/\")\nprint(r['stdout'])",
        allowed.host, other.host
    );
    let server = programs(&[&program]);
    let desk = Desk::with_model(&server.url());
    if !can_have_net(&desk) {
        return;
    }
    let words = format!("ask --folder {} fetch it", work(&desk).display());
    let lines = [("[n]o:", "y\n"), ("[n]o:", "n\n"), ("eason", "\n")];
    let shown = typed(&desk, "en", &words, &lines);
    assert!(
        shown.contains("shell.connect") && shown.contains(&allowed.host),
        "{shown}"
    );
    assert_eq!((allowed.count(), other.count()), (2, 0), "{shown}");
    let read = server.last_prompt();
    assert!(read.contains("hello") && read.contains("refuses it"), "{read}");
}

/// Every connection is a step of the trace: the one that was refused, and the one that was made.
fn steps_tell(desk: &Desk, run: &str, host: &str) {
    let traced = desk.run(["--json", "trace", "show", run]);
    let text = &traced.stdout;
    let spans: Vec<Value> = traced.json();
    let all = serde_json::to_string(&spans).unwrap();
    let connections = all.matches("\"operation\":\"connection\"").count();
    assert_eq!(connections, 2, "{text}");
    assert!(
        all.contains(host) && all.contains("\"shidi.received_bytes\""),
        "{text}"
    );
    assert!(all.contains("\"error.type\":\"local_network\""), "{text}");
}

#[test]
fn a_command_that_is_killed_takes_its_connections_along() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !can_have_net(&desk) {
        return;
    }
    let listener = TcpListener::bind((ALLOWED, 0)).unwrap();
    let host = listener.local_addr().unwrap();
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut all = Vec::new();
        // Returns when the other side is gone: nothing is ever answered.
        stream.read_to_end(&mut all).map(|_| all)
    });
    let leave = format!("shell.connect(host={host}, network=local)");
    let value = exec(
        &desk,
        &[leave],
        &format!("(await shell.run('curl -s http://{host}/', timeout=8)).data"),
    );
    assert_eq!(value["ended"], "timeout", "{value}");
    let heard = served.join().unwrap().unwrap_or_default();
    assert!(
        heard.starts_with(b"GET / HTTP/1.1\r\n"),
        "{}",
        String::from_utf8_lossy(&heard)
    );
}

/// What answers git over HTTP, if git has it here.
fn git_backend() -> Option<std::path::PathBuf> {
    let path = Command::new("git").arg("--exec-path").output().ok()?;
    let path = String::from_utf8(path.stdout).ok()?;
    let backend = Path::new(path.trim()).join("git-http-backend");
    backend.is_file().then_some(backend)
}

/// Serves the repositories below `folder`, as any host of repositories does.
fn git_server(backend: &Path, folder: &Path) -> Server {
    let (backend, folder) = (backend.to_owned(), folder.to_owned());
    Server::answering(ALLOWED, move |head, body| {
        let mut words = head.split([' ', '\r', '\n']);
        let (method, target) = (words.next().unwrap(), words.next().unwrap());
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let header = |name: &str| {
            let mut lines = head.lines().filter_map(|line| line.split_once(": "));
            let found = lines.find(|(known, _)| known.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.to_owned()).unwrap_or_default()
        };
        let mut child = Command::new(&backend)
            .env("GIT_PROJECT_ROOT", &folder)
            .env("GIT_HTTP_EXPORT_ALL", "1")
            .env("REMOTE_USER", "me")
            .env("REQUEST_METHOD", method)
            .env("PATH_INFO", path)
            .env("QUERY_STRING", query)
            .env("CONTENT_TYPE", header("content-type"))
            .env("CONTENT_LENGTH", body.len().to_string())
            .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
            .env("GIT_PROTOCOL", header("git-protocol"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(body).unwrap();
        let said = child.wait_with_output().unwrap().stdout;
        [b"HTTP/1.1 200 OK\r\nConnection: close\r\n", said.as_slice()].concat()
    })
}

#[test]
fn git_clones_and_pushes_to_the_host_that_was_allowed() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    let Some(backend) = git_backend() else {
        println!("NOT RUN: git has no git-http-backend here");
        return;
    };
    if !can_have_net(&desk) {
        return;
    }
    let repositories = desk.path("repositories");
    let bare = repositories.join("one.git");
    let git = |arguments: &[&str]| {
        let done = Command::new("git").args(arguments).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    let bare_name = bare.display().to_string();
    git(&["init", "--quiet", "--bare", "--initial-branch=main", &bare_name]);
    git(&["-C", &bare_name, "config", "http.receivepack", "true"]);
    let server = git_server(&backend, &repositories);
    let command = format!(
        "set -e; git clone -q http://{}/one.git one; cd one; git checkout -q -b main; echo hi > a; git add a; \
         git -c user.name=me -c user.email=me@example.org commit -qm first; git push -q origin main; echo pushed",
        server.host
    );
    let value = exec(&desk, &[server.leave()], &run(&command));
    assert_eq!(value["stdout"], "pushed\n", "{value}");
    assert_eq!(git(&["-C", &bare_name, "log", "--format=%s", "main"]), "first\n");
    let other = git_server(&backend, &repositories);
    let value = exec(
        &desk,
        &[],
        &run(&format!("git clone -q http://{}/one.git two", other.host)),
    );
    assert_ne!(value["exit_code"], 0, "{value}");
    assert_eq!(value["refused_hosts"], serde_json::json!([other.host]));
    assert_eq!(other.count(), 0);
}

/// Whether a registry can be reached from here at all; says NOT RUN where not.
fn can_reach(name: &str, url: &str) -> bool {
    let asked = Command::new("curl")
        .args(["-sS", "--noproxy", "*", "-m", "20", "-o", "/dev/null", url])
        .output();
    let can = asked.is_ok_and(|asked| asked.status.success());
    if !can {
        println!("NOT RUN: {name} needs {url}, which can't be reached from here");
    }
    can
}

#[test]
fn pip_installs_from_the_registry_that_was_allowed() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    let has_pip = Command::new("/usr/bin/python3")
        .args(["-m", "pip", "--version"])
        .output();
    if !has_pip.is_ok_and(|asked| asked.status.success()) {
        println!("NOT RUN: the system has no pip");
        return;
    }
    if !can_have_net(&desk) || !can_reach("pip", "https://pypi.org/simple/six/") {
        return;
    }
    let command = "python3 -m pip install -q --no-deps --no-cache-dir --disable-pip-version-check \
                   --cert /etc/ssl/certs/ca-certificates.crt --target got six 2>&1; ls got";
    let leaves = ["pypi.org", "files.pythonhosted.org"].map(|host| format!("shell.connect(host={host})"));
    let value = exec(&desk, &leaves, &run(command));
    assert!(value["stdout"].as_str().unwrap().contains("six-"), "{value}");
    assert_eq!(value["refused_hosts"], Value::Null, "{value}");
    let value = exec(
        &desk,
        &leaves[1..],
        &run(&command.replace("-q ", "--retries 0 ").replace("got", "nothing")),
    );
    assert!(!value["stdout"].as_str().unwrap().contains("six-"), "{value}");
    assert_eq!(value["refused_hosts"], serde_json::json!(["pypi.org"]));
}

#[test]
fn npm_installs_from_the_registry_that_was_allowed() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !Path::new("/usr/bin/npm").exists() {
        println!("NOT RUN: the system has no npm");
        return;
    }
    if !can_have_net(&desk) || !can_reach("npm", "https://registry.npmjs.org/left-pad") {
        return;
    }
    let command = "export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt; echo '{}' > package.json; \
                   npm install --no-audit --no-fund --package-lock-only left-pad@1.3.0 && npm ci --no-audit --no-fund; \
                   ls node_modules";
    let leaves = ["shell.connect(host=registry.npmjs.org)".to_owned()];
    let value = exec(&desk, &leaves, &run(command));
    assert!(
        value["stdout"].as_str().unwrap().ends_with("left-pad\n"),
        "{value}"
    );
}
