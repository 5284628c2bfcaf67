//! The try-out of an assistant: the draft is asked as it stands, with what the kept one would have, and nothing of it stays.

use crate::incognito::{Connection, Resident, until};
use serde_json::{Value, json};
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::fs;

const COOK: &str = "version: '1'
name: cook
title: Cook
prompt: You only speak of soup.
sampling:
  temperature: 0.9
  top_p: 0.8
  seed: 7
toolkits: [web.fetch]
skills: []
knowledge: []
workflows: []
";

const MENU: &str = "version: '1.0'\nname: Menu\nsteps:\n  - {id: a, type: code, code: 'x = 41 + 1', output: {name: x, type: int}}\n  \
                    - {id: told, type: output, inputs: {dish: '{x}'}}\n";

fn says(text: &str) -> Answer {
    Answer::Text(text.to_owned())
}

/// A try-out that lasts as long as this does.
struct TryOut<'a> {
    desk: &'a Desk,
    session: Value,
    _open: Connection,
}

impl<'a> TryOut<'a> {
    fn open(desk: &'a Desk) -> Self {
        let mut open = Connection::ask(desk, &json!({"request": "try_out"}));
        let session = open.next().unwrap()["session"].clone();
        assert!(session.is_string(), "{session}");
        Self {
            desk,
            session,
            _open: open,
        }
    }

    /// Has it ask that draft; the reply.
    fn draft(&self, text: &str, earlier: Option<&str>) -> Value {
        drafted(self.desk, &self.session, text, earlier)
    }

    /// Has it ask a draft that is fit.
    fn takes(&self, text: &str) {
        let taken = self.draft(text, None);
        assert_eq!(taken["reply"], "assistant", "{taken}");
    }

    fn ask(&self, text: &str) -> Vec<Value> {
        let request = json!({"request": "ask", "text": text, "session": self.session});
        let mut asked = Connection::ask(self.desk, &request);
        std::iter::from_fn(|| asked.next()).collect()
    }

    /// The events of a question that was answered.
    fn answered(&self, text: &str) -> Vec<Value> {
        let replies = self.ask(text);
        assert_eq!(replies.last().unwrap()["status"], "completed", "{replies:?}");
        replies.into_iter().map(|reply| reply["event"].clone()).collect()
    }
}

fn drafted(desk: &Desk, session: &Value, text: &str, earlier: Option<&str>) -> Value {
    let action = json!({"action": "try", "session": session, "text": text, "earlier": earlier});
    assistants(desk, &action)
}

fn assistants(desk: &Desk, action: &Value) -> Value {
    Connection::ask(desk, &json!({"request": "assistants", "action": action})).last()
}

fn of_kind<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    let found = events.iter().find(|event| event["type"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {events:?}"))
}

/// A file of the user's folder that a hand wrote.
fn write(desk: &Desk, name: &str, text: &str) {
    let path = desk.data().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_draft_is_asked_with_its_prompt_sampling_and_tools_and_no_file_comes_of_it() {
    let server = ModelServer::repeating(says("Soup."));
    let desk = Desk::with_model(&server.url());
    let resident = Resident::start(&desk);
    let trial = TryOut::open(&desk);
    trial.takes(COOK);
    let events = trial.answered("hello");
    assert_eq!(of_kind(&events, "run_started")["assistant"], "cook");
    let request = server.requests().pop().unwrap();
    let prompt = prompt_of(&request);
    assert!(
        prompt.contains("You are Cook,") && prompt.contains("You only speak of soup."),
        "{prompt}"
    );
    assert!(
        prompt.contains("# web [fetch]")
            && !prompt.contains("class files")
            && !prompt.contains("class memory"),
        "{prompt}"
    );
    let sampling = ["temperature", "top_p", "seed"].map(|field| request[field].clone());
    assert_eq!(sampling, [json!(0.9), json!(0.8), json!(7)]);
    // The next question goes to the draft as it is then, whatever it is called.
    trial.takes(&COOK.replace("soup", "bread").replace("name: cook", "name: baker"));
    let events = trial.answered("and now");
    assert_eq!(of_kind(&events, "run_started")["assistant"], "baker");
    let prompt = server.last_prompt();
    assert!(prompt.contains("You only speak of bread.") && !prompt.contains("speak of soup"));
    for kept in ["assistants", "assistants.toml"] {
        assert!(!desk.data().join(kept).exists(), "{kept}");
    }
    let session = trial.session.clone();
    drop(trial);
    until("the session ends with its client", || {
        let shown = json!({"request": "session_show", "session": session});
        Connection::ask(&desk, &shown).last()["reply"] == "failed"
    });
    let listed = Connection::ask(&desk, &json!({"request": "session_list", "limit": 9})).last();
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1, "{listed}");
    resident.kill();
}

#[test]
fn a_draft_with_a_fault_is_told_in_a_sentence_and_nothing_is_asked() {
    let server = ModelServer::repeating(says("Soup."));
    let desk = Desk::with_model(&server.url());
    let resident = Resident::start(&desk);
    let trial = TryOut::open(&desk);
    for (text, line) in [
        ("version: '1'\nname: Bad Name\n", 2),
        ("version: '1'\nname: shidi\n", 1),
    ] {
        let told = trial.draft(text, None);
        let message = told["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(&format!("assistant.yaml:{line}:")), "{told}");
        assert!(told["error"]["hint"].is_string(), "{told}");
        let replies = trial.ask("hello");
        assert_eq!(replies.len(), 1, "{replies:?}");
        assert_eq!(
            replies[0]["reply"], "failed",
            "the usual one is not asked in its place"
        );
    }
    assert_eq!(server.requests().len(), 0);
    resident.kill();
}

#[test]
fn a_draft_counts_in_the_session_of_a_try_out_alone() {
    let server = ModelServer::repeating(says("Paris."));
    let desk = Desk::with_model(&server.url());
    let resident = Resident::start(&desk);
    let mut open = Connection::ask(&desk, &json!({"request": "incognito"}));
    let incognito = open.next().unwrap()["session"].clone();
    let listed = Connection::ask(&desk, &json!({"request": "session_list", "limit": 9})).last();
    let recorded = listed["sessions"][0]["id"].clone();
    for session in [incognito.clone(), recorded, json!("0192aaaa")] {
        let refused = drafted(&desk, &session, COOK, None);
        assert_eq!(refused["reply"], "failed", "{session} {refused}");
    }
    let question = json!({"request": "ask", "text": "hello", "session": incognito});
    assert_eq!(Connection::ask(&desk, &question).last()["status"], "completed");
    assert!(!server.last_prompt().contains("soup"));
    resident.kill();
}

#[test]
fn a_draft_of_a_file_that_nobody_has_reviewed_is_not_asked_whatever_was_changed_in_it() {
    let server = ModelServer::repeating(says("Soup."));
    let desk = Desk::with_model(&server.url());
    write(&desk, "assistants/cook.yaml", COOK);
    let resident = Resident::start(&desk);
    let trial = TryOut::open(&desk);
    let shown = assistants(&desk, &json!({"action": "show", "name": "cook"}));
    let digest = shown["assistant"]["digest"].as_str().unwrap().to_owned();
    let other = COOK.replace("soup", "bread");
    let renamed = other.replace("name: cook", "name: baker");
    for (text, earlier) in [
        (COOK, None),
        (other.as_str(), None),
        (renamed.as_str(), Some(digest.as_str())),
    ] {
        let refused = trial.draft(text, earlier);
        let message = refused["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains("cook"), "{refused}");
    }
    assert_eq!(server.requests().len(), 0);
    let approve = json!({"action": "approve", "name": "cook", "digest": digest});
    assert_eq!(assistants(&desk, &approve)["reply"], "assistants");
    trial.takes(&other);
    trial.answered("hello");
    assert!(server.last_prompt().contains("You only speak of bread."));
    let kept = fs::read_to_string(desk.data().join("assistants/cook.yaml")).unwrap();
    assert_eq!(kept, COOK, "its file is as it was");
    resident.kill();
}

#[test]
fn the_knowledge_that_a_draft_names_goes_along_with_its_question() {
    let server = ModelServer::repeating(says("450 yuan."));
    let desk = Desk::with_model(&server.url());
    let folder = desk.path("rules");
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in [
        (
            "hotels.md",
            "# Travel\n## Hotels\nA room may cost 450 yuan a night.\n",
        ),
        (
            "receipts.md",
            "# Receipts\n## Deadline\nHand them in within thirty days.\n",
        ),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    for words in [
        vec!["knowledge", "create", "handbook"],
        vec!["knowledge", "add", "handbook", folder.to_str().unwrap()],
    ] {
        let printed = desk.run(words);
        assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    }
    let resident = Resident::start(&desk);
    for (bases, goes_along) in [("[handbook]", true), ("[]", false), ("[menu]", false)] {
        let trial = TryOut::open(&desk);
        trial.takes(&COOK.replace("knowledge: []", &format!("knowledge: {bases}")));
        trial.answered("How much may a hotel room cost a night?");
        let prompt = server.last_prompt();
        assert_eq!(
            prompt.contains("450 yuan a night"),
            goes_along,
            "{bases} {prompt}"
        );
        assert_eq!(prompt.contains("class knowledge"), goes_along, "{bases} {prompt}");
    }
    resident.kill();
}

#[test]
fn a_draft_runs_the_workflow_that_it_names_and_no_run_of_it_is_kept() {
    let program = "```python\nprint(await workflows.menu())\n```";
    let server = ModelServer::start([says(program), says("It is 42.")]);
    let desk = Desk::with_model(&server.url());
    write(&desk, "workflows/menu.yaml", MENU);
    let resident = Resident::start(&desk);
    let trial = TryOut::open(&desk);
    trial.takes(&COOK.replace("workflows: []", "workflows: [menu]"));
    trial.answered("Which dish is on the menu?");
    let requests = server.requests();
    assert!(prompt_of(&requests[0]).contains("def menu"));
    let output = prompt_of(&requests[1]);
    assert!(output.contains("'dish': ") && output.contains("42"), "{output}");
    // By its name no model is asked.
    let events = trial.answered("/menu");
    let said = json!(events).to_string();
    assert!(said.contains("**dish**: 42"), "{said}");
    assert_eq!(server.requests().len(), 2);
    drop(trial);
    resident.kill();
    assert_eq!(
        desk.run(["--json", "workflow", "runs"]).json(),
        Vec::<Value>::new()
    );
}

#[test]
fn whatever_a_draft_would_change_is_asked_about_in_every_mode() {
    let write = "```python\nawait files.write(path='note.txt', text='x')\n```";
    let server = ModelServer::start([Answer::Text(write.into())]);
    let desk = Desk::with_model(&server.url());
    let folder = desk.path("work");
    fs::create_dir_all(&folder).unwrap();
    let resident = Resident::start(&desk);
    let trial = TryOut::open(&desk);
    trial.takes("version: '1'\nname: scribe\npermissions: {mode: trust}\n");
    let request = json!({
        "request": "ask", "text": "note it", "session": trial.session, "mode": "trust", "folders": [folder],
    });
    let mut asked = Connection::ask(&desk, &request);
    let mut replies = std::iter::from_fn(|| asked.next());
    let waits = replies.find(|reply| reply["event"]["type"] == "approval_needed");
    assert_eq!(waits.expect("a card")["event"]["tool"], "files.write");
    assert!(!folder.join("note.txt").exists());
    resident.kill();
}
