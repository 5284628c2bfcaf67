//! Experiences that runs teach, rule by rule.

use super::super::lived::outcome;
use super::*;
use shidi_protocol::{Ask, ErrorCode, RunId, RunStatus};

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

fn lived(language: &str, status: RunStatus, attempts: Vec<Attempt>) -> Lived {
    Lived {
        run: RunId::from("r1"),
        question: "How many orders are in sales.csv?".to_owned(),
        ask: Ask {
            text: "How many orders are in sales.csv?".to_owned(),
            ..Ask::default()
        },
        outcome: outcome(Some(status), None, &attempts),
        attempts,
        arguments: vec!["/home/me/a.xlsx".to_owned(), "v1.2".to_owned()],
        language: language.to_owned(),
        tainted: true,
        was_lacking: false,
        is_original: true,
        is_without_lessons: false,
    }
}

fn failing() -> Attempt {
    attempt(
        "import csv\nrows = await files.read(name='sales.csv')\nprint(len(rows))",
        "line 2: TypeError: files.read() got an unexpected keyword argument 'name'",
        Ending::Failed,
        &["files.read"],
    )
}

fn working() -> Attempt {
    attempt(
        "import csv\nrows = await files.read(path='sales.csv')\nprint(len(rows))",
        "12\nkey sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH",
        Ending::Worked,
        &["files.read"],
    )
}

#[test]
fn a_failure_after_which_another_way_worked_teaches_the_difference_in_the_language_of_the_run() {
    let english = taught(&lived("en", RunStatus::Completed, vec![failing(), working()])).unwrap();
    assert_eq!(
        (english.kind, english.state),
        (ExperienceKind::Fix, ExperienceState::Candidate)
    );
    assert_eq!(
        english.lesson,
        "`rows = await files.read(name='sales.csv')` failed: TypeError: files.read() got an unexpected keyword \
         argument 'name'. What works: `rows = await files.read(path='sales.csv')`"
    );
    assert!(english.code.contains("path='sales.csv'") && english.failed_code.contains("name='sales.csv'"));
    assert!(english.tainted, "the taint of the run is the candidate's");
    assert_eq!(
        english.context,
        ["file:.csv", "toolkit:files", "toolkit:files", "file:.xlsx"]
            .iter()
            .map(|key| (*key).to_owned())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
    );
    assert!(
        !english.result.contains("sk-abcdef"),
        "no secret is kept: {}",
        english.result
    );
    let chinese = taught(&lived("zh", RunStatus::Completed, vec![failing(), working()])).unwrap();
    assert!(
        chinese
            .lesson
            .contains("可行的做法是 `rows = await files.read(path='sales.csv')`")
    );
}

#[test]
fn a_host_is_kept_without_the_password_before_it_its_port_and_capitals() {
    for (argument, expected) in [
        ("https://alice:hunter2@intra.example/x", "host:intra.example"),
        ("https://Shop.example", "host:shop.example"),
        ("HTTPS://shop.example:443/a?b=c#d", "host:shop.example"),
        (" http://shop.example.:8080 and more", "host:shop.example"),
        ("https://[::1]:8080/x", "host:[::1]"),
        ("https://alice:hun/ter2@intra.example", ""),
        ("https://alice:hun?ter2@intra.example", ""),
        ("https://", ""),
        ("ftp://shop.example", ""),
        ("shop.example", ""),
        ("", ""),
    ] {
        assert_eq!(host_of(argument).unwrap_or_default(), expected, "{argument}");
    }
}

#[test]
fn many_hosts_push_out_neither_the_page_nor_the_toolkits() {
    let mut run = lived("en", RunStatus::Completed, vec![failing(), working()]);
    run.ask.context = Some(serde_json::json!({ "url": "https://shop.example/orders" }));
    run.arguments = (0..40)
        .map(|at| format!("https://h{}.example/{at}", at / 2))
        .collect();
    let around = ["file:.csv", "site:shop.example", "toolkit:files"];
    let hosts = [
        "host:h0.example",
        "host:h1.example",
        "host:h2.example",
        "host:h3.example",
    ];
    assert_eq!(context(&run), [&around[..], &hosts[..]].concat());
}

#[test]
fn a_failure_that_was_given_up_is_a_warning() {
    let warning = taught(&lived("en", RunStatus::GaveUp, vec![failing(), failing()])).unwrap();
    assert_eq!(warning.kind, ExperienceKind::Warning);
    assert!(
        warning.lesson.starts_with("Tried 2 times and given up"),
        "{}",
        warning.lesson
    );
    let once = taught(&lived("en", RunStatus::GaveUp, vec![failing()])).unwrap();
    assert!(
        once.lesson.starts_with("Tried once and given up, with "),
        "{}",
        once.lesson
    );
    assert_eq!(
        warning.error,
        "TypeError: files.read() got an unexpected keyword argument 'name'"
    );
    let told = lived("zh", RunStatus::Completed, vec![working(), failing()]);
    assert_eq!(
        taught(&told).map(|taught| taught.kind),
        Some(ExperienceKind::Warning),
        "an answer that tells of it"
    );
}

#[test]
fn work_of_several_steps_or_toolkits_that_came_out_well_is_a_practice_and_a_single_step_is_not() {
    let two = taught(&lived("en", RunStatus::Completed, vec![working(), working()])).unwrap();
    assert_eq!(two.kind, ExperienceKind::Practice);
    assert_eq!(two.lesson, "Done in 2 steps with files.read; keep to this order");
    let toolkits = attempt("…", "ok", Ending::Worked, &["files.read", "web.fetch"]);
    assert!(taught(&lived("en", RunStatus::Completed, vec![toolkits])).is_some());
    let single = lived("en", RunStatus::Completed, vec![working()]);
    assert_eq!(taught(&single), None);
    let wished = taken(&single).unwrap();
    assert_eq!(wished.kind, ExperienceKind::Practice, "the user may wish it");
    assert_eq!(wished.lesson, "Done in one step with files.read");
    let lacking = Lived {
        was_lacking: true,
        ..lived("en", RunStatus::Completed, vec![working(), working()])
    };
    assert_eq!(taught(&lacking), None, "it was not evaluated good");
}

#[test]
fn nothing_is_learned_from_what_the_user_stopped_or_refused_or_what_broke_around_the_task() {
    let refused = attempt("x", "PermissionError: refused", Ending::Unjudged, &[]);
    for lived in [
        lived("en", RunStatus::Cancelled, vec![failing()]),
        lived("en", RunStatus::Failed, vec![failing()]),
        lived("en", RunStatus::GaveUp, vec![refused]),
        lived("en", RunStatus::Completed, Vec::new()),
        Lived {
            is_original: false,
            ..lived("en", RunStatus::Completed, vec![failing(), working()])
        },
        Lived {
            question: "go on".to_owned(),
            ..lived("en", RunStatus::Completed, vec![failing(), working()])
        },
    ] {
        assert_eq!(taught(&lived), None, "{lived:?}");
    }
    let task = outcome(Some(RunStatus::Failed), Some(ErrorCode::Task), &[failing()]);
    assert_eq!(task, ExperienceOutcome::Failure);
}
