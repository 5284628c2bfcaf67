//! Bad input and broken surroundings: one sentence that says what broke and what to do; no panic, no hang.

use shidi_tests::command::{Desk, Printed, shidi};
use shidi_tests::model_server::{Answer, ModelServer, reply};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// "At once" on a busy machine: far below the time that a silent model is waited for.
const ENDED_WITHIN: Duration = Duration::from_secs(20);

fn status(code: u16, headers: Vec<(&'static str, String)>, body: &str) -> Answer {
    Answer::Status {
        code,
        headers,
        body: body.to_owned(),
    }
}

fn asked(server: &ModelServer) -> Printed {
    Desk::with_model(&server.url()).run(["ask", "--json", "hello?"])
}

/// What every failure must be: told in a sentence, with a remedy, without a trace of a panic.
fn is_told(printed: &Printed, code: i32, words: &str) {
    assert_eq!(printed.code, Some(code), "{}\n{}", printed.stdout, printed.stderr);
    let all = format!("{}{}", printed.stdout, printed.stderr);
    assert!(all.contains(words), "no {words:?} in {all}");
    assert!(all.contains("hint"), "no remedy in {all}");
    assert!(!all.contains("panicked"), "{all}");
}

#[test]
fn a_wrong_key_is_told_with_its_remedy_and_the_question_is_kept() {
    let server = ModelServer::start([status(
        401,
        vec![],
        r#"{"error":{"code":"invalid_api_key","message":"no"}}"#,
    )]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "hello?"]);
    is_told(&printed, 4, "rejected the key");
    assert!(
        desk.run(["session", "show", "last", "--segments"])
            .stdout
            .contains("hello?")
    );
}

#[test]
fn a_busy_provider_is_asked_again_after_the_time_it_names() {
    let busy = status(
        429,
        vec![("Retry-After", "1".to_owned())],
        r#"{"error":{"message":"slow down"}}"#,
    );
    let server = ModelServer::start([busy, Answer::Text("Here.".into())]);
    let started = Instant::now();
    let printed = asked(&server);
    assert_eq!(printed.event("answer")["text"], "Here.", "{}", printed.stderr);
    assert!(started.elapsed() >= Duration::from_millis(900));
}

#[test]
fn overload_and_server_errors_end_in_one_sentence_after_the_retries() {
    for code in [500, 529] {
        let answer = status(code, vec![("Retry-After", "0".to_owned())], "<html>oops</html>");
        let server = ModelServer::repeating(answer);
        is_told(&asked(&server), 4, &code.to_string());
    }
}

#[test]
fn a_stream_that_breaks_off_is_told() {
    let server = ModelServer::repeating(Answer::Cut("The answer is".into()));
    is_told(&asked(&server), 4, "broke off");
}

#[test]
fn a_stream_that_breaks_off_once_is_asked_for_again_and_only_the_whole_answer_counts() {
    let server = ModelServer::start([
        Answer::Cut("The answer is".into()),
        Answer::Text("It is Paris.".into()),
    ]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "which city?"]);
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
    assert_eq!(printed.event("answer")["text"], "It is Paris.");
    let events = printed.json();
    let retracted = events.iter().position(|event| event["type"] == "retracted");
    let after = events[retracted.unwrap()..]
        .iter()
        .filter(|event| event["type"] == "delta");
    let streamed: String = after.filter_map(|event| event["text"].as_str()).collect();
    assert_eq!(streamed, "It is Paris.");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_silent_model_is_given_up_after_the_idle_timeout() {
    let server = ModelServer::repeating(Answer::Silence);
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "idle_timeout_s", "5"]);
    let printed = desk.run(["ask", "--json", "--timeout", "2", "hello?"]);
    assert_eq!(
        printed.event("run_ended")["status"],
        "gave_up",
        "{}",
        printed.stdout
    );
    assert_eq!(printed.code, Some(1));
}

#[test]
fn a_model_that_answers_nothing_three_times_is_told() {
    let server = ModelServer::repeating(Answer::Text(" ".into()));
    let printed = asked(&server);
    assert_eq!(printed.code, Some(1), "{}", printed.stdout);
    assert_eq!(server.requests().len(), 3, "two corrections, not more");
}

#[test]
fn a_model_that_only_writes_broken_code_gives_up_with_reasons() {
    let broken = Answer::Text("```python\n1/0\n```".into());
    let server = ModelServer::repeating(broken);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "--max-rounds", "3", "hello?"]);
    let ended = printed.event("run_ended");
    assert_eq!(ended["status"], "gave_up");
    assert!(
        ended["reason"].as_str().unwrap().contains("ZeroDivisionError"),
        "{ended}"
    );
    assert_eq!(printed.code, Some(1));
}

#[test]
fn nobody_at_the_address_is_told() {
    is_told(
        &Desk::with_model("http://127.0.0.1:9/v1").run(["ask", "hello?"]),
        4,
        "can't be reached",
    );
}

#[test]
fn a_broken_configuration_names_its_line() {
    let desk = Desk::new();
    desk.write_config("mode = \"ask\"\nmax_rounds = = 3\n");
    is_told(&desk.run(["ask", "1+1"]), 2, "config.toml:2");
    desk.write_config("modle = \"x\"\n");
    is_told(&desk.run(["ask", "1+1"]), 2, "modle");
    desk.write_config("max_rounds = 100000\n");
    is_told(&desk.run(["ask", "1+1"]), 2, "max_rounds");
}

#[test]
fn a_missing_file_is_refused_before_anything_is_asked() {
    is_told(
        &Desk::new().run(["ask", "--file", "/nowhere/at/all.txt", "what is it?"]),
        2,
        "/nowhere/at/all.txt",
    );
}

#[test]
fn a_context_that_is_none_is_refused_with_its_place() {
    let desk = Desk::new();
    let path = desk.path("context.json");
    std::fs::write(&path, "{\n \"title\": nope }").unwrap();
    is_told(
        &desk.run(["ask", "--context", path.to_str().unwrap(), "what?"]),
        2,
        "context.json",
    );
    std::fs::write(&path, "{\"titel\": \"x\"}").unwrap();
    is_told(
        &desk.run(["ask", "--context", path.to_str().unwrap(), "what?"]),
        2,
        "titel",
    );
}

#[test]
fn a_database_of_a_newer_version_is_left_alone() {
    let desk = Desk::new();
    desk.run(["ask", "1+1"]);
    let database = desk.data().join("shidi.db");
    let connection = rusqlite::Connection::open(&database).unwrap();
    connection.pragma_update(None, "user_version", 9_999).unwrap();
    connection.close().unwrap();
    let before = std::fs::read(&database).unwrap();
    is_told(&desk.run(["ask", "1+1"]), 5, "9999");
    assert_eq!(std::fs::read(&database).unwrap(), before);
}

#[test]
fn a_damaged_database_is_told_and_left_alone() {
    let desk = Desk::new();
    desk.run(["ask", "1+1"]);
    let database = desk.data().join("shidi.db");
    for beside in ["shidi.db-wal", "shidi.db-shm"] {
        drop(std::fs::remove_file(desk.data().join(beside))); // there or not, depending on how the program ended
    }
    std::fs::write(&database, vec![7; 20_000]).unwrap();
    is_told(&desk.run(["ask", "1+1"]), 5, "shidi.db");
    assert_eq!(std::fs::read(&database).unwrap(), vec![7; 20_000]);
}

#[test]
fn a_data_folder_that_can_not_be_made_is_told() {
    let desk = Desk::new();
    std::fs::write(desk.data(), "a file in its place").unwrap();
    is_told(&desk.run(["ask", "1+1"]), 5, "folder");
}

#[test]
fn an_unknown_session_run_or_call_is_told() {
    let desk = Desk::new();
    is_told(&desk.run(["session", "show", "nothing"]), 2, "nothing");
    is_told(&desk.run(["resume", "nothing"]), 2, "nothing");
    is_told(&desk.run(["ask", "--session", "nothing", "1+1"]), 2, "nothing");
}

#[test]
fn an_installation_without_its_worker_says_what_to_do_and_keeps_the_question() {
    let desk = Desk::new();
    // As it is installed: what lies two folders up is its own, not the machine's.
    let programs = desk.path("bin");
    std::fs::create_dir(&programs).unwrap();
    let crippled = programs.join("shidi");
    std::fs::copy(shidi(), &crippled).unwrap();
    let output = desk
        .command_of(&crippled, ["ask", "--json", "what is 17 * 23?"])
        .output();
    let printed = Printed::of(output.unwrap());
    is_told(&printed, 1, "worker");
    let checked = desk.command_of(&crippled, ["doctor"]).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(
        said.contains("worker") && said.contains("Install Shidi again"),
        "{said}"
    );
    let kept = desk.run(["session", "show", "last", "--segments"]).stdout;
    assert!(kept.contains("what is 17 * 23?"), "{kept}");
}

#[test]
fn without_a_display_the_windows_say_so() {
    let desk = Desk::new();
    for command in [&["toggle"][..], &["open", "shidi://assistant/translator"]] {
        let printed = desk.run(command);
        assert_eq!(printed.code, Some(1), "{}{}", printed.stdout, printed.stderr);
        assert!(!printed.stderr.contains("panicked"));
    }
}

#[test]
fn a_link_of_others_is_not_opened_by_the_windows() {
    let desk = Desk::new();
    for link in ["https://example.org", "shidi:", "-", "你好你好你好", ""] {
        let printed = desk.run(["open", link]);
        is_told(&printed, 2, "shidi://assistant/NAME");
    }
}

#[test]
fn without_a_keychain_a_key_is_not_kept_before_a_passphrase_is_chosen() {
    let mut desk = Desk::new();
    desk.set("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus");
    let server = ModelServer::start([]);
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel_url = \"{}\"\n",
        server.url()
    ));
    let printed = desk.run_with(["key", "set", "openai"], "sk-0123456789abcdef\n");
    is_told(&printed, 4, "SHIDI_PASSPHRASE");
    assert!(!desk.data().join("keys.enc").exists());
}

#[test]
fn control_c_cancels_the_run_and_ends_with_130() {
    let server = ModelServer::repeating(Answer::Silence);
    let desk = Desk::with_model(&server.url());
    let mut child = desk.spawn(["ask", "--json", "hello?"], Stdio::null());
    // The run is known to whoever asked, and its model is at work.
    let mut told = BufReader::new(child.stdout.take().unwrap());
    let mut stdout = String::new();
    told.read_line(&mut stdout).unwrap();
    while server.requests().is_empty() {
        std::thread::yield_now();
    }
    let interrupted = Instant::now();
    let pid = child.id().to_string();
    std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status()
        .unwrap();
    told.read_to_string(&mut stdout).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(
        interrupted.elapsed() < ENDED_WITHIN,
        "{:?}",
        interrupted.elapsed()
    );
    assert!(stdout.contains("\"status\":\"cancelled\""), "{stdout}");
}

#[test]
fn an_endless_program_stops_when_it_is_cancelled() {
    let server = ModelServer::start([Answer::Text("```python\nwhile True: pass\n```".into())]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "--timeout", "2", "loop"]);
    assert_eq!(
        printed.event("run_ended")["status"],
        "gave_up",
        "{}",
        printed.stdout
    );
    let next = desk.run_with(["exec", "--json", "-"], "1 + 1");
    assert_eq!(next.json()[0]["value"], 2);
}

#[test]
fn a_full_disk_ends_the_run_in_one_sentence_and_loses_nothing_acknowledged() {
    let desk = Desk::new();
    let Some(small) = small_disk(&desk) else {
        println!("NOT RUN: no file system of a fixed size can be mounted here");
        return;
    };
    let server = ModelServer::start([reply("add"), reply("total")]);
    let mut command = desk.command(["ask", "--json", "add 12 and 30"]);
    command
        .env("SHIDI_DATA_DIR", &small)
        .env("SHIDI_KEY_OPENAI", "sk-test-0000000000001234");
    std::fs::write(
        small.join("config.toml"),
        format!(
            "provider = \"openai\"\nmodel = \"m\"\nmodel_url = \"{}\"\n",
            server.url()
        ),
    )
    .unwrap();
    let first = command.output().unwrap();
    std::fs::write(small.join("filler"), vec![0; 64 << 20]).unwrap_err();
    let mut again = desk.command(["ask", "--json", &"long ".repeat(20_000)]);
    let second = again
        .env("SHIDI_DATA_DIR", &small)
        .env("SHIDI_KEY_OPENAI", "sk-test-0000000000001234")
        .output()
        .unwrap();
    std::fs::remove_file(small.join("filler")).unwrap();
    let mut list = desk.command(["session", "list", "--json"]);
    let listed = list.env("SHIDI_DATA_DIR", &small).output().unwrap();
    std::process::Command::new("umount").arg(&small).status().unwrap();
    assert_eq!(
        first.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&first.stderr)
    );
    assert_eq!(
        second.status.code(),
        Some(5),
        "{}{}",
        String::from_utf8_lossy(&second.stdout),
        String::from_utf8_lossy(&second.stderr)
    );
    assert!(String::from_utf8_lossy(&listed.stdout).contains("add 12 and 30"));
}

/// A tmpfs of 8 MB, where this user may mount one.
fn small_disk(desk: &Desk) -> Option<std::path::PathBuf> {
    let folder = desk.path("small");
    std::fs::create_dir_all(&folder).ok()?;
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=8m", "tmpfs"])
        .arg(&folder)
        .stderr(Stdio::null())
        .status();
    mounted
        .ok()
        .filter(std::process::ExitStatus::success)
        .map(|_| folder)
}
