//! What a pipe gets of a question: each line as soon as the next one begins, and nothing that reads as the answer but it.

use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::sync::{Arc, Barrier, mpsc};
use std::time::Duration;

/// Longest wait for a line that has to be there.
const LINE_WAIT: Duration = Duration::from_secs(60);

fn says(text: &str) -> Answer {
    Answer::Text(text.to_owned())
}

#[test]
fn a_line_is_there_while_the_rest_of_the_answer_is_still_being_written() {
    let gate = Arc::new(Barrier::new(2));
    let server = ModelServer::start([Answer::Gated {
        before: "The first line.\n\nThe second ".to_owned(),
        gate: Arc::clone(&gate),
        after: "one.\nAnd the end.".to_owned(),
    }]);
    let desk = Desk::with_model(&server.url());
    let mut child = desk.spawn(["ask", "tell me more"], Stdio::null());
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let (sender, lines) = mpsc::channel();
    let reading = std::thread::spawn(move || {
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        sender.send(line).unwrap();
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        rest
    });
    let first = lines.recv_timeout(LINE_WAIT);
    gate.wait();
    assert_eq!(
        first.unwrap(),
        "The first line.\n",
        "while the model is at the gate"
    );
    assert_eq!(reading.join().unwrap(), "\nThe second one.\nAnd the end.\n");
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_turns_out_to_be_no_answer_never_comes_or_is_marked() {
    let short = "I compute it.\n```python\nprint(6 * 7)\n```";
    let long = "First I look.\nThen I compute.\nThis is how:\n```python\nprint(6 * 7)\n```";
    let asked = |answers: [Answer; 2]| {
        let server = ModelServer::start(answers);
        Desk::with_model(&server.url()).run(["ask", "what is it?"]).stdout
    };
    assert_eq!(asked([says(short), says("It is\n42.")]), "It is\n42.\n");
    assert_eq!(
        asked([says(long), says("It is\n42.")]),
        "First I look.\nThen I compute.\n[The 2 lines above are not the final answer]\nIt is\n42.\n"
    );
}

#[test]
fn an_answer_that_was_sent_back_is_not_taken_for_the_one_that_counts() {
    let server = ModelServer::start([
        says("```python\n1/0\n```"),
        says("It is seven.\nI am sure."),
        says("The division failed.\nNothing came of it."),
    ]);
    let printed = Desk::with_model(&server.url()).run(["ask", "what is it?"]);
    assert_eq!(
        printed.stdout,
        "It is seven.\n[The line above is not the final answer]\nThe division failed.\nNothing came of it.\n",
        "{}",
        printed.stderr
    );
}

#[test]
fn an_answer_that_breaks_off_says_so_where_it_was_shown() {
    let broken = || Answer::Cut("One.\nTwo.\nThr".to_owned());
    let server = ModelServer::start(std::iter::repeat_with(broken).take(20));
    let printed = Desk::with_model(&server.url()).run(["ask", "count"]);
    assert_ne!(printed.code, Some(0));
    assert!(
        printed.stdout.ends_with("not the final answer]\n"),
        "{}{}",
        printed.stdout,
        printed.stderr
    );
}
