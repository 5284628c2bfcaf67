//! Assistants as configuration: those of others are shown before they are kept, and a run is what its file says.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::fs;
use std::path::PathBuf;

const COOK: &str = "version: '1'
name: cook
title: Cook
prompt: You only speak of soup.
sampling:
  temperature: 0.9
  top_p: 0.8
  seed: 7
toolkits: [memory.search]
skills: []
memory: alone
permissions:
  mode: ask
";

fn says(text: &str) -> Answer {
    Answer::Text(text.to_owned())
}

fn program(code: &str) -> Answer {
    says(&format!("```python\n{code}\n```"))
}

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

fn assistant(desk: &Desk, arguments: &[&str]) -> Printed {
    desk.run([&["assistant", "--json"], arguments].concat())
}

fn file(desk: &Desk, name: &str, text: &str) -> PathBuf {
    let path = desk.path(name);
    fs::write(&path, text).unwrap();
    path
}

fn named<'a>(listed: &'a [Value], name: &str) -> &'a Value {
    let found = listed.iter().find(|assistant| assistant["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {listed:?}"))
}

fn kept(desk: &Desk, text: &str) {
    let path = file(desk, "kept.yaml", text);
    done(assistant(desk, &["import", path.to_str().unwrap(), "--yes"]));
}

#[test]
fn what_the_settings_name_for_programs_is_sent_and_an_assistants_own_counts_before_it() {
    let server = ModelServer::start([says("Paris."), says("Soup.")]);
    let desk = Desk::with_model(&server.url());
    kept(&desk, COOK);
    for (key, value) in [
        ("top_p.coder", "0.5"),
        ("seed.coder", "11"),
        ("frequency_penalty.coder", "0.25"),
        ("top_p.fast", "0.1"),
    ] {
        done(desk.run(["config", "set", key, value]));
    }
    let refused = desk.run(["config", "set", "presence_penalty.coder", "3"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    done(desk.run(["config", "set", "presence_penalty.general", "-0.5"]));
    let kept = desk.run(["config", "get", "presence_penalty.general"]);
    assert_eq!(kept.stdout.trim(), "-0.5");
    done(desk.run(["--json", "ask", "What is the capital of France?"]));
    done(desk.run(["--json", "ask", "--assistant", "cook", "hello"]));
    let requests = server.requests();
    let sent = |at: usize| {
        ["top_p", "seed", "frequency_penalty", "presence_penalty"].map(|field| requests[at][field].clone())
    };
    assert_eq!(sent(0), [json!(0.5), json!(11), json!(0.25), Value::Null]);
    assert_eq!(sent(1), [json!(0.8), json!(7), json!(0.25), Value::Null]);
}

#[test]
fn a_run_has_its_assistants_prompt_sampling_and_tools_and_a_plain_one_is_as_before() {
    let server = ModelServer::start([
        says("Soup."),
        says("Paris."),
        program("print(await memory.search(text='x'))"),
        says("Done."),
        program("print(await memory.remember(text='x'))"),
        says("Refused."),
    ]);
    let desk = Desk::with_model(&server.url());
    kept(&desk, COOK);
    let asked = done(desk.run(["--json", "ask", "--assistant", "cook", "hello"]));
    assert_eq!(asked.event("run_started")["assistant"], "cook");
    let plain = done(desk.run(["--json", "ask", "What is the capital of France?"]));
    assert_eq!(plain.event("run_started")["assistant"], "shidi");
    let requests = server.requests();
    let its = prompt_of(&requests[0]);
    assert!(
        its.contains("You are Cook,") && its.contains("You only speak of soup."),
        "{its}"
    );
    assert!(
        its.contains("class memory") && !its.contains("class files"),
        "{its}"
    );
    assert!(
        !its.contains("def remember") && !its.contains("<skills>"),
        "{its}"
    );
    for (field, value) in [
        ("temperature", json!(0.9)),
        ("top_p", json!(0.8)),
        ("seed", json!(7)),
    ] {
        assert_eq!(requests[0][field], value, "{field}");
    }
    let usual = prompt_of(&requests[1]);
    assert!(
        usual.contains("You are Shidi") && !usual.contains("<assistant>"),
        "{usual}"
    );
    assert_eq!(
        (&requests[1]["top_p"], &requests[1]["temperature"]),
        (&Value::Null, &json!(0.2))
    );
    // A tool that is not listed is not callable either, whoever writes the call.
    done(desk.run([
        "--json",
        "ask",
        "--assistant",
        "cook",
        "--mode",
        "trust",
        "search",
    ]));
    let refused = desk.run([
        "--json",
        "ask",
        "--assistant",
        "cook",
        "--mode",
        "trust",
        "remember x",
    ]);
    let output = refused.stdout;
    assert!(output.contains("remember"), "{output}");
    let memories = done(desk.run(["memory", "list", "--json"])).json();
    // What the plain question was about is the usual assistant's to keep.
    let kept: Vec<&Value> = memories.iter().map(|memory| &memory["text"]).collect();
    assert_eq!(kept, ["What is the capital of France? → Paris."]);
}

#[test]
fn a_session_goes_on_with_its_assistant_is_listed_with_it_and_not_without_its_file() {
    let server = ModelServer::repeating(says("Soup."));
    let desk = Desk::with_model(&server.url());
    kept(&desk, COOK);
    let asked = done(desk.run(["--json", "ask", "--assistant", "cook", "hello"]));
    let session = asked.event("run_started")["session"].as_str().unwrap().to_owned();
    let on = done(desk.run(["--json", "ask", "--session", &session, "more"]));
    assert_eq!(on.event("run_started")["assistant"], "cook");
    assert!(prompt_of(server.requests().last().unwrap()).contains("You only speak of soup."));
    let listed = done(desk.run(["session", "list", "--json"])).json();
    assert_eq!(listed[0]["assistant"], "cook", "{listed:?}");
    done(assistant(&desk, &["remove", "cook", "--yes"]));
    let gone = desk.run(["ask", "--session", &session, "more"]);
    assert_eq!(gone.code, Some(2), "{}", gone.stderr);
    assert!(
        gone.stderr.contains("cook") && gone.stderr.contains("Bring its file back"),
        "{}",
        gone.stderr
    );
}

#[test]
fn keys_of_its_own_stay_with_whoever_had_them_and_the_next_one_is_told() {
    let desk = Desk::new();
    let with_keys = |name: &str, keys: &str| {
        kept(
            &desk,
            &COOK.replace("name: cook", &format!("name: {name}\nhotkey: {keys}")),
        );
    };
    let keys = |name: &str| {
        let listed = done(assistant(&desk, &["list"])).json();
        named(&listed, name)["hotkey"].clone()
    };
    let problem = |name: &str| keys(name)["problem"].as_str().unwrap_or_default().to_owned();
    with_keys("cook", "alt+ctrl+t");
    // It stands before the other one in the list, and comes later.
    with_keys("baker", "Ctrl+Alt+T");
    assert_eq!(keys("cook"), json!({"keys": "Ctrl+Alt+T", "problem": null}));
    assert!(problem("baker").contains("@cook"), "{}", problem("baker"));
    let shown = done(desk.run(["assistant", "show", "cook"])).stdout;
    assert!(shown.contains("Ctrl+Alt+T chooses it from anywhere"), "{shown}");
    done(desk.run(["config", "set", "hotkey_pause", "Ctrl+Alt+T"]));
    assert!(problem("cook").contains("Pause sensing"), "{}", problem("cook"));
    done(desk.run(["config", "set", "hotkey_pause", ""]));
    assert_eq!(problem("cook"), "");
    done(assistant(&desk, &["remove", "cook", "--yes"]));
    assert_eq!(problem("baker"), "");
    with_keys("cook", "Ctrl+Alt+T");
    assert!(problem("cook").contains("@baker"), "{}", problem("cook"));
}

#[test]
fn a_file_that_nobody_reviewed_or_that_changed_is_not_asked_until_it_is_approved() {
    let server = ModelServer::repeating(says("Soup."));
    let desk = Desk::with_model(&server.url());
    let folder = desk.data().join("assistants");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("cook.yaml"), COOK).unwrap();
    let ask = || desk.run(["ask", "--assistant", "cook", "hello"]);
    let refused = ask();
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("shidi assistant approve cook"),
        "{}",
        refused.stderr
    );
    assert!(server.requests().is_empty());
    done(assistant(&desk, &["approve", "cook", "--yes"]));
    done(ask());
    fs::write(folder.join("cook.yaml"), format!("{COOK}picture: x\n")).unwrap();
    let listed = done(assistant(&desk, &["list"])).json();
    assert_eq!(named(&listed, "cook")["trust"], "changed");
    assert_eq!(ask().code, Some(2));
    done(assistant(&desk, &["approve", "cook", "--yes"]));
    done(ask());
}

#[test]
fn six_ship_and_each_is_exported_and_checked_without_a_fault() {
    let desk = Desk::new();
    let listed = done(assistant(&desk, &["list"])).json();
    assert_eq!(listed[0]["name"], "shidi");
    for name in [
        "code-reviewer",
        "marketing",
        "meeting-minutes",
        "restaurant-ordering",
        "translator",
    ] {
        assert_eq!(named(&listed, name)["problem"], Value::Null);
        let text = done(desk.run(["assistant", "export", name])).stdout;
        let path = file(&desk, "out.yaml", &text);
        done(assistant(&desk, &["check", path.to_str().unwrap()]));
    }
    let chinese = done(desk.run(["--lang", "zh", "assistant", "list", "--json"])).json();
    assert_eq!(named(&chinese, "translator")["title"], "翻译");
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_line_and_remedy_in_both_languages() {
    let desk = Desk::new();
    let path = file(
        &desk,
        "bad.yaml",
        "version: '1'\nname: Bad Name\nsampling:\n  temperature: 9\nmemory: evrything\npermissions:\n  allow: ['(']\n",
    );
    let check = |language: &str| desk.run(["--lang", language, "assistant", "check", path.to_str().unwrap()]);
    let english = check("en");
    assert_eq!(english.code, Some(2));
    for words in [
        ":2:7:",
        "small letters",
        ":4:16:",
        "from 0 to 2",
        ":5:9:",
        "There are: own",
        ":7:",
    ] {
        assert!(english.stdout.contains(words), "{words}: {}", english.stdout);
    }
    assert!(check("zh").stdout.contains("小写字母"));
}

#[test]
fn a_slip_of_the_pen_is_not_answered_by_somebody_else() {
    let server = ModelServer::repeating(says("Soup."));
    let desk = Desk::with_model(&server.url());
    let slipped = desk.run(["ask", "--assistant", "translater", "hello"]);
    assert_eq!(slipped.code, Some(2), "{}{}", slipped.stdout, slipped.stderr);
    assert!(
        slipped.stderr.contains("Did you mean 'translator'?"),
        "{}",
        slipped.stderr
    );
    assert!(server.requests().is_empty(), "nobody was asked");
}

#[test]
fn what_is_not_there_is_said_before_anybody_is_asked_whether_it_may_go() {
    let desk = Desk::new();
    let missing = desk.run(["assistant", "remove", "nosuch"]);
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
    assert!(
        missing.stderr.contains("There is no assistant nosuch") && !missing.stderr.contains("--yes"),
        "{}",
        missing.stderr
    );
    let shipped = desk.run(["assistant", "remove", "translator"]);
    assert!(
        shipped.stderr.contains("comes with the program"),
        "{}",
        shipped.stderr
    );
    kept(&desk, COOK);
    let unsaid = desk.run(["assistant", "remove", "cook"]);
    assert!(unsaid.stderr.contains("--yes"), "{}", unsaid.stderr);
    assert_eq!(
        done(assistant(&desk, &["show", "cook"])).json()[0]["assistant"]["name"],
        "cook"
    );
}

#[test]
fn an_export_for_programs_is_one_line_of_json_that_is_imported_again() {
    let desk = Desk::new();
    kept(&desk, &format!("{COOK}x-mine: [1]\n"));
    let printed = done(assistant(&desk, &["export", "cook"])).stdout;
    assert_eq!(printed.lines().count(), 1, "{printed}");
    let document: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(
        (
            &document["prompt"],
            &document["sampling"]["seed"],
            &document["x-mine"]
        ),
        (&json!("You only speak of soup."), &json!(7), &json!([1]))
    );
    let path = file(&desk, "cook.json", &printed);
    let same = done(assistant(&desk, &["import", path.to_str().unwrap(), "--yes"])).json();
    assert_eq!(named(&same, "cook")["problem"], Value::Null);
    let markdown = done(assistant(&desk, &["export", "cook", "--markdown"])).json();
    assert!(
        markdown[0]["text"].as_str().unwrap().starts_with("---\n"),
        "{markdown:?}"
    );
}

/// A picture with a character card in it.
fn card(desk: &Desk) -> PathBuf {
    let card = json!({"spec": "chara_card_v2", "data": {
        "name": "Ada", "first_mes": "Hello, {{user}}!", "description": "{{char}} counts.",
    }});
    let text = STANDARD.encode(card.to_string());
    let data = [b"chara\0", text.as_bytes()].concat();
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
    picture.extend(b"tEXt");
    picture.extend(&data);
    picture.extend([0; 4]);
    let path = desk.path("card.png");
    fs::write(&path, picture).unwrap();
    path
}

#[test]
fn what_an_import_takes_a_check_takes_too_and_keeps_nothing() {
    let desk = Desk::new();
    let agent = "---\ndescription: Use this when: it rains\nmode: subagent\ntools:\n  bash: false\n---\nYou stay in.\n";
    let agent = file(&desk, "rain-helper.md", agent);
    for (path, name) in [(card(&desk), "ada"), (agent, "rain-helper")] {
        let path = path.to_str().unwrap();
        let checked = done(assistant(&desk, &["check", path])).json();
        assert_eq!(checked[0]["assistant"]["name"], name, "{checked:?}");
        let listed = done(assistant(&desk, &["list"])).json();
        assert!(listed.iter().all(|one| one["name"] != name), "{listed:?}");
        done(assistant(&desk, &["import", path, "--yes"]));
        named(&done(assistant(&desk, &["list"])).json(), name);
    }
    let told = desk.run([
        "--lang",
        "zh",
        "assistant",
        "check",
        desk.path("rain-helper.md").to_str().unwrap(),
    ]);
    for words in [
        "rain-helper.md:2:1: “description”",
        "没有采用：mode",
        "从不做：shell.*",
    ] {
        assert!(told.stdout.contains(words), "{words}: {}", told.stdout);
    }
}
