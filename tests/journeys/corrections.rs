//! A correction in a conversation, over real HTTP and real files: it changes only what it names, from process to process,
//! and another order is free.

use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::fs;
use std::path::Path;

const BOOKING: &str = "version: '1.0'\nname: Book a table\ndescription: Books tables in the restaurant.\ninputs:\n  - {name: tables, type: int, description: how many tables}\n  \
                       - {name: guests, type: int, description: how many people}\n  - {name: name, type: str, description: in whose name}\nsteps:\n  \
                       - id: keep\n    type: tool\n    tool: files.write\n    inputs: {path: 'booking-{tables}.txt', text: '{guests} {name}'}\n  \
                       - {id: told, type: output, inputs: {done: 'for {guests}'}}\n";

fn text(words: &str) -> Answer {
    Answer::Text(words.to_owned())
}

fn calling(arguments: &str) -> Answer {
    text(&format!(
        "```python\nprint(await workflows.book_table({arguments}))\n```"
    ))
}

fn said(desk: &Desk, work: &Path, session: Option<&str>, words: &str) -> Printed {
    let work = work.display().to_string();
    let mut line = vec![
        "ask", "--json", "--mode", "trust", "--format", "fenced", "--folder", &work,
    ];
    if let Some(session) = session {
        line.extend(["--session", session]);
    }
    line.push(words);
    let printed = desk.run(line);
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
    printed
}

#[test]
fn two_tables_are_two_tables_and_the_guests_stay_four() {
    let server = ModelServer::start([
        calling("tables=1, guests=4, name='Okafor'"),
        text("One table is booked."),
        calling("tables=2, guests=2, name='Okafor'"),
        calling("tables=2, guests=4, name='Okafor'"),
        text("Two tables are booked."),
        calling("tables=3, guests=6, name='Achebe'"),
        text("Three tables are booked."),
    ]);
    let desk = Desk::with_model(&server.url());
    let folder = desk.data().join("workflows");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("book-table.yaml"), BOOKING).unwrap();
    let work = desk.path("work");
    fs::create_dir_all(&work).unwrap();
    let booking = |tables: u32| fs::read_to_string(work.join(format!("booking-{tables}.txt")));

    let first = said(&desk, &work, None, "One table for four, in the name of Okafor");
    assert_eq!(booking(1).unwrap(), "4 Okafor");
    let session = first.event("run_started")["session"].as_str().unwrap().to_owned();

    let second = said(&desk, &work, Some(&session), "No, two tables");
    let told = server.last_prompt();
    assert!(told.contains("guests was 4 (how many people)"), "{told}");
    assert!(
        told.contains("nobody has asked for 2 since. Pass guests=4."),
        "{told}"
    );
    assert_eq!(second.event("answer")["text"], "Two tables are booked.");
    assert_eq!(booking(2).unwrap(), "4 Okafor", "only the tables have changed");

    said(
        &desk,
        &work,
        Some(&session),
        "And another booking: three tables for six people, for Achebe",
    );
    assert_eq!(booking(3).unwrap(), "6 Achebe", "another order is free");
    assert_eq!(server.requests().len(), 7);
}
