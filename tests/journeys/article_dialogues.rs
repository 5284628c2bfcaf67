//! The article's dialogues in every format (F9.2): a refund whose number nobody had said, and a variable that only the earlier
//! words name. Models that write nothing but text do it by relay.

use serde_json::{Map, Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::fs;

pub const FORMATS: [&str; 5] = ["fenced", "tool", "json", "relay", "fim"];

fn text(words: &str) -> Answer {
    Answer::Text(words.to_owned())
}

/// What a model writes to call a workflow with these values.
pub fn calling(format: &str, tool: (&'static str, &'static str), arguments: &[(&str, &str)]) -> Vec<Answer> {
    let (method, native) = tool;
    let written: Vec<String> = arguments
        .iter()
        .map(|(name, value)| format!("{name}={value:?}"))
        .collect();
    let program = format!("print(await workflows.{method}({}))", written.join(", "));
    let args: Map<String, Value> = arguments
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Value::from(*value)))
        .collect();
    match format {
        "tool" => vec![Answer::Tool(program)],
        "json" => vec![Answer::Calls(vec![(native, Value::Object(args))])],
        "relay" => {
            let call = json!({"tool": format!("workflows.{method}"), "args": args});
            vec![text(&format!("to_sys: {call}"))]
        }
        "fim" => vec![text("这就去办。\n[Python]:"), text(&format!("    {program}\n"))],
        _ => vec![text(&format!("```python\n{program}\n```"))],
    }
}

/// What a model writes to its user.
pub fn saying(format: &str, words: &str) -> Answer {
    match format {
        "relay" => text(&format!("to_user: {words}")),
        _ => text(words),
    }
}

/// A desk with one of the article's workflows, in Chinese, as the user's own.
fn desk(server: &ModelServer, workflow: &str) -> Desk {
    let desk = Desk::with_model(&server.url());
    let folder = desk.data().join("workflows");
    fs::create_dir_all(&folder).unwrap();
    let file = format!("{workflow}.yaml");
    let from = shidi_tests::folder().join("../assets/workflows/zh").join(&file);
    fs::copy(from, folder.join(&file)).unwrap();
    let models = "[[model]]\nname = \"scripted\"\nfim = \"suffix\"\n";
    fs::write(desk.data().join("models.toml"), models).unwrap();
    desk
}

fn said(desk: &Desk, format: &str, session: Option<&str>, words: &str) -> Printed {
    let mut line = vec![
        "--lang", "zh", "ask", "--json", "--mode", "trust", "--format", format,
    ];
    line.extend(session.iter().flat_map(|session| ["--session", session]));
    line.push(words);
    let printed = desk.run(line);
    assert_eq!(
        printed.code,
        Some(0),
        "{format}: {}{}",
        printed.stdout,
        printed.stderr
    );
    printed
}

fn session_of(printed: &Printed) -> String {
    printed.event("run_started")["session"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_refund_waits_for_its_number_and_is_retold_in_every_format() {
    let tool = ("refund_approval", "workflows__refund_approval");
    for format in FORMATS {
        let mut answers = calling(format, tool, &[("order_id", "1")]);
        answers.push(saying(format, "订单号是多少？"));
        answers.extend(calling(format, tool, &[("order_id", "1")]));
        answers.push(saying(format, "好的，1 号订单已经退款，钱会原路退回。"));
        let server = ModelServer::start(answers);
        let desk = desk(&server, "refund-approval");
        let first = said(&desk, format, None, "刚买的东西不想要了，我要退款审批");
        assert_eq!(first.event("answer")["text"], "订单号是多少？", "{format}");
        let refused = server.last_prompt();
        assert!(
            refused.contains("nobody has said order_id="),
            "{format}: {refused}"
        );
        let second = said(&desk, format, Some(&session_of(&first)), "订单号是 1");
        let last = server.last_prompt();
        assert!(last.contains("订单 1 的退款已批准"), "{format}: {last}");
        assert_eq!(
            second.event("answer")["text"],
            "好的，1 号订单已经退款，钱会原路退回。",
            "{format}"
        );
    }
}

#[test]
fn a_variable_is_found_in_the_words_and_then_in_the_dialogue_in_every_format() {
    let tool = ("variable_extraction", "workflows__variable_extraction");
    for format in FORMATS {
        let mut answers = calling(format, tool, &[("message", "把 total 设成 3")]);
        answers.push(text("total"));
        answers.push(saying(format, "说的是 total。"));
        answers.extend(calling(format, tool, &[("message", "它现在是多少")]));
        answers.push(text("total"));
        answers.push(saying(format, "还是 total。"));
        let server = ModelServer::start(answers);
        let desk = desk(&server, "variable-extraction");
        let first = said(&desk, format, None, "变量提取：把 total 设成 3");
        assert_eq!(first.event("answer")["text"], "说的是 total。", "{format}");
        let second = said(&desk, format, Some(&session_of(&first)), "变量提取：它现在是多少");
        assert_eq!(second.event("answer")["text"], "还是 total。", "{format}");
        let requests = server.requests();
        let asked: Vec<String> = requests
            .iter()
            .map(prompt_of)
            .filter(|prompt| prompt.contains("这句话说的是哪个变量？") && !prompt.contains("workflows."))
            .collect();
        assert_eq!(asked.len(), 2, "{format}: the step asks once for each turn");
        assert!(
            asked[1].contains("把 total 设成 3"),
            "{format}: the dialogue goes along: {}",
            asked[1]
        );
    }
}
