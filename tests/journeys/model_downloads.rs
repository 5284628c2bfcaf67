//! Models and their server from the catalogue, by a host of the tests: fetched, gone on with, checked, and put to use.

#![cfg(target_os = "linux")]

use crate::local_model::gguf;
use sha2::{Digest, Sha256};
use shidi_tests::command::{Desk, Printed};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const SERVER: &str = env!("CARGO_BIN_EXE_shidi-test-llama");

/// Longest wait for something that happens by itself.
const PATIENCE: Duration = Duration::from_secs(90);

/// Bytes that a slow host sends before it waits, and how long it does.
const PIECE: usize = 64 << 10;
const PIECE_PAUSE: Duration = Duration::from_millis(20);

/// Path and first byte of each request.
type RequestLog = Mutex<Vec<(String, usize)>>;

/// A host of files that knows parts of them.
struct Host {
    address: String,
    asked: Arc<RequestLog>,
}

impl Host {
    fn start(files: Vec<(&'static str, Vec<u8>)>, is_slow: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::<RequestLog>::default();
        let (files, heard) = (Arc::new(files), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (files, heard) = (Arc::clone(&files), Arc::clone(&heard));
                // Whoever asked may be killed in the middle.
                std::thread::spawn(move || drop(converse(stream, &files, &heard, is_slow)));
            }
        });
        Self { address, asked }
    }

    fn asked(&self) -> Vec<(String, usize)> {
        self.asked.lock().unwrap().clone()
    }
}

fn converse(
    stream: TcpStream,
    files: &[(&str, Vec<u8>)],
    heard: &RequestLog,
    is_slow: bool,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut path, mut first) = (String::new(), None);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == "\r\n" {
            break;
        }
        if let Some(rest) = line.strip_prefix("GET ") {
            path = rest.split(' ').next().unwrap_or_default().to_owned();
        }
        if let Some(rest) = line.to_lowercase().strip_prefix("range: bytes=") {
            first = rest
                .split('-')
                .next()
                .and_then(|first| first.parse::<usize>().ok());
        }
    }
    let begin = first.unwrap_or_default();
    heard.lock().unwrap().push((path.clone(), begin));
    let mut stream = stream;
    let Some((_, file)) = files.iter().find(|(name, _)| path.ends_with(name)) else {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    let status = match first {
        None => "200 OK\r\n".to_owned(),
        Some(_) => format!(
            "206 Partial Content\r\nContent-Range: bytes {begin}-{}/{}\r\n",
            file.len() - 1,
            file.len()
        ),
    };
    let length = file.len() - begin;
    write!(
        stream,
        "HTTP/1.1 {status}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    for piece in file[begin..].chunks(PIECE) {
        stream.write_all(piece)?;
        if is_slow {
            std::thread::sleep(PIECE_PAUSE);
        }
    }
    Ok(())
}

/// A small model, with so much behind its header that it comes in pieces.
fn model(bytes: usize) -> Vec<u8> {
    let mut model = gguf();
    model.resize(bytes, 7);
    model
}

fn entry(kind: &str, id: &str, address: &str, content: &[u8]) -> String {
    let digest: String = Sha256::digest(content)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!(
        "[[{kind}]]\nid = \"{id}\"\ntitle = \"Own {id}\"\nlicence = \"MIT\"\naddress = \"{address}\"\nbytes = {}\nsha256 = \"{digest}\"\n\n",
        content.len()
    )
}

/// A desk whose user has a list of their own.
fn desk(catalogue: &str, settings: &str) -> Desk {
    let desk = Desk::new();
    desk.write_config(&format!(
        "check_answers = false\n[memory]\nlearn = \"rules\"\n[local_model]\n{settings}"
    ));
    std::fs::create_dir_all(desk.path("run")).unwrap();
    std::fs::create_dir_all(desk.data().join("models")).unwrap();
    std::fs::write(desk.data().join("models/catalogue.toml"), catalogue).unwrap();
    desk
}

/// The scripted server with a library beside it, as its makers pack it.
fn packed_server(folder: &Path) -> Vec<u8> {
    let inside = folder.join("llama-b1");
    std::fs::create_dir_all(&inside).unwrap();
    std::fs::copy(SERVER, inside.join("llama-server")).unwrap();
    std::fs::write(inside.join("libggml.so.0"), "library").unwrap();
    std::os::unix::fs::symlink("libggml.so.0", inside.join("libggml.so")).unwrap();
    let archive = folder.join("llama-b1.tar.gz");
    let packed = Command::new("tar")
        .args(["-czf"])
        .arg(&archive)
        .arg("-C")
        .arg(folder)
        .arg("llama-b1")
        .status();
    assert!(packed.unwrap().success());
    std::fs::read(archive).unwrap()
}

fn all(printed: &Printed) -> String {
    format!("{}{}", printed.stdout, printed.stderr)
}

fn path_in(printed: &Printed) -> PathBuf {
    PathBuf::from(printed.stdout.lines().next().unwrap_or_default())
}

#[test]
fn a_model_and_its_server_are_downloaded_and_answer_without_a_terminal_of_their_own() {
    let packing = tempfile::tempdir().unwrap();
    let (model, engine) = (model(300_000), packed_server(packing.path()));
    let host = Host::start(
        vec![
            ("answers.gguf", model.clone()),
            ("llama-b1.tar.gz", engine.clone()),
        ],
        false,
    );
    let at = |file: &str| format!("{}/{file}", host.address);
    let desk = desk(
        &format!(
            "{}{}",
            entry("model", "own-small", &at("answers.gguf"), &model),
            entry("engine", "own-engine", &at("llama-b1.tar.gz"), &engine)
        ),
        "",
    );
    if !desk.can_confine() {
        return;
    }
    let listed = desk.run(["--json", "model", "catalogue"]).json().remove(0);
    let best = listed["models"].as_array().unwrap().iter();
    let best: Vec<_> = best.filter(|model| model["is_best"] == true).collect();
    assert!(best.len() == 1 && best[0]["fits"] == true, "{listed}");
    assert_eq!(listed["engine"]["id"], "own-engine");
    let small = &listed["models"][0];
    assert_eq!(
        (&small["id"], &small["state"]["is"]),
        (&"own-small".into(), &"absent".into())
    );

    let printed = desk.run(["model", "engine"]);
    assert_eq!(printed.code, Some(0), "{}", all(&printed));
    assert!(
        path_in(&printed).join("llama-b1/llama-server").is_file(),
        "{}",
        all(&printed)
    );
    assert!(
        !desk.data().join("engines/llama-b1.tar.gz").exists(),
        "the archive is gone"
    );

    let folder = desk.path("my models");
    let to = folder.to_string_lossy().into_owned();
    let printed = desk.run(["model", "download", "own-small", "--to", &to, "--use"]);
    assert_eq!(printed.code, Some(0), "{}", all(&printed));
    assert_eq!(std::fs::read(folder.join("answers.gguf")).unwrap(), model);
    let listed = desk.run(["--json", "model", "catalogue"]).json().remove(0);
    assert_eq!(listed["folder"], to.as_str(), "the folder is remembered");
    assert_eq!(listed["models"][0]["state"]["is"], "here");

    let printed = desk.run(["ask", "--json", "what is 6 times 7?"]);
    assert_eq!(printed.code, Some(0), "{}", all(&printed));
    assert_eq!(printed.event("answer")["text"], "It is 42.");
    let again = desk.run(["model", "download", "own-small"]);
    assert_eq!(again.code, Some(0), "{}", all(&again));
    assert_eq!(host.asked().len(), 2, "nothing is fetched twice");
}

#[test]
fn a_folder_that_takes_no_files_is_refused_and_not_remembered() {
    let model = model(10_000);
    let desk = desk(&entry("model", "own", "http://127.0.0.1:9/a.gguf", &model), "");
    let file = desk.path("file");
    std::fs::write(&file, "x").unwrap();
    let folder = || desk.run(["--json", "model", "catalogue"]).json()[0]["folder"].clone();
    let before = folder();
    for (place, words) in [
        (file.clone(), "is a file and no folder"),
        (file.join("below"), "takes no files"),
    ] {
        let refused = desk.run(["model", "download", "own", "--to", &place.to_string_lossy()]);
        assert_ne!(refused.code, Some(0), "{}", all(&refused));
        assert!(all(&refused).contains(words), "{}", all(&refused));
    }
    assert_eq!(folder(), before);
}

/// A desk that has downloaded a model and a server, beside a file of its user's own.
fn desk_with_downloads() -> Desk {
    let packing = tempfile::tempdir().unwrap();
    let (model, engine) = (model(300_000), packed_server(packing.path()));
    let files = vec![("a.gguf", model.clone()), ("llama-b1.tar.gz", engine.clone())];
    let host = Host::start(files, false);
    let at = |file: &str| format!("{}/{file}", host.address);
    let desk = desk(
        &format!(
            "{}{}{}",
            entry("model", "own", &at("a.gguf"), &model),
            entry("model", "mine", &at("mine.gguf"), &model),
            entry("engine", "llama.cpp-b1", &at("llama-b1.tar.gz"), &engine)
        ),
        "",
    );
    std::fs::write(desk.data().join("models/mine.gguf"), &model).unwrap();
    for arguments in [["model", "download", "own"].as_slice(), &["model", "engine"]] {
        let printed = desk.run(arguments.iter().copied());
        assert_eq!(printed.code, Some(0), "{}", all(&printed));
    }
    desk
}

#[test]
fn what_was_downloaded_is_removed_when_nothing_needs_it_and_a_file_of_ones_own_stays() {
    let desk = desk_with_downloads();
    let (file, mine) = (
        desk.data().join("models/a.gguf"),
        desk.data().join("models/mine.gguf"),
    );
    let folder = desk.data().join("engines/llama.cpp-b1");
    let listed = desk.run(["--json", "model", "catalogue"]).json().remove(0);
    let frees = |id: &str| {
        let mut models = listed["models"].as_array().unwrap().iter();
        models.find(|model| model["id"] == id).unwrap()["frees_bytes"].clone()
    };
    assert_eq!(frees("own"), 300_000);
    assert!(frees("mine").is_null(), "it was not downloaded: {listed}");

    let chosen = file.to_string_lossy().into_owned();
    let set = desk.run(["config", "set", "local_model.file", &chosen]);
    assert_eq!(set.code, Some(0), "{}", all(&set));
    for (id, words) in [
        ("own", "file that is chosen"),
        ("llama.cpp-b1", "serves the model file"),
        ("mine", "did not download"),
        ("nothing", "can be removed: llama.cpp-b1, own"),
    ] {
        let printed = desk.run(["model", "remove", id, "--yes"]);
        assert_eq!(printed.code, Some(2), "{id}: {}", all(&printed));
        assert!(all(&printed).contains(words), "{id}: {}", all(&printed));
    }
    let set = desk.run(["config", "set", "local_model.file", ""]);
    assert_eq!(set.code, Some(0), "{}", all(&set));
    let unasked = desk.run(["model", "remove", "own"]);
    assert_eq!(unasked.code, Some(2), "nobody can be asked: {}", all(&unasked));
    let unknown = desk.run(["model", "remove", "nothing"]);
    assert!(
        all(&unknown).contains("can be removed: llama.cpp-b1, own"),
        "{}",
        all(&unknown)
    );
    assert!(file.is_file() && mine.is_file() && folder.is_dir());

    let printed = desk.run(["model", "remove", "own", "--yes"]);
    assert_eq!(printed.code, Some(0), "{}", all(&printed));
    assert!(
        printed.stdout.contains("free again: less than 1 MB"),
        "{}",
        all(&printed)
    );
    let removed = desk
        .run(["--json", "model", "remove", "llama.cpp-b1", "--yes"])
        .json()
        .remove(0);
    assert!(removed["freed_bytes"].as_u64().unwrap() > 1_000, "{removed}");
    assert!(!file.exists() && !folder.exists() && mine.is_file());
    let again = desk.run(["model", "remove", "own", "--yes"]);
    assert_eq!(again.code, Some(2), "{}", all(&again));
}

#[test]
fn a_download_that_was_killed_goes_on_where_it_broke_off() {
    let model = model(4 << 20);
    let host = Host::start(vec![("m.gguf", model.clone())], true);
    let address = format!("{}/m.gguf", host.address);
    let desk = desk(&entry("model", "own", &address, &model), "");
    let part = desk.data().join("models/m.gguf.part");
    let mut child = desk.spawn(["model", "download", "own"], Stdio::null());
    let until = Instant::now() + PATIENCE;
    while part.metadata().map_or(0, |facts| facts.len()) < 500_000 {
        assert!(Instant::now() < until, "it does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let printed = desk.run(["model", "catalogue"]);
    assert!(all(&printed).contains("% of it is here"), "{}", all(&printed));

    let printed = desk.run(["model", "download", "own"]);
    assert_eq!(printed.code, Some(0), "{}", all(&printed));
    assert_eq!(std::fs::read(path_in(&printed)).unwrap(), model);
    let asked = host.asked();
    assert!(asked.len() == 2 && asked[1].1 >= 500_000, "{asked:?}");
    assert!(!part.exists());
}

#[test]
fn what_is_not_the_file_that_was_named_is_thrown_away_and_said() {
    let host = Host::start(vec![("m.gguf", model(100_000))], false);
    let mut other = model(100_000);
    other[99_999] = 8;
    let address = format!("{}/m.gguf", host.address);
    let gone = format!("{}/gone.gguf", host.address);
    let desk = desk(
        &format!(
            "{}{}",
            entry("model", "own", &address, &other),
            entry("model", "gone", &gone, &other)
        ),
        "",
    );
    for (id, words) in [
        ("own", "thrown away"),
        ("gone", "HTTP 404"),
        ("nothing", "own, gone"),
    ] {
        let printed = desk.run(["model", "download", id]);
        assert_eq!(printed.stdout, "", "{id}");
        assert_ne!(printed.code, Some(0), "{id}");
        assert!(all(&printed).contains(words), "{id}: {}", all(&printed));
    }
    let left: Vec<_> = std::fs::read_dir(desk.data().join("models"))
        .unwrap()
        .flatten()
        .collect();
    assert_eq!(left.len(), 1, "the catalogue alone: {left:?}");
}

#[test]
fn a_mirror_stands_for_the_host_of_models_and_a_wrong_list_of_ones_own_is_said() {
    let model = model(50_000);
    let host = Host::start(vec![("m.gguf", model.clone())], false);
    let address = "https://huggingface.co/own/resolve/abc/m.gguf";
    let settings = format!("mirror = \"{}/hf/\"\n", host.address);
    let desk = desk(&entry("model", "own", address, &model), &settings);
    let printed = desk.run(["model", "download", "own"]);
    assert_eq!(printed.code, Some(0), "{}", all(&printed));
    assert_eq!(host.asked()[0].0, "/hf/own/resolve/abc/m.gguf");

    std::fs::write(
        desk.data().join("models/catalogue.toml"),
        "[[model]]\nid = \"x\"\n",
    )
    .unwrap();
    let printed = desk.run(["model", "catalogue"]);
    assert_eq!(printed.code, Some(0));
    assert!(
        printed.stdout.contains("qwen3.5-4b") && printed.stderr.contains("catalogue.toml"),
        "{}",
        all(&printed)
    );
}
