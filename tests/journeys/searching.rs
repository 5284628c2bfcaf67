//! Searching the web by providers that speak as the real ones do: what is sent to each, what comes of its answers, and
//! the sentence for each way to refuse. No key stays anywhere.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use shidi_tests::search_server::{KEY, SearchServer, Shape, Turn};
use std::path::Path;

/// Providers that want a key, with the path at which each answers.
const KEYED: [(Shape, &str, &str); 3] = [
    (Shape::Brave, "brave", "/res/v1/web/search"),
    (Shape::Tavily, "tavily", "/search"),
    (Shape::Bing, "bing", "/v7.0/search"),
];

const HITS: &[[&str; 3]] = &[
    [
        "Rust <strong>1.95</strong> &amp; more",
        "https://blog.example/rust-1.95",
        "It&#x27;s <strong>out</strong>: see &lt;notes&gt;",
    ],
    ["", "https://bare.example/", ""],
    ["A script", "javascript:alert(1)", "no address of the web"],
    ["Third", "http://third.example/a?b=1&c=2", "third"],
];

/// A desk that asks a provider at an address with a key.
fn desk(provider: &str, url: &str, key: &str) -> Desk {
    let mut desk = Desk::new();
    desk.set(&format!("SHIDI_KEY_{}", provider.to_uppercase()), key);
    desk.write_config(&format!("[search]\nprovider = \"{provider}\"\nurl = \"{url}\"\n"));
    desk
}

fn searched(desk: &Desk, call: &str) -> (Value, Printed) {
    let program = format!("found = await web.search({call})\nfound.data");
    let printed = desk.run_with(["exec", "--json", "--allow", "web.*", "-"], &program);
    let last = printed.json().pop();
    (last.unwrap_or_else(|| panic!("{}", printed.stderr)), printed)
}

/// The sentence of a search that fails, after a look at everything that is left for the key.
fn refused(desk: &Desk, call: &str, key: &str) -> String {
    let (told, printed) = searched(desk, call);
    assert_eq!(told["ok"], false, "{told}");
    for text in [&printed.stdout, &printed.stderr] {
        assert!(!text.contains(key), "{text}");
    }
    assert!(!holds(&desk.data(), key), "the key is in a file");
    told["error"]["message"].as_str().unwrap().to_owned()
}

/// Whether a file below the folder holds a text.
fn holds(folder: &Path, text: &str) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| {
        let path = entry.path();
        match path.is_dir() {
            true => holds(&path, text),
            false => std::fs::read(&path)
                .is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes())),
        }
    })
}

#[test]
fn each_provider_is_asked_in_its_own_shape_and_its_results_are_numbered_alike() {
    for (shape, name, path) in KEYED {
        let server = SearchServer::start(shape);
        server.finds(HITS);
        // An address without a path is asked at the provider's own one.
        for url in [server.at(path), server.at("")] {
            let desk = desk(name, &url, KEY);
            let (told, _) = searched(&desk, "'rust 1.95', limit=4");
            assert_eq!(
                told["value"],
                json!([
                    {"n": 1, "title": "Rust 1.95 & more", "url": "https://blog.example/rust-1.95",
                        "text": "It's out: see <notes>"},
                    {"n": 2, "title": "bare.example", "url": "https://bare.example/", "text": ""},
                    {"n": 3, "title": "Third", "url": "http://third.example/a?b=1&c=2", "text": "third"},
                ]),
                "{name}: {told}"
            );
            assert!(!holds(&desk.data(), KEY), "{name}: the key is in a file");
        }
        let requests = server.requests();
        assert_eq!(requests.len(), 2, "{name} is asked once for each search");
        for request in &requests {
            assert_eq!(request.path(), path, "{name}");
            assert_eq!(request.header("accept"), "application/json", "{name}");
            assert!(!request.target.contains(KEY), "{name}: {}", request.target);
            let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
            let (query, count) = match shape {
                Shape::Tavily => (body["query"].clone(), body["max_results"].clone()),
                Shape::Searxng | Shape::Brave | Shape::Bing => {
                    let count = request.field("count").unwrap().parse::<u64>().unwrap();
                    (json!(request.field("q")), json!(count))
                }
            };
            assert_eq!((query, count), (json!("rust 1.95"), json!(4)), "{name}");
        }
    }
}

#[test]
fn nothing_found_is_an_empty_list_of_every_provider() {
    for (shape, name, _) in KEYED.into_iter().chain([(Shape::Searxng, "searxng", "")]) {
        let server = SearchServer::start(shape);
        let (told, _) = searched(&desk(name, &server.at(""), KEY), "'rust'");
        assert_eq!(told["value"], json!([]), "{name}: {told}");
    }
}

#[test]
fn a_key_that_is_refused_is_told_with_its_remedy_and_stays_nowhere() {
    const WRONG: &str = "wrong-key-9876543210";
    for (shape, name, _) in KEYED {
        let server = SearchServer::start(shape);
        let desk = desk(name, &server.at(""), WRONG);
        let why = refused(&desk, "'rust'", WRONG);
        assert!(
            why.contains("does not take its key") && why.contains(&format!("shidi key set {name}")),
            "{name}: {why}"
        );
        assert_eq!(server.requests().len(), 1, "{name}");
        let tested = desk.run(["key", "test", name]);
        assert_eq!(tested.code, Some(2), "{name}: {}", tested.stderr);
        assert!(
            tested.stderr.contains("does not take its key"),
            "{name}: {}",
            tested.stderr
        );
        assert!(!tested.stderr.contains(WRONG), "{name}: {}", tested.stderr);
    }
}

#[test]
fn each_way_to_refuse_has_one_sentence_that_says_what_to_do() {
    let waits = [
        ("brave", "try again in 1 s"),
        ("tavily", "in 30 s"),
        ("bing", "in 5 s"),
    ];
    for ((shape, name, _), (_, wait)) in KEYED.into_iter().zip(waits) {
        let server = SearchServer::start(shape);
        let desk = desk(name, &server.at(""), KEY);
        for (turn, expected) in [
            (Turn::TooOften, wait),
            (Turn::UsedUp, "is used up: raise its limit there"),
            (Turn::Trouble, "HTTP 503"),
            (Turn::Page, "no JSON): check search.url"),
            (Turn::Redirect, "HTTP 302): check search.url"),
        ] {
            server.turns(turn);
            let why = refused(&desk, "'rust'", KEY);
            assert!(why.contains(expected), "{name} {turn:?}: {why}");
            assert!(!why.contains('\n'), "{name} {turn:?}: {why}");
        }
        assert_eq!(server.requests().len(), 5, "nobody is asked twice, or sent on");
    }
    let server = SearchServer::start(Shape::Brave);
    let desk = desk("brave", &server.at(""), KEY);
    let why = refused(&desk, "' '.join(['word'] * 60)", KEY);
    assert!(why.contains("HTTP 422): use fewer"), "{why}");
    // Another thing answers there.
    let elsewhere = SearchServer::start(Shape::Tavily);
    let lost = self::desk("brave", &elsewhere.at(""), KEY);
    let why = refused(&lost, "'rust'", KEY);
    assert!(why.contains("HTTP 404): check search.url"), "{why}");
}

#[test]
fn a_searxng_that_gives_no_json_says_what_its_operator_has_to_add() {
    let server = SearchServer::start(Shape::Searxng);
    let desk = desk("searxng", &server.at("/"), KEY);
    let why = refused(&desk, "'unformatted'", KEY);
    assert!(why.contains("search.formats"), "{why}");
    server.turns(Turn::TooOften);
    let why = refused(&desk, "'rust'", KEY);
    assert!(why.contains("asked too often: try again later"), "{why}");
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.headers.values().all(|value| !value.contains(KEY))),
        "a key that nobody needs goes nowhere"
    );
}

#[test]
fn a_key_that_is_kept_serves_a_search_and_stands_in_no_file_as_it_is() {
    let server = SearchServer::start(Shape::Brave);
    server.finds(HITS);
    let mut desk = Desk::new();
    desk.write_config(&format!(
        "[search]\nprovider = \"brave\"\nurl = \"{}\"\n",
        server.at("")
    ));
    desk.set("SHIDI_PASSPHRASE", "correct horse battery");
    let set = desk.run_with(["key", "set", "brave"], &format!("{KEY}\n"));
    assert_eq!(set.code, Some(0), "{}{}", set.stdout, set.stderr);
    let tested = desk.run(["key", "test", "brave"]);
    assert_eq!(tested.code, Some(0), "{}{}", tested.stdout, tested.stderr);
    let (told, _) = searched(&desk, "'rust', limit=1");
    assert_eq!(told["value"][0]["title"], "Rust 1.95 & more", "{told}");
    assert_eq!(server.requests()[1].header("x-subscription-token"), KEY);
    assert!(!holds(&desk.data(), KEY), "the key is in a file");
}

#[test]
fn bing_without_an_address_asks_nobody_and_says_where_to_set_one() {
    let desk = desk("bing", "", KEY);
    let why = refused(&desk, "'rust'", KEY);
    assert!(
        why.contains("bing needs an address") && why.contains("search.url"),
        "{why}"
    );
    let checks = desk.run(["--json", "doctor"]).json();
    let search = checks.iter().find(|check| check["name"] == "search").unwrap();
    assert!(
        search["detail"].as_str().unwrap().contains("needs an address"),
        "{search}"
    );
    let chinese = desk.run(["--lang", "zh", "key", "test", "bing"]);
    assert!(chinese.stderr.contains("要有地址"), "{}", chinese.stderr);
}

#[test]
fn a_question_is_answered_from_what_brave_found_and_cites_it_by_number() {
    let search = SearchServer::start(Shape::Brave);
    let found = "https://news.example/rust-1.95";
    search.finds(&[[
        "Rust <strong>1.95</strong>",
        found,
        "The <strong>release</strong>",
    ]]);
    let program =
        "for hit in (await web.search('Rust 1.95')).data:\n    print(hit['n'], hit['title'], hit['url'])";
    let model = ModelServer::start([
        Answer::Text(format!("```python\n{program}\n```")),
        Answer::Text(format!("It is out [1].\n\n[1] {found}")),
    ]);
    let mut desk = Desk::with_model(&model.url());
    desk.set("SHIDI_KEY_BRAVE", KEY);
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\n\n[search]\nprovider = \"brave\"\nurl = \
         \"{}\"\n",
        model.url(),
        search.at("")
    ));
    let asked = desk.run(["ask", "--json", "Is Rust 1.95 out?"]);
    assert_eq!(asked.code, Some(0), "{}{}", asked.stdout, asked.stderr);
    let answer = asked.event("answer")["text"].to_string();
    assert!(answer.contains("[1]") && answer.contains(found), "{answer}");
    let second = prompt_of(&model.requests()[1]);
    assert!(second.contains(&format!("1 Rust 1.95 {found}")), "{second}");
    let trace = desk.run(["trace", "show", "last", "--json"]);
    assert!(
        trace.stdout.contains("web.search"),
        "{}{}",
        trace.stdout,
        trace.stderr
    );
    assert!(!trace.stdout.contains(KEY) && !holds(&desk.data(), KEY));
}
