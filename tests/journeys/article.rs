//! The article's helpers as they come along: `@marketing` up to the outbox, with both approvals, and `@restaurant-ordering` up to
//! the dishes; what they need and lack is said in a sentence with its remedy. Its own file of a menu is run as it stands.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::fs;
use std::path::Path;

const WISH: &str = "Write to the regulars about the autumn menu";

fn calling(program: &str) -> Answer {
    Answer::Text(format!("```python\nprint(await workflows.{program})\n```"))
}

fn marketing() -> Answer {
    calling("customer_marketing(user_tag='regulars', marketing_need='the autumn menu')")
}

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

fn with_plugin(server: &ModelServer) -> Desk {
    let desk = Desk::with_model(&server.url());
    done(desk.run(["plugin", "install", "customer-care", "--yes"]));
    desk
}

fn asked(desk: &Desk, folder: &Path, words: &str) -> Printed {
    fs::create_dir_all(folder).unwrap();
    let at = folder.display().to_string();
    desk.run([
        "--json",
        "ask",
        "--assistant",
        "marketing",
        "--folder",
        &at,
        words,
    ])
}

/// The card for which the newest run of the workflow waits.
fn waiting(desk: &Desk) -> Value {
    let runs = done(desk.run(["--json", "workflow", "runs", "--of", "customer-marketing"])).json();
    runs[0]["waiting"][0]["event"].clone()
}

fn sent(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("outbox"))
        .into_iter()
        .flatten()
        .flatten();
    entries
        .map(|entry| fs::read_to_string(entry.path()).unwrap())
        .collect()
}

#[test]
fn marketing_writes_to_a_group_and_sends_once_a_person_approved_text_and_call() {
    let server = ModelServer::start([marketing(), Answer::Text("It is in the outbox.".into())]);
    let desk = with_plugin(&server);
    let folder = desk.path("work");
    let first = asked(&desk, &folder, WISH);
    assert_eq!(first.code, Some(3), "{}{}", first.stdout, first.stderr);
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let card = waiting(&desk);
    assert_eq!(card["text"], "Send this to 555-0100?", "{card}");
    let facts = card["fields"]["facts"].to_string();
    assert!(facts.contains("likes warm dishes: the autumn menu"), "{card}");
    assert_eq!(sent(&folder), [""; 0], "nothing is sent before");

    done(desk.run(["answer", card["run"].as_str().unwrap(), "Approve"]));
    assert_eq!(desk.run(["resume", &run]).code, Some(3), "sending is asked about");
    let card = waiting(&desk);
    assert_eq!(
        (&card["tool"], &card["class"]),
        (&json!("customer_care.plugin_sms_send"), &json!("send")),
        "{card}"
    );
    assert_eq!(sent(&folder), [""; 0], "the text alone is approved");

    let (program, call) = (card["run"].as_str().unwrap(), card["call"].to_string());
    done(desk.run(["approve", program, &call]));
    let last = done(desk.run(["--json", "resume", &run]));
    assert_eq!(last.event("answer")["text"], "It is in the outbox.");
    let output = last.event("output")["stdout"].to_string();
    assert!(output.contains("'sms_status': True"), "{output}");
    let sent = sent(&folder);
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert!(sent[0].contains("555-0100") && sent[0].contains("autumn menu"));
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_workflow_that_comes_along_is_offered_to_the_assistant_that_names_it_and_to_nobody_else() {
    let server = ModelServer::repeating(Answer::Text("Which ones?".into()));
    // Without the plugin, whose own workflow of that name is everybody's.
    let desk = Desk::with_model(&server.url());
    done(asked(&desk, &desk.path("work"), WISH));
    let its = server.last_prompt();
    let is_offered = ["[customer_marketing]", "def customer_marketing("]
        .iter()
        .any(|form| its.contains(form));
    assert!(is_offered && !its.contains("refund_approval"), "{its}");
    done(desk.run(["ask", WISH]));
    assert!(!server.last_prompt().contains("customer_marketing"));
    done(desk.run(["ask", "--assistant", "translator", WISH]));
    assert!(!server.last_prompt().contains("customer_marketing"));
    let program = "await workflows.customer_marketing(user_tag='regulars', marketing_need='x')";
    assert_eq!(desk.run_with(["exec", "-"], program).code, Some(1));
    // By its name it is run for the one, and is a question to the other.
    let by_name = "/customer-marketing regulars";
    let asks = asked(&desk, &desk.path("work"), by_name);
    assert_eq!(asks.code, Some(3), "{}{}", asks.stdout, asks.stderr);
    done(desk.run(["ask", by_name]));
    assert!(server.last_prompt().contains(by_name));
    // An own one of that name is everybody's.
    let text = done(desk.run(["workflow", "export", "customer-marketing"])).stdout;
    fs::create_dir_all(desk.data().join("workflows")).unwrap();
    fs::write(desk.data().join("workflows/customer-marketing.yaml"), text).unwrap();
    done(desk.run(["ask", WISH]));
    assert!(server.last_prompt().contains("customer_marketing"));
}

#[test]
fn a_plugin_that_is_missing_is_named_with_its_remedy_before_anything_is_done() {
    let server = ModelServer::start([
        marketing(),
        Answer::Text("The plugin customer-care is missing.".into()),
    ]);
    let desk = Desk::with_model(&server.url());
    let remedy = "shidi plugin install customer-care";
    for (language, words) in [("en", "is not installed"), ("zh", "还没有安装")] {
        let listed = done(desk.run(["--lang", language, "--json", "assistant", "list"])).json();
        let its = listed.iter().find(|one| one["name"] == "marketing").unwrap();
        let notes = its["notes"].to_string();
        assert!(notes.contains(words) && notes.contains(remedy), "{notes}");
        assert_eq!(its["problem"], Value::Null, "it can be asked all the same");
    }
    done(asked(&desk, &desk.path("work"), WISH));
    let told = prompt_of(&server.requests()[1]);
    let sentence = "The workflow customer-marketing needs the plugin customer-care, which is not installed";
    assert!(told.contains(sentence) && told.contains(remedy), "{told}");
    let runs = done(desk.run(["--json", "workflow", "runs"])).json();
    assert_eq!(runs, Vec::<Value>::new(), "nothing was begun");
}

#[test]
fn restaurant_ordering_finds_the_dishes_that_fit_in_the_menu_of_the_article() {
    let server = ModelServer::start([
        calling("menu_recommendation(user_preference='hot with rice')"),
        Answer::Text("Chicken with chili.".into()),
    ]);
    let desk = Desk::with_model(&server.url());
    let menu = desk.path("menu.csv");
    fs::write(
        &menu,
        "name,description\nChicken,Chicken with chili and rice\nSoup,A mild soup with rice\n",
    )
    .unwrap();
    done(desk.run(["knowledge", "create", "huangmenji_menu"]));
    done(desk.run(["knowledge", "add", "huangmenji_menu", &menu.display().to_string()]));
    let words = [
        "--json",
        "ask",
        "--assistant",
        "restaurant-ordering",
        "I like it hot with rice, what is there?",
    ];
    let printed = done(desk.run(words));
    let output = printed.event("output")["stdout"].to_string();
    assert!(output.contains("chili") && !output.contains("mild"), "{output}");
    assert_eq!(printed.event("answer")["text"], "Chicken with chili.");
}

/// Of so many attempts one has its vector in time: other work on the machine spoils some, a fault all.
const ATTEMPTS: usize = 5;

/// A model that knows what is hot, in two languages.
fn by_taste(text: &str) -> Option<Vec<f32>> {
    let is_about = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let hot = f32::from(u8::from(is_about(&["辣", "fiery"])));
    let sweet = f32::from(u8::from(is_about(&["甜", "sweet"])));
    Some(vec![hot, sweet, 0.1])
}

#[test]
fn the_articles_own_file_of_a_menu_lacks_its_function_by_line_and_is_run_as_it_stands_with_it() {
    let server = ModelServer::repeating(Answer::Text("Well.".into())).embedding(by_taste);
    let desk = Desk::with_model(&server.url());
    done(desk.run(["config", "set", "role.embedding", "meaning-1"]));
    let (file, menu) = (desk.path("menu.yaml"), desk.path("menu.csv"));
    fs::copy(shidi_tests::folder().join("workflows/article/menu.yaml"), &file).unwrap();
    fs::write(
        &menu,
        "name,description\n香辣黄焖鸡,招牌，放足辣椒\n红糖糍粑,甜点\n",
    )
    .unwrap();
    let file = file.display().to_string();
    done(desk.run(["knowledge", "create", "huangmenji_menu"]));
    done(desk.run(["knowledge", "add", "huangmenji_menu", &menu.display().to_string()]));

    let checked = done(desk.run(["--lang", "en", "workflow", "validate", &file]));
    for words in [
        format!("{file}:30:"),
        "no function 'filter_spicy_dishes'".to_owned(),
        "a file of the workflow's name that ends in .py".to_owned(),
    ] {
        assert!(checked.stdout.contains(&words), "{words}: {checked:?}");
    }
    fs::write(
        desk.path("menu.py"),
        "def filter_spicy_dishes(recommendations):\n    return [dish for dish in recommendations.split('\\n\\n') if '辣' in dish]\n",
    )
    .unwrap();
    let checked = done(desk.run(["workflow", "validate", &file]));
    assert!(!checked.stdout.contains("filter_spicy_dishes"), "{checked:?}");

    // What is new has its vector once a task has ended.
    done(desk.run(["ask", "2+2?"]));
    let wish = "user_preference=something fiery";
    let dishes = || {
        let printed = done(desk.run(["--json", "workflow", "run", &file, "--input", wish]));
        let run = printed
            .json()
            .into_iter()
            .rfind(|line| line["type"] == "workflow_run");
        run.unwrap_or_default()["result"]["spicy_dishes"].clone()
    };
    let mut attempts = (0..ATTEMPTS).map(|_| dishes());
    let found = attempts.find(|dishes| dishes.as_array().is_some_and(|dishes| !dishes.is_empty()));
    let found = found.unwrap_or_default().to_string();
    assert!(
        found.contains("香辣黄焖鸡") && found.contains("[menu.csv line 2]"),
        "{found}"
    );
    assert!(!found.contains("糍粑"), "{found}");
}
