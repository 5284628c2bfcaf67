//! A long conversation, a question about something new, and one that comes back: what the model is asked over real HTTP.

use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};

const ORDERS: &str = "Read orders.csv and count orders per week.";
const CUP: &str = "Who won the football World Cup in 1990?";
const COACH: &str = "Who was the coach of the winner?";
const BACK: &str = "Plot the orders of each week as a line.";
const ROW: &str = "week 10 has 44 orders";

fn ask(desk: &Desk, more: &[&str], question: &str) -> Printed {
    let asked = desk.run([&["ask", "--json"][..], more, &[question]].concat());
    assert_eq!(asked.code, Some(0), "{}{}", asked.stdout, asked.stderr);
    asked
}

/// Many rows, each its own: what is one row over and over is ended.
fn rows() -> String {
    let rows = (0..450).map(|number| format!("{ROW}, number {number}\n"));
    rows.collect::<Vec<_>>().concat()
}

fn has_all(prompt: &str) -> bool {
    prompt.matches(ROW).count() > 100
}

#[test]
fn a_new_subject_goes_with_an_outline_that_can_be_read_whole_and_a_later_question_comes_back() {
    let server = ModelServer::start([
        Answer::Text(rows()),
        Answer::Text(
            "[Thought]: look\n```python\nprint(await results.read(handle='q1', limit_lines=20))\n```".into(),
        ),
        Answer::Text("West Germany won the final against Argentina.".into()),
        Answer::Text("Franz Beckenbauer.".into()),
        Answer::Text("Here is the line.".into()),
        Answer::Text("It is blue.".into()),
    ]);
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "outline_history", "on"]);
    ask(&desk, &[], ORDERS);
    let new = ask(&desk, &["--session", "last"], CUP);
    let prompt = |at: usize| shidi_tests::model_server::prompt_of(&server.requests()[at]);
    assert!(!has_all(&prompt(1)), "an outline stands for it");
    assert!(prompt(1).contains("q1: Read orders.csv"), "{}", prompt(1));
    let notice = new.event("notification");
    assert!(notice["text"].as_str().unwrap().contains("as before"), "{notice}");
    let read = new.event("output");
    assert!(read["stdout"].as_str().unwrap().contains(ROW), "{read}");
    let trace = desk.run(["trace", "show", "last", "--json"]).stdout;
    assert!(trace.contains("EarlierSubject"), "{trace}");

    let on = ask(&desk, &["--session", "last"], COACH);
    assert!(!has_all(&server.last_prompt()), "it goes on with the new subject");
    assert!(!on.stdout.contains("as before"), "and was told: {}", on.stdout);

    ask(&desk, &["--session", "last"], BACK);
    assert!(has_all(&server.last_prompt()), "nothing is lost");
    ask(&desk, &["--session", "last"], "Make it blue.");
    assert!(has_all(&server.last_prompt()), "the return holds");
    let shown = desk.run(["session", "show", "last", "--json"]).stdout;
    assert!(shown.contains(ROW), "the transcript is as it was");
}

#[test]
fn it_is_off_until_it_is_switched_on() {
    let server = ModelServer::start([
        Answer::Text(rows()),
        Answer::Text("West Germany won the final against Argentina.".into()),
    ]);
    let desk = Desk::with_model(&server.url());
    ask(&desk, &[], ORDERS);
    ask(&desk, &["--session", "last"], CUP);
    assert!(has_all(&server.last_prompt()));
}
