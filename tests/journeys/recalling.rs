//! What memory brings into a run by itself, how that is shown and counted, and what stays out.

use serde_json::{Value, json};
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer};

const FACT: &str = "团队周会改到每周四上午十点，在三楼大会议室";
const QUESTION: &str = "我们团队的周会是周几几点？";

fn answering(text: &str) -> ModelServer {
    ModelServer::repeating(Answer::Text(text.to_owned()))
}

fn done<const N: usize>(desk: &Desk, arguments: [&str; N]) -> Vec<Value> {
    let mut all = vec!["--json"];
    all.extend(arguments);
    let printed = desk.run(all);
    assert_eq!(printed.code, Some(0), "{arguments:?}: {}", printed.stderr);
    printed.json()
}

fn add(desk: &Desk, text: &str) -> String {
    done(desk, ["memory", "add", text])[0]["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn recalled(events: &[Value]) -> Vec<&Value> {
    let event = events.iter().find(|event| event["type"] == "recalled");
    event.map_or_else(Vec::new, |event| {
        event["memories"].as_array().unwrap().iter().collect()
    })
}

#[test]
fn a_fact_that_fits_goes_along_with_the_question_in_one_call_and_is_told_with_its_reason() {
    let server = answering("周四上午十点。");
    let desk = Desk::with_model(&server.url());
    let id = add(&desk, FACT);
    add(&desk, "报销发票要在三十天内交给财务");
    let events = done(&desk, ["ask", QUESTION]);
    assert_eq!(server.requests().len(), 1, "recalling asks no model");
    let prompt = server.last_prompt();
    assert!(prompt.contains("<memory>") && prompt.contains(FACT), "{prompt}");
    assert!(
        !prompt.contains("三十天"),
        "what does not fit stays out: {prompt}"
    );
    let shown = recalled(&events);
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0]["id"], json!(id));
    assert!(
        shown[0]["coverage"].as_f64().unwrap() > 0.3 && shown[0]["parts"]["lexical"].as_f64().unwrap() > 0.0
    );
    let record = &done(&desk, ["memory", "show", &id])[0];
    assert_eq!(record["uses"], 1);
    assert!(record["last_used"].is_string());

    let run = events[0]["run"].as_str().unwrap();
    let steps = done(&desk, ["trace", "show", run]);
    let step = find(&steps, "recall").unwrap_or_else(|| panic!("no step in {steps:?}"));
    assert_eq!(step["attributes"]["shidi.recalled"][0]["id"], json!(id));
    let read = desk.run(["trace", "show", run]);
    assert!(read.stdout.contains("recall"), "{}", read.stdout);
}

/// The summaries that memory holds.
fn summaries(desk: &Desk) -> Vec<Value> {
    let all = done(desk, ["memory", "list"]);
    all.into_iter()
        .filter(|record| record["kind"] == "summary")
        .collect()
}

#[test]
fn an_answer_that_only_repeats_what_memory_has_leaves_no_summary() {
    let server = answering("Your passport is in the second drawer of the desk.");
    let desk = Desk::with_model(&server.url());
    add(&desk, "My passport is in the second drawer of the desk");
    let events = done(&desk, ["ask", "Where is my passport, in which drawer?"]);
    assert_eq!(recalled(&events).len(), 1);
    assert_eq!(summaries(&desk), Vec::<Value>::new());
    let found =
        "hits = await memory.search(text='passport drawer')\nawait user.say(text=hits.data[0]['text'])";
    server.add([Answer::Text(format!("```python\n{found}\n```"))]);
    done(&desk, ["ask", "Look up where my passport drawer is"]);
    assert_eq!(
        summaries(&desk),
        Vec::<Value>::new(),
        "nor what a program looked up"
    );
}

#[test]
fn an_answer_that_goes_beyond_what_memory_has_leaves_its_summary() {
    let server =
        answering("Renew it at the embassy in Bern: forms, two photographs, ninety francs, three weeks.");
    let desk = Desk::with_model(&server.url());
    add(&desk, "My passport drawer is the second of the desk");
    done(
        &desk,
        ["ask", "How do I renew the passport from my passport drawer?"],
    );
    assert_eq!(summaries(&desk).len(), 1);
}

#[test]
fn a_single_word_in_common_brings_nothing() {
    let server = answering("All right.");
    let desk = Desk::with_model(&server.url());
    add(&desk, "The table above shows all 24 tests. case_6 fails most.");
    for question in ["wrongkey test", "429 test", "quota test"] {
        assert!(recalled(&done(&desk, ["ask", question])).is_empty(), "{question}");
    }
}

/// The act of that name, wherever it stands.
fn find(values: &[Value], name: &str) -> Option<Value> {
    values.iter().find_map(|value| match value {
        Value::Object(fields) if fields.get("name") == Some(&json!(name)) => Some(value.clone()),
        Value::Object(fields) => find(&fields.values().cloned().collect::<Vec<_>>(), name),
        Value::Array(items) => find(items, name),
        _ => None,
    })
}

#[test]
fn a_question_about_something_else_and_a_switched_off_recall_bring_nothing() {
    let server = answering("好。");
    let desk = Desk::with_model(&server.url());
    add(&desk, FACT);
    for question in [
        "2+2?",
        "帮我写一首关于秋天的诗",
        "How do I reverse a list in Python?",
    ] {
        let events = done(&desk, ["ask", question]);
        assert!(recalled(&events).is_empty(), "{question}");
        assert!(!server.last_prompt().contains("<memory>"), "{question}");
    }
    done(&desk, ["config", "set", "memory.recall", "off"]);
    let events = done(&desk, ["ask", QUESTION]);
    assert!(recalled(&events).is_empty() && !server.last_prompt().contains(FACT));
}

#[test]
fn what_was_taken_from_foreign_content_stays_out_but_is_found_by_a_program() {
    let server = ModelServer::start([
        Answer::Text("好。".to_owned()),
        Answer::Text(
            "```python\nfor hit in await memory.search(text=\"周会\"):\n    print(hit[\"text\"])\n```"
                .to_owned(),
        ),
        Answer::Text("见上。".to_owned()),
    ]);
    let desk = Desk::with_model(&server.url());
    let file = desk.path("memory.jsonl");
    std::fs::write(&file, format!("{}\n", json!({"kind": "knowledge", "text": FACT}))).unwrap();
    done(&desk, ["memory", "import", file.to_str().unwrap()]);
    assert!(recalled(&done(&desk, ["ask", QUESTION])).is_empty());
    done(&desk, ["ask", "用程序查一下周会"]);
    assert!(
        server.last_prompt().contains("三楼大会议室"),
        "{}",
        server.last_prompt()
    );
}

#[test]
fn what_is_recalled_and_then_erased_leaves_nothing_behind_in_prompts_or_traces() {
    let server = answering("好。");
    let desk = Desk::with_model(&server.url());
    let id = add(&desk, "团队周会暗号是 zebraquartz，每周四上午");
    assert_eq!(recalled(&done(&desk, ["ask", "团队周会的暗号是什么？"])).len(), 1);
    assert!(server.last_prompt().contains("zebraquartz"));
    assert!(holds(&desk, "zebraquartz"));
    done(&desk, ["memory", "delete", &id]);
    assert!(!holds(&desk, "zebraquartz"), "its words are in the data folder");
}

/// Whether any file below the data folder holds the text.
pub fn holds(desk: &Desk, text: &str) -> bool {
    fn below(folder: &std::path::Path, text: &[u8]) -> bool {
        let entries = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        entries.into_iter().any(|path| match path.is_dir() {
            true => below(&path, text),
            false => {
                std::fs::read(&path).is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text))
            }
        })
    }
    below(&desk.data(), text.as_bytes())
}

#[test]
fn a_page_remembers_what_was_asked_there_under_every_address_it_has_and_forgets_it_when_told() {
    let server = answering("好。");
    let desk = Desk::with_model(&server.url());
    let page = |name: &str, url: &str| {
        let file = desk.path(name);
        let context = json!({"app": "Firefox", "title": "Quota", "url": url, "selection": "quota 10"});
        std::fs::write(&file, context.to_string()).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let first = page("a.json", "https://wiki.example/quota?id=7&utm_source=mail#top");
    let second = page("b.json", "https://wiki.example/quota/?id=7");
    let other = page("c.json", "https://wiki.example/quota?id=8");
    let asked = done(&desk, ["ask", "为什么配额是十？", "--context", &first]);
    assert!(recalled(&asked).is_empty(), "nothing was asked there before");
    let session = asked.iter().find(|event| event["type"] == "run_started").unwrap()["session"].clone();

    let again = done(&desk, ["ask", "How is it raised?", "--context", &second]);
    let shown = recalled(&again);
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert_eq!(
        (&shown[0]["kind"], &shown[0]["session"]),
        (&json!("conversation"), &session)
    );
    assert!(server.last_prompt().contains("为什么配额是十？"));
    assert_eq!(server.requests().len(), 2);
    assert!(recalled(&done(&desk, ["ask", "How is it raised?", "--context", &other])).is_empty());

    let visits = done(&desk, ["memory", "visits", "https://wiki.example/quota?id=7"]);
    let questions: Vec<&Value> = visits.iter().map(|visit| &visit["question"]).collect();
    assert_eq!(questions, ["How is it raised?", "为什么配额是十？"]);
    done(&desk, ["memory", "forget-site", "https://wiki.example"]);
    assert!(done(&desk, ["memory", "visits", "https://wiki.example/quota?id=7"]).is_empty());
    assert!(!holds(&desk, "为什么配额是十？"));
}

/// The names, without their folders, of the files that came of a visit.
fn file_names(visit: &Value) -> Vec<String> {
    let files = visit["files"].as_array().into_iter().flatten();
    let name = |path: &Value| path.as_str()?.rsplit('/').next().map(str::to_owned);
    files.filter_map(name).collect()
}

#[test]
fn a_page_tells_what_came_of_a_question_asked_there_and_forgets_that_too() {
    const PAGE: &str = "https://wiki.example/quota?id=7";
    let program =
        "print(await files.read(path='notes.md'))\nawait files.write(path='report.md', text='# Quota\\n')";
    let server = ModelServer::start([
        Answer::Text(format!("```python\n{program}\n```")),
        Answer::Text("# Found\n\nThe quota is **ten** because of the plan. See `report.md`.".to_owned()),
        Answer::Text("```python\nawait memory.remember(text='The desk is blue')\n```".to_owned()),
        Answer::Text("Kept.".to_owned()),
    ]);
    let desk = Desk::with_model(&server.url());
    let (context, folder) = (desk.path("page.json"), desk.path("work"));
    let page = json!({"app": "Firefox", "title": "Quota", "url": PAGE, "selection": "quota 10"});
    std::fs::write(&context, page.to_string()).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("notes.md"), "plan: small\n").unwrap();
    let (context, folder) = (context.to_str().unwrap(), folder.to_str().unwrap());
    done(
        &desk,
        [
            "memory",
            "add",
            "Quotas grow on Mondays",
            "--scope",
            &format!("site:{PAGE}"),
        ],
    );
    done(
        &desk,
        [
            "ask",
            "Why is the quota ten?",
            "--context",
            context,
            "--folder",
            folder,
        ],
    );

    let visit = || done(&desk, ["memory", "visits", PAGE]).remove(0);
    let seen = visit();
    assert_eq!(
        seen["answer"],
        "The quota is ten because of the plan. See report.md."
    );
    assert_eq!(file_names(&seen), ["report.md", "notes.md"], "{seen}");
    assert_eq!(seen["facts"][0]["text"], "Quotas grow on Mondays");
    // What the same session keeps for another question, with no page in front, did not come of this one.
    let session = seen["session"].as_str().unwrap();
    done(
        &desk,
        [
            "ask",
            "--session",
            session,
            "--approve",
            "memory.remember",
            "Remember: the desk is blue",
        ],
    );
    assert!(desk.run(["memory", "list"]).stdout.contains("desk is blue"));
    assert_eq!(visit()["facts"].as_array().unwrap().len(), 1);
    let read = desk.run(["memory", "visits", PAGE]).stdout;
    assert!(
        read.contains("→ The quota is ten") && read.contains("· Quotas grow"),
        "{read}"
    );

    std::fs::remove_file(desk.path("work/report.md")).unwrap();
    assert_eq!(file_names(&visit()), ["notes.md"], "what is gone is not offered");
    done(&desk, ["memory", "forget-site", "https://wiki.example"]);
    assert!(done(&desk, ["memory", "visits", PAGE]).is_empty());
    assert!(!holds(&desk, "because of the plan") && !holds(&desk, "grow on Mondays"));
}
