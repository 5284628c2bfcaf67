//! Programs that look at the desktop or the clipboard where there is none: what they are told, and what nobody pays for.
//! With windows: `tests/screen/programs.rs`.

use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::display::Display;
use shidi_tests::model_server::{Answer, ModelServer};

/// Why a program of the user's own got nothing.
fn refused(desk: &Desk, program: &str) -> String {
    let printed = desk.run_with(
        [
            "exec",
            "--json",
            "--allow",
            "screen.*",
            "--allow",
            "clipboard.*",
            "-",
        ],
        program,
    );
    let told = printed.json().pop().unwrap();
    assert_eq!(told["ok"], false, "{told}");
    told["error"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn without_a_desktop_a_program_is_told_why_and_a_question_does_not_pay_for_it() {
    let server = ModelServer::repeating(Answer::Text("Paris.".to_owned()));
    let mut desk = Desk::with_model(&server.url());
    desk.set("DISPLAY", "");
    for program in [
        "await screen.windows()",
        "await screen.read()",
        "await screen.look(of='window')",
    ] {
        let why = refused(&desk, program);
        assert!(why.contains("There is no display here"), "{program}: {why}");
    }
    let why = refused(&desk, "await clipboard.write(text='x')");
    assert!(why.contains("privacy.clipboard"), "{why}");
    assert_eq!(
        desk.run(["config", "set", "privacy.clipboard", "on"]).code,
        Some(0)
    );
    assert!(refused(&desk, "await clipboard.read()").contains("There is no display here"));
    assert_eq!(
        desk.run(["config", "set", "privacy.clipboard", "off"]).code,
        Some(0)
    );
    assert_eq!(desk.run(["ask", "What is the capital of France?"]).code, Some(0));
    let prompt = server.last_prompt();
    assert!(
        !prompt.contains("# screen") && !prompt.contains("# clipboard"),
        "{prompt}"
    );
}

#[test]
fn a_plain_question_on_a_desktop_with_everything_on_stays_short() {
    let Some(display) = Display::start() else { return };
    let server = ModelServer::repeating(Answer::Text("Paris.".to_owned()));
    let mut desk = Desk::with_model(&server.url());
    desk.set("DISPLAY", display.name());
    assert_eq!(
        desk.run(["config", "set", "privacy.clipboard", "on"]).code,
        Some(0)
    );
    assert_eq!(desk.run(["ask", "What is the capital of France?"]).code, Some(0));
    let bytes = server.request_bytes()[0];
    println!("a plain question on a desktop: {bytes} bytes");
    // The names of the schedules' methods are 40 of them.
    assert!(bytes < 12_040, "{bytes} bytes");
}

#[test]
fn a_model_reads_about_the_toolkit_and_then_what_was_copied_which_marks_the_task() {
    let Some(display) = Display::start() else { return };
    display
        .clipboard()
        .copy("UTF8_STRING", b"Gate 14, boarding 15:20");
    display.show("mousepad", "itinerary.txt - Mousepad");
    let programs = [
        "print((await toolkits.describe('clipboard')).data)",
        "print((await clipboard.read()).data['text'], (await screen.windows()).data[0]['title'])",
    ];
    let mut asked = 0;
    let server = ModelServer::thinking(move |_| {
        let program = programs
            .get(asked)
            .map(|program| format!("```python\n{program}\n```"));
        asked += 1;
        Answer::Text(program.unwrap_or_else(|| "Gate 14.".to_owned()))
    });
    let mut desk = Desk::with_model(&server.url());
    desk.set("DISPLAY", display.name());
    assert_eq!(
        desk.run(["config", "set", "privacy.clipboard", "on"]).code,
        Some(0)
    );
    let printed = desk.run(["ask", "--json", "Which gate did I copy?"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let requests = server.requests();
    assert!(requests[0].to_string().contains("# clipboard ["));
    assert!(
        requests[1]
            .to_string()
            .contains("Reads what the user copied last")
    );
    let read = requests[2].to_string();
    assert!(
        read.contains("Gate 14, boarding 15:20") && read.contains("itinerary.txt - Mousepad"),
        "{read}"
    );
    let shown = desk
        .run(["session", "show", "last", "--segments", "--json"])
        .json();
    let told = shown
        .iter()
        .find(|told| told.to_string().contains("Gate 14, boarding"));
    let told: &Value = told.unwrap();
    assert!(told.to_string().contains("\"tainted\":true"), "{told}");
}
