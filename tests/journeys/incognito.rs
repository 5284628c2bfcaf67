//! Sessions that leave nothing: no word of them is below the data folder, whatever happens to the program.

use serde_json::{Value, json};
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer};
use shidi_tests::papers::pdf;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

const MARKER: &str = "xylophagousquagga";

/// Longest wait for something that happens by itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// The files below a folder that hold the marker, or have it in their name.
fn traces_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let entries = entries.map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| {
        if path.is_dir() {
            return traces_in(&path);
        }
        let is_named = path.to_string_lossy().contains(MARKER);
        let bytes = std::fs::read(&path).unwrap_or_default();
        let is_inside = bytes.windows(MARKER.len()).any(|part| part == MARKER.as_bytes());
        match is_named || is_inside {
            true => vec![path],
            false => Vec::new(),
        }
    });
    found.collect()
}

fn assert_no_trace(desk: &Desk, when: &str) {
    assert_eq!(traces_in(&desk.data()), Vec::<PathBuf>::new(), "{when}");
    assert_eq!(traces_in(&desk.path("run")), Vec::<PathBuf>::new(), "{when}");
}

/// Folders in memory that belong to sessions of that desk and hold something.
fn in_memory(desk: &Desk) -> Vec<PathBuf> {
    let mark = std::fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    let ours = mark.filter(|entry| entry.file_name().to_string_lossy().contains(&mark_of(desk)));
    ours.flat_map(|entry| traces_in(&entry.path())).collect()
}

/// What the program makes of the data folder's path: FNV-1a.
fn mark_of(desk: &Desk) -> String {
    let path = desk.data().to_string_lossy().into_owned();
    let mark = path.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("shidi-incognito-{mark:016x}")
}

fn sessions(desk: &Desk) -> Vec<Value> {
    desk.run(["--json", "session", "list"]).json()
}

pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A connection to the program that has the folder open, as windows have one.
pub struct Connection {
    replies: BufReader<UnixStream>,
}

impl Connection {
    pub fn ask(desk: &Desk, request: &Value) -> Self {
        let socket = std::fs::read_to_string(desk.data().join("lock")).unwrap();
        let mut stream = UnixStream::connect(socket.trim()).unwrap();
        stream.write_all(format!("{request}\n").as_bytes()).unwrap();
        Self {
            replies: BufReader::new(stream),
        }
    }

    pub fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.replies.read_line(&mut line).unwrap();
        (!line.is_empty()).then(|| serde_json::from_str(&line).unwrap())
    }

    pub fn last(mut self) -> Value {
        std::iter::from_fn(|| self.next()).last().unwrap()
    }
}

/// A program that has the folder open for as long as the test likes: its own question is never answered.
pub struct Resident {
    child: std::process::Child,
    _silent: ModelServer,
}

impl Resident {
    pub fn start(desk: &Desk) -> Self {
        let silent = ModelServer::repeating(Answer::Silence);
        let question = ["--json", "ask", "--model-url", &silent.url(), "something else"];
        let child = desk.spawn(question, Stdio::null());
        until("it asks its model", || !silent.requests().is_empty());
        Self {
            child,
            _silent: silent,
        }
    }

    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn an_incognito_question_is_answered_with_programs_and_documents_and_leaves_no_word_of_itself() {
    let program = format!(
        "```python\nword = \"{MARKER}\" * 3\nprint(word)\nlong = \"\\n\".join(f\"{MARKER} {{n}}\" for n in range(4000))\n\
         print(long)\ntext = await files.read(path=\"PATH\")\nprint(text)\n```"
    );
    let desk = Desk::with_model("http://127.0.0.1:9");
    let notes = desk.path("notes.txt");
    std::fs::write(&notes, format!("from a file: {MARKER}-file\n")).unwrap();
    let paper = desk.path("paper.pdf");
    std::fs::write(&paper, pdf(&[vec![format!("a page of {MARKER}-paper")]])).unwrap();
    let server = ModelServer::start([
        Answer::Text(program.replace("PATH", notes.to_str().unwrap())),
        Answer::Text(format!("It says {MARKER}.")),
        Answer::Text("kept".to_owned()),
    ]);
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\n",
        server.url()
    ));
    let question = format!("what about {MARKER}? Remember that I like {MARKER}.");
    let (notes, paper) = (notes.to_str().unwrap(), paper.to_str().unwrap());
    let asked = desk.run([
        "--json",
        "ask",
        "--incognito",
        "--file",
        notes,
        "--file",
        paper,
        &question,
    ]);
    assert_eq!(asked.code, Some(0), "{}", asked.stderr);
    assert!(asked.event("answer")["text"].as_str().unwrap().contains(MARKER));
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert!(
        requests[0].to_string().contains(&format!("{MARKER}-paper")),
        "the document was read"
    );
    assert!(requests[0].to_string().contains("incognito"), "the model is told");
    assert!(
        server.last_prompt().contains(&format!("{MARKER}-file")),
        "the program ran"
    );
    assert_no_trace(&desk, "afterwards");
    assert_eq!(in_memory(&desk), Vec::<PathBuf>::new());
    assert!(sessions(&desk).is_empty());
    let run = asked.event("run_started")["run"].as_str().unwrap().to_owned();
    assert_ne!(desk.run(["trace", "show", &run]).code, Some(0));
    // What it cost is counted.
    let spent = desk.run(["--json", "model", "spending"]);
    assert!(!spent.stdout.contains(MARKER));
    // The next start has nothing to find either, and an ordinary question is kept as ever.
    assert_eq!(desk.run(["--json", "ask", "an ordinary question"]).code, Some(0));
    assert_eq!(sessions(&desk).len(), 1);
    assert!(!server.last_prompt().contains(MARKER));
    assert_no_trace(&desk, "after the next start");
}

#[test]
fn a_program_that_is_killed_in_the_middle_of_one_leaves_no_word_of_it_either() {
    let server = ModelServer::start([
        Answer::Text(format!("```python\nprint(\"{MARKER}\" * 40)\n```")),
        Answer::Slow {
            text: format!("{MARKER} ").repeat(4_000),
            pause: Duration::from_millis(20),
        },
    ]);
    let desk = Desk::with_model(&server.url());
    let paper = desk.path("paper.pdf");
    std::fs::write(&paper, pdf(&[vec![format!("a page of {MARKER}")]])).unwrap();
    let question = format!("tell me about {MARKER}");
    let arguments = [
        "--json",
        "ask",
        "--incognito",
        "--file",
        paper.to_str().unwrap(),
        &question,
    ];
    let mut child = desk.spawn(arguments, Stdio::null());
    until("it asks its model again", || server.requests().len() == 2);
    assert_no_trace(&desk, "while it is at work");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_no_trace(&desk, "after it was killed");
    assert!(sessions(&desk).is_empty());
    assert_no_trace(&desk, "after the next start");
    assert_eq!(
        in_memory(&desk),
        Vec::<PathBuf>::new(),
        "the next start removes what lay in memory"
    );
}

#[test]
fn what_an_answer_says_for_seconds_is_not_written_down() {
    let server = ModelServer::start([Answer::Slow {
        text: format!("{MARKER} ").repeat(4_000),
        pause: Duration::from_millis(20),
    }]);
    let desk = Desk::with_model(&server.url());
    let mut child = desk.spawn(["--json", "ask", "--incognito", "tell me"], Stdio::null());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let streams = lines
        .by_ref()
        .map_while(Result::ok)
        .filter(|line| line.contains(MARKER));
    // Three seconds of it: an answer that is kept is written every second.
    assert_eq!(streams.take(150).count(), 150);
    assert_no_trace(&desk, "while it streams");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_no_trace(&desk, "after it was killed");
    assert!(sessions(&desk).is_empty());
}

/// Answers with the program first and in words ever after.
fn programming(program: &str) -> ModelServer {
    let answer = Answer::Text(format!("```python\n{program}\n```"));
    let mut first = Some(answer);
    ModelServer::thinking(move |_| first.take().unwrap_or_else(|| Answer::Text("done".to_owned())))
}

#[test]
fn what_a_server_says_of_it_is_in_no_log_and_what_it_says_of_other_sessions_is() {
    let program = "```python\nprint('sum is', (await peer.add(a=40, b=2)).data)\n```";
    let server = ModelServer::thinking(move |request| {
        let has_run = request.to_string().contains("sum is 42");
        Answer::Text(if has_run { "done" } else { program }.to_owned())
    });
    let desk = Desk::with_model(&server.url());
    for words in [
        &[
            "mcp",
            "add",
            "peer",
            "--",
            env!("CARGO_BIN_EXE_shidi-test-server"),
            "--logs",
        ][..],
        &["mcp", "allow", "peer", "add"],
    ] {
        assert_eq!(desk.run(words).code, Some(0), "{words:?}");
    }
    let resident = Resident::start(&desk);
    let told = || {
        let action = json!({"action": "log", "name": "peer"});
        let log = Connection::ask(&desk, &json!({"request": "mcp", "action": action})).last();
        let lines = log["lines"].as_array().unwrap().clone();
        let told = lines.iter().filter(|line| line["kind"] == "told").count();
        (lines.len(), told)
    };
    let ask = |request: Value| {
        let ended = Connection::ask(&desk, &request).last();
        assert_eq!(ended["status"], "completed", "{ended}");
    };
    let mut open = Connection::ask(&desk, &json!({"request": "incognito"}));
    let session = open.next().unwrap()["session"].clone();
    let approve = ["peer.add"];
    ask(json!({"request": "ask", "text": "add", "session": session, "approve": approve}));
    let (lines, of_it) = told();
    assert!(lines > 0, "the server was started");
    assert_eq!(of_it, 0, "it said something of the incognito call");
    ask(json!({"request": "ask", "text": "add", "approve": approve}));
    until("what it says of another call is kept", || told().1 == 1);
    drop(open);
    resident.kill();
}

#[test]
fn what_a_server_says_of_a_prompt_that_it_calls_is_in_no_log() {
    let desk = Desk::new();
    let server = env!("CARGO_BIN_EXE_shidi-test-server");
    let added = desk.run(["mcp", "add", "library", "--", server, "--library", "--logs"]);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    let resident = Resident::start(&desk);
    let ask = |action: Value| Connection::ask(&desk, &json!({"request": "mcp", "action": action})).last();
    let told = || {
        let log = ask(json!({"action": "log", "name": "library"}));
        let lines = log["lines"].as_array().unwrap().clone();
        lines.iter().filter(|line| line["kind"] == "told").count()
    };
    for incognito in [true, false] {
        let written = ask(json!({"action": "prompt", "name": "library", "prompt": "review",
            "values": {"of": "it"}, "incognito": incognito}));
        assert!(written["text"].to_string().contains("Review"), "{written}");
    }
    until("what it says of the other one is kept", || told() > 0);
    assert_eq!(told(), 1);
    resident.kill();
}

#[test]
fn nothing_that_is_remembered_goes_in_by_itself_or_by_a_program() {
    let server = programming("print(await memory.search(text=\"office\"))");
    let desk = Desk::with_model(&server.url());
    let told = desk.run(["memory", "add", "the office is in Munich, third floor"]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let asked = desk.run([
        "--json",
        "ask",
        "--incognito",
        "where is the office on which floor?",
    ]);
    assert_eq!(asked.code, Some(0), "{}", asked.stderr);
    let requests = server.requests();
    assert!(
        requests
            .iter()
            .all(|request| !request.to_string().contains("Munich"))
    );
    assert!(
        requests.len() > 1,
        "the program was refused, and the model told why"
    );
    let kept = desk.run(["--json", "ask", "where is the office on which floor?"]);
    assert_eq!(kept.code, Some(0), "{}", kept.stderr);
    assert!(
        server.last_prompt().contains("Munich"),
        "an ordinary question knows it"
    );
}

#[test]
fn the_users_rules_hold() {
    let program =
        "try:\n    print(await system.now())\nexcept Exception as error:\n    print(\"refused\", error)";
    let server = programming(program);
    let desk = Desk::with_model(&server.url());
    let ruled = desk.run(["config", "rule", "deny", "system.now"]);
    assert_eq!(ruled.code, Some(0), "{}", ruled.stderr);
    let asked = desk.run(["--json", "ask", "--incognito", "what time is it?"]);
    assert_eq!(asked.code, Some(0), "{}", asked.stderr);
    assert!(
        server.last_prompt().contains("refused"),
        "{}",
        server.last_prompt()
    );
}

#[test]
fn a_session_of_the_windows_goes_on_over_questions_and_is_gone_with_its_connection() {
    let server = ModelServer::start([
        Answer::Text(format!("First {MARKER}.")),
        Answer::Text(format!("Second {MARKER}.")),
    ]);
    let desk = Desk::with_model(&server.url());
    let resident = Resident::start(&desk);
    let mut open = Connection::ask(&desk, &json!({"request": "incognito"}));
    let session = open.next().unwrap()["session"].clone();
    let pasted = json!({"from": "text", "text": format!("pasted {MARKER}-pasted"), "name": null});
    let inspected = Connection::ask(
        &desk,
        &json!({"request": "inspect", "source": pasted, "session": session}),
    )
    .last();
    let path = inspected["attachment"]["path"].as_str().unwrap().to_owned();
    assert_no_trace(&desk, "after something was pasted");
    let ask = |text: &str, files: &[&str]| {
        let request = json!({"request": "ask", "text": text, "session": session, "files": files});
        let ended = Connection::ask(&desk, &request).last();
        assert_eq!(ended["status"], "completed", "{ended}");
    };
    ask(&format!("one {MARKER}?"), &[&path]);
    assert!(server.last_prompt().contains(&format!("{MARKER}-pasted")));
    ask("two?", &[]);
    assert!(
        server.last_prompt().contains(&format!("First {MARKER}")),
        "it is one conversation"
    );
    let shown = Connection::ask(&desk, &json!({"request": "session_show", "session": session})).last();
    assert_eq!(shown["session"]["summary"]["questions"], 2);
    let listed = Connection::ask(&desk, &json!({"request": "session_list", "limit": 9})).last();
    assert!(!listed.to_string().contains(MARKER));
    assert_eq!(
        listed["sessions"].as_array().unwrap().len(),
        1,
        "that of the resident alone"
    );
    assert_no_trace(&desk, "while it is open");
    drop(open);
    until("the session goes with its connection", || {
        Connection::ask(&desk, &json!({"request": "session_show", "session": session})).last()["reply"]
            == "failed"
    });
    until("its files go, too", || !Path::new(&path).exists());
    assert_no_trace(&desk, "after it was closed");
    resident.kill();
    assert_no_trace(&desk, "after the program was killed");
    assert_eq!(
        sessions(&desk).len(),
        1,
        "the next start; it removes what lay in memory"
    );
}

#[test]
fn more_of_them_than_are_good_for_the_machine_are_refused_with_a_sentence() {
    let desk = Desk::with_model("http://127.0.0.1:9");
    let resident = Resident::start(&desk);
    let mut open: Vec<Connection> = (0..9)
        .map(|_| Connection::ask(&desk, &json!({"request": "incognito"})))
        .collect();
    let replies: Vec<Value> = open
        .iter_mut()
        .map(|connection| connection.next().unwrap())
        .collect();
    let refused: Vec<&Value> = replies
        .iter()
        .filter(|reply| reply["reply"] == "failed")
        .collect();
    assert_eq!(refused.len(), 1);
    assert!(refused[0]["error"]["message"].as_str().unwrap().contains('8'));
    resident.kill();
}

#[test]
fn one_that_would_have_to_wait_says_so_and_ends() {
    let server = ModelServer::start([Answer::Text(
        "```python\nanswer = await user.ask(text=\"which one?\")\nprint(answer)\n```".to_owned(),
    )]);
    let desk = Desk::with_model(&server.url());
    let asked = desk.run(["ask", "--incognito", "do it"]);
    assert_eq!(asked.code, Some(1), "{}", asked.stderr);
    assert!(
        asked.stderr.contains("which one?") && asked.stderr.contains("incognito"),
        "{}",
        asked.stderr
    );
    let chinese = desk.run(["--lang", "zh", "help", "ask"]);
    assert!(chinese.stdout.contains("不留痕迹"), "{}", chinese.stdout);
}

#[test]
fn it_goes_on_in_no_session_and_from_no_earlier_run() {
    let server = ModelServer::repeating(Answer::Text("no".to_owned()));
    let desk = Desk::with_model(&server.url());
    for other in [["--session", "last"], ["--again", "last"]] {
        let printed = desk.run(["ask", "--incognito", other[0], other[1], "q"]);
        assert_eq!(printed.code, Some(2), "{other:?}");
    }
    assert!(server.requests().is_empty());
}
