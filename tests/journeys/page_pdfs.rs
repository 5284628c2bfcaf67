//! A PDF that the user's browser shows: its text goes along and is read as a page's, from the web and from the disk.

use crate::pages::{await_answer, pages, staying};
use crate::shell::programs;
use serde_json::{Value, json};
use shidi_tests::browser::Browser;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{ModelServer, prompt_of};
use shidi_tests::papers::pdf;
use std::path::Path;

const SAYS: &str = "await user.say('read')";

fn shown(url: &str) -> Value {
    json!({"type": "page", "tab": 7, "document": "doc-1", "url": url, "title": "tides.pdf", "tools": [], "pdf": true})
}

/// A desk whose model writes these programs, and a browser that is let in and shows the PDF at that address.
fn desk(texts: &[&str], url: &str) -> (Desk, ModelServer, Browser) {
    let server = programs(texts);
    let desk = Desk::with_model(&server.url());
    let browser = Browser::paired(&desk, shown(url));
    (desk, server, browser)
}

fn on_the_web(texts: &[&str]) -> (Desk, ModelServer, Browser) {
    desk(texts, "https://papers.example/tides.pdf")
}

fn paper() -> Vec<u8> {
    let page = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
    pdf(&[
        page(&[
            "The harbour of Ostmoor falls dry twice a day.",
            "key sk-abcdefghijklmnopqrstuvwx",
        ]),
        page(&["The ferry leaves at 7:45.", "渡轮七点四十五分开。"]),
    ])
}

fn ask(desk: &Desk, question: &str) -> Printed {
    let printed = desk.run(["ask", "--json", "--page", question]);
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
    printed
}

fn seen(desk: &Desk) -> Value {
    desk.run(["sense", "--json", "--look", "page"]).json().remove(0)
}

/// What the model read at first.
fn prompt(server: &ModelServer) -> String {
    prompt_of(&server.requests()[0])
}

#[test]
fn the_text_of_a_pdf_goes_along_as_it_was_shown_without_secrets() {
    let (desk, server, browser) = on_the_web(&[SAYS]);
    let file = paper();
    let bytes = file.len();
    browser.gives_pdf(file);
    let seen = seen(&desk);
    let content = &seen["content"];
    assert_eq!(
        (&content["kind"], &content["part"], &content["pdf"]),
        (
            &json!("pdf"),
            &json!("whole"),
            &json!({"state": "read", "pages": 2, "bytes": bytes})
        ),
        "{seen}"
    );
    let shown = content["parts"][0]["preview"].as_str().unwrap().to_owned();
    ask(&desk, "when does the ferry leave?");
    let prompt = prompt(&server);
    assert!(prompt.contains(&shown), "{shown}\nis not in\n{prompt}");
    for text in [
        "falls dry twice a day",
        "leaves at 7:45",
        "渡轮七点四十五分开",
        "[p. 2]",
    ] {
        assert!(prompt.contains(text), "{text} is not in\n{prompt}");
    }
    assert!(!prompt.contains("sk-abcdef"), "{prompt}");
}

#[test]
fn a_program_reads_a_pdf_as_a_page_and_finds_its_lines_with_their_pages() {
    let reads = "r = await page.read()
lines = await page.find(text='FERRY')
await user.say(f\"{r['kind']} of {r['pages']}, {lines[0]['value']}: {lines[0]['name']}\")";
    let (desk, _server, browser) = on_the_web(&[reads]);
    browser.gives_pdf(paper());
    let printed = ask(&desk, "when does it leave?");
    let answer = printed.event("answer")["text"].as_str().unwrap().to_owned();
    assert_eq!(answer, "pdf of 2, p. 2: The ferry leaves at 7:45.");
    assert_eq!(
        browser.runs("read") + browser.runs("find"),
        0,
        "its viewer is not asked"
    );
    assert_eq!(browser.asked_for_pdfs(), 1, "what was read is not fetched again");
}

#[test]
fn a_task_that_reads_a_pdf_while_its_browser_is_away_reads_it_once_that_has_told_of_it_again() {
    let reads = "await user.ask(text='Which ferry?')
r = await page.read()
await user.say(f\"{r['kind']} of {r['pages']}\")";
    let (desk, _server, browser) = on_the_web(&[reads]);
    browser.gives_pdf(paper());
    let _staying = staying(&desk, &browser);
    let asked = desk.run(["ask", "--json", "--page", "when does it leave?"]);
    assert_eq!(asked.code, Some(3), "{}\n{}", asked.stdout, asked.stderr);
    let run = asked.event("run_started")["run"].as_str().unwrap().to_owned();
    browser.go_away();
    let is_away = || pages(&desk)["browsers"][0]["connected"] == false;
    assert!((0..200).any(|_| is_away()), "its browser is away");
    let waits = desk.run(["answer", "--json", &run, "the first"]);
    assert_eq!(waits.code, Some(3), "{}\n{}", waits.stdout, waits.stderr);
    browser.come_back();
    await_answer(&desk, "pdf of 2");
    assert_eq!(browser.runs("read"), 0, "its viewer is not asked");
}

#[test]
fn a_pdf_that_is_too_long_for_a_prompt_is_searched_by_the_task() {
    let (desk, server, browser) = on_the_web(&[SAYS]);
    let page = |number: usize| {
        (0..50).map(move |line| format!("Tide {line} of the day {number} at the pier of Ostmoor"))
    };
    let pages: Vec<Vec<String>> = (0..16).map(|number| page(number).collect()).collect();
    browser.gives_pdf(pdf(&pages));
    ask(&desk, "which tide is the last?");
    let prompt = prompt(&server);
    assert!(prompt.contains("kept as handle \"page-"), "{prompt}");
    assert!(!prompt.contains("of the day 15 at"), "it is searched, not pasted");
}

#[test]
fn a_pdf_that_its_site_does_not_give_again_says_so_and_keeps_nobody_from_asking() {
    let tries = "try:
    await page.read()
except RuntimeError as error:
    await user.say(str(error))";
    let (desk, server, _browser) = on_the_web(&[tries]);
    let seen = seen(&desk);
    assert_eq!(
        (&seen["content"]["part"], &seen["content"]["pdf"]),
        (
            &json!("nothing"),
            &json!({"state": "unread", "reason": "unreachable"})
        ),
        "{seen}"
    );
    let printed = ask(&desk, "what does it say?");
    let answer = printed.event("answer")["text"].as_str().unwrap().to_owned();
    assert!(
        answer.contains("The user can save it and attach the file"),
        "{answer}"
    );
    assert!(prompt(&server).contains("tides.pdf"), "its title goes along");
}

fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

#[test]
fn a_pdf_of_the_disk_is_read_where_it_lies_and_nothing_else_is_that_has_its_name() {
    let (desk, server, browser) = desk(&[SAYS], "https://papers.example/");
    let front = |path: &Path| {
        let page = shown(&address(path));
        browser.show(page);
        let is_front = || {
            let pages = desk.run(["companion", "--json"]).json().remove(0);
            pages["front"]["url"] == address(path)
        };
        assert!((0..200).any(|_| is_front()), "{} is in front", path.display());
        seen(&desk)
    };
    let notes = desk.path("notes.pdf");
    std::fs::write(&notes, "my own notes, which are none").unwrap();
    let refused = json!({"state": "unread", "reason": "binary"});
    assert_eq!(front(&notes)["content"]["pdf"], refused);
    let tides = desk.path("tides.pdf");
    std::fs::write(&tides, paper()).unwrap();
    assert_eq!(front(&tides)["content"]["pdf"]["state"], "read");
    ask(&desk, "when does the ferry leave?");
    let prompt = prompt(&server);
    assert!(prompt.contains("leaves at 7:45"), "{prompt}");
    assert!(!prompt.contains("my own notes"), "{prompt}");
    assert_eq!(
        browser.asked_for_pdfs(),
        0,
        "the browser is asked for no file of the disk"
    );
}

#[test]
fn a_pdf_of_an_excluded_site_is_neither_in_front_nor_fetched() {
    let (desk, _server, browser) = on_the_web(&[]);
    browser.show(shown("https://www.paypal.com/statement.pdf"));
    let pages = desk.run(["companion", "--json"]).json().remove(0);
    assert_eq!(pages["front"], Value::Null, "{pages}");
    let looked = desk.run(["sense", "--json", "--look", "page"]);
    assert!(!looked.stdout.contains("statement"), "{looked:?}");
    let asked = desk.run(["ask", "--page", "what do I owe?"]);
    assert_ne!(asked.code, Some(0), "{asked:?}");
    assert_eq!(browser.asked_for_pdfs(), 0);
}
