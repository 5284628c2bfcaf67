//! What a user chooses in forms again and again: noticed where they let it, proposed, kept, changed, used in a question,
//! filled in anew, and gone with its site.

use crate::shell::programs;
use rusqlite::Connection;
use serde_json::{Value, json};
use shidi_tests::browser::Browser;
use shidi_tests::command::{Desk, Printed, Staying};
use shidi_tests::model_server::{ModelServer, prompt_of};
use std::time::{Duration, Instant};

const SITE: &str = "https://tracker.example";

/// Longest wait for what another process does.
const WAITED_MOST: Duration = Duration::from_secs(60);

fn page(document: &str) -> Value {
    json!({"type": "page", "tab": 7, "document": document, "url": "https://tracker.example/issues?page=1", "title": "Issues"})
}

/// A use of the filter of that page.
fn used(document: &str, status: &str, words: &str) -> Value {
    let options = ["Open", "Closed"];
    json!({"type": "used", "tab": 7, "document": document, "form": "Filter", "button": "Apply", "values": [
        {"name": "Status", "kind": "choice", "value": status, "options": options},
        {"name": "Only mine", "kind": "switch", "value": true},
        {"name": "Words", "kind": "text", "value": words},
    ]})
}

/// The same where nobody asks for their own alone.
fn used_without_mine(document: &str, status: &str) -> Value {
    let mut used = used(document, status, document);
    used["values"][1]["value"] = json!(false);
    used
}

fn desk(texts: &[&str]) -> (Desk, ModelServer, Browser, Staying) {
    let server = programs(texts);
    let desk = Desk::with_model(&server.url());
    let browser = Browser::paired(&desk, page("doc-0"));
    let staying = staying(&desk, &browser);
    (desk, server, browser, staying)
}

/// A process that stays and knows the page in front.
fn staying(desk: &Desk, browser: &Browser) -> Staying {
    browser.forget_told();
    let staying = Staying::start(desk);
    assert!(browser.told("site").is_object());
    staying
}

/// What `found` finds at last; each look takes as long as a command.
fn eventually<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(began.elapsed() < WAITED_MOST, "it never came to it: {what}");
    }
}

fn done(printed: &Printed) {
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
}

fn preference(desk: &Desk, arguments: &[&str]) -> Vec<Value> {
    let all = ["preference", "--json"];
    let printed = desk.run(all.iter().copied().chain(arguments.iter().copied()));
    done(&printed);
    printed.json()
}

/// What is listed of that sort, once there is any.
fn listed(desk: &Desk, sort: &str) -> Value {
    eventually(sort, || {
        let found = preference(desk, &[])
            .into_iter()
            .find(|line| line.get(sort).is_some());
        found.map(|line| line[sort].clone())
    })
}

fn learn(desk: &Desk, browser: &Browser) {
    preference(desk, &["learn", SITE]);
    browser.told_so("site", |told| told["learn"] == true);
}

/// Uses the filter so in three documents, one after the other.
fn use_three_times(browser: &Browser, first: u32, status: &str) {
    for at in first..first + 3 {
        let document = format!("doc-{at}");
        browser.show(page(&document));
        browser.say(&used(&document, status, &format!("word {at}")));
    }
}

fn ledger(desk: &Desk) -> Vec<Value> {
    let printed = desk.run(["sense", "--ledger", "--json"]);
    done(&printed);
    printed
        .json()
        .into_iter()
        .filter(|line| line["what"] == "form")
        .collect()
}

/// Fields and values of a proposal or preference.
fn chosen(of: &Value) -> Vec<(String, Value)> {
    let values = of["values"].as_array().unwrap().iter();
    values
        .map(|one| (one["name"].as_str().unwrap().to_owned(), one["value"].clone()))
        .collect()
}

#[test]
fn what_is_chosen_three_times_is_proposed_kept_asked_with_changed_and_filled_in() {
    let (desk, server, browser, _staying) = desk(&["await user.say('shown')"]);
    learn(&desk, &browser);
    use_three_times(&browser, 1, "Open");
    let proposal = listed(&desk, "proposal");
    let kept_so = vec![
        ("Status".to_owned(), json!("Open")),
        ("Only mine".to_owned(), json!(true)),
    ];
    assert_eq!(
        chosen(&proposal),
        kept_so,
        "what differs each time is no preference"
    );
    assert_eq!(
        (&proposal["site"], &proposal["button"], &proposal["times"]),
        (&json!(SITE), &json!("Apply"), &json!(3))
    );
    assert_eq!(ledger(&desk).len(), 3);

    preference(&desk, &["keep", proposal["id"].as_str().unwrap()]);
    let kept = listed(&desk, "preference");
    assert_eq!(chosen(&kept), kept_so);
    assert!(
        preference(&desk, &[])
            .iter()
            .all(|line| line.get("proposal").is_none())
    );
    let memory = kept["memory"].as_str().unwrap();
    let shown = desk.run(["memory", "show", memory, "--json"]);
    done(&shown);
    let record = &shown.json()[0];
    assert_eq!(
        (&record["kind"], &record["scope"]),
        (&json!("preference"), &json!(format!("site:{SITE}")))
    );
    assert_eq!(
        record["data"]["schema"]["properties"]["Status"]["enum"],
        json!(["Open", "Closed"])
    );
    assert_eq!(record["data"]["operation"], "Apply");

    let printed = desk.run(["ask", "--json", "--page", "What do I usually look at here?"]);
    done(&printed);
    let prompt = prompt_of(&server.requests()[0]);
    assert!(prompt.contains("Status = Open, Only mine = on"), "{prompt}");

    changes_and_fills(&desk, &browser, memory);
}

/// A preference is changed within what its fields take, not proposed once more, and filled in.
fn changes_and_fills(desk: &Desk, browser: &Browser, memory: &str) {
    let refused = desk.run(["preference", "set", memory, "Status=Pending"]);
    assert_ne!(refused.code, Some(0));
    assert!(refused.stderr.contains("Status"), "{}", refused.stderr);
    preference(desk, &["set", memory, "Status=Closed", "Only mine=off"]);
    let changed = listed(desk, "preference");
    assert_eq!(chosen(&changed)[0].1, "Closed");

    // What is kept so is not proposed once more.
    use_three_times(browser, 4, "Closed");
    for at in 4..7 {
        browser.say(&used_without_mine(&format!("doc-{at}"), "Closed"));
    }
    eventually("the later uses", || (ledger(desk).len() >= 9).then_some(()));
    assert!(
        preference(desk, &[])
            .iter()
            .all(|line| line.get("proposal").is_none())
    );

    browser.answers("fill", json!({"done": true}));
    let printed = desk.run([
        "preference",
        "fill",
        changed["memory"].as_str().unwrap(),
        "--json",
    ]);
    done(&printed);
    assert_eq!(
        printed.json()[0],
        json!({"filled": ["Status", "Only mine"], "missed": [], "button": "Apply"})
    );
    assert_eq!(browser.runs("fill"), 2);
    assert_eq!(browser.runs("click"), 0, "the user presses the button");

    // The same labels on a page of somebody else.
    browser.show(json!({"type": "page", "tab": 9, "document": "other-2", "url": "https://other.example/", "title": "Other"}));
    browser.told_so("site", |told| told["site"] == "https://other.example");
    let elsewhere = desk.run(["preference", "fill", changed["memory"].as_str().unwrap()]);
    assert_ne!(elsewhere.code, Some(0));
    assert!(
        elsewhere.stderr.contains("https://other.example"),
        "{}",
        elsewhere.stderr
    );
    assert_eq!(browser.runs("fill"), 2);
}

/// Uses one form of a page of the site, with words that nobody chooses twice.
fn do_step(browser: &Browser, document: &str, path: &str, (form, button): (&str, &str)) {
    browser.show(json!({"type": "page", "tab": 7, "document": document, "url": format!("{SITE}{path}"), "title": form}));
    browser.say(
        &json!({"type": "used", "tab": 7, "document": document, "form": form, "button": button, "values": [
            {"name": "Words", "kind": "text", "value": document},
        ]}),
    );
}

/// As if what was noticed had been noticed a day earlier.
fn a_day_passes(desk: &Desk) {
    let database = Connection::open(desk.data().join("shidi.db")).unwrap();
    database
        .execute("UPDATE form_use SET time = time - 86400000", [])
        .unwrap();
}

#[test]
fn the_order_of_forms_that_comes_on_three_days_is_proposed_kept_changed_and_tells_what_is_next() {
    const SEARCH: &str = "Search · Find (/search)";
    const FILTER: &str = "Filter · Apply (/results/*)";
    let (desk, server, browser, first) = desk(&["await user.say('shown')"]);
    learn(&desk, &browser);
    let mut at_work = first;
    for visit in 1..=3 {
        let [search, filter] = ["search", "filter"].map(|name| format!("{name}-{visit}"));
        do_step(&browser, &search, "/search?q=1", ("Search", "Find"));
        do_step(
            &browser,
            &filter,
            &format!("/results/{visit}"),
            ("Filter", "Apply"),
        );
        eventually("both forms", || (ledger(&desk).len() == 2 * visit).then_some(()));
        let is_proposed = preference(&desk, &[])
            .iter()
            .any(|line| line.get("proposal").is_some());
        assert_eq!(is_proposed, visit == 3, "on day {visit}");
        drop(at_work);
        a_day_passes(&desk);
        at_work = staying(&desk, &browser);
    }
    let proposal = listed(&desk, "proposal");
    assert_eq!(chosen(&proposal), [("steps".to_owned(), json!([SEARCH, FILTER]))]);
    assert_eq!(
        (&proposal["times"], &proposal["of"], &proposal["button"]),
        (&json!(3), &json!(3), &json!(""))
    );

    preference(&desk, &["keep", proposal["id"].as_str().unwrap()]);
    let kept = listed(&desk, "preference");
    let memory = kept["memory"].as_str().unwrap();
    let record = desk.run(["memory", "show", memory, "--json"]).json().remove(0);
    assert_eq!(record["data"]["operation"], format!("{SEARCH} → {FILTER}"));
    assert_eq!(record["data"]["data"]["steps"], json!([SEARCH, FILTER]));
    assert_eq!(record["tags"], json!(["steps"]));

    do_step(&browser, "search-4", "/search", ("Search", "Find"));
    eventually("the first step", || (ledger(&desk).len() == 7).then_some(()));
    done(&desk.run(["ask", "--json", "--page", "What do I do here?"]));
    let prompt = prompt_of(&server.requests()[0]);
    assert!(
        prompt.contains(&format!("in this order: {SEARCH} → {FILTER}"))
            && prompt.contains("next would be: Filter"),
        "{prompt}"
    );
    assert_eq!(
        browser.runs("fill") + browser.runs("click"),
        0,
        "nothing is done by it"
    );

    let refused = desk.run(["preference", "set", memory, "steps=Filter"]);
    assert_ne!(refused.code, Some(0), "one step is no order");
    let other_way = format!("steps={FILTER} → {SEARCH}");
    preference(&desk, &["set", memory, &other_way]);
    let changed = listed(&desk, "preference");
    assert_eq!(chosen(&changed), [("steps".to_owned(), json!([FILTER, SEARCH]))]);
    let listed = preference(&desk, &[]);
    assert!(
        listed.iter().all(|line| line.get("proposal").is_none()),
        "it was answered"
    );
    drop(at_work);
}

#[test]
fn nothing_is_noticed_before_it_is_switched_on_nor_on_other_sites_nor_in_pages_that_are_not_known() {
    let (desk, _server, browser, _staying) = desk(&[]);
    use_three_times(&browser, 1, "Open");
    learn(&desk, &browser);
    browser.say(&used("doc-of-nobody", "Open", ""));
    browser.show(json!({"type": "page", "tab": 8, "document": "other-1", "url": "https://other.example/", "title": "Other"}));
    let mut elsewhere = used("other-1", "Open", "");
    elsewhere["tab"] = json!(8);
    browser.say(&elsewhere);
    // What is told now comes after all that.
    browser.show(page("doc-9"));
    browser.say(&used("doc-9", "Open", ""));
    eventually("the one use that counts", || {
        (!ledger(&desk).is_empty()).then_some(())
    });
    assert_eq!(ledger(&desk).len(), 1);
    assert!(preference(&desk, &[]).is_empty());
}

#[test]
fn a_proposal_that_was_declined_does_not_come_again_until_something_else_is_chosen() {
    let (desk, _server, browser, _staying) = desk(&[]);
    learn(&desk, &browser);
    use_three_times(&browser, 1, "Open");
    let proposal = listed(&desk, "proposal");
    assert!(preference(&desk, &["decline", proposal["id"].as_str().unwrap()]).is_empty());
    use_three_times(&browser, 4, "Open");
    eventually("six uses", || (ledger(&desk).len() == 6).then_some(()));
    assert!(preference(&desk, &[]).is_empty());
    use_three_times(&browser, 7, "Closed");
    let other = listed(&desk, "proposal");
    assert_eq!(other["values"][0]["value"], "Closed");
    let unknown = desk.run(["preference", "keep", proposal["id"].as_str().unwrap()]);
    assert_ne!(unknown.code, Some(0));
}

#[test]
fn a_use_is_on_the_disk_before_it_counts_and_goes_with_its_site() {
    let (desk, _server, browser, staying) = desk(&[]);
    learn(&desk, &browser);
    use_three_times(&browser, 1, "Open");
    let proposal = listed(&desk, "proposal");
    // Killed, not ended.
    drop(staying);
    let again = listed(&desk, "proposal");
    assert_eq!(again, proposal);
    preference(&desk, &["keep", proposal["id"].as_str().unwrap()]);
    done(&desk.run(["memory", "forget-site", SITE]));
    assert!(preference(&desk, &[]).is_empty());
    let staying = self::staying(&desk, &browser);
    use_three_times(&browser, 4, "Open");
    listed(&desk, "proposal");
    preference(&desk, &["unlearn", SITE]);
    assert!(preference(&desk, &[]).is_empty());
    drop(staying);
}

#[test]
fn forms_without_a_name_are_told_apart_by_their_buttons_and_what_is_new_is_kept_beside_the_rest() {
    let (desk, _server, browser, _staying) = desk(&[]);
    learn(&desk, &browser);
    let unnamed = |document: &str, button: &str, field: &str| {
        let values = json!([{"name": field, "kind": "switch", "value": true}]);
        json!({"type": "used", "tab": 7, "document": document, "button": button, "values": values})
    };
    let three_times = |first: u32, button: &str, field: &str| {
        for at in first..first + 3 {
            let document = format!("doc-{at}");
            browser.show(page(&document));
            browser.say(&unnamed(&document, button, field));
        }
    };
    let keep = || {
        let proposal = listed(&desk, "proposal");
        preference(&desk, &["keep", proposal["id"].as_str().unwrap()])
    };
    three_times(1, "Search", "Whole words");
    keep();
    three_times(4, "Export", "With pictures");
    let kept = keep();
    let forms: Vec<&Value> = kept.iter().map(|line| &line["preference"]["form"]).collect();
    assert_eq!(forms, [&json!("Export"), &json!("Search")]);

    three_times(7, "Export", "With notes");
    let kept = keep();
    let export = kept
        .iter()
        .find(|line| line["preference"]["form"] == "Export")
        .unwrap();
    let names: Vec<String> = chosen(&export["preference"])
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["With pictures", "With notes"]);
}

#[test]
fn a_secret_in_a_value_is_kept_nowhere() {
    let (desk, _server, browser, _staying) = desk(&[]);
    learn(&desk, &browser);
    let secret = "ghp_0123456789abcdefghij0123456789abcdef";
    for at in 1..4 {
        let document = format!("doc-{at}");
        browser.show(page(&document));
        browser.say(&used(&document, "Open", secret));
    }
    listed(&desk, "proposal");
    let listed = preference(&desk, &[]);
    assert!(!json!(listed).to_string().contains(secret));
    for entry in std::fs::read_dir(desk.data()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap_or_default();
        assert!(
            !bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes())
        );
    }
}
