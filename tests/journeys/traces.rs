//! Traces: what a run did is there to be looked at, with reasons and without secrets, and goes when it is to go.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, reply};

fn steps(desk: &Desk) -> Vec<Value> {
    desk.run(["trace", "show", "last", "--json"]).json()
}

fn named<'a>(steps: &'a [Value], name: &str) -> &'a Value {
    let mut found = steps.iter().filter(|step| step["name"] == name);
    found.next().unwrap_or_else(|| panic!("{name} in {steps:#?}"))
}

fn ask(desk: &Desk, question: &str) -> Printed {
    desk.run(["ask", "--json", question])
}

#[test]
fn a_run_leaves_its_steps_with_tokens_times_and_the_prompt_as_sent() {
    let server = ModelServer::start([reply("add"), reply("total")]);
    let desk = Desk::with_model(&server.url());
    ask(&desk, "add 12 and 30");
    let steps = steps(&desk);
    let names: Vec<&str> = steps.iter().map(|step| step["name"].as_str().unwrap()).collect();
    let expected = [
        "shidi",
        "perception",
        "cognition",
        "scripted",
        "python",
        "motor",
        "scripted",
        "expression",
        "evaluation",
    ];
    assert_eq!(names, expected);
    let are_closed = steps.iter().all(|step| step["open"].is_null());
    assert!(are_closed, "nothing is left open");
    let root = &steps[0]["attributes"];
    assert_eq!(root["gen_ai.operation.name"], "invoke_agent");
    assert_eq!(root["shidi.status"], "completed");
    let chat = &steps[3]["attributes"];
    assert_eq!(chat["gen_ai.operation.name"], "chat");
    assert_eq!(chat["gen_ai.provider.name"], "openai");
    assert_eq!(chat["gen_ai.request.temperature"], 0.2);
    assert_eq!(server.requests()[0]["temperature"], 0.2);
    assert!(chat["gen_ai.usage.input_tokens"].as_u64().unwrap() > 0);
    assert!(chat["gen_ai.response.time_to_first_chunk"].as_f64().unwrap() >= 0.0);
    let sent = chat["gen_ai.input.messages"].as_array().unwrap();
    let asked = server.requests()[0]["messages"].as_array().unwrap().clone();
    assert_eq!(sent.len(), asked.len());
    assert_eq!(
        sent[0]["parts"][0]["content"], asked[0]["content"],
        "word by word"
    );
    assert!(
        chat["gen_ai.output.messages"]
            .to_string()
            .contains("sum([12, 30])")
    );
    assert!(
        named(&steps, "python")["attributes"]["shidi.program"]
            .as_str()
            .unwrap()
            .contains("sum(")
    );
    assert_eq!(
        named(&steps, "python")["attributes"]["shidi.stdout"]
            .as_str()
            .unwrap()
            .trim(),
        "42"
    );
    let shown = desk.run(["trace", "show", "last"]);
    assert!(
        shown.stdout.contains("Cognition") && shown.stdout.contains("python"),
        "{}",
        shown.stdout
    );
    let step = desk.run(["trace", "show", "last", "--step", "4"]);
    assert!(
        step.stdout.contains("[system]") && step.stdout.contains("add 12 and 30"),
        "{}",
        step.stdout
    );
    let exported = desk.run(["trace", "export"]);
    assert_eq!(exported.stdout.lines().count(), steps.len());
}

#[test]
fn why_a_call_was_allowed_is_told_over_a_restart() {
    let server = ModelServer::start([reply("read_hosts")]);
    let desk = Desk::with_model(&server.url());
    let printed = ask(&desk, "how long is my host name?");
    let waiting = steps(&desk);
    let call = named(&waiting, "files.read");
    assert_eq!(call["open"], true);
    assert_eq!(call["attributes"]["shidi.grounds"][0]["verdict"], "ask");
    let run = printed.event("run_started")["run"].as_str().unwrap().to_owned();
    let number = printed.event("approval_needed")["call"].to_string();
    desk.run(["approve", &run, &number]);
    let after = steps(&desk);
    let call = named(&after, "files.read");
    assert_eq!(
        call["id"],
        named(&waiting, "files.read")["id"],
        "the same step, ended"
    );
    let grounds = call["attributes"]["shidi.grounds"].as_array().unwrap();
    assert_eq!(
        (&grounds[1]["by"], &grounds[1]["approved"]),
        (&Value::from("user"), &Value::from(true))
    );
    assert_eq!(
        call["attributes"]["gen_ai.tool.call.arguments"]["path"],
        "/etc/hostname"
    );
    assert!(after.iter().all(|step| step["open"].is_null()), "{after:#?}");
    assert_eq!(after[0]["attributes"]["shidi.rests"].as_array().unwrap().len(), 1);
}

#[test]
fn secrets_are_taken_out_of_every_step() {
    let program =
        "```python\nprint('sk-abcdefghijklmnopqrstuvwxyz')\nawait user.say(text='password: hunter22')\n```";
    let server = ModelServer::start([Answer::Text(program.into())]);
    let desk = Desk::with_model(&server.url());
    ask(&desk, "my key is ghp_abcdefghijklmnopqrstuvwxyz012345");
    let text = Value::from(steps(&desk)).to_string();
    assert!(
        text.contains("[redacted:key]") && text.contains("[redacted:password]"),
        "{text}"
    );
    for secret in ["sk-abcdefghijkl", "hunter22", "ghp_abcdefgh"] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[test]
fn a_provider_that_refuses_is_in_the_trace_and_found_by_its_words() {
    let body = r#"{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}"#;
    let refusal = Answer::Status {
        code: 401,
        headers: vec![],
        body: body.into(),
    };
    let server = ModelServer::repeating(refusal);
    let desk = Desk::with_model(&server.url());
    ask(&desk, "why?");
    let steps = steps(&desk);
    assert_eq!(named(&steps, "scripted")["attributes"]["error.type"], "key");
    let found = |text: &str| desk.run(["trace", "list", "--json", "--text", text]).json();
    assert_eq!(found("rejected the key").len(), 1);
    assert_eq!(found("scripted").len(), 1);
    assert!(found("nothing like it").is_empty());
}

#[test]
fn traces_that_are_not_wanted_are_not_kept_and_those_that_are_there_go() {
    let server = ModelServer::start([reply("add"), reply("total"), reply("total")]);
    let desk = Desk::with_model(&server.url());
    ask(&desk, "add 12 and 30");
    assert!(!steps(&desk).is_empty());
    desk.run(["config", "set", "trace_days", "0"]);
    assert!(steps(&desk).is_empty());
    ask(&desk, "and again");
    assert!(steps(&desk).is_empty());
    assert_eq!(
        desk.run(["trace", "list", "--json"]).json().len(),
        2,
        "what was asked is in the record"
    );
}

#[test]
fn models_programs_and_tools_are_counted_with_their_failures_times_and_weight() {
    let fails = "One step.\n```python\nprint(await system.time())\nraise ValueError('no')\n```";
    let server = ModelServer::start([
        Answer::Text(fails.to_owned()),
        Answer::Text("It failed.".to_owned()),
    ]);
    let desk = Desk::with_model(&server.url());
    ask(&desk, "do it");
    let counted = desk.run(["--json", "trace", "stats"]).json();
    let of = |what: &str| {
        let mut found = counted.iter().filter(|one| one["what"] == what);
        found.next().unwrap_or_else(|| panic!("{what} in {counted:#?}"))
    };
    let program = of("program");
    assert_eq!((&program["count"], &program["failed"]), (&1.into(), &1.into()));
    assert_eq!(program["errors"][0][0], "ValueError");
    assert!(program["memory_bytes"].as_u64().unwrap() > 0, "{program}");
    assert_eq!(of("tool")["name"], "system.time");
    assert_eq!(of("model")["input"], 200);
    let shown = desk.run(["trace", "stats", "--lang", "zh"]).stdout;
    assert!(
        shown.contains("模型") && shown.contains("失败 1（ValueError 1）"),
        "{shown}"
    );
}

#[test]
fn a_trace_is_read_in_chinese_to_the_mode_and_the_lines_of_a_call() {
    let desk = Desk::new();
    let folder = desk.path("work");
    std::fs::create_dir_all(&folder).unwrap();
    let program = "await files.write(path='a.txt', text='1\\n')\nawait files.write(path='a.txt', text='1\\n')\n\
                   await files.write(path='a.txt', text='2\\n')";
    let arguments = ["exec", "--json", "--folder", folder.to_str().unwrap(), "-"];
    assert_eq!(desk.run_with(arguments, program).code, Some(0));
    let told = desk.run(["--lang", "zh", "trace", "show", "last"]).stdout;
    for said in ["新建，1 行", "+1 −1 行", "“有风险时询问”模式", "程序 1"] {
        assert!(told.contains(said), "{said}: {told}");
    }
    for english in ["risky", "line", "+0", "exec"] {
        assert!(!told.contains(english), "{english}: {told}");
    }
    let told = desk.run(["--lang", "en", "trace", "show", "last"]).stdout;
    assert!(
        told.contains("new, 1 line") && told.contains("write in mode risky"),
        "{told}"
    );
}

#[test]
fn errors_of_programs_name_their_line_and_remedy_in_chinese() {
    let desk = Desk::new();
    let failed = desk.run_with(["--lang", "zh", "exec", "-"], "x = {}\nx['a']");
    assert_eq!(failed.code, Some(1), "{failed:?}");
    let told = desk.run(["--lang", "zh", "trace", "show", "last"]).stdout;
    assert!(told.contains("第 2 行：KeyError: 'a'"), "{told}");
    let refused = desk.run_with(["--lang", "zh", "exec", "-"], "import nosuch");
    assert!(
        refused.stderr.contains("可用的模块：") && !refused.stderr.contains("Available"),
        "{refused:?}"
    );
    let told = desk.run(["--lang", "zh", "trace", "show", "last"]).stdout;
    assert!(told.contains("第 1 行：ModuleNotFoundError"), "{told}");
    assert!(!told.contains("Available") && !told.contains("line 1"), "{told}");
}

#[test]
fn a_models_step_of_a_workflow_has_its_prompt_tokens_and_answer_in_a_trace() {
    let server = ModelServer::start([Answer::Text("total".to_owned())]);
    let desk = Desk::with_model(&server.url());
    let words = ["--json", "workflow", "run", "variable-extraction"];
    let printed = desk.run(words.into_iter().chain(["--input", "message=total = 3"]));
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let shown = desk.run(["--json", "workflow", "runs", "last"]).json();
    let run = shown.iter().find(|line| line["type"] == "workflow_run").unwrap();
    let step = &run["steps"][0];
    assert_eq!(step["id"], "find_name");
    let asked = step["program"].as_str().unwrap_or_else(|| panic!("{run}"));
    let steps = desk.run(["trace", "show", asked, "--json"]).json();
    let names: Vec<&str> = steps.iter().map(|step| step["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["shidi", "scripted"]);
    assert_eq!(steps[0]["attributes"]["shidi.status"], "completed");
    assert_eq!(steps[1]["parent"], steps[0]["id"]);
    let chat = &steps[1]["attributes"];
    assert_eq!(chat["gen_ai.operation.name"], "chat");
    assert_eq!(chat["shidi.role"], "fast");
    let tokens = chat["gen_ai.usage.input_tokens"].as_u64().unwrap();
    assert_eq!(run["usage"]["input"], tokens, "as the workflow counts them");
    let prompt = chat["gen_ai.input.messages"].to_string();
    assert!(prompt.contains("Message: total = 3"), "{prompt}");
    assert!(chat["gen_ai.output.messages"].to_string().contains("total"));
    // It is nobody's conversation, and is listed once.
    assert_eq!(
        desk.run(["--json", "session", "list"]).json(),
        Vec::<Value>::new()
    );
    let listed = desk.run(["--json", "trace", "list"]).json();
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0]["usage"]["input"], tokens);
}
