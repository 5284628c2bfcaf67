//! The fast model beside the task: choosing in a long result, understanding a pointing word, judging an answer; asked over
//! real HTTP, never in the way.

use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::time::Duration;

/// What the main model writes, in order; `HANDLE` stands for the handle of the long result that its prompt names.
fn main_model(steps: &[&str]) -> impl FnMut(&Value) -> Answer + Send + 'static {
    let mut steps: Vec<String> = steps.iter().rev().map(|&step| step.to_owned()).collect();
    move |request| {
        let prompt = prompt_of(request);
        let handle = prompt
            .split("handle \\\"")
            .nth(1)
            .or_else(|| prompt.split("handle \"").nth(1));
        let handle = handle
            .and_then(|rest| rest.split(['"', '\\']).next())
            .unwrap_or_default();
        let step = steps
            .pop()
            .unwrap_or_else(|| "Nothing is left to say.".to_owned());
        Answer::Text(step.replace("HANDLE", handle))
    }
}

fn is_fast(request: &Value) -> bool {
    request["model"] == "small"
}

/// A desk whose fast model is `small`, served by the same server, and asked for the sake of the task alone.
fn desk_with_fast_model(server: &ModelServer) -> Desk {
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "role.fast", "small"]);
    desk.run(["config", "set", "experience.collect", "off"]);
    // What it is asked about earlier tasks would be counted among the questions here.
    desk.run(["config", "set", "memory.learn", "rules"]);
    desk
}

fn program(text: &str) -> String {
    format!("[Thought]: look\n```python\n{text}\n```")
}

/// A long German protocol with one line that answers an English question.
const PROTOCOL: &str = "lines = [f'Eintrag {n}: Lieferung {n * 7} an Kunde {n % 90} bezahlt am {n % 28 + 1}. März, payment ok' for n in range(4000)]\n\
    lines[2345] = 'Eintrag 2345: Mahnung an Kunde 17, Frist bis 9. Mai verlängert'\n\
    print('\\n'.join(lines))";

const LOOK: &str = "hits = await results.find(handle='HANDLE', text='until when was the payment reminder extended?')\n\
    print(len(hits), hits[0]['text'][:400])";

#[test]
fn in_a_result_of_another_language_the_fast_model_gives_the_words_that_find_the_fact() {
    let mut main = main_model(&[&program(PROTOCOL), &program(LOOK), "Until 9 May."]);
    let server = ModelServer::thinking(move |request| {
        if is_fast(request) {
            let prompt = prompt_of(request);
            assert!(
                prompt.contains("<beginning>\nEintrag 0"),
                "it sees what the result looks like: {prompt}"
            );
            Answer::Text("{\"passages\": [], \"words\": \"Mahnung Frist verlängert\"}".to_owned())
        } else {
            main(request)
        }
    });
    let desk = desk_with_fast_model(&server);
    let printed = desk.run(["ask", "--json", "Until when was it extended?"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let outputs = printed.segments("Output");
    assert!(outputs[1].contains("Frist bis 9. Mai"), "{}", outputs[1]);
    let fast: Vec<Value> = server.requests().into_iter().filter(is_fast).collect();
    assert_eq!(fast.len(), 1, "one bounded call");
    assert!(prompt_of(&fast[0]).chars().count() < 45_000);
    assert_eq!(
        printed.event("run_ended")["usage"]["model_calls"],
        4,
        "it is counted"
    );
    let shown = desk.run(["trace", "show", "last", "--json"]);
    assert!(
        shown.stdout.contains("\"shidi.role\":\"fast\""),
        "{}",
        shown.stdout
    );

    let without = ModelServer::thinking(main_model(&[&program(PROTOCOL), &program(LOOK), "Not found."]));
    let desk = Desk::with_model(&without.url());
    let printed = desk.run(["ask", "--json", "Until when was it extended?"]);
    assert_eq!(without.requests().len(), 3, "words alone ask nobody");
    let outputs = printed.segments("Output");
    assert!(
        !outputs[1].contains("9. Mai"),
        "which is what the second step is for: {}",
        outputs[1]
    );
}

#[test]
fn a_fast_model_that_fails_or_talks_nonsense_leaves_what_the_words_found() {
    let refusal = Answer::Status {
        code: 400,
        headers: Vec::new(),
        body: "{\"error\":{\"message\":\"no\"}}".to_owned(),
    };
    for fast in [refusal, Answer::Text("the third one, I think".to_owned())] {
        let look =
            "hits = await results.find(handle='HANDLE', text='reminder Mahnung of customer 17')\nprint(hits)";
        let mut main = main_model(&[&program(PROTOCOL), &program(look), "Done."]);
        let server = ModelServer::thinking(move |request| {
            if is_fast(request) {
                fast.clone()
            } else {
                main(request)
            }
        });
        let printed = desk_with_fast_model(&server).run(["ask", "--json", "What about customer 17?"]);
        assert_eq!(printed.code, Some(0), "{}", printed.stderr);
        assert!(
            printed.segments("Output")[1].contains("Frist bis 9. Mai"),
            "{}",
            printed.stdout
        );
    }
}

#[test]
fn what_a_fast_model_took_that_broke_off_or_took_too_long_is_counted() {
    let slow = Answer::Slow {
        text: "word ".repeat(400),
        pause: Duration::from_millis(200),
    };
    for fast in [Answer::Cut("{\"passages\": [".to_owned()), slow] {
        let look =
            "hits = await results.find(handle='HANDLE', text='reminder Mahnung of customer 17')\nprint(hits)";
        let mut main = main_model(&[&program(PROTOCOL), &program(look), "Done."]);
        let server = ModelServer::thinking(move |request| {
            if is_fast(request) {
                fast.clone()
            } else {
                main(request)
            }
        });
        let printed = desk_with_fast_model(&server).run(["ask", "--json", "What about customer 17?"]);
        assert_eq!(printed.code, Some(0), "{}", printed.stderr);
        let usage = &printed.event("run_ended")["usage"];
        assert!(usage["model_calls"].as_u64() > Some(3), "{usage}");
        assert_eq!(usage["estimated"], true, "{usage}");
    }
}

#[test]
fn what_stands_in_the_result_word_for_word_needs_no_model() {
    let look =
        "hits = await results.find(handle='HANDLE', text='Mahnung an Kunde 17')\nprint(hits[0]['text'])";
    let mut main = main_model(&[&program(PROTOCOL), &program(look), "Done."]);
    let server = ModelServer::thinking(move |request| {
        assert!(!is_fast(request), "nobody is asked");
        main(request)
    });
    let printed = desk_with_fast_model(&server).run(["ask", "--json", "What about customer 17?"]);
    assert!(
        printed.segments("Output")[1].contains("Frist bis 9. Mai"),
        "{}",
        printed.stdout
    );
}

#[test]
fn a_pointing_word_with_two_candidates_costs_one_fast_call_and_a_plain_question_none() {
    let mut main = main_model(&["Paris.", "It means the invoice is overdue."]);
    let server = ModelServer::thinking(move |request| {
        if is_fast(request) {
            Answer::Text("{\"question\": \"What does the invoice mean?\", \"about\": \"invoice.md\", \"language\": \"en\"}".into())
        } else {
            main(request)
        }
    });
    let desk = desk_with_fast_model(&server);
    desk.run(["ask", "--session", "new", "What is the capital of France?"]);
    assert_eq!(server.requests().len(), 1, "a plain question costs one call");

    for name in ["invoice.md", "manual.md"] {
        std::fs::write(desk.path(name), "words\n").unwrap();
    }
    let files = ["invoice.md", "manual.md"].map(|name| desk.path(name).display().to_string());
    let printed = desk.run([
        "ask",
        "--json",
        "--session",
        "new",
        "--file",
        &files[0],
        "--file",
        &files[1],
        "What does this mean?",
    ]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert_eq!(printed.event("run_ended")["usage"]["model_calls"], 2);
    assert!(
        server
            .last_prompt()
            .contains("What does the invoice mean? (about: invoice.md)")
    );
}

#[test]
fn an_answer_that_misses_the_goal_goes_back_once_and_a_silent_judge_stops_nothing() {
    let work = program("print(6 * 7)");
    let mut main = main_model(&[&work, "It is a number.", &work, "It is 42."]);
    let mut judgements = [
        "{\"met\": false, \"lack\": \"The number itself is missing.\"}",
        "{\"met\": true}",
    ]
    .into_iter();
    let server = ModelServer::thinking(move |request| {
        if is_fast(request) {
            Answer::Text(judgements.next().unwrap_or_default().to_owned())
        } else {
            main(request)
        }
    });
    let desk = desk_with_fast_model(&server);
    desk.run(["config", "set", "check_answers", "on"]);
    let printed = desk.run(["ask", "--json", "What is six times seven?"]);
    assert_eq!(
        printed.event("answer")["text"],
        "It is 42.",
        "{}\n{}",
        printed.stdout,
        printed.stderr
    );
    let reminders = printed.segments("Reminder");
    assert!(
        reminders[0].contains("The number itself is missing."),
        "{reminders:?}"
    );

    let mut main = main_model(&[&work, "It is 42."]);
    let failing = Answer::Status {
        code: 500,
        headers: Vec::new(),
        body: String::new(),
    };
    let server = ModelServer::thinking(move |request| {
        if is_fast(request) {
            failing.clone()
        } else {
            main(request)
        }
    });
    let desk = desk_with_fast_model(&server);
    desk.run(["config", "set", "check_answers", "on"]);
    let printed = desk.run(["ask", "--json", "--timeout", "60", "What is six times seven?"]);
    assert_eq!(
        printed.event("answer")["text"],
        "It is 42.",
        "{}\n{}",
        printed.stdout,
        printed.stderr
    );
}

#[test]
fn a_stand_in_that_answers_is_named_in_the_trace() {
    let down = ModelServer::repeating(Answer::Status {
        code: 402,
        headers: Vec::new(),
        body: "{\"error\":{\"message\":\"no credit\",\"code\":\"insufficient_quota\"}}".to_owned(),
    });
    let other = ModelServer::repeating(Answer::Text("Here I am.".into()));
    let mut desk = Desk::with_model(&down.url());
    desk.set("SHIDI_KEY_MOONSHOT", "sk-test-0000000000005678");
    let stand_in = format!("moonshot:kimi@{}", other.url());
    desk.run(["config", "set", "fallback", &stand_in]);
    let printed = desk.run(["ask", "--json", "hello there"]);
    assert_eq!(
        printed.event("answer")["text"],
        "Here I am.",
        "{}",
        printed.stderr
    );
    let steps = desk.run(["trace", "show", "last", "--json"]).json();
    let chat = steps.iter().find(|step| step["operation"] == "chat").unwrap();
    let attributes = &chat["attributes"];
    assert_eq!(attributes["gen_ai.provider.name"], "moonshot", "{chat}");
    assert_eq!(attributes["gen_ai.request.model"], "kimi", "{chat}");
}

#[test]
fn plain_talk_goes_to_the_general_model_and_programs_to_the_coder() {
    let wants = program("print(6 * 7)");
    let server = ModelServer::thinking(move |request| {
        let says = prompt_of(request);
        let answer = match request["model"].as_str() {
            Some("chatty") if says.contains("six times seven") => {
                "```python\nprint('by the chatty one')\n```"
            }
            Some("chatty") => "Good morning!",
            _ if says.contains("[Output]: 42") => "It is 42.",
            _ => &wants,
        };
        Answer::Text(answer.to_owned())
    });
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "role.general", "chatty"]);
    desk.run(["config", "set", "role.coder", "careful"]);
    let models = |from: usize| -> Vec<String> {
        let requests = server.requests();
        let asked = requests[from..].iter().map(|request| request["model"].as_str());
        asked.map(|model| model.unwrap_or_default().to_owned()).collect()
    };
    let printed = desk.run(["ask", "--json", "Good morning"]);
    assert_eq!(printed.event("answer")["text"], "Good morning!");
    assert_eq!(models(0), ["chatty"]);
    let printed = desk.run(["ask", "--json", "What is six times seven?"]);
    assert_eq!(printed.event("answer")["text"], "It is 42.", "{}", printed.stdout);
    assert_eq!(
        printed.event("output")["stdout"],
        "42\n",
        "the coder's program ran"
    );
    assert_eq!(models(1), ["chatty", "careful", "careful"]);
}
