//! A model file on this computer, answered by a scripted `llama-server` that the real program finds, confines, asks,
//! starts again and ends; and by the real one where there is one.

#![cfg(target_os = "linux")]

use serde_json::Value;
use shidi_tests::command::{Desk, Printed, Staying};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

const SERVER: &str = env!("CARGO_BIN_EXE_shidi-test-llama");

/// Longest wait for something that happens by itself.
const PATIENCE: Duration = Duration::from_secs(90);

/// The header of a small model.
pub fn gguf() -> Vec<u8> {
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    };
    let mut bytes = b"GGUF".to_vec();
    bytes.extend(3_u32.to_le_bytes());
    bytes.extend(0_u64.to_le_bytes());
    bytes.extend(2_u64.to_le_bytes());
    text(&mut bytes, "general.architecture");
    bytes.extend(8_u32.to_le_bytes());
    text(&mut bytes, "qwen2");
    text(&mut bytes, "qwen2.context_length");
    bytes.extend(4_u32.to_le_bytes());
    bytes.extend(32_768_u32.to_le_bytes());
    bytes
}

/// A desk whose model is a file of that name, with further settings.
fn desk(manner: &str, settings: &str) -> Desk {
    desk_with(manner, Path::new(SERVER), settings)
}

fn desk_with(manner: &str, program: &Path, settings: &str) -> Desk {
    let desk = Desk::new();
    let file = desk.path(&format!("{manner}.gguf"));
    std::fs::write(&file, gguf()).unwrap();
    desk.write_config(&format!(
        "provider = \"file\"\n{}\n[memory]\nlearn = \"rules\"\n[local_model]\nfile = \"{}\"\nprogram = \"{}\"\n{}",
        "check_answers = false",
        file.display(),
        program.display(),
        settings
    ));
    std::fs::create_dir_all(desk.path("run")).unwrap();
    desk
}

/// Processes that serve this desk's files: their numbers and arguments. The walls around one are among them.
fn servers(desk: &Desk) -> Vec<(u32, Vec<String>)> {
    let folder = desk.path("").to_string_lossy().into_owned();
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers
        .filter_map(|number| {
            let told = std::fs::read(format!("/proc/{number}/cmdline")).ok()?;
            let words = told
                .split(|byte| *byte == 0)
                .map(|word| String::from_utf8_lossy(word).into_owned());
            let words: Vec<String> = words.collect();
            let serves = words.iter().any(|word| word == "--model");
            let is_own = words
                .iter()
                .any(|word| word.starts_with(&folder) && word.ends_with(".gguf"));
            (serves && is_own).then_some((number, words))
        })
        .collect()
}

/// The server itself, without the walls around it.
fn server(desk: &Desk) -> Option<(u32, Vec<String>)> {
    servers(desk)
        .into_iter()
        .find(|(_, words)| words.first().is_some_and(|program| !program.ends_with("bwrap")))
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn all(printed: &Printed) -> String {
    format!("{}{}", printed.stdout, printed.stderr)
}

#[test]
fn a_model_file_answers_and_its_server_ends_with_the_question() {
    let desk = desk("answers", "");
    if !desk.can_confine() {
        return;
    }
    let printed = desk.run(["ask", "--json", "what is 6 times 7?"]);
    assert_eq!(printed.code, Some(0), "{}", all(&printed));
    assert_eq!(printed.event("answer")["text"], "It is 42.");
    let usage = &printed.event("run_ended")["usage"];
    assert_eq!((&usage["input"], &usage["output"]), (&100.into(), &12.into()));
    assert!(
        printed.stdout.contains("loading"),
        "that it is loaded is told: {}",
        printed.stdout
    );
    assert_eq!(servers(&desk), [], "nothing outlives the program");
}

#[test]
fn a_server_stays_warm_keeps_its_key_to_itself_and_is_killed_with_the_program() {
    let desk = desk("answers", "");
    if !desk.can_confine() {
        return;
    }
    let staying = Staying::start(&desk);
    assert_eq!(desk.run(["ask", "what is 6 times 7?"]).code, Some(0));
    let (number, words) = server(&desk).expect("a server that stays");
    assert_eq!(desk.run(["ask", "and again?"]).code, Some(0));
    assert_eq!(
        server(&desk).map(|(number, _)| number),
        Some(number),
        "the same one"
    );

    let surroundings = std::fs::read(format!("/proc/{number}/environ")).unwrap();
    let surroundings = String::from_utf8_lossy(&surroundings).into_owned();
    let key = surroundings
        .split('\0')
        .find_map(|word| word.strip_prefix("LLAMA_API_KEY="))
        .unwrap();
    for (_, words) in servers(&desk) {
        assert!(!words.iter().any(|word| word.contains(key)), "{words:?}");
    }
    assert!(
        !surroundings.contains("HOME=/root") && !surroundings.contains("SHIDI"),
        "{surroundings}"
    );

    let socket = words
        .iter()
        .find(|word| word.ends_with(".sock"))
        .expect("a socket");
    let status = |key: &str, host: &str| {
        let mut stream = UnixStream::connect(socket).unwrap();
        write!(
            stream,
            "GET /props HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).map(str::to_owned).unwrap()
    };
    assert_eq!(status("wrong", "localhost"), "401");
    assert_eq!(status(key, "evil.example"), "403");
    assert_eq!(status(key, "localhost"), "404", "no such page, but the right key");

    let shown = desk.run(["--json", "model", "file"]).json().remove(0);
    assert_eq!(
        (&shown["phase"], &shown["is_used"]),
        (&"ready".into(), &true.into()),
        "{shown}"
    );
    assert_eq!(shown["speed"], 25_000, "twelve tokens in 480 ms");
    assert!(shown["load_ms"].as_u64().is_some_and(|ms| ms >= 200), "{shown}");
    assert_eq!(shown["program"]["version"], "4711 (scripted)");

    drop(staying);
    wait_until("the server is gone", || servers(&desk).is_empty());
}

#[test]
fn a_server_that_nobody_asks_is_ended_and_the_next_question_starts_another() {
    let desk = desk("answers", "idle_minutes = 0\n");
    if !desk.can_confine() {
        return;
    }
    let _staying = Staying::start(&desk);
    for question in ["what is 6 times 7?", "and again?"] {
        assert_eq!(desk.run(["ask", question]).code, Some(0));
        wait_until("the server is gone", || servers(&desk).is_empty());
    }
    let shown = desk.run(["--json", "model", "file"]).json().remove(0);
    assert_eq!(shown["phase"], "asleep", "{shown}");
}

#[test]
fn a_server_that_is_killed_in_the_middle_of_an_answer_is_started_again_and_answers() {
    let desk = desk("slow", "");
    if !desk.can_confine() {
        return;
    }
    let mut child = desk.spawn(["ask", "--json", "tell me a story"], Stdio::null());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut events: Vec<Value> = Vec::new();
    let mut is_killed = false;
    for line in lines.by_ref() {
        let event: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if !is_killed
            && event["type"] == "delta"
            && event["text"].as_str().is_some_and(|text| text.contains("word5"))
        {
            let (number, _) = server(&desk).expect("it is at work");
            let killed = std::process::Command::new("kill")
                .args(["-9", &number.to_string()])
                .status();
            is_killed = killed.unwrap().success();
        }
        events.push(event);
    }
    assert!(child.wait().unwrap().success() && is_killed);
    let of = |kind: &str| {
        events
            .iter()
            .filter(|event| event["type"] == kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(of("retracted").len(), 1, "what was said before is void");
    let answer = of("answer")[0]["text"].as_str().unwrap();
    assert!(
        answer.starts_with("word1 ") && answer.trim_end().ends_with("word60"),
        "{answer}"
    );
    assert_eq!(servers(&desk), []);
}

#[test]
fn a_server_that_dies_again_and_one_that_can_not_start_say_why_and_what_helps() {
    let cases = [
        ("dies", "GGML_ASSERT(n_tokens > 0) failed"),
        ("memory", "ran out of memory"),
        ("strange", "qwen9"),
        ("open", "answers without its key"),
    ];
    for (manner, words) in cases {
        let desk = desk(manner, "");
        if !desk.can_confine() {
            return;
        }
        let printed = desk.run(["ask", "what is 6 times 7?"]);
        let all = all(&printed);
        assert_eq!(printed.code, Some(4), "{manner}: {all}");
        assert!(
            all.contains(words) && all.contains("shidi model file"),
            "{manner}: {all}"
        );
        assert_eq!(servers(&desk), [], "{manner}");
    }
}

#[test]
fn a_model_that_loads_for_ever_can_be_stopped_and_leaves_nothing() {
    let desk = desk("hangs", "");
    if !desk.can_confine() {
        return;
    }
    let mut child = desk.spawn(["ask", "--json", "what is 6 times 7?"], Stdio::null());
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut loading = lines
        .map(Result::unwrap)
        .filter(|line| line.contains("\"loading\""));
    loading.next().expect("that it is loaded is told");
    wait_until("it is started", || server(&desk).is_some());
    let stopped = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(stopped.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    wait_until("the server is gone", || servers(&desk).is_empty());
}

#[test]
fn an_earlier_program_is_told_what_it_knows_and_listens_at_a_port_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let earlier = folder.path().join("llama-server-earlier");
    std::fs::copy(SERVER, &earlier).unwrap();
    let desk = desk_with("answers", &earlier, "");
    if !desk.can_confine() {
        return;
    }
    let _staying = Staying::start(&desk);
    let printed = desk.run(["ask", "what is 6 times 7?"]);
    assert_eq!(printed.code, Some(0), "{}", all(&printed));
    let (_, words) = server(&desk).unwrap();
    let told = words[1..].join(" ");
    assert!(
        told.contains("--host 127.0.0.1 --port ") && !told.contains("--offline"),
        "{told}"
    );
}

#[test]
fn a_program_is_found_on_the_path_and_its_absence_has_a_remedy() {
    let mut desk = desk_with("answers", Path::new(""), "");
    if !desk.can_confine() {
        return;
    }
    let found =
        Path::new("/usr/local/bin/llama-server").exists() || Path::new("/usr/bin/llama-server").exists();
    if found {
        println!("NOT RUN: the absence of llama-server; it is installed here");
    } else {
        let doctor = desk.run(["--json", "doctor"]).json();
        let line = doctor
            .iter()
            .find(|check| check["name"] == "model file")
            .expect("a line of it");
        assert_eq!(line["ok"], false);
        assert!(
            line["remedy"]
                .as_str()
                .is_some_and(|remedy| remedy.contains("local_model.program")),
            "{line}"
        );
        let printed = desk.run(["ask", "hello?"]);
        assert_eq!(printed.code, Some(4));
        assert!(
            all(&printed).contains("no llama-server was found"),
            "{}",
            all(&printed)
        );
    }
    let bin = desk.path("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::copy(SERVER, bin.join("llama-server")).unwrap();
    desk.set("PATH", &format!("{}:/usr/bin:/bin", bin.display()));
    let printed = desk.run(["ask", "what is 6 times 7?"]);
    assert_eq!(printed.code, Some(0), "{}", all(&printed));
    let doctor = desk.run(["--json", "doctor"]).json();
    assert!(
        doctor
            .iter()
            .any(|check| check["name"] == "model file" && check["ok"] == true)
    );
}

#[test]
fn a_file_is_chosen_with_one_command_and_one_that_is_no_model_is_refused_with_a_sentence() {
    let desk = Desk::new();
    desk.write_config(&format!("[local_model]\nprogram = \"{SERVER}\"\n"));
    let whole = gguf();
    let cut = &whole[..whole.len() - 3];
    let endless = [b"GGUF".as_slice(), &3_u32.to_le_bytes(), &[0xff; 64]].concat();
    let cases: [(&str, &[u8], &str); 5] = [
        ("page.gguf", b"<!doctype html>", "no GGUF file"),
        ("empty.gguf", b"", "no GGUF file"),
        ("cut.gguf", cut, "breaks off"),
        ("endless.gguf", &endless, "header is broken"),
        (
            "later.gguf",
            &[b"GGUF".as_slice(), &9_u32.to_le_bytes(), &[0; 32]].concat(),
            "version 9",
        ),
    ];
    for (name, bytes, words) in cases {
        std::fs::write(desk.path(name), bytes).unwrap();
        let printed = desk.run(["model", "use", &desk.path(name).to_string_lossy()]);
        assert!(
            printed.code != Some(0) && all(&printed).contains(words),
            "{name}: {}",
            all(&printed)
        );
    }
    let missing = desk.run(["model", "use", "/nowhere/at/all.gguf"]);
    assert!(
        missing.code != Some(0) && all(&missing).contains("can't be read"),
        "{}",
        all(&missing)
    );

    let file = desk.path("answers.gguf");
    std::fs::write(&file, &whole).unwrap();
    let used = desk.run(["model", "use", &file.to_string_lossy()]);
    assert_eq!(used.code, Some(0), "{}", all(&used));
    let config = std::fs::read_to_string(desk.data().join("config.toml")).unwrap();
    assert!(
        config.contains("provider = \"file\"") && config.contains("answers.gguf"),
        "{config}"
    );
    let listed = desk.run(["--json", "model", "list"]).json();
    assert_eq!(
        (&listed[0]["id"], &listed[0]["provider"]),
        (&"answers".into(), &"file".into())
    );
    if desk.can_confine() {
        let tested = desk.run(["model", "test"]);
        assert!(
            tested.code == Some(0) && tested.stdout.contains("It is 42."),
            "{}",
            all(&tested)
        );
    }
}

/// The real program and a real model: `SHIDI_LLAMA_SERVER` and `SHIDI_MODEL_FILE` say where.
#[test]
fn the_real_program_answers_from_a_real_model() {
    let named = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_file())
    };
    let (Some(program), Some(file)) = (named("SHIDI_LLAMA_SERVER"), named("SHIDI_MODEL_FILE")) else {
        println!("NOT RUN: SHIDI_LLAMA_SERVER and SHIDI_MODEL_FILE name no llama-server and no model here");
        return;
    };
    let desk = Desk::new();
    desk.write_config(&format!(
        "[memory]\nlearn = \"rules\"\n[local_model]\nprogram = \"{}\"\n",
        program.display()
    ));
    if !desk.can_confine() {
        return;
    }
    let used = desk.run(["model", "use", &file.to_string_lossy()]);
    assert_eq!(used.code, Some(0), "{}", all(&used));
    let _staying = Staying::start(&desk);
    let tested = desk.run(["model", "test"]);
    assert_eq!(tested.code, Some(0), "{}", all(&tested));
    let shown = desk.run(["--json", "model", "file"]).json().remove(0);
    println!(
        "loaded in {} ms, {} thousandths of a token each second",
        shown["load_ms"], shown["speed"]
    );
    assert_eq!(shown["phase"], "ready", "{shown}");
}
