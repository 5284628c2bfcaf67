//! A program asks a model in its middle: a question, data out of a text, a judgement.

use serde_json::json;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};

fn program(text: &str) -> Answer {
    Answer::Text(format!("```python\n{text}\n```"))
}

fn says(text: &str) -> Answer {
    Answer::Text(text.to_owned())
}

#[test]
fn a_program_asks_a_question_and_takes_data_out_of_a_text() {
    let thinks = "which = await system.think('Which city is larger?', 'Ulm 126000, Ostmoor 9000')\ndata = await system.extract('Ada Byron, born 1815', {'name': 'str', 'born': 'int'})\nawait user.say(f\"{which.data} {data.data['name']} {data.data['born'] + 1}\")";
    let server = ModelServer::start([
        program(thinks),
        says("Ulm."),
        says("{\"name\": \"Ada Byron\", \"born\": \"1815\"}"),
        says("{\"name\": \"Ada Byron\", \"born\": 1815}"),
    ]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "compare them"]);
    assert_eq!(
        printed.event("answer")["text"],
        "Ulm. Ada Byron 1816",
        "{}",
        printed.stdout
    );
    let prompts: Vec<String> = server.requests().iter().map(prompt_of).collect();
    assert!(
        prompts[1].contains("Which city is larger?") && prompts[1].contains("126000"),
        "{}",
        prompts[1]
    );
    assert!(
        prompts[3].contains("/born"),
        "it is told what is wrong: {}",
        prompts[3]
    );
    let usage = &printed.event("run_ended")["usage"];
    assert_eq!(usage["model_calls"], 4, "each question is counted: {usage}");
}

#[test]
fn an_answer_that_fits_no_schema_twice_is_an_exception() {
    let extracts = "try:\n    await system.extract('nothing', {'n': 'int'})\nexcept ValueError as error:\n    await user.say('no: ' + str(error))";
    let server = ModelServer::start([program(extracts), says("none"), says("still none")]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "take the number out"]);
    let answer = printed.event("answer")["text"].as_str().unwrap().to_owned();
    assert!(answer.starts_with("no: "), "{answer}");
}

#[test]
fn without_a_model_a_program_is_told_so() {
    let desk = Desk::new();
    let told = desk
        .run_with(["exec", "--json", "-"], "await system.think('why?')")
        .json()
        .remove(0);
    assert_eq!(told["error"]["type"], "RuntimeError", "{told}");
    assert_eq!(told["calls"][0]["method"], json!("think"));
}

#[test]
fn a_loop_of_questions_ends_at_its_bound() {
    let asks = "for one in range(60):\n    await system.think(f'{one}?')";
    let mut answers = vec![program(asks)];
    answers.extend((0..40).map(|_| says("yes")));
    answers.push(says("It asked too often."));
    let server = ModelServer::start(answers);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "ask yourself"]);
    let output = printed.event("output");
    assert!(
        output["error"].as_str().unwrap().contains("at most 40 times"),
        "{output}"
    );
}
