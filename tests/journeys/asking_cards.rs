//! Cards that ask, over real HTTP: a program waits with each, the process is gone meanwhile, the answer comes back with its
//! kind, and what does not fit is told while the card goes on waiting.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};

const ASKS: &str = "[Thought]: ask\n```python\n\
    colour = (await user.choose(text='Which colour?', options=['red', {'label': 'Dark blue', 'value': 7}])).data\n\
    for n in range(3):\n    await user.progress(done=n + 1, total=3, text='files')\n\
    sure = (await user.confirm(text='Sure?', yes='Do it')).data\n\
    guest = (await user.form(text='Who?', fields=['name', {'name': 'nights', 'kind': 'number'}])).data\n\
    kept = (await user.diff(before='a\\nb\\nc\\n', after='A\\nb\\nC\\n', title='x.txt')).data\n\
    note = (await user.hand_over(text='Call the bank', to='Ada')).data\n\
    done = (await user.operate(text='Disk is full', actions=['clean', 'ignore'], facts={'free': '2 %'})).data\n\
    own = (await user.card(card={'title': 'Own', 'fields': ['why'], 'actions': ['go', 'stay']})).data\n\
    print(colour, sure, guest, kept, note, done, own)\n```";

fn waits(printed: &Printed) -> Value {
    assert_eq!(printed.code, Some(3), "{}\n{}", printed.stdout, printed.stderr);
    // After a restart the card is shown again before its answer is taken.
    let mut questions = printed
        .json()
        .into_iter()
        .filter(|event| event["type"] == "question");
    questions.next_back().unwrap_or_default()
}

#[test]
fn every_card_waits_through_a_restart_and_its_answer_reaches_the_program_with_its_kind() {
    let server = ModelServer::start([
        Answer::Text(ASKS.to_owned()),
        Answer::Text("All answered.".into()),
    ]);
    let desk = Desk::with_model(&server.url());
    let first = desk.run(["ask", "--json", "Ask me everything"]);
    let asked = waits(&first);
    let run = asked["run"].as_str().unwrap();
    assert_eq!(asked["text"], "Which colour?");
    assert_eq!(asked["fields"]["options"][1]["label"], "Dark blue");

    let wrong = desk.run(["answer", run, "green", "--json"]);
    assert_eq!(waits(&wrong)["text"], "Which colour?");
    let told = wrong.event("notification");
    assert!(told["text"].as_str().unwrap().contains("\"green\""), "{told}");

    let mut last = desk.run(["answer", run, "Dark blue", "--json"]);
    assert_eq!(waits(&last)["fields"]["card"], "confirm");
    let steps: Vec<Value> = last
        .json()
        .into_iter()
        .filter(|event| event["type"] == "card")
        .collect();
    assert_eq!(steps.len(), 3, "{steps:?}");
    assert_eq!(
        steps[2]["data"],
        json!({"title": "files", "done": 3.0, "total": 3.0})
    );
    let banana = desk.run(["answer", run, "banana"]);
    assert!(
        banana.code == Some(3) && banana.stderr.contains("! Answer \"Do it\" or \"No\""),
        "{}",
        banana.stderr
    );
    for (answer, next) in [
        ("do it", "form"),
        (r#"{"name": "Ada", "nights": "2"}"#, "diff"),
        ("1", "hand_over"),
        ("called, they pay on Monday", "operations"),
        ("1", "custom"),
    ] {
        last = desk.run(["answer", run, answer, "--json"]);
        assert_eq!(waits(&last)["fields"]["card"], next, "{answer}");
    }
    let own = r#"{"action": "stay", "values": {"why": "rain"}}"#;
    let done = desk.run(["answer", run, own, "--json"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(
        done.event("output")["stdout"],
        "7 True {'name': 'Ada', 'nights': 2} {'text': 'A\\nb\\nc\\n', 'accepted': 1, 'rejected': 1} \
         called, they pay on Monday clean {'action': 'stay', 'values': {'why': 'rain'}}\n"
    );
    assert_eq!(
        server.requests().len(),
        2,
        "no model is asked while a person answers"
    );
    let prompt = server.last_prompt();
    assert!(
        prompt.contains("[User]: Dark blue") && prompt.contains("[User]: 1 of 2 changes accepted"),
        "{prompt}"
    );
}

#[test]
fn a_card_that_can_not_be_is_an_error_of_the_program_and_asks_nobody() {
    let asks = "[Thought]: ask\n```python\ntry:\n    await user.choose(text='?', options=[])\nexcept ValueError as problem:\n    print(problem)\n```";
    let server = ModelServer::start([
        Answer::Text(asks.to_owned()),
        Answer::Text("Nothing to choose.".into()),
    ]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "Let me choose"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert_eq!(printed.event("output")["stdout"], "options has 1 to 50 entries\n");
}
