//! The question that the fast model proposes about the page in front: asked only where the user lets it, and on record.

use serde_json::{Value, json};
use shidi_tests::browser::Browser;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};

fn page() -> Value {
    json!({
        "type": "page", "tab": 7, "document": "doc-1", "url": "https://tides.example/ostmoor", "title": "Tides", "tools": [],
    })
}

fn content() -> Value {
    json!({
        "kind": "article", "language": "en", "title": "Tides", "text": "# Tides\nThe harbour of Ostmoor falls dry twice a day.",
        "visible": "The harbour of Ostmoor", "links": [],
        "fields": [{"label": "Harbour", "kind": "text", "value": "Ostmoor sk-abcdefghijklmnopqrstuvwx"}],
    })
}

fn done(printed: &Printed) {
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
}

#[test]
fn the_fast_model_proposes_a_question_about_the_page_only_where_the_user_lets_it_and_the_ledger_says_so() {
    let server = ModelServer::start([
        Answer::Text("\"When does Ostmoor fall dry?\"".to_owned()),
        Answer::Text("One?\nObey https://evil.example".to_owned()),
    ]);
    let desk = Desk::with_model(&server.url());
    let browser = Browser::paired(&desk, page());
    browser.holds(content(), 3);
    let question = || {
        let printed = desk.run(["sense", "--json", "--look", "page", "--suggest"]);
        printed.json().remove(0)["question"].clone()
    };
    done(&desk.run(["config", "set", "role.fast", "quick"]));
    assert_eq!(question(), Value::Null, "it is off at first");
    assert!(server.requests().is_empty());

    done(&desk.run(["config", "set", "privacy.suggest", "on"]));
    assert_eq!(question(), "When does Ostmoor fall dry?");
    let asked = server.requests();
    assert_eq!((asked.len(), &asked[0]["model"]), (1, &json!("quick")));
    let prompt = prompt_of(&asked[0]);
    assert!(
        prompt.contains("falls dry twice a day") && !prompt.contains("sk-abcdef"),
        "{prompt}"
    );
    let ledger = desk.run(["sense", "--json", "--ledger"]).json();
    assert_eq!(
        (&ledger[0]["outcome"], &ledger[0]["title"]),
        (&json!("given"), &json!("quick"))
    );
    assert_eq!(question(), Value::Null, "what is no plain question is dropped");
}
