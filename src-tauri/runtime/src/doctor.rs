//! `shidi doctor`: looks at everything Shidi depends on, each with a remedy.

use crate::clock;
use crate::features::Features;
use crate::key_errors;
use crate::model_choice;
use crate::space::{Space, reader_program};
use crate::storage;
use shidi_executor::{Limits, Program, Progress, Session, SpawnOptions};
use shidi_jobs as jobs;
use shidi_locales::Language;
use shidi_protocol::{Check, KeyKeeper, MemoryMeaning, reply};
use shidi_store::Integrity;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest look for damage in the database.
const INTEGRITY_MOST: Duration = Duration::from_secs(10);

/// Longest wait for a program to tell its version, and bytes of what it says.
const VERSION_MOST: Duration = Duration::from_secs(5);
const VERSION_BYTES_MAX: u64 = 100;

/// Examines keychain, database, worker, reader, sandbox, shell, model, desktop session, companion and sensors.
pub async fn examine(features: &Features) -> reply::Doctor {
    let worker = {
        let space = Arc::clone(features);
        tokio::task::spawn_blocking(move || {
            let mut walls = worker(space.language());
            walls.push(reader(space.language()));
            walls.extend(jobs::checks(space.language()));
            (database(&space), walls)
        })
        .await
    };
    let mut checks = Vec::new();
    match worker {
        Ok((database, worker)) => {
            checks.push(database);
            checks.extend(worker);
        }
        Err(cause) => checks.push(Check::bad("database", cause.to_string(), "")),
    }
    checks.push(keychain(features).await);
    checks.push(model(features).await);
    checks.extend(meaning(features).await);
    checks.extend(features.local_model.examine().await);
    checks.push(local_servers(features).await);
    checks.push(companion(features));
    checks.push(search(features));
    checks.extend(shidi_capture::checks(&features.capture));
    reply::Doctor { checks }
}

fn database(space: &Space) -> Check {
    let (path, language) = (space.store.path().display().to_string(), space.language());
    match space.store.check(INTEGRITY_MOST) {
        Ok(found) => {
            let sound = match found {
                Integrity::Sound => language.runtime().database_sound(),
                Integrity::Unfinished => language.runtime().database_sound_so_far(),
            };
            Check::good("database", format!("{path} ({sound})"))
        }
        Err(cause) => Check::bad(
            "database",
            format!("{path}: {}", storage::explain(&cause, language).message),
            storage::damaged_hint(language),
        ),
    }
}

fn worker(language: Language) -> Vec<Check> {
    let remedy = language.runtime().install_worker_again();
    let path = match shidi_executor::worker_path() {
        Ok(path) => path.display().to_string(),
        Err(cause) => return vec![Check::bad("worker", cause.sentence(language), remedy)],
    };
    let started = clock::now();
    let mut session = match Session::spawn(SpawnOptions::default()) {
        Ok(session) => session,
        Err(cause) => {
            return vec![Check::bad(
                "worker",
                format!("{path}: {}", cause.sentence(language)),
                remedy,
            )];
        }
    };
    let confinement = session.confinement().clone();
    let program = Program {
        source: "6 * 7",
        toolkits: &[],
        variables: Vec::new(),
    };
    let ran = matches!(session.run(program, &Limits::default()), Ok(Progress::Ended(outcome)) if outcome.value == serde_json::json!(42));
    let ms = clock::now().since(started);
    let worker = if ran {
        Check::good("worker", format!("{path} ({ms} ms)"))
    } else {
        Check::bad("worker", path, remedy)
    };
    let named = |walls: &[String]| {
        let doctor = language.doctor();
        let told = walls.iter().map(|wall| doctor.text(wall).unwrap_or(wall));
        told.collect::<Vec<_>>().join(", ")
    };
    let walls = named(&confinement.walls);
    let sandbox = if confinement.missing.is_empty() {
        Check::good("sandbox", walls)
    } else {
        let missing = named(&confinement.missing);
        Check::bad(
            "sandbox",
            format!("{walls}; {missing}"),
            language.runtime().use_a_newer_kernel(),
        )
    };
    vec![worker, sandbox]
}

/// What a program says of its version, if it says so in time.
fn version_of(program: &Path) -> io::Result<String> {
    let mut child = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let began = Instant::now();
    while child.try_wait()?.is_none() {
        if began.elapsed() > VERSION_MOST {
            child.kill()?;
            child.wait()?;
            return Err(io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut said = String::new();
    if let Some(output) = child.stdout.take() {
        output.take(VERSION_BYTES_MAX).read_to_string(&mut said)?;
    }
    Ok(said.trim().to_owned())
}

/// Whether the program that reads documents is there, starts, and is of this version.
fn reader(language: Language) -> Check {
    let path = reader_program();
    let own = env!("CARGO_PKG_VERSION");
    let said = version_of(&path);
    let path = path.display();
    match said {
        Ok(version) if version == own => Check::good("reader", path.to_string()),
        Ok(version) => Check::bad(
            "reader",
            language
                .runtime()
                .reader_of_another_version(version, own, path.to_string()),
            language.runtime().install_reader_again(),
        ),
        Err(cause) => Check::bad(
            "reader",
            language.runtime().reader_not_started(cause, path.to_string()),
            language.runtime().install_reader_again(),
        ),
    }
}

async fn keychain(space: &Space) -> Check {
    let language = space.language();
    let keys = space.models().keys().clone();
    let file = keys
        .file_path()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    let (keeper, cause) = keys.keeper().await;
    let trouble = cause.map(|cause| key_errors::explain(space, &cause));
    let (message, hint) = trouble.map_or_else(Default::default, |trouble| {
        (trouble.message, trouble.hint.unwrap_or_default())
    });
    match keeper {
        KeyKeeper::Keychain => Check::good("keychain", String::new()),
        KeyKeeper::File => Check::good("keychain", language.runtime().keys_in_file(file, message)),
        KeyKeeper::LockedFile => Check::bad(
            "keychain",
            language.runtime().keys_in_locked_file(file, message),
            language.runtime().unlock_keys(),
        ),
        KeyKeeper::Nobody => Check::bad("keychain", message, &hint),
    }
}

async fn model(space: &Space) -> Check {
    let language = space.language();
    let choice = model_choice::configured(&space.config());
    if choice.is_empty() {
        return Check::good("model", language.runtime().no_model_set().to_owned());
    }
    let models = space.models();
    let listed = match models.check_key(&choice, None).await {
        Ok(()) => models.list(&choice).await,
        Err(failure) => Err(failure),
    };
    match listed {
        Ok(listed) => Check::good(
            "model",
            language.runtime().models_offered(
                listed.len(),
                choice.model.unwrap_or_default(),
                choice.provider.unwrap_or_default(),
            ),
        ),
        Err(failure) => {
            let problem = shidi_agent::model_error(language.code(), &failure);
            Check::bad("model", problem.message, &problem.hint.unwrap_or_default())
        }
    }
}

/// The model that makes vectors, where one is chosen.
async fn meaning(features: &Features) -> Option<Check> {
    let language = features.language();
    let known = match features.embeddings.progress().await {
        Ok(known) => known?,
        Err(cause) => {
            let told = storage::explain(&cause, language).message;
            return Some(Check::bad("meaning", told, storage::damaged_hint(language)));
        }
    };
    let remedy = language.runtime().choose_embedding_model();
    let MemoryMeaning {
        model,
        placed,
        of,
        trouble,
    } = known;
    Some(match trouble {
        Some(trouble) => Check::bad("meaning", format!("{model}: {trouble}"), remedy),
        None => Check::good("meaning", format!("{model} ({placed}/{of})")),
    })
}

async fn local_servers(space: &Space) -> Check {
    let found = space.models().find_servers().await;
    let shown = found
        .iter()
        .map(|server| format!("{} ({}, {})", server.title, server.url, server.models.len()));
    let shown: Vec<String> = shown.collect();
    let none = space.language().runtime().no_model_server();
    let detail = if shown.is_empty() {
        none.to_owned()
    } else {
        shown.join(", ")
    };
    Check::good("local models", detail)
}

/// Nobody needs one: that there is none is said, and is no fault.
fn companion(features: &Features) -> Check {
    let (pages, language) = (features.pages.shown(), features.language());
    let away = language.runtime().browser_away();
    let known = pages.browsers.iter().map(|browser| match browser.connected {
        true => browser.name.clone(),
        false => format!("{} ({away})", browser.name),
    });
    let known: Vec<String> = known.collect();
    let none = language.runtime().no_browser_connected();
    match known.is_empty() {
        true => Check::good("companion", none.to_owned()),
        false => Check::good("companion", known.join(", ")),
    }
}

/// Nobody is asked: what a search costs, the provider counts.
fn search(features: &Features) -> Check {
    Check::good("search", features.web.standing())
}
