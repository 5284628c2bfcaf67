//! Without any model: the offline planner goes through the very same pipeline and says what it is.

use serde_json::json;
use shidi_tests::command::Desk;

#[test]
fn arithmetic_is_answered_by_a_program_and_labelled() {
    let printed = Desk::new().run(["ask", "--json", "12*37+5"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let started = printed.event("run_started");
    assert_eq!(
        (&started["offline"], &started["models"]),
        (&json!(true), &json!(["offline"]))
    );
    assert!(printed.event("answer")["text"].as_str().unwrap().contains("449"));
    assert!(printed.event("code")["program"].as_str().unwrap().contains("12"));
}

#[test]
fn a_fact_is_remembered_in_one_session_and_recalled_in_another() {
    let desk = Desk::new();
    let kept = desk.run([
        "ask",
        "--json",
        "remember that the spare key is under the blue pot",
    ]);
    assert_eq!(kept.code, Some(0), "{}\n{}", kept.stdout, kept.stderr);
    let recalled = desk.run(["ask", "--json", "where is the spare key?"]);
    let answer = recalled.event("answer")["text"].as_str().unwrap().to_owned();
    assert!(answer.contains("blue pot"), "{answer}");
}

#[test]
fn the_same_in_chinese() {
    let desk = Desk::new();
    desk.run(["ask", "--json", "记住备用钥匙在蓝色花盆下面"]);
    let recalled = desk.run(["ask", "--json", "备用钥匙在哪里？"]);
    let answer = recalled.event("answer")["text"].as_str().unwrap().to_owned();
    assert!(answer.contains("蓝色花盆"), "{answer}\n{}", recalled.stdout);
}

#[test]
fn an_attached_file_is_searched_and_quoted_with_its_name() {
    let desk = Desk::new();
    let file = desk.path("policy.txt");
    std::fs::write(
        &file,
        "Chapter 1\nTravel claims must be filed by 20 January.\nThe end\n",
    )
    .unwrap();
    let printed = desk.run([
        "ask",
        "--json",
        "--file",
        file.to_str().unwrap(),
        "when must travel claims be filed?",
    ]);
    let answer = printed.event("answer")["text"].as_str().unwrap().to_owned();
    assert!(
        answer.contains("20 January") && answer.contains("policy.txt"),
        "{answer}"
    );
}

#[test]
fn python_that_the_user_types_is_run() {
    let printed = Desk::new().run(["ask", "--json", "```python\nprint(sum(range(10)))\n```"]);
    assert!(
        printed.event("output")["stdout"].as_str().unwrap().contains("45"),
        "{}",
        printed.stdout
    );
}

#[test]
fn what_it_cannot_do_it_says() {
    let printed = Desk::new().run(["ask", "--json", "write me a poem about autumn"]);
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
    let answer = printed.event("answer")["text"].as_str().unwrap().to_lowercase();
    assert!(answer.contains("model"), "{answer}");
}
