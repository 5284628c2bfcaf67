//! `shidi workflow run`: workflows are carried out for real, rest where a person is needed, and go on in another process.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::fs;
use std::path::PathBuf;

const SERVER: &str = env!("CARGO_BIN_EXE_shidi-test-server");

/// A workflow of the user's own, with its functions.
fn keep(desk: &Desk, name: &str, text: &str, functions: Option<&str>) {
    let folder = desk.data().join("workflows");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
    if let Some(functions) = functions {
        fs::write(folder.join(format!("{name}.py")), functions).unwrap();
    }
}

/// The run that a command printed last.
fn run_of(printed: &Printed) -> Value {
    let mut runs = printed.json();
    runs.retain(|line| line["type"] == "workflow_run");
    runs.pop()
        .unwrap_or_else(|| panic!("no run in:\n{}\n{}", printed.stdout, printed.stderr))
}

/// A server called `peer` whose calls are noted in a file.
fn with_peer(desk: &Desk) -> PathBuf {
    let notes = desk.path("notes");
    let setting = format!("SHIDI_TEST_NOTES={}", notes.display());
    let added = desk.run(["mcp", "add", "peer", "--env", &setting, "--", SERVER]);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    let allowed = desk.run(["mcp", "allow", "peer", "send-note"]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.stderr);
    notes
}

fn lines(notes: &PathBuf) -> Vec<String> {
    let text = fs::read_to_string(notes).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// The notes of what was sent, asked for by its words.
const SENDING: &str = "version: '1.0'\nname: Send a note\ninputs:\n  - {name: to, type: str}\nsteps:\n  - id: send\n    type: tool\n    tool: peer.send_note\n    \
                       inputs: {to: '{to}', note_text: 'hello'}\n    output: {name: sent, type: str}\n  - {id: told, type: output, inputs: {sent: '{sent}'}}\n";

#[test]
fn the_refund_of_the_article_is_decided_by_code_in_the_sandbox() {
    let desk = Desk::new();
    for (order, told) in [("1", "is approved"), ("7", "no such order")] {
        let given = format!("order_id=\"{order}\"");
        let printed = desk.run(["--json", "workflow", "run", "refund-approval", "--input", &given]);
        assert_eq!(printed.code, Some(0), "{printed:?}");
        let run = run_of(&printed);
        assert!(run["result"]["message"].as_str().unwrap().contains(told), "{run}");
        assert_eq!(run["status"], "done");
    }
    // What became of each step stays, and what a step's program did is in its trace.
    let shown = run_of(&desk.run(["--json", "workflow", "runs", "last"]));
    let steps: Vec<&str> = shown["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|step| step["id"].as_str())
        .collect();
    assert_eq!(steps, ["look_up", "unknown_order", "by_outcome", "answer"]);
    let program = shown["steps"][0]["program"].as_str().unwrap();
    assert_eq!(desk.run(["--json", "trace", "show", program]).code, Some(0));
    // Sessions of steps are nobody's conversation.
    assert_eq!(
        desk.run(["--json", "session", "list"]).json(),
        Vec::<Value>::new()
    );
    let missing = desk.run(["--lang", "en", "workflow", "run", "refund-approval"]);
    assert_eq!(missing.code, Some(2));
    assert!(
        missing.stderr.contains("'order_id' is missing"),
        "{}",
        missing.stderr
    );
}

#[test]
fn the_menu_of_the_article_is_asked_and_what_is_not_spicy_is_left_out() {
    let desk = Desk::new();
    let menu = desk.path("menu.csv");
    fs::write(
        &menu,
        "name,description\nChicken,Chicken with chili and rice\nSoup,A mild soup with rice\n",
    )
    .unwrap();
    let menu = menu.display().to_string();
    assert_eq!(desk.run(["knowledge", "create", "huangmenji_menu"]).code, Some(0));
    let added = desk.run(["knowledge", "add", "huangmenji_menu", &menu]);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    let words = [
        "--json",
        "workflow",
        "run",
        "menu-recommendation",
        "--input",
        "user_preference=hot with rice",
    ];
    let printed = desk.run(words);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let run = run_of(&printed);
    let dishes = run["result"]["spicy_dishes"].to_string();
    assert!(dishes.contains("chili") && !dishes.contains("mild"), "{run}");
}

#[test]
fn a_variable_of_the_article_is_found_by_a_model_whose_tokens_are_counted() {
    let server = ModelServer::start([Answer::Text("```\ntotal\n```".to_owned())]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run([
        "--json",
        "workflow",
        "run",
        "variable-extraction",
        "--input",
        "message=total = 3",
    ]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let run = run_of(&printed);
    assert_eq!(run["result"]["variable"], "total");
    assert!(run["usage"]["input"].as_u64().unwrap() > 0, "{run}");
    assert_eq!(server.requests().len(), 1);
    assert!(
        server.last_prompt().contains("Message: total = 3"),
        "{}",
        server.last_prompt()
    );
}

const MARKETING: &str = "async def plugin_user_info_by_tag_get(tag):
    return {'mobile': '555-0100', 'preferences': 'warm dishes'}

def plugin_marketing_article_generate(topic, audience):
    return f'{topic}, for {audience}'

async def plugin_sms_send(mobile, subject, body):
    await peer.send_note(to=mobile, note_text=body)
    return True
";

#[test]
fn the_marketing_of_the_article_waits_for_a_person_and_sends_once_what_they_saw() {
    let desk = Desk::new();
    let notes = with_peer(&desk);
    let text = desk.run(["workflow", "export", "customer-marketing"]).stdout;
    keep(&desk, "customer-marketing", &text, Some(MARKETING));
    let words = [
        "--json",
        "workflow",
        "run",
        "customer-marketing",
        "--input",
        "user_tag=regulars",
        "--input",
        "marketing_need=autumn menu",
        "--approve",
        "peer.send_note",
    ];
    let printed = desk.run(words);
    assert_eq!(printed.code, Some(3), "{printed:?}");
    let run = run_of(&printed);
    assert_eq!(run["status"], "waiting");
    let card = &run["waiting"][0]["event"];
    assert_eq!(card["text"], "Send this to 555-0100?");
    assert!(
        card["fields"]["facts"]
            .to_string()
            .contains("autumn menu, for warm dishes"),
        "{card}"
    );
    assert_eq!(lines(&notes), Vec::<String>::new(), "nothing is sent before");
    let (id, program) = (run["run"].as_str().unwrap(), card["run"].as_str().unwrap());
    // What is possible is said, and it goes on waiting.
    let banana = desk.run(["--lang", "en", "answer", program, "banana"]);
    assert!(
        banana.code == Some(3) && banana.stderr.contains("choose from: Approve, Refuse"),
        "{banana:?}"
    );
    assert_eq!(desk.run(["answer", program, "Approve"]).code, Some(0));
    // Nothing of it broke off.
    let listed = desk.run(["--lang", "en", "workflow", "runs"]).stdout;
    let goes_on = format!("shidi workflow resume {id}");
    assert!(
        listed.contains("decided") && listed.contains(&goes_on) && !listed.contains("interrupted"),
        "{listed}"
    );
    let shown = run_of(&desk.run(["--json", "workflow", "runs", "last"]));
    assert_eq!(
        (&shown["status"], &shown["decided"]),
        (&json!("resting"), &json!(true))
    );
    let printed = desk.run(["--json", "workflow", "resume", id]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert_eq!(run_of(&printed)["result"]["sms_status"], true);
    assert_eq!(lines(&notes).len(), 1, "{:?}", lines(&notes));
    // It is over: going on with it does nothing more.
    assert_eq!(desk.run(["workflow", "resume", id]).code, Some(0));
    assert_eq!(lines(&notes).len(), 1);
}

#[test]
fn a_refusal_ends_it_and_nothing_is_sent() {
    let desk = Desk::new();
    let notes = with_peer(&desk);
    let text = desk.run(["workflow", "export", "customer-marketing"]).stdout;
    keep(&desk, "customer-marketing", &text, Some(MARKETING));
    let run = run_of(&desk.run([
        "--json",
        "workflow",
        "run",
        "customer-marketing",
        "--input",
        "user_tag=a",
        "--input",
        "marketing_need=b",
    ]));
    let program = run["waiting"][0]["event"]["run"].as_str().unwrap();
    assert_eq!(desk.run(["answer", program, "Refuse"]).code, Some(0));
    let printed = desk.run(["--json", "workflow", "resume", "last"]);
    assert_eq!(printed.code, Some(1), "{printed:?}");
    assert_eq!(run_of(&printed)["status"], "failed");
    assert_eq!(lines(&notes), Vec::<String>::new());
}

#[test]
fn a_step_asks_as_a_program_does_unless_the_user_allowed_that_very_call() {
    let desk = Desk::new();
    let notes = with_peer(&desk);
    keep(&desk, "send", SENDING, None);
    let printed = desk.run(["--json", "workflow", "run", "send", "--input", "to=ann"]);
    assert_eq!(printed.code, Some(3), "{printed:?}");
    let card = run_of(&printed)["waiting"][0]["event"].clone();
    assert_eq!(
        (&card["type"], &card["tool"]),
        (&json!("approval_needed"), &json!("peer.send_note"))
    );
    assert_eq!(lines(&notes), Vec::<String>::new());
    // Another process finds it waiting, and nothing of it in doubt.
    let looked = desk.run(["workflow", "resume", "last"]);
    assert_eq!(looked.code, Some(3), "{looked:?}");
    assert!(
        looked.stderr.contains("shidi approve ") && !looked.stderr.contains("settle"),
        "{looked:?}"
    );
    let program = card["run"].as_str().unwrap();
    let call = card["call"].to_string();
    assert_eq!(
        desk.run(["refuse", program, &call, "--reason", "not today"]).code,
        Some(1)
    );
    let printed = desk.run(["--json", "workflow", "resume", "last"]);
    assert_eq!(printed.code, Some(1), "{printed:?}");
    assert!(
        run_of(&printed)["error"]["message"]
            .as_str()
            .unwrap()
            .contains("not today"),
        "{printed:?}"
    );
    for language in ["en", "zh"] {
        let listed = desk.run(["--lang", language, "workflow", "runs"]);
        assert!(listed.stdout.contains("not today"), "{listed:?}");
    }
    // What a file permits itself holds where a person starts it.
    keep(
        &desk,
        "send",
        &SENDING.replace("steps:", "permissions: ['peer.send_note(to=ann)']\nsteps:"),
        None,
    );
    assert_eq!(
        desk.run(["workflow", "run", "send", "--input", "to=ann"]).code,
        Some(0)
    );
    assert_eq!(
        desk.run(["workflow", "run", "send", "--input", "to=bob"]).code,
        Some(3)
    );
    assert_eq!(lines(&notes).len(), 1);
}

#[test]
fn a_run_that_waits_is_cancelled_and_what_it_waited_for_too() {
    let desk = Desk::new();
    with_peer(&desk);
    keep(&desk, "send", SENDING, None);
    let run = run_of(&desk.run(["--json", "workflow", "run", "send", "--input", "to=ann"]));
    let cancelled = desk.run(["--json", "workflow", "cancel", run["run"].as_str().unwrap()]);
    assert_eq!(cancelled.code, Some(130), "{cancelled:?}");
    let shown = run_of(&desk.run(["--json", "workflow", "runs", "last"]));
    assert_eq!(
        (&shown["status"], &shown["waiting"]),
        (&json!("cancelled"), &json!([]))
    );
    let step = shown["steps"].as_array().and_then(|steps| steps.last()).unwrap();
    assert!(
        step["state"] == "cancelled" && step["ended"].is_string(),
        "{step}"
    );
    for (language, said) in [("en", "cancelled"), ("zh", "已取消")] {
        let told = desk.run(["--lang", language, "workflow", "runs", "last"]).stdout;
        assert_eq!(told.matches(said).count(), 2, "the run and its step: {told}");
    }
    assert_eq!(desk.run(["workflow", "forget", "last"]).code, Some(0));
    assert_eq!(
        desk.run(["--json", "workflow", "runs"]).json(),
        Vec::<Value>::new()
    );
}

/// The runs of a workflow.
fn runs_of(desk: &Desk, name: &str) -> Vec<Value> {
    desk.run(["--json", "workflow", "runs", "--of", name]).json()
}

#[test]
fn a_run_whose_step_was_stopped_already_takes_along_what_that_has_called() {
    let desk = Desk::new();
    with_peer(&desk);
    keep(&desk, "send", SENDING, None);
    let outer = "version: '1.0'\nname: Outer\nsteps:\n  - {id: call, type: tool, tool: workflows.send, inputs: {to: ann}}\n";
    keep(&desk, "outer", outer, None);
    let printed = desk.run(["--json", "workflow", "run", "outer"]);
    assert_eq!(printed.code, Some(3), "{printed:?}");
    let run = run_of(&printed);
    // As a kill leaves it between the end of the step's program and those of the runs that this has called.
    let program = runs_of(&desk, "send")[0]["by"].as_str().unwrap().to_owned();
    let database = rusqlite::Connection::open(desk.data().join("shidi.db")).unwrap();
    let changed = database.execute(
        "UPDATE run_state SET status = 'cancelled' WHERE run = ?1",
        [&program],
    );
    assert_eq!(changed.unwrap(), 1);
    drop(database);
    assert_eq!(runs_of(&desk, "send")[0]["status"], "waiting");
    let cancelled = desk.run(["--json", "workflow", "cancel", run["run"].as_str().unwrap()]);
    assert_eq!(cancelled.code, Some(130), "{cancelled:?}");
    for name in ["outer", "send"] {
        let runs = runs_of(&desk, name);
        assert_eq!(runs[0]["status"], "cancelled", "{name}: {runs:?}");
    }
}

#[test]
fn a_run_that_is_cancelled_takes_along_the_one_that_its_step_has_called() {
    let desk = Desk::new();
    with_peer(&desk);
    keep(&desk, "send", SENDING, None);
    let calling = |name: &str| {
        format!(
            "version: '1.0'\nname: Calls {name}\nsteps:\n  - {{id: call, type: tool, tool: workflows.{name}, inputs: {{to: ann}}}}\n"
        )
    };
    let given = "inputs:\n  - {name: to, type: str}\nsteps:";
    keep(&desk, "middle", &calling("send").replace("steps:", given), None);
    keep(&desk, "outer", &calling("middle"), None);
    let printed = desk.run(["--json", "workflow", "run", "outer"]);
    assert_eq!(printed.code, Some(3), "{printed:?}");
    let run = run_of(&printed);
    let cancelled = desk.run(["--json", "workflow", "cancel", run["run"].as_str().unwrap()]);
    assert_eq!(cancelled.code, Some(130), "{cancelled:?}");
    for name in ["outer", "middle", "send"] {
        let runs = runs_of(&desk, name);
        assert_eq!(
            (runs.len(), &runs[0]["status"], &runs[0]["waiting"]),
            (1, &json!("cancelled"), &json!([])),
            "{name}: {runs:?}"
        );
    }
}

#[test]
fn what_is_missing_is_said_with_its_remedy() {
    let desk = Desk::new();
    let words = [
        "--lang",
        "en",
        "workflow",
        "run",
        "customer-marketing",
        "--input",
        "user_tag=a",
        "--input",
        "marketing_need=b",
    ];
    let printed = desk.run(words);
    assert_eq!(printed.code, Some(2), "{printed:?}");
    assert!(
        printed.stderr.contains(
            "The workflow customer-marketing needs the plugin customer-care, which is not installed"
        ) && printed.stderr.contains("shidi plugin install customer-care"),
        "{}",
        printed.stderr
    );
    assert_eq!(
        desk.run(["--json", "workflow", "runs"]).json(),
        Vec::<Value>::new(),
        "nothing of it was begun"
    );
    let printed = desk.run([
        "--lang",
        "en",
        "workflow",
        "run",
        "variable-extraction",
        "--input",
        "message=x",
    ]);
    assert_eq!(printed.code, Some(1), "{printed:?}");
    assert!(printed.stdout.contains("No language model"), "{}", printed.stdout);
}

#[test]
fn steps_beside_each_other_loops_and_waits_are_carried_out() {
    let desk = Desk::new();
    let text = "version: '1.0'\nname: Many\nsteps:\n  - id: each\n    type: loop\n    each: '[1, 2, 3]'\n    as: n\n    steps:\n      - {id: twice, type: code, inputs: {n: '{n}'}, code: 'm = n * 2', output: {name: m, type: int}}\n    outputs: {name: all, type: list, value: '{m}'}\n  - {id: pause, type: wait, for: 1s}\n  - id: beside\n    type: parallel\n    branches:\n      - [{id: a, type: code, code: 'x = 1', output: {name: x, type: int}}]\n      - [{id: b, type: code, code: 'y = 2', output: {name: y, type: int}}]\n  - {id: told, type: output, inputs: {all: '{all}', x: '{x}', y: '{y}'}}\n";
    let text = text.replace("each: '[1, 2, 3]'", "each: [1, 2, 3]");
    keep(&desk, "many", &text, None);
    let printed = desk.run(["--json", "workflow", "run", "many"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert_eq!(
        run_of(&printed)["result"],
        json!({"all": [2, 4, 6], "x": 1, "y": 2})
    );
}

/// The run of the newest program that calls a workflow.
fn calling_run(desk: &Desk) -> String {
    let traces = desk.run(["--json", "trace", "list"]).json();
    let calling = traces
        .iter()
        .find(|trace| trace.to_string().contains("await workflows"));
    calling.unwrap_or_else(|| panic!("{traces:?}"))["run"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_program_calls_a_workflow_as_a_tool_rests_where_that_waits_and_gains_nothing_by_it() {
    let desk = Desk::new();
    let notes = with_peer(&desk);
    // What the file permits itself is not the caller's.
    keep(
        &desk,
        "send",
        &SENDING.replace("steps:", "permissions: [peer.send_note]\nsteps:"),
        None,
    );
    let printed = desk.run_with(["exec", "-"], "r = await workflows.send(to='ann')\nprint(r)");
    assert_eq!(printed.code, Some(3), "{printed:?}");
    assert_eq!(lines(&notes), Vec::<String>::new());
    let card = run_of(&desk.run(["--json", "workflow", "runs", "last"]))["waiting"][0]["event"].clone();
    let (program, call) = (card["run"].as_str().unwrap(), card["call"].to_string());
    assert_eq!(desk.run(["approve", program, &call]).code, Some(0));
    let resumed = desk.run(["resume", &calling_run(&desk)]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert!(resumed.stdout.contains("sent to ann"), "{resumed:?}");
    assert_eq!(lines(&notes).len(), 1);
    // One that is switched off is no tool.
    assert_eq!(desk.run(["workflow", "off", "send"]).code, Some(0));
    let refused = desk.run_with(["exec", "-"], "await workflows.send(to='ann')");
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert_eq!(lines(&notes).len(), 1);
}

#[test]
fn what_waits_in_a_workflow_that_a_step_calls_is_shown_by_the_outer_one() {
    let desk = Desk::new();
    let notes = with_peer(&desk);
    keep(&desk, "send", SENDING, None);
    let outer = "version: '1.0'\nname: Outer\nsteps:\n  - {id: call, type: tool, tool: workflows.send, inputs: {to: ann}}\n";
    keep(&desk, "outer", outer, None);
    let printed = desk.run(["--json", "workflow", "run", "outer"]);
    assert_eq!(printed.code, Some(3), "{printed:?}");
    let id = run_of(&printed)["run"].as_str().unwrap().to_owned();
    // Another process has it from the record.
    let again = desk.run(["--json", "workflow", "resume", &id]);
    assert_eq!(again.code, Some(3), "{again:?}");
    let run = run_of(&again);
    let card = &run["waiting"][0]["event"];
    assert_eq!(card["tool"], "peer.send_note", "{run}");
    assert_eq!(run["steps"][0]["state"], "begun", "{run}");
    let (program, call) = (card["run"].as_str().unwrap(), card["call"].to_string());
    let listed = |words: &[&str]| {
        let all = ["--json", "workflow", "runs"].iter().chain(words);
        desk.run(all.copied()).json()
    };
    let runs = listed(&[]);
    assert_eq!(runs.len(), 1, "the inner one is a part of it: {runs:?}");
    assert_eq!(listed(&["last"])[0]["run"], id.as_str());
    assert_eq!(listed(&["--of", "send"]).len(), 1, "by its name it is found");
    assert_eq!(desk.run(["approve", program, &call]).code, Some(0));
    let decided = &listed(&[])[0];
    assert_eq!(
        (&decided["status"], &decided["decided"]),
        (&json!("resting"), &json!(true)),
        "{decided}"
    );
    let ended = desk.run(["--json", "workflow", "resume", &id]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(lines(&notes).len(), 1);
    assert_eq!(desk.run(["workflow", "forget", "last"]).code, Some(0));
    assert_eq!((listed(&[]).len(), listed(&["--of", "send"]).len()), (0, 0));
}

#[test]
fn two_calls_of_one_program_are_two_runs() {
    let desk = Desk::new();
    let notes = with_peer(&desk);
    keep(&desk, "send", SENDING, None);
    let program = "for who in ['ann', 'bob']:\n    print(await workflows.send(to=who))";
    let printed = desk.run_with(["exec", "--allow", "peer.send_note", "-"], program);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(
        printed.stdout.contains("sent to ann") && printed.stdout.contains("sent to bob"),
        "{printed:?}"
    );
    assert_eq!(lines(&notes).len(), 2);
}

#[test]
fn a_run_of_another_version_is_listed_with_the_others_and_can_be_deleted() {
    let desk = Desk::new();
    keep(&desk, "greet", GREETING, None);
    for who in ["ann", "bob"] {
        let given = format!("who={who}");
        let printed = desk.run([
            "workflow", "run", "greet", "--input", &given, "--input", "times=1",
        ]);
        assert_eq!(printed.code, Some(0), "{printed:?}");
    }
    let old = run_of(&desk.run(["--json", "workflow", "runs", "last"]));
    let old = old["run"].as_str().unwrap().to_owned();
    let database = rusqlite::Connection::open(desk.data().join("shidi.db")).unwrap();
    let changed = database.execute(
        "UPDATE workflow_run SET state = json_set(state, '$.format', 99) WHERE run = ?1",
        [&old],
    );
    assert_eq!(changed.unwrap(), 1);
    drop(database);
    let listed = desk.run(["--json", "workflow", "runs"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    let listed = listed.json();
    let found = listed.iter().find(|run| run["run"] == *old);
    let found = found.unwrap_or_else(|| panic!("{listed:?}"));
    assert!(
        found["error"]["message"].as_str().unwrap().contains("version"),
        "{found}"
    );
    assert_eq!(desk.run(["workflow", "forget", &old]).code, Some(0));
    assert_eq!(desk.run(["--json", "workflow", "runs"]).json().len(), 1);
}

const GREETING: &str = "version: '1.0'\nname: Greeting\ninputs:\n  - {name: who, type: str}\n  - {name: times, type: int}\nsteps:\n  - id: greet\n    type: code\n    inputs: {who: '{who}', times: '{times}'}\n    code: \"text = 'hello ' * times + who\"\n    output: {name: text, type: str}\n  - {id: told, type: output, inputs: {text: '{text}'}}\n";

#[test]
fn a_question_that_begins_with_its_name_runs_it_and_what_is_missing_is_asked_on_a_card() {
    let desk = Desk::new();
    keep(&desk, "greet", GREETING, None);
    let asked = desk.run(["ask", "/greet Ann Lee"]);
    assert_eq!(asked.code, Some(3), "{asked:?}");
    assert!(
        asked.stderr.contains("Greeting") && asked.stderr.contains("times"),
        "{asked:?}"
    );
    let rest = asked.stderr.split("shidi answer ").nth(1).unwrap();
    let run = rest.split_whitespace().next().unwrap();
    let answered = desk.run(["answer", run, "{\"times\": 2}"]);
    assert_eq!(answered.code, Some(0), "{answered:?}");
    assert!(answered.stdout.contains("hello hello Ann Lee"), "{answered:?}");
}

#[test]
fn a_prompt_names_the_workflows_of_the_user_and_says_no_more_of_them() {
    let server = ModelServer::repeating(Answer::Text("Hello".to_owned()));
    let desk = Desk::with_model(&server.url());
    assert_eq!(desk.run(["ask", "What is this?"]).code, Some(0));
    let plain = server.last_prompt();
    assert!(
        !plain.contains("# workflows ["),
        "what comes along is not offered"
    );
    keep(&desk, "greet", GREETING, None);
    assert_eq!(desk.run(["ask", "What is this?"]).code, Some(0));
    let named = server.last_prompt();
    assert!(named.contains("# workflows [greet]"), "{named}");
    let grown = named.len() - plain.len();
    assert!(grown < 200, "{grown} bytes for one");
}
