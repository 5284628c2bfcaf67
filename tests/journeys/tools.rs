//! What programs may call is the user's to say: for everyone or for one assistant, at once and after a restart.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

fn searching() -> ModelServer {
    let mut asked = 0;
    ModelServer::thinking(move |_| {
        asked += 1;
        let program = "```python\nprint(await memory.search(text=\"quagga\"))\n```";
        Answer::Text(if asked % 2 == 1 { program } else { "Done." }.to_owned())
    })
}

#[test]
fn a_tool_that_is_off_is_offered_to_no_program_until_it_is_on_again() {
    let server = searching();
    let desk = Desk::with_model(&server.url());
    done(desk.run(["memory", "add", "the quagga lives in Munich"]));
    done(desk.run(["tool", "off", "memory.search"]));
    let refused = done(desk.run(["--json", "ask", "look for the quagga"]));
    let output = refused.event("output").to_string();
    assert!(
        output.contains("search") && output.contains("refused") || output.contains("AttributeError"),
        "{output}"
    );
    let first = server.requests()[0].to_string();
    assert!(
        first.contains("class memory") && !first.contains("def search(self, text: str, limit"),
        "{first}"
    );
    done(desk.run(["tool", "on", "memory.search"]));
    let found = done(desk.run(["--json", "ask", "look for the quagga"]));
    assert!(
        found.event("output").to_string().contains("Munich"),
        "{}",
        found.stdout
    );
}

#[test]
fn what_is_off_for_one_assistant_is_on_for_the_others_and_a_session_stays_with_its_assistant() {
    let server = searching();
    let desk = Desk::with_model(&server.url());
    done(desk.run(["memory", "add", "the quagga lives in Munich"]));
    done(desk.run([
        "memory",
        "add",
        "--scope",
        "assistant:anna",
        "the quagga has the colour grey",
    ]));
    done(desk.run(["tool", "off", "memory", "--assistant", "ben"]));
    let of = |name: &str| done(desk.run(["--json", "ask", "--assistant", name, "look for the quagga"]));
    let ben = of("ben");
    assert!(!ben.event("output")["ok"].as_bool().unwrap(), "{}", ben.stdout);
    let anna = of("anna");
    assert_eq!(anna.event("run_started")["assistant"], "anna");
    let seen = anna.event("output").to_string();
    assert!(seen.contains("Munich") && seen.contains("grey"), "{seen}");
    let usual = done(desk.run(["--json", "ask", "look for the quagga"]))
        .event("output")
        .to_string();
    assert!(usual.contains("Munich") && !usual.contains("grey"), "{usual}");
    // Going on in her session is going on with her; somebody else is refused there.
    let session = anna.event("run_started")["session"].as_str().unwrap().to_owned();
    let on = done(desk.run(["--json", "ask", "--session", &session, "once more"]));
    assert_eq!(on.event("run_started")["assistant"], "anna");
    let refused = desk.run([
        "--lang",
        "zh",
        "ask",
        "--session",
        &session,
        "--assistant",
        "ben",
        "再来",
    ]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("anna"), "{}", refused.stderr);
}

#[test]
fn switches_are_listed_and_what_cannot_be_switched_says_why_in_both_languages() {
    let desk = Desk::new();
    done(desk.run(["tool", "off", "memory"]));
    done(desk.run(["tool", "on", "memory.search"]));
    let listed = done(desk.run(["--json", "tool", "list"])).json();
    let memory = listed.iter().find(|toolkit| toolkit["name"] == "memory").unwrap();
    let on: Vec<&Value> = memory["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|tool| tool["on"] == true)
        .collect();
    assert_eq!(on.len(), 1, "{memory}");
    assert_eq!(on[0]["name"], "search");
    for (tool, english, chinese, code) in [
        ("user", "can't be switched", "不能关", 2),
        ("memory.serch", "There is no tool", "没有这个工具", 1),
        ("", "There is no tool", "没有这个工具", 1),
    ] {
        for (language, words) in [("en", english), ("zh", chinese)] {
            let refused = desk.run(["--lang", language, "tool", "off", tool]);
            assert!(refused.stderr.contains(words), "{tool}: {}", refused.stderr);
            assert_ne!(refused.code, Some(0), "{code}");
        }
    }
    let plain = done(desk.run(["--lang", "zh", "tool", "list"]));
    assert!(
        plain.stdout.contains("memory.remember") && plain.stdout.contains("关"),
        "{}",
        plain.stdout
    );
}

#[test]
fn an_error_names_files_that_are_near_as_far_as_the_program_may_list_them() {
    let desk = Desk::new();
    let folder = desk.path("work");
    std::fs::create_dir_all(folder.join("private")).unwrap();
    for name in ["待办.txt", "private/todo.txt"] {
        std::fs::write(folder.join(name), "x").unwrap();
    }
    let folder = folder.display().to_string();
    let message = || {
        let printed = desk.run_with(
            ["exec", "--json", "--folder", &folder, "-"],
            "await files.read(path='todo.txt')",
        );
        let result: Value = printed.json().remove(0);
        result["error"]["message"].as_str().unwrap().to_owned()
    };
    let all = message();
    assert!(all.contains("nearest: 'private/todo.txt', '待办.txt'"), "{all}");
    let rule = format!("files.read(path={folder}/private/*)");
    done(desk.run(["config", "rule", "deny", &rule]));
    let kept_back = message();
    assert!(
        kept_back.contains("nearest: '待办.txt'") && !kept_back.contains("private"),
        "{kept_back}"
    );
    done(desk.run(["tool", "off", "files.list"]));
    let unlisted = message();
    assert!(
        unlisted.contains("does not exist") && !unlisted.contains("待办"),
        "{unlisted}"
    );
}
