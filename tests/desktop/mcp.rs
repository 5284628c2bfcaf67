//! Tools of an MCP server in the real windows, in both languages and themes: seen and switched in the workbench, and a call
//! of one approved in the panel. The server is a real process of its own.

use super::{Fixture, WELCOMED};
use crate::answering::{says, type_question};
use crate::webdriver::Driven;
use serde_json::Value;
use shidi_tests::model_server::{Answer, ModelServer};
use shidi_tests::program::built;
use shidi_tests::screen::await_some;
use std::time::Duration;

/// What the tests look for, in one language and theme.
struct Words {
    code: &'static str,
    theme: &'static str,
    ball: &'static str,
    panel: &'static str,
    workbench: &'static str,
    question: &'static str,
    /// How the section tells of a server, and of a toolkit of which one tool of three is off.
    from_server: &'static str,
    part: &'static str,
    /// What the card of the call says that it does.
    sends: &'static str,
    answer: &'static str,
}

const ENGLISH: Words = Words {
    code: "en",
    theme: "light",
    ball: "Shidi: idle",
    panel: "Shidi",
    workbench: "Shidi workbench",
    question: "Tell Anna about the move",
    from_server: "From a server",
    part: "2 of 3 on",
    sends: "Send",
    answer: "Anna knows.",
};

const CHINESE: Words = Words {
    code: "zh",
    theme: "dark",
    ball: "师弟：空闲",
    panel: "师弟",
    workbench: "师弟工作台",
    question: "告诉安娜搬家的事",
    from_server: "来自服务器",
    part: "开着 2 / 3",
    sends: "发送",
    answer: "安娜知道了。",
};

/// Long, in two languages, with lines, marks and a flag.
const PROGRAM: &str = "[Thought]: I tell her.\n```python\nawait post.send_note(to='安娜·李 <anna.li@lanting.example>', note_text='''\
    你好 Anna：\n\n搬迁改到 12 月 6 日（周六）上午 9:30，货梯只到 14:00；请把 A 区的箱子按楼层贴好标签，易碎的单独放。\n\
    The lift takes 1,200 kg. Boxes above that go by the stairs, see https://wiki.lanting.example/move?floor=3&area=A#labels\n''')\n\
    await user.say(text='ANSWER')\n```";

/// A fixture in that language and theme, with a server of which three tools are allowed.
fn fixture_with(server: &ModelServer, words: &Words) -> Fixture {
    let fixture = Fixture::new();
    let settings = format!(
        "{WELCOMED}provider = \"vllm\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\nlanguage = \"{}\"\ntheme = \"{}\"\n",
        server.url(),
        words.code,
        words.theme
    );
    std::fs::write(fixture.folder.path().join("config.toml"), settings).unwrap();
    let notes = fixture.folder.path().join("notes");
    let notes = format!("SHIDI_TEST_NOTES={}", notes.display());
    let program = env!("CARGO_BIN_EXE_shidi-test-server");
    fixture.shidi(&["mcp", "add", "post", "--env", &notes, "--", program]);
    fixture.shidi(&["mcp", "allow", "post", "send-note", "add", "read_text"]);
    fixture
}

/// Waits until the command line says that a tool of the server is on, or off: what is shown holds everywhere.
fn await_switched(fixture: &Fixture, tool: &str, on: bool) {
    await_some("the switch holds", || {
        let listed = fixture.shidi(&["--json", "tool", "list"]);
        let toolkits = listed
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let state = toolkits
            .filter(|toolkit| toolkit["name"] == "post")
            .flat_map(|toolkit| toolkit["tools"].as_array().cloned().unwrap_or_default())
            .find(|one| one["name"] == tool)
            .map(|one| one["on"].clone());
        Ok((state == Some(Value::Bool(on))).then_some(()))
    })
    .unwrap();
}

fn seen_and_switched(fixture: &Fixture, driven: &Driven, words: &Words) {
    let keep = |state: &str| fixture.picture(&format!("{state}-{}-{}", words.code, words.theme));
    fixture.type_keys("ctrl+e");
    let window = fixture.screen.await_window(words.workbench).unwrap();
    fixture.screen.await_focus(window.window).unwrap();
    driven.turn_to("workbench.html").unwrap();
    fixture.type_keys("ctrl+4");
    let row = "[...document.querySelectorAll('.one')].find((one) => one.innerText.includes('post'))";
    fixture.click_on(driven, window, row);
    driven
        .await_true("it is from a server", &says(words.from_server))
        .unwrap();
    keep("workbench-tools");
    let switch = "document.querySelector('[role=switch][aria-label=\"post.send_note\"]')";
    fixture.click_on(driven, window, switch);
    await_switched(fixture, "send_note", false);
    driven.await_true("the list says so", &says(words.part)).unwrap();
    keep("workbench-tools-off");
    fixture.click_on(driven, window, switch);
    await_switched(fixture, "send_note", true);
    // Whatever is switched on the command line is seen when one looks again.
    fixture.type_keys("ctrl+w");
    fixture.screen.await_gone(words.workbench).unwrap();
    driven.turn_to("panel.html").unwrap();
}

fn approved_in_the_panel(fixture: &Fixture, driven: &Driven, words: &Words) {
    let keep = |state: &str| fixture.picture(&format!("{state}-{}-{}", words.code, words.theme));
    let panel = fixture.screen.await_window(words.panel).unwrap();
    fixture.click_on(driven, panel, "document.querySelector('textarea')");
    type_question(fixture, driven, words.question);
    fixture.type_keys("Return");
    let card = "return document.querySelector('[role=alertdialog]') !== null";
    driven.await_true("the card is there", card).unwrap();
    for part in [
        "anna.li@lanting.example",
        "12 月 6 日（周六）上午 9:30",
        "#labels",
        words.sends,
    ] {
        driven.await_true(part, &says(part)).unwrap();
    }
    keep("panel-approval-mcp");
    let end = "const card = document.querySelector('[role=alertdialog]'); card.scrollIntoView({ block: 'end' }); return true";
    driven.await_true("its end is in view", end).unwrap();
    keep("panel-approval-mcp-end");
    // Keys of the card work after it has stood long enough to be seen.
    std::thread::sleep(Duration::from_millis(500));
    fixture.type_keys("ctrl+Return");
    driven
        .await_true("the answer is there", &says(words.answer))
        .unwrap();
    let notes = std::fs::read_to_string(fixture.folder.path().join("notes")).unwrap();
    let note: Value = serde_json::from_str(notes.lines().next().unwrap()).unwrap();
    let text = note["args"]["note-text"].as_str().unwrap();
    assert!(text.contains("搬迁改到 12 月 6 日（周六）"), "{note}");
    assert_eq!(notes.lines().count(), 1, "it was called once: {notes}");
    keep("panel-approved-mcp");
}

fn tools_of_a_server(words: &Words) {
    let program = PROGRAM.replace("ANSWER", words.answer);
    let server = ModelServer::start([Answer::Text(program), Answer::Text(words.answer.to_owned())]);
    let fixture = fixture_with(&server, words);
    let program = built("shidi-desktop").unwrap();
    let driven = Driven::start(&program, &[], fixture.folder.path()).unwrap();
    fixture.screen.await_window(words.ball).unwrap();
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(words.panel).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    driven.turn_to("panel.html").unwrap();
    driven
        .await_true(
            "the input is there",
            "return document.querySelector('textarea') !== null",
        )
        .unwrap();
    seen_and_switched(&fixture, &driven, words);
    approved_in_the_panel(&fixture, &driven, words);
}

#[test]
fn tools_of_a_server_are_switched_in_the_workbench_and_a_call_is_approved_in_english() {
    tools_of_a_server(&ENGLISH);
}

#[test]
fn tools_of_a_server_are_switched_in_the_workbench_and_a_call_is_approved_in_chinese() {
    tools_of_a_server(&CHINESE);
}
