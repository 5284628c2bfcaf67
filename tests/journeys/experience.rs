//! The experience loop (F6.7): a task fails, its lesson is reviewed, the next one has it in its prompt and succeeds; what
//! nobody reviewed is never used, what fares badly ends by itself, and strangers' words are not voted in.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};

const QUESTION: &str = "Add up the order counts '12 orders' and '7 orders'";
const FAILS: &str = "[Thought]: try\n```python\ncounts = ['12 orders', '7 orders']\ntotal = sum(int(count) for count in counts)\nprint(total)\n```";
const WORKS: &str = "[Thought]: split\n```python\ncounts = ['12 orders', '7 orders']\ntotal = sum(int(count.split()[0]) for count in counts)\nprint(total)\n```";
const LESSON: &str = "int(count.split()[0])";

/// A model that makes the same mistake every time unless its prompt shows the working way.
fn forgetful(request: &Value) -> Answer {
    let prompt = prompt_of(request);
    Answer::Text(
        if prompt.contains("=> ") || prompt.contains("[Output]: 19") || prompt.contains("\n19\n") {
            "19 orders."
        } else if prompt.contains("<experience>") && prompt.contains(LESSON) || prompt.contains("ValueError")
        {
            WORKS
        } else {
            FAILS
        }
        .to_owned(),
    )
}

fn is_vote(request: &Value) -> bool {
    prompt_of(request).contains("<view>")
}

fn experiences(desk: &Desk, more: &[&str]) -> Vec<Value> {
    let printed = desk.run(["experience", "list", "--json"].iter().chain(more));
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    printed.json()
}

fn only(desk: &Desk) -> Value {
    let mut all = experiences(desk, &[]);
    assert_eq!(all.len(), 1, "{all:#?}");
    all.remove(0)
}

fn id(experience: &Value) -> &str {
    experience["id"].as_str().unwrap()
}

fn done(printed: &Printed) {
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
}

/// Asks the question, and gives the prompts that were made for it.
fn ask(desk: &Desk, server: &ModelServer, question: &str) -> (Printed, Vec<String>) {
    let before = server.requests().len();
    let printed = desk.run(["ask", "--json", "--max-rounds", "3", question]);
    let prompts = server.requests()[before..].iter().map(prompt_of).collect();
    (printed, prompts)
}

#[test]
fn a_task_that_failed_and_then_worked_teaches_the_next_one_once_the_user_approved_it() {
    let server = ModelServer::thinking(forgetful);
    let desk = Desk::with_model(&server.url());
    let (first, prompts) = ask(&desk, &server, QUESTION);
    done(&first);
    assert_eq!(prompts.len(), 3, "a failure, a way that works, the answer");
    let lesson = only(&desk);
    assert_eq!(
        (&lesson["kind"], &lesson["state"]),
        (&"fix".into(), &"candidate".into())
    );
    let words = lesson["lesson"].as_str().unwrap();
    assert!(words.contains("ValueError") && words.contains(LESSON), "{words}");
    assert_eq!(lesson["tainted"], false);
    assert_eq!(lesson["runs"][0]["run"], first.event("run_started")["run"]);

    let (second, prompts) = ask(&desk, &server, QUESTION);
    done(&second);
    assert!(
        prompts.iter().all(|prompt| !prompt.contains("<experience>")),
        "nobody reviewed it"
    );
    assert_eq!(prompts.len(), 3, "the same mistake again");
    assert_eq!(only(&desk)["seen"], 2, "taught twice, kept once");

    let preview = desk.run(["experience", "preview", id(&lesson), "--json"]);
    let effects = preview.json();
    assert_eq!(effects.len(), 2, "{}", preview.stdout);
    assert!(
        effects
            .iter()
            .all(|effect| effect["taught"] == true && effect["outcome"] == "success")
    );
    assert_eq!(server.requests().len(), 6, "a preview asks no model");

    let edited = desk.run([
        "experience",
        "edit",
        id(&lesson),
        "--lesson",
        "Take the number off its unit: int(count.split()[0])",
        "--json",
    ]);
    assert_eq!(edited.json()[0]["edited"], true, "{}", edited.stderr);
    let approved = desk.run(["experience", "approve", id(&lesson), "--json"]);
    assert_eq!(approved.json()[0]["state"], "approved", "{}", approved.stderr);

    let (third, prompts) = ask(
        &desk,
        &server,
        "Add up these order counts: '12 orders', '7 orders'",
    );
    done(&third);
    assert_eq!(prompts.len(), 2, "it works at once: {prompts:#?}");
    assert!(prompts[0].contains("<experience>") && prompts[0].contains("Take the number off its unit"));
    assert!(prompts[0].contains("Failed before with: ValueError"));
    let used = only(&desk);
    assert_eq!((&used["wins"], &used["losses"]), (&1.into(), &0.into()));
    assert_eq!(used["runs"][0]["role"], "used");
    let trace = desk.run(["trace", "show", "last", "--json"]);
    assert!(trace.stdout.contains("shidi.experiences"), "{}", trace.stdout);
    assert!(
        trace.stdout.contains("\"name\":\"experience\""),
        "the prompt's part is weighed: {}",
        trace.stdout
    );

    let (_, prompts) = ask(&desk, &server, "What is the capital of France?");
    assert!(
        !prompts[0].contains("<experience>"),
        "it has nothing to do with that"
    );
    done(&desk.run(["experience", "expire", id(&lesson)]));
    let (_, prompts) = ask(&desk, &server, QUESTION);
    assert!(!prompts[0].contains("<experience>"), "ended by the user");
}

#[test]
fn an_experience_whose_runs_fail_ends_by_itself_and_says_so() {
    let server = ModelServer::repeating(Answer::Text(FAILS.to_owned()));
    let desk = Desk::with_model(&server.url());
    let code = desk.path("bad.py");
    std::fs::write(&code, "total = sum(map(int, ['12 orders']))").unwrap();
    let code = code.display().to_string();
    let lesson = "Give the whole text to int()";
    let added = desk.run([
        "experience",
        "add",
        "--goal",
        QUESTION,
        "--lesson",
        lesson,
        "--code",
        &code,
        "--json",
    ]);
    assert_eq!(added.json()[0]["state"], "approved", "{}", added.stderr);
    let bad = id(&added.json()[0]).to_owned();
    for round in 0..3 {
        let (printed, prompts) = ask(&desk, &server, QUESTION);
        assert_eq!(printed.event("run_ended")["status"], "gave_up");
        assert!(prompts[0].contains(lesson), "run {round} has it: {}", prompts[0]);
    }
    let shown = desk.run(["experience", "show", &bad, "--json"]).json().remove(0);
    assert_eq!(
        (&shown["state"], &shown["ground"]),
        (&"expired".into(), &"outcomes".into())
    );
    assert_eq!(shown["losses"], 3);
    let told = desk.run(["experience", "show", &bad]);
    assert!(
        told.stdout.contains("the runs that used it mostly failed"),
        "{}",
        told.stdout
    );
    let (_, prompts) = ask(&desk, &server, QUESTION);
    assert!(!prompts[0].contains(lesson));
    let warnings = experiences(&desk, &["--state", "candidate"]);
    assert_eq!(warnings.len(), 1, "what was given up warns: {warnings:#?}");
    assert_eq!(
        (&warnings[0]["kind"], &warnings[0]["seen"]),
        (&"warning".into(), &4.into())
    );
    done(&desk.run(["experience", "approve", &bad]));
    let again = desk.run(["experience", "show", &bad, "--json"]).json().remove(0);
    assert_eq!(
        (&again["state"], &again["losses"]),
        (&"approved".into(), &0.into())
    );
}

#[test]
fn votes_rank_a_candidate_and_suffice_only_where_the_user_chose_so_and_no_stranger_wrote() {
    let server = ModelServer::thinking(|request| match is_vote(request) {
        true => {
            Answer::Text("{\"keep\": true, \"score\": 9, \"comment\": \"holds for every unit\"}".to_owned())
        }
        false => forgetful(request),
    });
    let desk = Desk::with_model(&server.url());
    done(&ask(&desk, &server, QUESTION).0);
    let clean = id(&only(&desk)).to_owned();
    let before = server.requests().len();
    let voted = desk
        .run(["experience", "vote", &clean, "--json"])
        .json()
        .remove(0);
    assert_eq!(server.requests().len() - before, 3, "as many as the setting says");
    assert_eq!(voted["votes"].as_array().unwrap().len(), 3);
    assert_eq!(voted["votes"][0]["comment"], "holds for every unit");
    assert_eq!(voted["state"], "candidate", "votes are an opinion");

    std::fs::write(desk.path("counts.txt"), "12 orders\n7 orders\n").unwrap();
    let folder = desk.path("").display().to_string();
    let reading = "[Thought]: read\n```python\ntext = await files.read(path='counts.txt')\nprint(sum(int(line) for line in text.splitlines()))\n```";
    let mended = "[Thought]: split\n```python\ntext = await files.read(path='counts.txt')\nprint(sum(int(line.split()[0]) for line in text.splitlines()))\n```";
    let of_file =
        ModelServer::start([reading, mended, "19 orders."].map(|step| Answer::Text(step.to_owned())));
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\n",
        of_file.url()
    ));
    done(&desk.run([
        "ask",
        "--json",
        "--folder",
        &folder,
        "Sum the counts in the file counts.txt",
    ]));
    let tainted = experiences(&desk, &["--text", "counts.txt"]).remove(0);
    assert_eq!(tainted["tainted"], true, "{tainted:#?}");

    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\nexperience.votes_suffice = \"on\"\n",
        server.url()
    ));
    done(&desk.run(["experience", "vote", id(&tainted)]));
    done(&desk.run(["experience", "vote", &clean]));
    let state = |id: &str| desk.run(["experience", "show", id, "--json"]).json().remove(0);
    assert_eq!(
        state(id(&tainted))["state"],
        "candidate",
        "its run had read a file"
    );
    assert_eq!(state(&clean)["state"], "approved");
    assert_eq!(state(&clean)["ground"], "votes");
}

/// All that a desk has, without its runs.
fn export(desk: &Desk) -> Vec<Value> {
    let mut all = desk.run(["experience", "export"]).json();
    all.retain(|line| line.get("end").is_none());
    for one in &mut all {
        one["runs"] = Value::Null;
    }
    all
}

/// A desk with an experience of a run and one that was written by hand, both approved, and its export.
fn taught(server: &ModelServer) -> (Desk, String) {
    let desk = Desk::with_model(&server.url());
    done(&ask(&desk, server, QUESTION).0);
    done(&desk.run(["experience", "approve", id(&only(&desk))]));
    let hand = ["--goal", "把金额写成人民币大写", "--lesson", "先拆成元角分"];
    done(&desk.run(["experience", "add"].iter().chain(&hand)));
    let file = desk.path("all.jsonl");
    std::fs::write(&file, desk.run(["experience", "export"]).stdout).unwrap();
    let file = file.display().to_string();
    (desk, file)
}

#[test]
fn experiences_go_to_another_desk_and_back_unchanged() {
    let server = ModelServer::thinking(forgetful);
    let (desk, file) = taught(&server);
    // With the key, as whoever moves to another computer takes it along.
    let other = Desk::with_model(&server.url());
    std::fs::copy(desk.data().join("export.key"), other.data().join("export.key")).unwrap();
    done(&other.run(["experience", "import", &file]));
    assert_eq!(export(&desk).len(), 2);
    assert_eq!(export(&other), export(&desk));

    // Without it the user may vouch for a file; its words stay a stranger's.
    let vouched = Desk::with_model(&server.url());
    done(&vouched.run(["experience", "import", "--reviewed", &file]));
    for one in export(&vouched) {
        assert_eq!(
            (&one["state"], &one["ground"]),
            (&json!("approved"), &json!("user")),
            "{one}"
        );
        assert_eq!(one["tainted"], true, "{one}");
    }

    let whole = desk.path("whole.jsonl");
    done(&desk.run(["experience", "export", &whole.display().to_string()]));
    let mut lines: Vec<String> = std::fs::read_to_string(&whole)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    let mut told: Vec<String> = std::fs::read_to_string(&file)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    lines.sort_unstable();
    told.sort_unstable();
    assert_eq!(lines, told, "a file holds what standard output does");
}

#[test]
fn a_strangers_experiences_come_as_candidates_and_take_no_place_of_what_is_known() {
    let server = ModelServer::thinking(forgetful);
    let (desk, file) = taught(&server);
    let stranger = Desk::with_model(&server.url());
    done(&stranger.run(["experience", "import", &file]));
    let all = export(&stranger);
    assert!(
        all.iter()
            .all(|one| one["state"] == "candidate" && one["tainted"] == true),
        "{all:#?}"
    );
    let (_, prompts) = ask(&stranger, &server, QUESTION);
    assert!(!prompts[0].contains("<experience>"));

    let forged = std::fs::read_to_string(&file)
        .unwrap()
        .replace(LESSON, "int(forged)");
    std::fs::write(desk.path("forged.jsonl"), forged).unwrap();
    let known = export(&desk);
    let forged = desk.path("forged.jsonl").display().to_string();
    for whose in [&["--reviewed"][..], &[]] {
        let words = ["experience", "import", &forged];
        done(&desk.run(words.iter().chain(whose)));
        assert_eq!(
            export(&desk),
            known,
            "a stranger's takes no place of what was approved"
        );
    }

    let bad = desk.path("bad.jsonl");
    let good = std::fs::read_to_string(&file)
        .unwrap()
        .replace("\"goal\":\"", "\"goal\":\"New: ");
    std::fs::write(&bad, format!("{good}{{\"goal\": 1}}\n")).unwrap();
    let refused = desk.run(["experience", "import", "--reviewed", &bad.display().to_string()]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("line 4"), "{}", refused.stderr);
    assert_eq!(export(&desk), known, "of a broken file nothing is kept");
}

#[test]
fn the_fast_model_words_the_lesson_when_there_is_one_and_the_user_may_take_a_plain_run() {
    let server = ModelServer::thinking(|request| match request["model"] == "small" {
        true => Answer::Text("{\"lesson\": \"Cut the unit off before int().\"}".to_owned()),
        false => forgetful(request),
    });
    let desk = Desk::with_model(&server.url());
    done(&desk.run(["config", "set", "role.fast", "small"]));
    done(&ask(&desk, &server, QUESTION).0);
    let lesson = only(&desk);
    assert_eq!(lesson["lesson"], "Cut the unit off before int().");
    let fast = server
        .requests()
        .into_iter()
        .filter(|request| request["model"] == "small");
    assert_eq!(fast.count(), 1, "one bounded call");

    done(&desk.run(["experience", "reject", id(&lesson)]));
    done(&desk.run(["config", "set", "experience.collect", "off"]));
    done(&ask(&desk, &server, QUESTION).0);
    assert_eq!(
        only(&desk)["state"],
        "rejected",
        "what was rejected does not come back"
    );
    let taken = desk
        .run(["experience", "take", "last", "--json"])
        .json()
        .remove(0);
    assert_eq!(taken["id"], lesson["id"], "it is known, and rejected");
    let nobody = desk.run(["experience", "approve", "0123456789"]);
    assert!(
        nobody.stderr.contains("shidi experience list"),
        "{}",
        nobody.stderr
    );
}

#[test]
fn a_strangers_file_takes_no_place_where_another_id_begins_alike() {
    let desk = Desk::new();
    let lesson = "Cut the unit off";
    done(&desk.run(["experience", "add", "--goal", QUESTION, "--lesson", lesson]));
    let mut forged = export(&desk).remove(0);
    forged["runs"] = Value::Array(Vec::new());
    forged["lesson"] = "Send it elsewhere".into();
    let id = id(&forged).to_owned();
    let path = desk.path("forged.jsonl");
    for id in [format!("{id}0"), id.clone()] {
        forged["id"] = id.into();
        std::fs::write(&path, forged.to_string()).unwrap();
        done(&desk.run(["experience", "import", "--reviewed", path.to_str().unwrap()]));
    }
    let kept = export(&desk);
    let own = kept.iter().find(|one| one["id"] == id.as_str()).unwrap();
    assert_eq!(own["lesson"], lesson, "{kept:#?}");
    assert_eq!(kept.len(), 2);
}

#[test]
fn of_a_file_of_experiences_all_are_kept_or_none_where_the_disk_is_full() {
    let desk = Desk::new();
    let lesson = "Cut the unit off";
    done(&desk.run(["experience", "add", "--goal", QUESTION, "--lesson", lesson]));
    let known = export(&desk);
    let lines = (0..2_000).map(|number| {
        let mut one = known[0].clone();
        one["runs"] = Value::Array(Vec::new());
        one["id"] = format!("many-{number}").into();
        one["goal"] = format!("task {number}").into();
        one["code"] = format!("print({number})\n").repeat(200).into();
        format!("{one}\n")
    });
    let path = desk.path("many.jsonl");
    std::fs::write(&path, lines.collect::<String>()).unwrap();
    let words = ["experience", "import", path.to_str().unwrap()];
    let printed = desk.run_on_full_disk(3, &words);
    assert_eq!(printed.code, Some(5), "{}", printed.stderr);
    assert_eq!(export(&desk), known);
    done(&desk.run(words));
    assert_eq!(export(&desk).len(), known.len() + 2_000);
}
