//! `shidi workflow`: files are checked, tried, brought in and taken out, without a model and without a runtime.

use shidi_tests::command::Desk;
use std::fs;

const BROKEN: &str = "version: '1.0'\nname: n\nsteps:\n  - {id: a, type: input, output: {name: x, type: str}}\n  - {id: b, type: output, inputs: {y: '{xx}'}}\n";

const RECIPE: &str = "version: 1.0.0\ntitle: Short letters\ndescription: Answers a letter\nprompt: 'Answer in {{ words }} words'\n\
                      extensions: [{type: builtin, name: developer}]\n\
                      parameters: [{key: words, input_type: number, requirement: required, description: Length}]\n";

fn file(desk: &Desk, name: &str, text: &str) -> String {
    let path = desk.path(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn a_file_is_checked_as_a_whole_and_each_fault_has_its_line_and_remedy() {
    let desk = Desk::new();
    let path = file(&desk, "w.yaml", BROKEN);
    let printed = desk.run(["--lang", "en", "workflow", "validate", &path]);
    assert_eq!(printed.code, Some(2), "{printed:?}");
    assert_eq!(
        printed.stdout,
        format!("{path}:5:39: No step before this one makes 'xx'\n  Did you mean 'x'?\n")
    );
    let printed = desk.run(["--json", "workflow", "check", &path]);
    let fault = printed.event("fault");
    assert_eq!(fault["line"], 5);
    assert_eq!(fault["column"], 39);
    let mended = file(&desk, "w.yaml", &BROKEN.replace("{xx}", "{x}"));
    assert_eq!(desk.run(["workflow", "validate", &mended]).code, Some(0));
    let missing = desk.run(["--lang", "en", "workflow", "validate", "nowhere.yaml"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("nowhere.yaml"), "{missing:?}");
}

#[test]
fn a_recipe_of_another_program_is_kept_tried_and_taken_out_again() {
    let desk = Desk::new();
    let path = file(&desk, "recipe.yaml", RECIPE);
    let imported = desk
        .run(["--json", "workflow", "import", &path])
        .event("imported");
    assert_eq!(imported["name"], "short-letters");
    assert_eq!(imported["source"], "goose");
    assert_eq!(imported["left_out"].as_array().unwrap().len(), 1);
    assert!(desk.data().join("workflows/short-letters.yaml").is_file());
    // The same once more changes nothing; another one of its name asks.
    assert_eq!(
        desk.run(["--json", "workflow", "import", &path])
            .event("imported")["new"],
        false
    );
    let other = file(&desk, "other.yaml", &RECIPE.replace("Answer in", "Reply in"));
    assert_eq!(desk.run(["workflow", "import", &other]).code, Some(2));
    assert_eq!(
        desk.run(["workflow", "import", &other, "--replace"]).code,
        Some(0)
    );
    let exported = desk.run(["workflow", "export", "short-letters"]).stdout;
    assert!(exported.contains("Reply in {words} words"), "{exported}");
    let words = [
        "--json",
        "workflow",
        "run",
        "short-letters",
        "--set",
        "words=20",
        "--dry-run",
    ];
    let steps = desk.run(words).json();
    assert_eq!(steps[0]["work"]["prompt"], "Reply in 20 words", "{steps:?}");
    assert_eq!(steps.last().unwrap()["status"], "done");
}

#[test]
fn those_that_come_along_are_listed_and_tried_with_their_examples() {
    let desk = Desk::new();
    let listed = desk.run(["--json", "workflow", "list"]).json();
    let names: Vec<&str> = listed.iter().filter_map(|line| line["name"].as_str()).collect();
    assert_eq!(
        names,
        [
            "customer-marketing",
            "menu-recommendation",
            "refund-approval",
            "variable-extraction"
        ]
    );
    for name in names {
        let tried = desk.run(["--lang", "en", "workflow", "run", name, "--dry-run"]);
        assert_eq!(tried.code, Some(0), "{tried:?}");
    }
    let tried = desk.run([
        "--lang",
        "en",
        "workflow",
        "run",
        "customer-marketing",
        "--dry-run",
    ]);
    assert!(
        tried.stdout.contains("plugin_sms_send(mobile=\"555-0100\""),
        "{}",
        tried.stdout
    );
    assert!(
        tried
            .stdout
            .contains("you would be asked: Send this to 555-0100?"),
        "{}",
        tried.stdout
    );
    let wrong = desk.run([
        "--lang",
        "en",
        "workflow",
        "run",
        "refund-approval",
        "--set",
        "orderid=1",
        "--dry-run",
    ]);
    assert_eq!(wrong.code, Some(2));
    assert!(
        wrong.stderr.contains("Did you mean 'order_id'?"),
        "{}",
        wrong.stderr
    );
    assert!(
        desk.run(["workflow", "schema"])
            .stdout
            .contains("urn:shidi:workflow:1.0")
    );
}
