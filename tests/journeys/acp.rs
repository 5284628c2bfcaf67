//! Shidi as the agent of an editor: prompts, decisions, changes of files, cancelling, taking up again.

use serde_json::{Value, json};
use shidi_tests::command::Desk;
use shidi_tests::line_peer::LinePeer;
use shidi_tests::model_server::{Answer, ModelServer, reply};
use std::fs;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

struct Editor {
    agent: LinePeer,
    /// What it was told, in order.
    updates: Vec<Value>,
    /// What it was asked.
    asked: Vec<Value>,
    /// What it says when it is asked; without one, it says nothing.
    choice: Option<&'static str>,
}

impl Editor {
    fn start(desk: &Desk) -> Self {
        let mut editor = Self {
            agent: LinePeer::start(desk, ["acp"]),
            updates: Vec::new(),
            asked: Vec::new(),
            choice: None,
        };
        let about = json!({"protocolVersion": 1, "clientCapabilities": {}});
        let greeted = editor.request("initialize", &about);
        assert_eq!(greeted["result"]["protocolVersion"], 1, "{greeted}");
        editor
    }

    fn write(&mut self, line: &str) {
        self.agent.write(line);
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.agent.send(method, params)
    }

    /// Takes the next message; answers what it is asked.
    fn next(&mut self) -> Value {
        let message = self.agent.message();
        match message["method"].as_str() {
            Some("session/update") => self.updates.push(message["params"]["update"].clone()),
            Some(_) => {
                self.asked.push(message.clone());
                if let Some(choice) = self.choice {
                    let outcome = json!({"outcome": {"outcome": "selected", "optionId": choice}});
                    let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": outcome});
                    self.write(&answer.to_string());
                }
            }
            None => {}
        }
        message
    }

    fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    fn new_session(&mut self, folder: &std::path::Path) -> String {
        let made = self.request("session/new", &json!({"cwd": folder, "mcpServers": []}));
        made["result"]["sessionId"]
            .as_str()
            .unwrap_or_else(|| panic!("{made}"))
            .to_owned()
    }

    fn prompt(&mut self, session: &str, text: &str) -> Value {
        self.request("session/prompt", &prompt(session, text))
    }

    /// The words of a kind that it was told since it last asked.
    fn words(&self, kind: &str) -> String {
        let of = self
            .updates
            .iter()
            .filter(|update| update["sessionUpdate"] == kind);
        of.filter_map(|update| update["content"]["text"].as_str())
            .collect()
    }

    /// The changes of files that it was shown.
    fn diffs(&self) -> Vec<Value> {
        let contents = self
            .updates
            .iter()
            .filter_map(|update| update["content"].as_array());
        let diffs = contents.flatten().filter(|content| content["type"] == "diff");
        diffs.cloned().collect()
    }

    fn end(self) -> ExitStatus {
        self.agent.end()
    }
}

fn prompt(session: &str, text: &str) -> Value {
    json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]})
}

/// A model that runs these programs one after the other, then is done.
fn doing<const COUNT: usize>(programs: [&str; COUNT]) -> ModelServer {
    let programs = programs.map(|program| Answer::Text(format!("```python\n{program}\n```")));
    ModelServer::start(programs.into_iter().chain([Answer::Text("All done.".into())]))
}

fn project(desk: &Desk) -> PathBuf {
    let folder = desk.path("work");
    fs::create_dir_all(&folder).unwrap();
    folder.canonicalize().unwrap()
}

#[test]
fn a_prompt_is_answered_word_by_word_and_a_write_shows_what_it_changed() {
    let server = doing([
        "print(await files.read(path='notes.txt'))\nawait files.edit(path='notes.txt', old='teh', new='the')\n\
         await files.write(path='new.md', text='# Notes\\n')",
    ]);
    let desk = Desk::with_model(&server.url());
    let folder = project(&desk);
    fs::write(folder.join("notes.txt"), "one\nteh harbour\n").unwrap();
    let mut editor = Editor::start(&desk);
    let session = editor.new_session(&folder);
    let ended = editor.prompt(&session, "Tidy the notes");
    assert_eq!(ended["result"]["stopReason"], "end_turn", "{ended}");
    assert!(
        editor.words("agent_message_chunk").ends_with("All done."),
        "{:?}",
        editor.updates
    );
    assert_eq!(
        fs::read_to_string(folder.join("notes.txt")).unwrap(),
        "one\nthe harbour\n"
    );
    let diffs = editor.diffs();
    assert_eq!(diffs.len(), 2, "{diffs:?}");
    assert_eq!(diffs[0]["path"], folder.join("notes.txt").to_str().unwrap());
    assert_eq!(diffs[0]["oldText"], "one\nteh harbour\n");
    assert_eq!(diffs[0]["newText"], "one\nthe harbour\n");
    assert_eq!(diffs[1]["oldText"], Value::Null);
    assert_eq!(diffs[1]["newText"], "# Notes\n");
    let kinds: Vec<&str> = editor
        .updates
        .iter()
        .filter(|update| update["sessionUpdate"] == "tool_call")
        .map(|update| update["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["execute", "read", "edit", "edit"]);
    assert!(
        editor.asked.is_empty(),
        "what can be undone in the project is not asked about"
    );
    assert!(editor.end().success());
    let shown = desk.run(["session", "show", "last"]).stdout;
    assert!(shown.contains("Tidy the notes"), "{shown}");
}

#[test]
fn what_needs_leave_is_asked_in_the_editor_with_the_whole_call_and_its_change() {
    let server = doing(["await files.write(path='a.txt', text='mine\\n')"]);
    let desk = Desk::with_model(&server.url());
    let folder = project(&desk);
    fs::write(folder.join("a.txt"), "theirs\n").unwrap();
    let mut editor = Editor::start(&desk);
    let session = editor.new_session(&folder);
    let set = editor.request(
        "session/set_mode",
        &json!({"sessionId": session, "modeId": "ask"}),
    );
    assert_eq!(set["result"], json!({}));
    editor.choice = Some("once");
    let ended = editor.prompt(&session, "Write it");
    assert_eq!(ended["result"]["stopReason"], "end_turn", "{ended}");
    assert_eq!(editor.asked.len(), 1, "{:?}", editor.asked);
    let asked = &editor.asked[0];
    assert_eq!(asked["method"], "session/request_permission");
    let call = &asked["params"]["toolCall"];
    let text = call["content"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("files.write") && text.contains("mine"), "{text}");
    assert_eq!(call["content"][1]["oldText"], "theirs\n");
    assert_eq!(call["content"][1]["newText"], "mine\n");
    let kinds: Vec<&str> = asked["params"]["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| option["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["allow_once", "allow_always", "reject_once"]);
    assert_eq!(fs::read_to_string(folder.join("a.txt")).unwrap(), "mine\n");
}

#[test]
fn a_refusal_keeps_the_file_as_it_was_and_the_model_is_told() {
    let server = doing(["await files.write(path='../beside.txt', text='x')"]);
    let desk = Desk::with_model(&server.url());
    let folder = project(&desk);
    let mut editor = Editor::start(&desk);
    let session = editor.new_session(&folder);
    editor.choice = Some("refuse");
    let ended = editor.prompt(&session, "Write beside it");
    assert_eq!(ended["result"]["stopReason"], "end_turn", "{ended}");
    assert_eq!(editor.asked.len(), 1);
    assert!(!desk.path("beside.txt").exists());
    assert_eq!(
        server.requests().len(),
        2,
        "the model goes on, told of the refusal"
    );
}

#[test]
fn a_cancel_stops_the_answer_and_a_pending_permission() {
    let server = ModelServer::start([Answer::Silence, reply("read_hosts")]);
    let desk = Desk::with_model(&server.url());
    let folder = project(&desk);
    let mut editor = Editor::start(&desk);
    let session = editor.new_session(&folder);
    let cancel = json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}});
    let id = editor.send("session/prompt", &prompt(&session, "Say something"));
    while server.requests().is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let busy = editor.prompt(&session, "And another");
    assert_eq!(busy["error"]["code"], -32602, "{busy}");
    editor.write(&cancel.to_string());
    assert_eq!(editor.answer(id)["result"]["stopReason"], "cancelled");

    let id = editor.send("session/prompt", &prompt(&session, "Read my host name"));
    while editor.asked.is_empty() {
        editor.next();
    }
    editor.write(&cancel.to_string());
    assert_eq!(editor.answer(id)["result"]["stopReason"], "cancelled");
    let shown = desk.run(["--json", "session", "show", "last"]).json();
    let runs = shown[0]["runs"].as_array().unwrap();
    assert!(runs.iter().all(|run| run["status"] == "cancelled"), "{runs:?}");
    assert!(editor.end().success());
}

#[test]
fn a_session_is_listed_and_shown_again_by_another_process_and_goes_on() {
    let server = ModelServer::start([
        Answer::Text("It is blue.".into()),
        Answer::Text("As I said.".into()),
    ]);
    let desk = Desk::with_model(&server.url());
    let folder = project(&desk);
    let mut editor = Editor::start(&desk);
    let session = editor.new_session(&folder);
    editor.prompt(&session, "Which colour has the sky?");
    editor.agent.kill();

    let mut editor = Editor::start(&desk);
    let listed = editor.request("session/list", &json!({"cwd": folder}));
    assert_eq!(listed["result"]["sessions"][0]["sessionId"], session, "{listed}");
    let open = json!({"sessionId": session, "cwd": folder, "mcpServers": []});
    let loaded = editor.request("session/load", &open);
    assert_eq!(loaded["result"]["modes"]["currentModeId"], "risky", "{loaded}");
    assert_eq!(editor.words("user_message_chunk"), "Which colour has the sky?");
    assert_eq!(editor.words("agent_message_chunk"), "It is blue.");
    let ended = editor.prompt(&session, "Say it again");
    assert_eq!(ended["result"]["stopReason"], "end_turn", "{ended}");
    assert!(server.last_prompt().contains("It is blue."));
    let unknown = json!({"sessionId": "nobody", "cwd": folder, "mcpServers": []});
    assert_eq!(editor.request("session/load", &unknown)["error"]["code"], -32002);
}

#[test]
fn what_waited_when_the_editor_died_is_asked_again() {
    let server = ModelServer::start([reply("read_hosts"), Answer::Text("Gone on.".into())]);
    let desk = Desk::with_model(&server.url());
    let folder = project(&desk);
    let mut editor = Editor::start(&desk);
    let session = editor.new_session(&folder);
    editor.send("session/prompt", &prompt(&session, "How long is my host name?"));
    while editor.asked.is_empty() {
        editor.next();
    }
    editor.agent.kill();

    let mut editor = Editor::start(&desk);
    let open = json!({"sessionId": session, "cwd": folder, "mcpServers": []});
    editor.request("session/load", &open);
    editor.choice = Some("once");
    let ended = editor.prompt(&session, "Go on");
    assert_eq!(ended["result"]["stopReason"], "end_turn", "{ended}");
    assert_eq!(editor.asked.len(), 1);
    assert!(
        editor.words("agent_message_chunk").contains("characters"),
        "{:?}",
        editor.updates
    );
}

#[test]
fn a_run_that_was_begun_in_another_folder_shows_no_file_of_this_one() {
    let server = doing(["await files.write(path='a.txt', text='mine\\n')"]);
    let desk = Desk::with_model(&server.url());
    let (folder, other) = (project(&desk), desk.path("other"));
    fs::create_dir_all(&other).unwrap();
    fs::write(folder.join("a.txt"), "theirs\n").unwrap();
    fs::write(other.join("a.txt"), "of another project\n").unwrap();
    let mut editor = Editor::start(&desk);
    let session = editor.new_session(&folder);
    let asks = json!({"sessionId": session, "modeId": "ask"});
    editor.request("session/set_mode", &asks);
    editor.send("session/prompt", &prompt(&session, "Write it"));
    while editor.asked.is_empty() {
        editor.next();
    }
    let kept = editor.request(
        "session/set_mode",
        &json!({"sessionId": session, "modeId": "trust"}),
    );
    assert!(
        kept["error"]["message"]
            .as_str()
            .unwrap()
            .contains("keeps the mode"),
        "{kept}"
    );
    editor.agent.kill();

    let mut editor = Editor::start(&desk);
    let open = json!({"sessionId": session, "cwd": other, "mcpServers": []});
    editor.request("session/load", &open);
    editor.choice = Some("once");
    // What the model says to the new words is no matter here.
    editor.prompt(&session, "Go on");
    let call = &editor.asked[0]["params"]["toolCall"];
    assert_eq!(call["content"].as_array().unwrap().len(), 1, "{call}");
    let whole = call["content"][0]["content"]["text"].as_str().unwrap();
    assert!(whole.contains("a.txt") && whole.contains("mine"), "{whole}");
    assert_eq!(fs::read_to_string(folder.join("a.txt")).unwrap(), "mine\n");
    assert_eq!(
        fs::read_to_string(other.join("a.txt")).unwrap(),
        "of another project\n"
    );
}

#[test]
fn an_editor_that_goes_leaves_what_waits_waiting() {
    let server = ModelServer::start([reply("read_hosts")]);
    let desk = Desk::with_model(&server.url());
    let folder = project(&desk);
    let mut editor = Editor::start(&desk);
    let session = editor.new_session(&folder);
    editor.send("session/prompt", &prompt(&session, "How long is my host name?"));
    while editor.asked.is_empty() {
        editor.next();
    }
    assert!(editor.end().success());
    let shown = desk.run(["--json", "session", "show", "last"]).json();
    assert_eq!(shown[0]["runs"][0]["status"], "suspended");
}

#[test]
fn a_question_ends_the_turn_and_the_next_prompt_answers_it() {
    let server = ModelServer::start([reply("ask_back")]);
    let desk = Desk::with_model(&server.url());
    let folder = project(&desk);
    let mut editor = Editor::start(&desk);
    let session = editor.new_session(&folder);
    let ended = editor.prompt(&session, "Reserve a table");
    assert_eq!(ended["result"]["stopReason"], "end_turn", "{ended}");
    assert!(
        editor
            .words("agent_message_chunk")
            .contains("For how many people?")
    );
    // A file that went along would be lost: nothing is taken, and the question stays.
    let pieces = json!([
        {"type": "text", "text": "4, as in "},
        {"type": "resource_link", "name": "a.txt", "uri": format!("file://{}", folder.join("a.txt").display())},
    ]);
    let with_file = editor.request("session/prompt", &json!({"sessionId": session, "prompt": pieces}));
    let said = with_file["error"]["message"].as_str().unwrap();
    assert!(said.contains("Answer in words"), "{with_file}");
    editor.prompt(&session, "4");
    assert!(
        editor.words("agent_message_chunk").ends_with("A table for 4"),
        "{:?}",
        editor.updates
    );
}

#[test]
fn what_comes_along_is_data_and_the_editors_servers_are_named_as_left_out() {
    let server = ModelServer::start([Answer::Text("Read.".into())]);
    let desk = Desk::with_model(&server.url());
    let folder = project(&desk);
    fs::write(folder.join("a.txt"), "the linked one").unwrap();
    let mut editor = Editor::start(&desk);
    let servers = json!([{"name": "git", "command": "git-server", "args": [], "env": []}]);
    let made = editor.request("session/new", &json!({"cwd": folder, "mcpServers": servers}));
    let session = made["result"]["sessionId"].as_str().unwrap();
    let pieces = json!([
        {"type": "text", "text": "Compare "},
        {"type": "resource_link", "name": "a.txt", "uri": format!("file://{}", folder.join("a.txt").display())},
        {"type": "text", "text": " with "},
        {"type": "resource", "resource": {"uri": "file:///tmp/b.txt", "text": "the embedded one"}},
    ]);
    let ended = editor.request("session/prompt", &json!({"sessionId": session, "prompt": pieces}));
    assert_eq!(ended["result"]["stopReason"], "end_turn", "{ended}");
    let said = editor.words("agent_message_chunk");
    assert!(said.contains("git") && said.contains("shidi mcp add"), "{said}");
    let prompt = server.last_prompt();
    for words in [
        "Compare [attached 1] with [attached 2]",
        "the linked one",
        "the embedded one",
    ] {
        assert!(prompt.contains(words), "{words}: {prompt}");
    }
}

#[test]
fn nonsense_is_answered_with_one_sentence_and_the_editor_is_served_on() {
    let desk = Desk::new();
    let folder = project(&desk);
    let mut editor = Editor::start(&desk);
    editor.write("{\"jsonrpc\":");
    assert_eq!(editor.next()["error"]["code"], -32700);
    editor.write("[]");
    assert_eq!(editor.next()["error"]["code"], -32600);
    let long = "x".repeat((32 << 20) + 1);
    editor.write(&long);
    assert_eq!(editor.next()["error"]["code"], -32600);
    for (method, params, code) in [
        ("session/fly", json!({}), -32601),
        ("session/new", json!({"mcpServers": []}), -32602),
        ("session/new", json!({"cwd": "here", "mcpServers": []}), -32602),
        (
            "session/new",
            json!({"cwd": "/no/such/folder", "mcpServers": []}),
            -32602,
        ),
        (
            "session/prompt",
            json!({"sessionId": "nobody", "prompt": [{"type": "text", "text": "x"}]}),
            -32002,
        ),
        ("session/prompt", json!({"sessionId": 7}), -32602),
        ("initialize", json!({}), -32602),
    ] {
        let refused = editor.request(method, &params);
        assert_eq!(refused["error"]["code"], code, "{method}: {refused}");
        assert!(refused["error"]["message"].as_str().unwrap().ends_with('.') || method == "session/new");
    }
    let session = editor.new_session(&folder);
    let audio = json!({"sessionId": session, "prompt": [{"type": "audio", "data": "AA"}]});
    let refused = editor.request("session/prompt", &audio);
    assert!(
        refused["error"]["message"].as_str().unwrap().contains("audio"),
        "{refused}"
    );
    assert!(editor.end().success());
}

#[test]
fn a_model_that_fails_is_an_error_with_its_remedy() {
    let server = ModelServer::repeating(Answer::Status {
        code: 401,
        headers: Vec::new(),
        body: "{\"error\": {\"message\": \"bad key\"}}".into(),
    });
    let desk = Desk::with_model(&server.url());
    let folder = project(&desk);
    let mut editor = Editor::start(&desk);
    let session = editor.new_session(&folder);
    let failed = editor.prompt(&session, "Hello?");
    assert_eq!(failed["error"]["code"], -32603, "{failed}");
    assert!(
        failed["error"]["message"]
            .as_str()
            .unwrap()
            .contains("shidi key set"),
        "{failed}"
    );
}

#[test]
fn what_a_server_asks_in_the_middle_of_a_call_is_declined_in_an_editor_which_has_no_form_for_it() {
    let server = doing(["print(await peer.ask_form())"]);
    let desk = Desk::with_model(&server.url());
    let program = env!("CARGO_BIN_EXE_shidi-test-server");
    for words in [
        &["mcp", "add", "peer", "--", program, "--asks"][..],
        &["mcp", "allow", "peer", "ask_form", "--class", "read"],
    ] {
        assert_eq!(desk.run(words).code, Some(0));
    }
    let mut editor = Editor::start(&desk);
    let session = editor.new_session(&project(&desk));
    let answered = editor.prompt(&session, "book it");
    assert_eq!(answered["result"]["stopReason"], "end_turn", "{answered}");
    let said = editor.words("agent_message_chunk");
    assert!(
        said.contains("it was declined") && said.contains("All done."),
        "{said}"
    );
    assert!(
        server.last_prompt().contains("decline"),
        "{}",
        server.last_prompt()
    );
    editor.end();
}
