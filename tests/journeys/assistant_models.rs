//! Models of an assistant's own: each role's is the one that is asked, with that role's sampling; and the language that it
//! answers in.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::fs;

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

/// Keeps an assistant `cook` with these lines of its own.
fn kept(desk: &Desk, lines: &str) {
    let path = desk.path("kept.yaml");
    let text = format!("version: '1'\nname: cook\nprompt: You only speak of soup.\n{lines}\n");
    fs::write(&path, text).unwrap();
    done(desk.run(["assistant", "--json", "import", path.to_str().unwrap(), "--yes"]));
}

const ROLES: &str = "models: {general: talker, coder: writer, fast: quick, vision: eyes}
sampling:
  temperature: 0.5
  top_p: 0.8
  general: {temperature: 0.9, seed: 11}
  coder: {temperature: 0.1, seed: 12}
  fast: {temperature: 0.3, seed: 13}";

/// Each model answers as is its part.
fn by_role(request: &Value) -> Answer {
    let prompt = prompt_of(request);
    let text = match request["model"].as_str() {
        Some("talker") if prompt.contains("six times seven") => "```python\nprint('by the talker')\n```",
        Some("talker") => "Soup.",
        Some("writer") if prompt.contains("[Output]: 42") => "It is 42.",
        Some("writer") => "```python\nprint(6 * 7)\n```",
        Some("quick") => "{\"met\": true}",
        Some("eyes") => "A red soup.",
        _ => "Hello.",
    };
    Answer::Text(text.to_owned())
}

#[test]
fn each_role_of_an_assistant_asks_the_model_that_its_file_names_with_the_sampling_of_that_role() {
    let server = ModelServer::thinking(by_role);
    let desk = Desk::with_model(&server.url());
    for (key, value) in [
        ("check_answers", "on"),
        ("memory.learn", "rules"),
        ("experience.collect", "off"),
    ] {
        done(desk.run(["config", "set", key, value]));
    }
    kept(&desk, ROLES);
    let picture = shidi_tests::folder().join("attachments/files/pictures/large.png");
    let picture = picture.to_str().unwrap();
    // What was asked for it: the model, and how freely it is to choose its words.
    let asked = |words: &[&str]| -> Vec<Value> {
        let before = server.requests().len();
        done(desk.run([&["--json", "ask"], words].concat()));
        let requests = server.requests();
        let fields = ["model", "temperature", "seed", "top_p"];
        let sent = requests[before..].iter();
        sent.map(|request| fields.iter().map(|field| request[*field].clone()).collect())
            .collect()
    };
    let talker = json!(["talker", 0.9, 11, 0.8]);
    let writer = json!(["writer", 0.1, 12, 0.8]);
    assert_eq!(
        asked(&["--assistant", "cook", "Good morning"]),
        std::slice::from_ref(&talker),
        "it talks"
    );
    assert_eq!(
        asked(&["--assistant", "cook", "--file", picture, "which colour?"]),
        [json!(["eyes", 0.9, 11, 0.8])],
        "a picture goes to the model that sees"
    );
    assert_eq!(
        asked(&["--assistant", "cook", "What is six times seven?"]),
        [talker, writer.clone(), writer, json!(["quick", 0.3, 13, 0.8])],
        "programs are the coder's, and the fast one judges"
    );
    let usual = asked(&["Good evening"]);
    assert_eq!(
        (&usual[0][0], &usual[0][2]),
        (&json!("scripted"), &Value::Null),
        "{usual:?}"
    );
}

#[test]
fn a_conversation_with_an_assistant_is_compacted_by_its_own_model() {
    let watches = (0..200).map(|watch| format!("The harbour log of watch {watch}, in full. "));
    let long = watches.collect::<Vec<_>>().concat();
    let server = ModelServer::start([
        Answer::Text(long.clone()),
        Answer::Text(format!("Day two. {long}")),
        Answer::Text("Day three.".into()),
    ]);
    server.summarise("Goal: read the log. Days one and two were told.");
    let desk = Desk::with_model(&server.url());
    kept(&desk, "models: {main: soup-model}");
    done(desk.run(["config", "set", "context_window", "10000"]));
    done(desk.run(["ask", "--assistant", "cook", "Day one?"]));
    for question in ["Day two?", "Day three?"] {
        done(desk.run(["ask", "--session", "last", question]));
    }
    let before = server.requests().len();
    let printed = done(desk.run(["session", "compact", "last", "--json"]));
    assert!(printed.event("compacted").is_object());
    let requests = server.requests();
    assert_eq!(requests.len(), before + 1);
    for request in requests {
        assert_eq!(request["model"], "soup-model");
    }
}

#[test]
fn an_assistant_of_one_language_is_told_to_answer_in_it_whichever_the_question_is_in() {
    let server = ModelServer::repeating(Answer::Text("先把水烧开。".to_owned()));
    let desk = Desk::with_model(&server.url());
    kept(&desk, "languages: [zh]");
    let told = |words: &[&str]| {
        done(desk.run([&["--json", "ask"], words].concat()));
        server.last_prompt()
    };
    let english = "How do I make a good soup?";
    let own = told(&["--assistant", "cook", english]);
    let rule = "Answer in these languages only: zh; in the first of them where the user writes in another.";
    assert!(
        own.contains(rule) && !own.contains("in the user's language"),
        "one rule: {own}"
    );
    let chinese = told(&["--lang", "zh", "--assistant", "cook", "怎么做一锅好汤？"]);
    assert!(
        chinese.contains("只用这些语言回答：zh；") && !chinese.contains("用用户的语言"),
        "{chinese}"
    );
    let usual = told(&[english]);
    assert!(
        usual.contains("in the user's language") && !usual.contains("Answer in these languages"),
        "{usual}"
    );
}
