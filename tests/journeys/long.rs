//! Long tasks and prompts of the user's own: what the model is asked over real HTTP.

use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer};

/// Rounds of the long task.
const ROUNDS: usize = 30;

fn program(text: &str) -> Answer {
    Answer::Text(format!("[Thought]: go on\n```python\n{text}\n```"))
}

#[test]
fn thirty_rounds_in_a_small_window_end_well_and_every_old_output_can_be_read_again() {
    let rounds = (0..ROUNDS).map(|round| {
        let plan = "and then the next ".repeat(20);
        program(&format!(
            "# {plan}\nprint('fact {round} is', {round} * 7, 'word ' * 400)"
        ))
    });
    let last = program("print(await results.find(handle='s4', text='fact'))");
    let server = ModelServer::start(rounds.chain([last, Answer::Text("All done.".into())]));
    server.summarise("Goal: the long task. Done: many rounds.");
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "context_window", "8000"]);
    let printed = desk.run(["ask", "--json", "--max-rounds", "40", "The long task"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert_eq!(printed.event("answer")["text"], "All done.");
    let events = printed.json();
    let compacted: Vec<_> = events
        .iter()
        .filter(|event| event["type"] == "compacted")
        .collect();
    assert!(!compacted.is_empty(), "people are told");
    for event in &compacted {
        assert!(event["after_tokens"].as_u64().unwrap() < event["before_tokens"].as_u64().unwrap());
    }
    let found = events
        .iter()
        .rev()
        .find(|event| event["type"] == "output")
        .unwrap();
    assert!(
        found["stdout"].as_str().unwrap().contains("fact 0 is 0"),
        "the first output under its handle: {found}"
    );
    assert!(
        server.request_bytes().iter().all(|bytes| *bytes < 40_000),
        "no prompt beyond the window: {:?}",
        server.request_bytes()
    );
    assert!(server.last_prompt().contains("The long task"));
    let shown = desk.run(["session", "show", "last", "--json"]);
    assert!(
        shown.stdout.contains("fact 0 is") && shown.stdout.contains("fact 29 is"),
        "the transcript is whole"
    );
}

#[test]
fn a_summary_that_can_not_be_had_stops_nothing() {
    let rounds = (0..ROUNDS).map(|round| {
        let plan = "and then the next ".repeat(20);
        program(&format!("# {plan}\nprint('fact {round}', 'word ' * 400)"))
    });
    let server = ModelServer::start(rounds.chain([Answer::Text("All done.".into())]));
    server.summarise("");
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "context_window", "8000"]);
    let printed = desk.run(["ask", "--json", "--max-rounds", "40", "The long task"]);
    assert_eq!(printed.event("answer")["text"], "All done.", "{}", printed.stderr);
    assert_eq!(printed.event("compacted")["type"], "compacted");
}

#[test]
fn a_prompt_module_of_the_users_own_is_used_and_a_broken_one_is_named() {
    let server = ModelServer::repeating(Answer::Text("yes".into()));
    let desk = Desk::with_model(&server.url());
    let folder = desk.data().join("prompts/en");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("principles.xml"),
        "<principles>Speak like a pirate.</principles>",
    )
    .unwrap();
    desk.run(["ask", "--json", "hello there"]);
    assert!(server.last_prompt().contains("Speak like a pirate."));
    let traced = desk.run(["trace", "show", "last", "--json"]);
    assert!(
        traced.stdout.contains("\"own\":true"),
        "the trace tells whose it is: {}",
        traced.stdout
    );

    std::fs::write(folder.join("principles.xml"), "{% if %}").unwrap();
    let printed = desk.run(["ask", "hello there"]);
    assert_eq!(printed.code, Some(2), "{}", printed.stdout);
    assert!(
        printed.stderr.contains("principles.xml") && printed.stderr.contains("move the file away"),
        "{}",
        printed.stderr
    );
}
