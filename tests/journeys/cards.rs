//! Cards over real HTTP: data goes to the user and not through the model, and is there again with the session.

use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer};

const SHOW: &str = "[Thought]: the rows go to the user\n```python\n\
    rows = [{'city': f'City {n}', 'sum': n * 1.5, 'note': 'long ' * 20} for n in range(3000)]\n\
    await user.table(rows=rows, title='All cities')\n\
    await user.chart(labels=['a', 'b'], values={'this year': [1, 2], 'last year': [2, None]}, kind='line')\n\
    await user.files(paths=['/tmp/a.csv'])\n\
    await user.links(links=[{'title': 'Docs', 'url': 'https://example.org/docs'}])\n\
    try:\n    await user.links(links=['javascript:alert(1)'])\nexcept ValueError as problem:\n    print(problem)\n\
    print('shown')\n```";

#[test]
fn three_thousand_rows_reach_the_user_and_not_the_model_and_come_back_with_the_session() {
    let server = ModelServer::start([
        Answer::Text(SHOW.to_owned()),
        Answer::Text("There they are.".into()),
    ]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "Show me all cities"]);
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
    let events = printed.json();
    let cards: Vec<_> = events.iter().filter(|event| event["type"] == "card").collect();
    let kinds: Vec<_> = cards.iter().map(|card| card["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["table", "chart", "files", "links"]);
    let table = &cards[0]["data"];
    assert_eq!(table["columns"], serde_json::json!(["city", "sum", "note"]));
    assert_eq!(
        table["rows"][1],
        serde_json::json!(["City 1", 1.5, "long ".repeat(20)])
    );
    let (shown, left_out) = (
        table["rows"].as_array().unwrap().len(),
        table["left_out"].as_u64().unwrap(),
    );
    assert_eq!((shown, left_out), (2_000, 1_000));

    let prompt = server.last_prompt();
    assert!(prompt.contains("[Card]: table \"All cities\": 3 columns (city, sum, note), 3000 rows; only the first 2000 are shown (shown to the user)"), "{prompt}");
    assert!(!prompt.contains("City 1500"), "no row goes through the model");
    assert!(server.request_bytes()[1] < 20_000, "{:?}", server.request_bytes());
    assert!(
        printed.segments("Output")[0].contains("is no http or https address\nshown"),
        "{:?}",
        printed.segments("Output")
    );

    let again = desk.run(["session", "show", "last", "--json"]);
    let detail = &again.json()[0];
    let kept: Vec<_> = detail["segments"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|segment| segment["kind"] == "Card")
        .collect();
    assert_eq!(kept.len(), 4);
    assert_eq!(kept[0]["data"], *table, "the record holds what was shown");
    let read = desk.run(["session", "show", "last"]);
    assert!(
        read.stdout.contains("All cities") && read.stdout.contains("https://example.org/docs"),
        "{}",
        read.stdout
    );
    let traced = desk.run(["trace", "show", "last"]);
    assert!(traced.stdout.contains("card"), "{}", traced.stdout);
}

#[test]
fn on_a_terminal_a_table_is_read_as_one() {
    let program = "```python\nawait user.table(rows=[{'城市': '上海', 'n': 12}, {'城市': 'Oslo', 'n': 3}])\nawait user.say(text='Two.')\n```";
    let server = ModelServer::start([Answer::Text(format!("[Thought]: show\n{program}"))]);
    let printed = Desk::with_model(&server.url()).run(["ask", "Which cities?"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert!(
        printed
            .stdout
            .contains("城市   n\n----  --\n上海  12\nOslo   3\n"),
        "{}",
        printed.stdout
    );
    assert_eq!(server.requests().len(), 1);
}
