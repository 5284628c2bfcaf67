//! A finished run replayed with other inputs: its programs, no model, and every permission anew.

use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};

const COUNT: &str = "[Thought]: count\n```python\npath = 'a.txt'\nfound = await files.read(path=path)\nprint(len(found.split()), 'words')\n```";

fn desk(server: &ModelServer) -> Desk {
    let desk = Desk::with_model(&server.url());
    std::fs::write(desk.path("a.txt"), "one two three\n").unwrap();
    std::fs::write(desk.path("b.txt"), "one two three four five\n").unwrap();
    desk
}

#[test]
fn a_finished_run_is_replayed_with_another_file_and_asks_no_model() {
    let server = ModelServer::start([Answer::Text(COUNT.into()), Answer::Text("It has 3 words.".into())]);
    let desk = desk(&server);
    let folder = desk.path("").display().to_string();
    let first = desk.run(["ask", "--json", "--folder", &folder, "How many words has a.txt?"]);
    assert_eq!(first.event("output")["stdout"], "3 words\n", "{}", first.stderr);
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let again = desk.run(["replay", &run, "--json", "--input", "path=b.txt"]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(again.event("output")["stdout"], "5 words\n");
    assert!(
        again.event("code")["program"]
            .as_str()
            .unwrap()
            .starts_with("path = \"b.txt\"")
    );
    assert_eq!(again.event("run_ended")["status"], "completed");
    assert_eq!(
        server.requests().len(),
        2,
        "the model was asked for the first run alone"
    );
    let session = first.event("run_started")["session"].clone();
    assert_eq!(
        again.event("run_started")["session"],
        session,
        "in the session of the run"
    );

    let preview = desk.run(["replay", &run, "--json", "--preview", "--input", "path=c.txt"]);
    assert_eq!(preview.code, Some(0), "{}", preview.stderr);
    let preview = &preview.json()[0];
    assert_eq!(preview["run"], run.as_str());
    assert_eq!(
        preview["inputs"],
        serde_json::json!([{"name": "path", "value": "a.txt"}])
    );
    let [before, after] = ["before", "after"].map(|name| preview["programs"][0][name].as_str().unwrap());
    assert!(
        before.starts_with("path = 'a.txt'\n") && after.starts_with("path = \"c.txt\"\n"),
        "{preview}"
    );
    assert_eq!(
        preview["calls"],
        serde_json::json!([{"tool": "files.read", "class": "read", "times": 1}])
    );
    let shown = desk
        .run(["replay", &run, "--preview", "--input", "path=c.txt"])
        .stdout;
    assert!(
        shown.starts_with("- path = 'a.txt'\n+ path = \"c.txt\"\n  found = "),
        "{shown}"
    );

    let wrong = desk.run(["replay", &run, "--input", "file=b.txt"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
    assert!(
        wrong.stderr.contains("no input file") && wrong.stderr.contains("path"),
        "{}",
        wrong.stderr
    );
    let nobody = desk.run(["replay", "0123456789", "--input", "a=1"]);
    assert_ne!(nobody.code, Some(0));
}

#[test]
fn a_constant_that_a_call_is_given_is_an_input_and_where_there_is_none_that_is_said() {
    let count = "[Thought]: count\n```python\nprint(len((await files.read('a.txt')).split()), 'words')\n```";
    let multiply = "[Thought]: multiply\n```python\nprint(6 * 7)\n```";
    let server = ModelServer::start([
        Answer::Text(count.into()),
        Answer::Text("It has 3 words.".into()),
        Answer::Text(multiply.into()),
        Answer::Text("It is 42.".into()),
    ]);
    let desk = desk(&server);
    let folder = desk.path("").display().to_string();
    let first = desk.run(["ask", "--json", "--folder", &folder, "How many words has a.txt?"]);
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let preview = desk.run(["replay", &run, "--json", "--preview"]).json().remove(0);
    assert_eq!(
        preview["inputs"],
        serde_json::json!([{"name": "path", "value": "a.txt"}])
    );
    let draft = desk.run(["--lang", "en", "workflow", "from-run", &run]);
    assert!(
        draft.stdout.contains("name: path") && draft.stdout.contains("files.read(path)"),
        "{draft:?}"
    );
    assert!(!draft.stderr.contains("No values"), "{draft:?}");
    let again = desk.run(["replay", &run, "--json", "--input", "path=b.txt"]);
    assert_eq!(again.event("output")["stdout"], "5 words\n", "{again:?}");
    let kept = desk.run(["workflow", "from-run", &run, "--save", "count", "--yes"]);
    assert_eq!(kept.code, Some(0), "{kept:?}");
    let words = [
        "--json",
        "workflow",
        "run",
        "count",
        "--folder",
        &folder,
        "--set",
        "path=b.txt",
    ];
    let ran = desk.run(words);
    assert!(ran.code == Some(0) && ran.stdout.contains("5 words"), "{ran:?}");
    let plain = desk.run(["ask", "--json", "What is 6 times 7?"]);
    let run = plain.event("run_started")["run"].as_str().unwrap().to_owned();
    let preview = desk.run(["--lang", "en", "replay", &run, "--preview"]);
    assert!(
        preview.stderr.contains("No values were found in these programs"),
        "{preview:?}"
    );
    let draft = desk.run(["--lang", "en", "workflow", "from-run", &run]);
    assert!(
        draft.stderr.contains("No values were found in the run"),
        "{draft:?}"
    );
}

#[test]
fn a_path_that_a_program_opens_as_in_python_is_an_input() {
    let count = "[Thought]: count\n```python\nwith open('a.txt') as file:\n    text = file.read()\nprint(len(text.split()), 'words')\n```";
    let server = ModelServer::start([Answer::Text(count.into()), Answer::Text("It has 3 words.".into())]);
    let desk = desk(&server);
    let folder = desk.path("").display().to_string();
    let first = desk.run(["ask", "--json", "--folder", &folder, "How many words has a.txt?"]);
    assert_eq!(first.event("output")["stdout"], "3 words\n", "{}", first.stderr);
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let preview = desk.run(["replay", &run, "--json", "--preview"]).json().remove(0);
    assert_eq!(
        preview["inputs"],
        serde_json::json!([{"name": "path", "value": "a.txt"}])
    );
    let draft = desk.run(["--lang", "en", "workflow", "from-run", &run]);
    assert!(
        draft.stdout.contains("name: path") && draft.stdout.contains("open(path)"),
        "{draft:?}"
    );
    let again = desk.run(["replay", &run, "--json", "--input", "path=b.txt"]);
    assert_eq!(again.event("output")["stdout"], "5 words\n", "{again:?}");
}

#[test]
fn a_replay_asks_for_what_it_may_not_do_and_goes_on_after_the_process_is_gone() {
    let keep = "[Thought]: keep\n```python\nnote = 'first'\npath = 'a.txt'\nheard = await files.read(path=path)\nawait memory.remember(text=note)\nprint('kept', note)\n```";
    let server = ModelServer::start([Answer::Text(keep.into()), Answer::Text("Kept.".into())]);
    let desk = desk(&server);
    let folder = desk.path("").display().to_string();
    let first = desk.run([
        "ask",
        "--json",
        "--folder",
        &folder,
        "--approve",
        "memory.remember",
        "Keep it",
    ]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let again = desk.run(["replay", &run, "--json", "--input", "note=second"]);
    assert_eq!(
        again.code,
        Some(3),
        "what was approved then is asked now: {}",
        again.stderr
    );
    let waits = again.event("approval_needed");
    assert_eq!(waits["args"]["text"], "second");
    let replay = waits["run"].as_str().unwrap();
    let done = desk.run(["approve", replay, &waits["call"].to_string(), "--json"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(done.event("output")["stdout"], "kept second\n");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_finished_run_becomes_a_workflow_that_runs_with_other_values() {
    let server = ModelServer::start([Answer::Text(COUNT.into()), Answer::Text("It has 3 words.".into())]);
    let desk = desk(&server);
    let folder = desk.path("").display().to_string();
    let first = desk.run(["ask", "--json", "--folder", &folder, "How many words has a.txt?"]);
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let draft = desk.run(["workflow", "from-run", &run]);
    assert_eq!(draft.code, Some(0), "{draft:?}");
    assert!(
        draft.stdout.contains("name: path") && !draft.stdout.contains("path = "),
        "{draft:?}"
    );
    assert!(!is_kept(&desk, "count"), "nothing is kept by looking");
    let case = desk.path("case.yaml").display().to_string();
    let kept = desk.run([
        "workflow",
        "from-run",
        &run,
        "--save",
        "count",
        "--input",
        "path=b.txt",
        "--yes",
        "--evaluation",
        &case,
    ]);
    assert_eq!(kept.code, Some(0), "{kept:?}");
    assert!(kept.stdout.contains("5 words"), "it was replayed first: {kept:?}");
    let suite = std::fs::read_to_string(&case).unwrap();
    assert!(
        suite.contains("workflows.count") && !suite.contains("how_many_words"),
        "the name under which it is kept: {suite}"
    );
    // A file that is there may hold cases of the user's own.
    let again = desk.run(["workflow", "from-run", &run, "--evaluation", &case]);
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(again.stderr.contains("is there already"), "{again:?}");
    assert_eq!(std::fs::read_to_string(&case).unwrap(), suite);
    assert!(
        suite.contains("How many words has a.txt?") && suite.contains("3 words"),
        "{suite}"
    );
    let checked = desk.run(["eval", &case, "--check"]);
    assert!(
        checked.code == Some(0) && checked.stdout.contains("as-it-was"),
        "{checked:?}"
    );
    let ran = desk.run([
        "--json",
        "workflow",
        "run",
        "count",
        "--folder",
        &folder,
        "--set",
        "path=b.txt",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("five") || ran.stdout.contains("\"found\""),
        "{ran:?}"
    );
    assert_eq!(server.requests().len(), 2, "no model was asked for it");
    // The shorter name still leads there.
    let covers = desk.run(["workflow", "from", &run, "--save", "refund-approval", "--yes"]);
    assert!(
        covers.code == Some(2) && covers.stderr.contains("--replace"),
        "{covers:?}"
    );
    let nobody = desk.run(["workflow", "from-run", "0123456789"]);
    assert_ne!(nobody.code, Some(0));
}

/// Whether a workflow of that name is kept.
fn is_kept(desk: &Desk, name: &str) -> bool {
    desk.run(["workflow", "show", name]).code == Some(0)
}

#[test]
fn a_workflow_is_kept_unasked_only_once_its_run_was_replayed_with_other_values() {
    let server = ModelServer::start([Answer::Text(COUNT.into()), Answer::Text("It has 3 words.".into())]);
    let desk = desk(&server);
    let folder = desk.path("").display().to_string();
    let first = desk.run(["ask", "--json", "--folder", &folder, "How many words has a.txt?"]);
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let keep = [
        "--lang", "en", "workflow", "from-run", &run, "--save", "count", "--yes",
    ];
    let with = |value: &str| desk.run(keep.into_iter().chain(["--input", value]));
    // Neither without a replay, nor by one that shows nothing new, that fails, or that has no such value.
    for refused in [desk.run(keep), with("path=a.txt")] {
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused.stderr.contains("not replayed with other values")
                && refused.stderr.contains("--input path=…"),
            "{refused:?}"
        );
    }
    let failed = with("path=nowhere.txt");
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(failed.stderr.contains("is not kept"), "{failed:?}");
    assert_eq!(with("file=b.txt").code, Some(2));
    assert!(!is_kept(&desk, "count"));
    let kept = with("path=b.txt");
    assert_eq!(kept.code, Some(0), "{kept:?}");
    assert!(is_kept(&desk, "count"));
    // What was replayed before is known.
    let again = desk.run(["workflow", "from-run", &run, "--save", "count-again", "--yes"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(server.requests().len(), 2, "no model was asked for it");
}

#[test]
fn what_a_replay_asks_is_decided_before_a_workflow_is_kept_and_it_permits_what_was_done_alone() {
    let slip = "```python\nawait files.write(path='half.txt', text='half')\nraise ValueError('no')\n```";
    let write = "```python\npath = 'out.txt'\nfound = await files.read(path='a.txt')\nawait files.write(path=path, text=str(len(found.split())))\nprint('written')\n```";
    let server = ModelServer::start([
        Answer::Text(slip.into()),
        Answer::Text(write.into()),
        Answer::Text("Written.".into()),
    ]);
    let desk = desk(&server);
    assert_eq!(desk.run(["config", "set", "mode", "ask"]).code, Some(0));
    let folder = desk.path("").display().to_string();
    let words = [
        "ask",
        "--json",
        "--folder",
        &folder,
        "--approve",
        "files.write",
        "Copy it",
    ];
    let first = desk.run(words);
    assert_eq!(first.code, Some(0), "{first:?}");
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let draft = desk
        .run(["--json", "workflow", "from-run", &run])
        .json()
        .remove(0);
    let text = draft["text"].as_str().unwrap();
    let lines = text.lines().map(str::trim);
    let permitted: Vec<&str> = lines
        .filter(|line| line.starts_with("- ") && line.contains("files."))
        .collect();
    // Reading is asked about nowhere, and a program that failed is no part of it.
    assert!(
        permitted.len() == 1
            && permitted[0].contains("files.write(path=")
            && permitted[0].contains("/out.txt)"),
        "{text}"
    );
    let keep = ["workflow", "from-run", &run, "--save", "copy", "--yes"];
    let waits = desk.run(keep.into_iter().chain(["--json", "--input", "path=other.txt"]));
    assert_eq!(
        waits.code,
        Some(3),
        "what was approved then is asked now: {waits:?}"
    );
    let asked = waits.event("approval_needed");
    assert!(!is_kept(&desk, "copy"));
    let replay = asked["run"].as_str().unwrap();
    let done = desk.run(["approve", replay, &asked["call"].to_string()]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let kept = desk.run(keep);
    assert_eq!(kept.code, Some(0), "{kept:?}");
    // Nobody has seen its text.
    assert!(kept.stderr.contains("files.write(path="), "{kept:?}");
    assert!(is_kept(&desk, "copy"));
}

#[test]
fn the_value_of_a_last_expression_is_the_result_and_what_can_not_be_kept_is_refused_before_anything_runs() {
    let multiply = "[Thought]: multiply\n```python\nm = 5\nm * 3\n```";
    let server = ModelServer::start([Answer::Text(multiply.into()), Answer::Text("It is 15.".into())]);
    let desk = Desk::with_model(&server.url());
    let first = desk.run(["ask", "--json", "What is 5 times 3?"]);
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let keep = |name: &str, value: &str| {
        desk.run([
            "--lang", "en", "workflow", "from-run", &run, "--save", name, "--input", value, "--yes",
        ])
    };
    for (name, value, why) in [
        ("refund-approval", "m=7", "another workflow 'refund-approval'"),
        ("times", "m=abc", "'m' is not of type int"),
    ] {
        let refused = keep(name, value);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused.stderr.contains(why) && !refused.stdout.contains("21"),
            "{refused:?}"
        );
    }
    let kept = keep("times", "m=7");
    assert_eq!(kept.code, Some(0), "{kept:?}");
    let ran = desk.run(["--json", "workflow", "run", "times", "--set", "m=8"]);
    assert!(
        ran.code == Some(0) && ran.stdout.contains("\"result\":24"),
        "{ran:?}"
    );
    // The newest run is that of the step now.
    let step = desk.run(["--lang", "en", "workflow", "from-run", "last"]);
    assert_eq!(step.code, Some(2), "{step:?}");
    assert!(step.stderr.contains("is a step of a workflow"), "{step:?}");
}

/// A run that counted the words of a file, as a suite; the file is gone by then.
fn case_of_a_run(desk: &Desk, question: &str) -> String {
    let folder = desk.path("").display().to_string();
    let first = desk.run(["ask", "--json", "--folder", &folder, question]);
    assert_eq!(first.event("output")["stdout"], "3 words\n", "{first:?}");
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let case = desk.path("case.yaml").display().to_string();
    let written = desk.run(["workflow", "from-run", &run, "--evaluation", &case]);
    assert_eq!(written.code, Some(0), "{written:?}");
    std::fs::remove_file(desk.path("a.txt")).unwrap();
    case
}

#[test]
fn the_first_case_of_a_workflow_passes_by_it_and_fails_without_it() {
    let call = "```python\nprint(await workflows.how_many_words_has_a_txt())\n```";
    let server = ModelServer::start([
        Answer::Text(COUNT.into()),
        Answer::Text("It has 3 words.".into()),
        Answer::Text(call.into()),
        Answer::Text("It has 3 words.".into()),
        Answer::Text("There are 3 words in it.".into()),
        Answer::Text(call.into()),
        Answer::Text("It has four.".into()),
    ]);
    let desk = desk(&server);
    let case = case_of_a_run(&desk, "How many words has a.txt?");
    let passes = desk.run(["eval", "--json", &case]);
    assert_eq!(passes.code, Some(0), "{}{}", passes.stdout, passes.stderr);
    assert_eq!(passes.json()[0]["verdict"], "right", "{passes:?}");
    // Right by luck, without the workflow; and the workflow, retold wrongly.
    for answer in ["without the workflow", "another number"] {
        let fails = desk.run(["eval", "--json", &case, "--fresh"]);
        assert_eq!(fails.code, Some(1), "{answer}: {}{}", fails.stdout, fails.stderr);
        assert_eq!(fails.json()[0]["verdict"], "wrong", "{answer}: {fails:?}");
    }
    assert_eq!(server.requests().len(), 7);
}

#[test]
fn a_case_of_a_file_elsewhere_finds_it_by_its_name_in_its_own_folder() {
    let server = ModelServer::thinking(|request| {
        let prompt = prompt_of(request);
        let path = prompt
            .split("words has ")
            .nth(1)
            .and_then(|rest| rest.split('?').next());
        let path = path.unwrap_or_default().to_owned();
        let text = match () {
            () if prompt.contains("3 words") => "It has 3 words.".to_owned(),
            () if path == "a.txt" => "```python\nprint(await workflows.count_it())\n```".to_owned(),
            () => COUNT.replace("a.txt", &path),
        };
        Answer::Text(text)
    });
    let desk = desk(&server);
    let path = desk.path("a.txt").display().to_string();
    let case = case_of_a_run(&desk, &format!("Count it\nHow many words has {path}?"));
    let suite = std::fs::read_to_string(&case).unwrap();
    assert!(
        !suite.contains(&path) && suite.contains("one two three"),
        "{suite}"
    );
    let passes = desk.run(["eval", "--json", &case]);
    assert_eq!(passes.code, Some(0), "{}{}", passes.stdout, passes.stderr);
}

#[test]
fn a_finished_run_becomes_a_skill_that_is_seen_before_it_is_kept() {
    let server = ModelServer::start([
        Answer::Text(COUNT.into()),
        Answer::Text("It has 3 words.".into()),
        Answer::Text("```python\nprint(await skills.load(name='how-many-words-has-a-txt'))\n```".into()),
        Answer::Text("Five words.".into()),
    ]);
    let desk = desk(&server);
    let folder = desk.path("").display().to_string();
    let first = desk.run(["ask", "--json", "--folder", &folder, "How many words has a.txt?"]);
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let listed = || desk.run(["--json", "skill", "list"]).stdout;
    let looked = desk.run_with(["skill", "from", &run], "n\n");
    assert!(
        looked.stdout.contains("`path`") && looked.stdout.contains("a.txt"),
        "{looked:?}"
    );
    assert!(!listed().contains("how-many-words"), "nothing is kept by looking");
    assert!(
        looked.stdout.contains("words of others"),
        "it had read a file: {looked:?}"
    );
    let kept = desk.run(["skill", "from", &run, "--yes"]);
    assert_eq!(kept.code, Some(0), "{kept:?}");
    assert!(kept.stdout.contains("how-many-words-has-a-txt"), "{kept:?}");
    let again = desk.run(["ask", "--json", "And how many words has b.txt?"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let prompts: Vec<String> = server.requests().iter().map(prompt_of).collect();
    assert!(prompts[2].contains("how-many-words-has-a-txt"), "{}", prompts[2]);
    assert!(
        prompts[3].contains("`path`, which was \"a.txt\""),
        "{}",
        prompts[3]
    );
    let misnamed = desk.run(["skill", "from", &run, "--name", "Count words", "--yes"]);
    assert_eq!(misnamed.code, Some(2), "{misnamed:?}");
    assert!(misnamed.stderr.contains("count-words"), "{misnamed:?}");
    let named = desk.run(["skill", "from", &run, "--name", "count-words", "--yes"]);
    assert_eq!(named.code, Some(0), "{named:?}");
    let mut names: Vec<String> = desk
        .run(["--json", "skill", "list"])
        .json()
        .iter()
        .filter(|skill| skill["source"] == "user")
        .map(|skill| skill["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["count-words", "how-many-words-has-a-txt"]);
    let nobody = desk.run(["skill", "from", "0123456789"]);
    assert_ne!(nobody.code, Some(0));
}
