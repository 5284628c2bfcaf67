//! `shidi doctor`: looks at everything Shidi depends on, each with a remedy.

use crate::clock;
use crate::features::Features;
use crate::space::Space;
use crate::storage;
use shidi_executor::{Limits, Program, Progress, Session, SpawnOptions};
use shidi_jobs as jobs;
use shidi_locales::Language;
use shidi_protocol::{Check, reply};
use shidi_providers::examination;
use shidi_store::Integrity;
use std::sync::Arc;
use std::time::Duration;

/// Longest look for damage in the database.
const INTEGRITY_MOST: Duration = Duration::from_secs(10);

/// Examines keychain, database, worker, reader, sandbox, shell, model, desktop session, companion and sensors.
pub async fn examine(features: &Features) -> reply::Doctor {
    let worker = {
        let space = Arc::clone(features);
        tokio::task::spawn_blocking(move || {
            let mut walls = worker(space.language());
            walls.push(shidi_attachments::check_reader(space.language()));
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
    checks.push(examination::keychain(features).await);
    checks.push(examination::model(features).await);
    checks.extend(features.embeddings.check().await);
    checks.extend(features.local_model.examine().await);
    checks.push(examination::local_servers(features).await);
    checks.push(features.pages.check());
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

/// Nobody is asked: what a search costs, the provider counts.
fn search(features: &Features) -> Check {
    Check::good("search", features.web.standing())
}
