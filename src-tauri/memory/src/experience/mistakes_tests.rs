//! Which corrections are mistakes with a tool, and which reviewed mistakes go along.

use super::super::lived::outcome;
use super::*;
use shidi_protocol::{Ask, ExperienceDraft, ExperienceId, Moment, RunId, RunStatus, SessionId};

fn attempt(program: &str, output: &str, ending: Ending, tools: &[&str]) -> Attempt {
    Attempt {
        program: program.to_owned(),
        output: output.to_owned(),
        ending,
        tools: tools.iter().map(|&tool| tool.to_owned()).collect(),
        is_program_tainted: false,
        is_output_tainted: false,
    }
}

fn failing(output: &str) -> Attempt {
    let program = "name = 'notes.txt'\nrows = await files.read(name=name)";
    attempt(program, output, Ending::Failed, &[])
}

fn lived(attempts: Vec<Attempt>) -> Lived {
    let ask = Ask {
        text: "How many lines has notes.txt?".to_owned(),
        ..Ask::default()
    };
    Lived {
        run: RunId::from("r1"),
        question: ask.text.clone(),
        ask,
        outcome: outcome(Some(RunStatus::Completed), None, &attempts),
        attempts,
        arguments: Vec::new(),
        language: "en".to_owned(),
        tainted: true,
        was_lacking: false,
        is_original: true,
        is_without_lessons: false,
    }
}

/// A run whose first program failed like that, and whose second one worked.
fn corrected_run(output: &str) -> Lived {
    let working = attempt(
        "rows = await files.read(path='notes.txt')",
        "3",
        Ending::Worked,
        &["files.read"],
    );
    lived(vec![failing(output), working])
}

fn found(lived: &Lived) -> Vec<(String, String)> {
    let found = corrections(lived).into_iter();
    found.map(|one| (one.tool, one.class)).collect()
}

#[test]
fn a_correction_names_the_tool_of_the_error_or_of_its_line_and_the_class() {
    let read = |class: &str| vec![("files.read".to_owned(), class.to_owned())];
    for (output, expected) in [
        (
            "line 2: TypeError: files.read() got an unexpected keyword argument 'name'",
            read("TypeError"),
        ),
        (
            "line 2: TypeError: unexpected keyword argument 'name'",
            read("TypeError"),
        ),
        (
            "line 2 (line 1 of your part): TypeError: unexpected",
            read("TypeError"),
        ),
        ("line 1: NameError: name 'x' is not defined", Vec::new()),
        ("line 99: TypeError: unexpected", Vec::new()),
        ("line 2: FileNotFoundError: no such file", Vec::new()),
        ("line 2: it went wrong: badly", Vec::new()),
        ("", Vec::new()),
    ] {
        assert_eq!(found(&corrected_run(output)), expected, "{output}");
    }
    let never = lived(vec![failing("line 2: TypeError: unexpected")]);
    assert!(found(&never).is_empty(), "nothing worked afterwards");
    let mut twice = corrected_run("line 2: TypeError: unexpected");
    twice.attempts.insert(0, twice.attempts[0].clone());
    assert_eq!(found(&twice), read("TypeError"), "once a run");
}

#[test]
fn a_run_that_gave_the_tool_up_corrected_nothing() {
    let mut failed = failing("line 2: TypeError: unexpected");
    failed.tools = vec!["files.read".to_owned()];
    let other = attempt("print(42)", "42", Ending::Worked, &["shell.run"]);
    let given_up = lived(vec![failed.clone(), other.clone()]);
    assert!(found(&given_up).is_empty(), "another tool worked");
    let reading = "rows = await files.read(path='notes.txt')";
    let read = attempt(reading, "3", Ending::Worked, &["files.read"]);
    let mended = lived(vec![failed, other, read]);
    assert_eq!(found(&mended).len(), 1);
    assert_eq!(candidate(&mended, &corrections(&mended)[0]).code, reading);
}

#[test]
fn a_candidate_is_a_strangers_only_where_its_own_texts_may_be() {
    let mut run = corrected_run("line 2: TypeError: unexpected");
    let made = |run: &Lived| candidate(run, &corrections(run)[0]);
    let clean = made(&run);
    assert_eq!(
        (clean.kind, clean.state),
        (ExperienceKind::Mistake, ExperienceState::Candidate)
    );
    assert_eq!(
        (clean.goal.as_str(), clean.calls[0].as_str()),
        ("files.read: TypeError", "files.read")
    );
    assert!(clean.lesson.contains("path='notes.txt'"), "{}", clean.lesson);
    assert!(
        !clean.tainted && clean.result.is_empty(),
        "the run read a file only afterwards"
    );
    run.attempts[0].is_output_tainted = true;
    assert!(made(&run).tainted);
}

fn approved(id: &str, goal: &str, lesson: &str, calls: &[&str]) -> Experience {
    let draft = ExperienceDraft {
        goal: goal.to_owned(),
        lesson: lesson.to_owned(),
        code: String::new(),
    };
    let mut mistake = Experience::written(ExperienceId::from(id), draft, Moment(1));
    mistake.kind = ExperienceKind::Mistake;
    mistake.calls = calls.iter().map(|&tool| tool.to_owned()).collect();
    mistake
}

fn along(question: &str, files: &[&str], held: &[&str], known: &[Experience]) -> Vec<String> {
    let ask = Ask {
        text: question.to_owned(),
        files: files.iter().map(|&file| file.to_owned()).collect(),
        ..Ask::default()
    };
    let wanted = Wanted::of(&ask, &SessionId::from("s1"));
    let chosen = chosen(&wanted, &held.iter().copied().collect(), known);
    chosen.iter().map(|one| one.experience.id.to_string()).collect()
}

#[test]
fn mistakes_go_along_by_the_toolkits_of_the_prompt_and_what_the_question_speaks_of() {
    let known = [
        approved(
            "read",
            "files.read: TypeError",
            "takes path=, not name=",
            &["files.read"],
        ),
        approved(
            "shell",
            "shell.run: TypeError",
            "takes one text, no list",
            &["shell.run"],
        ),
        approved(
            "gather",
            "asyncio.gather in a program",
            "await the gather of several calls",
            &[],
        ),
        approved("hand", "reading", "files.table gives rows, not lines", &[]),
    ];
    let all = ["files", "shell", "user"];
    for (question, held, expected) in [
        ("How many lines has notes.txt?", &all[..], vec!["hand", "read"]),
        ("读一下 notes.txt", &all[..], vec!["hand", "read"]),
        ("How many lines has notes.txt?", &["user"][..], vec![]),
        ("Run it in the shell", &all[..], vec!["shell"]),
        (
            "Fetch several pages and await all calls",
            &all[..],
            vec!["gather"],
        ),
        ("What is the capital of France?", &all[..], vec![]),
        ("several", &all[..], vec!["gather"]),
        ("", &all[..], vec![]),
    ] {
        assert_eq!(along(question, &[], held, &known), expected, "{question}");
    }
}

#[test]
fn what_surrounded_a_mistake_brings_it_into_no_question() {
    let mut known = [approved(
        "shell",
        "shell.run: TypeError",
        "one text",
        &["shell.run"],
    )];
    known[0].context = vec!["file:.csv".to_owned(), "toolkit:files".to_owned()];
    let all = ["files", "shell"];
    let asked = "How many orders are in sales.csv?";
    assert!(along(asked, &["/home/me/sales.csv"], &all, &known).is_empty());
    assert_eq!(along("Sort sales.csv in the shell", &[], &all, &known), ["shell"]);
}

/// A lesson whose first way failed with `files.table`, and whose other way works with `files.read`.
fn lesson(error: &str, failed: &str) -> Experience {
    let mut lesson = approved("fix", "Sum up sales.csv", "read it", &["files.read", "shell.run"]);
    lesson.kind = ExperienceKind::Fix;
    lesson.code = "import csv\ntext = await files.read(path='sales.csv')\nawait shell.run('ls')".to_owned();
    (lesson.error, lesson.failed_code) = (error.to_owned(), failed.to_owned());
    lesson.context = vec!["toolkit:files".to_owned(), "toolkit:shell".to_owned()];
    lesson
}

#[test]
fn a_lesson_made_a_mistake_is_about_the_tool_that_failed_and_not_about_those_that_worked() {
    let one_line = "import csv\nrows = await files.table(name='sales.csv')\nawait shell.run('ls')";
    let two_lines = "rows = await files.table(name='sales.csv')\nprint(rows)";
    for (error, failed, expected) in [
        (
            "TypeError: files.table() got an unexpected 'name'",
            two_lines,
            vec!["files.table"],
        ),
        ("TypeError: unexpected 'name'", one_line, vec!["files.table"]),
        ("TypeError: unexpected 'name'", two_lines, vec![]),
        ("", "", vec![]),
    ] {
        let mut turned = lesson(error, failed);
        turn(&mut turned);
        assert_eq!(turned.kind, ExperienceKind::Mistake);
        assert_eq!(turned.calls, expected, "{error}\n{failed}");
    }
    let mut named = lesson("TypeError: files.table() got an unexpected 'name'", two_lines);
    turn(&mut named);
    assert_eq!(common_mistakes::line(&named), "files.table: read it");
}

#[test]
fn a_mistake_is_made_of_its_task_again_as_it_was() {
    let mut given_up = lesson("TypeError: unexpected 'name'", "");
    given_up.kind = ExperienceKind::Warning;
    let mut by_hand = approved("hand", "reading", "files.read gives text", &[]);
    by_hand.kind = ExperienceKind::Practice;
    let fix = lesson("TypeError: unexpected 'name'", "rows = await files.table()");
    for was in [fix, given_up, by_hand] {
        let mut now = was.clone();
        turn(&mut now);
        turn_back(&mut now);
        assert_eq!(now, was);
    }
}

#[test]
fn nothing_goes_along_that_nobody_reviewed_and_a_strangers_words_only_where_others_do() {
    let mut known = [approved(
        "read",
        "files.read: TypeError",
        "takes path=",
        &["files.read"],
    )];
    let asked = "How many lines has notes.txt?";
    for state in ExperienceState::ALL {
        known[0].state = state;
        let is_along = !along(asked, &[], &["files"], &known).is_empty();
        assert_eq!(is_along, state == ExperienceState::Approved, "{state:?}");
    }
    known[0].state = ExperienceState::Approved;
    known[0].tainted = true;
    assert!(along(asked, &[], &["files"], &known).is_empty());
    assert_eq!(
        along(asked, &["/home/me/notes.txt"], &["files"], &known),
        ["read"]
    );
    known[0].kind = ExperienceKind::Fix;
    assert!(along(asked, &["/home/me/notes.txt"], &["files"], &known).is_empty());
    let many: Vec<Experience> = (0..9)
        .map(|at| approved(&format!("m{at}"), "files.read: E", "short", &["files.read"]))
        .collect();
    assert_eq!(along(asked, &[], &["files"], &many).len(), 4);
}
