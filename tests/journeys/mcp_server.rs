//! Shidi as the MCP server of another program: off until it is switched on, allowed program by program, asked, cancelled.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed, Staying, shidi};
use shidi_tests::line_peer::{self, LinePeer};
use shidi_tests::model_server::{Answer, ModelServer};
use std::process::ExitStatus;
use std::time::Instant;

/// A program that speaks to `shidi mcp serve`.
struct Client {
    server: LinePeer,
    /// News that came before the answers.
    news: Vec<Value>,
}

impl Client {
    fn start(desk: &Desk) -> Self {
        Self {
            server: LinePeer::start(desk, ["mcp", "serve"]),
            news: Vec::new(),
        }
    }

    /// The same after the usual greeting.
    fn named(desk: &Desk, name: &str) -> Self {
        let mut client = Self::start(desk);
        let greeted = client.greet(name);
        assert_eq!(greeted["result"]["serverInfo"]["name"], "shidi", "{greeted}");
        client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        client
    }

    fn greet(&mut self, name: &str) -> Value {
        let own = json!({"name": name, "version": "1"});
        let about = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": own});
        self.request("initialize", &about)
    }

    fn write(&mut self, line: &str) {
        self.server.write(line);
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.server.send(method, params)
    }

    fn next(&mut self) -> Value {
        self.server.message()
    }

    fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id {
                return message;
            }
            self.news.push(message);
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    fn end(self) -> ExitStatus {
        self.server.end()
    }
}

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

/// A desk that serves, with one client that is allowed.
fn serving(server: &ModelServer) -> Desk {
    let desk = Desk::with_model(&server.url());
    done(desk.run(["config", "set", "mcp.serve", "on"]));
    done(desk.run(["mcp", "clients", "allow", "Zed"]));
    desk
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

/// How the newest run ended, as it is on record.
fn newest_status(desk: &Desk) -> Value {
    let shown = done(desk.run(["--json", "session", "show", "last"])).json();
    let runs = shown[0]["runs"].as_array().unwrap().clone();
    runs.last().unwrap()["status"].clone()
}

#[test]
fn nobody_is_served_until_the_user_switches_it_on() {
    let desk = Desk::new();
    let mut client = Client::start(&desk);
    let refused = client.greet("Zed");
    let said = refused["error"]["message"].as_str().unwrap();
    assert!(said.contains("shidi config set mcp.serve on"), "{said}");
    assert_eq!(client.end().code(), Some(2));
    let zh = desk.run_with(
        ["--lang", "zh", "mcp", "serve"],
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"Zed\",\"version\":\"1\"}}}\n",
    );
    assert_eq!(zh.code, Some(2));
    assert!(zh.stderr.contains("师弟没有给其他程序使用"), "{}", zh.stderr);
    assert!(zh.json()[0]["error"].is_object());
    assert!(done(desk.run(["--json", "mcp", "clients"])).stdout.is_empty());
}

#[test]
fn a_program_asks_and_gets_nothing_until_the_user_allows_it() {
    let desk = Desk::new();
    done(desk.run(["config", "set", "mcp.serve", "on"]));
    done(desk.run(["memory", "add", "The kitchen tea is sencha"]));
    let mut client = Client::named(&desk, "Z\u{200b}e\u{202e}d");
    let tools = client.request("tools/list", &json!({}))["result"]["tools"].clone();
    let names: Vec<&str> = tools
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["search_memory", "search_sessions", "current_context", "ask"]
    );
    let query = json!({"query": "tea"});
    let refused = client.call("search_memory", &query);
    assert_eq!(refused["isError"], true);
    assert!(
        text(&refused).contains("shidi mcp clients allow Zed"),
        "{refused}"
    );
    let listed = done(desk.run(["--json", "mcp", "clients"])).json();
    assert_eq!(listed, [json!({"name": "Zed", "state": "asking"})]);

    let allowed = done(desk.run(["mcp", "clients", "allow", "Zed"])).stdout;
    assert!(allowed.contains("allowed  Zed"), "{allowed}");
    let found = client.call("search_memory", &query);
    assert_eq!(found["isError"], false, "{found}");
    let memories = found["structuredContent"]["memories"].as_array().unwrap();
    assert_eq!(memories[0]["text"], "The kitchen tea is sencha");
    assert_eq!(
        client.call("search_sessions", &query)["structuredContent"]["sessions"],
        json!([])
    );

    done(desk.run(["mcp", "clients", "deny", "Zed"]));
    assert_eq!(client.call("search_memory", &query)["isError"], true);
    done(desk.run(["mcp", "clients", "forget", "Zed"]));
    done(desk.run(["config", "set", "mcp.serve", "off"]));
    assert!(text(&client.call("search_memory", &query)).contains("mcp.serve on"));
    assert_eq!(desk.run(["mcp", "clients", "forget", "Nobody"]).code, Some(2));
    assert!(client.end().success());
}

#[test]
fn what_is_quick_is_answered_while_a_question_is_at_work() {
    let desk = Desk::new();
    done(desk.run(["config", "set", "mcp.serve", "on"]));
    done(desk.run(["mcp", "clients", "allow", "Zed"]));
    let mut client = Client::named(&desk, "Zed");
    // The folder is being let go while the next ones come: all of them find it closed.
    client.call("search_memory", &json!({"query": "tea"}));
    // Without a model a question that is a program is run as it stands.
    let question = json!({"question": "```python\nawait system.sleep(seconds=60)\n```"});
    let asked = client.send("tools/call", &json!({"name": "ask", "arguments": question}));
    let search = json!({"name": "search_memory", "arguments": {"query": "tea"}});
    let mut open = vec![
        client.send("tools/call", &search),
        client.send("tools/call", &search),
    ];
    while !open.is_empty() {
        let message = client.next();
        assert_ne!(message["id"], asked, "the question is the last one: {message}");
        open.retain(|id| message["id"] != *id);
    }
    assert!(client.end().success());
}

#[test]
fn a_question_is_answered_with_news_on_the_way_and_is_a_session_of_the_users() {
    let server = ModelServer::start([Answer::Text("Sencha, at 70 degrees.".to_owned())]);
    let desk = serving(&server);
    let mut client = Client::named(&desk, "Zed");
    let id = client.send(
        "tools/call",
        &json!({"name": "ask", "arguments": {"question": "Which tea?"}, "_meta": {"progressToken": "t1"}}),
    );
    let answer = client.answer(id)["result"].clone();
    assert_eq!(text(&answer), "Sencha, at 70 degrees.");
    assert_eq!(answer["structuredContent"]["status"], "completed", "{answer}");
    let news = client
        .news
        .iter()
        .find(|news| news["method"] == "notifications/progress");
    assert_eq!(news.unwrap()["params"]["progressToken"], "t1");
    let found = client.call("search_sessions", &json!({"query": "tea"}));
    assert_eq!(
        found["structuredContent"]["sessions"][0]["id"],
        answer["structuredContent"]["session"]
    );
    assert!(client.end().success());
}

#[test]
fn what_needs_approval_waits_for_the_user_whatever_they_allowed_elsewhere() {
    let program = "[Thought]: I keep it.\n```python\nawait memory.remember(text='The door code is 4711')\nprint('kept')\n```";
    let server = ModelServer::start([
        Answer::Text(program.to_owned()),
        Answer::Text("It is kept.".to_owned()),
    ]);
    let desk = serving(&server);
    done(desk.run(["config", "set", "mode", "trust"]));
    let mut client = Client::named(&desk, "Zed");
    let waits = client.call("ask", &json!({"question": "Remember the door code 4711"}));
    let data = &waits["structuredContent"];
    assert_eq!(data["status"], "suspended", "{waits}");
    let said = text(&waits);
    assert!(
        said.contains("memory.remember") && said.contains("4711"),
        "{said}"
    );
    let command = said.split("shidi approve ").nth(1).unwrap();
    let words: Vec<&str> = command.trim_end_matches('.').split(' ').collect();
    let kept = || done(desk.run(["--json", "memory", "list"])).stdout;
    assert!(!kept().contains("4711"), "nothing was done: {}", kept());
    done(desk.run(["approve", words[0], words[1]]));
    assert!(kept().contains("4711"), "{}", kept());
    assert!(client.end().success());
}

#[test]
fn a_question_that_is_taken_back_stops_its_run_and_so_does_the_end_of_the_client() {
    let server = ModelServer::repeating(Answer::Silence);
    let desk = serving(&server);
    let mut client = Client::named(&desk, "Zed");
    let ask = json!({"name": "ask", "arguments": {"question": "Which tea?"}, "_meta": {"progressToken": 1}});
    let id = client.send("tools/call", &ask);
    let begun = client.next();
    assert_eq!(begun["method"], "notifications/progress", "{begun}");
    let taken_back =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    client.write(&taken_back.to_string());
    // The next call is answered, and the run has ended by then or shortly after.
    client.call("search_sessions", &json!({"query": "tea"}));
    let begun = Instant::now();
    while newest_status(&desk) != "cancelled" {
        assert!(begun.elapsed() < line_peer::WAIT, "{}", newest_status(&desk));
    }
    client.send("tools/call", &ask);
    assert_eq!(client.next()["method"], "notifications/progress");
    assert!(client.end().success());
    assert_eq!(newest_status(&desk), "cancelled");
}

#[test]
fn what_is_no_message_is_answered_with_a_sentence_and_the_next_one_is_served() {
    let server = ModelServer::start([]);
    let desk = serving(&server);
    let mut client = Client::named(&desk, "Zed");
    client.write("{\"jsonrpc\": \"2.0\", \"id\": ");
    assert_eq!(client.next()["error"]["code"], -32700);
    client.write(&"x".repeat(3 << 20));
    let long = client.next();
    assert!(
        long["error"]["message"].as_str().unwrap().contains("bytes"),
        "{long}"
    );
    let unknown = client.request("tools/call", &json!({"name": "burn", "arguments": {}}));
    let said = unknown["error"]["message"].as_str().unwrap();
    assert!(said.contains("burn") && said.contains("search_memory"), "{said}");
    let wrong = client.request("tools/call", &json!({"name": "ask", "arguments": ["Which tea?"]}));
    assert_eq!(wrong["error"]["code"], -32602, "{wrong}");
    assert_eq!(
        client.request("resources/burn", &json!({}))["error"]["code"],
        -32601
    );
    let wrong = client.call("search_memory", &json!({"query": "tea", "limit": "all"}));
    assert!(text(&wrong).contains("from 1 to 50"), "{wrong}");
    assert!(client.call("search_memory", &json!({"query": "tea"}))["structuredContent"].is_object());
    assert!(client.end().success());
}

#[test]
fn a_program_that_does_not_greet_is_told_how_and_one_that_says_nothing_is_no_failure() {
    let desk = Desk::new();
    let rude = desk.run_with(["mcp", "serve"], "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    assert_eq!(rude.code, Some(2), "{}{}", rude.stdout, rude.stderr);
    assert!(rude.stderr.contains("initialize"), "{}", rude.stderr);
    assert_eq!(done(desk.run(["mcp", "serve"])).stdout, "");
}

#[test]
fn what_the_gate_keeps_back_is_not_given_and_the_ledger_names_who_asked() {
    let server = ModelServer::start([]);
    let desk = serving(&server);
    done(desk.run(["config", "set", "privacy.sensing", "paused"]));
    let mut client = Client::named(&desk, "Zed");
    let kept_back = client.call("current_context", &json!({}));
    assert_eq!(kept_back["isError"], true, "{kept_back}");
    let ledger = done(desk.run(["--json", "sense", "--ledger"])).json();
    assert_eq!(
        (&ledger[0]["outcome"], &ledger[0]["title"]),
        (&json!("refused"), &json!("Zed"))
    );
    assert!(client.end().success());
}

#[test]
fn a_server_holds_no_data_folder_between_calls_and_works_through_the_process_that_does() {
    let server = ModelServer::start([]);
    let desk = serving(&server);
    let mut client = Client::named(&desk, "Zed");
    let query = json!({"query": "tea"});
    client.call("search_memory", &query);
    let holder = Staying::start(&desk);
    assert_eq!(client.call("search_memory", &query)["isError"], false);
    drop(holder);
    // Killed, it leaves its folder to whoever comes next.
    assert_eq!(client.call("search_memory", &query)["isError"], false);
    client.server.kill();
    done(desk.run(["memory", "search", "tea"]));
}

#[test]
fn another_shidi_is_a_client_as_any_other() {
    let host = Desk::new();
    done(host.run(["config", "set", "mcp.serve", "on"]));
    done(host.run(["memory", "add", "The kitchen tea is sencha"]));
    let program = "[Thought]: I look.\n```python\nprint(await friend.search_memory(query='tea'))\n```";
    let server = ModelServer::start([
        Answer::Text(program.to_owned()),
        Answer::Text("Sencha.".to_owned()),
    ]);
    let guest = Desk::with_model(&server.url());
    let data = host.data().display().to_string();
    let program = shidi().display().to_string();
    done(guest.run([
        "mcp",
        "add",
        "friend",
        "--",
        &program,
        "mcp",
        "serve",
        "--data-dir",
        &data,
    ]));
    done(guest.run(["mcp", "allow", "friend", "search_memory", "--class", "read"]));
    let clients = done(host.run(["--json", "mcp", "clients"])).json();
    for client in &clients {
        done(host.run(["mcp", "clients", "allow", client["name"].as_str().unwrap()]));
    }
    if clients.is_empty() {
        done(host.run(["mcp", "clients", "allow", "shidi"]));
    }
    let answered = done(guest.run(["ask", "--json", "which tea?"]));
    assert!(
        answered.event("output").to_string().contains("sencha"),
        "{}",
        answered.stdout
    );
}

/// A prompt with fields, and a skill that nobody has reviewed.
fn with_prompts(desk: &Desk) {
    let prompts = desk.data().join("saved-prompts");
    let skill = desk.data().join("skills/mine");
    for folder in [&prompts, &skill] {
        std::fs::create_dir_all(folder).unwrap();
    }
    let text = "---\ndescription: Translates a text\nfields:\n  language:\n    label: Into what\n    \
                choices: [English, Estonian, French]\n---\n\nTranslate {text} into {language}.\n";
    std::fs::write(prompts.join("translate.md"), text).unwrap();
    let text = "---\nname: mine\ndescription: Does what mine does.\n---\nFollow step nine.\n";
    std::fs::write(skill.join("SKILL.md"), text).unwrap();
}

fn prompts_of(client: &mut Client) -> Vec<String> {
    let listed = client.request("prompts/list", &json!({}));
    let prompts = listed["result"]["prompts"].as_array();
    let prompts = prompts.unwrap_or_else(|| panic!("{listed}"));
    let names = prompts.iter().map(|prompt| prompt["name"].as_str().unwrap());
    names.map(str::to_owned).collect()
}

#[test]
fn own_prompts_and_reviewed_skills_are_prompts_of_a_program_that_is_allowed() {
    let desk = Desk::new();
    done(desk.run(["config", "set", "mcp.serve", "on"]));
    with_prompts(&desk);
    let mut client = Client::named(&desk, "Zed");
    assert!(prompts_of(&mut client).is_empty(), "it is not allowed yet");
    let whole = json!({"name": "translate", "arguments": {"text": "Tee", "language": "English"}});
    let refused = client.request("prompts/get", &whole)["error"]["message"].to_string();
    assert!(refused.contains("shidi mcp clients allow Zed"), "{refused}");
    let named = json!({"ref": {"type": "ref/prompt", "name": "translate"},
        "argument": {"name": "language", "value": "e"}});
    let nothing = client.request("completion/complete", &named);
    assert_eq!(nothing["result"]["completion"]["values"], json!([]), "{nothing}");

    done(desk.run(["mcp", "clients", "allow", "Zed"]));
    assert_eq!(
        prompts_of(&mut client),
        ["translate"],
        "nobody has reviewed the skill"
    );
    done(desk.run(["skill", "approve", "mine", "--yes"]));
    assert_eq!(prompts_of(&mut client), ["translate", "mine"]);

    let written = client.request("prompts/get", &whole)["result"].clone();
    assert_eq!(written["description"], "Translates a text");
    assert_eq!(
        written["messages"][0]["content"]["text"],
        "Translate Tee into English."
    );
    let lacking = json!({"name": "translate", "arguments": {"text": "Tee"}});
    let refused = client.request("prompts/get", &lacking);
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let said = refused["error"]["message"].to_string();
    assert!(
        said.contains("language") && said.contains("arguments") && !said.contains("--set"),
        "{said}"
    );
    let other = json!({"name": "translate", "arguments": {"text": "Tee", "language": "Latin"}});
    let refused = client.request("prompts/get", &other);
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let said = refused["error"]["message"].to_string();
    assert!(said.contains("English") && said.contains("Estonian"), "{said}");
    let values = client.request("completion/complete", &named);
    assert_eq!(
        values["result"]["completion"]["values"],
        json!(["English", "Estonian"])
    );

    let skill = json!({"name": "mine", "arguments": {"task": "Do it twice."}});
    let guide = client.request("prompts/get", &skill)["result"]["messages"].clone();
    let first = guide[0]["content"]["text"].as_str().unwrap();
    assert!(first.starts_with("Follow step nine."), "{guide}");
    assert_eq!(guide[1]["content"]["text"], "Do it twice.");
    let unknown = client.request("prompts/get", &json!({"name": "clean-table"}));
    assert_eq!(
        unknown["error"]["code"], -32602,
        "one of the program's: {unknown}"
    );
    assert!(client.end().success());
}
