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

#[test]
fn an_assistants_prompt_modules_are_used_in_its_sessions_only_and_over_the_users() {
    let server = ModelServer::repeating(Answer::Text("yes".into()));
    let desk = Desk::with_model(&server.url());
    for (folder, text) in [
        ("prompts/en", "Speak like a pirate."),
        ("prompts/assistants/nurse/en", "Speak like a nurse."),
    ] {
        let folder = desk.data().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let text = format!("<principles>{text}</principles>");
        std::fs::write(folder.join("principles.xml"), text).unwrap();
    }
    let prompt_of = |arguments: &[&str]| {
        let printed = desk.run([&["ask", "--json"], arguments].concat());
        assert_eq!(printed.code, Some(0), "{}", printed.stderr);
        server.last_prompt()
    };
    let its = prompt_of(&["--assistant", "nurse", "Good morning"]);
    assert!(
        its.contains("like a nurse") && !its.contains("like a pirate"),
        "{its}"
    );
    let its = prompt_of(&["--session", "last", "And in a session with it"]);
    assert!(its.contains("like a nurse"), "{its}");
    let usual = prompt_of(&["Good evening"]);
    assert!(
        usual.contains("like a pirate") && !usual.contains("like a nurse"),
        "{usual}"
    );

    let printed = desk.run(["ask", "--assistant", "../nurse", "hello"]);
    assert_eq!(printed.code, Some(2), "{}", printed.stdout);
    assert!(printed.stderr.contains("without /"), "{}", printed.stderr);
}

#[test]
fn a_person_can_have_the_conversation_compacted_and_read_all_of_it_afterwards() {
    let watches = (0..200).map(|watch| format!("The harbour log of watch {watch}, in full. "));
    let long = watches.collect::<Vec<_>>().concat();
    let server = ModelServer::start([
        Answer::Text(long.clone()),
        Answer::Text(format!("Day two. {long}")),
        Answer::Text("Day three.".into()),
        Answer::Text("After it.".into()),
    ]);
    server.summarise("Goal: read the log. Days one and two were told.");
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "context_window", "10000"]);
    desk.run(["ask", "Day one?"]);
    let short = desk.run(["session", "compact", "--json"]);
    assert!(
        short.stdout.contains("nothing to compact yet"),
        "{}",
        short.stdout
    );
    desk.run(["ask", "--session", "last", "Day two?"]);
    desk.run(["ask", "--session", "last", "Day three?"]);
    let before = server.requests().len();
    let printed = desk.run(["session", "compact", "last", "--json"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let told = printed.event("compacted");
    assert!(
        told["after_tokens"].as_u64() < told["before_tokens"].as_u64(),
        "{told}"
    );
    assert_eq!(printed.event("run_ended")["status"], "completed");
    assert_eq!(
        server.requests().len(),
        before + 1,
        "one question to a model: the summary"
    );
    desk.run(["ask", "--session", "last", "And then?"]);
    let prompt = server.last_prompt();
    assert!(prompt.contains("Days one and two were told.") && prompt.contains("Day three?"));
    assert!(
        prompt.matches("harbour log").count() < 250,
        "{}",
        prompt.matches("harbour log").count()
    );
    let shown = desk.run(["session", "show", "last"]);
    assert!(
        shown.stdout.matches("harbour log").count() >= 400,
        "the transcript is whole"
    );
}
